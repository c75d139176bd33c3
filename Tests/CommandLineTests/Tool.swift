import Foundation
import SpecSupport

/// The built command line tool, run as a process.
enum Tool {
    struct Outcome {
        var output: String
        var error: String
        var status: Int32

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    private final class Marker {}

    /// The tool next to the test bundle; nil if the trait CLI is off.
    static let executable: URL? = {
        // On Apple systems a bundle is a folder; elsewhere its URL is the folder of the tests.
        let bundle = Bundle(for: Marker.self).bundleURL
        let tools = [bundle, bundle.deletingLastPathComponent()].map { $0.appendingPathComponent("pql") }
        let tool = tools.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        // Without its trait the tool names the trait, whatever the arguments.
        return tool.flatMap { (try? run($0, ["check", "a =="], input: ""))?.status == 65 ? $0 : nil }
    }()

    static let cities = SpecFile.repository.appendingPathComponent("Tests/Data/us-cities.ndjson").path

    /// Runs the tool and waits for it to exit.
    static func pql(_ arguments: String..., input: String = "") throws -> Outcome {
        try pql(arguments, input: input)
    }

    /// Runs the tool and waits for it to exit.
    static func pql(_ arguments: [String], input: String = "") throws -> Outcome {
        guard let executable else { throw CocoaError(.fileNoSuchFile) }
        return try run(executable, arguments, input: input)
    }

    /// Runs a shell command in which `pql` means the tool.
    static func shell(_ command: String) throws -> Outcome {
        guard let executable else { throw CocoaError(.fileNoSuchFile) }
        let script = "pql() { '\(executable.path)' \"$@\"; }; \(command)"
        return try run(URL(fileURLWithPath: "/bin/sh"), ["-c", script], input: "")
    }

    private static func run(_ executable: URL, _ arguments: [String], input: String) throws -> Outcome {
        // Files instead of pipes, so that neither side can block the other.
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["in", "out", "err"].map(folder.appendingPathComponent)
        try Data(input.utf8).write(to: files[0])
        for file in files[1...] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        return Outcome(
            output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            error: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self),
            status: process.terminationStatus
        )
    }

    static func temporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pql-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Calls `body` with the path of a file with this content.
    static func withFile(_ name: String, _ content: String, _ body: (String) throws -> Void) throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try Data(content.utf8).write(to: file)
        try body(file.path)
    }
}
