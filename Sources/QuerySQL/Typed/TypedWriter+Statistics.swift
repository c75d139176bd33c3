import QueryTree
import QueryValues

// Medians, deviations and numbers of distinct values (S18).

extension TypedWriter {
    /// The median or the standard deviation of the numbers of a list; NULL for none.
    func statistic(
        _ function: Function,
        _ list: Term,
        _ origin: Origin,
        _ scope: TypedScope
    ) throws(QueryError) -> TypedNode {
        let chain = try elements(list, FieldPath(keys: []), origin, scope)
        if chain.isSet {
            throw unsupported("the function \(function.entry.name) of distinct values is not supported", at: origin)
        }
        let rows = try tabled(chain)
        guard let (number, _) = try summand(read(rows.element), origin) else { return computed(.null, .null) }
        let value = number.cast(to: forms.double)
        let row = try alias("m")
        let result =
            function == .median
            ? median(of: value, rows, row) : deviation(of: value, rows, row, element: try alias("e"))
        return chain.isList.isFalse ? computed(.null, .null) : computed(result, .double)
    }

    /// The number in the middle, or the mean of the two there, added as in memory: by halves where the sum could overflow.
    ///
    /// NaN comes last in the store's order.
    private func median(of value: SQLText, _ chain: TypedCollection, _ row: String) -> SQLText {
        func element(_ position: SQLText) -> SQLText { forms.sortedElement([value, position], adding: 8) }
        let (count, two) = (SQLText.call("count", value), SQLText.number(2))
        let first = forms.wholeQuotient([.infix(count, "+", .one, .sum).parenthesized, two], .product)
        let second = SQLText.infix(forms.wholeQuotient([count, two], .product), "+", .one, .sum)
        let columns = Self.middle([element(first), element(second), .call("max", value)], adding: 0)
        let (low, high, greatest) = (
            SQLText.word(row + ".low"), SQLText.word(row + ".high"), SQLText.word(row + ".greatest")
        )
        let mean = SQLText.infix(.infix(low, "+", high, .sum).parenthesized, "/", two, .product)
        let halves = SQLText.infix(
            .infix(low, "/", two, .product),
            "+",
            .infix(high, "/", two, .product),
            .sum
        )
        let ofNaN = forms.notANumber.map { (SQLText.compare(greatest, "=", .word($0)), greatest) }
        let ofSmall = (SQLText.compare(.call("abs", low), "<", .one), mean)
        let result = SQLText.choice([ofNaN, ofSmall].compactMap { $0 }, else: halves)
        return derived(result, columns, chain, row)
    }

    /// The root of the mean square distance from the mean, in two passes as memory computes it.
    private func deviation(of value: SQLText, _ chain: TypedCollection, _ row: String, element: String) -> SQLText {
        let columns = Self.listAndMean([forms.array(value), forms.average(value)], adding: 0)
        let distance = SQLText.infix(.word(element + ".value"), "-", .word(row + ".mean"), .sum).parenthesized
        let squares = SQLText.call("sum", .infix(distance, "*", distance, .product))
        let mean = SQLText.infix(squares, "/", .call("count", .word(element + ".value")), .product)
        let elements = forms.arrayElements(.word(row + ".list"), .word(element))
        return derived(forms.squareRoot(mean), columns, chain, row, and: [elements])
    }

    /// `(SELECT result FROM (SELECT columns FROM chain) AS row, other)`.
    private func derived(
        _ result: SQLText,
        _ columns: SQLText,
        _ chain: TypedCollection,
        _ row: String,
        and others: [SQLText] = []
    ) -> SQLText {
        .select(SQLSelect([result], from: [select(columns, chain).named(row)] + others))
    }

    /// The number of distinct values in a group, of which nil is one.
    func distinctCount(_ node: TypedNode, _ origin: Origin) throws(QueryError) -> SQLText {
        var value = node.value
        switch node.stored {
        case .bool, .int, .double, .decimal, .text, .bytes, .uuid: break
        case .date(.native): value = milliseconds(node)
        case .date: try noteForm(node, origin)
        case .document:
            guard let documents = forms.documents else { throw noDocuments(origin) }
            try noteForm(node, origin)
            value = .call("nullif", value, documents.null())
        case .nested, .row, .unknown, .null:
            throw unsupported("distinct values of this kind are not supported by this store", at: origin)
        }
        let number = Self.distinctCount(value)
        if node.isPresent { return number }
        let ofNil = SQLText.call("max", .choice([(value.followed(by: "IS NULL"), .one)]))
        return .infix(number, "+", .call("coalesce", ofNil, .zero), .sum)
    }

    private static let middle: SQLForm = "{0} AS low, {1} AS high, {2} AS greatest"
    private static let listAndMean: SQLForm = "{0} AS list, {1} AS mean"
    private static let distinctCount: SQLForm = "count(DISTINCT {0})"
}
