import QueryValues

/// The keys from an object to a value: `address.geo.lat`.
///
///     let path: FieldPath = "address.geo.lat"
///     path.keys  // → ["address", "geo", "lat"]
public struct FieldPath: Sendable {  // S9
    /// True if the path is written with a leading `SELF`.
    package var startsAtSelf: Bool
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
