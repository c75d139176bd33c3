import Foundation
import PredicateQL

extension Benchmarks {
    /// Evaluation over documents, compared with a hand-written loop, which gives the expected counts.
    func documents() throws {
        let built = People.documents(rows)
        // Rows from one reader share their shapes; rows built key by key have one each.
        let text = "[" + built.map { QueryValue.object($0).json }.joined(separator: ",") + "]"
        guard case .list(let values) = try QueryValue(json: text) else { return }
        let read = values.compactMap { if case .object(let row) = $0 { row } else { Document?.none } }
        for (name, people) in [("documents as read", read), ("documents as built", built)] {
            var comparison = Comparison(work: "count over \(name)", rival: "by hand", goal: 1.2)
            comparison.note = "\(rows) documents; thread CPU time, best of five rounds"
            for predicate in predicates {
                guard let test = HandWritten.tests[predicate.id] else { continue }
                let query = try Query(parsing: predicate.format)
                let expected = countByHand(people, test)
                let found = try query.count(in: people)
                check(predicate, found, expected)
                let ours = try stopwatch.measure { keep(try query.count(in: people)) }
                let hand = stopwatch.measure { keep(countByHand(people, test)) }
                comparison.entries.append(
                    .init(
                        name: predicate.name,
                        found: found,
                        ours: ours.nanoseconds / Double(rows),
                        theirs: hand.nanoseconds / Double(rows)
                    )
                )
            }
            report.add(comparison)
            if name == "documents as read", hasRivals {
                try compareWithSQLite(comparison, people)
                try compareWithGNUstep(comparison, people)
            }
        }
    }

    /// SQLite counts the same people over columns in memory.
    private func compareWithSQLite(_ ours: Comparison, _ people: [Document]) throws {
        let file = try PeopleFile(people)
        let (answers, note) = Rivals(file: file.path, rounds: stopwatch.seconds < 0.1 ? 1 : 3).sqlite()
        if answers.isEmpty { return report.leaveOut("SQLite", because: note) }
        var comparison = Comparison(work: ours.work, rival: "SQLite in memory", note: note)
        for (predicate, mine) in zip(predicates, ours.entries) {
            let answer = answers[predicate.id]
            // GLOB and NOCASE fold ASCII only; if that gives another count, there is nothing to compare.
            let theirs = answer?.count == mine.found ? answer?.nanoseconds["columns"].map { $0 / Double(rows) } : nil
            comparison.entries.append(.init(name: mine.name, found: mine.found, ours: mine.ours, theirs: theirs))
        }
        report.add(comparison)
    }

    /// GNUstep queries dictionaries; it is slow, so it gets a tenth of the people.
    private func compareWithGNUstep(_ ours: Comparison, _ people: [Document]) throws {
        let some = Array(people.prefix(max(1, people.count / 10)))
        let file = try PeopleFile(some)
        let (answers, note) = GNUstep.evaluate(predicates.map(\.format), over: file.path, rows: some.count)
        if answers.isEmpty { return report.leaveOut("GNUstep over dictionaries", because: note) }
        var comparison = Comparison(work: ours.work, rival: "GNUstep over dictionaries", note: note)
        for ((predicate, mine), answer) in zip(zip(predicates, ours.entries), answers) {
            // If it rejects a predicate or finds other rows, there is nothing to compare.
            let isSame = HandWritten.tests[predicate.id].map { countByHand(some, $0) } == answer?.count
            let theirs = isSame ? answer?.nanoseconds : nil
            comparison.entries.append(.init(name: mine.name, found: mine.found, ours: mine.ours, theirs: theirs))
        }
        report.add(comparison)
    }

    /// Ends the run on a wrong answer, so that wrong answers are never timed.
    func check(_ predicate: Predicate20, _ found: Int, _ expected: Int) {
        guard found != expected else { return }
        print("\(predicate.id) \(predicate.format): finds \(found), the loop written by hand \(expected)")
        exit(1)
    }

    @inline(never) func countByHand(_ people: [Document], _ test: HandWritten.Test) -> Int {
        var count = 0
        for person in people where test(person) { count += 1 }
        return count
    }
}
