import Foundation
import PredicateQLStore
import StoreModel

/// How much memory a whole pull takes, in a process that does nothing else: this program with `--pull FOLDER`.
struct StoreMemory: Sendable {
    let folder: String

    /// Keeps the pages of a pull, and lets another process pull them.
    ///
    /// - Returns: the bytes that its memory grew by at most; nil where a system does not tell.
    func measure(_ pages: [WireResponse]) throws -> Int? {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (number, page) in pages.enumerated() {
            let headers = page.headers.map { $0.name + ": " + $0.value }.joined(separator: "\n")
            try Data((headers + "\n\n").utf8 + page.body).write(to: URL(fileURLWithPath: folder + "/\(number)"))
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--pull", folder]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// What the other process does.
    func pull() async throws {
        let client = try StoreClient(
            Pages(folder: folder),
            app: .init(key: "kid", secret: "s"),
            cache: .folder(folder + "/cache")
        )
        let books = client.store(StoreBenchmark.Book.self, .sync)
        guard try await books.find().isEmpty else { throw CocoaError(.fileReadUnknown) }
        let before = Self.most()
        let result = try await books.pull()
        print(Self.most() - before)
        keep(result.entities)
    }

    /// A service whose answers are files.
    private actor Pages: Transport {
        let folder: String
        private var count = 0

        init(folder: String) { self.folder = folder }

        func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
            guard let file = FileManager.default.contents(atPath: folder + "/\(count)"),
                let end = file.firstRange(of: Data("\n\n".utf8))
            else { throw .unreachable("there is no page \(count)") }
            count += 1
            var response = WireResponse(status: 200, body: Array(file[end.upperBound...]))
            for line in String(decoding: file[..<end.lowerBound], as: UTF8.self).split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2 {
                    response.headers[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
                }
            }
            return response
        }
    }

    /// The most memory that was resident, in bytes.
    private static func most() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0) << 10
    }
}
