#if os(Linux)
    import Foundation
    import QueryValues
    import Synchronization
    import Testing

    /// Clients that are slow, break off, or do not speak HTTP.
    @Suite(.serialized, .server) struct HostileTests {
        let server: ServerProcess

        init() throws { server = try ServerProcess() }

        private func count() throws -> String? {
            try HTTPClient(server).send("GET", "Book/_count")["count"]
        }

        @Test func halfARequestDoesNothing() throws {
            let whole = HTTPClient.request("POST", "Book", #"{"_id":"half"}"#)
            for length in stride(from: 1, to: whole.utf8.count, by: 7) {
                let client = try HTTPClient(server)
                try client.write(Array(whole.utf8.prefix(length)))
                client.close()
            }
            #expect(try count() == "0")
        }

        @Test func aBodyThatEndsEarlyIsNotTaken() throws {
            // What was sent is an entity, but more was announced.
            let head = "POST /appdata/kid/Book HTTP/1.1\r\nHost: a\r\nAuthorization: \(HTTPClient.master)\r\n"
            let type = "Content-Type: application/json\r\n"
            for rest in [
                "Content-Length: 40\r\n\r\n{\"_id\":\"a\"}",
                "Transfer-Encoding: chunked\r\n\r\nb\r\n{\"_id\":\"a\"}\r\n",
            ] {
                let client = try HTTPClient(server)
                try client.write(head + type + rest)
                client.finish()
                // Refused or cut off, but not carried out.
                if let answer = try? client.read() { #expect(answer.status == 400) }
                #expect(client.isClosed())
            }
            #expect(try count() == "0")
        }

        @Test func aSlowClientIsWaitedForAndHoldsUpNobody() throws {
            let slow = try HTTPClient(server)
            let request = Array(HTTPClient.request("POST", "Book", #"{"_id":"slow"}"#).utf8)
            let other = try HTTPClient(server)
            for byte in request {
                try slow.write([byte])
                #expect(try other.send("GET", "/healthz").status == 200)
                usleep(2_000)
            }
            #expect(try slow.read().status == 201)
            #expect(try count() == "1")
        }

        @Test func aChunkedBodyIsReadAndBounded() throws {
            let head =
                "POST /appdata/kid/Book HTTP/1.1\r\nHost: a\r\nAuthorization: \(HTTPClient.master)\r\n"
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            let client = try HTTPClient(server)
            try client.write(head + "5\r\n{\"_id\r\n6\r\n\":\"a\"}\r\n0\r\n\r\n")
            #expect(try client.read().status == 201)
            try client.write(head)
            let chunk = "100000\r\n" + String(repeating: " ", count: 1 << 20) + "\r\n"
            for _ in 0..<9 { try client.write(chunk) }
            #expect(try client.read().status == 413)
            // More than the service reads for politeness.
            #expect(throws: (any Error).self) {
                for _ in 0..<100 { try client.write(chunk) }
            }
        }

        /// After the first 4,096 chunks, a chunk has 64 bytes on average; what has less is not read on.
        @Test func manySmallChunksAreRefused() throws {
            let head =
                "POST /appdata/kid/Book HTTP/1.1\r\nHost: a\r\nAuthorization: \(HTTPClient.master)\r\n"
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            let small = "1\r\n \r\n"
            let large = "80\r\n" + String(repeating: " ", count: 128) + "\r\n"
            for (chunks, status) in [
                (String(repeating: small, count: 4_095), 201), (String(repeating: small, count: 4_096), 400),
                (String(repeating: large, count: 5_000), 201), (large + String(repeating: small, count: 5_000), 400),
            ] {
                let client = try HTTPClient(server)
                // What follows the refusal may meet a closed connection.
                try? client.write(head + chunks + "2\r\n{}\r\n0\r\n\r\n")
                let answer = try client.read()
                #expect(answer.status == status, "\(chunks.utf8.count): \(answer.text)")
                #expect(status == 201 || answer.text.contains("64 bytes on average"))
                if status == 400 { #expect(client.isClosed()) }
            }
            let client = try HTTPClient(server)
            #expect(throws: (any Error).self) {
                try client.write(head)
                for _ in 0..<100_000 { try client.write(String(repeating: small, count: 1_000)) }
            }
        }

        /// Bodies are worked on in turns of their senders: one who sends many keeps no other waiting.
        @Test func sendersOfLongBodiesTakeTurns() throws {
            let shared = try ServerProcess(["--trust-proxy"])
            let members = (0..<20_000).map { number in #""k\#(number)":\#(number)"# }.joined(separator: ",")
            let order = Mutex<[String]>([])
            let group = DispatchGroup()
            func post(_ sender: String) {
                let headers = ["X-Forwarded-For: \(sender)"]
                let request = HTTPClient.request("POST", "Book", "{\(members)}", as: HTTPClient.master, headers)
                let isSent = DispatchSemaphore(value: 0)
                group.enter()
                Thread.detachNewThread {
                    let client = try? HTTPClient(shared)
                    try? client?.write(request)
                    isSent.signal()
                    let status = (try? client?.read())?.status ?? 0
                    order.withLock { $0.append(status == 201 ? sender : "\(status)") }
                    group.leave()
                }
                isSent.wait()
            }
            for _ in 0..<8 { post("10.0.0.1") }
            post("10.0.0.2")
            group.wait()
            let answered = order.withLock { $0 }
            let place = try #require(answered.firstIndex(of: "10.0.0.2"))
            #expect(place < 6 && answered.count == 9, "\(answered)")
        }

        /// An answer is counted from its first rows on, and its memory goes back to the system.
        @Test func longAnswersAreCountedWhileTheyAreMade() throws {
            let text = String(repeating: "x", count: 900_000)
            let writer = try HTTPClient(server)
            for number in 0..<40 {
                #expect(try writer.send("PUT", "Book/\(number)", #"{"s":"\#(text)"}"#).status == 201)
            }
            let clients = try (0..<16).map { _ in try HTTPClient(server) }
            for client in clients { try client.write(HTTPClient.request("GET", "Book")) }
            let statuses = try clients.map { try $0.read(isHead: true).status }
            // Three of 36 MB are within a quarter of 512 MiB.
            #expect(statuses.count { $0 == 200 } <= 3 && Set(statuses).isSubset(of: [200, 503]), "\(statuses)")
            #expect(try #require(server.memory) < 400 << 20)
            for client in clients { client.close() }
            let end = ContinuousClock.now + .seconds(10)
            while try #require(server.memory) > 100 << 20, .now < end { usleep(50_000) }
            #expect(try #require(server.memory) < 100 << 20)
        }

        /// Who may not write is told before the body, which is not read into memory.
        @Test func strangersSendNoLongBodies() throws {
            let head = "POST /appdata/kid/Book HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            for (authorization, length) in [
                ("Basic wrong", "Content-Length: 1000000"), ("Kinvey none", "Transfer-Encoding: chunked"),
                ("Kinvey none", "Content-Length: 1000000\r\nExpect: 100-continue"),
            ] {
                let client = try HTTPClient(server)
                try client.write(head + "Authorization: \(authorization)\r\n\(length)\r\n\r\n")
                #expect(try client.read().status == 401, "\(length)")
                // A body of any length is not waited for.
                if length.contains("chunked") { #expect(client.isClosed()) }
            }
            #expect(try count() == "0")
        }

        /// What is too long for its request is told before it is sent.
        @Test func anEntityTooLongIsRefusedByItsHead() throws {
            let head = "PUT /appdata/kid/Book/a HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            let client = try HTTPClient(server)
            try client.write(head + "Authorization: \(HTTPClient.master)\r\nContent-Length: 7000000\r\n\r\n")
            #expect(try client.read().status == 413)
        }

        /// Bodies that take long to read leave cores to others, and hold up nobody.
        @Test func longBodiesHoldUpNobody() throws {
            let list = String(repeating: "1,", count: 500_000)
            let body = "[" + Array(repeating: #"{"a":[\#(list)1]}"#, count: 3).joined(separator: ",") + "]"
            let senders = try (0..<3).map { _ in try HTTPClient(server) }
            for sender in senders { try sender.write(HTTPClient.request("POST", "Book", body)) }
            let other = try HTTPClient(server)
            var answers = 0
            // The first of them is answered, while the others are worked on.
            #expect(try senders[0].read().status == 201)
            for _ in 0..<20 where try other.send("GET", "/healthz").status == 200 { answers += 1 }
            #expect(answers == 20)
            for sender in senders.dropFirst() { #expect(try sender.read().status == 201) }
            #expect(try count() == "9")
        }

        /// A long answer arrives whole, however slowly it is read and though the connection closes after it.
        @Test func aSlowReaderGetsTheWholeAnswer() throws {
            let text = String(repeating: "x", count: 90_000)
            let entities = (0..<80).map { _ in #"{"s":"\#(text)"}"# }.joined(separator: ",")
            let writer = try HTTPClient(server)
            for _ in 0..<4 { #expect(try writer.send("POST", "Book", "[\(entities)]").status == 201) }
            for header in ["Connection: close", "Connection: keep-alive"] {
                let slow = try HTTPClient(server)
                slow.pause = 10_000
                let answer = try slow.send("GET", "Book", nil, as: HTTPClient.master, [header])
                #expect(answer.status == 200 && answer.body.count > 28_000_000, "\(answer.body.count)")
            }
        }

        /// Who does not read what he asked for takes a quarter of the memory for answers; others get theirs.
        @Test func unreadAnswersHaveABound() throws {
            let text = String(repeating: "x", count: 90_000)
            let entities = (0..<80).map { _ in #"{"s":"\#(text)"}"# }.joined(separator: ",")
            let writer = try HTTPClient(server)
            for _ in 0..<4 { #expect(try writer.send("POST", "Book", "[\(entities)]").status == 201) }
            var unread: [HTTPClient] = []
            for _ in 0..<4 {
                let client = try HTTPClient(server)
                try client.write(HTTPClient.request("GET", "Book"))
                #expect(try client.read(isHead: true).status == 200)
                unread.append(client)
            }
            let refused = try writer.send("GET", "Book")
            #expect(refused.status == 503 && refused.headers["retry-after"] == "1", "\(refused.status)")
            #expect(try writer.send("GET", "Book?limit=1&fields=_id").status == 200)
            // As many rows as still fit, so that less than two are left.
            let row = try writer.send("GET", "Book?limit=1").body.count
            let rest = try HTTPClient(server)
            let count = ((512 << 20) / 4 - 4 * 320 * row) / row
            try rest.write(HTTPClient.request("GET", "Book?limit=\(count)"))
            #expect(try rest.read(isHead: true).status == 200)
            #expect(try writer.send("GET", "Book?limit=3").status == 503)
            // A write is never told to have failed for its answer.
            let large = #"{"a":"\#(text)","b":"\#(text)","c":"\#(text)"}"#
            #expect(try writer.send("POST", "Other", "[\(large)]").status == 201)
            #expect(try writer.send("PUT", "Other/a", large).status == 201)
            #expect(try writer.send("PUT", "Other/a", large).status == 200)
            rest.close()
            let body = #"{"username":"ann","password":"secret-ann"}"#
            let metadata = try #require(try writer.send("POST", "/user/kid", body, as: HTTPClient.app)["_kmd"])
            guard case .object(let members) = try QueryValue(json: metadata),
                case .string(let token)? = members["authtoken"]
            else { throw HTTPClient.Closed() }
            #expect(try writer.send("GET", "Book?limit=2", nil, as: "Kinvey " + token).status == 200)
            unread.removeLast().close()
            let end = ContinuousClock.now + .seconds(10)
            while try writer.send("GET", "Book").status == 503, .now < end { usleep(10_000) }
            #expect(try writer.send("GET", "Book").status == 200)
        }

        @Test func whatIsNotHTTPIsRefused() throws {
            let texts = [
                "\u{16}\u{3}\u{1}\u{2}\u{0}", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "GET / HTTP/1.1\r\nA b: c\r\n\r\n",
                "GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\n\r\n",
            ]
            for text in texts {
                let client = try HTTPClient(server)
                try client.write(text)
                client.finish()
                if let answer = try? client.read() {
                    #expect(
                        (400...499).contains(answer.status),
                        "\(text.prefix(40).debugDescription): \(answer.status)"
                    )
                    #expect(answer["error"] != nil, "\(text.prefix(40).debugDescription)")
                }
                #expect(client.isClosed(), "\(text.prefix(40).debugDescription)")
            }
            #expect(try HTTPClient(server).send("GET", "/healthz").status == 200)
        }

        /// What the parser refuses is answered with its reason.
        @Test func whatIsNotHTTPIsToldWhy() throws {
            for (text, status, reason) in [
                ("FOO / HTTP/1.1\r\n\r\n", 400, "no such method"),
                ("GET /\(String(repeating: "a", count: 90_000)) HTTP/1.1\r\n\r\n", 431, "longer than"),
                ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400, "Content-Length"),
                ("GET /healthz HTTP/1.1\r\n\r\n", 400, "one header Host"),
                ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "one header Host"),
                ("GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", 417, "100-continue"),
            ] {
                let client = try HTTPClient(server)
                try client.write(text)
                let answer = try client.read()
                let told = String(decoding: answer.body, as: UTF8.self)
                #expect(answer.status == status && told.contains(reason), "\(told)")
            }
        }

        @Test func aHeaderCannotBeSmuggledIntoTheAnswer() throws {
            let client = try HTTPClient(server)
            let answer = try client.send("GET", "/healthz", nil, ["X-Kinvey-Request-Id: a\tb c"])
            #expect(answer.headers["x-kinvey-request-id"] != "a\tb c")
            let made = try client.send("PUT", "Book/a%0D%0AX-Evil:%201", "{}")
            #expect(made.status == 400)
            #expect(made.headers["x-evil"] == nil)
        }

        /// Half a head from all the connections of an address stops others neither now nor for long.
        @Test func oneAddressHasAShareOfTheConnections() throws {
            var limit = rlimit()
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            getrlimit(kind, &limit)
            limit.rlim_cur = min(8_192, limit.rlim_max)
            setrlimit(kind, &limit)
            let clients = try (0..<1_024).map { _ in try HTTPClient(server, from: "127.0.0.2") }
            for client in clients { try client.write("GET /healthz HTTP/1.1\r\nHost:") }
            let other = try HTTPClient(server)
            #expect(try other.send("GET", "/healthz").status == 200)
            let refused = try HTTPClient(server, from: "127.0.0.2").read()
            #expect(refused.status == 503 && refused.headers["retry-after"] == "1")
            #expect(refused["debug"] == "an address has at most 1024 connections")
            for client in clients { #expect(client.isClosed()) }
            #expect(try HTTPClient(server, from: "127.0.0.2").send("GET", "/healthz").status == 200)
            #expect(try other.send("GET", "/healthz").status == 200, "an idle connection stays")
        }

        @Test func manyConnectionsAreServed() throws {
            let clients = try (0..<500).map { _ in try HTTPClient(server) }
            for client in clients { try client.write(HTTPClient.request("GET", "/healthz")) }
            for client in clients { #expect(try client.read().status == 200) }
        }
    }
#endif
