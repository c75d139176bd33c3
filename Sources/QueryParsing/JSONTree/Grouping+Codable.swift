import QueryTree
import QueryValues

extension Grouping: Codable {
    private enum Key: CodingKey {
        case query, keys, reducers, having
    }

    /// Reads a grouping as ``encode(to:)`` writes it.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: a decoding error, or `QueryError` for a text that is not a condition.
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
    /// - Parameter encoder: the encoder to write to.
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

    /// What a reducer computes, by its name in data.
    enum Name: String, Codable, CaseIterable {
        case count, sum, avg, min, max

        /// The name of an operation; Swift code has none.
        init(_ operation: Operation) throws(QueryError) {
            switch operation {
            case .count: self = .count
            case .sum: self = .sum
            case .average: self = .avg
            case .min: self = .min
            case .max: self = .max
            case .custom(let reduction):
                throw QueryError(.unsupported, "the Swift code of \(reduction.name) cannot be encoded")
            }
        }

        /// The operation of the name.
        func operation<Failure>(_ path: () throws(Failure) -> FieldPath) throws(Failure) -> Operation {
            switch self {
            case .count: .count
            case .sum: .sum(try path())
            case .avg: .average(try path())
            case .min: .min(try path())
            case .max: .max(try path())
            }
        }
    }

    /// Reads `{"operation": "avg", "path": …, "as": …}`.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: a decoding error.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let alias = try values.decodeIfPresent(String.self, forKey: .alias)
        let name = try values.decode(Name.self, forKey: .operation)
        self.init(try name.operation { try values.decode(FieldPath.self, forKey: .path) }, as: alias)
    }

    /// Writes operation, path and name.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: an encoding error, also for a reducer of Swift code, which is not data.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(Name(operation), forKey: .operation)
        try values.encodeIfPresent(path, forKey: .path)
        try values.encodeIfPresent(alias, forKey: .alias)
    }
}
