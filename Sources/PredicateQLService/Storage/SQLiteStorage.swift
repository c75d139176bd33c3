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
    let configuration: ServiceConfiguration
    /// Names the history of this database.
    let epoch: String
    /// The apps that the service answers for.
    let apps: [AppDigests]
    private let readers: Readers

    private enum Readers: Sendable {
        case threads(WorkThreads<Connection>, ShortReads)
        case caller(Unchecked<Connection>, NSLock)
    }

    /// Opens a database, and makes what is missing.
    ///
    /// - Parameters:
    ///   - path: the file; `:memory:` for a database of this process, which runs on its callers' threads.
    ///   - configuration: what the service offers.
    ///   - environment: clock and randomness.
    ///   - durability: what survives a power cut.
    ///   - readers: the number of threads that read; 0 to run everything on the callers' threads.
    /// - Throws: `QueryError` of code `store` when the file cannot be opened, or was written by another version.
    init(
        path: String,
        configuration: ServiceConfiguration,
        environment: ServiceEnvironment,
        durability: Service.Durability = .full,
        readers: Int = 4
    ) throws(QueryError) {
        if path != ":memory:" { Connection.makeFile(path) }
        let writer = try Connection(path: path, isReadOnly: false)
        try writer.database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = \(durability.rawValue)")
        epoch = try Tables.prepare(writer, environment)
        apps = try writer.apps(replacedBy: configuration.apps, environment)
        let collections = Collections(configuration)
        try collections.load(writer)
        self.collections = collections
        self.configuration = configuration
        committer = Committer(writer, collections, now: environment.now)
        guard path != ":memory:", readers > 0 else {
            self.readers = .caller(Unchecked(writer), committer.inline)
            return
        }
        var connections: [Connection] = []
        for _ in 0..<readers { connections.append(try Connection(path: path, isReadOnly: true)) }
        var short: [Connection] = []
        for _ in 0..<min(readers, 4) { short.append(try Connection(path: path, isReadOnly: true)) }
        self.readers = .threads(WorkThreads("reader", states: connections), ShortReads(short))
        committer.start()
    }

    /// Ends the threads after what was begun; writes that wait are committed.
    func close() {
        committer.stop()
        if case .threads(let threads, let short) = readers {
            short.stop()
            threads.stop()
        }
    }

    /// Reads from a snapshot of its own.
    ///
    /// - Parameters:
    ///   - caller: whose turn it takes.
    ///   - isShort: true for a few rows by key, which are read on the caller's thread.
    ///   - body: reads.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, `requestLimitExceeded` for a caller of whom too much waits, and
    ///   `serviceUnavailable` if the store fails or is closed.
    func read<Value: Sendable>(
        for caller: String,
        isShort: Bool = false,
        _ body: @escaping @Sendable (Connection) throws(ServiceFault) -> Value
    ) async throws(ServiceFault) -> Value {
        let result: Result<Value, ServiceFault> =
            switch readers {
            case .caller(let connection, let lock):
                lock.withLock { Self.snapshot(connection.value, body) }
            case .threads(let threads, let short):
                if isShort, let result = short.run({ Self.snapshot($0, body) }) {
                    result
                } else {
                    await withCheckedContinuation { continuation in
                        switch threads.run(for: caller, { continuation.resume(returning: Self.snapshot($0, body)) }) {
                        case .waits: break
                        case .isRefused:
                            let fault = ServiceFault(
                                .requestLimitExceeded,
                                debug: "too many requests of this caller wait",
                                retryAfter: 1
                            )
                            continuation.resume(returning: .failure(fault))
                        case .isStopped:
                            continuation.resume(
                                returning: .failure(ServiceFault(.serviceUnavailable, debug: "the service is stopping"))
                            )
                        }
                    }
                }
            }
        return try result.get()
    }

    private static func snapshot<Value>(
        _ connection: Connection,
        _ body: (Connection) throws(ServiceFault) -> Value
    ) -> Result<Value, ServiceFault> {
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

/// The value of a change, between its thread and the caller.
private final class Box<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    var value: Value? { stored.withLock { $0 } }

    func set(_ value: Value) { stored.withLock { $0 = value } }
}

extension Connection {
    /// Makes an empty file that only its owner reads; SQLite gives what it puts beside it the same rights.
    static func makeFile(_ path: String) {
        let files = FileManager.default
        guard !files.fileExists(atPath: path) else { return }
        // A folder that is missing is SQLite's error.
        _ = files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
}
