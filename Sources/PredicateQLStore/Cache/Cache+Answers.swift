import PredicateQL
import StoreModel

/// What becomes of an entry when the service has answered, in one transaction with the row (W2, W5).
extension Cache {
    /// Prepares an entry to be sent: it keeps its number while its revision is the one that was sent.
    func prepare(
        _ entry: OutboxEntry,
        nonce: String,
        now: Int64
    ) throws(QueryError) -> (entry: OutboxEntry, json: [UInt8]?)? {
        try transaction { () throws(QueryError) in
            guard var entry = try self.entry(entry.collection, entry.id), entry.kind != .ask else { return nil }
            let isNew = entry.number == nil || entry.sentRevision != entry.revision
            if isNew || switchedOff.contains(.numbersAreKept) {
                entry.sentKind = Coalescing.kindToSend(entry.kind, wasSent: entry.wasSent)
                (entry.number, entry.nonce) = (try takeNumber(), nonce)
                entry.sentRevision = entry.revision
            }
            entry.attempts += 1
            entry.lastAt = now
            try write(entry)
            return (entry, entry.sentKind == .delete ? nil : try row(entry.collection, entry.id)?.json)
        }
    }

    /// Takes in what the service answered to an entry that was sent.
    func record(_ sent: OutboxEntry, _ outcome: AnswerReading.Outcome, now: Int64) throws(QueryError) {
        try transaction { () throws(QueryError) in
            let waiting = try entry(sent.collection, sent.id)
            let fact: Fact? =
                switch outcome {
                case .stored(let fact): fact
                // Later than everything that is known of it.
                case .gone(let tick): Fact(id: sent.id, json: nil, tick: tick ?? waiting?.baseSeen ?? 0)
                case .idTaken, .stale, .conflict, .unauthorized, .refused, .failed, .foreign: nil
                }
            guard var entry = waiting, entry.number == sent.number, entry.kind != .ask else {
                if let fact { try apply(fact, to: sent.collection, now: now) }
                return
            }
            if let fact {
                if entry.revision == sent.sentRevision {
                    try finish(entry, fact, now: now)
                } else {
                    try rebase(&entry, on: fact)
                }
                return
            }
            note(outcome, in: &entry)
            try write(entry)
        }
    }

    /// The entity was edited while its request was on its way: the answer is the version under the edit.
    private func rebase(_ entry: inout OutboxEntry, on fact: Fact) throws(QueryError) {
        if fact.tick > entry.baseSeen ?? -1 { (entry.base, entry.baseSeen) = (fact.json, fact.tick) }
        if entry.kind == .create { entry.kind = .update }
        (entry.number, entry.nonce, entry.sentKind, entry.sentRevision) = (nil, nil, nil, nil)
        entry.fault = nil
        try write(entry)
        try found(row(entry.collection, entry.id)?.json, in: entry, on: fact)
    }

    /// Stores a pending entity as a change of a version of the service's.
    private func found(_ json: [UInt8]?, in entry: OutboxEntry, on fact: Fact?) throws(QueryError) {
        guard var document = json.flatMap(Document.init(json:)) else { return }
        document["_kmd"] = fact?.json.flatMap(Document.init(json:))?["_kmd"]
        try put(entry.collection, entry.id, document.wireJSON, seen: 0, now: entry.firstAt)
    }

    /// The change is on the service: the newest of the answer and of what was learnt meanwhile stays.
    private func finish(_ entry: OutboxEntry, _ fact: Fact, now: Int64) throws(QueryError) {
        let base = switchedOff.contains(.newestOfAnswerAndBase) ? nil : entry.baseSeen
        let (tick, isBase) = Merging.newest(answer: fact.tick, base: base)
        let newest = Fact(id: entry.id, json: isBase ? entry.base : fact.json, tick: tick)
        try removeEntry(entry.collection, entry.id)
        try show(newest, in: entry.collection, now: now)
    }

    /// Makes a version visible that no change hides any more.
    ///
    /// If a checkpoint lacked it while the change hid it, it may be gone: then it is fetched by id.
    private func show(_ fact: Fact, in collection: Int64, now: Int64) throws(QueryError) {
        let isDoubtful =
            switchedOff.contains(.baseIsAskedFor)
            ? false : try isContradicted(fact, in: collection, now: now)
        if isDoubtful {
            var entry = OutboxEntry(collection: collection, id: fact.id, kind: .ask, firstAt: now)
            (entry.base, entry.baseSeen) = (fact.json, fact.tick)
            try write(entry)
        }
        try put(collection, fact.id, fact.json, seen: fact.tick, now: now)
        let gone = try gone(collection, fact.id)
        if fact.json == nil {
            try setGone(collection, fact.id, max(fact.tick, gone ?? -1), now: now)
        } else if gone != nil {
            try setGone(collection, fact.id, nil, now: now)
        }
    }

    /// What an error leaves in the entry.
    private func note(_ outcome: AnswerReading.Outcome, in entry: inout OutboxEntry) {
        switch outcome {
        case .stored, .gone: return
        case .idTaken(let fault):
            // The first attempt may have made it: a service without receipts cannot tell, an upsert is right anyway.
            if entry.attempts > 1 {
                entry.sentKind = .update
            } else {
                entry.fault = fault.stored(isRefused: true)
            }
        case .stale:
            (entry.number, entry.nonce, entry.sentKind, entry.sentRevision) = (nil, nil, nil, nil)
        case .conflict: entry.fault = ServiceFault(.preconditionFailed).stored(isRefused: false)
        case .unauthorized(let fault), .failed(let fault), .foreign(let fault):
            entry.fault = fault.stored(isRefused: false)
        case .refused(let fault): entry.fault = fault.stored(isRefused: true)
        }
    }

    /// The service's version stays, and the change that lost goes.
    ///
    /// - Returns: false if the entity was changed meanwhile; the new change stays pending.
    func overrule(_ sent: OutboxEntry, by theirs: Fact?, now: Int64) throws(QueryError) -> Bool {
        try transaction { () throws(QueryError) in
            guard let entry = try self.entry(sent.collection, sent.id), entry.isSame(as: sent) else {
                return false
            }
            try removeEntry(entry.collection, entry.id)
            var fact = theirs ?? Fact(id: entry.id, json: nil, tick: entry.baseSeen ?? 0)
            if Merging.newest(answer: fact.tick, base: entry.baseSeen).isBase {
                fact = Fact(id: entry.id, json: entry.base, tick: entry.baseSeen ?? 0)
            }
            try show(fact, in: entry.collection, now: now)
            return true
        }
    }

    // MARK: By hand

    /// Takes a change back: the version under it is visible again.
    func drop(_ entry: OutboxEntry, now: Int64) throws(QueryError) {
        try transaction { () throws(QueryError) in
            try removeEntry(entry.collection, entry.id)
            let base = Fact(id: entry.id, json: entry.base, tick: entry.baseSeen ?? 0)
            guard entry.base != nil || entry.baseSeen != nil else {
                try put(entry.collection, entry.id, nil, seen: 0, now: now)
                return
            }
            try show(base, in: entry.collection, now: now)
        }
    }

    /// Discards a change but keeps the row; the next pull fetches the entity.
    func keepUnsent(_ entry: OutboxEntry) throws(QueryError) {
        var asked = entry
        asked.kind = .ask
        (asked.number, asked.nonce, asked.sentKind, asked.sentRevision) = (nil, nil, nil, nil)
        asked.fault = nil
        try write(asked)
    }

    /// The version under a change, if it is newer than the one that was decided about.
    func newer(than theirs: Fact?, under sent: OutboxEntry) throws(QueryError) -> Fact? {
        guard let entry = try self.entry(sent.collection, sent.id), entry.isSame(as: sent),
            let tick = entry.baseSeen, tick > theirs?.tick ?? sent.baseSeen ?? -1, entry.base != theirs?.json
        else { return nil }
        return Fact(id: entry.id, json: entry.base, tick: tick)
    }

    /// Puts a change on another base, so that it is sent again over the service's version.
    func rebase(_ entry: OutboxEntry, on theirs: Fact?, _ merged: [UInt8]?, now: Int64) throws(QueryError) {
        try transaction { () throws(QueryError) in
            guard var current = try self.entry(entry.collection, entry.id), current.isSame(as: entry) else {
                return
            }
            if theirs?.tick ?? Int64.max > current.baseSeen ?? -1 {
                (current.base, current.baseSeen) = (theirs?.json, theirs?.tick ?? current.baseSeen)
            }
            (current.number, current.nonce, current.sentKind, current.sentRevision) = (nil, nil, nil, nil)
            if current.kind == .create, theirs != nil { current.kind = .update }
            current.revision += 1
            current.fault = nil
            try write(current)
            let row = try row(entry.collection, entry.id)
            try found(merged ?? row?.json, in: current, on: theirs)
        }
    }
}

extension ServiceFault {
    /// The error as an entry keeps it.
    func stored(isRefused: Bool) -> [UInt8] {
        var document = document
        document["status"] = .int(Int64(status))
        document["isRefused"] = .bool(isRefused)
        var json: [UInt8] = []
        JSONWriter().write(.object(document), to: &json)
        return json
    }

    /// Reads ``stored(isRefused:)``.
    init?(stored json: [UInt8]?) {
        guard let json, let value = try? QueryValue(json: json), case .object(let document) = value else { return nil }
        var status = 500
        if case .int(let number)? = document["status"] { status = Int(clamping: number) }
        self.init(value, status: status)
    }
}
