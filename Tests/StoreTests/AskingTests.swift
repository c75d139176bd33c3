import PredicateQL
import PredicateQLStore
import QueryValues
import SpecSupport
import StoreModel
import StoreSupport
import Testing

/// Memory, cache and service are asked the same, and say the same.
@Suite struct AskingTests {
    /// Groups that cannot be made are the same error on every door.
    @Test(arguments: StoreType.allCases) func refusalsAreOneError(type: StoreType) async throws {
        let harness = try ServiceHarness.open()
        let books = try harness.client().store(Novel.self, type)
        let local = try harness.client().store(Novel.self, .sync)
        func error(_ body: () async throws -> Void) async throws -> QueryError? {
            do { try await body() } catch let error as StoreError {
                guard case .query(let error) = error else { throw error }
                return error
            }
            return nil
        }
        let groupings = [
            Query().grouped(by: "year", computing: [.first("title")]),
            Query().grouped(by: "year", computing: [.distinct("title")]),
            Query().grouped(by: "year", computing: [.sum("tags")]),
        ]
        for grouping in groupings {
            let known = try await error { _ = try await local.groups(grouping) }
            for _ in 0..<2 { #expect(try await error { _ = try await books.groups(grouping) } == known, "\(grouping)") }
        }
        let refused = StoreError.service(ServiceFault(.invalidQuerySyntax, debug: "too costly"))
        #expect(refused.recoverySuggestion?.hasPrefix("Simplify the query") == true)
    }

    /// Every everyday query is answered by all sides, or by none; also where the service has other names.
    @Test(arguments: [true, false], [false, true])
    func everySideFindsTheSame(hasSchema: Bool, isRenamed: Bool) async throws {
        var asked = 0
        for blocks in try AskedWorld.parts() {
            let world = try await AskedWorld(blocks, isRenamed: isRenamed)
            for block in blocks
            where SeededGenerator.isAsked(block.line + (hasSchema ? 1 : 0) + (isRenamed ? 2 : 0), oneIn: 4) {
                // A row as a whole has the service's names there.
                if isRenamed, block.query.contains("SELF") { continue }
                let query = try world.query(block, hasSchema: hasSchema)
                let cached = try await world.store(.sync, query)
                #expect(try world.memory(query) == cached, "memory, \(block.place): \(block.query)")
                for type in [StoreType.network, .auto] {
                    let found = try await world.store(type, query)
                    #expect(found == cached, "\(type), \(block.place): \(block.query)")
                }
                let network = world.client.store(AskedRow.self, .network)
                guard case .finds(let ids) = cached else { continue }
                #expect(try await network.count(query) == ids.count, "count, \(block.place): \(block.query)")
                asked += 1
            }
        }
        #expect(asked >= SeededGenerator.count(40) || asked >= 200)
    }

    /// What a service of another kind cannot say is refused, with or without the network.
    @Test func otherServicesRefuseAlways() async throws {
        var refused = 0
        for blocks in try AskedWorld.parts() {
            let world = try await AskedWorld(blocks, isForeign: true)
            var online: [AskedWorld.Outcome] = []
            for block in blocks { online.append(try await world.store(.auto, world.query(block, hasSchema: false))) }
            world.network.isOnline = false
            let sent = world.network.sent.count
            for (block, before) in zip(blocks, online) {
                let query = try world.query(block, hasSchema: false)
                #expect(try await world.store(.auto, query) == before, "\(block.place): \(block.query)")
                guard before == .refuses else { continue }
                refused += 1
                #expect(try await world.store(.network, query) == .refuses, "\(block.place): \(block.query)")
                // A number needs no order.
                guard query.order.isEmpty else { continue }
                await #expect(throws: StoreError.self) {
                    try await world.client.store(AskedRow.self, .auto).count(query)
                }
            }
            #expect(world.network.sent.count == sent)
        }
        #expect(refused >= 20)
    }

    private static let groupings: [Grouping] = {
        let byYear = Query(order: [.descending("count"), .ascending("year")], skip: 1, limit: 1)
        let all = Query(order: [.ascending("year")])
        return [
            byYear.grouped(by: "year", computing: [.count]),
            all.grouped(by: "year", computing: [.count], having: Field("count") > 1),
            all.grouped(by: "year", computing: [.max("pages"), .min("pages"), .sum("pages"), .average("pages")]),
            Query(Field("pages") > 1_000).grouped(computing: [.count]),
            Query(order: [.descending("year")], limit: 2).grouped(
                by: "year",
                computing: [.count, .sum("pages")],
                having: Field("sum_pages") >= 5
            ),
        ]
    }()

    /// Having, order, skip and limit of groups hold on every side, those of other services too.
    @Test(arguments: [false, true]) func groupsAreWhole(isForeign: Bool) async throws {
        let harness = try ServiceHarness.open()
        var documents: [Document] = []
        for (number, year) in [1815, 1815, 1922, 1965, 1965, 1965].enumerated() {
            let text = #"{"_id":"b\#(number)","year":\#(year),"pages":\#(number)}"#
            _ = await harness.send("PUT", "Row/b\(number)", text)
            guard case .object(let document) = try QueryValue(json: text) else { continue }
            documents.append(document)
        }
        let client = try harness.client(over: Network(harness, isForeign: isForeign))
        let cached = client.store(AskedRow.self, .sync)
        _ = try await cached.pull()
        for grouping in Self.groupings {
            let wanted = try grouping.results(in: documents)
            #expect(try await cached.groups(grouping) == wanted, "\(grouping)")
            for type in [StoreType.network, .auto] {
                #expect(try await client.store(AskedRow.self, type).groups(grouping) == wanted, "\(type): \(grouping)")
            }
        }
        let computed = try [
            Query().grouped(by: GroupKey(parsing: "year - 1 AS before"), computing: [.median("pages")]),
            Query().grouped(by: "year", computing: [.sum(Field("pages") * 2 + Field("year")).as("sum")]),
        ]
        let network = client.store(AskedRow.self, .network)
        for grouping in computed {
            if isForeign {
                await #expect(throws: StoreError.self) { try await network.groups(grouping) }
            } else {
                for store in [network, cached] {
                    #expect(try await store.groups(grouping) == grouping.results(in: documents), "\(grouping)")
                }
            }
        }
    }

    /// A number is that of the entities that `find` gives.
    @Test(arguments: [false, true]) func countsKeepSkipAndLimit(isForeign: Bool) async throws {
        let harness = try ServiceHarness.open()
        let client = try harness.client(over: Network(harness, isForeign: isForeign))
        let cached = client.store(Novel.self, .sync)
        try await cached.save((0..<5).map { Novel(id: "b\($0)", year: 1_900 + $0) })
        _ = try await cached.push()
        for (skip, limit) in [(nil, nil), (1, nil), (nil, 3), (4, 3), (9, 1), (2, 0), (0, 9)] as [(Int?, Int?)] {
            let query = Query(Field("year") > 1_900, order: [.ascending("year")], skip: skip, limit: limit)
            let wanted = try await cached.find(query).count
            for type in StoreType.allCases {
                let store = client.store(Novel.self, type)
                #expect(try await store.count(query) == wanted, "\(type): \(query)")
                #expect(try await store.find(query).count == wanted, "\(type): \(query)")
            }
        }
    }

    /// What the service refuses is asked of the cache, as the refusal says: a pull of it is refused too.
    @Test func refusalsSayWhatHelps() async throws {
        let harness = try ServiceHarness.open()
        let books = try harness.client().store(Novel.self)
        try await books.save(Novel(id: "b", year: 1))
        let query = try Query(format: "year == 1 AND random() >= 0")
        for call in [{ _ = try await books.find(query) }, { _ = try await books.pull(query) }]
            as [() async throws -> Void]
        {
            await #expect {
                try await call()
            } throws: { error in
                "\(error)".contains("pull a simpler one that finds more, and query the cache with readPolicy: .local")
            }
        }
        _ = try await books.pull()
        #expect(try await books.find(query, options: Options(readPolicy: .local)).count == 1)
    }

    /// A skip is applied once: the cache has what is skipped, or does not answer in the service's place (W6).
    @Test func skipsAreAppliedOnce() async throws {
        let harness = try ServiceHarness.open()
        let network = Network(harness)
        for year in 0..<10 { _ = await harness.send("PUT", "Book/b\(year)", #"{"year":\#(year)}"#) }
        let query = try Query(format: "year >= 0", order: ["-year"], skip: 1, limit: 3)
        let first = try harness.client(over: network)
        let cut = first.store(Novel.self, .sync, paging: false)
        await #expect {
            try await cut.pull(query)
        } throws: { error in
            guard case .query(let fault)? = error as? StoreError else { return false }
            return fault.code == .pipeline && fault.hint?.hasPrefix("leave out skip") == true
        }
        #expect(try await cut.find().isEmpty)
        for type in [StoreType.auto, .cache] {
            network.isOnline = true
            let books = try harness.client(over: network).store(Novel.self, type)
            #expect(try await books.find(query).map(\.year) == [8, 7, 6])
            #expect(try await books.count(query) == 3)
            for try await answer in books.answers(query) { #expect(answer.source == .network) }
            network.isOnline = false
            for call in [{ _ = try await books.find(query) }, { _ = try await books.count(query) }]
                as [() async throws -> Void]
            {
                await #expect {
                    try await call()
                } throws: { error in
                    if case .noValidLocalData? = error as? StoreError { true } else { false }
                }
            }
            network.isOnline = true
            harness.time.advance(6_000)
            _ = try await books.find(Query(format: "year >= 0"))
            network.isOnline = false
            #expect(try await books.find(query).map(\.year) == [8, 7, 6])
            #expect(try await books.count(query) == 3)
        }
    }

    /// What no filter says is removed, pulled and followed by changes all the same.
    @Test func removalsAndPullsTakeEveryQuery() async throws {
        let harness = try ServiceHarness.open()
        let client = try harness.client()
        let network = client.store(Novel.self, .network)
        for number in 0..<6 {
            try await network.save(
                Novel(id: "b\(number)", title: "No \(number)", tags: Array(repeating: "t", count: number))
            )
        }
        let long = try Query(format: "tags[SIZE] > 2 AND title MATCHES 'No [0-9]'")
        let cached = client.store(Novel.self, .sync, options: Options(deltaSync: true, pageSize: 2))
        let first = try await cached.pull(long)
        #expect(first.entities.compactMap(\._id) == ["b3", "b4", "b5"] && first.pages == 2)
        harness.time.advance(5)
        try await network.save(Novel(id: "b4", title: "other", tags: ["t", "t", "t"]))
        try await network.save(Novel(id: "b6", title: "No 6", tags: ["t", "t", "t"]))
        let second = try await cached.pull(long)
        #expect(second.wasDelta && second.changed == 2)
        #expect(try await cached.find(long).compactMap(\._id) == ["b3", "b5", "b6"])
        #expect(try await network.remove(Query(format: "tags[SIZE] == 1 OR title MATCHES 'No [56]'")) == 3)
        #expect(try await network.find().compactMap(\._id).sorted() == ["b0", "b2", "b3", "b4"])
        #expect(try await client.store(Novel.self).remove(Query(format: "tags.@count == 3")) == 2)
        #expect(try await network.find().compactMap(\._id).sorted() == ["b0", "b2"])
        await #expect(throws: StoreError.self) { try await network.remove(Query(format: "year == nil", limit: 1)) }
    }

    @Test(arguments: StoreType.allCases) func negativeRangesAreRefused(type: StoreType) async throws {
        let books = try ServiceHarness.open().client().store(Novel.self, type)
        for (query, name) in [(Query(skip: -1), "skip"), (Query(limit: -1), "limit")] {
            let calls: [() async throws -> Void] = [
                { _ = try await books.find(query) }, { _ = try await books.count(query) },
                { _ = try await books.groups(query.grouped(by: "year", computing: [.count])) },
            ]
            for call in calls {
                await #expect {
                    try await call()
                } throws: { error in
                    guard case .query(let fault)? = error as? StoreError else { return false }
                    return fault.code == .pipeline && fault.message == "\(name) must not be negative"
                }
            }
        }
    }

    /// An answer that the service cuts is an error, whatever the query's own limit.
    @Test func cutAnswersAreErrors() async throws {
        let harness = try ServiceHarness {
            $0.rights = .public
            $0.limits.entitiesPerAnswer = 3
        }
        let client = try harness.client()
        for number in 0..<5 { _ = await harness.send("PUT", "Book/b\(number)", "{}") }
        for (type, query) in [(StoreType.network, Query()), (.network, Query(limit: 4)), (.auto, Query(limit: 4))] {
            await #expect {
                try await client.store(Novel.self, type).find(query)
            } throws: { error in
                if case .truncated(3)? = error as? StoreError { true } else { false }
            }
        }
        #expect(try await client.store(Novel.self, .auto).find(Query(limit: 3)).count == 3)
        #expect(try await client.store(Novel.self, .auto).find().count == 5)
    }

    /// The service is asked once who it is; what stands between tells nothing.
    @Test func theServiceIsAskedOnce() async throws {
        let harness = try ServiceHarness.open()
        let service = harness.service
        let paths = Mutex([String]())
        let isBetween = Mutex(true)
        let transport = FunctionTransport { request in
            paths.withLock { $0.append(request.method + " " + request.path) }
            if isBetween.withLock({ $0 }) {
                return WireResponse(status: 200, headers: [("Content-Type", "text/html")], body: Array("<html>".utf8))
            }
            return await service.answer(request)
        }
        let client = try StoreClient(transport, app: .init(key: "kid", secret: "s"), cache: .memory)
        let books = client.store(Novel.self, .network)
        await #expect(throws: StoreError.self) { try await books.find() }
        isBetween.withLock { $0 = false }
        paths.withLock { $0 = [] }
        for _ in 0..<2 { #expect(try await books.find(Query(format: "tags[SIZE] > 2")).isEmpty) }
        let asked = ["GET /appdata/kid", "POST /appdata/kid/Book/_find", "POST /appdata/kid/Book/_find"]
        #expect(paths.withLock { $0 } == asked)
        isBetween.withLock { $0 = true }
        await #expect(throws: StoreError.self) { try await books.find() }
        isBetween.withLock { $0 = false }
        #expect(try await books.find(Query(format: "tags[SIZE] > 2")).isEmpty)
    }
}
