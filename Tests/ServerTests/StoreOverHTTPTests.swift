#if os(Linux)
    import Foundation
    import PredicateQL
    import PredicateQLStore
    import StoreModel
    import StoreSupport
    import Testing

    /// Stores over HTTP: URLSession, libcurl or async-http-client on one side, `pql serve` on the other.
    @Suite(.server) struct StoreOverHTTPTests {
        private static let options = ["--delta", "all", "--rights", "public"]

        private func client(
            _ stack: HTTPStack,
            _ server: ServerProcess,
            _ options: Options = Options()
        ) throws -> StoreClient {
            try StoreClient(
                stack.transport("http://127.0.0.1:\(server.port)"),
                app: .init(key: "kid", secret: "app-secret"),
                cache: .memory,
                options: options
            )
        }

        /// The guides of data stores, sample by sample, on every type of store.
        @Test(arguments: HTTPStack.present) func everySampleOfTheGuidesHolds(stack: HTTPStack) async throws {
            let server = try ServerProcess(Self.options)
            for type in StoreType.allCases {
                let service = try stack.transport("http://127.0.0.1:\(server.port)")
                let walk = GuideWalk(service, type, secrets: ("app-secret", "master-secret"))
                try await walk.run()
                #expect(walk.failures.isEmpty, "\(type): \(walk.failures.joined(separator: "\n"))")
                #expect(walk.count > (type == .network ? 120 : 350), "\(type): \(walk.count)")
            }
        }

        @Test(arguments: HTTPStack.present) func devicesMeetOverHTTP(stack: HTTPStack) async throws {
            let server = try ServerProcess(Self.options)
            let options = Options(deltaSync: true, pageSize: 50)
            let account = try client(stack, server, options)
            let mine = account.store(Novel.self, .sync)
            let yours = try client(stack, server, options).store(Novel.self, .sync)
            try await mine.save((0..<120).map { (year: Int) in Novel(title: "é \(year)", year: year) })
            #expect(try await mine.sync().push.count == 120)
            #expect(try await yours.pull().pages == 3)
            try await yours.remove(Query(format: "year < 20"))
            #expect(try await yours.sync().push.count == 20)
            let result = try await mine.pull()
            #expect(result.wasDelta && result.deleted == 20)
            #expect(try await mine.find(Query(order: ["year"])) == (try await yours.find(Query(order: ["year"]))))
            // A query that is too long for a URL goes in a body.
            let years = Array(0..<120) + Array(1_000_000..<1_000_800)
            let auto = account.store(Novel.self, .auto)
            #expect(try await auto.find(Query(Field("year").in(years))).count == 100)
            #expect(try await auto.count(Query(format: "title BEGINSWITH 'é 11'")) == 10)
        }

        /// Ids whose characters mean something in a path reach the entity they name, and no other.
        @Test(
            arguments: [
                "a/b", "a%2Fb", "%", "a b+c", "?query={}", "#", "…", "é", "..a", "a..", "a//b", "/", "%2e%2e",
            ],
            HTTPStack.present
        )
        func anyIDIsOneSegment(id: String, stack: HTTPStack) async throws {
            let server = try ServerProcess(Self.options)
            let books = try client(stack, server).store(Novel.self, .network)
            try await books.save(Novel(id: "other", title: "other"))
            try await books.save(Novel(id: id, title: "first"))
            #expect(try await books.find(id: id).title == "first")
            try await books.save(Novel(id: id, title: "second"))
            #expect(try await books.find().map(\.title).sorted { ($0 ?? "") < ($1 ?? "") } == ["other", "second"])
            #expect(try await books.remove(id: id) == 1)
            #expect(try await books.find().map(\.title) == ["other"])
        }

        /// What a URL turns into another path is no id.
        @Test(arguments: [".", "..", "", "_count", "a\u{0}"]) func otherIDsNameNothing(id: String) async throws {
            let server = try ServerProcess(Self.options)
            for type in [StoreType.network, .auto] {
                let books = try client(.urlSession, server).store(Novel.self, type)
                try await books.save(Novel(id: "other", title: "other"))
                await #expect(throws: StoreError.self) { try await books.save(Novel(id: id, title: "x")) }
                await #expect(throws: StoreError.self) { _ = try await books.find(id: id) }
                #expect(try await books.remove(id: id) == 0)
                #expect(try await books.count() == 1)
            }
        }

        // MARK: Time

        /// A server that takes connections and says nothing, or a byte now and then.
        private func silentServer(_ program: String) throws -> (process: Process, port: Int) {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-u", "-c", program]
            process.standardOutput = output
            try process.run()
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            return (process, try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)), "\(line)"))
        }

        private static let silent = """
            import socket, time
            s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])
            held = []
            while True: held.append(s.accept())
            """
        private static let cut = """
            import socket
            s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])
            while True:
                c = s.accept()[0]; c.recv(9999)
                c.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: 9\\r\\n\\r\\n[]"); c.close()
            """
        private static let slow = """
            import socket, threading, time
            s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])
            def drip(c):
                c.recv(9999); c.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: 900\\r\\n\\r\\n[")
                try:
                    while True: c.sendall(b" "); time.sleep(0.05)
                except OSError: pass
            while True: threading.Thread(target=drip, args=(s.accept()[0],), daemon=True).start()
            """

        @Test(arguments: [silent, slow], HTTPStack.present)
        func answersThatTakeTooLongEnd(program: String, stack: HTTPStack) async throws {
            let (process, port) = try silentServer(program)
            defer { kill(process.processIdentifier, SIGKILL) }
            let transport = try stack.transport("http://127.0.0.1:\(port)")
            await #expect(throws: TransportFault.timedOut) {
                _ = try await transport.send(WireRequest("GET", "/appdata/kid/Book"), timeout: .milliseconds(300))
            }
        }

        /// A connection that ends before the answer does brings no answer, as does a port at which nobody listens.
        @Test(arguments: [cut, "print(1)"], HTTPStack.present)
        func halfAnswersAreNone(program: String, stack: HTTPStack) async throws {
            let (process, port) = try silentServer(program)
            defer { kill(process.processIdentifier, SIGKILL) }
            let transport = try stack.transport("http://127.0.0.1:\(port)")
            do throws(TransportFault) {
                let response = try await transport.send(WireRequest("GET", "/appdata/kid/Book"), timeout: .seconds(60))
                Issue.record("\(response)")
            } catch {
                guard case .unreachable = error else { throw error }
            }
        }

        /// Compressed or not, an answer that is longer than the transport may hold is a fault.
        @Test(arguments: HTTPStack.present) func longAnswersArrive(stack: HTTPStack) async throws {
            let server = try ServerProcess(Self.options)
            let novels = try client(stack, server).store(Novel.self, .sync)
            let title = String(repeating: "long ", count: 1_000)
            try await novels.save((0..<600).map { Novel(id: "n\($0)", title: title) })
            #expect(try await novels.push().count == 600)
            let reader = try client(stack, server, Options(pageSize: 500)).store(Novel.self, .sync)
            #expect(try await reader.pull().entities.allSatisfy { $0.title == title })
            guard stack != .urlSession else { return }
            try await novels.save((600..<1_200).map { Novel(id: "n\($0)", title: title) })
            #expect(try await novels.push().count == 600)
            do {
                _ = try await client(stack, server).store(Novel.self, .sync).pull()
                Issue.record("an answer of six megabytes where four are the most")
            } catch StoreError.unreachable(let reason) {
                #expect(reason == "the response has more than 4194304 bytes")
            }
        }

        @Test(arguments: HTTPStack.present) func cancelledRequestsEnd(stack: HTTPStack) async throws {
            let (process, port) = try silentServer(Self.silent)
            defer { kill(process.processIdentifier, SIGKILL) }
            let transport = try stack.transport("http://127.0.0.1:\(port)")
            let task = Task { try await transport.send(WireRequest("GET", "/appdata/kid/Book"), timeout: .seconds(60)) }
            try await Task.sleep(for: .milliseconds(200))
            task.cancel()
            await #expect(throws: TransportFault.cancelled) { _ = try await task.value }
        }

        /// A store whose service went away answers from its cache; a forced read says why it cannot.
        @Test(arguments: HTTPStack.present) func servicesThatWentAwayAreOutOfReach(stack: HTTPStack) async throws {
            let server = try ServerProcess(Self.options)
            let books = try client(stack, server).store(Novel.self, .auto)
            try await books.save(Novel(title: "Emma"))
            server.signal(SIGKILL)
            _ = server.wait()
            #expect(try await books.find().map(\.title) == ["Emma"])
            try await books.save(Novel(title: "Dune"))
            #expect(try await books.syncCount() == 1)
            do {
                _ = try await books.find(options: Options(readPolicy: .forceNetwork))
                Issue.record("an answer of a service that is gone")
            } catch {
                guard case .unreachable = error else { throw error }
            }
        }
    }
#endif
