import Dispatch
import PredicateQL
import PredicateQLService
import StoreModel
import Synchronization

extension Checks {
    /// Any request gets an answer: a success, or an error of a listed status with three texts.
    ///
    /// The first byte says who sends the request; then come a line with the method and the target, headers, an empty
    /// line and the body. The service keeps what earlier requests wrote, and is made anew after a thousand.
    ///
    /// - Parameter bytes: what the fuzzer made.
    public static func service(_ bytes: [UInt8]) {
        guard let request = request(bytes) else { return }
        let response = FuzzedService.shared.answer(request)
        let body = String(decoding: response.body, as: UTF8.self)
        let shown = "\(request.method) \(request.path)?\(request.query): \(response.status) \(body)"
        require(FuzzedService.statuses.contains(response.status), "unlisted status: \(shown)")
        require(response.headers["X-Kinvey-Request-Id"] != nil, "no id: \(shown)")
        guard request.method != "HEAD", response.status >= 400 else { return }
        guard case .object(let error)? = try? QueryValue(json: body) else { fatalError("no object: \(shown)") }
        require(error.keys.starts(with: ["error", "description", "debug"]), "not three texts: \(shown)")
        require(response.status < 500 || body.contains("already exists"), "a failure inside: \(shown)")
    }

    private static func request(_ bytes: [UInt8]) -> WireRequest? {
        guard let first = bytes.first else { return nil }
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        let halves = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = halves[0].split(separator: "\n")
        guard let words = lines.first?.split(separator: " ", maxSplits: 1), words.count == 2 else { return nil }
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var headers: HeaderFields = [("Content-Type", "application/json")]
        headers["Authorization"] = FuzzedService.senders[Int(first) % FuzzedService.senders.count]
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":", maxSplits: 1)
            if sides.count == 2 { headers[String(sides[0])] = String(sides[1].drop { $0 == " " }) }
        }
        return WireRequest(
            String(words[0]),
            String(target[0]),
            query: target.count == 2 ? String(target[1]) : "",
            headers: headers,
            body: halves.count == 2 ? Array(halves[1].utf8) : []
        )
    }
}

/// The service that the fuzzer asks.
private final class FuzzedService: Sendable {
    static let shared = FuzzedService()
    static let statuses: Set<Int> = [
        200, 201, 204, 207, 304, 400, 401, 403, 404, 405, 409, 412, 413, 414, 415, 429, 500, 503,
    ]
    /// The master secret, the app's secret (key `kid`), and nobody.
    static let senders: [String?] = ["Basic a2lkOm0=", "Basic a2lkOnM=", nil]

    private let state = Mutex<(service: Service?, asked: Int)>((nil, 0))

    func answer(_ request: WireRequest) -> WireResponse {
        let service = state.withLock { state in
            if state.asked % 1_000 == 0 { state.service = Self.make() }
            state.asked += 1
            return state.service
        }
        guard let service else { fatalError("no service") }
        let holder = Holder()
        let done = DispatchSemaphore(value: 0)
        Task.detached(executorPreference: Self.executor) {
            holder.set(await service.answer(request))
            done.signal()
        }
        done.wait()
        guard let response = holder.response else { fatalError("no answer") }
        return response
    }

    /// A thread of its own, since the caller's waits.
    private static let executor = Executor()

    private final class Executor: TaskExecutor {
        private let queue = DispatchQueue(label: "service")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    private final class Holder: Sendable {
        private let stored = Mutex<WireResponse?>(nil)

        var response: WireResponse? { stored.withLock { $0 } }

        func set(_ response: WireResponse) { stored.withLock { $0 = response } }
    }

    private static func make() -> Service? {
        var configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
        configuration.deltas = .all
        configuration.rightsOfCollections = ["Pub": .public]
        configuration.limits.requestsPerSecond = nil
        configuration.limits.logInsPerMinute = nil
        let clock = Clock()
        let environment = ServiceEnvironment(
            now: { clock.next() },
            random: { UInt64(bitPattern: clock.next()) &* 0x9E37_79B9_7F4A_7C15 },
            digest: ServiceEnvironment.insecure.digest,
            passwordHash: { password, salt, _ in password + salt }
        )
        return try? Service(path: ":memory:", configuration, environment, readers: 0)
    }

    private final class Clock: Sendable {
        private let last = Mutex<Int64>(1_594_916_197_597)

        func next() -> Int64 {
            last.withLock { last in
                last += 1
                return last
            }
        }
    }
}
