import QueryMongo
import QueryValues

extension MongoQuery {
    /// Reads the JSON of a find query: `filter`, and optionally `sort`, `projection`, `skip` and `limit`.
    ///
    ///     try MongoQuery(json: #"{"filter":{"age":21},"limit":5}"#).limit  // → 5
    ///
    /// This is the format that ``json`` writes. The parts are not interpreted; reading them as a query checks them.
    ///
    /// - Parameters:
    ///   - json: a JSON object.
    ///   - limits: bounds on the text and its depth.
    /// - Throws: `QueryError` of code `json` for another key or a part of the wrong shape, `limit` for a text that is too
    ///   long. Linear in the text.
    public init(json: String, limits: Limits = .default) throws(QueryError) {
        let node = try MongoNode(reading: json, path: "$", limits)
        self.init(filter: [:], assumptions: [])
        guard node.member("filter") != nil else {
            throw node.wrong("the key `filter` is missing", hint: "a bare filter is not a find query")
        }
        for (key, member) in node.members {
            switch key {
            case "filter": filter = try member.object("the filter")
            case "sort": sort = try member.object("the sort")
            case "projection": projection = try member.object("the projection")
            case "skip": skip = try member.count("skip")
            case "limit": limit = try member.count("limit")
            default: throw member.wrong("unknown key", hint: "known: filter, sort, projection, skip, limit")
            }
        }
    }
}

extension MongoNode {
    /// A number of documents.
    func count(_ what: String) throws(QueryError) -> Int {
        guard let count = Int(exactly: try whole(what)), count >= 0 else { throw wrong("\(what) must not be negative") }
        return count
    }
}
