import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryEvaluation
import QueryMeaning
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Long lists with repetitions, of every kind of value, against a reference that compares all pairs (S12, S17, S18).
@Suite(.timeLimit(.minutes(60))) struct LargeSetTests {
    /// A row `a b c d`, mostly lists; elements are often repeated in another list, unchanged or in an equal form.
    private static func row(_ random: inout SeededGenerator) -> Document {
        let pool = (0..<12).map { _ in Hostile.element(&random) }
        func list() -> QueryValue {
            .list((0..<random.below(25)).map { _ in Hostile.disguised(random.pick(pool), &random) })
        }
        var row = Document()
        for key in ["a", "b", "c", "d"] { row[key] = random.chance(92) ? list() : Hostile.element(&random) }
        row["x"] = Hostile.disguised(random.pick(pool), &random)
        return row
    }

    // MARK: The reference

    private static func isOneValue(_ a: QueryValue, _ b: QueryValue) -> Bool { a.sortOrder(relativeTo: b) == .same }

    private static func distinct(_ values: [QueryValue]) -> [QueryValue] {
        var found: [QueryValue] = []
        for value in values where !found.contains(where: { isOneValue($0, value) }) { found.append(value) }
        return found
    }

    private static func combined(_ left: QueryValue, _ operation: String, _ right: QueryValue) -> QueryValue {
        guard case .list(let a) = left, case .list(let b) = right else { return .null }
        if operation == "UNION" { return .list(distinct(a + b)) }
        let isWanted = operation == "INTERSECT"
        return .list(
            distinct(a).filter { value in b.contains { !$0.isNaN && isOneValue(value, $0) } == isWanted }
        )
    }

    private static func isMember(_ value: QueryValue, of list: QueryValue, _ options: StringOptions) -> Bool {
        switch list {
        case .list(let elements): elements.contains { value.isEqual(to: $0, options: options) }
        case .null: false
        case .string(let text):
            if case .string(let part) = value {
                Folding.contains(text, part, options)
            } else {
                false
            }
        default: value.isEqual(to: list, options: options)
        }
    }

    // MARK: Tests

    @Test func chainsOfSetOperators() throws {
        var random = SeededGenerator(20_150)
        for _ in 0..<400 {
            let row = Self.row(&random)
            let first = random.pick(["a", "b", "c", "d"])
            var text = first
            var expected = row[first] ?? .null
            for _ in 0..<(1 + random.below(6)) {
                let operation = random.pick(["UNION", "INTERSECT", "MINUS"])
                let key = random.pick(["a", "b", "c", "d"])
                text += " \(operation) \(key)"
                expected = Self.combined(expected, operation, row[key] ?? .null)
            }
            guard case .comparison(let comparison) = try Condition(parsing: text + " == x") else {
                Issue.record("\(text) is no comparison")
                continue
            }
            let found = try RowEvaluator().value(of: comparison.left, in: row, now: 0)
            #expect(found == expected, "\(text) of \(row)")
        }
    }

    @Test func membership() throws {
        var random = SeededGenerator(20_151)
        let options: [(String, StringOptions)] = [
            ("", []), ("[c]", .caseInsensitive), ("[cd]", [.caseInsensitive, .diacriticInsensitive]),
        ]
        for _ in 0..<300 {
            let row = Self.row(&random)
            let (name, folding) = random.pick(options)
            let (a, b, x) = (row["a"] ?? .null, row["b"] ?? .null, row["x"] ?? .null)
            let elements: [QueryValue] =
                switch a {
                case .list(let list): list
                case .null: []
                default: [a]
                }
            let expected: [(String, [QueryValue], Bool)] = [
                ("x IN\(name) b", [], Self.isMember(x, of: b, folding)),
                ("x IN\(name) %@", [b], Self.isMember(x, of: b, folding)),
                ("ANY a IN\(name) b", [], elements.contains { Self.isMember($0, of: b, folding) }),
                ("ALL a IN\(name) b", [], elements.allSatisfy { Self.isMember($0, of: b, folding) }),
                ("ANY a IN\(name) %@", [b], elements.contains { Self.isMember($0, of: b, folding) }),
                ("ALL a IN\(name) %@", [b], elements.allSatisfy { Self.isMember($0, of: b, folding) }),
                ("ANY a ==\(name) x", [], elements.contains { $0.isEqual(to: x, options: folding) }),
            ]
            for (text, arguments, holds) in expected where arguments.allSatisfy({ $0.kind == .list }) {
                #expect(try Query(parsing: text, arguments: arguments).matches(row) == holds, "\(text) of \(row)")
            }
        }
    }

    @Test func distinctValuesAndModes() throws {
        var random = SeededGenerator(20_152)
        for _ in 0..<300 {
            let row = Self.row(&random)
            guard case .list(let elements)? = row["a"] else { continue }
            #expect(Aggregate.distinctUnionOfObjects.evaluate(.list(elements)) == .list(Self.distinct(elements)))
            let wanted = elements.filter { !$0.isNull }
            let counts = Self.distinct(wanted).map { value in wanted.count { Self.isOneValue($0, value) } }
            let mode = zip(Self.distinct(wanted), counts).filter { $0.1 == counts.max() }.map(\.0)
            #expect(Function.mode.evaluate([.list(elements)], now: 0) == .list(mode))
        }
    }

    /// Documents, JSON rows and SQLite give the same answer, or a store rejects the query.
    @Test func sourcesAgree() throws {
        var random = SeededGenerator(20_153)
        let rows = (0..<60).map { index in
            var row = Document(pairs: Self.row(&random).pairs.map { ($0.0, Self.withoutNaN($0.1)) })
            row["_id"] = .int(Int64(index))
            return row
        }
        let texts = rows.map { JSONWriter().text(.object($0)) }
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE docs (_id INTEGER PRIMARY KEY, doc TEXT)")
        for (index, text) in texts.enumerated() {
            _ = try database.rows("INSERT INTO docs VALUES (?, ?)", [.int(Int64(index)), .string(text)])
        }
        let asked = [
            "ANY a IN b", "ALL a IN b", "ANY a IN (b UNION c)", "ALL a IN (b UNION c UNION d)", "x IN (a INTERSECT b)",
            "x IN (a MINUS b)", "x IN (a UNION b MINUS c)", "x IN (a MINUS b UNION c INTERSECT d)",
            "(a INTERSECT b).@count > 2", "(a UNION a).@count > 8", "ANY a IN[cd] b",
        ]
        var compared = 0
        for text in asked {
            let query = try Query(parsing: text)
            let found = try query.results(in: rows, now: 0).map { $0["_id"] }
            let ofJSON = try query.results(in: JSONRows("[" + texts.joined(separator: ",") + "]"), now: 0)
            #expect(ofJSON.map { $0["_id"] } == found, "\(text)")
            do throws(QueryError) {
                let stored = try query.rows(in: database, from: SQLTable("docs", storage: .document()), now: 0)
                #expect(stored.map { $0["_id"] } == found, "\(text)")
                compared += 1
            } catch {
                #expect(error.code == .unsupported || error.code == .limit, "\(text): \(error.message)")
            }
        }
        #expect(compared >= 5)
    }

    private static func withoutNaN(_ value: QueryValue) -> QueryValue {
        switch value {
        case .double(let number): number.isFinite ? value : .null
        case .list(let elements): .list(elements.map(withoutNaN))
        case .object(let object): .object(Document(pairs: object.pairs.map { ($0.0, withoutNaN($0.1)) }))
        default: value
        }
    }
}
