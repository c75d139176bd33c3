import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport
import TestConditions
import Testing

/// Input at each limit and beyond: an answer or an error, in bounded time.
///
/// Where the machine is ours, every step may take `Watch.seconds` of its thread's time, in a debug build. Nesting and length are in `LimitTests`,
/// JSON's depth in `JSONReaderTests`, SQLite's limits in `SQLLimitTests`, memory in `HostileCommandTests`.
@Suite(.timeLimit(.minutes(60))) struct HostileInputTests {
    private enum Watch {
        /// Far above what any step needs, far below exponential or quadratic work.
        static let seconds = 20.0

        static func run<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
            try ThreadTime.bounded(seconds: seconds, name, body)
        }
    }

    private func code(_ body: () throws -> Void) -> QueryError.Code? {
        do { try body() } catch { return (error as? QueryError)?.code }
        return nil
    }

    @Test func lists() throws {
        let limit = Limits.default.listElements
        for count in [limit, limit + 1] {
            let expected: QueryError.Code? = count > limit ? .limit : nil
            let text = "a IN {" + Array(repeating: "7", count: count).joined(separator: ",") + "}"
            Watch.run("a list of \(count)") {
                let failure = code {
                    let holds = try Query(parsing: text).matches(["a": 7])
                    #expect(holds)
                }
                #expect(failure == expected)
            }
            let values = QueryValue.list((0..<count).map { .int(Int64($0)) })
            Watch.run("an argument of \(count)") {
                #expect(code { _ = try Query(format: "a IN %@", arguments: [values]).matches(["a": 5]) } == expected)
            }
        }
    }

    /// Values that one field is compared with become one list of Mongo in linear time.
    @Test func manyEqualities() throws {
        let count = Machine.isOurs ? 40_000 : 4_000
        for (word, test, list) in [("OR", "==", "$in"), ("AND", "!=", "$nin")] {
            let text = (0..<count).map { "a \(test) \($0)" }.joined(separator: " \(word) ")
            let query = try Query(parsing: text)
            Watch.run("\(count) of \(test)") {
                let filter = try? query.mongo().filter
                guard case .object(let operators)? = filter?["a"], case .list(let values)? = operators[list] else {
                    Issue.record("\(test) is no \(list)")
                    return
                }
                #expect(values.count == count)
            }
        }
    }

    /// Constants beside a list of fields take their kind, which is looked for once.
    @Test func manyConstantsBesideFields() throws {
        let count = Machine.isOurs ? 20_000 : 2_000
        let schema = Schema([.field("a", .date(.iso8601)), .field("b", .date(.iso8601))])
        let fields = Array(repeating: "a, b", count: count).joined(separator: ", ")
        let days = Array(repeating: "'2024-01-01'", count: count).joined(separator: ", ")
        for text in [
            "max({\(fields)}) IN {\(days)}", "'2024-01-01' IN {\(fields), \(days)}", "{\(fields)} == {\(days)}",
            "ANY {\(fields)} IN {\(days)}",
        ] {
            Watch.run("\(text.prefix(6)) \(count)") {
                #expect(throws: Never.self) { try Query(parsing: text, schema: schema) }
            }
        }
    }

    /// What follows an operator's options is not read for each of them.
    @Test func manyOptions() throws {
        let count = Machine.isOurs ? 20_000 : 2_000
        for test in [
            "s CONTAINS[cd] 'q'", "s ==[c] 'q'", "s IN[c] {'q', 'r'}", "s LIKE[c] 'q*'", "ANY s BEGINSWITH[cd] 'q'",
        ] {
            let text = Array(repeating: test, count: count).joined(separator: " OR ")
            Watch.run("\(count) of \(test)") { #expect(throws: Never.self) { try Query(parsing: text) } }
        }
    }

    /// Sort keys, fields, computed fields, and keys and values of groups: read, checked and refused in linear time.
    @Test func manyNames() throws {
        let count = Machine.isOurs ? 10_000 : 1_000
        let names = (0..<count).map { "k\($0)" }
        let paths = names.map { FieldPath(keys: [$0]) }
        let order = paths.map { SortKey($0) }
        let row = Document(pairs: names.map { ($0, 1) })
        let schema = Schema(names.map { .field($0, .int) })
        let policy = QueryPolicy(fields: names)
        for known in [nil, schema] {
            let computed = names.map { ComputedField(Field("k0") + 1, as: "c" + $0) }
            let sorted = names.map { SortKey(FieldPath(keys: ["c" + $0])) }
            for query in [
                Query(order: order, fields: paths, schema: known),
                Query(order: sorted, computed: computed, schema: known),
            ] {
                Watch.run("\(count) names") {
                    #expect(code { try query.validatePipeline(computing: true) } == nil)
                    #expect(code { _ = try query.checked() } == nil)
                    #expect(query.problems().isEmpty && query.estimatedCost > 0)
                    #expect(code { _ = try policy.checked(query) } != nil)
                    #expect(code { _ = try query.results(in: [row, row]) } == nil)
                    _ = code { _ = try query.mongo() }
                    _ = code { _ = try query.sql(.sqlite, from: SQLTable("t")) }
                    let tree = try? query.jsonTree
                    #expect(code { _ = try tree.map { _ = try Query(jsonTree: $0) } } == nil)
                }
            }
            let groups = Query(schema: known).grouped(
                by: paths.map { GroupKey($0) },
                computing: paths.map { Reducer.max($0) },
                order: order
            )
            Watch.run("groups by \(count) names") {
                #expect(code { try groups.validate() } == nil)
                #expect(code { _ = try groups.checked() } == nil)
                #expect(code { _ = try policy.checked(groups) } != nil)
                #expect(code { _ = try groups.results(in: [row, row]) } == nil)
                _ = code { _ = try groups.mongo() }
            }
        }
    }

    /// Where the machine is ours, comparing every pair would take 2,500 million comparisons.
    @Test func largeSets() throws {
        let count = Machine.isOurs ? 50_000 : 3_000
        let objects = (0..<count).map { QueryValue.object(["a": .int(Int64($0)), "b": .string("x\($0)")]) }
        let texts = (0..<count).map { QueryValue.string("x\($0)") }
        for list in [objects, texts] {
            let row: Document = ["a": .list(list), "b": .list(list.reversed()), "c": .list([])]
            for text in [
                "(a INTERSECT b).@count == \(count)", "(a MINUS b).@count == 0", "(a UNION b).@count == \(count)",
                "(b UNION a UNION b).@count == \(count)", "ALL a IN b", "NOT ANY a IN (b MINUS a)",
                "ALL a IN[cd] b", "mode:(a).@count == \(count)",
                "(a UNION c UNION b INTERSECT a MINUS c).@count == \(count)",
            ] {
                try Watch.run(text) {
                    let holds = try Query(parsing: text).matches(row)
                    #expect(holds, "\(text)")
                }
            }
        }
        let few = QueryValue.list([1, 2, 3])
        for separator in [" UNION ", " MINUS ", " INTERSECT "] {
            let chain = "x IN (a" + String(repeating: separator + "b", count: 30_000) + ")"
            try Watch.run("a chain of\(separator)") {
                let holds = try Query(parsing: chain).matches(["x": "x7", "a": .list(texts), "b": few])
                #expect(holds == (separator != " INTERSECT "))
            }
        }
    }

    /// Keys, fields, groups and names by the ten thousand, in every backend that supports them.
    @Test func manyKeys() throws {
        let count = Machine.isOurs ? 16_000 : 1_000
        let paths = (0..<count).map { FieldPath(keys: ["k\($0)"]) }
        let schema = Schema((0..<count).map { .field("k\($0)", .int, storedAs: "s\($0)") })
        let condition = try Condition(parsing: (0..<count).map { "k\($0) == 1" }.joined(separator: " AND "))
        let row = Document(pairs: (0..<count).map { ("k\($0)", .int(1)) })
        let stored = Document(pairs: (0..<count).map { ("s\($0)", .int(1)) })
        for known in [nil, schema] {
            let query = Query(condition, order: paths.map { SortKey($0) }, limit: 1, fields: paths, schema: known)
            try Watch.run("memory") {
                let found = try query.results(in: [known == nil ? row : stored])
                #expect(found.first?.count == count)
            }
            try Watch.run("Mongo") {
                let mongo = try query.mongo()
                #expect(mongo.sort?.count == count + 1 && mongo.projection?.count == count + 1)
                guard known == nil else { return }
                let again = try Query(mongo: mongo)
                #expect(again.order.count == count + 1)
            }
            for dialect in [SQLDialect.sqlite, .postgresql, .duckDB] {
                Watch.run("SQL") {
                    for storage in [SQLStorage.columns, .document()] {
                        let failure = code { _ = try query.sql(dialect, from: SQLTable("t", storage: storage)) }
                        #expect([nil, .limit, .unsupported].contains(failure))
                    }
                }
            }
            Watch.run("indexes") {
                _ = code { _ = try query.suggestedIndexes(.sqlite, from: "t") }
                _ = code { _ = try query.suggestedIndexes(.postgresql, from: SQLTable("t", storage: .document())) }
            }
            Watch.run("policy") { #expect(!QueryPolicy(fields: ["a"]).problems(with: query).isEmpty) }
            let groups = Grouping(
                Query(schema: known),
                by: paths.map { GroupKey($0) },
                computing: paths.map { Reducer.sum($0) },
                having: .constant(true)
            )
            try Watch.run("groups") {
                let found = try groups.results(in: [known == nil ? row : stored])
                #expect(found.first?.count == 2 * count)
                let pipeline = try groups.mongo()
                #expect(pipeline.stages.count == 3)
            }
        }
        let unknown = (0..<count).map { "kk\($0) == 1" }.joined(separator: " AND ")
        Watch.run("unknown names") {
            #expect(code { _ = try Query(parsing: unknown, schema: schema) } == .unknownField)
        }
        let names = (0..<count).map { "k\($0) + 1 == $v\($0)" }.joined(separator: " AND ")
        try Watch.run("variables") {
            let values = Dictionary(uniqueKeysWithValues: (0..<count).map { ("v\($0)", QueryValue.int(2)) })
            let holds = try Query(parsing: names).binding(values).matches(row)
            #expect(holds)
        }
        let members = (0..<count).map { "$x.k\($0) == 1" }.joined(separator: " AND ")
        try Watch.run("keys of an element") {
            let query = try Query(parsing: "SUBQUERY(a, $x, \(members)).@count == 1")
            let holds = try query.matches(["a": .list([.object(row)])])
            #expect(holds)
        }
    }

    /// Filters as wide as a service accepts them.
    @Test func wideFilters() throws {
        let count = Machine.isOurs ? 20_000 : 4_000
        let filters = [
            "{" + (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}",
            "{\"a\":{\"$in\":[" + (0..<count).map { "\"x\($0)\"" }.joined(separator: ",") + "]}}",
            "{\"$or\":[" + (0..<count).map { "{\"k\($0)\":{\"$gt\":\($0)}}" }.joined(separator: ",") + "]}",
            "{\"$and\":[" + (0..<count).map { _ in "{\"a\":{\"$ne\":1}}" }.joined(separator: ",") + "]}",
        ]
        for filter in filters {
            try Watch.run(String(filter.prefix(20))) {
                let query = try Query(mongo: filter)
                let again = try query.mongo()
                #expect(!again.filter.isEmpty)
            }
        }
    }

    @Test func paths() throws {
        let limit = Limits.default.pathParts
        for count in [limit, limit + 1] {
            let path = Array(repeating: "k", count: count).joined(separator: ".")
            let expected: QueryError.Code? = count > limit ? .limit : nil
            Watch.run("a path of \(count)") {
                let failure = code {
                    let holds = try Query(parsing: path + " == 1").matches(["k": 1])
                    #expect(!holds)
                }
                #expect(failure == expected)
                #expect(code { _ = try Query(format: "%K == 1", arguments: [.string(path)]) } == expected)
            }
        }
    }

    @Test func needles() throws {
        let half = String(repeating: "a", count: 100_000)
        let row: Document = ["s": .string(half + half)]
        for (needle, isFound) in [(half + "b", false), ("b" + half, false), (half + "b" + half, false), (half, true)] {
            for format in ["s CONTAINS %@", "s CONTAINS[c] %@", "s CONTAINS[cd] %@", "s ENDSWITH[cd] %@"] {
                try Watch.run("\(format) of \(needle.utf8.count) bytes") {
                    let holds = try Query(parsing: format, arguments: [.string(needle)]).matches(row)
                    #expect(holds == isFound)
                }
            }
        }
    }

    /// Every position starts and ends like the needle; checking each one would take minutes.
    @Test func needlesThatNearlyMatch() throws {
        let quarter = String(repeating: "a", count: 1_000_000)
        let row: Document = ["s": .string(quarter + quarter + quarter + quarter)]
        for format in ["s CONTAINS %@", "s CONTAINS[c] %@"] {
            try Watch.run(format) {
                let holds = try Query(parsing: format, arguments: [.string(quarter + "b" + quarter)]).matches(row)
                #expect(!holds)
            }
        }
    }

    /// Steps are bounded, not time, and the error says so.
    @Test(.enabled(if: HostileInputTests.hasRegex, "PCRE2 is off")) func regexes() throws {
        let patterns = [
            "(a+)+$", "(a*)*b", "(a|aa)+$", "(a|a?)+$", "((a+)+)+$", "(.*a){25}", "(a?){30}a{30}b",
            "^(([a-z])+.)+[A-Z]([a-z])+$",
            "(?=(a+)+$)b", "(a+)*\\1+$", "(?:a{1,100}){1,100}b", "a{65535}", "a{65536}", "(a{1000}){1000}",
            "((((a{60}){60}){60}){60})",
            "(?R)", "(a(?1)?)+$", "\\C*", "(?C1)a", "(*LIMIT_MATCH=4000000000)(a+)+$", "(*NO_JIT)(a+)+$",
            "[[:alpha:]]{9999}",
            String(repeating: "(", count: 20_000),
            String(repeating: "(", count: 300) + String(repeating: ")", count: 300),
            String(repeating: "a?", count: 500) + String(repeating: "a", count: 500),
            String(repeating: "a|", count: 30_000),
        ]
        let row: Document = ["s": .string(String(repeating: "a", count: 3_000) + "!")]
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (s TEXT)")
        _ = try database.rows("INSERT INTO t VALUES (?)", [row["s"] ?? .null])
        for pattern in patterns {
            Watch.run(String(pattern.prefix(40))) {
                let query = try? Query(format: "s MATCHES %@", arguments: [.string(pattern)])
                let failure = code { _ = try query?.matches(row) }
                #expect([nil, .pattern, .evaluation, .limit, .unsupported].contains(failure), "\(pattern.prefix(40))")
                let inStore = code { _ = try query?.rows(in: database, from: "t") }
                let codes: [QueryError.Code?] = [nil, .pattern, .evaluation, .store, .limit, .unsupported]
                #expect(codes.contains(inStore), "\(pattern.prefix(40))")
            }
        }
        #expect(code { _ = try Query(format: "s MATCHES '(a+)+$'").matches(row) } == .evaluation)
    }

    private static let hasRegex = (try? Query(format: "s MATCHES 'a'").matches(["s": "a"])) == true

    @Test func likePatterns() throws {
        let text = String(repeating: "a", count: 50_000)
        let row: Document = ["s": .string(text)]
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (s TEXT)")
        _ = try database.rows("INSERT INTO t VALUES (?)", [.string(text)])
        let patterns = [
            String(repeating: "a*", count: 1_000) + "b", String(repeating: "*", count: 1_000) + "b",
            String(repeating: "*a?", count: 1_000) + "b", "*" + String(repeating: "?*", count: 1_000) + "b",
        ]
        for pattern in patterns {
            for options in ["", "[c]", "[cd]"] {
                try Watch.run("LIKE\(options) \(pattern.prefix(10))") {
                    let query = try Query(parsing: "s LIKE\(options) %@", arguments: [.string(pattern)])
                    let holds = try query.matches(row)
                    #expect(!holds, "\(pattern.prefix(10))")
                    let inStore = code {
                        let found = try query.rows(in: database, from: "t")
                        #expect(found.isEmpty)
                    }
                    #expect([nil, .unsupported, .limit].contains(inStore), "\(pattern.prefix(10))")
                }
            }
        }
    }

    @Test func wideAndDeepJSON() throws {
        let wide = "{" + (0..<50_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        let same = "{" + Array(repeating: "\"k\":1", count: 50_000).joined(separator: ",") + ",\"k\":2}"
        let depth = Limits.default.jsonDepth
        try Watch.run("wide JSON") {
            let row = try QueryValue(json: wide)
            guard case .object(let document) = row else { throw QueryError(.json, "no object") }
            let holds = try Query(format: "k49999 == 49999").matches(document)
            #expect(holds)
        }
        Watch.run("one key 50,000 times") {
            // Either answer is allowed, the last value or an error; never two fields of one name.
            if case .object(let document)? = try? QueryValue(json: same) {
                #expect(document.keys == ["k"] && document["k"] == 2)
            }
        }
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            for count in [depth - 1, depth, depth + 1, 200_000] {
                let text = String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
                Watch.run("JSON of depth \(count)") {
                    let failure = code { _ = try QueryValue(json: text) }
                    #expect(count > depth ? failure != nil : count == depth || failure == nil, "\(open) × \(count)")
                    _ = code { _ = try Query(mongo: "{\"filter\":{\"a\":" + text + "}}") }
                }
            }
        }
    }

    /// Texts that look alike, or that Swift calls equal, have different bytes.
    @Test func confusables() throws {
        let pairs = [
            ("é", "e\u{301}"), ("admin", "аdmin"), ("K", "\u{212A}"), ("Å", "\u{212B}"), ("ﬁ", "fi"),
            ("a", "a\u{200B}"),
            ("a", "a\u{200D}"), ("a", "\u{FEFF}a"), ("ab", "a\u{AD}b"), ("a", "ａ"), ("a", "a\u{0}"), ("1", "１"),
            ("a b", "a\u{A0}b"),
        ]
        for (one, other) in pairs {
            let query = try Query(format: "s == %@", arguments: [.string(one)])
            #expect(try query.matches(["s": .string(one)]))
            #expect(try !query.matches(["s": .string(other)]), "\(one) is \(other)")
            let keys = try Query(format: "%K == 1", arguments: [.string("x" + one)])
            _ = keys
            #expect(
                try !Query(
                    Condition.comparison(
                        Comparison(.field(FieldPath(keys: [one]), .none), .equal, .value(.int(1), .none))
                    )
                ).matches(Document(pairs: [(other, .int(1))])),
                "the field \(one) is \(other)"
            )
        }
        // Digits and quotes of other scripts do not count as digits and quotes.
        for text in ["a == １", "a == ＇x＇", "a ＝ 1", "a == 1 АND b == 2", "a == 1;", "a == 1\u{0}", "a\u{0} == 1"] {
            #expect(throws: QueryError.self, "\(text)") { _ = try Query(parsing: text) }
        }
    }

    @Test func malformedUTF8() throws {
        let broken: [[UInt8]] = [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80], [0xC3, 0x28],
            [0xF8, 0x88, 0x80, 0x80, 0x80],
        ]
        for bytes in broken {
            let text = Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8)
            #expect(throws: QueryError.self, "\(bytes)") { _ = try QueryValue(json: text) }
            #expect(throws: QueryError.self, "\(bytes)") {
                _ = try QueryValue(json: Array("{\"".utf8) + bytes + Array("\":1}".utf8))
            }
        }
    }
}
