#if os(Linux)
    import Foundation
    import SpecSupport
    import TestConditions
    import Testing

    /// `pql serve` as a process of its own, on a free port.
    final class ServerProcess: @unchecked Sendable {
        static let app = "kid:app-secret:master-secret"

        private final class Marker {}

        /// The tool that `PQL_SERVER` names, or the one next to the test bundle; nil if it was built without its trait Server.
        static let executable: URL? = {
            let named = ProcessInfo.processInfo.environment["PQL_SERVER"].map { URL(fileURLWithPath: $0) }
            let bundle = Bundle(for: Marker.self).bundleURL
            let tools = [bundle, bundle.deletingLastPathComponent()].map { $0.appendingPathComponent("pql") }
            let tool = named ?? tools.first { FileManager.default.isExecutableFile(atPath: $0.path) }
            // Without the trait, the tool does not know the command.
            return tool.flatMap { tool in
                let complaint = (try? run(tool, ["backup"]))?.error ?? ""
                return complaint.contains("pql backup ") ? tool : nil
            }
        }()

        let folder: URL
        let port: UInt16
        private let process = Process()
        private let ownsFolder: Bool

        /// The database.
        var data: String { folder.appendingPathComponent("service.sqlite").path }

        /// Starts a service and waits until it answers.
        ///
        /// - Parameters:
        ///   - folder: where the database is; nil for a new one, which is removed with the process.
        ///   - options: further options of `pql serve`.
        ///   - app: the app; nil to name none.
        ///   - error: what its standard error is; nil for that of the tests.
        /// - Throws: an error if it does not start.
        init(
            in folder: URL? = nil,
            _ options: [String] = [],
            app: String? = ServerProcess.app,
            error: Pipe? = nil
        ) throws {
            ownsFolder = folder == nil
            self.folder = try folder ?? Self.newFolder()
            let tool: URL = try #require(Self.executable)
            process.executableURL = tool
            let data = self.folder.appendingPathComponent("service.sqlite").path
            let named = app.map { ["--app", $0] } ?? []
            process.arguments =
                ["serve", "--data", data, "--listen", "127.0.0.1:0", "--log", "off", "--rate", "off"] + named + options
            let output = Pipe()
            process.standardOutput = output
            process.standardError = error ?? FileHandle.standardError
            try process.run()
            var text = ""
            var found: UInt16?
            while found == nil, case let bytes = output.fileHandleForReading.availableData, !bytes.isEmpty {
                text += String(decoding: bytes, as: UTF8.self)
                let line = text.split(separator: "\n").first { $0.hasPrefix("listening on http://127.0.0.1:") }
                if text.hasSuffix("\n") { found = line.flatMap { UInt16($0.split(separator: ":").last ?? "") } }
            }
            printed = text
            port = try #require(found, "pql serve printed: \(text)")
        }

        /// What it printed until it answered.
        let printed: String

        deinit {
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
            if ownsFolder { try? FileManager.default.removeItem(at: folder) }
        }

        static func newFolder() throws -> URL {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("served-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return folder
        }

        var id: Int32 { process.processIdentifier }

        /// The bytes of memory that it has for itself; nil if the system does not tell.
        var memory: Int? {
            let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
            return line.flatMap { Int($0.split(separator: " ").dropLast().last?.filter(\.isNumber) ?? "") }.map {
                $0 << 10
            }
        }

        /// Sends a signal.
        func signal(_ number: Int32) { kill(process.processIdentifier, number) }

        /// Waits for the end of the process; its status, or the signal that ended it.
        func wait() -> Int32 {
            process.waitUntilExit()
            return process.terminationStatus
        }

        /// Runs the tool with other arguments to its end.
        static func run(_ arguments: String...) throws -> (status: Int32, error: String) {
            try run(arguments)
        }

        /// Runs the tool with more variables in its environment.
        static func run(
            _ arguments: [String],
            _ variables: [String: String] = [:]
        ) throws -> (status: Int32, error: String) {
            try run(#require(executable), arguments, variables)
        }

        private static func run(
            _ tool: URL,
            _ arguments: [String],
            _ variables: [String: String] = [:]
        ) throws -> (status: Int32, error: String) {
            let process = Process()
            process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
            let error = Pipe()
            process.executableURL = tool
            process.arguments = arguments
            process.standardOutput = FileHandle.nullDevice
            process.standardError = error
            try process.run()
            let text = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, text)
        }
    }

    extension Trait where Self == ConditionTrait {
        /// Tests that need `pql serve`.
        static var server: Self {
            .enabled(
                if: Machine.isOurs && ServerProcess.executable != nil,
                "needs MACHINE_TESTS=1 and pql with its trait Server"
            )
        }
    }
#endif
