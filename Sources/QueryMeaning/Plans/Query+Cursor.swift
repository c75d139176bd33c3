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
    ///   - row: the last row of a page, by stored names.
    ///   - identity: the field that identifies rows, unique and never nil; nil for the schema's primary key, else `_id`.
    /// - Returns: the position.
    /// - Throws: `QueryError` of code `pipeline` for a row without the identity, one with a list, an object or NaN in a
    ///   sort key, and for a query whose fields omit a key.
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
            let value = try evaluator.value(of: .field(key.path, .none), in: row, now: 0) ?? .null
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

    private func unplaced(_ key: SortKey, _ reason: String, hint: String? = nil) -> QueryError {
        QueryError(.pipeline, "no page can continue after a row whose \(key.path.dotted) \(reason)", hint: hint)
    }
}
