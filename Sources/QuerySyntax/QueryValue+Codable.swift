extension QueryValue: Codable {
    /// Reads one text of Extended JSON, as ``encode(to:)`` writes it.
    ///
    /// - Parameter decoder: where to read.
    /// - Throws: a decoding error, or `QueryError` of code `json` for a malformed text.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = try QueryValue(json: text, extended: true)
    }

    /// Writes one text of Extended JSON.
    ///
    /// A text keeps what the encoders lose: the order of keys, and ints apart from doubles (S1).
    ///
    /// - Parameter encoder: where to write.
    /// - Throws: an encoding error.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(extendedJSON())
    }
}

extension FieldPath: Codable {
    /// Reads the keys and whether `SELF` stands in front.
    ///
    /// - Parameter decoder: where to read.
    /// - Throws: a decoding error.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            keys: try values.decode([String].self, forKey: .keys),
            startsAtSelf: try values.decodeIfPresent(Bool.self, forKey: .startsAtSelf) ?? false
        )
    }

    /// Writes `{"keys": ["address", "zip"]}`, and whether `SELF` stands in front.
    ///
    /// - Parameter encoder: where to write.
    /// - Throws: an encoding error.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(keys, forKey: .keys)
        if startsAtSelf { try values.encode(true, forKey: .startsAtSelf) }
    }

    private enum Key: String, CodingKey {
        case keys
        case startsAtSelf = "self"
    }
}

extension Schema: Codable {
    /// Reads one text of JSON Schema.
    ///
    /// - Parameter decoder: where to read.
    /// - Throws: a decoding error, or `QueryError` for a malformed schema.
    public init(from decoder: any Decoder) throws {
        try self.init(jsonSchema: decoder.singleValueContainer().decode(String.self))
    }

    /// Writes ``jsonSchema`` as one text, which keeps the order of the fields.
    ///
    /// - Parameter encoder: where to write.
    /// - Throws: an encoding error.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(jsonSchema.extendedJSON())
    }
}
