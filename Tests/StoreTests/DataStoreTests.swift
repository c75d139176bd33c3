import Foundation
import PredicateQL
import PredicateQLService
import PredicateQLStore
import StoreModel
import StoreSupport
import Testing

/// Stores over a service in the same process.
@Suite struct DataStoreTests {
    private let harness: ServiceHarness

    init() throws { harness = try .open() }

    private func answersOfTheService(_ path: String) async -> String { await harness.send("GET", path).body }

    @Test func aSavedEntityWaitsAndIsPushed() async throws {
        let client = try harness.client()
        let books = client.store(Novel.self, .sync)
        let emma = try await books.save(Novel(title: "Emma", year: 1815, tags: ["novel"]))
        #expect(emma._id?.utf8.count == 26)
        #expect(try await books.find(Query(format: "title == 'Emma'")) == [emma])
        #expect(try await books.syncCount() == 1)
        #expect(await answersOfTheService("Book/_count") == #"{"count":0}"#)
        let result = try await books.push()
        #expect(result.count == 1 && result.failures.isEmpty)
        #expect(try await books.syncCount() == 0)
        let stored = try await books.find(id: emma._id ?? "")
        #expect(stored.title == "Emma" && stored._kmd?.changed != nil)
        #expect(await answersOfTheService("Book/_count") == #"{"count":1}"#)
    }

    @Test func manyAreSentTogether() async throws {
        let client = try harness.client()
        let books = client.store(Novel.self, .sync)
        let many = (0..<250).map { (year: Int) in Novel(title: "b\(year)", year: year) }
        let saved = try await books.save(many)
        #expect(saved.errors.isEmpty && saved.entities.allSatisfy { $0 != nil })
        #expect(try await books.count(Query(format: "year < 100")) == 100)
        #expect(try await client.push().count == 250)
        #expect(await answersOfTheService("Book/_count") == #"{"count":250}"#)
        #expect(try await books.groups(Query().grouped(by: "title", computing: [.sum("year")])).count == 250)
    }

    @Test(arguments: [false, true]) func twoDevicesMeet(hasDeltas: Bool) async throws {
        let options = Options(deltaSync: hasDeltas, pageSize: 2)
        let (one, two) = (try harness.client(options: options, seed: 1), try harness.client(options: options, seed: 2))
        let (mine, yours) = (one.store(Novel.self, .sync), two.store(Novel.self, .sync))
        for year in 0..<5 { try await mine.save(Novel(title: "a\(year)", year: year)) }
        _ = try await mine.sync()
        let pulled = try await yours.pull()
        #expect(pulled.entities.count == 5 && pulled.pages == 3 && !pulled.wasDelta)
        var first = try #require(pulled.entities.first { $0.year == 0 })
        first.title = "changed"
        try await yours.save(first)
        try await yours.remove(Query(format: "year == 4"))
        try await yours.save(Novel(title: "new", year: 9))
        harness.time.advance(5)
        #expect(try await yours.sync().push.count == 3)
        harness.time.advance(5)
        let result = try await mine.pull()
        #expect(result.wasDelta == hasDeltas)
        let query = Query(order: ["year", "title"])
        #expect(try await mine.find(query) == (try await yours.find(query)))
        #expect(try await mine.find(query).map(\.title) == ["changed", "a1", "a2", "a3", "new"])
        #expect(try await mine.pull().changed == (hasDeltas ? 0 : 5))
    }

    @Test func pullsWaitForPushes() async throws {
        let books = try harness.client().store(Novel.self, .sync)
        try await books.save(Novel(title: "x"))
        do {
            try await books.pull()
            Issue.record("a pull with a pending change")
        } catch {
            guard case .pendingChanges(1) = error else { throw error }
        }
    }

    @Test func networkStoresKeepNothing() async throws {
        let client = try harness.client()
        let books = client.store(Novel.self, .network)
        let saved = try await books.save(Novel(title: "x", year: 1))
        #expect(saved._kmd?.created != nil)
        #expect(try await books.find().count == 1)
        #expect(try await books.count() == 1)
        #expect(try await client.store(Novel.self, .sync).find().isEmpty)
        do {
            _ = try await books.push()
            Issue.record("a network store pushes nothing")
        } catch {
            guard case .notForNetworkStores = error else { throw error }
        }
        #expect(try await books.remove(id: saved._id ?? "") == 1)
        #expect(try await books.find().isEmpty)
    }

    @Test func unknownFieldsSurvive() async throws {
        #expect(await harness.send("PUT", "Book/b1", #"{"title":"a","pages":12,"deep":{"x":1}}"#).status == 201)
        let books = try harness.client().store(Novel.self, .auto)
        var book = try await books.find(id: "b1")
        book.title = "b"
        try await books.save(book)
        let body = await answersOfTheService("Book/b1")
        #expect(body.contains(#""pages":12"#) && body.contains(#""title":"b""#) && body.contains(#""deep":{"x":1}"#))
    }

    /// What every entity has comes along, from the cache as from the service.
    @Test func chosenFieldsComeWithTheID() async throws {
        #expect(await harness.send("PUT", "Book/b1", #"{"title":"a","year":1}"#).status == 201)
        let client = try harness.client()
        let books = client.store(Novel.self, .sync)
        try await books.pull()
        let query = Query(fields: ["title"])
        let cached = try #require(try await books.find(query).first)
        #expect(cached._id == "b1" && cached.title == "a" && cached.year == nil)
        #expect(cached._kmd?.changed != nil && cached._acl != nil)
        #expect(try await client.store(Novel.self, .network).find(query) == [cached])
        #expect(try await books.find(Query(fields: ["_id", "title"])) == [cached])
        var values = books.values(query).makeAsyncIterator()
        #expect(try await values.next(isolation: nil) == [cached])
        try await books.save(cached)
        #expect(try await books.count() == 1)
    }

    @Test func removedThenSavedArrives() async throws {
        let books = try harness.client().store(Novel.self, .sync)
        try await books.save(Novel(id: "b", title: "one"))
        _ = try await books.push()
        #expect(try await books.remove(id: "b") == 1)
        try await books.save(Novel(id: "b", title: "two"))
        #expect(try await books.pending().map(\.kind) == [.update])
        #expect(try await books.push().count == 1)
        #expect(await answersOfTheService("Book/b").contains(#""title":"two""#))
    }

    @Test func givenUpChangesLeaveWhatTheServiceHad() async throws {
        let books = try harness.client().store(Novel.self, .sync)
        try await books.save(Novel(id: "b", title: "one"))
        _ = try await books.push()
        try await books.save(Novel(id: "b", title: "two"))
        try await books.save(Novel(id: "c", title: "three"))
        #expect(try await books.purge(.restore) == 2)
        #expect(try await books.find().map(\.title) == ["one"])
        try await books.save(Novel(id: "b", title: "two"))
        #expect(try await books.purge() == 1)
        #expect(try await books.find().map(\.title) == ["two"])
        #expect(try await books.pull().entities.map(\.title) == ["one"])
    }

    /// A change that another one took the place of is not given up with it.
    @Test func laterChangesAreNotDropped() async throws {
        let books = try harness.client().store(Novel.self, .sync)
        try await books.save(Novel(id: "b", title: "one"))
        let first = try #require(try await books.pending().first)
        try await books.save(Novel(id: "b", title: "two"))
        #expect(try await books.drop(first) == false)
        let second = try #require(try await books.pending().first)
        #expect(try await books.find(id: "b").title == "two")
        _ = try await books.push()
        #expect(try await books.drop(second) == false)
        try await books.save(Novel(id: "b", title: "three"))
        #expect(try await books.drop(first) == false)
        let third = try #require(try await books.pending().first)
        #expect(try await books.drop(third))
        #expect(try await books.find(id: "b").title == "two")
        try await books.save(Novel(id: "b", title: "four"))
        #expect(try await books.drop(third) == false)
        #expect(try await books.syncCount() == 1)
    }

    @Test func conflictsAreToldAsTheRuleSays() async throws {
        let (one, two) = (try harness.client(seed: 1), try harness.client(seed: 2))
        for client in [one, two] {
            let books = client.store(Novel.self, .sync)
            if client === one {
                try await books.save(Novel(id: "b", title: "base"))
                _ = try await books.push()
            }
            try await books.pull()
        }
        func edit(_ client: StoreClient, _ title: String, _ rule: ConflictRule) async throws -> PushResult {
            let books = client.store(Novel.self, .sync, options: Options(conflict: rule))
            var book = try await books.find(id: "b")
            book.title = title
            try await books.save(book)
            harness.time.advance(5)
            return try await books.push()
        }
        #expect(try await edit(one, "first", .clientWins).count == 1)
        let lost = try await edit(two, "second", .serverWins)
        #expect(lost.count == 0 && lost.overruled.count == 1 && lost.failures.isEmpty)
        #expect(lost.overruled.first?.mine?["title"] == "second")
        #expect(lost.overruled.first?.theirs?["title"] == "first")
        #expect(try await two.store(Novel.self, .sync).find(id: "b").title == "first")
        #expect(try await edit(one, "third", .clientWins).count == 1)
        let merged = try await edit(
            two,
            "fourth",
            .ask { conflict in
                var document = conflict.theirs ?? Document()
                document["title"] = "third and fourth"
                return .merged(document)
            }
        )
        #expect(merged.count == 1 && merged.failures.isEmpty)
        #expect(await answersOfTheService("Book/b").contains("third and fourth"))
    }

    /// A save or a removal that the service's version overrules says so, and so does the event (W9).
    @Test(arguments: [StoreType.auto, .cache]) func overruledCallsThrow(type: StoreType) async throws {
        let client = try harness.client(options: Options(conflict: .serverWins))
        let books = client.store(Novel.self, type)
        let held = try await books.save(["a", "b", "c"].map { Novel(id: $0, title: "one") }).entities.compactMap(\.self)
        try #require(held.count == 3)
        harness.time.advance(5)
        for id in ["a", "b"] { #expect(await harness.send("PUT", "Book/\(id)", #"{"title":"two"}"#).status == 200) }
        #expect(await harness.send("DELETE", "Book/c").status == 200)
        var events = client.events.makeAsyncIterator()
        func isConflict(_ id: String, _ body: () async throws(StoreError) -> Void) async throws {
            do throws(StoreError) {
                try await body()
                Issue.record("nothing is told of \(id)")
            } catch {
                guard case .conflict(id) = error else { throw error }
            }
        }
        let edited = held.map { Novel(id: $0._id, title: "mine", kmd: $0._kmd) }
        try await isConflict("a") { () async throws(StoreError) in try await books.remove(id: "a") }
        try await isConflict("c") { () async throws(StoreError) in try await books.save(edited[2]) }
        let result = try await books.save([edited[0], edited[1], Novel(id: "d")])
        #expect(result.errors.map(\.index) == [0, 1] && result.entities.map { $0?._id } == [nil, nil, "d"])
        for (failure, id) in zip(result.errors, ["a", "b"]) {
            try await isConflict(id) { () async throws(StoreError) in throw failure.error }
        }
        try await isConflict("b") { () async throws(StoreError) in try await books.save(edited[1]) }
        #expect(try await books.syncCount() == 0)
        #expect(await answersOfTheService("Book/a").contains("two"))
        while let event = await events.next() {
            guard case .overruled("Book", let conflict) = event else { continue }
            #expect(conflict.id == "a" && conflict.mine == nil && conflict.theirs?["title"] == "two")
            #expect("\(event)" == "a change of a in Book was overruled by the service's version")
            break
        }
    }

    /// What counts is the version that the app changed, not the one that the cache has by now.
    @Test func whatIsHeldTooLongIsAConflict() async throws {
        let client = try harness.client(options: Options(conflict: .serverWins))
        let (books, shelf) = (client.store(Novel.self, .sync), client.store(Novel.self, .network))
        #expect(await harness.send("PUT", "Book/b", #"{"title":"one"}"#).status == 201)
        var held = try #require(try await books.pull().entities.first)
        harness.time.advance(5)
        #expect(await harness.send("PUT", "Book/b", #"{"title":"two"}"#).status == 200)
        #expect(try await books.pull().entities.map(\.title) == ["two"])
        held.title = "mine"
        do {
            try await shelf.save(held)
            Issue.record("another client's version is overwritten")
        } catch {
            guard case .conflict("b") = error else { throw error }
        }
        try await books.save(held)
        let result = try await books.push()
        #expect(result.count == 0 && result.overruled.count == 1)
        #expect(result.overruled.first?.base == nil && result.overruled.first?.theirs?["title"] == "two")
        #expect(try await books.find(id: "b").title == "two")
        #expect(await answersOfTheService("Book/b").contains("two"))
        // A service that another client writes to while a change waits.
        var read = try await books.find(id: "b")
        read.title = "waits"
        try await books.save(read)
        harness.time.advance(5)
        #expect(await harness.send("PUT", "Book/b", #"{"title":"three"}"#).status == 200)
        _ = try await books.find(id: "b", options: Options(readPolicy: .network))
        #expect(try await books.push().overruled.count == 1)
    }

    /// An app that goes on with what it saved is in nobody's way.
    @Test func ownVersionsAreNoConflict() async throws {
        let client = try harness.client(options: Options(conflict: .serverWins))
        let (books, shelf) = (client.store(Novel.self, .sync), client.store(Novel.self, .network))
        #expect(await harness.send("PUT", "Book/b", #"{"title":"one"}"#).status == 201)
        var held = try #require(try await books.pull().entities.first)
        for title in ["two", "three", "four"] {
            held.title = title
            harness.time.advance(5)
            try await books.save(held)
            // Whatever the rule of what was sent before.
            let rule: ConflictRule = title == "two" ? .clientWins : .serverWins
            let result = try await books.push(options: Options(conflict: rule))
            #expect(result.count == 1 && result.overruled.isEmpty, "\(title)")
        }
        for title in ["five", "six"] {
            held.title = title
            harness.time.advance(5)
            try await shelf.save(held)
        }
        try await books.pull()
        held.title = "seven"
        try await books.save(held)
        #expect(try await books.push().count == 1)
        #expect(await answersOfTheService("Book/b").contains("seven"))
        harness.time.advance(5)
        #expect(await harness.send("PUT", "Book/b", #"{"title":"theirs"}"#).status == 200)
        held.title = "eight"
        try await books.save(held)
        #expect(try await books.push().overruled.count == 1)
    }

    @Test func bothAnswersTwice() async throws {
        #expect(await harness.send("PUT", "Book/b1", #"{"title":"a"}"#).status == 201)
        let books = try harness.client().store(Novel.self, .cache)
        var counts: [Int] = []
        for try await answer in books.answers() { counts.append(answer.entities.count) }
        #expect(counts == [0, 1])
    }

    @Test func valuesFollowChanges() async throws {
        let books = try harness.client().store(Novel.self, .sync)
        var values = books.values(try Query(format: "year > 1")).makeAsyncIterator()
        #expect(try await values.next(isolation: nil)?.count == 0)
        try await books.save(Novel(title: "x", year: 2))
        #expect(try await values.next(isolation: nil)?.count == 1)
        try await books.save(Novel(title: "y", year: 1))
        try await books.save(Novel(title: "z", year: 3))
        #expect(try await values.next(isolation: nil)?.count == 2)
    }

    /// A change that is made while a conflict is decided was not decided about.
    @Test func changesDuringADecisionWait() async throws {
        let client = try harness.client()
        let plain = client.store(Novel.self, .sync)
        try await plain.save(Novel(id: "b", title: "base"))
        _ = try await plain.push()
        harness.time.advance(5)
        #expect(await harness.send("PUT", "Book/b", #"{"title":"theirs"}"#).status == 200)
        try await plain.save(Novel(id: "b", title: "first"))
        let rule = ConflictRule.ask { _ in
            _ = try? await plain.save(Novel(id: "b", title: "second"))
            return .takeTheirs
        }
        let result = try await client.store(Novel.self, .sync, options: Options(conflict: rule)).push()
        #expect(result.overruled.isEmpty && result.failures.count == 1)
        #expect(try await plain.find(id: "b").title == "second")
        #expect(try await plain.syncCount() == 1)
    }

    /// A push from within the answer to its own question would wait for itself, until the timeout.
    @Test func pushesDuringADecisionAreRefused() async throws {
        let client = try harness.client()
        let plain = client.store(Novel.self, .sync)
        try await plain.save([Novel(id: "b", title: "base")])
        _ = try await plain.push()
        harness.time.advance(5)
        #expect(await harness.send("PUT", "Book/b", #"{"title":"theirs"}"#).status == 200)
        try await plain.save(Novel(id: "b", title: "first"))
        let told = Mutex<[String]>([])
        let later = Mutex<Task<Int, any Error>?>(nil)
        let (answers, answered) = AsyncStream.makeStream(of: Void.self)
        let rule = ConflictRule.ask { _ in
            for call in [{ _ = try await plain.push() }, { _ = try await plain.sync() }] as [() async throws -> Void] {
                do { try await call() } catch { told.withLock { $0.append("\(error)") } }
            }
            let all = try? await client.push().failures.map { "\($0.id): \($0.error)" }
            told.withLock { $0 += all ?? [] }
            // A save is kept, and sent by the next push.
            _ = try? await client.store(Novel.self).save(Novel(id: "c", title: "new"))
            later.withLock {
                $0 = Task {
                    for await _ in answers {}
                    return try await plain.push().count
                }
            }
            return .takeTheirs
        }
        let result = try await client.store(Novel.self, .sync, options: Options(conflict: rule)).push()
        #expect(result.overruled.count == 1)
        let text = "a push of this collection is asking you, and waits for the answer: answer first, then push"
        #expect(told.withLock { $0 } == [text, text, "b: " + text])
        #expect(try await plain.pending().map(\.id) == ["c"])
        // What was begun there may push once the question is answered.
        answered.finish()
        #expect(try await later.withLock { $0 }?.value == 1)
    }

    @Test func oldRowsAreNotValid() async throws {
        let books = try harness.client(options: Options(ttl: .seconds(60))).store(Novel.self, .sync)
        try await books.save(Novel(id: "b", title: "x"))
        _ = try await books.sync()
        #expect(try await books.find().count == 1)
        harness.time.advance(61_000)
        for isSingle in [true, false] {
            do {
                _ = isSingle ? [try await books.find(id: "b")] : try await books.find()
                Issue.record("a row that is too old")
            } catch {
                guard case .noValidLocalData = error else { throw error }
            }
        }
    }

    /// What is known of old queries does not grow without end.
    @Test func fewQueriesAreTracked() async throws {
        let client = try harness.client()
        let books = client.store(Novel.self)
        for year in 0..<40 { _ = try await books.find(Query(format: "year == \(year)")) }
        #expect(try await client.trackedQueries(Novel.collection) == 32)
    }

    /// A delta tells what changed, and nothing else is read.
    @Test func deltasBringWhatChanged() async throws {
        let options = Options(deltaSync: true)
        let mine = try harness.client(options: options, seed: 1).store(Novel.self, .sync)
        let yours = try harness.client(options: options, seed: 2).store(Novel.self, .sync)
        try await mine.save((0..<5).map { (year: Int) in Novel(id: "b\(year)", title: "x", year: year) })
        _ = try await mine.push()
        let young = try Query(format: "year < 4")
        #expect(try await yours.pull(young).entities.count == 4)
        #expect(try await yours.pull(young).entities.isEmpty)
        harness.time.advance(5)
        try await mine.save([Novel(id: "b0", title: "new", year: 0), Novel(id: "b1", title: "old", year: 9)])
        _ = try await mine.push()
        let result = try await yours.pull(young)
        #expect(result.wasDelta && result.entities.map(\._id) == ["b0"])
        #expect(try await yours.find(young).compactMap(\._id).sorted() == ["b0", "b2", "b3"])
    }

    /// What left the only query that is tracked leaves the cache, by changes as in full; the app's own writes stay (W8).
    @Test(arguments: [false, true], [false, true])
    func whatLeftTheQueryLeavesTheCache(hasDeltas: Bool, tracksAnother: Bool) async throws {
        for id in ["a", "b", "c"] {
            #expect(await harness.send("PUT", "Book/\(id)", #"{"title":"x","year":1}"#).status == 201)
        }
        let books = try harness.client(options: Options(deltaSync: hasDeltas)).store(Novel.self, .sync)
        let young = try Query(format: "year < 5")
        if tracksAnother { try await books.pull(Query(format: "year == 60")) }
        try await books.pull(young)
        harness.time.advance(5)
        for (id, year) in [("a", 50), ("b", 60)] {
            #expect(await harness.send("PUT", "Book/\(id)", #"{"title":"x","year":\#(year)}"#).status == 200)
        }
        try await books.save(Novel(id: "c", title: "x", year: 70))
        _ = try await books.push()
        #expect(try await books.pull(young).wasDelta == hasDeltas)
        // With another query tracked, it is asked for by its id.
        #expect(try await books.find(Query(order: ["_id"])).map(\._id) == (tracksAnother ? ["b", "c"] : ["c"]))
        #expect(await harness.send("DELETE", "Book/a").status == 200)
        #expect(await harness.send("PUT", "Book/b", #"{"title":"x","year":2}"#).status == 200)
        harness.time.advance(5)
        for _ in 0..<2 { _ = try await books.sync(young) }
        #expect(try await books.find(Query(order: ["_id"])).map(\._id) == ["b", "c"])
    }

    /// What the service alone is told to remove leaves the cache too.
    @Test func forcedRemovalsLeaveTheCache() async throws {
        let client = try harness.client()
        let books = client.store(Novel.self, .sync)
        try await books.save((0..<5).map { (year: Int) in Novel(title: "x", year: year) })
        _ = try await books.sync()
        let forced = Options(writePolicy: .forceNetwork)
        #expect(try await books.remove(Query(format: "year < 2"), options: forced) == 2)
        #expect(try await books.find(Query(order: ["year"])).map(\.year) == [2, 3, 4])
        #expect(try await books.removeAll(options: forced) == 3)
        #expect(try await books.find().isEmpty)
    }
}
