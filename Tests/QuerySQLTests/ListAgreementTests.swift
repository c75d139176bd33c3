import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Random queries over JSON lists that a schema declares, in columns and in documents: SQLite finds what the evaluator
/// finds, whichever way it reads the text.
///
/// `SEED` and `SCALE` choose them.
@Suite(.serialized) struct ListAgreementTests {
    private static let schema = Schema([
        .field("tags", .list(.string)), .field("counts", .list(.int)), .field("scores", .list(.double)),
        .field("flags", .list(.bool)),
        .field(
            "orders",
            .list(
                .object(
                    Schema([
                        .field("amount", .double), .field("qty", .int), .field("paid", .bool), .field("note", .string),
                    ])
                )
            )
        ),
    ])

    @Test func listsAgree() throws {
        let count = SeededGenerator.count(250)
        let seed = SeededGenerator.seed(SQLAgreementTests.seed)
        var generator = ListQueries(seed: seed)
        let rows = (0..<80).map { _ in generator.row() }
        let columns = TemporaryDatabase()
        let documents = TemporaryDatabase()
        let stores = [
            (SQLStorage.columns, try Self.makeColumns(rows, at: columns.path)),
            (SQLStorage.document(), try Self.makeDocuments(rows, at: documents.path)),
        ]
        var cases = [
            SQLiteCases(table: Self.columnTable, rows: rows.map(Self.columns)),
            SQLiteCases(table: Fixture.documentTable, rows: rows.map { [.string(JSONWriter().text(.object($0)))] }),
        ]
        var (pairs, mismatches) = (0, 0)
        for _ in 0..<count where mismatches < 6 {
            let (format, arguments) = generator.question()
            let query = try Query(parsing: format, arguments: arguments, schema: Self.schema)
            for (position, (storage, database)) in stores.enumerated() {
                let comparison = try Fixture.compare(query, rows, storage, database)
                cases[position].add(query, comparison)
                pairs += comparison.compared
                // A table named like what the statement names itself.
                let named = try Fixture.found(query, storage, database, in: "E1")
                #expect(try named == Fixture.found(query, storage, database), "\(query.condition.format)")
                guard let difference = comparison.difference else { continue }
                mismatches += 1
                Issue.record("SEED=\(seed) \(query.condition.format)\n\(difference)")
            }
        }
        for (name, cases) in zip(["list-columns", "lists"], cases) { try cases.write(as: name) }
        print("SEED=\(seed), lists: \(pairs) pairs of \(count) queries in two stores, \(mismatches) differ")
    }

    private static let names = ["tags", "counts", "scores", "flags", "orders"]
    private static let columnTable = "CREATE TABLE docs (\(names.map { $0 + " JSON" }.joined(separator: ", ")))"

    /// The row's lists as JSON text.
    private static func columns(_ row: Document) -> [QueryValue] {
        names.map { row[$0].map { QueryValue.string(JSONWriter().text($0)) } ?? .null }
    }

    private static func makeColumns(_ rows: [Document], at path: String) throws -> SQLiteDatabase {
        let database = try SQLiteDatabase(path: path, isReadOnly: false)
        try database.execute(columnTable)
        for row in rows { _ = try database.rows("INSERT INTO docs VALUES (?, ?, ?, ?, ?)", columns(row)) }
        try database.execute("CREATE TABLE E1 AS SELECT * FROM docs")
        return database
    }

    private static func makeDocuments(_ rows: [Document], at path: String) throws -> SQLiteDatabase {
        let database = try SQLiteDatabase(path: path, isReadOnly: false)
        try Fixture.makeDocuments(rows, in: database)
        try database.execute("CREATE TABLE E1 AS SELECT * FROM docs")
        return database
    }
}

/// Random rows of lists, and queries on them.
private struct ListQueries {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed) }

    /// Ints around every bound of a shortcut.
    private static let whole: [QueryValue] = [
        .int(0), .int(1), .int(-1), .int(2), .int(5), .int(100), .int(16_777_216), .int(16_777_217), .int(-16_777_216),
        .int(-16_777_217), .int(9_007_199_254_740_992), .int(9_007_199_254_740_993), .int(.max), .int(.min),
    ]
    /// Halves and quarters, because sums of a few are exact in any order.
    private static let broken: [QueryValue] = [
        .double(0), .double(1), .double(0.5), .double(2.5), .double(-0.25), .double(100), .double(1_000.75), .int(3),
    ]

    // MARK: Rows

    mutating func row() -> Document {
        var row = Document()
        row["tags"] = list { .string($0.pick(Hostile.texts)) }
        row["counts"] = list { $0.pick(Self.whole) }
        row["scores"] = list { $0.pick(Self.broken) }
        row["flags"] = list { .bool($0.chance(50)) }
        row["orders"] = list { random in
            var order = Document()
            if random.chance(80) { order["amount"] = random.pick(Self.broken + [.null]) }
            if random.chance(80) { order["qty"] = random.pick(Self.whole + [.null]) }
            if random.chance(60) { order["paid"] = .bool(random.chance(50)) }
            if random.chance(60) { order["note"] = .string(random.pick(Hostile.texts)) }
            // Undeclared parts may contain the same keys at a deeper level.
            if random.chance(15) { order["more"] = .object(["amount": .double(500), "qty": .int(7), "paid": true]) }
            if random.chance(15) { order["lines"] = .list([.object(["amount": .double(500), "note": "a"]), .int(9)]) }
            return .object(order)
        }
        return row
    }

    /// A list, sometimes with elements of another kind, or a single element in its place, or nil, or absent.
    private mutating func list(_ element: (inout SeededGenerator) -> QueryValue) -> QueryValue? {
        switch random.below(20) {
        case 0: return nil
        case 1: return .null
        case 2: return element(&random)
        default: break
        }
        return .list(
            (0..<random.below(5)).map { _ in
                switch random.below(16) {
                case 0: return .null
                case 1:
                    let value = Hostile.scalar(&random)
                    // Releases of SQLite compute different doubles if the sum is not a double (stores.md).
                    guard case .double(let number) = value, !number.isAddedExactly else { return value }
                    return element(&random)
                default: return element(&random)
                }
            }
        )
    }

    // MARK: Queries

    /// A format string and its arguments.
    mutating func question() -> (String, [QueryValue]) {
        switch random.below(10) {
        case 0...4: return quantified()
        case 5, 6: return total()
        case 7: return counted()
        case 8: return member()
        default:
            let (first, a) = quantified()
            let (second, b) = total()
            let word = random.pick(["AND", "OR"])
            return ("NOT (\(first) \(word) \(second))", a + b)
        }
    }

    private mutating func quantified() -> (String, [QueryValue]) {
        let quantifier = random.pick(["ANY", "ALL", "NONE", "NOT ANY", "NOT ALL"])
        switch random.below(4) {
        case 0:
            let path = random.pick(["counts", "scores", "orders.amount", "orders.qty"])
            let values = Self.whole + Self.broken
            if random.chance(20) {
                let more = random.chance(30) ? QueryValue.null : random.pick(values)
                return ("\(quantifier) \(path) IN %@", [.list([random.pick(values), more])])
            }
            if random.chance(20) {
                return ("\(quantifier) \(path) BETWEEN {%@, %@}", [random.pick(values), random.pick(values)])
            }
            return ("\(quantifier) \(path) \(relation()) %@", [random.pick(values)])
        case 1:
            let path = random.pick(["flags", "orders.paid"])
            return ("\(quantifier) \(path) \(random.pick(["==", "!="])) %@", [.bool(random.chance(50))])
        case 2:
            let path = random.pick(["tags", "counts", "scores", "flags", "orders.note", "orders.amount"])
            return ("\(quantifier) \(path) \(random.pick(["==", "!="])) nil", [])
        default:
            let path = random.pick(["tags", "orders.note"])
            let options = random.pick(["", "", "[c]", "[cd]"])
            let text = random.pick(Hostile.texts)
            let word = random.pick(["==", "!=", "<", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS"])
            return ("\(quantifier) \(path) \(word)\(options) %@", [.string(text)])
        }
    }

    private mutating func total() -> (String, [QueryValue]) {
        let path = random.pick([
            "counts.@sum", "scores.@sum", "orders.@sum.amount", "orders.@sum.qty", "orders.amount.@sum", "counts.@avg",
            "scores.@avg", "orders.@avg.amount", "orders.@avg.qty", "sum(scores)", "average(counts)", "sum(orders.qty)",
            "orders.@max.amount", "counts.@min", "median(scores)",
        ])
        if random.chance(15) { return ("\(path) \(random.pick(["==", "!="])) nil", []) }
        if random.chance(15) { return ("\(path) + 1 > %@", [random.pick(Self.whole)]) }
        return ("\(path) \(relation()) %@", [random.pick(Self.whole + Self.broken)])
    }

    private mutating func counted() -> (String, [QueryValue]) {
        let inner = random.pick([
            "$o.amount > 1", "$o.qty >= 2 AND $o.amount != 1", "$o.paid == TRUE", "$o.note != nil",
        ])
        let collection = random.pick(["tags", "orders", "SUBQUERY(orders, $o, \(inner))"])
        return ("\(collection).@count \(relation()) %@", [.int(Int64(random.below(5)) - 1)])
    }

    private mutating func member() -> (String, [QueryValue]) {
        switch random.below(3) {
        case 0: return ("%@ IN tags", [.string(random.pick(Hostile.texts))])
        case 1: return ("tags CONTAINS[cd] %@", [.string(random.pick(Hostile.texts))])
        default: return ("%@ IN \(random.pick(["counts", "scores", "orders.qty"]))", [random.pick(Self.whole)])
        }
    }

    private mutating func relation() -> String { random.pick(["==", "!=", "<", "<=", ">", ">="]) }
}

extension Double {
    /// True for small multiples of a quarter, a few of which have an exact sum in any order.
    fileprivate var isAddedExactly: Bool { magnitude < 0x1p40 && (self * 4).rounded() == self * 4 }
}
