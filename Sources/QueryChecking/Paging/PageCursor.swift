import QueryTree
import QueryValues

/// A position in an order: the keys of the last row of a page.
///
/// Its ``token`` is opaque text to store or send; it is validated when read back.
///
///     let query = Query(order: ["-population"], limit: 2)
///     let cursor = try query.cursor(after: cities[0])
///     let next = try query.page(after: PageCursor(token: cursor.token))
///     try next.results(in: cities).map { $0["name"] ?? nil }  // → ["Worcester", "Salem"]
public struct PageCursor: Hashable, Sendable {
    /// The order of the query, with the key that identifies rows last.
    let order: [SortKey]
    /// A value for each key.
    let values: [QueryValue]

    package init(order: [SortKey], values: [QueryValue]) {
        self.order = order
        self.values = values
    }

    /// The position as text of letters, digits, `-` and `_`.
    ///
    ///     let cursor = try Query(order: ["name"]).cursor(after: cities[0])
    ///     cursor.token.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }  // → true
    public var token: String {
        let keys = order.map { key -> QueryValue in
            .object([
                "path": .list(key.path.keys.map { .string($0) }), "up": .bool(key.isAscending),
                "options": .string(key.options.text),
            ])
        }
        let text = JSONWriter(style: .canonical).text(.object(["order": .list(keys), "values": .list(values)]))
        let content = Array(text.utf8)
        var out: [UInt8] = []
        Base64.encode(Self.checksum(content) + content, to: &out)
        while out.last == UInt8(ascii: "=") { out.removeLast() }
        return String(decoding: out.map { Self.safe[$0] ?? $0 }, as: UTF8.self)
    }

    /// A position from its token.
    ///
    ///     let cursor = try Query(order: ["name"]).cursor(after: cities[0])
    ///     try PageCursor(token: cursor.token) == cursor  // → true
    ///     try PageCursor(token: "?")  // throws pipeline
    ///
    /// - Parameter token: the value of ``token``.
    /// - Throws: `QueryError` of code `pipeline` for a text that ``token`` did not produce, or that was changed.
    public init(token: String) throws(QueryError) {
        guard let cursor = Self.decoded(token) else {
            throw QueryError(.pipeline, "this is not a cursor", hint: "pass a cursor's token unchanged")
        }
        self = cursor
    }

    private static let safe: [UInt8: UInt8] = [
        UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_"),
    ]

    private static func decoded(_ token: String) -> PageCursor? {
        var bytes = token.utf8.map { byte in safe.first { $0.value == byte }?.key ?? byte }
        while bytes.count % 4 != 0 { bytes.append(UInt8(ascii: "=")) }
        guard let content = Base64.decode(String(decoding: bytes, as: UTF8.self)), content.count > 4,
            checksum(Array(content[4...])).elementsEqual(content[..<4]),
            case .object(let object)? = try? QueryValue(
                json: String(decoding: content[4...], as: UTF8.self),
                extended: true
            ),
            case .list(let keys)? = object["order"], case .list(let values)? = object["values"],
            keys.count == values.count, !keys.isEmpty
        else { return nil }
        let order = keys.compactMap(key)
        return order.count == keys.count ? PageCursor(order: order, values: values) : nil
    }

    private static func key(_ value: QueryValue) -> SortKey? {
        guard case .object(let object) = value, case .list(let names)? = object["path"],
            case .bool(let isAscending)? = object["up"], case .string(let letters)? = object["options"]
        else { return nil }
        var keys: [String] = []
        for name in names {
            guard case .string(let key) = name else { return nil }
            keys.append(key)
        }
        var options: StringOptions = []
        if letters.utf8.contains(UInt8(ascii: "c")) { options.insert(.caseInsensitive) }
        if letters.utf8.contains(UInt8(ascii: "d")) { options.insert(.diacriticInsensitive) }
        return SortKey(FieldPath(keys: keys), ascending: isAscending, options: options)
    }

    /// FNV-1a: detects truncation and typos; no protection against forgery.
    private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        var hash: UInt32 = 2_166_136_261
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: hash >> $0) }
    }
}

extension PageCursor: EncodedAs, Codable {
    package init(encoded token: String) throws { try self.init(token: token) }

    /// The ``token``.
    package var encoded: String { token }
}
