import Foundation
import QueryBatch
import QueryValues
import SpecSupport
import Testing

/// Request lines with their expected answer lines.
@Suite struct BatchAnswerTests {
    @Test func requestsGetTheirAnswers() {
        let batch = BatchProcessor()
        for (request, expected, line) in BatchCases.answers {
            let answer = batch.answer(to: request.utf8)
            #expect(answer == expected, "BatchCases.swift:\(line) \(request)")
        }
    }

    /// `code path` for each line that is not a request.
    @Test func mistakesAreAnswers() throws {
        let batch = BatchProcessor()
        for (request, expected, line) in BatchCases.mistakes {
            let text = batch.answer(to: request.utf8)
            let answer = try object(text)
            #expect(answer.keys == ["id", "error"], "BatchCases.swift:\(line) \(text)")
            let error = try #require(answer["error"], "BatchCases.swift:\(line)")
            try checkShape(of: error, "BatchCases.swift:\(line)")
            guard case .object(let fields) = error else { continue }
            let summary = [answer["id"], fields["code"], fields["path"]].map { ($0 ?? .null).json }
            #expect(summary.joined(separator: " ") == expected, "BatchCases.swift:\(line) \(text)")
        }
    }

    /// Each output has its own budget.
    @Test func objectIDsAreNoTextsInMongo() {
        let values = [
            #""format":"_id == %@","arguments":[{"$oid":"507f1f77bcf86cd799439011"}]"#,
            #""format":"_id IN $ids","variables":{"ids":["a",{"\u0024oid":"507F1F77BCF86CD799439011"}]}"#,
        ]
        for value in values {
            let request = "{" + value + #","outputs":["mongo","matches"],"documents":[]}"#
            let answer = BatchProcessor().answer(to: request.utf8)
            #expect(answer.contains("an ObjectId is compared only where"), "\(answer)")
            #expect(answer.contains(#""matches":[]"#), "\(answer)")
        }
        let text = #"{"format":"_id == %@","arguments":["507f1f77bcf86cd799439011"],"outputs":["mongo"]}"#
        #expect(!BatchProcessor().answer(to: text.utf8).contains("error"))
    }

    @Test func policiesHideTheFieldsOfASchema() {
        let rest =
            #","limit":5,"policy":{"fields":["name"]},"schema":{"type":"object","properties":{"#
            + #""name":{"type":"string"},"secret":{"type":"integer"}}},"outputs":["mongo","problems"]}"#
        let answers = ["secrt == 1", "secret == 1", "unseen == 1"].map { format in
            BatchProcessor().answer(to: (#"{"format":""# + format + "\"" + rest).utf8)
        }
        for answer in answers {
            #expect(answer.contains("unknownField") && !answer.contains("did you mean"), "\(answer)")
        }
        let near = BatchProcessor().answer(to: (#"{"format":"nam == 'x'""# + rest).utf8)
        #expect(near.contains("did you mean `name`"), "\(near)")
        let known = BatchProcessor().answer(to: (#"{"format":"name == 'x'""# + rest).utf8)
        #expect(!known.contains("error") && known.contains(#""filter":{"name":"x"}"#), "\(known)")
    }

    @Test func outputsEndInTime() throws {
        var limits = Limits.default
        limits.steps = 2_000
        let batch = BatchProcessor(limits: limits)
        let list = (0..<40).map(String.init).joined(separator: ",")
        let request = #"{"id":1,"format":"SUBQUERY(a, $x, ANY a == $x).@count > 1","documents":[{"a":[\#(list)]}]}"#
        let answer = try object(batch.answer(to: request.utf8))
        for name in ["matches", "results"] {
            #expect(answer[name]?.json.contains("tooMuchWork") == true, "\(name)")
        }
        let easy = #"{"id":2,"format":"a == 1","documents":[{"a":1}]}"#
        #expect(try object(batch.answer(to: easy.utf8))["matches"] == [0])
    }

    /// An error in one output does not affect the others.
    @Test func refusalsStandInTheirPlace() throws {
        let batch = BatchProcessor()
        let request = #"{"id":1,"format":"a == now() AND b MATCHES[d] 'x'","documents":[{}]}"#
        let answer = try object(batch.answer(to: request.utf8))
        #expect(answer.keys == ["id", "format", "tree", "mongo", "sqlite", "matches", "results"])
        for name in ["mongo", "sqlite"] {
            guard case .object(let output)? = answer[name], let error = output["error"] else {
                Issue.record("\(name) does not refuse: \(String(describing: answer[name]))")
                continue
            }
            #expect(output.keys == ["error"])
            try checkShape(of: error, name)
        }
        #expect(answer["format"]?.kind == .string)
    }

    @Test func unboundVariablesFailAllButFormatAndTree() throws {
        let batch = BatchProcessor()
        let requests = [
            #"{"format":"TRUEPREDICATE OR a == $x","documents":[]}"#,
            #"{"format":"a > 1","group":{"compute":["count"],"having":"count > $x"},"documents":[]}"#,
        ]
        for request in requests {
            let answer = try object(batch.answer(to: request.utf8))
            for (name, value) in answer.pairs where !["id", "format", "tree"].contains(name) {
                #expect(value.json.hasPrefix(#"{"error":{"code":"unboundVariable""#), "\(name) of \(request)")
            }
            #expect(answer.count == 7)
        }
    }

    /// Each output of the answer is built and released on a small stack.
    @Test(.timeLimit(.minutes(60))) func longTextsGetAnAnswer() throws {
        for format in DeepTexts.chains(SeededGenerator.count(100)) + DeepTexts.paths {
            let request: Document = ["id": 1, "format": .string(format), "documents": .list([.object(["b": [1]])])]
            let line = QueryValue.object(request).json
            let error = SmallThread.run(stackSize: SmallThread.stackSize * 2) {
                let answer = BatchProcessor().answer(to: line.utf8)
                #expect(answer.hasPrefix(#"{"id":1,"#), "\(format.prefix(60))")
            }
            #expect(error == nil)
        }
    }

    /// For any bytes there is one line with an id, and each error has its six keys.
    @Test func anyBytesGetAnAnswer() throws {
        let batch = BatchProcessor()
        let sound = Array(#"{"id":7,"format":"a IN %@","arguments":[[1,2]],"documents":[{"a":1}],"limit":3}"#.utf8)
        for index in sound.indices {
            for change in [nil, UInt8(ascii: "}"), UInt8(ascii: "\""), 0xFF] {
                var bytes = sound
                if let change { bytes[index] = change } else { bytes.remove(at: index) }
                let text = batch.answer(to: bytes)
                let answer = try object(text)
                #expect(answer.keys.first == "id", "\(text)")
                #expect(!text.utf8.contains(0x0A))
                if let error = answer["error"] { try checkShape(of: error, "byte \(index)") }
            }
        }
    }

    /// The page of error codes lists every code.
    @Test func codesAreDocumented() throws {
        let file = SpecFile.repository.appendingPathComponent("Sources/QueryBatch/BatchProcessor.swift")
        let page = try String(contentsOf: file, encoding: .utf8)
        for code in QueryError.Code.all {
            #expect(page.contains("`\(code.rawValue)`"), "\(code.rawValue)")
        }
    }

    @Test func longLinesAreAnswered() throws {
        let list = (0..<50_000).map(String.init).joined(separator: ",")
        let request = #"{"format":"a IN %@","arguments":[[\#(list)]],"documents":[{"a":49999}],"outputs":["matches"]}"#
        #expect(BatchProcessor().answer(to: request.utf8) == #"{"id":null,"matches":[0]}"#)
    }

    private func object(_ text: String) throws -> Document {
        guard case .object(let object) = try QueryValue(json: text) else {
            throw QueryError(.json, "the answer is no object")
        }
        return object
    }

    /// The six keys in their order, with the documented kinds.
    private func checkShape(of error: QueryValue, _ place: String) throws {
        guard case .object(let fields) = error else {
            throw QueryError(.json, "\(place): the error is no object")
        }
        #expect(fields.keys == ["code", "message", "range", "hint", "path", "fix"], "\(place)")
        guard case .string(let code)? = fields["code"], case .string? = fields["message"] else {
            throw QueryError(.json, "\(place): code and message are texts")
        }
        #expect(QueryError.Code.all.map(\.rawValue).contains(code), "\(place): \(code)")
        if case .list(let range)? = fields["range"] {
            #expect(range.count == 2, "\(place)")
            #expect(fields["path"] != .null, "\(place): a range belongs to a text")
        }
    }
}
