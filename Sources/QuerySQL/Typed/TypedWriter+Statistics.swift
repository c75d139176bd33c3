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
        guard let (number, stored) = try summand(read(rows.element), origin) else { return computed(.null, .null) }
        let value = number.cast(to: forms.double)
        let row = try alias("m")
        let result =
            function == .median
            ? median(of: value, stored, rows, row) : deviation(of: value, rows, row, element: try alias("e"))
        return chain.isList.isFalse ? computed(.null, .null) : computed(result, .double)
    }

    /// The number in the middle, or the mean of the two there.
    private func median(of value: SQLText, _ stored: StoredType, _ chain: TypedCollection, _ row: String) -> SQLText {
        let middle = middle(of: value)
        var columns = [middle.low.named("low"), middle.high.named("high")]
        if stored != .int { columns.append(middle.greatest.named("greatest")) }
        func column(_ name: String) -> SQLText { .word(row + "." + name) }
        let mean = mean((column("low"), column("high"), column("greatest")), of: stored)
        return .select(SQLSelect([mean], from: [select(columns, from: chain).named(row)]))
    }

    /// The number in the middle of a group, or the mean of the two there.
    func median(ofGroup node: TypedNode) -> SQLText { mean(middle(of: node.value), of: node.stored) }

    /// The two numbers in the middle and the greatest, of which NaN is; NaN comes last in the store's order.
    private func middle(of value: SQLText) -> Middle {
        func element(_ position: SQLText) -> SQLText { forms.sortedElement([value, position], adding: 8) }
        let (count, two) = (SQLText.call("count", value), SQLText.number(2))
        let low = element(forms.wholeQuotient([.infix(count, "+", .one, .sum).parenthesized, two], .product))
        let high = element(.infix(forms.wholeQuotient([count, two], .product), "+", .one, .sum))
        return (low, high, .call("max", value))
    }

    /// The mean, added as in memory: by halves where the sum could overflow.
    private func mean(_ middle: Middle, of stored: StoredType) -> SQLText {
        let (low, high, two) = (middle.low, middle.high, SQLText.number(2))
        let mean = SQLText.infix(.infix(low, "+", high, .sum).parenthesized, "/", two, .product)
        if stored == .int { return mean }
        let halves = SQLText.infix(.infix(low, "/", two, .product), "+", .infix(high, "/", two, .product), .sum)
        let ofNaN = forms.notANumber.map { (SQLText.compare(middle.greatest, "=", .word($0)), middle.greatest) }
        let ofSmall = (SQLText.compare(.call("abs", low), "<", .one), mean)
        return .choice([ofNaN, ofSmall].compactMap { $0 }, else: halves)
    }

    private typealias Middle = (low: SQLText, high: SQLText, greatest: SQLText)

    /// The root of the mean square distance from the mean, in two passes as memory computes it.
    private func deviation(of value: SQLText, _ chain: TypedCollection, _ row: String, element: String) -> SQLText {
        let columns = [forms.array(value).named("list"), forms.average(value).named("mean")]
        let distance = SQLText.infix(.word(element + ".value"), "-", .word(row + ".mean"), .sum).parenthesized
        let squares = SQLText.call("sum", .infix(distance, "*", distance, .product))
        let mean = SQLText.infix(squares, "/", .call("count", .word(element + ".value")), .product)
        let elements = forms.arrayElements(.word(row + ".list"), .word(element))
        return .select(SQLSelect([forms.squareRoot(mean)], from: [select(columns, from: chain).named(row), elements]))
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
        let number = SQLForm("count(DISTINCT {0})")(value)
        if node.isPresent { return number }
        let ofNil = SQLText.call("max", .choice([(value.followed(by: "IS NULL"), .one)]))
        return .infix(number, "+", .call("coalesce", ofNil, .zero), .sum)
    }
}
