import QueryTree
import QueryValues

extension TypeScope {
    /// True for a term known only to possibly be a date: a date compared with it, or a function of dates, means that its
    /// texts may be dates (S5).
    package func readsDates(of term: Term) -> Bool {
        switch type(of: term).element {
        case .any, .date(.native): !term.isRowless
        case .string, .data: guaranteesNothing && term.isStored
        case .date, .bool, .int, .double, .uuid, .objectID, .object, .list: false
        }
    }

    /// True if the types are declared by a table, whose TEXT and BLOB guarantee nothing about dates.
    var guaranteesNothing: Bool {
        if case .object(let schema) = row { schema.isOfStore || schema.isOfTable } else { false }
    }
}

extension Term {
    /// True for values that are read rather than computed.
    fileprivate var isStored: Bool {
        switch self {
        case .field, .variable, .path: true
        case .conditional, .value, .list, .subquery, .arithmetic, .negated, .cast, .index, .aggregate, .call,
            .assignment:
            alternatives?.contains { $0.isStored } ?? false
        }
    }

    /// The terms whose values, or whose elements, are values of this one; nil if it computes others.
    package var alternatives: [Term]? {
        switch self {
        case .list(let elements, _): elements
        case .conditional(_, let first, let second, _): [first, second]
        case .index(let base, _, _): [base]
        case .aggregate(let aggregate, of: let base, let path, _):
            path.keys.isEmpty && aggregate.keepsValues ? [base] : nil
        case .arithmetic(let chain, _):
            chain.rest.first?.operation.entry.precedence == .set ? [chain.first] + chain.rest.map(\.operand) : nil
        case .call(let function, let arguments, _):
            switch function.entry.result {
            case .element, .list, .same: arguments
            case .int, .double, .number, .string, .date: nil
            }
        case .subquery(let subquery, _): [subquery.collection]
        case .assignment(_, let term, _): [term]
        case .value, .field, .variable, .path, .negated, .cast: nil
        }
    }

    /// The fields whose values are values of this term.
    fileprivate func sources(_ scope: TypeScope) -> [FieldPath] {
        switch self {
        case .field(let path, _): return [path]
        case .aggregate(let aggregate, of: .field(let base, _), let path, _) where aggregate.keepsValues:
            return [FieldPath(keys: base.keys + path.keys)]
        // SQL reads a choice of texts as a date itself, and does not tell one of undeclared columns.
        case .conditional(_, let first, let second, _): return [first, second].flatMap { $0.bytes(scope) }
        default: return (alternatives ?? []).flatMap { $0.sources(scope) }
        }
    }

    /// The sources that a table declares as bytes, among which texts may be, too.
    fileprivate func bytes(_ scope: TypeScope) -> [FieldPath] {
        sources(scope).filter { scope.type(of: .field($0, .none)) == .data }
    }

    fileprivate var isField: Bool { if case .field = self { true } else { false } }
}

extension Aggregate {
    /// True if the result is a value of the list, or a list of its values.
    fileprivate var keepsValues: Bool {
        switch self {
        case .count, .sum, .average: false
        case .min, .max, .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays, .distinctUnionOfArrays,
            .distinctUnionOfSets:
            true
        }
    }
}

extension TreeNode {
    /// The terms that are read as dates: those beside a date, and the arguments of functions of dates.
    fileprivate func dated(_ scope: TypeScope) -> [Term] {
        func isDate(_ term: Term) -> Bool {
            if case .list(let elements, _) = term { return elements.contains(where: isDate) }
            if case .value(.list(let values), _) = term { return values.contains { $0.kind == .date } }
            return scope.type(of: term).element.kind == .date
        }
        switch self {
        case .condition(.comparison(let comparison)):
            let sides = (comparison.left, comparison.right)
            return (isDate(sides.1) ? [sides.0] : []) + (isDate(sides.0) ? [sides.1] : [])
        case .term(.call(let function, let arguments, _)):
            return function.entry.argument(at: 0) == .date ? Array(arguments.prefix(1)) : []
        case .condition, .term: return []
        }
    }
}

extension Condition {
    /// The fields of which a term that is read as a date gives a value: `at` in `max({at, ended}) > now()`.
    func fieldsOfDates(_ scope: TypeScope) -> [FieldPath] {
        nodes.flatMap { $0.dated(scope) }.flatMap { $0.isField ? $0.bytes(scope) : $0.sources(scope) }
    }
}

extension Grouping {
    /// The fields of the rows of which a value is read as a date by the condition on groups.
    var fieldsOfDates: [FieldPath] {
        guard let having else { return [] }
        let (groups, scope) = (TypeScope(resultSchema), TypeScope(query.schema))
        let read = Set(
            having.nodes.flatMap { $0.dated(groups) }.flatMap { $0.sources(groups) }.compactMap(\.keys.first)
        )
        var fields = keys.filter { read.contains($0.name) }.flatMap { $0.term.sources(scope) }
        for reducer in reducers where read.contains(reducer.name) {
            switch reducer.operation {
            case .min(let value), .max(let value), .first(let value), .last(let value), .distinct(let value):
                fields += value.term.sources(scope)
            case .count, .countDistinct, .sum, .average, .median, .custom: break
            }
        }
        return fields
    }
}

extension QueryValue {
    /// The date that an ISO 8601 text denotes; every other value unchanged.
    package var readAsDate: QueryValue {
        guard case .string(let text) = self, let milliseconds = DateText.parse(text) else { return self }
        return .date(milliseconds)
    }
}
