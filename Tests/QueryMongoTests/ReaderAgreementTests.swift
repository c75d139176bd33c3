import PredicateQL
import QueryMeaning
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Filters that were not translated from queries: the query that is read means what the filter means.
@Suite("Filters mean the same as the queries read from them")
struct ReaderAgreementTests {
    private func compare(_ seeds: Range<UInt64>, assuming: [Assumption]?) -> (agreed: Int, read: Int, faults: [String])
    {
        var (agreed, read) = (0, 0)
        var faults: [String] = []
        for seed in seeds {
            var generator = Generator(seed: seed)
            let filter = generator.filter(depth: 2)
            let text = QueryValue.object(filter).json
            guard let reading = try? MongoReading(of: text, assuming: assuming) else { continue }
            read += 1
            let evaluator = RowEvaluator(nilMeaning: reading.query.nilMeaning)
            for _ in 0..<20 {
                let row = generator.stored()
                guard reading.assumptions.hold(in: row),
                    let wanted = try? MongoJudge.matches(row, filter)
                else { continue }
                let found = Result { try evaluator.holds(reading.query.condition, in: row, now: 0) }
                if case .success(wanted) = found {
                    agreed += 1
                } else {
                    faults.append(
                        "seed \(seed): \(text)\nread \(reading.query.format) \(reading.query.nilMeaning)\nrow "
                            + "\(QueryValue.object(row).json)\nassumed \(reading.assumptions)\n"
                            + "wanted \(wanted), got \(found)"
                    )
                    break
                }
            }
        }
        return (agreed, read, faults)
    }

    /// Tests of one element by its position, where a schema says what is a list.
    @Test("positions of declared lists") func positions() throws {
        let schema = Schema([
            .field("t", .list(.string)), .field("n", .list(.int)),
            .field("k", .list(.object(Schema([.field("a", .int), .field("t", .list(.string))])))),
        ])
        var generator = Generator(seed: SeededGenerator.seed(20_261_126))
        var agreed = 0
        for _ in 0..<SeededGenerator.count(400) {
            func list(_ values: [QueryValue]) -> QueryValue {
                .list((0..<generator.below(4)).map { _ in generator.pick(values) })
            }
            let texts: [QueryValue] = ["x", "y", ""]
            let rows = (0..<8).map { _ -> Document in
                let kids = (0..<generator.below(3)).map { _ in
                    QueryValue.object(["a": generator.pick([1, 2]), "t": list(texts)])
                }
                return ["t": list(texts), "n": list([1, 2, 3]), "k": .list(kids)]
            }
            let (path, values) = generator.pick(
                [
                    ("t", texts), ("n", [1, 2, 3]), ("k", [1, 2]), ("k", texts),
                ] as [(String, [QueryValue])]
            )
            let ending = path == "k" ? (values == texts ? ".t.\(generator.below(2))" : ".a") : ""
            let value = generator.pick(values)
            func op(_ name: String, _ value: QueryValue) -> QueryValue { .object(Document(pairs: [(name, value)])) }
            let test = generator.pick([
                value, op("$ne", value), op("$gte", value), op("$in", .list([value])), op("$exists", true),
                op("$exists", false), op("$nin", .list([value])), op("$not", op("$lt", value)),
            ])
            let filter: Document = [path + ".\(generator.below(3))" + ending: test]
            let query = try Query(mongo: QueryValue.object(filter).json, schema: schema)
            for row in rows {
                agreed += 1
                let (found, wanted) = (try query.matches(row), try MongoJudge.matches(row, filter))
                #expect(
                    found == wanted,
                    "\(QueryValue.object(filter).json): \(query.format)\n\(QueryValue.object(row).json)"
                )
            }
        }
        #expect(agreed >= 3_000)
    }

    @Test("as filters are read by default: nothing assumed, any document")
    func exact() {
        #expect(throws: QueryError.self) { try MongoReading(of: #"{"a":{"$gt":1},"o.x":{"$size":1}}"#) }
        let result = compare(0..<UInt64(SeededGenerator.count(500)), assuming: [])
        #expect(
            result.faults.count == 0,
            "\(result.faults.count): \(result.faults.prefix(8).joined(separator: "\n\n"))"
        )
        #expect(result.read > SeededGenerator.count(200))
        #expect(result.agreed > SeededGenerator.count(3_500))
    }

    /// What is there, below lists and at positions: nothing needs to be assumed.
    @Test func whatIsThereNeedsNoAssumption() throws {
        let values = ["5", "null", "[]", "{}", "[5]", "[{}]", "[null,{}]", "[[{\"x\":1,\"1\":1}]]"]
        let inner =
            values + ["{\"x\":5}", "{\"x\":null}", "{\"1\":5}", "[{\"x\":5}]", "[{\"x\":null},{}]", "[1,{\"1\":2}]"]
        let rows =
            ["{}"] + inner.map { "{\"o\":\($0)}" } + inner.map { "{\"o\":{\"x\":\($0)}}" }
            + inner.map { "{\"o\":[{\"x\":\($0)},{\"y\":1}]}" }
        let tests: [QueryValue] = [
            .object(["$exists": true]), .object(["$exists": false]), .null, .object(["$ne": .null]),
            .object(["$in": [.null, 5]]), .object(["$not": .object(["$in": [.null, 5]])]),
        ]
        for path in ["o.x", "o.x.x", "o.x.x.x", "o.1", "o.0"] {
            for (number, test) in tests.enumerated() where number < 2 || path.hasSuffix("x") {
                let filter: Document = [path: test]
                let query = try Query(mongo: QueryValue.object(filter).json)
                for row in rows {
                    guard case .object(let document) = try QueryValue(json: row) else { continue }
                    let wanted = try MongoJudge.matches(document, filter)
                    #expect(try query.matches(document) == wanted, "\(path) \(test.json) \(row): \(query.format)")
                }
            }
        }
    }

    /// A pattern beside a guard against lists finds texts alone, also where a list contains the text itself.
    @Test func patternsBesideGuardsFindTexts() throws {
        let values = ["\"a\"", "\"xAy\"", "\"é\"", "[\"a\"]", "[[\"a\"]]", "[\"A\",\"b\"]", "[]", "1", "null"]
        let guardian: QueryValue = .object(["$type": "array"])
        for pattern in ["a", "^a", "a$", "^a$", "a.*b", "", "é"] {
            for isCaseless in [false, true] {
                var operators: Document = ["$regex": .string(pattern), "$not": guardian]
                if isCaseless { operators["$options"] = "i" }
                let test = QueryValue.object(operators)
                for filter in [["m": test], ["$nor": .list([.object(["m": test])])]] as [Document] {
                    let query = try Query(mongo: QueryValue.object(filter).json)
                    for value in values {
                        guard case .object(let row) = try QueryValue(json: "{\"m\":\(value)}") else { continue }
                        let wanted = try MongoJudge.matches(row, filter)
                        #expect(try query.matches(row) == wanted, "\(filter) \(value): \(query.format)")
                    }
                }
            }
        }
    }

    @Test("single values assumed, documents that keep the assumption")
    func assumed() {
        let result = compare(10_000..<10_000 + UInt64(SeededGenerator.count(500)), assuming: nil)
        #expect(
            result.faults.count == 0,
            "\(result.faults.count): \(result.faults.prefix(8).joined(separator: "\n\n"))"
        )
        #expect(result.read > SeededGenerator.count(250))
        #expect(result.agreed > SeededGenerator.count(4_000))
    }

    /// A client writes a query, and a server reads it like any filter: if the client's assumptions hold, both find the
    /// same documents.
    @Test("filters written and read by default find the same documents")
    func written() throws {
        let writings: [(MongoProfile, Bool)] = [
            (.mongoDB, false), (.mongoDB, true), (.findOnly, false), (.kinvey, false),
        ]
        var (read, refused, agreed) = (0, 0, 0)
        for seed in 20_000..<20_000 + UInt64(SeededGenerator.count(400)) {
            var generator = Generator(seed: seed)
            let query = Query(generator.condition(), nilMeaning: generator.pick([.nullOrAbsent, .absent, .null]))
            let rows = (0..<12).map { _ in generator.stored() }
            for (profile, isGuarded) in writings {
                guard let mongo = try? query.mongo(profile, guarded: isGuarded, now: 0) else { continue }
                let text = QueryValue.object(mongo.filter).json
                guard let again = try? Query(mongo: text) else {
                    refused += 1
                    continue
                }
                read += 1
                for row in rows where mongo.assumptions.hold(in: row) {
                    let wanted = Result { try query.matches(row) }
                    guard case .success(let isWanted) = wanted else { continue }
                    let found = Result { try again.matches(row) }
                    agreed += 1
                    guard case .success(isWanted) = found else {
                        Issue.record("seed \(seed): \(query.format)\n\(text)\n\(again.format)\n\(row): \(found)")
                        break
                    }
                }
            }
        }
        #expect(read > SeededGenerator.count(700), "\(read) read, \(refused) refused")
        #expect(agreed > 12_000, "\(agreed)")
    }
}

extension Generator {
    private static let names = ["a", "b", "o", "o.x", "o.y", "a", "b", "o.x.y", "_id", "_id.x"]

    /// A row as a server may store it: its `_id` is not a list.
    mutating func stored() -> Document {
        var row = row()
        row["_id"] = below(3) == 0 ? .object(object(depth: 1)) : scalar()
        return row
    }
    private static let patterns = ["^a", "b", "^(?:a|b)(?![\\s\\S])", "a.c", "[ab]$", "^A", "", "b$"]

    /// A find filter.
    mutating func filter(depth: Int) -> Document {
        guard depth > 0, below(3) == 0 else {
            return Document(pairs: (0..<(1 + below(2))).map { _ in (pick(Self.names), test(depth: depth)) })
        }
        let parts = (0..<(1 + below(3))).map { _ in QueryValue.object(filter(depth: depth - 1)) }
        let remarks: [(String, QueryValue)] = below(4) == 0 ? [("$comment", pick(["why", 5]))] : []
        return Document(pairs: remarks + [(pick(["$and", "$or", "$nor"]), .list(parts))])
    }

    /// The value of a field in a filter.
    mutating func test(depth: Int) -> QueryValue {
        if below(4) == 0 { return value(depth: 1) }
        return .object(Document(pairs: (0..<(1 + below(2))).map { _ in operation(depth: depth) }))
    }

    private mutating func operation(depth: Int) -> (String, QueryValue) {
        switch below(17) {
        case 0: return ("$eq", value(depth: 1))
        case 1: return ("$ne", value(depth: 1))
        case 2: return ("$gt", scalar())
        case 3: return ("$gte", scalar())
        case 4: return ("$lt", scalar())
        case 5: return ("$lte", scalar())
        case 6: return (pick(["$in", "$nin"]), .list((0..<below(4)).map { _ in scalar() }))
        case 7: return ("$exists", .bool(below(2) == 0))
        case 8:
            return (
                "$type", pick([10, "array", "string", "bool", "number", ["string", 10], ["array", "number", "bool"]])
            )
        case 9: return ("$size", .int(Int64(below(3))))
        case 10: return ("$regex", .string(pick(Self.patterns)))
        case 11: return ("$all", .list((0..<below(3)).map { _ in scalar() }))
        case 12: return ("$not", .object(["$type": "array"]))
        case 13 where depth > 0: return ("$not", .object(Document(pairs: [operation(depth: depth - 1)])))
        case 14 where depth > 0:
            return (
                "$elemMatch", .object(Document(pairs: (0..<(1 + below(2))).map { _ in operation(depth: depth - 1) }))
            )
        case 15 where depth > 0: return ("$elemMatch", .object(element(depth: depth - 1)))
        case 16: return ("$mod", [.int(Int64(below(4) - 1)), .int(Int64(below(3) - 1))])
        default: return ("$gt", scalar())
        }
    }

    private mutating func element(depth: Int) -> Document {
        Document(pairs: (0..<(1 + below(2))).map { _ in (pick(["x", "y"]), test(depth: depth)) })
    }
}
