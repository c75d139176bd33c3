import QueryTree
import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// AND or OR; long chains nest to the left and are walked in a loop.
private protocol PredicateChain {
    var operands: (any PredicateExpression, any PredicateExpression) { get }
}

private func parts<Chain: PredicateChain>(
    _ chain: Chain,
    _ isSame: (any PredicateExpression) -> (any PredicateChain)?,
    _ reader: inout PredicateReader
) throws(QueryError) -> [Condition] {
    var operands = [chain.operands.1]
    var left = chain.operands.0
    while let next = isSame(left) {
        operands.append(next.operands.1)
        left = next.operands.0
    }
    var conditions = [try reader.condition(left)]
    for operand in operands.reversed() { conditions.append(try reader.condition(operand)) }
    return conditions
}

private protocol AnyConjunction: PredicateChain {}
private protocol AnyDisjunction: PredicateChain {}

extension PredicateExpressions.Conjunction: ReadablePredicateExpression, AnyConjunction {
    fileprivate var operands: (any PredicateExpression, any PredicateExpression) { (lhs, rhs) }

    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        .condition(.and(try parts(self, { $0 as? any AnyConjunction }, &reader)))
    }
}

extension PredicateExpressions.Disjunction: ReadablePredicateExpression, AnyDisjunction {
    fileprivate var operands: (any PredicateExpression, any PredicateExpression) { (lhs, rhs) }

    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        .condition(.or(try parts(self, { $0 as? any AnyDisjunction }, &reader)))
    }
}

extension PredicateExpressions.Negation: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        .condition(.not(try reader.condition(wrapped)))
    }
}

extension PredicateExpressions.Equal: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        .condition(try reader.equality(lhs, rhs, of: LHS.Output.self))
    }
}

extension PredicateExpressions.NotEqual: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        .condition(try reader.equality(lhs, rhs, of: LHS.Output.self).opposite)
    }
}

extension PredicateExpressions.Comparison: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        try PredicateType.require(PredicateType.isOrdered(LHS.Output.self), "the order", of: LHS.Output.self)
        let left = try reader.term(lhs)
        let right = try reader.term(rhs)
        switch op {
        case .lessThan: return .condition(left.compared(.less, right))
        case .lessThanOrEqual: return .condition(left.compared(.lessOrEqual, right))
        case .greaterThan: return .condition(left.compared(.greater, right))
        case .greaterThanOrEqual: return .condition(left.compared(.greaterOrEqual, right))
        @unknown default: throw PredicateReader.unsupported("an unknown comparison")
        }
    }
}

extension PredicateExpressions.Conditional: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let test = try reader.condition(test)
        guard If.Output.self == Bool.self else {
            let first = try reader.term(trueBranch)
            return .term(.conditional(test, first, try reader.term(falseBranch), .none))
        }
        let first = try reader.condition(trueBranch)
        return .condition(.or([test && first, test.opposite && (try reader.condition(falseBranch))]))
    }
}

extension PredicateReader {
    fileprivate mutating func equality(
        _ left: any PredicateExpression,
        _ right: any PredicateExpression,
        of type: Any.Type
    ) throws(QueryError) -> Condition {
        let left = try converted(left)
        let right = try converted(right)
        if let condition = truth(left, equals: right) ?? truth(right, equals: left) { return condition }
        let (first, second) = (try term(left), try term(right))
        if !first.isNull, !second.isNull {
            try PredicateType.require(PredicateType.isComparable(type), "the equality", of: type)
        }
        return first.compared(.equal, second)
    }

    /// Compares a bool with TRUE, FALSE or nil directly.
    private func truth(_ meaning: ConvertedExpression, equals other: ConvertedExpression) -> Condition? {
        guard case .term(.value(let value, _)) = other else { return nil }
        switch (meaning, value) {
        case (.condition(let condition), .bool(let wanted)): return wanted ? condition : condition.opposite
        case (.condition, .null): return .constant(false)
        case (.optionalCondition(let isNil, let holds), .bool(let wanted)):
            return isNil.opposite && (wanted ? holds : holds.opposite)
        case (.optionalCondition(let isNil, _), .null): return isNil
        default: return nil
        }
    }
}

extension Term {
    fileprivate var isNull: Bool {
        if case .value(.null, _) = self { true } else { false }
    }
}
