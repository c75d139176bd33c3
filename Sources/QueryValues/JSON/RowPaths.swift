/// The paths that programs read from their rows, each with a slot of its own.
///
/// A program compiled for paths takes *flat* rows: a row has one key per slot, whose value is the one the path leads to
/// in the whole row (S9). So a reader that knows the paths need not build anything else.
///
///     let evaluator = RowEvaluator(schema: nil, nilMeaning: .nullOrAbsent)
///     var paths = RowPaths()
///     let program = try evaluator.compile(query.condition, reading: &paths)
package struct RowPaths: Sendable {
    /// With more paths a flat row does not pay off; one bit per slot records which are absent.
    package static let most = 64

    /// The stored keys of each slot's path.
    package private(set) var paths: [[String]] = []
    /// The key of each slot in a flat row.
    private(set) var keys: [String] = []
    /// What each slot needs of a list at the end of its path.
    private(set) var needs: [ListNeed] = []
    /// True if a program reads the row itself, or too many paths, and so needs whole rows.
    package private(set) var needWholeRows = false

    /// No paths yet.
    package init() {}

    /// Whole rows.
    package static var everything: RowPaths {
        var paths = RowPaths()
        paths.needWholeRows = true
        return paths
    }

    /// The first key of each path, without duplicates; nil if rows are needed whole.
    package var outermostKeys: [String]? {
        let outer = outermost
        return outer.needWholeRows ? nil : outer.keys
    }

    /// The first keys of the paths: a row with these has the same values under the same keys as the whole row, so
    /// programs for whole rows accept it.
    package var outermost: RowPaths {
        var outer = RowPaths()
        outer.needWholeRows = needWholeRows
        for key in paths.compactMap(\.first) where !outer.keys.contains(where: { $0.hasSameUTF8(as: key) }) {
            outer.paths.append([key])
            outer.keys.append(key)
            outer.needs.append(.whole)
            // The empty key marks absent values.
            if key.isEmpty { outer.needWholeRows = true }
        }
        return outer
    }

    /// The key of a path in a flat row; a new path gets a slot.
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

    /// Extends what the slot of a key needs of a list.
    package mutating func widen(_ key: String, to need: ListNeed) {
        guard let slot = keys.firstIndex(where: { $0.hasSameUTF8(as: key) }) else { return }
        needs[slot].formUnion(need)
    }
}

/// What a program needs of a list; a reader may omit the rest.
package enum ListNeed: Sendable {
    /// The number of elements; their values do not matter.
    case count
    /// Some stored keys of elements that are objects; others may be omitted.
    case members([String])
    /// Everything.
    case whole

    /// The union of both needs.
    package mutating func formUnion(_ other: ListNeed) {
        switch (self, other) {
        case (.whole, _), (_, .count): break
        case (_, .whole), (.count, _): self = other
        case (.members(let keys), .members(let more)):
            let all = keys + more.filter { key in !keys.contains { $0.hasSameUTF8(as: key) } }
            // Long lists are generated, and comparing each new key with all previous ones is quadratic.
            self = all.count > RowPaths.most ? .whole : .members(all)
        }
    }
}

/// A row of some paths only, which a reader refills for each row.
struct FlatRow {
    private(set) var document: Document
    private var shapes: FlatShapes
    /// The slots that have a value, one bit each, in the row being read and in the previous row.
    private var present: UInt64 = 0
    private var before: UInt64

    init(_ paths: RowPaths) {
        shapes = FlatShapes(paths.keys)
        before = shapes.all
        document = shapes.emptyDocument
    }

    /// Forgets the previous row.
    @inline(__always)
    mutating func begin() { present = 0 }

    @inline(__always)
    mutating func set(_ slot: Int32, _ value: consuming QueryValue) {
        present |= 1 << UInt64(truncatingIfNeeded: slot)
        document.replaceValue(at: Int(slot), with: value)
    }

    /// The list that a slot had in the previous row, to reuse its memory; empty if it had none.
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

    /// Takes a whole row, if whole rows are needed.
    mutating func take(_ whole: Document) { document = whole }
}

/// The shapes of objects that have some of a few keys, each in its own slot.
struct FlatShapes {
    /// One bit for each slot.
    let all: UInt64
    private let keys: [String]
    /// The shape shows which slots are absent; there are few such shapes.
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
        // The empty key belongs to no slot, so lookups of the slot do not find it.
        let shape = Shape(keys: keys.indices.map { present & 1 << UInt64($0) == 0 ? "" : keys[$0] })
        if known.count < 4_096 { known[present] = shape }
        return shape
    }
}
