extension QueryError {
    /// The messages for faults of rows that the tool has advice for.
    package static let rowIsNoObject = "expected an object"
    package static let wholeIsTooLarge = "the whole number does not fit in 64 bits"
    package static let textIsNoUTF8 = "the text is not valid UTF-8"

    /// The error of a row of JSON text that is longer than allowed.
    static func rowTooLong(_ index: Int, _ longest: Int, line: Int, offset: Int) -> QueryError {
        QueryError(
            .limit,
            "documents[\(index)]: the row has more than \(longest) bytes (line \(line), byte offset \(offset))",
            range: offset..<offset,
            path: "documents[\(index)]",
            hint: "is each row on its own line? If so, raise Limits.rowBytes"
        )
    }

    /// The error of a malformed row, with the row's place in its text.
    ///
    /// - Parameters:
    ///   - index: the row's number, from 0.
    ///   - line: the line on which it begins, from 1.
    ///   - offset: the offset in the text of its first byte.
    /// - Returns: the error with the row in its message.
    package func ofMalformedRow(_ index: Int, line: Int, offset: Int) -> QueryError {
        var placed = self
        let place = offset + (range?.lowerBound ?? 0)
        placed.message = "documents[\(index)]: \(message) (line \(line), byte offset \(place))"
        return placed
    }
}

/// The scanner's error: small, and without the text.
///
/// The path to the fault is collected when it is thrown; it costs nothing before.
struct JSONFault: Error {
    enum Step {
        case key(String)
        case index(Int)
    }

    var message: String
    /// Byte offsets in the text.
    var range: Range<Int>
    /// The path to the fault, innermost step first.
    var steps: [Step] = []

    /// The error for users.
    func error(in bytes: UnsafeBufferPointer<UInt8>, path: String?) -> QueryError {
        let quotable = bytes.count <= JSONReader.longestQuotedText
        return QueryError(
            .json,
            message,
            range: range,
            source: quotable ? String(decoding: bytes, as: UTF8.self) : nil,
            path: Self.path(of: steps, under: path)
        )
    }

    /// `$.a[2]`, `documents[3].address.zip`; keys that are not words are written `["two words"]`.
    static func path(of steps: [Step], under prefix: String?) -> String {
        var path = prefix ?? "$"
        for step in steps.reversed() {
            switch step {
            case .index(let index):
                path += "[\(index)]"
            case .key(let key) where isWord(key):
                path += path.isEmpty ? key : "." + key
            case .key(let key):
                var quoted: [UInt8] = []
                JSONWriter.write(string: key, to: &quoted)
                path += "[" + String(decoding: quoted, as: UTF8.self) + "]"
            }
        }
        return path.isEmpty ? "$" : path
    }

    private static func isWord(_ key: String) -> Bool {
        !key.isEmpty
            && key.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "$"
            }
    }
}
