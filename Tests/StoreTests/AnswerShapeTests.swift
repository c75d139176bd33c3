import StoreModel
import Testing

@testable import PredicateQLStore

/// What an answer looks like that the service gave.
@Suite struct AnswerShapeTests {
    /// The wire's own answers are believed, in any spelling of their type; and each other form is not.
    @Test func formsAreChecked() {
        func fault(_ status: Int, _ type: String?, _ body: String, _ shape: AnswerShape) -> ServiceFault? {
            var response = WireResponse(status: status, body: Array(body.utf8))
            response.headers["content-type"] = type
            return response.foreign(to: shape)
        }
        let table: [(shape: AnswerShape, fits: [String], others: [String])] = [
            (.entity(id: "a"), [#"{"_id":"a"}"#], [#"{"_id":"b"}"#, #"{"_id":1}"#, #"[{"_id":"a"}]"#, "{}", "1"]),
            (
                .entities, ["[]", #" [ {"_id":"a"} , {"_id":"b"}] "#],
                ["{}", "[1]", "[[]]", #"[{"_id":"a"}"#, "[],", ""]
            ),
            (.groups, ["[]", #"[{"count":1}]"#], ["[1]", "{}", "[{}"]),
            (.count, [#"{"count":0}"#], [#"{"count":"1"}"#, #"{"count":1.5}"#, #"{"count":-1}"#, "[]", "1", "{}"]),
            (
                .changes,
                [#"{"changed":[{"_id":"a"}],"deleted":[{"_id":"b"}],"left":[]}"#, #"{"changed":[],"deleted":[]}"#],
                [#"{"changed":[]}"#, #"{"changed":[1],"deleted":[]}"#, #"{"changed":[],"deleted":[{}]}"#, "[]"]
            ),
            (
                .additions, [#"{"entities":[{"_id":"a"},null],"errors":[]}"#],
                [#"{"entities":{}}"#, #"{"entities":[1]}"#, #"[{"_id":"a"}]"#, "{}"]
            ),
            (.user, [#"{"_id":"u","_kmd":{"authtoken":"t"}}"#], [#"{"_id":"u"}"#, "[]", "{}"]),
        ]
        for (shape, fits, others) in table {
            for type in ["application/json", "Application/JSON ; charset=utf-8"] {
                for body in fits { #expect(fault(200, type, body, shape) == nil, "\(shape) \(body)") }
                for body in others { #expect(fault(200, type, body, shape) != nil, "\(shape) \(body)") }
            }
            for body in fits {
                for type in [nil, "", "text/html", "application/json-seq", "text/plain"] {
                    #expect(fault(200, type, body, shape) != nil, "\(shape) \(type ?? "")")
                }
                #expect(fault(404, "application/json", body, shape) != nil)
            }
            #expect(fault(204, nil, "", shape) != nil)
            for error in [#"{"error":"EntityNotFound"}"#, #"{"error":"Other","description":"","debug":""}"#] {
                #expect(fault(404, "application/json", error, shape) == nil)
                #expect(fault(404, "text/html", error, shape) != nil)
            }
            for error in [#"{"error":"Other"}"#, #"{"error":"Other","description":""}"#, #"{"error":1}"#, "[]", ""] {
                #expect(fault(404, "application/json", error, shape) != nil, "\(error)")
            }
        }
        #expect(fault(204, nil, "", .nothing) == nil)
        #expect(fault(200, nil, "", .nothing) != nil && fault(204, nil, "x", .nothing) != nil)
    }
}
