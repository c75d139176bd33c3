import PredicateQL
import QueryTree
import SpecSupport
import Testing

@Suite("Computed fields as pipelines")
struct ComputedPipelineTests {
    private static let rows: [Document] = [
        ["_id": 1, "s": "MA", "p": 3, "o": .object(["x": 1])], ["_id": 2, "s": "ma", "p": -2.5], ["_id": 3, "p": 7],
        ["_id": 4, "s": nil, "p": nil, "o": .object([:])], ["_id": 5], ["_id": 6, "s": "Ä", "p": 1.0],
    ]

    private func check(_ query: Query) throws {
        let found = try MongoJudge.run(query.mongoPipeline().stages, on: Self.rows)
        let expected = try query.results(in: Self.rows)
        #expect(found.count == expected.count, "\(found) \(expected)")
        for (a, b) in zip(found, expected) {
            #expect(a.keys == b.keys, "\(query.computed) \(a) \(b)")
            #expect(zip(a.values, b.values).allSatisfy { isSameJSON($0, $1) }, "\(query.computed) \(a) \(b)")
        }
    }

    @Test("the stages agree with the evaluator")
    func agreement() throws {
        let schema = Schema([
            .field("p", .double), .field("s", .string), .field("o", .object(Schema([.field("x", .int)]))),
        ])
        let terms = [
            "p + 1", "trunc(p)", "-p * 2", "length(s)", "TERNARY(p > 2, 'big', 'small')", "TERNARY(s == nil, p, 0)",
            "TERNARY(s == 'MA', TRUE, FALSE)", "TERNARY(p > 0, s, nil)", "noindex(s)", "p", "o.x", "o.x + p",
        ]
        var (asked, ordered) = (0, 0)
        for term in terms {
            for schema in [nil, schema] {
                let field = try ComputedField(parsing: "value = " + term)
                let other = try ComputedField(parsing: "other = p * 3")
                for fields in [nil, ["s"], ["_id", "o.x"]] as [[FieldPath]?] {
                    let query = Query(
                        Field("p") > 0,
                        order: ["-p"],
                        limit: 3,
                        fields: fields,
                        computed: [field, other]
                    )
                    var declared = query
                    declared.schema = schema
                    guard (try? declared.mongoPipeline()) != nil else { continue }
                    asked += 1
                    if fields?.contains("o.x") == true { declared.condition = Field("o.x") == 1 }
                    try check(declared)
                    declared.order = ["-value", "other", "_id"]
                    guard (try? declared.mongoPipeline()) != nil else { continue }
                    ordered += 1
                    try check(declared)
                }
            }
        }
        #expect(asked > 40 && ordered > 30)
    }

    @Test("what Mongo does not compute is refused with its place, and computed in memory")
    func refusals() throws {
        for text in ["v = 1", "v = o.x", "a.b = p + 1", "v = CAST(0, 'NSDate')"] {
            let query = Query(Field("p") > 0, computed: [try ComputedField(parsing: text)])
            let error = #expect(throws: QueryError.self) { try query.mongoPipeline() }
            #expect(error?.code == .unsupported && error?.path == "computed[0]", "\(text) \(String(describing: error))")
        }
        // Its fields take no names of the documents' own, and it sorts by values that it knows to be single.
        let sorted = try ComputedField(parsing: "sort0 = sort0 + p")
        let stages = try Query(order: ["sort0"], computed: [sorted]).mongoPipeline().stages
        #expect(stages.first?["$addFields"] != nil && "\(stages)".contains("_sort0"))
        let folded = Query(order: [SortKey("v", options: .caseInsensitive)], computed: [sorted])
        #expect(throws: QueryError.self) { try folded.mongoPipeline() }
        let query = Query(Field("p") > 0, fields: ["s"], computed: [try ComputedField(parsing: "v = p + 1")])
        #expect(#expect(throws: QueryError.self) { try query.mongo() }?.code == .unsupported)
        let split = try query.split(for: .mongoDB)
        #expect(split.store.computed.isEmpty && split.rest == nil)
        let found = try MongoJudge.find(split.store.mongo().filter, in: Self.rows)
        #expect(try split.memory?.results(in: found) == query.results(in: Self.rows))
    }
}
