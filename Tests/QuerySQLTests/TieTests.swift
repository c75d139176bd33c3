import PredicateQL
import PredicateQLSQLite
import QueryValues
import Testing

/// A part of the rows is the same where memory answers a part of the condition (S22).
@Suite struct TieTests {
    @Test func splitQueriesBreakTiesAndAreGrouped() throws {
        let names = ["t3", "t1", "t4", "t2", "t5"]
        let rows: [Document] = names.enumerated().map { position, name in
            ["_id": .string(name), "age": .int(Int64(position % 2)), "tags": ["a"], "nums": [1]]
        }
        let database = try SQLiteDatabase.inMemory()
        _ = try database.rows("CREATE TABLE t (_id TEXT PRIMARY KEY, doc TEXT)")
        for row in rows {
            _ = try database.rows("INSERT INTO t VALUES (?, ?)", [row["_id"] ?? .null, .string(row.json)])
        }
        let table = SQLTable("t", storage: .document(key: "_id"), primaryKey: "_id")
        let questions: [Reducer] = [.count, .median("age"), .max("_id")]
        for condition in ["NOT (tags UNION nums == nil)", "random() >= 0", "random() >= 0 AND age >= 0"] {
            for reducers in [questions, [.count, .max("_id")]] {
                let grouping = try Query(parsing: condition).grouped(by: "age", computing: reducers)
                #expect(try grouping.results(in: database, from: table) == grouping.results(in: rows), "\(condition)")
            }
            for order in [["-age"], ["age"], ["-age", "_id"], ["age", "-_id"], []] as [[SortKey]] {
                for (skip, limit) in [(nil, 2), (2, 2), (1, nil), (nil, nil)] as [(Int?, Int?)] {
                    var query = try Query(parsing: condition)
                    (query.order, query.skip, query.limit) = (order, skip, limit)
                    #expect(try query.split(for: .sqlite, from: table).memory != nil)
                    let found = try query.results(in: database, from: table).map { $0["_id"] ?? nil }
                    // A store gives a part of its rows in the order of their keys.
                    if order.isEmpty, query.skip != nil || limit != nil { query.order = ["_id"] }
                    let wanted = try query.results(in: rows).map { $0["_id"] ?? nil }
                    #expect(found == wanted, "\(condition) \(order) \(String(describing: skip))")
                }
            }
        }
    }
}
