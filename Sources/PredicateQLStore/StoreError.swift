import PredicateQL
import StoreModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The reason why an operation of a store failed.
///
///     StoreError.pendingChanges(2).description  // → 2 changes wait to be sent: push them, or purge them, before pulling
public enum StoreError: Error, Sendable {
    /// The query is invalid, or the cache or the service does not support it.
    case query(QueryError)
    /// There is no such entity.
    case notFound
    /// Changes are pending, so nothing is pulled.
    case pendingChanges(Int)
    /// A network store has no cache to pull into and no pending changes.
    case notForNetworkStores
    /// What is cached is older than `ttl` allows, or may lack what a query skips.
    case noValidLocalData
    /// The service cannot be reached.
    case unreachable(String)
    /// There was no response in time, or an earlier call of this client took too long.
    case timedOut
    /// A push of this collection waits for the app's decision (``ConflictRule/ask(_:)``), in which this was called.
    case asking
    /// The task was cancelled; what was already stored stays stored.
    case cancelled
    /// The response is not the service's but, for example, a gateway's or a captive portal's. Whether the service acted
    /// is unknown, so pending changes stay pending.
    case foreignAnswer(ServiceFault)
    /// The service's error.
    case service(ServiceFault)
    /// The service rejects the credentials; nobody is logged out and nothing is dropped.
    case unauthorized(ServiceFault)
    /// The service's result has only the first entities; use paging.
    case truncated(at: Int)
    /// The service has another version: by the conflict rule it stays (``ConflictRule/serverWins``) or the change stays
    /// pending, or a `network` write was not made.
    case conflict(id: String)
    /// The cache's file cannot be read or written; nothing was changed.
    case cache(QueryError)
    /// The service's response is invalid.
    case badAnswer(String)
    /// The value cannot be sent or stored: an id that is not allowed, a value that could not be read back, a text that
    /// is not the address of a service.
    case badEntity(String)
    /// `remove` was called without a condition; use `removeAll()`.
    case removesEverything
    /// No client is shared yet, or a different one is.
    case noSharedClient
}

extension StoreError: CustomStringConvertible {
    /// What happened and, if there is one, the remedy.
    public var description: String {
        if case .query(let error) = self { return error.rendered() }
        // After a reason a second colon would read badly.
        return texts.fix.map { texts.what + (texts.what.contains(": ") ? "; " : ": ") + $0 } ?? texts.what
    }

    /// A sentence of a system as a part of another: `Couldn't connect.` as `couldn't connect`.
    private static func clause(_ sentence: String) -> String {
        let isName = sentence.dropFirst().first?.isLowercase != true
        let start = isName ? sentence : sentence.prefix(1).lowercased() + sentence.dropFirst()
        return start.hasSuffix(".") ? String(start.dropLast()) : start
    }

    /// What happened, and the way out where there is one.
    private var texts: (what: String, fix: String?) {
        switch self {
        case .query(let error): (error.message, error.hint)
        case .notFound: ("there is no such entity", nil)
        case .pendingChanges(1): ("1 change waits to be sent", "push it, or purge it, before pulling")
        case .pendingChanges(let count):
            ("\(count) changes wait to be sent", "push them, or purge them, before pulling")
        case .notForNetworkStores: ("a network store keeps nothing on the device", nil)
        case .noValidLocalData:
            (
                "the cached data is older than ttl allows, or lacks what is skipped",
                "pull without skip, or allow a longer ttl"
            )
        case .unreachable(let reason):
            ("the service cannot be reached: \(Self.clause(reason))", "try again when there is a network")
        case .timedOut: ("it took longer than the timeout", "try again later")
        case .asking: ("a push of this collection is asking you, and waits for the answer", "answer first, then push")
        case .cancelled: ("the task was cancelled", nil)
        case .foreignAnswer(let fault):
            (
                fault.description + (fault.debug.isEmpty ? "" : " (\(fault.debug))"),
                "log in to the network if it asks, or try again later"
            )
        case .service(let fault):
            (
                fault.name.rawValue + ": " + (fault.debug.isEmpty ? fault.description : fault.debug),
                fault.fix
            )
        case .unauthorized(let fault):
            (fault.name.rawValue + ": " + (fault.debug.isEmpty ? fault.description : fault.debug), fault.remedy)
        case .truncated(let count):
            (
                "the result has only the first \(count) entities",
                "set a limit of at most \(count), or pull with a store that pages"
            )
        case .conflict(let id): ("the service has another version of \(id)", "read it again, then change that")
        case .cache(let error): ("the cache failed: \(error.message)", error.hint)
        case .badAnswer(let reason): ("the response is invalid: \(reason)", nil)
        case .badEntity(let reason): (reason, nil)
        case .removesEverything: ("this would remove every entity", "write removeAll()")
        case .noSharedClient:
            ("no client is shared, or another one is", "call StoreClient.share(client) once, at the start")
        }
    }
}

extension StoreError: LocalizedError {
    /// What happened, as a sentence for an alert.
    ///
    ///     StoreError.notFound.localizedDescription  // → There is no such entity.
    public var errorDescription: String? { Sentence(texts.what).text }

    /// The remedy, as a sentence; nil if there is none.
    ///
    ///     StoreError.timedOut.recoverySuggestion  // → Try again later.
    public var recoverySuggestion: String? { texts.fix.map { Sentence($0).text } }
}
