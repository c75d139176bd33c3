import QueryChecking
import QueryTree
import QueryValues

// Following a path to where its value is stored (S9).

extension TypedWriter {
    /// The place of a term that has one; nil for terms that must be computed.
    func place(of term: Term, _ scope: TypedScope) throws(QueryError) -> TypedPlace? {
        switch term {
        case .field(let path, let origin):
            if let results = scope.results { return try resultPlace(path, results, origin) }
            return try follow(scope.row, path.keys, origin)
        case .variable(let variable, let origin):
            guard let place = scope.variables[variable] else { throw unbound(variable, origin) }
            return place
        case .path(let base, let steps, let origin):
            guard let start = try place(of: base, scope) else { return nil }
            if let name = start.elementOf, start.type == .any { assume(.objects(name.joined(separator: "."))) }
            return try follow(start, try keys(steps, origin), origin)
        case .index(let base, .first, let origin):
            return try place(of: base, scope).map { place throws(QueryError) in try position(place, 0, origin) }
        case .index(let base, .last, let origin):
            return try place(of: base, scope).map { place throws(QueryError) in try position(place, -1, origin) }
        case .index(let base, .at(.value(.int(let index), _)), let origin):
            guard index >= 0, let position = Int32(exactly: index) else {
                throw unsupported("this is not a list position", at: origin)
            }
            return try place(of: base, scope).map { place throws(QueryError) in
                try self.position(place, Int(position), origin)
            }
        case .index(let base, .at(.value(.string(let key), _)), let origin):
            guard let start = try place(of: base, scope) else { return nil }
            if case .list = start.type { return nil }
            var next = try follow(start, [key], origin)
            next?.mayMap = start.mayMap
            return next
        case .call(.noindex, let arguments, _):
            guard let first = arguments.first else { return nil }
            return try place(of: first, scope)
        case .value, .list, .aggregate, .arithmetic, .negated, .call, .subquery, .conditional, .cast, .assignment,
            .index:
            return nil
        }
    }

    /// A list on the way would turn the value into a list.
    func mayMap(_ origin: Origin) -> QueryError {
        unsupported(
            "it is unknown whether this path crosses a list, which decides its meaning",
            at: origin,
            hint: "declare the fields in a schema"
        )
    }

    private func unbound(_ variable: Variable, _ origin: Origin) -> QueryError {
        QueryError(
            .unboundVariable,
            "the variable $\(variable.name) has no value",
            at: origin,
            hint: "bind it before translating"
        )
    }

    private func resultPlace(
        _ path: FieldPath,
        _ results: [UTF8Key: TypedNode],
        _ origin: Origin
    ) throws(QueryError) -> TypedPlace {
        guard path.keys.count == 1, let key = path.keys.first, let node = results[UTF8Key(key)] else {
            throw QueryError(
                .unknownField,
                "groups have no field \(path.dotted)",
                at: origin,
                hint: "use one of " + results.keys.map(\.text).sorted { $0.precedesInUTF8($1) }.joined(separator: ", ")
            )
        }
        return TypedPlace(site: .computed(node), type: node.type)
    }

    func keys(_ steps: [PathStep], _ origin: Origin) throws(QueryError) -> [String] {
        var keys: [String] = []
        for step in steps {
            switch step {
            case .key(let key): keys.append(key)
            case .variable(let variable): throw unbound(variable, origin)
            }
        }
        return keys
    }

    /// The place after some keys, with every step taken as single.
    private func follow(_ start: TypedPlace, _ keys: [String], _ origin: Origin) throws(QueryError) -> TypedPlace? {
        var place = start
        for key in keys {
            guard let next = try step(place, key, origin) else { return nil }
            place = next
        }
        return place
    }

    /// One key from a single place; nil if the key leads to a table with many rows or maps over a list.
    func step(_ place: TypedPlace, _ key: String, _ origin: Origin) throws(QueryError) -> TypedPlace? {
        if case .list = place.type { return nil }
        guard let field = place.type.step(key) else {
            throw QueryError(.unknownField, "there is no field \(key)", at: origin)
        }
        var next = place
        next.folded = [:]
        if place.name == nil, place.elementOf == nil, mayBeList(place) { next.mayMap = true }
        next.elementOf = nil
        next.type = field.type
        next.name = place.name.map { $0 + [key] }
        next.mappedName = place.mappedName.map { $0 + [key] }
        next.isSingle = if case .object = field.type { true } else { false }
        if let relation = field.relation {
            if case .list = field.type { return nil }
            return try toOne(place, next, relation, origin)
        }
        switch place.site {
        case .row(let alias, let storage, _):
            try enter(&next, alias, storage, field, origin)
        case .column(let column):
            guard let nested = forms.nested, case .object = place.type else {
                throw unsupported(
                    "the store must know that this column holds documents",
                    at: origin,
                    hint: "name it in the storage: .columns(json: [\"name\"])"
                )
            }
            next.site = .column(nested.member(column, .literal(field.storedName)))
        case .document(let document):
            next.site = .document(try member(document, field.storedName, origin))
        case .computed:
            next.site = .computed(computed(.null, .null))
        }
        return next
    }

    private func enter(
        _ next: inout TypedPlace,
        _ alias: String,
        _ storage: SQLStorage,
        _ field: ResolvedPath.Step,
        _ origin: Origin
    ) throws(QueryError) {
        switch storage.layout {
        case .document(let column):
            let document = SQLText(alias + "." + (try dialect.quoted(column, at: origin)))
            next.site = .document(try member(document, field.storedName, origin))
        case .columns(let json):
            let column = SQLText(alias + "." + (try dialect.quoted(field.storedName, at: origin)))
            for (letters, name) in storage.foldedColumns[field.storedName] ?? [:] {
                next.folded[letters] = SQLText(alias + "." + (try dialect.quoted(name, at: origin)))
            }
            let isNested: Bool
            switch field.type {
            case .list, .object: isNested = true
            case .any, .bool, .int, .double, .string, .date, .data, .uuid, .objectID: isNested = false
            }
            let isDocument = json.contains(field.storedName) || isNested && forms.nested == nil
            if isDocument, forms.documents == nil { throw noDocuments(origin) }
            next.site = isDocument ? .document(column) : .column(column)
        }
    }

    private func member(_ document: SQLText, _ key: String, _ origin: Origin) throws(QueryError) -> SQLText {
        guard let documents = forms.documents else { throw noDocuments(origin) }
        if key.utf8.contains(0) { throw unsupported("a key in SQL cannot hold a NUL character", at: origin) }
        return documents.member(document, .literal(key))
    }

    /// The row that a to-one field leads to.
    private func toOne(
        _ place: TypedPlace,
        _ field: TypedPlace,
        _ relation: Schema.Relation,
        _ origin: Origin
    ) throws(QueryError) -> TypedPlace {
        let inner = try alias("j")
        let key = try relation.keyColumn(field.type.primaryKey, at: origin)
        var next = field
        next.joins.append(
            SQLPlace.Join(
                table: try dialect.quoted(relation.table, at: origin),
                alias: inner,
                key: SQLText(inner + "." + (try dialect.quoted(key, at: origin))),
                foreign: try keyColumn(relation.foreignKey, of: place, origin)
            )
        )
        next.site = .row(alias: inner, storage: .columns, key: key)
        next.isSingle = true
        return next
    }

    /// The column of a row that holds a key.
    func keyColumn(_ name: String, of place: TypedPlace, _ origin: Origin) throws(QueryError) -> SQLText {
        guard case .row(let alias, let storage, let key) = place.site else {
            throw unsupported("only rows of a table lead to other tables", at: origin)
        }
        if storage.documentColumn != nil, !name.hasSameUTF8(as: key) {
            throw unsupported("a document's key is not a column of its table", at: origin)
        }
        return SQLText(alias + "." + (try dialect.quoted(name, at: origin)))
    }

    /// A position in a list, from 0; -1 is the last.
    private func position(_ place: TypedPlace, _ index: Int, _ origin: Origin) throws(QueryError) -> TypedPlace {
        if place.mayMap { throw mayMap(origin) }
        if place.type == .any, (place.name?.count ?? 0) > 1 { assumeSingle(read(place)) }
        var next = place
        next.elementOf = nil
        next.type = if case .list(let element) = place.type { element } else { .any }
        next.name = nil
        next.mappedName = place.name ?? place.mappedName
        next.folded = [:]
        next.isSingle = false
        switch place.site {
        case .document(let document):
            guard let documents = forms.documents else { throw noDocuments(origin) }
            next.site = .document(documents.element(document, .number(index)))
        case .column(let column):
            guard let nested = forms.nested, case .list = place.type else {
                throw unsupported("only a list can be indexed", at: origin)
            }
            next.site = .column(index < 0 ? nested.last(column) : nested.element(column, .number(index + 1)))
        case .row: throw unsupported("rows of a table cannot be indexed", at: origin)
        case .computed: next.site = .computed(computed(.null, .null))
        }
        return next
    }

    // MARK: Reading

    /// The value at a place.
    func read(_ place: TypedPlace) -> TypedNode {
        switch place.site {
        case .row(let alias, _, let key):
            let presence = place.joins.isEmpty ? place.presence : nil
            let column = presence ?? SQLText(alias + "." + ((try? dialect.quoted(key)) ?? key))
            var node = TypedNode(value: place.throughJoins(column), stored: .row, type: place.type)
            node.isPresent = place.joins.isEmpty && presence == nil
            return node
        case .column(let column):
            return TypedNode(
                value: place.throughJoins(column),
                stored: StoredType(place.type),
                type: place.type,
                name: place.name,
                mappedName: place.mappedName,
                folded: place.folded.mapValues { place.throughJoins($0) }
            )
        case .document(let document):
            return TypedNode(
                value: place.throughJoins(document),
                stored: .document,
                type: place.type,
                name: place.name,
                mappedName: place.mappedName
            )
        case .computed(let node): return node
        }
    }
}
