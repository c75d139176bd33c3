import PredicateQL
import Testing

/// A query parsed once and bound many times equals the query with literal values.
@Suite struct BoundQueryTests {
    private static let cases: [(template: String, values: [String: QueryValue], literal: String)] = [
        ("age > $least", ["least": 21], "age > 21"),
        ("$v == a", ["v": "x"], "\"x\" == a"),
        ("a IN $list", ["list": [1, nil, "x"]], "a IN {1, nil, \"x\"}"),
        ("a BETWEEN {$low, $high}", ["low": 1, "high": 2.5], "a BETWEEN {1, 2.5}"),
        ("a BETWEEN $range", ["range": [1, 5]], "a BETWEEN {1, 5}"),
        ("name BEGINSWITH[cd] $p", ["p": "Jo"], "name BEGINSWITH[cd] \"Jo\""),
        ("a == $n", ["n": nil], "a == nil"),
        ("SUBQUERY(o, $x, $x.p > $least).@count > 0", ["least": 2], "SUBQUERY(o, $x, $x.p > 2).@count > 0"),
        ("a + $n * 2 > $m", ["n": 1, "m": 7], "a + 1 * 2 > 7"),
        ("o.$key == 1", ["key": "p"], "o.p == 1"),
        ("active == $flag AND NOT a == $flag", ["flag": true], "active == TRUE AND NOT a == TRUE"),
    ]

    @Test func translationsEqualThoseOfTheLiteral() throws {
        for (template, values, literal) in Self.cases {
            let bound = try Query(parsing: template).binding(values)
            let written = try Query(parsing: literal)
            #expect(try bound.mongo(now: 0).json == written.mongo(now: 0).json, "\(template)")
            for storage in [SQLStorage.columns, .document()] {
                let (ours, theirs) = (sql(bound, storage), sql(written, storage))
                #expect(ours == theirs, "\(template)")
            }
        }
    }

    /// The statement, or the rejection without its range, because a bound value has another position than a literal.
    private func sql(_ query: Query, _ storage: SQLStorage) -> String {
        do throws(QueryError) {
            let statement = try query.sql(.sqlite, from: SQLTable("t", storage: storage), now: 0)
            return statement.sql + " -- " + QueryValue.list(statement.bindings).json
        } catch {
            return "\(error.code): \(error.message)"
        }
    }

    @Test func aTemplateIsBoundManyTimes() throws {
        let template = try Query(format: "a == $v")
        for number in 0..<20 {
            let rows: [Document] = (0..<20).map { ["a": .int($0)] }
            let found = try template.binding(["v": .int(Int64(number))]).matchingIndices(in: rows)
            #expect(found == [number])
        }
        #expect(template.format == "a == $v")
    }
}
