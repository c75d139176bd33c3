import Foundation
import PredicateQL
import QueryTree
import QueryValues
import SpecSupport

/// A query of the golden file with everything that its outputs depend on.
struct GoldenQuestion: Sendable {
    /// The complete question: two questions with the same name are the same.
    var name: String
    var query: Result<Query, QueryError>
    var grouping: Result<Grouping, QueryError>?
    var rows: [Document]
    var now: Int64

    /// Every query of the spec files, of `syntax.json`, and the requested number of generated ones, without duplicates.
    static func all(generated: Int) throws -> [GoldenQuestion] {
        var names = Set<String>()
        return try (specs() + syntaxCases() + Generated.questions(generated)).filter { names.insert($0.name).inserted }
    }

    private static func specs() throws -> [GoldenQuestion] {
        try SpecFile.allCases().map { spec in
            let given = spec.entries.filter { SpecColumn(rawValue: $0.key) == nil }
                .sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" }
            let rows = (try? spec.documents()) ?? []
            return GoldenQuestion(
                name: (given + rows.map { QueryValue.object($0).json }).joined(separator: "\n"),
                query: Result { () throws(QueryError) in try spec.makeQuery() },
                grouping: Result { () throws(QueryError) in try spec.makeGrouping() }.flatMapped,
                rows: rows,
                now: spec.now ?? 0
            )
        }
    }

    private static func syntaxCases() throws -> [GoldenQuestion] {
        let url = SpecFile.repository.appendingPathComponent("Tests/Data/syntax.json")
        guard case .list(let cases) = try QueryValue(json: String(contentsOf: url, encoding: .utf8)) else { return [] }
        return cases.compactMap { item in
            guard case .object(let fields) = item, case .string(let format)? = fields["format"],
                case .list(let arguments)? = fields["args"]
            else { return nil }
            return GoldenQuestion(
                name: "query: \(format)\narguments: \(QueryValue.list(arguments).json)",
                query: Result { () throws(QueryError) in try Query(parsing: format, arguments: arguments) },
                rows: [],
                now: 0
            )
        }
    }
}

extension Result where Success == Grouping?, Failure == QueryError {
    /// Nil if there are no groups.
    fileprivate var flatMapped: Result<Grouping, QueryError>? {
        switch self {
        case .success(let grouping?): .success(grouping)
        case .success(nil): nil
        case .failure(let error): .failure(error)
        }
    }
}

/// Generated questions: a third over rows of a declared schema, a third of any terms in any place.
private enum Generated {
    static let schema = Schema([
        .field("id", .int), .field("x", .int), .field("y", .double), .field("n", .int), .field("m", .double),
        .field("s", .string), .field("t", .string), .field("b", .bool), .field("d", .date(.iso8601)),
        .field("l", .list(.string)), .field("k", .list(.object(Schema([.field("a", .int), .field("b", .string)])))),
    ])

    static let rows: [Document] = {
        var random = SeededGenerator(16)
        return (0..<12).map { _ in Hostile.row(&random) }
    }()

    static func questions(_ count: Int) -> [GoldenQuestion] {
        (0..<count).map { seed in question(UInt64(seed)) }
    }

    private static func question(_ seed: UInt64) -> GoldenQuestion {
        var generator = ConditionGenerator(seed: seed, isFlat: seed % 6 == 1)
        let isTyped = seed % 3 == 2
        if isTyped {
            generator.fields = ["x", "y", "n", "m", "s", "t", "b", "d"]
            generator.collections = ["k", "k.a", "k.b", "l", "s"]
            generator.constants = [.date(0), .date(1_479_117_955_787), .bool(true)]
        }
        var condition = generator.condition()
        if seed % 3 == 1 { condition = generator.parsed(anyTerms: 50) ?? condition }
        // Most typed trees compare kinds that never match, so the first of a few that is a valid query is used.
        for _ in 0..<6 where isTyped && (try? Query(condition, schema: schema).checked()) == nil {
            condition = generator.condition()
        }
        let query = Query(condition, schema: isTyped ? schema : nil)
        return GoldenQuestion(
            name: (isTyped ? "typed" : "query") + ": " + query.format,
            query: .success(query),
            rows: rows,
            now: 0
        )
    }
}
