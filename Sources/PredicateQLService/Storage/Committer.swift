import Foundation
import PredicateQL
import QueryTree
import QueryValues
import StoreModel

/// Commits writes in groups: what waits when a commit has ended goes into the next one.
///
/// A commit waits for the disk once, whatever the number of its writes; nothing waits for others to arrive.
final class Committer: @unchecked Sendable {
    /// Something to write.
    enum Job: Sendable {
        /// Entities of a collection, each with a result of its own.
        case entities([EntityWrite], Collection.Key, Caller, Answer<[Result<WriteAnswer, ServiceFault>]>)
        /// The entities that a query finds.
        case removal(Query, Collection.Key, Caller, Answer<Result<RemovalAnswer, ServiceFault>>)
        /// Any other change; it throws before it changes something, or the group fails.
        case change(@Sendable (WriteGroup) throws(QueryError) -> Void, answer: Answer<Result<Void, ServiceFault>>)
    }

    typealias Answer<Value> = @Sendable (Value) -> Void

    /// The most writes of a group.
    static let mostWrites = 512
    /// The most bytes of a group's entities.
    static let mostBytes = 8 << 20

    private let connection: Connection
    private let collections: Collections
    private let now: @Sendable () -> Int64
    private let condition = NSCondition()
    /// One caller at a time where there is no thread.
    let inline = NSLock()
    private var waiting: [Job] = []
    private var isStopping = false
    private var isRunning = false
    private var done = CommitFigures()

    init(_ connection: Connection, _ collections: Collections, now: @escaping @Sendable () -> Int64) {
        self.connection = connection
        self.collections = collections
        self.now = now
    }

    /// Starts the thread; without it, ``submit(_:)`` commits at once.
    func start() {
        isRunning = true
        let thread = Thread { [self] in
            while let jobs = take() { run(jobs) }
            condition.lock()
            isRunning = false
            condition.broadcast()
            condition.unlock()
        }
        thread.name = "committer"
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// Adds a job; it is answered when it is committed, or has failed.
    func submit(_ job: Job) {
        condition.lock()
        if isStopping {
            condition.unlock()
            return job.fail(ServiceFault(.serviceUnavailable, debug: "the service is stopping", retryAfter: 1))
        }
        guard isRunning else {
            condition.unlock()
            return inline.withLock { run([job]) }
        }
        waiting.append(job)
        condition.signal()
        condition.unlock()
    }

    /// Commits what waits, then ends.
    func stop() {
        condition.lock()
        isStopping = true
        condition.broadcast()
        while isRunning { condition.wait() }
        condition.unlock()
    }

    /// The jobs of the next group; nil to end.
    private func take() -> [Job]? {
        condition.lock()
        defer { condition.unlock() }
        while waiting.isEmpty {
            if isStopping { return nil }
            condition.wait()
        }
        var writes = 0
        var bytes = 0
        var count = 0
        while count < waiting.count, writes < Self.mostWrites, bytes < Self.mostBytes {
            writes += waiting[count].writes
            bytes += waiting[count].bytes
            count += 1
        }
        let jobs = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        return jobs
    }

    /// What was committed.
    var figures: CommitFigures {
        condition.lock()
        defer { condition.unlock() }
        var figures = done
        figures.waiting = waiting.count
        return figures
    }

    private func run(_ jobs: [Job]) {
        let start = ContinuousClock.now
        var run = CommitRun(connection: connection, collections: collections, now: now)
        for job in jobs { run.add(job) }
        run.finish()
        let time = (ContinuousClock.now - start).components
        condition.lock()
        done.commits += 1
        done.writes += jobs.reduce(0) { $0 + $1.writes }
        done.seconds += Double(time.seconds) + Double(time.attoseconds) / 1e18
        condition.unlock()
    }
}

extension Committer.Job {
    /// The number of writes, to bound a group.
    var writes: Int {
        switch self {
        case .entities(let writes, _, _, _): writes.count
        case .removal: Committer.mostWrites
        case .change: 1
        }
    }

    /// The bytes of the entities, to bound a group.
    var bytes: Int {
        switch self {
        case .entities(let writes, _, _, _): writes.reduce(0) { $0 + ($1.body?.members.count ?? 0) + 200 }
        case .removal, .change: 0
        }
    }

    /// Answers with a fault.
    func fail(_ fault: ServiceFault) {
        switch self {
        case .entities(let writes, _, _, let answer): answer(writes.map { _ in .failure(fault) })
        case .removal(_, _, _, let answer): answer(.failure(fault))
        case .change(_, let answer): answer(.failure(fault))
        }
    }
}

/// One run of the committer: some jobs in one group, or in a few when an entity changes twice.
private struct CommitRun {
    let connection: Connection
    let collections: Collections
    let now: @Sendable () -> Int64
    private var group: WriteGroup?
    /// Answers that wait for the commit: told whether it succeeded.
    private var answers: [(ServiceFault?) -> Void] = []

    init(connection: Connection, collections: Collections, now: @escaping @Sendable () -> Int64) {
        self.connection = connection
        self.collections = collections
        self.now = now
    }

    mutating func add(_ job: Committer.Job) {
        switch job {
        case .entities(let writes, let key, let caller, let answer): add(writes, key, caller, answer)
        case .removal(let query, let key, let caller, let answer): remove(query, key, caller, answer)
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
        self.group = nil
        do throws(QueryError) {
            try group.commit()
            collections.publish()
            conclude(nil)
        } catch {
            group.rollBack()
            collections.forget()
            conclude(ServiceFault(storing: error))
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
                // A removal of nothing has a receipt too.
                let makesIt = write.body != nil || write.key != nil
                guard let collection = try collections.collection(key, in: open(), makesIt: makesIt) else {
                    results.values[position] = .failure(ServiceFault(.entityNotFound, debug: write.id))
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

    /// The results of one job, whose writes may be committed in different groups.
    private final class Results {
        var values: [Result<WriteAnswer, ServiceFault>]

        init(count: Int) {
            values = Array(repeating: .failure(ServiceFault(.serviceUnavailable)), count: count)
        }
    }

    /// Removes what a query finds, at most a number of entities in a commit.
    private mutating func remove(
        _ query: Query,
        _ key: Collection.Key,
        _ caller: Caller,
        _ answer: @escaping Committer.Answer<Result<RemovalAnswer, ServiceFault>>
    ) {
        finish()
        let mostRows = 10_000
        var removed = RemovalAnswer(count: 0, tick: .zero)
        var found = mostRows
        while found == mostRows {
            do throws(QueryError) {
                let group = try open()
                guard let collection = try collections.collection(key, in: group, makesIt: false) else { break }
                let access = Access(rights: collection.rights, caller: caller)
                found = try remove(query, in: collection, access, most: mostRows, group)
                removed.count += found
                removed.tick = try group.presentTick(of: collection)
            } catch {
                fail(error)
                return answer(.failure(ServiceFault(storing: error)))
            }
            var fault: ServiceFault?
            answers.append { fault = $0 }
            finish()
            if let fault { return answer(.failure(fault)) }
        }
        finish()
        answer(.success(removed))
    }

    private func remove(
        _ query: Query,
        in collection: Collection,
        _ access: Access,
        most: Int,
        _ group: WriteGroup
    ) throws(QueryError) -> Int {
        var query = query
        if let writable = access.writable { query.condition = query.condition && writable }
        query.limit = min(query.limit ?? most, most)
        query.fields = ["_id"]
        connection.database.limits = collections.configuration.queryLimits
        let rows = try query.rows(in: connection.database, from: collection.table, storage: .entities, now: group.now)
        for row in rows {
            guard case .string(let id)? = row["_id"], let version = try group.version(of: id, in: collection) else {
                continue
            }
            try group.remove(id, in: collection, previous: version)
        }
        return rows.count
    }
}

extension SQLStorage {
    /// Where the entities of a collection are.
    static let entities = SQLStorage.document(column: "doc", key: "id")
}
