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
    /// The key of each slot in a flat row.
    private(set) var keys: [String] = []
    /// True when a program asks for the row itself, or for too many paths: its rows must be whole ones.
    package private(set) var needWholeRows = false

    /// No paths yet.
    package init() {}

    /// Rows as they are.
    package static var everything: RowPaths {
        var paths = RowPaths()
        paths.needWholeRows = true
        return paths
    }

    /// The first key of each path, each once; nil when rows are needed whole.
    package var outermostKeys: [String]? {
        let outer = outermost
        return outer.needWholeRows ? nil : outer.keys
    }

    /// The first keys of paths: a row of them has the values of the whole row under the same keys, so programs for whole
    /// rows take it.
    package var outermost: RowPaths {
        var outer = RowPaths()
        outer.needWholeRows = needWholeRows
        for key in paths.compactMap(\.first) where !outer.keys.contains(where: { $0.hasSameUTF8(as: key) }) {
            outer.paths.append([key])
            outer.keys.append(key)
            // The empty key marks what is absent.
            if key.isEmpty { outer.needWholeRows = true }
        }
        return outer
    }

    /// The key under which a flat row keeps a path; the path gets a slot when it is new.
    mutating func key(of path: [String]) -> String {
        if let known = paths.firstIndex(where: { $0.hasSameUTF8(as: path) }) { return keys[known] }
        if path.isEmpty || paths.count == Self.most {
            needWholeRows = true
            return ""
        }
        paths.append(path)
        keys.append(String(keys.count))
        return String(keys.count - 1)
    }
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
        keys = paths.keys
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

    /// Takes a whole row, where that is asked for.
    mutating func take(_ whole: Document) { document = whole }

    private mutating func changeShape() {
        before = present
        if let known = shapes[present] { return document.replaceShape(known) }
        // The empty key is no slot's: who looks for the slot does not find it.
        let shape = Shape(keys: keys.indices.map { present & 1 << UInt64($0) == 0 ? "" : keys[$0] })
        if shapes.count < 4_096 { shapes[present] = shape }
        document.replaceShape(shape)
    }
}
