import QueryChecking
import QueryTree

/// The capabilities of a Mongo service, so that code tests capabilities instead of services.
///
///     var profile = MongoProfile.mongoDB
///     profile.allowsExpressions = false
///     try Query(format: "a > b").mongo(profile)  // throws unsupported
public struct MongoProfile: Hashable, Sendable {
    /// Which regular expressions the service accepts.
    ///
    ///     MongoProfile.kinvey.patterns  // → anchored
    public enum Patterns: String, Hashable, Sendable, CaseIterable {
        /// Any, with the option `i`.
        case any
        /// Only those that start with `^`, without the option `i`.
        case anchored
    }

    /// Aggregation expressions in a filter: `$expr`.
    public var allowsExpressions: Bool
    /// Conditions on one element of a list: `$elemMatch`.
    public var allowsElementMatch: Bool
    /// Aggregation pipelines, which groups are written as.
    public var allowsPipelines: Bool
    /// Groups by a JavaScript reducer that the service runs.
    public var allowsGroupScripts: Bool
    /// Values that plain JSON lacks: dates, bytes, UUIDs, infinities, ints beyond 2^53.
    public var readsExtendedJSON: Bool
    /// True to write the tests of a field as one object, `{"$gte":1,"$lte":9}`, and NOT as `$ne` or `$nin`; false for
    /// `$and` of two and `$not`.
    public var mergesTests: Bool
    /// Which regular expressions the service accepts.
    public var patterns: Patterns
    /// How dates are stored if no schema declares them.
    ///
    /// See S5.
    public var dates: DateEncoding
    /// The largest limit, or nil for none.
    public var maximumLimit: Int?
    /// The maximum nesting of objects and lists in a filter.
    public var maximumDepth: Int
    /// The maximum number of bytes of one regular expression.
    public var maximumPatternBytes: Int

    /// A profile by its capabilities; the defaults are those of a MongoDB server.
    ///
    ///     let plain = MongoProfile(allowsExpressions: false, allowsPipelines: false)
    ///     plain == .findOnly  // → true
    ///
    /// - Parameters:
    ///   - allowsExpressions: whether `$expr` is understood.
    ///   - allowsElementMatch: whether `$elemMatch` is understood.
    ///   - allowsPipelines: whether aggregation pipelines are understood.
    ///   - allowsGroupScripts: whether groups by a JavaScript reducer are understood.
    ///   - readsExtendedJSON: whether `{"$date":…}` and similar become values.
    ///   - mergesTests: whether the tests of a field are one object, and NOT of `==` and IN is `$ne` and `$nin`.
    ///   - patterns: which regular expressions are accepted.
    ///   - dates: how dates are stored if no schema declares them.
    ///   - maximumLimit: the largest limit, nil for none.
    ///   - maximumDepth: the maximum nesting of a filter.
    ///   - maximumPatternBytes: the maximum number of bytes of one regular expression.
    public init(
        allowsExpressions: Bool = true,
        allowsElementMatch: Bool = true,
        allowsPipelines: Bool = true,
        allowsGroupScripts: Bool = false,
        readsExtendedJSON: Bool = true,
        mergesTests: Bool = true,
        patterns: Patterns = .any,
        dates: DateEncoding = .native,
        maximumLimit: Int? = nil,
        maximumDepth: Int = 100,
        maximumPatternBytes: Int = 32_764
    ) {
        self.allowsExpressions = allowsExpressions
        self.allowsElementMatch = allowsElementMatch
        self.allowsPipelines = allowsPipelines
        self.allowsGroupScripts = allowsGroupScripts
        self.readsExtendedJSON = readsExtendedJSON
        self.mergesTests = mergesTests
        self.patterns = patterns
        self.dates = dates
        self.maximumLimit = maximumLimit
        self.maximumDepth = maximumDepth
        self.maximumPatternBytes = maximumPatternBytes
    }

    /// A MongoDB server: everything.
    public static let mongoDB = MongoProfile()

    /// Find filters only: no `$expr` and no pipelines.
    public static let findOnly = MongoProfile(allowsExpressions: false, allowsPipelines: false)

    /// The Kinvey data service: plain JSON, ISO dates, anchored case-sensitive patterns, no `$expr` or `$elemMatch`.
    public static let kinvey = MongoProfile(
        allowsExpressions: false,
        allowsElementMatch: false,
        allowsPipelines: false,
        allowsGroupScripts: true,
        readsExtendedJSON: false,
        mergesTests: false,
        patterns: .anchored,
        dates: .iso8601Milliseconds,
        maximumLimit: 10_000
    )
}
