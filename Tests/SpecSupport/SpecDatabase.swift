import PredicateQL
import PredicateQLSQLite

/// SQLite's answers to a query over sample rows, in an in-memory database.
public enum SpecDatabase {
    /// The labels of the rows that a query finds, once per storage that can represent the rows.
    ///
    /// A storage is skipped if it does not support the query, or if the rows break the assumptions of its statement.
    ///
    /// - Parameters:
    ///   - query: the query; its fields are ignored.
    ///   - rows: the rows.
    ///   - labels: one label per row.
    ///   - now: the instant of the run.
    /// - Returns: the storage's name and the labels in the order of the answer.
    /// - Throws: `QueryError` of code `store` for an error of SQLite.
    public static func answers(
        to query: Query,
        rows: [Document],
        labels: [String],
        now: Int64?
    ) throws(QueryError) -> [(storage: String, labels: [String])] {
        var query = query
        query.fields = nil
        var answers: [(storage: String, labels: [String])] = []
        if rows.allSatisfy(isJSON) {
            let documents = SpecRunner.labelled(rows.map(stored), labels)
            let table = Table(
                columns: ["doc"],
                rows: documents.map { [.string(JSONWriter().text(.object($0)))] },
                labels: labels
            )
            if let found = try answer(query, .document(column: "doc"), table, rows, now) {
                answers.append(("SQLite documents", found))
            }
        }
        if query.schema == nil, let table = plainColumns(rows, labels, for: query),
            let found = try answer(query, .columns, table, rows, now)
        {
            answers.append(("SQLite columns", found))
        }
        return answers
    }

    private struct Table {
        var columns: [String]
        var rows: [[QueryValue]]
        var labels: [String]
    }

    private static func answer(
        _ query: Query,
        _ storage: SQLStorage,
        _ table: Table,
        _ rows: [Document],
        _ now: Int64?
    ) throws(QueryError) -> [String]? {
        let statement: SQLQuery
        do {
            statement = try query.sql(.sqlite, from: SQLTable("t", storage: storage, primaryKey: "rowid"), now: now)
        } catch {
            if error.code == .unsupported || error.code == .unboundVariable || error.code == .limit { return nil }
            throw error
        }
        guard rows.allSatisfy(statement.assumptions.hold) else { return nil }
        let database = try SQLiteDatabase.inMemory()
        try SQLiteFunctions.register(on: database.handle)
        let names = table.columns.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" } + ["__label"]
        _ = try database.rows("CREATE TABLE t (\(names.joined(separator: ", ")))")
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        for (row, label) in zip(table.rows, table.labels) {
            _ = try database.rows("INSERT INTO t VALUES (\(marks))", row + [.string(label)])
        }
        // The statement returns rows; only the label of each is read.
        let found = try database.rows(statement.sql, statement.bindings)
        return found.compactMap { row in
            if case .string(let label)? = row["__label"] { return label }
            if case .string(let json)? = row["doc"], case .object(let document)? = try? QueryValue(json: json) {
                return SpecRunner.label(document)
            }
            return nil
        }
    }

    /// One column per key, if every value is null, a number or text, so that columns can declare their kinds.
    private static func plainColumns(_ rows: [Document], _ labels: [String], for query: Query) -> Table? {
        let rows = rows.map(stored)
        var columns: [String] = []
        for row in rows {
            for (key, value) in row.pairs {
                switch value {
                case .null, .int, .double: break
                case .string(let text): if text.utf8.contains(0) { return nil }
                case .bool, .date, .data, .uuid, .list, .object, .shape: return nil
                }
                // SQLite ignores the ASCII case of names.
                if columns.contains(where: { $0 != key && $0.lowercased() == key.lowercased() }) { return nil }
                if !columns.contains(key) { columns.append(key) }
            }
        }
        for name in query.columnNames where !columns.contains(where: { $0.lowercased() == name.lowercased() }) {
            columns.append(name)
        }
        return Table(columns: columns, rows: rows.map { row in columns.map { row[$0] ?? .null } }, labels: labels)
    }

    /// The row as SQLite stores it: without a schema dates are ISO text (S5).
    private static func stored(_ row: Document) -> Document {
        Document(pairs: row.pairs.map { ($0, stored($1)) })
    }

    private static func stored(_ value: QueryValue) -> QueryValue {
        switch value {
        case .date(let milliseconds): .string(DateText.iso8601(milliseconds))
        case .list(let elements): .list(elements.map(stored))
        case .object(let document): .object(stored(document))
        default: value
        }
    }

    /// True if JSON can represent the row: no data, no UUID, no NUL, no infinite number.
    private static func isJSON(_ row: Document) -> Bool { row.values.allSatisfy(isJSON) }

    private static func isJSON(_ value: QueryValue) -> Bool {
        switch value {
        case .null, .bool, .int, .date: true
        case .double(let number): number.isFinite
        case .string(let text): !text.utf8.contains(0)
        case .list(let elements): elements.allSatisfy(isJSON)
        case .object(let document): isJSON(document)
        case .data, .uuid, .shape: false
        }
    }
}

extension Query {
    /// The first keys of every path, which a table must have as columns.
    var columnNames: [String] {
        var names: [String] = []
        func add(_ name: String?) {
            if let name, !names.contains(name) { names.append(name) }
        }
        for key in order { add(key.path.keys.first) }
        for case .term(.field(let path, _)) in condition.nodes { add(path.keys.first) }
        return names
    }
}
