import CSQLite
import QueryMeaning
import QueryValues

/// Ends the statements of a connection that exceed a budget.
///
///     var limits = Limits.default
///     limits.duration = .seconds(5)
///     try SQLiteMeter.run(on: database.handle, limits) { try database.rows("SELECT name FROM cities").count }  // → 4
///
/// SQLite calls it every thousand instructions of its virtual machine, each of which counts as a step; a function that
/// a statement calls is one instruction, whatever it does.
package final class SQLiteMeter {
    private let budget: WorkBudget
    private let handle: OpaquePointer
    /// True once it has ended a statement.
    private var hasEnded = false
    private static let instructions: Int32 = 1_000

    private init(_ budget: WorkBudget, _ handle: OpaquePointer) {
        self.budget = budget
        self.handle = handle
    }

    /// Runs a body whose statements together may take a number of steps and a time.
    ///
    ///     var limits = Limits.default
    ///     limits.steps = 10_000
    ///     let endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t"
    ///     try SQLiteMeter.run(on: database.handle, limits) { try database.rows(endless) }  // throws tooMuchWork
    ///
    /// The connection's progress handler is set during the call and removed at its end, also if it throws; a handler
    /// set earlier is lost. If `limits` bounds neither steps nor time, nothing changes.
    ///
    /// - Parameters:
    ///   - handle: an open connection, possibly of another library.
    ///   - limits: its `steps` and `duration`.
    ///   - body: runs statements on the connection.
    /// - Returns: what the body returns.
    /// - Throws: `QueryError` of code `tooMuchWork` if a statement was ended, else what the body throws.
    package static func run<Value>(
        on handle: OpaquePointer,
        _ limits: Limits,
        _ body: () throws -> Value
    ) throws -> Value {
        guard let meter = SQLiteMeter(limits, handle) else { return try body() }
        meter.start()
        defer { meter.stop() }
        do { return try body() } catch { throw meter.hasEnded ? meter.budget.error : error }
    }

    /// The same with the budget shared with work in memory, and with typed errors.
    static func run<Value>(
        on handle: OpaquePointer,
        _ limits: Limits,
        sharing body: (WorkBudget?) throws(QueryError) -> Value
    ) throws(QueryError) -> Value {
        guard let meter = SQLiteMeter(limits, handle) else { return try body(nil) }
        return try meter.run { () throws(QueryError) in try body(meter.budget) }
    }

    /// Runs a part of the work.
    func run<Value>(_ body: () throws(QueryError) -> Value) throws(QueryError) -> Value {
        start()
        defer { stop() }
        do throws(QueryError) {
            return try body()
        } catch {
            throw hasEnded ? budget.error : error
        }
    }

    /// Nil if `limits` bounds neither steps nor time.
    convenience init?(_ limits: Limits, _ handle: OpaquePointer) {
        guard let budget = WorkBudget(limits) else { return nil }
        self.init(budget, handle)
    }

    private func start() {
        // The meter outlives the handler, which is removed before `run` returns.
        sqlite3_progress_handler(
            handle,
            Self.instructions,
            { context in
                guard let context else { return 0 }
                return Unmanaged<SQLiteMeter>.fromOpaque(context).takeUnretainedValue().mustEnd() ? 1 : 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func stop() {
        sqlite3_progress_handler(handle, 0, nil, nil)
    }

    private func mustEnd() -> Bool {
        if budget.spend(Int(Self.instructions)) { return false }
        hasEnded = true
        return true
    }
}
