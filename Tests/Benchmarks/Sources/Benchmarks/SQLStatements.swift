import CCallbacks
import Foundation
import PredicateQL
import PredicateQLSQLite

/// The 20 predicates in SQLite in memory: the library's statement, translated and prepared each time, compared with SQL
/// written by hand for this data, prepared and run by the same code.
extension Benchmarks {
    func sql() throws {
        let database = try peopleInSQLite()
        var comparison = Comparison(work: "SQLite count, \(rows) rows", rival: "by hand", goal: 1.05)
        for predicate in predicates {
            guard let byHand = Self.handWrittenSQL[predicate.id] else { continue }
            var query = try Query(parsing: predicate.format)
            query.schema = Self.peopleSchema
            let sql = Self.counting + byHand
            let found = try count(database.rows(sql))
            let same = try count(ask(query, database)) == found
            let (ours, theirs) = try stopwatch.compare {
                keep(try ask(query, database))
            } _: {
                keep(try database.rows(sql))
            }
            comparison.entries.append(
                .init(
                    name: predicate.name,
                    found: found,
                    ours: ours.nanoseconds / Double(rows),
                    theirs: same ? theirs.nanoseconds / Double(rows) : nil
                )
            )
        }
        report.add(comparison)
        try functions(database)
        try translation(database)
    }

    private func peopleInSQLite() throws -> SQLiteDatabase {
        let people = People.documents(rows)
        let database = try SQLiteDatabase.inMemory()
        try database.importDocuments(people, into: "people")
        return database
    }

    /// The functions that statements call, compared with C callbacks that do the same for ASCII.
    private func functions(_ database: SQLiteDatabase) throws {
        guard register_raw_callbacks(UnsafeMutableRawPointer(database.handle)) == 0 else {
            report.leaveOut("callbacks in C", because: "SQLite did not register them")
            return
        }
        var comparison = Comparison(work: "SQLite functions, \(rows) rows", rival: "raw C", goal: 1.2)
        for (name, ours, theirs) in [
            ("MATCHES", "pred_match('M.*son', name)", "raw_match('M.*son', name)"),
            ("fold [c]", "fold('c', city) = 'kyoto'", "raw_fold(city) = 'kyoto'"),
            ("fold [cd]", "fold('cd', city) = 'kyoto'", "raw_fold(city) = 'kyoto'"),
        ] {
            let (ours, theirs) = (Self.counting + ours, Self.counting + theirs)
            let found = try count(database.rows(theirs))
            let same = try count(database.rows(ours)) == found
            let (cost, raw) = try stopwatch.compare {
                keep(try database.rows(ours))
            } _: {
                keep(try database.rows(theirs))
            }
            comparison.entries.append(
                .init(
                    name: name,
                    found: found,
                    ours: cost.nanoseconds / Double(rows),
                    theirs: same ? raw.nanoseconds / Double(rows) : nil
                )
            )
        }
        report.add(comparison)
    }

    private static let counting = "SELECT count(*) FROM people WHERE "

    private func ask(_ query: Query, _ database: SQLiteDatabase) throws -> [Document] {
        let statement = try query.sqlCount(.sqlite, from: "people", now: 0)
        return try database.rows(statement.sql, statement.bindings)
    }

    private func count(_ rows: [Document]) -> Int {
        if case .int(let number)? = rows.first?.values.first { Int(number) } else { -1 }
    }

    /// The cost of translation alone, and compared with preparing and running the statement.
    private func translation(_ database: SQLiteDatabase) throws {
        var table = Table(["translation of three terms", "time", "allocations", "of prepare and run"])
        for format in [
            "age >= 30 AND active == TRUE AND score < 50", "city == 'Kyoto' OR age < 5 OR score > 99",
            "name BEGINSWITH 'Mar' AND age > 42 AND nickname != nil",
        ] {
            var query = try Query(parsing: format)
            query.schema = Self.peopleSchema
            let statement = try query.sqlCount(.sqlite, from: "people", now: 0)
            let run = try stopwatch.measure { keep(try database.rows(statement.sql, statement.bindings)) }
            for (name, dialect) in [("SQLite", SQLDialect.sqlite), ("PostgreSQL", .postgresql)] {
                let cost = try stopwatch.measure { keep(try query.sqlCount(dialect, from: "people", now: 0)) }
                let share = String(format: "%.4f %%", 100 * cost.nanoseconds / run.nanoseconds)
                table.add([
                    "\(format), \(name)", duration(cost.nanoseconds), String(Int(cost.allocations)),
                    name == "SQLite" ? share : "",
                ])
            }
        }
        table.print(title: "Translation to SQL (goals: 5 µs, and 1 % of prepare and run over \(rows) rows)")
    }

    private static let peopleSchema = Schema(
        [
            .field("name", .string), .field("age", .int), .field("score", .double), .field("active", .bool),
            .field("city", .string), .field("nickname", .string), .field("tags", .list(.string)),
            .field("address", .object(Schema([.field("geo", .object(Schema([.field("lat", .double)])))]))),
            .field("orders", .list(.object(Schema([.field("amount", .double), .field("qty", .int)])))),
        ],
        allowsOthers: true
    )

    /// SQL as written by someone who knows SQLite and this data.
    private static let handWrittenSQL = [
        "P01": "age > 42",
        "P02": "city = 'Kyoto'",
        "P03": "name >= 'Mar' AND name < 'Mas'",
        "P04": "instr(name, 'son') > 0",
        "P05": "age >= 30 AND active = 1 AND score < 50",
        "P06": "city = 'Kyoto' OR age < 5 OR score > 99",
        "P07": "nickname IS NULL",
        "P08": "json_array_length(tags) > 2",
        "P09": "age * 2 + 10 > 100",
        "P10": "fold('cd', name) >= 'mar' AND fold('cd', name) < 'mas'",
        "P11": "pred_match('M.*son', name)",
        "P12": "city IN ('Kyoto', 'Lagos', 'Oslo', 'Lima', 'Quito')",
        "P13": "age BETWEEN 30 AND 40",
        "P14": "json_extract(address, '$.geo.lat') > 45",
        "P15": "EXISTS (SELECT 1 FROM json_each(tags) WHERE value = 'red')",
        "P16": "EXISTS (SELECT 1 FROM json_each(orders) WHERE json_extract(value, '$.amount') > 500)",
        "P17": """
        (SELECT count(*) FROM json_each(orders)
        WHERE json_extract(value, '$.amount') > 100 AND json_extract(value, '$.qty') >= 5) >= 2
        """,
        "P18": "(SELECT total(json_extract(value, '$.amount')) FROM json_each(orders)) > 1000",
        "P19": "name GLOB 'Mar*n'",
        "P20": "fold('c', city) = 'kyoto'",
    ]
}
