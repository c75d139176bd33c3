import Foundation
import Hummingbird

/// What somebody writes by hand who needs these five routes and nothing else: a router, `Codable`, prepared SQL.
struct Book: Codable, Sendable {
    struct Metadata: Codable, Sendable {
        var ect: String
        var lmt: String
    }

    var _id: String?
    var n: Int
    var title: String
    var author: String
    var text: String
    var _kmd: Metadata?
}

@main
enum Peer {
    static func main() async throws {
        let path = CommandLine.arguments[1]
        let port = Int(CommandLine.arguments[2]) ?? 8081
        let writer = try Writer(path)
        let pool = Pool(path)
        let expected = "Basic " + Data("kid:master-secret".utf8).base64EncodedString()
        let router = Router()
        router.add(middleware: Guard(expected: expected))
        router.get("/appdata/kid/Book/:id") { _, context -> Response in
            let id = try context.parameters.require("id")
            var body: ByteBuffer?
            try pool.use { connection in
                try connection.run("SELECT doc FROM book WHERE id = ?", [.text(Array(id.utf8))]) {
                    body = ByteBuffer(bytes: $0)
                }
            }
            guard let body else { throw HTTPError(.notFound) }
            return json(body)
        }
        router.get("/appdata/kid/Book") { request, _ -> Response in
            let query = request.uri.queryParameters["query"].map { Data(String($0).utf8) } ?? Data()
            let author = try JSONDecoder().decode([String: String].self, from: query)["author"] ?? ""
            var body = ByteBuffer(string: "[")
            try pool.use { connection in
                try connection.run(
                    """
                    SELECT doc FROM book WHERE json_extract(doc, '$.author') = ?
                    ORDER BY json_extract(doc, '$.n') DESC LIMIT 20
                    """,
                    [.text(Array(author.utf8))]
                ) { row in
                    if body.readableBytes > 1 { body.writeStaticString(",") }
                    body.writeBytes(row)
                }
            }
            body.writeStaticString("]")
            return json(body)
        }
        router.post("/appdata/kid/Book") { request, context -> Response in
            let body = try await request.body.collect(upTo: 8 << 20)
            let data = Data(buffer: body)
            let isList = data.first == UInt8(ascii: "[")
            let books =
                isList
                ? try JSONDecoder().decode([Book].self, from: data) : [try JSONDecoder().decode(Book.self, from: data)]
            let made = try await writer.insert(
                books.map { book in
                    let id = book._id ?? UUID().uuidString
                    return (
                        id,
                        { tick in
                            var book = book
                            book._id = id
                            let time = Date(timeIntervalSince1970: Double(tick) / 1_000).ISO8601Format(
                                .iso8601(timeZone: .gmt, includingFractionalSeconds: true)
                            )
                            book._kmd = Book.Metadata(ect: time, lmt: time)
                            return Array(try JSONEncoder().encode(book))
                        }
                    )
                }
            )
            var out = ByteBuffer()
            if isList { out.writeStaticString("{\"entities\":[") }
            for (position, bytes) in made.enumerated() {
                if position > 0 { out.writeStaticString(",") }
                out.writeBytes(bytes)
            }
            if isList { out.writeStaticString("],\"errors\":[]}") }
            return json(out, .created)
        }
        let app = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                let line = "listening on http://127.0.0.1:\(channel.localAddress?.port ?? port)\n"
                FileHandle.standardOutput.write(Data(line.utf8))
            }
        )
        try await app.runService()
    }

    static func json(_ body: ByteBuffer, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, headers: [.contentType: "application/json"], body: .init(byteBuffer: body))
    }
}

/// Refuses requests without the secret.
struct Guard: RouterMiddleware {
    typealias Context = BasicRequestContext
    let expected: String

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.authorization] == expected else { throw HTTPError(.unauthorized) }
        return try await next(request, context)
    }
}

extension Date.ISO8601FormatStyle {
    static func iso8601(timeZone: TimeZone, includingFractionalSeconds: Bool) -> Self {
        Self(includingFractionalSeconds: includingFractionalSeconds, timeZone: timeZone)
    }
}
