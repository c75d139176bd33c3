import QuerySyntax

/// An object of a tree's JSON and the way to it.
struct JSONTreeNode {
    var members: Document
    /// The JSON path, such as `$.and[1].left`.
    var path: String

    init(_ value: QueryValue, at path: String) throws(QueryError) {
        guard case .object(let members) = value else { throw Self.error("expected an object", path) }
        self.members = members
        self.path = path
    }

    static func error(_ message: String, _ path: String, hint: String? = nil) -> QueryError {
        QueryError(.json, message, path: path, hint: hint)
    }

    /// The error for what stands at a key.
    func error(_ message: String, at key: JSONTreeKey? = nil, hint: String? = nil) -> QueryError {
        Self.error(message, key.map(way(to:)) ?? path, hint: hint)
    }

    func way(to key: JSONTreeKey) -> String { path + "." + key.rawValue }

    /// Refuses every key but these.
    func allows(_ keys: [JSONTreeKey]) throws(QueryError) {
        for name in members.keys where !keys.contains(where: { $0.rawValue.hasSameUTF8(as: name) }) {
            throw error(
                "unknown key \(name)",
                hint: "known here are " + keys.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            )
        }
    }

    /// The value of a key that may be left out.
    subscript(_ key: JSONTreeKey) -> QueryValue? { members[key.rawValue] }

    func value(_ key: JSONTreeKey) throws(QueryError) -> QueryValue {
        guard let value = self[key] else { throw error("the key \(key.rawValue) is missing") }
        return value
    }

    func text(_ key: JSONTreeKey) throws(QueryError) -> String {
        guard case .string(let text) = try value(key) else { throw error("expected text", at: key) }
        return text
    }

    func list(_ key: JSONTreeKey) throws(QueryError) -> [QueryValue] {
        guard case .list(let values) = try value(key) else { throw error("expected a list", at: key) }
        return values
    }

    func texts(_ key: JSONTreeKey) throws(QueryError) -> [String] {
        var texts: [String] = []
        for (position, value) in try list(key).enumerated() {
            guard case .string(let text) = value else {
                throw Self.error("expected text", way(to: key) + "[\(position)]")
            }
            texts.append(text)
        }
        return texts
    }

    /// A truth value that is only written when it holds.
    func flag(_ key: JSONTreeKey) throws(QueryError) -> Bool {
        switch self[key] {
        case nil: return false
        case .bool(let value): return value
        default: throw error("expected true or false", at: key)
        }
    }

    /// The one key that names the node.
    func name(among keys: [JSONTreeKey]) throws(QueryError) -> JSONTreeKey {
        for name in members.keys {
            if let key = JSONTreeKey(rawValue: name), keys.contains(key) { return key }
        }
        let names = keys.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        throw error("no key names the node", hint: "one of " + names)
    }

    /// What one of the words of a table stands for.
    func word<Meaning>(
        _ key: JSONTreeKey,
        _ what: String,
        _ meanings: some Sequence<Meaning>,
        _ spellings: (Meaning) -> [String]
    ) throws(QueryError) -> Meaning {
        let text = try text(key)
        var known: [String] = []
        for meaning in meanings {
            let words = spellings(meaning)
            if words.contains(where: { $0.hasSameUTF8(as: text) }) { return meaning }
            known += words
        }
        let nearest = Suggestion.nearest(to: text, among: known)
        throw error("unknown \(what)", at: key, hint: nearest.map { "did you mean `\($0)`?" })
    }

    func options() throws(QueryError) -> StringOptions {
        guard self[.options] != nil else { return [] }
        var options: StringOptions = []
        for letter in try text(.options) {
            guard let entry = StringOptions.letters.first(where: { $0.letter == letter }),
                options.insert(entry.option).inserted
            else { throw error("options are letters of `cdnl`, each once", at: .options) }
        }
        return options
    }
}

/// Reads the JSON that ``Condition/jsonTree`` describes.
struct JSONTreeReader {
    let limits: Limits

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// The JSON of a text.
    func value(of text: String) throws(QueryError) -> QueryValue {
        guard text.utf8.count <= limits.jsonTreeBytes else {
            throw QueryError(.limit, "the JSON text is longer than \(limits.jsonTreeBytes) bytes", path: "$")
        }
        var readerLimits = limits
        readerLimits.jsonDepth = limits.jsonTreeDepth
        return try QueryValue(json: text, extended: true, limits: readerLimits)
    }

    func condition(_ text: String) throws(QueryError) -> Condition {
        try root(value(of: text), at: "$")
    }

    /// A whole tree, as the parser gives it for its canonical text.
    func root(_ value: QueryValue, at path: String) throws(QueryError) -> Condition {
        try condition(value, path, 0).reparsed(limits)
    }

    /// Checks the level of a node.
    func checkLevel(_ level: Int, _ path: String) throws(QueryError) {
        guard level < limits.treeHeight else {
            throw QueryError(.limit, "the tree has more than \(limits.treeHeight) levels", path: path)
        }
    }

    func condition(_ value: QueryValue, _ path: String, _ level: Int) throws(QueryError) -> Condition {
        if case .bool(let constant) = value { return .constant(constant) }
        try checkLevel(level, path)
        guard case .object(let members) = value else {
            throw JSONTreeNode.error("a condition is an object, true or false", path)
        }
        let node = try JSONTreeNode(.object(members), at: path)
        switch try node.name(among: JSONTreeKey.conditions) {
        case .and: return .and(try conditions(node, .and, level))
        case .or: return .or(try conditions(node, .or, level))
        case .not:
            try node.allows([.not])
            return .not(try condition(node.value(.not), node.way(to: .not), level + 1))
        default: return .comparison(try comparison(node, level))
        }
    }

    private func conditions(
        _ node: JSONTreeNode,
        _ key: JSONTreeKey,
        _ level: Int
    ) throws(QueryError) -> [Condition] {
        try node.allows([key])
        var parts: [Condition] = []
        for (position, value) in try node.list(key).enumerated() {
            parts.append(try condition(value, node.way(to: key) + "[\(position)]", level + 1))
        }
        return parts
    }

    private func comparison(_ node: JSONTreeNode, _ level: Int) throws(QueryError) -> Comparison {
        try node.allows([.compare, .quantifier, .options, .left, .right])
        let row = try node.word(.compare, "operator", Comparison.Operator.table) { $0.spellings }
        let options = try node.options()
        if !row.allowsOptions, !options.isEmpty {
            throw node.error("\(row.operator.spelling) takes no options", at: .options)
        }
        var quantifier: Comparison.Quantifier?
        if node[.quantifier] != nil {
            if row.isCall { throw node.error("\(row.operator.spelling) takes no quantifier", at: .quantifier) }
            quantifier = try node.word(.quantifier, "quantifier", Comparison.Quantifier.allCases) { $0.word.spellings }
        }
        return Comparison(
            try term(node, .left, level + 1),
            row.operator,
            try term(node, .right, level + 1),
            quantifier: quantifier,
            options: options
        )
    }
}

// MARK: - Queries

extension JSONTreeReader {
    func query(_ node: JSONTreeNode, _ schema: Schema?) throws(QueryError) -> Query {
        var query = Query(try root(node.value(.condition), at: node.way(to: .condition)), schema: schema)
        if node[.order] != nil {
            query.order = try nodes(node, .order).map { (key) throws(QueryError) in
                try key.allows([.field, .startsAtSelf, .descending, .options])
                return SortKey(try field(key), ascending: try !key.flag(.descending), options: try key.options())
            }
        }
        query.skip = try rowCount(node, .skip)
        query.limit = try rowCount(node, .limit)
        if node[.fields] != nil { query.fields = try paths(node, .fields) }
        if node[.nilMeaning] != nil {
            query.nilMeaning = try node.word(.nilMeaning, "meaning of nil", NilMeaning.allCases) { [$0.rawValue] }
        }
        return query
    }

    func grouping(_ node: JSONTreeNode, _ schema: Schema?) throws(QueryError) -> Grouping {
        try node.allows([.condition, .order, .skip, .limit, .fields, .nilMeaning, .group])
        let query = try query(node, schema)
        let group = try JSONTreeNode(node.value(.group), at: node.way(to: .group))
        try group.allows([.by, .compute, .having])
        let reducers = try nodes(group, .compute).map { (reducer) throws(QueryError) in try self.reducer(reducer) }
        let having = group[.having]
        return Grouping(
            query,
            by: try paths(group, .by),
            computing: reducers,
            having: try having.map { (value) throws(QueryError) in try root(value, at: group.way(to: .having)) }
        )
    }

    private func reducer(_ node: JSONTreeNode) throws(QueryError) -> Reducer {
        let name = try node.word(.compute, "value to compute", Reducer.Name.allCases) { [$0.rawValue] }
        try node.allows(name == .count ? [.compute, .element] : [.compute, .field, .startsAtSelf, .element])
        let alias = node[.element] == nil ? nil : try node.text(.element)
        return Reducer(try name.operation { () throws(QueryError) in try field(node) }, as: alias)
    }

    private func rowCount(_ node: JSONTreeNode, _ key: JSONTreeKey) throws(QueryError) -> Int? {
        guard let value = node[key] else { return nil }
        guard case .int(let number) = value, number >= 0, let count = Int(exactly: number) else {
            throw node.error("expected a whole number that is not negative", at: key)
        }
        return count
    }

    private func nodes(_ node: JSONTreeNode, _ key: JSONTreeKey) throws(QueryError) -> [JSONTreeNode] {
        var nodes: [JSONTreeNode] = []
        for (position, value) in try node.list(key).enumerated() {
            nodes.append(try JSONTreeNode(value, at: node.way(to: key) + "[\(position)]"))
        }
        return nodes
    }

    private func paths(_ node: JSONTreeNode, _ key: JSONTreeKey) throws(QueryError) -> [FieldPath] {
        try nodes(node, key).map { (path) throws(QueryError) in
            try path.allows([.field, .startsAtSelf])
            return try field(path)
        }
    }

    /// The path of a node that a `field` names; its keys are checked by the caller.
    func field(_ node: JSONTreeNode) throws(QueryError) -> FieldPath {
        let keys = try keys(node, .field)
        return FieldPath(keys: keys, startsAtSelf: try node.flag(.startsAtSelf))
    }

    func keys(_ node: JSONTreeNode, _ key: JSONTreeKey) throws(QueryError) -> [String] {
        let keys = try node.texts(key)
        guard keys.count <= limits.pathParts else {
            throw QueryError(.limit, "a path has more than \(limits.pathParts) parts", path: node.way(to: key))
        }
        if let empty = keys.firstIndex(where: \.isEmpty) {
            throw JSONTreeNode.error("a key is empty", node.way(to: key) + "[\(empty)]")
        }
        return keys
    }
}

extension Condition {
    /// The tree that the parser gives for the canonical text, with the parser's checks and limits.
    package func reparsed(_ limits: Limits) throws(QueryError) -> Condition {
        let written = written
        return try Condition(parsing: written.text, written.arguments, limits)
    }
}
