import Foundation
import SpecSupport
import Testing

/// `sh` fences that show a command with its output, after `$ pql …`, are run; `…` stands for any lines.
///
/// Fences without `$` are commands for people: installing, building and testing are what the checks do anyway.
@Suite struct ShellExampleTests {
    @Test(.enabled(if: Tool.pql != nil, "pql is not built")) func shownOutputIsTrue() throws {
        let pql = try #require(Tool.pql)
        for file in try Documents.files(in: ["README.md", "Grammar", "Sources"], ending: "md") {
            for (place, lines) in try Documents.fences("sh", in: file) {
                for example in examples(lines) {
                    let actual = try Tool.run(example.command, pql: pql)
                    #expect(
                        agree(example.output, actual),
                        "\(place): \(example.command)\ngives\n\(actual.joined(separator: "\n"))"
                    )
                }
            }
        }
    }

    private func examples(_ lines: [String]) -> [(command: String, output: [String])] {
        var examples: [(command: String, output: [String])] = []
        for line in lines {
            if line.hasPrefix("$ ") {
                examples.append((String(line.dropFirst(2)), []))
            } else if let last = examples.indices.last {
                if examples[last].command.hasSuffix("\\") {
                    examples[last].command = examples[last].command.dropLast() + line
                } else {
                    examples[last].output.append(line)
                }
            }
        }
        return examples.filter { $0.command.contains("pql") }
    }

    private func agree(_ shown: [String], _ actual: [String]) -> Bool {
        guard let gap = shown.firstIndex(where: { $0.hasPrefix("…") }) else {
            return trimmed(shown) == trimmed(actual)
        }
        let rest = shown[(gap + 1)...]
        return actual.starts(with: shown[..<gap]) && trimmed(actual).suffix(rest.count) == rest
    }

    private func trimmed(_ lines: [String]) -> [String] {
        Array(lines.reversed().drop { $0.isEmpty }.reversed())
    }
}

/// The command line tool that was built with the tests.
enum Tool {
    static let pql: URL? = {
        let folder = Bundle(for: Marker.self).bundleURL.deletingLastPathComponent()
        let tool = folder.appendingPathComponent("pql")
        return FileManager.default.isExecutableFile(atPath: tool.path) ? tool : nil
    }()

    private final class Marker {}

    /// The lines that a shell command writes, with `pql` and `swift run pql` standing for the tool.
    static func run(_ command: String, pql: URL) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let command = command.replacing("swift run pql", with: "pql").replacing("swift run -c release pql", with: "pql")
        process.arguments = ["-c", "pql() { '\(pql.path)' \"$@\"; }; \(command)"]
        process.currentDirectoryURL = SpecFile.repository
        process.environment = ProcessInfo.processInfo.environment.merging(["NO_COLOR": "1"]) { _, new in new }
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
