import Foundation

/// The lines of an example as statements that a test runs.
enum ExampleCode {
    /// The names that a block declares, each used once to avoid warnings.
    static func names(_ lines: [String]) -> [String] {
        lines.compactMap { $0.firstMatch(of: /^(?:let|var) (\w+)\b/).map { String($0.output.1) } }
    }

    /// The lines as statements; `// → text`, after an expression or below it, and `// throws code` are expectations.
    static func statements(_ lines: [String]) -> [String] {
        var statements: [String] = []
        for line in lines {
            if line.hasPrefix("// → "), let expression = statements.popLast() {
                statements.append(statement("\(expression)  \(line)"))
            } else {
                statements.append(statement(line))
            }
        }
        return statements
    }

    private static func statement(_ line: String) -> String {
        if line.hasPrefix("import ") { return "" }
        for (arrow, check) in [("  // → ", "expectShown"), ("  // throws ", "expectThrown")] {
            guard let range = line.range(of: arrow) else { continue }
            let expression = line[..<range.lowerBound].trimmingCharacters(in: .whitespaces)
            let text = String(reflecting: String(line[range.upperBound...]))
            if check == "expectThrown" { return "\(check)(\(text)) { \(expression) }" }
            let marks = /^try (await )?/
            let mark = expression.prefixMatch(of: marks).map { String($0.output.0) } ?? ""
            return "\(mark)\(check)(\(expression.dropFirst(mark.count)), \(text))"
        }
        return line
    }
}
