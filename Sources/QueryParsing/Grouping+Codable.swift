import QuerySyntax

extension Grouping: Codable {
    private enum Key: CodingKey {
        case query, keys, reducers, having
    }

    /// Reads a grouping as ``encode(to:)`` writes it.
    ///
    /// - Parameter decoder: where to read.
    /// - Throws: a decoding error, or `QueryError` for a text that is no condition.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            try values.decode(Query.self, forKey: .query),
            by: try values.decode([FieldPath].self, forKey: .keys),
            computing: try values.decode([Reducer].self, forKey: .reducers),
            having: try values.decodeIfPresent(Condition.self, forKey: .having)
        )
    }

    /// Writes query, keys, reducers and `having`.
    ///
    /// - Parameter encoder: where to write.
    /// - Throws: an encoding error, also for a reducer of Swift code.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(query, forKey: .query)
        try values.encode(keys, forKey: .keys)
        try values.encode(reducers, forKey: .reducers)
        try values.encodeIfPresent(having, forKey: .having)
    }
}

extension Reducer: Codable {
    private enum Key: String, CodingKey {
        case operation, path
        case alias = "as"
    }

    private enum Name: String, Codable {
        case count, sum, avg, min, max
    }

    /// Reads `{"operation": "avg", "path": …, "as": …}`.
    ///
    /// - Parameter decoder: where to read.
    /// - Throws: a decoding error.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let alias = try values.decodeIfPresent(String.self, forKey: .alias)
        let path = { try values.decode(FieldPath.self, forKey: .path) }
        switch try values.decode(Name.self, forKey: .operation) {
        case .count: self.init(.count, as: alias)
        case .sum: self.init(.sum(try path()), as: alias)
        case .avg: self.init(.average(try path()), as: alias)
        case .min: self.init(.min(try path()), as: alias)
        case .max: self.init(.max(try path()), as: alias)
        }
    }

    /// Writes operation, path and name.
    ///
    /// - Parameter encoder: where to write.
    /// - Throws: an encoding error, also for a reducer of Swift code, which is no data.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        let name: Name
        switch operation {
        case .count: name = .count
        case .sum: name = .sum
        case .average: name = .avg
        case .min: name = .min
        case .max: name = .max
        case .custom(let reduction):
            throw QueryError(.unsupported, "the Swift code of \(reduction.name) is no data")
        }
        try values.encode(name, forKey: .operation)
        try values.encodeIfPresent(path, forKey: .path)
        try values.encodeIfPresent(alias, forKey: .alias)
    }
}
