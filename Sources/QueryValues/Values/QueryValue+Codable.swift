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
