import Foundation
import PredicateQL

extension Benchmarks {
    /// Counts over columns, compared with DuckDB and SQLite with the same rows in memory, and with loops over structs.
    func columns() throws {
        let documents = People.documents(rows)
        let people = documents.map { Person($0) }
        let table = try ColumnTable(people)
        var hand = Comparison(work: "count over columns", rival: "structs by hand, borrowed")
        hand.note = "\(rows) rows; thread CPU time, best of five rounds"
        for predicate in predicates {
            guard let test = StructTests.borrowed[predicate.id], let oracle = HandWritten.tests[predicate.id] else {
                continue
            }
            let plan = try ColumnPlan(Query(parsing: predicate.format), for: table)
            let expected = countByHand(documents, oracle)
            check(predicate, try plan.count(in: table), expected)
            let ours = try stopwatch.measure { keep(try plan.count(in: table)) }
            let theirs = hasRivals ? stopwatch.measure { keep(Self.count(people, test)) } : nil
            hand.entries.append(
                .init(
                    name: predicate.name,
                    found: expected,
                    ours: ours.nanoseconds / Double(rows),
                    theirs: theirs.map { $0.nanoseconds / Double(rows) }
                )
            )
        }
        report.add(hand)
        if hasRivals { try compareWithDatabases(hand, documents) }
    }

    private func compareWithDatabases(_ ours: Comparison, _ documents: [Document]) throws {
        let file = try PeopleFile(documents)
        let rivals = Rivals(file: file.path, rounds: stopwatch.seconds < 0.1 ? 1 : 3)
        // The fixed cost of a query's text in a database would flatter us on few rows, so it is subtracted.
        let answers = [
            ("DuckDB, one thread, planning taken off", 1.0, rivals.duckDB()), ("SQLite", nil, rivals.sqlite()),
        ]
        for (name, goal, answer) in answers {
            if answer.answers.isEmpty {
                report.leaveOut("\(name) over columns", because: answer.note)
                continue
            }
            var comparison = Comparison(work: ours.work, rival: name, goal: goal, note: answer.note)
            for (predicate, mine) in zip(predicates, ours.entries) {
                // If a predicate means something else in a database, there is nothing to compare.
                let answer = answer.answers[predicate.id].flatMap { $0.count == mine.found ? $0 : nil }
                let theirs = answer?.nanoseconds["columns"].map {
                    max(1, $0 - (answer?.nanoseconds["planning"] ?? 0)) / Double(rows)
                }
                comparison.entries.append(.init(name: mine.name, found: mine.found, ours: mine.ours, theirs: theirs))
            }
            report.add(comparison)
        }
    }
}

extension ColumnTable {
    /// The people as columns; a nickname has a validity bit, as in a database.
    fileprivate init(_ people: [Person]) throws {
        self.init()
        try add("name", people.map(\.name))
        try add("age", people.map(\.age))
        try add("score", people.map(\.score))
        try add("active", people.map(\.active))
        try add("city", people.map(\.city))
        try add("nickname", people.map { $0.nickname ?? "" }, validity: people.map { $0.nickname != nil })
        try add("tags", people.map(\.tags))
        try add("address", people.map(\.address))
        try add("orders", people.map(\.orders))
    }
}
