/// One pass over one JSON text: from bytes to values.
///
/// `index` is the next unread byte; a function that consumes input is `mutating`. Recursion is bounded by `depthLimit`.
struct JSONScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    let depthLimit: Int
    var index = 0
    /// True where an object with a `$` key is Extended JSON.
    var extended: Bool
    /// The keys of the outermost object below which `extended` is true; nil when the mode is the same everywhere.
    let extendedKeys: [String]?
    var shapes: ShapePool

    init(bytes: UnsafeBufferPointer<UInt8>, mode: JSONMode, depthLimit: Int, shapes: consuming ShapePool) {
        self.bytes = bytes
        self.depthLimit = depthLimit
        self.shapes = shapes
        switch mode {
        case .plain: (extended, extendedKeys) = (false, nil)
        case .extended: (extended, extendedKeys) = (true, nil)
        case .extendedUnder(let keys): (extended, extendedKeys) = (false, keys)
        }
    }

    /// The byte at the index; 0, which stands nowhere in JSON, at the end.
    var byte: UInt8 {
        @inline(__always) get { index < bytes.count ? bytes[index] : 0 }
    }

    @inline(__always)
    mutating func skipSpace() {
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            index &+= 1
        }
    }

    /// The grammar: `text = space value space end`.
    mutating func text() throws(JSONFault) -> QueryValue {
        skipSpace()
        let value = try value(depth: 0)
        skipSpace()
        guard index == bytes.count else { throw expected("the end of the text after the value") }
        return value
    }

    /// The grammar: `value = object | array | string | number | "true" | "false" | "null"`; `depth` counts the containers
    /// around the value.
    mutating func value(depth: Int) throws(JSONFault) -> QueryValue {
        switch byte {
        case UInt8(ascii: "\""):
            index &+= 1
            return .string(try string())
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw expected("a value")
        }
    }

    private mutating func word(_ word: StaticString, _ value: QueryValue) throws(JSONFault) -> QueryValue {
        let matches = word.withUTF8Buffer { word in
            index + word.count <= bytes.count && word.indices.allSatisfy { bytes[index + $0] == word[$0] }
        }
        guard matches else { throw expected("a value") }
        index += word.utf8CodeUnitCount
        return value
    }

    /// The grammar: `array = "[" [ value { "," value } ] "]"`.
    private mutating func array(depth: Int) throws(JSONFault) -> QueryValue {
        guard depth <= depthLimit else { throw tooDeep() }
        index &+= 1
        skipSpace()
        if byte == UInt8(ascii: "]") {
            index &+= 1
            return .list([])
        }
        var values: [QueryValue] = []
        while true {
            do { values.append(try value(depth: depth)) } catch { throw error.under(.index(values.count)) }
            skipSpace()
            switch byte {
            case UInt8(ascii: ","):
                index &+= 1
                skipSpace()
            case UInt8(ascii: "]"):
                index &+= 1
                return .list(values)
            default:
                throw expected("a comma or `]` after an element")
            }
        }
    }

    /// A fault at the index: `found` names the byte there in words.
    func expected(_ what: String) -> JSONFault {
        let found: String
        switch byte {
        case _ where index >= bytes.count: found = "the end of the text"
        case UInt8(ascii: "'"): found = "a single quote"
        case 0x21...0x7E where byte != UInt8(ascii: "`"): found = "`\(Character(Unicode.Scalar(byte)))`"
        default: found = "another character"
        }
        return JSONFault(message: "expected \(what), found \(found)", range: index..<min(index + 1, bytes.count))
    }

    func tooDeep() -> JSONFault {
        JSONFault(
            message: "JSON is nested deeper than \(depthLimit) levels",
            range: index..<min(index + 1, bytes.count)
        )
    }
}
