import StoreModel

/// What a service needs from its environment: the clock, randomness and cryptography.
///
/// A server passes the system's, a simulation its own.
///
///     environment.digest(Array("secret".utf8)).count  // → 32
public struct ServiceEnvironment: Sendable {
    /// The current time, milliseconds since 1970.
    public var now: @Sendable () -> Int64
    /// 64 random bits.
    public var random: @Sendable () -> UInt64
    /// The SHA-256 digest of bytes: 32 bytes.
    public var digest: @Sendable ([UInt8]) -> [UInt8]
    /// The hash of a password with a salt (scrypt), 32 bytes; nil if it cannot be computed.
    public var passwordHash: @Sendable (_ password: [UInt8], _ salt: [UInt8], _ cost: PasswordCost) -> [UInt8]?
    /// Receives notes for the operator, such as slow queries.
    public var log: @Sendable (String) -> Void = { _ in }
    /// Receives what the operator should act on: an error where writes fail, a warning otherwise; each rarely.
    public var alarm: @Sendable (_ isError: Bool, _ message: String) -> Void = { _, _ in }

    /// An environment.
    ///
    /// - Parameters:
    ///   - now: the current time, milliseconds since 1970.
    ///   - random: 64 bits, unpredictable where people use the service.
    ///   - digest: SHA-256.
    ///   - passwordHash: a slow hash of a password with a salt, at a cost.
    public init(
        now: @escaping @Sendable () -> Int64,
        random: @escaping @Sendable () -> UInt64,
        digest: @escaping @Sendable ([UInt8]) -> [UInt8],
        passwordHash: @escaping @Sendable (_ password: [UInt8], _ salt: [UInt8], _ cost: PasswordCost) -> [UInt8]?
    ) {
        self.now = now
        self.random = random
        self.digest = digest
        self.passwordHash = passwordHash
    }

    /// Random bytes.
    func randomBytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            withUnsafeBytes(of: random()) { bytes.append(contentsOf: $0) }
        }
        return Array(bytes.prefix(count))
    }
}

/// The cost of hashing a password: the parameters of scrypt, which are stored with each hash.
///
///     PasswordCost.current.parallelism  // → 5
public struct PasswordCost: Hashable, Sendable {
    /// The binary logarithm of N, the blocks of memory.
    public var logRounds: Int
    /// r, the size of a block in 128 bytes.
    public var blockSize: Int
    /// p, the number of repetitions.
    public var parallelism: Int

    /// The cost of new hashes, 16 MiB five times: a minimum that OWASP's cheat sheet on password storage names.
    public static let current = PasswordCost(logRounds: 14, blockSize: 8, parallelism: 5)
    /// The cost of hashes that were kept without one.
    static let unnamed = PasswordCost(logRounds: 14, blockSize: 8, parallelism: 1)

    /// A cost.
    ///
    /// - Parameters:
    ///   - logRounds: the binary logarithm of N, 1 to 30.
    ///   - blockSize: r, from 1.
    ///   - parallelism: p, from 1.
    public init(logRounds: Int, blockSize: Int, parallelism: Int) {
        (self.logRounds, self.blockSize, self.parallelism) = (logRounds, blockSize, parallelism)
    }
}

/// The configuration of a service: its apps, defaults and limits.
///
///     var configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
///     configuration.deltas = .all
public struct ServiceConfiguration: Sendable {
    /// An app: the key in its paths and the secrets of its clients and its owner.
    ///
    ///     ServiceConfiguration.App(key: "kid", secret: "s", master: "m").key  // → kid
    public struct App: Hashable, Sendable {
        /// The key.
        public var key: String
        /// The secret of the app's clients.
        public var secret: String
        /// The secret of the app's owner, who may do everything.
        public var master: String

        /// An app.
        ///
        /// - Parameters:
        ///   - key: the key in its paths.
        ///   - secret: the secret of its clients.
        ///   - master: the secret of its owner.
        public init(key: String, secret: String, master: String) {
            self.key = key
            self.secret = secret
            self.master = master
        }
    }

    /// The collections that keep a history, and so support deltas.
    ///
    ///     ServiceConfiguration.Deltas.named(["Book"]) == .all  // → false
    public enum Deltas: Hashable, Sendable {
        /// None.
        case none
        /// All.
        case all
        /// The collections with these names.
        case named(Set<String>)

        /// True if a collection keeps a history.
        func includes(_ collection: String) -> Bool {
            switch self {
            case .none: false
            case .all: true
            case .named(let names): names.contains(collection)
            }
        }
    }

    /// The apps.
    public var apps: [App]
    /// The rights of new collections, which a first write creates.
    public var rights: CollectionRights = .shared
    /// The rights of collections by name, where they differ.
    public var rightsOfCollections: [String: CollectionRights] = [:]
    /// The collections that support deltas.
    public var deltas: Deltas = .none
    /// The number of days that a history is kept (15), 30 at most.
    public var historyDays = 15
    /// True if anyone with the app's key may sign up; otherwise only the owner can add users.
    public var allowsSignUp = true
    /// The limits.
    public var limits = ServiceLimits()
    /// The origins of pages that may call the service; `*` for every origin.
    public var origins: [String] = []
    /// The indexes of collections: paths to compare for equality, then signed ones to sort by, such as
    /// `["Book": ["author", "state,-year"]]`.
    public var indexes: [String: [String]] = [:]
    /// True to create indexes for slow queries automatically.
    public var makesIndexes = false
    /// A query that takes longer is logged, with the indexes that would help it (100 ms).
    public var slowQuery = Duration.milliseconds(100)
    /// The version that the service reports.
    public var version = "1.0"

    /// A configuration with the documented defaults.
    ///
    /// - Parameter apps: the apps.
    public init(apps: [App]) {
        self.apps = apps
    }
}
