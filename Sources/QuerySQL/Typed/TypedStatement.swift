import QueryChecking
import QueryTree
import QueryValues

/// The statements of a query for a store with typed columns.
final class TypedStatement: StatementBase<TypedWriter>, WriterStatement {
    func bind(_ count: Int) -> SQLText {
        let number = SQLText.bind(.int(Int64(count)))
        return conditionWriter.forms.rowCount?(number) ?? number.cast(to: conditionWriter.forms.int)
    }

    func groups(of grouping: Grouping, withKinds: Bool) throws(QueryError) -> SQLQuery {
        try TypedGroups(grouping: grouping, statement: self).query(withKinds: withKinds)
    }

    // MARK: Columns and order

    func projection(_ fields: [FieldPath], _ column: String) throws(QueryError) -> SQLText {
        let message = "some fields of a document cannot be selected in this store"
        throw writer.unsupported(message, at: .none, hint: "select the whole document")
    }

    func checkShown(_ node: TypedNode, _ origin: Origin) throws(QueryError) {
        switch node.stored {
        case .bool, .int, .double, .text, .document: return
        case .decimal, .unknown: throw conditionWriter.unknownNumber(origin)
        case .bytes, .uuid, .date, .nested, .row, .null: throw conditionWriter.ungroupable(origin)
        }
    }

    func sortedPieces() throws(QueryError) -> [SQLText] { try sorted(query.order, forIndex: false) }

    /// The terms of ORDER BY, or the columns of an index that gives this order: none if no index does.
    private func sorted(_ order: [SortKey], forIndex: Bool) throws(QueryError) -> [SQLText] {
        var pieces: [SQLText] = []
        for (position, key) in order.enumerated() {
            if let node = try computed(key) {
                if forIndex { return [] }
                pieces += try conditionWriter.sorting(node, isAscending: key.isAscending, key.options)
                continue
            }
            let path = key.field ?? key.path
            let place = try conditionWriter.place(of: path, scope, in: ("order", position))
            let node = conditionWriter.read(place)
            // Time zones may change what truncating an instant gives.
            let isWhole = storage.keepsWholeMilliseconds || node.date == .day
            let isIndexed = place.joins.isEmpty && (node.stored != .date(.native) || isWhole)
            if forIndex, !isIndexed || scope.row.isUnindexed(path) { return [] }
            pieces += try conditionWriter.sorting(
                node,
                isAscending: key.isAscending,
                key.options,
                isOptional: query.schema?.isOptional(path) ?? true,
                isWhole: isWhole,
                isParenthesized: forIndex
            )
        }
        return pieces
    }

    // MARK: Indexes

    /// The indexes of the expressions that the statement compares with constants or sorts by.
    func indexes(of name: String) throws(QueryError) -> [String] {
        var finder = TypedIndexFinder(writer: conditionWriter, scope: scope, table: name, key: key.columns)
        let folded = try query.checkedCondition().foldingConstants(now: writer.now, nilMeaning: query.nilMeaning)
        let same = try finder.fieldsTestedForEquality(folded)
        let sorted = query.sortingByComputed.order
        // No index gives the order of computed values.
        let order = sorted.allSatisfy { $0.computed == nil } ? sorted.filter { !same.contains($0.path.dotted) } : []
        // The key has an index that gives its order.
        let isByKey = order.first.map { key.columns.contains($0.path.dotted) } ?? true
        var pieces = isByKey ? [] : try self.sorted(order, forIndex: true)
        if query.isCut, !pieces.isEmpty, !key.isRowNumber {
            let isAscending = order.last?.isAscending
            try key.breakTies(of: &pieces, table, writer.dialect, isAscending: isAscending, isParenthesized: true)
        }
        let names = order.map { $0.path.dotted + ($0.isAscending ? "_ordered" : "_descending") }
        try finder.find(folded, order: pieces.map { SQLPrinter.print($0, writer.style).text }, named: names)
        return finder.statements
    }
}

extension TypedWriter {
    /// The ORDER BY terms of one key (S22): nil first, NaN before other numbers, texts by their bytes.
    func sorting(_ node: Node, isAscending: Bool, _ options: StringOptions) throws(QueryError) -> [SQLText] {
        try sorting(node, isAscending: isAscending, options, isOptional: true, isWhole: false, isParenthesized: false)
    }

    fileprivate func sorting(
        _ node: Node,
        isAscending: Bool,
        _ options: StringOptions,
        isOptional: Bool,
        isWhole: Bool,
        isParenthesized: Bool
    ) throws(QueryError) -> [SQLText] {
        assumeSingle(node)
        try noteForm(node, .none)
        // Without NULLS FIRST an ordinary index gives the order; where there is no NULL, it says nothing.
        let places = isOptional ? (forms.nilFirst, forms.nilLast) : ("", "")
        let direction = isAscending ? "ASC" + places.0 : "DESC" + places.1
        var keys: [SQLText]
        switch node.stored {
        case .double: keys = [isNumber(node.value), node.value].compactMap { $0 }
        case .text: keys = [forms.byBytes(try folded(node, options, .none).above(.unary))]
        case .date(.native): keys = [isWhole ? node.value : milliseconds(node)]
        case .date(let encoding):
            keys = [encoding.isText ? forms.byBytes(node.value.above(.unary)) : node.value]
        case .bool, .int, .decimal, .bytes, .uuid, .row, .null: keys = [node.value]
        case .document where StoredType(node.type) == .nested, .nested:
            let hint = "sort by a value of it, such as a field or @count"
            throw unsupported("a whole list or object cannot be a sort key in this store", at: .none, hint: hint)
        case .document: keys = try documentKeys(node, options)
        case .unknown:
            let hint = "declare the field in a schema"
            throw unsupported("a column of unknown type cannot be a sort key in this store", at: .none, hint: hint)
        }
        return keys.map { (isParenthesized ? $0.parenthesized : $0).sorted(direction) }
    }

    /// The kind's rank, then the value within its kind.
    func documentKeys(_ node: Node, _ options: StringOptions) throws(QueryError) -> [SQLText] {
        guard let documents = forms.documents else { throw noDocuments(.none) }
        let kind = documents.kind(node.value)
        let text = forms.byBytes(try folded(documents.text(node.value), options, .none).above(.unary))
        return [
            .choice(
                of: kind,
                [
                    (["number"], .number(1)), (["string"], .number(2)), (["object"], .number(3)),
                    (["array"], .number(4)), (["boolean"], .number(7)),
                ],
                else: .number(0)
            ),
            .choice(of: kind, [(["string"], text)]),
            .choice(of: kind, [(["number", "boolean"], node.value)]),
        ]
    }
}

extension Schema {
    /// False for a column that the schema declares as never nil.
    fileprivate func isOptional(_ path: FieldPath) -> Bool {
        guard path.keys.count == 1, let name = path.keys.first, let field = field(named: name) else { return true }
        return field.isOptional || field.relation != nil
    }
}
