import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

extension Query {
    /// The indexes that the query would benefit from, as CREATE INDEX statements.
    ///
    /// Fields tested for equality come first, then one tested for a range or used for sorting. Fields in JSON text and
    /// folded texts are indexed as the statement's expressions; an index on folded text needs the connection's
    /// functions whenever it is updated. An OR needs an index for each branch, a condition on rows of another table
    /// needs one there.
    ///
    ///     let query = try Query(format: "state == 'MA' AND population > 50000")
    ///     try query.suggestedIndexes(from: "cities")[0]
    ///     // → CREATE INDEX IF NOT EXISTS "cities_state_population" ON "cities" ("state", "population")
    ///
    /// - Parameters:
    ///   - dialect: the SQL dialect of the store.
    ///   - table: the table's name.
    ///   - storage: where the fields are stored.
    ///   - primaryKey: the column that identifies rows; nil for the schema's, else the row number.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the statements; none if no index helps.
    /// - Throws: as ``sql(_:from:storage:primaryKey:now:)``; `unsupported` for DuckDB, whose scans are as fast.
    public func suggestedIndexes(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        storage: SQLStorage = .columns,
        primaryKey: String? = nil,
        now: Int64? = nil
    ) throws(QueryError) -> [String] {
        if let forms = dialect.typed {
            return try TypedStatement(self, forms, dialect, table, storage, primaryKey, now).indexes(of: table)
        }
        let stored = asStored(storage)
        let statement = try Statement(stored, dialect, table, storage, primaryKey, now)
        let writer = statement.writer
        // Indexes name columns without their table.
        let row = try dialect.quoted(IndexFinder.rowName)
        var scope = statement.scope
        scope.row.site = .row(alias: row, storage: storage, key: statement.key.columns[0])
        var finder = IndexFinder(writer: writer, row: row, key: statement.key)
        if !stored.order.isEmpty { finder.kinds = statement.kindsOfFields }
        finder.uniqueText = try storage.keyColumn.map { key throws(QueryError) in try dialect.quoted(key) }
        let folded = try checkedCondition().foldingConstants(now: writer.now, nilMeaning: nilMeaning)
        try finder.find(folded, stored.order, isPaged: skip != nil || limit != nil, table, scope)
        return finder.statements
    }
}

/// Finds the indexes that a condition and an order can use.
private struct IndexFinder {
    /// A name that no table has.
    static let rowName = "\u{1}row\u{1}"

    /// An indexed column or expression.
    private struct Part {
        var text: String
        var name: String
        var isRange: Bool
        var isDescending = false
    }

    let writer: SQLWriter
    let row: String
    let key: RowKey
    /// The kinds of the fields that have only one.
    var kinds: [FieldPath: Kind] = [:]
    /// The column of the documents' keys, which has an index of its own.
    var uniqueText: String?
    private(set) var statements: [String] = []
    private var written: Set<String> = []

    init(writer: SQLWriter, row: String, key: RowKey) {
        self.writer = writer
        self.row = row
        self.key = key
    }

    mutating func find(
        _ condition: Condition,
        _ order: [SortKey],
        isPaged: Bool,
        _ table: String,
        _ scope: SQLScope
    ) throws(QueryError) {
        let (others, isAlone) = try findHere(condition, order, isPaged: isPaged, table, scope)
        for other in others { try findElsewhere(other, isAlone: isAlone, table, scope) }
    }

    /// The index of the parts that are compared with constants; apart, so that nesting costs only a small frame.
    ///
    /// - Returns: the other parts, and whether there are no such ones.
    @inline(never)
    private mutating func findHere(
        _ condition: Condition,
        _ order: [SortKey],
        isPaged: Bool,
        _ table: String,
        _ scope: SQLScope
    ) throws(QueryError) -> (others: [Condition], isAlone: Bool) {
        var parts: [Part] = []
        var others: [Condition] = []
        var texts: Set<String> = []
        for part in condition.parts {
            if let found = try self.part(part, scope) {
                if texts.insert(found.text).inserted { parts.append(found) }
            } else {
                others.append(part)
            }
        }
        let same = parts.filter { !$0.isRange }
        var sorted = try sorting(order, isPaged: isPaged, scope)
        let searched = Set(same.map(\.text))
        sorted.removeAll { searched.contains($0.text) }
        let range = parts.first { $0.isRange && ($0.text == sorted.first?.text || sorted.isEmpty) }
        if let range = range ?? (same.isEmpty || sorted.isEmpty ? parts.first(where: \.isRange) : nil) {
            let tail = range.text == sorted.first?.text ? sorted : [range]
            try addUnlessUnique(same, tail, table)
        } else {
            try addUnlessUnique(same, sorted, table)
        }
        return (others, parts.isEmpty)
    }

    private mutating func findElsewhere(
        _ condition: Condition,
        isAlone: Bool,
        _ table: String,
        _ scope: SQLScope
    ) throws(QueryError) {
        switch condition {
        case .or(let branches):
            // One branch without an index makes the others useless.
            guard isAlone else { return }
            var trial = self
            for branch in branches {
                let before = trial.statements.count
                try trial.find(branch, [], isPaged: false, table, scope)
                if trial.statements.count == before, try part(branch, scope) == nil { return }
            }
            (statements, written) = (trial.statements, trial.written)
        case .comparison(let comparison): try findInOtherTable(comparison, table, scope)
        case .constant, .and, .not: return
        }
    }

    // MARK: Other tables

    /// `key IN (SELECT foreign key FROM other WHERE …)`: an index there on the tested columns, then the foreign key.
    private mutating func findInOtherTable(
        _ comparison: Comparison,
        _ table: String,
        _ scope: SQLScope
    ) throws(QueryError) {
        guard case .field(let path, let origin) = comparison.left else { return }
        var type = scope.row.type
        for (position, key) in path.keys.enumerated() {
            guard let step = type.step(key) else { return }
            guard let relation = step.relation else {
                type = step.type
                continue
            }
            let rest = Array(path.keys.dropFirst(position + 1))
            guard position == 0, rest.count == 1 else { return }
            var plain = comparison
            plain.quantifier = nil
            plain.left = .field(FieldPath(keys: rest), origin)
            var inner = scope
            inner.row = SQLPlace(
                site: .row(alias: row, storage: .columns, key: relation.foreignKey),
                type: step.type.element,
                isSingle: true
            )
            guard let tested = try part(.comparison(plain), inner) else { return }
            if case .list = step.type {
                guard comparison.quantifier == .any else { return }
                try add([tested, column(relation.foreignKey)], relation.table)
            } else {
                try add([tested], relation.table)
                try add([column(relation.foreignKey)], table)
            }
            return
        }
    }

    private func column(_ name: String) throws(QueryError) -> Part {
        Part(text: try writer.dialect.quoted(name), name: name, isRange: false)
    }

    // MARK: Parts

    /// The indexable part of a comparison of a field with a constant; nil if no index helps.
    private func part(_ condition: Condition, _ scope: SQLScope) throws(QueryError) -> Part? {
        guard case .comparison(let comparison) = condition, comparison.quantifier == nil else { return nil }
        let asked = comparison.withConstantOnTheRight
        guard case .field(let path, _) = asked.left, let value = asked.right.constantValue else { return nil }
        let isRange: Bool
        switch asked.operator {
        case .equal: isRange = false
        case .in: if case .list = value { isRange = false } else { return nil }
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .beginsWith: isRange = true
        case .like:
            guard case .string(let text) = value, try LikePattern(text, at: .none).head != nil else { return nil }
            isRange = true
        case .notEqual, .contains, .endsWith, .matches, .geoWithin: return nil
        }
        guard let place = try writer.place(of: asked.left, scope), place.joins.isEmpty else { return nil }
        let read = writer.read(place)
        if read.isRow { return nil }
        let date = if case .list(let values) = value { values.first } else { Optional(value) }
        let node = try writer.dated(read, beside: date ?? .null, .none)
        var expression = node.value
        var name = path.keys.joined(separator: "_")
        if !comparison.options.folding.isEmpty, value.holdsText {
            expression = writer.folded(expression, comparison.options)
            name += "_" + comparison.options.folding.text
        }
        if case .bool = value, case .json(let type) = node.kinds {
            expression = type
            name += "_kind"
        }
        return Part(text: bare(expression), name: name, isRange: isRange)
    }

    private func sorting(_ order: [SortKey], isPaged: Bool, _ scope: SQLScope) throws(QueryError) -> [Part] {
        var parts: [Part] = []
        for key in order {
            guard try writer.place(of: .field(key.path, .none), scope) != nil else { return [] }
            let pieces = try writer.sorting(SortKey(key.path, options: key.options), scope, kinds)
            for (position, piece) in pieces.enumerated() {
                let isRank = position + 1 < pieces.count
                let options = key.options.folding.isEmpty ? "" : "_" + key.options.folding.text
                parts.append(
                    Part(
                        text: bare(piece),
                        name: key.path.keys.joined(separator: "_") + (isRank ? "_rank" : options),
                        isRange: true,
                        isDescending: !key.isAscending
                    )
                )
            }
        }
        if isPaged, !parts.isEmpty, !key.isRowNumber {
            let isDescending = parts.last?.isDescending ?? false
            for name in key.columns {
                var part = try column(name)
                part.isDescending = isDescending
                if !parts.contains(where: { $0.text == part.text }) { parts.append(part) }
            }
        }
        // Row numbers ascend in every index; if their order does not matter, an index can be read backward.
        if parts.last?.isDescending == true, !isPaged || !key.isRowNumber {
            for index in parts.indices { parts[index].isDescending.toggle() }
        }
        return parts
    }

    /// The expression without the row's name.
    private func bare(_ expression: SQLText) -> String {
        var text = ""
        var rest = Substring(expression.text)
        let name = row + "."
        while let start = rest.unicodeScalars.firstIndex(of: "\u{1}") {
            // The name starts one quote before its first letter.
            guard start > rest.startIndex else { break }
            let quote = rest.unicodeScalars.index(before: start)
            guard rest[quote...].hasPrefix(name) else {
                text += rest[...start]
                rest = rest[rest.unicodeScalars.index(after: start)...]
                continue
            }
            text += rest[..<quote]
            rest = rest[quote...].dropFirst(name.count)
        }
        return text + rest
    }

    // MARK: Statements

    /// Nothing if the documents' key finds the row, or the rows in their order.
    private mutating func addUnlessUnique(_ same: [Part], _ tail: [Part], _ table: String) throws(QueryError) {
        if let uniqueText, same.contains(where: { $0.text == uniqueText }) { return }
        if let uniqueText, same.isEmpty, tail.first?.text == uniqueText { return }
        try add(same + tail, table)
    }

    private mutating func add(_ parts: [Part], _ table: String) throws(QueryError) {
        guard !parts.isEmpty else { return }
        let name = ([table] + parts.map { $0.name + ($0.isDescending ? "_desc" : "") }).joined(separator: "_")
        let columns = parts.map { $0.text + ($0.isDescending ? " DESC" : "") }.joined(separator: ", ")
        let dialect = writer.dialect
        let statement =
            "CREATE INDEX IF NOT EXISTS " + (try dialect.quoted(name)) + " ON " + (try dialect.quoted(table)) + " ("
            + columns + ")"
        if written.insert(statement).inserted { statements.append(statement) }
    }
}

extension Condition {
    /// The parts of an AND, with nested ANDs flattened.
    var parts: [Condition] {
        if case .and(let parts) = self { parts.flatMap(\.parts) } else { [self] }
    }
}
