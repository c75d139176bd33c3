/// One pass over one JSON text: from bytes to values.
///
/// `index` is the next unread byte; a function that consumes input is `mutating`. Open containers are kept in a list,
/// so that the depth of the text does not become the depth of the call stack.
struct JSONScanner {
    private(set) var bytes: UnsafeBufferPointer<UInt8>
    private(set) var depthLimit: Int
    var index = 0
    /// True if an object with a `$` key is Extended JSON here.
    var extended: Bool
    /// True where a `$` key may be one like others, as in rows, and the key below which that is so.
    var (isOfRows, keyOfRows): (Bool, String?) = (false, nil)
    /// The keys of the outermost object below which `extended` is true; nil when the mode is the same everywhere.
    let extendedKeys: [String]?
    var shapes: ShapePool
    /// True while the next element or member of the innermost container is read; a fault then belongs to it.
    private var isInValue = false

    /// A container whose end has not been read yet.
    struct Container {
        enum Kind {
            case list
            case object
            /// An object with one `$` key.
            case extended(ExtendedKind)
        }

        var kind: Kind
        var start: Int
        var keys = ObjectKeys()
        var values: [QueryValue] = []
    }

    /// The open containers; the innermost is kept apart because all the work happens in it.
    struct Nesting {
        private(set) var depth = 0
        /// Unused at depth 0.
        var top = Container(kind: .list, start: 0)
        private(set) var outer: [Container] = []

        init() {
            outer.reserveCapacity(8)
        }

        mutating func open(_ kind: Container.Kind, at start: Int) {
            // Swapped rather than assigned, to avoid reference counting.
            var waiting = Container(kind: kind, start: start)
            swap(&waiting, &top)
            outer.append(waiting)
            depth &+= 1
        }

        /// Removes the innermost container.
        mutating func close() -> Container {
            var closed = outer.popLast() ?? Container(kind: .list, start: 0)
            swap(&closed, &top)
            depth &-= 1
            return closed
        }
    }

    init(bytes: UnsafeBufferPointer<UInt8>, mode: JSONMode, depthLimit: Int, shapes: consuming ShapePool) {
        self.bytes = bytes
        self.depthLimit = depthLimit
        self.shapes = shapes
        switch mode {
        case .plain: (extended, extendedKeys) = (false, nil)
        case .extended: (extended, extendedKeys) = (true, nil)
        case .extendedRows: (extended, extendedKeys, isOfRows) = (true, nil, true)
        case .extendedUnder(let keys, let rows): (extended, extendedKeys, keyOfRows) = (false, keys, rows)
        }
    }

    /// The grammar: `text = space value space end`.
    mutating func text() throws(JSONFault) -> QueryValue {
        var open = Nesting()
        do throws(JSONFault) {
            skipSpace()
            let value = try value(&open)
            skipSpace()
            guard index == bytes.count else { throw expected("the end of the text after the value") }
            return value
        } catch {
            throw placed(error, in: open)
        }
    }

    /// Reads the value that another text starts with, and leaves the rest.
    mutating func value(at bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int) throws(JSONFault) -> QueryValue {
        self.depthLimit = depthLimit
        restart(bytes)
        var open = Nesting()
        return try value(&open)
    }

    /// Starts another text.
    mutating func restart(_ bytes: UnsafeBufferPointer<UInt8>) {
        (self.bytes, index) = (bytes, 0)
    }

    /// The grammar: `value = object | list | scalar`.
    private mutating func value(_ open: inout Nesting) throws(JSONFault) -> QueryValue {
        while true {
            isInValue = true
            var complete = try begin(&open)
            while let value = complete {
                isInValue = false
                if open.depth == 0 { return value }
                complete = try add(value, to: &open)
            }
        }
    }

    /// Reads a scalar or an empty container completely; of any other container only the opening and the first key,
    /// returning nil.
    private mutating func begin(_ open: inout Nesting) throws(JSONFault) -> QueryValue? {
        switch byte {
        case UInt8(ascii: "\""):
            index &+= 1
            return .string(try string())
        case UInt8(ascii: "{"): return try beginObject(&open)
        case UInt8(ascii: "["): return try beginList(&open)
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

    /// The grammar: `list = "[" [ value { "," value } ] "]"`.
    private mutating func beginList(_ open: inout Nesting) throws(JSONFault) -> QueryValue? {
        guard open.depth < depthLimit else { throw tooDeep() }
        let start = index
        index &+= 1
        skipSpace()
        if byte == UInt8(ascii: "]") {
            index &+= 1
            return .list([])
        }
        open.open(.list, at: start)
        open.top.values.reserveCapacity(4)
        return nil
    }

    /// The grammar: `object = "{" [ string ":" value { "," string ":" value } ] "}"`.
    private mutating func beginObject(_ open: inout Nesting) throws(JSONFault) -> QueryValue? {
        guard open.depth < depthLimit else { throw tooDeep() }
        let start = index
        index &+= 1
        skipSpace()
        if byte == UInt8(ascii: "}") {
            index &+= 1
            return .object(Document())
        }
        open.open(.object, at: start)
        isInValue = false
        try key(&open)
        return nil
    }

    /// Adds a value to the innermost container and reads on to the next value, or to the container's end, returning its
    /// value.
    private mutating func add(_ value: QueryValue, to open: inout Nesting) throws(JSONFault) -> QueryValue? {
        skipSpace()
        switch open.top.kind {
        case .list:
            open.top.values.append(value)
            if try isEnd(UInt8(ascii: "]"), "a comma or `]` after an element") { return .list(open.close().values) }
            skipSpace()
        case .object:
            open.top.values.append(value)
            if open.depth == 1 && extendedKeys != nil { extended = false }
            if try isEnd(UInt8(ascii: "}"), "a comma or `}` after a member") { return .object(document(open.close())) }
            skipSpace()
            try key(&open)
        case .extended where isOfRows && byte == UInt8(ascii: ","):
            open.top.kind = .object
            return try add(value, to: &open)
        case .extended(let kind):
            let value = try extendedValue(kind, value, from: open.top.start)
            _ = open.close()
            return value
        }
        return nil
    }

    /// Reads a comma, or the end of a container.
    @inline(__always)
    private mutating func isEnd(_ end: UInt8, _ what: String) throws(JSONFault) -> Bool {
        guard byte == end || byte == UInt8(ascii: ",") else { throw expected(what) }
        defer { index &+= 1 }
        return byte == end
    }
}

extension JSONScanner {
    /// The byte at the index; 0, which never occurs in JSON, at the end.
    var byte: UInt8 { @inline(__always) get { index < bytes.count ? bytes[index] : 0 } }

    @inline(__always)
    mutating func skipSpace() {
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            index &+= 1
        }
    }

    /// A fault at the index; `found` describes the byte there.
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

    private func tooDeep() -> JSONFault {
        JSONFault(
            message: "JSON is nested deeper than \(depthLimit) levels",
            range: index..<min(index + 1, bytes.count)
        )
    }

    /// The fault with the path to its position.
    private func placed(_ fault: JSONFault, in open: Nesting) -> JSONFault {
        var placed = fault
        var way = open.outer.dropFirst()
        if open.depth > 0 && isInValue { way.append(open.top) }
        for container in way.reversed() {
            switch container.kind {
            case .list: placed.steps.append(.index(container.values.count))
            case .object: placed.steps.append(.key(lastKey(container.keys)))
            case .extended(let kind): placed.steps.append(.key(kind.rawValue))
            }
        }
        return placed
    }
}
