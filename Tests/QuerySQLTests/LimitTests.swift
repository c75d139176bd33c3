import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport
import TestConditions
import Testing

/// Statements that SQLite's parser, binder or planner would reject are balanced or rejected beforehand (sql.md 5).
@Suite struct SQLLimitTests {
    private func run(_ condition: Condition, storage: SQLStorage = .columns) throws -> Int {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (x, l, doc TEXT); INSERT INTO t VALUES (1, 1, '{\"x\":1,\"l\":[1]}')")
        let statement = try Query(condition).sql(.sqlite, from: SQLTable("t", storage: storage))
        return try database.rows(statement.sql, statement.bindings).count
    }

    private func leaf(_ value: Int64) -> Condition {
        .comparison(Comparison(.field("x", .none), .equal, .value(.int(value), .none)))
    }

    @Test func longChainsAreBalanced() throws {
        #expect(try run(.or((0..<5_000).map { leaf(Int64($0)) })) == 1)
        #expect(try run(.and((2..<5_000).map { .not(leaf(Int64($0))) })) == 1)
    }

    /// Each takes SQLite several seconds if its constants are not wrapped.
    @Test func planningIsNotQuadratic() throws {
        func compare(_ relation: Comparison.Operator, _ value: Int) -> Condition {
            .comparison(Comparison(.field("x", .none), relation, .value(.int(Int64(value)), .none)))
        }
        for relation in [Comparison.Operator.equal, .notEqual, .greaterOrEqual] {
            for isAnd in [true, false] {
                let parts = (0..<(Machine.isOurs ? 20_000 : 4_000)).map { compare(relation, -$0) }
                let database = try SQLiteDatabase.inMemory()
                try database.execute("CREATE TABLE t (x); CREATE INDEX i ON t (x); INSERT INTO t VALUES (1)")
                let statement = try Query(isAnd ? .and(parts) : .or(parts)).sql(.sqlite, from: "t")
                let found = try ThreadTime.bounded(seconds: 6, "\(relation), \(isAnd)") {
                    try database.rows(statement.sql, statement.bindings).count
                }
                #expect(found == (relation == .equal ? 0 : 1), "\(relation)")
            }
        }
    }

    @Test func longChainsNest() throws {
        var condition = leaf(1)
        for level in 0..<10 {
            let others = (0..<300).map { leaf(Int64(level * 300 + $0 + 2)) }
            condition =
                level.isMultiple(of: 2) ? .or([condition] + others) : .and([condition] + others.map { .not($0) })
        }
        #expect(try run(condition) == 1)
    }

    @Test func longArithmeticIsRefusedBeforeSQLiteFails() throws {
        func sum(_ terms: Int) -> Condition {
            let rest = (0..<terms).map { _ in Arithmetic.Link(.add, .field("x", .none)) }
            let total = Term.arithmetic(Arithmetic(first: .field("x", .none), rest: rest), .none)
            return .comparison(Comparison(total, .equal, .value(.int(Int64(terms) + 1), .none)))
        }
        #expect(try run(sum(400)) == 1)
        #expect(code(sum(5_000)) == .limit)
    }

    @Test func widePathsAndResultsAreRefused() throws {
        let deep = FieldPath(keys: (0..<80).map { "k\($0)" })
        let path = Condition.comparison(
            Comparison(.field(deep, .none), .equal, .value(.int(1), .none), quantifier: .any)
        )
        #expect { try Query(path).sql(.sqlite, from: SQLTable("t", storage: .document())) } throws: { error in
            (error as? QueryError)?.code == .limit
        }
        let fields = (0..<2_001).map { FieldPath(keys: ["f\($0)"]) }
        #expect { try Query(fields: fields).sql(.sqlite, from: "t") } throws: { error in
            (error as? QueryError)?.code == .limit
        }
        let order = fields.map { SortKey($0) }
        #expect { try Query(order: order).sql(.sqlite, from: "t") } throws: { error in
            (error as? QueryError)?.code == .limit
        }
    }

    @Test func longListsAreOneValue() throws {
        let list = Term.list((0..<90_000).map { .value(.int(Int64($0)), .none) }, .none)
        let condition = Condition.comparison(Comparison(.field("x", .none), .in, list))
        #expect(try run(condition) == 1)
        #expect(try Query(condition).sql(.sqlite, from: "t").bindings.count == 1)
        let doubles = Term.list((0..<90_000).map { .value(.double(Double($0) + 0.5), .none) }, .none)
        #expect(code(.comparison(Comparison(.field("x", .none), .in, doubles))) == .limit)
    }

    /// A text read from JSON ends at NUL in SQLite (T9), so such texts are kept outside the long list.
    @Test func longListsKeepNul() throws {
        let database = try SQLiteDatabase.inMemory()
        let rows = try Fixture.makeColumns([["s": "a\0b"], ["s": "a"], ["s": "7"]], in: database)
        let words: [QueryValue] = (0..<1_000).map { .string("\($0)") } + ["a\0b"]
        for format in ["s IN %@", "NOT s IN %@"] {
            let query = try Query(parsing: format, arguments: [.list(words)])
            let difference = try Fixture.answer(query, rows, .columns, database)
            #expect(difference == nil, "\(format)\n\(difference ?? "")")
        }
    }

    @Test func depthIsRefusedBeforeSQLiteFails() throws {
        for storage in [SQLStorage.columns, .document()] {
            for shape in 0..<3 {
                var condition = leaf(1)
                for depth in 0..<64 {
                    condition = deeper(condition, shape, depth)
                    do {
                        #expect(try run(condition, storage: storage) >= 0)
                    } catch let error as QueryError {
                        #expect(error.code == .limit, "shape \(shape), depth \(depth): \(error.message)")
                        #expect(depth > (shape == 2 ? 3 : 12), "refused early: shape \(shape), depth \(depth)")
                        break
                    }
                }
            }
        }
    }

    /// Aggregates at any depth: their own text counts as much as their operands.
    @Test func deepAggregatesAreRefusedBeforeSQLiteFails() throws {
        let words = ["sum", "average", "median", "mode", "stddev", "min", "max", "count"]
        for storage in [SQLStorage.columns, .document()] {
            for word in words {
                for (open, close) in [("(1 + ", ")"), ("TERNARY(1 == 1, ", ", 0)"), ("{2, ", "}[1]")] {
                    var refused = 0
                    for depth in 0..<40 where SeededGenerator.isAsked(depth, oneIn: 4) {
                        let opened = String(repeating: open, count: depth)
                        let format = opened + "\(word)(l)" + String(repeating: close, count: depth) + " > 0"
                        do {
                            #expect(try run(Condition(parsing: format), storage: storage) >= 0)
                        } catch let error as QueryError {
                            #expect(error.code == .limit || error.code == .unsupported, "\(format): \(error.message)")
                            refused += 1
                        }
                    }
                    #expect(refused < SeededGenerator.count(10), "never runs: \(word), \(open)")
                }
            }
        }
    }

    private func deeper(_ condition: Condition, _ shape: Int, _ depth: Int) -> Condition {
        switch shape {
        case 0: return .and([leaf(1), .or([leaf(Int64(depth)), condition])])
        case 1: return .not(.and([.or([condition, leaf(Int64(depth))]), leaf(1)]))
        default:
            let subquery = Subquery(.field("l", .none), Variable("v\(depth)"), where: condition)
            let count = Term.aggregate(.count, of: .subquery(subquery, .none), FieldPath(keys: []), .none)
            return .comparison(Comparison(count, .greater, .value(.int(0), .none)))
        }
    }

    @Test func repeatedLeavesDoNotExplode() throws {
        func tree(_ depth: Int) -> Condition {
            depth == 0
                ? leaf(1)
                : depth.isMultiple(of: 2)
                    ? .and([tree(depth - 1), .not(.not(tree(depth - 1)))])
                    : .or([tree(depth - 1), .and([tree(depth - 1)])])
        }
        #expect(try run(tree(9)) == 1)
    }

    private func code(_ condition: Condition) -> QueryError.Code? {
        do {
            _ = try Query(condition).sql(.sqlite, from: "t")
            return nil
        } catch {
            return error.code
        }
    }

    /// Names and keys of every kind find only their own field.
    @Test func namesAreQuoted() throws {
        let names = [
            "a\"b", "a'b", "a;DROP TABLE t", "a]b", "a`b", "select", "é", "a b", "1", "--", "/*", "a\\b", "?1", "$x",
            "[0]",
            "a.b", "\u{1F600}", "a\nb", "'||(SELECT 1)||'", "rowid'",
        ]
        for name in names {
            let database = try SQLiteDatabase.inMemory()
            let quoted =
                "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
            try database.execute("CREATE TABLE \(quoted) (\(quoted) INTEGER, doc TEXT)")
            let document = JSONWriter().text(.object([name: 7]))
            _ = try database.rows("INSERT INTO \(quoted) VALUES (7, ?)", [.string(document)])
            let condition = Condition.comparison(
                Comparison(.field(FieldPath(keys: [name]), .none), .equal, .value(.int(7), .none))
            )
            let query = Query(condition, order: [SortKey(FieldPath(keys: [name]))])
            let statement = try query.sql(.sqlite, from: name)
            #expect(try database.rows(statement.sql, statement.bindings).count == 1, "\(name)")
            do throws(QueryError) {
                let inJSON = try query.sql(.sqlite, from: SQLTable(name, storage: .document()))
                let found = try database.rows(inJSON.sql, inJSON.bindings)
                #expect(found.count == 1, "\(name)")
            } catch {
                #expect(error.code == .unsupported && name.contains("\""), "\(name): \(error.message)")
            }
        }
        #expect(throws: QueryError.self) { try Query().sql(.sqlite, from: "a\0b") }
    }

    @Test func missingThingsAreNamed() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE cities (name TEXT)")
        let query = Query(leaf(1))
        #expect { try query.rows(in: database, from: "city") } throws: { error in
            (error as? QueryError)?.code == .store && (error as? QueryError)?.hint?.contains("cities") == true
        }
        #expect { try query.rows(in: database, from: "cities") } throws: { error in
            (error as? QueryError)?.code == .unknownField
        }
    }
}
