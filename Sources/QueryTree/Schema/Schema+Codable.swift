extension Schema: Codable {
    /// Reads a JSON Schema from a single string.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: a decoding error, or `QueryError` for a malformed schema.
    public init(from decoder: any Decoder) throws {
        try self.init(jsonSchema: decoder.singleValueContainer().decode(String.self))
    }

    /// Writes ``jsonSchema`` as a single string, which keeps the order of the fields.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: an encoding error.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(jsonSchema.extendedJSON())
    }
}
