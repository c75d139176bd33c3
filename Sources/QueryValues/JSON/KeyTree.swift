/// The keys of objects as spelled, in memory that does not move: the fast side of a ``ShapePool``.
///
/// Node numbers are the pool's. A key is compared sixteen bytes at a time, so at least as many bytes must follow the
/// key; longer spellings are left to the pool. It is only a cache, so copies of a reader may share it.
final class KeyTree {
    struct KeyNode {
        /// The spelling with its closing quote, and a mask of its bits.
        var low: UInt64 = 0
        var high: UInt64 = 0
        var lowMask: UInt64 = 0
        var highMask: UInt64 = 0
        /// The length of the spelling with its quote; 0 for a spelling that is too long.
        var length: Int32 = 0
        var firstChild: Int32 = -1
        var nextSibling: Int32 = -1
        /// The child that matched last, because rows tend to repeat.
        var recentChild: Int32 = -1
        /// The path-tree position of the key; -1 if no path goes through it.
        var place: Int32 = -1
        /// The root of the keys of skipped objects below this key; -1 before the first.
        var inner: Int32 = -1
        var hasDollar = false
    }

    let nodes: UnsafeMutablePointer<KeyNode>
    private let capacity = Int(ShapePool.most) + 1

    init() {
        nodes = .allocate(capacity: capacity)
    }

    deinit { nodes.deallocate() }

    /// Makes room for a node of the pool.
    ///
    /// Memory is not touched before, so a tree of few keys uses little of it.
    func add(_ node: Int32, spelled spelling: UnsafeBufferPointer<UInt8>, after parent: Int32, place: Int32) {
        guard node >= 0, node < capacity else { return }
        var added = KeyNode()
        added.place = place
        if parent >= 0 {
            added.nextSibling = nodes[Int(parent)].firstChild
            nodes[Int(parent)].firstChild = node
            nodes[Int(parent)].recentChild = node
            added.hasDollar = spelling.first == UInt8(ascii: "$") || spelling.first == UInt8(ascii: "\\")
            if spelling.count < 16 { added.spell(spelling) }
        }
        nodes.advanced(by: Int(node)).initialize(to: added)
    }

    /// The node of the key that starts at a position; reads 16 bytes there.
    @inline(__always)
    func step(from node: Int32, at: UnsafePointer<UInt8>) -> Int32 {
        let text = UnsafeRawPointer(at)
        let low = text.loadUnaligned(as: UInt64.self)
        let high = text.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        let recent = nodes[Int(node)].recentChild
        if recent >= 0, nodes[Int(recent)].spells(low, high) { return recent }
        return otherChild(of: node, low, high)
    }

    @inline(never)
    private func otherChild(of node: Int32, _ low: UInt64, _ high: UInt64) -> Int32 {
        var child = nodes[Int(node)].firstChild
        while child >= 0 {
            if nodes[Int(child)].spells(low, high) {
                nodes[Int(node)].recentChild = child
                return child
            }
            child = nodes[Int(child)].nextSibling
        }
        return -1
    }
}

extension KeyTree.KeyNode {
    @inline(__always)
    fileprivate func spells(_ low: UInt64, _ high: UInt64) -> Bool {
        length > 0 && ((low ^ self.low) & lowMask) | ((high ^ self.high) & highMask) == 0
    }

    /// The words as the machine loads them, whatever its byte order.
    fileprivate mutating func spell(_ spelling: UnsafeBufferPointer<UInt8>) {
        length = Int32(spelling.count + 1)
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { bytes in
            for index in 0..<16 {
                bytes[index] = index < spelling.count ? spelling[index] : index == spelling.count ? 0x22 : 0
                bytes[16 + index] = index <= spelling.count ? 0xFF : 0
            }
            low = bytes.load(as: UInt64.self)
            high = bytes.load(fromByteOffset: 8, as: UInt64.self)
            lowMask = bytes.load(fromByteOffset: 16, as: UInt64.self)
            highMask = bytes.load(fromByteOffset: 24, as: UInt64.self)
        }
    }
}
