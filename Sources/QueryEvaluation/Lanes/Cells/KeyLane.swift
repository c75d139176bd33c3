import QueryTree
import QueryValues

/// A field that a sort or a grouping reads from the lanes of its own batches.
struct KeyLane: Sendable {
    /// How to read a cell without creating a value.
    enum Reading: Sendable {
        case int64, maybeInt64, double, maybeDouble, text, value
    }

    let lane: Int
    let cell: CellKind
    let reading: Reading

    init(lane: Int, cell: CellKind) {
        self.lane = lane
        self.cell = cell
        reading =
            switch (cell.storage, cell.isOptional) {
            case (.int64, false): .int64
            case (.int64, true): .maybeInt64
            case (.double, false): .double
            case (.double, true): .maybeDouble
            case (.string, _) where TextLayout.isProven: .text
            default: .value
            }
    }

    /// The cell's value; absent counts as null.
    func value(_ row: Int, _ lane: Lane) -> QueryValue {
        guard lane.isValid(row) else { return .null }
        return cell.value(at: lane.cell(row)) ?? .null
    }

    @inline(__always)
    static func int(_ row: Int, _ lane: Lane, isOptional: Bool) -> Int64? {
        guard lane.isValid(row) else { return nil }
        if !isOptional { return Plain<Int64>.read(lane.cell(row)).value }
        let (value, isHere) = Maybe<Int64>.read(lane.cell(row))
        return isHere ? value : nil
    }

    @inline(__always)
    static func double(_ row: Int, _ lane: Lane, isOptional: Bool) -> Double? {
        guard lane.isValid(row) else { return nil }
        if !isOptional { return Plain<Double>.read(lane.cell(row)).value }
        let (value, isHere) = Maybe<Double>.read(lane.cell(row))
        return isHere ? value : nil
    }
}

extension LaneSet {
    /// The lane at the end of a path; nil if it goes through lists, optional structs, or dates in another form.
    mutating func keyLane(of path: FieldPath, _ types: TypeScope) -> KeyLane? {
        guard let resolved = types.row.resolve(path.keys), let field = lane(of: resolved.storedKeys),
            field.elements == nil
        else { return nil }
        if case .date(let encoding) = resolved.type.element, encoding != .native { return nil }
        return KeyLane(lane: field.lane, cell: field.cell)
    }
}
