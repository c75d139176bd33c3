/// A type that is encoded as another one.
package protocol EncodedAs: Codable {
    associatedtype Encoded: Codable
    init(encoded: Encoded) throws
    var encoded: Encoded { get throws }
}

extension EncodedAs {
    /// Reads what `encode(to:)` writes; throws a decoding error, or `QueryError` for a malformed text in it.
    public init(from decoder: any Decoder) throws { try self.init(encoded: Encoded(from: decoder)) }

    /// Writes the data of the type; throws an encoding error.
    public func encode(to encoder: any Encoder) throws { try encoded.encode(to: encoder) }
}

extension QueryValue: EncodedAs, Codable {
    package init(encoded text: String) throws { self = try QueryValue(json: text, extended: true) }

    /// Extended JSON; a string keeps what encoders lose: the order of keys, and ints apart from doubles (S1).
    package var encoded: String { extendedJSON() }
}
