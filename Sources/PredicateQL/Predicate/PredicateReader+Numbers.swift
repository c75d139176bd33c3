import QueryTree
import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PredicateExpressions.Arithmetic: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let operation: QueryTree.ArithmeticOperator
        switch op {
        case .add: operation = .add
        case .subtract: operation = .subtract
        case .multiply: operation = .multiply
        @unknown default: throw PredicateReader.unsupported("an unknown operator")
        }
        return .term(try reader.computed(lhs, operation, rhs, of: LHS.Output.self))
    }
}

extension PredicateExpressions.IntDivision: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        .term(try reader.computed(lhs, .divide, rhs, of: LHS.Output.self))
    }
}

extension PredicateExpressions.FloatDivision: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        // Swift gives infinity for a divisor of 0, this library nil (S17).
        guard case .value(.double(let divisor), _) = try reader.term(rhs), divisor != 0 else {
            throw PredicateReader.unsupported("a division by a value that may be 0", hint: "divide by a number")
        }
        return .term(try reader.computed(lhs, .divide, rhs, of: LHS.Output.self))
    }
}

extension PredicateExpressions.IntRemainder: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        try PredicateType.require(PredicateType.isInteger(LHS.Output.self), "the remainder", of: LHS.Output.self)
        let left = try reader.term(lhs)
        return .term(.call(.modulus, [left, try reader.term(rhs)], .none))
    }
}

extension PredicateExpressions.UnaryMinus: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let type = Wrapped.Output.self
        try PredicateType.require(PredicateType.isComputed(type), "the negative", of: type)
        switch try reader.term(wrapped) {
        case .value(.int(let number), _) where number != .min: return .term(.value(.int(-number), .none))
        case .value(.double(let number), _): return .term(.value(.double(-number), .none))
        case let term: return .term(.negated(term, .none))
        }
    }
}

extension PredicateReader {
    fileprivate mutating func computed(
        _ left: any PredicateExpression,
        _ operation: QueryTree.ArithmeticOperator,
        _ right: any PredicateExpression,
        of type: Any.Type
    ) throws(QueryError) -> Term {
        try PredicateType.require(PredicateType.isComputed(type), "arithmetic", of: type)
        let first = try term(left)
        return .arithmetic(.init(first: first, rest: [.init(operation, try term(right))]), .none)
    }
}

// MARK: - Ranges

extension PredicateExpressions.Range: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let low = try reader.term(lower)
        return .range(lower: low, upper: try reader.term(upper), isClosed: false)
    }
}

extension PredicateExpressions.ClosedRange: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let low = try reader.term(lower)
        return .range(lower: low, upper: try reader.term(upper), isClosed: true)
    }
}

extension PredicateExpressions.RangeExpressionContains: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let bounds = try reader.converted(range)
        return .condition(try reader.element(element, isIn: bounds, of: Element.Output.self))
    }
}

extension PredicateReader {
    /// An element between the bounds of a range.
    mutating func element(
        _ element: any PredicateExpression,
        isIn range: ConvertedExpression,
        of type: Any.Type
    ) throws(QueryError) -> Condition {
        guard case .range(let lower, let upper, let isClosed) = range else {
            throw Self.unsupported("a range stored in a row")
        }
        try PredicateType.require(PredicateType.isOrdered(type), "the order", of: type)
        let term = try term(element)
        if let lower, let upper, isClosed { return term.compared(.between, .list([lower, upper], .none)) }
        var bounds: [Condition] = []
        if let lower { bounds.append(term.compared(.greaterOrEqual, lower)) }
        if let upper { bounds.append(term.compared(isClosed ? .lessOrEqual : .less, upper)) }
        return bounds.count == 1 ? bounds[0] : .and(bounds)
    }
}
