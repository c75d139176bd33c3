import QueryTree
import QueryValues

/// The requested fields of a query, as a tree of stored names (S21).
///
/// Objects are nested like the paths; a path through a list keeps the list, each object in it with its requested fields
/// only.
package struct Projection {
    private let root: KeptKeys
    /// True if every value that is kept is kept whole.
    private let keepsWhole: Bool
    /// What is kept of objects of the last shape.
    private var last: (shape: Shape, slots: [Int], kept: Shape)?

    /// The keys to keep; a key without keys below it is kept whole.
    private struct KeptKeys {
        var children: [UTF8Key: KeptKeys] = [:]
        var isWhole = false

        mutating func insert(_ keys: ArraySlice<String>) {
            guard let key = keys.first else {
                isWhole = true
                return
            }
            children[UTF8Key(key), default: KeptKeys()].insert(keys.dropFirst())
        }
    }

    /// A projection to some paths.
    ///
    /// - Parameters:
    ///   - paths: property names.
    ///   - schema: the names that are stored for them; nil if they are stored as they are.
    /// - Throws: `unknownField` for a path that the schema lacks.
    package init(_ paths: [FieldPath], schema: Schema?) throws(QueryError) {
        var root = KeptKeys()
        for path in paths {
            guard let resolved = TypeScope(schema).row.resolve(path.keys) else {
                throw QueryError(.unknownField, "the schema has no field \(path.dotted)")
            }
            root.insert(resolved.storedKeys[...])
        }
        self.root = root
        keepsWhole = !root.isWhole && root.children.values.allSatisfy { $0.isWhole && $0.children.isEmpty }
    }

    /// The row with only the paths.
    ///
    ///     var projection = try Projection(["name"], schema: nil)
    ///     projection.row(["_id": 1, "name": "Jo"])  // → {"name":"Jo"}
    ///
    /// - Parameter row: any row.
    /// - Returns: the paths that it has, in its order.
    package mutating func row(_ row: Document) -> Document {
        guard keepsWhole else { return Self.object(row, root) }
        if let last, last.shape === row.shape { return Self.picked(row, last.slots, last.kept) }
        let slots = row.keys.indices.filter { root.children[UTF8Key(row.keys[$0])] != nil }
        let kept = Shape(keys: slots.map { row.keys[$0] })
        last = (row.shape, slots, kept)
        return Self.picked(row, slots, kept)
    }

    private static func picked(_ row: Document, _ slots: [Int], _ kept: Shape) -> Document {
        Document(shape: kept, values: slots.map { row.values[$0] })
    }

    private static func object(_ object: Document, _ node: KeptKeys) -> Document {
        if node.isWhole { return object }
        var keys: [String] = []
        var values: [QueryValue] = []
        for (key, value) in object.pairs {
            guard let child = node.children[UTF8Key(key)], let kept = self.value(value, child) else { continue }
            keys.append(key)
            values.append(kept)
        }
        return Document(shape: Shape(keys: keys), values: values)
    }

    /// What remains of a value, or nil if it has none of the requested fields.
    private static func value(_ value: QueryValue, _ node: KeptKeys) -> QueryValue? {
        if node.isWhole { return value }
        switch value {
        case .object(let inner):
            let kept = object(inner, node)
            return kept.isEmpty ? .none : .some(.object(kept))
        case .list(let elements):
            return .list(
                elements.compactMap { element in
                    if case .object(let inner) = element { .some(.object(object(inner, node))) } else { .none }
                }
            )
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: return nil
        }
    }
}
