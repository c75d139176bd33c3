import QueryValues

/// Finds the `id` of a line that the reader rejects because of a value in it: a duplicate key, a number beyond 64 bits,
/// too many levels.
///
/// Only brackets, quotes and commas are examined; a line whose outermost object is not closed has no id.
struct RequestIdentity {
    private let bytes: [UInt8]
    private var index = 0

    /// The id, or nil if the line is not an object.
    ///
    /// Null for an object without an id or with two. Linear in the line.
    ///
    /// - Parameter line: one line in UTF-8.
    /// - Returns: the id.
    static func find(in line: [UInt8]) -> QueryValue? {
        var scanner = RequestIdentity(bytes: line)
        return scanner.object()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// The grammar: `{ string : value , … }` and nothing after it.
    private mutating func object() -> QueryValue? {
        var ids: [QueryValue] = []
        guard take("{") else { return nil }
        if !take("}") {
            repeat {
                guard let key = string(), take(":"), let value = value() else { return nil }
                if bytes[key].elementsEqual("\"id\"".utf8) {
                    ids.append((try? QueryValue(json: Array(bytes[value]))) ?? .null)
                }
            } while take(",")
            guard take("}") else { return nil }
        }
        skipSpace()
        guard index == bytes.count else { return nil }
        return ids.count == 1 ? ids[0] : .null
    }

    private mutating func skipSpace() {
        while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard byte == UInt8(ascii: sign) else { return false }
        index += 1
        return true
    }

    private mutating func string() -> Range<Int>? {
        skipSpace()
        let start = index
        guard byte == UInt8(ascii: "\"") else { return nil }
        index += 1
        while let byte {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return start..<index }
        }
        return nil
    }

    /// Moves to the comma or bracket after a value, skipping nested brackets.
    private mutating func value() -> Range<Int>? {
        skipSpace()
        let start = index
        var depth = 0
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                guard string() != nil else { return nil }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return start < index ? start..<index : nil }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                return start < index ? start..<index : nil
            default: break
            }
            index += 1
        }
        return nil
    }
}
