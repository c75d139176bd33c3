import QueryMeaning
import QueryTree
import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PredicateExpressions.Value: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        try PredicateType.converted(of: value)
    }
}

extension PredicateExpressions.NilLiteral: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        .term(.value(.null, .none))
    }
}

extension PredicateExpressions.Variable: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        try reader.converted(of: key)
    }
}

extension PredicateExpressions.KeyPath: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let meaning = try reader.converted(root)
        if let named = try reader.step(keyPath, from: meaning) { return named }
        guard let kind else {
            // A longer path may have a name.
            guard case .keyPath(let base, let start, _) = meaning, let whole = start.appending(path: keyPath) else {
                return .keyPath(from: try reader.term(meaning), keyPath, nil)
            }
            return .keyPath(from: base, whole, nil)
        }
        let collection = try reader.term(meaning)
        let type = Root.Output.self
        switch kind {
        case .collectionIsEmpty where PredicateType.isText(type):
            return .condition(collection.compared(.equal, .value("", .none)))
        case .collectionCount where PredicateType.isText(type):
            throw PredicateReader.unsupported("String.count", hint: "length: counts scalars, String.count characters")
        default: break
        }
        try PredicateType.require(PredicateType.isList(type), "count, isEmpty, first or last", of: type)
        switch kind {
        case .collectionCount: return .term(collection.count)
        case .collectionIsEmpty: return .condition(collection.count.compared(.equal, .value(0, .none)))
        case .collectionFirst: return .term(.index(collection, .first, .none))
        case .bidirectionalCollectionLast: return .term(.index(collection, .last, .none))
        @unknown default: throw PredicateReader.unsupported("a property of \(type)")
        }
    }
}

extension PredicateReader {
    /// The value of a key path that has a name, either as a whole or as the last step.
    fileprivate func step(_ keyPath: AnyKeyPath, from meaning: ConvertedExpression) throws(QueryError)
        -> ConvertedExpression?
    {
        if case .keyPath(let base, let start, _) = meaning, let whole = start.appending(path: keyPath),
            let name = name(of: whole)
        {
            return .keyPath(from: base, whole, base.appending(name))
        }
        guard let name = name(of: keyPath) else { return nil }
        let root = try term(meaning)
        return .keyPath(from: root, keyPath, root.appending(name))
    }
}

// MARK: - Optionals

extension PredicateExpressions.ForcedUnwrap: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let meaning = try reader.converted(inner)
        if case .optionalCondition = meaning { return .condition(try reader.condition(meaning)) }
        return meaning
    }
}

extension PredicateExpressions.OptionalFlatMap: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let content = try reader.converted(wrapped)
        let value = try reader.term(content)
        reader.bind(variable.key, to: content)
        let result = try reader.converted(transform)
        switch result {
        case .condition(let condition): return .optionalCondition(isNil: value.isNil, condition)
        case .optionalCondition(let isNil, let condition):
            return .optionalCondition(isNil: value.isNil || isNil, condition)
        case .keyPath(_, _, nil): return result
        case .term, .keyPath, .range:
            let term = try reader.term(result)
            if term.isNil(with: value) { return result }
            return .term(.conditional(value.isNil, .value(.null, .none), term, .none))
        }
    }
}

extension PredicateExpressions.NilCoalesce: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let value = try reader.converted(lhs)
        let other = try reader.converted(rhs)
        guard RHS.Output.self == Bool.self else {
            let term = try reader.term(value)
            return .term(.conditional(term.isNil, try reader.term(other), term, .none))
        }
        let otherwise = try reader.condition(other)
        guard case .optionalCondition(let isNil, let holds) = value else {
            let term = try reader.term(value)
            switch otherwise {
            case .constant(false): return .condition(term.compared(.equal, .value(true, .none)))
            case .constant(true): return .condition(term.compared(.notEqual, .value(false, .none)))
            default:
                return .condition(.or([term.compared(.equal, .value(true, .none)), term.isNil && otherwise]))
            }
        }
        switch otherwise {
        case .constant(false): return .condition(isNil.opposite && holds)
        case .constant(true): return .condition(isNil || holds)
        default: return .condition(.or([isNil && otherwise, isNil.opposite && holds]))
        }
    }
}

// MARK: - Predicates in predicates

extension PredicateExpressions.ExpressionEvaluate: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        guard let inner = try? expression.evaluate(PredicateBindings()) else {
            throw PredicateReader.unsupported("an expression stored in a row")
        }
        var values: [ConvertedExpression] = []
        for value in repeat each input { values.append(try reader.converted(value)) }
        for variable in repeat each inner.variable { reader.bind(variable.key, to: values.removeFirst()) }
        return try reader.converted(inner.expression)
    }
}

#if canImport(Darwin)
    extension PredicateExpressions.PredicateEvaluate: ReadablePredicateExpression {
        func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
            guard let inner = try? predicate.evaluate(PredicateBindings()) else {
                throw PredicateReader.unsupported("a predicate stored in a row")
            }
            var values: [ConvertedExpression] = []
            for value in repeat each input { values.append(try reader.converted(value)) }
            for variable in repeat each inner.variable { reader.bind(variable.key, to: values.removeFirst()) }
            return try reader.converted(inner.expression)
        }
    }
#endif
