#if GRDB
    import Foundation
    import GRDB
    import PredicateQL
    import PredicateQLGRDB
    import SpecSupport
    import Testing

    /// Columns and tables named like what subqueries name themselves.
    @Suite struct NameTests {
        private static let names = [
            "key", "value", "type", "atom", "json", "parent", "path", "root", "fullkey", "v", "n", "s", "doc", "e1",
        ]
        private static let lists = [
            "'[]'", "'[1,2]'", "'{\"v\":1,\"value\":2}'", "NULL", "'[1,2.0]'", "'[\"a\"]'", "'3'",
        ]

        /// The same rows in tables of several names, and a table of rows that belong to each.
        private static func makeTables(_ tables: [String], of types: [String] = ["JSON"]) throws -> DatabaseQueue {
            var random = SeededGenerator(SeededGenerator.seed(20_261_127))
            let queue = try DatabaseQueue()
            try queue.write { db in
                let columns = names.enumerated().map { "\"\($1)\" \(types[$0 % types.count])" }.joined(separator: ", ")
                for table in tables {
                    try db.execute(sql: "CREATE TABLE \(table) (id INTEGER PRIMARY KEY, \(columns))")
                }
                for id in 1...30 {
                    let values = names.map { _ in lists.randomElement(using: &random) ?? "" }.joined(separator: ", ")
                    for table in tables { try db.execute(sql: "INSERT INTO \(table) VALUES (\(id), \(values))") }
                }
            }
            return queue
        }

        @Test(arguments: [["JSON"], ["JSON", "TEXT", "INTEGER", "BOOLEAN", "DATETIME"]])
        func columnsAreThoseOfTheRow(_ types: [String]) throws {
            var random = SeededGenerator(SeededGenerator.seed(20_261_128))
            let queue = try Self.makeTables(["setting"], of: types)
            let rows = try queue.read { try Query().results(in: $0, from: "setting") }
            for (left, right) in Self.names.flatMap({ left in Self.names.map { (left, $0) } }) {
                for sign in ["==", "!=", "<", "IN", "CONTAINS"] where Int.random(in: 0..<8, using: &random) == 0 {
                    let query = try Query(parsing: "\(left) \(sign) \(right)")
                    try queue.read { db in
                        guard let found = try? query.results(in: db, from: "setting") else { return }
                        let filtered = try Table<Row>("setting").all().filter(query).order(Column("id")).fetchAll(db)
                        #expect(filtered.map { .int($0["id"]) } == found.map { $0["id"] }, "\(query)")
                        guard types == ["JSON"] else { return }
                        let expected = try query.results(in: rows).map { $0["id"] }
                        #expect(found.map { $0["id"] } == expected, "\(query) in memory")
                    }
                }
            }
        }

        @Test func tablesAreThoseOfTheRow() throws {
            let tables = [
                "setting", "e", "e1", "E2", "e3", "f1", "i1", "v1", "g", "s", "v", "n", "t", "counted",
                "predicateql_row",
            ]
            let queue = try Self.makeTables(tables)
            let formats = [
                "ANY value == 1", "ANY key == 1 AND ANY value == 2", "value.@count == 2", "ANY value.v == 1",
                "NONE value.v == id", "SUBQUERY(value, $x, $x == id).@count > 0", "ANY value == id",
                "ANY atom BEGINSWITH 'a'", "value == path", "value.@sum > id", "ANY {id, 3} == 3", "value CONTAINS id",
                "median({id, 3, 5}) > 3", "median(value) > id", "mode(value) == 1", "stddev(value) > 0.1",
                "id IN (value UNION path)", "value[0] == id",
            ]
            try queue.write { db in
                for format in formats {
                    let query = try Query(parsing: format, order: ["id"])
                    let expected = try query.results(in: db, from: "setting")
                    #expect(try query.results(in: Query().results(in: db, from: "setting")) == expected, "\(format)")
                    for table in tables {
                        #expect(try query.results(in: db, from: table) == expected, "\(format) in \(table)")
                        #expect(try query.count(in: db, from: table) == expected.count, "\(format) in \(table)")
                        let filtered = Table<Row>(table).all().filter(Query(query.condition))
                        #expect(try filtered.fetchCount(db) == expected.count, "\(format) in \(table) by a filter")
                        try db.inSavepoint {
                            let deleted = try Query(query.condition).delete(in: db, from: table)
                            #expect(deleted == expected.count, "\(format) from \(table)")
                            return .rollback
                        }
                    }
                }
                for format in formats {
                    let grouping = Query(try Condition(parsing: format)).grouped(by: "type", computing: [.count])
                    let expected = try grouping.rows(in: db, from: "setting")
                    for table in tables {
                        #expect(try grouping.rows(in: db, from: table) == expected, "\(format) in groups of \(table)")
                    }
                }
            }
        }
    }
#endif
