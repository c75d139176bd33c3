#if os(Linux)
    import Foundation
    import QueryValues
    import SpecSupport
    import Testing

    /// A service that is killed while it writes: what it acknowledged is there, and nothing is there in half.
    ///
    /// `CRASHES` says how often (25).
    @Suite(.server) struct CrashTests {
        private static let crashes = ProcessInfo.processInfo.environment["CRASHES"].flatMap { Int($0) } ?? 25
        private static let writers = 6
        /// With an index, so that a thousand rounds take no longer each than the first.
        private static let options = ["--delta", "all", "--index", "Crash:round"]

        /// What one run of the service acknowledged.
        private struct Acknowledged {
            /// Requests that added ten entities, by the number of the request.
            var tens: Set<String> = []
            /// The last acknowledged version of each writer's own entity.
            var versions: [String: Int] = [:]
            var tick = ""
        }

        /// What several connections note.
        private final class Notes: Sendable {
            private let state = Mutex(Acknowledged())

            var all: Acknowledged { state.withLock { $0 } }

            func add(ten: String) { state.withLock { _ = $0.tens.insert(ten) } }

            func add(_ version: Int, of id: String, at tick: String) {
                state.withLock { state in
                    state.versions[id] = version
                    state.tick = max(state.tick, tick)
                }
            }
        }

        @Test func nothingAcknowledgedIsLost() throws {
            let folder = try ServerProcess.newFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            var generator = SeededGenerator.standard
            var total = 0
            for round in 0..<Self.crashes {
                let acknowledged = try crash(
                    folder,
                    round,
                    after: UInt32.random(in: 5_000...250_000, using: &generator)
                )
                total += acknowledged.tens.count + acknowledged.versions.count
                let server = try ServerProcess(in: folder, Self.options)
                try check(acknowledged, round, try HTTPClient(server))
            }
            #expect(total > Self.crashes, "the service was killed before it did anything")
        }

        /// Starts a service, writes to it from several connections, and kills it.
        private func crash(_ folder: URL, _ round: Int, after microseconds: UInt32) throws -> Acknowledged {
            let server = try ServerProcess(in: folder, Self.options)
            let notes = Notes()
            let group = DispatchGroup()
            for writer in 0..<Self.writers {
                group.enter()
                Thread.detachNewThread {
                    write(writer, round, server, notes)
                    group.leave()
                }
            }
            usleep(microseconds)
            server.signal(SIGKILL)
            group.wait()
            #expect(server.wait() == SIGKILL)
            return notes.all
        }

        /// Writes until the connection ends: one entity again and again, and ten at a time.
        private func write(_ writer: Int, _ round: Int, _ server: ServerProcess, _ notes: Notes) {
            guard let client = try? HTTPClient(server) else { return }
            var number = 0
            while true {
                number += 1
                let own = "own-\(writer)"
                // Two fields say the same, so that half an entity would show.
                let body =
                    #"{"round":\#(round),"a":\#(number),"pad":"\#(String(repeating: "p", count: 300))","b":\#(number)}"#
                guard let put = try? client.send("PUT", "Crash/\(own)", body), put.status < 300 else { return }
                notes.add(number, of: own, at: put.headers["x-kinvey-request-start"] ?? "")
                let ten = "\(writer).\(number)"
                let list = (0..<10).map { #"{"_id":"\#(round)-\#(ten)-\#($0)","round":\#(round),"ten":"\#(ten)"}"# }
                guard let post = try? client.send("POST", "Crash", "[\(list.joined(separator: ","))]"),
                    post.status == 201
                else { return }
                notes.add(ten: ten)
            }
        }

        private func check(_ acknowledged: Acknowledged, _ round: Int, _ client: HTTPClient) throws {
            let query = "%7B%22round%22:\(round)%7D"
            let answer = try client.send("GET", "Crash?query=\(query)")
            guard case .list(let entities)? = answer.json else {
                Issue.record("round \(round): \(answer.text.prefix(300))")
                return
            }
            var tens: [String: Int] = [:]
            for case .object(let entity) in entities {
                if case .string(let ten)? = entity["ten"] {
                    tens[ten, default: 0] += 1
                } else {
                    guard case .string(let id)? = entity["_id"], case .int(let a)? = entity["a"] else {
                        Issue.record("round \(round): \(entity)")
                        continue
                    }
                    #expect(entity["b"] == .int(a), "round \(round): half of \(id)")
                    #expect(a >= Int64(acknowledged.versions[id] ?? 0), "round \(round): \(id) went back to \(a)")
                }
            }
            for (ten, count) in tens { #expect(count == 10, "round \(round): \(count) of the ten of \(ten)") }
            for ten in acknowledged.tens { #expect(tens[ten] == 10, "round \(round): lost \(ten)") }
            for id in acknowledged.versions.keys {
                #expect(try client.send("GET", "Crash/\(id)")["round"] == "\(round)", "round \(round): lost \(id)")
            }
            let tick = answer.headers["x-kinvey-request-start"] ?? ""
            #expect(tick >= acknowledged.tick, "round \(round): the clock went back")
        }
    }
#endif
