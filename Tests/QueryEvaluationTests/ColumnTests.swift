import Foundation
import PredicateQL
import QueryChecking
import QueryEvaluation
import QueryTree
import QueryValues
import SpecSupport
import Testing

@Suite("Column tables")
struct ColumnTests {
    private static let samples = Sample.samples(1_500)

    /// The samples' rows, under the names in queries.
    private static let documents = samples.map { sample in
        Document(pairs: Document(queryable: sample).pairs.map { ($0.0 == "years" ? "age" : $0.0, $0.1) })
    }

    /// The same as columns: absent values as optionals, as flags, and as bits.
    private static func table(_ samples: [Sample] = samples) throws -> ColumnTable {
        var table = ColumnTable()
        try table.add("name", samples.map(\.name))
        try table.add("nick", samples.map { $0.nick ?? "nothing" }, validity: samples.map { $0.nick != nil })
        try table.add("age", samples.map(\.age))
        try table.add("small", samples.map(\.small))
        try table.add("short", samples.map(\.short))
        try table.add("word", samples.map { $0.word ?? 3 }, validityBits: bits(samples.map { $0.word != nil }))
        try table.add("big", samples.map(\.big))
        try table.add("wide", samples.map { $0.wide ?? 0 }, validity: samples.map { $0.wide != nil })
        try table.add("byte", samples.map(\.byte))
        try table.add("score", samples.map(\.score))
        try table.add("rate", samples.map { $0.rate ?? 1.5 }, validity: samples.map { $0.rate != nil })
        try table.add("weight", samples.map(\.weight))
        try table.add("active", samples.map(\.active))
        try table.add("maybe", samples.map { $0.maybe ?? true }, validity: samples.map { $0.maybe != nil })
        try table.add("born", samples.map(\.born))
        try table.add("died", samples.map { $0.died ?? $0.born }, validity: samples.map { $0.died != nil })
        try table.add("id", samples.map(\.id))
        try table.add("tags", samples.map(\.tags))
        try table.add("marks", samples.map(\.marks))
        try table.add("levels", samples.map { $0.levels ?? [6] }, validity: samples.map { $0.levels != nil })
        try table.add("orders", samples.map(\.orders))
        try table.add("place", samples.map(\.place))
        try table.add("home", samples.map { $0.home ?? $0.place }, validity: samples.map { $0.home != nil })
        try table.add("color", samples.map(\.color))
        try table.add("price", samples.map(\.price))
        try table.add("initials", samples.map(\.initials))
        // Both a validity flag and a nil value.
        try table.add("doubled", samples.map(\.doubled), validity: samples.map { $0.doubled != 0 })
        return table
    }

    private static func bits(_ marks: [Bool]) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: marks.count / 64 + 1)
        for (row, mark) in marks.enumerated() where mark { words[row / 64] |= 1 << UInt64(row % 64) }
        return words
    }

    private static func expectation(_ row: Int) -> Document {
        let row = documents[row]
        return row["doubled"] == .int(0) ? Document(pairs: row.pairs.filter { $0.0 != "doubled" }) : row
    }

    @Test("a table returns the rows that were added")
    func rows() throws {
        let table = try Self.table()
        #expect(table.count == Self.samples.count)
        #expect(table.names.prefix(3) == ["name", "nick", "age"])
        for row in Self.samples.indices { #expect(table.document(at: row) == Self.expectation(row), "row \(row)") }
        #expect(table.document(at: -1) == Document())
        #expect(table.document(at: table.count) == Document())
    }

    /// The rows of a query by evaluation over documents, or nil for a rejected query.
    private func judged(_ query: Query, _ schema: Schema, _ rows: [Document]) -> [Int]? {
        var judge = query
        judge.schema = schema
        return try? judge.matchingIndices(in: rows, now: testNow)
    }

    @Test("every kind of column and operator agrees with documents")
    func agreement() throws {
        let table = try Self.table()
        let schema = FieldList.schema(table.fields, depth: 6)
        let rows = Self.samples.indices.map { Self.expectation($0) }
        let small = try [0, 1, 63, 64, 65, 129].map { try Self.table(Array(Self.samples.prefix($0))) }
        for format in QueryableTests.formats {
            let query = try Query(parsing: format)
            guard let expected = judged(query, schema, rows) else {
                #expect(throws: QueryError.self, "\(format)") { try query.count(in: table, now: testNow) }
                continue
            }
            let plan = try ColumnPlan(query, for: table, now: testNow)
            let found = try plan.matchingIndices(in: table)
            let difference = Set(found).symmetricDifference(expected)
            let sample = difference.min().map { "row \($0): \(rows[$0].queryValue.json)" } ?? ""
            #expect(found == expected, "\(format): \(difference.count) rows differ; \(sample)")
            #expect(try plan.count(in: table) == expected.count, "\(format)")
            for table in small {
                #expect(try plan.matchingIndices(in: table) == expected.filter { $0 < table.count }, "\(format)")
            }
        }
    }

    @Test("random combinations of conditions agree with row-by-row evaluation")
    func mixes() throws {
        var random = RandomNumbers(seed: 1_234)
        let table = try Self.table()
        let schema = FieldList.schema(table.fields, depth: 6)
        let rows = Self.samples.indices.map { Self.expectation($0) }
        let conditions = try QueryableTests.formats.compactMap { format -> Condition? in
            var query = try Query(parsing: format)
            query.schema = schema
            return query.problems().isEmpty ? query.condition : nil
        }
        func mix(_ depth: Int) -> Condition {
            switch depth == 0 ? 3 : random.next(below: 4) {
            case 0: .and((0...random.next(below: 3)).map { _ in mix(depth - 1) })
            case 1: .or((0...random.next(below: 3)).map { _ in mix(depth - 1) })
            case 2: .not(mix(depth - 1))
            default: conditions[Int(random.next(below: Int64(conditions.count)))]
            }
        }
        for _ in 0..<SeededGenerator.count(25) {
            let query = Query(mix(3))
            let found = try query.matchingIndices(in: table, now: testNow)
            #expect(found == judged(query, schema, rows), "\(query.format)")
        }
    }

    @Test("order, skip, limit, fields, groups and cores agree with documents")
    func pipelines() throws {
        let table = try Self.table()
        let schema = FieldList.schema(table.fields, depth: 6)
        let rows = Self.samples.indices.map { Self.expectation($0) }
        let cases: [([SortKey], Int?, Int?, [FieldPath]?)] = [
            ([], nil, 5, nil), ([], 3, nil, ["name", "place.lat"]), (["-age", "name"], 2, 7, ["nick"]),
            (["score"], nil, nil, nil), (["-score", "rate"], 1, 90, nil), (["wide", "-word"], 10, 10, nil),
            (["-died"], nil, 40, ["died"]), (["nick"], 3, 0, nil), (["-nick"], nil, 300, ["nick", "orders.qty"]),
        ]
        for (order, skip, limit, fields) in cases {
            let query = try Query(
                format: "active == TRUE",
                order: order,
                skip: skip,
                limit: limit,
                fields: fields
            )
            var judge = query
            judge.schema = schema
            let expected = try judge.results(in: rows)
            #expect(try query.results(in: table) == expected, "\(order)")
            #expect(try query.results(in: table, concurrently: true) == expected, "\(order)")
            #expect(try query.first(in: table) == expected.first, "\(order)")
            #expect(try query.count(in: table) == expected.count, "\(order)")
            let whole = try query.resultIndices(in: table)
            #expect(whole.count == expected.count, "\(order)")
        }
        for keys in [["color"], ["nick"], ["wide", "active"], ["place.zip"], []] as [[FieldPath]] {
            let query = try Query(format: "age > 0")
            let computing: [Reducer] = [
                .count, .sum("wide"), .average("rate"), .min("died"), .max("nick"),
            ]
            var judge = query
            judge.schema = schema
            let expected = try Grouping(judge, by: keys.map { GroupKey($0) }, computing: computing).results(in: rows)
            let found = try Grouping(query, by: keys.map { GroupKey($0) }, computing: computing).results(in: table)
            #expect(found.map(\.queryValue.json) == expected.map(\.queryValue.json), "\(keys)")
        }
    }

    @Test("columns that do not fit are rejected by name, and leave nothing behind")
    func refusals() throws {
        var table = ColumnTable()
        try table.add("a", [1, 2, 3])
        func refused(_ words: String..., by work: (inout ColumnTable) throws -> Void) {
            do {
                try work(&table)
                Issue.record("not refused: \(words)")
            } catch let error as QueryError {
                #expect(error.code == .unsupported)
                for word in words { #expect(error.message.contains(word), "\(error.message)") }
            } catch {
                Issue.record("\(error)")
            }
            #expect(table.names == ["a"])
            #expect(table.count == 3)
        }
        refused("'b'", "2", "3") { try $0.add("b", ["x", "y"]) }
        refused("'a'") { try $0.add("a", [1.5, 2.5, 3.5]) }
        refused("name") { try $0.add("", [1, 2, 3]) }
        refused("'c'", "flags") { try $0.add("c", [1, 2, 3], validity: [true]) }
        refused("'d'", "bits") { try $0.add("d", [1, 2, 3], validityBits: []) }
    }

    @Test("a plan rejects tables with other columns")
    func otherTables() throws {
        var ints = ColumnTable()
        try ints.add("a", [1, 2, 3])
        var texts = ColumnTable()
        try texts.add("a", ["1", "2", "3"])
        var marked = ColumnTable()
        try marked.add("a", [1, 2, 3], validity: [true, false, true])
        var named = ColumnTable()
        try named.add("b", [1, 2, 3])
        var more = ints
        try more.add("b", [1, 2, 3])
        var longer = ColumnTable()
        try longer.add("a", Array(0..<5_000))
        let plan = try ColumnPlan(Query(format: "a > 1"), for: ints)
        #expect(try plan.matchingIndices(in: ints) == [1, 2])
        #expect(try plan.count(in: longer) == 4_998)
        for table in [texts, marked, named, more, ColumnTable()] {
            #expect(throws: QueryError.self) { try plan.count(in: table) }
        }
        #expect(throws: QueryError.self) { try ColumnPlan(Query(format: "c > 1"), for: ints) }
    }

    /// A type that claims another type's memory layout.
    private struct Liar: FieldValue {
        var number: UInt8 = 7
        var queryValue: QueryValue { .int(Int64(number)) }
        static var fieldKind: FieldKind { String.fieldKind }
    }

    @Test("a type's cells are never read as those of another")
    func liars() throws {
        var table = ColumnTable()
        try table.add("a", [Liar(), Liar(number: 8)])
        try table.add("b", [Liar(), nil])
        try table.add("c", [[Liar()], []])
        #expect(try Query(format: "a == 8").matchingIndices(in: table) == [1])
        #expect(try Query(format: "b == 7 AND ANY c == 7").matchingIndices(in: table) == [0])
    }

    @Test("the example of the documentation")
    func example() throws {
        var cities = ColumnTable()
        try cities.add("name", ["Boston", "Worcester", "Springfield"])
        try cities.add("population", [675_647, 206_518, 155_929])
        try cities.add("mayor", ["Wu", nil, "Sarno"])
        #expect(try Query(format: "population > 200000 AND mayor != nil").matchingIndices(in: cities) == [0])
        let largest = try Query(format: "population < 500000", order: ["-population"], limit: 1)
        #expect(try largest.results(in: cities) == [["name": "Worcester", "population": 206_518]])
    }
}
