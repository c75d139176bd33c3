import QueryChecking
import QueryTree
import QueryValues

// Following a path to where its value is stored (S9).

extension TypedWriter {
    /// The place of a term that has one; nil for terms that must be computed.
    func place(of term: Term, _ scope: TypedScope) throws(QueryError) -> TypedPlace? {
        switch term {
        case .field(let path, let origin):
            if let results = scope.results {
                let node = try result(path, of: results, origin)
                return TypedPlace(site: .computed(node), type: node.type)
            }
            return try follow(scope.row, path.keys, origin)
        case .variable(let variable, let origin):
            return try place(of: variable, scope, origin)
        case .path(let base, let steps, let origin):
            guard let start = try place(of: base, scope) else { return nil }
            if let name = start.elementOf, start.type == .any {
                for name in start.elementsAround + [name] { assume(.objects(name.joined(separator: "."))) }
            }
            return try follow(start, try keys(steps, origin), origin)
        case .index(let base, .first, let origin): return try position(of: base, 0, origin, scope)
        case .index(let base, .last, let origin): return try position(of: base, -1, origin, scope)
        case .index(let base, .at(.value(.int(let index), _)), let origin):
            // No list is so long that it has another position.
            let position = (0..<Int64(Int32.max)).contains(index) ? Int(index) : Int(Int32.max)
            return try self.position(of: base, position, origin, scope)
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

    /// One key from a single place; nil if the key leads to a table with many rows or maps over a list.
    func step(_ place: TypedPlace, _ key: String, _ origin: Origin) throws(QueryError) -> TypedPlace? {
        if case .list = place.type { return nil }
        guard let field = place.type.step(key) else {
            throw QueryError(.unknownField, "there is no field \(key)", at: origin)
        }
        var next = place
        next.folded = [:]
        (next.isDecimal, next.isRequired, next.summand) = (false, false, nil)
        if place.name == nil, place.elementOf == nil, mayBeList(place) { next.mayMap = true }
        next.elementOf = nil
        next.elementsAround = []
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
            next.isRequired = !field.isOptional && place.joins.isEmpty && place.presence == nil
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
            let document = try dialect.column(column, of: alias, at: origin)
            next.site = .document(try member(document, field.storedName, origin))
        case .columns(let json):
            let column = try dialect.column(field.storedName, of: alias, at: origin)
            for (letters, name) in storage.foldedColumns[field.storedName] ?? [:] {
                next.folded[letters] = try dialect.column(name, of: alias, at: origin)
            }
            let isNested: Bool
            switch field.type {
            case .list, .object: isNested = true
            case .any, .bool, .int, .double, .string, .date, .data, .uuid, .objectID: isNested = false
            }
            let isDocument = json.contains(field.storedName) || isNested && forms.nested == nil
            if isDocument, forms.documents == nil { throw noDocuments(origin) }
            if let type = storage.unreadColumns[field.storedName] {
                throw unsupported("the type \(type) of this column is not read", at: origin)
            }
            if storage.castColumns.contains(field.storedName) {
                next.site = try cast(column, to: field.type, isDocument: isDocument, origin)
            } else {
                next.site = isDocument ? .document(column) : .column(column)
            }
            if storage.decimalColumns.contains(field.storedName) {
                next.isDecimal = forms.documents != nil
                if !next.isDecimal { (next.site, next.summand) = (.column(column.cast(to: forms.double)), column) }
            }
        }
    }

    /// A column of another type than its field's.
    private func cast(
        _ column: SQLText,
        to type: FieldType,
        isDocument: Bool,
        _ origin: Origin
    ) throws(QueryError) -> TypedPlace.Site {
        if let documents = forms.documents, isDocument || type == .any { return .document(documents.from(column)) }
        switch type {
        case .string: return .column(column.cast(to: forms.text))
        case .int: return .column(column.cast(to: forms.int))
        case .double: return .column(column.cast(to: forms.double))
        case .any, .bool, .date, .data, .uuid, .objectID, .object, .list:
            throw unsupported("this store does not cast the column to the field's type", at: origin)
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
                table: .word(try dialect.quoted(relation.table, at: origin)),
                alias: inner,
                key: try dialect.column(key, of: inner, at: origin),
                foreign: try keyColumn(relation.foreignKey, of: place, origin)
            )
        )
        next.site = .row(alias: inner, storage: related(relation, from: place), key: key)
        next.isSingle = true
        return next
    }

    /// How the table that a relation leads to keeps its columns.
    func related(_ relation: Schema.Relation, from place: TypedPlace) -> SQLStorage {
        if case .row(_, let storage, _) = place.site { storage.related(relation.table) } else { .columns }
    }

    /// The column of a row that holds a key.
    func keyColumn(_ name: String, of place: TypedPlace, _ origin: Origin) throws(QueryError) -> SQLText {
        guard case .row(let alias, let storage, let key) = place.site else {
            throw unsupported("only rows of a table lead to other tables", at: origin)
        }
        if storage.documentColumn != nil, !name.hasSameUTF8(as: key) {
            throw unsupported("a document's key is not a column of its table", at: origin)
        }
        return try dialect.column(name, of: alias, at: origin)
    }

    /// A position in a list or among the rows of another table, from 0; -1 is the last.
    private func position(
        of base: Term,
        _ index: Int,
        _ origin: Origin,
        _ scope: TypedScope
    ) throws(QueryError) -> TypedPlace? {
        if let place = try place(of: base, scope) { return try position(place, index, origin) }
        switch base {
        case .field where scope.results == nil, .path: return try row(of: base, at: index, origin, scope)
        case .field, .value, .list, .variable, .index, .aggregate, .arithmetic, .negated, .call, .subquery,
            .conditional, .cast, .assignment:
            return nil
        }
    }

    /// The row at a position among those of another table, in the order of that table's key.
    private func row(
        of base: Term,
        at index: Int,
        _ origin: Origin,
        _ scope: TypedScope
    ) throws(QueryError) -> TypedPlace? {
        let chain = try collection(of: base, scope)
        guard case .row(let alias, let storage, _) = chain.element.site, chain.link != nil, chain.from.count == 1
        else { return nil }
        let keys = chain.element.type.primaryKey
        guard keys.count == 1, let table = chain.from.first?.namedPiece else {
            throw unsupported(
                "rows of another table have an order only by their key",
                at: origin,
                hint: "name the key of that table in the schema, as one column"
            )
        }
        let column = try dialect.column(keys[0], of: alias, at: origin)
        let type = chain.element.type.step(keys[0])?.type ?? .any
        let node = TypedNode(value: column, stored: StoredType(type), type: type)
        let key = rows(
            [column],
            chain,
            order: [bytewise(node, column).sorted(index < 0 ? "DESC" : "")],
            limit: .number(1),
            offset: index > 0 ? .number(index) : nil
        )
        let inner = try self.alias("j")
        var place = chain.element
        place.joins = [
            SQLPlace.Join(
                table: table,
                alias: inner,
                key: try dialect.column(keys[0], of: inner, at: origin),
                foreign: .select(key)
            )
        ]
        place.site = .row(alias: inner, storage: storage, key: keys[0])
        place.presence = nil
        place.elementOf = nil
        place.isSingle = true
        return place
    }

    /// A position in a list, from 0; -1 is the last.
    private func position(_ place: TypedPlace, _ index: Int, _ origin: Origin) throws(QueryError) -> TypedPlace {
        if place.mayMap { throw mayMap(origin) }
        if place.type == .any, (place.name?.count ?? 0) > 1 { assumeSingle(read(place)) }
        var next = place
        next.elementOf = place.name
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
            let column = presence ?? .column(of: alias, key)
            var node = TypedNode(value: place.throughJoins(column), stored: .row, type: place.type)
            node.isPresent = place.joins.isEmpty && presence == nil
            return node
        case .column(let column):
            return TypedNode(
                value: place.throughJoins(column),
                stored: place.isDecimal ? .decimal : StoredType(place.type),
                type: place.type,
                name: place.name,
                mappedName: place.mappedName,
                folded: place.folded.mapValues { place.throughJoins($0) },
                isRequired: place.isRequired,
                summand: place.summand.map { place.throughJoins($0) }
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
