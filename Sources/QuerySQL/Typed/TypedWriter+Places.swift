import QueryChecking
import QueryTree
import QueryValues

// Following a path to where its value is stored (S9).

extension TypedWriter {
    /// A list on the way would turn the value into a list.
    func mayMap(_ origin: Origin) -> QueryError {
        unsupported(
            "it is unknown whether this path crosses a list, which decides its meaning",
            at: origin,
            hint: "declare the fields in a schema"
        )
    }

    var absent: Place.Site { .computed(computed(.null, .null)) }

    func enter(_ next: inout Place, _ place: Place, _ field: ResolvedPath.Step, _ origin: Origin) throws(QueryError) {
        switch place.site {
        case .row(let row):
            try enter(&next, row, field, origin)
            next.isRequired = !field.isOptional && place.joins.isEmpty && place.declared?.presence == nil
        case .column(let column):
            guard let nested = forms.nested, case .object = place.type else {
                let name = place.name?.joined(separator: ".") ?? "the column"
                let way = forms.documents == nil ? "--schema" : "--schema or --storage document"
                let hint = "declare \(name) as an object in a schema (pql: \(way))"
                throw unsupported("the store must know that this column holds documents", at: origin, hint: hint)
            }
            next.site = .column(nested.member(column, .literal(field.storedName)))
        case .json(let document, _, _): next.site = .document(try member(document, field.storedName, origin))
        case .element, .computed: next.site = absent
        }
    }

    private func enter(
        _ next: inout Place,
        _ row: TableRow,
        _ field: ResolvedPath.Step,
        _ origin: Origin
    ) throws(QueryError) {
        switch row.storage.layout {
        case .document(let column):
            let document = try dialect.column(column, of: row.alias, at: origin)
            next.site = .document(try member(document, field.storedName, origin))
        case .columns(let json):
            let column = try dialect.column(field.storedName, of: row.alias, at: origin)
            var folded: [String: SQLText] = [:]
            for (letters, name) in row.storage.foldedColumns[field.storedName] ?? [:] {
                folded[letters] = forms.textColumn(try dialect.column(name, of: row.alias, at: origin))
            }
            let isNested = StoredType(field.type) == .nested
            let isDocument = json.contains(field.storedName) || isNested && forms.nested == nil
            if isDocument, forms.documents == nil { throw noDocuments(origin) }
            if let type = row.storage.unreadColumns[field.storedName] {
                let hint = "make a view that casts it to a plain type, a text by CAST(… AS text) COLLATE \"C\""
                throw unsupported("the column type \(type) is not supported", at: origin, hint: hint)
            }
            if row.storage.castColumns.contains(field.storedName) {
                next.site = try cast(column, to: field.type, isDocument: isDocument, origin)
            } else if isDocument {
                next.site = .document(column)
            } else {
                next.site = .column(StoredType(field.type) == .text ? forms.textColumn(column) : column)
            }
            let isDecimal = row.storage.decimalColumns.contains(field.storedName)
            let isCompared = isDecimal && forms.documents != nil
            if isDecimal, !isCompared { next.site = .column(column.cast(to: forms.double)) }
            next.declared = DeclaredColumn(
                folded: folded,
                isDecimal: isCompared,
                date: row.storage.nativeDates[field.storedName],
                array: row.storage.arrayColumns[field.storedName].map { (column, $0) },
                summand: isDecimal && !isCompared ? column : nil,
                presence: next.declared?.presence
            )
        }
    }

    /// A column of another type than its field's.
    private func cast(
        _ column: SQLText,
        to type: FieldType,
        isDocument: Bool,
        _ origin: Origin
    ) throws(QueryError) -> Place.Site {
        var types: [FieldType: String] = [.string: forms.text, .int: forms.int, .double: forms.double]
        types[.date(.native)] = forms.timestamp
        if let documents = forms.documents, isDocument || type == .any {
            // Elements are read as columns are: `char(n)` without blanks at the end, `real` with the digits of a double.
            let isRead = type == .list(.string) || type == .list(.double)
            return .document(documents.from(isRead ? column.cast(to: (types[type.element] ?? "") + "[]") : column))
        }
        if let word = types[type] {
            let value = column.cast(to: word)
            return .column(type == .string ? forms.textColumn(value) : value)
        }
        if case .list(let element) = type, let word = types[element] { return .column(column.cast(to: word + "[]")) }
        let hint = "make a view that casts it to a plain type, or to a list or an object of declared types"
        throw unsupported("this column's type is not supported", at: origin, hint: hint)
    }

    func member(_ name: String, of document: SQLText, _ origin: Origin) throws(QueryError) -> SQLText {
        throw unsupported("a document's key is not a column of its table", at: origin)
    }

    private func member(_ document: SQLText, _ key: String, _ origin: Origin) throws(QueryError) -> SQLText {
        guard let documents = forms.documents else { throw noDocuments(origin) }
        if key.utf8.contains(0) { throw unsupported("a key in SQL cannot hold a NUL character", at: origin) }
        return documents.member(document, .literal(key))
    }

    /// A position in a list or among the rows of another table, from 0; -1 is the last.
    func position(of base: Term, _ index: Int, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Place? {
        if let place = try place(of: base, scope) { return try position(place, index, origin) }
        switch base {
        case .field where scope.results == nil, .path: return try row(of: base, at: index, origin, scope)
        case .field, .value, .list, .variable, .index, .aggregate, .arithmetic, .negated, .call, .subquery,
            .conditional, .cast, .assignment:
            return nil
        }
    }

    /// The row at a position among those of another table, in the order of that table's key.
    private func row(of base: Term, at index: Int, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Place? {
        let chain = try collection(of: base, scope)
        guard case .row(let row) = chain.element.site, chain.link != nil, chain.from.count == 1
        else { return nil }
        let keys = chain.element.type.primaryKey
        guard keys.count == 1, let table = chain.from.first?.namedPiece else {
            let hint = "name the key of that table in the schema, as one column"
            throw unsupported("rows of another table have an order only by their key", at: origin, hint: hint)
        }
        let column = try dialect.column(keys[0], of: row.alias, at: origin)
        let type = chain.element.type.step(keys[0])?.type ?? .any
        let stored = StoredType(type)
        let value = stored == .text ? forms.textColumn(column) : column
        let node = Node(value: value, stored: stored, type: type)
        let key = rows(
            [column],
            chain,
            order: [bytewise(node, value).sorted(index < 0 ? "DESC" : "")],
            limit: .number(1),
            offset: index > 0 ? .number(index) : nil
        )
        let inner = try self.alias("j")
        var place = chain.element
        place.joins = [
            TableJoin(
                table: table,
                alias: inner,
                key: try dialect.column(keys[0], of: inner, at: origin),
                foreign: .select(key)
            )
        ]
        place.site = .row(alias: inner, storage: row.storage, key: keys[0])
        place.declared = nil
        place.elementOf = nil
        place.isSingle = true
        return place
    }

    /// A position in a list, from 0; -1 is the last.
    private func position(_ place: Place, _ index: Int, _ origin: Origin) throws(QueryError) -> Place {
        if place.mayMap { throw mayMap(origin) }
        if place.type == .any, (place.name?.count ?? 0) > 1 { assumeSingle(read(place)) }
        var next = place.withoutPosition
        next.elementOf = place.name
        switch place.site {
        case .json(let document, _, _):
            guard let documents = forms.documents else { throw noDocuments(origin) }
            next.site = .document(documents.element(document, .number(index)))
        case .column(let column):
            guard let nested = forms.nested, case .list = place.type else {
                throw unsupported("only a list can be indexed", at: origin, hint: "declare the list in a schema")
            }
            next.site = .column(index < 0 ? nested.last(column) : nested.element(column, .number(index + 1)))
        case .row: throw unsupported("rows of a table cannot be indexed", at: origin)
        case .element, .computed: next.site = .computed(computed(.null, .null))
        }
        return next
    }

    // MARK: Reading

    func read(_ place: Place) -> Node {
        switch place.site {
        case .row(let row):
            let presence = place.joins.isEmpty ? place.declared?.presence : nil
            var (column, nearer) = (presence ?? .column(of: row.alias, row.key), place)
            // A key that finds its row tells whether there is one.
            if let last = place.joins.last, last.isEnforced {
                nearer.joins.removeLast()
                column = last.foreign
            }
            var node = Node(value: nearer.throughJoins(column), stored: .row, type: place.type)
            node.isPresent = place.joins.isEmpty && presence == nil
            return node
        case .column(let column):
            return Node(
                value: place.throughJoins(column),
                stored: place.declared?.isDecimal == true ? .decimal : StoredType(place.type),
                type: place.type,
                name: place.name,
                mappedName: place.mappedName,
                folded: place.declared?.folded.mapValues { place.throughJoins($0) } ?? [:],
                isRequired: place.isRequired,
                date: place.declared?.date,
                summand: place.declared?.summand.map { place.throughJoins($0) }
            )
        case .json(let document, _, _):
            return Node(
                value: place.throughJoins(document),
                stored: .document,
                type: place.type,
                name: place.name,
                mappedName: place.mappedName
            )
        case .element: return computed(.null, .null)
        case .computed(let node): return node
        }
    }
}
