import PredicateQL
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport

/// The target of a query; the order is that of the hashes in a line of the golden file.
enum GoldenTarget: String, CaseIterable, Sendable {
    case text, mongo, mongoGuarded, mongoFindOnly, mongoKinvey
    case sqliteColumns, sqliteDocuments, postgresqlColumns, postgresqlDocuments, duckDB
    case rows

    /// The target's output for a query: its text with everything that belongs to it, or the error.
    ///
    /// - Parameter question: the query, its possible groups, and its rows.
    /// - Returns: a text that differs if any part of the answer does.
    func output(_ question: GoldenQuestion) -> String {
        do throws(QueryError) {
            let query = try question.query.get()
            guard let grouping = try question.grouping?.get() else { return try output(query, question) }
            return try output(grouping, question)
        } catch {
            return Self.describe(error)
        }
    }

    private func output(_ query: Query, _ question: GoldenQuestion) throws(QueryError) -> String {
        switch self {
        case .text: return query.format + "\n" + query.treeDump
        case .mongo, .mongoGuarded, .mongoFindOnly, .mongoKinvey:
            let mongo = try query.mongo(profile, guarded: self == .mongoGuarded, now: question.now)
            return mongo.json + Self.list(mongo.assumptions)
        case .sqliteColumns, .sqliteDocuments, .postgresqlColumns, .postgresqlDocuments, .duckDB:
            let sql = try query.sql(dialect, from: SQLTable("t", storage: storage, primaryKey: "id"), now: question.now)
            return Self.describe(sql)
        case .rows:
            var found = ""
            for row in question.rows {
                do throws(QueryError) {
                    found += try query.matches(row, now: question.now) ? "1" : "0"
                } catch {
                    found += "\n" + Self.describe(error) + "\n"
                }
            }
            return try found + Self.json(query.results(in: question.rows, now: question.now))
        }
    }

    private func output(_ grouping: Grouping, _ question: GoldenQuestion) throws(QueryError) -> String {
        switch self {
        case .text: return grouping.query.format
        case .mongo, .mongoGuarded, .mongoFindOnly, .mongoKinvey:
            let pipeline = try grouping.mongo(profile, guarded: self == .mongoGuarded, now: question.now)
            return pipeline.json + Self.list(pipeline.assumptions)
        case .sqliteColumns, .sqliteDocuments, .postgresqlColumns, .postgresqlDocuments, .duckDB:
            return Self.describe(
                try grouping.sql(dialect, from: SQLTable("t", storage: storage, primaryKey: "id"), now: question.now)
            )
        case .rows: return try Self.json(grouping.results(in: question.rows, now: question.now))
        }
    }

    private var profile: MongoProfile {
        switch self {
        case .mongoFindOnly: .findOnly
        case .mongoKinvey: .kinvey
        default: .mongoDB
        }
    }

    private var dialect: SQLDialect {
        switch self {
        case .postgresqlColumns, .postgresqlDocuments: .postgresql
        case .duckDB: .duckDB
        default: .sqlite
        }
    }

    private var storage: SQLStorage {
        self == .sqliteDocuments || self == .postgresqlDocuments ? .document() : .columns
    }

    private static func describe(_ sql: SQLQuery) -> String {
        let functions = sql.functions.map { "\($0.name)/\($0.arguments)" }.joined(separator: " ")
        return sql.sql + "\n-- " + QueryValue.list(sql.bindings).extendedJSON(.canonical) + "\n-- where: " + sql.where
            + "\n-- calls: " + functions + list(sql.assumptions)
    }

    private static func describe(_ error: QueryError) -> String {
        let place = error.range.map { " at \($0.lowerBound)..<\($0.upperBound)" } ?? ""
        return "error \(error.code.rawValue)\(place)"
    }

    private static func list(_ assumptions: [Assumption]) -> String {
        "\n-- assumes: " + QueryValue.list(assumptions.map { .object($0.document) }).json
    }

    private static func json(_ documents: [Document]) -> String {
        QueryValue.list(documents.map(QueryValue.object)).extendedJSON(.canonical)
    }
}
