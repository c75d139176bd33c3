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
    /// A custom type is read through its `queryValue`, row by row.
    public static var fieldKind: FieldKind { FieldKind(TypedCell<Self>(.other(.any))) }
}

extension FieldValue where Self: RawRepresentable, RawValue: FieldValue {
    /// A type with raw values is read through its raw value, row by row.
    public static var fieldKind: FieldKind {
        FieldKind(TypedCell<Self>(.other(CellKind.of(RawValue.self).fieldType(depth: FieldList.depth))))
    }
}

extension Bool: FieldValue {
    /// One byte, 0 or 1.
    public static var fieldKind: FieldKind { FieldKind(TypedCell<Self>(.bool)) }
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

extension Float: FieldValue {
    /// Four bytes.
    public static var fieldKind: FieldKind { FieldKind(TypedCell<Self>(.float)) }
}

extension Double: FieldValue {
    /// Eight bytes.
    public static var fieldKind: FieldKind { FieldKind(TypedCell<Self>(.double)) }
}

extension String: FieldValue {
    /// Read in place as UTF-8.
    public static var fieldKind: FieldKind { FieldKind(TypedCell<Self>(.string)) }
}

extension Date: FieldValue {
    /// Seconds as a double.
    public static var fieldKind: FieldKind { FieldKind(TypedCell<Self>(.date)) }
}

extension UUID: FieldValue {
    /// Sixteen bytes.
    public static var fieldKind: FieldKind { FieldKind(TypedCell<Self>(.uuid)) }
}

extension Data: FieldValue {
    /// Read as bytes, row by row.
    public static var fieldKind: FieldKind { FieldKind(TypedCell<Self>(.other(.data))) }
}

extension Decimal: FieldValue {
    /// Read through its value, row by row.
    public static var fieldKind: FieldKind { FieldKind(TypedCell<Self>(.other(.double))) }  // S1
}

extension Optional: FieldValue where Wrapped: FieldValue {
    /// Nil is an absent value.
    public static var fieldKind: FieldKind { FieldKind(OptionalCell<Wrapped>(CellKind.of(Wrapped.self))) }  // S8
}

extension Array: FieldValue where Element: FieldValue {
    /// The elements are read in place.
    public static var fieldKind: FieldKind { FieldKind(TypedCell<Self>(.list(CellKind.of(Element.self)))) }
}
