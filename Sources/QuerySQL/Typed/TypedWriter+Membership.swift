import QueryTree
import QueryValues

// IN and CONTAINS (S12).

extension TypedWriter {
    /// One IN for those that the store compares the same way.
    func oneOf(_ list: ConstantList, _ node: Node) throws(QueryError) -> Leaf {
        let (options, origin) = (list.options, list.origin)
        var leaves: [Leaf] = []
        var bounds: [SQLText] = []
        var seen: Set<QueryValue> = []
        for value in list.values where seen.insert(value).inserted {
            switch value {
            case .int, .double, .string:
                // With a column of their own kind, each of them is one equality.
                let typed = try known(node, value.kind)
                guard typed.stored.kind == value.kind, typed.stored != .unknown else { fallthrough }
                if let bound = try constant(value, for: typed, options, origin) { bounds.append(bound) }
            case .bool, .date, .data, .uuid, .list, .object, .shape:
                leaves.append(try equal(node, value, options, origin))
            case .null: leaves.append(try nilTest(node, list.meaning, origin))
            }
        }
        if !bounds.isEmpty {
            assumeSingle(node)
            let subject = try folded(node, options, origin)
            leaves.insert(leaf(subject.isIn(bounds), orNull: node.value, fails: subject.isIn(bounds, "NOT IN")), at: 0)
        }
        return leaves.isEmpty ? .never : .some(leaves)
    }

    func asText(
        _ node: Node,
        beside other: Operand,
        _ origin: Origin
    ) throws(QueryError) -> (node: Node, isText: SQLText)? {
        switch node.stored {
        case .text, .unknown:
            // A column of unknown type compared with a text is assumed to hold text.
            if case .constant(let value, _) = other, value.kind != .string { try check(node, maybeList: origin) }
            return (try known(node, .string), .one)
        case .document:
            // A list by the schema, which an index serves.
            guard let documents = forms.documents, !node.type.isList else { return nil }
            var text = node
            (text.stored, text.value) = (.text, documents.text(node.value))
            return (text, isText(node, documents))
        case .bool, .int, .double, .decimal, .bytes, .uuid, .date, .nested, .row, .null: return nil
        }
    }
}
