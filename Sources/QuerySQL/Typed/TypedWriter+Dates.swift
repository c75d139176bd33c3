import QuerySyntax

// Dates (S5).

extension TypedWriter {
    /// A date as the field keeps it.
    func date(_ instant: Int64, _ node: TypedNode, _ origin: Origin) throws(QueryError) -> SQLText? {
        guard case .date(let encoding) = node.stored, encoding != .native else {
            return try self.instant(instant, origin)
        }
        switch encoding.compared(instant) {
        case .string(let text): return try bind(text: text, at: origin)
        case let number: return try anyNumber(number, origin)
        }
    }

    /// An instant of the store's own type.
    private func instant(_ milliseconds: Int64, _ origin: Origin) throws(QueryError) -> SQLText {
        // 0001-01-01 to 9999-12-31: what every store reads.
        guard (-62_135_596_800_000...253_402_300_799_999).contains(milliseconds) else {
            throw unsupported("the store's dates do not reach that far", at: origin)
        }
        return bind(.string(DateText.iso8601(milliseconds)), as: forms.instant)
    }

    /// The store keeps parts of milliseconds, which are not looked at: a date is a range of one millisecond.
    func sameInstant(_ node: TypedNode, _ milliseconds: Int64, _ origin: Origin) throws(QueryError) -> Leaf {
        let first = try instant(milliseconds, origin)
        let next = forms.nextMillisecond(try instant(milliseconds, origin))
        return Leaf(
            all(.compare(node.value, ">=", first), .compare(node.value, "<", next)),
            fails: self.some(
                .compare(node.value, "<", first),
                .compare(node.value, ">=", next),
                node.value.followed(by: "IS NULL")
            )
        )
    }

    func ordered(
        _ node: TypedNode,
        _ relation: Comparison.Operator,
        _ milliseconds: Int64,
        _ origin: Origin
    ) throws(QueryError) -> Leaf {
        var bound = try instant(milliseconds, origin)
        if relation == .lessOrEqual || relation == .greater { bound = forms.nextMillisecond(bound) }
        let isBelow = relation == .less || relation == .lessOrEqual
        return leaf(
            .compare(node.value, isBelow ? "<" : ">=", bound),
            orNull: node.value,
            fails: .compare(node.value, isBelow ? ">=" : "<", bound)
        )
    }

    func milliseconds(_ node: TypedNode) -> SQLText {
        forms.inMilliseconds(node.value)
    }

    /// What a date kept as text looks like: any other text is of another kind.
    func isDateText(_ text: SQLText, _ encoding: DateEncoding) -> SQLText {
        let time = "[0-2][0-9]:[0-5][0-9]:[0-6][0-9][.][0-9]{3}"
        let day = "[0-9]{4}-[01][0-9]-[0-3][0-9]"
        let form = encoding == .sqliteText ? day + " " + time : day + "T" + time + "Z"
        return forms.matches(text, .literal("^" + form + "$"))
    }
}
