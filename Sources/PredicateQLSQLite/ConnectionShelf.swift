#if canImport(Dispatch)
    import CSQLite
    import Dispatch
    import PredicateQL
    import QueryValues

    /// Connections of which each is used by one call at a time; calls that find none wait in the order of their arrival.
    final class ConnectionShelf: Sendable {
        private typealias Waiting = CheckedContinuation<PooledConnection, any Error>

        private struct State {
            var idle: [PooledConnection]
            /// By the number of their call.
            var waiting: [Int: Waiting] = [:]
            /// The number of the next call, and the least one that may wait.
            var next = 0
            var first = 0

            /// The call that has waited longest.
            mutating func popFirst() -> Waiting? {
                while first < next {
                    first += 1
                    // One that was cancelled is gone.
                    if let waiting = waiting.removeValue(forKey: first - 1) { return waiting }
                }
                return nil
            }
        }

        private let state: Mutex<State>

        init(_ connections: [PooledConnection]) {
            state = Mutex(State(idle: connections))
        }

        /// Runs a body in a transaction of its own on the next free connection.
        func run<Value: Sendable>(
            _ begin: String,
            _ body: @escaping @Sendable (SQLiteDatabase) throws -> Value
        ) async throws -> Value {
            let connection = try await take()
            defer { give(connection) }
            return try await connection.run(transaction: begin, body)
        }

        /// Waits for a connection.
        ///
        /// - Throws: `CancellationError`.
        func take() async throws -> PooledConnection {
            let number = state.withLock { state in
                state.next += 1
                return state.next - 1
            }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let result: Result<PooledConnection, any Error>? = state.withLock { state in
                        // Cancelled from here on, the handler below finds what waits.
                        if Task.isCancelled { return .failure(CancellationError()) }
                        if let connection = state.idle.popLast() { return .success(connection) }
                        state.waiting[number] = continuation
                        return nil
                    }
                    if let result { continuation.resume(with: result) }
                }
            } onCancel: {
                state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(throwing: CancellationError())
            }
        }

        /// Gives a connection back.
        func give(_ connection: PooledConnection) {
            state.withLock { state -> Waiting? in
                if let waiting = state.popFirst() { return waiting }
                state.idle.append(connection)
                return nil
            }?.resume(returning: connection)
        }
    }

    /// A connection and the thread of its calls; used by one call at a time.
    final class PooledConnection: @unchecked Sendable {
        let database: SQLiteDatabase
        private let queue = DispatchQueue(label: "PredicateQL.SQLitePool")

        init(_ database: SQLiteDatabase) { self.database = database }

        /// A call, which may be cancelled from any thread.
        private struct Call {
            var isRunning = false
            var isCancelled = false
        }

        /// Runs a body on the connection's thread.
        ///
        /// - Parameters:
        ///   - transaction: the statement that begins a transaction for the body; nil for none.
        ///   - body: reads or writes.
        /// - Returns: what the body returns.
        /// - Throws: what the body throws, `CancellationError` instead if the task was cancelled, and `QueryError` of code
        ///   `store` if the transaction cannot begin or commit.
        func run<Value: Sendable>(
            transaction: String? = nil,
            _ body: @escaping @Sendable (SQLiteDatabase) throws -> Value
        ) async throws -> Value {
            let call = SharedCall()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    queue.async { [self] in
                        continuation.resume(with: Result { try run(call, transaction, body) })
                    }
                }
            } onCancel: {
                call.state.withLock { $0.isCancelled = true }
                interrupt(call)
            }
        }

        /// Ends the running statement of a call, and those that follow until the call ends: an interrupt between two
        /// statements has no effect.
        private func interrupt(_ call: SharedCall) {
            let isRunning = call.state.withLock { state in
                // A call that has ended is not running, and the connection may be another's.
                if state.isRunning { sqlite3_interrupt(database.handle) }
                return state.isRunning
            }
            guard isRunning else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) { [self] in interrupt(call) }
        }

        private func run<Value>(
            _ call: SharedCall,
            _ transaction: String?,
            _ body: (SQLiteDatabase) throws -> Value
        ) throws -> Value {
            call.state.withLock { $0.isRunning = true }
            database.isCancelled = { call.isCancelled }
            defer { database.isCancelled = nil }
            do {
                try call.check()
                if let transaction { try database.execute(transaction) }
                let value = try body(database)
                try call.check()
                // From here on an interrupt would leave open whether the change is kept.
                call.state.withLock { $0.isRunning = false }
                if transaction != nil { try database.execute("COMMIT") }
                return value
            } catch {
                call.state.withLock { $0.isRunning = false }
                if transaction != nil { try? database.execute("ROLLBACK") }
                throw call.isCancelled ? CancellationError() : error
            }
        }

        private final class SharedCall: Sendable {
            let state = Mutex(Call())

            var isCancelled: Bool { state.withLock { $0.isCancelled } }

            func check() throws { if isCancelled { throw CancellationError() } }
        }
    }
#endif
