import PredicateQL
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Rows of JSON text: the behaviour that the spec cases do not cover.
@Suite("Rows as JSON text") struct JSONRowsTests {
    private let text = """
        {"name":"Ash","age":30,"at":{"x":1.50}}
         { "name" : "Bo" , "age" : 41 , "tags" : [ 1 ] }\r

        {"age":12,"name":"Cy"}
        """

    @Test("results are built in full, texts are unchanged (S21)")
    func resultsAndTexts() throws {
        let query = try Query(format: "age > 20")
        let rows = JSONRows(text)
        #expect(try query.count(in: rows) == 2)
        #expect(try query.results(in: rows).map(\.keys) == [["name", "age", "at"], ["name", "age", "tags"]])
        var run = try query.run(over: rows)
        var texts: [String] = []
        while let text = try run.nextText() { texts.append(String(decoding: text, as: UTF8.self)) }
        #expect(
            texts == [
                #"{"name":"Ash","age":30,"at":{"x":1.50}}"#, #" { "name" : "Bo" , "age" : 41 , "tags" : [ 1 ] }"#,
            ]
        )
    }

    @Test("order, skip, limit and fields (S21, S22)")
    func pipeline() throws {
        let query = try Query(format: "TRUEPREDICATE", order: ["-age"], skip: 1, limit: 1, fields: ["name"])
        #expect(try query.results(in: JSONRows(text)) == [["name": "Ash"]])
        #expect(try query.count(in: JSONRows(text)) == 1)
        let groups = try Query(format: "age > 20").grouped(computing: [.count, .sum("age")])
        #expect(try groups.results(in: JSONRows(text)) == [["count": 2, "sum_age": 71]])
        #expect(try Query(format: "SELF == nil").count(in: JSONRows(text)) == 0)
    }

    @Test("a malformed row is an error wherever its fault is; the run continues after it")
    func malformedRows() throws {
        for fault in [
            #"{"skipped":[1,],"age":50}"#, #"{"age":50,"skipped":"\ud800"}"#, #"{"age":50"#, #"{"age":50,"b":1,"b":2}"#,
            "7",
        ] {
            let rows = JSONRows(text + "\n" + fault + "\n" + #"{"age":60}"#)
            #expect(throws: QueryError.self) { try Query(format: "age > 20").count(in: rows) }
            var run = try Query(format: "age > 20").run(over: rows)
            #expect(try run.next() != nil)
            #expect(try run.next() != nil)
            #expect(throws: QueryError.self) { try run.next() }
            #expect(try run.next() == ["age": 60])
            #expect(try run.next() == nil)
        }
        // Nothing after the last requested result is read.
        let first = try Query(format: "age > 20", limit: 1)
        #expect(try first.count(in: JSONRows(text + "\nmalformed")) == 1)
        #expect(throws: QueryError.self) { try first.count(in: JSONRows(path: "no/such/file")) }
    }

    @Test("a row's own error names the row (S27)")
    func rowErrors() throws {
        let rows = JSONRows(#"{"p":"a","s":"a"}"# + "\n" + #"{"p":"(","s":"a"}"#)
        let error = #expect(throws: QueryError.self) { try Query(format: "s MATCHES p").count(in: rows) }
        #expect(error?.message.hasPrefix("documents[1]: ") == true)
    }

    @Test("a list of rows may span several lines")
    func lists() throws {
        let rows = JSONRows("\u{FEFF}[ {\"a\":1,\n\"b\":[\n]},{\"a\":\n2} ]\n")
        #expect(try Query(format: "a > 1").results(in: rows) == [["a": 2]])
        #expect(throws: QueryError.self) { try Query(format: "a > 1").count(in: JSONRows("[{\"a\":1},")) }
        #expect(try Query(format: "a > 1").count(in: JSONRows("[]")) == 0)
        #expect(try Query(format: "a > 1").count(in: JSONRows("")) == 0)
    }

    @Test("a matcher of texts answers like one of documents, errors included")
    func texts() throws {
        var held = 0
        for seed in 0..<UInt64(SeededGenerator.count(200)) {
            var random = SeededGenerator(seed)
            var conditions = ConditionGenerator(seed: seed, anyTerms: 30)
            let query = Query(conditions.condition(), nilMeaning: random.pick([.nullOrAbsent, .absent, .null]))
            guard let matcher = try? Matcher(query, now: 0) else { continue }
            for _ in 0..<12 {
                let json = JSONWriter().text(.object(Hostile.row(&random)))
                guard case .object(let row) = try QueryValue(json: json) else { continue }
                let wanted = Result { () throws(QueryError) in try matcher.matches(row) }
                let found = Result { () throws(QueryError) in try matcher.matches(json: Array(json.utf8)) }
                #expect(found == wanted, "\(query.format) on \(json)")
                if case .success(true) = wanted { held += 1 }
            }
        }
        #expect(held > SeededGenerator.count(400), "\(held)")
        let pattern = try Matcher(Query(format: "s MATCHES p"))
        let known = #expect(throws: QueryError.self) { try pattern.matches(["p": "(", "s": "a"] as Document) }
        let found = #expect(throws: QueryError.self) { try pattern.matches(json: Array(#"{"p":"(","s":"a"}"#.utf8)) }
        #expect(known == found)
        let whole = try Matcher(Query(format: "SELF.a == 1 AND b != nil"))
        #expect(try whole.matches(json: Array(" { \"b\" : [1,\n2] , \"a\" : 1.0 } ".utf8)))
    }

    @Test("a matcher refuses what is no JSON object as a reader does")
    func textFaults() throws {
        let matcher = try Matcher(Query(format: "a == 1"))
        for text in [
            "", "{", "[]", "7", #"{"a":1,"a":2}"#, #"{"b":"\ud800"}"#, "{\"a\":1}\0", #"{"a":1}{"#, "{\"b\":01}",
        ] {
            let error = #expect(throws: QueryError.self, "\(text)") { try matcher.matches(json: Array(text.utf8)) }
            guard let read = error else { continue }
            #expect(read.code == .json && read.path == "$" || read.path?.hasPrefix("$.") == true, "\(text): \(read)")
            let known = #expect(throws: QueryError.self) {
                guard case .object = try QueryValue(json: text) else { throw QueryError(.json, "expected an object") }
            }
            #expect(known?.message == error?.message, "\(text)")
            #expect(try matcher.matches(json: Array(#"{"b":[{"a":2}],"a":1}"#.utf8)))
        }
        var deep = "1"
        for _ in 0..<Limits.default.jsonDepth + 1 { deep = "[" + deep + "]" }
        #expect(throws: QueryError.self) { try matcher.matches(json: Array((#"{"a":"# + deep + "}").utf8)) }
    }

    @Test("threads share a matcher of texts")
    func textsOfThreads() async throws {
        let matcher = try Matcher(Query(format: "n > 500 AND ANY tags == 'x'"))
        let found = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<1_000).count { number in
                        let json =
                            "{\"k\(number % 7)\":null,\"tags\":[\"\(number % 2 == 0 ? "x" : "y")\"],\"n\":\(number)}"
                        return (try? matcher.matches(json: Array(json.utf8))) == true
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(found == 8 * 249)
    }

    @Test("fields and what is computed are those of the whole row, however it is written (S21)")
    func fieldsOfTexts() throws {
        let rows = [
            #"{}"#, #" { } "#, #"{"a":1}"#, #"{"b":2,"a":1}"#, #"{ "a" : 1 , "b" : -2.5e3 }"#,
            #"{"c":{"a":9,"b":[8]},"a":true}"#,
            #"{"a":"x\"}","b":"\\"}"#, #"{"a":"\\\"","b":"{[,"}"#, #"{"a":[{"b":"]"},{"b":"}"},[]],"d":{"a":1}}"#,
            #"{"\u0061":7,"b":3}"#, #"{"a\"":4,"a":5}"#, #"{"$set":1,"a":2}"#,
            #"{"a":{"$date":"2024-01-01T00:00:00Z"},"b":null}"#,
            #"{"a":{"$numberLong":"5"},"d":{"a":{"$oid":"x"},"e":1}}"#, #"{"é":1,"é":2,"a":3}"#,
            #"{"d":{"e":[1,{"f":2}],"a":{}},"b":{}}"#,
            #"{"a":12345678901234567890123,"b":1}"#, #"{"aa":1,"":2,"a":"","b":"ü€"}"#, #"{"b":1}"# + "\t",
        ]
        let queries: [Query] = [
            Query(fields: ["a"]), Query(fields: ["b", "a"]), Query(fields: ["d.a", "b"]), Query(fields: ["é"]),
            Query(fields: ["d.e.f", "c.b"]), Query(fields: (0..<70).map { FieldPath(keys: ["k\($0)"]) } + ["b"]),
            Query(fields: []), Query(order: ["b"], fields: ["a", ""]),
            try Query(computed: [ComputedField(format: "b * 2", as: "two")]),
            try Query(
                fields: ["d"],
                computed: [ComputedField(format: "d.a", as: "x"), ComputedField(format: "a", as: "y")]
            ),
        ]
        var reader = JSONReader(mode: .extendedRows)
        for text in rows {
            // What is malformed is an error in both.
            guard case .object(let row)? = try? reader.read(text) else {
                #expect(throws: QueryError.self) { try queries[0].results(in: JSONRows(text, extended: true)) }
                continue
            }
            for query in queries {
                let found = Result { try query.results(in: JSONRows(text, extended: true)).map(\.json) }
                let expected = Result { try query.results(in: [row]).map(\.json) }
                #expect("\(found)" == "\(expected)", "\(query) \(text)")
            }
        }
    }
}
