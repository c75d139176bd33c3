import PredicateQL
import QueryChecking
import QueryEvaluation
import QueryMeaning
import QuerySQL
import QueryTree
import QueryValues

/// The part of a query left for memory, over rows whose columns may hold lists and objects as JSON text.
///
/// An undeclared column is read as the statement reads it: as JSON if the query looks into it, otherwise unchanged.
/// Values that the query looks into are stored in each row under separate names, so rows are returned as stored.
package struct JSONTexts {
    /// The query over the rows returned by ``read(_:)``.
    package private(set) var query: Query
    private var columns: [Column] = []
    private let fields: [[String]]?
    /// What is computed of the rows returned by ``read(_:)``; without fields of its own.
    private var computing: Query?
    private let holdsColumns: Bool
    /// True if a field is a part of a text, which only ``shown(_:now:limits:budget:)`` reads.
    private let hasInnerFields: Bool

    private struct Column: Hashable {
        var name: String
        var storedName: String
        var reading: Reading
    }

    /// How a text is read, and the name for the result; no column name contains NUL.
    private enum Reading: String {
        /// A list, otherwise the value unchanged: CONTAINS also searches texts.
        case list = "\u{0}list"
        /// A list or an object, otherwise the value unchanged.
        case any = "\u{0}json"
    }

    /// The rest of a split.
    ///
    /// - Parameters:
    ///   - memory: the query for memory.
    ///   - storage: where the fields are stored.
    package init(_ memory: Query, _ storage: SQLStorage) {
        query = memory
        fields = memory.fields.map { paths in paths.map { memory.storedKeys(of: $0) } }
        holdsColumns = storage.documentColumn == nil
        hasInnerFields = holdsColumns && (memory.fields ?? []).contains { $0.keys.count > 1 }
        if hasInnerFields { query.fields = nil }
        if !memory.computed.isEmpty {
            computing = Query(computed: memory.computed, nilMeaning: memory.nilMeaning, schema: memory.schema)
            query = memory.ofWholeRows
        }
        guard storage.documentColumn == nil else { return }
        let row = memory.rowType
        var found: [Column] = []
        func replaced(_ keys: [String], _ use: FieldUse) -> [String]? {
            guard let key = keys.first, use != .value || keys.count > 1, let step = row.step(key),
                step.relation == nil, step.type == .any,
                !storage.jsonColumns.contains(where: { $0.hasSameUTF8(as: step.storedName) })
            else { return nil }
            let reading: Reading = use == .container && keys.count == 1 ? .list : .any
            let column = Column(name: key, storedName: step.storedName, reading: reading)
            if !found.contains(column) { found.append(column) }
            return [reading.rawValue] + keys
        }
        let uses = FieldUses { $0.ofVariable == 0 ? replaced($0.keys, $0.use) : nil }
        let condition = StackRoom.run(for: memory.condition) { uses.replacing(memory.condition) }
        var order = query.mappingComputed { test in StackRoom.run(for: test) { uses.replacing(test) } }.order
        for position in order.indices where order[position].computed == nil {
            if let keys = replaced(order[position].path.keys, .value) { order[position].path = FieldPath(keys: keys) }
        }
        let computed = computing?.mappingComputed { test in StackRoom.run(for: test) { uses.replacing(test) } }
        columns = found
        guard !found.isEmpty else { return }
        query.condition = condition
        query.order = order
        query.fields = nil
        query.schema?.fields += [.field(Reading.list.rawValue, .any), .field(Reading.any.rawValue, .any)]
        computing = computed
        computing?.schema = query.schema
    }

    /// A row with the values that the query looks into.
    package func read(_ row: Document) -> Document {
        var row = row
        for reading in [Reading.list, .any] {
            var values = Document()
            for column in columns where column.reading == reading {
                guard let value = row[column.storedName] else { continue }
                let json = value.inJSONText
                values[column.name] = reading == .any || json?.kind == .list ? json ?? value : value
            }
            if !values.isEmpty { row[reading.rawValue] = .object(values) }
        }
        return row
    }

    /// The rows of a run of ``query`` as returned.
    ///
    /// - Parameters:
    ///   - rows: the rows.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: the bounds on regular expressions.
    ///   - budget: what the run may still take.
    /// - Returns: the rows with the requested fields and the computed ones.
    /// - Throws: the error of a computed field.
    package func shown(
        _ rows: [Document],
        now: Int64? = nil,
        limits: Limits = .default,
        budget: WorkBudget? = nil
    ) throws(QueryError) -> [Document] {
        guard let computing else { return rows.map(shown) }
        var answer = try RowAnswer(try computing.checked(), now: now, limits: limits, budget: budget)
        var results: [Document] = []
        results.reserveCapacity(rows.count)
        for row in rows {
            var result = fields == nil ? Document() : shown(row)
            for (name, value) in try answer.row(row).pairs { result[name] = value }
            results.append(result)
        }
        return results
    }

    private func shown(_ row: Document) -> Document {
        if columns.isEmpty, computing == nil, !hasInnerFields { return row }
        var shown = Document()
        for (key, value) in row.pairs where Reading(rawValue: key) == nil { shown[key] = value }
        return shown.projected(fields, holdsColumns: holdsColumns)
    }
}

extension QueryValue {
    /// The list or object that this JSON text represents; nil for anything else.
    var inJSONText: QueryValue? {
        guard case .string(let text) = self,
            let first = text.utf8.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
            first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
        else { return nil }
        return try? QueryValue(json: text, path: "")
    }
}

extension Query {
    /// The stored keys of a path.
    package func storedKeys(of path: FieldPath) -> [String] {
        schema.flatMap { FieldType.object($0).resolve(path.keys)?.storedKeys } ?? path.keys
    }
}
