import PredicateQL
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
}
