import CSQLite
import QueryMeaning
import QueryValues

/// Ends the statements of a connection that use up a budget.
///
///     var limits = Limits.default
///     limits.duration = .seconds(5)
///     try SQLiteMeter.run(on: database.handle, limits) { try database.rows("SELECT name FROM cities").count }  // → 4
///
/// SQLite asks it every thousand instructions of its machine, each of which counts as a step; a function that a statement
/// calls is one instruction, whatever it does.
public final class SQLiteMeter {
    private let budget: WorkBudget
    private let handle: OpaquePointer
    /// True once it has ended a statement.
    private var hasEnded = false
    private static let instructions: Int32 = 1_000

    private init(_ budget: WorkBudget, _ handle: OpaquePointer) {
        self.budget = budget
        self.handle = handle
    }

    /// Runs a body whose statements may take so many steps and so long, all together.
    ///
    ///     var limits = Limits.default
    ///     limits.steps = 10_000
    ///     let endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t"
    ///     try SQLiteMeter.run(on: database.handle, limits) { try database.rows(endless) }  // throws tooMuchWork
    ///
    /// The connection's progress handler is set for the time of the call and taken away at its end, also when it throws;
    /// one that somebody else has set is gone then. Where `limits` bounds neither steps nor time, nothing is touched.
    ///
    /// - Parameters:
    ///   - handle: an open connection, of a library's own too.
    ///   - limits: its `steps` and `duration`.
    ///   - body: runs statements on the connection.
    /// - Returns: what the body returns.
    /// - Throws: `QueryError` of code `tooMuchWork` when a statement was ended, else what the body throws.
    public static func run<Value>(
        on handle: OpaquePointer,
        _ limits: Limits,
        _ body: () throws -> Value
    ) throws -> Value {
        guard let meter = SQLiteMeter(limits, handle) else { return try body() }
        meter.start()
        defer { meter.stop() }
        do { return try body() } catch { throw meter.hasEnded ? meter.budget.error : error }
    }

    /// The same with the budget that work in memory shares, and with our own errors.
    static func run<Value>(
        on handle: OpaquePointer,
        _ limits: Limits,
        sharing body: (WorkBudget?) throws(QueryError) -> Value
    ) throws(QueryError) -> Value {
        guard let meter = SQLiteMeter(limits, handle) else { return try body(nil) }
        meter.start()
        defer { meter.stop() }
        do throws(QueryError) {
            return try body(meter.budget)
        } catch {
            throw meter.hasEnded ? meter.budget.error : error
        }
    }

    private convenience init?(_ limits: Limits, _ handle: OpaquePointer) {
        guard let budget = WorkBudget(limits) else { return nil }
        self.init(budget, handle)
    }

    private func start() {
        // The meter outlives the handler, which is gone before `run` returns.
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
