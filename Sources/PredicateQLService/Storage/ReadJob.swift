import PredicateQLSQLite
import QueryValues
import StoreModel

/// Whether the client is still connected; bound for as long as a connection is served.
///
/// A reading that takes long is ended when its client is gone; writes are carried out. A client that only says that it
/// sends nothing more counts as gone, so it gets the answers of short readings.
package final class Departure: Sendable {
    /// That of the present task.
    @TaskLocal package static var current: Departure?

    private let state = Mutex<(isGone: Bool, job: ReadJob?)>((false, nil))

    package init() {}

    /// Says that the client is gone, which ends what is read for it.
    package func leave() {
        state.withLock { state in
            state.isGone = true
            return state.job
        }?.abandon()
    }

    /// The reading that a departure ends; nil for none.
    func set(_ job: ReadJob?) {
        let isGone = state.withLock { state in
            state.job = job
            return state.isGone
        }
        if isGone { job?.abandon() }
    }
}

/// The memory of the answer to a request, which is asked for while the answer grows.
package final class AnswerMemory: Sendable {
    /// That of the present task's request; nil where answers have no bound together.
    @TaskLocal package static var current: AnswerMemory?

    /// Why an answer is not made.
    package static let fault = ServiceFault(.serviceUnavailable, debug: "too many long responses", retryAfter: 1)

    private let demand: @Sendable (_ bytes: Int, _ user: String?) -> Bool

    /// - Parameter demand: says whether the answer may have so many bytes, for the user who is logged in.
    package init(_ demand: @escaping @Sendable (_ bytes: Int, _ user: String?) -> Bool) { self.demand = demand }

    func hasRoom(for bytes: Int, of caller: Caller) -> Bool { demand(bytes, caller.user) }
}

/// A reading on another thread, which may be given up.
final class ReadJob: Sendable {
    private struct State: Sendable {
        var isAbandoned = false
        /// The connection that reads at present.
        var connection: Unchecked<Connection>?
    }

    private let state = Mutex(State())

    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// Runs a body on a connection; nil if the reading was given up before or meanwhile.
    func run<Value>(on connection: Connection, _ body: (Connection) -> Value) -> Value? {
        let begins = state.withLock { state in
            if !state.isAbandoned { state.connection = Unchecked(connection) }
            return !state.isAbandoned
        }
        guard begins else { return nil }
        connection.database.isCancelled = { [self] in isAbandoned }
        let value = body(connection)
        // From here on the connection may be another's.
        let isWanted = state.withLock { state in
            state.connection = nil
            return !state.isAbandoned
        }
        connection.database.isCancelled = nil
        return isWanted ? value : nil
    }

    /// Gives the reading up: a statement that runs is interrupted.
    func abandon() {
        state.withLock { state in
            state.isAbandoned = true
            state.connection?.value.database.interrupt()
        }
    }
}
