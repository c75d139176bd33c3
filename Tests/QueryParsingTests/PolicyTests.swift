import PredicateQL
import QuerySyntax
import Testing

/// What a policy refuses: the rule, and the place in the text.
@Suite("Policies for queries of strangers")
struct PolicyTests {
    private static var policy: QueryPolicy {
        var policy = QueryPolicy(fields: ["name", "age", "tags", "address.*", "orders.amount", "*.public"])
        policy.maximumTextBytes = 10
        policy.maximumNesting = 9
        policy.maximumNodes = 40
        policy.maximumListElements = 3
        policy.maximumLimit = 50
        return policy
    }

    /// A query, the codes of its violations, and the text of the first one's range.
    private static let rows: [(String, [String], String?)] = [
        ("age > 21", [], nil),
        ("name == 'x' AND address.geo.lat > 5 AND address != nil", [], nil),
        ("ANY orders.amount > 5 AND orders.@sum.amount > 5", [], nil),
        ("SUBQUERY(orders, $x, $x.amount > 5 AND $x.amount < age).@count > 0", [], nil),
        ("profile.public == 1", [], nil),
        ("tags[0] == 'x' AND tags.@count > 1", [], nil),
        ("address['zip'] == 1", [], nil),
        ("secret == 1", ["policyFields"], "secret"),
        ("age > 21 AND secret == 1 AND hidden == 2", ["policyFields", "policyFields"], "secret"),
        ("age > secret", ["policyFields"], "secret"),
        ("name.first == 1", ["policyFields"], "name.first"),
        ("SELF == 1", ["policyFields"], "SELF"),
        ("orders.secret == 1", ["policyFields"], "orders.secret"),
        ("orders.@count > 1", ["policyFields"], "orders.@count"),
        ("SUBQUERY(orders, $x, $x.secret > 5).@count > 0", ["policyFields"], "$x.secret"),
        ("SUBQUERY(orders, $x, $x == 5).@count > 0", ["policyFields"], "$x"),
        ("SUBQUERY(orders, $x, secret == $x.amount).@count > 0", ["policyFields"], "secret"),
        ("SUBQUERY(hidden, $x, $x > 5).@count > 0", ["policyFields"], "$x"),
        (
            "SUBQUERY(orders, $x, SUBQUERY($x.lines, $y, $y.secret == 1).@count > 0).@count > 0",
            ["policyFields", "policyFields"], "$x.lines"
        ),
        ("orders.@max.secret > 1", ["policyFields"], "orders.@max.secret"),
        ("address[name] == 1", [], nil),
        ("orders[name] == 1", ["policyFields"], "orders[name]"),
        ("(orders[0]).secret == 1", ["policyFields"], "(orders[0]).secret"),
        ("max(orders) == 1", ["policyFields"], "orders"),
        ("length(secret) == 1", ["policyFields"], "secret"),
        ("name MATCHES 'a.*'", ["policyOperators"], "name MATCHES 'a.*'"),
        ("name LIKE '12345678901'", ["policyText"], "'12345678901'"),
        ("age IN {1, 2, 3, 4}", ["policyLists"], "{1, 2, 3, 4}"),
        ("random() > 1", ["policyFunctions"], "random()"),
        ("NOT (NOT (NOT (NOT (NOT (NOT (NOT (NOT (NOT (age == 1)))))))))", ["policyNesting"], nil),
        (Array(repeating: "age == 1", count: 20).joined(separator: " OR "), ["policyNodes"], nil),
    ]

    @Test("every row")
    func table() throws {
        for (text, codes, place) in Self.rows {
            let problems = Self.policy.problems(with: try Query(parsing: text))
            #expect(problems.map(\.code.rawValue) == codes, "\(text): \(problems)")
            guard let place, let problem = problems.first else { continue }
            let range = try #require(problem.range, "\(text)")
            #expect(String(decoding: Array(text.utf8)[range], as: UTF8.self) == place, "\(text)")
            #expect(!problem.rendered().isEmpty)
        }
    }

    @Test("Mongo filters, by the same rules and with their own places")
    func mongo() throws {
        // Undeclared, `$elemMatch` would ask too whether there is a list at all, and so name the whole field.
        let order = FieldType.object(Schema([.field("amount", .int), .field("secret", .any)]))
        let schema = Schema([.field("orders", .list(order))], allowsOthers: true)
        let rows: [(String, [String], String?)] = [
            (#"{"age":{"$gt":21},"address.zip":"x"}"#, [], nil),
            (#"{"orders":{"$elemMatch":{"amount":{"$gt":5,"$lt":9}}}}"#, [], nil),
            (#"{"secret":1}"#, ["policyFields"], #""secret":1"#),
            (#"{"$or":[{"age":1},{"orders.secret":{"$gt":1}}]}"#, ["policyFields"], #""orders.secret":{"$gt":1}"#),
            (#"{"name":{"$regex":"a.b"}}"#, ["policyOperators", "policyText"], #""$regex":"a.b""#),
            (#"{"age":{"$in":[1,2,3,4]}}"#, ["policyLists"], #""$in":[1,2,3,4]"#),
        ]
        for (text, codes, place) in rows {
            let query = try Query(mongo: text, schema: schema, limits: Limits.default)
            let problems = Self.policy.problems(with: query)
            #expect(problems.map(\.code.rawValue) == codes, "\(text): \(problems)")
            guard let place, let range = problems.first?.range else { continue }
            #expect(String(decoding: Array(text.utf8)[range], as: UTF8.self) == place, "\(text)")
        }
    }

    @Test("order, fields, skip and limit")
    func pipeline() throws {
        var policy = QueryPolicy(fields: ["name", "age"])
        policy.sortFields = ["age"]
        policy.maximumSortKeys = 1
        policy.maximumSkip = 10
        policy.maximumLimit = 5
        policy.requiresLimit = true
        policy.allowsWholeRows = false
        var query = Query(order: ["age"], skip: 10, limit: 5, fields: ["name"])
        try policy.check(query)
        query.order = ["name", "age"]
        (query.skip, query.limit, query.fields) = (11, 6, ["secret"])
        let problems = policy.problems(with: query)
        #expect(
            problems.map(\.code.rawValue) == ["policySort", "policySort", "policyFields", "policySkip", "policyLimit"]
        )
        #expect(problems.map(\.path) == ["order", "order[0]", "fields[0]", "skip", "limit"])
        (query.limit, query.fields, query.order, query.skip) = (nil, nil, [], nil)
        #expect(policy.problems(with: query).map(\.code.rawValue) == ["policyFields", "policyLimit"])
        #expect(throws: QueryError.self) { try policy.checked(query) }
    }

    @Test("what is switched off")
    func switches() throws {
        var policy = QueryPolicy(fields: ["*"])
        policy.allowsQuantifiers = false
        policy.allowsSubqueries = false
        policy.allowsArithmetic = false
        policy.aggregates = []
        policy.maximumCost = 10
        let rows: [(String, [String])] = [
            ("anything.at.all == 1 AND SELF != nil", []),
            ("ANY a == 1", ["policyQuantifiers"]),
            ("SUBQUERY(a, $x, $x == 1).@count > 0", ["policyCost", "policyFunctions", "policySubqueries"]),
            ("a + 1 > 2", ["policyArithmetic"]),
            ("-a > 2", ["policyArithmetic"]),
            ("TERNARY(a == 1, 2, 3) == 2", ["policyArithmetic"]),
            ("a.@max.self > 1", ["policyCost", "policyFunctions"]),
            ("ANY a LIKE 'x'", ["policyCost", "policyQuantifiers"]),
        ]
        for (text, codes) in rows {
            let problems = policy.problems(with: try Query(parsing: text))
            #expect(problems.map(\.code.rawValue).sorted() == codes, "\(text)")
        }
    }

    @Test("cost grows with lists in lists and never overflows")
    func cost() throws {
        #expect(try Query(format: "a == 1").estimatedCost == 1)
        #expect(try Query(format: "a == 1 AND ANY b ==[c] 'x'").estimatedCost == 51)
        var condition = Condition.comparison(Comparison(.variable("x", .none), .equal, .value(1, .none)))
        for _ in 0..<60 {
            let found = Term.subquery(Subquery(.field("a", .none), "x", where: condition), .none)
            let count = Term.aggregate(.count, of: found, FieldPath(keys: []), .none)
            condition = .comparison(Comparison(count, .greater, .value(0, .none)))
        }
        #expect(Query(condition).estimatedCost == .max)
        #expect(Self.policy.problems(with: Query(condition)).contains { $0.code == QueryPolicy.Rule.cost.code })
    }

    @Test("nesting to the last level, names by their bytes")
    func edges() throws {
        for (format, levels) in [("age == 1", 1), ("NOT age == 1", 2), ("NOT NOT (age == 1)", 3)] {
            for most in 0...4 {
                var policy = Self.policy
                policy.maximumNesting = most
                let violations = policy.problems(with: try Query(parsing: format)).map(\.code.rawValue)
                #expect(violations == (most < levels ? ["policyNesting"] : []), "\(format) within \(most)")
            }
        }
        let policy = QueryPolicy(fields: ["\u{E9}"])
        let (same, other) = (QueryValue.string("\u{E9}"), QueryValue.string("e\u{301}"))
        #expect(policy.problems(with: try Query(format: "%K == 1", arguments: [same])).isEmpty)
        #expect(!policy.problems(with: try Query(format: "%K == 1", arguments: [other])).isEmpty)
    }
}
