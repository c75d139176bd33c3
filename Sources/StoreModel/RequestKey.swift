/// The identity of a write, so that a repeated request has no second effect: `client:number:nonce`.
///
/// The number grows with each write of a client; the nonce is new for each revision of the entity, and may be empty.
/// It is sent in the header `Idempotency-Key`, or in `_kmd.rid` of an entity among several.
///
///     let key = RequestKey("dGhlIGNsaWVudCBvZiBtaW5l:7:a1b2c3")
///     key == nil  // → true
///     RequestKey("AAAAAAAAAAAAAAAAAAAAAA:7:a1b2c3")?.number  // → 7
public struct RequestKey: Hashable, Sendable {
    /// The client: 22 characters of base64url.
    public var client: String
    /// The number of the write, from 1.
    public var number: Int64
    /// 6 characters, or none.
    public var nonce: String

    /// A key.
    ///
    ///     RequestKey(client: "AAAAAAAAAAAAAAAAAAAAAA", number: 1, nonce: "").text  // → AAAAAAAAAAAAAAAAAAAAAA:1:
    ///
    /// - Parameters:
    ///   - client: 22 characters of base64url.
    ///   - number: the number of the write, from 1.
    ///   - nonce: 6 characters, or none.
    public init(client: String, number: Int64, nonce: String) {
        self.client = client
        self.number = number
        self.nonce = nonce
    }

    /// Parses a key; nil for any other text.
    ///
    ///     RequestKey("client:1") == nil  // → true
    ///
    /// - Parameter text: `client:number:nonce` or `client:number`.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, parts[0].utf8.count == 22, parts[0].utf8.allSatisfy(Self.isBase64),
            let number = Int64(parts[1]), number > 0, parts[1].utf8.first != UInt8(ascii: "+")
        else { return nil }
        let nonce = parts.count == 3 ? String(parts[2]) : ""
        guard nonce.isEmpty || nonce.utf8.count == 6 && nonce.utf8.allSatisfy(Self.isBase64) else { return nil }
        self.init(client: String(parts[0]), number: number, nonce: nonce)
    }

    /// The text of the header.
    public var text: String { "\(client):\(number):\(nonce)" }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
