import PredicateQL
import StoreModel

/// A change that waits to be pushed.
///
///     try await novels.save(Novel(title: "Emma"))
///     try await novels.pending().first?.attempts ?? -1  // → 0
public struct PendingChange: Hashable, Sendable {
    /// What will be sent.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A new entity.
        case create
        /// Another version.
        case update
        /// A removal.
        case delete
    }

    /// The collection.
    public let collection: String
    /// The entity's id.
    public let id: String
    /// What will be sent.
    public let kind: Kind
    /// How often it was sent without success.
    public let attempts: Int
    /// When the change was made, milliseconds since 1970.
    public let firstAt: Int64
    /// When it was last sent, milliseconds since 1970; nil if never.
    public let lastAt: Int64?
    /// Why it did not pass; nil if nobody said so.
    public let fault: ServiceFault?
    /// Whether the service said that it will not pass as it is: it does not keep pulls from running.
    public let isRefused: Bool

    init?(_ entry: OutboxEntry, in collection: String) {
        switch entry.kind {
        case .ask: return nil
        case .create: kind = .create
        case .update: kind = .update
        case .delete: kind = .delete
        }
        self.collection = collection
        id = entry.id
        attempts = Int(entry.attempts)
        firstAt = entry.firstAt
        lastAt = entry.lastAt
        fault = ServiceFault(stored: entry.fault)
        isRefused = entry.isRefused
    }
}

/// A change that a push could not bring to the service; it waits on.
///
///     try await novels.push().failures.count  // → 0
public struct PushFailure: Sendable {
    /// The collection.
    public let collection: String
    /// The entity's id.
    public let id: String
    /// Why.
    public let error: StoreError

    /// Whether the same push may pass later.
    var mayPass: Bool {
        switch error {
        case .unreachable, .timedOut, .cancelled, .unauthorized, .badAnswer, .foreignAnswer: true
        case .service(let fault): [408, 425, 429].contains(fault.status) || fault.status >= 500
        default: false
        }
    }
}

/// What a push did.
///
///     try await novels.push().overruled.count  // → 0
public struct PushResult: Sendable {
    /// The changes that the service acknowledged.
    public internal(set) var count = 0
    /// The changes that wait on, each with its error (W11).
    public internal(set) var failures: [PushFailure] = []
    /// The changes that lost against the service's version, by ``ConflictRule/serverWins`` or by the app's word (W9).
    public internal(set) var overruled: [Conflict] = []

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
    /// The entities that the service told, of a delta those that the query finds still.
    public let entities: [Value]
    /// Those of them that the type cannot be read from; they are in the cache all the same.
    public let unreadable: [UnreadableEntity]
    /// How many entities the service told.
    public let changed: Int
    /// How many went.
    public let deleted: Int
    /// Whether the service told changes only.
    public let wasDelta: Bool
    /// How many pages it took.
    public let pages: Int
}

/// What a sync did.
///
///     try await novels.sync().push.count  // → 0
public struct SyncResult<Value: Entity>: Sendable {
    /// What the push did.
    public let push: PushResult
    /// What the pull did; nil where changes still wait that may pass or that the app left pending, so that nothing was
    /// pulled: `push.failures` says which.
    public let pull: PullResult<Value>?
}

/// What saving many entities did.
///
///     try await novels.save([Novel(title: "Emma")]).entities.count  // → 1
public struct MultiSave<Value: Entity>: Sendable {
    /// An entity that was not saved.
    public struct Failure: Sendable {
        /// Its position among those that were given.
        public let index: Int
        /// Why.
        public let error: StoreError
    }

    /// The saved entities in the order they were given; nil where one failed.
    public let entities: [Value?]
    /// The failures.
    public let errors: [Failure]
}

/// A cache's file that could not be opened: it was moved aside, and another one took its place.
///
///     await client.setAside.count  // → 0
public struct SetAsideFile: Hashable, Sendable {
    /// Where it is now; it is never deleted.
    public let path: String
    /// The changes that waited in it and wait on.
    public let carried: Int
    /// The changes that are left in it, because they cannot be read; nil if it does not tell how many.
    public let lost: Int?
}

/// One answer to a read.
///
///     for try await answer in novels.answers() { print(answer.source) }
public struct Answer<Value: Entity>: Sendable {
    /// Where it comes from.
    public enum Source: String, Hashable, Sendable {
        /// The cache.
        case local
        /// The service.
        case network
    }

    /// Where it comes from.
    public let source: Source
    /// The entities.
    public let entities: [Value]
    /// The entities that the type cannot be read from.
    public let unreadable: [UnreadableEntity]
}
