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
