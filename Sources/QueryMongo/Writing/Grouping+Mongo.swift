import QueryMeaning
import QueryTree
import QueryValues

extension Grouping {
    /// The groups as a Mongo aggregation pipeline.
    ///
    ///     try Query().grouped(by: "state", computing: [.count]).mongo().json  // → {"pipeline":[{"$group":{…
    ///
    /// `$match` runs on the shards of a cluster, `$group` partly; the stages after it run on the merging server.
    ///
    /// - Parameters:
    ///   - profile: what the service understands.
    ///   - guarded: true for a filter that assumes nothing about lists and tests for them itself.
    ///   - now: milliseconds since 1970 for `now()`; nil for the current time (S20).
    /// - Returns: the stages and assumptions (S23).
    /// - Throws: `QueryError` of code `unsupported` for a profile without pipelines, a custom reducer, or what a filter
    ///   does not support; `pipeline` for clashing names or an order by something other than a field of the group.
    /// - Complexity: linear in the size of the grouping and of the pipeline.
    public func mongo(
        _ profile: MongoProfile = .mongoDB,
        guarded: Bool = false,
        now: Int64? = nil
    ) throws(QueryError) -> MongoPipeline {
        try validate()
        guard profile.allowsPipelines else {
            throw QueryError(.unsupported, "the service has no pipelines to group with")
        }
        let context = MongoContext(
            profile,
            isGuarded: guarded,
            nilMeaning: query.nilMeaning,
            objectIDs: query.objectIDs
        )
        let writer = GroupWriter(grouping: try checked(), context: context)
        let stages = try writer.stages(now: now)
        return MongoPipeline(stages: stages, assumptions: context.listed)
    }
}

/// Writes the stages of a group.
struct GroupWriter {
    let grouping: Grouping
    let context: MongoContext

    private var scope: TypeScope { TypeScope(grouping.query.schema) }

    func stages(now: Int64?) throws(QueryError) -> [Document] {
        for name in grouping.resultNames { try MongoName.check(name, at: .none) }
        var stages: [Document] = []
        let filter = try context.filter(grouping.query.condition, scope, now: now)
        if !filter.isEmpty { stages.append(["$match": .object(filter)]) }
        let instant = now ?? Query.presentInstant
        stages += grouping.keys.isEmpty ? try single(now: instant) : try keyed(now: instant)
        context.collectsAssumptions = false
        if let having = grouping.having {
            let filter = try context.filter(having, TypeScope(try resultSchema()), now: now)
            if !filter.isEmpty { stages.append(["$match": .object(filter)]) }
        }
        return stages + pipeline()
    }

    /// `$group` by the keys; null and absent are one key.
    private func keyed(now: Int64) throws(QueryError) -> [Document] {
        var identity: [(String, QueryValue)] = []
        for (at, key) in grouping.keys.enumerated() {
            do throws(QueryError) {
                identity.append(("k\(at)", op("$ifNull", [try value(of: key, now: now), .null])))
            } catch {
                throw key.path == nil ? error.ofGroupKey(at) : error
            }
        }
        var group: [(String, QueryValue)] = [("_id", .object(Document(pairs: identity)))]
        var shape: [(String, QueryValue)] = []
        for (at, key) in grouping.keys.enumerated() { shape.append((key.name, .string("$_id.k\(at)"))) }
        for (at, reducer) in grouping.reducers.enumerated() {
            group.append(("v\(at)", try accumulator(reducer, at, now: now)))
            shape.append((reducer.name, result(reducer, .string("$v\(at)"))))
        }
        return [["$group": .object(Document(pairs: group))], ["$project": .object(Self.results(shape))]]
    }

    func value(of key: GroupKey, now: Int64) throws(QueryError) -> QueryValue {
        if let path = key.path { return .string("$" + (try field(path)).dotted) }
        let term = try key.termForStore(scope, now: now, nilMeaning: context.nilMeaning)
        for shown in term.shownTerms where scope.type(of: shown) == .any {
            // Groups are sorted by their keys, and Mongo sorts a list by one of its elements.
            switch shown {
            case .value, .negated: break
            case .field(let path, _): _ = try field(path)
            default:
                throw QueryError(
                    .unsupported,
                    "it is unknown whether this value may be a list, which Mongo sorts by its elements",
                    at: shown.origin,
                    hint: "declare the fields in a schema"
                )
            }
        }
        return try StackRoom.run(for: key.test) { () throws(QueryError) in
            try ExpressionWriter(context: context, scope: scope).operand(term).expression
        }
    }

    /// One group of all rows; `$facet` returns a document even if `$group` finds no rows and returns none.
    private func single(now: Int64) throws(QueryError) -> [Document] {
        var group: [(String, QueryValue)] = [("_id", .null)]
        var shape: [(String, QueryValue)] = []
        for (at, reducer) in grouping.reducers.enumerated() {
            group.append(("v\(at)", try accumulator(reducer, at, now: now)))
            let first = op("$arrayElemAt", [.string("$all.v\(at)"), 0])
            shape.append((reducer.name, result(reducer, op("$ifNull", [first, reducer.valueOfNothing]))))
        }
        let branch: QueryValue = .list([op("$group", .object(Document(pairs: group)))])
        return [["$facet": .object(["all": branch])], ["$project": .object(Self.results(shape))]]
    }

    /// The fields of the results, without `_id` unless it is one of them.
    private static func results(_ shape: [(String, QueryValue)]) -> Document {
        let results = Document(pairs: shape)
        return results["_id"] == nil ? Document(pairs: [("_id", .int(0))] + shape) : results
    }

    private typealias TypedExpression = (expression: QueryValue, type: FieldType)

    private func accumulator(_ reducer: Reducer, _ position: Int, now: Int64) throws(QueryError) -> QueryValue {
        func read(_ value: GroupKey) throws(QueryError) -> TypedExpression {
            do throws(QueryError) {
                return (try self.value(of: value, now: now), try type(of: value))
            } catch {
                throw reducer.path == nil ? error.ofReducer(position) : error
            }
        }
        switch reducer.operation {
        case .count: return op("$sum", 1)
        case .sum(let value): return op("$sum", Self.number(try read(value)))
        case .average(let value): return op("$avg", Self.number(try read(value)))
        case .min(let value): return op("$min", Self.withoutNaN(try read(value)))
        case .max(let value): return op("$max", Self.withoutNaN(try read(value)))
        case .countDistinct(let value): return op("$addToSet", try read(value).expression)
        // `$median` is approximate, sets are in no order, and so are rows that are not sorted.
        case .distinct, .median, .first, .last, .custom: throw reducer.unsupported
        }
    }

    /// The result of an accumulator: the size of a set without null, or the value itself.
    private func result(_ reducer: Reducer, _ value: QueryValue) -> QueryValue {
        guard reducer.kind == .countDistinct else { return value }
        return op("$size", op("$setDifference", [value, [.null]]))
    }

    /// A value if it is a number, else null, which sums skip.
    private static func number(_ value: TypedExpression) -> QueryValue {
        let (read, type) = value
        return type.kind == .number ? read : op("$cond", [op("$isNumber", read), read, .null])
    }

    /// A value with NaN replaced by null, which `$min` and `$max` skip.
    private static func withoutNaN(_ value: TypedExpression) -> QueryValue {
        let (read, type) = value
        switch type {
        case .any, .double: return op("$cond", [op("$eq", [read, .double(.nan)]), .null, read])
        case .bool, .int, .string, .date, .data, .uuid, .objectID, .object, .list: return read
        }
    }

    func field(_ path: FieldPath) throws(QueryError) -> MongoField {
        let field = try scope.field(path.keys, from: scope.row, path: [], at: .none)
        guard !field.types.dropLast().contains(where: \.isList) else {
            throw QueryError(.unsupported, "\(field.pathText) may have several values in one document")
        }
        if !field.isKnownSingle, !field.last.isList { context.note(.single(field.pathText)) }
        return field
    }

    /// The fields of a group, all single.
    private func resultSchema() throws(QueryError) -> Schema {
        var fields: [Schema.Field] = []
        for key in grouping.keys {
            fields.append(.field(key.name, try type(of: key)))
        }
        for reducer in grouping.reducers {
            let type: FieldType
            switch reducer.operation {
            case .count, .countDistinct: type = .int
            case .sum, .average, .median: type = .double
            case .distinct(let value): type = .list(try self.type(of: value))
            case .min(let value), .max(let value), .first(let value), .last(let value):
                type = try self.type(of: value)
            case .custom: type = .any
            }
            fields.append(.field(reducer.name, type))
        }
        return Schema(fields)
    }

    private func type(of value: GroupKey) throws(QueryError) -> FieldType {
        try value.path.map { (path) throws(QueryError) in try field(path).last } ?? scope.type(of: value.term)
    }

    /// Order, skip and limit of the groups; keys break ties, as groups come in key order.
    private func pipeline() -> [Document] {
        var stages: [Document] = []
        var sort: [(String, QueryValue)] = []
        var seen: Set<UTF8Key> = []
        let order = grouping.query.order.map { ($0.path.dotted, $0.isAscending) }
        for (name, isAscending) in order + grouping.keys.map({ ($0.name, true) })
        where seen.insert(UTF8Key(name)).inserted {
            sort.append((name, isAscending ? 1 : -1))
        }
        if !grouping.keys.isEmpty { stages.append(["$sort": .object(Document(pairs: sort))]) }
        if let skip = grouping.query.skip, skip > 0 { stages.append(["$skip": .int(Int64(skip))]) }
        switch grouping.query.limit {
        case 0: stages.append(["$match": .object(Clause.constant(false).document())])
        case .some(let limit): stages.append(["$limit": .int(Int64(limit))])
        case nil: break
        }
        return stages
    }
}

extension Reducer {
    /// The value over no rows: 0 for counts and sums, nil for the others.
    fileprivate var valueOfNothing: QueryValue {
        switch operation {
        case .count, .sum: 0
        case .countDistinct, .distinct: []
        case .average, .min, .max, .median, .first, .last, .custom: .null
        }
    }
}
