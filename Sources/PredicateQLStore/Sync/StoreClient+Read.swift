import PredicateQL
import StoreModel

/// What is read: whose, which collection, and how.
struct ReadTarget: Sendable {
    var seat: StoreClient.Seat
    var collection: String
    var options: Options
    var type: StoreType
    var isPaged: Bool

    var policy: ReadPolicy { options.readPolicy ?? type.readPolicy }
    /// Network stores keep nothing.
    var keepsRows: Bool { type != .network }

    /// The same for calls that query the service, whatever the read policy.
    var asking: ReadTarget {
        var target = self
        target.options.readPolicy = .network
        return target
    }
}

extension StoreClient {
    /// Runs a cache's work; its error is that of the query or of the file.
    func cached<Result>(_ body: () throws(QueryError) -> Result) throws(StoreError) -> Result {
        do throws(QueryError) {
            return try body()
        } catch {
            if error.code == .store {
                noteDamage(error)
                throw .cache(error)
            }
            throw .query(error)
        }
    }

    /// Works on a collection of the cache: with its number, at the time of now.
    func cached<Result>(
        _ collection: String,
        _ seat: Seat,
        _ body: (_ cache: Cache, _ number: Int64, _ now: Int64) throws(QueryError) -> Result
    ) throws(StoreError) -> Result {
        let cache = try cache(seat)
        let now = environment.now()
        return try cached { () throws(QueryError) in try body(cache, cache.number(of: collection), now) }
    }

    // MARK: Entities

    /// An entity by its id, as one side has it.
    func entity(_ id: String, _ target: ReadTarget, isLocal: Bool) async throws(StoreError) -> [UInt8] {
        guard target.keepsRows else {
            guard let json = try await fetch(id, target).json else { throw .notFound }
            return json
        }
        if !isLocal {
            let fact = try await fetch(id, target)
            try learn([fact], of: target.collection, target.seat)
            if fact.json == nil {
                let entry = try cached(target.collection, target.seat) { (cache, number, _) throws(QueryError) in
                    try cache.entry(number, id)
                }
                // What was made here and waits is not there yet (W7).
                guard let entry, entry.kind != .ask else { throw .notFound }
            }
        }
        let (row, isStale) = try cached(target.collection, target.seat) { (cache, number, now) throws(QueryError) in
            let row = try cache.row(number, id)
            guard isLocal, let row, let ttl = target.options.ttl else { return (row, false) }
            return (row, try cache.isStale(row, in: number, before: now - ttl.milliseconds, now: now))
        }
        guard let row else { throw .notFound }
        if isStale { throw .noValidLocalData }
        return row.json
    }

    /// What the service has of an entity; without JSON if it has none.
    func fetch(_ id: String, _ target: ReadTarget) async throws(StoreError) -> Fact {
        let request = try requests(target.seat, target.options).data("GET", target.collection, id)
        let response = try await send(request, for: .entity(id: id), of: target.collection, target.options)
        do throws(StoreError) {
            try response.check()
        } catch {
            guard case .notFound = error else { throw error }
            return Fact(id: id, json: nil, tick: response.tick ?? -1)
        }
        guard let entity = try? QueryValue(json: response.body), let fact = Fact(entity: entity, tick: response.tick)
        else { throw .badAnswer("an entity was expected") }
        return fact
    }

    /// The entities that a query finds, as one side has them.
    func entities(_ query: Query, _ target: ReadTarget, isLocal: Bool) async throws(StoreError) -> [[UInt8]] {
        if isLocal { return try local(query, target) }
        // Half entities would overwrite whole ones, which are needed where changes wait (W7).
        let isKept = query.fields == nil ? target.keepsRows : try hasPending(target)
        guard isKept else {
            let response = try await ask(query, .find, target.collection, target.seat, target.options)
            return try response.whole(query).compactMap(\.json)
        }
        let pull = try pullTarget(query, target)
        if query.skip == nil, query.limit == nil {
            _ = try await self.pull(pull)
            return try local(query, target)
        }
        return try await cut(query, target, pull)
    }

    /// What a query with skip or limit finds on the service, in its order, each as the cache has it now.
    ///
    /// Pending changes are merged before the cut (W7): as many more rows are requested, starting at the first.
    private func cut(_ query: Query, _ target: ReadTarget, _ pull: PullTarget) async throws(StoreError) -> [[UInt8]] {
        let waiting = try cached(target.collection, target.seat) { (cache, number, _) throws(QueryError) in
            try cache.entries(number).filter { $0.kind != .ask }.map(\.id)
        }
        var asked = query
        if !waiting.isEmpty {
            guard let limit = query.limit else {
                _ = try await self.pull(pull)
                return try local(query, target)
            }
            (asked.skip, asked.fields) = (nil, nil)
            // An order that is cut ends in the key by itself (S22).
            if asked.order.isEmpty { asked.order = [.ascending("_id")] }
            asked.limit = limit.saturatingSum(query.skip ?? 0).saturatingSum(waiting.count)
        }
        let response = try await ask(asked, .find, target.collection, target.seat, target.options)
        let facts = try response.whole(asked)
        try learn(facts, of: target.collection, target.seat)
        let ids = facts.map(\.id)
        guard !waiting.isEmpty else { return try entities(ids, query, target) }
        let known = Set(ids.map { UTF8Key($0) })
        let found = try entities(ids + waiting.filter { !known.contains(UTF8Key($0)) }, query, target)
        var page = query.withSpecialFields
        (page.condition, page.order) = (.constant(true), asked.order)
        let merged = page
        return try cached { () throws(QueryError) in
            try merged.results(in: found.compactMap { Document(json: $0) }).map { row in
                var json: [UInt8] = []
                JSONWriter().write(.object(row), to: &json)
                return json
            }
        }
    }

    /// Those of some entities that the cache has and a query finds, in the order of their ids.
    func entities(_ ids: [String], _ query: Query, _ target: ReadTarget) throws(StoreError) -> [[UInt8]] {
        try cached(target.collection, target.seat) { (cache, number, now) throws(QueryError) in
            let matcher = try Matcher(query.tracked, now: now)
            var found: [[UInt8]] = []
            for id in ids {
                guard let json = try cache.row(number, id)?.json else { continue }
                if (try? matcher.matches(json: json)) ?? false { found.append(json) }
            }
            return found
        }
    }

    func pullTarget(_ query: Query, _ target: ReadTarget) throws(StoreError) -> PullTarget {
        PullTarget(
            seat: target.seat,
            collection: target.collection,
            number: try cached(target.collection, target.seat) { (_, number, _) throws(QueryError) in number },
            query: query.tracked,
            options: target.options,
            isPaged: target.isPaged
        )
    }

    func local(_ query: Query, _ target: ReadTarget) throws(StoreError) -> [[UInt8]] {
        try local(query, target) { (json, _) throws(QueryError) in Array(json) }
    }

    /// What the cache has for a query, each entity as it is read: texts and values are not held side by side.
    func local<Value: Sendable>(
        _ query: Query,
        _ target: ReadTarget,
        _ read: @Sendable (UnsafeBufferPointer<UInt8>, inout JSONReader) throws(QueryError) -> Value
    ) throws(StoreError) -> [Value] {
        let asked = query.withSpecialFields
        return try cached(target.collection, target.seat) { (cache, number, now) throws(QueryError) in
            var reader = JSONReader()
            var values: [Value] = []
            try cache.forEach(asked, in: number, now: now) { (json) throws(QueryError) in
                values.append(try read(json, &reader))
            }
            return values
        }
    }

    /// Throws if a row that a query finds was fetched too long ago, or if the cache in the service's place may lack rows
    /// that the query skips: of a page it has the rest, if anything.
    func checkAge(_ query: Query, _ target: ReadTarget) throws(StoreError) {
        if target.policy != .local, query.skip ?? 0 > 0 {
            let tracked = try cached(target.collection, target.seat) { (cache, number, _) throws(QueryError) in
                try cache.checkpoints(of: number).filter { $0.tick != nil }.map(\.query)
            }
            guard tracked.contains(Query()) || tracked.contains(query.tracked) else { throw .noValidLocalData }
        }
        guard let ttl = target.options.ttl else { return }
        let isStale = try cached(target.collection, target.seat) { (cache, number, now) throws(QueryError) in
            try cache.hasStale(query, in: number, before: now - ttl.milliseconds, now: now)
        }
        if isStale { throw .noValidLocalData }
    }

    // MARK: Numbers and groups

    /// The number of entities that a query finds.
    func count(_ query: Query, _ target: ReadTarget, isLocal: Bool) async throws(StoreError) -> Int {
        if !isLocal {
            // What waits is counted too (W7), so the rows are needed.
            if try hasPending(target) { return try await entities(query, target, isLocal: false).count }
            return try await fetchCount(query, target)
        }
        return try cached(target.collection, target.seat) { (cache, number, now) throws(QueryError) in
            try cache.makeIndexes(for: query, in: number)
            return try cache.count(query, in: number, now: now)
        }
    }

    /// Groups of entities.
    func groups(_ grouping: Grouping, _ target: ReadTarget, isLocal: Bool) async throws(StoreError) -> [Document] {
        if !isLocal {
            if try hasPending(target) {
                _ = try await entities(grouping.query.tracked, target, isLocal: false)
            } else {
                return try await fetchGroups(grouping, target)
            }
        }
        return try cached(target.collection, target.seat) { (cache, number, now) throws(QueryError) in
            try cache.groups(grouping, in: number, now: now)
        }
    }

    private func hasPending(_ target: ReadTarget) throws(StoreError) -> Bool {
        guard target.keepsRows else { return false }
        return try cached(target.collection, target.seat) { (cache, number, _) throws(QueryError) in
            try cache.pendingCount(number) > 0
        }
    }
}

extension Query {
    /// The query with the fields of every entity, as the service answers it: without its id, an entity that is saved
    /// again would be another one.
    fileprivate var withSpecialFields: Query {
        var query = self
        query.fields = fields.map { $0 + ["_id", "_acl", "_kmd"] }
        return query
    }
}
