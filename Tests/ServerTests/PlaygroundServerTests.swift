#if os(Linux)
    import Foundation
    import Testing

    /// The playground over HTTP: its page, who may ask, and what is too much.
    @Suite(.serialized, .server) struct PlaygroundServerTests {
        let server: ServerProcess

        init() throws { server = try ServerProcess(["--playground"]) }

        private func ask(_ path: String, _ body: String? = nil, _ lines: [String] = []) throws -> HTTPClient.Answer {
            try HTTPClient(server).send(body == nil ? "GET" : "POST", path, body, as: nil, lines)
        }

        @Test func thePageLoadsNothingFromElsewhere() throws {
            #expect(server.printed.contains("playground at http://127.0.0.1:\(server.port)/_play/\n"))
            for (name, type) in [("", "text/html"), ("page.css", "text/css"), ("page.js", "text/javascript")] {
                let answer = try ask("/_play/" + name)
                #expect(answer.status == 200)
                #expect(answer.headers["content-type"]?.hasPrefix(type) == true)
                let policy = try #require(answer.headers["content-security-policy"])
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
                #expect(answer.headers["x-content-type-options"] == "nosniff")
                // The namespace of SVG is a name, and no address that is loaded.
                let text = answer.text.replacing("http://www.w3.org/2000/svg", with: "")
                #expect(!text.contains("http:") && !text.contains("https:"))
                #expect(!text.contains("innerHTML") && !text.contains("eval("))
            }
            #expect(try ask("/_play").headers["location"] == "/_play/")
            #expect(try ask("/_play/other").status == 404)
            #expect(try ask("/healthz").status == 200)
        }

        @Test func otherHostsAndSitesAreRefused() throws {
            for line in ["Origin: http://evil.example", "Origin: null", "Origin: http://localhost:1"] {
                #expect(try ask("/_play/data", nil, [line]).status == 403, "\(line)")
            }
            for host in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "[::2]", ""] {
                let client = try HTTPClient(server)
                try client.write("GET /_play/data HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                #expect([400, 403].contains(try client.read().status), "\(host)")
            }
            #expect(try ask("/_play/query", "{}", ["Sec-Fetch-Site: cross-site"]).status == 403)
            #expect(try ask("/_play/query", "{}", ["Origin: http://localhost"]).status == 200)
        }

        @Test func aRequestIsAnsweredWithRows() throws {
            let answer = try ask("/_play/query?source=1&shown=1", #"{"format":"state == 'TX'","outputs":["problems"]}"#)
            #expect(answer.text.contains(#""problems":[],"page":{"rows":[{"_id":"4699066","name":"Houston""#))
            let fault = try ask("/_play/query?source=99", #"{"format":"a == 1"}"#)
            #expect(fault.text.contains("this data is no longer loaded"))
            #expect(try ask("/_play/query?source=1", "no JSON").text.contains(#""code":"json""#))
        }

        @Test func whatIsTooMuchIsRefused() throws {
            let long = String(repeating: " ", count: 1 << 20) + "{}"
            #expect(try ask("/_play/query", long).status == 413)
            #expect(try ask("/_play/data?name=big", String(repeating: " ", count: 9 << 20)).status == 413)
            // Two seconds are the most that an output takes.
            let rows = (0..<2_000).map { "{\"a\":[\((0..<300).map { String($0 &* 7) }.joined(separator: ",")),\($0)]}" }
            let dropped = try ask("/_play/data?name=lists.ndjson", rows.joined(separator: "\n"))
            let id = try #require(dropped.text.firstMatch(of: /"id":"(\d+)"/)?.output.1)
            let start = ContinuousClock.now
            let heavy = "SUBQUERY(a, $x, SUBQUERY(a, $y, $y == $x).@count > 9).@count > 0"
            let answer = try ask("/_play/query?source=\(id)", #"{"format":"\#(heavy)","outputs":[]}"#)
            #expect(answer.text.contains("tooMuchWork"))
            #expect(ContinuousClock.now - start < .seconds(20))
        }

        @Test func aDroppedFileIsAskedAndHostileTextStaysText() throws {
            let row = #"{"<script>":"<img src=x onerror=alert(1)>","a":"</script>"}"#
            let dropped = try ask("/_play/data?name=%3Cb%3E.ndjson", row)
            #expect(dropped.text.contains(#""name":"<b>.ndjson","rows":1"#))
            #expect(dropped.headers["content-type"] == "application/json")
            let table = try ask("/_play/data?name=x.csv", "a,b\n1,<img src=x onerror=alert(1)>\n")
            #expect(table.text.contains(#""name":"x.csv","rows":1,"form":"CSV""#))
            let refused = try ask("/_play/data?name=x.parquet", "PAR1")
            #expect(refused.status == 422)
            #expect(refused.text.contains("is a Parquet file") && refused.text.contains("duckdb"))
        }

        private func devices(_ body: String) throws -> HTTPClient.Answer { try ask("/_play/devices", body) }

        /// Starts a session; its id and the folder of its caches.
        private func session() throws -> (id: String, folder: URL) {
            let text = try devices("{}").text
            let id = String(try #require(text.firstMatch(of: /"session":"([0-9A-F-]{36})"/)?.output.1))
            let name = "pql-devices-\(server.id)-\(id)"
            return (id, FileManager.default.temporaryDirectory.appendingPathComponent(name))
        }

        @Test func foldersOfKilledProcessesAreRemoved() throws {
            let mine = try session().folder
            let killed = try ServerProcess(["--playground"])
            let text = try HTTPClient(killed).send("POST", "/_play/devices", "{}", as: nil).text
            let id = try #require(text.firstMatch(of: /"session":"([0-9A-F-]{36})"/)?.output.1)
            let name = "pql-devices-\(killed.id)-\(id)"
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
            killed.signal(SIGKILL)
            _ = killed.wait()
            #expect(FileManager.default.fileExists(atPath: folder.path))
            let other = try session().folder
            #expect(!FileManager.default.fileExists(atPath: folder.path))
            #expect([mine, other].allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
            server.signal(SIGTERM)
            #expect(server.wait() == 0)
        }

        @Test func aSessionHasAnEnd() throws {
            let id = try session().id
            let client = try HTTPClient(server)
            func act(_ rest: String) throws -> HTTPClient.Answer {
                try client.send("POST", "/_play/devices", #"{"session":"\#(id)",\#(rest)}"#, as: nil)
            }
            let text = String(repeating: "é", count: 250)
            for _ in 0..<12 { _ = try act(#""device":"phone","action":"add","text":"\#(text)""#) }
            // Each sync has an exchange or more; the last hundred are remembered, each to 4,096 bytes.
            for _ in 0..<120 { _ = try act(#""device":"phone","action":"sync","seen":0"#) }
            let told = try act(#""device":"laptop","action":"sync","seen":0"#)
            guard case .object(let answer)? = told.json, case .list(let wire)? = answer["wire"] else {
                Issue.record("\(told.text)")
                return
            }
            #expect(wire.count == 100)
            let bodies = wire.compactMap { exchange -> String? in
                if case .object(let exchange) = exchange, case .string(let body)? = exchange["answer"] {
                    body
                } else {
                    nil
                }
            }
            #expect(bodies.allSatisfy { $0.utf8.count <= 4_099 } && bodies.contains { $0.hasSuffix("…") })
            // 2,000 actions; the 133 above count.
            for number in 133..<2_000 {
                let answer = try act(#""device":"phone","action":"network","isOnline":\#(number % 2 == 0),"seen":9999"#)
                try #require(answer.status == 200, "\(number)")
            }
            let refused = try act(#""device":"phone","action":"sync""#)
            #expect(refused.status == 400 && refused.text.contains("more than 2000 actions"))
            #expect(try act(#""seen":9999"#).status == 200, "it can still be looked at")
        }

        @Test func twoDevicesSyncAndLeaveNoFiles() throws {
            let (id, folder) = try session()
            #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["laptop", "phone"])
            func act(_ rest: String) throws -> String { try devices(#"{"session":"\#(id)","seen":99,\#(rest)}"#).text }
            let off = try act(#""device":"phone","action":"network","isOnline":false"#)
            #expect(off.contains("The phone is offline; nothing waits."))
            let added = try act(#""device":"phone","action":"add","text":"<script>"#)
            #expect(added.contains("the request is not an object"))
            #expect(try act(#""device":"phone","action":"add","text":"<script>""#).contains("1 change waits"))
            let failed = try act(#""device":"phone","action":"sync""#)
            #expect(failed.contains("the network is off") && failed.contains(#""isError":true"#))
            _ = try act(#""device":"phone","action":"network","isOnline":true"#)
            #expect(try act(#""device":"phone","action":"sync""#).contains("sent 1 change"))
            let told = try act(#""device":"laptop","action":"sync""#)
            #expect(told.ranges(of: #""text":"<script>""#).count == 3, "phone, laptop and service")
            server.signal(SIGTERM)
            #expect(server.wait() == 0)
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }

        @Test func theDevicesAreBounded() throws {
            let (id, folder) = try session()
            func act(_ rest: String) throws -> HTTPClient.Answer { try devices(#"{"session":"\#(id)",\#(rest)}"#) }
            for wrong in [
                #""action":"add""#, #""action":"add","text":"a""#, #""action":"drop","device":"phone""#,
                #""action":"network","device":"phone","isOnline":1"#, #""action":1,"device":"phone""#,
                #""action":"sync","device":"tablet""#, #""action":"edit","device":"phone""#,
            ] {
                #expect(try act(wrong).status == 400, "\(wrong)")
            }
            func add(_ text: String) throws -> String {
                try act(#""device":"phone","action":"add","text":"\#(text)""#).text
            }
            #expect(try add(String(repeating: "é", count: 251)).contains("at most 500 bytes"))
            #expect(try add(" ").contains("needs a text"))
            for _ in 3..<50 { #expect(try add(String(repeating: "é", count: 250)).contains(#""isError":false"#)) }
            #expect(try add("one more").contains("holds 50 to-dos"))
            let gone = try act(#""device":"phone","action":"remove","id":"none""#).text
            #expect(gone.contains("there is no such entity"))
            #expect(try devices(String(repeating: " ", count: 1 << 14) + "{}").status == 413)
            #expect(try ask("/_play/devices", "{}", ["Origin: http://evil.example"]).status == 403)
            #expect(try ask("/_play/data").text.contains(#""devices":true"#))
            // Eight sessions at once: the oldest makes room, with its files.
            for _ in 0..<8 { _ = try session() }
            #expect(try act(#""device":"phone","action":"sync""#).status == 410)
            #expect(!FileManager.default.fileExists(atPath: folder.path))
            server.signal(SIGTERM)
            #expect(server.wait() == 0)
        }

        @Test func itIsForThisMachineOnly() throws {
            let outcome = try ServerProcess.run("serve", "--playground", "--listen", "0.0.0.0:0")
            #expect(outcome.status == 64 && outcome.error.contains("--playground requires --listen 127.0.0.1"))
        }
    }
#endif
