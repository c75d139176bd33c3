// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite

enum QueryValuesExamples: SourceExamples {
    static var examples: (run: [Example], leftOut: [(place: String, reason: String)]) {
        var all: [Example] = []
        var leftOut: [(place: String, reason: String)] = []
        (all, leftOut) = ([], [])
        all.append(Example("DateText+Reading.swift: func parse", DateText_Reading_1))
        all.append(Example("DateText+Reading.swift: func parseExact", DateText_Reading_2))
        all.append(Example("DateText.swift: enum DateText", DateText_1))
        all.append(Example("Limits.swift: struct Limits", Limits_1))
        all.append(Example("Limits.swift: var steps", Limits_2))
        all.append(Example("Origin.swift: class SourceText", Origin_1))
        all.append(Example("Origin.swift: init", Origin_2))
        all.append(Example("Origin.swift: struct Origin", Origin_3))
        all.append(Example("Origin.swift: init", Origin_4))
        all.append(Example("Origin.swift: func union", Origin_5))
        all.append(Example("QueryError.swift: struct QueryError", QueryError_1))
        all.append(Example("QueryError.swift: struct Code", QueryError_2))
        all.append(Example("QueryError.swift: struct Fix", QueryError_3))
        all.append(Example("QueryError.swift: init", QueryError_4))
        all.append(Example("QueryError.swift: init", QueryError_5))
        all.append(Example("QueryError.swift: init", QueryError_6))
        all.append(Example("QueryError.swift: func at", QueryError_7))
        all.append(Example("QueryError.swift: enum Category", QueryError_8))
        all.append(Example("QueryError.swift: var category", QueryError_9))
        all.append(Example("JSONArrayReader.swift: struct JSONArrayReader", JSONArrayReader_1))
        all.append(Example("JSONPathReader.swift: struct JSONPathReader", JSONPathReader_1))
        all.append(Example("JSONReader.swift: struct JSONReader", JSONReader_1))
        all.append(Example("JSONReader.swift: init", JSONReader_2))
        all.append(Example("JSONReader.swift: init", JSONReader_3))
        all.append(Example("JSONRowReader.swift: struct JSONRowReader", JSONRowReader_1))
        all.append(Example("JSONWriter.swift: enum JSONStyle", JSONWriter_1))
        all.append(Example("JSONWriter.swift: struct JSONWriter", JSONWriter_2))
        all.append(Example("JSONWriter.swift: init", JSONWriter_3))
        all.append(Example("JSONWriter.swift: func text", JSONWriter_4))
        all.append(Example("JSONWriter.swift: func write", JSONWriter_5))
        all.append(Example("JSONWriter.swift: var json", JSONWriter_6))
        all.append(Example("JSONWriter.swift: var json", JSONWriter_7))
        all.append(Example("JSONWriter.swift: func extendedJSON", JSONWriter_8))
        all.append(Example("JSONWriter.swift: var description", JSONWriter_9))
        all.append(Example("JSONWriter.swift: var description", JSONWriter_10))
        all.append(Example("NDJSONReader.swift: struct NDJSONReader", NDJSONReader_1))
        all.append(Example("RowPaths.swift: struct RowPaths", RowPaths_1))
        all.append(Example("Folding+Classes.swift: func equivalents", Folding_Classes_1))
        all.append(Example("LikePattern.swift: struct LikePattern", LikePattern_1))
        all.append(Example("LikePattern.swift: enum Piece", LikePattern_2))
        all.append(Example("LikePattern.swift: init", LikePattern_3))
        all.append(Example("LikePattern.swift: func matches", LikePattern_4))
        all.append(Example("RegexPattern.swift: class RegexPattern", RegexPattern_1))
#if PCRE2
        all.append(Example("RegexPattern.swift: init", RegexPattern_2))
#else
        leftOut.append(("RegexPattern.swift: init", "needs PCRE2"))
#endif
#if PCRE2
        all.append(Example("RegexPattern.swift: func matches", RegexPattern_3))
#else
        leftOut.append(("RegexPattern.swift: func matches", "needs PCRE2"))
#endif
        all.append(Example("StringOptions.swift: struct StringOptions", StringOptions_1))
        all.append(Example("StringOptions.swift: var text", StringOptions_2))
        all.append(Example("DecimalText.swift: func value", DecimalText_1))
        all.append(Example("Document.swift: class Shape", Document_1))
        all.append(Example("Document.swift: init", Document_2))
        all.append(Example("Document.swift: func slot", Document_3))
        all.append(Example("Document.swift: struct Document", Document_4))
        all.append(Example("Document.swift: init", Document_5))
        all.append(Example("Document.swift: init", Document_6))
        all.append(Example("Document.swift: var pairs", Document_7))
        all.append(Example("Document.swift: subscript", Document_8))
        all.append(Example("Document.swift: init", Document_9))
        all.append(Example("QueryValue+Equality.swift: func isEqual", QueryValue_Equality_1))
        all.append(Example("QueryValue+Ordering.swift: enum QueryOrder", QueryValue_Ordering_1))
        all.append(Example("QueryValue+Ordering.swift: func order", QueryValue_Ordering_2))
        all.append(Example("QueryValue+Ordering.swift: func sortOrder", QueryValue_Ordering_3))
        all.append(Example("QueryValue.swift: enum QueryValue", QueryValue_1))
        all.append(Example("QueryValue.swift: enum Kind", QueryValue_2))
        all.append(Example("QueryValue.swift: enum GeoShape", QueryValue_3))
        all.append(Example("QueryValue.swift: struct GeoPoint", QueryValue_4))
        all.append(Example("QueryValue.swift: init", QueryValue_5))
        all.append(Example("QueryValue.swift: var kind", QueryValue_6))
        all.append(Example("QueryValue.swift: var isNaN", QueryValue_7))
        all.append(Example("QueryValue.swift: var isNull", QueryValue_8))
        return (all, leftOut)
    }

    static func DateText_Reading_1() throws {
        do {
            expectShown(DateText.parse("2016-11-14 12:05+02:00"), "1479117900000")
        }
    }

    static func DateText_Reading_2() throws {
        do {
            expectShown(DateText.parseExact("2016-11-14T10:05:55.787Z"), "1479117955787")
            expectShown(DateText.parseExact("2016-11-14"), "nil")
        }
    }

    static func DateText_1() throws {
        do {
            expectShown(DateText.iso8601(1_479_117_955_787), "2016-11-14T10:05:55.787Z")
        }
    }

    static func Limits_1() throws {
        do {
            var limits = Limits.default
            limits.nesting = 2
            expectThrown("limit") { try Query(format: "((((a == 1))))", limits: limits) }
            _ = (limits)
        }
    }

    static func Limits_2() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            var limits = Limits.default
            limits.steps = 100
            let query = try Query(format: "SUBQUERY(tags, $t, ANY tags == $t).@count > 1")
            let row: Document = ["tags": ["a", "b", "c", "d", "e", "f", "g", "h"]]
            expectThrown("tooMuchWork") { try Matcher(query, limits: limits).matches(row) }
            _ = (limits, query, row)
        }
    }

    static func Origin_1() throws {
        do {
            expectShown(SourceText("age > 21").text, "age > 21")
        }
    }

    static func Origin_2() throws {
        do {
            let source = SourceText("age > 21")
            expectShown(Origin(0..<3, in: source).range, "0..<3")
            _ = (source)
        }
    }

    static func Origin_3() throws {
        do {
            try expectShown(Condition(format: "age > 21").origin == Origin.none, "true")
        }
    }

    static func Origin_4() throws {
        do {
            try expectShown(Condition(format: "  age > 21").origin.range, "2..<10")
        }
    }

    static func Origin_5() throws {
        do {
            expectShown(Origin(0..<3, in: nil).union(Origin(6..<8, in: nil)).range, "0..<8")
        }
    }

    static func QueryError_1() throws {
        do {
            do {
                _ = try Query(format: "name STARTSWITH 'a'")
            } catch {
            expectShown(error.code, "syntax")
            expectShown(error.range, "5..<15")
            expectShown(error.fix?.replacement, "BEGINSWITH")
            }
        }
    }

    static func QueryError_2() throws {
        do {
            expectShown(QueryError.Code.unknownField.rawValue, "unknownField")
        }
    }

    static func QueryError_3() throws {
        do {
            let fix = QueryError.Fix(range: 4..<6, replacement: "==")
            expectShown(fix.applied(to: "age <> 3"), "age == 3")
            _ = (fix)
        }
    }

    static func QueryError_4() throws {
        do {
            expectShown(QueryError.Fix(range: 0..<0, replacement: "NOT ").applied(to: "a == 1"), "NOT a == 1")
        }
    }

    static func QueryError_5() throws {
        do {
            expectShown(QueryError(.unsupported, "dates are not kept here", hint: "compare texts").rendered(), "error: dates are not kept here…")
        }
    }

    static func QueryError_6() throws {
        do {
            let condition = try Condition(format: "age > 21")
            expectShown(QueryError(.unsupported, "not here", at: condition.origin).range, "0..<8")
            _ = (condition)
        }
    }

    static func QueryError_7() throws {
        do {
            expectShown(QueryError(.json, "no JSON").at(path: "documents[3]").path, "documents[3]")
        }
    }

    static func QueryError_8() throws {
        do {
            expectShown(QueryError(.unknownField, "no field agee").category, "caller")
            expectShown(QueryError(.store, "the disk is full").category.httpStatus, "500")
        }
    }

    static func QueryError_9() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            expectShown(QueryError(.tooMuchWork, "the query took too long").category.httpStatus, "400")
        }
    }

    static func JSONArrayReader_1() throws {
        do {
            var elements = JSONArrayReader(ByteStream(bytes: Array("[1,2]".utf8)))
            var reader = JSONReader()
            try expectShown(elements.next { (text, _) throws(QueryError) in try reader.read(text) }, "1")
            _ = (elements, reader)
        }
    }

    static func JSONPathReader_1() throws {
        do {
            var paths = RowPaths()
            let evaluator = RowEvaluator(schema: nil, nilMeaning: .nullOrAbsent)
            let program = try evaluator.compile(Condition(format: "a > 1"), reading: &paths)
            var frame = program.makeFrame(now: 0)
            var rows = try JSONPathReader(ByteStream(bytes: Array(#"{"a":2,"b":3}"#.utf8)), paths)
            try expectShown(rows.next(), "true")
            try expectShown(rows.holds(program, &frame), "true")
            _ = (paths, evaluator, program, frame, rows)
        }
    }

    static func JSONReader_1() throws {
        do {
            var reader = JSONReader(mode: .extended)
            try expectShown(reader.read(Array(#"{"a":[1,2.0]}"#.utf8)), "{\"a\":[1,2.0]}")
            _ = (reader)
        }
    }

    static func JSONReader_2() throws {
        do {
            try expectShown(QueryValue(json: #"{"$date":0}"#, extended: true), "{\"$date\":\"1970-01-01T00:00:00.000Z\"}")
            expectThrown("json") { try QueryValue(json: "[1,]") }
        }
    }

    static func JSONReader_3() throws {
        do {
            try expectShown(QueryValue(json: Array("[1,2.0]".utf8)), "[1,2.0]")
        }
    }

    static func JSONRowReader_1() throws {
        do {
            let evaluator = RowEvaluator(schema: nil, nilMeaning: .nullOrAbsent)
            var paths = RowPaths()
            let program = try evaluator.compile(Condition(format: "a > 1"), reading: &paths)
            var frame = program.makeFrame(now: 0)
            var reader = JSONRowReader(paths)
            try Array(#"{"a":2,"b":3}"#.utf8).withUnsafeBytes { try reader.read($0) }
            try expectShown(program.holds(reader.row, &frame), "true")
            _ = (evaluator, paths, program, frame, reader)
        }
    }

    static func JSONWriter_1() throws {
        do {
            expectShown(QueryValue.list([1, 2.0]).extendedJSON(.canonical), "[{\"$numberInt\":\"1\"},{\"$numberDouble\":\"2.0\"}]")
        }
    }

    static func JSONWriter_2() throws {
        do {
            expectShown(JSONWriter().text(["a", 1, 2.0]), "[\"a\",1,2.0]")
        }
    }

    static func JSONWriter_3() throws {
        do {
            expectShown(JSONWriter(isPretty: true).text(.object(["a": 1])).contains("\n  \"a\""), "true")
        }
    }

    static func JSONWriter_4() throws {
        do {
            expectShown(JSONWriter().text(.object(["name": "Zoé", "age": nil])), "{\"name\":\"Zoé\",\"age\":null}")
        }
    }

    static func JSONWriter_5() throws {
        do {
            var line: [UInt8] = []
            JSONWriter().write([1, true], to: &line)
            expectShown(String(decoding: line, as: UTF8.self), "[1,true]")
            _ = (line)
        }
    }

    static func JSONWriter_6() throws {
        do {
            let city: Document = ["name": "Boston", "population": 653_833]
            expectShown(city.json, "{\"name\":\"Boston\",\"population\":653833}")
            _ = (city)
        }
    }

    static func JSONWriter_7() throws {
        do {
            expectShown(QueryValue.list([1, 2.0]).json, "[1,2.0]")
        }
    }

    static func JSONWriter_8() throws {
        do {
            expectShown(QueryValue.date(0).extendedJSON(.canonical), "{\"$date\":{\"$numberLong\":\"0\"}}")
        }
    }

    static func JSONWriter_9() throws {
        do {
            print(QueryValue.list([1, "a"]))  // [1,"a"]
        }
    }

    static func JSONWriter_10() throws {
        do {
            let ann: Document = ["name": "Ann", "age": 34]
            print(ann)  // {"name":"Ann","age":34}
            _ = (ann)
        }
    }

    static func NDJSONReader_1() throws {
        do {
            var lines = NDJSONReader(ByteStream(bytes: Array("1\n2\n".utf8)))
            var reader = JSONReader()
            try expectShown(lines.next { (line, _) throws(QueryError) in try reader.read(line) }, "1")
            _ = (lines, reader)
        }
    }

    static func RowPaths_1() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let evaluator = RowEvaluator(schema: nil, nilMeaning: .nullOrAbsent)
            var paths = RowPaths()
            let program = try evaluator.compile(query.condition, reading: &paths)
            _ = (evaluator, paths, program)
        }
    }

    static func Folding_Classes_1() throws {
        do {
            expectShown(Folding.equivalents(of: "k", .caseInsensitive).count, "3")
        }
    }

    static func LikePattern_1() throws {
        do {
            let pattern = try LikePattern("B?st*")
            expectShown(pattern.matches("Boston"), "true")
            _ = (pattern)
        }
    }

    static func LikePattern_2() throws {
        do {
            try expectShown(LikePattern("a*").pieces.count, "2")
        }
    }

    static func LikePattern_3() throws {
        do {
            try expectShown(LikePattern("zoe*", options: [.caseInsensitive, .diacriticInsensitive]).matches("Zoé Ray"), "true")
            expectThrown("pattern") { try LikePattern("a\\") }
        }
    }

    static func LikePattern_4() throws {
        do {
            try expectShown(LikePattern("B*").matches("a Boston"), "false")
        }
    }

    static func RegexPattern_1() throws {
        do {
            let pattern = try RegexPattern("foo|foobar")
            try expectShown(pattern.matches("foobar"), "true")
            _ = (pattern)
        }
    }

#if PCRE2
    static func RegexPattern_2() throws {
        do {
            try expectShown(RegexPattern("[a-z]+", options: .caseInsensitive).matches("Boston"), "true")
            expectThrown("pattern") { try RegexPattern("[a-z") }
        }
    }
#endif

#if PCRE2
    static func RegexPattern_3() throws {
        do {
            try expectShown(RegexPattern("[0-9]{5}").matches("zip 02134"), "false")
        }
    }
#endif

    static func StringOptions_1() throws {
        do {
            let folding: StringOptions = [.caseInsensitive, .diacriticInsensitive]
            expectShown(Field("name").hasPrefix("jo", folding), "name BEGINSWITH[cd] \"jo\"")
            _ = (folding)
        }
    }

    static func StringOptions_2() throws {
        do {
            let options: StringOptions = [.diacriticInsensitive, .caseInsensitive]
            expectShown(options.text, "cd")
            _ = (options)
        }
    }

    static func DecimalText_1() throws {
        do {
            expectShown(DecimalText.value(of: "1.5E+1"), "15")
        }
    }

    static func Document_1() throws {
        do {
            let shape = Shape(keys: ["name", "population"])
            let boston = Document(shape: shape, values: ["Boston", 653_833])
            let salem = Document(shape: shape, values: ["Salem", 44_480])
            expectShown(boston.shape === salem.shape, "true")
            _ = (shape, boston, salem)
        }
    }

    static func Document_2() throws {
        do {
            expectShown(Shape(keys: ["name", "population"]).keys, "[\"name\", \"population\"]")
        }
    }

    static func Document_3() throws {
        do {
            expectShown(Shape(keys: ["name", "population"]).slot(of: "population"), "1")
        }
    }

    static func Document_4() throws {
        do {
            var city: Document = ["name": "Boston", "population": 653_833]
            city["state"] = "MA"
            expectShown(city["name"], "\"Boston\"")
            expectShown(city, "{\"name\":\"Boston\",\"population\":653833,\"state\":\"MA\"}")
            _ = (city)
        }
    }

    static func Document_5() throws {
        do {
            expectShown(Document().isEmpty, "true")
        }
    }

    static func Document_6() throws {
        do {
            let shape = Shape(keys: ["name", "population"])
            expectShown(Document(shape: shape, values: ["Boston", 653_833]), "{\"name\":\"Boston\",\"population\":653833}")
            _ = (shape)
        }
    }

    static func Document_7() throws {
        do {
            let city: Document = ["name": "Boston", "population": 653_833]
            expectShown(city.pairs.map { "\($0)=\($1.json)" }, "[\"name=\\\"Boston\\\"\", \"population=653833\"]")
            _ = (city)
        }
    }

    static func Document_8() throws {
        do {
            var city: Document = ["name": "Boston", "population": 653_833]
            city["population"] = nil
            expectShown(city["population"] == nil, "true")
            _ = (city)
        }
    }

    static func Document_9() throws {
        do {
            expectShown(Document(pairs: [("name", "Boston"), ("population", 653_833)]), "{\"name\":\"Boston\",\"population\":653833}")
        }
    }

    static func QueryValue_Equality_1() throws {
        do {
            expectShown(QueryValue.int(1).isEqual(to: .double(1)), "true")
            expectShown(QueryValue.int(1).isEqual(to: "1"), "false")
        }
    }

    static func QueryValue_Ordering_1() throws {
        do {
            expectShown(QueryValue.int(1).order(relativeTo: 2.5) == .ascending, "true")
        }
    }

    static func QueryValue_Ordering_2() throws {
        do {
            expectShown(QueryValue.int(1).order(relativeTo: 2.5), "ascending")
            expectShown(QueryValue.int(1).order(relativeTo: "2"), "nil")
        }
    }

    static func QueryValue_Ordering_3() throws {
        do {
            let values: [QueryValue] = ["b", 3, nil, "A", 2.5]
            expectShown(values.sorted { $0.sortOrder(relativeTo: $1) == .ascending }, "[null, 2.5, 3, \"A\", \"b\"]")
            _ = (values)
        }
    }

    static func QueryValue_1() throws {
        do {
            let value: QueryValue = ["red", 3, nil]
            expectShown(value.json, "[\"red\",3,null]")
            _ = (value)
        }
    }

    static func QueryValue_2() throws {
        do {
            expectShown(QueryValue.double(2.5).kind == QueryValue.int(2).kind, "true")
        }
    }

    static func QueryValue_3() throws {
        do {
            let boston = GeoShape.circle(longitude: -71.06, latitude: 42.36, radius: 20_000)
            try expectShown(Query(format: "geoWithin(place, %@)", boston).matches(["place": [-71.1, 42.37]]), "true")
            _ = (boston)
        }
    }

    static func QueryValue_4() throws {
        do {
            let corners = [(0.0, 0.0), (4.0, 0.0), (0.0, 4.0)].map { GeoPoint(longitude: $0.0, latitude: $0.1) }
            try expectShown(Query(format: "geoWithin(place, %@)", GeoShape.polygon(corners)).matches(["place": [1, 1]]), "true")
            _ = (corners)
        }
    }

    static func QueryValue_5() throws {
        do {
            expectShown(GeoPoint(longitude: -71.06, latitude: 42.36).latitude, "42.36")
        }
    }

    static func QueryValue_6() throws {
        do {
            expectShown(QueryValue.double(2.5).kind, "number")
        }
    }

    static func QueryValue_7() throws {
        do {
            expectShown(QueryValue.double(.nan).isNaN, "true")
        }
    }

    static func QueryValue_8() throws {
        do {
            expectShown(QueryValue.null.isNull, "true")
        }
    }
}
