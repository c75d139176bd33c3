import CSQLite
import PredicateQL
import QueryTree
import QueryValues

/// A prepared statement that returns its rows one at a time.
///
///     let statement = try database.prepare("SELECT name FROM cities WHERE population > ?", [200_000])
///     var found: [Document] = []
///     while let row = try statement.next() { found.append(row) }
///     found  // → [{"name":"Boston"}, {"name":"Worcester"}, {"name":"New York"}]
///
/// Where a `Document` for each row costs too much, ``step()`` and the accessors by column read the row in place.
package final class SQLiteStatement {
    /// How a column's value becomes a value of a row.
    enum Decoding: Sendable {
        /// By its storage class.
        case plain
        /// 0 and 1 are bools.
        case bool
        /// JSON text; SQL NULL is an absent field.
        case json
        /// Texts are dates or UUIDs.
        case typed(FieldType)
    }

    /// A connection that is closed before its statements stays open for them (`sqlite3_close_v2`).
    private let handle: OpaquePointer
    private var shape: Shape
    private let columnCount: Int32
    /// One for each column.
    var decodings: [Decoding]

    init(_ database: SQLiteDatabase, _ sql: String) throws(QueryError) {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(database.handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK else { throw SQLiteDatabase.error(code, database.handle) }
        guard let statement else { throw QueryError(.store, "SQLite: the statement is empty") }
        handle = statement
        columnCount = sqlite3_column_count(statement)
        let names = (0..<columnCount).map { column in
            sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
        }
        shape = Shape(keys: names)
        decodings = Array(repeating: .plain, count: names.count)
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// The names of the result's columns.
    package var columnNames: [String] { shape.keys }

    /// Binds a value to each `?`.
    ///
    ///     let statement = try database.prepare("SELECT name FROM cities WHERE state = ?", ["MA"])
    ///     try statement.bind(["NY"])
    ///     try statement.next()  // → {"name":"New York"}
    ///
    /// - Parameter values: null, bool, int, double, string or data; a date is bound as ISO text.
    /// - Throws: `QueryError` of code `store` if their number is wrong, `argument` for a value that SQLite cannot bind.
    package func bind(_ values: [QueryValue]) throws(QueryError) {
        sqlite3_reset(handle)
        let count = Int(sqlite3_bind_parameter_count(handle))
        guard count == values.count else {
            throw QueryError(.store, "SQLite: the statement takes \(count) values, not \(values.count)")
        }
        for (position, value) in values.enumerated() { try bind(value, at: position) }
    }

    /// Binds a value to one `?` of a statement that is not running.
    ///
    ///     let statement = try database.prepare("SELECT name FROM cities WHERE state = ?", ["MA"])
    ///     try statement.bind("NY", at: 0)
    ///     try statement.next()  // → {"name":"New York"}
    ///
    /// - Parameters:
    ///   - value: as for ``bind(_:)``.
    ///   - position: the number of the `?`, from 0.
    /// - Throws: `QueryError` of code `store` if there is no such `?`, `argument` for a value that SQLite cannot bind.
    package func bind(_ value: QueryValue, at position: Int) throws(QueryError) {
        let code = try bind(value, Int32(clamping: position + 1))
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Binds text to one `?` of a statement that is not running.
    ///
    ///     let statement = try database.prepare("SELECT name FROM cities WHERE state = ?", ["MA"])
    ///     try statement.bind(text: Array("NY".utf8), at: 0)
    ///     try statement.next()  // → {"name":"New York"}
    ///
    /// - Parameters:
    ///   - text: UTF-8; it is copied.
    ///   - position: the number of the `?`, from 0.
    /// - Throws: `QueryError` of code `store` if there is no such `?`.
    package func bind(text: [UInt8], at position: Int) throws(QueryError) {
        let code = text.withUnsafeBufferPointer { bind($0, Int32(clamping: position + 1)) }
        guard code == SQLITE_OK else { throw error(code) }
    }

    private func error(_ code: Int32) -> QueryError { SQLiteDatabase.error(code, sqlite3_db_handle(handle)) }

    private func bind(_ value: QueryValue, _ position: Int32) throws(QueryError) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, position)
        case .bool(let flag): return sqlite3_bind_int64(handle, position, flag ? 1 : 0)
        case .int(let number): return sqlite3_bind_int64(handle, position, number)
        case .double(let number): return sqlite3_bind_double(handle, position, number)
        case .string(let text): return bind(text, position)
        case .date(let milliseconds): return bind(DateText.iso8601(milliseconds), position)
        case .uuid(let uuid): return bind(uuid.uuidString.lowercased(), position)
        case .data(let bytes):
            if bytes.isEmpty { return sqlite3_bind_zeroblob(handle, position, 0) }
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob64(
                    handle,
                    position,
                    $0.baseAddress,
                    sqlite3_uint64($0.count),
                    SQLiteDatabase.transient
                )
            }
        case .list, .object, .shape:
            throw QueryError(.argument, "SQLite cannot bind a \(value.kind.rawValue)")
        }
    }

    private func bind(_ text: String, _ position: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bind($0, position) }
    }

    private func bind(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int32) -> Int32 {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return sqlite3_bind_text(handle, position, "", 0, SQLiteDatabase.transient)
        }
        return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
            sqlite3_bind_text64(
                handle,
                position,
                $0,
                sqlite3_uint64(bytes.count),
                SQLiteDatabase.transient,
                UInt8(SQLITE_UTF8)
            )
        }
    }

    /// The next row, or nil after the last.
    ///
    ///     let statement = try database.prepare("SELECT count(*) AS n FROM cities")
    ///     try statement.next()  // → {"n":4}
    ///     try statement.next() == nil  // → true
    ///
    /// - Returns: the row, keys named as the columns.
    /// - Throws: `QueryError` of code `store` with SQLite's message.
    package func next() throws(QueryError) -> Document? {
        guard try step() else { return nil }
        var values: [QueryValue] = []
        values.reserveCapacity(decodings.count)
        var absent: [Int] = []
        for column in 0..<columnCount {
            if let value = try value(column) {
                values.append(value)
            } else {
                absent.append(Int(column))
            }
        }
        guard absent.isEmpty else {
            let keys = shape.keys.enumerated().filter { !absent.contains($0.offset) }.map(\.element)
            return Document(shape: Shape(keys: keys), values: values)
        }
        return Document(shape: shape, values: values)
    }

    /// Runs a statement without results, and resets it.
    ///
    ///     try database.prepare("DELETE FROM cities WHERE state = ?", ["NY"]).run()
    ///     try Query().count(in: database, from: "cities")  // → 3
    ///
    /// - Throws: `QueryError` of code `store` with SQLite's message.
    package func run() throws(QueryError) {
        defer { sqlite3_reset(handle) }
        while try step() {}
    }

    /// Moves to the next row.
    ///
    ///     let statement = try database.prepare("SELECT name, population FROM cities WHERE state = ?", ["NY"])
    ///     try statement.step()  // → true
    ///     statement.int(at: 1)  // → 8804190
    ///
    /// - Returns: false after the last row.
    /// - Throws: `QueryError` of code `store` with SQLite's message.
    package func step() throws(QueryError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw error(code)
        }
    }

    /// Makes the statement ready to run again, and forgets what was bound; a statement that is not reset keeps its read
    /// transaction open.
    package func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// True if a column of the row is SQL NULL.
    ///
    /// - Parameter column: the number of the column, from 0.
    /// - Returns: true for NULL.
    package func isNull(at column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(clamping: column)) == SQLITE_NULL
    }

    /// A text column of the row as bytes; nil for NULL.
    package func bytes(at column: Int) -> [UInt8]? { text(at: column).map { Array($0) } }

    /// A text column of the row; nil for NULL.
    package func string(at column: Int) -> String? { text(at: column).map { String(decoding: $0, as: UTF8.self) } }

    /// A column of the row as an integer.
    ///
    /// - Parameter column: the number of the column, from 0.
    /// - Returns: the value as SQLite converts it; 0 for NULL.
    package func int(at column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(clamping: column)) }

    /// The bytes of a column's text, in SQLite's memory.
    ///
    /// - Parameter column: the number of the column, from 0.
    /// - Returns: UTF-8 bytes, valid until the next ``step()`` or ``reset()``; nil if the column holds no text.
    package func text(at column: Int) -> UnsafeRawBufferPointer? {
        let column = Int32(clamping: column)
        guard sqlite3_column_type(handle, column) == SQLITE_TEXT, let start = sqlite3_column_text(handle, column)
        else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// The bytes of a column's blob, in SQLite's memory.
    ///
    /// - Parameter column: the number of the column, from 0.
    /// - Returns: the bytes, valid until the next ``step()`` or ``reset()``; nil if the column holds no blob.
    package func blob(at column: Int) -> UnsafeRawBufferPointer? {
        let column = Int32(clamping: column)
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        // An empty blob has no address.
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// A column's value; nil for an absent field.
    private func value(_ column: Int32) throws(QueryError) -> QueryValue? {
        let plain = plainValue(column)
        switch decodings[Int(column)] {
        case .plain: return plain
        case .bool:
            if case .int(let number) = plain, number == 0 || number == 1 { return .bool(number == 1) }
            return plain
        case .json:
            switch plain {
            case .null: return nil
            case .string(let text): return try QueryValue(stored: text, in: shape.keys[Int(column)])
            default: return plain
            }
        case .typed(let type): return plain.read(as: type)
        }
    }

    private func plainValue(_ column: Int32) -> QueryValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .int(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return .double(sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(handle, column) else { return .string("") }
            let count = Int(sqlite3_column_bytes(handle, column))
            return .string(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            guard let start = sqlite3_column_blob(handle, column) else { return .data([]) }
            let count = Int(sqlite3_column_bytes(handle, column))
            return .data([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        default: return .null
        }
    }
}

extension QueryValue {
    /// The date or the UUID of a text, as it is stored or as statements compare it; any other value as it is.
    func read(as type: FieldType?) -> QueryValue {
        switch (type, self) {
        case (.date(let encoding)?, .string): encoding.decodeCompared(self).map { .date($0) } ?? self
        case (.uuid?, .string): FieldType.uuid.convert(self) ?? self
        default: self
        }
    }

    /// The value of a JSON text that a row holds; a broken one is the store's fault, not the query's.
    package init(stored text: String, in column: String) throws(QueryError) {
        do throws(QueryError) {
            self = try QueryValue(json: text, path: column)
        } catch {
            throw QueryError(.store, "a row has broken JSON in \(column): \(error.message)", hint: error.hint)
        }
    }
}
