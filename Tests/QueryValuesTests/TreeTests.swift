import QueryChecking
import QueryTree
import QueryValues
import Testing

@Suite("The tree and its tables")
struct TreeTests {
    @Test("Trees compare by meaning, not by position")
    func origins() {
        let text = SourceText("age > 21")
        let here = Term.field("age", Origin(0..<3, in: text))
        #expect(here == Term.field("age", .none))
        #expect(here.hashValue == Term.field("age", .none).hashValue)
        #expect(Origin(0..<3, in: text).union(Origin(6..<8, in: text)).range == 0..<8)
        #expect(Origin.none.union(Origin(6..<8, in: text)).range == 6..<8)
        #expect(Origin.none.range == nil)
    }

    @Test("Strings and keys compare by their bytes (S4)")
    func bytes() {
        let composed = "caf\u{e9}"
        let decomposed = "cafe\u{301}"
        #expect(QueryValue.string(composed) != .string(decomposed))
        #expect(FieldPath(keys: [composed]) != FieldPath(keys: [decomposed]))
        #expect(Variable(composed) != Variable(decomposed))
        let document: Document = [composed: 1, decomposed: 2]
        #expect(document.count == 2)
        #expect(document[composed] == 1)
        #expect(document[decomposed] == 2)
    }

    @Test("Structural equality keeps int and double apart and NaN equal to itself")
    func values() {
        #expect(QueryValue.int(1) != .double(1))
        #expect(QueryValue.double(.nan) == .double(.nan))
        #expect(QueryValue.double(0) != .double(-0.0))
        #expect(QueryValue.list([1, nil]) == [1, nil])
        #expect(Set<QueryValue>([.double(.nan), .double(-.nan), 1, 1.0, true]).count == 4)
    }

    @Test("A document keeps its order while keys are added and removed")
    func documents() {
        var document: Document = ["b": 1, "a": 2]
        document["c"] = 3
        document["b"] = nil
        #expect(document.keys == ["a", "c"])
        #expect(document["b"] == nil)
        document["a"] = .null
        #expect(document["a"] == QueryValue.null)
        let wide = Document(pairs: (0..<20).map { ("k\($0)", QueryValue.int(Int64($0))) })
        #expect(wide["k19"] == 19)
        #expect(wide["k20"] == nil)
        #expect(Document(shape: Shape(keys: ["a", "b"]), values: [1]).values == [1, nil])
        #expect(Document(shape: Shape(keys: ["a"]), values: [1, 2]).values == [1])
    }

    @Test("Every operator has a row, spellings are unique, mirrors and negations are mutual")
    func operatorTable() {
        #expect(Comparison.Operator.table.map(\.operator) == Comparison.Operator.allCases)
        let spellings =
            Comparison.Operator.table.flatMap(\.spellings) + LogicalWord.allCases.flatMap(\.spellings)
            + ReservedWord.allCases.flatMap(\.spellings)
        #expect(Set(spellings.map { $0.uppercased() }).count == spellings.count)
        for row in Comparison.Operator.table {
            #expect(row.negation.map(\.entry.negation) ?? row.operator == row.operator)
            #expect(row.mirror.map(\.entry.mirror) ?? row.operator == row.operator)
            #expect(!row.summary.isEmpty && !row.example.isEmpty)
        }
    }

    @Test("Every function has one row, and names are unique")
    func functionTable() {
        for function in Function.allCases { #expect(function.entry.node == .call(function)) }
        let names = FunctionEntry.table.flatMap(\.spellings)
        #expect(Set(names).count == names.count)
        for row in FunctionEntry.table {
            let parts = row.name.utf8.count { $0 == UInt8(ascii: ":") }
            #expect(parts == 0 || parts == row.arguments.count, "\(row.name)")
            #expect(FunctionEntry.named(row.name)?.name == row.name)
        }
        #expect(FunctionEntry.named("sqrt")?.name == "sqrt:")
        #expect(FunctionEntry.named("modulus") == nil)
    }

    @Test("Combined conditions are flat")
    func combining() {
        let a = Condition.comparison(Comparison(.field("a", .none), .equal, .value(1, .none)))
        let both: Condition = (a && a) && a
        let either: Condition = (a || a) || a
        let neither: Condition = !a
        #expect(both == .and([a, a, a]))
        #expect(either == .or([a, a, a]))
        #expect(neither == .not(a))
    }

    @Test("Groups reject clashing names, unknown sort keys and negative numbers (S21, S23)")
    func groups() throws {
        let all = Query()
        #expect(
            all.grouped(by: GroupKey("a.b"), computing: [.count, .sum("x.y")]).resultNames == [
                "a_b", "count", "sum_x_y",
            ]
        )
        try all.grouped(by: GroupKey("a"), computing: [.count, .average("x").as("mean")]).validate()
        let bad: [Grouping] = [
            all.grouped(by: GroupKey("count"), computing: [.count]),
            all.grouped(by: GroupKey("a"), computing: [.sum("x").as("a")]),
            Query { $0.order = [SortKey("b")] }.grouped(by: GroupKey("a"), computing: [.count]),
            Query { $0.skip = -1 }.grouped(by: GroupKey("a"), computing: [.count]),
            Query { $0.fields = ["a"] }.grouped(by: GroupKey("a"), computing: [.count]),
            all.grouped(by: GroupKey("a..b"), computing: [.count]),
        ]
        for grouping in bad {
            do throws(QueryError) {
                try grouping.validate()
                Issue.record("accepted \(grouping.resultNames)")
            } catch {
                #expect(error.code == .pipeline)
            }
        }
    }

    @Test("Assumptions are sorted and unique (S11)")
    func assumptions() {
        let sorted = Assumption.sorted([.single("b"), .kind("a", .number), .single("a"), .single("b")])
        #expect(sorted == [.kind("a", .number), .single("a"), .single("b")])
        #expect(sorted[0].document == ["kind": ["a", "number"]])
    }

    @Test("Error codes have unique names")
    func codes() {
        #expect(Set(QueryError.Code.all.map(\.rawValue)).count == QueryError.Code.all.count)
    }
}
