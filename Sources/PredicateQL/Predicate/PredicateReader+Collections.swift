import QueryMeaning
import QueryTree
import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PredicateExpressions.SequenceContains: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let container = try reader.converted(sequence)
        if case .range = container {
            return .condition(try reader.element(element, isIn: container, of: RHS.Output.self))
        }
        let type = LHS.Output.self
        try PredicateType.require(PredicateType.isList(type) || PredicateType.isText(type), "contains", of: type)
        try PredicateType.require(PredicateType.isComparable(RHS.Output.self), "the equality", of: RHS.Output.self)
        return .condition(try reader.term(container).containing(reader.term(element)))
    }
}

extension PredicateExpressions.CollectionContainsCollection: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let type = Base.Output.self
        try PredicateType.require(
            PredicateType.isText(type) && PredicateType.isText(Other.Output.self),
            "contains with a sequence",
            of: type
        )
        let text = try reader.term(base)
        return .condition(text.containing(try reader.term(other)))
    }
}

extension PredicateExpressions.SequenceStartsWith: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let type = Base.Output.self
        try PredicateType.require(
            PredicateType.isText(type) && PredicateType.isText(Prefix.Output.self),
            "starts(with:)",
            of: type
        )
        let text = try reader.term(base)
        return .condition(text.compared(.beginsWith, try reader.term(prefix)))
    }
}

extension Term {
    /// IN if the container is a constant, else CONTAINS; both mean the same (S12).
    fileprivate func containing(_ element: Term) -> Condition {
        constantValue == nil ? compared(.contains, element) : element.compared(.in, self)
    }
}

// MARK: - Closures

extension PredicateExpressions.SequenceContainsWhere: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let found = try reader.elements(sequence, LHS.Output.self, variable.key, test)
        return .condition(found.count.compared(.greater, .value(0, .none)))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let others = try reader.elements(sequence, LHS.Output.self, variable.key, test, isOpposite: true)
        // Not `== 0`: all elements of nil satisfy it (S10), and the count of nil is nil.
        return .condition(.not(others.count.compared(.greater, .value(0, .none))))
    }
}

extension PredicateExpressions.Filter: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        .term(try reader.elements(sequence, LHS.Output.self, variable.key, filter))
    }
}

extension PredicateReader {
    /// The elements for which a closure holds.
    fileprivate mutating func elements(
        _ sequence: any PredicateExpression,
        _ type: Any.Type,
        _ variable: PredicateExpressions.VariableID,
        _ test: any PredicateExpression,
        isOpposite: Bool = false
    ) throws(QueryError) -> Term {
        try PredicateType.require(PredicateType.isList(type), "a closure over the elements", of: type)
        let collection = try term(sequence)
        let element = bindElement(variable)
        let condition = try condition(test)
        return .subquery(Subquery(collection, element, where: isOpposite ? condition.opposite : condition), .none)
    }
}

// MARK: - Elements

extension PredicateExpressions.SequenceMinimum: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        try reader.extreme(.min, elements, Elements.Output.self, Elements.Output.Element.self)
    }
}

extension PredicateExpressions.SequenceMaximum: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        try reader.extreme(.max, elements, Elements.Output.self, Elements.Output.Element.self)
    }
}

extension PredicateReader {
    fileprivate mutating func extreme(
        _ aggregate: Aggregate,
        _ list: any PredicateExpression,
        _ type: Any.Type,
        _ element: Any.Type
    ) throws(QueryError) -> ConvertedExpression {
        try PredicateType.require(PredicateType.isList(type), aggregate.rawValue, of: type)
        try PredicateType.require(PredicateType.isOrdered(element), "the order", of: element)
        return .term(.aggregate(aggregate, of: try term(list), FieldPath(keys: []), .none))
    }
}

extension PredicateExpressions.CollectionIndexSubscript: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let type = Wrapped.Output.self
        try PredicateType.require(type is any PredicateIndexedList.Type, "an index", of: type)
        let list = try reader.term(wrapped)
        return .term(.index(list, .at(try reader.term(index)), .none))
    }
}

extension PredicateExpressions.DictionaryKeySubscript: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        .term(try reader.member(of: wrapped, key))
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: ReadablePredicateExpression {
    func converted(_ reader: inout PredicateReader) throws(QueryError) -> ConvertedExpression {
        let value = try reader.member(of: wrapped, key)
        return .term(.conditional(value.isNil, try reader.term(`default`), value, .none))
    }
}

extension PredicateReader {
    /// The value of a key; only texts can be keys of a row.
    fileprivate mutating func member<Key: PredicateExpression>(
        of dictionary: any PredicateExpression,
        _ key: Key
    ) throws(QueryError) -> Term {
        try PredicateType.require(Key.Output.self is String.Type, "a dictionary with keys", of: Key.Output.self)
        let object = try term(dictionary)
        let key = try term(key)
        guard case .value(.string(let name), _) = key, !name.isEmpty else { return .index(object, .at(key), .none) }
        return object.appending(FieldPath(keys: [name]))
    }
}
