#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WASILibc)
    import WASILibc
#elseif canImport(ucrt)
    import ucrt
#elseif canImport(Darwin)
    import Darwin
#endif

/// The shapes seen by one reader, as a tree of keys: objects with the same keys in the same order share one shape.
///
/// A key is looked up by its spelling in the text, right after its opening quote, without creating a String. A key that
/// was once accepted at a node needs no further check: its spelling is valid, and it differs from the keys before it.
struct ShapePool: Sendable {
    static let root: Int32 = 0
    /// Objects used as maps would fill the memory with keys that never recur; beyond these bounds the reader stores
    /// keys separately, which is slower and shares nothing.
    static let most: Int32 = 4_096
    static let mostKeys: Int32 = 64
    static let mostSiblings = 32

    private struct ShapeNode {
        var spelling: Int
        var length: Int
        var parent: Int32
        /// The number of keys up to this node.
        var count: Int32
        var firstChild: Int32 = -1
        var nextSibling: Int32 = -1
        /// The child that matched last, because rows tend to repeat.
        var recentChild: Int32 = -1
        /// The number of keys in the last object that passed through this node.
        var usualCount: Int32 = 0
        var hasDollar = false
    }

    private var nodes: [ShapeNode]
    private var keys: [String]
    private var shapes: [Shape?]
    /// The spellings of all keys, each unchanged between its quotes.
    private var spellings: [UInt8] = []

    init() {
        nodes = [ShapeNode(spelling: 0, length: 0, parent: -1, count: 0)]
        keys = [""]
        shapes = [.empty]
    }

    private init(nodes: [ShapeNode]) {
        self.nodes = nodes
        keys = []
        shapes = []
    }

    /// An empty pool that costs no memory and must not be used.
    static let none = ShapePool(nodes: [])

    /// The node of the key that starts at `index`, if it followed `node` before; `index` then moves past its quote.
    @inline(__always)
    mutating func step(from node: Int32, _ bytes: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Int32? {
        let recent = nodes[Int(node)].recentChild
        if recent >= 0, spells(recent, bytes, at: index) {
            index += nodes[Int(recent)].length + 1
            return recent
        }
        var child = nodes[Int(node)].firstChild
        while child >= 0 {
            if child != recent, spells(child, bytes, at: index) {
                nodes[Int(node)].recentChild = child
                index += nodes[Int(child)].length + 1
                return child
            }
            child = nodes[Int(child)].nextSibling
        }
        return nil
    }

    @inline(__always)
    private func spells(_ child: Int32, _ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        let (start, length) = (nodes[Int(child)].spelling, nodes[Int(child)].length)
        guard index + length < bytes.count else { return false }
        guard bytes[index + length] == UInt8(ascii: "\"") else { return false }
        return spellings.withUnsafeBufferPointer { spellings in
            guard let known = spellings.baseAddress, let text = bytes.baseAddress else { return length == 0 }
            return memcmp(known + start, text + index, length) == 0
        }
    }

    /// Adds a key after a node, or returns nil if the pool is full.
    mutating func add(_ key: String, spelled spelling: UnsafeBufferPointer<UInt8>, after node: Int32) -> Int32? {
        let count = nodes[Int(node)].count + 1
        guard nodes.count < Self.most, count <= Self.mostKeys, siblings(under: node) < Self.mostSiblings else {
            return nil
        }
        let new = Int32(nodes.count)
        var added = ShapeNode(spelling: spellings.count, length: spelling.count, parent: node, count: count)
        added.hasDollar = key.utf8.first == UInt8(ascii: "$")
        added.nextSibling = nodes[Int(node)].firstChild
        nodes[Int(node)].firstChild = new
        nodes[Int(node)].recentChild = new
        nodes.append(added)
        keys.append(key)
        shapes.append(nil)
        spellings.append(contentsOf: spelling)
        return new
    }

    /// Another tree of keys, for objects at a separate position: its root, or nil if the pool is full.
    mutating func addRoot() -> Int32? {
        guard nodes.count < Self.most else { return nil }
        nodes.append(ShapeNode(spelling: 0, length: 0, parent: -1, count: 0))
        keys.append("")
        shapes.append(.empty)
        return Int32(nodes.count - 1)
    }

    private func siblings(under node: Int32) -> Int {
        var count = 0
        var child = nodes[Int(node)].firstChild
        while child >= 0 {
            count += 1
            child = nodes[Int(child)].nextSibling
        }
        return count
    }

    func key(of node: Int32) -> String { keys[Int(node)] }

    func hasDollar(_ node: Int32) -> Bool { nodes[Int(node)].hasDollar }

    /// How many keys to expect in an object whose first key is at this node.
    func usualCount(from node: Int32) -> Int { Int(nodes[Int(node)].usualCount) }

    /// The keys from the first to the one of this node, in linear time.
    func keys(of node: Int32) -> [String] {
        var found: [String] = []
        var node = node
        while nodes[Int(node)].parent >= 0 {
            found.append(keys[Int(node)])
            node = nodes[Int(node)].parent
        }
        return found.reversed()
    }

    /// The shape of an object whose last key is at this node, created once.
    mutating func shape(of node: Int32) -> Shape {
        if let shape = shapes[Int(node)] { return shape }
        let shape = Shape(keys: keys(of: node))
        shapes[Int(node)] = shape
        var first = node
        while nodes[Int(first)].count > 1 {
            first = nodes[Int(first)].parent
        }
        nodes[Int(first)].usualCount = max(nodes[Int(first)].usualCount, nodes[Int(node)].count)
        return shape
    }
}
