/// The path from the outermost value of a JSON text to one inside it: `$.age.$gt`.
package indirect enum JSONPlace: Sendable {
    /// The outermost value, by the text's name; `$` if it has none.
    case root(String)
    /// A member of an object.
    case key(JSONPlace, String)
    /// An element of a list, from 0.
    case index(JSONPlace, Int)

    /// The path as text, built in linear time.
    package var path: String {
        var steps: [JSONFault.Step] = []
        var place = self
        while true {
            switch place {
            case .root(let name): return JSONFault.path(of: steps, under: name)
            case .key(let outer, let key):
                steps.append(.key(key))
                place = outer
            case .index(let outer, let index):
                steps.append(.index(index))
                place = outer
            }
        }
    }
}

/// The ranges of a JSON value and its parts; a member's range starts at its key.
package struct JSONSpan: Sendable {
    /// UTF-8 offsets in the text.
    package var range: Range<Int>
    /// The elements of a list or the members of an object, in order.
    package private(set) var parts: [JSONSpan] = []

    /// The ranges of all values of a text that a ``JSONReader`` has read without error, in linear time.
    ///
    /// - Parameter text: the bytes of a valid JSON text.
    package init(ofSound text: [UInt8]) {
        var open: [JSONSpan] = []
        var whole = JSONSpan(range: 0..<text.count)
        var start: Int?
        var index = 0
        /// Adds a completely read value to the container around it.
        func end(_ part: JSONSpan) {
            if open.isEmpty { whole = part } else { open[open.count - 1].parts.append(part) }
            start = nil
        }
        while index < text.count {
            let first = index
            switch text[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append(JSONSpan(range: (start ?? index)..<index))
                start = nil
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard var container = open.popLast() else { break }
                container.range = container.range.lowerBound..<(index + 1)
                end(container)
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09: break
            default:
                index = Self.endOfScalar(text, from: index)
                let next = Self.skippingSpace(text, from: index)
                if next < text.count, text[next] == UInt8(ascii: ":") {
                    start = first
                } else {
                    end(JSONSpan(range: (start ?? first)..<index))
                }
                continue
            }
            index += 1
        }
        self = whole
    }

    private init(range: Range<Int>) {
        self.range = range
    }

    private static func endOfScalar(_ text: [UInt8], from start: Int) -> Int {
        var index = start
        guard text[start] == UInt8(ascii: "\"") else {
            while index < text.count, !",:]} \n\r\t".utf8.contains(text[index]) { index += 1 }
            return index
        }
        index += 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, text.count)
    }

    private static func skippingSpace(_ text: [UInt8], from start: Int) -> Int {
        text[start...].firstIndex { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 } ?? text.count
    }
}

extension QueryValue {
    /// True if the key belongs to Extended JSON, where an object with only this key represents a value.
    package static func isExtendedJSONKey(_ key: String) -> Bool { ExtendedKind(rawValue: key) != nil }

    /// The message for a `$` key that represents no value.
    package static func refusal(ofExtendedJSONKey key: String) -> String { ExtendedKind.refusal(of: key) }

    /// The value with the numbers of canonical Extended JSON unwrapped: `{"$numberInt":"1"}` is 1.
    ///
    /// Malformed numbers are left unchanged. The caller must bound the depth.
    package var withPlainNumbers: QueryValue {
        switch self {
        case .list(let elements): return .list(elements.map(\.withPlainNumbers))
        case .object(let object):
            if object.count == 1, let kind = ExtendedKind(rawValue: object.keys[0]), kind.isNumber,
                let number = kind.value(of: object.values[0])
            {
                return number
            }
            return .object(Document(shape: object.shape, values: object.values.map(\.withPlainNumbers)))
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: return self
        }
    }

    /// The value of an object with a single Extended JSON key whose content is already read.
    ///
    /// - Parameters:
    ///   - key: the key, with its `$`.
    ///   - content: what follows the key.
    /// - Returns: the value.
    /// - Throws: `QueryError` of code `json` for an unknown key or a content that does not fit it.
    package static func extended(_ key: String, _ content: QueryValue) throws(QueryError) -> QueryValue {
        guard let kind = ExtendedKind(rawValue: key) else { throw QueryError(.json, ExtendedKind.refusal(of: key)) }
        guard let value = kind.value(of: content) else { throw QueryError(.json, kind.refusal) }
        return value
    }
}
