import PredicateQL
import QueryMeaning
import QueryTree
import QueryValues

extension Query {
    /// The positions of the rows that the evaluator finds, and of those that are not compared: the given ones, and
    /// those that it fails on.
    func answers(
        over rows: [Document],
        leavingOut isDoubtful: (Document) -> Bool
    ) throws(QueryError) -> (expected: [Int], doubtful: [Int]) {
        let program = try RowEvaluator(schema: schema, nilMeaning: nilMeaning).compile(condition)
        var frame = program.makeFrame(now: 0)
        var answers: (expected: [Int], doubtful: [Int]) = ([], [])
        for (index, row) in rows.enumerated() {
            if isDoubtful(row) {
                answers.doubtful.append(index)
                continue
            }
            do throws(QueryError) {
                if try program.holds(row, &frame) { answers.expected.append(index) }
            } catch {
                answers.doubtful.append(index)
            }
        }
        return answers
    }

    /// The translation over a table `docs` with a key `id`, and the positions of the expected rows, for a judge.
    ///
    /// - Throws: errors of the translation.
    func judged(in dialect: SQLDialect, _ storage: SQLStorage, _ rows: [Document]) throws(QueryError) -> Document {
        // A schema that names its own key is trusted.
        let key = schema?.primaryKey.isEmpty ?? true ? "id" : nil
        let statement = try sql(dialect, from: SQLTable("docs", storage: storage, primaryKey: key), now: 0)
        let answers = try answers(over: rows) { row in statement.assumptions.contains { !row.fulfils($0) } }
        return Document(pairs: [
            ("where", .string(statement.where)),
            ("bindings", .list(statement.whereBindings.map(TypedCases.encoded))),
            ("expected", .list(answers.expected.map { .int(Int64($0)) })),
            ("doubtful", .list(answers.doubtful.map { .int(Int64($0)) })),
            ("query", .string(condition.format)),
            ("nil", .string(nilMeaning.rawValue)),
        ])
    }
}
