import Foundation
import PredicateQL

extension SpecRunner {
    /// The columns `finds` and `results`, by the evaluator and by SQLite.
    ///
    /// - Returns: the failures.
    /// - Throws: when a spec file cannot be read.
    public static func resultFailures() throws -> [String] {
        try failures(in: [.finds, .results]) { spec, column in
            do {
                return column == .finds ? try findsFailure(spec) : try resultsFailure(spec)
            } catch let error as QueryError where error.code.rawValue == spec[column.rawValue] {
                return nil
            }
        }
    }

    /// An expectation that is an error code, if labels or rows could not be that word.
    private static func expectsError(_ spec: SpecCase) -> Bool {
        let expected = spec["finds"] ?? ""
        let isOneWord = !expected.contains(" ") && !["", "-", "all"].contains(expected)
        return isOneWord && !spec.rows.contains { $0.label == expected }
    }

    private static func findsFailure(_ spec: SpecCase) throws -> String? {
        let expected = expectedLabels(spec)
        let query = try spec.makeQuery()
        if expectsError(spec) {
            if let failure = try jsonErrorFailure(spec, query) { return failure }
            _ = try query.matchingIndices(in: spec.documents(), now: spec.now)
            return "\n  expected the error \(spec["finds"] ?? ""), and it ran"
        }
        let documents = try spec.documents()
        let labels = spec.rows.map(\.label)
        let matched = try query.matchingIndices(in: documents, now: spec.now).map { labels[$0] }
        if !spec.hasPipeline, matched != expected { return lists("matches", expected, matched) }
        let found = try query.results(in: labelled(documents, labels), now: spec.now).compactMap(label)
        if found != expected { return lists("results", expected, found) }
        let count = try query.count(in: documents, now: spec.now)
        if count != expected.count { return "count gives \(count), not \(expected.count)" }
        if let failure = try jsonFailure(spec, query, expected) { return failure }
        for (storage, answer) in try SpecDatabase.answers(to: query, rows: documents, labels: labels, now: spec.now)
        where answer != expected {
            return lists(storage, expected, answer)
        }
        return nil
    }

    private static func resultsFailure(_ spec: SpecCase) throws -> String? {
        let text = spec["results"] ?? ""
        let expectsError = !text.isEmpty && !text.hasPrefix("{")
        let expected = try (expectsError ? "" : text).split(separator: "\n").map {
            try QueryValue(json: String($0), extended: true)
        }
        let documents = try spec.documents()
        let actual =
            if let grouping = try spec.makeGrouping() {
                try grouping.results(in: documents)
            } else {
                try spec.makeQuery().results(in: documents, now: spec.now)
            }
        if expectsError { return "\n  expected the error \(text), and it ran" }
        let values = actual.map { QueryValue.object($0) }
        guard values.count == expected.count, zip(values, expected).allSatisfy({ sameResult($0, $1) }) else {
            return difference(expected.map(\.json).joined(separator: "\n"), values.map(\.json).joined(separator: "\n"))
        }
        for (layout, rows) in jsonRows(spec.rows.map(\.json)) {
            let answer =
                if let grouping = try spec.makeGrouping() {
                    try grouping.results(in: rows)
                } else {
                    try spec.makeQuery().results(in: rows, now: spec.now)
                }
            if answer != actual {
                let given = answer.map { QueryValue.object($0).json }.joined(separator: "\n")
                return difference(layout + "\n" + values.map(\.json).joined(separator: "\n"), given)
            }
        }
        return nil
    }

    /// The same rows as JSON text, of which only the named fields are read.
    private static func jsonFailure(_ spec: SpecCase, _ query: Query, _ expected: [String]) throws -> String? {
        let texts = spec.rows.map { row in
            let members = row.json.drop { $0 != "{" }.dropFirst().reversed().drop { $0 != "}" }.dropFirst().reversed()
            let isEmpty = members.allSatisfy(\.isWhitespace)
            return "{" + String(members) + (isEmpty ? "" : ",") + "\"\(labelKey)\":\"\(row.label)\"}"
        }
        for (layout, rows) in jsonRows(texts) {
            let found = try query.results(in: rows, now: spec.now).compactMap(label)
            if found != expected { return lists(layout, expected, found) }
            let count = try query.count(in: rows, now: spec.now)
            if count != expected.count { return "count in \(layout) gives \(count), not \(expected.count)" }
        }
        return nil
    }

    /// The same error over rows as JSON text.
    private static func jsonErrorFailure(_ spec: SpecCase, _ query: Query) throws -> String? {
        for (layout, rows) in jsonRows(spec.rows.map(\.json)) {
            let answer = Result { () throws(QueryError) in try query.count(in: rows, now: spec.now) }
            let code: String? = if case .failure(let error) = answer { error.code.rawValue } else { nil }
            if code != spec["finds"] { return difference("\(spec["finds"] ?? "") in \(layout)", code ?? "no error") }
        }
        return nil
    }

    private static func jsonRows(_ texts: [String]) -> [(layout: String, rows: JSONRows)] {
        [
            ("NDJSON", JSONRows(texts.joined(separator: "\n"), extended: true)),
            ("JSON list", JSONRows("[" + texts.joined(separator: " ,\n") + "]\n", extended: true)),
        ]
    }

    /// Same keys in the same order, numbers by value.
    static func sameResult(_ left: QueryValue, _ right: QueryValue) -> Bool {
        switch (left, right) {
        case (.object(let a), .object(let b)):
            a.keys.hasSameUTF8(as: b.keys) && zip(a.values, b.values).allSatisfy { sameResult($0, $1) }
        case (.list(let a), .list(let b)):
            a.count == b.count && zip(a, b).allSatisfy { sameResult($0, $1) }
        case (.int(let a), .double(let b)), (.double(let b), .int(let a)): Double(a) == b
        default: left == right
        }
    }

    private static func expectedLabels(_ spec: SpecCase) -> [String] {
        switch spec["finds"] ?? "" {
        case "all": spec.rows.map(\.label)
        case "-": []
        case let labels: labels.split(separator: " ").map(String.init)
        }
    }

    private static let labelKey = "__label"

    static func labelled(_ documents: [Document], _ labels: [String]) -> [Document] {
        zip(documents, labels).map { document, label in
            var copy = document
            copy[labelKey] = .string(label)
            return copy
        }
    }

    static func label(_ document: Document) -> String? {
        if case .string(let label) = document[labelKey] { label } else { nil }
    }

    private static func lists(_ who: String, _ expected: [String], _ actual: [String]) -> String {
        "\n  expected \(expected.joined(separator: " "))\n  \(who) \(actual.joined(separator: " "))"
    }
}
