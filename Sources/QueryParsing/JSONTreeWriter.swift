import QuerySyntax

/// Turns trees into the JSON that ``Condition/jsonTree`` describes.
///
/// The height of a tree is bounded by the parser (S26), so recursion is too.
struct JSONTreeWriter {
    private typealias Key = JSONTreeKey

    private func object(_ members: (JSONTreeKey, QueryValue?)...) -> QueryValue {
        .object(Document(pairs: members.compactMap { key, value in value.map { (key.rawValue, $0) } }))
    }

    func node(_ condition: Condition) throws(QueryError) -> QueryValue {
        switch condition {
        case .constant(let value): .bool(value)
        case .comparison(let comparison): try node(comparison)
        case .and(let parts): object((.and, try nodes(parts)))
        case .or(let parts): object((.or, try nodes(parts)))
        case .not(let part): object((.not, try node(part)))
        }
    }

    private func nodes(_ conditions: [Condition]) throws(QueryError) -> QueryValue {
        var nodes: [QueryValue] = []
        for condition in conditions { nodes.append(try node(condition)) }
        return .list(nodes)
    }

    private func node(_ comparison: Comparison) throws(QueryError) -> QueryValue {
        let options = comparison.options.text
        return object(
            (.compare, .string(comparison.operator.spelling)),
            (.quantifier, comparison.quantifier.map { .string($0.word.spellings[0]) }),
            (.options, options.isEmpty ? .none : .string(options)),
            (.left, try node(comparison.left)),
            (.right, try node(comparison.right))
        )
    }

    func node(_ term: Term) throws(QueryError) -> QueryValue {
        // One small function a case: a debug build gives one frame the locals of every case.
        switch term {
        case .value(let value, _): object((.value, try constant(value)))
        case .field(let path, _): field(path)
        case .variable(let variable, _): object((.variable, .string(variable.name)))
        case .list(let elements, _): try list(elements)
        case .path(let base, let steps, _): object((.path, .list(steps.map(step))), (.of, try node(base)))
        case .index(let base, let index, _): object((.index, try node(index)), (.of, try node(base)))
        case .aggregate(let aggregate, of: let base, let path, _): try node(aggregate, of: base, path)
        case .arithmetic(let chain, _): try node(chain)
        case .negated(let operand, _): object((.negate, try node(operand)))
        case .call(let function, let arguments, _): try call(function, arguments)
        case .subquery(let subquery, _): try node(subquery)
        case .conditional(let test, let first, let second, _): try conditional(test, first, second)
        case .cast(let operand, let target, _): object((.cast, try node(operand)), (.target, .string(target.rawValue)))
        case .assignment(let variable, let operand, _):
            object((.assign, try node(operand)), (.target, .string(variable.name)))
        }
    }

    private func list(_ elements: [Term]) throws(QueryError) -> QueryValue {
        var nodes: [QueryValue] = []
        nodes.reserveCapacity(elements.count)
        for element in elements { nodes.append(try node(element)) }
        // The elements are written already, so a list of lists costs one look each.
        let constants = nodes.compactMap { node -> QueryValue? in
            if case .object(let members) = node, members.count == 1 { members[Key.value.rawValue] } else { .none }
        }
        return constants.count == nodes.count ? object((.value, .list(constants))) : object((.list, .list(nodes)))
    }

    /// A constant that reads back as it is.
    private func constant(_ value: QueryValue) throws(QueryError) -> QueryValue {
        var open = [value]
        while let value = open.popLast() {
            switch value {
            case .list(let elements): open += elements
            case .object(let members):
                if members.keys.contains(where: { $0.utf8.first == UInt8(ascii: "$") }) {
                    throw QueryError(.unsupported, "a constant object with a `$` key has no Extended JSON")
                }
                open += members.values
            case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: break
            }
        }
        return value
    }

    private func keys(_ keys: [String]) -> QueryValue { .list(keys.map { .string($0) }) }

    func field(_ path: FieldPath) -> QueryValue {
        object((.field, keys(path.keys)), (.startsAtSelf, path.startsAtSelf ? .bool(true) : .none))
    }

    private func step(_ step: PathStep) -> QueryValue {
        switch step {
        case .key(let key): .string(key)
        case .variable(let variable): object((.variable, .string(variable.name)))
        }
    }

    private func node(_ index: Index) throws(QueryError) -> QueryValue {
        switch index {
        case .first: .string(ReservedWord.first.rawValue)
        case .last: .string(ReservedWord.last.rawValue)
        case .size: .string(ReservedWord.size.rawValue)
        case .at(let term): try node(term)
        }
    }

    private func node(_ aggregate: Aggregate, of base: Term, _ path: FieldPath) throws(QueryError) -> QueryValue {
        object(
            (.aggregate, .string(aggregate.spelling)),
            (.of, try node(base)),
            (.over, path.keys.isEmpty ? .none : keys(path.keys))
        )
    }

    private func node(_ chain: Arithmetic) throws(QueryError) -> QueryValue {
        var parts = [try node(chain.first)]
        for link in chain.rest {
            parts.append(.string(link.operation.row.spelling))
            parts.append(try node(link.operand))
        }
        return object((.arithmetic, .list(parts)))
    }

    private func call(_ function: Function, _ arguments: [Term]) throws(QueryError) -> QueryValue {
        var nodes: [QueryValue] = []
        for argument in arguments { nodes.append(try node(argument)) }
        return object((.call, .string(function.row.name)), (.arguments, .list(nodes)))
    }

    private func node(_ subquery: Subquery) throws(QueryError) -> QueryValue {
        object(
            (.subquery, try node(subquery.collection)),
            (.element, .string(subquery.variable.name)),
            (.condition, try node(subquery.condition))
        )
    }

    private func conditional(_ test: Condition, _ first: Term, _ second: Term) throws(QueryError) -> QueryValue {
        object((.test, try node(test)), (.then, try node(first)), (.otherwise, try node(second)))
    }
}

// MARK: - Queries

extension JSONTreeWriter {
    func query(_ query: Query) throws(QueryError) -> Document {
        var document = Document()
        document.set(.condition, try node(query.condition))
        if !query.order.isEmpty { document.set(.order, .list(query.order.map(sortKey))) }
        document.set(.skip, query.skip.map { .int(Int64($0)) })
        document.set(.limit, query.limit.map { .int(Int64($0)) })
        document.set(.fields, query.fields.map { .list($0.map(field)) })
        if query.nilMeaning != .nullOrAbsent { document.set(.nilMeaning, .string(query.nilMeaning.rawValue)) }
        return document
    }

    private func sortKey(_ key: SortKey) -> QueryValue {
        guard case .object(var members) = field(key.path) else { return .null }
        if !key.isAscending { members.set(.descending, .bool(true)) }
        if !key.options.isEmpty { members.set(.options, .string(key.options.text)) }
        return .object(members)
    }

    func grouping(_ grouping: Grouping) throws(QueryError) -> Document {
        var document = try query(grouping.query)
        var group = Document()
        group.set(.by, .list(grouping.keys.map(field)))
        var reducers: [QueryValue] = []
        for reducer in grouping.reducers { reducers.append(try node(reducer)) }
        group.set(.compute, .list(reducers))
        if let having = grouping.having { group.set(.having, try node(having)) }
        document.set(.group, .object(group))
        return document
    }

    private func node(_ reducer: Reducer) throws(QueryError) -> QueryValue {
        var members = Document()
        members.set(.compute, .string(try Reducer.Name(reducer.operation).rawValue))
        if let path = reducer.path, case .object(let place) = field(path) {
            for (key, value) in place.pairs { members[key] = value }
        }
        members.set(.element, reducer.alias.map { .string($0) })
        return .object(members)
    }
}

extension Document {
    fileprivate mutating func set(_ key: JSONTreeKey, _ value: QueryValue?) {
        if let value { self[key.rawValue] = value }
    }
}

extension Comparison.Quantifier {
    /// The row of the table that spells it.
    var word: LogicalWord {
        switch self {
        case .any: .any
        case .all: .all
        }
    }
}
