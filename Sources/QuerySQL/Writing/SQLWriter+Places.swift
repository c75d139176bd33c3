import QueryChecking
import QueryTree
import QueryValues

// Following a path to where its value is stored (S9).

extension SQLWriter {
    /// The place of a term that has one; nil for terms that must be computed.
    func place(of term: Term, _ scope: SQLScope) throws(QueryError) -> SQLPlace? {
        switch term {
        case .field(let path, let origin):
            if let results = scope.results {
                let node = try result(path, of: results, origin)
                return SQLPlace(site: .computed(node), type: node.type)
            }
            return try follow(scope.row, path.keys, origin)
        case .variable(let variable, let origin):
            return try place(of: variable, scope, origin)
        case .path(let base, let steps, let origin):
            guard let start = try place(of: base, scope) else { return nil }
            if let name = start.elementOf, start.type == .any { assume(.objects(name.joined(separator: "."))) }
            return try follow(start, try keys(steps, origin), origin)
        case .index(let base, .first, let origin):
            guard let base = try place(of: base, scope) else { return nil }
            return try position(base, "0", origin)
        case .index(let base, .last, let origin):
            guard let base = try place(of: base, scope) else { return nil }
            return try position(base, "#-1", origin)
        case .index(let base, .at(.value(.int(let index), _)), let origin):
            guard let base = try place(of: base, scope) else { return nil }
            return try position(base, (0...Int64(Self.lastPosition)).contains(index) ? String(index) : nil, origin)
        case .index(let base, .at(.value(.string(let key), _)), let origin):
            guard let start = try place(of: base, scope) else { return nil }
            if case .list = start.type { return nil }
            var next = try follow(start, [key], origin)
            next?.mayMap = start.mayMap
            next?.onTheWay = start.onTheWay
            return next
        case .call(.noindex, let arguments, _):
            guard let first = arguments.first else { return nil }
            return try place(of: first, scope)
        case .value, .list, .aggregate, .arithmetic, .negated, .call, .subquery, .conditional, .cast, .assignment,
            .index:
            return nil
        }
    }

    /// One key from a single place; nil if the key leads to a table with many rows or maps over a list.
    func step(_ place: SQLPlace, _ key: String, _ origin: Origin) throws(QueryError) -> SQLPlace? {
        if case .list = place.type { return nil }
        guard let field = place.type.step(key) else {
            if place.name == nil, place.type.kind != .object { return SQLPlace(site: .computed(.absent), type: .any) }
            throw QueryError(.unknownField, "there is no field \(key)", at: origin)
        }
        var next = place
        next.trigrams = nil
        next.keyColumn = nil
        next.single = nil
        next.isScalar = false
        if place.name == nil, place.elementOf == nil, mayBeList(place) || place.undeclared != nil { next.mayMap = true }
        next.elementOf = nil
        next.type = field.type
        next.name = place.named(key)
        next.mappedName = place.mappedName.map { $0 + [key] }
        next.isSingle = if case .object = field.type { true } else { false }
        if let relation = field.relation {
            if case .list = field.type { return nil }
            return try toOne(place, next, relation, origin)
        }
        switch place.site {
        case .row(let alias, let storage, _):
            next.site = try fieldSite(alias, storage, field, origin)
            next.trigrams = try trigrams(alias, storage, field, origin)
            if let key = storage.keyColumn(field.storedName, field.type) {
                next.keyColumn = SQLPlace.KeyColumn(try dialect.column(key, of: alias, at: origin))
                next.isSingle = true
            }
        case .column:
            guard case .json(let text, let path, _) = container(place).site else { break }
            next.site = .json(text: text, path: try path.key(field.storedName, at: origin), when: nil)
            if place.undeclared != nil { next.onTheWay.append(place.throughJoins(.call("json_type", text))) }
        case .json(let text, let path, let guardian):
            next.site = .json(text: text, path: try path.key(field.storedName, at: origin), when: guardian)
            if place.name != nil && mayBeList(place) {
                next.onTheWay.append(place.throughJoins(.call("json_type", text, path.literal).when(guardian)))
            }
        case .element(let alias):
            next.site = .json(
                text: .column(of: alias, "value"),
                path: try JSONPath().key(field.storedName, at: origin),
                when: place.guardian(of: alias, "object")
            )
        case .computed(let node):
            if let json = node.json {
                let path = try JSONPath().key(field.storedName, at: origin)
                next.site = .json(text: json, path: path, when: nil)
                return next
            }
            next.site = .computed(.absent)
        }
        return next
    }

    private func fieldSite(
        _ alias: String,
        _ storage: SQLStorage,
        _ field: ResolvedPath.Step,
        _ origin: Origin
    ) throws(QueryError) -> SQLPlace.Site {
        switch storage.layout {
        case .document(let column):
            let text = try dialect.column(column, of: alias, at: origin)
            return .json(text: text, path: try JSONPath().key(field.storedName, at: origin), when: nil)
        case .columns(let json):
            let column = try dialect.column(field.storedName, of: alias, at: origin)
            switch field.type {
            case .list, .object:
                return .json(text: column, path: JSONPath(), when: nil)
            case .any:
                return json.contains(field.storedName)
                    ? .json(text: column, path: JSONPath(), when: nil)
                    : .column(storage.castColumns.contains(field.storedName) ? column.collated : column)
            case .string:
                return .column(storage.castColumns.contains(field.storedName) ? column.collated : column)
            case .bool, .int, .double, .date, .data, .uuid, .objectID:
                return .column(column)
            }
        }
    }

    /// The row that a to-one field leads to.
    private func toOne(
        _ place: SQLPlace,
        _ field: SQLPlace,
        _ relation: Schema.Relation,
        _ origin: Origin
    ) throws(QueryError) -> SQLPlace {
        let table = try dialect.quoted(relation.table, at: origin)
        let inner = try alias("j")
        let foreign = try keyColumn(relation.foreignKey, of: place, origin)
        let column = try relation.keyColumn(field.type.primaryKey, at: origin)
        let key = try dialect.column(column, of: inner, at: origin)
        var next = field
        note(tables: place.joins.count + 1)
        next.joins.append(
            SQLPlace.Join(table: .word(table), alias: inner, key: key, foreign: foreign)
        )
        next.site = .row(alias: inner, storage: place.related(relation.table), key: column)
        next.isSingle = true
        return next
    }

    /// The column of a row that holds a key.
    func keyColumn(_ name: String, of place: SQLPlace, _ origin: Origin) throws(QueryError) -> SQLText {
        guard case .row(let alias, let storage, let key) = place.site else {
            throw unsupported("only rows of a table lead to other tables", at: origin)
        }
        if case .document(let column) = storage.layout, !name.hasSameUTF8(as: key) {
            if let column = storage.keyColumn(name, .any) {
                return try dialect.column(column, of: alias, at: origin)
            }
            let path = try JSONPath().key(name, at: origin)
            return .call("json_extract", try dialect.column(column, of: alias), path.literal)
        }
        return try dialect.column(name, of: alias, at: origin)
    }

    /// A position in a list; nil for an index that no list has.
    private func position(_ place: SQLPlace, _ index: String?, _ origin: Origin) throws(QueryError) -> SQLPlace? {
        guard !place.mayMap, place.joins.isEmpty || !isRow(place) else { return nil }
        if place.isUncertain { assumeSingle(read(place)) }
        var next = place
        next.type = if case .list(let element) = place.type { element } else { .any }
        next.name = nil
        next.mappedName = place.name ?? place.mappedName
        next.isSingle = false
        next.isScalar = false
        next.single = nil
        next.keyColumn = nil
        guard let index else {
            next.site = .computed(.absent)
            return next
        }
        switch place.site {
        case .json(let text, let path, let guardian):
            next.site = .json(text: text, path: path.position(index), when: guardian)
        case .element(let alias):
            next.site = .json(
                text: .column(of: alias, "value"),
                path: JSONPath().position(index),
                when: place.guardian(of: alias, "array")
            )
        case .column:
            guard case .json(let text, let path, _) = container(place).site else {
                next.site = .computed(.absent)
                return next
            }
            next.site = .json(text: text, path: path.position(index), when: nil)
        case .row:
            return nil
        case .computed(let node):
            next.site =
                node.json.map { .json(text: $0, path: JSONPath().position(index), when: nil) } ?? .computed(.absent)
        }
        return next
    }

    private func isRow(_ place: SQLPlace) -> Bool {
        if case .row = place.site { true } else { false }
    }
}

extension SQLWriter {
    /// The value at a place, with the known facts about its kind.
    func read(_ place: SQLPlace) -> SQLNode {
        if let column = place.keyColumn { return keyNode(place, column.text) }
        return switch place.site {
        case .row(let alias, let storage, let key): rowNode(place, alias, storage, key)
        case .column(let column): inOneForm(columnNode(place, column))
        case .json(let text, let path, let guardian): inOneForm(jsonNode(place, text, path, guardian))
        case .element(let alias): inOneForm(elementNode(place, alias))
        case .computed(let node): node
        }
    }

    private func rowNode(_ place: SQLPlace, _ alias: String, _ storage: SQLStorage, _ key: String) -> SQLNode {
        var node = SQLNode(value: place.throughJoins(keyColumn(key, of: alias)), kinds: .known(.object))
        node.isRow = true
        node.type = place.type
        node.distinguishesAbsence = place.joins.isEmpty
        if case .document(let column) = storage.layout {
            node.value = keyColumn(column, of: alias)
            node.json = node.value
        }
        return node
    }

    private func keyColumn(_ key: String, of alias: String) -> SQLText {
        (try? dialect.column(key, of: alias)) ?? .column(of: alias, "rowid")
    }

    private func columnNode(_ place: SQLPlace, _ column: SQLText) -> SQLNode {
        var node = SQLNode(value: place.throughJoins(column), kinds: .storage, type: place.type)
        // A column of a related row is taken to hold single values, too.
        node.name = place.name ?? place.mappedName
        node.distinguishesAbsence = false
        node.trigrams = place.trigrams
        if let kind = place.type.kind { node.kinds = .known(kind) }
        return node
    }

    private func keyNode(_ place: SQLPlace, _ column: SQLText) -> SQLNode {
        SQLNode(value: column, kinds: .known(.string), type: place.type, name: place.name, isPresent: true)
    }

    private func jsonNode(_ place: SQLPlace, _ text: SQLText, _ path: JSONPath, _ guardian: SQLPlace.Guard?) -> SQLNode
    {
        let value = SQLText.call("json_extract", text, path.literal).when(guardian)
        let kind = SQLText.call("json_type", text, path.literal).when(guardian)
        let json = SQLText.infix(text, "->", path.literal, .concatenation).when(guardian)
        return SQLNode(
            value: place.throughJoins(value),
            kinds: .json(place.throughJoins(kind)),
            type: place.type,
            json: place.throughJoins(json),
            name: place.name,
            mappedName: place.mappedName,
            onTheWay: place.onTheWay
        )
    }

    /// `(alias.json -> alias.fullkey)`.
    static func jsonOfElement(_ alias: String) -> SQLText {
        .word("(" + alias + ".json -> " + alias + ".fullkey)")
    }

    private func elementNode(_ place: SQLPlace, _ alias: String) -> SQLNode {
        var value = SQLText.column(of: alias, "value")
        var kind = SQLText.column(of: alias, "type")
        // The raw text in the list: json_quote() would round doubles to 15 digits.
        var text = Self.jsonOfElement(alias)
        if let single = place.single {
            let key = SQLText.column(of: alias, "key")
            value = .choice(of: key, [([""], single.value)], else: value)
            kind = .choice(of: key, [([""], single.kind)], else: kind)
            text = .choice(of: key, [([""], jsonText(of: single.value, single.kind))], else: text)
        }
        let json = SQLText.choice(of: kind, [(["array", "object"], value)], else: text)
        return SQLNode(
            value: place.throughJoins(value),
            kinds: .json(place.throughJoins(kind)),
            type: place.type,
            json: place.throughJoins(json),
            mayHoldNul: place.mayHoldNul,
            mayBeBytes: place.mayBeBytes,
            name: place.name,
            mappedName: place.mappedName
        )
    }
}

extension SQLPlace {
    /// How a table that a relation leads to from here keeps its columns.
    func related(_ table: String) -> SQLStorage {
        if case .row(_, let storage, _) = site { storage.related(table) } else { .columns }
    }
}
