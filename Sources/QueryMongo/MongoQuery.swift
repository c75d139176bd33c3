import QueryTree
import QueryValues

/// A query as Mongo JSON: a find filter and its options.
///
///     try Query(format: "age > 21", order: ["name"]).mongo().json
///     // → {"filter":{"age":{"$gt":21}},"sort":{"name":1}}
public struct MongoQuery: Hashable, Sendable {
    /// The filter; empty for all documents.
    public var filter: Document
    /// The order: stored names with 1 or -1, first key first; nil for none.
    public var sort: Document?
    /// The fields of the results; nil for whole documents.
    public var projection: Document?
    /// The number of documents to skip.
    public var skip: Int?
    /// The maximum number of documents.
    public var limit: Int?
    /// The assumptions of the translation, sorted and without duplicates.
    ///
    /// See S11.
    public var assumptions: [Assumption]

    package init(
        filter: Document,
        sort: Document? = nil,
        projection: Document? = nil,
        skip: Int? = nil,
        limit: Int? = nil,
        assumptions: [Assumption]
    ) {
        self.filter = filter
        self.sort = sort
        self.projection = projection
        self.skip = skip
        self.limit = limit
        self.assumptions = assumptions
    }

    /// The parts that are set, as one object: `filter`, `sort`, `projection`, `skip`, `limit`.
    ///
    ///     try Query(format: "age > 21", limit: 5).mongo().document  // → {"filter":{"age":{"$gt":21}},"limit":5}
    public var document: Document {
        var document: Document = ["filter": .object(filter)]
        document["sort"] = sort.map(QueryValue.object)
        document["projection"] = projection.map(QueryValue.object)
        document["skip"] = skip.map { .int(Int64($0)) }
        document["limit"] = limit.map { .int(Int64($0)) }
        return document
    }

    /// ``document`` as relaxed Extended JSON, with ints beyond 2^53 as `$numberLong`; built in linear time.
    public var json: String { MongoText.json(document) }

    /// ``document`` as canonical Extended JSON: every number and date with its kind; built in linear time.
    ///
    ///     try Query(format: "age > 21").mongo().canonicalJSON  // → {"filter":{"age":{"$gt":{"$numberInt":"21"}}}}
    public var canonicalJSON: String { JSONWriter(style: .canonical).text(.object(document)) }
}

/// Groups as a Mongo aggregation pipeline.
///
///     try Query(format: "age > 21", limit: 3).mongoPipeline().stages
///     // → [{"$match":{"age":{"$gt":21}}}, {"$limit":3}]
///
/// See S23.
public struct MongoPipeline: Hashable, Sendable {
    /// The stages in order.
    public var stages: [Document]
    /// The assumptions of the translation, sorted and without duplicates.
    ///
    /// See S11.
    public var assumptions: [Assumption]

    /// The stages as one object with the key `pipeline`.
    public var document: Document { ["pipeline": .list(stages.map(QueryValue.object))] }

    /// ``document`` as relaxed Extended JSON, with ints beyond 2^53 as `$numberLong`; built in linear time.
    public var json: String { MongoText.json(document) }

    /// ``document`` as canonical Extended JSON: every number and date with its kind; built in linear time.
    public var canonicalJSON: String { JSONWriter(style: .canonical).text(.object(document)) }
}

enum MongoText {
    static func json(_ document: Document) -> String {
        JSONWriter(largeIntegersAsNumberLong: true).text(.object(document))
    }
}
