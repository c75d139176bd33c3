/// The paths that programs read of their rows, each with a slot of its own.
///
/// A program that was compiled for paths takes *flat* rows: a row has one key per slot, and under it the value that the
/// path leads to in the whole row (S9). So a reader that knows the paths need not build anything else.
///
///     let meaning = Meaning(schema: nil, nilMeaning: .nullOrAbsent)
///     var paths = RowPaths()
///     let program = try meaning.compile(query.condition, reading: &paths)
package struct RowPaths: Sendable {
    /// More paths than this are not worth a flat row: one bit per slot tells which are absent.
    static let most = 64

    /// The stored keys of each slot's path.
    package private(set) var paths: [[String]] = []
    /// The key of each slot in a flat row.
    private(set) var keys: [String] = []
    /// What each slot needs of a list that its path leads to.
    private(set) var needs: [ListNeed] = []
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
            outer.needs.append(.whole)
            // The empty key marks what is absent.
            if key.isEmpty { outer.needWholeRows = true }
        }
        return outer
    }

    /// The key under which a flat row keeps a path; the path gets a slot when it is new.
    package mutating func key(of path: [String], for need: ListNeed = .whole) -> String {
        if let known = paths.firstIndex(where: { $0.hasSameUTF8(as: path) }) {
            needs[known].formUnion(need)
            return keys[known]
        }
        if path.isEmpty || paths.count == Self.most {
            needWholeRows = true
            return ""
        }
        paths.append(path)
        keys.append(String(keys.count))
        needs.append(need)
        return String(keys.count - 1)
    }

    /// Widens what the slot of a flat row's key needs of a list.
    package mutating func widen(_ key: String, to need: ListNeed) {
        guard let slot = keys.firstIndex(where: { $0.hasSameUTF8(as: key) }) else { return }
        needs[slot].formUnion(need)
    }
}

/// What a program looks at of a list; a reader may leave out the rest of it.
package enum ListNeed: Sendable {
    /// How many elements there are; any values may stand for them.
    case count
    /// Of elements that are objects some keys, as they are stored; others may be left out of them.
    case members([String])
    /// Everything.
    case whole

    /// Needs what both need.
    package mutating func formUnion(_ other: ListNeed) {
        switch (self, other) {
        case (.whole, _), (_, .count): break
        case (_, .whole), (.count, _): self = other
        case (.members(let keys), .members(let more)):
            let all = keys + more.filter { key in !keys.contains { $0.hasSameUTF8(as: key) } }
            // Nobody picks so many by hand, and each new one is held against all before it.
            self = all.count > RowPaths.most ? .whole : .members(all)
        }
    }
}

/// A row of some paths only, which a reader fills again and again.
struct FlatRow {
    private(set) var document: Document
    private var shapes: FlatShapes
    /// The slots that have a value, one bit each, of the row being read and of the row before it.
    private var present: UInt64 = 0
    private var before: UInt64

    init(_ paths: RowPaths) {
        shapes = FlatShapes(paths.keys)
        before = shapes.all
        document = shapes.emptyDocument
    }

    /// Forgets the row before.
    @inline(__always)
    mutating func begin() { present = 0 }

    @inline(__always)
    mutating func set(_ slot: Int32, _ value: consuming QueryValue) {
        present |= 1 << UInt64(truncatingIfNeeded: slot)
        document.replaceValue(at: Int(slot), with: value)
    }

    /// The list that a slot had in the row before, so that its memory is used again; empty when it had none.
    mutating func takeList(_ slot: Int32) -> [QueryValue] {
        guard case .list(let elements) = document.values[Int(slot)] else { return [] }
        document.replaceValue(at: Int(slot), with: .null)
        return elements
    }

    /// Makes the slots without a value absent.
    @inline(__always)
    mutating func finish() {
        if present == before { return }
        before = present
        document.replaceShape(shapes.shape(of: present))
    }

    /// Takes a whole row, where that is asked for.
    mutating func take(_ whole: Document) { document = whole }
}

/// The shapes of objects that have some of a few keys, each in a slot of its own.
struct FlatShapes {
    /// One bit for each slot.
    let all: UInt64
    private let keys: [String]
    /// The shape tells which slots are absent; there are few such shapes.
    private var known: [UInt64: Shape] = [:]
    private var last: (present: UInt64, shape: Shape)

    init(_ keys: [String]) {
        self.keys = keys
        all = keys.isEmpty ? 0 : UInt64.max >> UInt64(RowPaths.most - keys.count)
        last = (all, Shape(keys: keys))
        known[all] = last.shape
    }

    /// The number of slots.
    var count: Int { keys.count }

    /// An object with null in each slot.
    var emptyDocument: Document {
        Document(shape: known[all] ?? .empty, values: Array(repeating: .null, count: keys.count))
    }

    /// The shape of an object whose slots have values where bits are set.
    @inline(__always)
    mutating func shape(of present: UInt64) -> Shape {
        if present != last.present { last = (present, otherShape(of: present)) }
        return last.shape
    }

    @inline(never)
    private mutating func otherShape(of present: UInt64) -> Shape {
        if let shape = known[present] { return shape }
        // The empty key is no slot's: who looks for the slot does not find it.
        let shape = Shape(keys: keys.indices.map { present & 1 << UInt64($0) == 0 ? "" : keys[$0] })
        if known.count < 4_096 { known[present] = shape }
        return shape
    }
}
