#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import QueryValues

extension Document {
    /// Decodes a value of a type by its coding keys: the inverse of `Document(encoding:)`.
    ///
    ///     let document = try Document(encoding: Book(title: "Emma", year: 1815))
    ///     try document.decode(Book.self).year  // → 1815
    ///     try (["title": "Emma", "year": "1815"] as Document).decode(Book.self)  // throws kindMismatch
    ///
    /// Dates are read from dates and from texts in ISO 8601, data from bytes and base64, UUIDs from texts and 16 bytes, URLs
    /// from texts, lists and objects from texts of JSON, as columns of tables hold them, and numbers from every number with
    /// the same value. Texts are not read as numbers.
    ///
    /// - Parameter type: the type.
    /// - Returns: the value.
    /// - Throws: `QueryError` of code `kindMismatch` with the path of a value that is missing or of another kind,
    ///   `limit` for values nested deeper than ``Limits/jsonDepth``, and `evaluation` for what the type itself throws.
    /// - Complexity: linear in what the type reads, besides its own work.
    public func decode<Value: Decodable>(_ type: Value.Type) throws(QueryError) -> Value {
        do {
            return try ValueDecoder(.object(self), .root(""), depth: 0).decode(type)
        } catch let error as DecodingError {
            throw QueryError(error)
        } catch let error as QueryError {
            throw error
        } catch {
            throw QueryError(.evaluation, "the value cannot be decoded: \(error)")
        }
    }
}

extension QueryError {
    /// An error of a decoder, with the path of its value.
    fileprivate init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(context, "the value is missing", context.codingPath + [key])
            hint = "a property that may be missing is optional"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            self.init(context, context.debugDescription, context.codingPath)
        @unknown default: self.init(.evaluation, "the value cannot be decoded: \(error)")
        }
    }

    private init(_ context: DecodingError.Context, _ message: String, _ keys: [any CodingKey]) {
        let place = keys.reduce(JSONPlace.root("")) { place, key in
            if let index = key as? DecodingIndex { .index(place, index.number) } else { .key(place, key.stringValue) }
        }
        self.init(.kindMismatch, message, path: place.path)
    }
}

/// The number of an element as a coding key.
struct DecodingIndex: CodingKey {
    let number: Int
    var intValue: Int? { number }
    var stringValue: String { "Index \(number)" }

    init(intValue: Int) { number = intValue }
    init?(stringValue: String) { return nil }
}

/// A name as a coding key.
struct DecodingName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
}

extension JSONPlace {
    /// The path as coding keys.
    fileprivate var codingPath: [any CodingKey] {
        var keys: [any CodingKey] = []
        var place = self
        while true {
            switch place {
            case .root: return keys.reversed()
            case .key(let outer, let name):
                keys.append(DecodingName(stringValue: name))
                place = outer
            case .index(let outer, let index):
                keys.append(DecodingIndex(intValue: index))
                place = outer
            }
        }
    }
}

/// Decodes one value at its place.
struct ValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: QueryValue
    let place: JSONPlace
    let depth: Int
    var codingPath: [any CodingKey] { place.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: QueryValue, _ place: JSONPlace, depth: Int) {
        (self.value, self.place, self.depth) = (value, place, depth)
    }

    /// The decoder of a part.
    func part(_ value: QueryValue, _ place: JSONPlace) -> ValueDecoder { ValueDecoder(value, place, depth: depth) }

    func mismatch(_ type: Any.Type, _ wanted: String) -> DecodingError {
        let found = value.kind == .string ? "a text" : "of the kind \(value.kind.rawValue)"
        let message = "should be \(wanted), but is \(found)"
        return .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: message))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = inJSON else { throw mismatch([String: Any].self, "an object") }
        return KeyedDecodingContainer(KeyedValues<Key>(decoder: self, object: object))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list(let elements) = inJSON else { throw mismatch([Any].self, "a list") }
        return ListedValues(decoder: self, elements: elements)
    }

    /// The list or object of a text of JSON, as columns of tables hold it; else the value.
    private var inJSON: QueryValue {
        if case .string(let text) = value, let json = try? QueryValue(json: text) { json } else { value }
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { value.isNull }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let flag) = value else { throw mismatch(type, "a bool") }
        return flag
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .string(let text) = value else { throw mismatch(type, "a text") }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double {
        switch value {
        case .double(let number): return number
        case .int(let number): return Double(number)
        default: throw mismatch(type, "a number")
        }
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try whole(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try whole(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try whole(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try whole(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try whole(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try whole(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try whole(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try whole(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try whole(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try whole(type) }

    /// A whole number that the type holds.
    private func whole<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let number: Number? =
            switch value {
            case .int(let number): Number(exactly: number)
            case .double(let number): Number(exactly: number)
            default: throw mismatch(type, "a number")
            }
        guard let number else {
            let message = "the number is no \(type)"
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: message))
        }
        return number
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // In two steps: nil itself is a value of an optional type.
        if let constant = try constant(type), let value = constant as? Value { return value }
        guard depth < Limits.default.jsonDepth else {
            throw QueryError(.limit, "values nest at most \(Limits.default.jsonDepth) levels deep", path: place.path)
        }
        return try Value(from: ValueDecoder(value, place, depth: depth + 1))
    }

    /// The value of a type that `Document(encoding:)` gives a kind of its own; nil for other types.
    private func constant(_ type: Any.Type) throws -> Any? {
        if type == QueryValue.self { return value }
        if type == Date.self { return try date() }
        if type == Data.self { return try data() }
        if type == UUID.self { return try uuid() }
        if type == URL.self {
            guard let url = URL(string: try decode(String.self)) else { throw mismatch(type, "a URL") }
            return url
        }
        return type == Decimal.self ? try decimal() : nil
    }

    private func date() throws -> Date {
        let milliseconds: Int64? =
            switch value {
            case .date(let milliseconds): milliseconds
            case .string(let text): DateText.parse(text)
            default: nil
            }
        guard let milliseconds else { throw mismatch(Date.self, "a date") }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    private func data() throws -> Data {
        switch value {
        case .data(let bytes): return Data(bytes)
        case .string(let text):
            if let bytes = Base64.decode(text) { return Data(bytes) }
        default: break
        }
        throw mismatch(Data.self, "data or base64")
    }

    private func uuid() throws -> UUID {
        switch value {
        case .uuid(let uuid): return uuid
        case .string(let text):
            if let uuid = UUID(uuidString: text) { return uuid }
        case .data(let bytes) where bytes.count == MemoryLayout<uuid_t>.size:
            return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        default: break
        }
        throw mismatch(UUID.self, "a UUID")
    }

    private func decimal() throws -> Decimal {
        switch value {
        case .int(let number): return Decimal(number)
        case .double(let number): if let decimal = Decimal(shortest: number) { return decimal }
        default: break
        }
        throw mismatch(Decimal.self, "a number")
    }
}

extension Decimal {
    /// The decimal number that was written: the shortest text of its double.
    init?(shortest number: Double) { self.init(string: "\(number)") }
}
