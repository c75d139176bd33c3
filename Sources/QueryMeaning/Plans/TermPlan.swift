import QueryChecking
import QueryTree
import QueryValues

// The plan of a term: one final class per kind of node. A value is nil if its path is absent, `.null` if it is null or
// a computed nil (S8).

class TermPlan: @unchecked Sendable {  // immutable: every stored property of every subclass is a `let`
    func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? { nil }

    /// True if the value passes a test that includes its constant; values stored in a row are not copied for it.
    func passes(_ test: ValueTest, _ row: Document, _ frame: inout RowFrame) throws(QueryError) -> Bool {
        try test.holds(try value(row, &frame), nil, &frame)
    }
}

final class ConstantPlan: TermPlan, @unchecked Sendable {
    let constant: QueryValue

    init(_ constant: QueryValue) {
        self.constant = constant
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? { constant }
}

/// A path of the row.
final class FieldPlan: TermPlan, @unchecked Sendable {
    let walk: PathWalk

    init(_ walk: PathWalk) {
        self.walk = walk
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        walk.value(in: row, &frame)
    }
}

/// The element of a SUBQUERY.
final class VariablePlan: TermPlan, @unchecked Sendable {
    let place: Int

    init(at place: Int) {
        self.place = place
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        frame.variables[place]
    }
}

final class ListPlan: TermPlan, @unchecked Sendable {
    private let elements: [TermPlan]

    init(_ elements: [TermPlan]) {
        self.elements = elements
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        .list(try elements.values(row, &frame))
    }
}

extension [TermPlan] {
    func values(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> [QueryValue] {
        var values: [QueryValue] = []
        values.reserveCapacity(count)
        for plan in self { values.append(try plan.value(row, &frame) ?? .null) }
        return values
    }
}

/// Keys after something other than a path of the row.
final class StepsPlan: TermPlan, @unchecked Sendable {
    private let base: TermPlan
    private let walk: PathWalk

    init(_ base: TermPlan, _ walk: PathWalk) {
        self.base = base
        self.walk = walk
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        guard let start = try base.value(row, &frame) else { return nil }
        return walk.value(from: start, &frame)
    }

    /// True for `$x.key`.
    var isOfVariable: Bool { base is VariablePlan && !walk.keys.isEmpty }

    /// `$x.key` of a SUBQUERY is read in place.
    override func passes(_ test: ValueTest, _ row: Document, _ frame: inout RowFrame) throws(QueryError) -> Bool {
        guard let variable = base as? VariablePlan, let key = walk.onlyKey,
            case .object(let object) = frame.variables[variable.place]
        else { return try test.holds(try value(row, &frame), nil, &frame) }
        let slot = frame.slot(of: key, at: walk.place, in: object)
        return try test.holds(slot < 0 ? .none : .some(object.values[slot]), nil, &frame)
    }
}

/// `$v.$k`: the key is the variable's value.
final class VariableStepPlan: TermPlan, @unchecked Sendable {
    private let base: TermPlan
    private let key: TermPlan

    init(_ base: TermPlan, _ key: TermPlan) {
        self.base = base
        self.key = key
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        guard let start = try base.value(row, &frame), case .string(let key)? = try key.value(row, &frame) else {
            return nil
        }
        switch start {
        case .object(let object): return object[key]
        case .list(let elements):
            frame.charge(elements.count, each: Steps.walked)
            return .list(elements.mapped { $0[key] })
        default: return nil
        }
    }
}

final class ArithmeticPlan: TermPlan, @unchecked Sendable {
    private let first: TermPlan
    private let rest: [(operation: ArithmeticOperator, operand: TermPlan)]
    /// A path of one key at the start, followed only by ints.
    private let short: (key: String, place: Int, links: [(operation: ArithmeticOperator, number: Int64)])?
    private let isSet: Bool

    init(_ first: TermPlan, _ rest: [(operation: ArithmeticOperator, operand: TermPlan)]) {
        self.first = first
        self.rest = rest
        isSet = rest.first?.operation.isOfSets == true
        var links: [(operation: ArithmeticOperator, number: Int64)] = []
        for link in rest {
            if let plan = link.operand as? ConstantPlan, case .int(let number) = plan.constant {
                links.append((link.operation, number))
            }
        }
        if let field = first as? FieldPlan, let key = field.walk.onlyKey, links.count == rest.count {
            short = (key, field.walk.place, links)
        } else {
            short = nil
        }
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        if let short {
            let slot = frame.slot(of: short.key, at: short.place, in: row)
            if slot >= 0, case .int(let number) = row.values[slot], let result = Self.int(number, short.links) {
                return .int(result)
            }
        }
        var result = try first.value(row, &frame) ?? .null
        if isSet {
            var values: [(operation: ArithmeticOperator, value: QueryValue)] = []
            values.reserveCapacity(rest.count)
            for link in rest { values.append((link.operation, try link.operand.value(row, &frame) ?? .null)) }
            return ArithmeticOperator.evaluate(result, values)
        }
        for link in rest {
            let operand = try link.operand.value(row, &frame) ?? .null
            if frame.budget != nil, link.operation.isOfSets { try frame.chargeSets(result, operand) }
            result = link.operation.evaluate(result, operand)
        }
        return result
    }

    /// The chain over ints; nil if it leaves them.
    private static func int(
        _ first: Int64,
        _ links: [(operation: ArithmeticOperator, number: Int64)]
    ) -> Int64? {
        var number = first
        for link in links {
            guard case .int(let next) = link.operation.intResult(number, link.number) else { return nil }
            number = next
        }
        return number
    }
}

final class NegatedPlan: TermPlan, @unchecked Sendable {
    private let operand: TermPlan

    init(_ operand: TermPlan) {
        self.operand = operand
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        (try operand.value(row, &frame) ?? .null).negatedNumber
    }
}

final class CallPlan: TermPlan, @unchecked Sendable {
    private let function: Function
    private let arguments: [TermPlan]

    init(_ function: Function, _ arguments: [TermPlan]) {
        self.function = function
        self.arguments = arguments
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        let values = try arguments.values(row, &frame)
        if frame.budget != nil { try frame.spend(function.steps(values)) }
        return function.evaluate(values, now: frame.now)
    }
}

/// A part of a date (S28).
final class DatePartPlan: TermPlan, @unchecked Sendable {
    private let function: Function
    private let argument: TermPlan
    private let zone: DateZone
    /// True if nothing declares what the argument is, so that its texts may be dates (S5).
    private let readsTexts: Bool

    init(_ function: Function, of argument: TermPlan, _ zone: DateZone, readsTexts: Bool) {
        self.function = function
        self.argument = argument
        self.zone = zone
        self.readsTexts = readsTexts
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        let value = try argument.value(row, &frame) ?? .null
        if frame.budget != nil { try frame.spend(function.steps([value])) }
        guard case .date(let instant) = readsTexts ? value.readAsDate : value else { return .null }
        return function.part(of: instant, in: zone)
    }
}

final class CastPlan: TermPlan, @unchecked Sendable {
    private let operand: TermPlan
    private let target: CastTarget

    init(_ operand: TermPlan, to target: CastTarget) {
        self.operand = operand
        self.target = target
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        let value = try operand.value(row, &frame) ?? .null
        frame.charge(value.textBytes)
        return target.evaluate(value)
    }
}

final class ConditionalPlan: TermPlan, @unchecked Sendable {
    private let condition: ConditionPlan
    private let first: TermPlan
    private let second: TermPlan

    init(_ condition: ConditionPlan, _ first: TermPlan, _ second: TermPlan) {
        self.condition = condition
        self.first = first
        self.second = second
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        switch condition.truth(row, &frame) {
        case .yes: return try first.value(row, &frame) ?? .null
        case .no: return try second.value(row, &frame) ?? .null
        case .undecided: throw frame.takeFault()
        }
    }
}
