import PredicateQL
import StoreModel

/// An app's access to its data service: the user who is logged in, the cache, and pending changes.
///
///     try await client.signUp(username: "ann", password: "secret")
///     let notes = client.store(Novel.self, .sync)
///     try await notes.save(Novel(title: "Emma"))
///     try await client.push().count  // → 1
///
/// Each user has a separate cache, so that one user's changes are never sent with another's token. A process may have
/// several clients.
public actor StoreClient {
    /// The key and the secret that identify an app to its service.
    public struct App: Hashable, Sendable {
        /// The key in the paths of the service.
        public var key: String
        /// The secret shared by the app's clients.
        public var secret: String

        /// An app.
        ///
        /// - Parameters:
        ///   - key: the key in the paths of the service.
        ///   - secret: the secret shared by the app's clients.
        public init(key: String, secret: String) {
            self.key = key
            self.secret = secret
        }
    }

    /// Where the cache is kept.
    public enum CacheLocation: Hashable, Sendable {
        /// In memory, one for each user, as long as the client exists.
        case memory
        /// In a folder, with a file for each app and user.
        case folder(String)
    }

    /// What survives a power cut; a killed process never loses anything.
    public enum Durability: String, Hashable, Sendable, CaseIterable {  // W1
        /// Everything but the last moments.
        case normal
        /// Everything.
        case full
    }

    /// A user's place: the cache and the token that belong together while an operation runs.
    struct Seat: Hashable, Sendable {
        var number: Int
        var user: User?
    }

    let transport: any Transport
    let app: App
    private let shownOptions: Mutex<Options>
    let listeners = EventListeners()
    let environment: StoreEnvironment
    let migrations: [Migration]
    /// The steps between the service's form of entities and the app's, in their order.
    let serviceSteps: [Migration]
    private let location: CacheLocation
    private let durability: Durability
    private var caches: [Int: Cache] = [:]
    /// The caches in memory of users who are not logged in now.
    private var kept: [String?: Cache] = [:]
    private(set) var seat: Seat
    /// Damaged cache files that were set aside; an app may inform its user, or try to read them.
    ///
    ///     await client.setAside.count  // → 0
    public private(set) var setAside: [SetAsideFile] = []
    /// The last hundred entities that finds and pulls left out because they cannot be decoded.
    ///
    ///     await client.unreadable.count  // → 0
    public private(set) var unreadable: [UnreadableEntity] = []
    let lanes = Lanes()
    private var watchers: [Int: (collection: String, changed: AsyncStream<Void>.Continuation)] = [:]
    private var watcherCount = 0
    private var pushes: [Int: AsyncStream<Void>.Continuation] = [:]
    var reachability = Reachability()
    /// When what did not pass is sent again by itself.
    var schedule = PushSchedule()
    /// When the service reported that collections have no deltas, milliseconds since 1970.
    var collectionsWithoutDeltas: [String: Int64] = [:]
    /// True if the service is one of ours, according to its responses; nil before the first.
    var isOurs: Bool?
    /// What this client wrote over.
    var ownVersions = OwnVersions()
    /// The places of the last ten thousand changes that were overruled, or more: the calls that made them may wait.
    var overruled: [Set<[Int64]>] = [[], []]
    /// How often each collection was cleared: a pull that is under way ends then.
    var clears: [String: Int] = [:]

    /// A client of a service.
    ///
    /// - Parameters:
    ///   - transport: sends requests to the service.
    ///   - app: the app's key and secret.
    ///   - cache: where the cache is kept.
    ///   - options: default options of all stores.
    ///   - migrations: the steps to the app's version of its entities, those of earlier versions too.
    ///   - serviceVersion: the version of the service's entities; steps up to it apply to cached entities alone.
    ///   - durability: what survives a power cut.
    ///   - environment: clock, randomness and waiting.
    /// - Throws: `StoreError.cache` when the file cannot be opened.
    public init(
        _ transport: any Transport,
        app: App,
        cache: CacheLocation,
        options: Options = Options(),
        migrations: [Migration] = [],
        serviceVersion: Int = 0,
        durability: Durability = .normal,
        environment: StoreEnvironment = .system
    ) throws(StoreError) {
        self.transport = transport
        self.app = app
        shownOptions = Mutex(options)
        self.environment = environment
        self.migrations = migrations
        serviceSteps = migrations.filter { $0.version > serviceVersion }.sorted { $0.version < $1.version }
        self.durability = durability
        location = cache
        seat = Seat(number: 0, user: nil)
        let cache = try Self.open(location, app, nil, durability, migrations, environment)
        caches[0] = cache
        if let file = cache.setAside { setAside.append(file) }
    }

    /// A client of a service over HTTP: by URLSession, on Linux by libcurl if version 7.68 or later is available.
    ///
    /// The address is as for ``URLSessionTransport``, the other parameters as above.
    ///
    /// - Throws: `StoreError.badEntity` for a text that is no address, and `cache` when the file cannot be opened.
    public init(
        service: String,
        app: App,
        cache: CacheLocation,
        options: Options = Options(),
        migrations: [Migration] = [],
        serviceVersion: Int = 0,
        durability: Durability = .normal,
        environment: StoreEnvironment = .system
    ) throws(StoreError) {
        try self.init(
            Self.transport(to: service),
            app: app,
            cache: cache,
            options: options,
            migrations: migrations,
            serviceVersion: serviceVersion,
            durability: durability,
            environment: environment
        )
    }

    /// The default transport over HTTP.
    package static func transport(to service: String) throws(StoreError) -> any Transport {
        #if os(Linux)
            if let transport = try CurlTransport(service) { return transport }
        #endif
        return try URLSessionTransport(service)
    }

    /// Default options for all stores; changes apply to later calls.
    ///
    ///     client.options.timeout = .seconds(120)
    ///     client.options.timeout == .seconds(120)  // → true
    public nonisolated var options: Options {
        get { shownOptions.withLock { $0 } }
        set { shownOptions.withLock { $0 = newValue } }
    }

    /// A store of entities; stores are values, and several may use one collection.
    ///
    /// - Parameters:
    ///   - type: the type of the entities.
    ///   - storeType: where entities are kept and when the service is queried.
    ///   - options: options of this store.
    ///   - paging: true to pull in pages, so that no result is cut.
    /// - Returns: the store.
    public nonisolated func store<Value: Entity>(
        _ type: Value.Type,
        _ storeType: StoreType = .auto,
        options: Options = Options(),
        paging: Bool = true
    ) -> DataStore<Value> {
        DataStore(client: self, type: storeType, options: options, isPaged: paging)
    }

    // MARK: Users

    /// The user who is logged in; nil if none is.
    public var activeUser: User? { seat.user }

    /// Opens the cache of a user; what runs for another one ends with `cancelled`.
    func take(_ user: User?) throws(StoreError) {
        defer {
            schedule = PushSchedule()
            wakePushes()
        }
        guard user?.id != seat.user?.id else {
            seat.user = user
            return
        }
        let known = kept.removeValue(forKey: user?.id)
        let cache =
            if let known { known } else {
                try Self.open(location, app, user, durability, migrations, environment)
            }
        if location == .memory { kept[seat.user?.id] = caches[seat.number] }
        caches[seat.number] = nil
        seat = Seat(number: seat.number + 1, user: user)
        caches[seat.number] = cache
        if known == nil, let file = cache.setAside { setAside.append(file) }
    }

    /// The cache of the user that an operation began with.
    func cache(_ seat: Seat) throws(StoreError) -> Cache {
        guard let cache = caches[seat.number], !environment.isEnded() else { throw .cancelled }
        return cache
    }

    /// A damaged file is checked when it is next opened.
    func noteDamage(_ error: QueryError) { caches[seat.number]?.note(error) }

    /// Where the file that remembers the user is; nil in memory.
    var sessionPath: String? {
        if case .folder(let folder) = location { folder + "/" + Self.fileName(app.key) + ".session" } else { nil }
    }

    private static func open(
        _ location: CacheLocation,
        _ app: App,
        _ user: User?,
        _ durability: Durability,
        _ migrations: [Migration],
        _ environment: StoreEnvironment
    ) throws(StoreError) -> Cache {
        let path: String
        switch location {
        case .memory: path = ":memory:"
        case .folder(let folder):
            try StoreFiles.makeFolder(folder)
            path = folder + "/" + fileName(app.key) + "-" + fileName(user?.id ?? "anonymous") + ".sqlite"
        }
        do throws(QueryError) {
            return try Cache.open(path, isFull: durability == .full, migrations, environment)
        } catch {
            throw .cache(error)
        }
    }

    /// A text as part of a file's name: other characters than letters, digits and `-` as their bytes.
    private static func fileName(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                String(UnicodeScalar(byte))
            default: "_" + String(byte, radix: 16)
            }
        }.joined()
    }

    // MARK: Lanes and watchers

    /// Runs an operation alone among those of its lane: one push and one pull of a collection at a time.
    ///
    /// - Parameters:
    ///   - lane: the lane.
    ///   - timeout: how long it may wait for its turn; nil for no limit.
    ///   - body: the operation.
    /// - Returns: its result.
    /// - Throws: `timedOut`, `cancelled` if the task is cancelled while it waits, `asking`, and what the operation throws.
    func alone<Result: Sendable>(
        _ lane: String,
        _ timeout: Duration?,
        _ body: () async throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        if lanes.waitForThisTask(in: lane) { throw .asking }
        if let place = lanes.enter(lane) {
            let hasTurn = await withTaskGroup(of: Void.self) { group in
                if let timeout {
                    group.addTask {
                        await self.environment.sleep(timeout)
                        self.lanes.leave(place, in: lane)
                    }
                }
                defer { group.cancelAll() }
                return await lanes.turn(place, in: lane)
            }
            guard hasTurn else { throw Task.isCancelled ? .cancelled : .timedOut }
        }
        defer { lanes.pass(lane) }
        return try await body()
    }

    /// Keeps what could not be read, the last hundred of it.
    func note(_ entities: [UnreadableEntity]) {
        for entity in entities { report(.unreadable(entity)) }
        let new = entities.suffix(100)
        unreadable.removeAll { known in new.contains { $0.collection == known.collection && $0.id == known.id } }
        unreadable = (unreadable + new).suffix(100)
    }

    /// Tells those who observe a collection that its rows changed.
    func tell(_ collection: String) {
        for watcher in watchers.values where watcher.collection == collection { watcher.changed.yield() }
    }

    /// Changes of a collection's rows, from now on.
    func changes(of collection: String) -> AsyncStream<Void> {
        let number = watcherCount
        watcherCount += 1
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.onTermination = { _ in Task { await self.forget(watcher: number) } }
        watchers[number] = (collection, continuation)
        return stream
    }

    private func forget(watcher number: Int) { watchers[number] = nil }

    /// Wakes those who push by themselves.
    func wakePushes() { for changed in pushes.values { changed.yield() } }

    func listen(_ changed: AsyncStream<Void>.Continuation) -> Int {
        watcherCount += 1
        pushes[watcherCount] = changed
        return watcherCount
    }

    func stopListening(_ number: Int) { pushes[number] = nil }
}
