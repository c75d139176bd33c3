import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

enum ProcessEnvironment {
    static func number(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }
}

/// Tables of rows and the two answers to a query.
enum Fixture {
    static let documentTable = "CREATE TABLE docs (doc TEXT)"
    static let columnTable = "CREATE TABLE docs (x, y, n, m NUMERIC, s TEXT, t)"
    static let columns = ["x", "y", "n", "m", "s", "t"]

    static func makeDocuments(_ rows: [Document], in database: SQLiteDatabase) throws {
        try database.execute(documentTable)
        for row in rows {
            _ = try database.rows("INSERT INTO docs VALUES (?)", [.string(JSONWriter().text(.object(row)))])
        }
    }

    /// Returns the rows as the columns store them: affinity turns `10.0` into 10.
    static func makeColumns(_ rows: [Document], in database: SQLiteDatabase) throws -> [Document] {
        try database.execute(columnTable)
        for row in rows {
            let values = columns.map { row[$0] ?? .null }
            _ = try database.rows("INSERT INTO docs VALUES (?, ?, ?, ?, ?, ?)", values)
        }
        return try database.rows("SELECT * FROM docs ORDER BY rowid")
    }

    /// The row numbers that SQLite finds.
    static func found(
        _ query: Query,
        _ storage: SQLStorage,
        _ database: SQLiteDatabase,
        in table: String = "docs",
        now: Int64 = 0
    ) throws -> [Int] {
        let statement = try query.sql(.sqlite, from: SQLTable(table, storage: storage), now: now)
        let sql = "SELECT rowid AS id FROM \(table) WHERE " + statement.where + " ORDER BY rowid"
        return try database.rows(sql, statement.whereBindings).compactMap { row in
            if case .int(let id)? = row["id"] { Int(id) - 1 } else { nil }
        }
    }

    /// The rows that a query finds in SQLite, compared with the evaluator's.
    struct Comparison {
        /// The translation.
        var statement: SQLQuery
        /// The rows that the evaluator finds, and those that are not compared.
        var expected: Set<Int>
        var doubtful: Set<Int>
        /// The rows whose answers were compared: those that satisfy the translation's assumptions.
        var compared: Int
        /// The difference, or nil.
        var difference: String?
        /// The first row with two answers.
        var row: Document?
    }

    /// The difference, or nil.
    static func answer(
        _ query: Query,
        _ rows: [Document],
        _ storage: SQLStorage,
        _ database: SQLiteDatabase
    ) throws -> String? {
        try compare(query, rows, storage, database).difference
    }

    /// Both answers.
    static func compare(
        _ query: Query,
        _ rows: [Document],
        _ storage: SQLStorage,
        _ database: SQLiteDatabase
    ) throws -> Comparison {
        let statement = try query.sql(.sqlite, from: SQLTable("docs", storage: storage), now: 0)
        let calculations = query.condition.calculations
        let answers = try query.answers(over: rows) { row in
            statement.assumptions.contains { !row.fulfils($0) } || row.givesNaN(calculations)
        }
        let (expected, doubtful) = (Set(answers.expected), Set(answers.doubtful))
        let got: Set<Int>
        do {
            got = Set(try found(query, storage, database)).subtracting(doubtful)
        } catch let error as QueryError where error.code == .store {
            let difference = "\(error.message)\n\(query.condition.treeDump)\n\(statement.where)"
            return Comparison(
                statement: statement,
                expected: expected,
                doubtful: doubtful,
                compared: rows.count,
                difference: difference,
                row: rows.first
            )
        }
        var comparison = Comparison(
            statement: statement,
            expected: expected,
            doubtful: doubtful,
            compared: rows.count - doubtful.count
        )
        guard let row = got.symmetricDifference(expected).sorted().first else { return comparison }
        comparison.row = rows[row]
        comparison.difference = """
            row \(JSONWriter().text(.object(rows[row]))): SQLite \(got.contains(row)), evaluator \(expected.contains(row))
            \(query.condition.treeDump)
            \(statement.where)
            \(statement.whereBindings)
            """
        return comparison
    }
}

/// A database file that is removed when it is released.
final class TemporaryDatabase {
    let path: String

    init() {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        path = "\(folder)/agreement-\(UInt64.random(in: 0..<UInt64.max)).sqlite"
    }

    deinit { for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) } }
}

extension Document {
    /// Whether the row satisfies a translation's assumptions.
    func fulfils(_ assumption: Assumption) -> Bool {
        if case .objects(let path) = assumption { return elements(at: path).allSatisfy { $0.kind == .object } }
        if case .date(let path, let form) = assumption { return elements(at: path).allSatisfy(form.allows) }
        // Plain columns store bools as numbers and UUIDs as texts.
        if case .kind(let path, .bool) = assumption { return elements(at: path).allSatisfy { $0.kind != .number } }
        if case .kind(let path, .uuid) = assumption { return elements(at: path).allSatisfy { $0.kind != .string } }
        // These rows contain texts unchanged.
        if case .json(let path) = assumption { return elements(at: path).allSatisfy { !$0.isJSONText } }
        guard case .single(let path) = assumption else { return true }
        var value = QueryValue.object(self)
        for key in path.split(separator: ".").map(String.init) {
            if case .list = value { return false }
            guard case .object(let document) = value, let next = document[key] else { return true }
            value = next
        }
        return true
    }
}

extension Document {
    /// Whether one of the calculations has no value, such as `inf * 0`, which SQLite treats as nil (stores.md).
    func givesNaN(_ calculations: [Term]) -> Bool {
        calculations.contains { term in
            guard case .double(let number)? = try? RowEvaluator().value(of: term, in: self, now: 0) else {
                return false
            }
            return number.isNaN
        }
    }
}

extension Condition {
    /// The calculations in the condition, except those on variables.
    var calculations: [Term] {
        nodes.compactMap { node in
            switch node {
            case .term(.arithmetic), .term(.negated), .term(.call), .term(.aggregate):
                if case .term(let term) = node { term } else { nil }
            case .term, .condition: nil
            }
        }
    }
}

extension Document {
    private func elements(at path: String) -> [QueryValue] {
        let term = Term.field(FieldPath(dotted: path), .none)
        guard let value = try? RowEvaluator().value(of: term, in: self, now: 0) else { return [] }
        if case .list(let elements) = value { return elements }
        return value.isNull ? [] : [value]
    }
}

extension QueryValue {
    /// True for the JSON text of a list or an object.
    fileprivate var isJSONText: Bool {
        guard case .string(let text) = self, let value = try? QueryValue(json: text, path: "") else { return false }
        return value.kind == .list || value.kind == .object
    }
}
