import PredicateQL
import PredicateQLSQLite
import QueryValues
import StoreModel

/// A connection of one thread; its prepared statements are kept.
final class Connection {
    let database: SQLiteDatabase
    /// The time that one reading may take here; nil for what the service allows.
    var patience: Duration?

    init(path: String, isReadOnly: Bool) throws(QueryError) {
        database = try SQLiteDatabase(path: path, isReadOnly: isReadOnly)
        try database.execute("PRAGMA cache_size = -4000; PRAGMA mmap_size = 268435456; PRAGMA temp_store = MEMORY")
    }

    /// The bounds of what a query may take on this connection.
    func bounds(_ configuration: ServiceConfiguration) -> Limits {
        var limits = configuration.queryLimits
        if let patience { limits.duration = min(patience, limits.duration ?? patience) }
        return limits
    }

    /// Calls a closure with each row of a prepared statement; it returns false to end.
    ///
    /// - Parameters:
    ///   - sql: one statement; prepared once for each text.
    ///   - bindings: a value for each `?`.
    ///   - body: reads the columns of the row.
    /// - Throws: what the body throws, and `QueryError` of code `store` with SQLite's message.
    func forEach(
        _ sql: String,
        _ bindings: [QueryValue] = [],
        _ body: (SQLiteStatement) throws(QueryError) -> Bool = { _ in true }
    ) throws(QueryError) {
        try database.withStatement(sql, bindings) { (statement) throws(QueryError) in
            while try statement.step() {
                if try !body(statement) { return }
            }
        }
    }

    /// What a closure makes of each row of a prepared statement, without those of which it makes nil.
    func list<Element>(
        _ sql: String,
        _ bindings: [QueryValue] = [],
        _ element: (SQLiteStatement) -> Element?
    ) throws(QueryError) -> [Element] {
        var elements: [Element] = []
        try forEach(sql, bindings) { row in
            if let element = element(row) { elements.append(element) }
            return true
        }
        return elements
    }

    /// The number that a statement returns; 0 without a row.
    func int(_ sql: String, _ bindings: [QueryValue] = []) throws(QueryError) -> Int64 {
        var number: Int64 = 0
        try forEach(sql, bindings) { row in
            number = row.int(at: 0)
            return false
        }
        return number
    }

    /// Runs a prepared statement without results.
    func run(_ sql: String, _ bindings: [QueryValue] = []) throws(QueryError) {
        try forEach(sql, bindings)
    }
}

extension ServiceFault {
    /// An error of SQLite or of a query as the fault that the service sends.
    init(storing error: QueryError) {
        switch error.code {
        case .tooMuchWork: self.init(.queryTimeLimitExceeded, debug: error.message)
        case .store: self.init(.serviceUnavailable, debug: error.message, retryAfter: 1)
        default: self.init(querying: error)
        }
    }

    /// A query that cannot be understood or is not allowed: what, where and how to write it.
    init(querying error: QueryError) {
        var error = error
        error.hint = error.requestHint ?? error.hint
        if error.code == .unboundVariable { error.hint = "a request gives variables no values: write the value" }
        self.init(.invalidQuerySyntax, debug: error.rendered())
    }
}
