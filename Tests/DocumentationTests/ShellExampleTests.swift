import Foundation
import SpecSupport
import Testing

@testable import ExamplePages

/// The commands shown on pages are run, each with the `pql` built with the tests.
///
/// In a `sh` fence every line is a command that must succeed; installing, building and testing are left to the other
/// checks. After commands that start with `$ `, the following lines are the output; `…` matches any lines.
@Suite struct ShellExampleTests {
    @Test(.enabled(if: Tool.pql != nil, "pql is not built")) func shownCommandsRun() throws {
        let tool = try #require(Tool.pql)
        let folder = try Tool.workFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for file in try Documents.files(in: ["README.md", "Grammar", "Sources"], ending: "md") {
            for (place, lines) in try Documents.fences("sh", in: file) + Documents.fences("", in: file) {
                for example in examples(lines) {
                    let (actual, status) = try Tool.run(example.command, pql: tool, in: folder)
                    let shown = "\(place): \(example.command)\ngives \(status)\n\(actual.joined(separator: "\n"))"
                    let mayFail = example.command.contains("pql check")
                    #expect(status == 0 || mayFail && status == 65, "\(shown)")
                    if let output = example.output { #expect(agree(output, actual), "\(shown)") }
                }
            }
        }
    }

    /// The commands of a fence that use `pql`, each with its output if the fence shows output.
    private func examples(_ lines: [String]) -> [(command: String, output: [String]?)] {
        var examples: [(command: String, output: [String]?)] = []
        let showsOutput = lines.contains { $0.hasPrefix("$ ") }
        for line in lines {
            if !showsOutput || line.hasPrefix("$ ") {
                examples.append((showsOutput ? String(line.dropFirst(2)) : line, showsOutput ? [] : nil))
            } else if let last = examples.indices.last {
                examples[last].output?.append(line)
            }
        }
        return examples.compactMap { command, output in
            let ours = command.components(separatedBy: " && ").last { $0.contains("pql ") }
            return ours.map { ($0, output) }
        }
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

/// The command line tool built with the tests.
enum Tool {
    static let pql: URL? = {
        // On Apple systems a bundle is a folder; elsewhere its URL is the folder of the tests.
        let bundle = Bundle(for: Marker.self).bundleURL
        let tools = [bundle, bundle.deletingLastPathComponent()].map { $0.appendingPathComponent("pql") }
        return tools.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    private final class Marker {}

    /// A new folder in which the repository's `Tests` can be read, for commands that write files.
    static func workFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("examples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("Tests"),
            withDestinationURL: SpecFile.repository.appendingPathComponent("Tests")
        )
        return folder
    }

    /// The output and exit status of a shell command, in which `pql` and `swift run pql` mean the tool.
    static func run(_ command: String, pql: URL, in folder: URL) throws -> (lines: [String], status: Int32) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let command = command.replacing("swift run pql", with: "pql").replacing("swift run -c release pql", with: "pql")
        process.arguments = ["-c", "pql() { '\(pql.path)' \"$@\"; }; \(command)"]
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(["NO_COLOR": "1"]) { _, new in new }
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return (lines, process.terminationStatus)
    }
}
