#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import QueryTree
import QueryValues

/// A type that a field of a ``Queryable`` row, or an element of a column, may have.
///
/// The standard types conform: `Bool`, the integers, `Float`, `Double`, `String`, `Date`, `UUID`, `Data`, `Decimal`, and
/// optionals and arrays of all of these; every ``Queryable`` struct conforms too. An enum with raw values only has to
/// declare the conformance:
///
///     enum Color: String, FieldValue { case red, green }
///     var cars = ColumnTable()
///     try cars.add("color", [Color.red, .green])
///     try Query(format: "color == 'red'").count(in: cars)  // → 1
public protocol FieldValue: QueryValueConvertible {
    /// How values of the type are laid out in memory; nothing to implement.
    static var fieldKind: FieldKind { get }
}

/// How values of a type are laid out in memory.
///
///     enum Color: String, FieldValue { case red, green }
///     let kind: FieldKind = Color.fieldKind
public struct FieldKind: Sendable {
    package let cell: CellKind

    package init(_ cell: CellKind) {
        self.cell = cell
    }
}

extension FieldValue {
    /// A standard type is read as it is laid out; a custom one through its `queryValue`, row by row.
    public static var fieldKind: FieldKind {
        FieldKind((Self.self as? any StandardValue.Type)?.cell ?? TypedCell<Self>(.other(.any)))
    }
}

/// A type of the standard library or Foundation, whose layout is known.
private protocol StandardValue: FieldValue {
    static var cell: CellKind { get }
}

extension FieldValue where Self: RawRepresentable, RawValue: FieldValue {
    /// A type with raw values is read through its raw value, row by row.
    public static var fieldKind: FieldKind {
        FieldKind(TypedCell<Self>(.other(CellKind.of(RawValue.self).fieldType(depth: FieldList.depth))))
    }
}

extension Bool: FieldValue, StandardValue {
    /// One byte, 0 or 1.
    static var cell: CellKind { TypedCell<Self>(.bool) }
}

extension FieldValue where Self: FixedWidthInteger {
    /// A standard integer is read in place; any other, whose memory layout is unknown, is read through its value, row
    /// by row.
    public static var fieldKind: FieldKind { FieldKind(TypedCell<Self>(.integer(Self.self) ?? .other(.int))) }
}

extension CellKind.Storage {
    /// The memory layout of an integer of the standard library; nil for every other type.
    fileprivate static func integer(_ type: Any.Type) -> CellKind.Storage? {
        #if _pointerBitWidth(_64)
            let (signed, unsigned): (CellKind.Storage, CellKind.Storage) = (.int64, .uint64)
        #else
            let (signed, unsigned): (CellKind.Storage, CellKind.Storage) = (.int32, .uint32)
        #endif
        return switch ObjectIdentifier(type) {
        case ObjectIdentifier(Int.self): signed
        case ObjectIdentifier(Int8.self): .int8
        case ObjectIdentifier(Int16.self): .int16
        case ObjectIdentifier(Int32.self): .int32
        case ObjectIdentifier(Int64.self): .int64
        case ObjectIdentifier(UInt.self): unsigned
        case ObjectIdentifier(UInt8.self): .uint8
        case ObjectIdentifier(UInt16.self): .uint16
        case ObjectIdentifier(UInt32.self): .uint32
        case ObjectIdentifier(UInt64.self): .uint64
        default: nil
        }
    }
}

extension Int: FieldValue {}
extension Int8: FieldValue {}
extension Int16: FieldValue {}
extension Int32: FieldValue {}
extension Int64: FieldValue {}
extension UInt: FieldValue {}
extension UInt8: FieldValue {}
extension UInt16: FieldValue {}
extension UInt32: FieldValue {}
extension UInt64: FieldValue {}

extension Float: FieldValue, StandardValue {
    /// Four bytes.
    static var cell: CellKind { TypedCell<Self>(.float) }
}

extension Double: FieldValue, StandardValue {
    /// Eight bytes.
    static var cell: CellKind { TypedCell<Self>(.double) }
}

extension String: FieldValue, StandardValue {
    /// Read in place as UTF-8.
    static var cell: CellKind { TypedCell<Self>(.string) }
}

extension Date: FieldValue, StandardValue {
    /// Seconds as a double.
    static var cell: CellKind { TypedCell<Self>(.date) }
}

extension UUID: FieldValue, StandardValue {
    /// Sixteen bytes.
    static var cell: CellKind { TypedCell<Self>(.uuid) }
}

extension Data: FieldValue, StandardValue {
    /// Read as bytes, row by row.
    static var cell: CellKind { TypedCell<Self>(.other(.data)) }
}

extension Decimal: FieldValue, StandardValue {
    /// Read through its value, row by row.
    static var cell: CellKind { TypedCell<Self>(.other(.double)) }  // S1
}

extension Optional: FieldValue, StandardValue where Wrapped: FieldValue {
    /// Nil is an absent value.
    static var cell: CellKind { OptionalCell<Wrapped>(CellKind.of(Wrapped.self)) }  // S8
}

extension Array: FieldValue, StandardValue where Element: FieldValue {
    /// The elements are read in place.
    static var cell: CellKind { TypedCell<Self>(.list(CellKind.of(Element.self))) }
}
