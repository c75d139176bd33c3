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
    /// needs one there: on the tested column, or on the foreign key by which `@count`, `@sum`, ALL and SUBQUERY read.
    ///
    ///     let query = try Query(format: "state == 'MA' AND population > 50000")
    ///     try query.suggestedIndexes(from: "cities")[0]
    ///     // → CREATE INDEX IF NOT EXISTS "cities_state_population" ON "cities" ("state", "population")
    ///
    /// - Returns: the statements; none if no index helps.
    /// - Throws: as ``sql(_:from:now:)``, which describes the parameters; `unsupported` for DuckDB, whose scans are as fast.
    public func suggestedIndexes(
        _ dialect: SQLDialect = .sqlite,
        from table: some SQLTableConvertible,
        now: Int64? = nil
    ) throws(QueryError) -> [String] {
        let table = table.sqlTable
        return try StackRoom.run(for: condition, above: StackRoom.plainHeightOfWriters) { () throws(QueryError) in
            if dialect.sharedForms != nil {
                return try TypedStatement(self, dialect, table, now).indexes(of: table.name)
            }
            return try indexes(dialect, table, now)
        }
    }

    private func indexes(_ dialect: SQLDialect, _ table: SQLTable, _ now: Int64?) throws(QueryError) -> [String] {
        let storage = table.layout
        let statement = try Statement(self, dialect, table, now)
        let (stored, writer) = (statement.query.sortingByComputed, statement.conditionWriter)
        // Indexes name columns without their table.
        let row = try dialect.quoted(IndexFinder.rowName)
        var scope = statement.scope
        scope.row.site = .row(alias: row, storage: storage, key: statement.key.columns[0])
        var finder = IndexFinder(writer: writer, row: row, key: statement.key)
        if !stored.order.isEmpty { finder.kinds = statement.kindsOfFields }
        finder.uniqueText = try storage.keyColumn.map { key throws(QueryError) in try dialect.quoted(key) }
        let folded = try checkedCondition().foldingConstants(now: writer.now, nilMeaning: nilMeaning)
        try finder.find(folded, stored.order, isPaged: isCut, table.name, scope)
        try finder.addRelations()
        return finder.statements
    }
}

/// Finds the indexes that a condition and an order can use.
private struct IndexFinder {
    /// An alias that no other part of a statement uses.
    static let rowName = "row"

    private typealias Part = IndexPart

    let writer: SQLWriter
    let row: String
    let key: RowKey
    /// The kinds of the fields that have only one.
    var kinds: [FieldPath: Kind] = [:]
    /// The column of the documents' keys, which has an index of its own.
    var uniqueText: String?
    private var found = FoundIndexes()
    var statements: [String] { found.statements }
    /// The indexes of rows that relations lead to; written last, when it is known which are prefixes of others.
    private var ofRelations: [(table: String, parts: [IndexPart])] = []
    /// How many conditions on other tables give the keys of this table's rows.
    private var searches = 0

    init(writer: SQLWriter, row: String, key: RowKey) { (self.writer, self.row, self.key) = (writer, row, key) }

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
        if case .or(let branches) = condition, isAlone, try findBranches(branches, table, scope) { return }
        for use in try condition.relationUses(of: scope.row.type) { try find(use, table, scope) }
    }

    /// The indexes of all branches of an OR; one branch without an index makes the others useless.
    ///
    /// - Returns: false if a branch has none.
    private mutating func findBranches(
        _ branches: [Condition],
        _ table: String,
        _ scope: SQLScope
    ) throws(QueryError) -> Bool {
        let before = self
        for branch in branches {
            let known = (found.statements.count, searches)
            try find(branch, [], isPaged: false, table, scope)
            if (found.statements.count, searches) == known, try part(branch, scope) == nil {
                self = before
                return false
            }
        }
        return true
    }

    // MARK: Other tables

    private mutating func find(_ use: RelationUse, _ table: String, _ scope: SQLScope) throws(QueryError) {
        var inner = scope
        inner.row = SQLPlace(
            site: .row(alias: row, storage: .columns, key: use.relation.foreignKey),
            type: use.row,
            isSingle: true
        )
        let tested = try use.test.flatMap { test throws(QueryError) in try part(.comparison(test), inner) }
        if tested != nil { searches += 1 }
        ofRelations += try use.indexes(of: table, writer.dialect, tested: tested)
    }

    /// The statements of other tables' indexes.
    mutating func addRelations() throws(QueryError) {
        for (table, parts) in ofRelations.withoutPrefixes { try found.add(parts, to: table, writer.dialect) }
    }

    // MARK: Parts

    /// The indexable part of a comparison of a field with a constant; nil if no index helps.
    private func part(_ condition: Condition, _ scope: SQLScope) throws(QueryError) -> Part? {
        guard case .comparison(let comparison) = condition, let asked = try IndexedTest(comparison) else { return nil }
        guard let place = try writer.place(of: asked.field, scope), place.joins.isEmpty else { return nil }
        let read = writer.read(place)
        if read.isRow { return nil }
        let node = try writer.dated(read, beside: asked.value, .none)
        var expression = node.value
        var name = asked.path.keys.joined(separator: "_")
        if !comparison.options.folding.isEmpty, asked.value.holdsText {
            expression = writer.folded(expression, comparison.options)
            name += "_" + comparison.options.folding.text
        }
        if case .bool = asked.value, case .json(let type) = node.kinds {
            expression = type
            name += "_kind"
        }
        return Part(text: try bare(expression), name: name, isRange: asked.isRange)
    }

    private func sorting(_ order: [SortKey], isPaged: Bool, _ scope: SQLScope) throws(QueryError) -> [Part] {
        var parts: [Part] = []
        // No index gives the order of computed values.
        for (place, key) in order.enumerated() {
            guard key.computed == nil, try writer.place(of: .field(key.path, .none), scope) != nil else { return [] }
            let pieces = try writer.sorting(SortKey(key.path, options: key.options), scope, kinds, in: ("order", place))
            for (position, piece) in pieces.enumerated() {
                let isRank = position + 1 < pieces.count
                let options = key.options.folding.isEmpty ? "" : "_" + key.options.folding.text
                parts.append(
                    Part(
                        text: try bare(piece),
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
                var part = try Part(column: name, writer.dialect)
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

    /// The expression with the row's columns named without it.
    private func bare(_ expression: SQLText) throws(QueryError) -> String {
        var text = ""
        for piece in SQLPrinter.pieces(of: expression.sortedPiece, writer.style, cutAt: row) {
            switch piece {
            case .text(let words): text += words
            case .column(let name): text += try writer.dialect.quoted(name)
            }
        }
        return text
    }

    // MARK: Statements

    /// Nothing if the documents' key finds the row, or the rows in their order.
    private mutating func addUnlessUnique(_ same: [Part], _ tail: [Part], _ table: String) throws(QueryError) {
        if let uniqueText, same.contains(where: { $0.text == uniqueText }) { return }
        if let uniqueText, same.isEmpty, tail.first?.text == uniqueText { return }
        try found.add(same + tail, to: table, writer.dialect)
    }
}

/// The indexes that were found, as statements, each once.
struct FoundIndexes {
    private(set) var statements: [String] = []
    private var written: Set<String> = []

    /// An index of the parts, if there are any, of the kind that USING names.
    mutating func add(
        _ parts: [IndexPart],
        to table: String,
        using kind: String? = nil,
        _ dialect: SQLDialect
    ) throws(QueryError) {
        guard !parts.isEmpty else { return }
        let names = parts.map { $0.name + ($0.isDescending ? "_desc" : "") }.filter { !$0.isEmpty }
        let name = ([dialect.unqualified(table)] + names).joined(separator: "_")
        // Longer names would be cut, so that two indexes might have one name; the store then makes a name of its own.
        let isCut = dialect.forms != nil && name.utf8.count > 63
        let columns = parts.map { $0.text + ($0.isDescending ? " DESC" : "") }.joined(separator: ", ")
        let statement =
            "CREATE INDEX " + (isCut ? "" : "IF NOT EXISTS " + (try dialect.quoted(name)) + " ") + "ON "
            + (try dialect.table(table)) + (kind.map { " USING " + $0 } ?? "") + " (" + columns + ")"
        if written.insert(statement).inserted { statements.append(statement) }
    }
}

/// An indexed column or expression.
struct IndexPart {
    var text: String
    var name: String
    var isRange = false
    var isDescending = false
}

extension IndexPart {
    /// A plain column.
    init(column name: String, _ dialect: SQLDialect) throws(QueryError) {
        self.init(text: try dialect.quoted(name), name: name)
    }
}
