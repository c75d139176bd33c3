import Foundation
import PredicateQL

extension SpecCase {
    /// The query of the block with its arguments, variables, schema and pipeline.
    ///
    /// - Returns: the query.
    /// - Throws: `QueryError` as parsing does, or for a malformed given.
    public func makeQuery() throws(QueryError) -> Query {
        let shown = try shownFields()
        let parsed = try Query(
            parsing: query,
            arguments: arguments(),
            order: sortKeys(),
            skip: number("skip"),
            limit: number("limit"),
            fields: shown.paths,
            computed: shown.computed,
            nilMeaning: self["nil"].flatMap(NilMeaning.init(rawValue:)) ?? .nullOrAbsent,
            schema: schema()
        )
        guard let text = self["variables"], case .object(let variables) = try QueryValue(json: text, extended: true)
        else { return parsed }
        return try parsed.binding(Dictionary(variables.pairs.map { ($0, $1) }, uniquingKeysWith: { _, last in last }))
    }

    /// The groups of the block, or nil if it has none.
    ///
    /// - Returns: the grouping.
    /// - Throws: `QueryError` as parsing does.
    public func makeGrouping() throws(QueryError) -> Grouping? {
        guard self["group"] != nil || self["compute"] != nil else { return nil }
        var reducers: [Reducer] = []
        for text in GroupKey.list(self["compute"] ?? "") where !text.isEmpty {
            reducers.append(try Reducer(parsing: text))
        }
        var having: Condition?
        if let text = self["having"] { having = try Condition(parsing: text) }
        var keys: [GroupKey] = []
        for text in self["group"].map(GroupKey.list) ?? [] { keys.append(try GroupKey(parsing: text)) }
        return Grouping(try makeQuery(), by: keys, computing: reducers, having: having)
    }

    /// The rows as documents.
    ///
    /// - Returns: one document per row.
    /// - Throws: `QueryError` for malformed JSON.
    public func documents() throws(QueryError) -> [Document] {
        var documents: [Document] = []
        for row in rows {
            let value = try QueryValue(json: row.json, extended: true, path: "\(file) row \(row.label)")
            guard case .object(let document) = value else { throw QueryError(.json, "a row is an object") }
            documents.append(document)
        }
        return documents
    }

    /// The arguments.
    ///
    /// - Returns: the list of the block, or no arguments.
    /// - Throws: `QueryError` for malformed JSON.
    public func arguments() throws(QueryError) -> [QueryValue] {
        guard let text = self["arguments"] else { return [] }
        guard case .list(let values) = try QueryValue(json: text, extended: true) else {
            throw QueryError(.json, "arguments are a list")
        }
        return values
    }

    /// The schema, or nil.
    ///
    /// - Returns: the schema of the block or its context.
    /// - Throws: `QueryError` for a malformed schema.
    public func schema() throws(QueryError) -> Schema? {
        guard let text = self["schema"] else { return nil }
        return try Schema(jsonSchema: text)
    }

    /// The fixed instant, or nil.
    public var now: Int64? { self["now"].flatMap { Int64($0) } }

    /// True if the block has an order, a skip or a limit.
    public var hasPipeline: Bool { ["order", "skip", "limit"].contains { self[$0] != nil } }

    private func number(_ key: String) -> Int? { self[key].flatMap { Int($0) } }

    private func items(_ key: String) -> [String] {
        (self[key] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private func sortKeys() throws(QueryError) -> [SortKey] {
        var keys: [SortKey] = []
        for text in items("order") { keys.append(try SortKey(parsing: text)) }
        return keys
    }

    /// The paths of `fields`, nil if there are none, and the computed fields.
    private func shownFields() throws(QueryError) -> (paths: [FieldPath]?, computed: [ComputedField]) {
        guard let text = self["fields"] else { return (nil, []) }
        var paths: [FieldPath] = []
        var computed: [ComputedField] = []
        for part in GroupKey.list(text) {
            if GroupKey.definitionSign(in: part) == nil {
                paths.append(try FieldPath(parsing: part))
            } else {
                computed.append(try ComputedField(parsing: part))
            }
        }
        return (paths.isEmpty ? nil : paths, computed)
    }
}
