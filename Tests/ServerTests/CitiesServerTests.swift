#if os(Linux)
    import Foundation
    import PredicateQL
    import PredicateQLSQLite
    import SpecSupport
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    private let citiesServer = ProcessInfo.processInfo.environment["CITIES_SERVER"]

    /// The server of `Grammar/services.md`, which `CITIES_SERVER` names; built with the trait Server.
    @Suite(.serialized, .enabled(if: citiesServer != nil, "CITIES_SERVER names no server"))
    final class CitiesServerTests {
        private let folder: URL
        private var process = Process()
        private var port: UInt16 = 0

        init() async throws {
            folder = try ServerProcess.newFolder()
            let file = folder.appendingPathComponent("cities.sqlite").path
            let database = try SQLiteDatabase(path: file, isReadOnly: false)
            let rows: [Document] = try Self.cities()
            try database.importDocuments(rows, into: "cities")
            let end = ContinuousClock.now.advanced(by: .seconds(60))
            repeat {  // another process may take a port between its choice and the server's start
                try #require(ContinuousClock.now < end, "it does not answer")
                port = try Self.freePort()
                process = Process()
                process.executableURL = URL(fileURLWithPath: try #require(citiesServer))
                process.arguments = [file, String(port)]
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
            } while try await !isAnswering(until: end)
        }

        /// False where the server ended, as it does where the port was taken.
        private func isAnswering(until end: ContinuousClock.Instant) async throws -> Bool {
            while process.isRunning, ContinuousClock.now < end {
                if let status = try? await ask("cities?limit=1").status, process.isRunning { return status == 200 }
                try await Task.sleep(for: .milliseconds(50))
            }
            return false
        }

        deinit {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try? FileManager.default.removeItem(at: folder)
        }

        private static func cities() throws -> [Document] {
            let file = SpecFile.repository.appendingPathComponent("Tests/Data/us-cities.ndjson")
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
                if case .object(let city) = try QueryValue(json: String(line)) { city } else { nil }
            }
        }

        private static func freePort() throws -> UInt16 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
                }
            }
            try #require(status == 0)
            return UInt16(bigEndian: address.sin_port)
        }

        private func ask(_ target: String) async throws -> (status: Int, text: String) {
            let allowed = CharacterSet.urlQueryAllowed
            let escaped = try #require(target.addingPercentEncoding(withAllowedCharacters: allowed))
            let url = try #require(URL(string: "http://127.0.0.1:\(port)/\(escaped)"))
            let (data, response) = try await URLSession.shared.data(from: url)
            return (try #require(response as? HTTPURLResponse).statusCode, String(decoding: data, as: UTF8.self))
        }

        @Test func itAnswersUntrustedQueries() async throws {
            let page = try await ask(
                #"cities?query={"population":{"$gt":600000},"name":{"$regex":"^B"}}&sort=name&limit=1"#
            )
            #expect(page.status == 200)
            #expect(page.text == #"{"total":2,"rows":[{"name":"Boston","state":"MA","population":653833}]}"#)
            let lines = try await ask(#"cities.ndjson?query={"state":"MA"}&fields=name"#)
            #expect(lines.text.split(separator: "\n").count == 100, "what the policy allows")
            #expect(lines.text.hasPrefix(#"{"name":""#))
        }

        @Test func mistakesAreTheCallers() async throws {
            for (target, code) in [
                (#"cities?query={"password":"x"}"#, "unknownField"), ("cities?query={", "json"),
                ("cities?limit=many", "argument"), ("cities?page=2", "argument"),
                (#"cities?query={"name":{"$where":"1"}}"#, "unsupported"),
            ] {
                let answer = try await ask(target)
                #expect(
                    answer.status == 400 && answer.text.contains(#""code":"\#(code)""#),
                    "\(target): \(answer.text)"
                )
            }
        }

        @Test func faultsOfTheStoreAreNot() async throws {
            let file = folder.appendingPathComponent("cities.sqlite").path
            try SQLiteDatabase(path: file, isReadOnly: false).execute("DROP TABLE cities")
            let answer = try await ask("cities")
            #expect(answer.status == 500 && answer.text == #"{"error":"the server failed"}"#, "\(answer.text)")
        }
    }
#endif
