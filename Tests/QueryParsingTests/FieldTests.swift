import Foundation
import PredicateQL
import Testing

/// Conditions written in code, each with the text that gives the same tree.
private typealias Pair = (line: Int, built: Condition, format: String)

private func pair(_ built: Condition, _ format: String, line: Int = #line) -> Pair { (line, built, format) }

@Suite("Building in code")
struct FieldTests {
    @Test("A condition built in code equals the tree of its text")
    func sameTree() throws {
        for (line, built, format) in Self.comparisons + Self.texts + Self.collections + Self.computed + Self.functions {
            let parsed = try Condition(parsing: format)
            #expect(built == parsed, "FieldTests.swift:\(line): \(built.format) is not \(format)")
        }
    }

    @Test("A condition built in code prints as text that parses to it")
    func printed() throws {
        for (line, built, _) in Self.comparisons + Self.texts + Self.collections + Self.computed + Self.functions {
            let again = try Condition(parsing: built.format, arguments: built.arguments)
            #expect(built == again, "FieldTests.swift:\(line): \(built.format)")
        }
    }

    private static var comparisons: [Pair] {
        let age = 21
        let name: String? = nil
        let value: QueryValue = 4
        return [
            pair(Field("age") > 21, "age > 21"),
            pair(Field("age") > age, "age > 21"),
            pair(Field("age") >= 21.5, "age >= 21.5"),
            pair(Field("age") < UInt8(3), "age < 3"),
            pair(Field("age") <= value, "age <= 4"),
            pair(Field("a") == nil, "a == nil"),
            pair(Field("a") != nil, "a != nil"),
            pair(Field("a") == name, "a == nil"),
            pair(Field("a") == true, "a == TRUE"),
            pair(Field("a") != "x", "a != 'x'"),
            pair(Field("a") == ["x", "y"], "a == {'x', 'y'}"),
            pair(Field("a") == .null, "a == nil"),
            pair(Field("a") == [], "a == {}"),
            pair(Field("a") == ["x", 1, nil], "a == {'x', 1, nil}"),
            pair(Field("a") == Field("b.c"), "a == b.c"),
            pair(Field("address.zip") == "02134", "address.zip == '02134'"),
            pair(Field("address")["zip"] == "02134", "address.zip == '02134'"),
            pair(Field("and.SELF") == 1, "#and.#SELF == 1"),
            pair(Field(FieldPath(keys: ["a.b", "c"])) == 1, "a\\u002eb.c == 1"),
            pair(Field.itself == 1, "SELF == 1"),
            pair(Field.itself["name"] == 1, "SELF.name == 1"),
            pair(Field("age") > Field.variable("limit"), "age > $limit"),
            pair(Field("age") > Field.variable("v")["key"]["b"], "age > $v.key.b"),
            pair(Field("age").comparing(.less, 3), "age < 3"),
            pair(Field.value(3) < Field("age"), "3 < age"),
            pair(3 < Field("age") && age <= Field("age"), "3 < age AND 21 <= age"),
            pair(3 > Field("age") || 3 >= Field("age"), "3 > age OR 3 >= age"),
            pair("x" == Field("a") || 3 != Field("a"), "'x' == a OR 3 != a"),
            pair(Field("a") > 1 && Field("b") > 2 && Field("c") > 3, "a > 1 AND b > 2 AND c > 3"),
            pair(Field("a") > 1 && (Field("b") > 2 || Field("c") > 3), "a > 1 AND (b > 2 OR c > 3)"),
            pair(!(Field("a") > 1) || Field("b") == 2, "NOT a > 1 OR b == 2"),
            pair(!(Field("a") > 1 && Field("b") == 2), "NOT (a > 1 AND b == 2)"),
        ]
    }

    private static var texts: [Pair] {
        [
            pair(
                Field("age") > 21 && Field("name").hasPrefix("jo", .caseInsensitive),
                "age > 21 AND name BEGINSWITH[c] 'jo'"
            ),
            pair(
                Field("name").hasSuffix("ton", [.caseInsensitive, .diacriticInsensitive]),
                "name ENDSWITH[cd] 'ton'"
            ),
            pair(Field("name").contains("ton"), "name CONTAINS 'ton'"),
            pair(Field("name").contains(Field("nick"), .diacriticInsensitive), "name CONTAINS[d] nick"),
            pair(Field("name").like("B?st*"), "name LIKE 'B?st*'"),
            pair(Field("zip").matches("[0-9]{5}", .caseInsensitive), "zip MATCHES[c] '[0-9]{5}'"),
            pair(Field("name").isEqual(to: "jo", .caseInsensitive), "name ==[c] 'jo'"),
            pair(Field("name").isNotEqual(to: "jo", .caseInsensitive), "name !=[c] 'jo'"),
            pair(Field("name").comparing(.less, "jo", .caseInsensitive), "name <[c] 'jo'"),
            pair(Field("a").in([1, 2, 3]), "a IN {1, 2, 3}"),
            pair(Field("a").in(["x", 2, nil]), "a IN {'x', 2, nil}"),
            pair(Field("a").in(["x", "y"], .caseInsensitive), "a IN[c] {'x', 'y'}"),
            pair(Field("a").in([Field("b"), Field("c")]), "a IN {b, c}"),
            pair(Field("a").in(Field.list(Field("b"), 1, "x")), "a IN {b, 1, 'x'}"),
            pair(Field("a").in(Field("b")), "a IN b"),
            pair(Field("a").in("text"), "a IN 'text'"),
            pair(Field("a").isBetween(1, and: 5), "a BETWEEN {1, 5}"),
            pair(Field("a").isBetween(Field("low"), and: 5.5), "a BETWEEN {low, 5.5}"),
            pair(Field("a").isBetween(1...5), "a BETWEEN {1, 5}"),
            pair(!Field("a").isBetween("a"..."b"), "NOT a BETWEEN {'a', 'b'}"),
        ]
    }

    private static var collections: [Pair] {
        [
            pair(Field("tags").any == "x", "ANY tags == 'x'"),
            pair(Field("tags").any != nil, "ANY tags != nil"),
            pair(Field("scores").all > 5, "ALL scores > 5"),
            pair(Field("scores").none > 5, "NONE scores > 5"),
            pair(Field("scores").all.isBetween(1, and: 5), "ALL scores BETWEEN {1, 5}"),
            pair(Field("orders.name").any.hasPrefix("a", .caseInsensitive), "ANY orders.name BEGINSWITH[c] 'a'"),
            pair(Field("tags").any == Field("best"), "ANY tags == best"),
            pair(Field("orders").count > 2, "orders.@count > 2"),
            pair(Field("a.orders").sum("amount") > 2, "a.orders.@sum.amount > 2"),
            pair(Field("orders").sum("line.price") > 2, "orders.@sum.line.price > 2"),
            pair(Field("orders").average("amount") > 2, "orders.@avg.amount > 2"),
            pair(Field("orders").min("amount") > 2, "orders.@min.amount > 2"),
            pair(Field("scores").max() > 2, "scores.@max.self > 2"),
            pair(Field("orders.@count") > 2, "orders.@count > 2"),
            pair(Field("orders.@sum.line.price") > 2, "orders.@sum.line.price > 2"),
            pair(Field("@count") > 2, "@count > 2"),
            pair(Field("o.@unionOfArrays.tags.@count") > 2, "o.@unionOfArrays.tags.@count > 2"),
            pair(Field("o").unionOfObjects("n").contains("x"), "o.@unionOfObjects.n CONTAINS 'x'"),
            pair(Field("o").distinctUnionOfObjects("n").count > 1, "o.@distinctUnionOfObjects.n.@count > 1"),
            pair(Field("o").unionOfArrays("n").count > 1, "o.@unionOfArrays.n.@count > 1"),
            pair(Field("o").distinctUnionOfArrays("n").count > 1, "o.@distinctUnionOfArrays.n.@count > 1"),
            pair(Field("o").distinctUnionOfSets("n").count > 1, "o.@distinctUnionOfSets.n.@count > 1"),
            pair(Field("o").unionOfObjects("n")["b"].any == 1, "ANY (o.@unionOfObjects.n).b == 1"),
            pair(Field("o").max("n")["b"] == 1, "(o.@max.n).b == 1"),
            pair(
                Field("orders").filter { $0["amount"] > 100 && $0["qty"] >= 5 }.count >= 2,
                "SUBQUERY(orders, $x, $x.amount > 100 AND $x.qty >= 5).@count >= 2"
            ),
            pair(
                Field("orders").filter(as: "order") { $0["line.price"] > Field("limit") }["name"].any == "a",
                "ANY SUBQUERY(orders, $order, $order.line.price > limit).name == 'a'"
            ),
            pair(
                Field("a").filter { outer in
                    outer["b"].filter { $0["c"] == outer["d"] }.count > 0
                        && Field("e").filter { $0 == outer }.count == 0
                }.count > 1,
                "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c == $x.d).@count > 0 AND "
                    + "SUBQUERY(e, $y, $y == $x).@count == 0).@count > 1"
            ),
            pair(Field("scores")[0] > 5, "scores[0] > 5"),
            pair(Field("a.b")[1]["c"] > 5, "(a.b)[1].c > 5"),
            pair(Field("scores")[Field("i")] > 5, "scores[i] > 5"),
            pair(Field("a")[.value("key")] > 5, "a['key'] > 5"),
            pair(Field("scores").first == Field("scores").last, "scores[FIRST] == scores[LAST]"),
            pair(Field("scores").size > 3, "scores[SIZE] > 3"),
            pair(Field("a").union(Field("b")).contains(3), "a UNION b CONTAINS 3"),
            pair(
                Field("a").intersection([1, 2]).subtracting([2]).contains(3),
                "a INTERSECT {1, 2} MINUS {2} CONTAINS 3"
            ),
        ]
    }

    private static var computed: [Pair] {
        let tax = 0.25
        return [
            pair(Field("price") * Field("qty") + 1 > 100, "price * qty + 1 > 100"),
            pair(Field("price") + Field("tax") - 3 > 100, "price + tax - 3 > 100"),
            pair(Field("price") - (Field("tax") - 3) > 100, "price - (tax - 3) > 100"),
            pair((Field("price") + Field("tax")) * 2 > 100, "(price + tax) * 2 > 100"),
            pair(Field("price") / 2 / tax > 100, "price / 2 / 0.25 > 100"),
            pair(100 - Field("price") > Field("tax"), "100 - price > tax"),
            pair(2 * Field("price") + 1 > 2, "2 * price + 1 > 2"),
            pair(2 + Field("price") / 3 > 2, "2 + price / 3 > 2"),
            pair(1 / Field("price") > 2, "1 / price > 2"),
            pair(-Field("price") < 2, "-price < 2"),
            pair(Field("side").raised(to: 2) > 100, "side ** 2 > 100"),
            pair(Field("flags") & 4 == 4, "flags & 4 == 4"),
            pair(Field("flags") | 4 == 4, "flags | 4 == 4"),
            pair(Field("flags") ^ 4 == 4, "flags ^ 4 == 4"),
            pair(Field("flags") << 4 == 4, "flags << 4 == 4"),
            pair(Field("flags") >> 4 == 4, "flags >> 4 == 4"),
            pair(~Field("flags") < 0, "onesComplement(flags) < 0"),
        ]
    }

    private static var functions: [Pair] {
        [
            pair(Field("a").modulus(by: 2) == 0, "modulus:by:(a, 2) == 0"),
            pair(Field("a").squareRoot > Field("b").log + Field("c").ln, "sqrt(a) > log(b) + ln(c)"),
            pair(Field("a").exp > Field("b").floor + Field("c").ceiling, "exp(a) > floor(b) + ceiling(c)"),
            pair(Field("a").absolute == Field("b").truncated, "abs(a) == trunc(b)"),
            pair(Field.random < Field.random(below: 6), "random() < randomn(6)"),
            pair(Field("a").uppercased != Field("a").lowercased, "uppercase(a) != lowercase(a)"),
            pair(Field("a").length > 3, "length(a) > 3"),
            pair(Field("joined") < Field.now, "joined < now()"),
            pair(Field("a").noindex == 1, "noindex(a) == 1"),
            pair(Field("zip").cast(to: .number) > 2000, "CAST(zip, 'NSNumber') > 2000"),
            pair(
                Field.distance(to: Field("here"), from: [1.5, 2.5]) < 100,
                "distanceToLocation:fromLocation:(here, {1.5, 2.5}) < 100"
            ),
            pair(Field("s").median > Field("s").standardDeviation, "median(s) > stddev(s)"),
            pair(Field.value(3).in(Field("s").mode), "3 IN mode(s)"),
            pair(Field.sum(of: [Field("a"), Field("b")]) > Field.count(of: Field("c")), "sum({a, b}) > count(c)"),
            pair(Field.min(of: [Field("a")]) > Field.max(of: Field("c")), "min({a}) > max(c)"),
            pair(Field.average(of: Field("c")) > 1, "average(c) > 1"),
            pair(
                Field.conditional(Field("nick") == nil, then: Field("name"), else: "none") == "Jo",
                "TERNARY(nick == nil, name, 'none') == 'Jo'"
            ),
        ]
    }

    @Test("A shape is an argument of geoWithin")
    func shapes() throws {
        let shape = GeoShape.circle(longitude: 1, latitude: 2, radius: 3)
        let parsed = try Condition(format: "geoWithin(location, %@)", arguments: [.shape(shape)])
        #expect(Field("location").isWithin(shape) == parsed)
    }

    @Test("A custom type is a value")
    func ownTypes() throws {
        enum Level: String, QueryValueConvertible { case low }
        enum Grade: Int { case first = 1, last }
        let equal = Field("level") == Level.low
        #expect(try equal == Condition(format: "level == 'low'"))
        #expect(try Field("level").in([Level.low]) == Condition(format: "level IN {'low'}"))
        let graded = Field("grade") != Grade.first && Field("grade").in([Grade.first, .last])
        #expect(try graded == Condition(format: "grade != 1 AND grade IN {1, 2}"))
    }

    @Test("Values of any type, including those of Foundation's classes")
    func anyValues() throws {
        let text = #"{"a":1,"b":true,"c":1.5,"d":"x","e":null,"f":[1,[false]],"g":{"h":0}}"#
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        #expect(try QueryValue(any: object).json == text)
        let nothing: Int? = nil
        #expect(try QueryValue(any: nothing) == .null)
        #expect(try QueryValue(any: [Date(timeIntervalSince1970: 1), nil] as [Any?]) == [.date(1000), nil])
        var deep: Any = 1
        for _ in 0..<5_000 { deep = [deep] }
        for (value, code) in [(deep, QueryError.Code.limit), (Locale(identifier: "en") as Any, .argument)] {
            #expect { try QueryValue(any: value) } throws: { ($0 as? QueryError)?.code == code }
        }
    }

    @Test("Element names do not clash")
    func names() throws {
        let four = Field("a").filter { a in
            Field("b").filter(as: "z") { b in
                Field("c").filter { c in
                    Field("d").filter { d in d == a && d == b && d == c }.count > 0
                }.count > 0
            }.count > 0
        }
        let parsed = try Condition(
            parsing: "SUBQUERY(a, $x, SUBQUERY(b, $z, SUBQUERY(c, $y, SUBQUERY(d, $x1, $x1 == $x AND $x1 == $z AND "
                + "$x1 == $y).@count > 0).@count > 0).@count > 0).@count == 1"
        )
        let built = four.count == 1
        #expect(built == parsed, "\(built.format)")
        let again = Field("a").filter { $0 == 1 }.count == 1
        #expect(again.format == "SUBQUERY(a, $x, $x == 1).@count == 1")
    }

    @Test("A query built in code is checked, translated and run like one from text")
    func backends() throws {
        let schema = Schema([
            .field("name", .string), .field("joined", .date(.iso8601), storedAs: "since"),
            .field("orders", .list(.object(Schema([.field("amount", .int), .field("qty", .int)])))),
        ])
        let filled = Field("orders").filter { $0["amount"] > 100 && $0["qty"] >= 5 }.count >= 1
        let condition = filled && Field("joined") > "2020-01-01T00:00:00.000Z" && Field("name").hasPrefix("J")
        let built = try Query(condition, schema: schema).checked()
        let parsed = try Query(
            parsing: "SUBQUERY(orders, $x, $x.amount > 100 AND $x.qty >= 5).@count >= 1 AND joined > %@ "
                + "AND name BEGINSWITH 'J'",
            arguments: ["2020-01-01T00:00:00.000Z"],
            schema: schema
        )
        #expect(built == parsed)
        #expect(try built.mongo().json == parsed.mongo().json)
        #expect(try built.sql(.sqlite, from: "people").sql == parsed.sql(.sqlite, from: "people").sql)
        let orders: QueryValue = [.object(["amount": 120, "qty": 7])]
        let rows: [Document] = [
            ["name": "Jo", "since": "2021-01-01T00:00:00.000Z", "orders": orders],
            ["name": "Jo", "since": "2021-01-01T00:00:00.000Z", "orders": []],
        ]
        #expect(try built.results(in: rows) == [rows[0]])
        #expect(throws: QueryError.self) { try Query(Field("nme") == "Jo", schema: schema).checked() }
    }
}
