import PredicateQL
import QueryValues
import StoreModel

extension WriteGroup {
    /// Checks and carries out one write; a fault changes nothing.
    ///
    /// - Parameters:
    ///   - write: the write.
    ///   - collection: its collection.
    ///   - access: what the caller may do there.
    /// - Returns: what it did, or why it was refused.
    /// - Throws: `QueryError` if the store fails: then the whole group is rolled back.
    func carryOut(
        _ write: EntityWrite,
        in collection: Collection,
        _ access: Access
    ) throws(QueryError) -> Result<WriteAnswer, ServiceFault> {
        let present = try version(of: write.id, in: collection)
        if let key = write.key {
            switch try receipt(for: key, of: write.id, in: collection, access.caller) {
            case .none: break
            case .later(let last): return .failure(.stale("\(write.id): \(key.text)", last))
            case .same(let result, _) where !WriteResult.may(result, be: write.kind):
                let debug = "\(write.id): \(key.text) is the key of another kind of write"
                return .failure(ServiceFault(.badRequest, debug: debug))
            case .same(404, let tick):
                var fault = ServiceFault(.entityNotFound, debug: write.id)
                fault.tick = tick
                return .failure(fault)
            case .same(let result, let tick):
                return try .success(
                    replay(WriteResult.status(of: result), tick, write, present, in: collection, access)
                )
            }
        }
        if var fault = refusal(of: write, present, access) {
            let tick = try presentTick(of: collection)
            fault.tick = tick
            if let key = write.key, fault.name == .entityNotFound {
                // The client takes it for done: what it sent before must not happen later.
                try putReceipt(key, of: write.id, in: collection, access.caller, 404, tick)
            }
            return .failure(fault)
        }
        let answer = try perform(write, present, in: collection, access)
        if let key = write.key, case .success(let done) = answer {
            let result = WriteResult.kept(done.status, write.kind)
            try putReceipt(key, of: write.id, in: collection, access.caller, result, done.tick)
        }
        return answer
    }

    /// Why a write may not happen; nil if it may.
    private func refusal(of write: EntityWrite, _ present: Version?, _ access: Access) -> ServiceFault? {
        let isReadable = present.map { access.canRead($0.access) } ?? false
        if case .remove = write.kind, !isReadable { return ServiceFault(.entityNotFound, debug: write.id) }
        // What a caller may not read is told like what is not there, where he may add neither.
        if !access.canInsert, !isReadable || write.kind == .insert { return .mayNotAdd }
        if let present {
            if !isReadable, write.kind == .upsert, let match = write.match {
                return conflict(nil, false, match.failure)
            }
            if case .insert = write.kind {
                if write.demandsAbsence { return conflict(present, isReadable, Self.isThere) }
                return ServiceFault(
                    .internalErrorRetry,
                    debug: "An entity with that _id already exists in this collection"
                )
            }
            // Nobody writes what he cannot read.
            guard isReadable, access.canWrite(present.access) else {
                return ServiceFault(.insufficientCredentials, debug: "the caller may not write \(write.id)")
            }
            if let wanted = write.body?.access, !isSame(wanted, present.access), !access.canShare(present.access) {
                return ServiceFault(.insufficientCredentials, debug: "the caller may not change _acl of \(write.id)")
            }
            if write.demandsAbsence { return conflict(present, isReadable, Self.isThere) }
        }
        switch write.match {
        case nil: return nil
        case .any?: return present == nil ? conflict(nil, false, EntityWrite.Match.any.failure) : nil
        case .ticks(let ticks, _)?:
            if let present, ticks.contains(present.tick) { return nil }
            return conflict(present, isReadable, write.match?.failure ?? "")
        }
    }

    private static let isThere = "If-None-Match demands that there is no entity, and there is one"

    private func conflict(_ present: Version?, _ isReadable: Bool, _ reason: String) -> ServiceFault {
        var fault = ServiceFault(.preconditionFailed, debug: reason)
        if isReadable { fault.entity = present?.json }
        return fault
    }

    /// True if two access controls say the same but for the creator, which never changes.
    private func isSame(_ wanted: AccessControl, _ present: AccessControl) -> Bool {
        var wanted = wanted
        wanted.creator = present.creator
        return wanted == present
    }

    private func perform(
        _ write: EntityWrite,
        _ present: Version?,
        in collection: Collection,
        _ access: Access
    ) throws(QueryError) -> Result<WriteAnswer, ServiceFault> {
        if let times = write.body?.times {
            let last = try max(presentTick(of: collection), Tick(rawValue: now))
            if let changed = times.changed, changed > last { return .failure(.isLater("lmt")) }
            if let created = times.created, created > max(last, .latest(at: now)) { return .failure(.isLater("ect")) }
        }
        let tick = try tick(of: collection)
        guard let body = write.body else {
            guard let present else { return .failure(ServiceFault(.entityNotFound, debug: write.id)) }
            try remove(write.id, in: collection, previous: present)
            return .success(WriteAnswer(status: 200, tick: tick))
        }
        var control = body.access ?? present?.access ?? AccessControl()
        // Only the app's owner says who made it.
        if access.caller.identity != .master || control.creator == nil {
            control.creator = present.map(\.access.creator) ?? access.caller.user
        }
        func json(at version: Tick) -> [UInt8] {
            let created = body.times.created?.text ?? present?.created ?? version.text
            return body.json(id: write.id, access: control, created: created, changed: version.text)
        }
        // What is moved in twice is the version that it was. An earlier time would name two versions, so it is not taken.
        if let present, body.times.changed == present.tick, json(at: present.tick) == present.json {
            return .success(WriteAnswer(status: 200, entity: present.json, tick: tick, version: present.tick))
        }
        var version = tick
        if let changed = body.times.changed, present.map({ changed > $0.tick }) ?? true { version = changed }
        let json = json(at: version)
        if let lists = collection.add(body.lists, of: write.id) {
            try connection.run(
                "UPDATE collection SET lists = ? WHERE n = ?",
                [.string(lists.json), .int(collection.number)]
            )
        }
        try share(write.id, control, in: collection, replacing: present?.access)
        try put(json, at: tick, version: version, id: write.id, in: collection, replacing: present)
        return .success(WriteAnswer(status: present == nil ? 201 : 200, entity: json, tick: tick, version: version))
    }
}

/// What a receipt keeps of a write: its status, or another number where several kinds of write have the same.
private enum WriteResult {
    private static let added = 201
    /// Of replacements and removals in receipts of before, which do not tell them apart.
    private static let either = 200
    private static let replaced = 205
    private static let removed = 204
    private static let missing = 404

    static func kept(_ status: Int, _ kind: EntityWrite.Kind) -> Int {
        guard status == either else { return status }
        return kind == .remove ? removed : replaced
    }

    static func status(of result: Int) -> Int { [removed, replaced].contains(result) ? either : result }

    /// True if a write of a kind may have had a result; an entity that POST added may be sent again by PUT.
    static func may(_ result: Int, be kind: EntityWrite.Kind) -> Bool {
        switch kind {
        case .insert, .upsert: ![removed, missing].contains(result)
        case .remove: ![added, replaced].contains(result)
        }
    }
}

/// Receipts: which write of a caller's client was acted on last for an entity.
extension WriteGroup {
    private enum Receipt {
        /// No write of the client, or an earlier one.
        case none
        /// This write, with its status (of a removal by query, its count) and its tick.
        case same(Int, Tick)
        /// A later write, or the same number for another revision.
        case later(Int64)
    }

    private func receipt(
        for key: RequestKey,
        of id: String,
        in collection: Collection,
        _ caller: Caller
    ) throws(QueryError) -> Receipt {
        var found = Receipt.none
        try connection.forEach(
            "SELECT number, nonce, status, tick FROM receipt WHERE n = ? AND id = ? AND client IN (?, ?) "
                + "ORDER BY number DESC",
            [.int(collection.number), .string(id)] + caller.owners(of: key.client)
        ) { row in
            let number = row.int(at: 0)
            if number > key.number || number == key.number && row.string(at: 1) != key.nonce {
                found = .later(number)
            } else if number == key.number {
                found = .same(Int(row.int(at: 2)), Tick(rawValue: row.int(at: 3)))
            }
            return false
        }
        return found
    }

    private func putReceipt(
        _ key: RequestKey,
        of id: String,
        in collection: Collection,
        _ caller: Caller,
        _ result: Int,
        _ tick: Tick
    ) throws(QueryError) {
        try connection.run(
            "INSERT OR REPLACE INTO receipt (n, id, client, number, nonce, tick, status, at) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .int(collection.number), .string(id), caller.owners(of: key.client)[0], .int(key.number),
                .string(key.nonce),
                .int(tick.rawValue), .int(Int64(result)), .int(now),
            ]
        )
    }

    /// The answer to a removal by query that was carried out before, or must not be any more; nil if it is new.
    func earlierAnswer(
        to removal: FoundRemoval,
        in collection: Collection,
        _ caller: Caller
    ) throws(QueryError) -> Result<RemovalAnswer, ServiceFault>? {
        guard let key = removal.key else { return nil }
        switch try receipt(for: key, of: Self.anyEntity, in: collection, caller) {
        case .none: return nil
        case .later(let last): return .failure(.stale(key.text, last))
        case .same(let count, let tick): return .success(RemovalAnswer(count: count, tick: tick, isReplayed: true))
        }
    }

    /// Keeps what a removal by query did.
    func putReceipt(
        _ key: RequestKey,
        of done: RemovalAnswer,
        in collection: Collection,
        _ caller: Caller
    ) throws(QueryError) {
        try putReceipt(key, of: Self.anyEntity, in: collection, caller, done.count, done.tick)
    }

    /// What stands for the id in receipts of removals by query: no entity has it.
    private static var anyEntity: String { "" }

    /// The answer of a repeated request: its first status and the entity as it is now.
    ///
    /// Of a removal it tells when that was: there may be another entity of the id now.
    private func replay(
        _ status: Int,
        _ tick: Tick,
        _ write: EntityWrite,
        _ present: Version?,
        in collection: Collection,
        _ access: Access
    ) throws(QueryError) -> WriteAnswer {
        if case .remove = write.kind { return WriteAnswer(status: status, tick: tick, isReplayed: true) }
        var answer = try WriteAnswer(status: status, tick: presentTick(of: collection), isReplayed: true)
        if let present, access.canRead(present.access) {
            answer.entity = present.json
        } else {
            answer.isGone = true
            JSONWriter().write(.object(["_id": .string(write.id)]), to: &answer.entity)
        }
        return answer
    }
}

extension Caller {
    /// What receipts say of a client of the caller, and what those said that were kept before they told callers apart.
    func owners(of client: String) -> [QueryValue] { [.string(client + "/" + fingerprint), .string(client)] }
}

extension ServiceFault {
    /// An entity of a caller who may add none.
    static let mayNotAdd = ServiceFault(.insufficientCredentials, debug: "the caller may not add to this collection")

    /// A request of which a later one was acted on.
    fileprivate static func stale(_ debug: String, _ last: Int64) -> ServiceFault {
        var fault = ServiceFault(.staleRequest, debug: debug)
        fault.last = last
        return fault
    }
}
