import QueryTree
import QueryValues

/// A path as find filters name it, relative to the row or to an element of `$elemMatch`.
package struct MongoField {
    /// The stored names.
    package var names: [String]
    /// The type after each step.
    package var types: [FieldType]
    /// The property names with dots, for assumptions.
    package var path: [String]
    /// The path's place in the text.
    package var origin: Origin
    /// True if the schema requires a value here.
    var isRequired = false

    package init(names: [String], types: [FieldType], path: [String], origin: Origin) {
        self.names = names
        self.types = types
        self.path = path
        self.origin = origin
    }

    /// The name in a filter.
    package var dotted: String { names.joined(separator: ".") }

    /// The type of the last step.
    package var last: FieldType { types.last ?? .any }

    /// The number of steps that the schema declares as lists.
    package var listSteps: Int { types.count { $0.isList } }

    /// True if the schema declares every step as single.
    package var isKnownSingle: Bool { types.allSatisfy { !$0.isList && $0 != .any } }

    /// True if the schema declares the type of every step.
    var isKnown: Bool { types.allSatisfy { $0 != .any } }

    /// The first steps.
    package func prefix(_ count: Int) -> MongoField {
        MongoField(
            names: Array(names.prefix(count)),
            types: Array(types.prefix(count)),
            path: Array(path.prefix(path.count - (names.count - count))),
            origin: origin
        )
    }

    /// The steps after the first ones.
    func dropFirst(_ count: Int) -> MongoField {
        MongoField(
            names: Array(names.dropFirst(count)),
            types: Array(types.dropFirst(count)),
            path: path,
            origin: origin
        )
    }

    /// The property names with dots.
    package var pathText: String { path.joined(separator: ".") }

    /// True if a server would read a name as a position, given a list before it.
    package var hasPosition: Bool { !positions.isEmpty }

    /// The indices of those names.
    ///
    /// The row is not a list, so its first name is always a key.
    package var positions: [Int] {
        let isOfRow = path.count == names.count
        return names.indices.filter { index in
            (index > 0 || !isOfRow)
                && names[index].isPosition
        }
    }
}

extension FieldType {
    /// True if the value, or an element of it, may be an object with a numeric key.
    package var mayHavePositionKeys: Bool {
        switch self {
        case .any: true
        case .list(let element): element.mayHavePositionKeys
        case .object(let schema): schema.allowsOthers || schema.fields.contains { $0.storedName.isPosition }
        case .bool, .int, .double, .string, .date, .data, .uuid, .objectID: false
        }
    }
}

extension String {
    /// True for digits alone, which denote an element of a list.
    package var isPosition: Bool { utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
}

/// Names that a filter may use.
enum MongoName {
    /// Rejects a name that the server would read as something else.
    ///
    /// - Throws: `QueryError` of code `unsupported` for a name that is empty, begins with `$`, or contains a dot or
    ///   NUL.
    static func check(_ name: String, at origin: Origin) throws(QueryError) {
        guard let problem = problem(name) else { return }
        throw QueryError(
            .unsupported,
            "Mongo cannot name a field that \(problem)",
            at: origin,
            hint: "rename the field, or give it another stored name in the schema"
        )
    }

    private static func problem(_ name: String) -> String? {
        if name.isEmpty { return "has no name" }
        if name.utf8.first == UInt8(ascii: "$") { return "starts with $" }
        if name.utf8.contains(UInt8(ascii: ".")) { return "contains a dot" }
        return name.utf8.contains(0) ? "contains a NUL" : nil
    }
}

extension TypeScope {
    /// The maximum nesting of a document.
    private static let mostKeys = 100

    /// Follows keys from a value of a type; every name is checked.
    ///
    /// - Throws: `unknownField` for keys that the schema does not have, `unsupported` for names that Mongo does not
    ///   allow and for too many keys.
    func field(
        _ keys: [String],
        from base: FieldType,
        path: [String],
        at origin: Origin
    ) throws(QueryError) -> MongoField {
        guard let resolved = base.resolve(keys) else {
            throw QueryError(.unknownField, "the schema has no field \(keys.joined(separator: "."))", at: origin)
        }
        // Steps may be nested in each other, so a path deeper than any document is rejected before it is built (S26).
        guard keys.count <= Self.mostKeys else {
            throw QueryError(
                .unsupported,
                "a path of \(keys.count) keys is deeper than a Mongo document can nest",
                at: origin,
                hint: "write at most \(Self.mostKeys)"
            )
        }
        for name in resolved.storedKeys { try MongoName.check(name, at: origin) }
        var field = MongoField(
            names: resolved.storedKeys,
            types: resolved.steps.map(\.type),
            path: path + keys,
            origin: origin
        )
        field.isRequired = resolved.steps.allSatisfy { !$0.isOptional }
        return field
    }
}
