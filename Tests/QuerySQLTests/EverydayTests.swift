import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// The queries of `everyday.spec` in every store: each finds what the block says, and only the listed stores refuse it.
///
/// `SQL_CASES=path` writes what PostgreSQL and DuckDB must find there, for `Tests/Judges/sql.sh`.
@Suite(.serialized) struct EverydayTests {
    @Test func onlyTheListedStoresRefuse() throws {
        let blocks = try SpecFile.allCases().filter { $0.file == "everyday.spec" }
        #expect(blocks.count >= 200)
        var refusals: [EverydayStore: Int] = [:]
        for block in blocks {
            let listed = Set(
                (block["refused"] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            )
            let refused = try EverydayStore.allCases.filter { try query(block, in: $0) == nil }
            for store in refused { refusals[store, default: 0] += 1 }
            #expect(
                listed == Set(refused.map(\.rawValue)),
                "\(block.place): \(block.query)\nrefused: \(refused.map(\.rawValue).joined(separator: ", "))"
            )
        }
        let counts = EverydayStore.allCases.map { "\($0.rawValue) \(refusals[$0] ?? 0)" }.joined(separator: ", ")
        print("\(blocks.count) everyday queries; refused by \(counts)")
    }

    @Test(arguments: [EverydayStore.sqlite, .bare, .documents])
    func findsInSQLite(_ store: EverydayStore) throws {
        for (_, blocks) in try groups() {
            let database = try SQLiteDatabase.inMemory()
            try fill(database, store, blocks[0])
            for block in blocks {
                guard let statement = try query(block, in: store) else { continue }
                let found = try database.rows(statement.sql, statement.bindings).map(key)
                let expected = expectation(block)
                #expect(
                    block["order"] == nil ? found.sorted() == expected.sorted() : found == expected,
                    "\(store.rawValue), \(block.place): \(block.query)\n\(statement.sql)\n\(found), not \(expected)"
                )
            }
        }
    }

    @Test func findsInMongo() throws {
        for (_, blocks) in try groups() {
            let documents = try blocks[0].documents()
            for block in blocks where block["limit"] == nil {
                // Without a schema a path such as `orders.lines` is assumed to cross no list.
                guard let (filter, assumptions) = try filter(block), documents.allSatisfy(assumptions.hold) else {
                    continue
                }
                let found = try documents.indices.filter { try MongoJudge.matches(documents[$0], filter) }
                let expected = expectation(block).map { Int($0) - 1 }.sorted()
                #expect(found == expected, "\(block.place): \(block.query)\n\(QueryValue.object(filter).json)")
            }
        }
    }

    /// Writes the cases for the judges.
    @Test(arguments: EverydayStore.allCases.filter(\.isJudged))
    func judgedCases(_ store: EverydayStore) throws {
        for (number, blocks) in try groups() {
            let cases = try blocks.compactMap { block in
                try query(block, in: store).map { judged($0, block) }
            }
            #expect(!cases.isEmpty)
            var content: Document = [
                "rows": .list(try documents(blocks[0]).map { .string(JSONWriter().text(.object($0))) }),
                "cases": .list(cases.map { .object($0) }),
            ]
            if !store.keepsDocuments {
                let tables = try EverydayTables(blocks[0], in: store)
                content["setup"] = .list(tables.setup.map { .string($0) })
            }
            // The judge is chosen by the name's beginning.
            let judge = store.dialect == .duckDB ? "duckdb" : "postgresql"
            let name = store.rawValue.replacing(" ", with: "-")
            try TypedCases.write(content, as: "\(judge)-everyday-\(name)-\(number)")
        }
    }

    private func judged(_ statement: SQLQuery, _ block: SpecCase) -> Document {
        let found = expectation(block)
        guard block["order"] == nil else {
            let rows = found.map { QueryValue.list([TypedCases.encoded(.int($0))]) }
            return [
                "sql": .string(statement.sql), "bindings": .list(statement.bindings.map(TypedCases.encoded)),
                "rows": .list(rows), "query": .string("\(block.place): \(block.query)"),
            ]
        }
        return [
            "where": .string(statement.where), "bindings": .list(statement.whereBindings.map(TypedCases.encoded)),
            "expected": .list(found.map { .int($0 - 1) }.sorted { $0.json < $1.json }), "doubtful": .list([]),
            "query": .string("\(block.place): \(block.query)"),
        ]
    }

    // MARK: Blocks

    /// The blocks by their rows.
    private func groups() throws -> [(number: Int, blocks: [SpecCase])] {
        var groups: [[SpecCase]] = []
        for block in try SpecFile.allCases() where block.file == "everyday.spec" {
            if groups.last?[0].rows.map(\.json) == block.rows.map(\.json) {
                groups[groups.count - 1].append(block)
            } else {
                groups.append([block])
            }
        }
        return groups.enumerated().map { ($0.offset, $0.element) }
    }

    /// The statement, or nil if the store refuses the query; for Mongo a statement of nothing.
    private func query(_ block: SpecCase, in store: EverydayStore) throws -> SQLQuery? {
        if store == .mongo { return try filter(block).map { _ in try Query(.constant(true)).sql(from: "docs") } }
        var query = try parsed(block)
        query.schema = try EverydayTables(block, in: store).schema
        query.fields = store.keepsDocuments ? nil : ["id"]
        do throws(QueryError) {
            query = try query.checked()
            return try query.sql(
                store.dialect,
                from: SQLTable("docs", storage: store.storage(query.schema), primaryKey: "id"),
                now: block.now ?? 0
            )
        } catch {
            guard error.code == .unsupported, error.range != nil || block["order"] != nil else { throw error }
            return nil
        }
    }

    /// The Mongo filter and what it assumes, or nil if it is refused.
    private func filter(_ block: SpecCase) throws -> (Document, [Assumption])? {
        do throws(QueryError) {
            let mongo = try parsed(block).mongo(.mongoDB, now: block.now ?? 0)
            return (mongo.filter, mongo.assumptions)
        } catch {
            guard error.code == .unsupported else { throw error }
            return nil
        }
    }

    private func parsed(_ block: SpecCase) throws(QueryError) -> Query {
        var block = block
        block.entries["schema"] = nil
        return try block.makeQuery()
    }

    /// The keys of the rows that the block expects.
    private func expectation(_ block: SpecCase) -> [Int64] {
        SpecQuery.expected(block).compactMap { label in
            block.rows.firstIndex { $0.label == label }.map { Int64($0) + 1 }
        }
    }

    /// The rows with their keys, as documents of a JSON store.
    private func documents(_ block: SpecCase) throws -> [Document] {
        try SpecQuery.documents(block).enumerated().map { number, row in
            var row = row
            row["id"] = .int(Int64(number) + 1)
            return row
        }
    }

    private func fill(_ database: SQLiteDatabase, _ store: EverydayStore, _ block: SpecCase) throws {
        try SQLiteFunctions.register(on: database.handle)
        guard store.keepsDocuments else {
            for statement in try EverydayTables(block, in: store).setup { try database.execute(statement) }
            return
        }
        try database.execute("CREATE TABLE docs (id INTEGER PRIMARY KEY, doc TEXT)")
        for row in try documents(block) {
            _ = try database.rows("INSERT INTO docs (doc) VALUES (?)", [.string(JSONWriter().text(.object(row)))])
        }
    }

    private func key(_ row: Document) -> Int64 {
        if case .int(let id)? = row["id"] { return id }
        if case .string(let json)? = row["doc"], case .object(let document)? = try? QueryValue(json: json),
            case .int(let id)? = document["id"]
        {
            return id
        }
        return -1
    }
}
