import PredicateQL
import QueryTree
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

    /// Refuses a form of a service's tables that is none of those from 1 to the newest.
    package static func refusal(ofFormat format: String?, newest: String) -> QueryError {
        let isLater = Int(format ?? "") ?? 0 > Int(newest) ?? 0
        return QueryError(
            .store,
            "the database has the format \(format ?? "of no version"), and this pql reads 1 to \(newest)",
            hint: isLater
                ? "a newer pql wrote it: run that one, or restore a backup that this one made"
                : "no version wrote this format, older or newer: restore a backup"
        )
    }

    /// Refuses to write into a file that was removed or replaced: nobody would find what is written.
    package func demandFile() throws(QueryError) {
        guard hasMoved else { return }
        throw QueryError(
            .store,
            "the database's file was removed or replaced while the service runs",
            hint: "put the file back, or stop the service and restore a backup"
        )
    }

    /// Refuses the database of another program, so that no service writes into it.
    package func demandServicesOwn() throws(QueryError) {
        let tables = try tableNames()
        let identifier = try rows("PRAGMA application_id").first?.values.first
        let isOwn =
            identifier == .int(Int64(Self.serviceID))
            || identifier == .int(0) && (tables.isEmpty || Self.areOfService(tables))
        guard isOwn else { throw QueryError(.store, "the database belongs to another program") }
    }
}

/// The keys of an index as an option names them: paths that are compared, then signed ones that are only sorted by,
/// such as `author,-year`.
///
/// The last path that is compared may be a range of it, in its order.
package struct IndexKeys {
    private let text: String

    package init(_ text: String) { self.text = text }

    /// The paths without their signs.
    package var paths: [String] { all.filter { !$0.isEmpty } }

    /// The paths without their signs, also those that are empty.
    package var all: [String] {
        text.split(separator: ",", omittingEmptySubsequences: false)
            .map { String(["+", "-"].contains($0.prefix(1)) ? $0.dropFirst() : $0) }
    }

    /// A page that would use the index.
    package func query() -> Query {
        var query = Query(limit: 1)
        for part in text.split(separator: ",") {
            if part.hasPrefix("-") || part.hasPrefix("+") {
                query.order.append(SortKey(FieldPath(dotted: String(part.dropFirst())), ascending: part.hasPrefix("+")))
            } else {
                query.condition = query.condition && Field(FieldPath(dotted: String(part))) == ""
            }
        }
        return query
    }
}

extension SQLStorage {
    /// Where the entities of a collection are; all have the times of `_kmd`, as texts of one form.
    package static let entities: SQLStorage = {
        var storage = SQLStorage.document(column: "doc", key: "id")
        for time in ["lmt", "ect"] { storage.textFields[FieldPath(keys: ["_kmd", time])] = .string }
        return storage
    }()
}
