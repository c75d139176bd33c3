import Foundation
import PredicateQL
import PredicateQLStore
import QueryValues
import StoreModel

/// Entities, fetching, saving, deleting and querying.
extension GuideWalk {
    func entities() async throws {
        let (books, _, client) = try device()
        var book = GuideBook("The Hobbit", id: "hobbit")
        book.authorName = "Tolkien"
        book.publishDate = Date(timeIntervalSince1970: 1_594_916_197.597)
        try await books.save(book)
        if type == .sync { _ = try await books.push() }
        let entity = try await stored("hobbit")
        equal("names are mapped", entity["author"], "Tolkien")
        equal("dates are ISO 8601", entity["date"], "2020-07-16T16:16:37.597Z")
        check("nil is not sent", !entity.pairs.contains { $0.0 == "location" })
        check("the service writes _acl and _kmd", entity["_acl"] != nil && entity["_kmd"] != nil)
        let again = try await books.find(id: "hobbit")
        equal("names are mapped back", again.authorName, "Tolkien")
        equal("dates come back", again.publishDate, book.publishDate)
        check("_kmd has both times", again._kmd?.created != nil && again._kmd?.changed != nil)

        // Another collection, names with capitals, an object inside.
        let people = client.store(GuidePerson.self, type)
        let person = GuidePerson(_id: "ronald", name: "Ronald", address: .init(city: "Boston", state: "MA"))
        try await people.save(person)
        if type == .sync { _ = try await people.push() }
        let sent = try await raw("GET", "Person/ronald")
        if case .object(let document) = sent {
            check("names with capitals", document["Name"] == "Ronald" && document["name"] == nil)
            equal("objects are objects", document["Address"], .object(["city": "Boston", "state": "MA"]))
        } else {
            check("names with capitals", false)
        }
        let found = try await people.find(Query(format: "Address.city == %@", "Boston"))
        equal("objects are queried and read", found.map(\.address?.state), ["MA"])
        equal("Boston is removed", try await people.remove(id: "ronald"), 1)
        if type == .sync { _ = try await people.push() }
    }

    func fetching() async throws {
        _ = try await fill()
        let (books, _, _) = try device()
        if type == .sync { equal("a pull brings all", try await books.pull().entities.count, 6) }
        equal("one by its id", try await books.find(id: "b1").title, "The Hobbit")
        await refuses("an id that is not there", { if case .notFound = $0 { true } else { false } }) {
            _ = try await books.find(id: "none")
        }
        equal("all", Self.ids(try await books.find()).sorted(), ["b1", "b2", "b3", "b4", "b5", "b6"])
        let query = try Query(format: "title == %@", "The Hobbit")
        equal("by a query", Self.ids(try await books.find(query)), ["b1"])
        equal("no match is no error", try await books.find(Query(format: "title == 'x'")).count, 0)
    }

    func saving() async throws {
        let (books, line, _) = try device()
        let saved = try await books.save(GuideBook("Emma"))
        check("a new entity gets an id, of neither 12 nor 24 characters", ![nil, 0, 12, 24].contains(saved._id?.count))
        var changed = saved
        changed.title = "Emma, revised"
        equal("with an id it is an update", try await books.save(changed)._id, saved._id)
        _ = line.sent()
        if type == .sync {
            equal("both are one entry, sent as a POST", try await books.push().count, 1)
            equal("both are one entry, sent as a POST", line.sent().filter { $0 != "GET" }, ["POST"])
        }
        equal("one entity", try await books.count(), 1)
        equal("the last version", try await stored(saved._id ?? "")["title"], "Emma, revised")
        for id in ["twelve-chars", "exactly-24-characters-id"] {
            equal("ids of any length are kept", try await books.save(GuideBook("x", id: id))._id, id)
            if type == .sync { _ = try await books.push() }
            check("ids of any length are kept", try await !stored(id).isEmpty)
        }
        equal("saving as an upsert", try await books.save(GuideBook("new", id: "mine"))._id, "mine")
        if type == .sync { _ = try await books.push() }
        equal("saving as an upsert", try await stored("mine")["title"], "new")
    }

    func severalAtOnce() async throws {
        let (books, line, _) = try device()
        _ = try await raw("PUT", "Book/taken", #"{"title":"first"}"#)
        // On the wire several at once are inserts: the guide's answer, with its texts.
        let answer = try await raw("POST", "Book", #"[{"_id":"one"},{"_id":"taken","title":"second"}]"#)
        if case .object(let body) = answer, case .list(let entities)? = body["entities"],
            case .list(let errors)? = body["errors"], case .object(let error)? = errors.first
        {
            check("null where one failed", entities.count == 2 && entities[0] != .null && entities[1] == .null)
            equal("its name", error["error"], "KinveyInternalErrorRetry")
            equal("its reason", error["debug"], "An entity with that _id already exists in this collection")
            equal("its place", error["index"], 1)
        } else {
            check("an answer of entities and errors", false, answer.json)
        }
        equal("it is no upsert", try await stored("taken")["title"], "first")
        // In a store they are upserts like single ones, since what was made offline may be there already.
        _ = line.sent()
        let result = try await books.save([GuideBook("a"), GuideBook("b", id: "taken"), GuideBook("c")])
        if type == .sync { equal("pushed", try await books.push().count, 3) }
        equal("each is saved", result.entities.map { $0?.title }, ["a", "b", "c"])
        check("without errors", result.errors.isEmpty)
        equal("those with ids are updates", try await stored("taken")["title"], "b")
        equal("new ones go together", line.sent().filter { $0 == "POST" }.count, 1)
    }

    func deleting() async throws {
        _ = try await fill()
        let (books, _, _) = try device()
        if keepsRows { _ = try await books.pull() }
        equal("one by its id", try await books.remove(id: "b1"), 1)
        equal("by a query", try await books.remove(Query(format: "author == %@", "Joyce")), 2)
        if type == .sync { equal("they wait", try await books.push().count, 3) }
        equal("the others stay", try await device(.network).books.count(), 3)
        equal("all", try await books.removeAll(), 3)
        if type == .sync { equal("they wait", try await books.push().count, 3) }
        equal("nothing is left", try await device(.network).books.count(), 0)
        await refuses("Query() is no way to remove all", { if case .removesEverything = $0 { true } else { false } }) {
            try await books.remove(Query())
        }
    }

    /// The queries of the guides, in their words.
    private static let queries: [(format: String, arguments: [QueryValue])] = [
        ("TRUEPREDICATE", []), ("title == %@", ["The Hobbit"]), ("location == %@", ["Mike's House"]),
        ("location = nil", []), ("title = nil", []), ("population = 50000", []), ("population == 50000", []),
        ("population >= 50000", []), ("population => 50000", []), ("population <= 50000", []),
        ("population =< 50000", []), ("population > 50000", []), ("population < 50000", []),
        ("population != 50000", []), ("population <> 50000", []), ("population BETWEEN { 40000, 60000 }", []),
        ("population BETWEEN %@", [[50_000, 60_000]]), ("state == %@ AND population >= %@", ["MA", 50_000]),
        ("state == 'MA' OR country == 'IE'", []), ("NOT (state == 'MA')", []), ("title IN {'Emma', 'Dune'}", []),
        ("title IN %@", [["Emma", "Ulysses"]]), ("title BEGINSWITH 'The '", []), ("title CONTAINS 'u'", []),
        ("title CONTAINS[cd] 'DÜ'", []), ("title ENDSWITH 's'", []), ("title LIKE 'The*'", []),
        ("title MATCHES '[A-E].*'", []), ("date > %@", [.date(-1_500_000_000_000)]),
        ("date >= '1922-02-02T00:00:00.000Z' AND date < '1940-01-01T00:00:00.000Z'", []),
        ("children.@count == 2", []), ("children.@count == 0", []), ("children.@sum.age == 8", []),
        ("children.@min.age <= 3", []), ("children.@max.age >= 5", []), ("children.@avg.age == 4", []),
        ("ANY children.age == 9", []), ("ALL children.age > 2", []), ("children.age CONTAINS 5", []),
        ("_kmd.ect < %@", [.date(95_617_584_000_000)]), ("_acl.creator != 'nobody'", []),
        ("_id IN {'b1', 'b3'}", []),
    ]

    /// Every query finds what it finds in memory, on this store as it is now.
    func ask(_ books: DataStore<GuideBook>, _ documents: [Document], _ place: String) async {
        for (format, arguments) in Self.queries {
            do {
                let query = try Query(parsing: format, arguments: arguments)
                var asked = query
                asked.schema = GuideBook.schema
                // What the service writes is not in the documents.
                let isOfService = format.contains("_kmd") || format.contains("_acl")
                let wanted = try isOfService ? documents : asked.results(in: documents)
                let ids = wanted.compactMap { row -> String? in
                    if case .string(let id)? = row["_id"] { id } else { nil }
                }
                let found = try await books.find(query)
                equal("\(place), \(format)", Self.ids(found).sorted(), ids.sorted())
                equal("\(place), the number of \(format)", try await books.count(query), ids.count)
            } catch {
                check("\(place), \(format)", false, "threw \(error)")
            }
        }
    }

    func queries() async throws {
        let documents = try await fill()
        let (books, line, _) = try device()
        if keepsRows { _ = try await books.pull() }
        await ask(books, documents, "online")
        guard keepsRows else { return }
        line.isOnline = false
        await ask(books, documents, "offline")
        wait()
        line.isOnline = true
        await ask(books, documents, "online again")
        // "Empty or unset" is nil, and null too; the meaning `.absent` leaves null out, as older services do.
        var unset = try Query(format: "location = nil")
        equal("nil is absent or null", Self.ids(try await books.find(unset)).sorted(), ["b3", "b4", "b5", "b6"])
        unset.nilMeaning = .absent
        equal("or absent alone", Self.ids(try await books.find(unset)).sorted(), ["b3", "b5", "b6"])
    }

    func modifiers() async throws {
        for number in 0..<100 {
            _ = try await raw("PUT", "Book/n\(number)", #"{"population":\#(number),"age":\#(number % 3)}"#)
        }
        let (books, _, _) = try device()
        if type == .sync { _ = try await books.pull() }
        var seen: [String] = []
        for page in 0..<5 {
            let query = Query {
                $0.order = ["population"]
                $0.skip = page * 20
                $0.limit = 20
            }
            seen += Self.ids(try await books.find(query))
        }
        equal("five pages of twenty are all", seen, (0..<100).map { "n\($0)" })
        let sorted = Query(order: [.ascending("age"), .descending("population")], limit: 3)
        equal("sorted, then by another field", Self.ids(try await books.find(sorted)), ["n99", "n96", "n93"])
    }

    func specialKeys() async throws {
        let (books, _, client) = try device()
        let user = try await client.signUp(username: "reader \(type) \(now)", password: "p")
        for id in ["s1", "s2"] {
            try await books.save(GuideBook(id, id: id))
            if type == .sync { _ = try await books.push() }
        }
        let mine = try Query(format: "_acl.creator == %@", user.id, order: ["_kmd.ect", "_id"])
        equal("my own, by their time", Self.ids(try await books.find(mine)), ["s1", "s2"])
        equal("nobody else's", try await books.count(Query(format: "_acl.creator != %@", user.id)), 0)
        // One who may not read it does not see it.
        var secret = try await books.find(id: "s1")
        secret._acl = AccessControl(creator: user.id)
        secret._acl?.isReadable = false
        try await books.save(secret)
        if type == .sync { _ = try await books.push() }
        let (others, _, other) = try device()
        _ = try await other.signUp(username: "other \(type) \(now)", password: "p")
        if type == .sync { _ = try await others.pull() }
        equal("what may not be read is not there", Self.ids(try await others.find()), ["s2"])
        try await client.logOut()
    }

    func groups() async throws {
        _ = try await fill()
        let (books, line, _) = try device()
        if keepsRows { _ = try await books.pull() }
        for isOnline in keepsRows ? [true, false] : [true] {
            line.isOnline = isOnline
            equal("a collection is counted", try await books.count(), 6)
            equal("a query is counted", try await books.count(Query(format: "state == %@", "MA")), 3)
            let computed: [Reducer] = [.count, .sum("age"), .average("age"), .min("age"), .max("age")]
            let query = try Query(format: "country != nil", order: ["country"])
            let rows = try await books.groups(query.grouped(by: "country", computing: computed))
            equal(
                "five functions, online \(isOnline)",
                QueryValue.list(rows.map(QueryValue.object)).json,
                #"[{"country":"GB","count":2,"sum_age":71,"avg_age":35.5,"min_age":30,"max_age":41},"#
                    + #"{"country":"IE","count":2,"sum_age":72,"avg_age":36.0,"min_age":32,"max_age":40},"#
                    + #"{"country":"US","count":1,"sum_age":45,"avg_age":45.0,"min_age":45,"max_age":45}]"#
            )
            let large = Query(order: ["-count", "country"], limit: 1)
                .grouped(by: ["country"], computing: [.count], having: Field("count") > 1)
            equal("having, order and limit", try await books.groups(large).map { $0["country"] }, ["GB"])
        }
    }
}

/// The person of the guides.
struct GuidePerson: Entity {
    static let collection = "Person"
    var _id: String?
    var _acl: AccessControl?
    var _kmd: Metadata?
    var name: String?
    var address: Address?

    struct Address: Codable, Sendable {
        var city: String?
        var state: String?
        var country: String?
    }

    enum CodingKeys: String, CodingKey {
        case name = "Name"
        case address = "Address"
    }
}
