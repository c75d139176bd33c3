import Foundation
import PredicateQL
import StoreModel
import StoreSupport
import Testing

@testable import PredicateQLService

/// Apps move out and in as folders of text files.
@Suite struct MovingTests {
    /// A folder that goes with the test.
    private final class Place {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        subscript(name: String) -> String { path + "/" + name }

        func write(_ text: String, _ name: String) throws {
            let file = URL(fileURLWithPath: self[name])
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }

        func names(_ folder: String = "") -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: self[folder])) ?? []).sorted()
        }

        /// The files of a folder by name.
        func texts(_ folder: String) throws -> [String: String] {
            var texts: [String: String] = [:]
            for name in names(folder) {
                texts[name] = try String(contentsOfFile: self[folder + "/" + name], encoding: .utf8)
            }
            return texts
        }
    }

    private final class Flag: Sendable {
        let value = Mutex(false)
    }

    private static let collections = ["Board", "Diary", "News", "Vault", "users"]

    private static func configure(_ configuration: inout ServiceConfiguration) {
        configuration.rightsOfCollections = ["Board": .public, "Diary": .private, "Vault": .closed]
        configuration.deltas = .named(["News", "Diary"])
    }

    /// Fills a service; the names of its users.
    private static func fill(_ harness: ServiceHarness, _ dice: inout Dice) async -> [String] {
        let names = ["ann", "böb", "cy\\\"d", "dora"]
        var users: [(id: String, session: String)] = []
        for name in names { users.append(await harness.signUp(name)) }
        _ = await harness.send(
            "PUT",
            "/user/kid/\(users[0].id)",
            #"{"bio":"a\nb\u2028","tags":[1,2.5,null,{"a":1e300}]}"#,
            as: users[0].session
        )
        for number in 0..<120 {
            let user = users[dice.below(users.count)]
            let other = users[dice.below(users.count)].id
            let shares = [
                "", #","_acl":{"gr":true}"#, #","_acl":{"gr":false,"r":["\#(other)"]}"#,
                #","_acl":{"w":["\#(other)"]}"#, #","_acl":{"gr":true,"gw":true}"#,
            ]
            let values = ["1", "0.1", "-0.0", "1e21", #""é\u0001\u2028""#, "[1,[2]]", "{}", "null", "9007199254740993"]
            let value = values[dice.below(values.count)]
            let body = #"{"n":\#(number),"v":\#(value)\#(shares[dice.below(shares.count)]),"_kmd":{"own":\#(value)}}"#
            let collection = collections[dice.below(collections.count)]
            let caller = collection == "Vault" ? ServiceHarness.basic("m") : user.session
            _ = await harness.send("PUT", "\(collection)/e\(dice.below(60))", body, as: caller)
            if dice.below(4) == 0 { harness.time.advance(Int64(dice.below(5_000))) }
            if dice.below(10) == 0 { _ = await harness.send("DELETE", "\(collection)/e\(dice.below(60))") }
        }
        // Nothing is in it any more, and it is there.
        _ = await harness.send("POST", "Empty", #"{"_id":"x"}"#)
        _ = await harness.send("DELETE", "Empty/x")
        _ = await harness.send("DELETE", "/user/kid/\(users[3].id)", as: users[3].session)
        return names
    }

    /// Everything that callers see: lists, entities with their ETags, counts, users.
    private static func seen(_ harness: ServiceHarness, _ names: [String]) async -> [String] {
        var callers = [ServiceHarness.basic("s"), ServiceHarness.basic("m")]
        var seen: [String] = []
        for name in names {
            for password in ["p", "wrong"] {
                let body = #"{"username":"\#(name)","password":"\#(password)"}"#
                let answer = await harness.send("POST", "/user/kid/login", body, as: ServiceHarness.basic("s"))
                seen.append("\(name) \(password) \(answer.status)")
                guard case .object(var user)? = answer.json, case .object(var metadata)? = user["_kmd"],
                    case .string(let token)? = metadata["authtoken"]
                else { continue }
                metadata["authtoken"] = nil
                user["_kmd"] = .object(metadata)
                seen.append(QueryValue.object(user).json)
                callers.append("Kinvey " + token)
            }
        }
        for caller in callers {
            for collection in collections + ["Empty"] {
                for path in ["?sort=_id", "/_count", "?query={\"v\":1}&sort=_id"] {
                    let answer = await harness.send("GET", collection + path, as: caller)
                    seen.append("\(answer.status) \(answer.body)")
                }
                for number in 0..<60 {
                    let answer = await harness.send("GET", "\(collection)/e\(number)", as: caller)
                    seen.append("\(answer.status) \(answer.headers["ETag"] ?? "")")
                }
            }
        }
        return seen
    }

    private static func export(_ place: Place, _ database: String, to folder: String) throws -> MovedApp {
        try Service.exportApp("kid", from: place[database], to: place[folder])
    }

    private static func load(_ place: Place, _ folder: String, into database: String, as app: String = "kid") throws
        -> MovedApp
    {
        try Service.importApp(place[folder], as: app, into: place[database], ServiceHarness.environment())
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func appsAreMovedThereAndBack(_ seed: UInt64) async throws {
        let place = try Place()
        var dice = Dice(seed)
        var configuration = ServiceConfiguration(apps: [])
        Self.configure(&configuration)
        let settings = configuration.settings
        try Service.keep(settings, path: place["a.sqlite"], ServiceHarness.environment())
        let old = try ServiceHarness(path: place["a.sqlite"], Self.configure)
        let names = await Self.fill(old, &dice)
        let before = await Self.seen(old, names)
        // Beside a running service, into an empty folder.
        try FileManager.default.createDirectory(atPath: place["out"], withIntermediateDirectories: false)
        let moved = try Self.export(place, "a.sqlite", to: "out")
        old.service.close()
        #expect(moved.users == 4 && moved.collections.keys.sorted() == (Self.collections + ["Empty"]).sorted())
        #expect(moved.entities > 40 && moved.collections["Empty"] == 0)
        let texts = try place.texts("out")
        let files = moved.collections.keys.map { $0 + ".ndjson" } + ["_users.ndjson", "app.json"]
        #expect(texts.keys.sorted() == files.sorted())
        let rights = try FileManager.default.attributesOfItem(atPath: place["out/_users.ndjson"])[.posixPermissions]
        #expect(rights as? Int == 0o600)
        #expect(try Self.load(place, "out", into: "b.sqlite") == moved)
        #expect(try Service.settings(path: place["b.sqlite"]) == settings)
        _ = try Self.export(place, "b.sqlite", to: "again")
        #expect(try place.texts("again") == texts)
        let new = try ServiceHarness(path: place["b.sqlite"], Self.configure)
        let after = await Self.seen(new, names)
        #expect(after == before)
        #expect(before.contains("ann p 200") && before.contains("dora p 401") && before.contains("ann wrong 401"))
        // The history begins with the import, and time does not go back.
        let list = await new.send("GET", "News?limit=1")
        let tick = try #require(list.headers["X-Kinvey-Request-Start"])
        #expect(await new.send("GET", "News/_deltaset?since=\(tick)").status == 200)
        let earlier = Tick(rawValue: try #require(Tick(tick)).rawValue - 1).text
        #expect(await new.send("GET", "News/_deltaset?since=\(earlier)").status == 400)
        let next = await new.send("PUT", "News/next", "{}")
        #expect(try #require(next.headers["X-Kinvey-Request-Start"]) > tick)
        for text in texts["News.ndjson"]?.split(separator: "\n") ?? [] {
            guard case .object(let entity) = try QueryValue(json: String(text)) else { continue }
            #expect(try #require(entity.times().changed).text <= tick)
        }
        new.service.close()
        #expect(place.names().filter { $0.contains("part") }.isEmpty)
    }

    /// An export beside writes is what one commit left: each entity of B was written after one of A.
    @Test func exportsAreOfOneMoment() async throws {
        let place = try Place()
        let harness = try ServiceHarness(path: place["a.sqlite"], readers: 1)
        for name in ["A", "B"] { _ = await harness.send("PUT", name + "/first", "{}") }
        let isDone = Flag()
        async let written: Void = {
            for _ in 0..<400 {
                for name in ["A", "B"] { _ = await harness.send("POST", name, "{}") }
            }
            isDone.value.withLock { $0 = true }
        }()
        var counts: Set<Int> = []
        var number = 0
        while !isDone.value.withLock({ $0 }) {
            number += 1
            await Task.yield()
            let moved = try Self.export(place, "a.sqlite", to: "out\(number)")
            let (a, b) = (moved.collections["A"] ?? 0, moved.collections["B"] ?? 0)
            #expect(a == b || a == b + 1)
            counts.insert(a)
        }
        await written
        #expect(counts.count > 1)
        harness.service.close()
    }

    /// An app comes into a database that has another one: what is there stays, and nothing is opened.
    @Test func appsComeBesideOthers() async throws {
        let place = try Place()
        let other = try ServiceHarness(path: place["a.sqlite"])
        _ = await other.send("PUT", "Book/a", #"{"n":1}"#)
        other.service.close()
        let facts = #"{"format":1,"settings":{"rights":"private","delta":["Diary"],"indexes":{"Diary":["n"]}}}"#
        try place.write(facts, "in/app.json")
        try place.write(#"{"_id":"a","_acl":{"creator":"u"}}"#, "in/Diary.ndjson")
        let before = try Service.settings(path: place["a.sqlite"])
        #expect(try Self.load(place, "in", into: "a.sqlite", as: "two") == MovedApp(collections: ["Diary": 1]))
        let after = try #require(try Service.settings(path: place["a.sqlite"]))
        #expect(after.rights == before?.rights && after.rightsOfCollections == ["Diary": .private])
        #expect(after.deltas == .named(["Diary"]) && after.indexes == ["Diary": ["n"]])
        #expect(try Service.collections(path: place["a.sqlite"]).map(\.count) == [1, 1])
        // Rights go by the name of a collection, so those of Book cannot be two.
        try place.write(#"{"_id":"b"}"#, "in/Book.ndjson")
        try FileManager.default.removeItem(atPath: place["in/Diary.ndjson"])
        let error = #expect(throws: QueryError.self) { try Self.load(place, "in", into: "a.sqlite", as: "two") }
        #expect(error?.message == "the rights of Book are private in app.json, and shared in the database")
        // A folder without settings takes those of the database.
        try place.write(#"{"format":1}"#, "in/app.json")
        #expect(try Self.load(place, "in", into: "a.sqlite", as: "two") == MovedApp(collections: ["Book": 1]))
        #expect(try Service.settings(path: place["a.sqlite"]) == after)
        let missing = #expect(throws: QueryError.self) {
            try Service.exportApp("no", from: place["a.sqlite"], to: place["out"])
        }
        #expect(missing?.message == "the database has no app no" && missing?.hint == "known: kid, two")
        #expect(place.names().filter { $0.hasPrefix("out") }.isEmpty)
    }

    /// What Kinvey exports has no file of settings but one that says the format.
    @Test func filesFromElsewhere() async throws {
        let place = try Place()
        try place.write(#"{"format":1,"settings":{"rights":"private"}}"#, "in/app.json")
        let user =
            #"{"_id":"u1","username":"ann","_kmd":{"lmt":"2013-06-21T12:51:37.817Z","x":1},"_acl":{"creator":"u1"}}"#
        try place.write(user + "\n", "in/_users.ndjson")
        try place.write(
            """
            {"_id":"a","n":1,"_acl":{"creator":"u1"},"_kmd":{"lmt":"2013-06-21T12:51:38Z","ect":"2013-06-21T12:51:37.817Z"}}\r

            {"_id":"b","n":2,"_acl":{"creator":"u2","r":["u1"]}}
            """,
            "in/Note.ndjson"
        )
        #expect(try Self.load(place, "in", into: "b.sqlite") == MovedApp(users: 1, collections: ["Note": 2]))
        let harness = try ServiceHarness(path: place["b.sqlite"]) { $0.rights = .private }
        let first = await harness.send("GET", "Note/a")
        let expected =
            #"{"_id":"a","n":1,"_acl":{"creator":"u1"},"_kmd":{"ect":"2013-06-21T12:51:37.817Z","lmt":"2013-06-21T12:51:38.000Z"}}"#
        #expect(first.body == expected && first.headers["ETag"] == #""2013-06-21T12:51:38.000Z""#)
        #expect(await harness.send("GET", "Note/b").body.contains(#""lmt":"2020-07-16T"#))
        // Without a password nobody is logged in; the owner gives one.
        let logIn = #"{"username":"ann","password":"q"}"#
        #expect(await harness.send("POST", "/user/kid/login", logIn, as: ServiceHarness.basic("s")).status == 401)
        #expect(await harness.send("PUT", "/user/kid/u1", #"{"password":"q"}"#).status == 200)
        let session = await harness.send("POST", "/user/kid/login", logIn, as: ServiceHarness.basic("s"))
        guard case .object(let ann)? = session.json, case .object(let metadata)? = ann["_kmd"],
            case .string(let token)? = metadata["authtoken"]
        else {
            Issue.record("\(session.body)")
            return
        }
        #expect(await harness.send("GET", "Note/_count", as: "Kinvey " + token).body == #"{"count":2}"#)
        // A client that holds the entity writes it.
        let match = ["If-Match": #""2013-06-21T12:51:38.000Z""#]
        let change = await harness.send("PUT", "Note/a", #"{"n":3}"#, as: "Kinvey " + token, match)
        #expect(change.status == 200)
        harness.service.close()
    }

    /// The clock of another machine may be some minutes ahead; versions stay apart.
    @Test func timesMayBeALittleAhead() async throws {
        let place = try Place()
        try place.write(#"{"format":1}"#, "in/app.json")
        let ahead = "2020-07-16T16:20:00.000Z"
        let access = #"{"creator":"u","groups":{"r":[],"w":[]},"roles":{}}"#
        let times = #"{"ect":"\#(ahead)","lmt":"\#(ahead)"}"#
        try place.write("\u{FEFF}" + #"{"_id":"a","_acl":\#(access),"_kmd":\#(times)}"#, "in/Note.ndjson")
        #expect(try Self.load(place, "in", into: "b.sqlite") == MovedApp(collections: ["Note": 1]))
        let harness = try ServiceHarness(path: place["b.sqlite"])
        #expect(await harness.send("GET", "Note/a").headers["ETag"] == "\"\(ahead)\"")
        let next = await harness.send("PUT", "Note/b", "{}").headers["ETag"]
        #expect(next == #""2020-07-16T16:20:00.001Z""#)
        harness.service.close()
    }

    /// What a service exports after a clock was ahead comes in, with now in the place of later times, and is counted.
    @Test func laterTimesBecomeNow() async throws {
        let place = try Place()
        let harness = try ServiceHarness(path: place["a.sqlite"])
        let ann = #"{"username":"ann","password":"p"}"#
        #expect(await harness.send("PUT", "Note/a", "{}").status == 201)
        harness.time.advance(315_360_000_000)
        #expect(await harness.send("PUT", "Note/b", "{}").status == 201)
        #expect(await harness.send("PUT", "Note/a", #"{"n":1}"#).status == 200)
        #expect(await harness.send("POST", "/user/kid", ann, as: ServiceHarness.basic("s")).status == 201)
        harness.service.close()
        _ = try Self.export(place, "a.sqlite", to: "out")
        var moved = try Self.load(place, "out", into: "b.sqlite")
        #expect(moved.later == 3)
        moved.later = 0
        #expect(moved == MovedApp(users: 1, collections: ["Note": 2]))
        let after = try ServiceHarness(path: place["b.sqlite"])
        #expect(after.alarms == [])
        let now = Tick(rawValue: after.time.now).text
        let notes = await after.send("GET", "Note?sort=_id").body
        #expect(notes.components(separatedBy: #""lmt":"\#(now)""#).count == 3, "\(notes)")
        #expect(!notes.contains("2030-"), "\(notes)")
        let next = await after.send("PUT", "Note/c", "{}").headers["ETag"]
        #expect(next == "\"\(Tick(rawValue: after.time.now + 1).text)\"")
        after.service.close()
    }

    /// A mistake names the file and the line, and nothing is added.
    @Test func mistakesChangeNothing() throws {
        let place = try Place()
        let good = #"{"_id":"a","n":1}"# + "\n"
        let facts = #"{"format":1,"users":0,"collections":{"Book":2}}"#
        let user = #"{"_id":"u","username":"ann"}"# + "\n"
        let cases: [([String: String], String)] = [
            (["app.json": facts, "Book.ndjson": good + #"{"_id":"b","n":"#], "Book.ndjson:2: "),
            (["app.json": facts, "Book.ndjson": good + "\n" + good], "Book.ndjson:3: An entity with that _id"),
            (["app.json": facts, "Book.ndjson": good], "Book.ndjson has 1 entries, but app.json says 2"),
            (["app.json": facts, "Book.ndjson": "[\n" + good + "]"], "Book.ndjson:1: the line must be a JSON object"),
            (["app.json": facts, "Book.ndjson": good + "[1]"], "Book.ndjson:2: the line must be a JSON object"),
            (
                ["app.json": facts, "Book.ndjson": good + #"{"_id":7}"#],
                "Book.ndjson:2: the _id is a number and must be a text: jq"
            ),
            (["app.json": facts, "Book.ndjson": good + "{}"], "Book.ndjson:2: the _id is missing; jq"),
            (
                ["app.json": facts, "Book.ndjson": good + #"{"_id":{"$oid":"5"}}"#],
                "Book.ndjson:2: the _id is an object and must be a text: jq"
            ),
            (
                ["app.json": facts, "Book.ndjson": good + #"{"_id":"b","_acl":{"r":"x"}}"#],
                "Book.ndjson:2: in _acl, gr and gw are"
            ),
            (
                ["app.json": facts, "Book.ndjson": good + #"{"_id":"b","_kmd":{"lmt":5}}"#],
                "Book.ndjson:2: _kmd.lmt must be ISO 8601 text"
            ),
            (
                ["app.json": facts, "Book.ndjson": good + #"{"_id":"b","_acl":{"groups":{"r":["g"]}}}"#],
                "Book.ndjson:2: _acl.groups must be empty: name the users in r and w"
            ),
            (["app.json": facts], "/in holds no Book.ndjson"),
            (
                ["app.json": facts, "Book.ndjson": good, "New.ndjson": ""],
                "app.json: it does not name the collection New"
            ),
            (["app.json": #"{"format":1}"#, "my books.ndjson": good], "my books.ndjson: the name of a collection"),
            (["Book.ndjson": good], "/in holds no app.json"),
            (["app.json": #"{"format":1,"rights":"private"}"#], "app.json: there is no key rights"),
            (["app.json": #"{"format":1}"#, "B.ndjson.gz": "x"], "/in holds B.ndjson.gz, and an app is in app.json"),
            (["app.json": #"{"format":1}"#, "C.csv": "a"], "/in holds C.csv, and"),
            (["app.json": #"{"format":1}"#, "inner/A.ndjson": good], "/in holds inner, and"),
            (["app.json": #"{"format":2}"#], "app.json: the format is 2, and 1 is what can be read"),
            (["app.json": #"{"collections":{}}"#], "app.json: the format is missing"),
            (["app.json": "{"], "app.json: "),
            (["app.json": #"{"format":1,"settings":{"right":"x"}}"#], "app.json: right: there is no setting right"),
            (["app.json": #"{"format":1,"users":1}"#], "/in holds no _users.ndjson"),
            (
                ["app.json": #"{"format":1,"users":0}"#, "_users.ndjson": user],
                "_users.ndjson has 1 entries, but app.json says 0"
            ),
            (
                ["app.json": #"{"format":1}"#, "_users.ndjson": user + #"{"_id":"v","username":"ann"}"#],
                "_users.ndjson:2: a user of that username already exists"
            ),
            (
                ["app.json": #"{"format":1}"#, "_users.ndjson": user + #"{"_id":"u","username":"bob"}"#],
                "_users.ndjson:2: a user of that _id already exists"
            ),
            (
                [
                    "app.json": #"{"format":1}"#,
                    "_users.ndjson": user + #"{"_id":"v","username":"v","_acl":{"gr":true}}"#,
                ],
                "_users.ndjson:2: _acl of a user takes no gr, gw, r and w"
            ),
            (
                [
                    "app.json": #"{"format":1}"#,
                    "_users.ndjson": user + #"{"_id":"v","username":"v","_acl":{"r":["u"]}}"#,
                ],
                "_users.ndjson:2: _acl of a user takes no gr, gw, r and w"
            ),
            (
                [
                    "app.json": #"{"format":1}"#,
                    "_users.ndjson": user + #"{"_id":"v","username":"v","_acl":{"creator":"u"}}"#,
                ],
                "_users.ndjson:2: _acl.creator of a user is its own _id"
            ),
            (
                ["app.json": #"{"format":1}"#, "_users.ndjson": #"{"_id":"v","username":"ann","password":"p"}"#],
                "_users.ndjson:1: password must be an object of salt and hash"
            ),
        ]
        try Service.keep(ServiceSettings(), path: place["there.sqlite"], ServiceHarness.environment())
        for (files, expected) in cases {
            try? FileManager.default.removeItem(atPath: place["in"])
            for (name, text) in files { try place.write(text, "in/" + name) }
            for database in ["new.sqlite", "there.sqlite"] {
                let error = #expect(throws: QueryError.self, "\(expected)") {
                    try Self.load(place, "in", into: database)
                }
                #expect(error?.message.contains(expected) == true, "\(expected): \(error?.message ?? "")")
            }
            #expect(place.names().filter { $0.hasPrefix("new") }.isEmpty)
            #expect(try Service.collections(path: place["there.sqlite"]).isEmpty)
        }
        try place.write("x", "out/there")
        for folder in ["out", "out/there"] {
            let error = #expect(throws: QueryError.self) {
                try Service.exportApp("kid", from: place["there.sqlite"], to: place[folder])
            }
            #expect(error?.message.contains("exists already") == true)
        }
        #expect(place.names("out") == ["there"])
    }
}
