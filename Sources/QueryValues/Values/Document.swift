import Synchronization

/// The keys of an object, shared by all objects with the same keys in the same order.
///
///     let shape = Shape(keys: ["name", "population"])
///     let boston = Document(shape: shape, values: ["Boston", 653_833])
///     let salem = Document(shape: shape, values: ["Salem", 44_480])
///     boston.shape === salem.shape  // → true
///
/// Caching (shape, slot) makes a lookup one pointer comparison per row.
@usableFromInline
package final class Shape: Sendable {
    /// The keys in order; no two have the same UTF-8 bytes.
    @usableFromInline package let keys: [String]
    private let slots: [UTF8Key: Int]
    /// True if each key has a slot of its own in the dictionary.
    @usableFromInline let isIndexed: Bool
    private let sorted = AtomicLazyReference<SortedSlots>()

    /// The empty shape.
    package static let empty = Shape(keys: [])

    /// A shape of the given keys; of two equal keys the later is unreachable, so readers reject duplicates first.
    ///
    ///     Shape(keys: ["name", "population"]).keys  // → ["name", "population"]
    ///
    /// - Parameter keys: the keys in order.
    package init(keys: [String]) {
        self.keys = keys
        var slots: [UTF8Key: Int] = [:]
        if keys.count > 8 {
            for (slot, key) in keys.enumerated() where slots[UTF8Key(key)] == nil { slots[UTF8Key(key)] = slot }
        }
        self.slots = slots
        isIndexed = slots.count == keys.count
    }

    /// The slots in the order of their keys, found when they are first needed.
    var sortedSlots: [Int] {
        if let known = sorted.load() { return known.slots }
        let slots = keys.indices.sorted { keys[$0].precedesInUTF8(keys[$1]) }
        return sorted.storeIfNil(SortedSlots(slots)).slots
    }

    private final class SortedSlots: Sendable {
        let slots: [Int]

        init(_ slots: [Int]) { self.slots = slots }
    }

    /// The position of a key, or nil.
    ///
    ///     Shape(keys: ["name", "population"]).slot(of: "population")  // → 1
    ///
    /// O(1) on average; short shapes are searched in order.
    ///
    /// - Parameter key: compared by UTF-8 bytes.
    /// - Returns: the position in `keys`, or nil.
    @usableFromInline
    package func slot(of key: String) -> Int? {
        if keys.count > 8 { return slots[UTF8Key(key)] }
        return keys.firstIndex { $0.hasSameUTF8(as: key) }
    }

    /// The same, looking first at the slot where another shape had the key.
    @inlinable
    package func slot(of key: String, near guess: Int) -> Int? {
        // Of two equal keys the first counts, so shapes that may have duplicates are searched in order.
        if guess >= 0, isIndexed, guess < keys.count, keys[guess].hasSameUTF8(as: key) { return guess }
        return slot(of: key)
    }
}

/// An object with ordered keys: a row for the evaluator, and every object inside one.
///
///     var city: Document = ["name": "Boston", "population": 653_833]
///     city["state"] = "MA"
///     city["name"]  // → "Boston"
///     city  // → {"name":"Boston","population":653833,"state":"MA"}
@dynamicMemberLookup
public struct Document: Sendable {
    /// The keys.
    package private(set) var shape: Shape
    /// The values, one per key of the shape.
    public private(set) var values: [QueryValue]

    /// An object without keys.
    ///
    ///     Document().isEmpty  // → true
    public init() {
        shape = .empty
        values = []
    }

    /// An object of a known shape.
    ///
    /// - Parameters:
    ///   - shape: the keys.
    ///   - values: one value per key; missing ones are null, extra ones are left out.
    package init(shape: Shape, values: [QueryValue]) {
        self.shape = shape
        let gap = shape.keys.count - values.count
        self.values =
            gap == 0 ? values : Array(values.prefix(shape.keys.count)) + Array(repeating: .null, count: max(0, gap))
    }

    /// The number of keys.
    public var count: Int { values.count }
    /// True when there are no keys.
    public var isEmpty: Bool { values.isEmpty }
    /// The keys in order.
    public var keys: [String] { shape.keys }

    /// The pairs in order.
    ///
    ///     let city: Document = ["name": "Boston", "population": 653_833]
    ///     city.pairs.map { "\($0)=\($1.json)" }  // → ["name=\"Boston\"", "population=653833"]
    public var pairs: Zip2Sequence<[String], [QueryValue]> { zip(shape.keys, values) }

    /// No field is read as a property.
    @available(*, unavailable, message: "write document[\"name\"]")
    public subscript(dynamicMember key: String) -> QueryValue? { self[key] }
    /// The value of a key, or nil when the key is absent.
    ///
    ///     var city: Document = ["name": "Boston", "population": 653_833]
    ///     city["population"] = nil
    ///     city["population"] == nil  // → true
    ///
    /// Setting nil removes the key.
    /// - Parameter key: compared by UTF-8 bytes.
    public subscript(key: String) -> QueryValue? {
        get {
            guard let slot = shape.slot(of: key), slot < values.count else { return nil }
            return values[slot]
        }
        set {
            if let slot = shape.slot(of: key) {
                replace(slot: slot, with: newValue)
            } else if let newValue {
                shape = Shape(keys: shape.keys + [key])
                values.append(newValue)
            }
        }
    }

    /// Sets the value of an existing slot without looking up its key.
    @inline(__always)
    mutating func replaceValue(at slot: Int, with value: consuming QueryValue) {
        values[slot] = value
    }

    /// Replaces the keys by as many others.
    @inline(__always)
    mutating func replaceShape(_ shape: Shape) {
        self.shape = shape
    }

    private mutating func replace(slot: Int, with value: QueryValue?) {
        if let value {
            values[slot] = value
        } else {
            var keys = shape.keys
            keys.remove(at: slot)
            values.remove(at: slot)
            shape = Shape(keys: keys)
        }
    }
}

extension Document: Hashable {
    /// Structural equality: the same pairs in the same order.
    public static func == (left: Document, right: Document) -> Bool {
        guard left.values.count == right.values.count else { return false }
        let sameKeys =
            left.shape === right.shape
            || zip(left.shape.keys, right.shape.keys).allSatisfy { $0.hasSameUTF8(as: $1) }
        return sameKeys && left.values == right.values
    }

    /// Hashes the pairs in order.
    public func hash(into hasher: inout Hasher) {
        for key in shape.keys { key.hashUTF8(into: &hasher) }
        hasher.combine(values)
    }
}

extension Document: ExpressibleByDictionaryLiteral {
    /// An object of the pairs in order; a repeated key keeps its first position and takes the last value.
    public init(dictionaryLiteral elements: (String, QueryValue)...) {
        self.init(pairs: elements)
    }

    /// An object of the pairs in order; a repeated key keeps its first position and takes the last value.
    ///
    ///     Document(pairs: [("name", "Boston"), ("population", 653_833)])  // → {"name":"Boston","population":653833}
    ///
    /// - Parameter pairs: keys and values.
    public init(pairs: some Sequence<(String, QueryValue)>) {
        var keys: [String] = []
        var values: [QueryValue] = []
        var seen: [UTF8Key: Int] = [:]
        for (key, value) in pairs {
            if let slot = seen[UTF8Key(key)] {
                values[slot] = value
            } else {
                seen[UTF8Key(key)] = keys.count
                keys.append(key)
                values.append(value)
            }
        }
        self.init(shape: Shape(keys: keys), values: values)
    }
}
