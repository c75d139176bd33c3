import Foundation
import PredicateQL
import SpecSupport

/// The differences between the golden file and the current outputs.
struct GoldenComparison {
    private struct Difference {
        var question: GoldenQuestion
        var target: GoldenTarget
        var was: String?
        var output: String
    }

    private var differences: [Difference] = []
    private var counts: [GoldenTarget: Int] = [:]
    private var new = 0
    /// Keys of the file that no question has.
    private var gone: Set<String> = []

    var isEmpty: Bool { differences.isEmpty && new == 0 && gone.isEmpty }

    init(_ questions: [GoldenQuestion], _ outputs: [[String]]) throws {
        let before = try GoldenFile(reading: GoldenFile.url)
        self.init(questions, outputs, before, texts: nil)
    }

    /// Compares with a file; if texts is nil, they are read from where writing left them.
    init(_ questions: [GoldenQuestion], _ outputs: [[String]], _ before: GoldenFile, texts: [String: [String]]?) {
        var keys = Set<String>()
        for (question, outputs) in zip(questions, outputs) {
            let key = GoldenFile.key(question.name)
            keys.insert(key)
            guard let line = before.lines[key] else {
                new += 1
                continue
            }
            let now = Substring(GoldenFile.line(outputs))
            guard line != now else { continue }
            for (target, output) in zip(GoldenTarget.allCases, outputs)
            where GoldenFile.hash(of: target, in: line) != GoldenFile.hash(of: target, in: now) {
                counts[target, default: 0] += 1
                differences.append(Difference(question: question, target: target, output: output))
            }
        }
        gone = Set(before.lines.keys).subtracting(keys)
        guard !differences.isEmpty else { return }
        fill(texts ?? Self.keptTexts(), before)
    }

    /// Questions that exist and were not asked are not gone.
    mutating func leaveOut(_ questions: [GoldenQuestion]) {
        gone.subtract(questions.map { GoldenFile.key($0.name) })
    }

    /// Fills in the old texts, if they belong to this file.
    private mutating func fill(_ texts: [String: [String]], _ before: GoldenFile) {
        for (at, difference) in differences.enumerated() {
            guard let position = GoldenTarget.allCases.firstIndex(of: difference.target),
                let was = texts[difference.question.name], position < was.count,
                let line = before.lines[GoldenFile.key(difference.question.name)],
                GoldenFile.hash(of: difference.target, in: line) == Substring(GoldenFile.line([was[position]]))
            else { continue }
            differences[at].was = was[position]
        }
    }

    private static func keptTexts() -> [String: [String]] {
        guard let data = try? Data(contentsOf: GoldenFile.texts) else { return [:] }
        var texts: [String: [String]] = [:]
        for line in data.split(separator: UInt8(ascii: "\n")) {
            guard let text = String(bytes: line, encoding: .utf8), case .list(let values)? = try? QueryValue(json: text)
            else { continue }
            let parts = values.compactMap { if case .string(let part) = $0 { part } else { nil } }
            if let name = parts.first { texts[name] = Array(parts.dropFirst()) }
        }
        return texts
    }

    /// Counts by target, then the first differences, a few for each target.
    var report: String {
        var lines: [String] = []
        for target in GoldenTarget.allCases {
            if let count = counts[target] { lines.append("\(target.rawValue): \(count) differ") }
        }
        if new + gone.count > 0 {
            let command = "GOLDEN=write swift test --filter GoldenTests"
            lines.append("\(new) queries are not in the file, \(gone.count) are gone: \(command)")
        }
        var shown: [GoldenTarget: Int] = [:]
        for difference in differences where shown[difference.target, default: 0] < 4 {
            shown[difference.target, default: 0] += 1
            lines += ["", difference.question.name, "  \(difference.target.rawValue)"]
            lines.append("  was: " + (difference.was ?? "(not kept on this machine: write the file there first)"))
            lines.append("  is:  " + difference.output)
        }
        return lines.joined(separator: "\n")
    }
}
