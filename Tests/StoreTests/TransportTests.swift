#if os(Linux)
    import Foundation
    import PredicateQLStore
    import StoreModel
    import TestConditions
    import Testing

    /// Requests that meet what networks do, in a process of their own.
    @Suite(.tags(.machine), .machine, .timeLimit(.minutes(60))) struct TransportTests {
        /// Answers after the microseconds in the path: whole, large, cut in its body, or with a reset connection; or with
        /// the bytes that are an argument of the number in the path.
        private static let server = """
            import socket, struct, sys, threading, time
            shapes = [bytes.fromhex(a) for a in sys.argv[1:]]
            s = socket.create_server(("127.0.0.1", 0), backlog=512); print(s.getsockname()[1])
            def head(length): return b"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: %d\\r\\n\\r\\n" % length
            def serve(c):
                try:
                    while True:
                        data = b""
                        while b"\\r\\n\\r\\n" not in data:
                            got = c.recv(65536)
                            if not got: return
                            data += got
                        kind, pause = data.split(b" ")[1].decode().strip("/").split("/")
                        if kind in ("head", "torn"):
                            c.sendall(shapes[int(pause)])
                            if kind == "torn": c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                            return
                        time.sleep(int(pause) / 1e6)
                        if kind == "late": c.sendall(head(2) + b"[]"); continue
                        if kind == "large": c.sendall(head(200000) + b" " * 200000); continue
                        c.sendall(head(9) + b"[")
                        if kind == "reset": c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                        return
                except OSError: pass
                finally: c.close()
            while True: threading.Thread(target=serve, args=(s.accept()[0],), daemon=True).start()
            """

        /// `CANCELS` says how many requests are sent (4,000).
        private static let count = ProcessInfo.processInfo.environment["CANCELS"] ?? "4000"

        private func start(_ arguments: [String]) throws -> (process: Process, output: FileHandle) {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = arguments
            process.standardOutput = output
            try process.run()
            return (process, output.fileHandleForReading)
        }

        /// A cancellation or a time-out that meets an arriving answer ends its request, and the next is answered; libcurl
        /// also meets answers that are cut inside their heads, which end a process that uses URLSession.
        @Test(arguments: [false, true]) func cancellationsThatMeetAnswersEnd(isCurl: Bool) async throws {
            let shapes = CutAnswers.all.map { $0.bytes.map { String(format: "%02x", $0) }.joined() }
            let (server, said) = try start(["python3", "-u", "-c", Self.server] + shapes)
            defer { kill(server.processIdentifier, SIGKILL) }
            let port = said.availableLine
            let program: URL = try #require(WatchedProcess.executable)
            let (process, output) = try start(
                [program.path, "cancel", "http://127.0.0.1:\(port)", Self.count] + (isCurl ? ["\(shapes.count)"] : [])
            )
            let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(
                process.terminationReason == .exit && process.terminationStatus == 0,
                "\(process.terminationStatus)"
            )
            for end in ["200: ", "at the end 200: 1", "cancelled: ", "timedOut: ", "unreachable: "] {
                #expect(text.contains(end), "\(text)")
            }
        }

        /// Whoever cannot show a certificate of the service is told nothing.
        @Test func strangersAreToldNothing() async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent("stranger.pem").path
            let (maker, made) = try start([
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", file, "-out", file + ".crt",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2",
            ])
            _ = made.readDataToEndOfFile()
            maker.waitUntilExit()
            #expect(maker.terminationStatus == 0)
            let (server, said) = try start(["python3", "-u", "-c", Self.stranger, file])
            defer { kill(server.processIdentifier, SIGKILL) }
            let port = try #require(Int(said.availableLine), "no port")
            let transport = try #require(try CurlTransport("https://localhost:\(port)"))
            do throws(TransportFault) {
                let answer = try await transport.send(WireRequest("GET", "/"), timeout: .seconds(60))
                Issue.record("\(answer)")
            } catch {
                guard case .unreachable(let reason) = error else { throw error }
                #expect(reason.lowercased().contains("certificate"), "\(reason)")
            }
            #expect(said.availableLine.hasPrefix("no handshake"))
        }

        private static let stranger = """
            import socket, ssl, sys
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[1] + ".crt", sys.argv[1])
            s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])
            c = s.accept()[0]
            try: print("told", context.wrap_socket(c, server_side=True).recv(99))
            except (OSError, ssl.SSLError): print("no handshake")
            """
    }

    extension FileHandle {
        /// What a process says next, without the end of its line.
        fileprivate var availableLine: String {
            String(decoding: availableData, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
#endif
