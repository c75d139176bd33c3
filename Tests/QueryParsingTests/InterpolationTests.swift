import Foundation
import PredicateQL
import Testing

@Suite("Values in the text")
struct InterpolationTests {
    @Test("Each value becomes an argument")
    func arguments() throws {
        let age = 21
        let name = "x' OR 1 == 1 OR '%@"
        let nick: String? = nil
        let states = ["MA", "NY"]
        let cases: [(Int, QueryFormat, String, [QueryValue])] = [
            (#line, "age > \(age) AND name == \(name)", "age > %@ AND name == %@", [21, .string(name)]),
            (#line, "a == 1", "a == 1", []),
            (#line, "nick == \(nick)", "nick == %@", [nil]),
            (#line, "nick == \(nil)", "nick == %@", [nil]),
            (#line, "state IN \(states)", "state IN %@", [["MA", "NY"]]),
            (#line, "state IN \([1, "a", nil])", "state IN %@", [[1, "a", nil]]),
            (#line, "\(key: "address.zip") == \(1.5)", "%K == %@", ["address.zip", 1.5]),
            (#line, "orders.\(key: "@sum.amount") > 3", "orders.%K > 3", ["@sum.amount"]),
            (#line, "\(FieldPath(keys: ["and", "b c"])) > 3", "%K > 3", ["and.b c"]),
            (#line, "\(FieldPath(keys: ["a.b", "@c"])) > 3", "a\\u002eb.\\u0040c > 3", []),
            (#line, "\(FieldPath.itself) > 3", "SELF > 3", []),
            (#line, #"a == '\'%@"' OR age > \#(age)"#, #"a == '\'%@"' OR age > %@"#, [21]),
            (#line, "name == '50%' OR age > \(age)", "name == '50%' OR age > %@", [21]),
        ]
        for (line, format, text, arguments) in cases {
            #expect(format.text == text, "InterpolationTests.swift:\(line)")
            #expect(format.arguments == arguments, "InterpolationTests.swift:\(line)")
            let query = try Query(format)
            #expect(
                query.condition == (try Condition(parsing: text, arguments: arguments)),
                "InterpolationTests.swift:\(line)"
            )
        }
    }

    @Test("A query takes an order, limits and a schema besides its text")
    func query() throws {
        let least = 3
        let schema = Schema([.field("age", .int)])
        let query = try Query("age > \(least)", order: ["-age"], skip: 1, limit: 2, fields: ["age"], schema: schema)
        #expect(
            query
                == (try Query(
                    format: "age > 3",
                    order: ["-age"],
                    skip: 1,
                    limit: 2,
                    fields: ["age"],
                    schema: schema
                ))
        )
        #expect(throws: QueryError.self) { try Query("name == \(least)", schema: schema) }
        let built = Field("age") > least
        #expect(try Condition("age > \(least)") == built)
    }

    @Test("The label `format` binds every value too; quotes around one are an error with its range")
    func labelled() throws {
        let hostile = "x' OR TRUEPREDICATE OR name == '"
        let query = try Query(format: "name == \(hostile) AND age > \(3)", order: ["name"])
        #expect(query.condition == .and([Field("name") == hostile, Field("age") > 3]))
        #expect(try Condition(format: "name == \(hostile)") == (Field("name") == hostile))
        let rows: [Document] = [["name": "Ann"], ["name": .string(hostile)]]
        #expect(try Query(format: "name == \(hostile)").matchingIndices(in: rows) == [1])
        let quoted = #expect(throws: QueryError.self) { try Query(format: "name == '\(hostile)' AND age > 3") }
        #expect(quoted?.code == .argument)
        #expect(quoted?.message == "a value inside quotes; remove the quotes")
        #expect(quoted?.range == 8..<12)
        #expect(quoted?.source == "name == '%@' AND age > 3")
        let part = #expect(throws: QueryError.self) { try Condition(format: #"a LIKE "*\#(hostile)*""#) }
        #expect(part?.range == 7..<13)
        #expect(throws: QueryError.self) { try Query(format: "a == \(hostile) AND b == %@", 3) }
        #expect(throws: QueryError.self) { try Query(format: "a == \(hostile)", 3) }
        #expect(try Query(format: "a == %@ AND %K == %d", 1.5, "b.c", 3).format == "a == 1.5 AND b.c == 3")
    }

    @Test("Dates, identifiers, bytes, lists, optionals and enums are values; anything else is an error, never text")
    func kinds() throws {
        enum Level: String, QueryValueConvertible {
            case low
            var queryValue: QueryValue { .string(rawValue) }
        }
        let date = Date(timeIntervalSince1970: 1.5)
        let uuid = UUID()
        let missing: Date? = nil
        let present: UUID? = uuid
        let cases: [(Int, Query, [QueryValue])] = [
            (#line, try Query(format: "a == \(date)"), [.date(1_500)]),
            (#line, try Query(format: "a == \(missing)"), [.null]),
            (#line, try Query(format: "a == \(uuid)"), [.uuid(uuid)]),
            (#line, try Query(format: "a == \(present)"), [.uuid(uuid)]),
            (#line, try Query(format: "a == \(Data([1, 2]))"), [.data([1, 2])]),
            (#line, try Query(format: "a IN \([date, date])"), [[.date(1_500), .date(1_500)]]),
            (#line, try Query(format: "a IN \(["x", nil])"), [["x", nil]]),
            (#line, try Query(format: "a IN \(Set([1]))"), [[1]]),
            (#line, try Query(format: "a == \(Level.low)"), ["low"]),
            (#line, try Query(format: "a == \("text".prefix(2))"), ["te"]),
            (#line, try Query(format: "a == \(true) OR a == \(2.5)"), [true, 2.5]),
            (#line, try Query(format: "\(key: "x.y") == \(UInt8(3))"), ["x.y", 3]),
        ]
        for (line, query, values) in cases {
            let format = values.count == 1 ? query.format.contains(" IN ") ? "a IN %@" : "a == %@" : nil
            let text = format ?? (values[0] == "x.y" ? "%K == %@" : "a == %@ OR a == %@")
            #expect(query == (try Query(parsing: text, arguments: values)), "InterpolationTests.swift:\(line)")
        }
    }

    @Test("A value in the wrong place is an error")
    func errors() {
        let name = "Jo"
        let cases: [(Int, QueryFormat, QueryError.Code)] = [
            (#line, "name == '\(name)'", .argument),
            (#line, "name == '\(name)' AND a == %@", .argument),
            (#line, "name == %@", .argument),
            (#line, "a == %@ AND name == \(name)", .argument),
            (#line, "a == \(name) AND name == %@", .argument),
            (#line, "a == %d AND name == \(name)", .argument),
            (#line, "a == %\(name)", .argument),
            (#line, "a == %l\(name)", .argument),
            (#line, "a == '\\'%@' AND b == %@ AND name == '\(name)'", .argument),
            (#line, "a == \(name)\(name)", .syntax),
            (#line, "a == '\(FieldPath.itself)'", .argument),
            (#line, "\(key: "a..b") == 1", .argument),
            (#line, "\(FieldPath(keys: [])) == 1", .argument),
            (#line, "name ==[\(name)] 'a'", .syntax),
        ]
        for (line, format, code) in cases {
            do {
                let query = try Query(format)
                Issue.record("InterpolationTests.swift:\(line): \(query.format)")
            } catch {
                #expect(error.code == code, "InterpolationTests.swift:\(line): \(error.message)")
            }
        }
    }
}
