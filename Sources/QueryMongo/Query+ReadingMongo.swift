import QuerySyntax

extension Query {
    /// Reads a Mongo find filter as a query that finds the same documents: a server can so run a client's filter on
    /// SQLite or in memory.
    ///
    ///     try Query(mongo: #"{"age":{"$gt":21},"name":{"$regex":"^Jo"}}"#).format
    ///     // age > 21 AND name BEGINSWITH "Jo"
    ///
    /// Mongo looks into lists: `{"tags":5}` finds 5 and lists with a 5. By default a path is taken to hold single values
    /// where no schema tells, as translations do too (S11), unless the filter itself uses it as a list. With
    /// `assuming: []` nothing is taken for granted, and that filter reads `ANY tags == 5`; with the assumptions of a
    /// translation the query is the one that was translated.
    ///
    /// Extended JSON is read; regular expressions become the string operator they were written from, or MATCHES.
    /// `{"f":null}`, `$exists` and `$type:10` are the three meanings of nil (S8); the query's is the one that the filter
    /// needs most, unless it is given.
    ///
    /// - Parameters:
    ///   - filter: a JSON object.
    ///   - sort: a JSON object of 1 and -1 in the order of the keys; nil for none.
    ///   - projection: a JSON object of the fields to give; nil for whole documents. `_id` is given unless it says 0.
    ///   - skip: documents to leave out at the front.
    ///   - limit: the most documents to give; 0 is no limit, as in Mongo.
    ///   - assumptions: what is known about paths; nil to assume single values.
    ///   - nilMeaning: what `== nil` asks in the query; nil for what the filter needs.
    ///   - schema: names and kinds; stored names become property names, and the query is checked against it.
    ///   - limits: bounds on the text, its depth and its lists.
    /// - Throws: `QueryError` with the JSON path: `json` for what is no filter, `unknownOperator`, `unsupported` for
    ///   what no query means (`$where` first of all), `limit`, and what ``checked()`` throws. Linear in the text.
    public init(
        mongo filter: String,
        sort: String? = nil,
        projection: String? = nil,
        skip: Int? = nil,
        limit: Int? = nil,
        assuming assumptions: [Assumption]? = nil,
        nilMeaning: NilMeaning? = nil,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        let node = try MongoNode(reading: filter, path: "$", limits)
        var parts = MongoQueryParts(skip: skip, limit: limit)
        if let sort { parts.sort = try MongoNode(reading: sort, path: "sort", limits) }
        if let projection { parts.projection = try MongoNode(reading: projection, path: "projection", limits) }
        try self.init(node, parts, assumptions, nilMeaning, schema, limits)
    }

    /// Reads a Mongo find filter in UTF-8 bytes; see ``init(mongo:sort:projection:skip:limit:assuming:nilMeaning:schema:limits:)-(String,_,_,_,_,_,_,_,_)``.
    ///
    /// - Parameters:
    ///   - filter: the bytes of a JSON object.
    ///   - assumptions: what is known about paths; nil to assume single values.
    ///   - nilMeaning: what `== nil` asks in the query; nil for what the filter needs.
    ///   - schema: names and kinds.
    ///   - limits: bounds on the text, its depth and its lists.
    /// - Throws: `QueryError` with the JSON path; `json` for invalid UTF-8. Linear in the bytes.
    public init(
        mongo filter: [UInt8],
        assuming assumptions: [Assumption]? = nil,
        nilMeaning: NilMeaning? = nil,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        let node = try MongoNode(reading: filter, path: "$", limits)
        try self.init(node, MongoQueryParts(), assumptions, nilMeaning, schema, limits)
    }

    /// Reads what ``mongo(_:guarded:now:)`` gives: filter, sort, projection, skip and limit, under its assumptions.
    ///
    ///     let query = try Query(format: "ANY tags == 'red' AND age > 21")
    ///     try Query(mongo: query.mongo()) == query  // true
    ///
    /// - Parameters:
    ///   - mongo: filter, sort, projection, skip, limit and assumptions.
    ///   - nilMeaning: what `== nil` asks in the query; nil for what the filter needs.
    ///   - schema: names and kinds.
    ///   - limits: bounds on depth and lists.
    /// - Throws: `QueryError` with the JSON path. Linear in the size of the filter.
    public init(
        mongo: MongoQuery,
        nilMeaning: NilMeaning? = nil,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        let node = MongoNode(.object(mongo.filter), path: "filter")
        var parts = MongoQueryParts(skip: mongo.skip, limit: mongo.limit)
        parts.sort = mongo.sort.map { MongoNode(.object($0), path: "sort") }
        parts.projection = mongo.projection.map { MongoNode(.object($0), path: "projection") }
        try self.init(node, parts, mongo.assumptions, nilMeaning, schema, limits)
    }

    private init(
        _ filter: MongoNode,
        _ parts: MongoQueryParts,
        _ assumptions: [Assumption]?,
        _ nilMeaning: NilMeaning?,
        _ schema: Schema?,
        _ limits: Limits
    ) throws(QueryError) {
        guard filter.value.isShallow(limits.jsonDepth) else {
            throw filter.error(.limit, "the filter is nested deeper than \(limits.jsonDepth) levels")
        }
        let meaning = nilMeaning ?? filter.value.neededNilMeaning
        let reading = MongoReading(assuming: assumptions, nilMeaning: meaning, schema: schema, limits: limits)
        reading.noteLists(filter)
        let reader = FilterReader(reading)
        self.init(try reader.condition(filter), nilMeaning: meaning, schema: schema)
        order = try parts.order(reader)
        fields = try parts.fields(reader)
        (skip, limit) = (parts.skip, parts.limit == 0 ? nil : parts.limit)
        do throws(QueryError) {
            try validatePipeline()
            self = try checked()
        } catch {
            throw filter.placed(error)
        }
    }
}

/// What goes with a filter.
struct MongoQueryParts {
    var sort: MongoNode?
    var projection: MongoNode?
    var skip: Int?
    var limit: Int?

    /// The sort keys by property names.
    func order(_ reader: FilterReader) throws(QueryError) -> [SortKey] {
        guard let sort else { return [] }
        _ = try sort.object("the sort")
        var keys: [SortKey] = []
        for (key, node) in sort.members {
            if key.utf8.first == UInt8(ascii: "$") { throw node.wrong("a sort takes fields") }
            let path = FieldPath(keys: try reader.field(key, node).path)
            switch node.value {
            case .int(1), .double(1): keys.append(.ascending(path))
            case .int(-1), .double(-1): keys.append(.descending(path))
            case .object: throw node.unsupported("a query sorts by fields only")
            default: throw node.wrong("the direction must be 1 or -1")
            }
        }
        return keys
    }

    /// The wanted fields by property names; `_id` comes along unless it is sent away.
    func fields(_ reader: FilterReader) throws(QueryError) -> [FieldPath]? {
        guard let projection else { return nil }
        guard try !projection.object("the projection").isEmpty else { return nil }
        var paths: [FieldPath] = []
        var identifier: Bool?
        for (key, node) in projection.members {
            if key.utf8.first == UInt8(ascii: "$") { throw node.wrong("a projection takes fields") }
            let isWanted: Bool
            switch node.value {
            case .int(1), .double(1), .bool(true): isWanted = true
            case .int(0), .double(0), .bool(false): isWanted = false
            default: throw node.unsupported("a projection takes 1 for each field that is wanted")
            }
            if key == "_id" { identifier = isWanted }
            if isWanted {
                paths.append(FieldPath(keys: try reader.field(key, node).path))
            } else if key != "_id" {
                throw node.unsupported("a query names the fields it wants, not those it leaves out")
            }
        }
        guard !paths.isEmpty else {
            throw projection.unsupported("a query names the fields it wants, not those it leaves out")
        }
        if identifier == nil { paths.append("_id") }
        return paths
    }
}
