import QueryValues

/// A table of columns, each with a name and a value for every row.
///
///     var cities = ColumnTable()
///     try cities.add("name", ["Boston", "Worcester", "Springfield"])
///     try cities.add("population", [653_833, 206_518, 155_929])
///     try cities.add("mayor", ["Wu", nil, "Sarno"])
///     try Query(format: "population > 200000 AND mayor != nil").matchingIndices(in: cities)  // → [0]
///
/// Queries read only the columns that they name, which is the fastest way to query many rows. A table is a value;
/// copies share their columns.
public struct ColumnTable: Sendable {
    private(set) var columns: [AnyColumn] = []
    /// The number of rows; 0 without columns.
    public private(set) var count = 0

    /// A table without columns.
    ///
    ///     ColumnTable().names  // → []
    public init() {}

    /// The columns' names, in the order they were added.
    public var names: [String] { columns.map(\.field.name) }

    /// Adds a column.
    ///
    ///     var cities = ColumnTable()
    ///     try cities.add("name", ["Boston", "Salem"])
    ///     try cities.add("name", ["Boston", "Salem"])  // throws unsupported
    ///     try cities.add("population", [653_833, 0], validity: [true, false])
    ///     try Query(format: "population == nil").resultIndices(in: cities)  // → [1]
    ///
    /// The values are copied once: O(rows). Nil is an absent value (S8).
    ///
    /// - Parameters:
    ///   - name: the field's name in queries and results; not empty, and not the name of another column.
    ///   - values: a value for each row: bools, ints, floats, text, dates, UUIDs, anything that a field may have, and
    ///     optionals and arrays of them; ignored for rows marked invalid.
    ///   - validity: true for each row that has a value; nil if all have.
    /// - Throws: `QueryError` of code `unsupported`, with the column's name, for a name that is empty or taken, for a
    ///   number of values that differs from the other columns, and for one of flags that differs from the values.
    public mutating func add<Value: FieldValue & Sendable>(
        _ name: String,
        _ values: [Value],
        validity: [Bool]? = nil
    ) throws(QueryError) {
        guard let validity else { return try add(name, values, mask: nil) }
        guard validity.count == values.count else {
            throw Self.refusal(name, "has \(values.count) values and \(validity.count) validity flags")
        }
        var words = [UInt64](repeating: 0, count: (values.count + 63) >> 6)
        for (row, isHere) in validity.enumerated() where isHere { words[row >> 6] |= 1 << UInt64(row & 63) }
        try add(name, values, mask: words)
    }

    /// Adds a column of which some rows have no value, marked by a validity bitmap as in other column stores.
    ///
    ///     var cities = ColumnTable()
    ///     try cities.add("population", [653_833, 0], validityBits: [0b01])
    ///     try Query(format: "population == nil").resultIndices(in: cities)  // → [1]
    ///
    /// - Parameters:
    ///   - name: as in ``add(_:_:validity:)``.
    ///   - values: a value for each row; ignored for rows marked invalid.
    ///   - validityBits: a bit for each row, starting with the lowest bit of the first word; set if the row has a
    ///     value.
    /// - Throws: as ``add(_:_:validity:)``, and if there are fewer bits than values.
    public mutating func add<Value: FieldValue & Sendable>(
        _ name: String,
        _ values: [Value],
        validityBits: [UInt64]
    ) throws(QueryError) {
        guard validityBits.count >= (values.count + 63) >> 6 else {
            throw Self.refusal(name, "has \(values.count) values and \(validityBits.count * 64) validity bits")
        }
        try add(name, values, mask: validityBits)
    }

    private mutating func add<Value: FieldValue & Sendable>(
        _ name: String,
        _ values: [Value],
        mask: [UInt64]?
    ) throws(QueryError) {
        if name.isEmpty { throw QueryError(.unsupported, "column \(columns.count + 1) has no name") }
        if columns.contains(where: { $0.field.name.hasSameUTF8(as: name) }) {
            throw Self.refusal(name, "already exists")
        }
        if !columns.isEmpty, values.count != count {
            throw Self.refusal(name, "has \(values.count) values; the other columns have \(count)")
        }
        count = values.count
        columns.append(TypedColumn(name, values, mask))
    }

    private static func refusal(_ name: String, _ reason: String) -> QueryError {
        QueryError(.unsupported, "the column '\(name)' \(reason)")
    }

    /// A row as an object, without the columns that have no value for it.
    ///
    ///     columns.document(at: 3)  // → {"name":"Salem","state":"MA","population":44480}
    ///
    /// - Parameter row: a position in 0 ..< ``count``.
    /// - Returns: the row; empty for a position outside the table.
    public func document(at row: Int) -> Document {
        guard row >= 0, row < count else { return Document() }
        var pairs: [(String, QueryValue)] = []
        for column in columns {
            if let value = column.value(at: row) { pairs.append((column.field.name, value)) }
        }
        return Document(pairs: pairs)
    }

    /// The fields, for compiling plans.
    package var fields: [FieldEntry] { columns.map(\.field) }

    /// Passes the columns' memory to a closure.
    func withSource<Result>(_ body: (RowSource) throws(QueryError) -> Result) throws(QueryError) -> Result {
        defer { withExtendedLifetime(columns) {} }
        return try body(RowSource(.columns(columns.map(\.lane)), count: count))
    }
}

/// One column, with values of any type.
class AnyColumn: @unchecked Sendable {  // immutable
    let field: FieldEntry
    /// The cells, valid as long as the column exists.
    let lane: Lane

    fileprivate init(_ field: FieldEntry, _ lane: Lane) {
        self.field = field
        self.lane = lane
    }

    /// The value of a row; nil if there is none.
    final func value(at row: Int) -> QueryValue? {
        lane.isValid(row) ? field.cell.value(at: lane.cell(row)) : .none
    }
}

/// A column in memory of its own, which never moves: lanes are addresses, and those of an array's elements hold only
/// during a call.
private final class TypedColumn<Value: FieldValue & Sendable>: AnyColumn, @unchecked Sendable {
    private let values: UnsafeMutableBufferPointer<Value>
    private let mask: UnsafeMutablePointer<UInt64>?

    init(_ name: String, _ list: [Value], _ bits: [UInt64]?) {
        let base = UnsafeMutablePointer<Value>.allocate(capacity: max(1, list.count))
        values = UnsafeMutableBufferPointer(start: base, count: list.count)
        _ = values.initialize(from: list)
        mask = bits.map { bits in
            let words = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, bits.count))
            words.initialize(from: bits, count: bits.count)
            return words
        }
        let cell = CellKind.of(Value.self)
        let field = FieldEntry(name: name, storedName: name, cell: cell, access: .offset(0), isMasked: mask != nil)
        let validity = mask.map { UnsafePointer($0) }
        super.init(field, Lane(base: base, stride: MemoryLayout<Value>.stride, validity: validity))
    }

    deinit {
        values.deinitialize()
        values.deallocate()
        // Words are trivial; nothing of them has to end.
        mask?.deallocate()
    }
}
