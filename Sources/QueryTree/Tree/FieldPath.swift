import QueryValues

/// The keys from an object to a value: `address.geo.lat`.
///
///     let path: FieldPath = "address.geo.lat"
///     path.keys  // → ["address", "geo", "lat"]
public struct FieldPath: Sendable {  // S9
    /// True if the path is written with a leading `SELF`.
    public var startsAtSelf: Bool
    /// The keys in order; empty for the object itself.
    public var keys: [String]

    /// A path of keys.
    ///
    ///     FieldPath(keys: ["version 1.0", "size"]).keys  // → ["version 1.0", "size"]
    ///
    /// - Parameters:
    ///   - keys: any text may be a key; dots in a key stay part of it.
    ///   - startsAtSelf: whether the canonical text writes `SELF` in front.
    public init(keys: [String], startsAtSelf: Bool = false) {
        self.keys = keys
        self.startsAtSelf = startsAtSelf
    }

    /// The object itself, `SELF`.
    public static let itself = FieldPath(keys: [], startsAtSelf: true)

    /// The keys joined by dots, for messages and names; cannot be parsed back if a key contains a dot.
    public var dotted: String { keys.joined(separator: ".") }
}

extension FieldPath: Hashable {
    /// Equal keys by UTF-8, and both or neither start with `SELF`.
    public static func == (left: FieldPath, right: FieldPath) -> Bool {
        left.startsAtSelf == right.startsAtSelf && left.keys.hasSameUTF8(as: right.keys)
    }

    /// Hashes the keys' bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(startsAtSelf)
        for key in keys { key.hashUTF8(into: &hasher) }
    }
}

extension FieldPath: ExpressibleByStringLiteral {
    /// Splits the text at its dots.
    public init(stringLiteral value: String) {
        self.init(dotted: value)
    }

    /// Splits a text at its dots; keys are taken literally.
    ///
    ///     FieldPath(dotted: "address.zip").keys  // → ["address", "zip"]
    ///
    /// - Parameter text: keys joined by dots.
    public init(dotted text: String) {
        self.init(
            keys: text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
                String($0) ?? ""
            }
        )
    }
}

/// The name of a `$name`, without the sign.
///
///     Field("age") > Field.variable("least")  // → age > $least
public struct Variable: Sendable, ExpressibleByStringLiteral {
    /// The name.
    public var name: String

    /// A variable by its name.
    ///
    ///     Variable("least").name  // → least
    ///
    /// - Parameter name: without the `$`.
    public init(_ name: String) {
        self.name = name
    }

    /// A variable by its name, without the `$`.
    public init(stringLiteral value: String) {
        name = value
    }
}

extension Variable: Hashable {
    /// Same name by UTF-8.
    public static func == (left: Variable, right: Variable) -> Bool { left.name.hasSameUTF8(as: right.name) }

    /// Hashes the name's bytes.
    public func hash(into hasher: inout Hasher) { name.hashUTF8(into: &hasher) }
}

extension FieldPath {
    /// True when the first key is one of the names.
    package func begins(in names: Set<UTF8Key>) -> Bool { keys.first.map { names.contains(UTF8Key($0)) } ?? true }
}

extension Query {
    /// True if every path into the row starts with one of the names.
    package func names(only names: Set<UTF8Key>) -> Bool {
        guard (sortedFields + (fields ?? [])).allSatisfy({ $0.begins(in: names) }) else { return false }
        let nodes = [condition.nodes] + computed.map(\.key.test.nodes)
        return nodes.joined().allSatisfy {
            if case .term(.field(let path, _)) = $0 { path.begins(in: names) } else { true }
        }
    }

    /// The query whose order has the terms of the computed fields that it names (S22).
    package var sortingByComputed: Query {
        if computed.isEmpty || order.isEmpty { return self }
        var copy = self
        for (position, key) in order.enumerated() {
            guard let field = computed.first(where: { $0.name.hasSameUTF8(as: key.path.dotted) }) else { continue }
            copy.order[position].computed = field.term
        }
        return copy
    }

    /// The fields of the rows that the order names.
    package var sortedFields: [FieldPath] { sortingByComputed.order.filter { $0.computed == nil }.map(\.path) }
}
