import PredicateQL
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// With a schema no guards are written, so the answer must be right for every document that fits the schema.
@Suite("With a schema, filters agree with the meaning of the tree")
struct SchemaAgreementTests {
    private static let schema = Schema([
        .field("a", .int, storedAs: "A"), .field("b", .double), .field("s", .string), .field("ok", .bool),
        .field("t", .list(.string)), .field("n", .list(.int)), .field("when", .date(.iso8601Milliseconds)),
        .field("text", .date(.sqliteText)), .field("seconds", .date(.epochSeconds)),
        .field("o", .object(Schema([.field("x", .int), .field("s", .string, storedAs: "S")]))),
        .field(
            "k",
            .list(.object(Schema([.field("x", .int), .field("t", .list(.string)), .field("id", .objectID)]))),
            storedAs: "K"
        ),
        .field("id", .objectID, storedAs: "_id"), .field("other", .objectID), .field("ids", .list(.objectID)),
    ])

    private static let numbers = [
        "a", "b", "o.x", "n.@count", "n.@max", "k.@sum.x", "k.t.@count", "a + 1", "a / 2", "k.@count",
    ]
    private static let texts = ["s", "o.s"]
    private static let compared = ["==", "!=", "<", "<=", ">", ">="]

    private static let hexes = (1...3).map { "507f1f77bcf86cd79943901\($0)" }

    private func objectIDs(_ generator: inout Generator) -> String {
        let operation = generator.pick(Self.compared)
        let hex = "\"" + generator.pick(Self.hexes + [Self.hexes[0].uppercased()]) + "\""
        switch generator.below(9) {
        case 0, 1: return "\(generator.pick(["id", "other"])) \(operation) \(hex)"
        case 2: return "id \(operation) other"
        case 3: return "\(generator.pick(["id", "other"])) IN {\(hex), \(generator.pick([hex, "nil"]))}"
        case 4: return "\(generator.pick(["ANY", "ALL", "NONE"])) ids \(operation) \(hex)"
        case 5: return "\(generator.pick(["ANY", "ALL", "NONE"])) k.id \(operation) \(hex)"
        case 6: return generator.pick(["ids CONTAINS \(hex)", "id IN ids", "ids == {\(hex)}", "other == nil"])
        case 7: return "SUBQUERY(k, $x, $x.id \(operation) \(hex)).@count > \(generator.below(2))"
        default: return "ids.\(generator.pick(["@max", "@min"])) \(operation) \(generator.pick([hex, "id"]))"
        }
    }

    private func comparison(_ generator: inout Generator) -> String {
        if generator.below(8) == 0 { return objectIDs(&generator) }

        let number = ["nil", "0", "1", "2", "2.5"]
        let text = [#""""#, #""a""#, #""ab""#, #""Ab""#, #""é""#]
        let operation = generator.pick(Self.compared)
        let quantifier = generator.pick(["ANY", "ALL", "NONE"])
        switch generator.below(14) {
        case 0, 1: return "\(generator.pick(Self.numbers)) \(operation) \(generator.pick(number))"
        case 2: return "\(generator.pick(Self.numbers)) \(operation) \(generator.pick(Self.numbers))"
        case 3: return "\(generator.pick(Self.texts)) \(operation) \(generator.pick(text + ["nil", "s", "o.s"]))"
        case 4:
            let word = generator.pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "==[c]", "CONTAINS[cd]", "IN"])
            let right = generator.pick(word == "IN" ? [#"{"a", nil}"#, #""cab""#] : text)
            return "\(generator.pick(Self.texts)) \(word) \(right)"
        case 5: return "\(quantifier) n \(operation) \(generator.pick(number))"
        case 6: return "\(quantifier) k.x \(operation) \(generator.pick(number))"
        case 7: return "\(quantifier) k.t == \(generator.pick(text))"
        case 8:
            let word = generator.pick(["BEGINSWITH", "CONTAINS", "==", "!=", "==[c]"])
            return "\(quantifier) t \(word) \(generator.pick(text))"
        case 9: return "\(generator.pick(["t", "k.t"])) CONTAINS \(generator.pick(text))"
        case 10:
            return "\(generator.pick(["t", "n", "k", "o", "k.x", "k.t", "when"])) \(generator.pick(["==", "!="])) nil"
        case 11:
            let found = "SUBQUERY(k, $x, $x.x \(operation) \(generator.pick(number)))"
            return "\(found).@count \(generator.pick(Self.compared)) \(generator.below(3))"
        case 12:
            let date = #""2001-01-01T00:00:0\#(generator.below(3))Z""#
            let far = [#"CAST(300000000000, "NSDate")"#, #"CAST(-300000000000, "NSDate")"#]
            let field = generator.pick(["when", "text", "seconds"])
            return "\(field) \(operation) \(generator.pick([date, date] + far))"
        default: return "\(quantifier) n \(generator.pick(["BETWEEN {1, 2}", "IN {1, nil}", "IN {2}"]))"
        }
    }

    private func maybe(_ generator: inout Generator, _ value: QueryValue) -> QueryValue? {
        switch generator.below(6) {
        case 0: nil
        case 1: .null
        default: value
        }
    }

    private func row(_ generator: inout Generator) -> Document {
        let texts: [QueryValue] = ["", "a", "ab", "Ab", "é", "cab"]
        var row = Document()
        row["A"] = maybe(&generator, .int(Int64(generator.below(4))))
        row["b"] = maybe(&generator, .double(generator.pick([0, 1, 2.5, -1])))
        row["s"] = maybe(&generator, generator.pick(texts))
        row["t"] = maybe(&generator, .list((0..<generator.below(3)).map { _ in generator.pick(texts + [.null]) }))
        row["n"] = maybe(&generator, .list((0..<generator.below(4)).map { _ in generator.pick([0, 1, 2, 3, .null]) }))
        let when = 978_307_200_000 + Int64(generator.below(3)) * 1_000
        for (name, encoding) in [("when", DateEncoding.iso8601), ("text", .sqliteText), ("seconds", .epochSeconds)] {
            row[name] = maybe(&generator, encoding.encode(when))
        }
        var object = Document()
        object["x"] = maybe(&generator, .int(Int64(generator.below(3))))
        object["S"] = maybe(&generator, generator.pick(texts))
        row["o"] = maybe(&generator, .object(object))
        let hexes = Self.hexes.map(QueryValue.string)
        for name in ["_id", "other"] { row[name] = maybe(&generator, generator.pick(hexes)) }
        row["ids"] = maybe(&generator, .list((0..<generator.below(3)).map { _ in generator.pick(hexes) }))
        let elements: [QueryValue] = (0..<generator.below(3)).map { _ in
            var element = Document()
            element["x"] = maybe(&generator, .int(Int64(generator.below(4))))
            element["id"] = maybe(&generator, generator.pick(hexes))
            element["t"] = maybe(&generator, .list((0..<generator.below(3)).map { _ in generator.pick(texts) }))
            return .object(element)
        }
        row["K"] = maybe(&generator, .list(elements))
        return row
    }

    @Test("generated comparisons and rows")
    func generated() throws {
        var faults: [String] = []
        var agreed = 0
        for seed in 0..<UInt64(SeededGenerator.count(300)) {
            var generator = Generator(seed: 50_000 + seed)
            var format = comparison(&generator)
            if generator.below(4) == 0 { format = "NOT (\(format) AND \(comparison(&generator)))" }
            let query = try Query(parsing: format, schema: Self.schema)
            let mongo = try query.mongo(now: 0)
            if !mongo.assumptions.isEmpty { faults.append("\(format) assumed \(mongo.assumptions)") }
            let again = Result { try Query(mongo: QueryValue.object(mongo.filter).json, schema: Self.schema) }
            for _ in 0..<12 {
                let row = row(&generator)
                let expected = try query.matches(row)
                let found = Result { try MongoJudge.matches(row.storedInMongo(by: Self.schema), mongo.filter) }
                if case .success(let again) = again, try again.matches(row) != expected {
                    faults.append("\(format)\n\(mongo.json)\n\(row)\nread as \(again.format)")
                }
                if case .success(expected) = found {
                    agreed += 1
                } else if faults.last?.hasPrefix(format + "\n") != true {
                    faults.append(
                        "\(format)\n\(mongo.json)\n\(QueryValue.object(row).json)\nexpected \(expected), got \(found)"
                    )
                }
            }
        }
        let text = faults.prefix(4).joined(separator: "\n\n")
        #expect(text.isEmpty, "\(faults.count) faults")
        #expect(agreed > SeededGenerator.count(2_500))
    }
}

/// Expressions as people write them, without the writer's tests of kinds.
@Suite("Expressions written by hand mean the same as the queries read from them")
struct HandwrittenExpressionTests {
    private static let schema = Schema([
        .field("a", .int, storedAs: "A"), .field("b", .double), .field("r", .int, isOptional: false),
        .field("s", .string), .field("q", .string, isOptional: false), .field("ok", .bool), .field("d", .date(.native)),
        .field("t", .list(.string)), .field("n", .list(.int)), .field("id", .objectID),
        .field("o", .object(Schema([.field("x", .double)]))),
    ])

    private static let names = ["$eq", "$ne", "$lt", "$lte", "$gt", "$gte"]
    private static let id = call("$oid", "507f1f77bcf86cd799439011")
    private static let year2001 = 978_307_200_000 as Int64

    private static func call(_ name: String, _ operand: QueryValue) -> QueryValue { .object([name: operand]) }

    private static func either(_ path: QueryValue, _ substitute: QueryValue) -> QueryValue {
        call("$ifNull", [path, substitute])
    }

    /// Each with the constants that it is compared with.
    private static let operands: [(QueryValue, [QueryValue])] = [
        ("$A", [1, 1.5, .null]), ("$b", [1, 2.5, .null]), ("$o.x", [1, .null]), ("$s", ["a", "", .null]),
        ("$ok", [true, false, .null]), ("$d", [.date(year2001), .null]), ("$id", [id, .null]), ("$t", [.null]),
        (call("$add", ["$A", "$b"]), [2]), (call("$multiply", ["$b", "$b"]), [1]),
        (call("$subtract", ["$A", 1]), [0, "$A"]), (call("$add", ["$A", 0]), ["$A", "$r"]),
        (either("$A", 1), [0, 1, 2]), (either("$b", 0), [-1, 0, 1]),
        (either("$s", "a"), ["", "a", "b"]), (call("$size", "$t"), [0, 1, 1.5]),
        (call("$size", either("$t", [])), [-1, 0, 1, 2]), (call("$strLenCP", "$s"), [0, 1]),
        (call("$strLenCP", either("$s", "")), [0, 1]), (call("$year", "$d"), [2001, 11_476, 0]),
        ("$A", ["$r", "$b"]), ("$r", ["$A", "$b"]), ("$q", ["$s"]), ("$s", ["$q"]), ("$b", ["$o.x"]),
        (either("$A", .null), [either("$r", .null), either("$b", .null)]),
    ]

    private static let others: [QueryValue] = [
        "$ok", call("$in", ["$s", ["a", "ab"]]), call("$in", ["$A", [1, 2.0]]), call("$in", ["a", "$t"]),
        call("$in", [2, "$n"]), call("$in", ["a", either("$t", [])]),
        call("$regexMatch", .object(["input": "$s", "regex": "^a"])),
        call("$in", ["$b", call("$literal", [1])]),
    ]

    private static var expressions: [QueryValue] {
        var expressions = others
        for (operand, constants) in operands {
            for constant in constants {
                var literal = constant
                if case .string(let text) = constant, !text.hasPrefix("$") { literal = call("$literal", constant) }
                for name in names {
                    for sides in [[operand, constant], [constant, operand], [operand, literal]] {
                        expressions.append(call(name, .list(sides)))
                    }
                }
            }
        }
        return expressions
    }

    private static func row(_ generator: inout Generator) -> Document {
        func maybe(_ value: QueryValue) -> QueryValue? { [nil, .null, value, value, value][generator.below(5)] }
        let numbers: [QueryValue] = [.double(.nan), 0, 1, 2.5, .double(-.infinity), 1.5, -1]
        let texts: [QueryValue] = ["", "a", "ab", "b"]
        var row: Document = ["r": .int(Int64(generator.below(3))), "q": generator.pick(texts)]
        row["A"] = maybe(.int(Int64(generator.below(4))))
        row["b"] = maybe(generator.pick(numbers))
        row["s"] = maybe(generator.pick(texts))
        row["ok"] = maybe(.bool(generator.below(2) == 0))
        row["d"] = maybe(.date(generator.pick([year2001, 0, 300_000_000_000_000, -300_000_000_000_000])))
        row["id"] = maybe(generator.pick(["507f1f77bcf86cd799439011", "507f1f77bcf86cd799439012"]))
        row["t"] = maybe(.list((0..<generator.below(3)).map { _ in generator.pick(texts + [.null]) }))
        row["n"] = maybe(.list((0..<generator.below(3)).map { _ in generator.pick([1, 2, .null]) }))
        var object = Document()
        object["x"] = maybe(generator.pick(numbers))
        row["o"] = maybe(.object(object))
        return row
    }

    @Test(arguments: [(NilMeaning.nullOrAbsent, true), (.absent, true), (.null, true), (.absent, false)])
    func agree(meaning: NilMeaning, isDeclared: Bool) throws {
        var generator = Generator(seed: 7)
        let rows = (0..<25).map { _ in Self.row(&generator) }
        let schema = isDeclared ? Self.schema : nil
        var (read, agreed) = (0, 0)
        for expression in Self.expressions {
            let wrapped = [
                expression, Self.call("$not", .list([expression])),
                Self.call("$or", [expression, Self.call("$eq", ["$r", 9])]),
            ]
            let filter: Document = ["$expr": generator.pick(wrapped)]
            let text = QueryValue.object(filter).extendedJSON()
            guard let query = try? Query(mongo: text, nilMeaning: meaning, schema: schema) else { continue }
            read += 1
            for row in rows {
                let stored = row.storedInMongo(by: Self.schema)
                guard let expected = try? MongoJudge.matches(stored, filter) else { continue }
                let found = try query.matches(isDeclared ? row : stored)
                if found == expected { agreed += 1; continue }
                Issue.record("\(text)\nread as \(query.format) (\(meaning))\n\(QueryValue.object(stored).json)")
                break
            }
        }
        #expect(read > (isDeclared ? 600 : 200), "\(read)")
        #expect(agreed > 10 * read, "\(agreed)")
    }
}
