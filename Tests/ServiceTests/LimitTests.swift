import PredicateQL
import StoreModel
import StoreSupport
import TestConditions
import Testing

@testable import PredicateQLService

/// The bounds of the service, at the last allowed value and at the first that is not.
@Suite struct LimitTests {
    private func harness(_ set: (inout ServiceLimits) -> Void) throws -> ServiceHarness {
        try ServiceHarness { configuration in
            set(&configuration.limits)
            configuration.deltas = .named(["Book"])
        }
    }

    private func text(_ count: Int) -> String { #"{"s":""# + String(repeating: "x", count: count) + #""}"# }

    @Test func sizesAreBounded() async throws {
        let harness = try harness { limits in
            (limits.entitiesPerInsert, limits.entityBytes, limits.bodyBytes) = (3, 100, 400)
            (limits.urlBytes, limits.queryBytes, limits.entityDepth, limits.collectionsPerApp) = (200, 100, 4, 2)
        }
        #expect(await harness.send("POST", "Book", "[{},{},{}]").status == 201)
        let many = await harness.send("POST", "Book", "[{},{},{},{}]")
        #expect(many.status == 400 && many.body.contains("ParameterValueOutOfRange"))
        // The members, their commas included.
        #expect(await harness.send("PUT", "Book/a", text(93)).status == 201)
        #expect(await harness.send("PUT", "Book/a", text(94)).status == 413)
        #expect(await harness.send("POST", "Book", "[\(text(94)),{}]").status == 207)
        #expect(await harness.send("PUT", "Book/b", String(repeating: " ", count: 398) + "{}").status == 201)
        #expect(await harness.send("PUT", "Book/b", String(repeating: " ", count: 399) + "{}").status == 413)
        let path = "/appdata/kid/Book"
        let allowed = "query={}&sort=" + String(repeating: "x", count: 200 - path.utf8.count - 18)
        #expect(await harness.send("GET", path + "?" + allowed).status == 200)
        #expect(await harness.send("GET", path + "?" + allowed + "x").status == 414)
        let format = #"{"format":"s == '"#
        let rest = 100 - format.utf8.count - 3
        #expect(
            await harness.send("POST", "Book/_find", format + String(repeating: "x", count: rest) + "'\"}").status
                == 200
        )
        #expect(
            await harness.send("POST", "Book/_find", format + String(repeating: "x", count: rest + 1) + "'\"}").status
                == 413
        )
        #expect(await harness.send("PUT", "Book/d", #"{"a":[[[[]]]]}"#).status == 201)
        #expect(await harness.send("PUT", "Book/d", #"{"a":[[[[[[]]]]]]}"#).status == 400)
        #expect(await harness.send("PUT", "Second/a", "{}").status == 201)
        #expect(await harness.send("PUT", "Third/a", "{}").body.contains("ParameterValueOutOfRange"))
        #expect(await harness.send("PUT", "Second/b", "{}").status == 201)
        let id = String(repeating: "i", count: 256)
        let longIDs = try self.harness { _ in }
        #expect(await longIDs.send("PUT", "Book/\(id)", "{}").status == 201)
        #expect(await longIDs.send("PUT", "Book/\(id)i", "{}").body.contains("InvalidIdentifier"))
        #expect(await longIDs.send("PUT", String(repeating: "c", count: 128) + "/a", "{}").status == 201)
        #expect(await longIDs.send("PUT", String(repeating: "c", count: 129) + "/a", "{}").status == 400)
    }

    /// A body that cannot be legal is refused before it is read; an entity may be six times as long in it, for escapes.
    @Test func bodiesAreBoundedByWhatTheyHold() async throws {
        let harness = try harness { limits in (limits.entityBytes, limits.queryBytes) = (400, 1_000) }
        let most = 6 * 400 + 65_536
        func padded(_ text: String, _ count: Int) -> String {
            String(repeating: " ", count: count - text.utf8.count) + text
        }
        for (method, path, good) in [("PUT", "Book/a", "{}"), ("POST", "Book", "{}"), ("POST", "/user/kid", "{}")] {
            #expect(await harness.send(method, path, padded(good, most)).status == 201)
            let long = await harness.send(method, path, padded(good, most + 1))
            #expect(long.status == 413 && long.body.contains("at most \(most) bytes"), "\(long.body)")
        }
        #expect(await harness.send("POST", "Book", padded("[{}]", most + 1)).status == 201)
        #expect(await harness.send("POST", "Book/_find", padded("{}", 1_000)).status == 200)
        #expect(await harness.send("POST", "Book/_find", padded("{}", 1_001)).status == 413)
        let name = String(repeating: "x", count: 65_536)
        for path in ["/user/kid/login", "/user/kid/_lookup", "/rpc/kid/check-username-exists"] {
            #expect(await harness.send("POST", path, #"{"username":"\#(name)"}"#).status == 413, "\(path)")
        }
        for (method, path, length, isRefused) in [
            ("PUT", "Book/a", most, false), ("PUT", "Book/a", most + 1, true), ("POST", "Book", most + 1, false),
            ("POST", "Book/_find", 1_001, true),
        ] {
            let headers: HeaderFields = [
                ("Authorization", ServiceHarness.basic("m")), ("Content-Length", String(length)),
            ]
            let head = WireRequest(method, "/appdata/kid/" + path, headers: headers)
            #expect(await harness.service.refusal(of: head).map(\.status) == (isRefused ? 413 : nil), "\(path)")
        }
    }

    /// Bodies of many members and names take time in proportion: four times as many no more than ten times as long.
    @Test(arguments: Self.longRequests.map(\.0))
    func manyNamesTakeLinearTime(of what: String) async throws {
        let harness = try ServiceHarness { $0.limits.urlBytes = 1 << 20 }
        let (id, session) = await harness.signUp("ann")
        let names = { (count: Int) in (0..<count).map { "k\($0)" } }
        func seconds(_ count: Int) async throws -> Double {
            let request = try #require(Self.longRequests.first { $0.0 == what }?.1(names(count)))
            let path = request.path.replacing("ID", with: id)
            let start = ContinuousClock.now
            let answer = await harness.send(
                request.method,
                path,
                request.body,
                as: request.isUser ? session : ServiceHarness.basic("m")
            )
            let time = ContinuousClock.now - start
            #expect(answer.status < 500, "\(answer.body.prefix(200))")
            return time / .seconds(1)
        }
        _ = try await seconds(10)
        let (few, many) = (try await seconds(500), try await seconds(2_000))
        if Machine.isOurs { #expect(many < 10 * few + 0.2, "\(what): \(few) s, then \(many) s") }
    }

    private struct LongRequest {
        var method = "POST"
        var path: String
        var body: String?
        var isUser = true
    }

    private static func members(_ names: [String], _ value: String) -> String {
        names.map { "\"\($0)\":" + value }.joined(separator: ",")
    }

    private static func list(_ names: [String], _ write: (String) -> String) -> String {
        "[" + names.map(write).joined(separator: ",") + "]"
    }

    private static func body(_ path: String, _ body: String) -> LongRequest { LongRequest(path: path, body: body) }

    private static let longRequests: [(String, @Sendable ([String]) -> LongRequest)] = [
        (
            "PUT of a user",
            { names in
                LongRequest(method: "PUT", path: "/user/kid/ID", body: #"{"username":"ann",\#(members(names, "0"))}"#)
            }
        ),
        ("a sign-up", { body("/user/kid", #"{"username":"bob\#($0.count)",\#(members($0, "0"))}"#) }),
        ("a log-in", { body("/user/kid/login", #"{"username":"ann","password":"p",\#(members($0, "0"))}"#) }),
        ("an entity", { body("Book", "{\(members($0, "0"))}") }),
        ("lists in an entity", { body("Book", "{\(members($0, "[0]"))}") }),
        ("pairs of lists in an entity", { body("Book", "{\(members($0, #"{"x":[],"y":[]}"#))}") }),
        ("an entity's _acl", { body("Book", #"{"_acl":{"r":\#(list($0) { "\"\($0)\"" })}}"#) }),
        ("an entity's _kmd", { body("Book", #"{"_kmd":{\#(members($0, "0"))}}"#) }),
        ("names to sort by", { body("Book/_find", #"{"sort":"\#($0.joined(separator: ","))"}"#) }),
        ("an object to sort by", { body("Book/_find", #"{"sort":{\#(members($0, "-1"))}}"#) }),
        ("sort in a URL", { LongRequest(method: "GET", path: "Book?sort=" + $0.joined(separator: ",")) }),
        ("names of fields", { body("Book/_find", #"{"fields":"\#($0.joined(separator: ","))"}"#) }),
        ("a list of fields", { body("Book/_find", #"{"fields":\#(list($0) { "\"\($0)\"" })}"#) }),
        ("fields in a URL", { LongRequest(method: "GET", path: "Book?fields=" + $0.joined(separator: ",")) }),
        ("a filter", { body("Book/_find", #"{"query":{\#(members($0, "0"))}}"#) }),
        ("a filter's $or", { body("Book/_find", #"{"query":{"$or":\#(list($0) { "{\"\($0)\":1}" })}}"#) }),
        ("a format", { body("Book/_find", #"{"format":"\#($0.joined(separator: " == 1 OR ")) == 1"}"#) }),
        ("a count", { body("Book/_count", #"{"query":{\#(members($0, "0"))}}"#) }),
        ("unknown parameters", { body("Book/_find", "{\(members($0, "0"))}") }),
        ("keys of groups", { body("Book/_group", #"{"reducers":[],"key":{\#(members($0, "true"))}}"#) }),
        (
            "values of groups",
            { names in
                let list = list(names) { #"{"op":"sum","field":"\#($0)"}"# }
                return body("Book/_group", #"{"key":[],"reducers":\#(list),"sort":{\#(members(names, "1"))}}"#)
            }
        ),
        (
            "having of groups",
            { names in
                let having = names.joined(separator: " == 1 OR ") + " == 1"
                return body("Book/_group", #"{"key":{\#(members(names, "true"))},"having":"\#(having)","reducers":[]}"#)
            }
        ),
        (
            "a script",
            { names in
                let reduce = names.map { "out.\($0) += doc.\($0);" }.joined()
                return body("Book/_group", #"{"key":[],"initial":{},"reduce":"function(doc,out){\#(reduce)}"}"#)
            }
        ),
        ("the order of a tree", { body("Book/_find", tree(#""order":\#(list($0) { #"{"field":["\#($0)"]}"# })"#)) }),
        ("the fields of a tree", { body("Book/_find", tree(#""fields":\#(list($0) { #"{"field":["\#($0)"]}"# })"#)) }),
        (
            "a tree",
            { names in
                let terms = list(names) {
                    #"{"compare":"==","left":{"field":["\#($0)"]},"right":{"value":1}}"#
                }
                return body("Book/_find", #"{"pql":{"where":{"and":\#(terms)}}}"#)
            }
        ),
        (
            "computed fields of a tree",
            { names in
                let terms = list(names) { #"{"of":{"negate":{"field":["\#($0)"]}},"as":"c\#($0)"}"# }
                let order = list(names) { #"{"field":["c\#($0)"]}"# }
                return body("Book/_find", tree(#""computed":\#(terms),"order":\#(order)"#))
            }
        ),
        (
            "groups of a tree",
            { names in
                let keys = list(names) { #"{"field":["\#($0)"]}"# }
                let values = list(names) { #"{"compute":"sum","field":["\#($0)"]}"# }
                return body("Book/_group", tree(#""group":{"by":\#(keys),"compute":\#(values)}"#))
            }
        ),
        (
            "a tree's schema",
            { names in
                let fields = members(names, #"{"type":"integer"}"#)
                let order = list(names) { #"{"field":["\#($0)"]}"# }
                return body(
                    "Book/_find",
                    #"{"pql":{"where":true,"order":\#(order)},"schema":{"type":"object","properties":{\#(fields)}}}"#
                )
            }
        ),
        (
            "settings",
            { names in
                LongRequest(method: "PUT", path: "/admin/kid", body: "{\(members(names, "0"))}", isUser: false)
            }
        ),
    ]

    private static func tree(_ parts: String) -> String { #"{"pql":{"where":true,\#(parts)}}"# }

    @Test func answersAreCut() async throws {
        let harness = try harness { $0.entitiesPerAnswer = 3 }
        #expect(await harness.send("POST", "Book", #"[{"_id":"a"},{"_id":"b"},{"_id":"c"}]"#).status == 201)
        let whole = await harness.send("GET", "Book?limit=5")
        #expect(whole.headers["X-PQL-Truncated"] == nil)
        #expect(await harness.send("GET", "Book/_deltaset?since=1970-01-01T00:00:00.000Z").status == 200)
        #expect(await harness.send("PUT", "Book/d", "{}").status == 201)
        for path in ["Book", "Book?limit=4"] {
            let cut = await harness.send("GET", path)
            #expect(cut.status == 200 && cut.headers["X-PQL-Truncated"] == "3", "\(path)")
        }
        #expect(await harness.send("GET", "Book?limit=3").headers["X-PQL-Truncated"] == nil)
        let delta = await harness.send("GET", "Book/_deltaset?since=1970-01-01T00:00:00.000Z")
        #expect(delta.status == 400 && delta.body.contains("ResultSetSizeExceeded"))
        #expect(await harness.send("GET", "Book/_deltaset?since=1970-01-01T00:00:00.000Z&limit=3").status == 200)
        let bytes = try self.harness { $0.bytesPerAnswer = 300 }
        #expect(await bytes.send("POST", "Book", "[{},{},{},{}]").status == 201)
        #expect(await bytes.send("GET", "Book").headers["X-PQL-Truncated"] != nil)
    }

    @Test func ratesAreBounded() async throws {
        let harness = try harness { limits in
            limits.requestsPerSecond = 2
            limits.logInsPerMinute = 3
        }
        let app = ServiceHarness.basic("s")
        for _ in 0..<4 { #expect(await harness.send("GET", "Book", as: app).status == 200) }
        let refused = await harness.send("GET", "Book", as: app)
        #expect(refused.status == 429 && refused.headers["Retry-After"] == "1", "\(refused.body)")
        #expect(refused.body.contains("requests of a session: 2 a second; send it again in a second"))
        harness.time.advance(500)
        #expect(await harness.send("GET", "Book", as: app).status == 200)
        #expect(await harness.send("GET", "Book", as: app).status == 429)
        #expect(await harness.send("GET", "Book").status == 200, "the owner is not bounded")
        for name in ["a", "b", "c"] { #expect(await harness.signUp(name).id != "") }
        let login = #"{"username":"a","password":"p"}"#
        let late = await harness.send("POST", "/user/kid/login", login, as: app)
        #expect(late.status == 429 && late.headers["Retry-After"] == "20", "\(late.headers)")
        let rule = "log-ins and sign-ups from an address: 3 a minute; send it again in 20 seconds"
        #expect(late.body.contains(rule), "\(late.body)")
        for number in 0..<10 {
            let moved = await harness.send("POST", "/user/kid", #"{"username":"m\#(number)","password":"p"}"#)
            #expect(moved.status == 201, "the owner moves users in")
        }
        harness.time.advance(20_000)
        #expect(await harness.send("POST", "/user/kid/login", login, as: app).status == 200)
    }

    @Test func sessionsEnd() async throws {
        let harness = try harness { $0.sessionDays = 2 }
        let day = CivilDate.millisecondsPerDay
        let user = await harness.signUp("ann")
        for _ in 0..<3 {
            harness.time.advance(day + 1)
            #expect(
                await harness.send("GET", "/user/kid/_me", as: user.session).status == 200,
                "each request renews it"
            )
        }
        harness.time.advance(2 * day + 1)
        #expect(await harness.send("GET", "/user/kid/_me", as: user.session).status == 401)
    }

    @Test func queriesEnd() async throws {
        let harness = try harness { $0.querySeconds = 0 }
        let entities = "[" + (0..<100).map { #"{"n":\#($0)}"# }.joined(separator: ",") + "]"
        for _ in 0..<10 { #expect(await harness.send("POST", "Book", entities).status == 201) }
        let refused = await harness.send("GET", #"Book?query={"n":{"$gt":50}}"#)
        #expect(refused.status == 400 && refused.body.contains("QueryTimeLimitExceeded"), "\(refused.body)")
    }

    @Test func whatIsOldGoes() async throws {
        let harness = try harness { _ in }
        let key = ["Idempotency-Key": "AAAAAAAAAAAAAAAAAAAAAA:1:abcdef"]
        let master = ServiceHarness.basic("m")
        let first = await harness.send("PUT", "Book/a", #"{"n":1}"#, as: master, key)
        let since = first.headers["X-Kinvey-Request-Start"] ?? ""
        #expect(await harness.send("PUT", "Book/a", #"{"n":2}"#).status == 200)
        harness.time.advance(14 * CivilDate.millisecondsPerDay)
        #expect(await harness.service.tidy() == false)
        #expect(await harness.send("GET", "Book/_deltaset?since=\(since)").status == 200)
        #expect(await harness.send("PUT", "Book/a", #"{"n":1}"#, as: master, key).headers["X-PQL-Replayed"] == "true")
        harness.time.advance(2 * CivilDate.millisecondsPerDay)
        #expect(await harness.service.tidy() == false)
        let old = await harness.send("GET", "Book/_deltaset?since=\(since)")
        #expect(old.status == 400 && old.body.contains("ParameterValueOutOfRange"), "\(old.body)")
        harness.time.advance(15 * CivilDate.millisecondsPerDay)
        #expect(await harness.service.tidy() == false)
        #expect(await harness.send("PUT", "Book/a", #"{"n":1}"#, as: master, key).headers["X-PQL-Replayed"] == nil)
    }

    /// `/openapi.json` describes what requests and answers hold, and names nothing that is not there.
    @Test func theDescriptionIsWhole() async throws {
        let harness = try ServiceHarness()
        let answer = await harness.send("GET", "/openapi.json")
        guard case .object(let description)? = answer.json, case .object(let paths)? = description["paths"],
            case .object(let components)? = description["components"],
            case .object(let schemas)? = components["schemas"]
        else {
            Issue.record("\(answer.body.prefix(200))")
            return
        }
        func references(_ value: QueryValue) -> [String] {
            switch value {
            case .object(let object):
                if case .string(let name)? = object["$ref"] { return [name] }
                return object.values.flatMap(references)
            case .list(let elements): return elements.flatMap(references)
            default: return []
            }
        }
        let named = references(.object(description)).compactMap { $0.split(separator: "/").last.map(String.init) }
        #expect(Set(named).isSubset(of: schemas.keys) && Set(named).count == schemas.count, "\(named)")
        var described = 0
        for case .object(let operations) in paths.values {
            for case .object(let operation) in operations.values {
                guard case .object(let responses)? = operation["responses"] else { continue }
                for (status, response) in responses.pairs where ["200", "201"].contains(status) {
                    if case .object(let response) = response, response["content"] != nil { described += 1 }
                }
            }
        }
        #expect(described >= 20)
        // What is answered has the members that are promised.
        _ = await harness.send("POST", "Book", #"[{"_id":"a"}]"#)
        for (path, name) in [("Book/_count", "Count"), ("Book/_deltaset?since=1970-01-01T00:00:00.000Z", "Error")] {
            guard case .object(let answer)? = await harness.send("GET", path).json,
                case .object(let schema)? = schemas[name],
                case .list(let required)? = schema["required"]
            else {
                Issue.record("\(path)")
                continue
            }
            for case .string(let key) in required { #expect(answer[key] != nil, "\(path) \(key)") }
        }
    }
}
