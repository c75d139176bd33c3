#if Server
    import Foundation
    import Hummingbird
    import PredicateQL
    import PredicateQLSQLite

    /// Answers queries of people it does not know: `CitiesServer FILE PORT`, then
    /// `curl 'localhost:8080/cities?query={"population":{"$gt":600000}}&sort=name&limit=5' -g`.
    @main struct CitiesServer {
        static let schema = Schema([
            .field("name", .string, isOptional: false), .field("state", .string), .field("population", .int),
        ])
        static let policy: QueryPolicy = {
            var policy = QueryPolicy(fields: ["name", "state", "population"])
            policy.maximumLimit = 100
            policy.clampsLimit = true  // without a limit: 100 rows
            policy.maximumDuration = .seconds(2)
            return policy
        }()

        static func main() async throws {
            let arguments = CommandLine.arguments
            guard arguments.count == 3, let port = Int(arguments[2]) else { return print("CitiesServer FILE PORT") }
            let pool = try SQLitePool(path: arguments[1], isReadOnly: true, limits: policy.limits)
            let router = Router()
            // A page of rows as one JSON list, and how many there are.
            router.get("cities") { request, _ in
                try await answer {
                    let query = try read(request)
                    let (rows, total) = try await pool.read { database in
                        let all = Query(query.condition, schema: schema)
                        let total = try all.count(in: database, from: "cities")
                        return (try query.results(in: database, from: "cities"), total)
                    }
                    let found = QueryValue.list(rows.map { .object($0) })
                    return json(["total": .int(Int64(total)), "rows": found], .ok)
                }
            }
            // The same rows one by one, a line each, as the client takes them.
            router.get("cities.ndjson") { request, _ in
                try await answer {
                    let lines = try pool.rows(read(request), from: "cities").map { ByteBuffer(string: $0.json + "\n") }
                    return Response(status: .ok, body: ResponseBody(asyncSequence: lines))
                }
            }
            let address = BindAddress.hostname("127.0.0.1", port: port)
            try await Application(router: router, configuration: .init(address: address)).runService()
        }

        /// The query of a URL's parameters, with what the policy allows.
        static func read(_ request: Request) throws -> Query {
            let items = request.uri.queryParameters.map { RESTRequest.Item(String($0.key), String($0.value)) }
            return try policy.checked(Query(rest: items, schema: schema, limits: policy.limits))
        }

        /// The caller's mistakes are explained to the caller, ours are not.
        static func answer(_ body: () async throws -> Response) async throws -> Response {
            do { return try await body() } catch let error as QueryError {
                let status = HTTPResponse.Status(code: error.category.httpStatus)
                guard error.category == .caller else { return json(["error": "the server failed"], status) }
                let (hint, code) = (error.hint.map { QueryValue.string($0) }, QueryValue.string(error.code.rawValue))
                return json(["error": .string(error.message), "code": code, "hint": hint ?? .null], status)
            }
        }

        static func json(_ document: Document, _ status: HTTPResponse.Status) -> Response {
            let body = ResponseBody(byteBuffer: ByteBuffer(string: document.json))
            return Response(status: status, headers: [.contentType: "application/json"], body: body)
        }
    }
#endif
