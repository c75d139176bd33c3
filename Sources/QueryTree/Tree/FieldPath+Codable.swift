extension FieldPath: Codable {
    /// Reads the keys and whether the path starts with `SELF`.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: a decoding error.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            keys: try values.decode([String].self, forKey: .keys),
            startsAtSelf: try values.decodeIfPresent(Bool.self, forKey: .startsAtSelf) ?? false
        )
    }

    /// Writes `{"keys": ["address", "zip"]}`, and whether the path starts with `SELF`.
    ///
    /// - Parameter encoder: the encoder to write to.
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
