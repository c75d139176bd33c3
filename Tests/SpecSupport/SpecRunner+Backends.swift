import Foundation
import PredicateQL

extension SpecRunner {
    /// The columns of Mongo.
    ///
    /// - Returns: the failures.
    /// - Throws: when a spec file cannot be read.
    public static func mongoFailures() throws -> [String] {
        try failures(in: [.mongo, .mongoGuarded, .mongoKinvey, .mongoFindOnly, .assumes]) { spec, column in
            try answer(of: spec, column: column) {
                let (profile, guarded) = mongoOptions(column)
                if let grouping = try spec.makeGrouping() {
                    let pipeline = try grouping.mongo(profile, guarded: guarded, now: spec.now)
                    return column == .assumes ? json(pipeline.assumptions) : QueryValue.object(pipeline.document).json
                }
                let mongo = try spec.makeQuery().mongo(profile, guarded: guarded, now: spec.now)
                return column == .assumes ? json(mongo.assumptions) : QueryValue.object(mongo.document).json
            }
        }
    }

    /// The columns of SQL.
    ///
    /// - Returns: the failures.
    /// - Throws: when a spec file cannot be read.
    public static func sqlFailures() throws -> [String] {
        let columns: [SpecColumn] = [.sqlite, .sqliteDocument, .postgresql, .postgresqlDocument, .duckdb]
        return try failures(in: columns) { spec, column in
            let isDocument = column == .sqliteDocument || column == .postgresqlDocument
            let storage: SQLStorage = isDocument ? .document(column: "doc") : .columns
            let dialect: SQLDialect =
                switch column {
                case .postgresql, .postgresqlDocument: .postgresql
                case .duckdb: .duckDB
                default: .sqlite
                }
            let expected = spec[column.rawValue] ?? ""
            do {
                let sql = try spec.makeQuery().sql(
                    dialect,
                    from: SQLTable("t", storage: storage, primaryKey: "id"),
                    now: spec.now
                )
                let bindings = sql.whereBindings.isEmpty ? "" : " -- " + JSONWriter().text(.list(sql.whereBindings))
                return difference(expected, sql.where + bindings)
            } catch let error as QueryError where error.code.rawValue == expected {
                return nil
            }
        }
    }

    private static func answer(
        of spec: SpecCase,
        column: SpecColumn,
        _ translate: () throws -> String
    ) throws -> String? {
        let expected = spec[column.rawValue] ?? ""
        do {
            let actual = try translate()
            guard expected.hasPrefix("{") || expected.hasPrefix("[") else { return difference(expected, actual) }
            return try mongoDifference(expected, actual)
        } catch let error as QueryError where error.code.rawValue == expected {
            return nil
        }
    }

    /// Compares only the filter unless a whole answer is expected.
    private static func mongoDifference(_ expected: String, _ actual: String) throws -> String? {
        let wanted = try QueryValue(json: expected)
        var given = try QueryValue(json: actual)
        if case .object(var answer) = given {
            answer["assumptions"] = nil
            let isWhole =
                if case .object(let document) = wanted {
                    document["filter"] != nil || document["pipeline"] != nil
                } else {
                    false
                }
            given = isWhole ? .object(answer) : answer["filter"] ?? .object(answer)
        }
        return wanted == given ? nil : difference(wanted.json, given.json)
    }

    private static func mongoOptions(_ column: SpecColumn) -> (MongoProfile, Bool) {
        switch column {
        case .mongoGuarded: (.mongoDB, true)
        case .mongoKinvey: (.kinvey, false)
        case .mongoFindOnly: (.findOnly, false)
        default: (.mongoDB, false)
        }
    }

    private static func json(_ assumptions: [Assumption]) -> String {
        JSONWriter().text(.list(assumptions.map { .object($0.document) }))
    }
}
