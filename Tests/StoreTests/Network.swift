import Foundation
import PredicateQLService
import PredicateQLStore
import QueryValues
import StoreModel
import StoreSupport
import Testing

/// A network that a test switches off, and that loses answers.
final class Network: Transport {
    let harness: ServiceHarness
    /// Whether the service looks like one that is not ours: no headers of ours, no receipts, no pages of deltas.
    let isForeign: Bool
    private let state = Mutex((isOnline: true, losesAnswers: false, sent: [String]()))

    init(_ harness: ServiceHarness, isForeign: Bool = false) {
        (self.harness, self.isForeign) = (harness, isForeign)
    }

    var isOnline: Bool {
        get { state.withLock { $0.isOnline } }
        set { state.withLock { $0.isOnline = newValue } }
    }
    var losesAnswers: Bool {
        get { state.withLock { $0.losesAnswers } }
        set { state.withLock { $0.losesAnswers = newValue } }
    }
    var sent: [String] { state.withLock { $0.sent } }

    func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
        guard isOnline else { throw .unreachable("offline") }
        state.withLock { $0.sent.append(request.method) }
        let response = await harness.answer(request, isForeign: isForeign)
        if losesAnswers { throw .timedOut }
        return response
    }
}

extension ServiceHarness {
    /// The service's answer, or what a service that is not ours would say: it knows no headers of ours, no receipts, no
    /// conditions and no pages of deltas.
    func answer(_ request: WireRequest, isForeign: Bool) async -> WireResponse {
        guard isForeign else { return await service.answer(request) }
        var request = request
        for name in ["Idempotency-Key", "If-Match", "If-None-Match", "X-PQL-Client", "X-PQL-Epoch"] {
            request.headers[name] = nil
        }
        let text = String(decoding: request.body, as: UTF8.self)
        request.body = Array(text.replacing(/,?"_kmd":\{"rid":"[^"]*"\}/, with: "").utf8)
        if request.path.hasSuffix("_deltaset") {
            request.query = request.query.split(separator: "&").filter { item in
                !["limit=", "until=", "after="].contains { item.hasPrefix($0) }
            }.joined(separator: "&")
        }
        var response = await service.answer(request)
        for field in response.headers where field.name.hasPrefix("X-PQL") { response.headers[field.name] = nil }
        response.headers["ETag"] = nil
        return response
    }

    /// A service that keeps histories, and lets everyone read and write.
    static func open() throws -> ServiceHarness {
        try ServiceHarness {
            $0.deltas = .all; $0.rights = .public
        }
    }

    /// A client behind a network.
    func client(
        over network: Network,
        _ cache: StoreClient.CacheLocation = .memory,
        options: Options = Options(),
        migrations: [Migration] = [],
        serviceVersion: Int = 0,
        seed: UInt64 = 1
    ) throws -> StoreClient {
        let numbers = Clock(seed: seed)
        let time = time
        return try StoreClient(
            network,
            app: .init(key: Self.key, secret: "s"),
            cache: cache,
            options: options,
            migrations: migrations,
            serviceVersion: serviceVersion,
            environment: StoreEnvironment(now: { time.now }, random: { numbers.random() })
        )
    }
}

/// A folder for caches, which goes with the last who uses it.
final class CacheFolder: Sendable {
    let path = NSTemporaryDirectory() + "predicateql-store-" + UUID().uuidString

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Stores 400 changes that wait, in pages of the file and not of its log.
    func fill(_ harness: ServiceHarness) async throws {
        let novels = try harness.client(.folder(path)).store(Novel.self, .sync)
        try await novels.save((0..<400).map { Novel(id: "b\($0)", title: String(repeating: "t", count: 400)) })
    }

    /// Overwrites a page in the middle of those that hold them.
    func damage() throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path + "/kid-anonymous.sqlite"))
        let bytes = try #require(try file.readToEnd())
        let text = Data(String(repeating: "t", count: 400).utf8)
        let pages = stride(from: 0, to: bytes.count, by: 4_096).filter {
            bytes[$0..<min($0 + 4_096, bytes.count)].range(of: text) != nil
        }
        try #require(pages.count > 20)
        try file.seek(toOffset: UInt64(pages[pages.count / 2]))
        try file.write(contentsOf: Data(repeating: 0xFF, count: 4_096))
        try file.close()
    }
}
