import Foundation
import PredicateQL
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// One prepared query used by many threads at once gives each the same answer; the thread sanitizer watches.
@Suite struct SharedPlanTests {
    private struct Row: Queryable, Encodable, Sendable {
        var name: String
        var nick: String?
        var age: Int
        var tags: [String]
        var pattern: String
        /// Read through an accessor.
        var initials: String { String(name.prefix(2)) }

        static let fields: FieldTable<Row> = [
            "name": \.name, "nick": \.nick, "age": \.age, "tags": \.tags, "pattern": \.pattern, "initials": \.initials,
        ]
    }

    private static let rows: [Row] = (0..<2_500).map { number in
        let names = ["Kyoto", "kyōto", "Oslo", "Åse", "straße", "a much longer name than fits in place"]
        return Row(
            name: names[number % names.count],
            nick: number % 3 == 0 ? nil : "n\(number % 7)",
            age: number * 31 % 97,
            tags: (0..<number % 4).map { "t\($0)" },
            pattern: "n[0-\(number % 7)]"
        )
    }

    private static let formats = [
        "age > 40 AND name ==[cd] 'KYOTO'", "name MATCHES '.*y.*' OR nick MATCHES 'n[1-3]'", "nick MATCHES pattern",
        "name LIKE[c] '*O' AND age IN {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 14, 15}",
        "ANY tags == 't2' OR initials == 'Os'",
        "SUBQUERY(tags, $t, $t ENDSWITH '1' AND age > 5).@count == 1", "NOT (nick == nil OR name CONTAINS[cd] 'ase')",
        "uppercase(name) BEGINSWITH 'K' AND age * 2 + 1 > 20", "now() > '2001-01-01T00:00:00Z' OR age < 50",
    ]

    /// Runs the same work in eight tasks and returns the results.
    private func everywhere<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for _ in 0..<8 { group.addTask { try work() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func plans() async throws {
        for format in Self.formats {
            let query = try Query(parsing: format, order: ["-age", "name"], limit: 50)
            let plan = try QueryPlan<Row>(query, now: 1_000)
            let rows = Self.rows
            let expected = try plan.matchingIndices(in: rows)
            let page = try plan.results(in: rows).map(\.age)
            for (found, ages, count, holds) in try await everywhere({
                (
                    try plan.matchingIndices(in: rows), try plan.results(in: rows, concurrently: true).map(\.age),
                    try plan.count(in: rows), try plan.matches(rows[7])
                )
            }) {
                #expect(found == expected && ages == page && count == page.count, "\(format)")
                #expect(holds == expected.contains(7), "\(format)")
            }
        }
    }

    @Test func matchers() async throws {
        let documents = Self.rows.prefix(120).map { Document(queryable: $0) }
        let encodable = Array(Self.rows.prefix(60))
        for format in Self.formats {
            let matcher = try Matcher(Query(parsing: format), now: 1_000)
            let expected = try documents.map { try matcher.matches($0) }
            for found in try await everywhere({ try documents.map { try matcher.matches($0) } }) {
                #expect(found == expected, "\(format)")
            }
            // Computed properties are not encoded.
            if format.contains("initials") { continue }
            for found in try await everywhere({ try encodable.map { try matcher.matches($0) } }) {
                #expect(found == Array(expected.prefix(60)), "\(format)")
            }
        }
    }

    @Test func sequences() async throws {
        let documents = Self.rows.prefix(400).map { Document(queryable: $0) }
        for format in Self.formats where !format.contains("MATCHES") {
            let query = try Query(parsing: format)
            let lazy = try query.lazyResults(in: documents, now: 1_000)
            let structs = try query.lazyResults(in: Self.rows, now: 1_000)
            let (some, all) = (lazy.map { $0 }.count, structs.map(\.age).count)
            for counts in try await everywhere({ [lazy.map { $0 }.count, structs.map(\.age).count] }) {
                #expect(counts == [some, all], "\(format)")
            }
        }
    }

    @Test func jsonRowsAndGroups() async throws {
        let documents = Self.rows.prefix(300).map { Document(queryable: $0) }
        let text = documents.map { QueryValue.object($0).json }.joined(separator: "\n")
        let bytes = Array(text.utf8)
        for format in Self.formats {
            let query = try Query(parsing: format)
            let grouping = query.grouped(by: "name", computing: [.count, .average("age")])
            let expected = try query.count(in: documents, now: 1_000)
            let groups = try grouping.results(in: documents, now: 1_000)
            for (count, found, ofStructs) in try await everywhere({
                (
                    try query.count(in: JSONRows(bytes), now: 1_000), try grouping.results(in: documents, now: 1_000),
                    try grouping.results(in: Self.rows, now: 1_000, concurrently: true).count
                )
            }) {
                #expect(count == expected && found == groups && ofStructs >= groups.count, "\(format)")
            }
        }
    }

    /// Parsing, printing and translating share no mutable state.
    @Test func queries() async throws {
        let formats = Self.formats
        let query = try Query(parsing: formats[0])
        let texts = try await everywhere {
            try formats.map { try Query(parsing: $0).format } + [query.mongo().json, query.sql(.sqlite, from: "t").sql]
        }
        #expect(Set(texts).count == 1)
    }
}
