/// The way from the outermost value of a JSON text to one inside it: `$.age.$gt`.
package indirect enum JSONPlace: Sendable {
    /// The outermost value, by the text's name; `$` when it has none.
    case root(String)
    /// A member of an object.
    case key(JSONPlace, String)
    /// An element of a list, from 0.
    case index(JSONPlace, Int)

    /// The way as text, made in linear time.
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

/// Where a value of a JSON text stands, and where its parts do; a member's place begins at its key.
package struct JSONSpan: Sendable {
    /// UTF-8 offsets in the text.
    package var range: Range<Int>
    /// The elements of a list or the members of an object, in order.
    package private(set) var parts: [JSONSpan] = []

    /// The places of all values of a text that a ``JSONReader`` has read without fault, in linear time.
    ///
    /// - Parameter text: the bytes of a sound JSON text.
    package init(ofSound text: [UInt8]) {
        var open: [JSONSpan] = []
        var whole = JSONSpan(range: 0..<text.count)
        var start: Int?
        var index = 0
        /// Adds a value that is read whole to the container around it.
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
    /// True when the key belongs to Extended JSON: an object with it alone stands for a value.
    package static func isExtendedJSONKey(_ key: String) -> Bool { ExtendedKind(rawValue: key) != nil }

    /// What is wrong with a `$` key that stands for no value.
    package static func refusal(ofExtendedJSONKey key: String) -> String { ExtendedKind.refusal(of: key) }

    /// The value with the numbers of canonical Extended JSON plain: `{"$numberInt":"1"}` is 1.
    ///
    /// What is no sound number stays as it is. The depth is the caller's to bound.
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

    /// What an object of one Extended JSON key stands for, its content read already.
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
