import PredicateQL
import QueryChecking
import QueryTree
import QueryValues
import Testing

/// Rejections by a policy: the rule, and the range in the text.
@Suite("Policies for untrusted queries")
struct PolicyTests {
    private static var policy: QueryPolicy {
        var policy = QueryPolicy(fields: ["name", "age", "tags", "address.*", "orders.amount", "*.public"])
        policy.maximumTextBytes = 10
        policy.maximumNesting = 9
        policy.maximumNodes = 40
        policy.maximumListElements = 3
        policy.maximumLimit = 50
        policy.maximumCost = .max
        return policy
    }

    /// A query with the limit and the fields that every query needs.
    private static func query(_ text: String) throws -> Query {
        try Query(parsing: text, limit: 5, fields: ["name"])
    }

    @Test func refusalsNameTheField() throws {
        var query = Query(Field("a.b") == 1, order: ["-c"], limit: -1, fields: ["d"])
        let said = Self.policy.problems(with: query).map(\.message)
        #expect(said.contains("the field a.b is not allowed") && said.contains("the field d is not allowed"))
        #expect(said.contains("sorting by the field c is not allowed") && said.contains("limit must not be negative"))
        query.limit = 51
        #expect(Self.policy.problems(with: query).map(\.message).contains("a limit beyond 50 is not allowed"))
        let groups = Query(limit: 1).grouped(by: "e", computing: [.sum("f")])
        let refused = Self.policy.problems(with: groups).map(\.message)
        #expect(refused.contains("the field e is not allowed") && refused.contains("the field f is not allowed"))
    }

    /// A query read with the listed part of a schema tells nothing of the rest: no name, no kind.
    @Test func hiddenFieldsStayHidden() throws {
        let card = Schema([.field("cardNumber", .int), .field("amount", .double)])
        let schema = Schema([
            .field("name", .string), .field("passwordHash", .uuid), .field("salary", .int),
            .field("seen", .date(.native)), .field("orders", .list(.object(card))), .field("profile", .object(card)),
        ])
        var policy = QueryPolicy(fields: ["name", "orders.amount", "profile.*"])
        policy.sortFields = ["seen"]
        let narrow = policy.narrowed(schema)
        #expect(narrow.fields.map(\.name) == ["name", "seen", "orders", "profile"])
        #expect(narrow.fields.last == schema.fields.last)
        for text in [
            "passwordhash == 'x'", "passwordHas == 'x'", "passwordHash == 5", "passwordHash > 1", "pasword != nil",
            "password_hash == nil", "PASSWORDHASH == ''", "salry > 5", "Salary == 'x'", "salary BEGINSWITH 'a'",
            "salary == 'x'", "salaries == 1", "ANY orders.cardnumber == 1", "ANY orders.cardNumber == 'x'",
            "orders.cardNumbr.@count > 1", "SUBQUERY(orders, $o, $o.cardNumbe == 1).@count > 0", "ALL orders.card == 1",
            "name == passwordHsh", "uppercase(passwordHash) == 'X'", "TERNARY(salaryy > 1, 1, 2) == 1",
        ] {
            let problems = Query.problems(inFormat: text, schema: narrow)
            #expect(!problems.isEmpty, "\(text)")
            for problem in problems {
                let told = "\(problem.message) \(problem.hint ?? "") \(problem.fix.map { "\($0)" } ?? "")"
                for name in ["passwordHash", "salary", "cardNumber"] where !text.contains(name) {
                    #expect(!told.contains(name), "\(text): \(told)")
                }
                #expect(problem.code == .unknownField, "\(text): \(problem)")
            }
        }
        for filter in [#"{"passwordhash":"x"}"#, #"{"salary":"x"}"#, #"{"orders":{"$elemMatch":{"cardnumber":1}}}"#] {
            #expect { try Query(mongo: filter, schema: narrow) } throws: { error in
                let error = error as? QueryError
                return error?.code == .unknownField && error?.hint?.contains("passwordHash") != true
                    && error?.hint?.contains("cardNumber") != true
            }
        }
        let recent = try Query(parsing: "ANY orders.amount > 5", order: ["-seen"], limit: 5, schema: narrow)
        var query = try policy.checked(recent)
        query.schema = schema
        #expect(try query.count(in: [["orders": [.object(["amount": 6.0])]]]) == 1)
    }

    /// A query, the codes of its violations, and the text of the first range.
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
            let problems = Self.policy.problems(with: try Self.query(text))
            #expect(problems.map(\.code.rawValue) == codes, "\(text): \(problems)")
            guard let place, let problem = problems.first else { continue }
            let range = try #require(problem.range, "\(text)")
            #expect(String(decoding: Array(text.utf8)[range], as: UTF8.self) == place, "\(text)")
            #expect(!problem.rendered().isEmpty)
        }
    }

    @Test("Mongo filters, by the same rules and with their own paths")
    func mongo() throws {
        // If undeclared, `$elemMatch` would also test whether there is a list at all, and so read the whole field.
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
            var query = try Query(mongo: text, limit: 5, schema: schema, limits: Limits.default)
            query.fields = ["name"]
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

    @Test("features that are switched off")
    func switches() throws {
        var policy = QueryPolicy(fields: ["*"])
        policy.allowsQuantifiers = false
        policy.allowsSubqueries = false
        policy.allowsArithmetic = false
        policy.aggregates = []
        policy.maximumCost = .max
        let rows: [(String, [String])] = [
            ("anything.at.all == 1 AND SELF != nil", []),
            ("ANY a == 1", ["policyQuantifiers"]),
            ("SUBQUERY(a, $x, $x == 1).@count > 0", ["policyFunctions", "policySubqueries"]),
            ("a + 1 > 2", ["policyArithmetic"]),
            ("-a > 2", ["policyArithmetic"]),
            ("TERNARY(a == 1, 2, 3) == 2", ["policyArithmetic"]),
            ("a.@max.self > 1", ["policyFunctions"]),
            ("ANY a LIKE 'x'", ["policyQuantifiers"]),
        ]
        for (text, codes) in rows {
            let problems = policy.problems(with: try Self.query(text))
            #expect(problems.map(\.code.rawValue).sorted() == codes, "\(text)")
        }
    }

    @Test("cost grows with nested lists and never overflows")
    func cost() throws {
        let one = try Query(format: "a == 1").estimatedCost
        #expect((1..<20).contains(one))
        let any = try Query(format: "ANY a == 1").estimatedCost
        #expect(any > 1_024 * 2)
        // Two fields share the bytes of the row; one field is traversed twice.
        #expect(try Query(format: "ANY a == 1 OR ANY b == 1").estimatedCost < any + 100)
        #expect(try Query(format: "ANY a == 1 OR ANY a == 2").estimatedCost > any * 2 - 100)
        // The inner lists share the bytes of the outer one; traversing the outer list again multiplies.
        let inner = try Query(format: "SUBQUERY(a, $x, ANY $x.b == 1).@count > 0").estimatedCost
        let outer = try Query(format: "SUBQUERY(a, $x, ANY a == 1).@count > 0").estimatedCost
        #expect(inner < any * 6)
        #expect(outer > any * 1_000)
        var condition = Condition.comparison(Comparison(.variable("x", .none), .equal, .value(1, .none)))
        for _ in 0..<60 {
            let found = Term.subquery(Subquery(.field("a", .none), "x", where: condition), .none)
            let count = Term.aggregate(.count, of: found, FieldPath(keys: []), .none)
            condition = .comparison(Comparison(count, .greater, .value(0, .none)))
        }
        #expect(Query(condition).estimatedCost == .max)
        let problems = QueryPolicy(fields: ["*"]).problems(with: Query(condition))
        #expect(problems.contains { $0.code == QueryPolicy.Rule.cost.code })
    }

    @Test("what costs too much is shown where most of it is spent")
    func costlyParts() throws {
        let heavy = "SUBQUERY(orders, $x, ALL orders.lines IN tags).@count != 0"
        let format = "year(born) > 1 OR (kind CONTAINS 'x' OR NOT \(heavy))"
        var policy = QueryPolicy(fields: ["*"])
        policy.requiresLimit = false
        policy.maximumCost = 100_000
        let query = try Query(Condition(parsing: format))
        let problem = try #require(policy.problems(with: query).first { $0.code == QueryPolicy.Rule.cost.code })
        let range = try #require(problem.range)
        #expect(String(decoding: Array(format.utf8)[range], as: UTF8.self) == heavy)
        // Of several that cost the same, the first is shown.
        policy.maximumCost = 0
        let same = policy.problems(with: try Query(Condition(parsing: "a == 1 AND b == 1")))
        #expect(same.first { $0.code == QueryPolicy.Rule.cost.code }?.range == 0..<6)
    }

    @Test("nesting to the last level, names by their bytes")
    func edges() throws {
        for (format, levels) in [("age == 1", 1), ("NOT age == 1", 2), ("NOT NOT (age == 1)", 3)] {
            for most in 0...4 {
                var policy = Self.policy
                policy.maximumNesting = most
                let violations = policy.problems(with: try Self.query(format)).map(\.code.rawValue)
                #expect(violations == (most < levels ? ["policyNesting"] : []), "\(format) within \(most)")
            }
        }
        let policy = QueryPolicy(fields: ["\u{E9}"])
        let (same, other) = (QueryValue.string("\u{E9}"), QueryValue.string("e\u{301}"))
        #expect(try policy.problems(with: policy.checkable("%K == 1", same)).isEmpty)
        #expect(try policy.problems(with: policy.checkable("%K == 1", other)).count == 1)
    }

    @Test("a default policy requires a limit and returns listed fields only")
    func defaults() throws {
        let policy = QueryPolicy(fields: ["name", "address.*", "address.zip", "orders.amount"])
        let limited = try policy.checked(Query(format: "name == 'x'", limit: 10))
        #expect(limited.fields?.map(\.dotted) == ["name", "address", "orders.amount"])
        let orders: QueryValue = .list([.object(["amount": 1, "secret": 2])])
        let row: Document = ["name": "x", "secret": 1, "address": .object(["zip": "1"]), "orders": orders]
        let given: QueryValue = .list([.object(["amount": 1])])
        let found: [Document] = [["name": "x", "address": .object(["zip": "1"]), "orders": given]]
        #expect(try limited.results(in: [row]) == found)
        // The query unchanged would return whole rows.
        #expect(policy.problems(with: try Query(format: "name == 'x'", limit: 10)).map(\.path) == ["fields"])
        // A `*` in the middle names no field.
        let open = QueryPolicy(fields: ["*.public"])
        #expect(refusal { try open.checked(Query(limit: 10)) } == "policyFields")
        #expect(try open.checked(Query(limit: 10, fields: ["profile.public"])).fields?.count == 1)
        #expect(try QueryPolicy(fields: ["*"]).checked(Query(limit: 10)).fields == nil)
        #expect(refusal { try QueryPolicy(fields: []).checked(Query(limit: 10)) } == "policyFields")
        var many = policy
        many.maximumFields = 1
        #expect(refusal { try many.checked(Query(limit: 10, fields: ["name", "address"])) } == "policyFields")
    }

    @Test("no limit, a limit of 0, and one beyond the maximum")
    func limits() throws {
        var policy = QueryPolicy(fields: ["*"])
        policy.maximumLimit = 100
        #expect(refusal { try policy.checked(Query()) } == "policyLimit")
        #expect(refusal { try policy.checked(Query(limit: 101)) } == "policyLimit")
        #expect(refusal { try policy.checked(Query(limit: -1)) } == "policyLimit")
        #expect(try policy.checked(Query(limit: 100)).limit == 100)
        // In a query 0 means no results, in Mongo's parameters no limit.
        #expect(try policy.checked(Query(limit: 0)).results(in: [["a": 1]]).isEmpty)
        #expect(refusal { try policy.checked(Query(mongo: "{}", limit: 0)) } == "policyLimit")
        let find = try MongoQuery(json: #"{"filter":{},"limit":0}"#)
        #expect(refusal { try policy.checked(Query(mongo: find)) } == "policyLimit")
        policy.clampsLimit = true
        for limit in [nil, 101, Int.max] { #expect(try policy.checked(Query(limit: limit)).limit == 100) }
        #expect(try policy.checked(Query(mongo: "{}", limit: 0)).limit == 100)
        #expect(try policy.checked(Query(limit: 7)).limit == 7)
        #expect(try policy.checked(Query(limit: 0)).limit == 0)
    }

    @Test("groups: keys, values, having, order and range")
    func groups() throws {
        var policy = QueryPolicy(fields: ["state", "population", "address.*"])
        policy.maximumLimit = 10
        policy.maximumGroupKeys = 2
        policy.maximumReducers = 2
        policy.aggregates.remove(.max)
        let having = try Condition(format: "count > 1 AND state LIKE 'M*'")
        let order: [SortKey] = [.descending("count")]
        let whole = CustomReduction(name: "all", initial: 0) { count, _ in count }
        let good = Query(order: order, limit: 5).grouped(by: "state", computing: [.count], having: having)
        #expect(try policy.checked(good) == good)
        let band = try GroupKey(format: "trunc(population / 1000)", as: "band")
        #expect(try policy.checked(Query(limit: 5).grouped(by: band, "state", computing: [.count])).keys.count == 2)
        let asked = Query(limit: 5)
        let refused: [(Grouping, String, String)] = [
            (asked.grouped(by: "secret", computing: [.count]), "policyFields", "group.by[0]"),
            (
                asked.grouped(by: "state", GroupKey(Field("secret") + 1, as: "s"), computing: [.count]),
                "policyFields", "group.by[1]"
            ),
            (
                try asked.grouped(
                    by: GroupKey(format: "TERNARY(state == secret, 1, 2)", as: "state"),
                    computing: [.count]
                ),
                "policyFields", "group.by[0]"
            ),
            (
                try asked.grouped(by: GroupKey(format: "address.x.@max.#self", as: "m"), computing: [.count]),
                "policyFunctions", "group.by[0]"
            ),
            (asked.grouped(by: GroupKey(Field.itself, as: "x"), computing: []), "policyFields", "group.by[0]"),
            (asked.grouped(by: "state", computing: [.sum("secret")]), "policyFields", "group.compute[0]"),
            (
                asked.grouped(by: "state", computing: [.count, .sum(Field("population") * Field("secret")).as("x")]),
                "policyFields", "group.compute[1]"
            ),
            (asked.grouped(by: "state", computing: [.min(Field.itself).as("x")]), "policyFields", "group.compute[0]"),
            (asked.grouped(by: "state", computing: [.max("population")]), "policyFunctions", "group.compute[0]"),
            (asked.grouped(by: "state", computing: [Reducer(.custom(whole))]), "policyFields", "group.compute[0]"),
            (asked.grouped(by: "state", "population", "address.a", computing: []), "policyGroups", "group.by"),
            (
                asked.grouped(by: "state", computing: [.count, .sum("population"), .average("population")]),
                "policyGroups", "group.compute"
            ),
            (
                asked.grouped(by: "state", computing: [.count], having: try Condition(format: "secret == 1")),
                "policyFields", "having"
            ),
            (
                asked.grouped(by: "state", computing: [.count], having: try Condition(format: "state MATCHES 'a'")),
                "policyOperators", "having"
            ),
            (
                Query(order: ["population"], limit: 5).grouped(by: "state", computing: [.count]),
                "policySort", "order[0]"
            ),
            (Query().grouped(by: "state", computing: [.count]), "policyLimit", "limit"),
            (Query(limit: 11).grouped(by: "state", computing: [.count]), "policyLimit", "limit"),
        ]
        for (grouping, code, path) in refused {
            let problems = policy.problems(with: grouping)
            #expect(problems.first?.code.rawValue == code, "\(grouping)")
            #expect(problems.first?.path == path, "\(grouping)")
        }
        let condition = try Query(format: "secret == 1", limit: 5).grouped(by: "state", computing: [.count])
        #expect(refusal { try policy.checked(condition) } == "policyFields")
        policy.clampsLimit = true
        #expect(try policy.checked(Query().grouped(by: "state", computing: [.count])).query.limit == 10)
    }

    @Test("everyday queries pass a default policy")
    func everyday() throws {
        let policy = QueryPolicy(fields: ["*"])
        let searches = (0..<20).map { "field\($0) CONTAINS[cd] 'word'" }.joined(separator: " OR ")
        let texts = [
            "age > 21 AND name == 'x' AND state IN {'MA', 'NY'}", "ANY tags == 'x'", "'x' IN tags",
            "tags CONTAINS[c] 'x'",
            "SUBQUERY(orders, $o, $o.total > 100 AND $o.state == 'x').@count > 0",
            "SUBQUERY(orders, $o, $o.total > 100 AND $o.state == 'x' AND $o.paid == TRUE).@count > 0",
            "ANY orders.lines.sku IN {'a', 'b', 'c'}", searches, "name LIKE '*a*b*'", "name LIKE[cd] 'J?hn*'",
            "orders.@sum.total > 100 AND orders.@count < 5", "name BEGINSWITH[cd] 'a' OR city BEGINSWITH[cd] 'a'",
            "ANY tags == 'x' AND ANY tags == 'y' AND age > 21 AND name BEGINSWITH 'x' AND state IN {'MA', 'NY'}",
            "ANY orders.total > 5 AND ANY orders.state == 'x' AND age > 21", "orders.@max.total > 5",
            "owner IN members", "ANY tags IN {'a', 'b'} AND ANY orders.total > 5", "now() > date AND length(name) > 3",
        ]
        for text in texts {
            let query = try Query(parsing: text, order: ["name", "-age", "city[cd]"], limit: 10)
            #expect(policy.problems(with: query).map(\.message) == [], "\(text)")
        }
    }

    @Test("quadratic queries are rejected with a helpful error")
    func quadratic() throws {
        var policy = QueryPolicy(fields: ["*"])
        policy.operators = Set(Comparison.Operator.allCases)
        let texts = [
            "SUBQUERY(kids,$x,1 IN kids INTERSECT kids).@count > 1",
            "SUBQUERY(kids, $x, SUBQUERY(kids, $y, $x == $y).@count > 1).@count > 0",
            "SUBQUERY(a, $x, SUBQUERY(a, $y, SUBQUERY(a, $z, $z == 1).@count > 1).@count > 1).@count > 0",
            "SUBQUERY(kids, $x, $x.age > age).@count > 1", "SUBQUERY(kids, $x, $x.age + 1 == 2).@count > 1",
            "kids.@unionOfArrays.names.@count > 1", "a.b.c.d.e.f == nil",
            "ANY tags IN friends", "ANY tags LIKE pattern", "name LIKE pattern", "name MATCHES 'a'",
            "name MATCHES pattern",
            "SUBQUERY(kids, $x, SELF == $x).@count > 0", "SUBQUERY(kids, $x, text CONTAINS $x).@count > 0",
            "SUBQUERY(a, $x, SUBQUERY($x.b, $y, ANY $x.c == $y).@count > 0).@count > 0",
            "name LIKE '*a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a*'",
            "ANY {a, a, a, a, a, a, a, a} == 1 AND {a, a, a, a, a, a, a, a} UNION {a, a} == nil",
        ]
        for text in texts {
            let problem = policy.problems(with: try Query(parsing: text, limit: 10)).first
            #expect(problem?.code.rawValue == "policyCost", "\(text)")
            #expect(problem?.hint != nil)
        }
    }

    /// The code of an error, or nil if there is none.
    private func refusal(_ body: () throws -> Any) -> String? {
        do { _ = try body() } catch { return (error as? QueryError)?.code.rawValue }
        return nil
    }
}

extension QueryPolicy {
    /// A query with the limit and the fields that it needs.
    fileprivate func checkable(_ format: String, _ argument: QueryValue) throws -> Query {
        var query = try Query(parsing: format, arguments: [argument])
        (query.limit, query.fields) = (1, fields.map { FieldPath(dotted: $0) })
        return query
    }
}
