#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension JSONScanner {
    private static let notAlone = "a key with `$` must be the only key of its object"

    /// The key just read starts with `$`, so the object represents a value.
    mutating func extendedKey(_ object: inout Container) throws(JSONFault) {
        let range = object.start..<index
        let key = lastKey(object.keys)
        if isOfRows, !object.values.isEmpty || !ExtendedKind.isKnown(key) { return }
        guard object.values.isEmpty else { throw JSONFault(message: Self.notAlone, range: range) }
        guard let kind = ExtendedKind(rawValue: key) else {
            throw JSONFault(message: ExtendedKind.refusal(of: key), range: range)
        }
        object.kind = .extended(kind)
    }

    /// Reads the closing brace, and gives the value that the whole object represents.
    mutating func extendedValue(
        _ kind: ExtendedKind,
        _ content: QueryValue,
        from start: Int
    ) throws(JSONFault) -> QueryValue {
        guard byte == UInt8(ascii: "}") else {
            if byte == UInt8(ascii: ",") { throw JSONFault(message: Self.notAlone, range: start..<index) }
            throw expected("`}` after the value of `\(kind.rawValue)`")
        }
        index &+= 1
        guard let value = kind.value(of: content) else { throw JSONFault(message: kind.refusal, range: start..<index) }
        return value
    }
}

/// The meaning of an object with a `$` key (Extended JSON v2, and the two shapes of `geoWithin`).
package enum ExtendedKind: String, CaseIterable {
    case int = "$numberInt"
    case long = "$numberLong"
    case double = "$numberDouble"
    case decimal = "$numberDecimal"
    case date = "$date"
    case uuid = "$uuid"
    case objectID = "$oid"
    case binary = "$binary"
    case circle = "$circle"
    case polygon = "$polygon"

    package static func isKnown(_ key: String) -> Bool {
        ExtendedKind(rawValue: key) != nil || otherKinds.contains(where: key.hasSameUTF8)
    }

    /// The message for a `$` key that represents no value.
    static func refusal(of key: String) -> String {
        if otherKinds.contains(where: key.hasSameUTF8) {
            return "`\(key)` is not supported: rows and queries have no such BSON type"
        }
        return "unknown `$` key; supported are " + allCases.map { "`\($0.rawValue)`" }.joined(separator: " ")
    }

    /// The keys of Extended JSON v2 whose values have no kind (S1).
    private static let otherKinds = [
        "$minKey", "$maxKey", "$timestamp", "$regularExpression", "$code", "$scope", "$symbol", "$undefined",
        "$dbPointer",
    ]

    /// True for the keys of numbers.
    var isNumber: Bool {
        switch self {
        case .int, .long, .double, .decimal: true
        case .date, .uuid, .objectID, .binary, .circle, .polygon: false
        }
    }

    /// The value that the object represents, or nil if its content does not fit.
    ///
    /// - Parameter content: what follows the key, read as Extended JSON itself.
    /// - Returns: the value, or nil when the content does not fit the key.
    func value(of content: QueryValue) -> QueryValue? {
        switch self {
        case .int: Self.whole(content).flatMap { Int32(exactly: $0) }.map { .int(Int64($0)) }
        case .long: Self.whole(content).map { .int($0) }
        case .double: Self.floating(content).map { .double($0) }
        case .decimal: Self.text(content).flatMap(DecimalText.value)
        case .date: Self.milliseconds(content).map { .date($0) }
        case .uuid: Self.text(content).flatMap(Self.uuid).map { .uuid($0) }
        case .objectID: Self.text(content).flatMap(Self.objectID).map { .string($0) }
        case .binary: Self.binary(content)
        case .circle: Self.circle(content).map { .shape($0) }
        case .polygon: Self.polygon(content).map { .shape($0) }
        }
    }

    /// A description of what the key takes.
    private var wanted: String {
        switch self {
        case .int: "the text of a whole number of 32 bits"
        case .long: "the text of a whole number of 64 bits"
        case .double: "the text of a number, `NaN`, `Infinity` or `-Infinity`"
        case .decimal: "the text of a decimal number that a double can hold"
        case .date: "an ISO 8601 text or milliseconds since 1970"
        case .uuid: "the text of a UUID, 36 characters"
        case .objectID: "24 hex digits"
        case .binary: "an object of `base64` and `subType`, and 16 bytes when `subType` is `04`"
        case .circle:
            "an object of `center`, [longitude, latitude] in degrees, and `radius`, metres that are not negative"
        case .polygon: "a list of at least three corners, each [longitude, latitude] in degrees"
        }
    }

    var refusal: String { "`\(rawValue)` takes \(wanted)" }
}

extension ExtendedKind {
    private static func text(_ content: QueryValue) -> String? {
        if case .string(let text) = content { text } else { nil }
    }

    /// An optional minus and digits, within Int64.
    private static func whole(_ content: QueryValue) -> Int64? {
        guard let text = text(content), text.utf8.first != UInt8(ascii: "+") else { return nil }
        return Int64(text)
    }

    private static func floating(_ content: QueryValue) -> Double? {
        guard let text = text(content) else { return nil }
        switch text {
        case "NaN": return .nan
        case "Infinity": return .infinity
        case "-Infinity": return -.infinity
        default:
            // `Double` would also accept `nan`, `inf` and hex digits.
            guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
            return Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
    }

    /// An ISO text, or a number of milliseconds, rounded down (S5).
    private static func milliseconds(_ content: QueryValue) -> Int64? {
        switch content {
        case .string(let text): DateText.parse(text)
        case .int(let milliseconds): milliseconds
        case .double(let milliseconds): Int64(exactly: milliseconds.rounded(.down))
        default: nil
        }
    }

    private static func uuid(_ text: String) -> UUID? {
        text.utf8.count == 36 ? UUID(uuidString: text) : nil
    }

    /// The lower-case text of 24 hex digits; nil for any other text.
    package static func objectID(_ text: String) -> String? {
        guard text.utf8.count == 24, text.utf8.allSatisfy({ Hex.value(of: $0) != nil }) else { return nil }
        return text.lowercased()
    }

    private static func binary(_ content: QueryValue) -> QueryValue? {
        guard case .object(let parts) = content, parts.count == 2,
            let base64 = parts["base64"].flatMap(text), let bytes = Base64.decode(base64),
            let subType = parts["subType"].flatMap(text), (1...2).contains(subType.utf8.count),
            let type = UInt8(subType, radix: 16), subType.utf8.first != UInt8(ascii: "+")
        else { return nil }
        guard type == 4 else { return .data(bytes) }
        return UUID(bytes: bytes).map { .uuid($0) }
    }

    private static func circle(_ content: QueryValue) -> GeoShape? {
        guard case .object(let parts) = content, parts.count == 2,
            let center = parts["center"].flatMap(point),
            let radius = parts["radius"].flatMap(number), radius >= 0
        else { return nil }
        return .circle(longitude: center.longitude, latitude: center.latitude, radius: radius)
    }

    private static func polygon(_ content: QueryValue) -> GeoShape? {
        guard case .list(let corners) = content, corners.count >= 3 else { return nil }
        let points = corners.compactMap(point)
        return points.count == corners.count ? .polygon(points) : nil
    }

    private static func point(_ content: QueryValue) -> GeoPoint? {
        guard case .list(let parts) = content, parts.count == 2,
            let longitude = number(parts[0]), let latitude = number(parts[1]),
            -180...180 ~= longitude, -90...90 ~= latitude
        else { return nil }
        return GeoPoint(longitude: longitude, latitude: latitude)
    }

    private static func number(_ content: QueryValue) -> Double? {
        switch content {
        case .int(let int): Double(int)
        case .double(let double): double.isFinite ? double : nil
        default: nil
        }
    }
}

extension UUID {
    /// The UUID of 16 bytes, or nil for any other number of them.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let value = bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        self.init(uuid: value)
    }

    /// The 16 bytes.
    package var bytes: [UInt8] {
        withUnsafeBytes(of: uuid) { Array($0) }
    }
}
