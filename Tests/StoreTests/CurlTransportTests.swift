#if os(Linux)
    import Foundation
    import QueryValues
    import StoreModel
    import TestConditions
    import Testing

    @testable import PredicateQLStore

    /// Requests by libcurl, the default on Linux, to a server that answers with any bytes.
    ///
    /// A connection is kept for two minutes, and a test that runs beside a thousand others may wait for longer.
    @Suite(.tags(.machine), .machine, .enabled(if: CurlWorker.shared != nil, "needs libcurl 7.68"))
    struct CurlTransportTests {
        private static let plenty = Duration.seconds(3_600)

        private static func head(_ status: some StringProtocol, _ length: Int, _ headers: [String] = []) -> String {
            ([["HTTP/1.1 " + status], headers, ["Content-Length: \(length)", "", ""]] as [[String]]).joined()
                .joined(separator: "\r\n")
        }

        private func transport(_ server: AnswerServer, _ mostBytes: Int = 1 << 20) throws -> CurlTransport {
            try #require(try CurlTransport(server.address, mostBytes: mostBytes))
        }

        @Test func itIsTheDefault() throws {
            #expect(try StoreClient.transport(to: "https://example.org") is CurlTransport)
            for address in ["ftp://example.org", "example.org", "http://example.org?a=1", ""] {
                #expect(throws: StoreError.self) { try StoreClient.transport(to: address) }
            }
        }

        /// No library, and one without the functions, are none; then URLSession sends.
        @Test func otherLibrariesAreNone() {
            #expect(CurlLibrary("libcurl.so.4") != nil)
            for name in ["libpredicateql-none.so.0", "libm.so.6"] { #expect(CurlLibrary(name) == nil) }
        }

        /// An answer that is cut is a fault, whatever its shape and however its connection ends.
        @Test(arguments: CutAnswers.all.indices) func cutAnswersAreFaults(number: Int) async throws {
            let answer = CutAnswers.all[number]
            for end in [AnswerServer.End.closes, .resets] {
                let server = try AnswerServer { _ in AnswerServer.Answer(answer.bytes, end) }
                let sender = try transport(server)
                do throws(TransportFault) {
                    let response = try await sender.send(WireRequest("GET", "/"), timeout: Self.plenty)
                    guard end == .closes else { continue }
                    #expect([.either, .status(response.status)].contains(answer.outcome))
                    #expect(response.headers["folded"] == nil)
                } catch {
                    guard case .unreachable(let reason) = error else { throw error }
                    guard end == .closes else { continue }
                    #expect([.either, .fault(nil), .fault(reason)].contains(answer.outcome), "\(reason)")
                }
            }
        }

        @Test func answersComeWhole() async throws {
            let server = try AnswerServer { _ in
                .init(Self.head("401 No", 4, ["WWW-Authenticate: Basic realm=\"x\"", "Vary: a", "Vary: b"]) + "{\"é")
            }
            let response = try await transport(server).send(
                WireRequest("GET", "/a%2Fb/../c", headers: [("X-A", "old"), ("x-a", "1"), ("X-Empty", "")]),
                timeout: Self.plenty
            )
            #expect(response.status == 401 && response.body == Array("{\"é".utf8))
            #expect(response.headers["www-authenticate"] == "Basic realm=\"x\"")
            #expect(response.headers.filter { $0.name == "Vary" }.map(\.value) == ["a", "b"])
            let request = try #require(server.came.withLock { $0.requests }.first)
            #expect(request.method == "GET" && request.path == "/a%2Fb/../c")
            #expect(request.headers.filter { $0.name.lowercased() == "x-a" }.map(\.value) == ["1"])
            #expect(request.headers["X-Empty"]?.isEmpty == true)
        }

        @Test(arguments: ["POST", "PUT", "DELETE"]) func bodiesGoOutWhole(method: String) async throws {
            let server = try AnswerServer { _ in .init(Self.head("201 Created", 0)) }
            let body = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let sender = try transport(server)
            for body in [body, []] {
                let request = WireRequest(method, "/", headers: [("Content-Type", "application/json")], body: body)
                #expect(try await sender.send(request, timeout: Self.plenty).status == 201)
            }
            let came = server.came.withLock { $0 }
            #expect(came.requests.map(\.method) == [method, method] && came.connections == 1)
            #expect(came.requests.map(\.body) == [body, []])
            #expect(came.requests.allSatisfy { $0.headers["Content-Type"] == "application/json" })
            #expect(came.requests.allSatisfy { $0.headers["Expect"] == nil })
        }

        @Test func connectionsAreKept() async throws {
            let server = try AnswerServer { _ in .init(Self.head("200 OK", 2) + "[]") }
            let sender = try transport(server)
            for _ in 0..<20 {
                #expect(try await sender.send(WireRequest("GET", "/"), timeout: Self.plenty).body == Array("[]".utf8))
            }
            #expect(server.came.withLock { $0.connections } == 1)
            // Many at once share a bounded number of them.
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<200 {
                    group.addTask { try await sender.send(WireRequest("GET", "/"), timeout: Self.plenty).status }
                }
                for try await status in group { #expect(status == 200) }
            }
            #expect(server.came.withLock { $0.connections } <= 16)
        }

        @Test func longAnswersAreFaults() async throws {
            let server = try AnswerServer { _ in .init(Self.head("200 OK", 5) + "[1,2]") }
            let request = WireRequest("GET", "/")
            #expect(try await transport(server, 5).send(request, timeout: Self.plenty).body.count == 5)
            await #expect(throws: TransportFault.unreachable("the response has more than 4 bytes")) {
                _ = try await transport(server, 4).send(request, timeout: Self.plenty)
            }
            let line = "X-Long: " + String(repeating: "a", count: 60_000) + "\r\n"
            let wide = try AnswerServer { _ in
                .init("HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 20) + "Content-Length: 0\r\n\r\n", .closes)
            }
            await #expect(throws: TransportFault.self) {
                _ = try await transport(wide).send(request, timeout: Self.plenty)
            }
        }

        /// No line of a request can become two.
        @Test func controlCharactersAreNotSent() async throws {
            let server = try AnswerServer { _ in .init(Self.head("200 OK", 0)) }
            let sender = try transport(server)
            for request in [
                WireRequest("GET", "/a\r\nX: 1"), WireRequest("GET\n", "/"),
                WireRequest("GET", "/", headers: [("X", "1\r\nY: 2")]), WireRequest("GET", "/\u{0}"),
            ] {
                await #expect(throws: TransportFault.unreachable("a header or the URL holds a control character")) {
                    _ = try await sender.send(request, timeout: Self.plenty)
                }
            }
            #expect(server.came.withLock { $0.requests.isEmpty })
        }

        /// A request whose answer does not come ends with its time, or with its task, and the next one is answered.
        @Test func requestsEndWithTheirTimeAndTask() async throws {
            let (arrivals, arrive) = AsyncStream.makeStream(of: String.self)
            let server = try AnswerServer { request in
                arrive.yield(request.path)
                return request.path == "/" ? .init(Self.head("200 OK", 0)) : .init("HTTP/1.1 200 OK\r\n")
            }
            let sender = try transport(server)
            await #expect(throws: TransportFault.timedOut) {
                _ = try await sender.send(WireRequest("GET", "/late"), timeout: .milliseconds(20))
            }
            await #expect(throws: TransportFault.timedOut) {
                _ = try await sender.send(WireRequest("GET", "/late"), timeout: .zero)
            }
            let task = Task { try await sender.send(WireRequest("GET", "/cancelled"), timeout: Self.plenty) }
            for await path in arrivals where path == "/cancelled" { break }
            task.cancel()
            await #expect(throws: TransportFault.cancelled) { _ = try await task.value }
            #expect(try await sender.send(WireRequest("GET", "/"), timeout: Self.plenty).status == 200)
        }

        // MARK: Redirects

        @Test func redirectsAreFollowed() async throws {
            let server = try AnswerServer { request in
                switch request.path {
                case "/end": .init(Self.head("200 OK", 0))
                case "/again": .init(Self.head("302 Found", 0, ["Location: /again"]))
                default: .init(Self.head(request.path.dropFirst() + " X", 0, ["Location: end"]))
                }
            }
            let sender = try transport(server)
            for (status, method, next) in [
                (301, "GET", "GET"), (302, "POST", "GET"), (303, "PUT", "GET"), (307, "POST", "POST"),
                (308, "DELETE", "DELETE"), (301, "PUT", "PUT"),
            ] {
                let request = WireRequest(method, "/\(status)", headers: [("Authorization", "a")], body: [1])
                #expect(try await sender.send(request, timeout: Self.plenty).status == 200)
                let last = try #require(server.came.withLock { $0.requests }.last)
                #expect(last.path == "/end" && last.method == next && last.headers["Authorization"] == "a")
                #expect(last.body == (next == method ? [1] : []), "\(status) \(method)")
            }
            #expect(try await sender.send(WireRequest("GET", "/304"), timeout: Self.plenty).status == 304)
            await #expect(throws: TransportFault.unreachable("the service redirects more than 16 times")) {
                _ = try await sender.send(WireRequest("GET", "/again"), timeout: Self.plenty)
            }
        }

        /// Another host is told no passwords and tokens, and another protocol is not spoken.
        @Test func redirectsKeepSecrets() {
            let request = WireRequest("GET", "/", headers: [("Authorization", "a"), ("Cookie", "b"), ("X", "c")])
            func names(_ url: String, _ target: String) -> [String]? {
                let answer = CurlTransfer.Answer(response: WireResponse(status: 307), redirect: target)
                return CurlTransport.redirected(request, url, answer)?.request.headers.map(\.name)
            }
            let all = ["Authorization", "Cookie", "X"]
            #expect(names("http://a/", "http://A/b") == all && names("http://a/", "https://a/b") == all)
            for (url, target) in [
                ("http://a/", "http://b/"), ("https://a/", "http://a/"), ("http://a/", "http://a:81/"),
                ("http://a:81/", "https://a/"), ("https://a/", "https://a.b/"),
            ] {
                #expect(names(url, target) == ["X"], "\(url) \(target)")
            }
            for target in ["ftp://a/", "file:///etc/passwd", "gopher://a/"] {
                #expect(names("http://a/", target) == nil)
            }
        }
    }
#endif
