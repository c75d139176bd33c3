import PredicateQL
import Testing

@Suite("Checking against a schema (S2, S10, S11, S13)")
struct CheckingTests {
    static let schema = Schema([
        .field("name", .string),
        .field("age", .int),
        .field("active", .bool),
        .field("joined", .date(.iso8601)),
        .field("tags", .list(.string)),
        .field("scores", .list(.double)),
        .field("address", .object(Schema([.field("zip", .string), .field("lines", .list(.string))]))),
        .field("orders", .list(.object(Schema([.field("amount", .double), .field("lines", .list(.string))])))),
        .field("extra", .any),
    ])

    @Test("Valid queries pass, with constants in their fields' kinds")
    func sound() throws {
        let cases: [(String, String)] = [
            ("age > 21", "age > 21"),
            ("active == 1", "active == TRUE"),
            ("active IN {0, 1}", "active IN {FALSE, TRUE}"),
            ("joined > '2001-01-01T00:16:40Z'", "joined > CAST(1000, \"NSDate\")"),
            ("'2001-01-01' < joined", "CAST(0, \"NSDate\") < joined"),
            ("ANY tags == 'red'", "ANY tags == \"red\""),
            ("tags CONTAINS 'red'", "tags CONTAINS \"red\""),
            ("'red' IN tags", "\"red\" IN tags"),
            ("ALL {'a', 'b'} IN tags", "ALL {\"a\", \"b\"} IN tags"),
            ("tags == nil", "tags == nil"),
            ("tags == {'a'}", "tags == {\"a\"}"),
            ("ALL scores >= 1", "ALL scores >= 1"),
            ("scores.@avg.#self > 2", "scores.@avg.#self > 2"),
            ("orders.@count > 0", "orders.@count > 0"),
            ("ANY orders.amount > 5", "ANY orders.amount > 5"),
            ("SUBQUERY(orders, $o, $o.amount > 5).@count > 0", "SUBQUERY(orders, $o, $o.amount > 5).@count > 0"),
            ("extra.anything.below == 5", "extra.anything.below == 5"),
            ("age BETWEEN {1, nil}", "age BETWEEN {1, nil}"),
            ("age == $v", "age == $v"),
            ("name CONTAINS[cd] 'x' OR name IN 'abc'", "name CONTAINS[cd] \"x\" OR name IN \"abc\""),
        ]
        for (format, canonical) in cases {
            let query = try Query(parsing: format, arguments: [], schema: Self.schema)
            #expect(query.format == canonical, "\(format)")
        }
    }

    @Test("Mistakes are errors with their range")
    func mistakes() {
        let cases: [(String, QueryError.Code, String)] = [
            ("ag > 21", .unknownField, "ag"),
            ("address.zp == '1'", .unknownField, "zp"),
            ("ANY orders.amunt > 5", .unknownField, "amunt"),
            ("SUBQUERY(orders, $o, $o.amunt > 5).@count > 0", .unknownField, "$o.amunt"),
            ("orders.@sum.amunt > 5", .unknownField, "orders.@sum.amunt"),
            ("age > 'x'", .kindMismatch, "'x'"),
            ("age IN {1, 'x'}", .kindMismatch, "'x'"),
            ("age BETWEEN {1, 'x'}", .kindMismatch, "'x'"),
            ("active == 2", .kindMismatch, "2"),
            ("joined > 'soon'", .kindMismatch, "'soon'"),
            ("joined > 5", .kindMismatch, "5"),
            ("tags == 'red'", .quantifier, "tags"),
            ("orders.amount > 5", .quantifier, "orders.amount"),
            ("name == tags", .quantifier, "tags"),
            ("tags BEGINSWITH 'r'", .quantifier, "tags"),
            ("age BEGINSWITH 'r'", .kindMismatch, "age"),
            ("name BEGINSWITH 5", .kindMismatch, "5"),
            ("name == age", .kindMismatch, "name == age"),
            ("SUBQUERY(tags, $t, $t == 'a').count > 0", .unknownField, "SUBQUERY(tags, $t, $t == 'a').count"),
            ("SUBQUERY(orders, $o, $o.amount > 5).size > 0", .unknownField, "SUBQUERY(orders, $o, $o.amount > 5).size"),
            ("address > 5", .kindMismatch, "address"),
            ("name + 1 > 2", .kindMismatch, "name"),
            ("sqrt(name) > 2", .kindMismatch, "name"),
            ("tags CONTAINS 5", .kindMismatch, "5"),
            ("ANY {'a', 5} IN tags", .kindMismatch, "5"),
            ("orders.@sum.lines > 5", .kindMismatch, "orders.@sum.lines"),
        ]
        for (format, code, place) in cases {
            do throws(QueryError) {
                _ = try Query(parsing: format, arguments: [], schema: Self.schema)
                Issue.record("accepted \(format)")
            } catch {
                #expect(error.code == code, "\(format): \(error.message)")
                let text = error.range.map { String(decoding: Array(format.utf8)[$0], as: UTF8.self) }
                #expect(text == place, "\(format): \(error.message)")
                #expect(error.source == format, "\(format)")
            }
        }
    }

    @Test("Literals are checked even without a schema")
    func literals() {
        let cases: [(String, QueryError.Code)] = [
            ("age BETWEEN {1, 2, 3}", .syntax),
            ("age BETWEEN 5", .syntax),
            ("ANY 5 > 3", .quantifier),
            ("name MATCHES '['", .pattern),
            ("name LIKE 'a\\\\'", .pattern),
            ("sqrt('x') > 1", .kindMismatch),
        ]
        for (format, code) in cases {
            do throws(QueryError) {
                _ = try Query(parsing: format, arguments: [])
                Issue.record("accepted \(format)")
            } catch {
                #expect(error.code == code, "\(format): \(error.message)")
                #expect(error.range != nil, "\(format)")
            }
        }
    }

    @Test("Without a schema two kinds are not an error, even with a computed side (S2)")
    func kindsWithoutSchema() throws {
        for format in [
            "(a / 2) IN {1, '', nil, a}", "(a + 1) BETWEEN {TRUE, 'x'}", "sqrt(a) == 'x'", "a.@count CONTAINS 'x'",
            "length(a) BEGINSWITH 'x'", "5 IN sqrt(a)", "-a > TRUE",
        ] {
            let query = try Query(parsing: format, arguments: [])
            #expect(try query.matches(["a": 4] as Document) == false, "\(format)")
        }
    }

    @Test("Every independent mistake is reported, in the order of the text")
    func several() throws {
        let query = try Query(format: "ag > 1 AND nme == 'x' AND age > 2", arguments: [])
        var checked = query
        checked.schema = Self.schema
        #expect(checked.problems().map(\.hint) == ["did you mean `age`?", "did you mean `name`?"])
    }

    @Test("A quantifier fix repairs the query")
    func quantifierFix() throws {
        let format = "tags == 'red'"
        do throws(QueryError) {
            _ = try Query(parsing: format, arguments: [], schema: Self.schema)
            Issue.record("accepted")
        } catch {
            let fix = try #require(error.fix)
            var bytes = Array(format.utf8)
            bytes.replaceSubrange(fix.range, with: Array(fix.replacement.utf8))
            let mended = String(decoding: bytes, as: UTF8.self)
            #expect(try Query(parsing: mended, arguments: [], schema: Self.schema).format == "ANY tags == \"red\"")
        }
    }

    @Test("Sort keys, fields and group keys are checked too")
    func pipeline() throws {
        #expect(throws: QueryError.self) {
            _ = try Query(format: "age > 1", arguments: [], order: ["nme"], schema: Self.schema)
        }
        #expect(throws: QueryError.self) {
            _ = try Query(format: "age > 1", arguments: [], fields: ["nme"], schema: Self.schema)
        }
        let query = try Query(format: "age > 1", arguments: [], schema: Self.schema)
        #expect(throws: QueryError.self) { _ = try query.grouped(by: "nme", computing: [.count]).checked() }
        let having = try Condition(format: "count > 5 AND avg_age < 30")
        let groups = try query.grouped(by: "name", computing: [.count, .average("age")], having: having).checked()
        #expect(groups.resultNames == ["name", "count", "avg_age"])
        let wrong = try Condition(format: "cnt > 5")
        do throws(QueryError) {
            _ = try query.grouped(by: "name", computing: [.count], having: wrong).checked()
            Issue.record("accepted")
        } catch {
            #expect(error.path == "having")
            #expect(error.code == .unknownField)
        }
    }

    @Test("Bound values are checked like literals")
    func binding() throws {
        let template = try Query(format: "joined > $since AND age IN $ages", arguments: [], schema: Self.schema)
        #expect(template.condition.freeVariables == ["since", "ages"])
        let bound = try template.binding(["since": "2001-01-01T00:16:40Z", "ages": [1, 2]])
        #expect(bound.format == "joined > CAST(1000, \"NSDate\") AND age IN {1, 2}")
        #expect(throws: QueryError.self) { _ = try template.binding(["since": 5, "ages": [1]]) }
        #expect(throws: QueryError.self) { _ = try template.binding(["nobody": 5]) }
        let shadowed = try Query(format: "SUBQUERY(a, $x, $x > 1).@count > $x", arguments: [])
        #expect(try shadowed.binding(["x": 3]).format == "SUBQUERY(a, $x, $x > 1).@count > 3")
    }

    @Test func subqueriesThatNeverLookAtTheirElementAreWarnedOf() throws {
        let cases: [(String, Int)] = [
            ("SUBQUERY(a, $x, $x > 1).@count > 0", 0),
            ("SUBQUERY(a, $x, b > 1).@count > 0", 1),
            ("SUBQUERY(a, $x, SUBQUERY($x.c, $y, $y == 1).@count > 0).@count > 0", 0),
            ("SUBQUERY(a, $x, SUBQUERY(c, $x, $x == 1).@count > 0).@count > 0", 1),
            ("SUBQUERY(a, $x, SUBQUERY($x.c, $y, d == 1).@count > 0).@count > 0", 1),
            ("ANY SUBQUERY(a, $x, TRUEPREDICATE).b == 1", 1),
            ("a == 1", 0),
        ]
        for (text, count) in cases {
            let warnings = try Query(parsing: text).warnings
            #expect(warnings.count == count, "\(text)")
            #expect(warnings.allSatisfy { $0.code == .unusedVariable && $0.range != nil }, "\(text)")
        }
    }

    /// A sort key of another language names a field.
    @Test func habitsOfOrders() {
        let query = Query(order: ["+a", "b desc", "c ASC", "-d", "first name", "e desc f", "-f DESC"])
        #expect(query.warnings.map(\.path) == ["order[0]", "order[1]", "order[2]", "order[6]"])
    }

    @Test func habitsOfSQLAreWarnedOf() throws {
        let cases: [(String, String, String?)] = [
            ("a == 2024-01-31", "2024-01-31", "CAST(\"2024-01-31\", \"NSDate\")"),
            ("a > 2024-2-1 AND b == 1", "2024-2-1", "CAST(\"2024-02-01\", \"NSDate\")"),
            ("a > now() - 86400", "now()", nil),
            ("a < CAST('2024-01-01', 'NSDate') + 1", "CAST('2024-01-01', 'NSDate')", nil),
            ("a == 1 OR name LIKE[c] 'J_n%'", "'J_n%'", "\"J?n*\""),
        ]
        for (text, place, fix) in cases {
            let warnings = try Query(parsing: text).warnings
            #expect(warnings.map(\.code) == [.unlikely], "\(text)")
            guard let warning = warnings.first, let range = warning.range else { continue }
            let bytes = Array(text.utf8)[range]
            #expect(String(decoding: bytes, as: UTF8.self) == place, "\(text)")
            #expect(warning.fix?.replacement == fix && warning.hint != nil, "\(text)")
        }
        for text in ["a == 2024-01-32", "a == 5-1-1", "a == b - 1 - 1", "a > now()", "a == 2023-02-29"] {
            #expect(try Query(parsing: text).warnings.isEmpty, "\(text)")
        }
        let quoted = try Query(parsing: "'name' == 'Bob' AND 'a b' == 'c' AND 'x' == 'x'").warnings
        #expect(quoted.map(\.fix?.replacement) == ["name", #"a\u0020b"#])
        let words = try Query(parsing: "no == 13 AND true == 'x' AND YES == TRUE AND a == no").warnings
        #expect(words.map(\.fix?.replacement) == ["#no", "#true"])
    }

    /// What is meant by properties of other languages, by texts without quotes and numbers in them, and by sums of dates.
    @Test func kindsNameTheWayOut() throws {
        let schema = Schema([
            .field("name", .string), .field("age", .int), .field("weight", .double), .field("tags", .list(.string)),
            .field("born", .date(.native)),
        ])
        let cases: [(String, String?, String)] = [
            ("name.length == 3", "length(name) == 3", "write length(name)"),
            ("age > 1 AND name.count > 0", "age > 1 AND length(name) > 0", "write length(name)"),
            ("tags.count == 2", "tags.@count == 2", "write tags.@count"),
            ("tags.first == 'a'", "tags[FIRST] == 'a'", "[FIRST]"),
            ("name.integerValue > 1", "CAST(name, \"NSNumber\") > 1", "CAST"), ("age.intValue > 1", "age > 1", "age"),
            ("age.stringValue == '1'", "CAST(age, \"NSString\") == '1'", "CAST"),
            ("name.lowercaseString == 'a'", "lowercase(name) == 'a'", "lowercase(name)"),
            ("name.isEmpty == TRUE", nil, "write name == ''"), ("tags.isEmpty == TRUE", nil, "write tags.@count == 0"),
            ("born > now() - 946080000", nil, #"CAST(CAST(now(), "NSNumber") - 946080000, "NSDate")"#),
            ("born + 86400 > now()", nil, #"CAST(CAST(born, "NSNumber") + 86400, "NSDate")"#),
            ("now() - born > 5", nil, #"between them: CAST(now(), "NSNumber") - CAST(born, "NSNumber")"#),
            ("name != undefined", "name != nil", "write nil"),
            ("name == Anna", "name == 'Anna'", "write 'Anna' for a text"), ("name == nmae", "name == name", "name"),
            ("age == Anna", nil, ""), ("name == Anna.x", nil, ""), ("age == '21'", "age == 21", ""),
            ("age == '2.5'", nil, ""), ("weight IN {1, '2.5'}", "weight IN {1, 2.5}", ""), ("age == 'x'", nil, ""),
            ("name", nil, "it holds text: compare it, as in `name != ''`"),
            ("age && name == 'x'", nil, "as in `age > 0`"),
            ("NOT tags", nil, "as in `tags.@count > 0`"), ("born OR age > 1", nil, "as in `born != nil`"),
            ("SUBQUERY(tags, $x, $x).@count > 0", nil, "`$x == TRUE` if it is a bool"),
            ("age == 1 AND 'x' == ANY tags", "age == 1 AND ANY tags == 'x'", "ANY tags"),
            ("tags.@size > 1", "tags.@count > 1", "@count for a list"), ("age.@size > 1", nil, "length(age)"),
            ("name.@length > 1", "length(name) > 1", "length(name) for a text"),
            ("tags != 'a'", nil, "NONE"), ("heigth == 3 AND weigth == 2", nil, ""),
        ]
        for (text, fix, hint) in cases {
            let problem = try #require(Query.problems(inFormat: text, schema: schema).first, "\(text)")
            #expect(problem.fix?.applied(to: text) == fix, "\(problem.rendered())")
            #expect(hint.isEmpty || problem.hint?.contains(hint) == true, "\(problem.rendered())")
        }
        let argument = Query.problems(inFormat: "age == %1$@", arguments: ["21"], schema: schema)
        #expect(argument.count == 1 && argument.allSatisfy { $0.fix == nil })
        let warning = try #require(try Query(parsing: "born > now() - 5").warnings.first)
        #expect(warning.hint?.contains(#"CAST(CAST(now(), "NSNumber") - 5, "NSDate")"#) == true)
    }

    /// What rows show of kinds, and what to write instead.
    @Test func rowsShowWhatNeverMeets() throws {
        let rows: [Document] = [["age": "30", "flag": true, "tags": ["a"]], ["age": nil, "n": 5]]
        for (text, replacement) in [
            ("age > 10", "CAST(age, \"NSNumber\")"), ("flag == 1", "TRUE"), ("tags == 'a'", "ANY "), ("n != '5'", "5"),
        ] {
            let query = try Query(parsing: text)
            let warning = try #require(query.warnings(seeing: rows).first)
            let fix = try #require(warning.fix, "\(text)")
            #expect(warning.code == .unlikely && fix.replacement == replacement, "\(text)")
            let mended = Array(text.utf8)
            let again = mended[..<fix.range.lowerBound] + Array(fix.replacement.utf8) + mended[fix.range.upperBound...]
            let repaired = try Query(parsing: String(decoding: again, as: UTF8.self))
            #expect(repaired.warnings(seeing: rows).isEmpty, "\(repaired)")
        }
        let known = Schema([.field("age", .string)])
        #expect(try Query(parsing: "age == '10'", schema: known).warnings(seeing: rows).isEmpty)
        #expect(try Query(parsing: "age > 10 OR n == 5").warnings(seeing: []).isEmpty)
        for text in ["age == '5'", "ANY tags == 'a'", "age IN {nil, 5}", "flag IN {TRUE, 1}", "n == m"] {
            #expect(try Query(parsing: text).warnings(seeing: rows).isEmpty, "\(text)")
        }
    }

    /// The elements of a list of lists are lists; those at a path are the values in its lists (S9, S18).
    @Test func listsOfListsHaveNoNumbers() throws {
        let item = Schema([.field("sizes", .list(.int))])
        let schema = Schema([.field("a", .list(.list(.int))), .field("items", .list(.object(item)))])
        #expect(throws: QueryError.self) { try Query(format: "a.@max > 1", schema: schema) }
        let error = #expect(throws: QueryError.self) { try Query(format: "ANY a == 1", schema: schema) }
        #expect(error?.fix == nil)
        #expect(error?.hint == "test each list by itself: SUBQUERY(list, $x, ANY $x == 1).@count > 0")
        #expect(try Query(format: "SUBQUERY(a, $x, ANY $x == 1).@count > 0", schema: schema).problems().isEmpty)
        #expect(try Query(format: "items.@max.sizes > 1", schema: schema).problems().isEmpty)
    }

    @Test func totalsOfNumbersWithAPointAreTold() throws {
        let lines: [Document] = [["price": 0.1, "count": 1], ["price": 0.2]]
        let rows: [Document] = [["total": 0.3, "lines": .list(lines.map(QueryValue.object)), "sums": [0.5]]]
        let line = Schema([.field("price", .double), .field("count", .int)])
        let schema = Schema([.field("total", .double), .field("lines", .list(.object(line)))])
        for (text, isTold) in [
            ("total == lines.@sum.price", true), ("total >= lines.@sum.price", true), ("lines.@avg.price != 1", true),
            ("lines.@sum.price > 1", false), ("total == lines.@sum.count", false), ("lines.@sum.price == nil", false),
            ("abs(total - lines.@sum.price) < 0.005", false),
        ] {
            let seen = try Query(parsing: text).warnings(seeing: rows)
            let declared = try Query(parsing: text, schema: schema).warnings
            for told in [seen, declared] {
                #expect(told.map(\.code) == (isTold ? [.unlikely] : []), "\(text)")
                #expect(told.allSatisfy { $0.range != nil && $0.hint != nil })
            }
        }
        #expect(try Query(parsing: "sum(sums) == 0.5").warnings(seeing: rows).count == 1)
        #expect(try Query(parsing: "sum(sums) == 0.5").warnings(seeing: []).isEmpty)
    }

    /// What is no list by the schema has no count, total or extreme (S18).
    @Test func countsOfWhatIsNoListAreTold() throws {
        for (text, told) in [
            ("age.@count == 1", "age holds numbers, and count takes a list"),
            ("address.@count > 0", "address holds objects, and count takes a list"),
            ("name.@max > 'a'", "name holds text, and max takes a list"), ("tags.@count > 1", nil),
            ("orders.@sum.amount > 1", nil),
        ] {
            let told = told.map { [$0] } ?? []
            let query = try? Query(parsing: text, schema: Self.schema)
            #expect(query?.warnings.map(\.message).filter { $0.hasSuffix("takes a list") } == told, "\(text)")
            #expect(query?.warnings(seeing: []).count == query?.warnings.count, "\(text)")
        }
    }

    /// A related row is compared by its key, which the hint names.
    @Test func relatedRowsAreComparedByTheirKeys() throws {
        let person = Schema([.field("id", .int), .field("name", .string)], primaryKey: ["id"])
        let order = Schema(
            [
                .field("buyer_id", .int),
                .field("buyer", .object(person), relation: .init(table: "people", foreignKey: "buyer_id")),
                .field("lines", .list(.object(person)), relation: .init(table: "lines", foreignKey: "order_id")),
            ]
        )
        let person2 = Schema([.field("name", .string)])
        let cases: [(String, [QueryValue], Schema, String, String?)] = [
            ("buyer == 1", [], order, "compare its key: buyer_id", "buyer_id == 1"),
            ("ANY lines == 1", [], order, "compare its key: lines.id", nil),
            ("buyer IN {1, 2}", [], order, "compare its key: buyer_id", "buyer_id IN {1, 2}"),
            ("buyer != %@", [1], order, "compare its key: buyer_id", "buyer_id != %@"),
            ("%K == 1", ["buyer"], order, "compare its key: buyer_id", nil),
            ("SELF == 5", [], person, "compare its key: id", "id == 5"),
            ("SELF IN %@", [[1, 2]], person, "compare its key: id", "id IN %@"),
            ("SELF == 5", [], person2, "SELF is the whole row: write the name of a field", nil),
            ("SELF MATCHES 'a'", [], person2, "SELF is the whole row: write the name of a field", nil),
        ]
        for (text, arguments, schema, hint, mended) in cases {
            let error = #expect(throws: QueryError.self) {
                try Query(parsing: text, arguments: arguments, schema: schema).checked()
            }
            #expect(error?.hint == hint, "\(text)")
            #expect(error?.fix?.applied(to: text) == mended, "\(text)")
            let query = mended.map { mended in { try Query(parsing: mended, arguments: arguments, schema: schema) } }
            if let query { #expect(throws: Never.self, "\(text)") { try query() } }
        }
    }

    /// A text beside fields of one kind among which a term chooses is converted as beside one of them (S2).
    @Test func textsBesideChoicesAreConverted() throws {
        let schema = Schema([
            .field("begins", .date(.iso8601)), .field("ends", .date(.epochSeconds)), .field("a", .uuid),
            .field("b", .uuid), .field("on", .bool), .field("off", .bool), .field("name", .string),
        ])
        let day = #"CAST(736214400, "NSDate")"#
        let id = #"CAST("E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "NSUUID")"#
        let cases = [
            ("'2024-05-01' BETWEEN {begins, ends}", "\(day) BETWEEN {begins, ends}"),
            ("'2024-05-01' BETWEEN {begins, '2024-05-01'}", "\(day) BETWEEN {begins, \(day)}"),
            ("'2024-05-01' IN {begins, nil, ends}", "\(day) IN {begins, nil, ends}"),
            ("{begins, ends} CONTAINS '2024-05-01'", "{begins, ends} CONTAINS \(day)"),
            ("max({begins, ends}) >= '2024-05-01'", "max:({begins, ends}) >= \(day)"),
            ("max({begins, ends}) IN {'2024-05-01', ends}", "max:({begins, ends}) IN {\(day), ends}"),
            ("TERNARY(on == TRUE, begins, ends) < '2024-05-01'", "TERNARY(on == TRUE, begins, ends) < \(day)"),
            ("ANY {begins, ends} == '2024-05-01'", "ANY {begins, ends} == \(day)"),
            ("'e621e1f8-c36c-495a-93fc-0c247a3e6e5f' IN {a, b}", "\(id) IN {a, b}"),
            ("1 IN {on, off}", "TRUE IN {on, off}"),
            ("'soon' IN {begins, ends}", #""soon" IN {begins, ends}"#),
            ("'2024-05-01' IN {begins, name}", #""2024-05-01" IN {begins, name}"#),
        ]
        for (text, form) in cases {
            let found = try Query(parsing: text, schema: schema).condition.format
            #expect(found == form, "\(text): \(found)")
        }
    }

    /// What an operator of texts, a key at the end of a path or `SELF` most likely is not, without rows.
    @Test func whatHoldsOfNoRowIsToldWithoutRows() throws {
        let cases: [(String, [QueryValue], hint: String, fix: String?)] = [
            ("name BEGINSWITH 12", [], "write it in quotes", "name BEGINSWITH \"12\""),
            ("NONE tags ENDSWITH TRUE", [], "write it in quotes", "NONE tags ENDSWITH \"TRUE\""),
            ("12 LIKE name", [], "write it in quotes", "\"12\" LIKE name"),
            ("name MATCHES %@", [12], #"give a text as the argument (pql: --arg '"12"')"#, nil),
            ("name MATCHES {1}", [], "give a text", nil),
            ("a.length > 3", [], "write length(a), or a.@count for a list", nil),
            ("SELF.length > 3", [], "write length(SELF), or SELF.@count for a list", nil),
            ("a.b.integerValue > 3", [], #"write a.b, or CAST(a.b, "NSNumber") for a text"#, nil),
            ("a.stringValue == 'x'", [], #"write a, or CAST(a, "NSString") for a number"#, nil),
            ("a.uppercaseString == 'X'", [], "write uppercase(a)", "uppercase(a) == 'X'"),
            ("%K == 'X'", ["a.uppercaseString"], "write uppercase(a)", nil),
            ("expenses.@avg.doubleValue < 9", [], "write expenses.@avg", "expenses.@avg < 9"),
            ("dogs.@max.age.intValue < 9", [], "write dogs.@max.age", "dogs.@max.age < 9"),
            (
                "SUBQUERY(a, $x, $x.length > 3).@count > 0", [], "write length($x), or $x.@count for a list", nil
            ),
            ("tags[0].lowercaseString == 'x'", [], "write lowercase(tags[0])", "lowercase(tags[0]) == 'x'"),
        ]
        for (text, arguments, hint, fix) in cases {
            let warnings = try Query(parsing: text, arguments: arguments).warnings
            #expect(warnings.map(\.code) == [.unlikely] && warnings.first?.hint == hint, "\(text): \(warnings)")
            #expect(warnings.first?.fix?.applied(to: text) == fix, "\(text)")
        }
        for text in ["name BEGINSWITH nil", "name LIKE '1'", "length == 3", "name BEGINSWITH other", "a.count > 1"] {
            #expect(try Query(parsing: text).warnings.isEmpty, "\(text)")
        }
        // Fields of that name, by a schema or in rows.
        let box = Schema([.field("length", .double)])
        let schema = Schema([.field("box", .object(box)), .field("boxes", .list(.object(box))), .field("other", .any)])
        let long: QueryValue = .object(["length": 3])
        let rows: [Document] = [["box": long, "boxes": .list([long]), "other": "x"]]
        for text in ["box.length > 3", "SUBQUERY(boxes, $x, $x.length > 3).@count > 0"] {
            #expect(try Query(parsing: text, schema: schema).warnings.isEmpty, "\(text)")
            #expect(try Query(parsing: text).warnings(seeing: rows).isEmpty, "\(text)")
            #expect(try Query(parsing: text).warnings.count == 1, "\(text)")
        }
        #expect(try Query(parsing: "other.length > 3", schema: schema).warnings.count == 1)
        let seen = try Query(parsing: "other.length > 3").warnings(seeing: rows)
        #expect(seen.map(\.hint) == ["write length(other)"] && seen.first?.fix?.replacement == "length(other)")
    }

    /// An object is compared by its fields, which the hint names; no fix leads to another mistake.
    @Test func objectsAreComparedByTheirFields() throws {
        let dog = Schema([.field("name", .string), .field("age", .int), .field("weight", .double)])
        let fields: [Schema.Field] = [
            .field("dogs", .list(.object(dog))), .field("map", .object(.any)), .field("flags", .list(.bool)),
            .field("on", .bool),
        ]
        let schema = Schema(fields)
        for (text, fix, hint) in [
            (
                "dogs == 5", nil,
                "write ANY, ALL or NONE in front, and compare a field of the object: dogs.age or dogs.weight"
            ),
            ("ANY dogs == 'x'", nil, "compare a field of the object: dogs.name"), ("ANY dogs > 5", nil, "dogs.age or"),
            ("dogs.@min > 1", nil, "dogs.@min.age or dogs.@min.weight"), ("dogs.@sum == 1", nil, "dogs.@sum.age"),
            ("SUBQUERY(dogs, $x, $x.age > 1).@avg > 1", nil, ".@avg.age"), ("map == 5", nil, "as in map.key"),
            ("SUBQUERY(dogs, $x, $x == 'x').@count > 0", nil, "$x.name"), ("ANY dogs LIKE 'x'", nil, "dogs.name"),
            ("flags == TRUE", "ANY flags == TRUE", "ANY, ALL or NONE"), ("flags == 'x'", nil, "use TRUE or FALSE"),
            ("on", "on == TRUE", "if it is a bool"),
        ] as [(String, String?, String)] {
            let problem = try #require(Query.problems(inFormat: text, schema: schema).first, "\(text)")
            #expect(problem.fix?.applied(to: text) == fix, "\(problem.rendered())")
            #expect(problem.hint?.contains(hint) == true, "\(problem.rendered())")
        }
    }

    /// Containers that are lists of one, fractions beside whole numbers, and totals of objects, which are valid.
    @Test func whatIsNeverTrueIsTold() throws {
        let dog = Schema([.field("age", .int)])
        let fields: [Schema.Field] = [
            .field("age", .int), .field("rate", .double), .field("name", .string), .field("born", .date(.native)),
            .field("ages", .list(.int)), .field("dogs", .list(.object(dog))), .field("other", .any),
        ]
        let schema = Schema(fields)
        let bytes = [QueryValue.data([1])]
        for (text, arguments, message) in [
            ("x IN 5.5", [], "IN looks in lists and texts, and a number is taken for a list of one"),
            ("5 CONTAINS x", [], "CONTAINS looks"), ("ANY x IN TRUE", [], "a truth value is taken"),
            ("x IN %@", [5], "a number is taken"), ("x IN CAST('2024-01-31', 'NSDate')", [], "a date is taken"),
            ("x BEGINSWITH %@", bytes, "never true of bytes"), ("x MATCHES %@", bytes, "never true of bytes"),
            ("SUBQUERY(dogs, $d, $d.age > 1).@min > 0", [], "@min is one of values, and the elements are objects"),
            ("SUBQUERY(dogs, $d, $d.age > 1).@sum == 0", [], "@sum is one of values"),
        ] as [(String, [QueryValue], String)] {
            let warnings = try Query(parsing: text, arguments: arguments).warnings
            #expect(warnings.count == 1 && warnings.first?.message.contains(message) == true, "\(text): \(warnings)")
            #expect(warnings.allSatisfy { $0.hint != nil && $0.range != nil }, "\(text)")
        }
        for (text, message) in [
            ("age CONTAINS 5", "age holds numbers, of which each is taken for a list of one"),
            ("5 IN rate", "rate holds"),
            ("ANY ages CONTAINS 5", "ages holds numbers"),
            ("age == 1.5", "age holds whole numbers, of which none meets 1.5"),
            ("1.5 != age", "none meets 1.5"), ("age IN {1.5, 2.5}", "none meets {1.5, 2.5}"),
            ("age BETWEEN {1.5, 1.7}", "none meets"), ("ANY dogs.age == 0.5", "dogs.age holds whole"),
            ("ages CONTAINS 1.5", "ages holds whole"), ("SUBQUERY(ages, $x, $x == 1.5).@count > 0", "$x holds whole"),
        ] {
            let warnings = try Query(parsing: text, schema: schema).warnings
            #expect(warnings.count == 1 && warnings.first?.message.contains(message) == true, "\(text): \(warnings)")
            #expect(try Query(parsing: text).warnings.isEmpty, "\(text)")
        }
        for text in [
            "ages CONTAINS 5", "5 IN ages", "name CONTAINS 'x'", "other CONTAINS 5", "5 IN other", "age < 1.5",
            "age IN {1, 1.5}", "age BETWEEN {1.5, 2.1}", "rate == 1.5", "age == 1.0", "ANY ages IN {1, 2}", "age IN {}",
            "dogs.@min.age > 1", "SUBQUERY(ages, $x, $x > 1).@min > 0", "other == 1.5", "age == other",
        ] {
            #expect(try Query(parsing: text, schema: schema).warnings.isEmpty, "\(text)")
        }
        for text in ["x CONTAINS 5", "x IN nil", "x IN 'abc'", "x IN {5}", "5 IN 5", "x IN y", "dogs.@min > 1"] {
            #expect(try Query(parsing: text).warnings.isEmpty, "\(text)")
        }
        let rows: [Document] = [["dogs": .list([.object(["age": 1])]), "ages": [1]]]
        let seen = try Query(parsing: "dogs.@min > 1 OR dogs.@avg.age > 1 OR ages.@max > 1").warnings(seeing: rows)
        #expect(seen.map(\.message) == ["@min is one of values, and the elements are objects"])
        #expect(seen.first?.hint == "write the path to a field of them after it: dogs.@min.key")
    }

    /// What an argument should be, as `pql` takes it, and which spelling of a truth value was meant.
    @Test func argumentsOfTheWrongKindAreNamed() throws {
        let rows: [Document] = [["name": "Ann", "done": true, "age": 3]]
        let schema = Schema([.field("name", .string), .field("done", .bool), .field("age", .int)])
        let text = #"give a text as the argument (pql: --arg '"12"')"#
        let cases: [(String, [QueryValue], hint: String, fix: String?)] = [
            ("name == %@", [12], text + #", or write CAST(name, "NSNumber")"#, nil),
            ("name CONTAINS %@", [12], text, nil),
            ("name IN %@", [12], "write ==, or give a list in its place", nil),
            ("name IN {12}", [], #"values of two kinds are never equal, and have no order"#, nil),
            ("done == %@", ["YES"], "give true as the argument (pql: --arg true)", nil),
            ("done == 'no'", [], "write FALSE", "done == FALSE"),
            ("done == %@", [0], "give false as the argument (pql: --arg false)", nil),
            ("age == %@", ["30"], "give 30 as the argument (pql: --arg 30)", nil),
            ("age CONTAINS 'x'", [], "values of two kinds are never equal, and have no order", nil),
        ]
        for (text, arguments, hint, fix) in cases {
            let warnings = try Query(parsing: text, arguments: arguments).warnings(seeing: rows)
            #expect(warnings.count == 1 && warnings.first?.hint == hint, "\(text): \(warnings)")
            #expect(warnings.first?.fix?.applied(to: text) == fix, "\(text)")
        }
        for (format, argument, hint) in [
            ("name == %@", 12, text + #", or write CAST(field, "NSNumber") to compare as numbers"#),
            ("done == %@", "YES", "give true as the argument (pql: --arg true)"), ("name LIKE %@", 12, text),
        ] as [(String, QueryValue, String)] {
            let problems = Query.problems(inFormat: format, arguments: [argument], schema: schema)
            #expect(problems.map(\.hint) == [hint], "\(format)")
        }
        // No backend ignores accents in a regular expression (S16).
        for (text, mended) in [
            ("a[0] MATCHES[cd] 'x[d]'", "a[0] MATCHES[c] 'x[d]'"),
            ("b == 1 OR a MATCHES [d] 'x'", "b == 1 OR a MATCHES  'x'"),
        ] {
            let error = #expect(throws: QueryError.self) { try Query(parsing: text).matches([:] as Document) }
            #expect(error?.fix?.applied(to: text) == mended)
        }
        let word = Query.problems(inFormat: "done == 'YES'", schema: schema)
        #expect(word.map(\.fix?.replacement) == ["TRUE"])
        let unknown = Query.problems(inFormat: "class == 'X'", schema: schema)
        #expect(unknown.first?.hint == "rows have no classes: compare a field that tells them apart")
    }

    /// What a schema leaves open is looked at in the rows.
    @Test func rowsShowWhatASchemaDoesNotDeclare() throws {
        let rows: [Document] = [["tags": ["a"], "flag": true]]
        let schema = Schema([.field("tags", .any), .field("flag", .bool)])
        #expect(try Query(parsing: "tags == 'a'", schema: schema).warnings(seeing: rows).count == 1)
        #expect(try Query(parsing: "flag == 1", schema: schema).warnings(seeing: rows).isEmpty)
    }

    @Test func everyProblemOfATextIsListed() throws {
        let schema = Schema([.field("name", .string), .field("age", .int)])
        let problems = Query.problems(inFormat: "agee > 1 AND naem == 'x' AND age BETWEEN {1, 'b'}", schema: schema)
        #expect(problems.map(\.code) == [.unknownField, .unknownField, .kindMismatch])
        #expect(Query.problems(inFormat: "age > 1", schema: schema).isEmpty)
        #expect(Query.problems(inFormat: "age >", schema: schema).map(\.code) == [.syntax])
        #expect(Query.problems(inFormat: "a LIKE 'x\\\\' AND b MATCHES '('").map(\.code) == [.pattern, .pattern])
    }

    /// A suggestion can be what was meant: what a further key enters has fields, and a name with a sign is shown whole.
    @Test func suggestionsFit() throws {
        let order = Schema([.field("total", .int)])
        let schema = Schema([
            .field("orderNo", .string), .field("address", .object(order)), .field("E-Mail", .string),
        ])
        func error(_ format: String) -> QueryError? {
            #expect(throws: QueryError.self, "\(format)") { try Query(parsing: format, schema: schema) }
        }
        #expect(error("ANY orderN.total > 1")?.fix == nil)
        #expect(error("orderN == 'x'")?.fix?.replacement == "orderNo")
        #expect(error("adress.total > 1")?.fix?.replacement == "address")
        #expect(error("address.total == TRUE")?.hint == "compare with 1 or 0")
        let mail = error("E-Mail == 'x'")
        #expect(mail?.hint == #"write the field E-Mail as E\u002dMail, or pass its name for %K"# && mail?.fix == nil)
        #expect(throws: Never.self) { try Query(parsing: #"E\u002dMail == 'x'"#, schema: schema) }
    }

    /// A name with a dot is two keys unless the dot is escaped, also where `%K` takes it.
    @Test func namesWithDotsAreTold() throws {
        let schema = Schema([.field("a.b", .int), .field("Items.x", .object(Schema([.field("n", .int)])))])
        for (format, name) in [("a.b == 3", #"a\u002eb"#), ("Items.x.n == 3", #"Items\u002ex"#)] {
            let key = format.replacing(" == 3", with: "")
            let problems = [
                Query.problems(inFormat: format, schema: schema),
                Query.problems(inFormat: "%K == 3", arguments: [.string(key)], schema: schema),
            ]
            for problem in problems {
                #expect(problem.map(\.code) == [.unknownField])
                #expect(problem.first?.hint?.hasSuffix(" as \(name)") == true, "\(problem)")
            }
        }
        #expect(throws: Never.self) { try Query(parsing: #"a\u002eb == 3 AND Items\u002ex.n == 3"#, schema: schema) }
    }

    /// A name that groups compute is told where their order belongs.
    @Test func ordersOfGroupsAreTold() throws {
        let schema = Schema([.field("counts", .int), .field("age", .int)])
        for (key, isOfGroups) in [("-count", true), ("sum_age", true), ("ages", false), ("counted", false)] {
            let query = Query(order: [SortKey(stringLiteral: key)], schema: schema)
            #expect(query.problems().map(\.code) == [.unknownField])
            #expect(query.problems()[0].hint?.contains("grouped(by:computing:order:)") ?? false == isOfGroups)
        }
        #expect(Query(order: ["count"], schema: schema).problems()[0].hint?.contains("`counts`") == true)
    }
}
