import PredicateQL
import StoreModel
import StoreSupport
import Testing

@testable import PredicateQLService

/// A condition finds the same entities here and in memory, whatever they hold: no schema says what is single.
@Suite struct ExactTests {
    private static let entities = [
        #"{"_id":"1","o":[{"x":1},{"x":2}]}"#, #"{"_id":"2","o":{"x":[1,2]}}"#, #"{"_id":"3","k":[[1,2]]}"#,
        #"{"_id":"4","k":[{"x":1},{"x":null},{}],"o":{"x":1},"a":1}"#,
        #"{"_id":"5","k":[[{"x":[1,2]}],5],"o":5,"a":[1]}"#,
        #"{"_id":"6","k":{"x":[1,2]},"a":"t","o":{"x":"t"}}"#,
        #"{"_id":"7","k":[{"x":[1,2]},[{"x":1},{"x":2}]],"o":[5]}"#,
        #"{"_id":"8","o":[[{"x":1}]],"a":[[1]],"k":[null]}"#, #"{"_id":"9","o":{"x":{"y":[1,2]}},"k":[{"x":{"y":1}}]}"#,
    ]

    private static let conditions = [
        "o.x IN {{1,2}}", "NOT o.x IN {{1,2}}", "{1,2} IN {o.x}", "o.x IN {1,{1,2},'t'}", "o.x == {1,2}",
        "o.x != {1,2}",
        "SUBQUERY(k,$e,$e.x == nil).@count > 0", "SUBQUERY(k,$e,$e.x != nil).@count > 0",
        "SUBQUERY(k,$e,$e.x == 1).@count > 0", "SUBQUERY(k,$e,$e.x == {1,2}).@count > 0",
        "SUBQUERY(k,$e,$e.x IN {{1,2}, nil}).@count > 0", "SUBQUERY(k,$e,ANY $e.x == 1).@count > 0",
        "SUBQUERY(k,$e,$e.x.y == nil).@count > 1", "SUBQUERY(k,$e,$e.x > 0).@count == 0",
        "SUBQUERY(k,$e,NOT $e.x IN {1}).@count > 0", "a == 1", "a != 1", "a IN {1,'t'}", "o.x == nil", "o.x > 0",
        "a == {1}",
        "ANY o.x == 1", "NONE o.x IN {1}", "ALL k.x == nil", "o.x BEGINSWITH 't'", "NOT o.x LIKE 't*'", "o.x + 1 > 1",
        "o.x BETWEEN {0,1}", "o.x CONTAINS 1", "1 IN o.x", "o.x[0] == 1", "o[0].x == 1", "o.x.@count == 2",
        "k.x.@sum > 0",
        "TERNARY(a == 1, o.x, k.x) == {1,2}", "lowercase(o.x) == 't'", "a IN o.x", "o.x.y == nil",
        "o.x[FIRST] == 1", "o.x[SIZE] == 2", "a BETWEEN {o.x, 5}", "NOT o.x[1] == 2",
        "SUBQUERY(k,$e,$e.x[0] == 1).@count > 0",
        "noindex(o.x) == {1,2}",
    ]

    @Test func conditionsFindWhatMemoryFinds() async throws {
        let harness = try ServiceHarness()
        for entity in Self.entities { #expect(await harness.send("POST", "E", entity).status == 201) }
        let rows = try Self.entities.map { (text) throws -> Document in
            guard case .object(let row) = try QueryValue(json: text) else { return [:] }
            return row
        }
        func ids(_ rows: [QueryValue]) -> String {
            rows.map { if case .object(let row) = $0, case .string(let id)? = row["_id"] { id } else { "" } }.joined()
        }
        for text in Self.conditions {
            let expected = try ids(Query(parsing: text).results(in: rows).map(QueryValue.object))
            let body = QueryValue.object(["format": .string(text), "sort": "_id"]).json
            let answer = await harness.send("POST", "E/_find", body)
            guard case .list(let found)? = answer.json else {
                Issue.record("\(text): \(answer.body)")
                continue
            }
            #expect(ids(found) == expected, "\(text)")
        }
    }
}
