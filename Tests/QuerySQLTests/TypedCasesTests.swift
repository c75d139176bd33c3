import PredicateQL
import QuerySyntax
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Stores whose columns have declared types: most queries can be said, and a judge runs them in the real store.
@Suite struct TypedCasesTests {
    private static let stores: [(name: String, dialect: SQLDialect, layouts: [TypedCases.Layout])] = [
        ("postgresql", .postgresql, [.columns, .documents, .typedDocuments]),
        ("duckdb", .duckDB, [.columns, .nested]),
    ]

    /// `SQL_CASES=path` writes the cases there for `Tests/Judges/sql.sh`; `SEED` and `AGREEMENT` choose them.
    @Test func mostQueriesCanBeSaid() throws {
        let seed = ProcessEnvironment.number("SEED").map(UInt64.init) ?? SQLAgreementTests.seed
        let count = ProcessEnvironment.number("AGREEMENT") ?? 300
        for store in Self.stores {
            for layout in store.layouts {
                var cases = TypedCases(layout, store.dialect, seed: seed)
                var found: [QueryValue] = []
                for _ in 0..<count {
                    if let next = cases.next() { found.append(.object(next)) }
                }
                #expect(
                    found.count > count / 4,
                    "\(store.name) says \(found.count) of \(count) over \(layout.rawValue)"
                )
                guard let path = getenv("SQL_CASES").map({ String(cString: $0) }) else { continue }
                let text = JSONWriter().text(
                    .object(
                        Document(pairs: [
                            ("rows", cases.encodedRows),
                            ("cases", .list(found + (try cases.statements().map { .object($0) }))),
                        ])
                    )
                )
                try write(text, to: "\(path)/\(store.name)-\(layout.rawValue).json")
            }
        }
    }

    private func write(_ text: String, to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        let bytes = Array(text.utf8)
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }
}
