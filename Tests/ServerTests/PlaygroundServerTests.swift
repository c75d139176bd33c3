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
            #expect(fault.text.contains("this data is gone"))
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
            let refused = try ask("/_play/data?name=x.csv", "a,b\n1,2\n")
            #expect(refused.status == 422 && refused.text.contains("x.csv is CSV") && refused.text.contains("duckdb"))
        }

        @Test func itIsForThisMachineOnly() throws {
            let outcome = try ServerProcess.run("serve", "--playground", "--listen", "0.0.0.0:0")
            #expect(outcome.status == 64 && outcome.error.contains("--playground goes with --listen 127.0.0.1"))
        }
    }
#endif
