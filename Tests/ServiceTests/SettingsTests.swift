import Foundation
import PredicateQL
import PredicateQLSQLite
import StoreModel
import StoreSupport
import Testing

@testable import PredicateQLService

/// What a service's owner decides stays with the data.
@Suite struct SettingsTests {
    /// A file that goes with the test.
    private final class File {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".sqlite").path
        deinit { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
    }

    private static let environment = ServiceHarness.environment()

    private static func service(
        _ path: String,
        _ settings: ServiceSettings? = nil,
        _ environment: ServiceEnvironment = environment
    ) throws -> Service {
        var configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
        configuration.settings = try settings ?? Service.settings(path: path) ?? ServiceSettings()
        return try Service(path: path, configuration, environment, readers: 0)
    }

    private static func request(_ method: String, _ path: String, _ user: String = "kid:s", body: String = "")
        -> WireRequest
    {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        var request = WireRequest(method, parts[0])
        if parts.count > 1 { request.query = parts[1] }
        request.headers["Authorization"] = "Basic " + Data(user.utf8).base64EncodedString()
        request.headers["Content-Type"] = "application/json"
        request.body = Array(body.utf8)
        return request
    }

    @Test func settingsAreJSONAndBack() throws {
        var settings = ServiceSettings()
        settings.rights = .private
        settings.rightsOfCollections = ["News": .shared]
        settings.deltas = .named(["Book", "News"])
        settings.historyDays = 3
        settings.indexes = ["Book": ["author,-year"]]
        settings.makesIndexes = true
        settings.origins = ["https://example.org"]
        settings.requestsPerSecond = nil
        settings.allowsSignUp = false
        var read = ServiceSettings()
        try read.change(settings.document)
        #expect(read == settings)
        for wrong: Document in [
            ["right": "private"], ["rights": "privat"], ["historyDays": 31], ["rate": 0], ["delta": 5],
            ["signUp": "no"], ["indexes": .object(["Book": "a"])], ["origins": "*"],
        ] {
            let error = #expect(throws: QueryError.self, "\(wrong)") { try read.change(wrong) }
            #expect(error?.code == .argument && error?.path == wrong.keys.first, "\(wrong)")
        }
        #expect(read == settings)
    }

    /// What earlier versions kept can be named unchanged, and removed.
    @Test func settingsThatWereKeptCanBeRemoved() throws {
        let kept: Document = [
            "indexes": .object(["bad name": ["a"], "Book": ["a,a"]]), "origins": ["foo"], "delta": ["x y"],
            "rightsOfCollections": .object(["a/b": "closed"]),
        ]
        var settings = ServiceSettings()
        try settings.takeKept(kept)
        try settings.change(kept)
        #expect(throws: QueryError.self) { try settings.change(["indexes": .object(["bad name": ["b"]])]) }
        try settings.change([
            "indexes": .object(["bad name": .null, "Book": .null]), "origins": [], "delta": "none",
            "rightsOfCollections": .object(["a/b": .null]),
        ])
        #expect(settings.indexes.isEmpty && settings.rightsOfCollections.isEmpty && settings.origins.isEmpty)
        var files = ServiceSettings()
        files.origins = ["null"]
        #expect(files.loosened(from: ServiceSettings()).count == 1)
    }

    /// What no request would use is refused with the value; what an earlier version kept is read.
    @Test func settingsThatNeverWorkAreRefused() throws {
        let many = QueryValue.list((0..<16).map { .string("a\($0)") })
        let cases: [(setting: Document, word: String)] = [
            (["indexes": .object(["B": [""]])], #"the index "" of B has an empty path"#),
            (["indexes": .object(["B": ["a,,b"]])], #""a,,b" of B has an empty path"#),
            (["indexes": .object(["B": ["a..b"]])], "has an empty path"),
            (["indexes": .object(["B": ["a, -b"]])], "has a space beside a path"),
            (["indexes": .object(["B": ["a,-a"]])], "has a path twice"),
            (["indexes": .object(["B": ["_id"]])], #""_id" of B has _id: it is the key already"#),
            (["indexes": .object(["B": ["_id,a"]])], "it is the key already"),
            (["indexes": .object(["B": [#"a"b"#]])], "of B cannot be made: "),
            (["indexes": .object(["B": ["a", "b", "a"]])], #"the index "a" of B is there twice"#),
            (["indexes": .object(["B": many])], "16 indexes of B"),
            (["indexes": .object(["B b": ["a"]])], #""B b" is no name of a collection"#),
            (["rightsOfCollections": .object(["_b": "shared"])], #""_b" is no name of a collection"#),
            (["delta": ["Book", ""]], #""" is no name of a collection"#),
            (["origins": ["example.org"]], #""example.org" is no origin"#),
            (["origins": ["https://example.org/"]], "is no origin"),
            (["origins": ["https://Example.org"]], "is no origin"),
            (["origins": ["https://example.org:443"]], "is no origin"), (["origins": ["://a"]], "is no origin"),
            (["origins": [""]], "is no origin"),
        ]
        for (setting, word) in cases {
            var settings = ServiceSettings()
            let error = #expect(throws: QueryError.self, "\(setting)") { try settings.change(setting) }
            #expect(error?.message.contains(word) == true && error?.hint != nil, "\(setting): \(error?.message ?? "")")
            #expect(settings == ServiceSettings())
            try settings.takeKept(setting)
            #expect(settings != ServiceSettings())
        }
        var settings = ServiceSettings()
        let days = #expect(throws: QueryError.self) { try settings.change(["historyDays": "20"]) }
        #expect(days?.message == "it takes a number, 1 to 30")
        for right: Document in [
            ["indexes": .object(["B": ["a", "a,-b", "a.b,+c", "a,b,c"], "c_-1": ["a"]])],
            [
                "origins": [
                    "*", "null", "http://localhost:3000", "https://a.example.org", "http://[::1]:8080",
                    "capacitor://a",
                ]
            ],
        ] {
            try settings.change(right)
        }
    }

    /// Rights and indexes of other collections stay as they are; what is opened is told.
    @Test func collectionsAreChangedByName() async throws {
        var settings = ServiceSettings()
        settings.rightsOfCollections = ["B": .closed, "C": .private]
        settings.indexes = ["B": ["a"], "C": ["a"]]
        let service = try Self.service(":memory:", settings)
        func put(_ query: String, _ body: String) async -> (status: Int, body: String) {
            let answer = await service.answer(Self.request("PUT", "/admin/kid" + query, "kid:m", body: body))
            return (answer.status, String(decoding: answer.body, as: UTF8.self))
        }
        let added = await put("?loosen=true", #"{"rightsOfCollections":{"Z":"public"},"indexes":{"C":["b"]}}"#)
        #expect(added.status == 200 && added.body.contains(#""loosened":["rights of Z: public in place of shared"]"#))
        #expect(service.configuration.settings.rightsOfCollections == ["B": .closed, "C": .private, "Z": .public])
        #expect(service.configuration.settings.indexes == ["B": ["a"], "C": ["b"]])
        let opened = await put("", #"{"rightsOfCollections":{"B":null}}"#)
        #expect(opened.status == 400 && opened.body.contains("rights of B: shared in place of closed"))
        let removed = await put("", #"{"rightsOfCollections":{"Z":null},"indexes":{"B":null}}"#)
        #expect(removed.status == 200 && !removed.body.contains("loosened"))
        #expect(service.configuration.settings.rightsOfCollections == ["B": .closed, "C": .private])
        #expect(service.configuration.settings.indexes == ["C": ["b"]])
        service.close()
        // What a client of the wire sends to change settings into others.
        var other = settings
        other.rightsOfCollections = ["C": .shared, "D": .public]
        other.indexes["B"] = nil
        other.historyDays = 3
        #expect(
            other.changes(from: settings) == [
                "rightsOfCollections": .object(["C": "shared", "D": "public", "B": .null]), "historyDays": 3,
                "indexes": .object(["B": .null]),
            ]
        )
        try settings.change(other.changes(from: settings))
        #expect(settings == other)
    }

    @Test func loosening() {
        let open = ServiceSettings()
        var closed = open
        #expect(closed.loosened(from: open).isEmpty)
        closed.rights = .private
        closed.rightsOfCollections = ["News": .shared]
        closed.deltas = .named(["Book", "News"])
        closed.allowsSignUp = false
        #expect(closed.loosened(from: open).isEmpty)
        #expect(
            open.loosened(from: closed) == [
                "rights: shared in place of private", "delta: deletes the history of Book, News", "signUp: everybody",
            ]
        )
        var other = closed
        other.rightsOfCollections = ["Book": .public]
        other.deltas = .all
        #expect(other.loosened(from: closed) == ["rights of Book: public in place of private"])
        other.deltas = .named(["Book"])
        #expect(other.loosened(from: closed).last == "delta: deletes the history of News")
    }

    /// A start that names nothing has the rights and histories of the starts before.
    @Test func aStartWithoutOptionsLoosensNothing() async throws {
        let file = File()
        var settings = ServiceSettings()
        settings.rights = .private
        settings.deltas = .all
        try Service.keep(settings, path: file.path, Self.environment)
        for _ in 0..<2 {
            let service = try Self.service(file.path)
            _ = await service.answer(Self.request("PUT", "/appdata/kid/Diary/a", "kid:m", body: #"{"n":1}"#))
            #expect(await service.answer(Self.request("GET", "/appdata/kid/Diary/a")).status == 404)
            let delta = Self.request("GET", "/appdata/kid/Diary/_deltaset?since=2020-07-16T16:16:37.597Z", "kid:m")
            #expect(await service.answer(delta).status == 200)
            service.close()
        }
        #expect(try Service.settings(path: file.path) == settings)
        let facts = try Service.collections(path: file.path)
        #expect(facts == [.init(app: "kid", name: "Diary", count: 1, rights: .private, keepsHistory: true)])
        // What is set between two starts is told before the next one.
        settings.rightsOfCollections = ["Diary": .closed]
        try Service.keep(settings, path: file.path, Self.environment)
        #expect(try Service.collections(path: file.path).map(\.rights) == [.closed])
    }

    /// What a client knows from before other rights is known no longer, though nothing was written since.
    @Test func otherRightsEndWhatIsKnown() async throws {
        let file = File()
        var settings = ServiceSettings()
        settings.rights = .public
        settings.deltas = .all
        let service = try Self.service(file.path, settings)
        #expect(await service.answer(Self.request("PUT", "/appdata/kid/Book/a", "kid:m", body: "{}")).status == 201)
        let list = await service.answer(Self.request("GET", "/appdata/kid/Book"))
        let since = try #require(list.headers["X-Kinvey-Request-Start"])
        service.close()
        settings.rights = .closed
        let later = try Self.service(file.path, settings)
        let delta = await later.answer(Self.request("GET", "/appdata/kid/Book/_deltaset?since=\(since)"))
        #expect(delta.status == 400)
        var same = Self.request("GET", "/appdata/kid/Book")
        same.headers["If-None-Match"] = list.headers["ETag"]
        let answer = await later.answer(same)
        #expect(answer.status == 200 && answer.body == Array("[]".utf8))
        later.close()
    }

    /// A database of before has no settings but those that its collections have.
    @Test func databasesOfBefore() async throws {
        let file = File()
        var settings = ServiceSettings()
        settings.rights = .private
        settings.deltas = .all
        let service = try Self.service(file.path, settings)
        _ = await service.answer(Self.request("PUT", "/appdata/kid/Diary/a", "kid:m", body: #"{"n":1}"#))
        service.close()
        let found = try #require(try Service.settings(path: file.path))
        #expect(found.rightsOfCollections == ["Diary": .private])
        #expect(found.deltas == .named(["Diary"]))
    }

    @Test func signUpCanBeClosed() async throws {
        let file = File()
        var settings = ServiceSettings()
        settings.allowsSignUp = false
        let service = try Self.service(file.path, settings)
        let ann = #"{"username":"ann","password":"p"}"#
        #expect(await service.answer(Self.request("POST", "/user/kid", body: ann)).status == 401)
        #expect(await service.answer(Self.request("POST", "/user/kid", "kid:m", body: ann)).status == 201)
        service.close()
    }

    @Test("A misspelt path of an index is told with the field that was meant")
    func misspeltIndexes() async throws {
        let file = File()
        let service = try Self.service(file.path)
        for (name, body) in [("a", #"{"author":"x","year":1}"#), ("b", #"{"author":"y","parts":[{"title":"z"}]}"#)] {
            let written = await service.answer(Self.request("PUT", "/appdata/kid/Book/\(name)", "kid:m", body: body))
            #expect(written.status == 201)
        }
        service.close()
        let cases: [(indexes: [String: [String]], notes: [String])] = [
            (["Book": ["author,-year", "parts.title", "_kmd.ect", "-_id"]], []), (["Book": ["other"]], []),
            (["Journal": ["autor"]], []),
            (["Book": ["autor,-yaer"]], ["autor; did you mean author?", "yaer; did you mean year?"]),
            (["Book": ["author", "+parts.titel"]], ["parts.titel; did you mean parts.title?"]),
        ]
        for (indexes, notes) in cases {
            var settings = ServiceSettings()
            settings.indexes = indexes
            let found = try Service.misspeltIndexes(of: settings, path: file.path)
            #expect(found == notes.map { "the last entities of Book have no field " + $0 }, "\(indexes)")
        }
    }

    /// The owner changes settings of a service that runs: they hold at once, and after the next start.
    @Test func settingsChangeWhileItRuns() async throws {
        let file = File()
        var settings = ServiceSettings()
        settings.rights = .private
        try Service.keep(settings, path: file.path, Self.environment)
        let service = try Self.service(file.path)
        func send(_ method: String, _ path: String, _ user: String = "kid:m", body: String = "", match: String? = nil)
            async -> WireResponse
        {
            var request = Self.request(method, path, user, body: body)
            if let match { request.headers["If-Match"] = match }
            return await service.answer(request)
        }
        #expect(await send("PUT", "/appdata/kid/Diary/a", body: #"{"n":1}"#).status == 201)
        #expect(await send("GET", "/appdata/kid/Diary/a", "kid:s").status == 404)
        #expect(await send("GET", "/admin/kid", "kid:s").status == 401)
        #expect(await send("PUT", "/admin/kid", "kid:s", body: #"{"rights":"closed"}"#).status == 401)
        let before = await send("GET", "/admin/kid")
        #expect(before.status == 200)
        guard case .object(let told) = try QueryValue(json: before.body) else { Issue.record("no object"); return }
        #expect(told["settings"] == .object(settings.document))
        #expect(
            told["collections"] == [.object(["name": "Diary", "count": 1, "rights": "private", "delta": false])]
        )

        // What opens data needs a flag, and a misspelt name is told.
        let refused = await send("PUT", "/admin/kid", body: #"{"rights":"public"}"#)
        #expect(refused.status == 400)
        #expect(String(decoding: refused.body, as: UTF8.self).contains("public in place of private"))
        let misspelt = await send("PUT", "/admin/kid", body: #"{"right":"public"}"#)
        #expect(String(decoding: misspelt.body, as: UTF8.self).contains("did you mean rights?"))
        #expect(await send("PUT", "/admin/kid?lossen=true", body: #"{"rights":"public"}"#).status == 400)
        #expect(await send("GET", "/appdata/kid/Diary/a", "kid:s").status == 404)

        let tag = before.headers["ETag"]
        let delta = "/appdata/kid/Diary/_deltaset?since="
        #expect(await send("GET", delta + "2020-07-16T16:16:37.597Z").status == 403)
        // What is known from before the change is known no longer.
        let known = await send("GET", "/appdata/kid/Diary", "kid:s")
        #expect(known.body == Array("[]".utf8))
        let opened = #"{"rights":"public","delta":["Diary"],"indexes":{"Diary":["n"]}}"#
        #expect(await send("PUT", "/admin/kid?loosen=true", body: opened, match: tag).status == 200)
        #expect(await send("PUT", "/admin/kid", body: #"{"historyDays":20}"#, match: tag).status == 412)
        let found = await send("GET", "/appdata/kid/Diary", "kid:s")
        #expect(String(decoding: found.body, as: UTF8.self).contains(#""n":1"#))
        // A delta begins with the change, and tells what comes after it.
        let old = try #require(known.headers["X-Kinvey-Request-Start"])
        #expect(await send("GET", delta + old, "kid:s").status == 400)
        let start = try #require(found.headers["X-Kinvey-Request-Start"])
        #expect(await send("PUT", "/appdata/kid/Diary/b", body: #"{"n":2}"#).status == 201)
        let news = await send("GET", delta + start, "kid:s")
        #expect(news.status == 200 && String(decoding: news.body, as: UTF8.self).contains(#""n":2"#))
        #expect(await send("PUT", "/admin/kid", body: #"{"rightsOfCollections":{"Diary":"closed"}}"#).status == 200)
        #expect(await send("GET", "/appdata/kid/Diary", "kid:s").body == Array("[]".utf8))
        #expect(await send("PUT", "/appdata/kid/Open/a", "kid:s", body: "{}").status == 201)
        service.close()

        let again = try Self.service(file.path)
        let closed = await again.answer(Self.request("GET", "/appdata/kid/Diary", "kid:s"))
        #expect(closed.body == Array("[]".utf8))
        #expect(await again.answer(Self.request("GET", "/appdata/kid/Open/a", "kid:s")).status == 200)
        again.close()
        let kept = try #require(try Service.settings(path: file.path))
        #expect(kept.rights == .public && kept.deltas == .named(["Diary"]) && kept.indexes == ["Diary": ["n"]])
    }

    /// A write that is refused makes no collection: an owner who closes those that are not named has no others.
    @Test func refusedWritesMakeNoCollection() async throws {
        var settings = ServiceSettings()
        settings.rights = .closed
        settings.rightsOfCollections = ["Book": .public]
        let service = try Self.service(":memory:", settings)
        func send(_ method: String, _ path: String, body: String = "", key: String? = nil) async -> Int {
            var request = Self.request(method, "/appdata/kid/" + path, body: body)
            if let key { request.headers["Idempotency-Key"] = "AAAAAAAAAAAAAAAAAAAAAA:\(key):abcdef" }
            return await service.answer(request).status
        }
        #expect(await send("PUT", "C1/a", body: "{}") == 401)
        #expect(await send("POST", "C2", body: "{}", key: "1") == 401)
        #expect(await send("POST", "C3", body: "[{},{}]") == 207)
        #expect(await send("DELETE", "C4/a", key: "2") == 404)
        #expect(await send("DELETE", "C5?query={}", key: "3") == 200)
        #expect(await send("PUT", "Book/a", body: "{}") == 201)
        #expect(service.storage.collections.all.map(\.key.name) == ["Book"])
        service.close()
        settings.rights = .public
        let open = try Self.service(":memory:", settings)
        var request = Self.request("PUT", "/appdata/kid/C6/a", body: "{}")
        for match in ["*", #""2020-01-01T00:00:00.000Z""#] {
            request.headers["If-Match"] = match
            #expect(await open.answer(request).status == 412)
        }
        #expect(open.storage.collections.all.isEmpty)
        open.close()
    }

    /// A service is ready if it commits what takes pages: a commit of nothing succeeds on a full disk too.
    @Test func readinessIsAWrite() async throws {
        let file = File()
        let service = try Self.service(file.path)
        let other = try Connection(path: file.path, isReadOnly: false)
        let before = try other.int("PRAGMA data_version")
        #expect(await service.answer(Self.request("GET", "/readyz")).status == 200)
        #expect(try other.int("PRAGMA data_version") != before)
        #expect(try other.int("SELECT length(value) FROM meta WHERE key = 'probe'") > 4_096)
        try other.database.execute("CREATE TRIGGER full BEFORE INSERT ON meta BEGIN SELECT RAISE(ABORT, 'full'); END")
        #expect(await service.answer(Self.request("GET", "/readyz")).status == 503)
        try other.database.execute("DROP TRIGGER full")
        #expect(await service.answer(Self.request("GET", "/readyz")).status == 200)
        service.close()
    }

    /// The owner of one app does not change what holds for another's.
    @Test func settingsOfSeveralAppsStay() async throws {
        let apps = ["kid", "tom"].map { ServiceConfiguration.App(key: $0, secret: "s", master: "m") }
        let service = try Service(path: ":memory:", ServiceConfiguration(apps: apps), Self.environment)
        #expect(await service.answer(Self.request("PUT", "/appdata/tom/Book/a", "tom:m", body: "{}")).status == 201)
        let seen = await service.answer(Self.request("GET", "/admin/kid", "kid:m"))
        #expect(seen.status == 200 && !String(decoding: seen.body, as: UTF8.self).contains("Book"))
        #expect(await service.answer(Self.request("DELETE", "/admin/kid/Book", "kid:m")).status == 404)
        let change = Self.request("PUT", "/admin/kid", "kid:m", body: #"{"rights":"closed"}"#)
        #expect(await service.answer(change).status == 401)
        service.close()
    }

    /// What comes under the name of a removed collection is another one: no delta joins the two.
    @Test func collectionsAreRemovedWhileItRuns() async throws {
        let file = File()
        var settings = ServiceSettings()
        settings.deltas = .all
        let service = try Self.service(file.path, settings)
        func send(_ method: String, _ path: String, body: String = "") async -> WireResponse {
            await service.answer(Self.request(method, path, "kid:m", body: body))
        }
        for name in ["Book", "Draft"] {
            #expect(await send("PUT", "/appdata/kid/\(name)/a", body: #"{"n":1}"#).status == 201)
        }
        let start = try #require(await send("GET", "/appdata/kid/Draft").headers["X-Kinvey-Request-Start"])
        #expect(await send("DELETE", "/admin/kid/Draft").status == 204)
        #expect(await send("DELETE", "/admin/kid/Draft").status == 404)
        #expect(await send("GET", "/appdata/kid/Draft").body == Array("[]".utf8))
        #expect(await send("PUT", "/appdata/kid/Draft/b", body: #"{"n":2}"#).status == 201)
        let found = await send("GET", "/appdata/kid/Draft")
        let next = try #require(found.headers["X-Kinvey-Request-Start"])
        #expect(next > start && !String(decoding: found.body, as: UTF8.self).contains(#""n":1"#))
        // A client that knows the entity `a` must load anew, as its removal is in no history.
        let delta = await send("GET", "/appdata/kid/Draft/_deltaset?since=\(start)")
        #expect(delta.status == 400, "\(String(decoding: delta.body, as: UTF8.self))")
        #expect(await send("GET", "/appdata/kid/Draft/_deltaset?since=\(next)").status == 200)
        #expect(await send("GET", "/appdata/kid/Book/a").status == 200)
        service.close()
        #expect(try Service.collections(path: file.path).map(\.count) == [1, 1])
    }

    /// A bound that was lifted and set again bounds log-ins again.
    @Test func boundsComeBack() {
        var configuration = ServiceConfiguration(apps: [])
        let limits = configuration.limits
        for rate in [nil, 50] {
            configuration.settings.requestsPerSecond = rate
            #expect(configuration.limits.logInsPerMinute == (rate == nil ? nil : limits.logInsPerMinute))
            #expect(configuration.limits.guessesPerMinute == (rate == nil ? nil : limits.guessesPerMinute))
        }
        #expect(limits.logInsPerMinute != nil && limits.guessesPerMinute != nil)
    }

    @Test func collectionsCanBeRemoved() async throws {
        let file = File()
        let service = try Self.service(file.path)
        for name in ["Book", "Draft"] {
            _ = await service.answer(Self.request("PUT", "/appdata/kid/\(name)/a", "kid:m", body: #"{"n":1}"#))
        }
        service.close()
        #expect(try Service.removeCollection("Draft", of: "kid", path: file.path))
        #expect(try !Service.removeCollection("Draft", of: "kid", path: file.path))
        #expect(try Service.collections(path: file.path).map(\.name) == ["Book"])
        let again = try Self.service(file.path)
        #expect(await again.answer(Self.request("GET", "/appdata/kid/Draft", "kid:m")).body == Array("[]".utf8))
        #expect(await again.answer(Self.request("PUT", "/appdata/kid/Draft/b", "kid:m", body: "{}")).status == 201)
        again.close()
    }

    /// Another program's database is left alone, and a service's own is for its user alone.
    @Test func filesAreTheServicesOwn() async throws {
        let (other, own) = (File(), File())
        let database = try SQLiteDatabase(path: other.path, isReadOnly: false)
        try database.execute("CREATE TABLE t (a)")
        #expect(throws: QueryError.self) { try Self.service(other.path, ServiceSettings()) }
        #expect(throws: QueryError.self) { try Service.settings(path: other.path) }
        #expect(try database.tableNames() == ["t"])
        try database.execute("CREATE TABLE meta (key, value); PRAGMA application_id = 7")
        #expect(throws: QueryError.self) { try Self.service(other.path, ServiceSettings()) }
        try Self.service(own.path).close()
        // One of an earlier form is brought to the present one; one of a later form is left alone, also by a backup.
        let copy = File()
        let connection = try Connection(path: own.path, isReadOnly: false)
        try connection.run("UPDATE meta SET value = '1' WHERE key = 'format'")
        try Service.backUp(path: own.path, to: copy.path)
        try Self.service(own.path).close()
        #expect(try Tables.value("format", connection) == Tables.format)
        try connection.run("UPDATE meta SET value = '3' WHERE key = 'format'")
        #expect(throws: QueryError.self) { try Self.service(own.path, ServiceSettings()) }
        #expect(throws: QueryError.self) { try Service.backUp(path: own.path, to: copy.path + "2") }
        for (format, hint) in [("99", "a newer pql wrote it"), ("0", "no version wrote"), ("x", "no version wrote")] {
            try connection.run("UPDATE meta SET value = ? WHERE key = 'format'", [.string(format)])
            let refused = #expect(throws: QueryError.self) { try Self.service(own.path, ServiceSettings()) }
            #expect(refused?.message.contains("has the format \(format), and this pql reads 1 to 2") == true)
            #expect(refused?.hint?.hasPrefix(hint) == true, "\(format)")
        }
        let restored = File()
        try Service.restore(copy.path, to: restored.path, Self.environment)
        let service = try Self.service(restored.path)
        _ = await service.answer(Self.request("PUT", "/appdata/kid/Book/a", "kid:m", body: "{}"))
        for path in [own.path, copy.path, restored.path, restored.path + "-wal", restored.path + "-shm"] {
            let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(rights as? Int == 0o600, "\(path)")
        }
        service.close()
    }

    /// What was written after a backup is in no history of the restored database, whatever epoch a client tells.
    @Test func restoredHistoriesBeginAnew() async throws {
        let (file, copy, restored) = (File(), File(), File())
        let clock = ServiceHarness.Clock()
        let environment = ServiceHarness.environment(clock)
        var settings = ServiceSettings()
        settings.deltas = .all
        try Service.keep(settings, path: file.path, environment)
        var service = try Self.service(file.path, nil, environment)
        func send(_ method: String, _ path: String, body: String = "") async -> WireResponse {
            clock.advance(1_000)
            return await service.answer(Self.request(method, "/appdata/kid/" + path, "kid:m", body: body))
        }
        #expect(await send("PUT", "Book/a", body: "{}").status == 201)
        try Service.backUp(path: file.path, to: copy.path)
        #expect(await send("PUT", "Book/ghost", body: "{}").status == 201)
        #expect(await send("PUT", "Late/ghost", body: "{}").status == 201)
        var known: [String: String] = [:]
        for name in ["Book", "Late"] { known[name] = await send("GET", name).headers["X-Kinvey-Request-Start"] }
        service.close()
        clock.advance(1_000)
        try Service.restore(copy.path, to: restored.path, environment)
        service = try Self.service(restored.path, nil, environment)
        for name in ["Book", "Late"] {
            let since = try #require(known[name])
            #expect(await send("GET", "\(name)/_deltaset?since=\(since)").status == 400)
            #expect(await send("PUT", "\(name)/new", body: "{}").status == 201)
            #expect(await send("GET", "\(name)/_deltaset?since=\(since)").status == 400)
            let next = try #require(await send("GET", name).headers["X-Kinvey-Request-Start"])
            #expect(await send("PUT", "\(name)/newer", body: "{}").status == 201)
            let news = await send("GET", "\(name)/_deltaset?since=\(next)")
            #expect(news.status == 200 && String(decoding: news.body, as: UTF8.self).contains("newer"))
        }
        service.close()
    }

    /// A file that the service wrote before it kept settings, shares and the costs of passwords.
    @Test func filesOfTheFirstFormAreRead() async throws {
        let file = File()
        let kept = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Data/service-1.sqlite")
        try FileManager.default.copyItem(atPath: kept.path, toPath: file.path)
        var configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
        configuration.settings = try #require(try Service.settings(path: file.path))
        #expect(configuration.rights(of: "Note") == .private && configuration.settings.deltas.includes("Note"))
        let connection = try Connection(path: file.path, isReadOnly: false)
        var sessions: [String] = []
        for name in ["ann", "bob"] {
            let token = Self.environment.digest(Array(name.utf8))
            try connection.run(
                "INSERT INTO session SELECT ?, app, id, ?, ? FROM user WHERE username = ?",
                [.data(token), .int(Self.environment.now()), .int(Self.environment.now()), .string(name)]
            )
            sessions.append("Kinvey " + name)
        }
        let service = try Service(path: file.path, configuration, Self.environment, readers: 0)
        defer { service.close() }
        func ids(_ authorization: String) async throws -> [QueryValue?] {
            var request = WireRequest("GET", "/appdata/kid/Note", query: "sort=_id")
            request.headers["Authorization"] = authorization
            guard case .list(let rows) = try QueryValue(json: await service.answer(request).body) else { return [] }
            return rows.map { if case .object(let row) = $0 { row["_id"] } else { nil } }
        }
        #expect(try await ids(sessions[0]) == ["a1", "a2", "b1"])
        #expect(try await ids(sessions[1]) == ["a2", "b1", "b2"])
        #expect(try await ids("Basic " + Data("kid:m".utf8).base64EncodedString()) == ["a1", "a2", "b1", "b2"])
        // A write that is repeated after the change of the program has its receipt still.
        var again = Self.request("PUT", "/appdata/kid/Note/b2", body: #"{"n":4}"#)
        again.headers["Authorization"] = sessions[1]
        again.headers["Idempotency-Key"] = "AAAAAAAAAAAAAAAAAAAAAA:1:abcdef"
        #expect(await service.answer(again).headers["X-PQL-Replayed"] == "true")
        #expect(try Tables.value("format", connection) == Tables.format)
    }
}
