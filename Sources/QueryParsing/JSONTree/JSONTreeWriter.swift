import QueryChecking
import QueryTree
import QueryValues

/// Turns trees into the JSON that ``Condition/jsonTree`` describes, without recursion for the reason of
/// ``JSONTreeBuilder``.
struct JSONTreeWriter {
    private enum Work {
        case condition(Condition)
        case term(Term)
        case build((inout JSONTreeWriter) -> Void)
    }

    private var work: [Work] = []
    /// Finished parts, used from the end.
    private var nodes: [QueryValue] = []

    static func node(_ condition: Condition) throws(QueryError) -> QueryValue {
        try node(.condition(condition))
    }

    private static func node(_ root: Work) throws(QueryError) -> QueryValue {
        var writer = JSONTreeWriter()
        writer.work.append(root)
        while let next = writer.work.popLast() {
            switch next {
            case .condition(let condition): writer.visit(condition)
            case .term(let term): try writer.visit(term)
            case .build(let build): build(&writer)
            }
        }
        return writer.pop()
    }

    private mutating func pop() -> QueryValue { nodes.popLast() ?? .null }

    private mutating func pop(_ count: Int) -> [QueryValue] {
        let parts = Array(nodes.suffix(count))
        nodes.removeLast(parts.count)
        return parts
    }

    private mutating func append(_ members: (JSONTreeKey, QueryValue?)...) {
        nodes.append(Self.object(members))
    }

    private static func object(_ members: [(JSONTreeKey, QueryValue?)]) -> QueryValue {
        .object(Document(pairs: members.compactMap { key, value in value.map { (key.rawValue, $0) } }))
    }

    /// Schedules parts in order, followed by the step that combines them.
    private mutating func build(_ parts: [Work], _ build: @escaping (inout JSONTreeWriter) -> Void) {
        work.append(.build(build))
        work.append(contentsOf: parts.reversed())
    }

    // MARK: Conditions

    private mutating func visit(_ condition: Condition) {
        switch condition {
        case .constant(let value): nodes.append(.bool(value))
        case .comparison(let comparison): visit(comparison)
        case .and(let parts): build(parts.map { .condition($0) }) { $0.append((.and, .list($0.pop(parts.count)))) }
        case .or(let parts): build(parts.map { .condition($0) }) { $0.append((.or, .list($0.pop(parts.count)))) }
        case .not(let part): build([.condition(part)]) { $0.append((.not, $0.pop())) }
        }
    }

    private mutating func visit(_ comparison: Comparison) {
        build([.term(comparison.left), .term(comparison.right)]) { writer in
            let options = comparison.options.text
            let right = writer.pop()
            writer.append(
                (.compare, .string(comparison.operator.spelling)),
                (.quantifier, comparison.quantifier.map { .string($0.word.spellings[0]) }),
                (.options, options.isEmpty ? .none : .string(options)),
                (.left, writer.pop()),
                (.right, right)
            )
        }
    }

    // MARK: Terms

    private mutating func visit(_ term: Term) throws(QueryError) {
        switch term {
        case .value(let value, _): append((.value, try Self.constant(value)))
        case .field(let path, _): nodes.append(Self.field(path))
        case .variable(let variable, _): append((.variable, .string(variable.name)))
        case .list(let elements, _): build(elements.map { .term($0) }) { $0.appendList(elements.count) }
        case .path(let base, let steps, _):
            build([.term(base)]) { $0.append((.path, .list(steps.map(Self.step))), (.of, $0.pop())) }
        case .index(let base, let index, _): visit(base, index)
        case .aggregate(let aggregate, of: let base, let path, _):
            let over: QueryValue? = path.keys.isEmpty ? .none : Self.keys(path.keys)
            build([.term(base)]) {
                $0.append((.aggregate, .string(aggregate.spelling)), (.of, $0.pop()), (.over, over))
            }
        case .arithmetic(let chain, _): visit(chain)
        case .negated(let operand, _): build([.term(operand)]) { $0.append((.negate, $0.pop())) }
        case .call(let function, let arguments, _):
            build(arguments.map { .term($0) }) {
                let name = function.entry.name(of: arguments.count)
                $0.append((.call, .string(name)), (.arguments, .list($0.pop(arguments.count))))
            }
        case .subquery(let subquery, _): visit(subquery)
        case .conditional(let test, let first, let second, _):
            build([.condition(test), .term(first), .term(second)]) { writer in
                let second = writer.pop()
                let first = writer.pop()
                writer.append((.test, writer.pop()), (.then, first), (.otherwise, second))
            }
        case .cast(let operand, let target, _):
            build([.term(operand)]) { $0.append((.cast, $0.pop()), (.target, .string(target.rawValue))) }
        case .assignment(let variable, let operand, _):
            build([.term(operand)]) { $0.append((.assign, $0.pop()), (.target, .string(variable.name))) }
        }
    }

    /// A list of constants is a single value.
    private mutating func appendList(_ count: Int) {
        let elements = pop(count)
        // The elements are already written, so a list of lists costs one visit each.
        let constants = elements.compactMap { node -> QueryValue? in
            if case .object(let members) = node, members.count == 1 {
                members[JSONTreeKey.value.rawValue]
            } else {
                .none
            }
        }
        append(constants.count == count ? (.value, .list(constants)) : (.list, .list(elements)))
    }

    private mutating func visit(_ base: Term, _ index: Index) {
        let word: ReservedWord
        switch index {
        case .first: word = .first
        case .last: word = .last
        case .size: word = .size
        case .at(let term):
            return build([.term(base), .term(term)]) { writer in
                let position = writer.pop()
                writer.append((.index, position), (.of, writer.pop()))
            }
        }
        build([.term(base)]) { $0.append((.index, .string(word.rawValue)), (.of, $0.pop())) }
    }

    private mutating func visit(_ chain: Arithmetic) {
        build([.term(chain.first)] + chain.rest.map { .term($0.operand) }) { writer in
            let operands = writer.pop(chain.rest.count + 1)
            var parts = Array(operands.prefix(1))
            for (link, operand) in zip(chain.rest, operands.dropFirst()) {
                parts.append(.string(link.operation.entry.spelling))
                parts.append(operand)
            }
            writer.append((.arithmetic, .list(parts)))
        }
    }

    private mutating func visit(_ subquery: Subquery) {
        build([.term(subquery.collection), .condition(subquery.condition)]) { writer in
            let condition = writer.pop()
            writer.append(
                (.subquery, writer.pop()),
                (.element, .string(subquery.variable.name)),
                (.condition, condition)
            )
        }
    }
}

extension JSONTreeWriter {
    /// A constant that reads back unchanged.
    private static func constant(_ value: QueryValue) throws(QueryError) -> QueryValue {
        var open = [value]
        while let value = open.popLast() {
            switch value {
            case .list(let elements): open += elements
            case .object(let members):
                if members.keys.contains(where: { $0.utf8.first == UInt8(ascii: "$") }) {
                    throw QueryError(
                        .unsupported,
                        "a constant object with a `$` key cannot be written as Extended JSON"
                    )
                }
                open += members.values
            case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: break
            }
        }
        return value
    }

    private static func keys(_ keys: [String]) -> QueryValue { .list(keys.map { .string($0) }) }

    private static func field(_ path: FieldPath) -> QueryValue {
        object([(.field, keys(path.keys)), (.startsAtSelf, path.startsAtSelf ? .bool(true) : .none)])
    }

    private static func step(_ step: PathStep) -> QueryValue {
        switch step {
        case .key(let key): .string(key)
        case .variable(let variable): object([(.variable, .string(variable.name))])
        }
    }
}

// MARK: - Queries

extension JSONTreeWriter {
    static func query(_ query: Query) throws(QueryError) -> Document {
        var document = Document()
        document.set(.condition, try node(query.condition))
        if !query.order.isEmpty { document.set(.order, .list(query.order.map(sortKey))) }
        document.set(.skip, query.skip.map { .int(Int64($0)) })
        document.set(.limit, query.limit.map { .int(Int64($0)) })
        document.set(.fields, query.fields.map { .list($0.map(field)) })
        if !query.computed.isEmpty {
            var computed: [QueryValue] = []
            for field in query.computed { computed.append(try named(field.key)) }
            document.set(.computed, .list(computed))
        }
        if query.nilMeaning != .nullOrAbsent { document.set(.nilMeaning, .string(query.nilMeaning.rawValue)) }
        return document
    }

    private static func sortKey(_ key: SortKey) -> QueryValue {
        guard case .object(var members) = field(key.path) else { return .null }
        if !key.isAscending { members.set(.descending, .bool(true)) }
        if !key.options.isEmpty { members.set(.options, .string(key.options.text)) }
        return .object(members)
    }

    static func grouping(_ grouping: Grouping) throws(QueryError) -> Document {
        var document = try query(grouping.query)
        var group = Document()
        var keys: [QueryValue] = []
        for key in grouping.keys { keys.append(try node(key)) }
        group.set(.by, .list(keys))
        var reducers: [QueryValue] = []
        for reducer in grouping.reducers { reducers.append(try node(reducer)) }
        group.set(.compute, .list(reducers))
        if let having = grouping.having { group.set(.having, try node(having)) }
        document.set(.group, .object(group))
        return document
    }

    /// A plain path as such; another key as its term and its name.
    private static func node(_ key: GroupKey) throws(QueryError) -> QueryValue {
        if let path = key.path, key.alias == nil { return field(path) }
        return try named(key)
    }

    private static func named(_ key: GroupKey) throws(QueryError) -> QueryValue {
        object([(.of, try node(.term(key.term))), (.element, key.alias.map { .string($0) })])
    }

    private static func node(_ reducer: Reducer) throws(QueryError) -> QueryValue {
        var members = Document()
        members.set(.compute, .string(try reducer.dataName()))
        if let path = reducer.path, case .object(let place) = field(path) {
            for (key, value) in place.pairs { members[key] = value }
        } else if let value = reducer.value {
            members.set(.of, try node(.term(value.term)))
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
