import PredicateQLService
import StoreSupport
import Testing

/// Queries as trees that mean harm: each is answered with an error, at once.
@Suite struct TreeBodyTests {
    private static let always = #"{"compare":"==","left":{"field":["a"]},"right":{"value":1}}"#

    private static let hostile: [(name: String, body: String, status: Int)] = [
        ("levels", nested(300), 400),
        ("levels of JSON", nested(5_000), 400),
        (
            "bytes",
            #"{"pql":{"where":{"compare":"==","left":{"field":["a"]},"right":{"value":"\#(text(530_000))"}}}}"#,
            413
        ),
        (
            "text", #"{"pql":{"where":{"compare":"==","left":{"field":["a"]},"right":{"value":"\#(text(1_001))"}}}}"#,
            400
        ),
        ("parts", #"{"pql":{"where":{"or":[\#(list(always, 700))]}}}"#, 400),
        (
            "list",
            #"{"pql":{"where":{"compare":"IN","left":{"field":["a"]},"right":{"value":[\#(list("1", 10_001))]}}}}"#, 400
        ),
        ("order", #"{"pql":{"where":true,"order":[\#(list(#"{"field":["a"]}"#, 9))]}}"#, 400),
    ]

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static func list(_ element: String, _ count: Int) -> String {
        Array(repeating: element, count: count).joined(separator: ",")
    }

    private static func nested(_ levels: Int) -> String {
        let (open, close) = (String(repeating: #"{"not":"#, count: levels), String(repeating: "}", count: levels))
        return #"{"pql":{"where":"# + open + "true" + close + "}}"
    }

    @Test(
        arguments: hostile.indices,
        ["Book/_find", "Book/_count", "Book/_deltaset?since=1970-01-01T00:00:00.000Z", "Book/_remove"]
    )
    func hostileTreesAreRefused(_ index: Int, _ path: String) async throws {
        let harness = try ServiceHarness { $0.deltas = .all }
        _ = await harness.send("PUT", "Book/b", #"{"a":1}"#)
        let (name, body, status) = Self.hostile[index]
        #expect(await harness.send("POST", path, body).status == status, "\(name)")
        #expect(await harness.send("GET", "Book/_count").body == #"{"count":1}"#)
    }

    /// Whatever is wrong in a tree is placed in the body.
    @Test func errorsArePlacedInTheBody() async throws {
        let harness = try ServiceHarness()
        func group(_ by: String, _ compute: String) -> String {
            #"{"pql":{"where":true,"group":{"by":[\#(by)],"compute":[\#(compute)]},"order":[{"field":["m"]}]}}"#
        }
        let count = #"{"compute":"count"}"#
        for (path, body, said) in [
            ("_find", #"{"pql":{"where":true,"limit":-1}}"#, ["at: $.pql.limit"]),
            ("_find", #"{"pql":5}"#, ["at: $.pql"]), ("_group", #"{"pql":{"where":true}}"#, ["at: $.pql"]),
            ("_group", group(#"{"field":["a"]}"#, count), ["at: $.pql.order[0]"]),
            (
                "_group", group(#"{"call":"month:","arguments":[{"field":["a"]}]}"#, count),
                ["at: $.pql.group.by[0]", "`of` and `as`"]
            ),
            (
                "_group", group(#"{"field":["a"]}"#, #"{"compute":"sum","call":"abs:"}"#),
                ["at: $.pql.group.compute[0]", "`of` and `as`"]
            ),
        ] as [(String, String, [String])] {
            let answer = await harness.send("POST", "Book/" + path, body)
            #expect(answer.status == 400, "\(body) \(answer.body)")
            for text in said { #expect(answer.body.contains(text), "\(body) \(answer.body)") }
        }
    }

    /// A pattern that backtracks without end is ended by its match limit, in every answer that asks it.
    @Test(arguments: ["Book/_find", "Book/_count", "Book/_deltaset?since=1970-01-01T00:00:00.000Z", "Book/_remove"])
    func patternsEnd(_ path: String) async throws {
        let harness = try ServiceHarness { $0.deltas = .all }
        _ = await harness.send("PUT", "Book/b", #"{"a":"\#(String(repeating: "a", count: 60))!"}"#)
        let pattern =
            #"{"pql":{"where":{"compare":"MATCHES","left":{"field":["a"]},"right":{"value":"(?:a|aa)+[bc]"}}}}"#
        #expect(await harness.send("POST", path, pattern).status == 400)
        let plain = pattern.replacing("(?:a|aa)+[bc]", with: "a+!")
        #expect(await harness.send("POST", path, plain).status == 200)
    }
}
