import CSQLite
import PredicateQL
import QueryValues

/// What SQLite says of a file that may be damaged.
extension SQLiteDatabase {
    /// True if a file is damaged or no database, by SQLite's own check.
    ///
    ///     SQLiteDatabase.isDamaged(path: "/no/such/file.sqlite")  // → false
    ///
    /// - Parameter path: the file.
    /// - Returns: false also for a file that cannot be opened now. O(size of the file).
    package static func isDamaged(path: String) -> Bool {
        var handle: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close_v2(handle)
        }
        var code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        if code == SQLITE_OK { code = sqlite3_prepare_v2(handle, "PRAGMA quick_check(1)", -1, &statement, nil) }
        if code == SQLITE_OK { code = sqlite3_step(statement) }
        if code == SQLITE_ROW { return sqlite3_column_text(statement, 0).map { String(cString: $0) } != "ok" }
        return [SQLITE_NOTADB, SQLITE_CORRUPT].contains(code & 0xFF)
    }

    /// True if SQLite's own check finds damage in the file of this connection.
    ///
    /// O(size of the file).
    ///
    /// - Throws: `QueryError` of code `store` when the file cannot be read, or is no database.
    package var isDamaged: Bool {
        get throws(QueryError) {
            let statement = try SQLiteStatement(self, "PRAGMA quick_check(1)")
            return try !statement.step() || statement.text(at: 0).map { !$0.elementsEqual("ok".utf8) } ?? true
        }
    }

    /// True if an error says that the file is damaged, or no database.
    package static func tellsOfDamage(_ error: QueryError) -> Bool {
        guard let code = error.sqliteCode else { return false }
        return [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF)
    }
}
