import Foundation
import PredicateQL
import PredicateQLStore
import QueryValues
import StoreModel

/// What the owner's guides of data stores promise, section by section in their order, on a store of one type.
///
/// It runs over any service: the one of a test, or `pql serve`. What does not hold is collected, not thrown.
package final class GuideWalk {
    /// A network between a device and the service, which can be switched off.
    package final class Line: Transport {
        private let service: any Transport
        private let state = Mutex((isOnline: true, methods: [String](), timeout: Duration?.none))

        init(_ service: any Transport) { self.service = service }

        var isOnline: Bool {
            get { state.withLock { $0.isOnline } }
            set { state.withLock { $0.isOnline = newValue } }
        }

        /// The methods of the requests since the last call.
        func sent() -> [String] {
            state.withLock { state in
                defer { state.methods = [] }
                return state.methods
            }
        }

        /// How long the last request might take.
        var timeout: Duration? { state.withLock { $0.timeout } }

        package func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
            let isOnline = state.withLock { state in
                state.methods.append(request.method)
                state.timeout = timeout
                return state.isOnline
            }
            guard isOnline else { throw .unreachable("offline") }
            return try await service.send(request, timeout: timeout)
        }
    }

    /// What did not hold.
    package private(set) var failures: [String] = []
    /// How many statements were looked at.
    package private(set) var count = 0

    let type: StoreType
    private let service: any Transport
    private let secrets: (app: String, master: String)
    private let clock: ServiceHarness.Clock
    private var seed: UInt64 = 0
    private var section = ""

    /// A walk.
    ///
    /// - Parameters:
    ///   - service: what answers for the app `kid`; everybody may write, and the collection Book has a history.
    ///   - type: the type of the store.
    ///   - secrets: of the app and of its master.
    ///   - clock: the devices' clock.
    package init(
        _ service: any Transport,
        _ type: StoreType,
        secrets: (app: String, master: String) = ("s", "m"),
        clock: ServiceHarness.Clock = ServiceHarness.Clock()
    ) {
        (self.service, self.type, self.secrets, self.clock) = (service, type, secrets, clock)
    }

    /// Walks all sections.
    package func run() async throws {
        for (name, part) in [
            ("entities", entities), ("fetching", fetching), ("saving", saving), ("several at once", severalAtOnce),
            ("deleting", deleting), ("queries", queries), ("modifiers", modifiers), ("special keys", specialKeys),
            ("counting and groups", groups), ("outage", outage), ("pull and push", pullAndPush), ("sync", sync),
            ("policies", policies), ("timeout", timeout), ("conflicts", conflicts), ("delta", delta),
            ("paging", paging),
        ] as [(String, () async throws -> Void)] {
            section = name
            do {
                try await removeAll()
                try await part()
            } catch {
                failures.append("\(name): threw \(error)")
            }
        }
    }

    // MARK: Checks

    func check(_ statement: String, _ holds: Bool, _ details: @autoclosure () -> String = "") {
        count += 1
        if !holds { failures.append("\(section): \(statement) \(details())") }
    }

    func equal<Value: Equatable>(_ statement: String, _ found: Value, _ wanted: Value) {
        check(statement, found == wanted, "\(found) instead of \(wanted)")
    }

    func refuses(
        _ statement: String,
        _ isExpected: (StoreError) -> Bool = { _ in true },
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            check(statement, false, "nothing thrown")
        } catch {
            check(statement, (error as? StoreError).map(isExpected) ?? false, "\(error)")
        }
    }

    // MARK: Devices

    var keepsRows: Bool { type != .network }

    /// A device with the store.
    func device(
        _ type: StoreType? = nil,
        options: Options = Options(),
        paging: Bool = true
    ) throws -> (books: DataStore<GuideBook>, line: Line, client: StoreClient) {
        seed += 1
        let numbers = ServiceHarness.Clock(
            seed: seed &+ UInt64(self.type.rawValue.utf8.reduce(0) { $0 + Int($1) }) << 20
        )
        let line = Line(service)
        let clock = clock
        let client = try StoreClient(
            line,
            app: .init(key: ServiceHarness.key, secret: secrets.app),
            cache: .memory,
            options: options,
            environment: StoreEnvironment(now: { clock.now }, random: { numbers.random() })
        )
        return (client.store(GuideBook.self, type ?? self.type, paging: paging), line, client)
    }

    /// Longer than a client takes the service for unreachable after a failure.
    func wait() { clock.advance(60_000) }

    var now: Int64 { clock.now }

    func clock(advance milliseconds: Int64) { clock.advance(milliseconds) }

    /// What the service answers to a request of its master.
    func raw(_ method: String, _ path: String, _ body: String = "", query: String = "") async throws -> QueryValue {
        let token = Data("\(ServiceHarness.key):\(secrets.master)".utf8).base64EncodedString()
        let request = WireRequest(
            method,
            "/appdata/\(ServiceHarness.key)/\(path)",
            query: query,
            headers: [("Authorization", "Basic " + token), ("Content-Type", "application/json")],
            body: Array(body.utf8)
        )
        let response = try await service.send(request, timeout: .seconds(60))
        return try response.body.isEmpty ? .null : QueryValue(json: response.body)
    }

    /// An entity as the service has it.
    func stored(_ id: String) async throws -> Document {
        if case .object(let entity) = try await raw("GET", "Book/\(id)"), entity["error"] == nil { entity } else { [:] }
    }

    /// What one user hides, nobody else removes; the master does.
    private func removeAll() async throws { _ = try await raw("DELETE", "Book", query: "query=%7B%7D") }

    /// Six books, one of them with a null, one without anything.
    func fill() async throws -> [Document] {
        var books: [Document] = []
        for (number, text) in Self.books.enumerated() {
            guard case .object(let book) = try QueryValue(json: text) else { continue }
            _ = try await raw("PUT", "Book/b\(number + 1)", text)
            var document = book
            document["_id"] = .string("b\(number + 1)")
            books.append(document)
        }
        return books
    }

    private static let books = [
        #"{"title":"The Hobbit","author":"Tolkien","date":"1937-09-21T00:00:00.000Z","location":"Mike's House","state":"MA","#
            + #""population":60000,"children":[{"age":3},{"age":5}],"country":"GB","age":30}"#,
        #"{"title":"Emma","author":"Austen","date":"1815-12-23T00:00:00.000Z","location":"Library","state":"MA","#
            + #""population":40000,"children":[{"age":9}],"country":"GB","age":41}"#,
        #"{"title":"Dune","author":"Herbert","date":"1965-08-01T00:00:00.000Z","state":"NY","population":90000,"#
            + #""children":[],"country":"US","age":45}"#,
        #"{"title":"Ulysses","author":"Joyce","date":"1922-02-02T00:00:00.000Z","location":null,"population":50000,"#
            + #""country":"IE","age":40}"#,
        #"{"title":"The Dubliners","author":"Joyce","state":"MA","population":50000,"country":"IE","age":32}"#, "{}",
    ]

    static func ids(_ books: [GuideBook]) -> [String] { books.compactMap(\._id) }
}

/// The book of the guides, with the fields that their queries name.
package struct GuideBook: Entity, Equatable {
    package static let collection = "Book"
    package var _id: String?
    package var _acl: AccessControl?
    package var _kmd: Metadata?
    package var title: String?
    package var authorName: String?
    package var publishDate: Date?
    package var location: String?
    package var state: String?
    package var population: Int?
    package var children: [Child]?
    package var country: String?
    package var age: Int?

    package struct Child: Codable, Equatable, Sendable {
        package var age: Int?
    }

    enum CodingKeys: String, CodingKey {
        case title, location, state, population, children, country, age
        case authorName = "author"
        case publishDate = "date"
    }

    package init(_ title: String? = nil, id: String? = nil, population: Int? = nil) {
        (self.title, _id, self.population) = (title, id, population)
    }
}
