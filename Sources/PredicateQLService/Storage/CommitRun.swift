import PredicateQL
import QueryTree
import QueryValues
import StoreModel

/// One run of the committer: some jobs in one group, or in a few when an entity changes twice.
struct CommitRun {
    let connection: Connection
    let collections: Collections
    let now: @Sendable () -> Int64
    /// Told why nothing was written.
    let failed: (QueryError) -> Void
    var group: WriteGroup?
    /// Answers that wait for the commit: told whether it succeeded.
    var answers: [(ServiceFault?) -> Void] = []

    mutating func add(_ job: Committer.Job) {
        switch job {
        case .entities(let writes, let key, let caller, let answer): add(writes, key, caller, answer)
        case .removal(let removal, let key, let caller, let answer): answer(remove(removal, key, caller))
        case .change(let change, let answer):
            do throws(QueryError) {
                try change(open())
                answers.append { answer($0.map { .failure($0) } ?? .success(())) }
            } catch {
                fail(error)
                answer(.failure(ServiceFault(storing: error)))
            }
        }
    }

    mutating func finish() {
        guard let group else { return }
        do throws(QueryError) {
            try group.commit()
            self.group = nil
            collections.publish()
            conclude(nil)
        } catch {
            fail(error)
        }
    }

    private mutating func open() throws(QueryError) -> WriteGroup {
        if let group { return group }
        let group = try WriteGroup(connection, now: now())
        self.group = group
        return group
    }

    /// Rolls the group back: nothing of it happened.
    private mutating func fail(_ error: QueryError) {
        group?.rollBack()
        group = nil
        collections.forget()
        if error.code == .store { failed(error) }
        conclude(ServiceFault(storing: error))
    }

    private mutating func conclude(_ fault: ServiceFault?) {
        let told = answers
        answers = []
        for answer in told { answer(fault) }
    }

    private mutating func add(
        _ writes: [EntityWrite],
        _ key: Collection.Key,
        _ caller: Caller,
        _ answer: @escaping Committer.Answer<[Result<WriteAnswer, ServiceFault>]>
    ) {
        let results = Results(count: writes.count)
        for (position, write) in writes.enumerated() {
            do throws(QueryError) {
                // A removal of nothing has a receipt too; no collection is made for a version that cannot be in it.
                let makesIt = (write.body != nil || write.key != nil) && write.match == nil && mayMake(key, caller)
                guard let collection = try collections.collection(key, in: open(), makesIt: makesIt) else {
                    var fault = write.body == nil ? ServiceFault(.entityNotFound, debug: write.id) : .mayNotAdd
                    if write.body != nil, let match = write.match, mayMake(key, caller) {
                        fault = ServiceFault(.preconditionFailed, debug: match.failure)
                    }
                    fault.tick = .zero
                    results.values[position] = .failure(fault)
                    continue
                }
                if group?.holds(write.id, of: collection) ?? false { finish() }
                let access = Access(rights: collection.rights, caller: caller)
                results.values[position] = try open().carryOut(write, in: collection, access)
                answers.append { fault in
                    if let fault { results.values[position] = .failure(fault) }
                }
            } catch {
                fail(error)
                results.values[position] = .failure(ServiceFault(storing: error))
            }
        }
        answers.append { _ in answer(results.values) }
        if group == nil { conclude(nil) }
    }

    /// True if a caller's write makes a collection: who may not add entities uses up none of the app's.
    private func mayMake(_ key: Collection.Key, _ caller: Caller) -> Bool {
        Access(rights: collections.newestConfiguration.rights(of: key.name), caller: caller).canInsert
    }

    /// The results of one job, whose writes may be committed in different groups.
    private final class Results {
        var values: [Result<WriteAnswer, ServiceFault>]

        init(count: Int) {
            values = Array(repeating: .failure(ServiceFault(.serviceUnavailable)), count: count)
        }
    }

    /// Removes what a query found, as far as it is as it was.
    ///
    /// The receipt comes with the last part: a removal that was cut short goes on when it is repeated.
    private mutating func remove(
        _ removal: FoundRemoval,
        _ name: Collection.Key,
        _ caller: Caller
    ) -> Result<RemovalAnswer, ServiceFault> {
        finish()
        var removed = RemovalAnswer(count: removal.before, tick: .zero)
        do throws(QueryError) {
            let group = try open()
            let makesIt = removal.key != nil && mayMake(name, caller)
            guard let collection = try collections.collection(name, in: group, makesIt: makesIt) else {
                finish()
                return .success(removed)
            }
            if removal.isFirst, let earlier = try group.earlierAnswer(to: removal, in: collection, caller) {
                finish()
                return earlier
            }
            let access = Access(rights: collection.rights, caller: caller)
            for id in removal.ids {
                guard let version = try group.version(of: id, in: collection), version.tick <= removal.until,
                    access.canWrite(version.access)
                else { continue }
                try group.remove(id, in: collection, previous: version)
                removed.count += 1
            }
            removed.tick = try group.presentTick(of: collection)
            if let key = removal.key, removal.isLast { try group.putReceipt(key, of: removed, in: collection, caller) }
        } catch {
            fail(error)
            return .failure(ServiceFault(storing: error))
        }
        var fault: ServiceFault?
        answers.append { fault = $0 }
        finish()
        if let fault { return .failure(fault) }
        return .success(removed)
    }
}
