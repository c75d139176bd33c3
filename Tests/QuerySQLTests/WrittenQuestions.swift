import Foundation
import PredicateQL
import QueryTree
import QueryValues
import SpecSupport

/// A hand-written query with the documents that it must find: a block of a spec file, or a line of `truth.json`.
struct WrittenQuestion {
    /// The query's place, for messages.
    let place: String
    let query: Query
    let rows: [Document]
    /// The positions of the expected rows.
    let expected: Set<Int>
    let now: Int64?

    /// Every block of the spec files with expected rows, except groups and queries that must be rejected.
    static func specs() throws -> [WrittenQuestion] {
        try SpecFile.allCases().compactMap { spec in
            guard spec["finds"] != nil, spec["group"] == nil, !spec.rows.isEmpty,
                let query = try? SpecQuery.query(spec), query.skip == nil, query.limit == nil
            else { return nil }
            let labels = SpecQuery.expected(spec)
            let positions = labels.compactMap { label in spec.rows.firstIndex { $0.label == label } }
            guard positions.count == labels.count else { return nil }
            return WrittenQuestion(
                place: "\(spec.place): \(spec.query)",
                query: query,
                rows: try SpecQuery.documents(spec),
                expected: Set(positions),
                now: spec["now"].flatMap { Int64($0) }
            )
        }
    }

    /// The lines of `truth.json` that are not errors, over its one object.
    static func truths() throws -> [WrittenQuestion] {
        let url = SpecFile.repository.appendingPathComponent("Tests/Data/truth.json")
        guard case .object(let file) = try QueryValue(json: String(contentsOf: url, encoding: .utf8), extended: true),
            case .object(let row)? = file["object"], case .list(let cases)? = file["cases"]
        else { return [] }
        return try cases.compactMap { entry in
            guard case .object(let entry) = entry, case .string(let format)? = entry["format"],
                case .bool(let holds)? = entry["result"]
            else { return nil }
            return WrittenQuestion(
                place: "truth.json: \(format)",
                query: try Query(parsing: format),
                rows: [row.asJSONKeepsIt],
                expected: holds ? [0] : [],
                now: 1_700_000_000_000
            )
        }
    }
}

extension WrittenQuestion {
    /// The statement for a store of documents, for a judge; nil if its SQL does not support the query.
    ///
    /// - Throws: every error except `unsupported`.
    func judged(in dialect: SQLDialect) throws -> Document? {
        var statement = SQLQuery?.none
        do throws(QueryError) {
            statement = try query.sql(dialect, from: SQLTable("docs", storage: .document(), primaryKey: "id"), now: now)
        } catch {
            if error.code != .unsupported { throw error }
        }
        guard let statement else { return nil }
        let doubtful = rows.indices.filter { at in statement.assumptions.contains { !rows[at].fulfils($0) } }
        func numbers(_ positions: some Sequence<Int>) -> QueryValue { .list(positions.map { .int(Int64($0)) }) }
        return Document(pairs: [
            ("where", .string(statement.where)),
            ("bindings", .list(statement.whereBindings.map(TypedCases.encoded))),
            ("expected", numbers(expected.subtracting(doubtful).sorted())),
            ("doubtful", numbers(doubtful)),
            ("query", .string(place)),
        ])
    }

    /// Whether `jsonb` can represent the rows, which excludes NUL.
    var isForDocuments: Bool {
        !rows.contains { JSONWriter().text(.object($0)).contains("\\u0000") }
    }
}
