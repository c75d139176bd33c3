import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

// Dates (S5).

extension TypedWriter {
    /// A date in the field's form.
    func date(_ instant: Int64, _ node: Node, _ origin: Origin) throws(QueryError) -> SQLText? {
        guard case .date(let encoding) = node.stored, encoding != .native else {
            return try self.instant(instant, origin)
        }
        try noteForm(node, origin)
        switch encoding.compared(instant) {
        case .string(let text): return try bind(text: text, at: origin)
        case let number: return try anyNumber(number, origin)
        }
    }

    /// Notes that a field of dates in any form is compared as if all were in one form, which is all that this store
    /// supports (S5).
    func noteForm(_ node: Node, _ origin: Origin) throws(QueryError) {
        guard case .date(.iso8601) = node.type else { return }
        assume(try .date(at: node.name ?? node.mappedName, .iso8601Milliseconds, origin))
    }

    /// An instant of the store's own type.
    private func instant(_ milliseconds: Int64, _ origin: Origin) throws(QueryError) -> SQLText {
        // 0001-01-01 to 9999-12-31, which every store reads.
        guard (-62_135_596_800_000...253_402_300_799_999).contains(milliseconds) else {
            throw unsupported("the date is outside the store's range", at: origin)
        }
        return forms.instant(.bind(.string(DateText.iso8601(milliseconds))))
    }

    /// The day of an instant in UTC, and whether it is that day's first millisecond.
    private func day(_ milliseconds: Int64, _ origin: Origin) throws(QueryError) -> (text: SQLText, isWhole: Bool) {
        _ = try instant(milliseconds, origin)
        let text = String(DateText.iso8601(milliseconds).prefix(10))
        return (bind(.string(text), as: "date"), milliseconds % 86_400_000 == 0)
    }

    /// The store keeps fractions of milliseconds, which are ignored: a date is a range of one millisecond.
    func sameInstant(_ node: Node, _ milliseconds: Int64, _ origin: Origin) throws(QueryError) -> Leaf {
        if node.date == .day {
            let day = try day(milliseconds, origin)
            return day.isWhole ? Leaf(node.value, equals: day.text, differs: forms.differs) : .never
        }
        if node.isComputed, forms.epochMilliseconds != nil {
            let bound = bind(.int(milliseconds), as: forms.int)
            return Leaf(exactMilliseconds(node), equals: bound, differs: forms.differs)
        }
        let next = milliseconds.addingReportingOverflow(1).partialValue
        return Leaf(
            all(
                try compared(node, isBelow: false, milliseconds, origin),
                try compared(node, isBelow: true, next, after: milliseconds, origin)
            ),
            fails: self.some(
                try compared(node, isBelow: true, milliseconds, origin),
                try compared(node, isBelow: false, next, after: milliseconds, origin),
                node.value.followed(by: "IS NULL")
            )
        )
    }

    func ordered(
        _ node: Node,
        _ relation: Comparison.Operator,
        _ milliseconds: Int64,
        _ origin: Origin
    ) throws(QueryError) -> Leaf {
        var (bound, before) = (milliseconds, Int64?.none)
        if relation == .lessOrEqual || relation == .greater {
            (bound, before) = (milliseconds.addingReportingOverflow(1).partialValue, milliseconds)
        }
        let isBelow = relation == .less || relation == .lessOrEqual
        if node.date == .day {
            let day = try day(milliseconds, origin)
            let relation = day.isWhole ? relation : isBelow ? .lessOrEqual : .greater
            return Leaf(node.value, relation.sql, bound: day.text, opposite: relation.oppositeSQL, orNull: node.value)
        }
        let holds = try compared(node, isBelow: isBelow, bound, after: before, origin)
        if node.isComputed { return leaf(holds) }
        let fails = try compared(node, isBelow: !isBelow, bound, after: before, origin)
        return leaf(holds, orNull: node.value, fails: fails)
    }

    /// `node < bound`, or `>=`; the bound may be the millisecond after the last that the store's dates can represent.
    ///
    /// A column without a time zone is read as UTC, whatever the connection's: it is compared by its milliseconds and,
    /// so that an index applies, also directly with one day of margin. A computed value has no index.
    private func compared(
        _ node: Node,
        isBelow: Bool,
        _ bound: Int64,
        after reached: Int64? = nil,
        _ origin: Origin
    ) throws(QueryError) -> SQLText {
        var instant = try self.instant(reached ?? bound, origin)
        if reached != nil { instant = forms.nextMillisecond(instant) }
        let word = isBelow ? "<" : ">="
        guard !keepsTimeZones, node.date != .instant, let epoch = forms.epochMilliseconds else {
            return .compare(node.value, word, instant)
        }
        let exact = SQLText.compare(epoch(node.value), word, bind(.int(bound), as: forms.int))
        if node.isComputed { return exact }
        return all(.compare(node.value, word, isBelow ? forms.dayAfter(instant) : forms.dayBefore(instant)), exact)
    }

    /// A date of the store's own type, which may have no time zone, or of milliseconds already.
    func exactMilliseconds(_ node: Node) -> SQLText {
        guard node.stored == .date(.native) else { return node.value }
        return forms.epochMilliseconds.map { SQLText.call("floor", $0(node.value)) } ?? milliseconds(node)
    }

    func milliseconds(_ node: Node) -> SQLText { forms.inMilliseconds(node.value) }

    /// A test for the form of a date stored as text; any other text is of another kind.
    func isDateText(_ text: SQLText, _ encoding: DateEncoding) -> SQLText {
        forms.regularExpression(text, .literal("^" + encoding.textForm + "$"))
    }

    /// A part of a date of the store's own type; NULL outside the years 1 to 9999 (S28).
    func datePart(_ use: FunctionCall, _ scope: Scope) throws(QueryError) -> Operand {
        let (function, arguments, origin) = (use.function, use.arguments, use.origin)
        let zone = try DateZone(arguments.count > 1 ? arguments[1] : nil)
        let first = try use.first()
        let node: Node
        switch try operand(first, scope) {
        case .constant(let value, _):
            let values = [value] + arguments.dropFirst().compactMap(\.constantValue)
            return .constant(function.evaluate(values, now: now), origin)
        case .node(let found, _): node = found
        }
        assumeSingle(node)
        let date = try known(node, .date)
        guard date.stored == .date(.native) else {
            let hint = "declare the column as a date of the store"
            throw unsupported("only dates in the store's own form have parts", at: first.origin, hint: hint)
        }
        let clock: SQLText
        switch zone {
        case .offset(let minutes): clock = forms.shiftedClock(date.value, .number(Int(minutes)))
        case .named(let name, _): clock = forms.zonedClock(date.value, .literal(name))
        }
        let year = forms.datePart("year", clock)
        let isWeekday = function == .weekday
        let part = (isWeekday ? forms.dayOfWeek(clock) : forms.datePart(.word(function.rawValue), clock))
            .cast(to: forms.int)
        let isShown = SQLText.all(.compare(year, ">=", .number(1)), .compare(year, "<=", .number(9999)))
        let number = isWeekday ? SQLText.infix(part, "+", .number(1), .sum) : part
        return .node(computed(when(isShown, number), .int), origin)
    }
}
