import QueryValues

/// Where a plan finds the cells of one lane in a row.
package struct LaneSource: Sendable {
    /// The type of the cells.
    package var cell: CellKind
    /// Reads the property, if it is not stored in the row; the offset is then relative to its value.
    package var accessor: FieldAccessor?
    /// From the row, or from the accessor's value, to the cell.
    package var offset: Int
    /// The column, if rows are stored in columns.
    package var column = 0
}

/// The fields of a kind of row, and the lanes of them that a plan has requested.
struct LaneSet {
    let fields: [FieldEntry]
    private(set) var sources: [LaneSource] = []

    init(_ fields: [FieldEntry]) {
        self.fields = fields
    }

    /// A field found by its stored keys.
    struct FieldLane {
        /// The number of its lane.
        var lane: Int
        /// The type of the cells: of the lane itself, or of each element of its lists.
        var cell: CellKind
        /// Where the elements' cells are stored, for a path that continues after a list of objects, or a list whose
        /// elements are used.
        var elements: ElementLayout?
    }

    /// The lane of a whole field.
    mutating func lane(of entry: Int) -> Int {
        add(source(entry))
    }

    private func source(_ entry: Int) -> LaneSource {
        let field = fields[entry]
        switch field.access {
        case .offset(let offset): return LaneSource(cell: field.cell, accessor: nil, offset: offset, column: entry)
        case .accessor(let accessor): return LaneSource(cell: field.cell, accessor: accessor, offset: 0, column: entry)
        }
    }

    private mutating func add(_ source: LaneSource) -> Int {
        let known = sources.firstIndex {
            $0.column == source.column && $0.offset == source.offset && $0.cell.stride == source.cell.stride
        }
        if let known { return known }
        sources.append(source)
        return sources.count - 1
    }

    /// Follows stored keys to cells that a kernel can read; nil if it cannot.
    mutating func lane(of keys: [String]) -> FieldLane? {
        guard let first = keys.first, let entry = fields.firstIndex(where: { $0.storedName.hasSameUTF8(as: first) })
        else { return nil }
        var source = source(entry)
        var rest = keys.dropFirst()
        while let key = rest.first {
            switch source.cell.storage {
            case .object(let list) where !source.cell.isOptional:
                guard let (offset, cell) = Self.step(key, in: list) else { return nil }
                source.offset += offset
                source.cell = cell
            case .list(let element):
                guard let (offset, cell) = Self.offset(of: Array(rest), in: element) else { return nil }
                let layout = ElementLayout(offset: offset, stride: element.stride, alignment: element.alignment)
                return FieldLane(lane: add(source), cell: cell, elements: layout)
            default: return nil
            }
            rest = rest.dropFirst()
        }
        return FieldLane(lane: add(source), cell: source.cell)
    }

    /// A field stored inline in a struct.
    static func step(_ key: String, in list: FieldList) -> (offset: Int, cell: CellKind)? {
        guard let entry = list.entries.first(where: { $0.storedName.hasSameUTF8(as: key) }),
            case .offset(let offset) = entry.access
        else { return nil }
        return (offset, entry.cell)
    }

    /// The cell at the end of some keys inside a cell, through structs only.
    static func offset(of keys: [String], in cell: CellKind) -> (offset: Int, cell: CellKind)? {
        var current = cell
        var offset = 0
        for key in keys {
            guard case .object(let list) = current.storage, !current.isOptional,
                let (step, next) = step(key, in: list)
            else { return nil }
            offset += step
            current = next
        }
        return (offset, current)
    }
}
