import Foundation
import PredicateQL
import Testing

/// Mistakes with a fix, which gives a text that parses.
struct MistakeTests {
    /// A text and the result of its fix.
    private static let mended: [(String, String)] = [
        ("name IS NULL", "name == nil"), ("items.0.price == 5", "items[0].price == 5"),
        ("a.items.12.price == 5", "a.items[12].price == 5"),
        ("name IS NOT NULL", "name != nil"),
        ("name is not null AND a == 1", "name != nil AND a == 1"),
        ("a IS TRUE", "a == TRUE"),
        ("a IS NOT 5", "a != 5"),
        ("a ISNULL", "a == nil"),
        ("name NOT IN {\"a\"}", "NOT name IN {\"a\"}"),
        ("b == 1 AND name NOT LIKE 'x'", "b == 1 AND NOT name LIKE 'x'"),
        ("(name NOT BETWEEN {1, 2})", "(NOT name BETWEEN {1, 2})"),
        ("age BETWEEN 1 AND 10", "age BETWEEN {1, 10}"),
        ("age BETWEEN low AND high", "age BETWEEN {low, high}"),
        ("age BETWEEN[c] {1, 2}", "age BETWEEN {1, 2}"),
        ("age BETWEEN [1, 2]", "age BETWEEN {1, 2}"),
        ("name IN (\"a\", \"b\")", "name IN {\"a\", \"b\"}"),
        ("name IN [\"a\", \"b\"]", "name IN {\"a\", \"b\"}"),
        ("age === 21", "age == 21"),
        ("age !== 21", "age != 21"),
        ("age <=> 21", "age == 21"),
        ("age = = 21", "age == 21"),
        ("a == “x”", "a == \"x\""),
        ("a == ‘x’", "a == \"x\""),
        ("a == `x y`", "a == \"x y\""),
        ("isActive", "isActive == TRUE"),
        ("NOT isActive", "NOT isActive == TRUE"),
        ("a == 1 AND isActive", "a == 1 AND isActive == TRUE"),
        ("(isActive) OR a == 1", "(isActive) == TRUE OR a == 1"),
        ("TRUE", "TRUEPREDICATE"),
        ("a MATCHES '\\d+\\w'", "a MATCHES '\\\\d+\\\\w'"),
        ("a % 2 == 0", "modulus:by:(a, 2) == 0"),
        ("a * b % 2 == 0", "modulus:by:(a * b, 2) == 0"),
        ("a == :name", "a == $name"),
        ("name STARTSWITH \"a\"", "name BEGINSWITH \"a\""),
        ("name begins with 'a'", "name BEGINSWITH 'a'"),
        ("name ENDS WITH[c] 'a' OR b == 1", "name ENDSWITH[c] 'a' OR b == 1"),
        ("name CONTIANS \"a\"", "name CONTAINS \"a\""),
        ("a == 1 ADN b == 2", "a == 1 AND b == 2"),
        ("a == 1, b == 2", "a == 1 AND b == 2"),
        ("1 < age < 10", "1 < age AND age < 10"),
        ("a == 1 & b == 2", "a == 1 && b == 2"),
        ("like == 1", "#like == 1"),
        ("a.1 == 1", "a[1] == 1"),
        ("a?.b == 1", "a.b == 1"),
        ("a! == 1", "a == 1"),
        ("a == +5", "a == 5"),
        ("a == 1AND b == 2", "a == 1 AND b == 2"),
        ("a ≤ 5", "a <= 5"),
        ("a ＝ 1", "a == 1"),
        ("a × b == 5", "a * b == 5"),
        ("a == 1\u{A0}AND b == 2", "a == 1 AND b == 2"),
        ("\u{FEFF}a == 1", "a == 1"),
        ("a == 1\u{200B}", "a == 1"),
        ("a == 1\0", "a == 1"),
        ("@\"a\" == 1", "\"a\" == 1"),
        ("$ v == 1", "$v == 1"),
        ("${v} == 1", "$v == 1"),
        ("$$v == 1", "$v == 1"),
        ("# and == 1", "#and == 1"),
        ("a == 'x", "a == 'x'"),
        ("(a == 1", "(a == 1)"),
        ("a == 1)", "a == 1"),
        ("{a == 1}", "(a == 1)"),
        ("sum(1, 2) == 3", "sum({1, 2}) == 3"),
        ("modulus(a, 2) == 0", "modulus:by:(a, 2) == 0"),
        ("modulus:by(a, 2) == 0", "modulus:by:(a, 2) == 0"),
        ("sqrtt(a) == 1", "sqrt(a) == 1"),
        ("items.@Count > 3", "items.@count > 3"),
        ("SUBQUERY(a, x, $x > 1).@count > 0", "SUBQUERY(a, $x, $x > 1).@count > 0"),
        ("a LIKE[cc] 'x'", "a LIKE[c] 'x'"),
        ("a LIKE[] 'x'", "a LIKE 'x'"),
        ("(a == 1) == TRUE", "(a == 1)"),
        ("a..b == 1", "a.b == 1"),
        ("a =~ '^b'", "a MATCHES 'b(?s:.*)'"),
        ("a=~'^b'", "a MATCHES 'b(?s:.*)'"),
        ("a EXISTS", "a != nil"),
        ("UPPER(a) == 'X'", "uppercase(a) == 'X'"),
        ("len(a) == 2", "length(a) == 2"),
        ("avg(a) == 2", "average(a) == 2"),
        ("mod(a, 2) == 0", "modulus:by:(a, 2) == 0"),
    ]

    /// A text of another language, what it means there over some values of `a`, and its fix here.
    private static let foreign: [(text: String, holds: @Sendable (QueryValue) -> Bool, fix: String?)] = [
        ("a !> 3", { number($0).map { !($0 > 3) } ?? true }, "NOT a > 3"),
        ("a !< 3", { number($0).map { !($0 < 3) } ?? true }, "NOT a < 3"),
        ("a >< 3", { _ in false }, nil), ("a == 1 AND NONE", { _ in false }, nil),
        ("a =<> 3", { _ in false }, nil),
        ("a ILIKE 'b%'", { text($0).map { $0.lowercased().hasPrefix("b") } ?? false }, "a LIKE[c] 'b*'"),
        (
            "a ilike '_%c'", { text($0).map { $0.count > 1 && $0.lowercased().hasSuffix("c") } ?? false },
            "a LIKE[c] '?*c'"
        ),
        ("a ILIKE '*%'", { _ in false }, nil),
        ("a REGEXP 'b'", { text($0)?.contains("b") ?? false }, "a MATCHES '(?s:.*)b(?s:.*)'"),
        ("a RLIKE '^b'", { text($0)?.hasPrefix("b") ?? false }, "a MATCHES 'b(?s:.*)'"),
        ("a REGEX 'c$'", { text($0)?.hasSuffix("c") ?? false }, "a MATCHES '(?s:.*)c'"),
        (
            "a =~ 'b|c'", { text($0).map { $0.contains("b") || $0.contains("c") } ?? false },
            "a MATCHES '(?s:.*)(?:b|c)(?s:.*)'"
        ),
        ("a REGEXP '^b|c'", { _ in false }, nil), ("a REGEXP b", { _ in false }, nil),
        ("`a` == 3", { number($0) == 3 }, "a == 3"), ("[a] == 3", { number($0) == 3 }, "a == 3"),
        ("a IN [3, 4]", { number($0).map { $0 == 3 || $0 == 4 } ?? false }, "a IN {3, 4}"),
        ("a == 'O'Neil'", { text($0) == "O'Neil" }, #"a == 'O\'Neil'"#),
        ("a > 100,000", { number($0).map { $0 > 100_000 } ?? false }, "a > 100000"),
        ("a == None", { $0 == .null }, "a == nil"), ("EXISTS a", { $0 != .null }, "a != nil"),
        ("select a from t where a > 3", { _ in false }, nil),
    ]

    /// A text, its fix or nil where it is not known what was meant, and a part of its hint.
    private static let unsure: [(text: String, fix: String?, hint: String)] = [
        (#"name == \(name)"#, nil, "write %@ and pass the value"), (#"\.name == 'x'"#, "name == 'x'", "leave it out"),
        ("xxx == 5475f323e4b0", "xxx == '5475f323e4b0'", "a text stands in quotes"),
        ("xxx == 5475f.b", nil, "a text stands in quotes"), ("foo == @%", "foo == %@", "did you mean `%@`?"),
        ("#keyPath(Person.name) == 'a'", "name == 'a'", "write the key itself: name"),
        ("a == 1 AND #keyPath(at.zip) == 'a'", "a == 1 AND at.zip == 'a'", "write the key itself: at.zip"),
        ("#keyPath(a, b) == 'a'", nil, ""),
        ("x == %5d OR y == 1", "x == %d OR y == 1", ""),
        ("ANY $a.types UTI-CONFORMS-TO 'public.image'", nil, "as text: ANY $a.types == 'public.image'"),
        ("'x' UTI-EQUALS uti AND a == 1", nil, "as text: 'x' == uti"), ("uti UTI-EQUALS", nil, "as text: uti == …"),
        ("!name.isEmpty", nil, "write name != '' for a text, name.@count > 0 for a list"),
        ("name.isEmpty AND a == 1", nil, "write name == '' for a text"),
        ("tags.@count", nil, "`tags.@count > 0`"), ("tags[SIZE]", nil, "`tags[SIZE] > 0`"),
        ("name || 'x' == 'Bobx'", nil, "no operator that joins texts"),
        (
            "SUBQUERY(pets, p, p.age > 1 AND a.p < p.b).@count > 0",
            "SUBQUERY(pets, $p, $p.age > 1 AND a.p < $p.b).@count > 0", "also in the condition"
        ),
        (
            "SUBQUERY(pets, p, ANY SUBQUERY(p.toys, $t, $t.b > p.b).c == 1).@count > 0",
            "SUBQUERY(pets, $p, ANY SUBQUERY($p.toys, $t, $t.b > $p.b).c == 1).@count > 0", "write `$p`"
        ),
        ("SUBQUERY(pets, p, p.age > $p.b).@count > 0", nil, "write `$p`"),
        ("SUBQUERY(pets, p, age > 1).@count > 0", nil, "write `$p`"),
        ("role == .admin", "role == 'admin'", "write 'admin' for a text"),
        ("role IN {.admin, 'x'}", "role IN {'admin', 'x'}", "write 'admin' for a text"),
        ("age > .limit", nil, "write 'limit' for a text, limit for a key"), (".age > 3", "age > 3", "age for a key"),
        ("role == .a.b", nil, "'a'"), ("NOT.x == 1", "NOT x == 1", "x for a key"), ("!.x == 1", "!x == 1", ""),
        ("a == 1 AND.x == 1", "a == 1 AND x == 1", "x for a key"), ("ANY .x == 1", "ANY x == 1", "x for a key"),
        ("all.x == 1", "#all.x == 1", "`#all`"), ("ANY.x.y > 1", "#ANY.x.y > 1", "`#ANY`"),
        ("NOT none.x + 1 > 2", "NOT #none.x + 1 > 2", "`#none`"),
        ("age => 20 =< 40", "age => 20 AND age =< 40", "join both"), ("20 < age < 40", "20 < age AND age < 40", "AND"),
        ("age > 3 == TRUE", nil, "join both"), ("a == b == c", nil, "join both"), ("a < b > c", nil, "join both"),
        ("age > 3 < limit", nil, "join both"), ("ANY ages > 3 < 5", nil, "join both"),
        ("name IS NOT EMPTY", nil, "write name != '' for a text"), ("name is blank", nil, "name == ''"),
        ("name IS MISSING", nil, "write =="), ("a IS DISTINCT b", nil, "write !="),
        ("$0.age > 3", "age > 3", "without `$0`"), ("$1.age > 3", nil, "without `$1`"),
        ("age > $0", "age > %1$@", "write %1$@"), ("$0 > 3", nil, "write %1$@"),
        ("age > $1", nil, "SQL calls $1 is %1$@"), ("age > $2", nil, "Realm counts from 0, so its $2 is %3$@"),
        ("time > T0:0", "time > CAST(-978307200, 'NSDate')", "bind the date to %@"),
        ("t > T1371819097:817000000", "t > CAST('2013-06-21T12:51:37.817Z', 'NSDate')", "bind the date to %@"),
        ("t > T1371819097:817000001", "t > CAST('2013-06-21T12:51:37.817Z', 'NSDate')", "dates have milliseconds"),
        ("t > 1970-01-01@00:00:00:0 AND a == 1", "t > CAST('1970-01-01 00:00:00', 'NSDate') AND a == 1", ""),
        ("a == B64\"aGk=\"", nil, #"bind the bytes, in JSON {"$binary":{"base64":"aGk=""#),
        ("a == base64(\"aGk=\")", nil, #"{"$binary":{"base64":"aGk=","subType":"00"}}"#),
        ("dogs[*].age > 3", "ANY dogs.age > 3", "write ANY dogs.age"),
        ("a == 1 AND ANY dogs[*].age > 3", "a == 1 AND ANY dogs.age > 3", "write dogs.age"),
        ("sum(dogs[*].age) > 3", nil, "write ANY dogs.age"), ("[*] > 3", nil, ""),
        ("age.@type == 'int'", nil, "a number equals only numbers"), ("a.@keys == 'x'", nil, "a['key'] != nil"),
        ("a fulltext 'x'", nil, "write CONTAINS[cd]"),
        ("a IN {T978307201:000}", "a IN {CAST(1, 'NSDate')}", "bind the date"),
        ("a == T1:2", "a == CAST(-978307199, 'NSDate')", "dates have milliseconds"),
        ("a == T99999999999999999999:0", nil, ""), ("T5 == T:5", nil, ""),
        ("map.@allKeys == 'x'", nil, "map['key'] for the value of one key"),
        ("ANY a.b.@allValues == 3", nil, "a.b['key']"), ("a == 1 INCLUDE(b.c)", nil, "leave it out"),
        ("pay == <null>", "pay == nil", "write nil"), ("pay !=<null> OR a == 1", nil, ""),
        ("pay == <nil> AND a == 1", "pay == nil AND a == 1", "write nil"), ("pay == <b>", nil, ""),
        ("a$a = a", #"a\u0024a = a"#, #"a\u0024a"#),
        ("x == a.b1$c$ AND d == 1", #"x == a.b1\u0024c\u0024 AND d == 1"#, "%K"),
        ("a == 1 $b", nil, ""), ("a == 'x'$b", nil, ""),
        ("age > $1 AND age < $0", "age > %2$@ AND age < %1$@", "%2$@ for $1"),
        ("age ~= 3", nil, "!="), ("age <>= 3", nil, "known"), ("a == `x`", nil, #"write "x" for a text, x for a key"#),
        ("a == 1; b == 2", nil, "leave it out"), ("a == 1;", "a == 1", "leave it out"),
        ("a == b ? c :d", nil, "TERNARY"), ("name == 'x AND b == 1", nil, "end it with"),
        ("(name == 'x)", nil, "end it with"), (#"name == "Bob'"#, nil, "end it with"),
        ("(a == 1 OR b == 2 AND c == 3", nil, "add `)`"), ("(a + b * c == 3", nil, "add `)`"),
        ("(a == 1 AND b == 2", "(a == 1 AND b == 2)", "add `)`"),
        ("a == 1 OR b == 2) AND c == 3", nil, "leave it out"),
        ("a == 1 AND b == 2 OR c == 3)", nil, "leave it out"),
        ("a IN 1, 2", nil, "{1, 2}"), ("ANY a NOT IN {1}", nil, ""), ("a ! == 1", nil, "without a space"),
        ("a! = 1", nil, "without a space"), ("a ! = 1", "a != 1", "without a space"),
        ("a == 1 NOR b == 2", nil, ""), ("a == 1 for b", nil, ""),
        ("a == b.contains('x')", nil, ""), ("log2(a) == 1", nil, "log"), ("sin(a) == 1", nil, ""),
        ("round(a) == 1", nil, ""), ("float(a) == 1", nil, ""), ("left(a, 1) == 'x'", nil, ""),
        ("near(a, b) < 1", nil, ""),
        ("today() > a", nil, "now()"), ("a CASEINSENSITIVE == 'x'", "a ==[c] 'x'", "==[c]"),
        ("if a > 3 then b", nil, "TERNARY"), ("ANY a[b == 'Bob']", nil, "SUBQUERY(a, $x"),
        ("SUBQUERY(a.@count > 0", nil, "SUBQUERY(list"), ("a@avg.b > 1", "a.@avg.b > 1", "write .@avg"),
        ("a > now() - 7 days", nil, "intervals are seconds"), ("a mod 2 == 0", "modulus:by:(a, 2) == 0", "modulus"),
        ("a + b MOD 2 == 0", nil, "modulus"), ("(a + b) mod c.d > 1", "modulus:by:((a + b), c.d) > 1", "modulus"),
        ("a NOTNULL AND b == 1", "a != nil AND b == 1", "write != nil"), ("a.any(b)", nil, "SUBQUERY(a, $x"),
        ("a.@count.@sum > 1", nil, "has no keys"), ("a.@count.@count > 1", nil, "has no keys"),
        ("'x' == ANY tags", "ANY tags == 'x'", "ANY tags =="), ("NOT 5 < ALL a", "NOT ALL a > 5", "ALL a >"),
        ("3 IN ANY a OR b == 1", "ANY a == 3 OR b == 1", "ANY a =="), ("'x' IN ANY a", nil, "ANY a =="),
        ("a CONTAINS[c] any {'x', 'y'}", "any {'x', 'y'} IN[c] a", "any {'x', 'y'} IN"),
        ("'x' !=NONE a.b", "NONE a.b != 'x'", "NONE"), ("a == ANY b", nil, "ANY b =="),
        ("ANY a == ANY b", nil, "ANY b"),
        ("a BEGINSWITH ANY {'x'}", nil, "ANY {'x'}"), ("3 == ANY a == 4", nil, "ANY a"),
        ("a NOT IN [horror, x]", "NOT a IN {'horror', 'x'}", "NOT a IN"), ("a NOT IN [1]", "NOT a IN {1}", "NOT a IN"),
        ("a not in ('x', 'y') AND b == 1", "NOT a in {'x', 'y'} AND b == 1", "NOT a in"),
        ("a NOT IN (b)", "NOT a IN (b)", "NOT a IN"), ("a NOT LIKE [c] 'x'", "NOT a LIKE [c] 'x'", "NOT a LIKE"),
        ("or=(age.gt.3,age.lt.1)", nil, "age > 3 OR age < 1"), ("and=(a.eq.1,b.eq.2)", nil, "AND"),
        ("a.@mean > 1", "a.@avg > 1", "@avg"), ("a.@size > 1", nil, "@count for a list, length(a)"),
        ("age IN 1...5", nil, "BETWEEN {1, 5}"), ("name.lowercased() == 'x'", "lowercase(name) == 'x'", "==[c]"),
        ("name.length() > 1", "length(name) > 1", "length(name)"), ("name matches /a.*/", nil, "MATCHES 'a.*'"),
        ("where age == 21", "age == 21", "leave `where` out"), ("a == %.2f", "a == %f", "write %f"),
        ("a == %02d", "a == %d", "write %d"),
        ("a > date('2020-01-01')", "a > CAST('2020-01-01', 'NSDate')", "bind the date"),
        ("date(a) > 1", nil, ""),
        ("a MATCH 'b'", nil, "whole text"), ("a LIKES 'b'", "a LIKE 'b'", "LIKE"), ("a ON 'b'", nil, ""),
        ("a NIN {1}", nil, ""), ("a UNLIKE 'b'", nil, ""), ("a IF b", nil, ""),
        ("CAST(a, 'String') == 'x'", "CAST(a, 'NSString') == 'x'", "NSString"), ("CAST(a, 'NSData') == 1", nil, ""),
    ]

    /// Where two things may be meant, the hint names them and no fix decides.
    @Test func fixesAreSure() throws {
        for (text, fix, hint) in Self.unsure {
            let error = try #require(throws: QueryError.self, "\(text)") { try Condition(parsing: text) }
            #expect(error.fix?.applied(to: text) == fix, "\(text)")
            #expect(hint.isEmpty || error.hint?.contains(hint) == true, "\(error.rendered())")
            guard let fix, !fix.contains("%") else { continue }
            #expect(throws: Never.self, "\(fix)") { try Condition(parsing: fix) }
        }
    }

    private static func number(_ value: QueryValue) -> Double? { value.doubleValue }

    private static func text(_ value: QueryValue) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    /// A fix means what the text meant in its own language, or there is none.
    @Test func fixesKeepTheMeaning() throws {
        let numbers: [QueryValue] = [.null, 2, 3, 4, 50_000, 200_000, .double(2.5)]
        let texts: [QueryValue] = [.null, "", "b", "B", "bc", "abc", "xCx", "c", "a\nb", "a\nc", "O'Neil", "x*"]
        for (text, holds, fix) in Self.foreign {
            let error = try #require(throws: QueryError.self, "\(text)") { try Condition(parsing: text) }
            let mended = error.fix?.applied(to: text)
            #expect(mended == fix, "\(text)")
            guard let mended else { continue }
            let query = try Query(parsing: mended)
            let isOfTexts = mended.contains("LIKE") || mended.contains("MATCHES") || mended.contains("Neil")
            for value in isOfTexts ? texts : numbers {
                #expect(try query.matches(["a": value]) == holds(value), "\(text): \(value)")
            }
        }
    }

    @Test func everyFixGivesATextThatParses() {
        for (text, expected) in Self.mended {
            do {
                _ = try Query(parsing: text)
                Issue.record("\(text) parses")
            } catch {
                let fixed = error.fix?.applied(to: text)
                #expect(fixed == expected, "\(error.rendered())")
                #expect(throws: Never.self, "\(expected)") { _ = try Query(parsing: expected) }
            }
        }
    }

    @Test func placeholdersAreMended() throws {
        for (text, expected) in [
            ("a == ?", "a == %@"), ("a == '%@'", "a == %@"), ("%k == 1", "%K == 1"), ("a == % @", "a == %@"),
        ] {
            let error = #expect(throws: QueryError.self) { _ = try Query(parsing: text, arguments: ["b"]) }
            #expect(error?.fix?.applied(to: text) == expected, "\(text)")
            #expect(throws: Never.self) { _ = try Query(parsing: expected, arguments: ["b"]) }
        }
    }

    @Test func argumentsAreCounted() {
        let cases: [(String, [QueryValue], String)] = [
            ("a == 1", [1], "the argument is not used"), ("a == %@", [1, 2], "1 of 2 arguments is not used"),
            ("a == 1", [1, 2], "2 of 2 arguments are not used"),
            ("a == %@", [], "argument 1 is missing: none was passed"),
            ("a == %@ OR b == %@", [1], "argument 2 is missing: only one was passed"),
            ("a == %3000$@", [1], "argument 3000 is missing: only one was passed"),
            ("a == %1000000000$@", [1], "this argument is missing: only one was passed"),
        ]
        for (text, arguments, message) in cases {
            let error = #expect(throws: QueryError.self) { try Condition(parsing: text, arguments: arguments) }
            #expect(error?.message == message)
        }
    }

    @Test func noFixChangesTheMeaning() throws {
        let error = #expect(throws: QueryError.self) { _ = try Query(format: "a == 1 XOR b == 2") }
        #expect(error?.fix == nil)
        #expect(error?.hint == "exclusive or is (a AND NOT b) OR (b AND NOT a)")
        // A bound text is no name that somebody put in quotes.
        #expect(try Query(parsing: "%@ > 3", arguments: ["age"]).warnings.isEmpty)
    }

    /// Texts and the code of their mistake (S25, S26).
    @Test func mistakesHaveTheirCodes() throws {
        #expect(throws: QueryError.self) { try Condition(parsing: "%K > 1", arguments: ["a.@count.@sum"]) }
        #expect(try Condition(parsing: "(a.@count).@sum.#self > 1").format == "(a.@count).@sum.#self > 1")
        let codes: [(String, QueryError.Code)] = [
            ("FUNCTION(a, 'pow:', 3) == 8", .functionCall), ("CAST('NSFileManager', 'Class') == 1", .classCast),
            ("SELF isKindOfClass: 'NSString'", .selectorOperator), ("uti UTI-EQUALS 'x'", .utiOperator),
            ("uti UTI-CONFORMS-TO 'x'", .utiOperator), ("foo(a) == 1", .unknownFunction),
            ("a.@foo == 1", .unknownAggregate), ("a == %@", .argument), ("ANY 5 > 3", .quantifier), ("a == ", .syntax),
        ]
        for (text, code) in codes {
            do {
                _ = try Query(parsing: text)
                Issue.record("\(text) parses")
            } catch {
                #expect(error.code == code, "\(text): \(error.message)")
            }
        }
    }

    @Test func picturesShowThePlace() throws {
        let error = #expect(throws: QueryError.self) { _ = try Query(format: "a == 1 AND\n\tname STARTSWITH \"a\"") }
        #expect(
            error?.rendered() == """
                error: there is no operator `STARTSWITH`
                  2 |  name STARTSWITH "a"
                    |       ^^^^^^^^^^
                hint: did you mean BEGINSWITH?
                """
        )
        let far = #expect(throws: QueryError.self) { _ = try Query(format: "distance(lat, lon) < 5") }
        #expect(far?.hint?.hasPrefix("did you mean distanceToLocation:fromLocation:? It takes two places") == true)
        let option = Data(#"{"condition":{"format":"a > 1"},"order":[{"path":["a"],"options":"x"}]}"#.utf8)
        let unknown = #expect(throws: DecodingError.self) { _ = try JSONDecoder().decode(Query.self, from: option) }
        #expect("\(unknown.map { "\($0)" } ?? "")".contains("unknown option x; the options are "), "\(unknown as Any)")
        let wide = #expect(throws: QueryError.self) { _ = try Query(format: "名前 == 1 ≤") }
        #expect(wide?.rendered().contains("  1 | 名前 == 1 ≤\n    |           ^\n") == true, "\(wide?.rendered() ?? "")")
        let long = String(repeating: "a == 1 AND ", count: 1000)
        let cut = #expect(throws: QueryError.self) { _ = try Query(parsing: long + "b") }
        #expect((cut?.rendered().split(separator: "\n").map(\.count).max() ?? 0) < 130)
    }

    /// An error after the last character has a caret too.
    @Test func everyPictureHasItsCaret() {
        for text in ["", "a ==", "a == 1 AND", "(a == 1", "a == '", "a == \u{1F}"] {
            let error = #expect(throws: QueryError.self, "\(text)") { _ = try Query(parsing: text) }
            #expect(text.isEmpty || error?.rendered().contains("^") == true, "\(text)")
        }
    }

    /// What a group computes is not written as SQL has it; the fix is what is meant.
    @Test func callsOfGroupsAreRewritten() throws {
        let cases = [
            "sum(price)": "sum:price", "SUM(price) AS total": "sum:price AS total", "count(*)": "count",
            "average( a.b )": "avg:a.b", "COUNT(*) as n": "count as n", "median(price)": "median:price",
        ]
        for (text, meant) in cases {
            #expect {
                try Reducer(parsing: text)
            } throws: { error in
                guard let error = error as? QueryError else { return false }
                return error.hint == "write `\(meant)`" && error.fix?.applied(to: text) == meant
            }
            _ = try Reducer(parsing: meant)
        }
        #expect(try Reducer(parsing: "sum:price AS total").alias == "total")
        #expect(try GroupKey(parsing: "age * 2 AS k").name == "k")
        for text in ["sum(a + b)", "total(a)", "sum", "count(a)"] {
            #expect(throws: QueryError.self) { try Reducer(parsing: text) }
        }
    }

    /// What names a computed field would be the name of a stored field as a group key.
    @Test func groupKeysAreNamedBehind() throws {
        for (text, name) in [("k = age * 2", "`age * 2 as k`"), ("year=born", "`born as year`")] {
            #expect {
                try GroupKey(parsing: text)
            } throws: { error in
                guard let error = error as? QueryError else { return false }
                return error.code == .pipeline && error.hint == "write \(name)" && error.range == 0..<text.utf8.count
            }
        }
        #expect(try GroupKey(parsing: "age * 2 as k").name == "k")
        #expect(try GroupKey(parsing: "= sum").path?.keys == ["= sum"])
        #expect(GroupKey(FieldPath(dotted: "k = v")).path?.keys == ["k = v"])
    }

    /// A term or a condition where a path stands is no name; a path of such a name is passed as one.
    @Test(arguments: [
        "length(name)", "a * 2", "a/b", "(a)", "-(a)", "a > 20", "a CONTAINS 'x'", "a == 1 AND b == 2", "k = v",
        "NOT a > 1", "l.@count", "items[0]",
    ])
    func termsAreNoPaths(_ text: String) throws {
        let rows: [Document] = [["name": "b"], ["name": "a"]]
        func isRefused(_ work: () throws -> Void) -> Bool {
            do { try work() } catch let error as QueryError { return error.code == .pipeline } catch {}
            return false
        }
        #expect(isRefused { _ = try SortKey(parsing: text) } && isRefused { _ = try SortKey(parsing: "-" + text) })
        #expect(isRefused { _ = try Query(order: [SortKey(stringLiteral: text)]).results(in: rows) })
        #expect(isRefused { _ = try Query(order: [SortKey(stringLiteral: text)]).mongo() })
        #expect(isRefused { _ = try Reducer(parsing: "sum:\(text)") } || text == "length(name)")
        let key = GroupKey(stringLiteral: text)
        #expect(key.path?.keys != [text])
        #expect(
            isRefused { _ = try Query().grouped(by: key, computing: [.count]).results(in: rows) } || !key.name.isEmpty
        )
        let path = FieldPath(keys: [text])
        #expect(try Query(order: [SortKey(path)]).results(in: [[text: 2], [text: 1]]) == [[text: 1], [text: 2]])
        let groups = Query().grouped(by: GroupKey(path), computing: [.count])
        #expect(try groups.results(in: [[text: 2], [text: 2]]).map { $0["count"] } == [2])
    }

    /// A direction as SQL has it, which would be a name with a space.
    @Test func directionsStandBeforePaths() throws {
        for (text, hint) in [
            ("n DESC", "write -n"), ("o.n desc", "write -o.n"), ("n Ascending", "write n"), ("-n DESC", "write n"),
            ("-n asc", "write -n"),
        ] {
            let error = #expect(throws: QueryError.self) { try SortKey(parsing: text) }
            #expect(error?.hint == hint, "\(text)")
            let literal = #expect(throws: QueryError.self) {
                try Query(order: [SortKey(stringLiteral: text)]).results(in: [["n": 1]])
            }
            #expect(literal?.hint == hint, "\(text)")
        }
        #expect(try SortKey(parsing: "desc").path == "desc")
    }

    @Test func namesWithSignsAreNames() throws {
        for text in ["first name", "Price (USD)", "a-b", "user@host", "50% + more,", "year"] {
            #expect(try SortKey(parsing: text) == SortKey(FieldPath(keys: [text])))
            #expect(SortKey(stringLiteral: text) == SortKey(FieldPath(keys: [text])))
            #expect(try GroupKey(parsing: text) == GroupKey(FieldPath(keys: [text])))
            #expect(GroupKey(stringLiteral: text) == GroupKey(FieldPath(keys: [text])))
        }
        #expect(GroupKey("year(joined)").name == "year_joined" && GroupKey("age / 10 as decade").name == "decade")
    }
}
