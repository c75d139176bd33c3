import QueryChecking
import QueryTree
import QueryValues

// The plan of a condition: one final class per kind of node, so that a row costs one virtual call per node and no copy.

class ConditionPlan: @unchecked Sendable {  // immutable: every stored property of every subclass is a `let`
    func truth(_ row: Document, _ frame: inout RowFrame) -> Truth { .no }

    /// True if the condition has the same truth for all elements of SUBQUERY that are lists.
    var treatsListsAlike: Bool { false }
}

final class ConstantConditionPlan: ConditionPlan, @unchecked Sendable {
    private let value: Truth

    init(_ holds: Bool) {
        value = Truth(holds)
    }

    override func truth(_ row: Document, _ frame: inout RowFrame) -> Truth { value }
}

/// AND, which one false part decides, and OR, which one true part does, whatever errors the others meet (S27).
final class JoinPlan: ConditionPlan, @unchecked Sendable {
    /// The first two parts have places of their own: an element of a list would be counted for each row.
    private let first: ConditionPlan
    private let second: ConditionPlan
    private let others: [ConditionPlan]
    private let areAllAlike: Bool
    private let decisive: Truth
    private let otherwise: Truth

    init(_ parts: [ConditionPlan], decidedBy decisive: Bool) {
        let none = ConstantConditionPlan(!decisive)
        first = parts.first ?? none
        second = parts.count > 1 ? parts[1] : none
        others = Array(parts.dropFirst(2))
        areAllAlike = parts.allSatisfy(\.treatsListsAlike)
        self.decisive = Truth(decisive)
        otherwise = Truth(!decisive)
    }

    override var treatsListsAlike: Bool { areAllAlike }

    override func truth(_ row: Document, _ frame: inout RowFrame) -> Truth {
        var result = first.truth(row, &frame)
        if result == decisive { return decisive }
        let truth = second.truth(row, &frame)
        if truth == decisive { return decisive }
        if truth == .undecided { result = .undecided }
        for part in others {
            let truth = part.truth(row, &frame)
            if truth == decisive { return decisive }
            if truth == .undecided { result = .undecided }
        }
        return result
    }
}

final class NotPlan: ConditionPlan, @unchecked Sendable {
    private let part: ConditionPlan

    init(_ part: ConditionPlan) {
        self.part = part
    }

    override var treatsListsAlike: Bool { part.treatsListsAlike }

    override func truth(_ row: Document, _ frame: inout RowFrame) -> Truth {
        switch part.truth(row, &frame) {
        case .no: .yes
        case .yes: .no
        case .undecided: .undecided
        }
    }
}

/// `left operator right` without a quantifier.
final class ComparisonPlan: ConditionPlan, @unchecked Sendable {
    private let left: TermPlan
    private let right: TermPlan?
    private let test: ValueTest

    /// A comparison; without a right side the test includes its constant.
    init(_ left: TermPlan, _ test: ValueTest, _ right: TermPlan?) {
        self.left = left
        self.right = right
        self.test = test
    }

    /// A key of a list gives a list.
    override var treatsListsAlike: Bool {
        right == nil && test.treatsListsAlike && (left as? StepsPlan)?.isOfVariable == true
    }

    override func truth(_ row: Document, _ frame: inout RowFrame) -> Truth {
        do throws(QueryError) {
            guard let right else { return Truth(try left.passes(test, row, &frame)) }
            let value = try left.value(row, &frame)
            let other = try right.value(row, &frame)
            return Truth(try test.holds(value, other, &frame))
        } catch {
            return frame.record(error)
        }
    }
}

/// The same for a path of one key and a test that includes its constant: the row's value is read in place.
final class KeyComparisonPlan: ConditionPlan, @unchecked Sendable {
    private let key: String
    private let place: Int
    private let test: ValueTest

    init(_ key: String, at place: Int, _ test: ValueTest) {
        self.key = key
        self.place = place
        self.test = test
    }

    override func truth(_ row: Document, _ frame: inout RowFrame) -> Truth {
        let slot = frame.slot(of: key, at: place, in: row)
        do throws(QueryError) {
            // `.some` distinguishes absent from null: a bare `nil` would be a `QueryValue` literal.
            return Truth(try test.holds(slot < 0 ? .none : .some(row.values[slot]), nil, &frame))
        } catch {
            return frame.record(error)
        }
    }
}

/// `ANY left operator right` and `ALL left operator right` (S10).
final class QuantifiedPlan: ConditionPlan, @unchecked Sendable {
    private let left: TermPlan
    private let right: TermPlan?
    private let test: ValueTest
    private let quantifier: Comparison.Quantifier
    /// The steps of one element.
    private let steps: Int

    init(
        _ quantifier: Comparison.Quantifier,
        _ left: TermPlan,
        _ test: ValueTest,
        _ right: TermPlan?,
        steps: Int
    ) {
        self.steps = steps
        self.left = left
        self.right = right
        self.test = test
        self.quantifier = quantifier
    }

    override func truth(_ row: Document, _ frame: inout RowFrame) -> Truth {
        if right == nil, let field = left as? FieldPlan, field.walk.keys.count >= 2, field.walk.form == nil {
            let slot = frame.slot(of: field.walk.keys[0], at: field.walk.place, in: row)
            if slot >= 0, case .list(let elements) = row.values[slot] {
                return truth(of: field.walk, at: 1, in: elements, &frame)
            }
        }
        do throws(QueryError) {
            switch try left.value(row, &frame) {
            case nil, .null: return Truth(quantifier == .all)
            case .list(let elements):
                if elements.isEmpty { return Truth(quantifier == .all) }
                return truth(over: elements, try right?.value(row, &frame), &frame)
            case let single?:
                let other = try right?.value(row, &frame)
                return Truth(try test.holds(single, other, &frame))
            }
        } catch {
            return frame.record(error)
        }
    }

    /// The same for the other keys of a walk in the objects of a list, without building lists of their values; nested
    /// lists are flattened (S9).
    private func truth(
        of walk: PathWalk,
        at position: Int,
        in elements: [QueryValue],
        _ frame: inout RowFrame
    ) -> Truth {
        if position + 1 == walk.keys.count {
            return truth(ofKey: walk.keys[position], at: walk.place + position, in: elements, &frame)
        }
        frame.charge(elements.count, each: Steps.walked)
        let decisive = Truth(quantifier == .any)
        var result = Truth(quantifier != .any)
        for element in elements {
            let truth = self.truth(ofStepFrom: element, of: walk, at: position, &frame)
            if truth == decisive { return decisive }
            if truth == .undecided { result = .undecided }
        }
        return result
    }

    /// The same for the last key.
    private func truth(
        ofKey key: String,
        at place: Int,
        in elements: [QueryValue],
        _ frame: inout RowFrame
    ) -> Truth {
        frame.charge(elements.count, each: Steps.walked &+ steps)
        let decisive = quantifier == .any
        var result = Truth(!decisive)
        // All elements without the key give the same answer.
        var hasTestedNull = false
        for element in elements {
            do throws(QueryError) {
                guard case .object(let object) = element, case let slot = frame.slot(of: key, at: place, in: object),
                    slot >= 0
                else {
                    if hasTestedNull { continue }
                    if try test.holds(.some(.null), nil, &frame) == decisive { return Truth(decisive) }
                    hasTestedNull = true
                    continue
                }
                if case .list(let inner) = object.values[slot] {
                    switch truth(over: inner, nil, &frame) {
                    case .undecided: result = .undecided
                    case let truth where truth == Truth(decisive): return truth
                    default: break
                    }
                } else if try test.holds(.some(object.values[slot]), nil, &frame) == decisive {
                    return Truth(decisive)
                }
            } catch {
                result = frame.record(error)
            }
        }
        return result
    }

    /// The same for one element, or for a value on the way that is no list.
    private func truth(
        ofStepFrom value: QueryValue,
        of walk: PathWalk,
        at position: Int,
        _ frame: inout RowFrame
    ) -> Truth {
        var value = value
        for next in position..<walk.keys.count {
            guard case .object(let object) = value,
                case let slot = frame.slot(of: walk.keys[next], at: walk.place + next, in: object), slot >= 0
            else {
                value = .null
                break
            }
            value = object.values[slot]
            guard case .list(let inner) = value else { continue }
            return next + 1 == walk.keys.count
                ? truth(over: inner, nil, &frame) : truth(of: walk, at: next + 1, in: inner, &frame)
        }
        do throws(QueryError) {
            return Truth(try test.holds(.some(value), nil, &frame))
        } catch {
            return frame.record(error)
        }
    }

    private func truth(over elements: [QueryValue], _ other: QueryValue?, _ frame: inout RowFrame) -> Truth {
        let decisive = quantifier == .any
        frame.charge(elements.count, each: steps)
        if right == nil, let isGiven = test.isGiven(decisive, bySomeOf: elements) {
            return Truth(isGiven == decisive)
        }
        var result = Truth(!decisive)
        var test = test
        if right != nil, elements.count > ArithmeticOperator.few { test = test.knowing(other) ?? test }
        for element in elements {
            do throws(QueryError) {
                if try test.holds(element, other, &frame) == decisive { return Truth(decisive) }
            } catch {
                result = frame.record(error)
            }
        }
        return result
    }
}
