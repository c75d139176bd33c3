import Foundation
import PredicateQL

/// Runs one column of the spec files and reports differences, one line per failure: `file:line: what`.
public enum SpecRunner {
    /// Runs the check over every case that has one of the columns.
    ///
    /// - Parameters:
    ///   - columns: the columns.
    ///   - check: returns the failures of one case in one column.
    /// - Returns: the failures, each with its place; also a failure if no case has the columns.
    /// - Throws: when a spec file cannot be read.
    public static func failures(
        in columns: [SpecColumn],
        check: (SpecCase, SpecColumn) throws -> String?
    ) throws -> [String] {
        var failures: [String] = []
        var count = 0
        for spec in try SpecFile.allCases() {
            for column in columns where spec[column.rawValue] != nil {
                count += 1
                let place = spec.place(of: column.rawValue)
                do {
                    if let failure = try check(spec, column) {
                        failures.append("\(place): \(column.rawValue) of \(spec.query): \(failure)")
                    }
                } catch let error as QueryError {
                    failures.append("\(place): \(column.rawValue) of \(spec.query): threw \(describe(error))")
                }
            }
        }
        if count == 0 { failures.append("no case for \(columns.map(\.rawValue))") }
        return failures
    }

    /// The columns `tree` and `format`.
    ///
    /// - Returns: the failures.
    /// - Throws: when a spec file cannot be read.
    public static func syntaxFailures() throws -> [String] {
        try failures(in: [.tree, .format]) { spec, column in
            let query = try spec.makeQuery()
            return difference(spec[column.rawValue], column == .tree ? query.condition.treeDump : query.format)
        }
    }

    /// The columns `error`, `fix` and `hint`.
    ///
    /// - Returns: the failures.
    /// - Throws: when a spec file cannot be read.
    public static func errorFailures() throws -> [String] {
        try failures(in: [.error, .fix, .hint]) { spec, column in
            do {
                let query = try spec.makeQuery()
                return "no error, but \(query.condition.treeDump)"
            } catch let error as QueryError {
                let wanted = spec[column.rawValue] ?? ""
                switch column {
                case .fix: return difference(wanted, error.fix?.applied(to: spec.query) ?? "-")
                case .hint: return error.hint?.contains(wanted) == true ? nil : difference(wanted, error.hint ?? "-")
                default: return errorDifference(spec, error)
                }
            }
        }
    }

    /// Every fix that the column `fix` names, followed until there is none: the text is then a query.
    ///
    /// - Returns: the failures.
    /// - Throws: when a spec file cannot be read.
    public static func fixFailures() throws -> [String] {
        try failures(in: [.fix]) { spec, column in
            guard var text = spec[column.rawValue], text != "-" else { return nil }
            for _ in 1...5 {
                do {
                    _ = try Query(parsing: text, arguments: spec.arguments())
                    return nil
                } catch let error as QueryError {
                    // A value for a placeholder is not a part of the text.
                    if error.code == .argument { return nil }
                    guard let mended = error.fix?.applied(to: text), mended != text else { return describe(error) }
                    text = mended
                }
            }
            return "the fixes do not end: \(text)"
        }
    }

    /// The column `told`.
    ///
    /// - Returns: the failures.
    /// - Throws: when a spec file cannot be read.
    public static func toldFailures() throws -> [String] {
        try failures(in: [.told]) { spec, _ in
            let told = try spec.makeQuery().warnings(seeing: spec.documents()).map { (warning) -> String in
                warning.message + (warning.fix.flatMap { fix in fix.applied(to: spec.query).map { " → " + $0 } } ?? "")
            }
            return difference(spec["told"], told.isEmpty ? "-" : told.joined(separator: "\n"))
        }
    }

    static func difference(_ expected: String?, _ actual: String) -> String? {
        expected == actual ? nil : "\n  expected \(expected ?? "")\n  but got  \(actual)"
    }

    static func describe(_ error: QueryError) -> String {
        let range = error.range.map { "\($0.lowerBound)..<\($0.upperBound)" } ?? "no range"
        return "\(error.code) at \(range): \(error.message)"
    }

    /// `    ^^^ code: words`: the carets mark the range, in scalars; both keys have the same length.
    private static func errorDifference(_ spec: SpecCase, _ error: QueryError) -> String? {
        guard let entry = spec.entries["error"] else { return nil }
        let parts = entry.text.drop { $0 == "^" || $0 == " " }.split(separator: ":", maxSplits: 1)
        let code = String(parts.first ?? "")
        if error.code.rawValue != code { return difference(code, describe(error)) }
        if parts.count > 1 {
            let words = parts[1].trimmingCharacters(in: .whitespaces)
            if !error.message.contains(words) { return difference(words, error.message) }
        }
        guard entry.raw.contains("^") else { return nil }
        let indent = entry.raw.prefix { $0 != "^" }.count - 1
        let carets = entry.raw.filter { $0 == "^" }.count
        guard let range = error.range else { return difference("a range", "none") }
        let start = scalarOffset(range.lowerBound, in: spec.query)
        let length = max(1, scalarOffset(range.upperBound, in: spec.query) - start)
        return (start, length) == (indent, carets) ? nil : difference(picture(indent, carets), picture(start, length))
    }

    private static func picture(_ start: Int, _ length: Int) -> String {
        String(repeating: " ", count: start) + String(repeating: "^", count: length)
    }

    private static func scalarOffset(_ offset: Int, in text: String) -> Int {
        String(decoding: text.utf8.prefix(offset), as: UTF8.self).unicodeScalars.count
    }
}
