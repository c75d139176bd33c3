import Foundation
import PredicateQL

extension Benchmarks {
    /// A filter over an NDJSON file, compared with jq and DuckDB's `read_json` on the same file.
    func ndjson() throws {
        let people = People.documents(rows)
        let file = try PeopleFile(people)
        let size = Double(file.bytes) / 1e6
        print(
            String(format: "\n%d people in %.1f MB of NDJSON, %.0f bytes each", rows, size, size * 1e6 / Double(rows))
        )
        var ours: [String: (found: Int, nanoseconds: Double)] = [:]
        var byAllCores = ours
        for predicate in predicates {
            guard let test = HandWritten.tests[predicate.id] else { continue }
            let query = try Query(parsing: predicate.format)
            let found = try query.count(in: JSONRows(path: file.path))
            check(predicate, found, countByHand(people, test))
            let cost = try stopwatch.measure { keep(try query.count(in: JSONRows(path: file.path))) }
            ours[predicate.id] = (found, cost.nanoseconds / Double(rows))
            let together = try wallTime { try query.count(in: JSONRows(path: file.path), concurrently: true) }
            check(predicate, together.value, found)
            byAllCores[predicate.id] = (together.value, together.nanoseconds / Double(rows))
        }
        let mean = geometricMean(ours.values.map(\.nanoseconds)) ?? 1
        print(String(format: "ours: %.0f ns a row, %.0f MB/s (geometric mean)", mean, size * 1e9 / mean / Double(rows)))
        let together = geometricMean(byAllCores.values.map(\.nanoseconds)) ?? 1
        print(String(format: "ours on all cores: %.0f ns a row by the clock on the wall", together))
        try matchTexts(of: people)
        guard hasRivals else { return }
        compare(ours, withJQOver: people)
        let (answers, note) = Rivals(file: file.path, rounds: stopwatch.seconds < 0.1 ? 1 : 3).duckDB()
        if answers.isEmpty { return report.leaveOut("DuckDB", because: note) }
        for (key, work, name, ours) in [
            ("ndjson", "NDJSON filter", "DuckDB read_json, one thread", ours),
            ("ndjsonThreads", "NDJSON filter on all cores", "DuckDB read_json on all cores", byAllCores),
        ] {
            var comparison = Comparison(work: work, rival: name, goal: 1, note: note)
            for predicate in predicates {
                guard let mine = ours[predicate.id], let answer = answers[predicate.id] else { continue }
                let theirs = answer.count == mine.found ? answer.nanoseconds[key].map { $0 / Double(rows) } : nil
                comparison.entries.append(
                    .init(name: predicate.name, found: mine.found, ours: mine.nanoseconds, theirs: theirs)
                )
            }
            report.add(comparison)
        }
    }

    /// One JSON text at a time, compared with a document parsed from it.
    private func matchTexts(of people: [Document]) throws {
        let texts = people.map { QueryValue.object($0).json }
        let bytes = texts.map { Array($0.utf8) }
        var comparison = Comparison(work: "one JSON text at a time", rival: "parsing it as a Document", goal: 1)
        for predicate in predicates {
            guard let test = HandWritten.tests[predicate.id] else { continue }
            let matcher = try Matcher(Query(parsing: predicate.format))
            let found = try bytes.count { try matcher.matches(json: $0) }
            check(predicate, found, countByHand(people, test))
            let ours = try stopwatch.measure { keep(try bytes.count { try matcher.matches(json: $0) }) }
            let theirs = try stopwatch.measure {
                keep(
                    try texts.count { text in
                        guard case .object(let row) = try QueryValue(json: text) else { return false }
                        return try matcher.matches(row)
                    }
                )
            }
            comparison.entries.append(
                .init(
                    name: predicate.name,
                    found: found,
                    ours: ours.nanoseconds / Double(rows),
                    theirs: theirs.nanoseconds / Double(rows)
                )
            )
        }
        report.add(comparison)
    }

    /// The best of several rounds in wall-clock time.
    private func wallTime(_ work: () throws -> Int) rethrows -> (value: Int, nanoseconds: Double) {
        var (value, best) = (0, Double.infinity)
        for _ in 0..<(stopwatch.seconds < 0.1 ? 1 : 5) {
            let time = try ContinuousClock().measure { value = try work() }
            best = min(best, time / .nanoseconds(1))
        }
        return (value, best)
    }

    /// jq is slow, so it gets fewer rows; its startup is measured separately and subtracted.
    private func compare(_ ours: [String: (found: Int, nanoseconds: Double)], withJQOver people: [Document]) {
        guard let version = Rivals.jqVersion else {
            return report.leaveOut("jq", because: "it is not installed (apt-get install -y jq)")
        }
        let some = Array(people.prefix(20_000))
        guard let file = try? PeopleFile(some), let none = try? PeopleFile([]) else { return }
        let start = (0..<3).compactMap { _ in Rivals.jq("true", over: none.path)?.nanoseconds }.min() ?? 0
        var comparison = Comparison(work: "NDJSON filter", rival: version, goal: 1 / 25)
        comparison.note = "jq counts \(some.count) of the people, CPU time without its start"
        for predicate in predicates {
            guard let mine = ours[predicate.id], let test = HandWritten.tests[predicate.id] else { continue }
            let answer = Rivals.jq(predicate.jq, over: file.path)
            let isSame = answer?.count == countByHand(some, test)
            let theirs = isSame ? answer.map { max(1, $0.nanoseconds - start) / Double(some.count) } : nil
            comparison.entries.append(
                .init(name: predicate.name, found: mine.found, ours: mine.nanoseconds, theirs: theirs)
            )
        }
        report.add(comparison)
    }
}

/// People as NDJSON in a temporary file, which is removed with the value.
final class PeopleFile {
    let path: String
    let bytes: Int

    init(_ people: [Document]) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("people-\(UUID().uuidString).ndjson")
        var text = ""
        for person in people { text += QueryValue.object(person).json + "\n" }
        try text.write(to: file, atomically: false, encoding: .utf8)
        path = file.path
        bytes = text.utf8.count
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
