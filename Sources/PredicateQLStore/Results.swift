import PredicateQL
import StoreModel

/// A pending change.
///
///     try await novels.save(Novel(title: "Emma"))
///     try await novels.pending().first?.attempts ?? -1  // → 0
public struct PendingChange: Hashable, Sendable {
    /// The kind of request that will be sent.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A new entity.
        case create
        /// A new version of an existing entity.
        case update
        /// A removal.
        case delete
    }

    /// The collection.
    public let collection: String
    /// The entity's id.
    public let id: String
    /// The kind of request that will be sent.
    public let kind: Kind
    /// The number of failed attempts.
    public let attempts: Int
    /// When the change was made, milliseconds since 1970.
    public let firstAt: Int64
    /// When it was last sent, milliseconds since 1970; nil if never.
    public let lastAt: Int64?
    /// The service's last error; nil if there was none.
    public let fault: ServiceFault?
    /// True if the service refused it for good; such a change does not block pulls.
    public let isRefused: Bool
    /// Which of the entity's changes it is.
    let place: [Int64]

    init?(_ entry: OutboxEntry, in collection: String) {
        switch entry.kind {
        case .ask: return nil
        case .create: kind = .create
        case .update: kind = .update
        case .delete: kind = .delete
        }
        self.collection = collection
        id = entry.id
        place = entry.place
        attempts = Int(entry.attempts)
        firstAt = entry.firstAt
        lastAt = entry.lastAt
        fault = ServiceFault(stored: entry.fault)
        isRefused = entry.isRefused
    }
}

/// A change that a push could not deliver; it stays pending.
///
///     try await novels.push().failures.count  // → 0
public struct PushFailure: Sendable {
    /// The collection.
    public let collection: String
    /// The entity's id.
    public let id: String
    /// The reason.
    public let error: StoreError

    /// True if the same push may succeed later.
    var mayPass: Bool {
        switch error {
        case .unreachable, .timedOut, .asking, .cancelled, .unauthorized, .badAnswer, .foreignAnswer: true
        case .service(let fault):
            [408, 425, 429].contains(fault.status) || fault.status >= 500 || fault.name == .pathNotFound
        default: false
        }
    }
}

/// What a push did.
///
///     try await novels.push().overruled.count  // → 0
public struct PushResult: Sendable {
    /// The number of changes that the service acknowledged.
    public internal(set) var count = 0
    /// The changes that stay pending, each with its error.
    public internal(set) var failures: [PushFailure] = []  // W11
    /// The changes overruled by the service's version, by ``ConflictRule/serverWins`` or the app's decision.
    public internal(set) var overruled: [Conflict] = []  // W9

    mutating func add(_ other: PushResult) {
        count += other.count
        failures += other.failures
        overruled += other.overruled
    }
}

/// What a pull did.
///
///     try await novels.pull().wasDelta  // → false
public struct PullResult<Value: Entity>: Sendable {
    /// The entities that the service sent; of a delta, those that the query still finds.
    public let entities: [Value]
    /// Those of them that cannot be decoded; they are in the cache nevertheless.
    public let unreadable: [UnreadableEntity]
    /// The number of entities that the service sent.
    public let changed: Int
    /// The number of entities removed from the cache.
    public let deleted: Int
    /// True if the service sent changes only.
    public let wasDelta: Bool
    /// The number of pages.
    public let pages: Int
}

/// What a sync did.
///
///     try await novels.sync().push.count  // → 0
public struct SyncResult<Value: Entity>: Sendable {
    /// What the push did.
    public let push: PushResult
    /// What the pull did; nil if nothing was pulled because changes are still pending that may succeed or that the app
    /// left pending: see `push.failures`.
    public let pull: PullResult<Value>?
}

/// The result of saving several entities.
///
///     try await novels.save([Novel(title: "Emma")]).entities.count  // → 1
public struct MultiSave<Value: Entity>: Sendable {
    /// An entity that was not saved.
    public struct Failure: Sendable {
        /// Its index among the given entities.
        public let index: Int
        /// The reason.
        public let error: StoreError
    }

    /// The saved entities in the given order; nil where one failed.
    public let entities: [Value?]
    /// The failures.
    public let errors: [Failure]
}

/// A cache file that could not be opened, was moved aside, and was replaced by a new one.
///
///     await client.setAside.count  // → 0
public struct SetAsideFile: Hashable, Sendable {
    /// Where it is now; it is never deleted.
    public let path: String
    /// The number of pending changes carried over from it.
    public let carried: Int
    /// The number of changes left in it because they cannot be read; nil if unknown.
    public let lost: Int?
}

/// One result of a read.
///
///     for try await answer in novels.answers() { print(answer.source) }
public struct Answer<Value: Entity>: Sendable {
    /// The source of the result.
    public enum Source: String, Hashable, Sendable {
        /// The cache.
        case local
        /// The service.
        case network
    }

    /// The source of the result.
    public let source: Source
    /// The entities.
    public let entities: [Value]
    /// The entities that cannot be decoded.
    public let unreadable: [UnreadableEntity]
}
