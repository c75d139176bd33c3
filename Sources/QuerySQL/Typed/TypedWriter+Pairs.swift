import QueryTree
import QueryValues

// Comparing two values of the store.

extension TypedWriter {
    /// Compares two nodes; two nils are equal (S8).
    func equal(_ left: Node, _ right: Node, _ options: StringOptions, _ origin: Origin) throws(QueryError) -> Leaf {
        assumeSingle(left)
        assumeSingle(right)
        if left.stored == .document || right.stored == .document {
            return try equalDocuments(left, right, options, origin)
        }
        let (left, right) = try pair(left, right, origin)
        let bothNil = all(isNil(left), isNil(right))
        guard let a = left.stored.kind, let b = right.stored.kind else {
            throw unsupported("comparing whole lists and objects is not supported by this store", at: origin)
        }
        if a != b { return Leaf(bothNil, fails: self.some(self.isNotNil(left), self.isNotNil(right))) }
        if a == .object { throw unsupported("rows of tables cannot be compared", at: origin) }
        guard a == .number, left.stored == .double || right.stored == .double else {
            let (x, y) = try comparable(left, right, options, origin)
            return Leaf(same(x, y), fails: differs(x, y))
        }
        return leaf(some(try compared(left, OrderTest(relation: .equal, options: options), right, origin), bothNil))
    }

    /// Compares two values of one kind, of which NaN is less than none and equal to none (S3).
    func compared(_ left: Node, _ test: OrderTest, _ right: Node, _ origin: Origin) throws(QueryError) -> SQLText {
        let relation = test.relation
        switch (left.stored, right.stored) {
        case (.double, .int): return exactly(left, relation, right)
        case (.int, .double): return exactly(right, relation.entry.mirror ?? relation, left)
        default: break
        }
        let (x, y) = try comparable(left, right, test.options, origin)
        let areNumbers = [left, right].compactMap { $0.stored == .double ? isNumber($0.value) : nil }
        return all([.compare(bytewise(left, x), relation.sql, bytewise(right, y))] + areNumbers)
    }

    /// Compares a double with an int, which holds more digits than a double (S3).
    ///
    /// Rounding keeps the order: where the double differs from the rounded int, that decides. Where it does not, it is
    /// whole and is compared as an int, or is 2^63, above every int.
    private func exactly(_ double: Node, _ relation: Comparison.Operator, _ int: Node) -> SQLText {
        let (x, y) = (double.value, int.value)
        let rounded = y.cast(to: forms.double)
        let isInt = SQLText.compare(x, "<", SQLText.word("9223372036854775808").cast(to: forms.double))
        let isAbove = relation == .greater || relation == .greaterOrEqual
        let asDoubles = SQLText.compare(x, isAbove ? ">=" : "<", rounded)
        let compared = SQLText.choice(
            [(all(.compare(x, "=", rounded), isInt), .compare(x.cast(to: forms.int), relation.sql, y))],
            else: relation == .equal ? .word("FALSE") : asDoubles
        )
        return all([compared] + (isAbove ? [isNumber(x)].compactMap(\.self) : []))
    }

    /// Tests that a double is not NaN, which the store orders above all numbers; nil where it has none.
    func isNumber(_ value: SQLText) -> SQLText? { forms.notANumber.map { .compare(value, "<", .word($0)) } }

    /// Both with known types: a column of unknown type is assumed to have the other's kind.
    func pair(_ left: Node, _ right: Node, _ origin: Origin) throws(QueryError) -> (Node, Node) {
        let a = try right.stored.kind.map { kind throws(QueryError) in try known(left, kind) } ?? left
        let b = try left.stored.kind.map { kind throws(QueryError) in try known(right, kind) } ?? right
        if a.stored == .unknown || b.stored == .unknown {
            let message = "two values whose types are not known cannot be compared in this store"
            throw unsupported(message, at: origin, hint: "declare the fields in a schema")
        }
        return (a, b)
    }

    /// Two values of one kind as SQL that compares by value.
    func comparable(
        _ left: Node,
        _ right: Node,
        _ options: StringOptions,
        _ origin: Origin
    ) throws(QueryError) -> (SQLText, SQLText) {
        switch (left.stored, right.stored) {
        case (.decimal, _), (_, .decimal): return (try decimal(left, origin), try decimal(right, origin))
        case (.text, .text):
            return (try folded(left, options, origin), try folded(right, options, origin))
        case (.date(let a), .date(let b)):
            let areExact = [a, b].allSatisfy { $0 == .native || $0 == .epochMilliseconds }
            if areExact { return (exactMilliseconds(left), exactMilliseconds(right)) }
            if a == b, a != .iso8601 { return (left.value, right.value) }
            throw unsupported("comparing dates kept in two forms is not supported by this store", at: origin)
        default: return (left.value, right.value)
        }
    }

    private func equalDocuments(
        _ left: Node,
        _ right: Node,
        _ options: StringOptions,
        _ origin: Origin
    ) throws(QueryError) -> Leaf {
        guard let documents = forms.documents else { throw noDocuments(origin) }
        if left.stored == .document, right.stored == .document {
            try checkOrder(left, origin)
            try checkOrder(right, origin)
        }
        let (a, b) = try self.documents(left, right, keepsNaN: true, origin)
        guard options.folding.isEmpty || ![left, right].allSatisfy(\.mayHoldText) else {
            throw unsupported("texts of two documents are not compared with options by this store", at: origin)
        }
        let (x, y) = (SQLText.call("coalesce", a, documents.null()), SQLText.call("coalesce", b, documents.null()))
        if left.type == .uuid, right.type == .uuid {  // In lower or in upper case (S5).
            let areTexts = [a, b].map { SQLText.compare(documents.kind($0), "=", .literal("string")) }
            let (s, t) = (SQLText.call("lower", documents.text(a)), SQLText.call("lower", documents.text(b)))
            return leaf(some(.compare(x, "=", y), all(areTexts + [.compare(s, "=", t)])))
        }
        let alike = try areAlikeDates(left, right, origin)
        if !alike.isEmpty { return leaf(all([.compare(x, "=", y)] + alike)) }
        return Leaf(x, "=", bound: y, opposite: "<>")
    }

    /// True for two dates, and two other values: a date kept as text or number is of another kind (S5), so is a UUID.
    func areAlikeDates(_ left: Node, _ right: Node, _ origin: Origin) throws(QueryError) -> [SQLText] {
        switch (isDate(left), isDate(right)) {
        case (nil, nil): return []
        case (let isDate?, nil), (nil, let isDate?): return [isDate.isNotTrueInWords]
        case (let a?, let b?) where [left.type, right.type].contains(.uuid):
            return left.type == right.type ? [] : [a.isNotTrueInWords, b.isNotTrueInWords]
        case (let a?, let b?):
            guard left.type.dateEncoding == right.type.dateEncoding, left.type != .date(.iso8601) else {
                throw unsupported("comparing dates kept in two forms is not supported by this store", at: origin)
            }
            return [.compare(a.isNotTrueInWords.parenthesized, "=", b.isNotTrueInWords.parenthesized)]
        }
    }

    /// True if a document is a date or a UUID; nil if none can be.
    private func isDate(_ node: Node) -> SQLText? {
        guard node.stored == .document, let documents = forms.documents else { return nil }
        let kind = documents.kind(node.value)
        if node.type == .uuid { return .compare(kind, "=", .literal("string")) }
        guard case .date(let encoding) = node.type else { return nil }
        if !encoding.isText { return .compare(kind, "=", .literal("number")) }
        return all(
            .compare(kind, "=", .literal("string")),
            isDateText(documents.text(node.value), node.type.dateEncoding)
        )
    }
}

extension TypedNode { fileprivate var mayHoldText: Bool { stored == .text || stored == .document } }
