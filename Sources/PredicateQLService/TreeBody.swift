import PredicateQL
import QueryParsing
import QueryTree
import QueryValues
import StoreModel

/// A body with a query in this library's language: `{"pql": …, "schema": …}`, the tree and what is known of the fields.
///
/// A schema says how values are read. It is the client's word, so it must not say where they are: not in other tables,
/// and the fields that rights rest on are what they always are.
struct TreeBody: Sendable {
    private let tree: QueryValue
    private let schema: Schema?
    private let limits: Limits

    /// The query of a request; nil for a body without a tree.
    ///
    /// - Parameters:
    ///   - exchange: the request.
    ///   - configuration: the service's bounds.
    /// - Throws: `entityTooLarge` for a body beyond the bounds of queries, `badRequest` for other members beside the
    ///   tree, `jsonParseError` for what is no JSON, and `invalidQuerySyntax` for a schema that cannot be used.
    init?(_ exchange: Exchange, _ configuration: ServiceConfiguration) throws(ServiceFault) {
        try exchange.checkBody()
        let body = exchange.request.body
        guard body.count <= configuration.limits.queryBytes else {
            throw ServiceFault(.entityTooLarge, debug: "a query has at most \(configuration.limits.queryBytes) bytes")
        }
        var limits = configuration.queryLimits
        // Each level of a tree takes two of its JSON.
        limits.jsonDepth += limits.treeHeight * 2 + 8
        self.limits = limits
        var reader = JSONReader(mode: .extendedUnder([Self.key]), limits: limits)
        let value: QueryValue
        do throws(QueryError) {
            value = try body.withUnsafeBufferPointer { (text) throws(QueryError) in try reader.read(text) }
        } catch {
            throw ServiceFault(.jsonParseError, debug: error.rendered())
        }
        guard case .object(let members) = value, let tree = members[Self.key] else { return nil }
        self.tree = tree
        if let other = members.keys.first(where: { ![Self.key, "schema"].contains($0) }) {
            throw ServiceFault(.badRequest, debug: "\(other) is not a part of a query: \(Self.key), schema")
        }
        do throws(QueryError) {
            schema = try members["schema"].map { (value) throws(QueryError) in
                try Schema(jsonSchema: value).ofEntities
            }
        } catch {
            throw ServiceFault(querying: error)
        }
    }

    private static let key = "pql"

    /// The query, checked against its schema.
    func query() throws(QueryError) -> Query {
        try Self.placed { () throws(QueryError) in
            let query = try Query(jsonTree: tree, schema: schema, limits: limits)
            try query.refuseComputed()
            return query
        }
    }

    /// The groups, checked against their schema.
    func grouping() throws(QueryError) -> Grouping {
        try Self.placed { () throws(QueryError) in
            let grouping = try Grouping(jsonTree: tree, schema: schema, limits: limits)
            try grouping.validate()
            return grouping
        }
    }

    /// An error in the tree names its place in the body.
    private static func placed<Value>(_ read: () throws(QueryError) -> Value) throws(QueryError) -> Value {
        do throws(QueryError) {
            return try read()
        } catch {
            guard let path = error.path else { throw error.range == nil ? error.at(path: "$." + key) : error }
            throw error.at(path: "$." + key + (path.hasPrefix("$") ? path.dropFirst() : "." + path))
        }
    }
}

extension Schema {
    /// True if a field is in another table, at any depth; the depth is that of the JSON.
    private var hasRelations: Bool { fields.contains { $0.relation != nil || Self.hasRelations($0.type) } }

    private static func hasRelations(_ type: FieldType) -> Bool {
        switch type {
        case .object(let schema): schema.hasRelations
        case .list(let element): hasRelations(element)
        case .any, .bool, .int, .double, .string, .date, .data, .uuid, .objectID: false
        }
    }

    /// The schema of a client with the fields that every entity has.
    fileprivate var ofEntities: Schema {
        get throws(QueryError) {
            guard !hasRelations else { throw QueryError(.unsupported, "an entity has no relations", path: "schema") }
            var schema = self
            schema.primaryKey = []
            schema.fields.removeAll { field in
                field.name.hasSameUTF8(as: "_acl")
                    || ["_id", "_kmd"].contains(field.name) && !field.storedName.hasSameUTF8(as: field.name)
            }
            for name in ["_id", "_acl", "_kmd"] where !schema.fields.contains(where: { $0.name.hasSameUTF8(as: name) })
            {
                schema.fields.append(.field(name, .any))
            }
            schema.index()
            return schema
        }
    }
}
