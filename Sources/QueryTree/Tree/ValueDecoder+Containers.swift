import QueryValues

/// The members of an object.
struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder
    let object: Document
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { object.keys.compactMap(Key.init(stringValue:)) }

    private func part(_ key: some CodingKey) throws -> ValueDecoder {
        guard let value = object[key.stringValue] else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
        }
        return decoder.part(value, .key(decoder.place, key.stringValue))
    }

    func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try object[key.stringValue]?.isNull ?? part(key).decodeNil() }

    // The usual kinds are read without a place, which only errors need.

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        if case .bool(let flag)? = object[key.stringValue] { return flag }
        return try part(key).decode(type)
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        if case .string(let text)? = object[key.stringValue] { return text }
        return try part(key).decode(type)
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        if case .double(let number)? = object[key.stringValue] { return number }
        return try part(key).decode(type)
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        if case .int(let number)? = object[key.stringValue], let number = Int(exactly: number) { return number }
        return try part(key).decode(type)
    }

    // One look for a key that may be absent; the defaults take three.

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let value = object[key.stringValue], !value.isNull else { return nil }
        if case .bool(let flag) = value { return flag }
        let flag: Bool = try part(key).decode(type)
        return flag
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let value = object[key.stringValue], !value.isNull else { return nil }
        if case .string(let text) = value { return text }
        let text: String = try part(key).decode(type)
        return text
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let value = object[key.stringValue], !value.isNull else { return nil }
        if case .double(let number) = value { return number }
        let number: Double = try part(key).decode(type)
        return number
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        guard let value = object[key.stringValue], !value.isNull else { return nil }
        if case .int(let number) = value, let number = Int(exactly: number) { return number }
        let number: Int = try part(key).decode(type)
        return number
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let value = object[key.stringValue], !value.isNull else { return nil }
        let decoded: Value = try part(key).decode(type)
        return decoded
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try part(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try part(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try part(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try part(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try part(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try part(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try part(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try part(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try part(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try part(key).decode(type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try part(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try part(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try part(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try part(DecodingName(stringValue: "super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try part(key) }
}

/// The elements of a list.
struct ListedValues: UnkeyedDecodingContainer {
    let decoder: ValueDecoder
    let elements: [QueryValue]
    var currentIndex = 0
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    init(decoder: ValueDecoder, elements: [QueryValue]) {
        (self.decoder, self.elements) = (decoder, elements)
    }

    private func part() throws -> ValueDecoder {
        guard currentIndex < elements.count else {
            let path = codingPath + [DecodingIndex(intValue: currentIndex)]
            throw DecodingError.valueNotFound(
                Any.self,
                .init(codingPath: path, debugDescription: "the list has only \(elements.count) elements")
            )
        }
        return decoder.part(elements[currentIndex], .index(decoder.place, currentIndex))
    }

    /// Reads the next element, which is passed only if that succeeds.
    private mutating func next<Value>(_ read: (ValueDecoder) throws -> Value) throws -> Value {
        let value = try read(part())
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard try part().decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.decode(type) } }
    mutating func decode(_ type: String.Type) throws -> String { try next { try $0.decode(type) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.decode(type) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { try $0.decode(type) } }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next { try $0.decode(type) } }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}
