import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

/// Finds the indexes that a condition and an order can use in a store with typed columns.
struct TypedIndexFinder {
    private typealias Part = IndexPart

    let writer: TypedWriter
    let scope: TypedScope
    let table: String
    /// The columns that have an index because they are the key.
    let key: [String]
    private var found = FoundIndexes()
    var statements: [String] { found.statements }

    init(writer: TypedWriter, scope: TypedScope, table: String, key: [String]) {
        (self.writer, self.scope, self.table, self.key) = (writer, scope, table, key)
    }

    /// The fields that have one value in all rows that are found, so that they give no order.
    func fieldsTestedForEquality(_ condition: Condition) throws(QueryError) -> Set<String> {
        var names: Set<String> = []
        for case .comparison(let comparison) in condition.parts where comparison.operator == .equal {
            guard comparison.options.folding.isEmpty, try part(.comparison(comparison)) != nil else { continue }
            if case .field(let path, _) = comparison.withConstantOnTheRight.left { names.insert(path.dotted) }
        }
        return names
    }

    /// - Parameters:
    ///   - condition: what rows are found by.
    ///   - order: the columns of an index that gives the order.
    ///   - names: the fields of the order.
    /// - Throws: an error if the store has no such indexes.
    mutating func find(_ condition: Condition, order: [String], named names: [String]) throws(QueryError) {
        guard let listIndex = writer.forms.listIndex else {
            throw writer.unsupported("indexes are not suggested for this store", at: .none)
        }
        try findParts(of: condition, order, names, listIndex)
        for case .or(let branches) in condition.parts { try findBranches(branches, listIndex) }
        try findRelations(of: condition)
    }

    /// The indexes of the other tables that the condition reads.
    private mutating func findRelations(of condition: Condition) throws(QueryError) {
        var indexes: [(table: String, parts: [Part])] = []
        for use in try condition.relationUses(of: scope.row.type) {
            var inner = scope
            let storage = scope.row.related(use.relation.table)
            let alias = try writer.dialect.names(of: use.relation.table).qualifier
            inner.row = TypedPlace(
                site: .row(alias: alias, storage: storage, key: use.relation.foreignKey),
                type: use.row,
                name: [],
                isSingle: true
            )
            let tested = try use.test.flatMap { test throws(QueryError) in try part(.comparison(test), inner) }
            indexes += try use.indexes(of: table, writer.dialect, tested: tested)
        }
        for (table, parts) in indexes.withoutPrefixes { try found.add(parts, to: table, writer.dialect) }
    }

    /// The indexes of the parts that are comparisons.
    ///
    /// - Returns: false if no index helps.
    @discardableResult
    private mutating func findParts(
        of condition: Condition,
        _ order: [String],
        _ names: [String],
        _ listIndex: String
    ) throws(QueryError) -> Bool {
        var parts: [Part] = []
        var texts: Set<String> = []
        var isFound = false
        for condition in condition.parts {
            if let list = try list(condition) {
                try found.add([list], to: table, using: listIndex, writer.dialect)
                isFound = true
            } else if let part = try part(condition), texts.insert(part.text).inserted {
                parts.append(part)
            }
        }
        var columns = parts.filter { !$0.isRange }
        // The key finds one row, which needs no other index.
        if columns.contains(where: { key.contains($0.name) }) { return true }
        if order.isEmpty {
            columns += parts.filter(\.isRange).prefix(1)
        } else {
            columns += zip(order, names + order.dropFirst(names.count).map { _ in "" }).map { Part(text: $0, name: $1) }
        }
        try found.add(columns, to: table, writer.dialect)
        if !order.isEmpty, let range = parts.first(where: \.isRange) {
            try found.add([range], to: table, writer.dialect)
        }
        return isFound || !parts.isEmpty
    }

    /// One branch without an index makes the others useless.
    private mutating func findBranches(_ branches: [Condition], _ listIndex: String) throws(QueryError) {
        let before = found
        for branch in branches {
            guard try findParts(of: branch, [], [], listIndex) else {
                found = before
                return
            }
        }
    }

    /// `ANY tags == "x"` over a list in a document, or over an array.
    private func list(_ condition: Condition) throws(QueryError) -> Part? {
        guard case .comparison(let comparison) = condition, comparison.quantifier == .any,
            comparison.options.folding.isEmpty, case .field(let path, _) = comparison.left,
            let value = comparison.right.constantValue, !value.holdsNil,
            let place = try writer.documentList(comparison.left, scope), place.joins.isEmpty
        else { return nil }
        let array = place.declared?.array?.column
        guard comparison.operator == .equal || comparison.operator == .in && array != nil,
            array != nil || !scope.row.isUnindexed(path)
        else { return nil }
        return Part(text: text((array ?? writer.read(place).value).parenthesized).text, name: path.dotted + "_list")
    }

    /// A field compared with a constant; nil if no index helps.
    private func part(_ condition: Condition, _ scope: TypedScope? = nil) throws(QueryError) -> Part? {
        guard case .comparison(let comparison) = condition, let asked = try IndexedTest(comparison) else { return nil }
        let (value, isRange) = (asked.value, asked.isRange)
        let scope = scope ?? self.scope
        guard value.kind != .null, value.kind != .bool, !scope.row.isUnindexed(asked.path),
            let place = try writer.place(of: asked.field, scope),
            place.joins.isEmpty
        else { return nil }
        let node = try writer.known(writer.read(place), value.kind)
        if let kind = node.stored.kind, kind != value.kind { return nil }
        let subject = try subject(node, value, comparison.options, isRange: isRange, asked.origin)
        let isText = isRange && (value.kind == .string || value.kind == .date || value.kind == .uuid)
        let printed = text(subject.parenthesized)
        guard printed.bindings.isEmpty else { return nil }
        let options = value.kind == .string ? comparison.options.folding.text : ""
        return Part(
            text: printed.text,
            name: asked.path.dotted + (options.isEmpty ? "" : "_" + options) + (isText ? "_range" : ""),
            isRange: isRange
        )
    }

    private func text(_ piece: SQLText) -> SQLPrinter.Printed { SQLPrinter.print(piece, writer.style) }

    /// What the statement compares with the constant.
    private func subject(
        _ node: TypedNode,
        _ value: QueryValue,
        _ options: StringOptions,
        isRange: Bool,
        _ origin: Origin
    ) throws(QueryError) -> SQLText {
        guard node.stored == .document, let documents = writer.forms.documents else {
            let text = try writer.folded(node, options, origin)
            return isRange ? writer.bytewise(node, text) : text
        }
        let isFolded = value.kind == .string && !options.folding.isEmpty
        guard isFolded || isRange, case .string = try SQLConstant.json(value, node.type, origin, keepsDigits: true)
        else {
            return node.value
        }
        let text = documents.text(node.value)
        let subject = isFolded ? try writer.folded(text, options, origin) : text
        return isRange ? writer.forms.byBytes(subject.above(.unary)) : subject
    }
}
