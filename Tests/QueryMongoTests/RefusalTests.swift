import PredicateQL
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport
import Testing

@Suite("What Mongo does not support is an error with its range")
struct RefusalTests {
    private func refusal(
        _ format: String,
        _ arguments: [QueryValue] = [],
        _ profile: MongoProfile = .mongoDB
    ) throws -> QueryError? {
        let query = try Query(parsing: format, arguments: arguments)
        do {
            _ = try query.mongo(profile)
            return nil
        } catch {
            return error
        }
    }

    @Test("unsupported, with a range")
    func unsupported() throws {
        let rows: [(String, [QueryValue], MongoProfile)] = [
            ("SELF == 'x'", [], .mongoDB), ("a <[c] 'b'", [], .mongoDB), ("uppercase(a) == 'A'", [], .mongoDB),
            ("a == b", [], .findOnly), ("a == b", [], .kinvey), ("ANY a != 1", [], .kinvey),
            ("a MATCHES[c] 'x'", [], .kinvey), ("a < random()", [], .mongoDB), ("a ==[c] b", [], .mongoDB),
            ("CAST(a, 'NSNumber') == 1", [], .mongoDB), ("a ==[l] 'x'", [], .mongoDB), ("a LIKE b", [], .mongoDB),
            ("a == %@", [.data([1])], .kinvey), ("a < %@", [.data([1])], .mongoDB),
            ("a == 9007199254740993", [], .kinvey), ("a MATCHES '(?x)a # comment'", [], .mongoDB),
        ]
        for (format, arguments, profile) in rows {
            let error = try refusal(format, arguments, profile)
            #expect(error?.code == .unsupported, "\(format): \(String(describing: error))")
            #expect(error?.range != nil, "\(format)")
        }
    }

    @Test(
        "what to do instead",
        arguments: ["a CONTAINS[c] b", "a ==[c] b", "a LIKE b", "a MATCHES b", "a BEGINSWITH[d] b"]
    )
    func hints(_ format: String) throws {
        #expect(try refusal(format)?.hint != nil, "\(format)")
    }

    @Test("names that would be operators, paths or nothing")
    func names() throws {
        for name in ["$where", "a.$b", "a\0"] {
            let error = try refusal("%K == 1", [.string(name)])
            #expect(error?.code == .unsupported, "\(name)")
            #expect(error?.range != nil, "\(name)")
        }
        let dotted = Query(.comparison(Comparison(.field(FieldPath(keys: ["a.b"]), .none), .equal, .value(1, .none))))
        #expect(throws: QueryError.self) { try dotted.mongo() }
    }

    @Test("constants that would be read as operators")
    func constants() throws {
        for key in ["$gt", "$where", "$regex", "$oid"] {
            let object = QueryValue.object(Document(pairs: [(key, QueryValue.string(""))]))
            for format in ["a == %@", "a != %@", "ANY a == %@", "a IN %@"] {
                let argument: QueryValue = format.contains("IN") ? .list([object]) : object
                #expect(try refusal(format, [argument])?.code == .unsupported, "\(format) \(key)")
            }
        }
    }

    @Test("text is never read as a path or pattern")
    func injection() throws {
        let row: Document = ["a": "$b", "b": "$b", "c": "x"]
        for format in ["a == '$b'", "a + 0 == 1 OR a == '$b'", "a IN {'$b'}", "TERNARY(c == 'x', a, c) == '$b'"] {
            #expect(try MongoJudge.matches(row, Query(parsing: format).mongo().filter), "\(format)")
        }
        #expect(try !MongoJudge.matches(row, Query(format: "TERNARY(c == 'x', c, a) == '$b'").mongo().filter))
        let nasty = #"a.*)|(^$[]{}\Q+?/-# &~"# + "\n\0é"
        for operation in ["==", "BEGINSWITH", "ENDSWITH", "CONTAINS", "==[c]", "==[cd]", "BEGINSWITH[d]"] {
            let query = try Query(parsing: "a \(operation) %@", arguments: [.string(nasty)])
            for profile in [MongoProfile.mongoDB, .kinvey] {
                let filter = try query.mongo(profile).filter
                #expect(try MongoJudge.matches(["a": .string(nasty)], filter), "\(operation)")
                #expect(try !MongoJudge.matches(["a": "a.b"], filter), "\(operation)")
            }
        }
    }

    @Test("depth and pattern length are bounded")
    func limits() throws {
        var condition = Condition.comparison(Comparison(.field("a", .none), .equal, .value(1, .none)))
        for _ in 0..<60 { condition = .not(.and([condition, condition.flipped])) }
        #expect(throws: QueryError.self) { try Query(condition).mongo() }
        let long = String(repeating: "e", count: 400)
        #expect(try refusal("a ==[cd] %@", [.string(long)])?.code == .unsupported)
        #expect(try refusal("a == %@", [.string(long)]) == nil)
    }

    @Test("limit 0, negative limits, the service's maximum")
    func pipeline() throws {
        #expect(try Query(limit: 0).mongo().json == #"{"filter":{"_id":{"$in":[]}},"limit":1}"#)
        #expect(throws: QueryError.self) { try Query(skip: -1).mongo() }
        #expect(throws: QueryError.self) { try Query(limit: 10_001).mongo(.kinvey) }
        #expect(throws: QueryError.self) { try Query(order: [.ascending("a", options: .caseInsensitive)]).mongo() }
        let page = Query(order: [.descending("p"), "n"], skip: 2, limit: 5, fields: ["a.b", "a", "_id.x"])
        #expect(
            try page.mongo().json
                == #"{"filter":{},"sort":{"p":-1,"n":1,"_id":1},"projection":{"a":1,"_id.x":1},"skip":2,"limit":5}"#
        )
    }
}

extension Condition {
    /// A different condition, so that trees do not fold.
    fileprivate var flipped: Condition {
        .comparison(Comparison(.field("b", .none), .equal, .value(2, .none)))
    }
}
