import QueryChecking
import QueryTree
import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The converted form of a Foundation expression.
enum ConvertedExpression {
    /// A bool.
    case condition(Condition)
    /// An optional bool: nil where the first condition holds, else the second.
    case optionalCondition(isNil: Condition, Condition)
    /// Any other value.
    case term(Term)
    /// A key path from a value; without a term if it has no name yet, because a longer path may have one.
    case keyPath(from: Term, AnyKeyPath, Term?)
    /// A range; nil for an open side.
    case range(lower: Term?, upper: Term?, isClosed: Bool)
}

/// A Foundation expression that can be read.
protocol ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression
}

/// Walks a Foundation expression.
struct PredicateReader {
    private let names: [AnyKeyPath: FieldPath]
    private let limits: Limits
    private var variables: [PredicateExpressions.VariableID: ConvertedExpression] = [:]
    private var elementCount = 0
    private var level = 0

    init(names: [AnyKeyPath: FieldPath], limits: Limits) {
        self.names = names
        self.limits = limits
    }

    func name(of keyPath: AnyKeyPath) -> FieldPath? { names[keyPath] }

    mutating func bind(_ variable: PredicateExpressions.VariableID, to meaning: ConvertedExpression) {
        variables[variable] = meaning
    }

    func converted(of variable: PredicateExpressions.VariableID) throws(QueryError) -> ConvertedExpression {
        guard let meaning = variables[variable] else {
            throw QueryError(.unboundVariable, "the predicate uses an unbound variable")
        }
        return meaning
    }

    /// A name for the elements of one more collection.
    mutating func bindElement(_ variable: PredicateExpressions.VariableID) -> Variable {
        elementCount += 1
        let element = Variable(elementCount == 1 ? "x" : "x\(elementCount)")
        bind(variable, to: .term(.variable(element, .none)))
        return element
    }

    mutating func converted(_ expression: any PredicateExpression) throws(QueryError) -> ConvertedExpression {
        guard let readable = expression as? any ReadablePredicateExpression else {
            throw Self.unsupported(Self.name(of: type(of: expression)))
        }
        level += 1
        defer { level -= 1 }
        guard level <= limits.nesting * 2 else {
            throw QueryError(.limit, "the predicate is nested more than \(limits.nesting * 2) deep")
        }
        return try readable.converted(&self)
    }

    mutating func condition(_ expression: any PredicateExpression) throws(QueryError) -> Condition {
        try condition(converted(expression))
    }

    mutating func term(_ expression: any PredicateExpression) throws(QueryError) -> Term {
        try term(converted(expression))
    }

    /// A meaning as a condition.
    func condition(_ meaning: ConvertedExpression) throws(QueryError) -> Condition {
        switch meaning {
        case .condition(let condition): return condition
        case .optionalCondition(let isNil, let holds): return isNil.opposite && holds
        case .term, .keyPath, .range:
            let term = try term(meaning)
            if case .value(.bool(let value), _) = term { return .constant(value) }
            return term.compared(.equal, .value(true, .none))
        }
    }

    /// A meaning as a value.
    func term(_ meaning: ConvertedExpression) throws(QueryError) -> Term {
        switch meaning {
        case .term(let term): return term
        case .condition(let condition): return condition.asTerm
        case .optionalCondition(let isNil, let holds):
            return .conditional(isNil, .value(.null, .none), holds.asTerm, .none)
        case .keyPath(_, let keyPath, let term):
            guard let term else {
                throw QueryError(
                    .unknownField,
                    "the key path \(keyPath) has no name",
                    hint: "give its field in `names`"
                )
            }
            return term
        case .range: throw Self.unsupported("a range as a value")
        }
    }

    static func unsupported(_ what: String, hint: String? = nil) -> QueryError {
        QueryError(.unsupported, "\(what) cannot be converted", hint: hint)
    }

    /// The name of an expression's type without its parameters: `StringContainsRegex`.
    static func name(of type: Any.Type) -> String {
        let name = String(describing: type)
        return String(name.prefix { $0 != "<" })
    }
}

// MARK: - Building

extension Condition {
    /// The condition that holds exactly when this one does not.
    var opposite: Condition {
        switch self {
        case .constant(let value): return .constant(!value)
        case .not(let part): return part
        case .comparison(var comparison):
            guard comparison.quantifier == nil, let negation = comparison.operator.entry.negation else {
                return .not(self)
            }
            comparison.operator = negation
            return .comparison(comparison)
        case .and, .or: return .not(self)
        }
    }

    var asTerm: Term {
        if case .constant(let value) = self { return .value(.bool(value), .none) }
        return .conditional(self, .value(true, .none), .value(false, .none), .none)
    }
}

extension Term {
    func compared(_ operation: QueryTree.Comparison.Operator, _ other: Term) -> Condition {
        .comparison(QueryTree.Comparison(self, operation, other))
    }

    var isNil: Condition { compared(.equal, .value(.null, .none)) }

    /// The value at a path below this one.
    func appending(_ path: FieldPath) -> Term {
        switch self {
        case .field(let base, _): return .field(FieldPath(keys: base.keys + path.keys), .none)
        case .path(let base, let steps, _): return .path(base, steps + path.keys.map { .key($0) }, .none)
        default: return .path(self, path.keys.map { .key($0) }, .none)
        }
    }

    var count: Term { .aggregate(.count, of: self, FieldPath(keys: []), .none) }

    /// True if the term is nil whenever the other is, so that it needs no nil test of its own (S7, S9, S17).
    func isNil(with other: Term) -> Bool {
        if self == other { return true }
        switch self {
        case .field(let path, _):
            guard case .field(let start, _) = other else { return false }
            return Array(path.keys.prefix(start.keys.count)).hasSameUTF8(as: start.keys)
        case .path(let base, _, _), .index(let base, _, _), .negated(let base, _): return base.isNil(with: other)
        case .aggregate(let aggregate, of: let base, _, _):
            return [.count, .min, .max].contains(aggregate) && base.isNil(with: other)
        case .arithmetic(let chain, _):
            return chain.first.isNil(with: other) || chain.rest.contains { $0.operand.isNil(with: other) }
        case .subquery(let subquery, _): return subquery.collection.isNil(with: other)
        case .call(.modulus, let operands, _): return operands.contains { $0.isNil(with: other) }
        case .value, .variable, .list, .call, .conditional, .cast, .assignment: return false
        }
    }
}
