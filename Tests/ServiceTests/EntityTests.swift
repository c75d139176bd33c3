import PredicateQL
import StoreModel
import StoreSupport
import Testing

@testable import PredicateQLService

/// Entities through the service as a function.
@Suite struct EntityTests {
    @Test func anEntityIsAddedReadReplacedAndRemoved() async throws {
        let harness = try ServiceHarness()
        let made = await harness.send("POST", "Book", #"{"title":"Emma","pages":474}"#)
        #expect(made.status == 201)
        guard case .object(let book)? = made.json, case .string(let id)? = book["_id"] else {
            Issue.record("no entity: \(made.body)")
            return
        }
        #expect(id.utf8.count == 26)
        #expect(made.headers["Location"] == "/appdata/kid/Book/\(id)")
        let read = await harness.send("GET", "Book/\(id)")
        #expect(read.status == 200)
        #expect(read.body == made.body)
        #expect(read.headers["X-Kinvey-Request-Start"] == "2020-07-16T16:16:37.597Z")
        #expect(read.headers["ETag"] == "\"2020-07-16T16:16:37.597Z\"")
        let replaced = await harness.send("PUT", "Book/\(id)", #"{"title":"Persuasion"}"#)
        #expect(replaced.status == 200)
        #expect(replaced.body.contains(#""ect":"2020-07-16T16:16:37.597Z","lmt":"2020-07-16T16:16:37.598Z""#))
        #expect(await harness.send("DELETE", "Book/\(id)").body == #"{"count":1}"#)
        #expect(await harness.send("GET", "Book/\(id)").status == 404)
        #expect(await harness.send("DELETE", "Book/\(id)").status == 404)
    }

    @Test func severalEntitiesAreAddedEachForItself() async throws {
        let harness = try ServiceHarness()
        let all = await harness.send("POST", "Book", #"[{"_id":"a"},{"_id":"b"}]"#)
        #expect(all.status == 201)
        let some = await harness.send("POST", "Book", #"[{"_id":"b","n":2},{"_id":"c"},7]"#)
        #expect(some.status == 207)
        guard case .object(let body)? = some.json, case .list(let entities)? = body["entities"],
            case .list(let errors)? = body["errors"]
        else {
            Issue.record("\(some.body)")
            return
        }
        #expect(entities.map(\.isNull) == [true, false, true])
        #expect(errors.count == 2)
        #expect(some.body.contains("An entity with that _id already exists in this collection"))
        #expect(await harness.send("POST", "Book", "[]").body.contains("Request body cannot be an empty array"))
    }
}
