import QueryTree
import QueryValues

/// How a condition uses a field (S11).
package enum FieldUse: Sendable {
    /// Reads a single value.
    case value
    /// Searches it: CONTAINS and IN, which also take texts (S12).
    case container
    /// Iterates over its elements, or reads a key or an index.
    case list
}

/// Walks a condition and reports how it uses each field.
package struct FieldUses {
    /// One use of a path.
    package struct Use {
        /// The keys from the row, including those of the variables' collections.
        package var keys: [String]
        /// How many of the keys lead to a variable, which is one element of their list.
        package var ofVariable: Int
        /// How the value is used.
        package var use: FieldUse
    }

    private var variables: [Variable: [String]] = [:]
    private let visit: (Use) -> [String]?

    /// - Parameter visit: called with each use of a field; a result other than nil replaces its keys.
    package init(_ visit: @escaping (Use) -> [String]?) { self.visit = visit }

    /// The condition with its fields replaced.
    ///
    /// O(nodes).
    ///
    /// - Parameter condition: no higher than ``StackRoom`` allows.
    /// - Returns: the condition.
    package func replacing(_ condition: Condition) -> Condition {
        condition.mapChildren(replacing) { .comparison(replacing($0)) }
    }

    private func replacing(_ original: Comparison) -> Comparison {
        var comparison = original
        let uses = original.uses
        let seeksList = original.quantifier == nil && original.sought?.isListOrObject == true
        comparison.left = replacing(original.left, uses.left, seeksList: seeksList)
        comparison.right = replacing(original.right, uses.right, seeksList: seeksList)
        return comparison
    }

    /// A side of a comparison; the fields in a literal list are compared with the list or object sought in it.
    private func replacing(_ term: Term, _ use: FieldUse, seeksList: Bool) -> Term {
        guard seeksList, use == .container else { return replacing(term, use) }
        switch term {
        case .list(let elements, let origin): return .list(elements.map { replacing($0, .list) }, origin)
        case .arithmetic: return term.mapChildren({ replacing($0, .container, seeksList: true) }, replacing)
        default: return replacing(term, use)
        }
    }

    private func replacing(_ term: Term, _ use: FieldUse) -> Term {
        switch term {
        case .field(let path, let origin):
            guard let keys = visit(Use(keys: path.keys, ofVariable: 0, use: use)) else { return term }
            return .field(FieldPath(keys: keys), origin)
        case .variable(let variable, _):
            if let keys = variables[variable] { _ = visit(Use(keys: keys, ofVariable: keys.count, use: use)) }
            return term
        case .path(.variable(let variable, _), let steps, _):
            if let keys = variables[variable] {
                _ = visit(Use(keys: keys + steps.keys, ofVariable: keys.count, use: use))
            }
            return term
        case .subquery(let subquery, let origin):
            var inner = self
            inner.variables[subquery.variable] = keys(of: subquery.collection)
            return .subquery(
                Subquery(
                    replacing(subquery.collection, .list),
                    subquery.variable,
                    where: inner.replacing(subquery.condition)
                ),
                origin
            )
        case .conditional(let test, let first, let second, let origin):
            return .conditional(replacing(test), replacing(first, use), replacing(second, use), origin)
        case .call(let function, let arguments, let origin):
            let taken = function.entry.arguments
            let replaced = arguments.enumerated().map { position, argument in
                let isList = position < taken.count && [.list, .place].contains(taken[position])
                return replacing(argument, function == .noindex ? use : isList ? .list : .value)
            }
            return .call(function, replaced, origin)
        case .path, .index, .aggregate: return replacingBase(of: term)
        case .arithmetic(let chain, _):
            let isSet = chain.isOfSets
            return replacingChildren(of: term, isSet ? (use == .container ? .container : .list) : .value)
        case .value, .list, .negated, .cast, .assignment: return replacingChildren(of: term, .value)
        }
    }

    /// Replaces a term that a key, an index or an operator follows; the index itself is a value.
    private func replacingBase(of term: Term) -> Term {
        switch term {
        case .path(let base, let steps, let origin): .path(replacing(base, .list), steps, origin)
        case .aggregate(let aggregate, of: let base, let path, let origin):
            .aggregate(aggregate, of: replacing(base, .list), path, origin)
        case .index(let base, .at(let position), let origin):
            .index(replacing(base, .list), .at(replacing(position, .value)), origin)
        case .index(let base, let index, let origin): .index(replacing(base, .list), index, origin)
        default: term
        }
    }

    private func replacingChildren(of term: Term, _ use: FieldUse) -> Term {
        term.mapChildren({ replacing($0, use) }, replacing)
    }

    private func keys(of collection: Term) -> [String]? {
        switch collection {
        case .field(let path, _): path.keys
        case .variable(let variable, _): variables[variable]
        case .path(let base, let steps, _): keys(of: base).map { $0 + steps.keys }
        default: nil
        }
    }
}

extension [PathStep] {
    fileprivate var keys: [String] { compactMap { if case .key(let key) = $0 { key } else { nil } } }
}

extension Comparison {
    /// The side of IN or CONTAINS that is sought in the other; nil for other operators.
    fileprivate var sought: Term? {
        switch self.operator.operands {
        case .collectionAndValue: right
        case .valueAndCollection: left
        case .anyValues, .ordered, .texts, .valueAndRange, .placeAndShape: nil
        }
    }

    /// How the sides are used.
    package var uses: (left: FieldUse, right: FieldUse) {
        var (left, right) = (FieldUse.value, FieldUse.value)
        switch self.operator.operands {
        case .collectionAndValue:
            left = .container
            if quantifier == nil, self.left.listsContainers { right = .list }
        case .valueAndCollection:
            right = .container
            if self.right.listsContainers { left = .list }
        case .valueAndRange: right = .list
        case .anyValues:
            if self.right.isListOrObject { left = .list }
            if self.left.isListOrObject, quantifier == nil { right = .list }
        case .placeAndShape: left = .list
        case .ordered, .texts: break
        }
        if quantifier != nil { left = .list }
        return (left, right)
    }
}

extension Term {
    /// True for literal lists, and sets of them, with a list or an object among the elements.
    fileprivate var listsContainers: Bool {
        switch self {
        case .list(let elements, _): elements.contains(where: \.isListOrObject)
        case .arithmetic(let chain, _):
            chain.isOfSets
                && (chain.first.listsContainers || chain.rest.contains { $0.operand.listsContainers })
        default: false
        }
    }

    /// True if the term gives a list or an object for every row.
    fileprivate var isListOrObject: Bool {
        switch self {
        case .list, .subquery: true
        case .value(let value, _): value.kind == .list || value.kind == .object
        case .aggregate(let aggregate, of: _, _, _): aggregate.givesList
        case .arithmetic(let chain, _): chain.isOfSets
        case .conditional(_, let first, let second, _): first.isListOrObject || second.isListOrObject
        case .call(let function, let arguments, _):
            function == .noindex ? arguments.first?.isListOrObject ?? false : function.entry.result == .list
        case .field, .variable, .path, .index, .negated, .cast, .assignment: false
        }
    }
}

extension Schema {
    /// True if a path begins with a field whose value is in another table.
    package func leadsToOtherTable(_ path: FieldPath) -> Bool {
        path.keys.first.flatMap { field(named: $0)?.relation } != nil
    }

    /// The schema as a query reads it: a text or bytes column whose JSON the query looks into may hold any value.
    ///
    /// A TEXT column often holds JSON, and only the query shows how it is used. A schema written by the user is
    /// trusted. A TEXT column may also hold dates where a computed value, or a group's, is read as a date (S5).
    ///
    /// - Parameters:
    ///   - condition: the query's condition.
    ///   - paths: sort keys and fields, where a path of several keys looks into the first.
    ///   - dates: fields that may be dates.
    /// - Returns: the schema.
    func read(by condition: Condition, _ paths: [FieldPath], dates: [FieldPath] = []) -> Schema {
        guard isOfTable else { return self }
        var read = self
        let uses = FieldUses {
            read.loosen($0.keys[...], $0.use, ofVariable: $0.ofVariable)
            return nil
        }
        _ = StackRoom.run(for: condition) { uses.replacing(condition) }
        for path in paths { read.loosen(path.keys[...], .value) }
        for path in dates + condition.fieldsOfDates(TypeScope(self)) { read.loosen(path.keys[...], .list) }
        read.index()
        return read
    }

    private mutating func loosen(_ keys: ArraySlice<String>, _ use: FieldUse, ofVariable: Int = 0) {
        guard let key = keys.first, let position = fields.firstIndex(where: { $0.name.hasSameUTF8(as: key) }) else {
            return
        }
        let rest = keys.dropFirst()
        switch fields[position].type {
        case .string, .data:
            if isOfTable, !plainFields.contains(key), fields[position].relation == nil, use != .value || !rest.isEmpty {
                fields[position].type = .any
            }
        case .object(var inner):
            inner.loosen(rest, use, ofVariable: ofVariable - 1)
            fields[position].type = .object(inner)
        case .list(.object(var inner)):
            // A path through rows reads one value of each, unless a variable is a row: the list is that of the rows.
            let isOfRows = ofVariable < 1 && use == .list
            inner.loosen(rest, isOfRows ? .value : use, ofVariable: ofVariable - 1)
            fields[position].type = .list(.object(inner))
        case .any, .bool, .int, .double, .date, .uuid, .objectID, .list: break
        }
    }
}

extension Query {
    /// The row's type as the query reads it; `.any` without a schema.
    package var rowType: FieldType {
        guard let schema else { return .any }
        return .object(
            schema.isOfTable ? schema.read(by: readingCondition, sortedFields + (fields ?? [])) : schema
        )
    }
}
