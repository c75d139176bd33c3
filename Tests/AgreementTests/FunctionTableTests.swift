import PredicateQL
import Testing

/// The function table's entry for a store agrees with the store's writer.
@Suite struct FunctionTableTests {
    private static let circle: QueryValue = .shape(.circle(longitude: 0, latitude: 0, radius: 10))

    private func query(_ row: FunctionEntry) throws(QueryError) -> Query {
        // A store casts only values that already have the kind.
        let schema = row.node == .cast ? Schema([.field("a", .string)]) : nil
        return try Query(
            parsing: row.example,
            arguments: row.example.contains("%@") ? [Self.circle] : [],
            schema: schema
        )
    }

    @Test func mongoSaysWhatTheTableSays() throws {
        for row in FunctionEntry.table {
            let query = try query(row)
            check(row, row.mongo) { () throws(QueryError) in try query.mongo(now: 0).json }
        }
    }

    @Test func sqliteSaysWhatTheTableSays() throws {
        for row in FunctionEntry.table {
            let query = try query(row)
            check(row, row.sql) { () throws(QueryError) in
                try query.sql(.sqlite, from: SQLTable("t", storage: row.node == .cast ? .columns : .document()), now: 0)
                    .sql
            }
        }
    }

    private func check(
        _ row: FunctionEntry,
        _ spelling: FunctionEntry.Spelling,
        _ translate: () throws(QueryError) -> String
    ) {
        do throws(QueryError) {
            let text = try translate()
            switch spelling {
            case .name(let name): #expect(text.contains(name), "\(row.name): no \(name) in \(text)")
            case .form: #expect(!text.isEmpty, "\(row.name)")
            case .missing: Issue.record("\(row.name) is not there by the table, and yet: \(text)")
            }
        } catch {
            guard case .missing(let reason) = spelling else {
                Issue.record("\(row.name) is there by the table, and yet: \(error)")
                return
            }
            #expect(error.code == .unsupported, "\(row.name): \(error)")
            #expect(error.message == reason, "\(row.name)")
            #expect(error.range != nil, "\(row.name) is refused without a place")
        }
    }

    @Test func rowsEvaluate() throws {
        let root = try #require(FunctionEntry.named("sqrt"))
        #expect(root.value(of: [.int(9)], now: 0) == .double(3))
        let sum = try #require(FunctionEntry.named("add:to:"))
        #expect(sum.value(of: [.int(1), .int(2)], now: 0) == .none)
        for row in FunctionEntry.table {
            guard case .call = row.node else { continue }
            #expect(row.value(of: [], now: 0) != .none, "\(row.name) does not evaluate")
        }
    }
}
