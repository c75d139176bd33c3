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
