import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryValues
import StoreModel

/// The entities of a service in one SQLite file.
///
/// One thread writes, in groups; others read, each from a snapshot of its own. In memory, everything runs on the
/// caller's thread.
final class SQLiteStorage: Sendable {
    let collections: Collections
    let committer: Committer
    /// Names the history of this database.
    let epoch: String
    /// The apps that the service answers for.
    let apps: [AppDigests]
    private let readers: Readers
    private let path: String
    /// Readings that took long, and those that were given up.
    private let counts = Mutex((moved: 0, abandoned: 0))

    private enum Readers: Sendable {
        /// Short reads, and searches that were short before, run on their callers' threads, others at first on quick
        /// threads, and what takes long there again on the slow ones: however many searches there are, an indexed list
        /// waits for none.
        case threads(quick: WorkThreads<Connection>, slow: WorkThreads<Connection>, ShortReads)
        case caller(Unchecked<Connection>, NSLock)
    }

    /// Opens a database, and makes what is missing.
    ///
    /// - Parameters:
    ///   - path: the file; `:memory:` for a database of this process, which runs on its callers' threads.
    ///   - configuration: apps, defaults and limits.
    ///   - environment: clock and randomness.
    ///   - durability: what survives a power cut.
    ///   - readers: the number of reader threads; 0 to run everything on the callers' threads.
    /// - Throws: `QueryError` of code `store` when the file cannot be opened, or was written by another version.
    init(
        path: String,
        configuration: ServiceConfiguration,
        environment: ServiceEnvironment,
        durability: Service.Durability = .full,
        readers: Int = 4
    ) throws(QueryError) {
        if path != ":memory:" { SQLiteDatabase.makeFile(path) }
        let writer = try Connection(path: path, isReadOnly: false)
        try writer.database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = \(durability.rawValue)")
        epoch = try Tables.prepare(writer, environment)
        apps = try writer.apps(replacedBy: configuration.apps, environment)
        let collections = Collections(configuration)
        try writer.database.transaction { () throws(QueryError) in try collections.load(writer) }
        self.collections = collections
        self.path = path
        committer = Committer(writer, collections, environment)
        try committer.checkClock(writer)
        guard path != ":memory:", readers > 0 else {
            self.readers = .caller(Unchecked(writer), committer.inline)
            return
        }
        func connections(_ count: Int) throws(QueryError) -> [Connection] {
            var connections: [Connection] = []
            for _ in 0..<count { connections.append(try Connection(path: path, isReadOnly: true)) }
            return connections
        }
        let quick = try connections(max(2, readers / 2))
        for connection in quick { connection.patience = Self.patience }
        let short = try connections(min(readers, 4))
        for connection in short { connection.patience = Pace.shortPatience }
        self.readers = .threads(
            quick: WorkThreads("quick reader", states: quick),
            slow: WorkThreads("reader", states: try connections(readers), isPatient: true),
            ShortReads(short)
        )
        committer.start()
    }

    /// Ends the threads after what was begun; writes that wait are committed.
    func close() {
        committer.stop()
        if case .threads(let quick, let slow, let short) = readers {
            short.stop()
            quick.stop()
            slow.stop()
        }
    }

    /// What metrics tell of readings and files: a name, with labels, and a number.
    var figures: [(name: String, isTotal: Bool, value: Int)] {
        var figures: [(name: String, isTotal: Bool, value: Int)] = []
        if case .threads(let quick, let slow, _) = readers {
            for (threads, load) in [("quick", quick.load), ("long", slow.load)] {
                figures.append(("pql_running_reads{threads=\"\(threads)\"}", false, load.running))
                figures.append(("pql_waiting_reads{threads=\"\(threads)\"}", false, load.waiting))
            }
        }
        let counts = counts.withLock { $0 }
        figures.append(("pql_long_reads_total", true, counts.moved))
        figures.append(("pql_abandoned_reads_total", true, counts.abandoned))
        for (name, ending) in [("pql_database_bytes", ""), ("pql_log_bytes", "-wal")] {
            let size = try? FileManager.default.attributesOfItem(atPath: path + ending)[.size] as? NSNumber
            figures.append((name, false, size?.intValue ?? 0))
        }
        return figures
    }

    /// What a reading may take before it moves to the threads for long ones.
    private static let patience = Duration.milliseconds(4)

    /// Reads from a snapshot of its own.
    ///
    /// What takes long is ended when the present ``Departure`` says that its client is gone.
    ///
    /// - Parameters:
    ///   - caller: whose turn it takes.
    ///   - isShort: true for a few rows by key, which are read on the caller's thread.
    ///   - isOneStatement: true for a body that runs one statement, which has a snapshot without a transaction.
    ///   - pace: how long the reading took before; nil if nobody remembers.
    ///   - body: reads.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, `requestLimitExceeded` for a caller of whom too much waits, and
    ///   `serviceUnavailable` if the store fails or is closed.
    func read<Value: Sendable>(
        for caller: String,
        isShort: Bool = false,
        isOneStatement: Bool = false,
        pace: Pace? = nil,
        _ body: @escaping @Sendable (Connection) throws(ServiceFault) -> Value
    ) async throws(ServiceFault) -> Value {
        let result: Result<Value, ServiceFault> =
            switch readers {
            case .caller(let connection, let lock):
                lock.withLock { Self.snapshot(connection.value, isOneStatement, body) }
            case .threads(let quick, let slow, let short):
                if isShort || pace?.isShort == true,
                    let result = short.run({ Self.snapshot($0, isOneStatement, body) }),
                    isShort || !Self.tookLong(result)
                {
                    result
                } else {
                    await read(for: caller, quick, slow, pace, body)
                }
            }
        return try result.get()
    }

    /// Reads on the quick threads, and again on the slow ones if it takes long.
    private func read<Value: Sendable>(
        for caller: String,
        _ quick: WorkThreads<Connection>,
        _ slow: WorkThreads<Connection>,
        _ pace: Pace?,
        _ body: @escaping @Sendable (Connection) throws(ServiceFault) -> Value
    ) async -> Result<Value, ServiceFault> {
        let job = ReadJob()
        if pace?.isSlow() != true {
            let result = await Self.run(job, for: caller, on: quick) { (connection) throws(ServiceFault) -> Value in
                let start = ContinuousClock.now
                let value = try body(connection)
                pace?.note(ContinuousClock.now - start)
                return value
            }
            guard Self.tookLong(result) else { return result }
            pace?.noteSlow()
        }
        counts.withLock { $0.moved += 1 }
        let departure = Departure.current
        departure?.set(job)
        defer { departure?.set(nil) }
        let result = await Self.run(job, for: caller, on: slow, body)
        if job.isAbandoned { counts.withLock { $0.abandoned += 1 } }
        return result
    }

    private static func tookLong<Value>(_ result: Result<Value, ServiceFault>) -> Bool {
        guard case .failure(let fault) = result else { return false }
        return fault.name == .queryTimeLimitExceeded
    }

    private static func run<Value: Sendable>(
        _ job: ReadJob,
        for caller: String,
        on threads: WorkThreads<Connection>,
        _ body: @escaping @Sendable (Connection) throws(ServiceFault) -> Value
    ) async -> Result<Value, ServiceFault> {
        await withCheckedContinuation { continuation in
            let admission = threads.run(for: caller) { connection in
                // The snapshot ends after the job does, so that nothing interrupts its end.
                let result = snapshot(connection) { (connection) throws(ServiceFault) -> Value in
                    let result = job.run(on: connection) { connection in
                        Result { () throws(ServiceFault) in try body(connection) }
                    }
                    guard let result else { throw ServiceFault(.serviceUnavailable, debug: "the client is gone") }
                    return try result.get()
                }
                continuation.resume(returning: result)
            }
            switch admission {
            case .waits: break
            case .isRefused:
                let debug = "too many requests of this caller are queued"
                continuation.resume(
                    returning: .failure(ServiceFault(.requestLimitExceeded, debug: debug, retryAfter: 1))
                )
            case .isStopped:
                let fault = ServiceFault(.serviceUnavailable, debug: "the service is stopping")
                continuation.resume(returning: .failure(fault))
            }
        }
    }

    private static func snapshot<Value>(
        _ connection: Connection,
        _ isOneStatement: Bool = false,
        _ body: (Connection) throws(ServiceFault) -> Value
    ) -> Result<Value, ServiceFault> {
        if isOneStatement { return Result { () throws(ServiceFault) in try body(connection) } }
        do throws(QueryError) {
            try connection.run("BEGIN")
            defer { try? connection.run("COMMIT") }
            do throws(ServiceFault) {
                return .success(try body(connection))
            } catch {
                return .failure(error)
            }
        } catch {
            return .failure(ServiceFault(storing: error))
        }
    }

    /// Writes entities of a collection.
    func write(
        _ writes: [EntityWrite],
        to collection: Collection.Key,
        for caller: Caller
    ) async -> [Result<WriteAnswer, ServiceFault>] {
        await withCheckedContinuation { continuation in
            committer.submit(.entities(writes, collection, caller) { continuation.resume(returning: $0) })
        }
    }

    /// Removes entities that a query found and the caller may write.
    func remove(
        _ removal: FoundRemoval,
        from collection: Collection.Key,
        for caller: Caller
    ) async throws(ServiceFault) -> RemovalAnswer {
        let result = await withCheckedContinuation { continuation in
            committer.submit(.removal(removal, collection, caller) { continuation.resume(returning: $0) })
        }
        return try result.get()
    }

    /// Makes any other change.
    ///
    /// - Parameter body: it throws before it changes something, or the writes of its group fail with it.
    /// - Returns: what the body returns, once it is committed.
    /// - Throws: `serviceUnavailable` if the commit failed.
    func change<Value: Sendable>(
        _ body: @escaping @Sendable (WriteGroup) throws(QueryError) -> Value
    ) async throws(ServiceFault) -> Value {
        let box = Box<Value>()
        let result = await withCheckedContinuation { continuation in
            committer.submit(
                .change { (group) throws(QueryError) in
                    let value = try body(group)
                    box.set(value)
                } answer: {
                    continuation.resume(returning: $0)
                }
            )
        }
        try result.get()
        guard let value = box.value else { throw ServiceFault(.internalErrorRetry) }
        return value
    }
}

/// How long a reading took when it was made before.
final class Pace: Sendable {
    /// A reading that takes no longer is short: handing it to another thread would take longer.
    private static let short = Duration.microseconds(150)
    /// What a reading that was short may take on its caller's thread before it moves to the quick threads.
    static let shortPatience = Duration.microseconds(400)

    /// Whether the last reading was short, and how many readings begin on the slow threads; then it may have become
    /// quick.
    private let state = Mutex((isShort: false, slow: 0))

    /// True if the reading may be made on its caller's thread.
    var isShort: Bool { state.withLock { $0.isShort } }

    /// Asked once for each reading.
    func isSlow() -> Bool {
        state.withLock { state in
            defer { state.slow = max(0, state.slow - 1) }
            return state.slow > 0
        }
    }

    /// Notes what a reading on a quick thread took.
    func note(_ time: Duration) { state.withLock { $0.isShort = time <= Self.short } }

    /// Notes a reading that was too long for the quick threads.
    func noteSlow() { state.withLock { $0 = (false, 16) } }
}

/// The value of a change, between its thread and the caller.
private final class Box<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    var value: Value? { stored.withLock { $0 } }

    func set(_ value: Value) { stored.withLock { $0 = value } }
}

extension SQLiteDatabase {
    /// Makes an empty file that only its owner reads; SQLite gives what it puts beside it the same rights.
    static func makeFile(_ path: String) {
        // Its rights are set as it is made, not after. A folder that is missing is SQLite's error.
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
    }
}
