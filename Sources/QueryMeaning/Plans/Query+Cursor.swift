import QueryChecking
import QueryTree
import QueryValues

extension Query {
    /// The position of a row in this query's order, for continuing after it.
    ///
    ///     let query = Query(order: ["-population"], limit: 2)
    ///     let first = try query.page(after: nil).results(in: cities)
    ///     let cursor = try query.cursor(after: first[1])
    ///     try query.page(after: cursor).results(in: cities).map { $0["name"] ?? nil }  // → ["Worcester", "Salem"]
    ///
    /// - Parameters:
    ///   - row: the last row of a page, by stored names; `Document(queryable:)` makes one of a struct.
    ///   - identity: the field that identifies rows, unique and never nil; nil for the schema's primary key, else `_id`.
    /// - Returns: the position.
    /// - Throws: `QueryError` of code `pipeline` for a row without the identity, one with a list, an object or NaN in a
    ///   sort key, one that does not hold the other table's row that has a key, one whose key is inside a text of JSON, and
    ///   for a query whose fields omit a key.
    public func cursor(after row: Document, by identity: FieldPath? = nil) throws(QueryError) -> PageCursor {
        try validatePipeline()
        let (order, identity) = totalOrder(identity)
        let evaluator = RowEvaluator(schema: schema)
        var values: [QueryValue] = []
        let shown = fields.map(Set.init)
        for key in order {
            if let shown, !shown.contains(key.path) {
                throw QueryError(
                    .pipeline,
                    "the fields do not include the key \(key.path.dotted)",
                    hint: "add \(key.path.dotted) to the fields"
                )
            }
            if leavesOut(key, row) {
                let hint = "order by fields of the row's own table"
                throw unplaced(key, "is in a row of another table, which the row does not hold", hint: hint)
            }
            let value = try evaluator.value(of: .field(key.path, .none), in: row, now: 0) ?? .null
            if let text = try jsonText(before: key, row, evaluator) {
                let hint = "declare \(text) as an object in a schema, so that rows show what is in it"
                throw unplaced(key, "is inside the JSON text \(text)", hint: hint)
            }
            switch value.kind {
            case .list, .object, .shape: throw unplaced(key, "holds a \(value.kind.rawValue)")
            case .number where value.isNaN: throw unplaced(key, "is NaN")
            case .null where identity.contains(key.path):
                let hint = "name the field that identifies rows, as in by: \"id\", here and for the page"
                throw unplaced(key, "is nil", hint: hint)
            case .null, .number, .string, .bool, .date, .data, .uuid: values.append(value)
            }
        }
        return PageCursor(order: order, values: values)
    }

    /// The path to a text of JSON on the way to a key: a store's SQL reads into it, and nothing else does.
    private func jsonText(before key: SortKey, _ row: Document, _ evaluator: RowEvaluator) throws(QueryError) -> String?
    {
        for count in 1..<max(1, key.path.keys.count) {
            let path = FieldPath(keys: Array(key.path.keys.prefix(count)))
            guard case .string(let text)? = try evaluator.value(of: .field(path, .none), in: row, now: 0) else {
                continue
            }
            let first = text.utf8.first { $0 > UInt8(ascii: " ") }
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return path.dotted }
        }
        return nil
    }

    /// True for a key of another table's row, if the row has only the foreign key that leads there.
    private func leavesOut(_ key: SortKey, _ row: Document) -> Bool {
        guard let name = key.path.keys.first, let field = schema?.field(named: name), let relation = field.relation,
            row[field.storedName] == nil, let foreignKey = row[relation.foreignKey]
        else { return false }
        return !foreignKey.isNull
    }

    private func unplaced(_ key: SortKey, _ reason: String, hint: String? = nil) -> QueryError {
        QueryError(.pipeline, "no page can continue after a row whose \(key.path.dotted) \(reason)", hint: hint)
    }
}
