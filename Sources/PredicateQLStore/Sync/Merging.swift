import StoreModel

/// What the client learnt of an entity from one snapshot of the service.
struct Fact: Hashable, Sendable {
    var id: String
    /// The entity as JSON text; nil if the snapshot does not have it.
    var json: [UInt8]?
    /// The tick of the snapshot.
    var tick: Int64
}

/// A rule of the sync that a simulation switches off, to see that it would notice.
package enum SyncRule: String, Hashable, Sendable, CaseIterable {
    /// A row missing from a complete result no longer matches the query.
    case silenceCounts
    /// A row that an answer lacked is unknown, not gone.
    case forgottenIsNotGone
    /// When an entry goes, the newest of the answer and of its base stays.
    case newestOfAnswerAndBase
    /// A base that becomes visible again is fetched if a checkpoint lacked it.
    case baseIsAskedFor
    /// Rows missing from a result are fetched if another query is tracked.
    case leftOverIsAskedFor
    /// A request keeps its number until it is answered.
    case numbersAreKept
}

/// Where facts go; pure.
///
/// For each id the client keeps the fact of the greatest tick (W5). Repetition and order do not matter: it is a
/// maximum, with one rule about rows that a checkpoint lacked.
enum Merging {
    /// What the cache holds of the fact's entity.
    struct Known: Hashable, Sendable {
        /// The tick of the row that no local change hides.
        var row: Int64?
        /// The tick at which it was known to be gone, or before which nothing counts.
        var gone: Int64?
        /// The pending entry.
        var entry: Entry?

        struct Entry: Hashable, Sendable {
            var kind: ChangeKind
            /// The tick of the version under the change; nil if there was none.
            var base: Int64?
        }

        /// The greatest tick that something is known of.
        var tick: Int64 { max(entry?.base ?? row ?? -1, gone ?? -1) }
    }

    enum Outcome: Hashable, Sendable {
        case ignored
        /// The version under the pending change.
        case base
        /// The row, or its absence; the entry that requested it is removed.
        case row
    }

    /// Where a fact goes.
    static func outcome<Failure>(
        of tick: Int64,
        _ known: Known,
        isContradicted: () throws(Failure) -> Bool
    ) throws(Failure) -> Outcome {
        let isAsked = known.entry?.kind == .ask
        guard isAsked ? tick >= known.tick : tick > known.tick else { return .ignored }
        if try isContradicted() { return .ignored }
        return known.entry == nil || isAsked ? .row : .base
    }

    /// The version that is left when an entry goes: the newest of the answer and of the base.
    static func newest(answer tick: Int64, base: Int64?) -> (tick: Int64, isBase: Bool) {
        if let base, base > tick { (base, true) } else { (tick, false) }
    }
}
