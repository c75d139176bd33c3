import QueryMongo
import QueryTree
import QueryValues

/// The parts that accompany a filter.
struct MongoQueryParts {
    var sort: MongoNode?
    var projection: MongoNode?
    var skip: Int?
    /// The maximum number of documents; 0 for none (S21).
    var limit: Int?

    /// - Parameters:
    ///   - skip: the number of documents to skip.
    ///   - limit: as Mongo reads it: 0 for all documents.
    init(skip: Int? = nil, mongoLimit limit: Int? = nil) {
        self.skip = skip
        self.limit = limit == 0 ? nil : limit
    }

    /// Gives a query the parts, by property names.
    func complete(_ query: inout Query, _ reader: FilterReader) throws(QueryError) {
        query.order = try order(reader)
        query.fields = try fields(reader)
        (query.skip, query.limit) = (skip, limit)
    }

    /// The sort keys by property names.
    ///
    /// A schema need not name the identity, which comes last in the order of a page to break its ties (S22).
    private func order(_ reader: FilterReader) throws(QueryError) -> [SortKey] {
        guard let sort else { return [] }
        let directions = try sort.directions()
        var order: [SortKey] = []
        for (position, (key, isAscending, node)) in directions.enumerated() {
            do throws(QueryError) {
                order.append(SortKey(FieldPath(keys: try reader.field(key, node).path), ascending: isAscending))
            } catch {
                let breaksTies = key == "_id" && position == directions.count - 1 && (skip != nil || limit != nil)
                guard breaksTies, error.code == .unknownField, order.last?.isAscending == isAscending else {
                    throw error
                }
            }
        }
        return order
    }

    /// The requested fields by property names; `_id` is included unless it is excluded.
    private func fields(_ reader: FilterReader) throws(QueryError) -> [FieldPath]? {
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
            default: throw node.unsupported("a projection takes 1 for each field to include")
            }
            if key == "_id" { identifier = isWanted }
            if isWanted {
                paths.append(FieldPath(keys: try reader.field(key, node).path))
            } else if key != "_id" {
                throw node.unsupported("a query lists the fields to include, not those to exclude")
            }
        }
        guard !paths.isEmpty else {
            throw projection.unsupported("a query lists the fields to include, not those to exclude")
        }
        if identifier == nil { paths.append("_id") }
        return paths
    }
}

extension MongoNode {
    /// The keys of a sort in their order.
    func directions() throws(QueryError) -> [(key: String, isAscending: Bool, node: MongoNode)] {
        guard case .object = value else {
            throw wrong("the sort must be an object", hint: #"write {"year":-1,"title":1}, or "-year,title""#)
        }
        return try members.map { (key, node) throws(QueryError) in
            if key.utf8.first == UInt8(ascii: "$") { throw node.wrong("a sort takes fields") }
            switch node.value {
            case .int(1), .double(1): return (key, true, node)
            case .int(-1), .double(-1): return (key, false, node)
            case .object: throw node.unsupported("a query sorts by fields only")
            default: throw node.wrong("the direction must be 1 or -1")
            }
        }
    }
}

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
