import PredicateQL
import QueryTree
import QueryValues
import SpecSupport
import TestConditions
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Bad input gives an error with the path of the mistake; nothing is guessed.
@Suite("A malformed filter is an error with its path")
struct ReaderErrorTests {
    private static let rows: [(String, QueryError.Code, String)] = [
        ("", .json, "$"),
        ("[]", .json, "$"),
        ("5", .json, "$"),
        (#"{"a":1"#, .json, "$"),
        (#"{"a":1,"a":2}"#, .json, "$.a"),
        (#"{"a":{"$gt":1,"$gt":2}}"#, .json, "$.a.$gt"),
        (#"{"a":9223372036854775808}"#, .json, "$.a"),
        (#"{"a":1e999}"#, .json, "$.a"),
        (#"{"a":{"$numberInt":"2147483648"}}"#, .json, "$.a"),
        (#"{"a":{"$foo":1}}"#, .unknownOperator, "$.a.$foo"),
        (#"{"$foo":[]}"#, .unknownOperator, "$.$foo"),
        (#"{"$where":"sleep(1000)"}"#, .unsupported, "$.$where"),
        (#"{"a":{"$where":"1"}}"#, .unsupported, "$.a.$where"),
        (#"{"$expr":{"$function":{"body":"x","args":[],"lang":"js"}}}"#, .unsupported, "$.$expr"),
        (#"{"$expr":{"$gt":["$a","$b"]}}"#, .unsupported, "$.$expr"),
        (#"{"a":{"$expr":{"$eq":[1,1]}}}"#, .json, "$.a.$expr"),
        (#"{"$gt":5}"#, .json, "$.$gt"),
        (#"{"a":{"$or":[{"b":1}]}}"#, .json, "$.a.$or"),
        (#"{"$and":{}}"#, .json, "$.$and"),
        (#"{"$and":[]}"#, .json, "$.$and"),
        (#"{"$or":[5]}"#, .json, "$.$or[0]"),
        (#"{"$and":[{"a":1},{"$nor":[{"b":{"$bad":1}}]}]}"#, .unknownOperator, "$.$and[1].$nor[0].b.$bad"),
        (#"{"a":{"$in":5}}"#, .json, "$.a.$in"),
        (#"{"a":{"$in":[{"$gt":1}]}}"#, .json, "$.a.$in[0]"),
        (#"{"a":{"$eq":{"$gt":""}}}"#, .json, "$.a.$eq"),
        (#"{"a":{"$ne":{"b":{"$where":"1"}}}}"#, .json, "$.a.$ne.b"),
        (#"{"a":{"b":1,"$gt":2}}"#, .json, "$.a"),
        (#"{"a":{"$gt":2,"b":1}}"#, .unknownOperator, "$.a.b"),
        (#"{"a":{"$gt":[1]}}"#, .unsupported, "$.a.$gt"),
        (#"{"a":{"$not":5}}"#, .json, "$.a.$not"),
        (#"{"a":{"$not":{}}}"#, .json, "$.a.$not"),
        (#"{"a":{"$exists":"yes"}}"#, .json, "$.a.$exists"),
        (#"{"a":{"$size":-1}}"#, .json, "$.a.$size"),
        (#"{"a":{"$size":1.5}}"#, .json, "$.a.$size"),
        (#"{"a":{"$size":"1"}}"#, .json, "$.a.$size"),
        (#"{"a":{"$type":"date"}}"#, .unsupported, "$.a.$type"),
        (#"{"a":{"$type":true}}"#, .json, "$.a.$type"),
        (#"{"a":{"$regex":5}}"#, .json, "$.a.$regex"),
        (#"{"a":{"$regex":"("}}"#, .pattern, "$.a.$regex"),
        (#"{"a":{"$regex":"a","$options":"q"}}"#, .json, "$.a.$regex"),
        (#"{"a":{"$options":"i"}}"#, .json, "$.a.$options"),
        (#"{"a":{"$regex":"(?R)?a"}}"#, .unsupported, "$.a.$regex"),
        (#"{"a":{"$elemMatch":5}}"#, .json, "$.a.$elemMatch"),
        (#"{"a":{"$elemMatch":{}}}"#, .unsupported, "$.a.$elemMatch"),
        (#"{"a":{"$elemMatch":{"$expr":{"$eq":[1,1]}}}}"#, .json, "$.a.$elemMatch.$expr"),
        (#"{"a":{"$all":5}}"#, .json, "$.a.$all"),
        (#"{"a":{"$mod":[0,0]}}"#, .json, "$.a.$mod[0]"),
        (#"{"a":{"$mod":[2]}}"#, .json, "$.a.$mod"),
        (#"{"a":{"$near":[1,2]}}"#, .unsupported, "$.a.$near"),
        (#"{"a":{"$geoWithin":{"$centerSphere":[[200,0],1]}}}"#, .json, "$.a.$geoWithin.$centerSphere[0]"),
        (#"{"a":{"$geoWithin":{"$centerSphere":[[0,0],-1]}}}"#, .json, "$.a.$geoWithin.$centerSphere[1]"),
        (#"{"a":{"$geoWithin":{"$polygon":[[0,0],[1,1]]}}}"#, .json, "$.a.$geoWithin.$polygon"),
        (#"{"a":{"$geoWithin":{"$box":[[0,0]]}}}"#, .json, "$.a.$geoWithin.$box"),
        (#"{"a":{"$geoWithin":{"$box":[[0,0],[1,91]]}}}"#, .json, "$.a.$geoWithin.$box[1]"),
        (#"{"a":{"$geoWithin":{"$center":[[0,0],1]}}}"#, .unsupported, "$.a.$geoWithin.$center"),
        (#"{"a":{"$geoWithin":{"$geometry":{"type":"Polygon"}}}}"#, .unsupported, "$.a.$geoWithin.$geometry"),
        (#"{"a":{"$geoWithin":{"$circle":1}}}"#, .unknownOperator, "$.a.$geoWithin.$circle"),
        (#"{"a":{"$geoWithin":{"$box":[],"$polygon":[]}}}"#, .json, "$.a.$geoWithin"),
        (#"{"a":{"$nearSphere":[1,2],"$maxDistance":1}}"#, .unsupported, "$"),
        (#"{"$or":[{"a":{"$nearSphere":[1,2]}}]}"#, .unsupported, "$.$or[0].a.$nearSphere"),
        (#"{"a":{"$nearSphere":{"$geometry":{"type":"Polygon"}}}}"#, .json, "$.a.$nearSphere.$geometry"),
        (#"{"a":{"$geoIntersects":{"$geometry":{}}}}"#, .unsupported, "$.a.$geoIntersects"),
        (#"{"a":{"$eq":{"$circle":{"center":[0,0],"radius":1}}}}"#, .json, "$.a.$eq"),
        (#"{"a":{"$minKey":1}}"#, .unsupported, "$.a.$minKey"),
        (#"{"a":{"$lt":{"$maxKey":1}}}"#, .json, "$.a.$lt"),
        (#"{"a":{"$in":[{"$timestamp":{"t":1,"i":2}}]}}"#, .json, "$.a.$in[0]"),
        (#"{"a":{"$in":[{"$regularExpression":{"pattern":"a","options":""}}]}}"#, .json, "$.a.$in[0]"),
        (#"{"a":{"$eq":{"$code":"x"}}}"#, .json, "$.a.$eq"),
        (#"{"a":{"$symbol":"x"}}"#, .unsupported, "$.a.$symbol"),
        (#"{"a":{"$undefined":true}}"#, .unsupported, "$.a.$undefined"),
        (#"{"a":{"$gt":{"$numberLong":"9223372036854775808"}}}"#, .json, "$.a.$gt"),
        (#"{"a":{"$gt":{"$numberDecimal":"1E+6144"}}}"#, .json, "$.a.$gt"),
        (#"{"a":{"$gt":{"$date":1e300}}}"#, .json, "$.a.$gt"),
        (#"{"a":{"$gt":{"$oid":"507f"}}}"#, .unsupported, "$.a.$gt"),
        (#"{"a":{"$gt":{"$uuid":"1"}}}"#, .json, "$.a.$gt"),
        (#"{"a":{"$gt":{"$binary":{"base64":"A","subType":"00"}}}}"#, .json, "$.a.$gt"),
        (#"{"a":{"$numberDouble":"NaN"}}"#, .unsupported, "$.a"),
        (#"{"a":{"x":1,"y":2}}"#, .unsupported, "$.a"),
        (#"{"a":{"$date":"tomorrow"}}"#, .json, "$.a"),
        (#"{"":1}"#, .json, #"$[""]"#),
        (#"{"a..b":1}"#, .json, #"$["a..b"]"#),
        (#"{"a.$b":1}"#, .json, #"$["a.$b"]"#),
        (#"{"a.0":1}"#, .unsupported, #"$["a.0"]"#),
        (#"{"0.1":1}"#, .unsupported, #"$["0.1"]"#),
        (#"{"b":{"$not":{"$type":"array"}},"a.0":1}"#, .unsupported, #"$["a.0"]"#),
        (#"{"a":{"$elemMatch":{"0":1}}}"#, .unsupported, "$.a.$elemMatch.0"),
        (#"{"a":{"$gt":1,"$comment":"x"}}"#, .json, "$.a.$comment"),
        (#"{"$alwaysTrue":2}"#, .json, "$.$alwaysTrue"),
        (#"{"$expr":5}"#, .unsupported, "$.$expr"),
        (#"{"$query":{"a":1}}"#, .unknownOperator, "$.$query"),
        (#"{"$text":{"$search":"x"}}"#, .unsupported, "$.$text"),
    ]

    @Test(arguments: [
        ("pages > 500", #"{"pages":{"$gt":500}}"#), (#""name == 'Jo'""#, #"{"name":"Jo"}"#),
        ("tags CONTAINS", nil), ("{a:", nil), ("[]", nil),
        (String(repeating: "a == 1 OR ", count: 60) + "b == 1", nil),
    ])
    func conditionsAreShownAsFilters(_ text: String, _ filter: String?) throws {
        let error = #expect(throws: QueryError.self) { try Query(mongo: text) }
        #expect(error?.code == .json && error?.hint == filter.map { "as a filter, this condition is \($0)" })
    }

    /// Mongo's shell takes keys without quotes and texts in single ones.
    @Test(arguments: [
        ("{age: 3}", #"{"age":3}; as a query: ANY age == 3"#),
        (
            "{'name' : 'Jo', a.b: {$gt: 1.5}}",
            #"{"name":"Jo","a.b":{"$gt":1.5}}; as a query: ANY name == "Jo" AND ANY a.b > 1.5"#
        ),
        (#"{ok: true, "x: y": null}"#, #"{"ok":true,"x: y":null}; as a query: …"#),
        ("{$where: 'x'}", #"{"$where":"x"}"#), ("{age: {$gt: 3}", nil), ("{age: /x}", nil),
        ("{" + String(repeating: "a: 1, ", count: 100) + "b: 1}", nil),
    ])
    func filtersOfTheShellAreShownWithQuotes(_ text: String, _ hint: String?) throws {
        let error = #expect(throws: QueryError.self) { try Query(mongo: text) }
        let shown = error?.hint
        #expect(error?.code == .json)
        if let hint, hint.hasSuffix("…") {
            #expect(shown?.hasPrefix("keys and texts take double quotes: " + hint.dropLast()) == true)
        } else {
            #expect(shown == hint.map { "keys and texts take double quotes: " + $0 })
        }
    }

    @Test func conditionsAreShownAsFormatOfABody() throws {
        let error = #expect(throws: QueryError.self) { try Query(rest: ["query": "pages > 500"]) }
        let hint = #"give it as format, in place of query; as a filter, this condition is {"pages":{"$gt":500}}"#
        #expect(error?.code == .json && error?.path == "query" && error?.hint == hint)
    }

    /// After a list it is a position as well as a key of the elements; after an object only a key.
    @Test("numbers in the paths of a schema")
    func numbersInPaths() throws {
        let object = FieldType.object(Schema([.field("0", .int)]))
        let schema = Schema([.field("o", object), .field("l", .list(object))])
        #expect(try MongoReading(of: #"{"o.0":1}"#, schema: schema).query.format == #"o.\u0030 == 1"#)
        do throws(QueryError) {
            let reading = try MongoReading(of: #"{"l.0":1}"#, schema: schema)
            Issue.record("read as \(reading.query.format)")
        } catch {
            #expect(error.code == .unsupported)
            #expect(error.path == #"$["l.0"]"#)
        }
    }

    @Test("every row")
    func table() {
        for (json, code, path) in Self.rows {
            do {
                let query = try Query(mongo: json)
                Issue.record("\(json) reads \(query.format)")
            } catch {
                #expect(error.code == code, "\(json): \(error)")
                #expect(error.path == path, "\(json): \(error)")
                #expect(error.range == nil || error.source == json, "\(json): \(error)")
                #expect(!error.rendered().isEmpty)
            }
        }
    }

    @Test("sort, projection, skip and limit")
    func pipeline() throws {
        let query = try Query(
            mongo: "{}",
            sort: #"{"b":-1,"a":1}"#,
            projection: #"{"a":1,"_id":0}"#,
            skip: 2,
            limit: 0
        )
        #expect(query.order == [.descending("b"), .ascending("a")])
        #expect(query.fields == ["a"])
        #expect(query.skip == 2)
        #expect(query.limit == nil, "Mongo's limit 0 is no limit")
        #expect(try Query(mongo: "{}", projection: #"{"a":true}"#).fields == ["a", "_id"])
        let bad: [(String?, String?, Int?, Int?, QueryError.Code, String?)] = [
            (#"{"a":2}"#, nil, nil, nil, .json, "sort.a"),
            (#"{"a":{"$meta":"textScore"}}"#, nil, nil, nil, .unsupported, "sort.a"),
            (#"[["a",1]]"#, nil, nil, nil, .json, "sort"),
            (nil, #"{"a":0}"#, nil, nil, .unsupported, "projection.a"),
            (nil, #"{"_id":0}"#, nil, nil, .unsupported, "projection"),
            (nil, #"{"a":{"$slice":1}}"#, nil, nil, .unsupported, "projection.a"),
            (nil, nil, -1, nil, .pipeline, "$"),
            (nil, nil, nil, -1, .pipeline, "$"),
        ]
        for (sort, projection, skip, limit, code, path) in bad {
            do {
                _ = try Query(mongo: "{}", sort: sort, projection: projection, skip: skip, limit: limit)
                Issue.record("\(sort ?? "") \(projection ?? "") \(skip ?? 0) \(limit ?? 0)")
            } catch {
                #expect(error.code == code, "\(error)")
                #expect(error.path == path, "\(error)")
            }
        }
    }

    @Test("invalid UTF-8, depth and size")
    func bounds() {
        expect(.json, [UInt8](#"{"a":"\#u{FF}"}"#.utf8).map { $0 == 0xC3 ? 0xFF : $0 })
        let depth = 10_000
        let nested = String(repeating: #"{"$and":["#, count: depth) + "{}" + String(repeating: "]}", count: depth)
        expect(.json, [UInt8](nested.utf8))
        for operation in [#"{"$and":["#, #"{"$nor":["#] {
            let text = String(repeating: operation, count: 80) + "{}" + String(repeating: "]}", count: 80)
            expect(.limit, [UInt8](text.utf8))
        }
        let not =
            #"{"a":"# + String(repeating: #"{"$not":"#, count: 100) + #"{"$gt":1}"# + String(repeating: "}", count: 101)
        expect(.limit, [UInt8](not.utf8))
        let list = "[" + (0...Limits.default.listElements).map(String.init).joined(separator: ",") + "]"
        expect(.limit, [UInt8](#"{"a":{"$in":\#(list)}}"#.utf8))
        expect(.limit, [UInt8](#"{"a":"\#(String(repeating: "x", count: 1 << 20))"}"#.utf8))
        let path = Array(repeating: "a", count: 1_001).joined(separator: ".")
        expect(.limit, [UInt8](#"{"\#(path)":1}"#.utf8))
    }

    @Test("no fix of a predicate is offered for a filter")
    func fixes() {
        let schema = Schema([.field("a", .list(.object(Schema([.field("b", .int)]))))])
        let filter = #"{"a":{"$eq":null,"$not":{"$type":"array"}}}"#
        let error = #expect(throws: QueryError.self) {
            try Query(mongo: filter, nilMeaning: .absent, schema: schema)
        }
        #expect(error?.fix == nil)
    }

    @Test("nested filters and expressions take linear time")
    func time() {
        let nestings = [
            (#"{"a":{"$elemMatch":{"$not":"#, #"{"$elemMatch":{"$not":"#, #"{"$gt":1}"#, "}}", "}}}"),
            (#"{"a":{"$not":"#, #"{"$not":"#, #"{"$gt":1}"#, "}", "}}"),
            (#"{"a":{"$elemMatch":"#, #"{"b":{"$elemMatch":"#, #"{"c":1}"#, "}}", "}}"),
            (#"{"$expr":"#, #"{"$lte":[{"$cond":["#, #"{"$bad":1}"#, ",1,2]},null]}", "}"),
            (
                #"{"$expr":"#, #"{"$or":[{"$and":[{"$lte":["$a",null]},{"$lte":["$b",null]}]},"#, #"{"$eq":["$a",1]}"#,
                "]}", "}"
            ),
            (#"{"$expr":{"$eq":[1,"#, #"{"$let":{"vars":{"v":"#, #""$a""#, #"},"in":null}}"#, "]}}"),
            (
                #"{"$expr":{"$eq":[1,"#, #"{"$let":{"vars":{"v":"#, #""$a""#, #"},"in":{"$map":{"input":"$$v"}}}}"#,
                "]}}"
            ),
        ]
        for (start, open, core, close, end) in nestings {
            for count in [10, 25] {
                let text =
                    start + String(repeating: open, count: count) + core + String(repeating: close, count: count) + end
                ThreadTime.bounded(seconds: 2, "\(count) of \(open)") {
                    for assumptions in [nil, [Assumption]()] { _ = try? Query(mongo: text, assuming: assumptions) }
                }
            }
        }
        let fields = (0..<5_000).map { #""f\#($0)":{"$eq":1,"$not":{"$type":"array"}}"# }.joined(separator: ",")
        ThreadTime.bounded(seconds: 5, "\(fields.utf8.count) bytes") {
            _ = try? Query(mongo: "{" + fields + "}", assuming: [])
        }
    }

    private func expect(_ code: QueryError.Code, _ bytes: [UInt8]) {
        do {
            _ = try Query(mongo: bytes)
            Issue.record("no error \(code): \(String(decoding: bytes.prefix(60), as: UTF8.self))")
        } catch {
            #expect(error.code == code, "\(error.message)")
            #expect(error.path?.hasPrefix("$") == true)
        }
    }

    @Test(arguments: [
        (#"{"a":{"$gt":{"__type":"Date","iso":"2024-01-01T00:00:00Z"}}}"#, #"write {"$date":"2024-01-01T00:00:00Z"}"#),
        (#"{"$expr":{"$lt":["$u",5]}}"#, "declare the kinds of u in a schema (pql: --schema)"),
        (#"{"$expr":{"$lt":["$d","$$NOW"]}}"#, "write the date as a constant"),
        (#"{"$expr":{"$eq":[{"$type":"$a"},"int"]}}"#, "outside of $expr write {field: {$type: name}}"),
        (
            #"{"$expr":{"$gt":["$a","$b"]}}"#,
            #"a > b, which only values of one kind meet, is {"$expr":{"$and":[{"$gt":["$b",null]},{"$gt":["$a","$b"]}]}}"#
        ),
    ])
    func refusalsSayWhatToWrite(_ json: String, _ hint: String) throws {
        let fields = Schema([.field("a", .int), .field("b", .int)], allowsOthers: true)
        let error = #expect(throws: QueryError.self) { try Query(mongo: json, schema: fields) }
        #expect(error?.code == .unsupported && error?.hint?.contains(hint) == true, "\(error?.hint ?? "")")
        guard let start = hint.firstRange(of: #"{"$expr""#) else { return }
        #expect(try Query(mongo: String(hint[start.lowerBound...]), schema: fields).format == "a > b")
    }

    @Test("an ObjectId is read if a schema declares one, and nowhere else")
    func objectIDs() throws {
        let schema = Schema([
            .field("id", .objectID, storedAs: "_id"), .field("ids", .list(.objectID)), .field("s", .string),
        ])
        let hex = "507f1f77bcf86cd799439011"
        let oid = #"{"$oid":"507F1F77BCF86CD799439011"}"#
        let rows = [
            (#"{"_id":\#(oid)}"#, #"id == "\#(hex)""#),
            (#"{"_id":{"$gt":\#(oid)}}"#, #"id > "\#(hex)""#),
            (#"{"_id":{"$in":[\#(oid),null]}}"#, #"id IN {"\#(hex)", nil}"#),
            (#"{"_id":{"$not":{"$eq":\#(oid)}}}"#, #"NOT id == "\#(hex)""#),
            (#"{"_id":"\#(hex)"}"#, #"id == "\#(hex)""#),
            (#"{"ids":\#(oid)}"#, #"ANY ids == "\#(hex)""#),
            (#"{"ids":[\#(oid)]}"#, #"ids == {"\#(hex)"}"#),
            (#"{"ids":{"$all":[\#(oid)]}}"#, #"ANY ids == "\#(hex)""#),
        ]
        for (json, format) in rows {
            let query = try Query(mongo: json, schema: schema)
            #expect(query.format == format, "\(json)")
            #expect(
                try Query(mongo: QueryValue.object(query.mongo().filter).json, schema: schema).condition.normalized()
                    == query.condition.normalized()
            )
        }
        let bad: [(String, Schema?, QueryError.Code, String)] = [
            (#"{"_id":\#(oid)}"#, nil, .unsupported, "$._id"),
            (#"{"a":{"$in":[1,\#(oid)]}}"#, nil, .unsupported, "$.a.$in[1]"),
            (#"{"a":{"$eq":{"k":\#(oid)}}}"#, nil, .unsupported, "$.a.$eq.k"),
            (#"{"a":[\#(oid)]}"#, nil, .unsupported, "$.a[0]"),
            (#"{"s":\#(oid)}"#, schema, .unsupported, "$.s"),
            (#"{"_id":"x"}"#, schema, .kindMismatch, "$"),
            (#"{"_id":{"$oid":"x"}}"#, schema, .json, "$._id"),
            (#"{"_id":{"$regex":"^5"}}"#, schema, .kindMismatch, "$"),
            (#"{"$expr":{"$eq":["$s",{"$literal":\#(oid)}]}}"#, schema, .unsupported, "$.$expr"),
        ]
        for (json, schema, code, path) in bad {
            do throws(QueryError) {
                let query = try Query(mongo: json, schema: schema)
                Issue.record("\(json) reads \(query.format)")
            } catch {
                #expect(error.code == code, "\(json): \(error)")
                #expect(error.path == path, "\(json): \(error)")
                #expect(error.source == json && error.range != nil)
                if code == .unsupported, path != "$.$expr" { #expect(error.hint?.contains("as an objectID") == true) }
            }
        }
    }

    @Test("a schema gives names and kinds")
    func schema() throws {
        let schema = Schema([
            .field("age", .int, storedAs: "a"), .field("tags", .list(.string)),
            .field("when", .date(.epochMilliseconds)),
            .field("kids", .list(.object(Schema([.field("age", .int, storedAs: "a")]))), storedAs: "k"),
        ])
        let rows = [
            (#"{"a":5}"#, "age == 5"), (#"{"tags":"x"}"#, #"ANY tags == "x""#),
            (#"{"k.a":{"$gt":3}}"#, "ANY kids.age > 3"),
            (#"{"k":{"$elemMatch":{"a":{"$ne":5}}}}"#, "ANY kids.age != 5"),
            (#"{"when":{"$gt":1000}}"#, #"when > CAST(-978307199, "NSDate")"#),
            (#"{"a":{"$mod":[2,1]}}"#, "modulus:by:(age, 2) == 1"),
            (#"{"tags.0":"x"}"#, #"tags[0] == "x""#), (#"{"tags.1":{"$ne":"x"}}"#, #"tags[1] != "x""#),
            (#"{"tags.0":{"$in":["x","y"]}}"#, #"tags[0] IN {"x", "y"}"#), (#"{"tags.0":null}"#, "tags[0] == nil"),
            (#"{"k.2.a":{"$gte":3}}"#, "kids[2].age >= 3"), (#"{"tags.2":{"$exists":true}}"#, "tags.@count > 2"),
        ]
        for (json, format) in rows {
            let reading = try MongoReading(of: json, assuming: [], schema: schema)
            #expect(reading.query.format == format, "\(json)")
            #expect(reading.assumptions.isEmpty)
        }
        let bad: [(String, QueryError.Code, String)] = [
            (#"{"age":5}"#, .unknownField, "$.age"), (#"{"a":"x"}"#, .kindMismatch, "$"),
        ]
        for (json, code, path) in bad {
            do {
                _ = try Query(mongo: json, schema: schema)
                Issue.record("\(json)")
            } catch {
                #expect(error.code == code, "\(json): \(error)")
                #expect(error.path == path, "\(json): \(error)")
                #expect(error.source == json)
            }
        }
    }
}
