/// Where the keys of the object being read stand: in the pool of shapes, or, for keys the pool does not take, by hand.
struct ObjectKeys {
    /// The node of the last key; the root before the first.
    var node = ShapePool.root
    /// All keys so far, once the pool has refused one.
    var wide: WideKeys?

    struct WideKeys {
        var keys: [String]
        var seen: Set<UTF8Key>
    }
}

extension JSONScanner {
    /// The grammar: `object = "{" [ string ":" value { "," string ":" value } ] "}"`.
    mutating func object(depth: Int) throws(JSONFault) -> QueryValue {
        guard depth <= depthLimit else { throw tooDeep() }
        let start = index
        index &+= 1
        skipSpace()
        if byte == UInt8(ascii: "}") {
            index &+= 1
            return .object(Document())
        }
        var keys = ObjectKeys()
        var values: [QueryValue] = []
        while true {
            try key(&keys)
            if values.isEmpty { values.reserveCapacity(shapes.usualCount(from: keys.node)) }
            if extended && hasDollar(keys) {
                guard values.isEmpty else { throw strayDollar(from: start) }
                return try extendedValue(keys, from: start, depth: depth)
            }
            values.append(try member(keys, depth: depth))
            skipSpace()
            switch byte {
            case UInt8(ascii: ","):
                index &+= 1
                skipSpace()
            case UInt8(ascii: "}"):
                index &+= 1
                return .object(document(keys, values))
            default:
                throw expected("a comma or `}` after a member")
            }
        }
    }

    /// Reads a key and its colon, up to the first byte of the value.
    private mutating func key(_ keys: inout ObjectKeys) throws(JSONFault) {
        guard byte == UInt8(ascii: "\"") else { throw expected("a key in double quotes") }
        index &+= 1
        if keys.wide == nil, let known = shapes.step(from: keys.node, bytes, at: &index) {
            keys.node = known
        } else {
            try newKey(&keys)
        }
        if byte != UInt8(ascii: ":") {
            skipSpace()
            guard byte == UInt8(ascii: ":") else { throw expected("`:` after a key") }
        }
        index &+= 1
        skipSpace()
    }

    /// A key that no object had at this place before.
    private mutating func newKey(_ keys: inout ObjectKeys) throws(JSONFault) {
        let start = index
        let key = try string()
        let spelling = start..<(index - 1)
        if keys.wide == nil {
            guard !shapes.keys(of: keys.node).contains(where: { $0.hasSameUTF8(as: key) }) else {
                throw duplicate(key, at: spelling)
            }
            if let node = shapes.add(key, spelled: UnsafeBufferPointer(rebasing: bytes[spelling]), after: keys.node) {
                keys.node = node
                return
            }
            let soFar = shapes.keys(of: keys.node)
            keys.wide = .init(keys: soFar, seen: Set(soFar.map { UTF8Key($0) }))
        }
        guard keys.wide?.seen.insert(UTF8Key(key)).inserted == true else { throw duplicate(key, at: spelling) }
        keys.wide?.keys.append(key)
    }

    private func duplicate(_ key: String, at spelling: Range<Int>) -> JSONFault {
        JSONFault(
            message: "the object has this key twice",
            range: (spelling.lowerBound - 1)..<(spelling.upperBound + 1),
            steps: [.key(key)]
        )
    }

    /// The value of the last key.
    private mutating func member(_ keys: ObjectKeys, depth: Int) throws(JSONFault) -> QueryValue {
        if depth == 1, let extendedKeys {
            let key = lastKey(keys)
            extended = extendedKeys.contains { $0.hasSameUTF8(as: key) }
        }
        defer { if depth == 1 && extendedKeys != nil { extended = false } }
        do { return try value(depth: depth) } catch { throw error.under(.key(lastKey(keys))) }
    }

    func lastKey(_ keys: ObjectKeys) -> String {
        keys.wide.map { $0.keys.last ?? "" } ?? shapes.key(of: keys.node)
    }

    private func hasDollar(_ keys: ObjectKeys) -> Bool {
        if let wide = keys.wide { return wide.keys.last?.utf8.first == UInt8(ascii: "$") }
        return shapes.hasDollar(keys.node)
    }

    private func strayDollar(from start: Int) -> JSONFault {
        JSONFault(message: "a key with `$` must be the only key of its object", range: start..<index)
    }

    private mutating func document(_ keys: ObjectKeys, _ values: [QueryValue]) -> Document {
        let shape = keys.wide.map { Shape(keys: $0.keys) } ?? shapes.shape(of: keys.node)
        return Document(shape: shape, values: values)
    }
}
