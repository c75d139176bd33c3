import PredicateQL
import QueryValues
import StoreModel

extension Service {
    /// The answers that need no credentials; nil for other routes.
    func operate(_ route: Route) async throws(ServiceFault) -> WireResponse? {
        switch route {
        case .health: return .json(.object(["status": "ok"]))
        case .ready:
            let start = ContinuousClock.now
            // Only what takes pages tells whether writes are committed: a commit of nothing succeeds on a full disk.
            try await storage.change { (group) throws(QueryError) in
                try group.connection.run("INSERT OR REPLACE INTO meta VALUES ('probe', hex(randomblob(4096)))")
            }
            guard ContinuousClock.now - start < .seconds(1) else {
                throw ServiceFault(.serviceUnavailable, debug: "a commit took longer than a second", retryAfter: 1)
            }
            return .json(.object(["status": "ready"]))
        case .metrics:
            let text = metrics.text(storage.committer.figures, storage.figures)
            var response = WireResponse(status: 200, body: Array(text.utf8))
            response.headers["Content-Type"] = "text/plain; version=0.0.4; charset=utf-8"
            return response
        case .openAPI: return .json(OpenAPI.document(configuration))
        default: return nil
        }
    }
}

/// Counters of the service as Prometheus text.
final class ServiceMetrics: Sendable {
    private struct Series: Hashable {
        var route: String
        var status: Int
    }

    struct Histogram {
        var counts = Array(repeating: 0, count: ServiceMetrics.bounds.count)
        var sum = 0.0
        var count = 0
    }

    private struct State {
        var requests: [Series: Int] = [:]
        var seconds: [String: Histogram] = [:]
        var bytes = 0
    }

    /// Upper bounds in seconds.
    static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private let state = Mutex(State())

    func count(_ route: Route?, _ response: WireResponse, _ time: Duration) {
        let name = route?.rawValue ?? "none"
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        state.withLock { state in
            state.requests[Series(route: name, status: response.status), default: 0] += 1
            state.bytes += response.body.count
            state.seconds[name, default: Histogram()].add(seconds)
        }
    }

    /// The text of `/metrics`.
    func text(_ figures: CommitFigures, _ others: [(name: String, isTotal: Bool, value: Int)]) -> String {
        let state = state.withLock { $0 }
        var out = "# TYPE pql_requests_total counter\n"
        for (series, count) in state.requests.sorted(by: {
            ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status)
        }) {
            out += "pql_requests_total{route=\"\(series.route)\",status=\"\(series.status)\"} \(count)\n"
        }
        out += "# TYPE pql_request_seconds histogram\n"
        for (route, histogram) in state.seconds.sorted(by: { $0.key < $1.key }) {
            out += histogram.text("pql_request_seconds", route)
        }
        out += "# TYPE pql_answer_bytes_total counter\npql_answer_bytes_total \(state.bytes)\n"
        out += "# TYPE pql_commits_total counter\npql_commits_total \(figures.commits)\n"
        out += "# TYPE pql_committed_writes_total counter\npql_committed_writes_total \(figures.writes)\n"
        out += "# TYPE pql_commit_seconds_total counter\npql_commit_seconds_total \(figures.seconds)\n"
        out += "# TYPE pql_waiting_writes gauge\npql_waiting_writes \(figures.waiting)\n"
        var typed: Set<Substring> = []
        for (name, isTotal, value) in others {
            let plain = name.prefix { $0 != "{" }
            if typed.insert(plain).inserted { out += "# TYPE \(plain) \(isTotal ? "counter" : "gauge")\n" }
            out += "\(name) \(value)\n"
        }
        return out
    }

    static func label(_ bound: Double) -> String {
        bound == bound.rounded() ? String(Int(bound)) : String(bound)
    }
}

extension ServiceMetrics.Histogram {
    mutating func add(_ seconds: Double) {
        for (position, bound) in ServiceMetrics.bounds.enumerated() where seconds <= bound { counts[position] += 1 }
        sum += seconds
        count += 1
    }

    func text(_ name: String, _ route: String) -> String {
        var out = ""
        for (bound, count) in zip(ServiceMetrics.bounds, counts) {
            out += "\(name)_bucket{route=\"\(route)\",le=\"\(ServiceMetrics.label(bound))\"} \(count)\n"
        }
        out += "\(name)_bucket{route=\"\(route)\",le=\"+Inf\"} \(count)\n"
        return out + "\(name)_sum{route=\"\(route)\"} \(sum)\n\(name)_count{route=\"\(route)\"} \(count)\n"
    }
}

/// What the committer did.
struct CommitFigures: Sendable {
    var commits = 0
    var writes = 0
    var seconds = 0.0
    var waiting = 0
}
