import QueryTree
import QueryValues

/// How a field's values are laid out in memory, and how to read one.
///
/// One subclass, ``TypedCell``, for all types: the class is used only when a plan is compiled and when a row is read on
/// its own; kernels read cells by their concrete types.
package class CellKind: @unchecked Sendable {  // immutable
    /// What the kernels know about a cell.
    package enum Storage: Sendable {
        case bool
        case int8, int16, int32, int64
        case uint8, uint16, uint32, uint64
        case float, double
        case string
        /// Foundation's `Date`: a double, the seconds since 2001.
        case date
        case uuid
        /// An array; its elements are adjacent.
        case list(CellKind)
        /// A struct; its fields are stored inline.
        case object(FieldList)
        /// Anything else that is read through its value.
        case other(FieldType)
    }

    /// The storage of the cell.
    package let storage: Storage
    /// True if a cell may hold no value.
    package let isOptional: Bool
    /// Bytes from one cell of an array to the next.
    package let stride: Int
    /// The alignment in bytes.
    package let alignment: Int

    fileprivate init(_ storage: Storage, isOptional: Bool, stride: Int, alignment: Int) {
        self.storage = storage
        self.isOptional = isOptional
        self.stride = stride
        self.alignment = alignment
    }

    /// The cells of a type.
    ///
    /// A type that returns another type's kind is read through its value, so that cells are never read as the wrong
    /// type.
    static func of<Value: FieldValue>(_ type: Value.Type) -> CellKind {
        let cell = Value.fieldKind.cell
        return cell.isFor(type) ? cell : TypedCell<Value>(.other(.any))
    }

    /// True when the cells are of the type.
    fileprivate func isFor(_ type: Any.Type) -> Bool { false }

    /// The cell's value; nil if it holds none.
    ///
    /// - Parameter cell: the address of an initialized value of the cell's type.
    /// - Returns: the value, or nil.
    package func value(at cell: UnsafeRawPointer) -> QueryValue? { nil }

    /// Marks the cells of a lane that hold a value.
    ///
    /// - Parameters:
    ///   - lane: initialized cells of the cell's type.
    ///   - count: their number.
    ///   - words: receives one bit per cell; must be large enough.
    package func writeValidity(_ lane: Lane, _ count: Int, to words: UnsafeMutablePointer<UInt64>) {}

    /// The type in schema terms; nested objects are described down to a depth.
    func fieldType(depth: Int) -> FieldType {
        switch storage {
        case .bool: .bool
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64: .int
        case .float, .double: .double
        case .string: .string
        case .date: .date(.native)
        case .uuid: .uuid
        case .list(let element): .list(element.fieldType(depth: depth))
        case .object(let fields): depth > 0 ? .object(fields.schema(depth: depth - 1)) : .any
        case .other(let type): type
        }
    }
}

/// The cells of one Swift type.
final class TypedCell<Value: FieldValue>: CellKind, @unchecked Sendable {
    init(_ storage: Storage) {
        super.init(
            storage,
            isOptional: false,
            stride: MemoryLayout<Value>.stride,
            alignment: MemoryLayout<Value>.alignment
        )
    }

    override fileprivate func isFor(_ type: Any.Type) -> Bool { type == Value.self }

    override func value(at cell: UnsafeRawPointer) -> QueryValue? {
        // The cell holds an initialized `Value`, because lanes of this kind are made only from key paths and arrays of
        // that type.
        cell.assumingMemoryBound(to: Value.self).pointee.queryValue
    }

    override func writeValidity(_ lane: Lane, _ count: Int, to words: UnsafeMutablePointer<UInt64>) {
        SelectionVector.fill(UnsafeMutableBufferPointer(start: words, count: (count + 63) >> 6), count)
    }
}

/// The cells of an optional of one Swift type.
final class OptionalCell<Value: FieldValue>: CellKind, @unchecked Sendable {
    private let wrapped: CellKind

    init(_ wrapped: CellKind) {
        self.wrapped = wrapped
        super.init(
            wrapped.isOptional ? .other(wrapped.fieldType(depth: FieldList.depth)) : wrapped.storage,
            isOptional: true,
            stride: MemoryLayout<Value?>.stride,
            alignment: MemoryLayout<Value?>.alignment
        )
    }

    override fileprivate func isFor(_ type: Any.Type) -> Bool { type == Value?.self }

    override func value(at cell: UnsafeRawPointer) -> QueryValue? {
        // As in `TypedCell`; an optional's value is stored at its own address, however nil is marked.
        cell.assumingMemoryBound(to: Value?.self).pointee.map { $0.queryValue }
    }

    override func writeValidity(_ lane: Lane, _ count: Int, to words: UnsafeMutablePointer<UInt64>) {
        for start in stride(from: 0, to: count, by: 64) {
            var word: UInt64 = 0
            for row in start..<min(start + 64, count) {
                // As above.
                let isHere = lane.cell(row).assumingMemoryBound(to: Value?.self).pointee != nil
                word |= (isHere ? 1 : 0) << UInt64(row - start)
            }
            words[start >> 6] = word
        }
    }

    private func stride(from start: Int, to end: Int, by step: Int) -> StrideTo<Int> {
        Swift.stride(from: start, to: end, by: step)
    }
}
