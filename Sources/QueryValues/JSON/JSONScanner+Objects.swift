/// The keys of the object being read: in the pool of shapes, or separately if the pool rejects them.
struct ObjectKeys {
    /// The node of the last key; the root before the first.
    var node = ShapePool.root
    /// All keys so far, once the pool has rejected one.
    var wide: WideKeys?

    struct WideKeys {
        var keys: [String]
        var seen: Set<UTF8Key>
    }
}

extension JSONScanner {
    /// Reads a key of the innermost container and its colon, up to the first byte of the value.
    mutating func key(_ open: inout Nesting) throws(JSONFault) {
        guard byte == UInt8(ascii: "\"") else { throw expected("a key in double quotes") }
        index &+= 1
        if open.top.keys.wide == nil, let known = shapes.step(from: open.top.keys.node, bytes, at: &index) {
            open.top.keys.node = known
        } else {
            try newKey(&open.top.keys)
        }
        if open.top.values.isEmpty { open.top.values.reserveCapacity(shapes.usualCount(from: open.top.keys.node)) }
        if extended && hasDollar(open.top.keys) { try extendedKey(&open.top) }
        if open.depth == 1, let extendedKeys {
            let key = lastKey(open.top.keys)
            extended = extendedKeys.contains { $0.hasSameUTF8(as: key) }
            isOfRows = keyOfRows?.hasSameUTF8(as: key) ?? false
        }
        if byte != UInt8(ascii: ":") {
            skipSpace()
            guard byte == UInt8(ascii: ":") else { throw expected("`:` after a key") }
        }
        index &+= 1
        skipSpace()
    }

    /// A key that no object had at this position before.
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
            message: "the object has a duplicate key",
            range: (spelling.lowerBound - 1)..<(spelling.upperBound + 1),
            steps: [.key(key)]
        )
    }

    func lastKey(_ keys: ObjectKeys) -> String { keys.wide.map { $0.keys.last ?? "" } ?? shapes.key(of: keys.node) }

    private func hasDollar(_ keys: ObjectKeys) -> Bool {
        if let wide = keys.wide { return wide.keys.last?.utf8.first == UInt8(ascii: "$") }
        return shapes.hasDollar(keys.node)
    }

    mutating func document(_ object: consuming Container) -> Document {
        let shape = object.keys.wide.map { Shape(keys: $0.keys) } ?? shapes.shape(of: object.keys.node)
        return Document(shape: shape, values: object.values)
    }
}
