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
    private static let lists: [[String]] = [[], ["u"], ["v"], ["v", "u"]]

    private static var accesses: [AccessControl] {
        var all: [AccessControl] = []
        for creator in [nil, "u", "v"] {
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
                try connection.faults { () throws(QueryError) in
                    let query = Query(Access(caller, in: collection).readable ?? .constant(true))
                    let statement = try query.sql(.sqlite, from: collection.table, storage: .entities)
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
            try shares { try $0.database.execute("DROP TABLE share; DELETE FROM meta WHERE key = 'shares'") } == true
        )
        #expect(try shares { try $0.database.execute("DELETE FROM e1") } == false)
        #expect(try shares { _ in } == false)
    }
}
