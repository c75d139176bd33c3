import PredicateQL
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport
import Testing

@Suite("Requests to data services")
struct RESTTests {
    private func items(_ request: RESTRequest) -> [String] { request.items.map { $0.name + "=" + $0.value } }

    @Test("items in order, each only when set")
    func order() throws {
        let query = try Query(
            format: "lastName == 'Barros'",
            order: [.descending("age"), .ascending("name")],
            skip: 2,
            limit: 5,
            fields: ["name", "address.zip"]
        )
        let request = try query.rest()
        #expect(
            items(request) == [
                #"query={"lastName":"Barros"}"#, #"sort={"age":-1,"name":1,"_id":1}"#, "fields=name,address.zip",
                "skip=2", "limit=5",
            ]
        )
        #expect(request.method == .get && request.path.isEmpty && request.body == nil)
        #expect(try items(Query().rest()).isEmpty)
        #expect(try Query().rest().url(of: "https://h/appdata/k/c") == "https://h/appdata/k/c")
        #expect(try items(Query(limit: 0).rest()) == [#"query={"_id":{"$in":[]}}"#, "limit=1"])
    }

    @Test("nothing in a value can end an item or start another")
    func encoding() throws {
        let rows: [(String, String)] = [
            ("C++", "C%2B%2B"), ("R&D=#1 100%", "R%26D%3D%231%20100%25"), ("é", "%C3%A9"), ("😀", "%F0%9F%98%80"),
            ("a;b'c", "a%3Bb%27c"), ("\0\n", "%5Cu0000%5Cn"), ("~-._!$()*,:@/?", "~-._!$()*,:@/?"),
            ("[]{}|^`<>\\", "%5B%5D%7B%7D%7C%5E%60%3C%3E%5C%5C"),
        ]
        for (text, encoded) in rows {
            let request = try Query(format: "f == %@", arguments: [.string(text)]).rest()
            #expect(request.query == "query=%7B%22f%22:%22\(encoded)%22%7D", "\(text)")
        }
    }

    /// RFC 3986: characters that are unreserved or allowed in a query stay; the rest is `%` and two upper-case digits.
    @Test("every byte follows RFC 3986")
    func bytes() throws {
        let allowed = Set("-._~!$()*,:@/?".unicodeScalars)
        for code in 1..<0x250 {
            guard let scalar = Unicode.Scalar(code) else { continue }
            let encoded = RESTRequest(item: String(scalar)).query.dropFirst(2)
            let isKept = code < 128 && (scalar.properties.isAlphabetic || (48...57).contains(code))
            if isKept || allowed.contains(scalar) {
                #expect(encoded == String(scalar))
            } else {
                let expected = String(scalar).utf8.map { "%" + ($0 < 16 ? "0" : "") + hex($0) }.joined()
                #expect(encoded == expected)
            }
        }
    }

    private func hex(_ byte: UInt8) -> String { String(byte, radix: 16, uppercase: true) }

    @Test("counts, changes and removals")
    func actions() throws {
        let query = try Query(format: "a > 1")
        let count = try query.rest(.kinvey, .count)
        #expect(count.url(of: "c") == "c/_count?query=%7B%22a%22:%7B%22$gt%22:1%7D%7D")
        let changes = try query.rest(.kinvey, .changes(since: 1_479_117_955_787))
        #expect(changes.path == "_deltaset")
        #expect(items(changes) == ["since=2016-11-14T10:05:55.787Z", #"query={"a":{"$gt":1}}"#])
        let removal = try query.rest(.kinvey, .removal)
        #expect(removal.method == .delete && items(removal) == [#"query={"a":{"$gt":1}}"#])
        #expect(try items(Query().rest(.kinvey, .removalOfAll)) == ["query={}"])
    }

    @Test("what is rejected")
    func refusals() throws {
        let rows: [(Query, RESTAction, QueryError.Code)] = try [
            (Query(limit: 10_001), .find, .unsupported), (Query(skip: -1), .find, .pipeline),
            (Query(skip: 1), .changes(since: 0), .pipeline), (Query(limit: 1), .changes(since: 0), .pipeline),
            (Query(), .removal, .pipeline), (Query(format: "TRUEPREDICATE"), .removal, .pipeline),
            (Query(format: "a == 1"), .removalOfAll, .pipeline),
            (Query(format: "a == 1", limit: 1), .removal, .pipeline),
            (Query(fields: [FieldPath(keys: ["a,b"])]), .find, .unsupported),
            (Query(format: "a == b"), .find, .unsupported),
            (Query(order: [SortKey("a", options: .caseInsensitive)]), .find, .unsupported),
        ]
        for (query, action, code) in rows {
            do {
                let request = try query.rest(.kinvey, action)
                Issue.record("\(query.format) \(action) gave \(request.items)")
            } catch {
                #expect(error.code == code, "\(query.format) \(action): \(error)")
            }
        }
    }

    @Test("pages have an order and end at the limit")
    func pages() throws {
        let query = try Query(format: "a == 1", skip: 5, limit: 25_000)
        let pages = try query.restPages().map(items)
        #expect(
            pages == [
                [#"query={"a":1}"#, #"sort={"_id":1}"#, "skip=5", "limit=10000"],
                [#"query={"a":1}"#, #"sort={"_id":1}"#, "skip=10005", "limit=10000"],
                [#"query={"a":1}"#, #"sort={"_id":1}"#, "skip=20005", "limit=5000"],
            ]
        )
        let endless = try Query(order: [.descending("b")]).restPages(size: 10)
        #expect(endless.prefix(3).map(items).last == [#"sort={"b":-1,"_id":-1}"#, "skip=20", "limit=10"])
        #expect(try Array(Query(limit: 0).restPages()).isEmpty)
        #expect(try Array(Query(skip: .max).restPages().prefix(3)).count == 1)
        #expect(throws: QueryError.self) { try Query().restPages(size: 10_001) }
        #expect(throws: QueryError.self) { try Query().restPages(size: 0) }
    }

    private func read(_ items: (String, String)...) throws(QueryError) -> Query {
        try Query(rest: items.map { RESTRequest.Item($0, $1) })
    }

    @Test("parameters are read back")
    func reading() throws {
        let query = try read(
            ("limit", "0"),
            ("fields", "name,address.zip"),
            ("sort", #"{"b":-1,"a":1}"#),
            ("skip", "007"),
            ("query", #"{"age":{"$gt":21}}"#)
        )
        #expect(query.format == "ANY age > 21")
        #expect(query.order == ["-b", "a"] && query.fields == ["name", "address.zip"])
        #expect(query.skip == 7 && query.limit == 0)
        #expect(try query.results(in: [["age": 30]]) == [])
        #expect(try read(("sort", "a.b")).order == ["a.b"])
        #expect(try read(("sort", "-a.b,c")).order == ["-a.b", "c"])
        #expect(try read(("sort", #"{"-a":1}"#)).order.map(\.path) == [FieldPath(keys: ["-a"])])
        #expect(try read(("fields", "_id,a")).fields == ["_id", "a"])
        #expect(try read(("fields", " _id, a ")).fields == ["_id", "a"])
        #expect(try read() == Query())
        let schema = Schema([.field("age", .int, storedAs: "n")])
        let mapped: [RESTRequest.Item] = [
            .init("query", #"{"n":{"$gt":21}}"#), .init("sort", "n"), .init("fields", "n"),
        ]
        let property = try Query(rest: mapped, schema: schema)
        #expect(property.format == "age > 21" && property.order == ["age"] && property.fields == ["age"])
        let body: Document = [
            "format": "age > 21", "sort": .object(["b": -1]), "fields": ["a", "b"], "skip": 1, "limit": 2.0,
        ]
        #expect(
            try Query(rest: body)
                == Query(parsing: "age > 21", order: ["-b"], skip: 1, limit: 2, fields: ["a", "b"])
        )
        let filter: Document = ["query": .object(["a": 1]), "sort": "b", "fields": "a,b"]
        #expect(try Query(rest: filter) == read(("query", #"{"a":1}"#), ("sort", "b"), ("fields", "a,b")))
    }

    private func shown(_ error: QueryError?) -> String { "\(error?.code.rawValue ?? "") \(error?.path ?? "")" }

    /// A number that is too large for one is more than there are rows.
    @Test func numbersWithoutEnd() throws {
        for digits in ["9223372036854775808", "99999999999999999999"] {
            #expect(try read(("limit", digits)) == Query(limit: .max))
        }
    }

    @Test("faults of parameters say where they are")
    func readingFaults() throws {
        let rows: [((String, String), QueryError.Code, String)] = [
            (("query", #"{"a":{"$foo":1}}"#), .unknownOperator, "query.a.$foo"), (("query", "[1]"), .json, "query"),
            (("query", "{"), .json, "query"), (("query", #"{"$where":"1"}"#), .unsupported, "query.$where"),
            (("sort", #"{"a":2}"#), .json, "sort.a"), (("sort", "$a"), .json, "sort.$a"),
            (("sort", ""), .json, "sort"), (("sort", "a,"), .json, "sort"), (("sort", "-y,t,y"), .json, "sort"),
            (("fields", "a,,b"), .json, #"fields[""]"#), (("fields", ""), .json, #"fields[""]"#),
            (("skip", "-1"), .argument, "skip"), (("skip", "+1"), .argument, "skip"),
            (("limit", ""), .argument, "limit"),
            (("limit", "1.5"), .argument, "limit"), (("limit", "0x1"), .argument, "limit"),
            (("limt", "1"), .argument, "limt"),
        ]
        for (item, code, path) in rows {
            let error = #expect(throws: QueryError.self, "\(item)") { try read(item) }
            #expect(
                error?.code == code && error?.path == path,
                "\(item): \(error.map { "\($0.code) \($0.path ?? "")" } ?? "")"
            )
        }
        let twice = #expect(throws: QueryError.self) { try read(("skip", "1"), ("skip", "1")) }
        #expect(twice?.code == .argument && twice?.path == "skip")
        let bodies: [(Document, QueryError.Code, String)] = [
            (["format": "age >"], .syntax, "format"), (["format": 1], .json, "format"),
            (["query": "{}"], .json, "query"),
            (["format": "a == 1", "query": .object([:])], .argument, "format"), (["skip": -1], .json, "skip"),
            (["limit": 1.5], .json, "limit"), (["sort": 1], .json, "sort"), (["fields": [1]], .json, "fields[0]"),
            (["other": 1], .argument, "other"), (["sort": .object(["a": .object([:])])], .unsupported, "sort.a"),
        ]
        for (body, code, path) in bodies {
            let error = #expect(throws: QueryError.self, "\(body)") { try Query(rest: body) }
            #expect(
                error?.code == code && error?.path == path,
                "\(body): \(shown(error))"
            )
        }
        let text: Document = ["format": "age > 21 AND nam STARTSWITH 'a'"]
        let format = #expect(throws: QueryError.self) { try Query(rest: text) }
        #expect(format?.range == 17..<27 && format?.path == "format")
        var deep: QueryValue = 1
        for _ in 0..<2_000 { deep = .list([deep]) }
        #expect(#expect(throws: QueryError.self) { try Query(rest: ["query": deep]) }?.code == .limit)
    }

    @Test("requests that are read back find the same documents")
    func roundTrips() throws {
        var (read, found) = (0, 0)
        for seed in 0..<UInt64(SeededGenerator.count(400)) {
            var generator = Generator(seed: seed)
            var query = Query(generator.condition(), nilMeaning: generator.pick([.nullOrAbsent, .absent, .null]))
            query.order = generator.pick([[], ["a"], ["-o.x", "b"]])
            query.skip = generator.pick([nil, nil, 0, 1])
            query.limit = generator.pick([nil, nil, 0, 3])
            query.fields = generator.pick([nil, nil, ["a"], ["o.x", "_id"]])
            var rows = (0..<12).map { _ in generator.row() }
            for index in rows.indices { rows[index]["_id"] = .int(Int64(index)) }
            guard let request = try? query.rest(.mongoDB, guarded: true, now: 0),
                let again = try? Query(rest: request.items)
            else { continue }
            read += 1
            let known = rows.filter { request.assumptions.hold(in: $0) }
            guard let wanted = try? query.results(in: known) else { continue }
            found += wanted.count
            #expect(
                try again.results(in: known) == wanted,
                "seed \(seed): \(query.format)\n\(request.items)\n\(again.format)"
            )
        }
        #expect(read > SeededGenerator.count(250), "\(read)")
        #expect(found > SeededGenerator.count(450), "\(found)")
    }

    @Test("special keys, identities that a service converts, and cache keys")
    func specialKeys() throws {
        let mine = try Query(
            format: "%K == %@ AND %K >= %@",
            arguments: [
                .string(KinveyField.creator.dotted), "jo", .string(KinveyField.changed.dotted),
                .date(1_479_117_955_787),
            ]
        )
        #expect(
            try items(mine.rest()) == [#"query={"_acl.creator":"jo","_kmd.lmt":{"$gte":"2016-11-14T10:05:55.787Z"}}"#]
        )
        #expect(try Query(format: "_id == '123456789012'").rest().warnings.count == 1)
        #expect(try Query(format: "_id IN {'123456789012', 'x'} OR a == '123456789012'").rest().warnings.count == 1)
        #expect(try Query(format: "_id == '12345678901'").rest().warnings.isEmpty)
        let keys = try ["a > 1 AND NOT NOT b == 2", "a > 1 && b = 2"].map { try Query(format: $0).cacheKey }
        #expect(keys[0] == keys[1])
        #expect(Query(fields: ["a", "b"]).cacheKey == Query(fields: ["b", "a"]).cacheKey)
        #expect(try Query(format: "a == 1").cacheKey != Query(format: "a == '1'").cacheKey)
        #expect(Query(fields: ["a"]).cacheKey != Query().cacheKey)
    }

    @Test("a split sends neither skip nor limit")
    func split() throws {
        let split = try Query(format: "a == 1 AND b == c", limit: 3).split(for: .kinvey)
        #expect(try items(split.store.rest()) == [#"query={"a":1}"#])
    }
}

extension RESTRequest {
    fileprivate init(item value: String) {
        self.init(method: .get, path: "", items: [Item("n", value)], body: nil, assumptions: [], warnings: [])
    }

    /// A sort that names no field would leave the order to chance.
    @Test func namesOfSortHaveNoOptions() throws {
        for sort in ["name[c]", "age desc", "age ASC", "-age,name[cd]"] {
            let error = #expect(throws: QueryError.self, "\(sort)") { try Query(rest: [.init("sort", sort)]) }
            #expect(error?.code == .unsupported && error?.path == "sort", "\(sort)")
        }
        #expect(try Query(rest: [.init("sort", "-age, first name")]).order == ["-age", SortKey("first name")])
        #expect(try Query(rest: [.init("sort", #"{"name[c]":1}"#)]).order == [SortKey(FieldPath("name[c]"))])
    }
}
