/// What an outbox entry sends: the last state of an entity (W3).
package enum ChangeKind: Int64, Hashable, Sendable, CaseIterable {
    /// Nothing; the entity is fetched by the next pull.
    case ask = 0
    /// A new entity.
    case create = 1
    /// A new version of an existing entity.
    case update = 2
    /// A removal.
    case delete = 3
}

/// How a local change is merged with the pending one; pure, a table.
package enum Coalescing {
    /// What the app does to an entity.
    package enum Change: Hashable, Sendable, CaseIterable {
        /// Saves an entity whose id this client made.
        case save
        /// Saves an entity under an id that the app gave.
        case saveNamed
        case remove
    }

    /// What the cache holds of the entity.
    package enum Row: Hashable, Sendable, CaseIterable {
        /// Not there.
        case unknown
        /// A version of the service's.
        case known
    }

    /// The pending entry.
    package struct Waiting: Hashable, Sendable {
        package var kind: ChangeKind
        /// True if it was ever sent, so that the service may have it.
        package var wasSent: Bool

        package init(kind: ChangeKind, wasSent: Bool) {
            (self.kind, self.wasSent) = (kind, wasSent)
        }
    }

    /// What becomes of the entry.
    package enum Outcome: Hashable, Sendable {
        /// A new entry; the row that was there is its base.
        case begin(ChangeKind)
        /// The entry changes: its revision grows.
        case become(ChangeKind)
        /// The entry stays as it is.
        case stay
        /// Entry and row are removed: the service never had the entity.
        case vanish
    }

    /// The entry after a change.
    package static func outcome(of change: Change, _ row: Row, _ waiting: Waiting?) -> Outcome {
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
    /// A pending create that was edited is sent as an upsert, which is right whether the first one arrived or not.
    package static func kindToSend(_ kind: ChangeKind, wasSent: Bool) -> ChangeKind {
        kind == .create && wasSent ? .update : kind
    }
}
