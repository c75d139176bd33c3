import QueryMongo
import QueryTree
import QueryValues

extension Query {
    /// Reads a Mongo find filter as a query that finds the same documents.
    ///
    /// A server can thus run a client's filter on SQLite or in memory.
    ///
    ///     let people = Schema([.field("age", .int), .field("name", .string)])
    ///     let filter = #"{"age":{"$gt":21},"name":{"$regex":"^Jo"}}"#
    ///     try Query(mongo: filter, schema: people)  // → age > 21 AND name BEGINSWITH "Jo"
    ///     try Query(mongo: filter)  // → ANY age > 21 AND ANY name BEGINSWITH "Jo"
    ///     try Query(mongo: #"{"$where":"1"}"#)  // throws unsupported
    ///
    /// The query uses ANY where the filter would look inside a list, unless a schema or `assuming` excludes lists; see
    /// ``MongoReading``.
    ///
    /// - Parameters:
    ///   - filter: a JSON object.
    ///   - sort: a JSON object of 1 and -1 in the order of the keys; nil for none.
    ///   - projection: a JSON object of the fields to include; nil for whole documents. `_id` is included unless it
    ///     says 0.
    ///   - skip: the number of documents to skip.
    ///   - limit: the maximum number of documents; 0 means no limit, as in Mongo.
    ///   - assumptions: what is known about paths; nil to assume single values.
    ///   - nilMeaning: what `== nil` tests for in the query; nil to use what the filter needs.
    ///   - schema: names and kinds; stored names become property names, and the query is checked against it.
    ///   - limits: bounds on the text, its depth and its lists.
    /// - Throws: `QueryError` with the JSON path: `json` for a malformed filter, `unknownOperator`, `unsupported` for
    ///   what no query can express (such as `$where`), `limit`, and what ``Query/checked()`` throws. Linear in the
    ///   text.
    public init(
        mongo filter: String,
        sort: String? = nil,
        projection: String? = nil,
        skip: Int? = nil,
        limit: Int? = nil,
        assuming assumptions: [Assumption]? = [],
        nilMeaning: NilMeaning? = nil,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        self = try MongoReading(
            of: filter,
            sort: sort,
            projection: projection,
            skip: skip,
            limit: limit,
            assuming: assumptions,
            nilMeaning: nilMeaning,
            schema: schema,
            limits: limits
        ).query
    }

    /// Reads a Mongo find filter in UTF-8 bytes as a query that finds the same documents.
    ///
    ///     try Query(mongo: Array(#"{"age":{"$gt":21}}"#.utf8))  // → ANY age > 21
    ///
    /// - Parameters:
    ///   - filter: the bytes of a JSON object.
    ///   - assumptions: what is known about paths; nil to assume single values.
    ///   - nilMeaning: what `== nil` tests for in the query; nil to use what the filter needs.
    ///   - schema: names and kinds.
    ///   - limits: bounds on the text, its depth and its lists.
    /// - Throws: `QueryError` with the JSON path; `json` for invalid UTF-8. Linear in the bytes.
    public init(
        mongo filter: [UInt8],
        assuming assumptions: [Assumption]? = [],
        nilMeaning: NilMeaning? = nil,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        let reading = try MongoReading(
            of: filter,
            assuming: assumptions,
            nilMeaning: nilMeaning,
            schema: schema,
            limits: limits
        )
        self = reading.query
    }

    /// Reads the result of ``mongo(_:guarded:now:)``: filter, sort, projection, skip and limit, under its assumptions.
    ///
    ///     let query = try Query(format: "ANY tags == 'red' AND age > 21")
    ///     try Query(mongo: query.mongo()) == query  // → true
    ///
    /// - Parameters:
    ///   - mongo: filter, sort, projection, skip, limit and assumptions.
    ///   - nilMeaning: what `== nil` tests for in the query; nil to use what the filter needs.
    ///   - schema: names and kinds.
    ///   - limits: bounds on depth and lists.
    /// - Throws: `QueryError` with the JSON path. Linear in the size of the filter.
    public init(
        mongo: MongoQuery,
        nilMeaning: NilMeaning? = nil,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        self = try MongoReading(
            of: mongo,
            assuming: mongo.assumptions,
            nilMeaning: nilMeaning,
            schema: schema,
            limits: limits
        ).query
    }
}
