import QueryTree

/// The fields of a row type without the type, which plans are compiled against.
///
/// The list is built on first use, because a type may contain arrays of itself.
package class FieldList: @unchecked Sendable {  // no stored properties
    /// The nesting to which objects are described to the checker; deeper ones are not checked.
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

/// A field of a row type: its names, the type of its cells, and how to get a lane of them.
package struct FieldEntry: Sendable {
    /// The name in queries.
    package var name: String
    /// The name in documents.
    package var storedName: String
    /// The type of the cells.
    package var cell: CellKind
    /// How the cells are reached.
    package var access: Access
    /// True for a column with a validity bitmap.
    package var isMasked = false
    /// The property that the field reads; nil for columns.
    package nonisolated(unsafe) var path: AnyKeyPath?  // immutable, captures names alone

    package enum Access: Sendable {
        /// At an offset in every row.
        case offset(Int)
        /// Not in memory: values are read through an accessor into a buffer.
        case accessor(FieldAccessor)
    }
}

/// Reads a property that is not stored in the rows: a computed one, or one of a class.
package class FieldAccessor: @unchecked Sendable {  // immutable
    /// Bytes from one value to the next, and their alignment.
    package var stride: Int { 0 }
    package var alignment: Int { 1 }

    /// Writes the values of adjacent rows.
    ///
    /// - Parameters:
    ///   - rows: the first row.
    ///   - count: the number of rows.
    ///   - buffer: uninitialized memory for that many values.
    package func fill(_ rows: UnsafeRawPointer, _ count: Int, _ buffer: UnsafeMutableRawPointer) {}

    /// Deinitializes values written by ``fill(_:_:_:)``.
    package func clear(_ buffer: UnsafeMutableRawPointer, _ count: Int) {}
}

/// Reads through a key path; tables take only `Sendable` ones.
final class KeyPathAccessor<Row, Value>: FieldAccessor, @unchecked Sendable {
    private let path: KeyPath<Row, Value>

    init(_ path: KeyPath<Row, Value>) {
        self.path = path
    }

    override var stride: Int { MemoryLayout<Value>.stride }
    override var alignment: Int { MemoryLayout<Value>.alignment }

    override func fill(_ rows: UnsafeRawPointer, _ count: Int, _ buffer: UnsafeMutableRawPointer) {
        // The field table is for `Row`, and lanes are requested only with rows of that type.
        let rows = rows.assumingMemoryBound(to: Row.self)
        let values = buffer.assumingMemoryBound(to: Value.self)
        for row in 0..<count { (values + row).initialize(to: rows[row][keyPath: path]) }
    }

    override func clear(_ buffer: UnsafeMutableRawPointer, _ count: Int) {
        // They were initialized by `fill`.
        buffer.assumingMemoryBound(to: Value.self).deinitialize(count: count)
    }
}
