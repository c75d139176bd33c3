import Foundation
import PredicateQL
import SpecSupport
import Testing

/// The outputs of every target for some 12,000 queries are unchanged.
///
/// A change that should affect no answer, text or error leaves `Tests/Data/golden.txt` alone; any other rewrites it
/// with `GOLDEN=write swift test --filter GoldenTests` and describes the difference in its message. Writing keeps the
/// texts in `.build/golden-texts.ndjson`, so that the next comparison on this machine shows old and new texts.
/// A comparison asks all written queries and a sixteenth of the others, all of them with `SCALE=16`.
@Suite struct GoldenTests {
    private static let environment = ProcessInfo.processInfo.environment

    @Test func outputsAreAsTheyWere() throws {
        let isWritten = Self.environment["GOLDEN"] == "write"
        let all = try GoldenQuestion.all(generated: 10_000)
        #expect(all.count > 11_000)
        let first = all.count - 10_000
        let questions = all.enumerated().compactMap { number, question in
            number < first || isWritten || SeededGenerator.isAsked(number, oneIn: 16) ? question : nil
        }
        let outputs = Self.outputs(of: questions)
        if isWritten { return try Self.write(questions, outputs) }
        var differences = try GoldenComparison(questions, outputs)
        differences.leaveOut(all)
        #expect(differences.isEmpty, "\(differences.report)")
    }

    /// A change of one character in one output is found and named.
    @Test func aChangeIsFound() throws {
        let questions = Array(try GoldenQuestion.all(generated: 40).suffix(40))
        var outputs = Self.outputs(of: questions)
        let before = GoldenFile(questions, outputs)
        #expect(GoldenComparison(questions, outputs, before, texts: [:]).isEmpty)
        outputs[7][GoldenTarget.allCases.count - 1] += " "
        let differences = GoldenComparison(questions, outputs, before, texts: [:])
        #expect(differences.report.contains("rows: 1 differ"), "\(differences.report)")
        #expect(differences.report.contains(questions[7].name))
        let fewer = GoldenComparison(Array(questions.dropLast()), outputs.dropLast(), before, texts: [:])
        #expect(fewer.report.contains("1 are gone"), "\(fewer.report)")
    }

    /// Every output of every question, using one thread per core.
    private static func outputs(of questions: [GoldenQuestion]) -> [[String]] {
        let pieces = 64
        let results = Pieces(count: pieces)
        DispatchQueue.concurrentPerform(iterations: pieces) { piece in
            let range = questions.count * piece / pieces..<questions.count * (piece + 1) / pieces
            results.set(
                piece,
                questions[range].map { question in GoldenTarget.allCases.map { $0.output(question) } }
            )
        }
        return results.joined
    }

    private static func write(_ questions: [GoldenQuestion], _ outputs: [[String]]) throws {
        let file = GoldenFile(questions, outputs)
        #expect(file.lines.count == questions.count, "two questions share a hash of their names; change one")
        try Data(file.text(by: "GOLDEN=write swift test --filter GoldenTests").utf8).write(to: GoldenFile.url)
        var texts: [UInt8] = []
        for (question, outputs) in zip(questions, outputs) {
            let line = QueryValue.list(([question.name] + outputs).map(QueryValue.string))
            JSONWriter().write(line, to: &texts)
            texts.append(UInt8(ascii: "\n"))
        }
        try Data(texts).write(to: GoldenFile.texts)
        print("wrote \(file.lines.count) lines to \(GoldenFile.url.path), their texts to \(GoldenFile.texts.path)")
    }
}

/// Results of pieces of work, each set by one thread.
private final class Pieces: @unchecked Sendable {
    private let lock = NSLock()
    private var results: [[[String]]]

    init(count: Int) { results = Array(repeating: [], count: count) }

    func set(_ piece: Int, _ result: [[String]]) { lock.withLock { results[piece] = result } }

    var joined: [[String]] { lock.withLock { results.flatMap { $0 } } }
}

extension GoldenFile {
    static let url = SpecFile.repository.appendingPathComponent("Tests/Data/golden.txt")
    /// The texts behind the hashes when the file was last written here; not tracked.
    static let texts = SpecFile.repository.appendingPathComponent(".build/golden-texts.ndjson")

    init(_ questions: [GoldenQuestion], _ outputs: [[String]]) { self.init(questions.map(\.name), outputs) }

    /// The hash of a target in a line.
    static func hash(of target: GoldenTarget, in line: Substring) -> Substring? {
        GoldenTarget.allCases.firstIndex(of: target).map { hash(at: $0, in: line) }
    }
}
