/// What an outbox entry says to send: the last state of an entity (W3).
enum ChangeKind: Int64, Hashable, Sendable, CaseIterable {
    /// Nothing; the entity is asked for at the next pull.
    case ask = 0
    /// A new entity.
    case create = 1
    /// Another version.
    case update = 2
    /// A removal.
    case delete = 3
}

/// How a local change and the change that already waits become one; pure, a table.
enum Coalescing {
    /// What the app does to an entity.
    enum Change: Hashable, Sendable, CaseIterable {
        /// Saves an entity whose id this client made.
        case save
        /// Saves an entity under an id that the app gave.
        case saveNamed
        case remove
    }

    /// What the cache knows of the entity.
    enum Row: Hashable, Sendable, CaseIterable {
        /// Not there.
        case unknown
        /// A version of the service's.
        case known
    }

    /// The entry that waits.
    struct Waiting: Hashable, Sendable {
        var kind: ChangeKind
        /// Whether it was ever sent, so that the service may have heard of it.
        var wasSent: Bool
    }

    /// What becomes of the entry.
    enum Outcome: Hashable, Sendable {
        /// A new entry; the row that was there is its base.
        case begin(ChangeKind)
        /// The entry says something else now: its revision grows.
        case become(ChangeKind)
        /// The entry stays as it is.
        case stay
        /// Entry and row go: the service never heard of the entity.
        case vanish
    }

    /// The entry after a change.
    static func outcome(of change: Change, _ row: Row, _ waiting: Waiting?) -> Outcome {
        guard let waiting, waiting.kind != .ask else {
            switch change {
            case .save: return .begin(row == .known ? .update : .create)
            case .saveNamed: return .begin(.update)
            case .remove: return .begin(.delete)
            }
        }
        switch (waiting.kind, change) {
        case (.create, .save), (.create, .saveNamed): return .become(.create)
        case (.create, .remove): return waiting.wasSent ? .become(.delete) : .vanish
        case (.update, .save), (.update, .saveNamed): return .become(.update)
        case (.update, .remove): return .become(.delete)
        // Removed, then saved under the same id: the save arrives.
        case (.delete, .save), (.delete, .saveNamed): return .become(.update)
        case (.delete, .remove): return .stay
        case (.ask, _): return .stay
        }
    }

    /// What is sent for an entry whose revision has no number yet.
    ///
    /// A create that waits and was edited goes out as an upsert, which is right whether the first one arrived or not.
    static func kindToSend(_ kind: ChangeKind, wasSent: Bool) -> ChangeKind {
        kind == .create && wasSent ? .update : kind
    }
}
