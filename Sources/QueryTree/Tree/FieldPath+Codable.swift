import QueryValues

extension FieldPath: EncodedAs, Codable {
    /// `{"keys": ["address", "zip"]}`, and whether the path starts with `SELF`.
    package struct Encoded: Codable {
        fileprivate var keys: [String]
        fileprivate var startsAtSelf: Bool?

        private enum CodingKeys: String, CodingKey {
            case keys
            case startsAtSelf = "self"
        }
    }

    package init(encoded: Encoded) {
        self.init(keys: encoded.keys, startsAtSelf: encoded.startsAtSelf ?? false)
    }

    package var encoded: Encoded { Encoded(keys: keys, startsAtSelf: startsAtSelf ? true : nil) }
}
