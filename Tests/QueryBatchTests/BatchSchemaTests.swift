import Foundation
import PredicateQLSQLite
import QueryBatch
import QueryValues
import SpecSupport
import Testing

/// `Grammar/batch.schema.json` describes what requests may say and what answers say, and the page's examples follow it.
@Suite struct BatchSchemaTests {
    private let schema: SchemaCheck

    init() throws {
        schema = try SchemaCheck(try Self.page("batch.schema.json"))
    }

    private static func page(_ name: String) throws -> String {
        let file = SpecFile.repository.appendingPathComponent("Grammar/" + name)
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test func requestsAndAnswersFollowTheSchema() throws {
        for (request, _, line) in BatchCases.answers { try check(request, "BatchCases.swift:\(line)") }
    }

    /// What the schema can express, it refuses as the reader does; every refusal is an answer by the schema.
    @Test func mistakesAreNoRequests() throws {
        let batch = BatchProcessor()
        var refused = 0
        for (request, summary, line) in BatchCases.mistakes {
            let answer = try QueryValue(json: batch.answer(to: request.utf8))
            #expect(try schema.problem(of: answer, in: "answer") == nil, "BatchCases.swift:\(line)")
            guard summary.contains(#""request""#), let value = try? QueryValue(json: request),
                !request.contains("yesterday"), !request.contains(#""mongo":"{}""#)
            else { continue }
            refused += 1
            #expect(try schema.problem(of: value, in: "request") != nil, "BatchCases.swift:\(line) \(request)")
        }
        #expect(refused > 15)
    }

    /// Every output at once, of rows and of groups, over a file too.
    @Test func everyOutputFollowsTheSchema() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (a INTEGER, s TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'y')")
        let batch = BatchProcessor(store: BatchStore(database: database, table: "t"))
        let outputs = try quoted(outputs())
        for part in ["", #","group":{"by":["s"],"compute":["count"],"having":"count > 0"}"#] {
            let request =
                #"{"id":1,"format":"a > 0 AND s != 'z'","table":"t","order":["s"],"limit":2,"# + """
                    "documents":[{"a":1,"s":"x"}]\(part),"outputs":[\(outputs)]}
                    """
            let answer = try check(request, part, batch)
            #expect(Set(answer.keys) == Set(try self.outputs() + ["id", "rows"]), "\(part)")
            let failed = answer.pairs.filter {
                if case .object(let output) = $1 { output["error"] != nil } else { false }
            }
            #expect(failed.map(\.0).allSatisfy { $0 == "rest" }, "\(failed)")
        }
        let mistakes = try check(#"{"format":"a STARTSWITH 'x'","outputs":["tokens","problems"]}"#, "problems", batch)
        #expect(Set(mistakes.keys) == ["id", "tokens", "problems", "error"])
    }

    /// The reader and the schema know the same keys, outputs and codes; the page names all of them.
    @Test func nothingIsMissing() throws {
        let page = try Self.page("batch.md")
        let keys = try known(#"{"format":"a == 1","qqqqqqqqqq":1}"#)
        #expect(try schema.keys(of: "request").sorted() == keys.sorted())
        let policy = try known(#"{"format":"a == 1","policy":{"fields":[],"qqqqqqqqqq":1}}"#)
        #expect(try schema.keys(of: "policy").sorted() == policy.sorted())
        for name in try keys + outputs() where name != "id" { #expect(page.contains("`\(name)`"), "\(name)") }
        let text = try Self.page("batch.schema.json")
        for code in QueryError.Code.all {
            #expect(text.components(separatedBy: "\"\(code.rawValue)\"").count >= 2, "\(code.rawValue)")
        }
    }

    /// The page's own commands; `ShellExampleTests` runs them and compares what they print.
    @Test func thePagesExamplesFollowTheSchema() throws {
        let requests = try Self.page("batch.md").matches(of: /\$ echo '(.*)' \| pql batch\n/).map {
            String($0.output.1)
        }
        #expect(requests.count > 8)
        for request in requests where !request.contains("limt") { try check(request, request) }
    }

    @Test func theCheckItselfRefuses() throws {
        let wrong: [(String, String, String)] = [
            ("answer", #"{"matches":[1]}"#, "required"), ("answer", #"{"id":1,"more":1}"#, "unknown key more"),
            ("answer", #"{"id":1,"matches":[-1]}"#, "minimum"), ("answer", #"{"id":1,"format":7}"#, "type"),
            ("fix", #"{"range":[1],"replacement":""}"#, "minItems"), ("request", #"{"format":"a","nil":"no"}"#, "enum"),
            ("request", #"{"format":"a","table":""}"#, "minLength"), ("request", "{}", "required"),
        ]
        for (definition, text, part) in wrong {
            let problem = try schema.problem(of: try QueryValue(json: text), in: definition)
            #expect(problem?.contains(part) == true, "\(text): \(problem ?? "valid")")
        }
        #expect(throws: QueryError.self) {
            try SchemaCheck(#"{"$defs":{"a":{"pattern":"x"}}}"#).problem(of: "x", in: "a")
        }
    }

    @discardableResult
    private func check(_ request: String, _ place: String, _ batch: BatchProcessor = BatchProcessor()) throws
        -> Document
    {
        #expect(try schema.problem(of: try QueryValue(json: request), in: "request") == nil, "\(place)")
        let answer = try QueryValue(json: batch.answer(to: request.utf8))
        #expect(try schema.problem(of: answer, in: "answer") == nil, "\(place): \(answer.json)")
        guard case .object(let object) = answer else { throw QueryError(.json, "the answer is no object") }
        return object
    }

    /// The names in the hint or the message of a refusal.
    private func known(_ request: String) throws -> [String] {
        try names(request, "hint", after: "known keys: ")
    }

    private func outputs() throws -> [String] {
        try names(#"{"format":"a","outputs":["qqqqqqqqqq"]}"#, "message", after: "expected one of ")
    }

    private func names(_ request: String, _ key: String, after start: String) throws -> [String] {
        guard case .object(let answer) = try QueryValue(json: BatchProcessor().answer(to: request.utf8)),
            case .object(let error)? = answer["error"], case .string(let text)? = error[key], text.hasPrefix(start)
        else { throw QueryError(.json, "\(request) is not refused with the names") }
        return text.dropFirst(start.count).split(separator: " ").map(String.init)
    }

    private func quoted(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ",") }
}
