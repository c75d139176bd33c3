import Foundation
import PredicateQL
import PredicateQLService
import PredicateQLStore
import StoreModel

/// The offline store, beside GRDB with a table for this struct and an outbox, written by hand.
///
/// Times are wall time: a store works on an actor.
struct StoreBenchmark: Sendable {
    let rows: Int
    let hasRivals: Bool
    let folder = NSTemporaryDirectory() + "store-benchmark-\(getpid())"

    struct Book: Entity {
        static let collection = "Book"
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var title: String
        var author: String
        var year: Int
        var price: Double

        init(_ number: Int) {
            title = "The book of number \(number)"
            author = "author \(number % 997)"
            year = 1_500 + number % 500
            price = Double(number % 10_000) / 100
        }
    }

    /// A service in this process that remembers its answers, so that a measurement does not measure the service.
    actor Recording: Transport {
        private let service: Service
        private var answers: [WireRequest: WireResponse] = [:]
        var replays = false

        init(_ service: Service) { self.service = service }

        func replay() { replays = true }

        func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
            var key = request
            key.headers = []
            if replays, let answer = answers[key] { return answer }
            let answer = await service.answer(request)
            if request.method == "GET" { answers[key] = answer }
            return answer
        }
    }

    func run() async throws -> Comparison {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rival = hasRivals ? try StoreRival(folder + "/rival.sqlite") : nil
        var comparison = Comparison(work: "store", rival: "GRDB by hand", goal: 1.3)
        comparison.note = "In parentheses stands what each may take."
        try await writes(&comparison, rival)
        let network = Recording(try service())
        try await pulls(&comparison, rival, network)
        return comparison
    }

    private func service() throws -> Service {
        var configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
        configuration.rights = .public
        configuration.deltas = .all
        configuration.limits.requestsPerSecond = nil
        return try Service(path: ":memory:", configuration, .insecure, readers: 0)
    }

    private func client(_ network: any Transport, _ name: String) throws -> StoreClient {
        try StoreClient(network, app: .init(key: "kid", secret: "s"), cache: .folder(folder + "/" + name))
    }

    // MARK: Parts

    private func writes(_ comparison: inout Comparison, _ rival: StoreRival?) async throws {
        let many = max(rows / 10, 100)
        let client = try client(Recording(try service()), "writes")
        let books = client.store(Book.self, .sync)
        var number = 0
        let one = try await compare(200, rounds: 9) {
            number += 1
            try await books.save(Book(number))
        } _: {
            number += 1
            try rival?.save([Book(number)])
        }
        comparison.entries.append(entry("save (150 µs)", one, rival))
        let all = (0..<many).map(Book.init)
        let batch = try await compare(1, rounds: 3) {
            try await books.save(all)
        } _: {
            try rival?.save(all)
        }
        comparison.entries.append(entry("save \(many) in one call (400 ms)", batch, rival))
        try await books.clear()
        var pushes: [Double] = []
        for _ in 0..<3 {
            try await books.save(all)
            let start = ContinuousClock.now
            let result = try await books.push()
            pushes.append((ContinuousClock.now - start).nanoseconds)
            guard result.count == many else { throw QueryError(.store, "\(result.failures.first as Any)") }
            try await books.clear()
        }
        comparison.entries.append(.init(name: "push of \(many) new ones (1.5 s)", found: many, ours: pushes.min() ?? 0))
    }

    private func pulls(_ comparison: inout Comparison, _ rival: StoreRival?, _ network: Recording) async throws {
        let writer = try client(network, "writer").store(Book.self, .sync)
        try await writer.save((0..<rows).map(Book.init))
        _ = try await writer.push()
        try await writer.clear()
        try await writer.pull()
        await network.replay()
        var times: [Double] = []
        var theirs: [Double] = []
        for round in 0..<3 {
            let books = try client(network, "reader\(round)").store(Book.self, .sync)
            let start = ContinuousClock.now
            try await books.pull()
            times.append((ContinuousClock.now - start).nanoseconds)
            if let rival {
                // The first answer only says whose service it is.
                let pages = try await pages(network).map(\.body).filter { $0.first == UInt8(ascii: "[") }
                let start = ContinuousClock.now
                try rival.pull(pages)
                theirs.append((ContinuousClock.now - start).nanoseconds)
            }
        }
        let pull = (times.min() ?? 0, theirs.min() ?? 0)
        let memory = try StoreMemory(folder: folder + "/pages").measure(try await pages(network))
        let size = memory.map { "\($0 >> 20)" } ?? "?"
        comparison.entries.append(entry("pull of \(rows) (3 s), \(size) MB (40 MB)", pull, rival))
        try await reads(&comparison, rival, client(network, "reader0").store(Book.self, .sync))
    }

    private func reads(_ comparison: inout Comparison, _ rival: StoreRival?, _ books: DataStore<Book>) async throws {
        var author = 0
        let found = try await compare(100, rounds: 9) {
            author = (author + 1) % 997
            let query = try Query(format: "author == \("author \(author)")", order: ["year"], limit: 20)
            guard try await books.find(query).count == min(20, rows / 997 + 1) || rows < 20_000 else {
                throw QueryError(.store, "find")
            }
        } _: {
            author = (author + 1) % 997
            _ = try rival?.find("author \(author)")
        }
        comparison.entries.append(entry("find 20 of \(rows) by an index (1 ms)", found, rival))
        let counted = try await compare(20, rounds: 9) {
            author = (author + 1) % 997
            _ = try await books.count(Query(format: "author == \("author \(author)")"))
        } _: {
            author = (author + 1) % 997
            _ = try rival?.count("author \(author)")
        }
        comparison.entries.append(entry("count by an index (2 ms)", counted, rival))
        let whole = try await compare(5, rounds: 5) {
            _ = try await books.count()
        } _: {
            _ = try rival?.count()
        }
        comparison.entries.append(entry("count all (2 ms)", whole, rival))
        let delta = Options(deltaSync: true)
        try await books.pull(options: delta)
        let (nothing, _) = try await compare(20, rounds: 5) {
            let result = try await books.pull(options: delta)
            guard result.wasDelta, result.changed == 0 else { throw QueryError(.store, "no delta of nothing") }
        } _: {
        }
        comparison.entries.append(.init(name: "delta of nothing (5 ms)", ours: nothing))
    }

    /// The pages of a whole pull.
    private func pages(_ network: Recording) async throws -> [WireResponse] {
        let recorder = Pages(network)
        try await StoreClient(recorder, app: .init(key: "kid", secret: "s"), cache: .memory)
            .store(Book.self, .sync).pull()
        return await recorder.pages
    }

    private actor Pages: Transport {
        private let network: Recording
        var pages: [WireResponse] = []

        init(_ network: Recording) { self.network = network }

        func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
            let response = try await network.send(request, timeout: timeout)
            pages.append(response)
            return response
        }
    }

    // MARK: Measuring

    private func entry(_ name: String, _ times: (Double, Double), _ rival: StoreRival?) -> Comparison.Entry {
        .init(name: name, ours: times.0, theirs: rival == nil ? nil : times.1)
    }

    /// The best of several rounds of each, one after the other.
    private func compare(
        _ repeats: Int,
        rounds: Int,
        _ ours: () async throws -> Void,
        _ theirs: () async throws -> Void
    ) async throws -> (Double, Double) {
        var best = (Double.infinity, Double.infinity)
        for _ in 0..<rounds {
            best.0 = min(best.0, try await time(repeats, ours))
            best.1 = min(best.1, try await time(repeats, theirs))
        }
        return best
    }

    private func time(_ repeats: Int, _ work: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        for _ in 0..<repeats { try await work() }
        return (ContinuousClock.now - start).nanoseconds / Double(repeats)
    }
}

extension Duration {
    fileprivate var nanoseconds: Double { Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9 }
}

extension Benchmarks {
    /// Pulls the pages of a folder, and prints the memory that it took.
    func pull(_ folder: String) throws { try wait { try await StoreMemory(folder: folder).pull() } }

    func store() throws {
        let benchmark = StoreBenchmark(rows: rows, hasRivals: hasRivals)
        report.add(try wait { try await benchmark.run() })
    }

    /// Runs asynchronous work to its end, on other threads than this one.
    private func wait<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let end = DispatchSemaphore(value: 0)
        let box = Box<Value>()
        Task.detached {
            box.result = await Result { try await work() }
            end.signal()
        }
        end.wait()
        guard let result = box.result else { throw QueryError(.store, "the work did not end") }
        return try result.get()
    }

    /// Set before the semaphore is signalled, read afterwards.
    private final class Box<Value: Sendable>: @unchecked Sendable {
        var result: Result<Value, any Error>?
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ work: () async throws -> Success) async {
        do { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
