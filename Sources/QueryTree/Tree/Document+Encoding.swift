#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import QueryValues

extension Document {
    /// A document with a value's encoded form: what an encoder sees of a struct, by its coding keys.
    ///
    ///     try Document(encoding: Book(title: "Emma", year: 1815))  // → {"title":"Emma","year":1815}
    ///
    /// Dates, data, UUIDs and decimals keep their kinds (S1), URLs become text, and a nil optional is absent if its
    /// type encodes it only when present.
    ///
    /// - Parameter value: encodes as an object.
    /// - Throws: `QueryError` of code `evaluation` when it encodes as something else, when its own `encode(to:)`
    ///   throws, or when it is nested deeper than `Limits.default.jsonDepth`.
    public init(encoding value: some Encodable) throws(QueryError) {
        var shapes = RowShapes()
        try self.init(encoding: value, &shapes)
    }

    /// The same for a value that is to be read back: a number that no int and no double is, which S1 rounds, is refused,
    /// and so is a date that no number of milliseconds stands for; a `Float` is the decimal number that it was written as.
    ///
    /// - Parameter value: encodes as an object.
    /// - Throws: as ``init(encoding:)``, and `QueryError` of code `argument` with the path of such a value.
    package init(encodingExactly value: some Encodable) throws(QueryError) {
        var shapes = RowShapes()
        try self.init(encoding: value, &shapes, isExact: true)
    }

    /// The same for a row with a number, which errors name.
    package init(encoding value: some Encodable, index: Int, _ shapes: inout RowShapes) throws(QueryError) {
        do throws(QueryError) {
            try self.init(encoding: value, &shapes)
        } catch {
            throw error.inRow(index)
        }
    }

    /// The same with shared shapes; encodes only the keys they want.
    package init(encoding value: some Encodable, _ shapes: inout RowShapes, isExact: Bool = false) throws(QueryError) {
        let target = EncodingTarget(depth: 0, wanted: shapes.wanted, isExact: isExact)
        do {
            try target.encode(value)
        } catch {
            throw QueryError(.evaluation, "the row cannot be encoded: \(error)")
        }
        if isExact, let (place, value) = target.rounded(in: .root("")) {
            let (message, hint) =
                value.kind == .number
                ? ("the number would be rounded", "keep it as text")
                : ("the date is NaN or out of range", "keep such a value as nil")
            throw QueryError(.argument, message, path: place.path, hint: hint)
        }
        switch target.finish(&shapes) {
        case .object(let document): self = document
        case let value where shapes.takesPlainValues: self.init(shape: Self.plainShape, values: [value])
        default:
            let hint = "pass structs or classes; rows of plain values are named SELF, in an order FieldPath.itself"
            throw QueryError(.evaluation, "the row does not encode as an object", hint: hint)
        }
    }

    /// The shape of a row that is no object; no other row has it.
    private static let plainShape = Shape(keys: ["\0"])

    /// What `SELF` is: the row, or the plain value that it was encoded from.
    package var itself: QueryValue { plainValue ?? .object(self) }

    /// The value that a row was encoded from, if that is no object.
    package var plainValue: QueryValue? { shape === Self.plainShape ? values.first : nil }
}

/// The shapes of the rows so far, shared by rows of the same type so that keys are found quickly.
package struct RowShapes {
    private static let most = 16
    private var shapes: [Shape] = []
    /// The keys to encode; nil for all.
    let wanted: WantedKeys?
    /// True if values that are no objects are rows, too.
    let takesPlainValues: Bool

    package init(wanted: WantedKeys? = nil, takesPlainValues: Bool = false) {
        self.wanted = wanted
        self.takesPlainValues = takesPlainValues
    }

    mutating func document(_ keys: [String], _ values: [QueryValue]) -> Document {
        if let known = shapes.first(where: { $0.keys.hasSameUTF8(as: keys) }) {
            return Document(shape: known, values: values)
        }
        let document = Document(pairs: zip(keys, values))
        if document.count == keys.count, keys.count <= 64, shapes.count < Self.most { shapes.append(document.shape) }
        return document
    }
}

/// Receives one encoded value of a row; containers fill it later.
final class EncodingTarget {
    private enum Content {
        case nothing
        case value(QueryValue)
        case object
        case list
    }

    private enum Part {
        case value(QueryValue)
        case target(EncodingTarget)
    }

    let depth: Int
    /// How many single-value containers lead here, each inside the value of the one before.
    private var forwards = 0
    /// The keys that are kept; nil for all.
    private let wanted: WantedKeys?
    /// True if the value is to be read back.
    private let isExact: Bool
    private var content = Content.nothing
    private var keys: [String] = []
    private var parts: [Part] = []
    /// The first part that S1 rounds, by its number.
    private var roundedPart: Int?
    /// True if the value itself is rounded.
    private var isRounded = false

    init(depth: Int, wanted: WantedKeys? = nil, isExact: Bool) {
        self.depth = depth
        self.wanted = wanted
        self.isExact = isExact
    }

    var count: Int { parts.count }

    func becomeObject() { content = .object }

    func becomeList() { content = .list }

    func set(_ value: QueryValue) { content = .value(value) }

    @inline(__always)
    private func wants(_ key: String?) -> Bool {
        guard let wanted, let key else { return true }
        return wanted.place(of: key) != nil
    }

    /// The wanted keys of a part; an element of a list has those of the list.
    private func wanted(below key: String?) -> WantedKeys? {
        guard let wanted, let key else { return wanted }
        guard let place = wanted.place(of: key) else { return WantedKeys.none }
        return wanted.below(place)
    }

    func add(_ key: String?, _ value: @autoclosure () -> QueryValue) {
        guard wants(key) else { return }
        let value = value()
        if let key { keys.append(key) }
        parts.append(.value(value))
    }

    /// A number of 32 bits; its shortest decimal is read back as the same one.
    func kept(_ number: Float) -> QueryValue {
        if isExact, let decimal = Double("\(number)") { .double(decimal) } else { number.queryValue }
    }

    /// Adds a number that S1 may round.
    func add(_ key: String?, whole number: UInt64) {
        if number.isRounded, wants(key), roundedPart == nil { roundedPart = parts.count }
        add(key, number.queryValue)
    }

    func set(whole number: UInt64) {
        isRounded = number.isRounded
        set(number.queryValue)
    }

    /// A value that stands for another one, with its place; the depth is bounded by `encode`.
    func rounded(in place: JSONPlace) -> (place: JSONPlace, value: QueryValue)? {
        if isRounded, case .value(let value) = content { return (place, value) }
        for (number, part) in parts.enumerated() {
            let inner = keys.indices.contains(number) ? JSONPlace.key(place, keys[number]) : .index(place, number)
            if number == roundedPart, case .value(let value) = part { return (inner, value) }
            if case .target(let target) = part, let found = target.rounded(in: inner) { return found }
        }
        return nil
    }

    /// A new target for a part; the caller fills it.
    func add(_ key: String?) -> EncodingTarget {
        let target = EncodingTarget(depth: depth + 1, wanted: wanted(below: key), isExact: isExact)
        target.forwards = forwards
        // The type may continue encoding there; the result is not read.
        guard wants(key) else { return target }
        if let key { keys.append(key) }
        parts.append(.target(target))
        return target
    }

    /// Adds a part of any type.
    func add(_ key: String?, encoding value: some Encodable) throws {
        guard wants(key) else { return }
        if let constant = Self.constant(value) {
            if isExact, roundedPart == nil, Self.isRounded(value, to: constant) { roundedPart = parts.count }
            add(key, constant)
        } else {
            try add(key).encode(value)
        }
    }

    /// Encodes a value in place of the one that requested it, which may be itself.
    func forward(_ value: some Encodable) throws {
        guard forwards < Self.mostForwards else {
            throw QueryError(.limit, "values may be encoded in place of others \(Self.mostForwards) times in a row")
        }
        forwards += 1
        defer { forwards -= 1 }
        try encode(value)
    }

    /// Enough for an enum inside an optional at each level.
    private static let mostForwards = 2 * Limits.default.jsonDepth

    func encode(_ value: some Encodable) throws {
        if let constant = Self.constant(value) {
            isRounded = isExact && Self.isRounded(value, to: constant)
            return set(constant)
        }
        guard depth < Limits.default.jsonDepth else {
            throw QueryError(.limit, "rows may be nested at most \(Limits.default.jsonDepth) levels deep")
        }
        try value.encode(to: RowEncoder(target: self))
        // A type that requests no container is an object without keys.
        if case .nothing = content { content = .object }
    }

    /// Values with a kind of their own, which their `encode(to:)` would turn into text or numbers.
    ///
    /// Types are compared before values are cast, which is slow where it fails.
    private static func constant<Value: Encodable>(_ value: Value) -> QueryValue? {
        if Value.self == String.self { return (value as? String).map(QueryValue.string) }
        if Value.self == Date.self { return (value as? Date)?.queryValue }
        if Value.self == UUID.self { return (value as? UUID).map(QueryValue.uuid) }
        if Value.self == Decimal.self { return (value as? Decimal)?.queryValue }
        if Value.self == Data.self { return (value as? Data)?.queryValue }
        if Value.self == URL.self { return (value as? URL).map { .string($0.absoluteString) } }
        return Value.self == QueryValue.self ? value as? QueryValue : nil
    }

    /// True for a date out of range, and for a decimal number that is neither what its double is read back as nor that
    /// double, as a literal in code is (S1).
    private static func isRounded<Value: Encodable>(_ value: Value, to constant: QueryValue) -> Bool {
        if Value.self == Date.self { return (value as? Date)?.isOutOfRange ?? false }
        guard Value.self == Decimal.self, case .double(let number) = constant, number.isFinite,
            let decimal = value as? Decimal
        else { return false }
        return Decimal(shortest: number) != decimal && Decimal(number) != decimal
    }

    /// The encoded value; its depth is bounded by `encode`.
    func finish(_ shapes: inout RowShapes) -> QueryValue {
        switch content {
        case .nothing: return .null
        case .value(let value): return value
        case .object:
            let values = finishParts(&shapes)
            return .object(shapes.document(keys, values))
        case .list: return .list(finishParts(&shapes))
        }
    }

    private func finishParts(_ shapes: inout RowShapes) -> [QueryValue] {
        var values: [QueryValue] = []
        values.reserveCapacity(parts.count)
        for part in parts {
            switch part {
            case .value(let value): values.append(value)
            case .target(let target): values.append(target.finish(&shapes))
            }
        }
        return values
    }
}

extension UInt64 {
    /// True if the double that stands for it in queries (S1) is another number.
    fileprivate var isRounded: Bool { self > Int64.max && UInt64(exactly: Double(self)) != self }
}

extension QueryError {
    /// The same error, with its row named in the message (S27).
    package func inRow(_ index: Int) -> QueryError {
        var named = self
        named.message = "documents[\(index)]: " + message
        return named
    }
}
