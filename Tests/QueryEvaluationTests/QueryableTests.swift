import Foundation
import PredicateQL
import QueryChecking
import QueryEvaluation
import QueryTree
import QueryValues
import SpecSupport
import Testing

@Suite("Rows read in place")
struct QueryableTests {
    private static let rows = Sample.samples(1_500)
    private static let documents = rows.map { Document(queryable: $0) }
    private static let schema = FieldList.schemaForTests(Sample.fields)

    static let formats = [
        "age > 42", "age >= 42", "age < 0", "age <= -7", "age == 43", "age != 43", "age == 9007199254740993",
        "age == 9007199254740992.0", "age > 42.5", "age BETWEEN {30, 43}", "age BETWEEN {43, 30}", "age IN {1, 30, 43}",
        "age IN {1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 30}", "age * 2 + 10 > 100", "age + 1 > 0", "age * 2 < 0",
        "100 - age >= 58",
        "age / 10 == 4", "-age > 5", "age / -3 < 2", "age * 0 == 0", "age ** 2 > 100",
        "modulus:by:(age, 7) == 1 OR age == 30",
        "small > 5", "small == -128", "small >= 127", "small > 1000", "small != 1000", "small > -1000", "short == nil",
        "short != nil", "short > 1000", "short != 7", "word == 3", "word != 3", "word < 0", "word >= nil",
        "word <= nil",
        "wide == 0", "wide != 0", "wide IN {1, 2}", "wide IN {1, nil}", "big > 5", "big == 18446744073709551615.0",
        "big >= 9223372036854775807", "byte > 200", "byte * 2 > 400", "score < 42", "score <= 42", "score > 42",
        "score == 0", "score != 0", "score == 9007199254740993", "score > 9007199254740991", "score < 9007199254740993",
        "score == 0.1", "score BETWEEN {0, 42}", "score * 2 > 83.9", "score / -2 > 0", "score IN {0, 42, 1.5}",
        "rate == nil", "rate != nil", "rate > 0", "rate != 1.5", "rate < 1e308 * 10", "weight >= 2.5", "weight == nil",
        "active == TRUE", "active == 1", "active != TRUE", "active > FALSE", "active <= TRUE", "maybe == TRUE",
        "maybe == FALSE", "maybe != FALSE", "maybe == nil", "born == '1970-01-01T00:16:40.500Z'",
        "born > '1970-01-01T00:16:40.500Z'", "died <= '1970-01-01T00:33:21.574Z'", "died == nil", "died != nil",
        "died != '1970-01-01T00:33:21.574Z'", "name == 'Maria Larson'", "name != 'Maria Larson'", "name == ''",
        "name == 'sixteen bytes....'", "name == 'fifteen bytes..'", "name == 'Marcus Johnson the second of his name'",
        "name ==[c] 'kyoto'", "name ==[cd] 'marta son'", "name ==[c] 'STRASSE'", "name !=[c] 'kyoto'", "name ==[d] 'é'",
        "name > 'Mar'", "name >= 'Mar'", "name < 'a'", "name <= 'a'", "name <[c] 'l'", "name BETWEEN {'A', 'N'}",
        "name BEGINSWITH 'Mar'", "name BEGINSWITH ''", "name BEGINSWITH[cd] 'mar'", "name BEGINSWITH[c] 'MAR'",
        "name BEGINSWITH 'Marcus Johns'", "name ENDSWITH 'son'", "name ENDSWITH[c] 'SON'", "name ENDSWITH ''",
        "name ENDSWITH[cd] 'son'", "name CONTAINS 'son'", "name CONTAINS[c] 'SON'", "name CONTAINS[cd] 'art'",
        "name CONTAINS 'second of his'", "name CONTAINS ''", "name CONTAINS 'x'", "name IN {'Kyoto', 'kyoto', 'a', ''}",
        "name IN[c] {'Kyoto', 'Maria Larson'}", "name IN {'Marcus Johnson the second of his name', 'Mar'}",
        "name LIKE 'Mar*n'", "name LIKE 'Mar*'", "name LIKE '*son'", "name LIKE 'M?r*'", "name LIKE[cd] 'mar*'",
        "name LIKE '*'", "name LIKE 'Mary\\\\*n'", "name MATCHES 'M.*son'", "name MATCHES[c] 'm.*'", "nick == nil",
        "nick != nil", "nick == 'a'", "nick != 'a'", "nick BEGINSWITH 'M'", "nick ==[c] 'KYOTO'",
        "nick MATCHES '.*o.*'",
        "nick IN {'a', 'Kyoto'}", "nick > 'M'", "nick == name", "NOT nick == name", "nick CONTAINS 'a' AND age > 5",
        "id == '00000000-0000-0000-0000-000000000001'", "tags.@count > 2", "tags.@count == 0", "tags.@count != 1",
        "ANY tags == 'Kyoto'", "ANY tags != 'Kyoto'", "ALL tags != 'Kyoto'", "ALL tags == 'a'", "NONE tags == 'a'",
        "ANY tags ==[c] 'kyoto'", "ANY tags BEGINSWITH 'Mar'", "tags CONTAINS 'Kyoto'", "tags CONTAINS[c] 'kyoto'",
        "'Kyoto' IN tags", "ANY tags MATCHES 'M.*'", "ANY tags IN {'a', 'Kyoto'}", "ANY marks == 2", "ANY marks != 2",
        "ANY marks == nil", "ALL marks > 0", "marks CONTAINS 2", "marks.@sum.self > 3", "levels == nil",
        "levels != nil",
        "levels.@count > 1", "levels.@count != 1", "ANY levels > 5", "levels.@sum.self > 10", "levels.@sum.self == 0",
        "ANY orders.amount > 200", "ALL orders.amount > 20", "ANY orders.note == 'a'", "ANY orders.note != 'a'",
        "ANY orders.note == nil", "orders.@sum.amount > 300", "orders.@sum.amount != 0", "orders.@sum.qty > 10",
        "orders.@avg.amount > 100", "orders.@max.qty >= 8", "orders.@count >= 3", "ANY orders.paid == TRUE",
        "SUBQUERY(orders, $o, $o.amount > 50 AND $o.qty >= 5).@count >= 2",
        "SUBQUERY(orders, $o, $o.qty BETWEEN {2, 6}).@count == 1", "SUBQUERY(orders, $o, $o.amount < 50).@count != 1",
        "SUBQUERY(orders, $o, $o.qty > 1 AND $o.qty < 7 AND $o.amount > 20).@count < 2",
        "NOT SUBQUERY(orders, $o, $o.qty * 2 > 3 AND $o.amount <= 50.5).@count == 1",
        "SUBQUERY(orders, $o, NOT $o.qty > 3 AND $o.amount != 50).@count > 0",
        "SUBQUERY(orders, $o, $o.amount > 50 OR $o.note == nil).@count != 1",
        "SUBQUERY(orders, $o, NOT $o.paid == TRUE).@count == 0", "SUBQUERY(orders, $o, $o.qty > age).@count > 0",
        "SUBQUERY(orders, $o, $o.note MATCHES 'a.*').@count > 0", "SUBQUERY(orders, $o, $o.qty IN {1, 2}).@count > 0",
        "place.lat > 45", "place.lon <= 2.5", "place.zip BEGINSWITH '1'", "home.lat > 45", "home == nil",
        "home.zip == nil",
        "home.lat != 3", "color == 'red'", "color != 'red'", "price > 10.5", "initials == 'Ma'", "doubled > 50",
        "doubled == nil", "doubled != 84", "age >= 30 AND active == TRUE AND score < 50",
        "name == 'Kyoto' OR age < 5 OR score > 99", "NOT (age > 30 AND (active == TRUE OR nick == nil))",
        "(age > 30 OR age < 10) AND NOT (name CONTAINS 'a' OR tags.@count > 1)", "TRUEPREDICATE", "FALSEPREDICATE",
        "TRUEPREDICATE AND age > 1", "length(name) > 5", "uppercase(name) == 'KYOTO'",
        "TERNARY(active == TRUE, age, small) > 40",
        "age > small", "SELF.age > 42", "age IN {42, small}", "CAST(age, 'NSString') BEGINSWITH '4'", "now() > 5",
    ]

    @Test("every kind of field and operator agrees with documents")
    func agreement() throws {
        for format in Self.formats {
            do {
                try check(try Query(parsing: format))
            } catch {
                Issue.record("\(format): \(error)")
            }
        }
    }

    private func check(_ query: Query) throws {
        var judge = query
        judge.schema = Self.schema
        // A mistake that the schema reveals is found either way.
        let expected: [Int]
        do {
            expected = try judge.matchingIndices(in: Self.documents, now: testNow)
        } catch {
            #expect(throws: QueryError.self, "\(query.format)") {
                try QueryPlan<Sample>(query, now: testNow).count(in: Self.rows)
            }
            return
        }
        let plan = try QueryPlan<Sample>(query, now: testNow)
        let found = try plan.matchingIndices(in: Self.rows)
        let difference = Set(found).symmetricDifference(expected)
        let sample = difference.min().map { "row \($0): \(Self.documents[$0].queryValue.json)" } ?? ""
        #expect(found == expected, "\(query.format): \(difference.count) rows differ; \(sample)")
        #expect(try plan.count(in: Self.rows) == expected.count, "\(query.format)")
        for count in [0, 1, 2, 7, 63, 64, 65, 129] {
            let rows = Array(Self.rows.prefix(count))
            #expect(try plan.matchingIndices(in: rows) == expected.filter { $0 < count }, "\(query.format) of \(count)")
        }
        #expect(try plan.matches(Self.rows[3]) == expected.contains(3), "\(query.format)")
    }

    @Test("random combinations of conditions agree with row-by-row evaluation")
    func mixes() throws {
        var random = RandomNumbers(seed: 99)
        let conditions = try Self.formats.compactMap { format -> Condition? in
            var query = try Query(parsing: format)
            query.schema = Self.schema
            return query.problems().isEmpty ? query.condition : nil
        }
        func pick() -> Condition { conditions[Int(random.next(below: Int64(conditions.count)))] }
        func mix(_ depth: Int) -> Condition {
            switch depth == 0 ? 3 : random.next(below: 4) {
            case 0: .and((0...random.next(below: 3)).map { _ in mix(depth - 1) })
            case 1: .or((0...random.next(below: 3)).map { _ in mix(depth - 1) })
            case 2: .not(mix(depth - 1))
            default: pick()
            }
        }
        for _ in 0..<SeededGenerator.count(40) {
            let query = Query(mix(3))
            var judge = query
            judge.schema = Self.schema
            let expected = try judge.matchingIndices(in: Self.documents, now: testNow)
            let found = try QueryPlan<Sample>(query, now: testNow).matchingIndices(in: Self.rows)
            #expect(found == expected, "\(query.format)")
        }
    }

    @Test("order, skip, limit, first and count agree with documents")
    func pipeline() throws {
        let rows = Self.rows
        let folded = [try SortKey(parsing: "name[cd]")]
        for (order, skip, limit) in [
            ([], nil, 5), ([], 3, nil), (["-age", "name"], 2, 7), (["score"], nil, nil), (folded, 10, 10), ([], 3, 0),
        ] as [([SortKey], Int?, Int?)] {
            let query = try Query(format: "active == TRUE", order: order, skip: skip, limit: limit)
            var judge = query
            judge.schema = Self.schema
            let expected = try judge.results(in: Self.documents)
            let found = try query.results(in: rows)
            #expect(found.map { Document(queryable: $0) } == expected)
            #expect(try query.count(in: rows) == expected.count)
            #expect(try query.first(in: rows).map { Document(queryable: $0) } == expected.first)
        }
        #expect(throws: QueryError.self) { try Query(format: "age > 1", fields: ["age"]).results(in: rows) }
    }

    @Test("pages by keys of every kind are the whole")
    func pages() throws {
        let rows = Self.rows.prefix(60).enumerated().map { number, row in
            var row = row
            row.id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, UInt8(number)))
            return row
        }
        for key in ["word", "-name", "name[c]", "nick", "-small", "active", "-maybe", "born", "-died", "id"] {
            let query = Query(order: [try SortKey(parsing: key)], limit: 7)
            var found: [Document] = []
            var cursor: PageCursor?
            repeat {
                let page = try query.page(after: cursor, by: "id")
                let documents = try page.results(in: rows).map { Document(queryable: $0) }
                cursor = try documents.last.map { try query.cursor(after: $0, by: "id") }
                found += documents
            } while cursor != nil && found.count <= rows.count
            var whole = try query.page(after: nil, by: "id")
            whole.limit = nil
            let expected = try whole.results(in: rows).map { Document(queryable: $0) }
            #expect(found == expected, "\(key)")
        }
    }

    @Test("a decimal that no Float equals gives a warning")
    func floats() throws {
        for (format, count) in [("lon == 0.1", 1), ("lon IN {0.5, 0.1, 0.3}", 2), ("lon == 0.5", 0), ("lat == 0.1", 0)]
        {
            let warnings = try Query(parsing: format).warnings(for: Place.self)
            #expect(warnings.map(\.code) == Array(repeating: .unlikely, count: count), "\(format)")
            #expect(warnings.allSatisfy { $0.range != nil && $0.hint != nil })
        }
    }

    @Test("classes are read through their properties")
    func classes() throws {
        let boxes = (0..<200).map { Box("box \($0)", $0 % 3 == 0 ? nil : $0) }
        #expect(try Query(format: "size > 100 AND label ENDSWITH '1'").count(in: boxes) == 7)
        #expect(try Query(format: "size == nil").count(in: boxes) == 67)
        #expect(try Query(format: "label == 'box 7'").first(in: boxes)?.size == 7)
    }
}

extension FieldList {
    static func schemaForTests<Row>(_ table: FieldTable<Row>) -> Schema { schema(table.entries, depth: 6) }
}
