#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import QueryValues

extension Schema {
    /// The fields that a type reads of an object, by its coding keys, with the kinds of its properties.
    ///
    ///     Schema(of: Book.self).fields.map(\.name)         // → ["title", "year"]
    ///     Schema(of: Book.self).field(named: "year")?.type  // → int
    ///
    /// The type is decoded once from values that are made up. Every field is optional, since rows may lack what a type
    /// needs. Where a type refuses the values, as an enum with associated values does, what it reads afterwards is
    /// unknown, and ``allowsOthers`` is true.
    ///
    /// - Parameter type: the type of the rows.
    public init<Row: Decodable>(of type: Row.Type) {
        let shape = RecordedShape(depth: 0, work: RecordingWork())
        _ = shape.value(of: type)
        guard case .object(let schema) = shape.type else {
            self = .any
            return
        }
        self = schema
    }

    /// The schema with each kind of a field, inside lists and objects too, replaced by another.
    ///
    /// - Parameter kind: gives the kind that takes the place of one that holds no others.
    /// - Returns: the schema.
    package func mapKinds(_ kind: (FieldType) -> FieldType) -> Schema {
        var copy = self
        copy.fields = fields.map { field in
            var field = field
            field.type = field.type.mapKinds(kind)
            return field
        }
        copy.index()
        return copy
    }
}

extension FieldType {
    package func mapKinds(_ kind: (FieldType) -> FieldType) -> FieldType {
        switch self {
        case .list(let element): .list(element.mapKinds(kind))
        case .object(let schema): .object(schema.mapKinds(kind))
        case .any, .bool, .int, .double, .string, .date, .data, .uuid, .objectID: kind(self)
        }
    }
}

/// How much of a type is still looked at: one that holds itself in several lists grows with each level.
private final class RecordingWork {
    static let mostLevels = 16
    var left = 4_000
}

/// What a type decoded at one place.
private final class RecordedShape {
    private enum Content {
        case nothing
        case single(FieldType)
        case list(RecordedShape?)
        case object
    }

    private let depth: Int
    private let work: RecordingWork
    private var content = Content.nothing
    private var names: [String] = []
    private var parts: [UTF8Key: FieldType] = [:]
    /// True if more may be read than was seen.
    private var isPartial = false

    init(depth: Int, work: RecordingWork) {
        (self.depth, self.work) = (depth, work)
    }

    var type: FieldType {
        switch content {
        case .nothing: return .any
        case .single(let type): return type
        case .list(let element): return .list(element?.type ?? .any)
        case .object:
            let fields = names.map { Schema.Field.field($0, parts[UTF8Key($0)] ?? .any) }
            return .object(Schema(fields, allowsOthers: isPartial || fields.isEmpty))
        }
    }

    func part() -> RecordedShape { RecordedShape(depth: depth + 1, work: work) }

    func becomeObject() { content = .object }

    func becomeList() -> RecordedShape {
        let element = part()
        content = .list(element)
        return element
    }

    func becomePartial() { isPartial = true }

    /// A type that decodes one field as two kinds takes both.
    func note(_ name: String, _ type: FieldType) {
        let key = UTF8Key(name)
        if let known = parts[key] {
            parts[key] = known == type ? known : .any
        } else {
            names.append(name)
            parts[key] = type
        }
    }

    func single<Value>(_ type: FieldType, _ value: Value) -> Value {
        content = .single(type)
        return value
    }

    /// A made-up value of a type, whose shape is noted here; nil where the type takes none.
    func value<Value: Decodable>(of type: Value.Type) -> Value? {
        if let known = known(type) { return single(known.type, known.value as? Value) }
        work.left -= 1
        guard depth < RecordingWork.mostLevels, work.left > 0 else { return nil }
        if let value = try? Value(from: RecordingDecoder(shape: self)) { return value }
        becomePartial()
        return type is any RawRepresentable.Type ? firstCase(of: type) : nil
    }

    /// The first case of an enum with raw values, which is a byte of zeros or no byte at all; nil for larger types.
    private func firstCase<Value>(of type: Value.Type) -> Value? {
        guard MemoryLayout<Value>.size <= 1 else { return nil }
        return withUnsafeBytes(of: UInt64(0)) { $0.load(as: Value.self) }
    }

    /// The types that `Document(encoding:)` gives a kind of their own.
    private func known(_ type: Any.Type) -> (type: FieldType, value: Any?)? {
        if type == QueryValue.self { return (.any, QueryValue.null) }
        if type == Date.self { return (.date(.native), Date(timeIntervalSince1970: 0)) }
        if type == Data.self { return (.data, Data()) }
        if type == UUID.self { return (.uuid, UUID()) }
        if type == URL.self { return (.string, URL(string: "a:")) }
        return type == Decimal.self ? (.double, Decimal(0)) : nil
    }
}

/// Answers every question of a type, and notes it.
private struct RecordingDecoder: Decoder, SingleValueDecodingContainer {
    let shape: RecordedShape
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        shape.becomeObject()
        return KeyedDecodingContainer(RecordingMembers<Key>(shape: shape))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { RecordingElements(shape: shape.becomeList()) }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { false }
    func decode(_ type: Bool.Type) -> Bool { shape.single(.bool, false) }
    func decode(_ type: String.Type) -> String { shape.single(.string, "") }
    func decode(_ type: Double.Type) -> Double { shape.single(.double, 0) }
    func decode(_ type: Float.Type) -> Float { shape.single(.double, 0) }
    func decode(_ type: Int.Type) -> Int { shape.single(.int, 0) }
    func decode(_ type: Int8.Type) -> Int8 { shape.single(.int, 0) }
    func decode(_ type: Int16.Type) -> Int16 { shape.single(.int, 0) }
    func decode(_ type: Int32.Type) -> Int32 { shape.single(.int, 0) }
    func decode(_ type: Int64.Type) -> Int64 { shape.single(.int, 0) }
    func decode(_ type: UInt.Type) -> UInt { shape.single(.int, 0) }
    func decode(_ type: UInt8.Type) -> UInt8 { shape.single(.int, 0) }
    func decode(_ type: UInt16.Type) -> UInt16 { shape.single(.int, 0) }
    func decode(_ type: UInt32.Type) -> UInt32 { shape.single(.int, 0) }
    func decode(_ type: UInt64.Type) -> UInt64 { shape.single(.int, 0) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let value = shape.value(of: type) { return value }
        throw QueryError(.kindMismatch, "\(type) accepts no made-up value")
    }
}

/// The members that a type decodes.
private struct RecordingMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let shape: RecordedShape
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }

    private func read<Value>(_ key: Key, _ body: (RecordingDecoder) throws -> Value) rethrows -> Value {
        let part = shape.part()
        defer { shape.note(key.stringValue, part.type) }
        return try body(RecordingDecoder(shape: part))
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try read(key) { try $0.decode(type) }
    }

    /// What takes no made-up value is absent, so that the members after it are seen.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
        read(key) { $0.shape.value(of: type) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        // What is read in it is seen too late for this place.
        shape.note(key.stringValue, .object(.any))
        return RecordingDecoder(shape: shape.part()).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        shape.note(key.stringValue, .list(.any))
        return RecordingDecoder(shape: shape.part()).unkeyedContainer()
    }

    func superDecoder() -> any Decoder {
        shape.becomePartial()
        return RecordingDecoder(shape: shape.part())
    }

    func superDecoder(forKey key: Key) -> any Decoder {
        shape.note(key.stringValue, .any)
        return RecordingDecoder(shape: shape.part())
    }
}

/// A list of one element.
private struct RecordingElements: UnkeyedDecodingContainer {
    let shape: RecordedShape
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { nil }
    var isAtEnd: Bool { currentIndex > 0 }

    init(shape: RecordedShape) { self.shape = shape }

    func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        currentIndex += 1
        return try RecordingDecoder(shape: shape).decode(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        currentIndex += 1
        return RecordingDecoder(shape: shape).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
        currentIndex += 1
        return RecordingDecoder(shape: shape).unkeyedContainer()
    }

    mutating func superDecoder() -> any Decoder {
        currentIndex += 1
        return RecordingDecoder(shape: shape)
    }
}
