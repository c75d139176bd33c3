import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

extension TypedWriter {
    /// A part of a date of the store's own type; NULL outside the years 1 to 9999 (S28).
    func datePart(
        _ function: Function,
        _ arguments: [Term],
        _ origin: Origin,
        _ scope: TypedScope
    ) throws(QueryError) -> TypedOperand {
        let zone = try DateZone(arguments.count > 1 ? arguments[1] : nil)
        guard let first = arguments.first else { throw unsupported("a date is missing", at: origin) }
        let node: TypedNode
        switch try operand(first, scope) {
        case .constant(let value, _):
            let values = [value] + arguments.dropFirst().compactMap(\.constantValue)
            return .constant(function.evaluate(values, now: now), origin)
        case .node(let found, _): node = found
        }
        assumeSingle(node)
        let date = try known(node, .date)
        guard date.stored == .date(.native) else {
            throw unsupported(
                "parts are taken only of the store's own dates",
                at: first.origin,
                hint: "declare the column as a date of the store"
            )
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
