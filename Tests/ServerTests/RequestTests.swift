#if os(Linux)
    import Foundation
    import QueryValues
    import Testing

    /// The service over HTTP: the binary, a socket, and what comes back.
    @Suite(.serialized, .server) struct RequestTests {
        let server: ServerProcess
        let client: HTTPClient

        init() throws {
            server = try ServerProcess()
            client = try HTTPClient(server)
        }

        @Test func thePingTellsOfTheApp() throws {
            let answer = try client.send("GET", "/appdata/kid", as: HTTPClient.app)
            #expect(answer.status == 200)
            #expect(answer["appName"] == "kid")
            #expect(answer.headers["content-type"] == "application/json")
            #expect(answer.headers["date"]?.hasSuffix(" GMT") == true)
            #expect(answer.headers["x-kinvey-request-id"]?.isEmpty == false)
        }

        @Test func anEntityLives() throws {
            let made = try client.send("POST", "Book", #"{"title":"Emma","author":{"name":"Jane"}}"#)
            #expect(made.status == 201)
            let id = try #require(made["_id"])
            #expect(made.headers["location"] == "/appdata/kid/Book/\(id)")
            let read = try client.send("GET", "Book/\(id)", nil, ["X-Kinvey-Request-Id: mine"])
            #expect(read.body == made.body)
            #expect(read.headers["x-kinvey-request-id"] == "mine")
            let tag = try #require(read.headers["etag"])
            #expect(try client.send("GET", "Book/\(id)", nil, ["If-None-Match: \(tag)"]).status == 304)
            #expect(try client.send("PUT", "Book/\(id)", #"{"title":"Persuasion"}"#).status == 200)
            #expect(try client.send("GET", "Book/\(id)")["title"] == "Persuasion")
            #expect(try client.send("DELETE", "Book/\(id)")["count"] == "1")
            #expect(try client.send("GET", "Book/\(id)").status == 404)
        }

        @Test func usersSignUpAndLogIn() throws {
            let body = #"{"username":"ann","password":"pass word"}"#
            let made = try client.send("POST", "/user/kid", body, as: HTTPClient.app)
            #expect(made.status == 201)
            #expect(try client.send("POST", "/user/kid", body, as: HTTPClient.app).status == 409)
            let wrong = #"{"username":"ann","password":"password"}"#
            #expect(try client.send("POST", "/user/kid/login", wrong, as: HTTPClient.app).status == 401)
            let session = try client.send("POST", "/user/kid/login", body, as: HTTPClient.app)
            guard case .object(let user)? = session.json, case .object(let metadata)? = user["_kmd"],
                case .string(let token)? = metadata["authtoken"]
            else {
                Issue.record("no token: \(session.text)")
                return
            }
            let me = try client.send("GET", "/user/kid/_me", as: "Kinvey \(token)")
            #expect(me["username"] == "ann")
            #expect(try client.send("POST", "Book", #"{"a":1}"#, as: "Kinvey \(token)").status == 201)
            #expect(try client.send("POST", "/user/kid/_logout", "{}", as: "Kinvey \(token)").status == 204)
            #expect(try client.send("GET", "/user/kid/_me", as: "Kinvey \(token)").status == 401)
        }

        @Test func errorsAreJSON() throws {
            let long = String(repeating: "a", count: 17 << 10)
            let cases: [(Int, String, String, String?, [String])] = [
                (404, "GET", "/nowhere", nil, []),
                (404, "GET", "Book/none", nil, []),
                (405, "PATCH", "Book/1", "{}", []),
                (414, "GET", "Book?query=\(long)", nil, []),
                (415, "POST", "Book", "{}", ["Content-Type: text/plain"]),
                (400, "POST", "Book", #"{"a":"#, []),
                (401, "GET", "Book", nil, ["Authorization: Basic eA=="]),
            ]
            for (status, method, path, body, headers) in cases {
                let isGuarded = !headers.contains { $0.hasPrefix("Authorization") }
                let answer = try client.send(method, path, body, as: isGuarded ? HTTPClient.master : nil, headers)
                #expect(answer.status == status, "\(method) \(path.prefix(40)): \(answer.text)")
                for key in ["error", "description", "debug"] {
                    #expect(answer[key] != nil, "\(path.prefix(40)): \(key)")
                }
            }
        }

        @Test func aBodyAtTheLimitIsRead() throws {
            // 8 MiB are read, and then refused as an entity; one byte more is not read.
            let shell = #"{"a":""}"#
            let most = shell.dropLast(2) + String(repeating: "x", count: (8 << 20) - shell.count) + "\"}"
            #expect(try client.send("POST", "Book", String(most)).status == 413)
            let long = try client.send("POST", "Book", most + " ")
            #expect(long.status == 413)
            #expect(long["debug"] == "a body has at most 8388608 bytes")
            // The connection goes on.
            #expect(try client.send("GET", "/healthz").status == 200)
        }

        @Test func aLongBodyIsRefusedBeforeItIsSent() throws {
            try client.write(
                "POST /appdata/kid/Book HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\nExpect: 100-continue\r\n\r\n"
            )
            #expect(try client.read().status == 413)
            let other = try HTTPClient(server)
            let head = "Authorization: \(HTTPClient.master)\r\nContent-Type: application/json\r\nExpect: 100-continue"
            try other.write("POST /appdata/kid/Book HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\(head)\r\n\r\n")
            #expect(try other.read().status == 100)
            try other.write(#"{"a":1}"#)
            #expect(try other.read().status == 201)
        }

        @Test func aConnectionTakesManyRequests() throws {
            for number in 0..<100 {
                #expect(try client.send("POST", "Book", #"{"_id":"b\#(number)"}"#).status == 201)
            }
            // Sent at once, answered in order.
            try client.write((0..<100).map { HTTPClient.request("GET", "Book/b\($0)") }.joined())
            for number in 0..<100 { #expect(try client.read()["_id"] == "b\(number)") }
        }

        @Test func aConnectionOfHTTP10EndsUnlessItIsKept() throws {
            let kept = "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
            for _ in 0..<2 {
                try client.write(kept)
                #expect(try client.read().headers["connection"] == "keep-alive")
            }
            try client.write("GET /healthz HTTP/1.0\r\n\r\n")
            #expect(try client.read().headers["connection"] == "close")
            #expect(client.isClosed())
        }

        @Test func headTellsTheLengthWithoutTheBody() throws {
            try #require(try client.send("POST", "Book", #"{"_id":"a"}"#).status == 201)
            let body = try client.send("GET", "Book/a").body
            let head = try client.send("HEAD", "Book/a")
            #expect(head.status == 200)
            #expect(head.headers["content-length"] == "\(body.count)")
            #expect(try client.send("GET", "/healthz")["status"] == "ok")
            let options = try client.send("OPTIONS", "Book/a")
            #expect(options.status == 204)
            #expect(options.headers["allow"]?.contains("PUT") == true)
        }

        @Test func longAnswersAreCompressedIfAskedFor() throws {
            let text = String(repeating: "long ", count: 1_000)
            try #require(try client.send("POST", "Book", #"{"_id":"a","text":"\#(text)"}"#).status == 201)
            let plain = try client.send("GET", "Book/a")
            #expect(plain.headers["content-encoding"] == nil)
            for (coding, header) in [("gzip", "deflate, gzip"), ("deflate", "deflate, gzip;q=0")] {
                let answer = try client.send("GET", "Book/a", nil, ["Accept-Encoding: \(header)"])
                #expect(answer.headers["content-encoding"] == coding)
                #expect(answer.headers["vary"] == "Accept-Encoding")
                #expect(answer.body.count < plain.body.count / 10)
                // zlib's streams begin so, gzip's too.
                #expect(answer.body.starts(with: coding == "gzip" ? [0x1F, 0x8B] : [0x78]))
                #expect(try inflated(answer.body, coding) == plain.text)
            }
            #expect(
                try client.send("GET", "/healthz", nil, ["Accept-Encoding: gzip"]).headers["content-encoding"] == nil
            )
        }

        /// The text of compressed bytes, as Python reads them.
        private func inflated(_ bytes: [UInt8], _ coding: String) throws -> String {
            let file = server.folder.appendingPathComponent("body.\(coding)")
            try Data(bytes).write(to: file)
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            let script = "import sys,zlib;sys.stdout.buffer.write(zlib.decompress(open(sys.argv[1],'rb').read(),47))"
            process.arguments = ["python3", "-c", script, file.path]
            process.standardOutput = output
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }
    }

    extension HTTPClient {
        /// Sends a request with further headers, as the app's owner.
        func send(_ method: String, _ path: String, _ body: String?, _ headers: [String]) throws -> Answer {
            try send(method, path, body, as: Self.master, headers)
        }
    }
#endif
