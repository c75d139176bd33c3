import PredicateQL
import PredicateQLSQLite

extension Checks {
    /// A generated query over generated rows: the evaluator finds what SQLite finds, in documents and in columns.
    ///
    /// - Parameter bytes: what the fuzzer made.
    public static func agreement(_ bytes: [UInt8]) {
        var source = ByteSource(bytes)
        let rows = RowGenerator.rows(&source)
        let (text, arguments) = QueryGenerator.query(&source)
        do {
            let query = try Query(parsing: text, arguments: arguments)
            let expected = try query.matchingIndices(in: rows)
            var opposite = query
            opposite.condition = .not(query.condition)
            let others = try opposite.matchingIndices(in: rows)
            require(
                (expected + others).sorted() == Array(rows.indices),
                "NOT overlaps or leaves a gap: \(text) \(arguments)"
            )
            try requireSame(query, rows, expected, "\(text) \(arguments)")
        } catch {
            require(
                error.code == .unsupported || error.code == .evaluation || error.code == .pattern,
                "\(text): \(error)"
            )
        }
    }
}

private func requireSame(_ query: Query, _ rows: [Document], _ expected: [Int], _ text: String) throws(QueryError) {
    let statement: SQLQuery
    do {
        statement = try query.sql(.sqlite, from: SQLTable("t", storage: .document(column: "doc")))
    } catch {
        require(error.code == .unsupported, "\(text): \(error)")
        return
    }
    let database = try SQLiteDatabase.inMemory()
    try SQLiteFunctions.register(on: database.handle)
    _ = try database.rows("CREATE TABLE t (doc TEXT)")
    for row in rows { _ = try database.rows("INSERT INTO t VALUES (?)", [.string(QueryValue.object(row).json)]) }
    let sql = "SELECT rowid - 1 AS i FROM t WHERE \(statement.where) ORDER BY rowid"
    let found = try database.rows(sql, statement.whereBindings)
    let indices = found.compactMap { row -> Int? in if case .int(let index)? = row["i"] { Int(index) } else { nil } }
    require(
        indices == expected,
        "\(text)\nover \(rows.map { QueryValue.object($0).json })\nSQLite \(indices), evaluator \(expected)\n\(sql)"
    )
}
