/// The `_id` of an entity: any text of 1 to 256 bytes without control characters that does not begin with `_`, and is
/// neither `.` nor `..`, which a URL turns into another path.
///
/// Generated ids have 26 characters: a time and 80 random bits in base 32, so that they sort by their time of creation
/// (the form of ULID). They are never 12 or 24 characters long, which Kinvey's service would turn into ObjectIDs.
///
///     EntityID.isValid("book-1")  // → true
///     EntityID.isValid("_find")  // → false
public enum EntityID {
    /// Returns true if a text may be the `_id` of an entity.
    ///
    ///     EntityID.isValid("")  // → false
    ///
    /// - Parameter text: the text.
    /// - Returns: true if it is allowed.
    public static func isValid(_ text: String) -> Bool {
        let bytes = text.utf8
        guard (1...256).contains(bytes.count), bytes.first != UInt8(ascii: "_") else { return false }
        let isDots = bytes.count <= 2 && bytes.allSatisfy { $0 == UInt8(ascii: ".") }
        return !isDots && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }

    /// What ``isValid(_:)`` demands, for people.
    package static let rule =
        "it takes 1 to 256 bytes without control characters, does not begin with _, is not . or .."

    /// Returns true if a text may name a collection: 1 to 128 letters, digits, `-` and `_`, not beginning with `_`.
    ///
    ///     EntityID.isCollection("Book")  // → true
    ///     EntityID.isCollection("a/b")  // → false
    ///
    /// - Parameter text: the text.
    /// - Returns: true if it is allowed.
    public static func isCollection(_ text: String) -> Bool {
        let bytes = text.utf8
        guard (1...128).contains(bytes.count), bytes.first != UInt8(ascii: "_") else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }

    /// Generates an id for a time.
    ///
    ///     EntityID.make(at: 1_594_916_197_597, random: 0, 0)  // → 01edc6kn6x0000000000000000
    ///
    /// - Parameters:
    ///   - now: the current time, milliseconds since 1970.
    ///   - high: random bits, of which 16 are used.
    ///   - low: 64 random bits.
    /// - Returns: 26 characters of `0-9a-z` without `i`, `l`, `o` and `u`.
    public static func make(at now: Int64, random high: UInt64, _ low: UInt64) -> String {
        text(of: UInt64(truncatingIfNeeded: max(0, now)) << 16 | high & 0xFFFF, low)
    }

    /// 128 bits as 26 characters, the highest first.
    ///
    ///     EntityID.text(of: 0, 31)  // → 0000000000000000000000000z
    ///
    /// - Parameters:
    ///   - high: the upper 64 bits.
    ///   - low: the lower 64 bits.
    /// - Returns: the characters.
    package static func text(of high: UInt64, _ low: UInt64) -> String {
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(26)
        for position in 0..<26 {
            let shift = UInt64(125 - 5 * position)
            let bits =
                shift >= 64
                ? high >> (shift - 64)
                : low >> shift | (shift > 59 ? high << (64 - shift) : 0)
            bytes.append(alphabet[Int(bits & 31)])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
