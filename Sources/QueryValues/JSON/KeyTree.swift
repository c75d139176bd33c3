/// The keys of objects as spelled, in memory that does not move: the fast side of a ``ShapePool``.
///
/// Node numbers are the pool's. A key is recognized by its *lead*: all bytes from the brace or comma before it up to its
/// value, white space included. From the same node, the same bytes lead to the same node, so one comparison replaces the
/// comma, the quotes, the key and the colon. It is only a cache, so copies of a reader may share it.
final class KeyTree {
    /// Leads are compared this many bytes at a time at most, so as many bytes must follow a position.
    static let longestLead = 32

    struct KeyNode {
        /// The lead as it was spelled last, and a mask of its bytes.
        var lead = Lead()
        /// The length of the lead; 0 for none, or one that is too long.
        var length: Int32 = 0
        var firstChild: Int32 = -1
        var nextSibling: Int32 = -1
        /// The child that matched last, because rows tend to repeat; a node that no text matches before the first.
        var recentChild = KeyTree.noKey
        /// The path-tree position of the key; -1 if no path goes through it.
        var place: Int32 = -1
        /// The root of the keys of skipped objects below this key; -1 before the first.
        var inner: Int32 = -1
        /// True for the node before the first key.
        var isRoot = false
    }

    /// The bytes of a lead, padded, and a mask that hides what follows them in a text; without a lead no text has them.
    struct Lead {
        typealias Bytes = SIMD16<UInt8>

        private var first = Bytes(repeating: 1)
        private var firstMask = Bytes(repeating: 0)
        private var second = Bytes(repeating: 0)
        private var secondMask = Bytes(repeating: 0)

        init() {}

        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            first = Bytes(repeating: 0)
            for (index, byte) in bytes.prefix(KeyTree.longestLead).enumerated() {
                if index < 16 {
                    (first[index], firstMask[index]) = (byte, 0xFF)
                } else {
                    (second[index - 16], secondMask[index - 16]) = (byte, 0xFF)
                }
            }
        }

        /// True if a text begins with the lead, of which the length is known.
        @inline(__always)
        func begins(_ text: UnsafeRawPointer, length: Int32) -> Bool {
            Self.isZero((text.loadUnaligned(as: Bytes.self) & firstMask) ^ first)
                && (length <= 16
                    || Self.isZero((text.loadUnaligned(fromByteOffset: 16, as: Bytes.self) & secondMask) ^ second))
        }

        @inline(__always)
        private static func isZero(_ bytes: Bytes) -> Bool {
            let words = unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
            return words[0] | words[1] == 0
        }
    }

    let nodes: UnsafeMutablePointer<KeyNode>
    private let capacity = Int(noKey)
    /// The number of a node, the last, whose lead no text has.
    private static let noKey = ShapePool.most + 1

    init() {
        nodes = .allocate(capacity: capacity + 1)
        nodes.advanced(by: capacity).initialize(to: KeyNode())
    }

    deinit { nodes.deallocate() }

    /// Makes room for the root of other keys, a node of the pool; memory is not touched before.
    func addRoot(_ node: Int32) {
        guard node >= 0, node < capacity else { return }
        var root = KeyNode()
        root.isRoot = true
        nodes.advanced(by: Int(node)).initialize(to: root)
    }

    /// Makes room for a key, a node of the pool.
    func add(_ node: Int32, after parent: Int32, place: Int32) {
        guard node >= 0, node < capacity else { return }
        var added = KeyNode()
        added.place = place
        added.nextSibling = nodes[Int(parent)].firstChild
        nodes[Int(parent)].firstChild = node
        nodes.advanced(by: Int(node)).initialize(to: added)
    }

    /// Remembers the lead of a key after another, or after a root.
    func learn(_ lead: UnsafeBufferPointer<UInt8>, of node: Int32, after parent: Int32) {
        nodes[Int(parent)].recentChild = node
        let isShort = lead.count <= Self.longestLead
        nodes[Int(node)].lead = isShort ? Lead(lead) : Lead()
        nodes[Int(node)].length = isShort ? Int32(lead.count) : 0
    }

    /// The node that followed a node last.
    @inline(__always)
    func recentChild(of node: Int32) -> Int32 { nodes[Int(node)].recentChild }

    /// The node of the key whose lead starts at a position, or -1; reads ``longestLead`` bytes there.
    @inline(never)
    func child(of node: Int32, at: UnsafePointer<UInt8>) -> Int32 {
        var child = nodes[Int(node)].firstChild
        while child >= 0 {
            if begins(at, child) {
                nodes[Int(node)].recentChild = child
                return child
            }
            child = nodes[Int(child)].nextSibling
        }
        return -1
    }

    /// True if the lead of a node starts at a position; reads ``longestLead`` bytes there.
    @inline(__always)
    func begins(_ at: UnsafePointer<UInt8>, _ node: Int32) -> Bool {
        nodes[Int(node)].lead.begins(UnsafeRawPointer(at), length: nodes[Int(node)].length)
    }
}
