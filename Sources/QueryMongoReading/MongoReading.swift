import QueryMeaning
import QueryMongo
import QueryTree
import QueryValues

/// A query read from a Mongo find filter, and the assumptions of the reading.
///
///     try MongoReading(of: #"{"tags":5}"#).query.format  // → ANY tags == 5
///     let reading = try MongoReading(of: #"{"tags":5}"#, assuming: nil)
///     reading.query.format  // → tags == 5
///     reading.assumptions.map(\.document)  // → [{"single":"tags"}]
///
/// Mongo looks inside lists: `{"tags":5}` finds 5 and lists with a 5. Only the schema's declarations and the
/// assumptions in `assuming` count as known: the query has Mongo's own meaning, with ANY where the filter looks
/// inside a list, or the filter is rejected. Only `_id`, which servers never let be a list, is single without being
/// declared. With `assuming: nil` a path is assumed to hold single values if no schema declares it and the filter
/// itself does not use it as a list; translations assume the same (S11). Under the assumptions of a translation you get
/// back the query that was translated.
///
/// Extended JSON is read. A regular expression becomes the string operator it was written from, or MATCHES.
/// `{"f":null}`, `$exists` and `$type:10` are the three meanings of nil (S8); the query uses the meaning that the
/// filter needs, and expresses the others by `<= nil`. `$expr` is read if a translation writes it, or if a condition
/// holds for the same documents: with the kinds of a schema `{"$lt":["$a",5]}` is `NOT a >= 5`, which nil meets, too.
/// Where an expression fails in Mongo, such as `$size` of no list, the query has an answer.
public struct MongoReading: Hashable, Sendable {
    /// The query, checked against its schema.
    public var query: Query
    /// The assumptions of the reading, sorted and without duplicates.
    public var assumptions: [Assumption]
    /// Where the results are asked for from the nearest on, which a query's order cannot say; nil if an order is given.
    package private(set) var nearest: NearestPlace?

    /// Reads a find filter and the parts that accompany it.
    ///
    ///     let reading = try MongoReading(of: #"{"age":{"$gt":21}}"#, sort: #"{"name":-1}"#, limit: 5)
    ///     reading.query.order  // → [-name]
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
        of filter: String,
        sort: String? = nil,
        projection: String? = nil,
        skip: Int? = nil,
        limit: Int? = nil,
        assuming assumptions: [Assumption]? = [],
        nilMeaning: NilMeaning? = nil,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        let node = try MongoNode(reading: filter, path: "$", limits) {
            try? Self(of: $0, assuming: assumptions, nilMeaning: nilMeaning, schema: schema, limits: limits).query
        }
        var parts = MongoQueryParts(skip: skip, mongoLimit: limit)
        if let sort { parts.sort = try MongoNode(reading: sort, path: "sort", limits) }
        if let projection { parts.projection = try MongoNode(reading: projection, path: "projection", limits) }
        try self.init(node, parts, assumptions, nilMeaning, schema, limits)
    }

    /// Reads a find filter in UTF-8 bytes.
    ///
    ///     try MongoReading(of: Array(#"{"age":21}"#.utf8)).query.format  // → ANY age == 21
    ///
    /// - Parameters:
    ///   - filter: the bytes of a JSON object.
    ///   - assumptions: what is known about paths; nil to assume single values.
    ///   - nilMeaning: what `== nil` tests for in the query; nil to use what the filter needs.
    ///   - schema: names and kinds.
    ///   - limits: bounds on the text, its depth and its lists.
    /// - Throws: `QueryError` with the JSON path; `json` for invalid UTF-8. Linear in the bytes.
    public init(
        of filter: [UInt8],
        assuming assumptions: [Assumption]? = [],
        nilMeaning: NilMeaning? = nil,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        let node = try MongoNode(reading: filter, path: "$", limits) {
            try? Self(of: $0, assuming: assumptions, nilMeaning: nilMeaning, schema: schema, limits: limits).query
        }
        try self.init(node, MongoQueryParts(), assumptions, nilMeaning, schema, limits)
    }

    /// Reads a find query.
    ///
    ///     let mongo = try MongoQuery(json: #"{"filter":{"tags":5},"limit":5}"#)
    ///     try MongoReading(of: mongo, assuming: [.list("tags")]).query.format  // → ANY tags == 5
    ///
    /// - Parameters:
    ///   - mongo: filter, sort, projection, skip, limit and assumptions.
    ///   - assumptions: what is known about paths; nil to assume single values.
    ///   - nilMeaning: what `== nil` tests for in the query; nil to use what the filter needs.
    ///   - schema: names and kinds.
    ///   - limits: bounds on depth and lists.
    /// - Throws: `QueryError` with the JSON path. Linear in the size of the filter.
    public init(
        of mongo: MongoQuery,
        assuming assumptions: [Assumption]?,
        nilMeaning: NilMeaning? = nil,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        let node = MongoNode(.object(mongo.filter), path: "filter")
        var parts = MongoQueryParts(skip: mongo.skip, mongoLimit: mongo.limit)
        parts.sort = mongo.sort.map { MongoNode(.object($0), path: "sort") }
        parts.projection = mongo.projection.map { MongoNode(.object($0), path: "projection") }
        try self.init(node, parts, assumptions, nilMeaning, schema, limits)
    }

    /// A query that was read without assumptions.
    init(query: Query) {
        (self.query, assumptions) = (query, [])
    }

    /// Reads a filter with its parts, whose limit is a query's (S21).
    init(
        _ filter: MongoNode,
        _ parts: MongoQueryParts,
        _ assumptions: [Assumption]?,
        _ nilMeaning: NilMeaning?,
        _ schema: Schema?,
        _ limits: Limits,
        _ distances: Distances = Distances()
    ) throws(QueryError) {
        guard filter.value.isShallow(limits.jsonDepth) else {
            throw filter.error(.limit, "the filter is nested deeper than \(limits.jsonDepth) levels")
        }
        // A level of a filter takes more stack than a level of a text.
        let read = { () throws(QueryError) in
            try Self.read(filter, parts, assumptions, nilMeaning, schema, limits, distances)
        }
        self = try filter.value.isShallow(Self.plainLevels) ? read() : StackRoom.onLargeStack(read)
    }

    /// Filters with at most this many levels are read on the caller's thread.
    private static let plainLevels = 12

    /// How `$near` and `$nearSphere` are read.
    struct Distances {
        /// The metres of a distance to a pair of coordinates; Mongo's are radians.
        var metres = GeoPoint.earthRadius
        /// What becomes of the order from the nearest on.
        var order = DistanceOrder.given
    }

    /// What the order from the nearest on is where `$near` or `$nearSphere` is read without a sort.
    package enum DistanceOrder: Sendable {
        /// An error: an order must be given.
        case given
        /// The caller obeys ``MongoReading/nearest``.
        case obeyed
        /// Nothing: the rows have no order, and only the circle of a `$maxDistance` counts.
        case none
    }

    private static func read(
        _ filter: MongoNode,
        _ parts: MongoQueryParts,
        _ assumptions: [Assumption]?,
        _ nilMeaning: NilMeaning?,
        _ schema: Schema?,
        _ limits: Limits,
        _ distances: Distances
    ) throws(QueryError) -> MongoReading {
        let meaning = nilMeaning ?? filter.value.neededNilMeaning
        let known = MongoKnowledge(
            assuming: assumptions,
            nilMeaning: meaning,
            schema: schema,
            limits: limits,
            metresOfDistance: distances.metres
        )
        known.noteLists(filter)
        let reader = FilterReader(known)
        var query = Query(try reader.condition(filter), nilMeaning: meaning, schema: schema)
        try parts.complete(&query, reader)
        let nearest = query.order.isEmpty ? known.nearest : nil
        switch (distances.order, nearest) {
        case (.obeyed, _), (_, nil): break
        case (.none, let place?):
            guard place.isBounded else {
                throw filter.unsupported(
                    "groups have no order of their rows: $near and $nearSphere need $maxDistance here",
                    hint: "add $maxDistance, or write $geoWithin with $centerSphere"
                )
            }
        case (.given, _?):
            throw filter.unsupported(
                "$near and $nearSphere sort by distance, which a query cannot",
                hint: "give a sort (pql: --find), or write $geoWithin with $centerSphere",
                inRequest: "give a sort, or write $geoWithin with $centerSphere"
            )
        }
        do throws(QueryError) {
            try query.validatePipeline()
            var reading = MongoReading(query: try query.checked())
            (reading.assumptions, reading.nearest) = (Assumption.sorted(known.assumptions), nearest)
            return reading
        } catch {
            throw filter.placed(error)
        }
    }
}
