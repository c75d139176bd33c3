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
        case removal(FoundRemoval, Collection.Key, Caller, Answer<Result<RemovalAnswer, ServiceFault>>)
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
    private let environment: ServiceEnvironment
    /// When the operator was told of what, so that a log does not fill with it.
    private let told = Mutex<[String: ContinuousClock.Instant]>([:])
    private let condition = NSCondition()
    /// One caller at a time where there is no thread.
    let inline = NSLock()
    private var waiting: [Job] = []
    private var isStopping = false
    private var isRunning = false
    private var done = CommitFigures()

    init(_ connection: Connection, _ collections: Collections, _ environment: ServiceEnvironment) {
        (self.connection, self.collections, self.environment) = (connection, collections, environment)
    }

    /// Tells the operator why a commit failed, once a minute for each reason.
    private func tell(_ error: QueryError) {
        tell("nothing is written: \(error.message)", isError: true, after: .seconds(60))
    }

    /// Warns, once an hour, of a clock that was ahead: ticks never go back, so that those of later writes are ahead too.
    func checkClock(_ connection: Connection) throws(QueryError) {
        let last = Tick(rawValue: try connection.int("SELECT max(tick) FROM collection"))
        guard last > .latest(at: environment.now()) else { return }
        let way = "Grammar/service.md, under Moving in and out, has the way back"
        tell(
            "a write of before has the time \(last.text), and later ones come after it; " + way,
            after: .seconds(3_600)
        )
    }

    private func tell(_ message: String, isError: Bool = false, after pause: Duration) {
        let isNew = told.withLock { told in
            let now = ContinuousClock.now
            if let last = told[message], now - last < pause { return false }
            // Messages that name something else each time are not kept for ever.
            if told.count > 100 { told = [:] }
            told[message] = now
            return true
        }
        if isNew { environment.alarm(isError, message) }
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
        var run = CommitRun(connection: connection, collections: collections, now: environment.now, failed: tell)
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
