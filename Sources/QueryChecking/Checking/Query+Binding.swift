import QueryTree
import QueryValues

extension Query {
    /// The query with its variables replaced by values; parse once, bind many times.
    ///
    ///     let template = try Query(format: "age > $least")
    ///     try template.binding(["least": 21]).format  // → age > 21
    ///
    /// - Parameter values: by variable name without the `$`; a name that the query does not use is an error.
    /// - Returns: the bound query, checked against its schema again.
    /// - Throws: `QueryError` of code `argument` for a name that the query does not use, and what ``checked()`` throws.
    public func binding(_ values: [String: QueryValue]) throws(QueryError) -> Query {
        var bound = self
        guard !computed.isEmpty else {
            bound.condition = try condition.binding(values)
            return try bound.checked()
        }
        // Together they must use every name.
        let reading = Condition.and([condition] + computed.map(\.key.test))
        if case .and(let parts) = try reading.binding(values), parts.count == computed.count + 1 {
            bound.condition = parts[0]
            for (position, part) in parts.dropFirst().enumerated() {
                if case .comparison(let comparison) = part { bound.computed[position].term = comparison.left }
            }
        }
        return try bound.checked()
    }
}
