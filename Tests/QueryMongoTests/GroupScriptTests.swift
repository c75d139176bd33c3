import Foundation
import PredicateQL
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Group requests, with their reducers run by Node if it is installed.
@Suite("Group scripts")
struct GroupScriptTests {
    @Test("the body of a request")
    func body() throws {
        let grouping = try Query(format: "age > 18").grouped(by: "name", computing: [.count, .sum("age")])
        let request = try grouping.rest()
        #expect(request.method == .post && request.path == "_group" && request.items.isEmpty)
        let expected =
            #"{"key":{"name":true},"initial":{"count":0,"sum_age":0},"#
            + #""reduce":"function(doc,out){var v;out[\"count\"]++;v=doc[\"age\"];"#
            + #"if(typeof v===\"number\"&&v===v){out[\"sum_age\"]+=v;}}","condition":{"age":{"$gt":18}}}"#
        #expect(request.bodyText == expected)
        let names = try Schema(
            jsonSchema: #"{"type":"object","properties":{"state":{"type":"string","x-stored-name":"st"}}}"#
        )
        let stored = Query(schema: names).grouped(by: "state", computing: [.min("state")])
        #expect(try stored.rest().body?["key"] == .object(["st": true]))
        #expect(try stored.rest().body?["initial"] == .object(["min_state": nil]))
        #expect(try stored.rest().bodyText?.contains(#"doc[\"st\"]"#) == true)
    }

    @Test("what is rejected")
    func refusals() throws {
        let custom = Reducer.custom("c", initial: 0) { value, _ in value }
        let days = Schema([.field("d", .date(.native))])
        let refused: [Grouping] = [
            Query().grouped(by: "__proto__", computing: [.count]),
            Query().grouped(by: "a", computing: [.sum("b.__proto__.c")]),
            Query().grouped(by: "a", computing: [custom]), Query().grouped(by: "$a", computing: [.count]),
            Query(schema: days).grouped(by: "d", computing: [.count]),
            Query().grouped(by: "a", computing: [.count.as("a")]),
            Query(try Condition(format: "a == b")).grouped(by: "a", computing: [.count]),
        ]
        for grouping in refused { #expect(throws: QueryError.self, "\(grouping.keys)") { try grouping.rest() } }
        #expect(throws: QueryError.self) { try Query().grouped(by: "a", computing: [.count]).rest(.mongoDB) }
    }

    @Test("answers are read strictly; having, order, skip and limit apply afterwards")
    func reading() throws {
        let all: [Reducer] = [.count, .average("p")]
        let order: [SortKey] = [.descending("count")]
        let grouping = try Query(order: order, skip: 1, limit: 1)
            .grouped(by: "a.b", computing: all, having: Condition(format: "count > 1"))
        let answer: [Document] = [
            ["a.b": 1, "count": 2, "avg_p": 3, "avg_p_sum": 6, "avg_p_count": 2], ["a.b": 3, "count": 1, "avg_p": nil],
            ["a": .object(["b": 2]), "count": 9.0, "avg_p": nil],
        ]
        #expect(try grouping.results(ofREST: answer) == [["a_b": 1, "count": 2, "avg_p": 3.0]])
        let none = Query().grouped(computing: [.count, .sum("p"), .average("p"), .min("p")])
        #expect(try none.results(ofREST: []) == [["count": 0, "sum_p": 0, "avg_p": nil, "min_p": nil]])
        for bad: Document in [["a.b": 1, "avg_p": 1], ["count": "1", "avg_p": 1], ["count": 1.5, "avg_p": 1]] {
            #expect(throws: QueryError.self) { try grouping.results(ofREST: [bad]) }
        }
    }

    /// The answer names a key `address.city`, so a condition on groups may too, as the order may.
    @Test func conditionsOnGroupsNameKeysAsTheAnswerDoes() throws {
        let rows: [Document] = [
            ["a": .object(["c": "x"])], ["a": .object(["c": "x"])], ["a": .object(["c": "y"])], ["b": 1],
        ]
        for name in ["a.c", "a_c"] {
            let body = #"{"key":["a.c"],"reducers":[{"op":"count"}],"having":"\#(name) != nil AND count > 1"}"#
            #expect(try read(body).results(in: rows) == [["a_c": "x", "count": 2]], "\(name)")
        }
        let city = Schema([.field("city", .string, storedAs: "c")])
        let schema = Schema([.field("home", .object(city), storedAs: "a")])
        for name in ["a.c", "home.city", "home_city"] {
            let body = #"{"key":["a.c"],"reducers":[{"op":"count"}],"having":"\#(name) == 'x'"}"#
            #expect(try read(body, schema: schema).having?.format == "home_city == \"x\"", "\(name)")
        }
        let hidden = #"{"key":["a.c"],"reducers":[{"op":"count","as":"a"}],"having":"a.c == 1"}"#
        #expect(throws: QueryError.self) { try read(hidden) }
    }

    /// A term in the place of a name would be a field that no row has.
    @Test func termsAreNoNames() throws {
        for (body, path) in [
            (#"{"key":["length(name) as n"],"reducers":[{"op":"count"}]}"#, "key"),
            (#"{"key":[],"reducers":[{"op":"sum","field":"price*qty"}]}"#, "reducers"),
        ] {
            let error = #expect(throws: QueryError.self) { try read(body) }
            #expect(error?.code == .unsupported && error?.path?.hasPrefix(path) == true && error?.hint != nil)
        }
        let field = #expect(throws: QueryError.self) { try Query(rest: [.init("fields", "a,t=qty*2")]) }
        #expect(field?.code == .unsupported && field?.path == "fields")
        for name in ["price (EUR)", "rate*", "size(cm)", "a-b", "="] {
            #expect(try Query(rest: [.init("fields", name)]).fields == [FieldPath(keys: [name])])
            let group = #"{"key":["\#(name)"],"reducers":[{"op":"max","field":"\#(name)"}]}"#
            #expect(try read(group).keys.map(\.path) == [FieldPath(keys: [name])])
        }
        let key = #"{"key":{"length(name) as n":true},"reducers":[{"op":"count"}]}"#
        #expect(try read(key).keys.map(\.path) == [FieldPath("length(name) as n")])
        #expect(try Query(rest: ["fields": ["a=b"]]).fields == ["a=b"])
    }

    private func read(_ body: String, schema: Schema? = nil) throws -> Grouping {
        guard case .object(let body) = try QueryValue(json: body) else { throw CocoaError(.coderInvalidValue) }
        return try Grouping(rest: body, schema: schema)
    }

    private func read(_ initial: String, _ reduce: String) throws -> [Reducer] {
        let text = QueryValue.string(reduce).json
        return try read(#"{"key":{"country":true},"initial":\#(initial),"reduce":\#(text)}"#).reducers
    }

    @Test("scripts of other clients are recognised")
    func foreignScripts() throws {
        let mean: [Reducer] = [.count, .sum("a.b").as("sum"), .average("a.b").as("avg")]
        let rows: [(String, String, [Reducer])] = [
            (#"{"count":0}"#, "function(doc, out) { out.count++; }", [.count]),
            (#"{"count":0}"#, "function(doc,out){out['count'] ++}", [.count]),
            (#"{"sum":0.0}"#, "function(doc, out) { out.sum += doc.age; }", [.sum("age").as("sum")]),
            (
                #"{"sum":0}"#, "function(doc, out) {\n\tout.sum += doc['a b'].c\r\n}",
                [.sum(FieldPath(keys: ["a b", "c"])).as("sum")]
            ),
            (
                #"{"sum":0,"count":0}"#,
                "function(doc, out) { out.count++; out.sum += doc.a.b; out.avg = out.sum / out.count; }", mean
            ),
            (
                #"{"min":"Infinity"}"#, "function(doc, out) { out.min = Math.min(out.min, doc.age); }",
                [.min("age").as("min")]
            ),
            (
                #"{"max":"-Infinity"}"#, #"function(doc, out) { out["max"] = Math.max(out.max, doc["it's"]) }"#,
                [.max("it's").as("max")]
            ),
            (#"{"result":0}"#, "function(doc,out){ out.result += doc.age; }", [.sum("age").as("result")]),
        ]
        for (initial, reduce, reducers) in rows { #expect(try read(initial, reduce) == reducers, "\(reduce)") }
        let grouping = try read(
            #"{"key":["a.b"],"initial":{"count":0},"reduce":"function(doc,out){out.count++;}","condition":{"c":{"$gt":1}}}"#
        )
        #expect(grouping.keys == ["a.b"] && grouping.query.format == "ANY c > 1")
        #expect(grouping.restRow(of: ["a_b": 1, "count": 2]) == ["a.b": 1, "count": 2])
    }

    /// What Kinvey's SDKs send, their parameters under any names, gives what an engine would compute.
    @Test func scriptsOfOtherClientsGiveWhatTheyCompute() throws {
        let n = #"doc["n"]"#
        let running = "out.average = (out.average * out.count + \(n)) / (out.count + 1);  out.count += 1;  return out;"
        let late =
            " var count = (out._kcs_count == undefined) ? 0 : out._kcs_count; "
            + "out.avg =(out.avg * count + doc.n) / (count + 1); out._kcs_count = count+1;"
        let forms: [(initial: String, body: String, answer: String)] = [
            (#"{"count":0}"#, "  out.count += 1;  return out;", #"{"count":3}"#),
            (#"{"count":0}"#, "out.count = out.count + 1", #"{"count":3}"#),
            (#"{"count":0}"#, "\n  ++out.count\n  return out\n", #"{"count":3}"#),
            (#"{"sum":0}"#, "  out.sum += \(n);  return out;", #"{"sum":12}"#),
            (#"{"_result":0}"#, " out._result= out._result + doc.n;", #"{"_result":12}"#),
            (#"{"sum":0}"#, " out.sum = out.sum + doc.n;", #"{"sum":12}"#),
            (#"{"min":9007199254740991}"#, "out.min = Math.min(out.min, \(n)); return out;", #"{"min":3}"#),
            (#"{"min":4.5}"#, "out.min = Math.min(out.min, \(n)); return out;", #"{"min":3}"#),
            (#"{"min":-1}"#, "out.min = Math.min(out.min, \(n)); return out;", #"{"min":-1}"#),
            (#"{"max":-9007199254740991}"#, "out.max = Math.max(out.max, \(n)); return out;", #"{"max":5}"#),
            (#"{"max":7}"#, "out.max = Math.max(out.max, \(n)); return out;", #"{"max":7}"#),
            (#"{"_result":"-Infinity"}"#, " out._result = Math.max(out._result, doc.n);", #"{"_result":5}"#),
            (#"{"count":0,"average":0}"#, running, #"{"count":3,"average":4.0}"#),
            (#"{"avg":0}"#, late, #"{"_kcs_count":3,"avg":4.0}"#),
        ]
        let rows: [Document] = [["n": 4], ["n": 3], ["n": 5]]
        var (jobs, answers) = ([Document](), [QueryValue]())
        for form in forms {
            for (row, group) in [("doc", "out"), ("obj", "prev"), ("out", "doc")] {
                let body = form.body.replacing("doc", with: "\u{1}").replacing("out", with: group)
                let script = "function(\(row), \(group)) {\(body.replacing("\u{1}", with: row))}"
                guard case .object(let initial) = try QueryValue(json: form.initial) else { return }
                let request = try GroupRequest(
                    rest: ["key": .object([:]), "initial": .object(initial), "reduce": .string(script)]
                )
                let found = try request.grouping.results(in: rows).map { QueryValue.object(request.row(of: $0)) }
                let answer = try QueryValue(json: form.answer)
                #expect(found == [answer], "\(script)")
                // The group of no rows is what the script begins with.
                let nothing = try request.grouping.results(in: [Document]()).map(request.row)
                let begins = initial.pairs.allSatisfy { nothing.first?[$0] == $1 || $1.kind == .string }
                #expect(nothing.count == 1 && begins, "\(script) \(nothing)")
                jobs.append([
                    "key": .object([:]), "initial": .object(initial), "reduce": .string(script),
                    "rows": .list(rows.map(QueryValue.object)),
                ])
                answers.append(answer)
            }
        }
        if Node.executable != nil {
            let given = try Node.groups(jobs).map { QueryValue.list($0.map(QueryValue.object)) }
            #expect(isSameJSON(.list(given), .list(answers.map { .list([$0]) })))
        }
        let ordered = #expect(throws: QueryError.self) {
            try GroupRequest(
                rest: [
                    "key": .object(["a": true]), "initial": .object(["min": 5]), "sort": .object(["min": 1]),
                    "reduce": "function(doc,out){out.min=Math.min(out.min,doc.n)}",
                ]
            )
        }
        #expect(ordered?.path == "sort" && ordered?.code == .unsupported)
        // Without a service there is nowhere to compare with the number.
        #expect(throws: QueryError.self) {
            try read(#"{"min":5}"#, "function(doc,out){out.min=Math.min(out.min,doc.n)}")
        }
    }

    @Test("other scripts are rejected with the known forms")
    func unknownScripts() throws {
        let rows: [(String, String)] = [
            ("{}", ""), ("{}", "function(doc,out){}"), ("{}", "function(a,b){b.count++;}"),
            (#"{"count":0}"#, "function(a,a){a.count++;}"), (#"{"count":0}"#, "function(a,b){out.count++;}"),
            (#"{"count":0}"#, "function(a,b){a.count++;}"), (#"{"count":0}"#, "function(a,b){b.count+=2;}"),
            (#"{"count":0}"#, "function(a,b){return b;b.count++;}"),
            (#"{"count":0}"#, "function(a,b){b.count++;return a;}"),
            (#"{"count":0}"#, "function(a,b){b.count\n++\nreturn b}"),
            (#"{"count":0}"#, "function(a,b){b.count++;return\nb}"),
            (#"{"count":0}"#, "function(Math,b){b.count++;}"), (#"{"count":0}"#, "function(1,b){b.count++;}"),
            (#"{"count":0}"#, "function(a,b){b.count=b.other+1;}"),
            (#"{"count":0}"#, "function(a,b){b.count=a.count+1;}"),
            (#"{"count":0}"#, "function(a,b){b.count=+b.count+1;}"), (#"{"count":0}"#, "function(a,b){b.count+=1"),
            (#"{"n":0}"#, "function(a,b){b.n=(b.n*b.n+a.x)/(b.n+1);b.n+=1}"),
            (#"{"n":0}"#, "function(a,b){b.n++;b.n+=a.x;b.n=b.n/b.n}"),
            (#"{"count":0,"average":0}"#, "function(a,b){b.average=b.average*b.count+a.n/(b.count+1);b.count+=1;}"),
            (#"{"avg":0}"#, "function(a,b){var n=(b.k==undefined)?0:b.k;b.avg=(b.avg*count+a.n)/(n+1);b.k=n+1}"),
            (#"{"avg":0}"#, "function(a,b){var a=(b.k==undefined)?0:b.k;b.avg=(b.avg*a+a.n)/(a+1);b.k=a+1}"),
            (#"{"__proto__":0}"#, "function(a,b){b.__proto__++}"),
            (#"{"min":null}"#, "function(a,b){b.min=Math.min(b.min,a.n)}"),
            (#"{"min":"-Infinity"}"#, "function(a,b){b.min=Math.min(b.min,a.n)}"),
            (#"{"count":0}"#, "function(doc,out){out.count++;out.count++;}"),
            (#"{"count":0}"#, "function(doc,out){out.count--;}"),
            (#"{"count":0}"#, "function(doc,out){out.count++;}function(doc,out){out.count++;}"),
            (#"{"count":1}"#, "function(doc,out){out.count++;}"), ("{}", "function(doc,out){out.count++;}"),
            (#"{"count":0,"other":0}"#, "function(doc,out){out.count++;}"),
            (#"{"sum":0}"#, "function(doc,out){out.sum += doc.age * 2;}"),
            (#"{"sum":0}"#, "function(doc,out){out.sum += out.age;}"),
            (#"{"sum":0}"#, "function(doc,out){out.sum += doc;}"),
            (#"{"sum":0}"#, "function(doc,out){out.sum += doc[0];}"),
            (#"{"sum":0}"#, "function(doc,out){out.a.b += doc.c;}"),
            (#"{"min":"Infinity"}"#, "function(doc,out){out.min=Math.min(out.max,doc.a);}"),
            (#"{"min":0}"#, "function(doc,out){out.min=Math.min(out.min,doc.a);}"),
            (#"{"sum":0}"#, "function(doc,out){out.sum += doc['a;}"),
            (#"{"sum":0}"#, "function(doc,out){/*x*/out.sum += doc.a;}"),
            (#"{"sum":0}"#, #"function(doc,out){v=doc["a"];if(typeof v==="number"&&v===v){out["sum"]+=v;}}"#),
            (
                #"{"n":null}"#,
                #"function(doc,out){var v;v=doc["a"];if(rank(v)>0&&(out["n"]===null||order(v,out["n"])<0)){out["n"]=v;}}"#
            ),
            ("{}", "function(doc,out){" + String(repeating: "isObject(", count: 7_000) + "}"),
        ]
        for (initial, reduce) in rows {
            let error = #expect(throws: QueryError.self, "\(reduce)") { try read(initial, reduce) }
            #expect(error?.code == .unsupported && ["reduce", "initial"].contains(error?.path), "\(reduce)")
            #expect(error?.hint?.isEmpty == false)
        }
    }

    /// A script of hundreds of kilobytes took a second to be refused.
    @Test func scriptsHaveABound() throws {
        for (count, code) in [(65_533, QueryError.Code.unsupported), (65_534, .limit)] {
            let reduce = "f()" + String(repeating: " ", count: count)
            let error = #expect(throws: QueryError.self) { try Grouping(rest: ["reduce": .string(reduce)]) }
            #expect(error?.code == code && error?.path == "reduce")
        }
    }

    @Test("requests without JavaScript")
    func nativeForm() throws {
        let body = #"""
            {"key":["st","a.b"],"reducers":[{"op":"avg","field":"n","as":"mean"},{"op":"count"}],"having":"count > 3",
            "sort":{"mean":-1,"a.b":1,"st":1},"skip":1,"limit":0,"format":"state != 'MA'"}
            """#
        let schema = Schema([.field("state", .string, storedAs: "st"), .field("n", .int), .field("a", .any)])
        let grouping = try read(body, schema: schema)
        #expect(grouping.keys == ["state", "a.b"] && grouping.reducers == [.average("n").as("mean"), .count])
        #expect(grouping.query.order == ["-mean", "a_b", "state"])
        #expect(grouping.query.skip == 1 && grouping.query.limit == 0 && grouping.having?.format == "count > 3")
        #expect(grouping.query.format == #"state != "MA""#)
        #expect(grouping.restRow(of: ["state": "x", "a_b": 1, "mean": 2]) == ["st": "x", "a.b": 1, "mean": 2])
        #expect(try read(#"{"reducers":[{"op":"count"}]}"#) == Query().grouped(computing: [.count]))
        let faults: [(String, QueryError.Code, String)] = [
            (#"{"key":["a"]}"#, .argument, "reduce"), (#"{"reducers":[{"op":"median"}]}"#, .json, "reducers[0].op"),
            (#"{"reducers":[{"op":"sum"}]}"#, .json, "reducers[0].op"), (#"{"reducers":[{}]}"#, .json, "reducers[0]"),
            (#"{"reducers":[{"op":"count","of":1}]}"#, .argument, "reducers[0].of"),
            (#"{"reducers":[{"op":"count"}],"reduce":"x"}"#, .argument, "reduce"),
            (#"{"reducers":[{"op":"count"},{"op":"count"}]}"#, .pipeline, "reducers"),
            (#"{"reducers":[{"op":"count"}],"sort":"a"}"#, .pipeline, "sort"),
            (#"{"reducers":[{"op":"count"}],"having":"count >"}"#, .syntax, "having"),
            (#"{"reducers":[{"op":"count"}],"condition":{"a":{"$foo":1}}}"#, .unknownOperator, "condition.a.$foo"),
            (#"{"reducers":[{"op":"count"}],"key":{"a":false}}"#, .json, "key.a"),
            (#"{"reducers":[{"op":"count"}],"key":"a"}"#, .json, "key"), (#"{"keys":1}"#, .argument, "keys"),
            (#"{"reducers":[{"op":"count"}],"key":["a..b"]}"#, .json, "key[0]"),
        ]
        for (body, code, path) in faults {
            let error = #expect(throws: QueryError.self, "\(body)") { try read(body) }
            #expect(
                error?.code == code && error?.path == path,
                "\(body): \(error.map { "\($0.code) \($0.path ?? "")" } ?? "")"
            )
        }
    }

    @Test("every script that is written is read back")
    func roundTrips() throws {
        let schema = Schema([.field("p", .double), .field("q", .int)], allowsOthers: true)
        for seed in 0..<UInt64(SeededGenerator.count(250)) {
            var generator = Generator(seed: seed)
            var grouping = try Job(&generator).grouping
            if generator.below(2) == 0 { grouping.query.schema = schema }
            let request = try grouping.rest()
            let known = request.assumptions
            let again = try Grouping(rest: request.body ?? [:], assuming: known, schema: grouping.query.schema)
            #expect(again.keys == grouping.keys && again.reducers == grouping.reducers, "\(request.bodyText ?? "")")
            #expect(again.query.format == grouping.query.format, "\(request.bodyText ?? "")")
        }
    }

    @Test(
        "reducers in Node give what the evaluator gives",
        .enabled(if: Node.executable != nil, "node is not installed")
    )
    func agreement() throws {
        var jobs: [Job] = []
        for seed in 0..<400 {
            var generator = Generator(seed: UInt64(seed))
            jobs.append(try Job(&generator))
        }
        let answers = try Node.groups(jobs.map(\.document))
        #expect(answers.count == jobs.count)
        var groups = 0
        for (job, answer) in zip(jobs, answers) {
            let expected = try job.grouping.results(in: job.rows)
            let found = try job.grouping.results(ofREST: answer)
            groups += found.count
            let isSame = isSameJSON(.list(found.map(QueryValue.object)), .list(expected.map(QueryValue.object)))
            #expect(isSame, "\(found) is not \(expected)\n\(job.document["reduce"]?.json ?? "")\n\(job.rows)")
        }
        #expect(groups > 500)
    }
}

/// A grouping and rows for it.
private struct Job {
    var grouping: Grouping
    var rows: [Document]
    var document: Document

    private static let values: [QueryValue] = [
        nil, 1, 2, -3, 2.5, -0.25, 1.0, 4_294_967_297, "", "a", "ab", "\u{FF61}", "😀", "é", "e\u{301}", true,
        false, [], [1], [1, nil], ["a", 2.5], .object([:]), .object(["x": 1]), .object(["x": 1, "y": "a"]),
        .object(["y": "a", "x": 1]), .object(["x": nil]), .object(["length": 3]), "constructor",
    ]
    private static let paths: [FieldPath] = [
        "p", "q", "o.x", "o.length", "o.x.y", "constructor", "toString", "hasOwnProperty", "a\"b\\\u{2028}", "count",
    ]

    init(_ generator: inout Generator) throws {
        let paths = (0..<3).map { _ in generator.pick(Self.paths) }
        let keys = Array(Set(paths.prefix(generator.below(3)))).sorted { $0.dotted < $1.dotted }
        var reducers: [Reducer] = [.count.as("n")]
        for (at, path) in paths.enumerated() {
            let made: [Reducer] = [.sum(path), .average(path), .min(path), .max(path)]
            reducers.append(generator.pick(made).as("v\(at)"))
            // A key may have the accumulator's usual name.
            if generator.below(4) == 0 { reducers.append(.max(path).as("count\(at)")) }
        }
        let query = try Query(format: "p != 2", order: generator.below(2) == 0 ? [.descending("n")] : [], limit: 4)
        let grouping = Grouping(query, by: keys.map { GroupKey($0) }, computing: reducers)
        let request = try grouping.rest()
        let rows = (0..<generator.below(14)).map { _ in Self.row(&generator) }
        self.rows = rows.filter { row in request.assumptions.hold(in: row) }
        self.grouping = grouping
        var document = request.body ?? [:]
        guard case .object(let condition)? = document["condition"] else { throw CocoaError(.coderInvalidValue) }
        document["rows"] = .list(try self.rows.filter { try MongoJudge.matches($0, condition) }.map { .object($0) })
        self.document = document
    }

    private static func row(_ generator: inout Generator) -> Document {
        var row = Document()
        for key in ["p", "q", "constructor", "a\"b\\\u{2028}", "count"] where generator.below(4) > 0 {
            row[key] = generator.pick(values)
        }
        if generator.below(2) == 0 {
            row["o"] = generator.pick(values)
        } else {
            row["o"] = .object(["x": generator.pick(values), "length": generator.pick(values)])
        }
        return row
    }
}

/// Node as the service's JavaScript engine.
private enum Node {
    static let executable: URL? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent("node") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    /// Groups like the service: a document's group starts with its keys and the accumulators.
    private static let service = #"""
        const fs = require("fs");
        const at = (d, path) => {
          for (const k of path.split(".")) {
            if (typeof d !== "object" || d === null || Array.isArray(d) || !Object.hasOwn(d, k)) return null;
            d = d[k];
          }
          return d;
        };
        const text = v => JSON.stringify(v, (k, x) => x && typeof x === "object" && !Array.isArray(x)
          ? Object.fromEntries(Object.entries(x).sort((a, b) => a[0] < b[0] ? -1 : 1)) : x);
        const group = job => {
          const reduce = eval("(" + job.reduce + ")"), groups = new Map();
          for (const doc of job.rows) {
            const keys = Object.fromEntries(Object.keys(job.key).map(k => [k, at(doc, k)])), id = text(keys);
            if (!groups.has(id)) groups.set(id, Object.assign(keys, structuredClone(job.initial)));
            reduce(doc, groups.get(id));
          }
          return [...groups.values()];
        };
        const jobs = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
        fs.writeFileSync(process.argv[3], JSON.stringify(jobs.map(group)));
        """#

    /// The groups of each job, which holds `key`, `initial`, `reduce` and `rows`.
    static func groups(_ jobs: [Document]) throws -> [[Document]] {
        guard let executable else { throw CocoaError(.fileNoSuchFile) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("groups-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["service.js", "jobs.json", "groups.json"].map(folder.appendingPathComponent)
        try Data(service.utf8).write(to: files[0])
        try Data(QueryValue.list(jobs.map(QueryValue.object)).json.utf8).write(to: files[1])
        let process = Process()
        process.executableURL = executable
        process.arguments = files.map(\.path)
        try process.run()
        process.waitUntilExit()
        let answer = try QueryValue(json: String(contentsOf: files[2], encoding: .utf8))
        guard case .list(let lists) = answer else { throw CocoaError(.coderInvalidValue) }
        return lists.map { list in
            guard case .list(let rows) = list else { return [] }
            return rows.compactMap { if case .object(let row) = $0 { row } else { nil } }
        }
    }
}
