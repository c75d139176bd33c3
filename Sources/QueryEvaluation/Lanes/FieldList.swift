import QueryTree

/// The fields of a row type without the type: what plans are compiled against.
///
/// The list is made when it is first asked for, because a type may hold arrays of itself.
package class FieldList: @unchecked Sendable {  // no stored properties
    /// How deep objects inside each other are described to the checker; deeper ones are not checked.
    package static let depth = 6

    /// The fields, in the order of the table.
    package var entries: [FieldEntry] { [] }

    /// The schema of the fields.
    package func schema(depth: Int = FieldList.depth) -> Schema { Self.schema(entries, depth: depth) }

    /// The schema of some fields.
    package static func schema(_ fields: [FieldEntry], depth: Int) -> Schema {
        Schema(
            fields.map { entry in
                Schema.Field.field(
                    entry.name,
                    entry.cell.fieldType(depth: depth),
                    storedAs: entry.storedName,
                    isOptional: entry.cell.isOptional || entry.isMasked
                )
            }
        )
    }
}

/// The fields of a row type.
final class TypedFieldList<Row: Queryable>: FieldList, @unchecked Sendable {
    override var entries: [FieldEntry] { Row.fields.entries }
}

/// A field of a row type: its names, what lies in its cells, and how a lane of them is had.
package struct FieldEntry: Sendable {
    /// The name in queries.
    package var name: String
    /// The name in documents.
    package var storedName: String
    /// What lies in a cell.
    package var cell: CellKind
    /// Where the cells lie.
    package var place: Place
    /// True for a column some of whose cells are marked as holding nothing.
    package var isMasked = false

    package enum Place: Sendable {
        /// At an offset in every row.
        case offset(Int)
        /// Nowhere: they are asked for and written to a buffer.
        case accessor(FieldAccessor)
    }
}

/// Asks rows for a property that does not lie in them: a computed one, or one of a class.
package class FieldAccessor: @unchecked Sendable {  // immutable
    /// Bytes from one value to the next, and their alignment.
    package var stride: Int { 0 }
    package var alignment: Int { 1 }

    /// Writes the values of rows that lie side by side.
    ///
    /// - Parameters:
    ///   - rows: the first row.
    ///   - count: the number of rows.
    ///   - buffer: uninitialized memory for that many values.
    package func fill(_ rows: UnsafeRawPointer, _ count: Int, _ buffer: UnsafeMutableRawPointer) {}

    /// Ends the life of values written by ``fill(_:_:_:)``.
    package func clear(_ buffer: UnsafeMutableRawPointer, _ count: Int) {}
}

/// Asks by a key path, of which a table takes those alone that are `Sendable`.
final class KeyPathAccessor<Row, Value>: FieldAccessor, @unchecked Sendable {
    private let path: KeyPath<Row, Value>

    init(_ path: KeyPath<Row, Value>) {
        self.path = path
    }

    override var stride: Int { MemoryLayout<Value>.stride }
    override var alignment: Int { MemoryLayout<Value>.alignment }

    override func fill(_ rows: UnsafeRawPointer, _ count: Int, _ buffer: UnsafeMutableRawPointer) {
        // The field table is for `Row`, and lanes are asked for with rows of that type only.
        let rows = rows.assumingMemoryBound(to: Row.self)
        let values = buffer.assumingMemoryBound(to: Value.self)
        for row in 0..<count { (values + row).initialize(to: rows[row][keyPath: path]) }
    }

    override func clear(_ buffer: UnsafeMutableRawPointer, _ count: Int) {
        // They were initialized by `fill`.
        buffer.assumingMemoryBound(to: Value.self).deinitialize(count: count)
    }
}
