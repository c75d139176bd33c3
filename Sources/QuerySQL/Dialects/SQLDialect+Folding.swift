import QueryValues

extension SQLDialect {
    /// The statements that create what the dialect's statements call in a database; run them once in each.
    ///
    /// For PostgreSQL and DuckDB that is ``foldFunction``, which folds by the same table as memory does (S14) and may
    /// be used in an index: `CREATE INDEX ON people (pql_fold('cd', name) COLLATE "C")`. SQLite's functions are
    /// registered on each connection instead, so there are none for it. O(folding table), about 50 KB of SQL.
    ///
    ///     SQLDialect.postgresql.functionDefinitions.map { $0.prefix(36) }  // → ["CREATE OR REPLACE FUNCTION pql_fold("]
    ///     SQLDialect.sqlite.functionDefinitions  // → []
    public var functionDefinitions: [String] {
        guard let folding = typed?.folding, let name = foldFunction else { return [] }
        let ordinary = Self.choice(c: folding.lower, d: folding.stripped, both: folding.both)
        let all = Self.choice(
            c: Self.translation(.caseInsensitive),
            d: Self.translation(.diacriticInsensitive),
            both: Self.translation([.caseInsensitive, .diacriticInsensitive])
        )
        let body = "CASE WHEN \(folding.isOrdinary) THEN \(ordinary) ELSE \(all) END"
        return [folding.head(SQLText(name)).text + body + folding.tail]
    }

    private static func choice(c: String, d: String, both: String) -> String {
        "CASE options WHEN 'c' THEN \(c) WHEN 'd' THEN \(d) ELSE \(both) END"
    }

    private static func translation(_ options: StringOptions) -> String {
        let (from, to) = Folding.translation(options)
        return "translate(value, \(literal(from)), \(literal(to)))"
    }

    private static func literal(_ text: String) -> String { "'" + text.replacingScalar("'", with: "''") + "'" }
}
