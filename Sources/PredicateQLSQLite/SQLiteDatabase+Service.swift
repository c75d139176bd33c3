import PredicateQL
import QueryValues

/// The databases of services, whose tables no other program writes.
extension SQLiteDatabase {
    /// Marks the file of a service: "pqls".
    package static let serviceID = 0x7071_6C73

    /// True if the tables of a database are a service's.
    package static func areOfService(_ tables: [String]) -> Bool {
        ["meta", "collection", "receipt"].allSatisfy { tables.contains($0) }
    }

    /// The tables of the collections of a name, one for each app that has it; none in other databases.
    package func tables(ofCollection name: String) -> [(app: String, table: String)] {
        let sql = "SELECT app, 'e' || n AS entities FROM collection WHERE name = ? ORDER BY app"
        let rows = (try? rows(sql, [.string(name)])) ?? []
        return rows.compactMap { row in
            guard case .string(let app)? = row["app"], case .string(let table)? = row["entities"] else { return nil }
            return (app, table)
        }
    }

    /// Refuses the database of a service, which writes its tables alone.
    package func refuseService(_ path: String) throws(QueryError) {
        let isMarked = try rows("PRAGMA application_id").first?.values.first == .int(Int64(Self.serviceID))
        let tables = try tableNames()
        guard isMarked || Self.areOfService(tables) else { return }
        throw QueryError(
            .store,
            "\(path) is the database of a service, which no other program writes",
            hint: "import into another file, or a folder of NAME.ndjson as an app: pql import FOLDER --app KEY"
        )
    }
}
