/// The bounds of a service; each is a setting.
///
///     var limits = ServiceLimits()
///     limits.entitiesPerAnswer  // → 10000
///     limits.requestsPerSecond = nil
public struct ServiceLimits: Hashable, Sendable {
    /// The most entities in one answer (10,000).
    public var entitiesPerAnswer = 10_000
    /// The most bytes of entities in one answer (100 MB).
    public var bytesPerAnswer = 100_000_000
    /// The most entities in one POST (100).
    public var entitiesPerInsert = 100
    /// The most bytes of one entity (1 MiB).
    public var entityBytes = 1 << 20
    /// The most bytes of a request's body (8 MiB).
    public var bodyBytes = 8 << 20
    /// The most bytes of a URL (16 KiB).
    public var urlBytes = 16 << 10
    /// The most bytes of a query's text in a body (512 KiB).
    public var queryBytes = 512 << 10
    /// The most levels of an entity's JSON (64).
    public var entityDepth = 64
    /// The largest `skip` (10,000,000).
    public var skip = 10_000_000
    /// Seconds that one query may work (10).
    public var querySeconds = 10
    /// Requests a second of one session, with bursts of twice as many (100); nil for no bound.
    public var requestsPerSecond: Int? = 100
    /// Log-ins and sign-ups a minute from one address (5); nil for no bound.
    public var logInsPerMinute: Int? = 5
    /// Wrong passwords a minute of one account, from wherever they come (10); nil for no bound.
    ///
    /// Ten times as many wrong secrets of an app may come from one network.
    public var guessesPerMinute: Int? = 10
    /// The most collections of one app (1,000).
    public var collectionsPerApp = 1_000
    /// Days after which a receipt of a write is dropped (30).
    public var receiptDays = 30
    /// Days after which a session without requests ends (30).
    public var sessionDays = 30

    /// The bounds of the documentation.
    public init() {}
}
