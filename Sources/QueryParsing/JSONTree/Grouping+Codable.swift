import QueryTree
import QueryValues

extension Grouping: EncodedAs, Codable {
    package struct Encoded: Codable {
        fileprivate var query: Query
        fileprivate var keys: [GroupKey]
        fileprivate var reducers: [Reducer]
        fileprivate var having: Condition?
    }

    package init(encoded: Encoded) {
        self.init(encoded.query, by: encoded.keys, computing: encoded.reducers, having: encoded.having)
    }

    package var encoded: Encoded { Encoded(query: query, keys: keys, reducers: reducers, having: having) }
}

extension GroupKey: Codable {
    private enum Key: String, CodingKey {
        case format, arguments
        case alias = "as"
    }

    /// Reads a path, or `{"format": …, "as": …}`.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: a decoding error, or `QueryError` for a text that is not a term.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        guard let format = try values.decodeIfPresent(String.self, forKey: .format) else {
            self.init(try FieldPath(from: decoder))
            return
        }
        let texts = try values.decodeIfPresent([String].self, forKey: .arguments) ?? []
        let arguments = try texts.map { try QueryValue(json: $0, extended: true) }
        let alias = try values.decodeIfPresent(String.self, forKey: .alias)
        self.init(try Term(parsing: format, arguments), as: alias)
    }

    /// Writes a path; for another key its canonical text, the arguments it needs as Extended JSON texts, and its name.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: an encoding error.
    public func encode(to encoder: any Encoder) throws {
        if let path, alias == nil { return try path.encode(to: encoder) }
        var values = encoder.container(keyedBy: Key.self)
        let written = written
        try values.encode(written.text, forKey: .format)
        if !written.arguments.isEmpty {
            try values.encode(written.arguments.map { $0.extendedJSON() }, forKey: .arguments)
        }
        try values.encodeIfPresent(alias, forKey: .alias)
    }
}

extension Reducer: Codable {
    private enum Key: String, CodingKey {
        case operation, path
        case alias = "as"
    }

    /// The kind by its name in data; Swift code has none.
    func dataName() throws(QueryError) -> String {
        guard kind != .custom else { throw QueryError(.unsupported, "the Swift code of \(name) cannot be encoded") }
        return kind.rawValue
    }

    /// Reads `{"operation": "avg", "path": …, "as": …}`, whose path is written as a group key is.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: a decoding error.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let alias = try values.decodeIfPresent(String.self, forKey: .alias)
        let kind = try values.decode(Kind.self, forKey: .operation)
        let value = kind == .count ? nil : try values.decode(GroupKey.self, forKey: .path)
        guard let operation = kind.operation(value) else {
            throw DecodingError.dataCorruptedError(
                forKey: .operation,
                in: values,
                debugDescription: "no such operation"
            )
        }
        self.init(operation, as: alias)
    }

    /// Writes operation, what it reads, and name.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: an encoding error, also for a reducer of Swift code, which is not data.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(dataName(), forKey: .operation)
        try values.encodeIfPresent(value, forKey: .path)
        try values.encodeIfPresent(alias, forKey: .alias)
    }
}
