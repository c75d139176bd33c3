import Foundation
import PredicateQL
import StoreModel
import StoreSupport
import Testing

@testable import PredicateQLService

/// Commits in groups, on threads and in a file.
@Suite struct CommitTests {
    private func file() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appendingPathComponent("service.sqlite")
    }

    @Test func writesThatWaitAreCommittedTogether() async throws {
        let file = try file()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let harness = try ServiceHarness(path: file.path, readers: 2)
        let statuses = await withTaskGroup(of: Int.self) { group in
            for number in 0..<400 {
                group.addTask { await harness.send("PUT", "Book/b\(number % 100)", #"{"n":\#(number)}"#).status }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 201 }.count == 100)
        #expect(statuses.filter { $0 == 200 }.count == 300)
        let figures = harness.service.storage.committer.figures
        #expect(figures.writes >= 400 && figures.commits < 400, "\(figures)")
        #expect(await harness.send("GET", "Book/_count").body == #"{"count":100}"#)
        harness.service.close()
        let refused = await harness.send("PUT", "Book/late", "{}")
        #expect(refused.status == 503)
        let reopened = try ServiceHarness(path: file.path, readers: 1)
        #expect(await reopened.send("GET", "Book/_count").body == #"{"count":100}"#)
        #expect(await reopened.send("GET", "Book/late").status == 404)
        reopened.service.close()
    }

    @Test func anEntityChangesOnceInAGroup() async throws {
        let harness = try ServiceHarness { $0.deltas = .all }
        let writes = (0..<5).map { number in
            EntityWrite(kind: .upsert, id: "a", body: try? EntityBody(["n": .int(Int64(number))]))
        }
        let caller = Caller(app: "kid", identity: .master)
        let answers = await harness.service.storage.write(writes, to: .init(app: "kid", name: "Book"), for: caller)
        let ticks = try answers.map { try $0.get().tick }
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0 < $1 }, "\(ticks)")
        let delta = await harness.send("GET", "Book/_deltaset?since=\(ticks[2].text)&query={\"n\":3}")
        #expect(delta.body.contains(#""left":[{"_id":"a""#), "\(delta.body)")
    }

    /// A repeated request acts once; a late one is refused; at most one of two revisions with one number acts.
    @Test func keyedWritesActAtMostOnce() async throws {
        let harness = try ServiceHarness()
        var random = SplitMix(seed: 7)
        var acted: [String: [Int64]] = [:]
        for _ in 0..<2_000 {
            let id = ["a", "b"].randomElement(using: &random) ?? "a"
            let client = ["A", "B"].randomElement(using: &random) ?? "A"
            let key = String(repeating: client, count: 22)
            let last = acted[id + client]?.last ?? 0
            let number = max(1, last + Int64.random(in: -2...1, using: &random))
            let answer = await harness.send(
                "PUT",
                "Book/\(id)",
                #"{"n":\#(number)}"#,
                as: ServiceHarness.basic("m"),
                ["Idempotency-Key": "\(key):\(number):abcdef"]
            )
            if number < last {
                #expect(answer.status == 409)
                #expect(answer.headers["X-PQL-Last"] == String(last))
            } else if number == last {
                #expect(answer.headers["X-PQL-Replayed"] == "true")
            } else {
                #expect(answer.status < 300 && answer.headers["X-PQL-Replayed"] == nil)
                acted[id + client, default: []].append(number)
            }
        }
        for numbers in acted.values { #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }) }
        #expect(acted.count == 4)
    }

    /// An array with a key acts once, each of its entities by its place.
    @Test func arraysWithAKeyActOnce() async throws {
        let harness = try ServiceHarness()
        let key = ["Idempotency-Key": "AAAAAAAAAAAAAAAAAAAAAA:1:abcdef"]
        let body = #"[{"n":1},{"n":2},{"_id":"own","n":3}]"#
        let first = await harness.send("POST", "Book", body, as: ServiceHarness.basic("m"), key)
        #expect(first.status == 201 && first.headers["X-PQL-Replayed"] == nil)
        let again = await harness.send("POST", "Book", body, as: ServiceHarness.basic("m"), key)
        #expect(again.status == 201 && again.headers["X-PQL-Replayed"] == "true")
        #expect(again.body == first.body)
        #expect(await harness.send("GET", "Book/_count", as: ServiceHarness.basic("m")).body == #"{"count":3}"#)
        let other = ["Idempotency-Key": "AAAAAAAAAAAAAAAAAAAAAA:2:abcdef"]
        let more = await harness.send("POST", "Book", #"[{"n":1},{"n":2}]"#, as: ServiceHarness.basic("m"), other)
        #expect(more.status == 201 && more.headers["X-PQL-Replayed"] == nil)
        #expect(await harness.send("GET", "Book/_count", as: ServiceHarness.basic("m")).body == #"{"count":5}"#)
    }

    /// A key that was used for another kind of write is refused, whatever became of the entity.
    @Test func keysBelongToOneKindOfWrite() async throws {
        let harness = try ServiceHarness()
        func send(_ method: String, _ path: String, _ number: Int) async -> (status: Int, isReplayed: Bool) {
            let key = ["Idempotency-Key": "AAAAAAAAAAAAAAAAAAAAAA:\(number):abcdef"]
            let body = method == "DELETE" ? nil : #"{"_id":"a","n":\#(number)}"#
            let answer = await harness.send(method, path, body, as: ServiceHarness.basic("m"), key)
            #expect(answer.status != 400 || answer.body.contains("another kind of write"), "\(answer.body)")
            return (answer.status, answer.headers["X-PQL-Replayed"] == "true")
        }
        #expect(await send("PUT", "Book/a", 1) == (201, false))
        #expect(await send("DELETE", "Book/a", 1) == (400, false))
        #expect(await send("PUT", "Book/a", 1) == (201, true))
        #expect(await send("PUT", "Book/a", 2) == (200, false))
        #expect(await send("DELETE", "Book/a", 2) == (400, false))
        #expect(await send("PUT", "Book/a", 2) == (200, true))
        #expect(await send("DELETE", "Book/a", 3) == (200, false))
        #expect(await send("PUT", "Book/a", 3) == (400, false))
        #expect(await send("POST", "Book", 3) == (400, false))
        #expect(await send("DELETE", "Book/a", 3) == (200, true))
        #expect(await send("DELETE", "Book/a", 4) == (404, false))
        #expect(await send("PUT", "Book/a", 4) == (400, false))
        #expect(await send("DELETE", "Book/a", 4) == (404, false))
        #expect(await send("POST", "Book", 5) == (201, false))
        #expect(await send("DELETE", "Book/a", 5) == (400, false))
        // A client that knows no more whether it added or replaced.
        #expect(await send("PUT", "Book/a", 5) == (201, true))
        // A receipt of before does not tell a replacement from a removal.
        #expect(await send("PUT", "Book/a", 6) == (200, false))
        try await harness.service.storage.change { (group) throws(QueryError) in
            try group.connection.run("UPDATE receipt SET status = 200 WHERE number = 6")
        }
        #expect(await send("PUT", "Book/a", 6) == (200, true))
        #expect(await send("DELETE", "Book/a", 6) == (200, true))
    }

    /// Who knows another user's client cannot use up its numbers, nor see what it sent.
    @Test func receiptsBelongToTheUser() async throws {
        let harness = try ServiceHarness { $0.rights = .public }
        let (ann, bob) = (await harness.signUp("ann").session, await harness.signUp("bob").session)
        func put(_ number: Int, _ caller: String) async -> (status: Int, isReplayed: Bool) {
            let key = ["Idempotency-Key": "AAAAAAAAAAAAAAAAAAAAAA:\(number):abcdef"]
            let answer = await harness.send("PUT", "Book/a", #"{"n":\#(number)}"#, as: caller, key)
            return (answer.status, answer.headers["X-PQL-Replayed"] == "true")
        }
        #expect(await put(1, ann) == (201, false))
        #expect(await put(999, bob) == (200, false))
        #expect(await put(2, ann) == (200, false))
        #expect(await put(2, ann) == (200, true))
        let client = ["X-PQL-Client": "AAAAAAAAAAAAAAAAAAAAAA"]
        #expect(await harness.send("GET", "Book/a", as: ann, client).headers["X-PQL-Last"] == "2")
        #expect(await harness.send("GET", "Book/a", as: bob, client).headers["X-PQL-Last"] == "999")
        // A receipt of before, which tells no user, still counts.
        try await harness.service.storage.change { (group) throws(QueryError) in
            try group.connection.run("UPDATE receipt SET client = 'AAAAAAAAAAAAAAAAAAAAAA' WHERE number = 2")
        }
        #expect(await put(2, ann) == (200, true))
    }

    @Test func aStoreThatFailsChangesNothing() async throws {
        let file = try file()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let harness = try ServiceHarness(path: file.path, readers: 1)
        #expect(await harness.send("PUT", "Book/a", #"{"n":1}"#).status == 201)
        let storage = harness.service.storage
        // As a disk that is full: the file may not grow.
        try await storage.change { group throws(QueryError) in
            let pages = try group.connection.database.rows("PRAGMA page_count")[0].values[0]
            try group.connection.database.execute("PRAGMA max_page_count = \(pages.json)")
        }
        let large = String(repeating: "x", count: 200_000)
        for _ in 1...3 {
            let refused = await harness.send("PUT", "Book/a", #"{"n":2,"s":"\#(large)"}"#)
            #expect(refused.status == 503 && refused.headers["Retry-After"] == "1", "\(refused.body.prefix(200))")
        }
        // The operator is told once a minute.
        #expect(harness.alarms == ["error: nothing is written: SQLite: database or disk is full"])
        #expect(await harness.send("GET", "Book/a").body.contains(#""n":1"#))
        #expect(await harness.send("PUT", "Book/a", #"{"n":3}"#).status == 200)
        harness.service.close()
    }

    /// What is written into a file without a name is lost, so nothing is acknowledged.
    @Test func nothingIsWrittenIntoAFileThatIsGone() async throws {
        let file = try file()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let harness = try ServiceHarness(path: file.path, readers: 1)
        #expect(await harness.send("PUT", "Book/a", "{}").status == 201)
        let away = file.appendingPathExtension("away")
        try FileManager.default.moveItem(at: file, to: away)
        for replaced in [false, true] {
            if replaced { try Data().write(to: file) }
            let refused = await harness.send("PUT", "Book/b", "{}")
            #expect(refused.status == 503 && refused.body.contains("removed or replaced"), "\(refused.body)")
            #expect(await harness.send("DELETE", "Book/a").status == 503)
            #expect(await harness.send("GET", "/readyz").status == 503)
        }
        #expect(harness.alarms.count == 1 && harness.alarms[0].contains("error: nothing is written: "))
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: away, to: file)
        // A slow commit is not ready either.
        #expect(!(await harness.send("GET", "/readyz").body.contains("removed or replaced")))
        #expect(await harness.send("GET", "Book/_count").body == #"{"count":1}"#)
        harness.service.close()
    }

    /// A clock that was ahead is told at the start and once an hour, for ticks never go back.
    @Test func aClockThatWasAheadIsTold() async throws {
        let file = try file()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let harness = try ServiceHarness(path: file.path)
        harness.time.advance(299_000)
        #expect(await harness.send("PUT", "Book/a", "{}").status == 201)
        harness.time.advance(-299_000)
        await harness.service.tidy()
        #expect(harness.alarms == [])
        harness.time.advance(400_000)
        #expect(await harness.send("PUT", "Book/b", "{}").status == 201)
        harness.time.advance(-400_000)
        for _ in 1...2 { await harness.service.tidy() }
        #expect(
            harness.alarms.count == 1 && harness.alarms[0].hasPrefix("warning: a write of before has the time 2020-")
        )
        harness.service.close()
        let reopened = try ServiceHarness(path: file.path)
        #expect(reopened.alarms == harness.alarms)
        reopened.service.close()
    }
}
