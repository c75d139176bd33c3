import Foundation
import PredicateQL
import PredicateQLStore
import QueryValues
import StoreModel

/// Caching and offline work: outages, pull, push, sync, policies, conflicts, deltas and pages.
extension GuideWalk {
    private func isUnreachable(_ error: StoreError) -> Bool { if case .unreachable = error { true } else { false } }

    /// What the four types do while there is no network, and afterwards.
    func outage() async throws {
        _ = try await fill()
        let (books, line, _) = try device()
        if keepsRows { _ = try await books.pull() }
        line.isOnline = false
        guard keepsRows else {
            await refuses("reading", isUnreachable) { _ = try await books.find() }
            await refuses("reading one", isUnreachable) { _ = try await books.find(id: "b1") }
            await refuses("counting", isUnreachable) { _ = try await books.count() }
            await refuses("saving", isUnreachable) { try await books.save(GuideBook("lost", id: "lost")) }
            await refuses("removing", isUnreachable) { try await books.remove(id: "b1") }
            line.isOnline = true
            equal("nothing was kept", try await books.count(), 6)
            return
        }
        equal("all from the cache", try await books.find().count, 6)
        equal("one from the cache", try await books.find(id: "b1").title, "The Hobbit")
        let made = try await books.save(GuideBook("made offline", population: 70_000))
        let mine = made._id ?? ""
        var changed = try await books.find(id: "b2")
        changed.population = 65_000
        try await books.save(changed)
        equal("removed offline", try await books.remove(Query(format: "author == 'Joyce'")), 2)
        equal(
            "own changes are seen",
            Self.ids(try await books.find()).sorted(),
            (["b1", "b2", "b3", "b6"] + [mine]).sorted()
        )
        equal("four wait", try await books.syncCount(), 4)
        let large = try Query(format: "population > 60000", order: ["population"], limit: 2)
        equal("own changes, sorted and cut", Self.ids(try await books.find(large)), ["b2", mine])
        await refuses("the forced network", isUnreachable) {
            _ = try await books.find(options: Options(readPolicy: .forceNetwork))
        }
        await refuses("a pull", { _ in true }) { _ = try await books.pull() }
        let failed = try await books.push()
        equal("a push tells of each", failed.failures.count, 4)
        equal("and loses none", try await books.syncCount(), 4)

        wait()
        line.isOnline = true
        equal(
            "seen after the outage",
            Self.ids(try await books.find()).sorted(),
            (["b1", "b2", "b3", "b6"] + [mine]).sorted()
        )
        equal("sorted and cut after the outage", Self.ids(try await books.find(large)), ["b2", mine])
        equal("found by its id", try await books.find(id: mine).title, made.title)
        equal("counted", try await books.count(large), 2)
        await refuses("a pull before the push", { if case .pendingChanges = $0 { true } else { false } }) {
            _ = try await books.pull()
        }
        _ = line.sent()
        equal("pushed", try await books.push().count, 4)
        equal("as the changes are", line.sent().filter { $0 != "GET" }.sorted(), ["DELETE", "DELETE", "POST", "PUT"])
        equal("nothing waits", try await books.syncCount(), 0)
        equal("the service has them", try await stored("b2")["population"], 65_000)
        equal("and only them", try await device(.network).books.count(), 5)
    }

    func pullAndPush() async throws {
        _ = try await fill()
        let (books, line, _) = try device()
        guard keepsRows else {
            for (name, body) in [
                ("pull", { _ = try await books.pull() }), ("push", { _ = try await books.push() }),
                ("sync", { _ = try await books.sync() }), ("syncCount", { _ = try await books.syncCount() }),
            ] as [(String, () async throws -> Void)] {
                await refuses(name, { if case .notForNetworkStores = $0 { true } else { false } }, body)
            }
            return
        }
        let some = try Query(format: "state == 'MA'")
        equal("a query restricts a pull", Self.ids(try await books.pull(some).entities).sorted(), ["b1", "b2", "b5"])
        line.isOnline = false
        equal("and that is there offline", try await books.find(some).count, 3)
        equal("the rest is not", try await books.find().count, 3)
        wait()
        line.isOnline = true
        equal("all of the collection", try await books.pull().entities.count, 6)

        // What fails stays, and can be tried again, given up or thrown away.
        line.isOnline = false
        try await books.save(GuideBook("mine", id: "m1"))
        var first = try await books.find(id: "b1")
        first.title = "changed"
        try await books.save(first)
        wait()
        equal("both fail", try await books.push().failures.count, 2)
        line.isOnline = true
        wait()
        equal("and pass later", try await books.push().count, 2)
        line.isOnline = false
        first.title = "kept"
        try await books.save(first)
        equal("purged", try await books.purge(), 1)
        equal("the entity stays in the cache", try await books.find(id: "b1").title, "kept")
        equal("but does not wait", try await books.syncCount(), 0)
        line.isOnline = true
        wait()
        equal("nor is it sent", try await books.push().count, 0)
        equal("nor is it sent", try await stored("b1")["title"], "changed")
        line.isOnline = false
        _ = try await books.clear()
        equal("cleared", try await books.find().count, 0)
        line.isOnline = true
        wait()
        equal("and pulled again", try await books.pull().entities.count, 7)
    }

    func sync() async throws {
        guard keepsRows else { return }
        _ = try await fill()
        let (books, line, _) = try device()
        line.isOnline = false
        try await books.save(GuideBook("mine", id: "m1"))
        wait()
        line.isOnline = true
        let result = try await books.sync(Query(format: "state == 'NY'"))
        equal("all is pushed", result.push.count, 1)
        equal("what the query finds is pulled", Self.ids(result.pull?.entities ?? []), ["b3"])
        equal("the service has it", try await stored("m1")["title"], "mine")
        let whole = try await books.sync()
        equal("nothing to push", whole.push.count, 0)
        equal("all is pulled", whole.pull?.entities.count, 7)
        line.isOnline = false
        try await books.save(GuideBook("later", id: "m2"))
        wait()
        let offline = try await books.sync()
        check(
            "without network nothing is pulled, and it is told",
            offline.pull == nil && offline.push.failures.count == 1
        )
    }

    func policies() async throws {
        _ = try await fill()
        let (books, line, _) = try device()
        let (local, network) = (Options(readPolicy: .forceLocal), Options(readPolicy: .forceNetwork))
        guard keepsRows else {
            await refuses("forceLocal", { if case .notForNetworkStores = $0 { true } else { false } }) {
                _ = try await books.find(options: local)
            }
            equal("forceNetwork", try await books.find(options: network).count, 6)
            return
        }
        equal("forceLocal before anything was read", try await books.find(options: local).count, 0)
        equal("forceNetwork", try await books.find(options: network).count, 6)
        equal("what was read is kept", try await books.find(options: local).count, 6)
        var sources: [String] = []
        for try await answer in books.answers(options: Options(readPolicy: .both)) {
            sources.append("\(answer.source) \(answer.entities.count)")
        }
        equal("both", sources, ["local 6", "network 6"])
        _ = line.sent()
        try await books.save(GuideBook("forced", id: "f1"), options: Options(writePolicy: .forceNetwork))
        equal("a forced write is on the service", try await stored("f1")["title"], "forced")
        equal("and does not wait", try await books.syncCount(), 0)
        line.isOnline = false
        await refuses("a forced write is not kept", isUnreachable) {
            try await books.save(GuideBook("lost", id: "f2"), options: Options(writePolicy: .forceNetwork))
        }
        equal("a forced write is not kept", try await books.syncCount(), 0)
        try await books.save(GuideBook("local", id: "f3"), options: Options(writePolicy: .forceLocal))
        equal("a local write waits", try await books.syncCount(), 1)
        wait()

        // What is older than allowed is no answer.
        let young = Options(readPolicy: .forceLocal, ttl: .seconds(3_600))
        let query = try Query(format: "state == 'MA'")
        equal("young enough", try await books.find(query, options: young).count, 3)
        clock(advance: 4_000_000)
        await refuses("too old", { if case .noValidLocalData = $0 { true } else { false } }) {
            _ = try await books.find(query, options: young)
        }
        await refuses("too old", { if case .noValidLocalData = $0 { true } else { false } }) {
            _ = try await books.find(id: "b1", options: young)
        }
        line.isOnline = true
        _ = try await books.push()
        _ = try await books.pull()
        equal("young again", try await books.find(query, options: young).count, 3)
        equal("young again", try await books.find(id: "b1", options: young).title, "The Hobbit")
    }

    /// How long a request may take: as the call says, else its store, else the client, else 60 s.
    func timeout() async throws {
        let (books, line, client) = try device()
        func timeout(of options: Options) async throws -> Duration? {
            var options = options
            options.readPolicy = .forceNetwork
            _ = try await books.find(options: options)
            return line.timeout
        }
        equal("60 s by default", try await timeout(of: Options()), .seconds(60))
        client.options.timeout = .seconds(120)
        equal("the client's", try await timeout(of: Options()), .seconds(120))
        equal("the call's", try await timeout(of: Options(timeout: .seconds(1))), .seconds(1))
    }

    /// The last client wins, as long as the app says nothing else.
    func conflicts() async throws {
        guard keepsRows else { return }
        _ = try await fill()
        let (x, xLine, _) = try device()
        let (y, yLine, _) = try device()
        for (books, line) in [(x, xLine), (y, yLine)] {
            _ = try await books.pull()
            line.isOnline = false
        }
        for (books, title) in [(x, "by x"), (y, "by y")] {
            var book = try await books.find(id: "b1")
            book.title = title
            try await books.save(book)
        }
        wait()
        for (books, line, title) in [(x, xLine, "by x"), (y, yLine, "by y")] {
            line.isOnline = true
            equal("pushed", try await books.push().count, 1)
            equal("the last one wins", try await stored("b1")["title"], .string(title))
        }
        _ = try await x.pull()
        equal("the other learns of it", try await x.find(id: "b1").title, "by y")

        let (careful, line, _) = try device(options: Options(conflict: .serverWins))
        _ = try await careful.pull()
        line.isOnline = false
        var book = try await careful.find(id: "b1")
        book.title = "by z"
        try await careful.save(book)
        _ = try await raw("PUT", "Book/b1", #"{"title":"by somebody"}"#)
        wait()
        line.isOnline = true
        equal("another rule gives way, and tells", try await careful.push().overruled.map(\.id), ["b1"])
        equal("another rule gives way", try await careful.find(id: "b1").title, "by somebody")
    }

    /// Only what changed is asked for, and the limits that the guides list do not hold.
    func delta() async throws {
        guard keepsRows else { return }
        _ = try await fill()
        let (books, line, _) = try device(options: Options(deltaSync: true))
        let query = try Query(format: "state == 'MA'")
        check("the first pull is in full", try await !books.pull(query).wasDelta)
        clock(advance: 10)
        _ = try await raw("PUT", "Book/b1", #"{"title":"The Hobbit, revised","state":"MA"}"#)
        _ = try await raw("PUT", "Book/b2", #"{"title":"Emma","state":"CA"}"#)
        _ = try await raw("DELETE", "Book/b5")
        _ = try await raw("PUT", "Book/b7", #"{"title":"new","state":"MA"}"#)
        _ = line.sent()
        let pulled = try await books.pull(query)
        check("the second is a delta", pulled.wasDelta)
        equal("of one request", line.sent().count, 1)
        equal("what is gone", pulled.deleted, 1)
        line.isOnline = false
        equal("what left the query is not found", Self.ids(try await books.find(query)).sorted(), ["b1", "b7"])
        equal("what changed is", try await books.find(id: "b1").title, "The Hobbit, revised")
        line.isOnline = true
        wait()
        equal("nothing more", try await books.pull(query).changed, 0)
        let page = Query(order: ["_id"], limit: 2)
        equal(
            "a limit needs no delta",
            Self.ids(try await books.find(page, options: Options(readPolicy: .forceNetwork))),
            ["b1", "b2"]
        )
        // A forced read has a delta too.
        check("a forced read", try await books.find(query, options: Options(readPolicy: .forceNetwork)).count == 2)
    }

    /// Pages of a pull miss nothing, and a limit is no limit of what the cache answers.
    func paging() async throws {
        let rows = (0..<230).map { #"{"_id":"p\#($0 + 1000)","population":\#($0)}"# }
        for start in stride(from: 0, to: rows.count, by: 100) {
            _ = try await raw(
                "POST",
                "Book",
                "[" + rows[start..<min(start + 100, rows.count)].joined(separator: ",") + "]"
            )
        }
        guard keepsRows else {
            equal("all", try await device().books.find().count, 230)
            return
        }
        let (books, line, _) = try device(options: Options(pageSize: 50))
        let pulled = try await books.pull(Query(limit: 10))
        check("limit is ignored, pages are read", pulled.changed == 230 && pulled.pages == 5)
        line.isOnline = false
        equal("all from the cache", try await books.find().count, 230)
        let query = try Query(format: "population >= 200")
        line.isOnline = true
        wait()
        equal("a query's part", try await device(options: Options(pageSize: 7)).books.pull(query).changed, 30)
    }
}
