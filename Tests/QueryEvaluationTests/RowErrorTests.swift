import PredicateQL
import Testing

@Suite("Row errors (S16, S27)")
struct RowErrorTests {
    private let bad = compare(field("s"), .matches, field("p"))
    private let row: Document = ["s": "x", "p": "["]

    @Test("an error counts only when the other operands do not decide, in any order")
    func decided() throws {
        let (yes, no) = (Condition.constant(true), Condition.constant(false))
        for condition in [bad && no, no && bad, !(bad || yes), !(yes || bad), !(!bad || yes)] {
            #expect(try !holds(condition, row))
        }
        for condition in [bad, bad && yes, yes && bad, bad || no, !bad, !(no || bad)] {
            #expect(throws: QueryError.self) { try holds(condition, row) }
        }
        let list: Document = ["l": ["x"], "p": "[", "q": "x"]
        #expect(throws: QueryError.self) { try holds(any(field("l"), .matches, field("p")), list) }
        #expect(try holds(any(field("none"), .matches, field("p")), list) == false)
    }

    @Test("one undecided row fails the call, and the error names it")
    func named() throws {
        let rows: [Document] = [["s": "x", "p": "x"], row]
        let query = Query(bad)
        let error = #expect(throws: QueryError.self) { try query.results(in: rows) }
        #expect(error?.code == .evaluation)
        #expect(error?.message.hasPrefix("documents[1]: ") == true)
        #expect(throws: QueryError.self) { try query.matchingIndices(in: rows) }
        #expect(try query.matchingIndices(in: [rows[0]]) == [0])
    }

    @Test("bad constants are rejected when the query is compiled (S15, S16, S25)")
    func refused() throws {
        let conditions = [
            compare(field("s"), .matches, value("[")), compare(field("s"), .like, value("a\\")),
            compare(field("s"), .matches, value("x"), .diacriticInsensitive),
            compare(field("s"), .equal, value("x"), .localized),
            compare(.assignment("v", value(1), .none), .equal, value(1)),
            compare(field("s"), .equal, variable("free")),
        ]
        for condition in conditions { #expect(throws: QueryError.self) { try Matcher(Query(condition)) } }
        #expect(try !holds(compare(field("s"), .like, field("p")), ["s": "a\\", "p": "a\\"]))
    }
}
