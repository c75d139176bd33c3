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
