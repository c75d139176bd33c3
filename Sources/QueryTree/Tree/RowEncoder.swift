import QueryValues

/// Encodes a Swift value as a ``Document``, without JSON in between.
struct RowEncoder: Encoder {
    let target: EncodingTarget
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        target.becomeObject()
        return KeyedEncodingContainer(KeyedRowContainer<Key>(target: target))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        target.becomeList()
        return UnkeyedRowContainer(target: target)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleRowContainer(target: target)
    }
}

private struct KeyedRowContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let target: EncodingTarget
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) { target.add(key.stringValue, .null) }
    mutating func encode(_ value: Bool, forKey key: Key) { target.add(key.stringValue, .bool(value)) }
    mutating func encode(_ value: String, forKey key: Key) { target.add(key.stringValue, .string(value)) }
    mutating func encode(_ value: Double, forKey key: Key) { target.add(key.stringValue, .double(value)) }
    mutating func encode(_ value: Float, forKey key: Key) { target.add(key.stringValue, target.kept(value)) }
    mutating func encode(_ value: Int, forKey key: Key) { target.add(key.stringValue, value.queryValue) }
    mutating func encode(_ value: Int8, forKey key: Key) { target.add(key.stringValue, value.queryValue) }
    mutating func encode(_ value: Int16, forKey key: Key) { target.add(key.stringValue, value.queryValue) }
    mutating func encode(_ value: Int32, forKey key: Key) { target.add(key.stringValue, value.queryValue) }
    mutating func encode(_ value: Int64, forKey key: Key) { target.add(key.stringValue, value.queryValue) }
    mutating func encode(_ value: UInt, forKey key: Key) { target.add(key.stringValue, whole: UInt64(value)) }
    mutating func encode(_ value: UInt8, forKey key: Key) { target.add(key.stringValue, value.queryValue) }
    mutating func encode(_ value: UInt16, forKey key: Key) { target.add(key.stringValue, value.queryValue) }
    mutating func encode(_ value: UInt32, forKey key: Key) { target.add(key.stringValue, value.queryValue) }
    mutating func encode(_ value: UInt64, forKey key: Key) { target.add(key.stringValue, whole: value) }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try target.add(key.stringValue, encoding: value)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        RowEncoder(target: target.add(key.stringValue)).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        RowEncoder(target: target.add(key.stringValue)).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { RowEncoder(target: target.add("super")) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { RowEncoder(target: target.add(key.stringValue)) }
}

private struct UnkeyedRowContainer: UnkeyedEncodingContainer {
    let target: EncodingTarget
    var codingPath: [any CodingKey] { [] }
    var count: Int { target.count }

    mutating func encodeNil() { target.add(nil, .null) }
    mutating func encode(_ value: Bool) { target.add(nil, .bool(value)) }
    mutating func encode(_ value: String) { target.add(nil, .string(value)) }
    mutating func encode(_ value: Double) { target.add(nil, .double(value)) }
    mutating func encode(_ value: Float) { target.add(nil, target.kept(value)) }
    mutating func encode(_ value: Int) { target.add(nil, value.queryValue) }
    mutating func encode(_ value: Int8) { target.add(nil, value.queryValue) }
    mutating func encode(_ value: Int16) { target.add(nil, value.queryValue) }
    mutating func encode(_ value: Int32) { target.add(nil, value.queryValue) }
    mutating func encode(_ value: Int64) { target.add(nil, value.queryValue) }
    mutating func encode(_ value: UInt) { target.add(nil, whole: UInt64(value)) }
    mutating func encode(_ value: UInt8) { target.add(nil, value.queryValue) }
    mutating func encode(_ value: UInt16) { target.add(nil, value.queryValue) }
    mutating func encode(_ value: UInt32) { target.add(nil, value.queryValue) }
    mutating func encode(_ value: UInt64) { target.add(nil, whole: value) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try target.add(nil, encoding: value)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        RowEncoder(target: target.add(nil)).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        RowEncoder(target: target.add(nil)).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { RowEncoder(target: target.add(nil)) }
}

private struct SingleRowContainer: SingleValueEncodingContainer {
    let target: EncodingTarget
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() { target.set(.null) }
    mutating func encode(_ value: Bool) { target.set(.bool(value)) }
    mutating func encode(_ value: String) { target.set(.string(value)) }
    mutating func encode(_ value: Double) { target.set(.double(value)) }
    mutating func encode(_ value: Float) { target.set(target.kept(value)) }
    mutating func encode(_ value: Int) { target.set(value.queryValue) }
    mutating func encode(_ value: Int8) { target.set(value.queryValue) }
    mutating func encode(_ value: Int16) { target.set(value.queryValue) }
    mutating func encode(_ value: Int32) { target.set(value.queryValue) }
    mutating func encode(_ value: Int64) { target.set(value.queryValue) }
    mutating func encode(_ value: UInt) { target.set(whole: UInt64(value)) }
    mutating func encode(_ value: UInt8) { target.set(value.queryValue) }
    mutating func encode(_ value: UInt16) { target.set(value.queryValue) }
    mutating func encode(_ value: UInt32) { target.set(value.queryValue) }
    mutating func encode(_ value: UInt64) { target.set(whole: value) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try target.forward(value)
    }
}
