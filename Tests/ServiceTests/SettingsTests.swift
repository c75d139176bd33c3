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

    private static func service(_ path: String, _ settings: ServiceSettings? = nil) throws -> Service {
        var configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
        configuration.settings = try settings ?? Service.settings(path: path) ?? ServiceSettings()
        return try Service(path: path, configuration, environment, readers: 0)
    }

    private static func request(_ method: String, _ path: String, _ user: String = "kid:s", body: String = "")
        -> WireRequest
    {
        var request = WireRequest(method, path)
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
            #expect(await service.answer(delta).status != 403)
            service.close()
        }
        #expect(try Service.settings(path: file.path) == settings)
        let facts = try Service.collections(path: file.path)
        #expect(facts == [.init(app: "kid", name: "Diary", count: 1, rights: .private, keepsHistory: true)])
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
    @Test func filesAreTheServicesOwn() throws {
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
        let attributes = try FileManager.default.attributesOfItem(atPath: own.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
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
