import QueryValues

/// Where a plan finds the cells of one lane in a row.
package struct LaneSource: Sendable {
    /// What lies in a cell.
    package var cell: CellKind
    /// At an offset in the row, or in what an accessor gives.
    package var accessor: FieldAccessor?
    /// From the row, or from the accessor's value, to the cell.
    package var offset: Int
    /// The column, for rows that lie in columns.
    package var column = 0
}

/// The fields of a kind of rows, and the lanes of them that a plan has asked for.
struct LaneSet {
    let fields: [FieldEntry]
    private(set) var sources: [LaneSource] = []

    init(_ fields: [FieldEntry]) {
        self.fields = fields
    }

    /// A field found by its stored keys.
    struct Place {
        /// The number of its lane.
        var lane: Int
        /// What lies in a cell: of the lane itself, or of each element of the lists in it.
        var cell: CellKind
        /// Where the elements' cells lie, for a path that goes on after a list of objects, or a list that is asked for its
        /// elements.
        var elements: ElementLayout?
    }

    /// The lane of a whole field.
    mutating func lane(of entry: Int) -> Int {
        add(source(entry))
    }

    private func source(_ entry: Int) -> LaneSource {
        let field = fields[entry]
        switch field.place {
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

    /// Follows stored keys to cells that a kernel can read; nil where it cannot.
    mutating func place(of keys: [String]) -> Place? {
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
                return Place(lane: add(source), cell: cell, elements: layout)
            default: return nil
            }
            rest = rest.dropFirst()
        }
        return Place(lane: add(source), cell: source.cell)
    }

    /// A field of a struct that lies in it.
    static func step(_ key: String, in list: FieldList) -> (offset: Int, cell: CellKind)? {
        guard let entry = list.entries.first(where: { $0.storedName.hasSameUTF8(as: key) }),
            case .offset(let offset) = entry.place
        else { return nil }
        return (offset, entry.cell)
    }

    /// Where keys lead inside a cell, through structs alone.
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
