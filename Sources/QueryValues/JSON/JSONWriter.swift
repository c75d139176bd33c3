/// How values that JSON lacks are written.
///
///     QueryValue.list([1, 2.0]).extendedJSON(.canonical)  // → [{"$numberInt":"1"},{"$numberDouble":"2.0"}]
public enum JSONStyle: Hashable, Sendable {
    /// Plain numbers, doubles always with `.` or `e`, dates of the years 1970 to 9999 as ISO text.
    case relaxed
    /// Every number and date with its kind: `{"$numberInt":"1"}`.
    case canonical
}

/// Writes values as Extended JSON v2, and as plain JSON if a value is plain.
///
///     JSONWriter().text(["a", 1, 2.0])  // → ["a",1,2.0]
///
/// The output reads back as equal Extended JSON, except objects whose keys start with `$`, which are written unchanged.
/// Keys keep their order. The writer uses a stack of its own, so depth costs only memory.
package struct JSONWriter: Hashable, Sendable {
    /// How values that JSON lacks are written.
    package var style: JSONStyle
    /// One member per line, indented by two spaces per level, instead of no white space.
    package var isPretty: Bool
    /// True to write ints beyond 2^53 as `{"$numberLong":"…"}`, for readers that keep numbers as doubles.
    package var largeIntegersAsNumberLong: Bool

    /// A writer with a style.
    ///
    ///     JSONWriter(isPretty: true).text(.object(["a": 1])).contains("\n  \"a\"")  // → true
    ///
    /// - Parameters:
    ///   - style: how values that JSON lacks are written.
    ///   - isPretty: one member per line instead of no white space.
    ///   - largeIntegersAsNumberLong: true for readers that keep numbers as doubles.
    package init(style: JSONStyle = .relaxed, isPretty: Bool = false, largeIntegersAsNumberLong: Bool = false) {
        self.style = style
        self.isPretty = isPretty
        self.largeIntegersAsNumberLong = largeIntegersAsNumberLong
    }

    /// The text of a value, built in linear time.
    ///
    ///     JSONWriter().text(.object(["name": "Zoé", "age": nil]))  // → {"name":"Zoé","age":null}
    ///
    /// - Parameter value: any value.
    /// - Returns: the text.
    package func text(_ value: QueryValue) -> String {
        var out: [UInt8] = []
        write(value, to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    /// Appends the UTF-8 text of a value in linear time.
    ///
    ///     var line: [UInt8] = []
    ///     JSONWriter().write([1, true], to: &line)
    ///     String(decoding: line, as: UTF8.self)  // → [1,true]
    ///
    /// - Parameters:
    ///   - value: any value.
    ///   - out: the buffer to append to.
    package func write(_ value: QueryValue, to out: inout [UInt8]) {
        var outer: [Container] = []
        guard var open = begin(value, to: &out) else { return }
        while true {
            let at = open.next
            guard at < open.values.count else {
                newLine(outer.count, to: &out)
                out.append(open.keys == nil ? UInt8(ascii: "]") : UInt8(ascii: "}"))
                guard let next = outer.popLast() else { return }
                open = next
                continue
            }
            if at > 0 { out.append(UInt8(ascii: ",")) }
            newLine(outer.count + 1, to: &out)
            if let keys = open.keys {
                Self.write(string: keys[at], to: &out)
                out.append(UInt8(ascii: ":"))
                if isPretty { out.append(UInt8(ascii: " ")) }
            }
            open.next = at + 1
            if let inner = begin(open.values[at], to: &out) {
                outer.append(open)
                open = inner
            }
        }
    }

    /// A list or object that is being written.
    private struct Container {
        /// nil for a list.
        var keys: [String]?
        var values: [QueryValue]
        var next = 0
    }

    /// Writes a scalar completely, or the opening of a container, which is returned.
    private func begin(_ value: QueryValue, to out: inout [UInt8]) -> Container? {
        switch value {
        case .list(let values):
            out.append(UInt8(ascii: "["))
            if !values.isEmpty { return Container(keys: nil, values: values) }
            out.append(UInt8(ascii: "]"))
        case .object(let object):
            out.append(UInt8(ascii: "{"))
            if !object.isEmpty { return Container(keys: object.keys, values: object.values) }
            out.append(UInt8(ascii: "}"))
        case .shape(let shape): return begin(shape.extended, to: &out)
        case .null: Self.write("null", to: &out)
        case .bool(let value): Self.write(value ? "true" : "false", to: &out)
        case .int(let value): write(int: value, to: &out)
        case .double(let value): write(double: value, to: &out)
        case .string(let value): Self.write(string: value, to: &out)
        case .date(let value): write(date: value, to: &out)
        case .data(let value): write(data: value, to: &out)
        case .uuid(let value): write(uuid: value, to: &out)
        }
        return nil
    }

    private func newLine(_ level: Int, to out: inout [UInt8]) {
        guard isPretty else { return }
        out.append(UInt8(ascii: "\n"))
        for _ in 0..<level { Self.write("  ", to: &out) }
    }
}

extension JSONWriter {
    static func write(_ text: StaticString, to out: inout [UInt8]) {
        text.withUTF8Buffer { out.append(contentsOf: $0) }
    }

    /// Appends a JSON string: quotes, backslashes and control characters are escaped, everything else is unchanged.
    ///
    /// - Parameters:
    ///   - string: any text.
    ///   - out: where the quoted text goes.
    package static func write(string: String, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { bytes in
            var written = 0
            for at in 0..<bytes.count
            where bytes[at] < 0x20 || bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "\\") {
                out.append(contentsOf: bytes[written..<at])
                escape(bytes[at], to: &out)
                written = at + 1
            }
            out.append(contentsOf: bytes[written...])
        }
        out.append(UInt8(ascii: "\""))
    }

    private static func escape(_ byte: UInt8, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): out.append(byte)
        case 0x08: out.append(UInt8(ascii: "b"))
        case 0x09: out.append(UInt8(ascii: "t"))
        case 0x0A: out.append(UInt8(ascii: "n"))
        case 0x0C: out.append(UInt8(ascii: "f"))
        case 0x0D: out.append(UInt8(ascii: "r"))
        default:
            write("u00", to: &out)
            Hex.append(CollectionOfOne(byte), to: &out)
        }
    }
}

extension Document {
    /// The document as relaxed Extended JSON without spaces, built in linear time.
    ///
    ///     let city: Document = ["name": "Boston", "population": 653_833]
    ///     city.json  // → {"name":"Boston","population":653833}
    public var json: String { QueryValue.object(self).json }
}

extension QueryValue {
    /// The value as relaxed Extended JSON without spaces, built in linear time.
    ///
    ///     QueryValue.list([1, 2.0]).json  // → [1,2.0]
    public var json: String { JSONWriter().text(self) }

    /// The value as Extended JSON, built in linear time.
    ///
    ///     QueryValue.date(0).extendedJSON(.canonical)  // → {"$date":{"$numberLong":"0"}}
    ///
    /// - Parameters:
    ///   - style: how values that JSON lacks are written.
    ///   - isPretty: one member per line instead of no white space.
    /// - Returns: the text.
    public func extendedJSON(_ style: JSONStyle = .relaxed, isPretty: Bool = false) -> String {
        JSONWriter(style: style, isPretty: isPretty).text(self)
    }
}

extension QueryValue: CustomStringConvertible {
    /// The value as JSON; see ``json``.
    ///
    ///     print(QueryValue.list([1, "a"]))  // [1,"a"]
    public var description: String { json }
}

extension Document: CustomStringConvertible {
    /// The document as JSON; see ``QueryValue/json``.
    ///
    ///     let ann: Document = ["name": "Ann", "age": 34]
    ///     print(ann)  // {"name":"Ann","age":34}
    public var description: String { QueryValue.object(self).json }
}
