/// The paths that programs read of their rows, each with a slot of its own.
///
/// A program that was compiled for paths takes *flat* rows: a row has one key per slot, and under it the value that the
/// path leads to in the whole row (S9). So a reader that knows the paths need not build anything else.
///
///     var paths = RowPaths()
///     let program = try meaning.compile(condition, reading: &paths)
package struct RowPaths: Sendable {
    /// More paths than this are not worth a flat row: one bit per slot tells which are absent.
    static let most = 64

    /// The stored keys of each slot's path.
    package private(set) var paths: [[String]] = []
    /// True when a program asks for the row itself, or for too many paths: its rows must be whole ones.
    package private(set) var needWholeRows = false

    /// No paths yet.
    package init() {}

    /// The key under which a flat row keeps a path; the path gets a slot when it is new.
    mutating func key(of path: [String]) -> String {
        if let known = paths.firstIndex(where: { $0.hasSameUTF8(as: path) }) { return Self.key(known) }
        if path.isEmpty || paths.count == Self.most {
            needWholeRows = true
            return ""
        }
        paths.append(path)
        return Self.key(paths.count - 1)
    }

    /// The key of a slot.
    static func key(_ slot: Int) -> String { String(slot) }
}

/// A row of some paths only, which a reader fills again and again.
struct FlatRow {
    private(set) var document: Document
    private let keys: [String]
    /// The slots that have a value, one bit each, of the row being read and of the row before it.
    private var present: UInt64 = 0
    private var before: UInt64
    /// A row's shape tells which slots are absent; there are few such shapes.
    private var shapes: [UInt64: Shape] = [:]

    init(_ paths: RowPaths) {
        keys = paths.paths.indices.map(RowPaths.key)
        before = keys.isEmpty ? 0 : UInt64.max >> UInt64(RowPaths.most - keys.count)
        document = Document(shape: Shape(keys: keys), values: Array(repeating: .null, count: keys.count))
        shapes[before] = document.shape
    }

    /// Forgets the row before.
    @inline(__always)
    mutating func begin() { present = 0 }

    @inline(__always)
    mutating func set(_ slot: Int32, _ value: consuming QueryValue) {
        present |= 1 << UInt64(truncatingIfNeeded: slot)
        document.replaceValue(at: Int(slot), with: value)
    }

    /// Makes the slots without a value absent.
    @inline(__always)
    mutating func finish() {
        if present != before { changeShape() }
    }

    private mutating func changeShape() {
        before = present
        if let known = shapes[present] { return document.replaceShape(known) }
        // The empty key is no slot's: who looks for the slot does not find it.
        let shape = Shape(keys: keys.indices.map { present & 1 << UInt64($0) == 0 ? "" : keys[$0] })
        if shapes.count < 4_096 { shapes[present] = shape }
        document.replaceShape(shape)
    }
}
