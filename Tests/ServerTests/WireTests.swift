#if os(Linux)
    import Foundation
    import SpecSupport
    import StoreModel
    import StoreSupport
    import Testing

    /// `Tests/Data/wire.json` against the binary, over HTTP.
    @Suite(.server) struct WireTests {
        @Test func everyRequestGetsItsAnswer() async throws {
            let file = SpecFile.repository.appendingPathComponent("Tests/Data/wire.json")
            let cases = try WireCase.read(String(contentsOf: file, encoding: .utf8))
            var options = ["--delta", "Book,Pub,Own"]
            for rights in ["Pub=public", "Own=private", "Shut=closed"] { options += ["--rights", rights] }
            for number in cases.indices { options += ["--app", "\(WireCase.app(number)):s:m"] }
            let server = try ServerProcess(options, app: nil)
            let client = try HTTPClient(server)
            for (number, wireCase) in cases.enumerated() {
                let problems = try await wireCase.problems(app: WireCase.app(number)) { try client.send($0) }
                for problem in problems { Issue.record("\(problem)") }
            }
        }
    }

    extension HTTPClient {
        /// Sends a request of the service.
        func send(_ request: WireRequest) throws -> WireResponse {
            var lines = [
                "\(request.method) \(request.path)\(request.query.isEmpty ? "" : "?" + request.query) HTTP/1.1"
            ]
            lines.append("Host: localhost")
            for field in request.headers { lines.append("\(field.name): \(field.value)") }
            if !request.body.isEmpty { lines.append("Content-Length: \(request.body.count)") }
            try write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + request.body)
            let answer = try read(isHead: request.method == "HEAD")
            return WireResponse(
                status: answer.status,
                headers: HeaderFields(answer.headers.map { ($0.key, $0.value) }),
                body: answer.body
            )
        }
    }
#endif
