#if os(Linux)
    import Foundation
    import QueryValues
    import SpecSupport
    import StoreModel
    import StoreSupport
    import Testing

    /// What processes acknowledged: the version of each entity, nil for one that was removed.
    struct Ledger: Sendable {
        var versions: [String: Int?] = [:]
        /// The call that had not returned when the process ended.
        var open: (ids: [String], version: Int?)?
        var failures: [String] = []
        /// How many calls returned.
        var count = 0

        mutating func note(_ message: PipeMessage) {
            switch message {
            case .begun(let ids, let version): open = (ids, version)
            case .done(let ids, let version):
                for id in ids { versions[id] = .some(version) }
                open = nil
                count += 1
            case .failed(let error):
                failures.append(error)
                open = nil
            case .request, .answer, .unreachable, .timedOut, .cancelled: break
            }
        }
    }

    /// `StoreProcess`, which uses the store of a folder, over the service of a test.
    final class WatchedProcess: Sendable {
        private final class Marker {}

        /// The program next to the test bundle.
        static let executable: URL? = {
            let bundle = Bundle(for: Marker.self).bundleURL
            return [bundle, bundle.deletingLastPathComponent()].map { $0.appendingPathComponent("StoreProcess") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        }()

        private let process: Process
        private let harness: ServiceHarness
        private let input = Mutex(Pipe())
        private let state = Mutex(Ledger())
        private let answering = Mutex<[Task<Void, Never>]>([])
        private let killTime: DispatchTimeInterval?
        private let end: AsyncStream<Void>

        /// Starts a process.
        ///
        /// - Parameters:
        ///   - harness: the service that answers it.
        ///   - arguments: those of `StoreProcess`.
        ///   - limits: what a shell does first.
        ///   - killTime: when it is killed, after it said something; nil for never.
        /// - Throws: an error if it does not start.
        init(
            _ harness: ServiceHarness,
            _ arguments: [String],
            limits: String = "",
            killTime: DispatchTimeInterval? = nil
        ) throws {
            // What is written to a process that is gone is an error, not the end of the tests.
            signal(SIGPIPE, SIG_IGN)
            (self.harness, self.killTime) = (harness, killTime)
            let (end, ending) = AsyncStream.makeStream(of: Void.self)
            self.end = end
            process = Process()
            let program: URL = try #require(Self.executable)
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", limits + #" exec "$0" "$@""#, program.path] + arguments
            process.standardOutput = output
            process.standardInput = input.withLock { $0 }
            try process.run()
            let reading = output.fileHandleForReading
            // Not a task: those that answer need the few threads that tasks have.
            Thread.detachNewThread { [self] in
                read(reading)
                process.waitUntilExit()
                ending.finish()
            }
        }

        /// Waits until the process has ended; what it said, and whether it was killed.
        func wait() async -> (said: Ledger, isKilled: Bool) {
            for await _ in end {}
            for task in answering.withLock({ $0 }) { await task.value }
            let isKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
            #expect(isKilled || process.terminationStatus == 0, "ended with \(process.terminationStatus)")
            return (state.withLock { $0 }, isKilled)
        }

        /// Reads lines until the process has ended; half a line at the end was not said.
        private func read(_ output: FileHandle) {
            var rest = Data()
            var isBeginning = true
            while case let data = output.availableData, !data.isEmpty {
                rest += data
                if isBeginning, let killTime {
                    let id = process.processIdentifier
                    DispatchQueue.global().asyncAfter(deadline: .now() + killTime) { kill(id, SIGKILL) }
                }
                isBeginning = false
                while let position = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    if let message = try? PipeMessage(line: rest[..<position]) { take(message) }
                    rest = Data(rest[(position + 1)...])
                }
            }
        }

        private func take(_ message: PipeMessage) {
            guard case .request(let number, let method, let path, let query, let headers, let body, _) = message else {
                return state.withLock { $0.note(message) }
            }
            let fields = HeaderFields(headers.map { ($0.key, $0.value) })
            let request = WireRequest(method, path, query: query, headers: fields, body: Array(body.utf8))
            let task = Task {
                await harness.changeTheirs()
                let response = await harness.service.answer(request)
                let answer = PipeMessage.answer(
                    number: number,
                    status: response.status,
                    headers: Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first },
                    body: String(decoding: response.body, as: UTF8.self)
                )
                // The process may be gone.
                input.withLock { try? $0.fileHandleForWriting.write(contentsOf: answer.line) }
            }
            answering.withLock { $0.append(task) }
        }
    }

    extension ServiceHarness {
        private static let random = Mutex(SeededGenerator.standard)

        /// Another device changes an entity of its own, now and then.
        func changeTheirs() async {
            func below(_ bound: Int) -> Int { Self.random.withLock { $0.below(bound) } }
            guard below(4) == 0 else { return }
            let id = "theirs-\(below(30))"
            if below(4) == 0 {
                _ = await send("DELETE", "Book/\(id)")
            } else {
                let number = below(1_000)
                _ = await send("PUT", "Book/\(id)", #"{"title":"\#(number)","year":\#(number)}"#)
            }
        }

        /// The versions of all entities that the service has.
        func versions() async throws -> [String: Int] {
            guard case .list(let entities)? = await send("GET", "Book").json else {
                Issue.record("a list was expected")
                return [:]
            }
            var versions: [String: Int] = [:]
            for case .object(let entity) in entities {
                guard case .string(let id)? = entity["_id"], case .int(let year)? = entity["year"] else { continue }
                versions[id] = Int(year)
            }
            return versions
        }
    }
#endif
