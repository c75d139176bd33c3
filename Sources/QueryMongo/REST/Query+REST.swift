import QueryChecking
import QueryTree
import QueryValues

extension Query {
    /// The query as a request to a data service: URL items `query`, `sort`, `fields`, `skip`, `limit`, in this order
    /// and each only if set.
    ///
    ///     try Query(format: "age > 21", order: ["name"], limit: 10).rest().items.map(\.value)
    ///     // → ["{\"age\":{\"$gt\":21}}", "{\"name\":1,\"_id\":1}", "10"]
    ///     try Query(format: "age > 21").rest(.kinvey, .count).path  // → _count
    ///
    /// Unsupported parts throw an error; ``split(for:guarded:now:)`` gives the part that the service supports.
    ///
    /// - Parameters:
    ///   - profile: what the service understands.
    ///   - action: what to do with the documents. Changes and removals ignore the query's order.
    ///   - guarded: true for a filter that assumes nothing about lists and tests for them itself.
    ///   - now: milliseconds since 1970 for `now()`; nil for the current time (S20).
    /// - Returns: the request.
    /// - Throws: `QueryError` of code `unsupported` with the range of what the service does not support, or for a limit
    ///   beyond the service's; `pipeline` for changes or removals with skip or limit, for removals with fields, for a
    ///   removal that would remove every document, and for `removalOfAll` with a condition.
    /// - Complexity: linear in the size of the query and of the filter.
    public func rest(
        _ profile: MongoProfile = .kinvey,
        _ action: RESTAction = .find,
        guarded: Bool = false,
        now: Int64? = nil
    ) throws(QueryError) -> RESTRequest {
        let mongo = try self.mongo(profile, guarded: guarded, now: now)
        var request = RESTRequest(mongo)
        if !mongo.filter.isEmpty { request.items.append(.init("query", MongoText.json(mongo.filter))) }
        switch action {
        case .find:
            request.items += try mongo.restSort + mongo.restFields() + mongo.restRange
        case .count:
            request.path = "_count"
            request.items += mongo.restSort + mongo.restRange
        case .changes(let instant):
            try refuseRange("changes")
            request.path = "_deltaset"
            request.items.insert(.init("since", DateText.iso8601(instant)), at: 0)
            request.items += try mongo.restFields()
        case .removal:
            try refuseRange("a removal", fieldsToo: true)
            request.method = .delete
            guard !mongo.filter.isEmpty else {
                let hint = "use removalOfAll to remove every document"
                throw QueryError(.pipeline, "this removes every document", hint: hint)
            }
        case .removalOfAll:
            try refuseRange("a removal", fieldsToo: true)
            request.method = .delete
            guard mongo.filter.isEmpty else {
                throw QueryError(.pipeline, "removalOfAll takes no condition", hint: "use removal")
            }
            request.items.append(.init("query", "{}"))
        }
        return request
    }

    /// A cache key for this query's documents: equal for queries that differ only in how they are written.
    ///
    ///     try Query(format: "a > 1 AND NOT NOT b == 2").cacheKey == Query(format: "a > 1 && b = 2").cacheKey
    ///     // → true
    ///
    /// It contains the normalized condition, the order, skip, limit, the sorted fields, the computed ones and the nil meaning.
    ///
    /// - Complexity: O(n log n) in the number of nodes.
    package var cacheKey: String {
        var normal = Query(condition.normalized(nilMeaning: nilMeaning))
        normal.nilMeaning = nilMeaning
        var key: Document = [
            "where": .string(normal.format), "arguments": .list(normal.arguments),
            "nil": .string(nilMeaning.rawValue),
        ]
        if !order.isEmpty {
            key["order"] = .list(
                order.map {
                    [.list($0.path.keys.map { .string($0) }), .bool($0.isAscending), .string($0.options.text)]
                }
            )
        }
        key["skip"] = skip.map { .int(Int64($0)) }
        key["limit"] = limit.map { .int(Int64($0)) }
        if let fields {
            let sorted = fields.map(\.keys).sorted { $0.lexicographicallyPrecedes($1) { $0.precedesInUTF8($1) } }
            key["fields"] = .list(sorted.map { .list($0.map { .string($0) }) })
        }
        if !computed.isEmpty {
            key["computed"] = .list(
                computed.map { field in
                    let written = field.written
                    return [.string(field.name), .string(written.text), .list(written.arguments)]
                }
            )
        }
        return JSONWriter(style: .canonical).text(.object(key))
    }

    private func refuseRange(_ what: String, fieldsToo: Bool = false) throws(QueryError) {
        guard skip == nil, limit == nil, !fieldsToo || fields == nil else {
            let hint = fieldsToo ? "leave out skip, limit and fields" : "leave out skip and limit"
            throw QueryError(.pipeline, "\(what) cannot be limited to part of the results", hint: hint)
        }
    }
}

extension RESTRequest {
    /// A request for documents, without items.
    init(_ mongo: MongoQuery) {
        self.init(
            method: .get,
            path: "",
            items: [],
            body: nil,
            assumptions: mongo.assumptions,
            warnings: Self.warnings(of: mongo.filter)
        )
    }

    /// Warnings about texts that the service converts to ObjectIds.
    static func warnings(of filter: Document) -> [String] {
        var texts: [String] = []
        collect(.object(filter), isIdentity: false, &texts)
        return texts.map { "the service reads the _id \"\($0)\" of \($0.utf8.count) characters as an ObjectId" }
    }

    private static func collect(_ value: QueryValue, isIdentity: Bool, _ texts: inout [String]) {
        switch value {
        case .string(let text):
            if isIdentity, [12, 24].contains(text.utf8.count), !texts.contains(where: text.hasSameUTF8) {
                texts.append(text)
            }
        case .list(let elements):
            for element in elements { collect(element, isIdentity: isIdentity, &texts) }
        case .object(let object):
            for (key, element) in object.pairs where !["$regex", "$options"].contains(key) {
                let isOperator = key.utf8.first == UInt8(ascii: "$")
                collect(element, isIdentity: key.hasSameUTF8(as: "_id") || isOperator && isIdentity, &texts)
            }
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: break
        }
    }
}

extension MongoQuery {
    /// The ordered sort keys.
    var restSort: [RESTRequest.Item] {
        sort.map { [RESTRequest.Item("sort", MongoText.json($0))] } ?? []
    }

    /// The requested names separated by commas.
    func restFields() throws(QueryError) -> [RESTRequest.Item] {
        guard let projection else { return [] }
        let names = projection.pairs.filter { $0.1 == 1 }.map(\.0)
        if let name = names.first(where: { $0.utf8.contains(UInt8(ascii: ",")) }) {
            throw QueryError(
                .unsupported,
                "the service cannot select the field \(name) together with others",
                hint: "request all fields"
            )
        }
        return [RESTRequest.Item("fields", names.joined(separator: ","))]
    }

    /// Skip and limit.
    var restRange: [RESTRequest.Item] {
        [("skip", skip), ("limit", limit)].compactMap { name, value in value.map { .init(name, String($0)) } }
    }
}
