import PredicateQL
import PredicateQLStore
import StoreModel
import StoreSupport
import Testing

/// What is asked of the service while changes wait.
@Suite struct WaitingTests {
    /// A store with changes that wait: an edit, a removal and a new entity, beside what another client changed.
    private func waiting(_ type: StoreType) async throws -> DataStore<Novel> {
        let harness = try ServiceHarness.open()
        for id in ["b", "d", "f", "h"] {
            #expect(await harness.send("PUT", "Book/\(id)", #"{"title":"\#(id)","year":1}"#).status == 201)
        }
        let client = try harness.client()
        let pending = client.store(Novel.self, .sync)
        try await pending.pull()
        harness.time.advance(10)
        #expect(await harness.send("DELETE", "Book/h").status == 200)
        try await pending.save([Novel(id: "b", title: "edited", year: 1), Novel(id: "c", title: "new", year: 1)])
        try await pending.remove(id: "d")
        return client.store(Novel.self, type)
    }

    /// With fields, or in pages without an order, changes that wait are found as without (W7).
    @Test(arguments: [StoreType.auto, .cache]) func waitingChangesAreFoundEverywhere(type: StoreType) async throws {
        let titles = ["edited", "new", "f"]
        let queries = try [
            Query(), Query(format: "year >= 0", order: ["year"]), Query(fields: ["title"]), Query(limit: 10),
            Query(format: "year >= 0", order: ["-title"], limit: 10, fields: ["title"]),
        ]
        for query in queries {
            let books = try await waiting(type)
            let found = try await books.find(query)
            let expected = query.order.first?.path == "title" ? ["new", "f", "edited"] : titles
            // Without order and limit, there is none.
            let isOrdered = !query.order.isEmpty || query.limit != nil
            let shown = found.map(\.title)
            #expect(isOrdered ? shown == expected : Set(shown) == Set(expected), "\(query): \(shown)")
            #expect(found.allSatisfy { $0._id != nil && $0.year == (query.fields == nil ? 1 : nil) }, "\(query)")
            #expect(try await books.count(query) == 3, "\(query)")
            var page = query
            (page.skip, page.limit) = (1, 2)
            #expect(try await books.count(page) == 2, "\(query)")
            // Only a whole answer takes out what the service has no more.
            _ = try await books.find()
            for policy in [ReadPolicy.network, .local] {
                let rest = try await books.find(page, options: Options(readPolicy: policy)).map(\.title)
                #expect(rest == Array(expected[1...]), "\(page): \(policy)")
            }
        }
        // Nothing of it was pulled before.
        for (query, count) in [
            (Query(), 3), (Query(limit: 10), 3), (Query(skip: 1, limit: 10), 2), (Query(skip: 1), 2),
        ] {
            #expect(try await waiting(type).count(query) == count, "\(query)")
        }
        // The order of a page ends in the key, in the last key's direction (S22).
        let backwards = Query(order: ["-year"], limit: 10)
        #expect(try await waiting(type).find(backwards).map(\.title) == titles.reversed())
        let groups = Query().grouped(by: "year", computing: [.count])
        #expect(try await waiting(type).groups(groups).map { $0["count"] } == [3])
    }
}
