import Foundation
import PredicateQL
import PredicateQLSQLite
import StoreModel
import StoreSupport
import Testing

@testable import PredicateQLService

/// Rights are one rule in two forms: a decision about an entity, and a condition of a query.
@Suite struct RightsTests {
    private static let flags: [Bool?] = [nil, true, false]

    private static var accesses: [AccessControl] { accesses(of: "u") }

    private static func accesses(of user: String) -> [AccessControl] {
        let lists = [[], [user], ["v"], ["v", user]]
        var all: [AccessControl] = []
        for creator in [nil, user, "v"] {
            for isReadable in flags {
                for isWritable in flags {
                    for readers in lists {
                        for writers in lists {
                            var access = AccessControl(creator: creator)
                            (access.isReadable, access.isWritable) = (isReadable, isWritable)
                            (access.readers, access.writers) = (readers, writers)
                            all.append(access)
                        }
                    }
                }
            }
        }
        return all
    }

    /// Who may neither read an entity nor add one is told the same whether it is there or not.
    @Test func whatIsHiddenIsToldLikeWhatIsNotThere() async throws {
        let harness = try ServiceHarness { configuration in
            configuration.rightsOfCollections = ["Open": .shared, "Closed": .closed, "Own": .private]
        }
        let bob = await harness.signUp("bob").session
        let app = ServiceHarness.basic("s")
        for name in ["Open", "Closed", "Own"] {
            #expect(await harness.send("PUT", "\(name)/taken", #"{"_acl":{"gr":false}}"#).status == 201)
        }
        let headers = [[:], ["If-None-Match": "*"], ["If-Match": "*"], ["If-Match": "\"x\""]]
        for (name, caller) in [("Open", app), ("Own", app), ("Closed", app), ("Closed", bob)] {
            for header in headers {
                for (method, path, body) in [
                    ("POST", "", #"{"_id":"ID"}"#), ("POST", "", #"[{"_id":"ID"}]"#), ("PUT", "/ID", "{}"),
                    ("DELETE", "/ID", ""), ("GET", "/ID", ""),
                ] {
                    var answers: [String] = []
                    for id in ["taken", "free"] {
                        let body = body.isEmpty ? nil : body.replacingOccurrences(of: "ID", with: id)
                        let path = name + path.replacingOccurrences(of: "ID", with: id)
                        let answer = await harness.send(method, path, body, as: caller, header)
                        answers.append("\(answer.status) " + answer.body.replacingOccurrences(of: id, with: "ID"))
                    }
                    #expect(answers[0] == answers[1], "\(name) \(method) \(header)")
                    #expect(!answers[0].hasPrefix("2") || answers[0].contains("errors"))
                }
            }
        }
        // Who may add learns that an id is taken, but no version of it.
        #expect(await harness.send("POST", "Own", #"{"_id":"taken"}"#, as: bob).status == 500)
        for id in ["taken", "free"] {
            for tag in ["*", "\"x\""] {
                let answer = await harness.send("PUT", "Own/\(id)", "{}", as: bob, ["If-Match": tag])
                #expect(answer.status == 412 && !answer.body.contains("entity\":"), "\(answer.body)")
            }
        }
    }

    @Test func decisionsEqualConditions() throws {
        let callers: [Caller.Identity] = [.app, .user("u"), .master]
        var count = 0
        for rights in CollectionRights.allCases {
            for identity in callers {
                let access = Access(rights: rights, caller: Caller(app: "kid", identity: identity))
                let readable = try Matcher(Query(access.readable ?? .constant(true)))
                let writable = try Matcher(Query(access.writable ?? .constant(true)))
                for control in Self.accesses {
                    let entity: Document = ["_acl": .object(control.document)]
                    let place = "\(rights) \(identity) \(control.document)"
                    #expect(try readable.matches(entity) == access.canRead(control), "\(place)")
                    let writes = access.canRead(control) && access.canWrite(control)
                    #expect(try writable.matches(entity) == writes, "\(place)")
                    count += 2
                    guard control.isPlain else { continue }
                    var plain = access
                    plain.hasShares = false
                    let known = [plain.readable, plain.writable].map { Query($0 ?? .constant(true)) }
                    #expect(try known[0].matches(entity) == access.canRead(control), "\(place)")
                    #expect(try known[1].matches(entity) == writes, "\(place)")
                }
            }
        }
        #expect(count == 2 * 4 * 3 * 432)
    }

    @Test func answersCountsGroupsAndRemovalsObeyRights() async throws {
        let harness = try ServiceHarness { $0.rights = .private }
        let (ann, bob) = (await harness.signUp("ann"), await harness.signUp("bob"))
        let entities =
            #"[{"_id":"1"},{"_id":"2","_acl":{"gr":true}},{"_id":"3","_acl":{"r":["\#(bob.id)"]}},"#
            + #"{"_id":"4","_acl":{"w":["\#(bob.id)"]}},{"_id":"5","_acl":{"gw":true,"gr":true}}]"#
        #expect(await harness.send("POST", "Note", entities, as: ann.session).status == 201)
        let found = await harness.send("GET", "Note?sort=_id&fields=_id", as: bob.session)
        guard case .list(let notes)? = found.json else {
            Issue.record("\(found.body)")
            return
        }
        let ids = notes.map { note in if case .object(let note) = note { note["_id"] } else { nil as QueryValue? } }
        #expect(ids == ["2", "3", "4", "5"])
        #expect(await harness.send("GET", "Note/_count", as: bob.session).body == #"{"count":4}"#)
        #expect(await harness.send("DELETE", "Note?query={}", as: bob.session).body == #"{"count":2}"#)
        #expect(await harness.send("GET", "Note/_count").body == #"{"count":3}"#)
        #expect(await harness.send("GET", "Note/_count", as: ServiceHarness.basic("s")).body == #"{"count":1}"#)
    }

    /// Who writes an entity may not always say who else does.
    @Test func fewChangeTheAccess() async throws {
        let harness = try ServiceHarness { $0.rights = .public }
        let (app, owner) = (ServiceHarness.basic("s"), ServiceHarness.basic("m"))
        let (ann, bob) = (await harness.signUp("ann"), await harness.signUp("bob"))
        #expect(await harness.send("PUT", "Note/nobodys", #"{"_acl":{"gr":true}}"#, as: app).status == 201)
        let anns = await harness.send("PUT", "Note/anns", #"{"_acl":{"gr":true,"w":["\#(bob.id)"]}}"#, as: ann.session)
        #expect(anns.status == 201)
        let closing = #"{"n":1,"_acl":{"gr":false}}"#
        for caller in [app, ann.session] {
            #expect(await harness.send("PUT", "Note/nobodys", #"{"n":1}"#, as: caller).status == 200)
            #expect(await harness.send("PUT", "Note/nobodys", #"{"_acl":{"gr":true}}"#, as: caller).status == 200)
            #expect(await harness.send("PUT", "Note/nobodys", closing, as: caller).status == 401)
        }
        #expect(await harness.send("PUT", "Note/anns", closing, as: app).status == 401)
        for caller in [bob.session, ann.session] {
            let body = #"{"_acl":{"gw":true,"w":["\#(bob.id)"]}}"#
            #expect(await harness.send("PUT", "Note/anns", body, as: caller).status == 200)
        }
        #expect(await harness.send("PUT", "Note/nobodys", closing, as: owner).status == 200)
    }

    /// Where nothing is shared a user's list is one of an index; the first entity that is shared is found at once.
    @Test func rightsAreReadFromAnIndex() async throws {
        let harness = try ServiceHarness { $0.rights = .private }
        let (ann, bob) = (await harness.signUp("ann"), await harness.signUp("bob"))
        func count(_ user: String) async -> String {
            await harness.send("GET", "Note/_count", as: user).body
        }
        func plan() async throws -> String {
            let collection = try #require(harness.service.storage.collections[.init(app: "kid", name: "Note")])
            let caller = Caller(app: "kid", identity: .user(bob.id))
            return try await harness.service.storage.read(for: "t") { (connection) throws(ServiceFault) in
                _ = try connection.tick(of: collection)
                let readable = try connection.access(of: caller, in: collection).readable
                return try connection.faults { () throws(QueryError) in
                    let query = Query(readable ?? .constant(true))
                    let statement = try query.sql(.sqlite, from: SQLTable(collection.table, storage: .entities))
                    return try connection.database.queryPlan(statement.sql, statement.bindings)
                }
            }.joined()
        }
        #expect(await harness.send("POST", "Note", #"[{"_id":"1"},{"_id":"2"}]"#, as: ann.session).status == 201)
        #expect(await harness.send("POST", "Note", #"[{"_id":"3"}]"#, as: bob.session).status == 201)
        #expect(await count(bob.session) == #"{"count":1}"#)
        #expect(await count(ServiceHarness.basic("s")) == #"{"count":0}"#)
        #expect(try await plan().contains("USING INDEX"))
        let shared = #"{"_acl":{"creator":"\#(ann.id)","r":["\#(bob.id)"]}}"#
        #expect(await harness.send("PUT", "Note/1", shared, as: ann.session).status == 200)
        #expect(await count(bob.session) == #"{"count":2}"#)
        #expect(await count(ann.session) == #"{"count":2}"#)
    }

    /// Each way to share an entity, in collections of all rights: lists, counts and removals find what decisions allow.
    @Test(arguments: CollectionRights.allCases) func everyAccessIsObeyed(rights: CollectionRights) async throws {
        let harness = try ServiceHarness { $0.rights = rights }
        let user = await harness.signUp("ann")
        #expect(await harness.send("PUT", "Note/first", "{}").status == 201)
        let controls = Self.accesses(of: user.id)
        let collection = try #require(harness.service.storage.collections[.init(app: "kid", name: "Note")])
        try await harness.service.storage.change { (group) throws(QueryError) in
            let tick = try group.tick(of: collection)
            for (number, control) in controls.enumerated() {
                let entity: Document = ["_id": .string("e\(number)"), "_acl": .object(control.document)]
                let json = Array(QueryValue.object(entity).json.utf8)
                try group.put(json, at: tick, id: "e\(number)", in: collection, replacing: nil)
                try group.share("e\(number)", control, in: collection, replacing: nil)
            }
        }
        let callers: [(Caller.Identity, String)] = [
            (.app, ServiceHarness.basic("s")), (.user(user.id), user.session), (.master, ServiceHarness.basic("m")),
        ]
        for (identity, authorization) in callers {
            let access = Access(rights: rights, caller: Caller(app: "kid", identity: identity))
            let own = try await harness.service.storage.read(for: "t") { (connection) throws(ServiceFault) in
                _ = try connection.tick(of: collection)
                return try connection.access(of: access.caller, in: collection)
            }
            let isNamed = identity != .master && rights != .closed
            #expect((own.exceptions != nil) == isNamed)
            let readable = controls.indices.filter { access.canRead(controls[$0]) }
            let writable = readable.filter { access.canWrite(controls[$0]) }
            let found = await harness.send(
                "GET",
                "Note?query={\"_id\":{\"$ne\":\"first\"}}&fields=_id",
                as: authorization
            )
            guard case .list(let entities)? = found.json else {
                Issue.record("\(found.body)")
                continue
            }
            let ids = entities.compactMap { if case .object(let entity) = $0 { entity["_id"] } else { nil } }
            #expect(Set(ids) == Set(readable.map { .string("e\($0)") }), "\(rights) \(identity)")
            let query = "?query={\"_id\":{\"$ne\":\"first\"}}"
            let count = await harness.send("GET", "Note/_count" + query, as: authorization)
            #expect(count.body == "{\"count\":\(readable.count)}", "\(rights) \(identity)")
            let condition = try Matcher(Query(own.writable ?? .constant(true)))
            for (number, control) in controls.enumerated() {
                let entity: Document = ["_id": .string("e\(number)"), "_acl": .object(control.document)]
                #expect(try condition.matches(entity) == writable.contains(number), "\(rights) \(identity) \(control)")
            }
        }
    }

    /// A database that was made before it noted what is shared is looked at once, and so is what was shared.
    @Test func databasesTellWhatIsShared() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".sqlite").path
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        func shares(_ before: (Connection) throws -> Void) throws -> Bool? {
            try before(Connection(path: path, isReadOnly: false))
            let harness = try ServiceHarness(path: path, readers: 0) { $0.rights = .private }
            defer { harness.service.close() }
            return harness.service.storage.collections[.init(app: "kid", name: "Note")]?.listPaths.hasShares
        }
        let harness = try ServiceHarness(path: path, readers: 0) { $0.rights = .private }
        _ = await harness.send("PUT", "Note/1", #"{"_acl":{"gr":true}}"#)
        harness.service.close()
        #expect(try shares { _ in } == true)
        #expect(
            try shares {
                let tables = "DROP TABLE share; DELETE FROM meta WHERE key = 'shares'; "
                try $0.database.execute(tables + "UPDATE meta SET value = '1' WHERE key = 'format'")
            } == true
        )
        let last = try ServiceHarness(path: path, readers: 0) { $0.rights = .private }
        #expect(await last.send("DELETE", "Note/1").status == 200)
        last.service.close()
        #expect(try shares { _ in } == false)
    }
}
