import PredicateQL
import PredicateQLSQLite
import QueryBatch
import QueryValues
import SpecSupport
import Testing

/// Random questions about random rows: the machine interface and the page answer as memory does, of a file's rows and of
/// a database's.
@Suite struct BatchDoorTests {
    private static func rows(_ random: inout SeededGenerator) -> [Document] {
        (0..<15).map { number in
            var row: Document = ["id": .int(Int64(number))]
            for name in ["x", "y", "n", "m", "s", "t"] where random.chance(80) {
                row[name] = random.chance(50) ? .int(Int64(random.below(4))) : Hostile.value(&random)
            }
            if random.chance(70) { row["l"] = .list((0..<random.below(4)).map { _ in Hostile.scalar(&random) }) }
            return row
        }
    }

    private static func database(_ rows: [Document]) throws -> sending SQLiteDatabase {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x, y BOOLEAN, n REAL, s TEXT)")
        for row in rows {
            let values = ["id", "x", "n", "s"].map { name -> QueryValue in
                switch row[name] {
                case .int(let number)?: .int(number)
                case .string(let text)?: .string(text)
                default: .null
                }
            }
            _ = try database.rows("INSERT INTO t (id, x, n, s) VALUES (?, ?, ?, ?)", values)
        }
        return database
    }

    /// The ids of an answer's rows, or its error's code.
    private static func outcome(_ answer: String, _ keys: [String]) throws -> String {
        var value = try QueryValue(json: answer, extended: true)
        for key in keys {
            guard case .object(let object) = value, let inner = object[key] else { break }
            value = inner
        }
        if case .object(var error) = value {
            if case .object(let inner)? = error["error"] { error = inner }
            return "\(error["code"] ?? .null)"
        }
        return value.json
    }

    private static func outcome(_ body: () throws(QueryError) -> [Document]) -> String {
        do throws(QueryError) {
            return QueryValue.list(try body().map(QueryValue.object)).json
        } catch {
            return "\(QueryValue.string(error.code.rawValue))"
        }
    }

    @Test func randomQuestionsGetTheAnswersOfMemory() throws {
        let seed = SeededGenerator.seed(20_261_126)
        var random = SeededGenerator(seed)
        var generator = ConditionGenerator(seed: seed)
        var (asked, found) = (0, 0)
        for _ in 0..<SeededGenerator.count(6) {
            let rows = Self.rows(&random)
            let documents = QueryValue.list(rows.map(QueryValue.object))
            let playground = Playground()
            let writer = JSONWriter()
            let lines = rows.map { writer.text(.object($0)) }.joined(separator: "\n")
            try playground.add("rows.ndjson", Array(lines.utf8), isDropped: false)
            let database = try Self.database(rows)
            try playground.add("rows.sqlite", Self.database(rows))
            for _ in 0..<40 {
                // A shape is an argument.
                let format = generator.condition().format
                guard var query = try? Query(parsing: format) else { continue }
                query.fields = ["id"]
                let text = QueryValue.string(query.condition.format).json
                let asking = #""format":\#(text),"fields":["id"]"#
                let memory = Self.outcome { () throws(QueryError) in try query.results(in: rows) }
                let batch = BatchProcessor()
                let line = #"{\#(asking),"documents":\#(writer.text(documents)),"outputs":["results"]}"#
                let answer = batch.answer(to: Array(line.utf8))
                #expect(try Self.outcome(answer, ["results"]) == memory, "SEED=\(seed) batch: \(query)")
                let request = Array(#"{\#(asking),"outputs":[]}"#.utf8)
                let page = playground.answer(request, source: "1", shown: 100)
                #expect(try Self.outcome(page, ["page", "rows"]) == memory, "SEED=\(seed) page: \(query)")
                let table = Self.outcome { () throws(QueryError) in
                    var declared = query
                    declared = try Query(parsing: query.condition.format, schema: database.schema(ofTable: "t"))
                    declared.fields = ["id"]
                    return try declared.results(in: database, from: "t")
                }
                let rowsOfTable = playground.answer(request, source: "2", shown: 100)
                #expect(try Self.outcome(rowsOfTable, ["page", "rows"]) == table, "SEED=\(seed) table: \(query)")
                asked += 1
                if memory != "[]" { found += 1 }
            }
        }
        #expect(asked > 100 && found > 30)
    }
}
