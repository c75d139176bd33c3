import PredicateQL
import StoreModel
import Testing

@testable import PredicateQLStore

/// One entity, one cache and a service of a few lines: every order of at most seven events.
///
/// The cache is the real one; a savepoint takes each event back.
@Suite struct SmallWorldTests {
    enum Event: Hashable, CaseIterable {
        /// Elsewhere the entity is made, its flag changes, and it is removed.
        case made, flipped, removedThere
        /// The service answers who asks for the entity, and the answer arrives.
        case asked, heard
        /// A query is pulled: that which finds the flag, and that which finds all.
        case pulledFlagged, pulledAll
        /// The app changes the entity, removes it, or gives its change up.
        case saved, removed, dropped
        /// The service acts on the change; its answer arrives, or is lost.
        case sent, answered, lost
    }

    /// Which events there are, each as often as it is named, and whether pulls go by changes.
    struct Bag {
        var events: [Event]
        var isDelta: Bool
        /// Whether the query that finds all was pulled before.
        var tracksAll = true
    }

    static let bags = [
        Bag(events: [.made, .flipped, .removedThere, .asked, .heard, .saved, .pulledAll, .dropped], isDelta: true),
        Bag(
            events: [.made, .flipped, .asked, .heard, .pulledFlagged, .pulledFlagged, .pulledAll],
            isDelta: false,
            tracksAll: false
        ),
        Bag(events: [.made, .removedThere, .pulledAll, .pulledAll, .saved, .removed, .dropped], isDelta: false),
        Bag(events: [.made, .flipped, .pulledAll, .saved, .sent, .answered, .lost, .removed], isDelta: true),
        Bag(events: [.made, .removedThere, .pulledFlagged, .saved, .sent, .answered, .removed], isDelta: true),
        Bag(events: [.saved, .saved, .sent, .sent, .answered, .lost, .removed, .pulledAll], isDelta: true),
        Bag(events: [.saved, .removed, .sent, .answered, .dropped, .asked, .heard, .pulledAll], isDelta: false),
    ]

    /// The first failure of each bag, and how many states all had.
    private static func search(without rule: SyncRule? = nil) throws -> (states: Int, failures: [String]) {
        var (states, failures) = (0, [String]())
        for bag in bags where rule == nil || failures.isEmpty {
            let world = try SmallWorld(bag, without: rule)
            try world.explore()
            states += world.states
            failures += world.failures
        }
        return (states, failures)
    }

    @Test func everyOrderKeepsThePromises() throws {
        let (states, failures) = try Self.search()
        print("small worlds: \(states) states, \(failures.count) failures")
        #expect(failures.isEmpty, "\(failures.prefix(5).joined(separator: "\n"))")
        #expect(states > 1_500)
    }

    /// The rules that need an order of events which a random run seldom meets.
    @Test(arguments: [
        SyncRule.silenceCounts, .forgottenIsNotGone, .newestOfAnswerAndBase, .baseIsAskedFor, .numbersAreKept,
    ]) func everyRuleIsMissed(rule: SyncRule) throws {
        let failures = try Self.search(without: rule).failures
        print("without \(rule):", failures.first ?? "nothing")
        #expect(!failures.isEmpty)
    }
}

/// The state of a small world, and all that comes after it.
final class SmallWorld {
    private struct Version: Hashable {
        var tick: Int64
        var json: [UInt8]?
    }

    private struct State: Hashable {
        var tick: Int64 = 10
        var versions: [Version] = []
        /// The last number that the service acted on.
        var number: Int64 = 0
        /// The answer to who asked, and to the change, on their way.
        var found: Fact?
        var entry: OutboxEntry?
        var outcome: AnswerReading.Outcome?
        var changes = 0
    }

    private let cache: Cache
    private let collection: Int64
    private let bag: SmallWorldTests.Bag
    private let flagged: Query
    private var state = State()
    private var path: [SmallWorldTests.Event] = []
    private var visited: Set<String> = []
    private(set) var states = 0
    private(set) var failures: [String] = []
    private static let id = "x"

    init(_ bag: SmallWorldTests.Bag, without rule: SyncRule?) throws {
        self.bag = bag
        cache = try Cache(path: ":memory:", isFull: false, client: "c", appVersion: 0)
        cache.switchedOff = Set(rule.map { [$0] } ?? [])
        collection = try cache.number(of: "Thing")
        flagged = try Query(parsing: "a == 1")
        try pull(flagged)
        if bag.tracksAll { try pull(Query()) }
    }

    /// Every order of the events that are left.
    func explore() throws { try cache.transaction { () throws(QueryError) in try explore(bag.events) } }

    private func explore(_ rest: [SmallWorldTests.Event]) throws(QueryError) {
        let look = try cache.look(collection)
        guard visited.insert("\(rest.map { "\($0)" }.sorted()) \(state) \(look)").inserted else { return }
        states += 1
        try trying { () throws(QueryError) in try settle() }
        guard path.count < 7, failures.isEmpty else { return }
        var tried: Set<SmallWorldTests.Event> = []
        for (index, event) in rest.enumerated() where failures.isEmpty && tried.insert(event).inserted {
            try trying { () throws(QueryError) in
                guard try happens(event) else { return }
                path.append(event)
                defer { path.removeLast() }
                try judge(since: look)
                var left = rest
                left.remove(at: index)
                try explore(left)
            }
        }
    }

    /// Does something, then takes it back.
    private func trying(_ body: () throws(QueryError) -> Void) throws(QueryError) {
        let before = state
        let mark = "small\(path.count)"
        try cache.database.execute("SAVEPOINT \(mark)")
        try body()
        try cache.database.execute("ROLLBACK TO \(mark); RELEASE \(mark)")
        cache.checkpoints = [:]
        state = before
    }

    // MARK: Events

    private var present: [UInt8]? { state.versions.last?.json }

    private func commit(_ json: [UInt8]?) {
        state.tick += 10
        state.versions.append(Version(tick: state.tick, json: json))
    }

    private static func entity(_ a: Int, _ mark: String) -> [UInt8] {
        Array(#"{"_id":"x","a":\#(a),"mark":"\#(mark)"}"#.utf8)
    }

    /// Lets an event happen; false if it cannot.
    private func happens(_ event: SmallWorldTests.Event) throws(QueryError) -> Bool {
        switch event {
        case .made:
            guard present == nil else { return false }
            commit(Self.entity(1, "made"))
        case .flipped:
            guard let present else { return false }
            commit(Self.entity(Document(json: present)?["a"] == 1 ? 0 : 1, "flipped"))
        case .removedThere:
            guard present != nil else { return false }
            commit(nil)
        case .asked:
            guard state.found == nil else { return false }
            state.found = Fact(id: Self.id, json: present, tick: state.tick)
        case .heard:
            guard let fact = state.found, fact.json != nil else { return false }
            try cache.apply(fact, to: collection, now: 0)
            state.found = nil
        case .pulledFlagged: try pull(flagged)
        case .pulledAll: try pull(Query())
        case .saved:
            state.changes += 1
            let mine = Self.entity(1, "mine\(state.changes)")
            try cache.change(collection, Self.id, now: 0, to: { _ in mine })
        case .removed:
            guard try cache.row(collection, Self.id) != nil else { return false }
            try cache.change(collection, Self.id, now: 0, to: { _ in nil })
        case .dropped:
            guard let entry = try cache.entry(collection, Self.id), entry.kind != .ask else { return false }
            try cache.drop(entry, now: 0)
        case .sent: return try send()
        case .answered:
            guard let entry = state.entry, let outcome = state.outcome else { return false }
            try cache.record(entry, outcome, now: 0)
            (state.entry, state.outcome) = (nil, nil)
        case .lost:
            guard state.entry != nil else { return false }
            (state.entry, state.outcome) = (nil, nil)
        }
        return true
    }

    private func send() throws(QueryError) -> Bool {
        guard state.entry == nil, let waiting = try cache.entry(collection, Self.id),
            let (entry, json) = try cache.prepare(waiting, nonce: "", now: 0), let number = entry.number
        else { return false }
        state.entry = entry
        if number < state.number {
            state.outcome = .stale
            return true
        }
        if number > state.number, entry.sentKind != .delete || present != nil {
            if json != nil, state.versions.contains(where: { $0.json == json }) { fail("it is acted on twice (W2)") }
            commit(json)
        }
        state.number = number
        let fact = Fact(id: Self.id, json: present, tick: state.tick)
        state.outcome = fact.json == nil ? .gone(tick: state.tick) : .stored(fact)
        return true
    }

    /// Pulls a query, by changes since its checkpoint or in full.
    private func pull(_ query: Query) throws(QueryError) {
        let fact = Fact(id: Self.id, json: present, tick: state.tick)
        let known = try cache.checkpoint(collection, query.cacheKey)
        let isFound = try present.map { (json) throws(QueryError) in try query.finds(json, now: 0) } ?? false
        if bag.isDelta, let since = known?.tick {
            let changed = state.versions.contains { $0.tick > since }
            let earlier = (state.versions.lastIndex { $0.tick <= since } ?? -1)
            var wasFound = false
            for version in state.versions.dropFirst(max(earlier, 0)).dropLast() {
                if let json = version.json, try query.finds(json, now: 0) { wasFound = true }
            }
            if changed, isFound || wasFound { try cache.apply(fact, to: collection, now: 0) }
        } else {
            if isFound { try cache.apply(fact, to: collection, now: 0) }
            let ids = try cache.leftOver(query, in: collection, before: state.tick, now: 0)
            let isElsewhere = try cache.checkpoints(of: collection).contains { $0.key != query.cacheKey }
            if isElsewhere, !ids.isEmpty {
                try cache.apply(fact, to: collection, now: 0)
            } else {
                try cache.forgetRows(ids, in: collection, before: state.tick, now: 0)
            }
        }
        try cache.write(Checkpoint(key: query.cacheKey, query: query, tick: state.tick, at: 0), collection)
    }

    /// Faults end: what waits is sent, and all is pulled.
    private func settle() throws(QueryError) {
        (state.entry, state.outcome, state.found) = (nil, nil, nil)
        for _ in 0..<4 where try cache.entry(collection, Self.id) != nil {
            guard try send(), let entry = state.entry, let outcome = state.outcome else { break }
            try cache.record(entry, outcome, now: 0)
            (state.entry, state.outcome) = (nil, nil)
        }
        if try !cache.asked(collection).isEmpty {
            try cache.apply(Fact(id: Self.id, json: present, tick: state.tick), to: collection, now: 0)
        }
        try pull(flagged)
        try pull(Query())
        let row = try cache.row(collection, Self.id)?.json
        if row != present { fail("it ends with \(Self.text(row)) instead of \(Self.text(present)) (W8)") }
        if try cache.entry(collection, Self.id) != nil { fail("a change waits (W8)") }
    }

    // MARK: Judging

    /// Nothing goes back (W5), and pulled queries show what the service had at their checkpoints or later (W6).
    private func judge(since before: CacheLook) throws(QueryError) {
        let look = try cache.look(collection)
        if look.tick(Self.id) < before.tick(Self.id), before.tick(Self.id) > 0 {
            fail("\(before.tick(Self.id)) goes back to \(look.tick(Self.id)) (W5)")
        }
        guard look.entries.isEmpty else { return }
        for checkpoint in look.checkpoints {
            guard let tick = checkpoint.tick else { continue }
            func shown(_ json: [UInt8]?) throws(QueryError) -> [UInt8]? {
                guard let json, try checkpoint.query.finds(json, now: 0) else { return nil }
                return json
            }
            let mine = try shown(look.rows[Self.id]?.json)
            let first = state.versions.lastIndex { $0.tick <= tick }
            var isRight = first == nil && mine == nil
            for version in state.versions[(first ?? 0)...] where try shown(version.json) == mine { isRight = true }
            if !isRight { fail("\(checkpoint.query.condition) shows \(Self.text(mine)) (W6)") }
        }
    }

    private func fail(_ text: String) {
        failures.append(path.map { "\($0)" }.joined(separator: ", ") + ": " + text)
    }

    private static func text(_ json: [UInt8]?) -> String {
        json.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
    }
}

extension Query {
    /// True if a query finds an entity; false if it cannot be evaluated for it.
    fileprivate func finds(_ json: [UInt8], now: Int64) throws(QueryError) -> Bool {
        let matcher = try Matcher(self, now: now)
        return (try? matcher.matches(json: json)) ?? false
    }
}
