extension QueryValue: Codable {
    /// Reads Extended JSON from a single string, as ``encode(to:)`` writes it.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: a decoding error, or `QueryError` of code `json` for a malformed text.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = try QueryValue(json: text, extended: true)
    }

    /// Writes Extended JSON as a single string.
    ///
    /// A string keeps what encoders lose: the order of keys, and the difference between ints and doubles (S1).
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: an encoding error.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(extendedJSON())
    }
}
