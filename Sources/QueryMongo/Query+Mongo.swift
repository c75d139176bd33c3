import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

extension Query {
    /// The query as a Mongo find filter with sort, projection, skip and limit.
    ///
    ///     try Query(format: "age > 21 AND name BEGINSWITH 'Jo'").mongo().json
    ///     // → {"filter":{"age":{"$gt":21},"name":{"$regex":"^Jo"}}}
    ///
    /// Without a schema the simple form is written, and ``MongoQuery/assumptions`` lists its assumptions (S11).
    ///
    /// - Parameters:
    ///   - profile: what the service understands.
    ///   - guarded: true for a filter that assumes nothing about lists and tests for them itself.
    ///   - now: milliseconds since 1970 for `now()`; nil for the current time (S20).
    /// - Returns: filter, sort, projection, skip, limit and assumptions.
    /// - Throws: `QueryError` of code `unsupported` with the range of what the service does not support, `pipeline` for
    ///   a negative skip or limit, `pattern` for a malformed pattern, `unboundVariable` for a `$name` without a value,
    ///   and what ``Query/checked()`` throws.
    /// - Complexity: linear in the size of the query and of the filter.
    public func mongo(
        _ profile: MongoProfile = .mongoDB,
        guarded: Bool = false,
        now: Int64? = nil
    ) throws(QueryError) -> MongoQuery {
        try validatePipeline()
        let context = MongoContext(profile, isGuarded: guarded, nilMeaning: nilMeaning, objectIDs: objectIDs)
        var filter = try context.filter(checked().condition, TypeScope(schema), now: now)
        if limit == 0 { filter = Clause.constant(false).document() }
        if let limit, let most = profile.maximumLimit, limit > most {
            throw QueryError(.unsupported, "the service returns at most \(most) documents at once", hint: "use pages")
        }
        return MongoQuery(
            filter: filter,
            sort: try sort(context),
            projection: try projection(context),
            skip: skip,
            limit: limit.map { max(1, $0) },
            assumptions: context.listed
        )
    }

    /// The sort keys by stored names; ends in `_id` if pages need an order (S22).
    ///
    /// - Parameters:
    ///   - context: notes what is assumed.
    ///   - names: the fields that contain the computed keys, in their order; nil where nothing is computed.
    /// - Returns: the document of `$sort`; nil without an order.
    /// - Throws: `QueryError` of code `unsupported` for a key that Mongo does not sort by.
    func sort(_ context: MongoContext, names: [String]? = nil) throws(QueryError) -> Document? {
        guard let last = order.last else { return nil }
        let scope = TypeScope(schema)
        var sort: [(String, QueryValue)] = []
        var seen: Set<UTF8Key> = []
        var names = names?[...]
        for key in order {
            guard key.options.folding.isEmpty else {
                throw QueryError(
                    .unsupported,
                    "Mongo sorts text by its bytes only",
                    hint: "leave out [\(key.options.text)] on \(key.path.dotted)"
                )
            }
            guard let path = key.field else {
                guard let name = names?.popFirst() else {
                    throw QueryError(.unsupported, "Mongo sorts by fields only", hint: "use a pipeline")
                }
                sort.append((name, key.isAscending ? 1 : -1))
                continue
            }
            let field = try scope.field(path.keys, from: scope.row, path: [], at: .none)
            guard field.listSteps == 0 else {
                throw QueryError(.unsupported, "Mongo sorts \(field.pathText) by one element of its list")
            }
            if !field.isKnownSingle { context.note(.single(field.pathText)) }
            if case .date(.iso8601) = field.last { context.note(.date(field.pathText, .iso8601Milliseconds)) }
            if seen.insert(UTF8Key(field.dotted)).inserted { sort.append((field.dotted, key.isAscending ? 1 : -1)) }
        }
        if isCut {
            let key = schema?.primaryKey ?? []
            for name in key.isEmpty ? ["_id"] : key where seen.insert(UTF8Key(name)).inserted {
                sort.append((name, last.isAscending ? 1 : -1))
            }
        }
        return Document(pairs: sort)
    }

    /// The requested fields by stored names; `_id` only if named (S21).
    private func projection(_ context: MongoContext) throws(QueryError) -> Document? {
        guard let fields else { return nil }
        guard !fields.isEmpty else { throw QueryError(.unsupported, "Mongo cannot return documents without fields") }
        let scope = TypeScope(schema)
        var paths = PathSet()
        var asked: [MongoField] = []
        for path in fields {
            let field = try scope.field(path.keys, from: scope.row, path: [], at: .none)
            paths.insert(field.names)
            asked.append(field)
        }
        // Mongo rejects a path next to its own container.
        let wanted = asked.filter { !paths.holdsContainer(of: $0.names) }
        var projection = Document(pairs: wanted.map { ($0.dotted, .int(1)) })
        if !wanted.contains(where: { $0.names.first?.hasSameUTF8(as: "_id") == true }) { projection["_id"] = 0 }
        return projection
    }
}

/// A set of paths that can be searched for a path's containers; O(length of a path) each.
private struct PathSet {
    private struct Step: Hashable {
        var node: Int
        var key: UTF8Key
    }

    private var steps: [Step: Int] = [:]
    private var isEnd = [false]

    mutating func insert(_ keys: [String]) {
        var node = 0
        for key in keys {
            let step = Step(node: node, key: UTF8Key(key))
            if let next = steps[step] {
                node = next
            } else {
                steps[step] = isEnd.count
                node = isEnd.count
                isEnd.append(false)
            }
        }
        isEnd[node] = true
    }

    /// True if a proper prefix of this path is in the set.
    func holdsContainer(of keys: [String]) -> Bool {
        var node = 0
        for key in keys {
            if isEnd[node] { return true }
            guard let next = steps[Step(node: node, key: UTF8Key(key))] else { return false }
            node = next
        }
        return false
    }
}

extension MongoContext {
    /// A condition as a filter, with its depth checked.
    func filter(_ condition: Condition, _ scope: TypeScope, now: Int64?) throws(QueryError) -> Document {
        try StackRoom.run(for: condition) { () throws(QueryError) in
            try filter(lowOrRoomy: condition, scope, now: now)
        }
    }

    /// The filter of a condition whose height fits the stack.
    private func filter(
        lowOrRoomy condition: Condition,
        _ scope: TypeScope,
        now: Int64?
    ) throws(QueryError) -> Document {
        try condition.checkSupportedEverywhere()
        let folded = condition.foldingConstants(now: now ?? Query.presentInstant, nilMeaning: nilMeaning)
        let clause = try FilterWriter(context: self, scope: scope).clause(folded)
        let filter = clause.document(isMerged: profile.mergesTests)
        let depth = QueryValue.object(filter).depth
        guard depth <= profile.maximumDepth else {
            throw QueryError(
                .unsupported,
                "the filter has \(depth) levels, and services accept \(profile.maximumDepth)",
                at: condition.origin,
                hint: "use less nesting"
            )
        }
        return filter
    }
}
