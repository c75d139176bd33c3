// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryBatch

enum QueryValuesExamples {
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
            try expectShown(Condition(format: "age > 21").origin == Origin.none, "true")
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
            expectShown(QueryError(.unknownField, "no field agee").category, "caller")
            expectShown(QueryError(.store, "the disk is full").category.httpStatus, "500")
        }
    }

    static func QueryError_7() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            expectShown(QueryError(.tooMuchWork, "the query took too long").category.httpStatus, "400")
        }
    }

    static func JSONReader_1() throws {
        do {
            try expectShown(QueryValue(json: #"{"$date":0}"#, extended: true), "{\"$date\":\"1970-01-01T00:00:00.000Z\"}")
            expectThrown("json") { try QueryValue(json: "[1,]") }
        }
    }

    static func JSONReader_2() throws {
        do {
            try expectShown(QueryValue(json: Array("[1,2.0]".utf8)), "[1,2.0]")
        }
    }

    static func JSONWriter_1() throws {
        do {
            expectShown(QueryValue.list([1, 2.0]).extendedJSON(.canonical), "[{\"$numberInt\":\"1\"},{\"$numberDouble\":\"2.0\"}]")
        }
    }

    static func JSONWriter_2() throws {
        do {
            let city: Document = ["name": "Boston", "population": 653_833]
            expectShown(city.json, "{\"name\":\"Boston\",\"population\":653833}")
            _ = (city)
        }
    }

    static func JSONWriter_3() throws {
        do {
            expectShown(QueryValue.list([1, 2.0]).json, "[1,2.0]")
        }
    }

    static func JSONWriter_4() throws {
        do {
            expectShown(QueryValue.date(0).extendedJSON(.canonical), "{\"$date\":{\"$numberLong\":\"0\"}}")
        }
    }

    static func JSONWriter_5() throws {
        do {
            print(QueryValue.list([1, "a"]))  // [1,"a"]
        }
    }

    static func JSONWriter_6() throws {
        do {
            let ann: Document = ["name": "Ann", "age": 34]
            print(ann)  // {"name":"Ann","age":34}
            _ = (ann)
        }
    }

    static func StringOptions_1() throws {
        do {
            let folding: StringOptions = [.caseInsensitive, .diacriticInsensitive]
            expectShown(Field("name").hasPrefix("jo", folding), "name BEGINSWITH[cd] \"jo\"")
            _ = (folding)
        }
    }

    static func Document_1() throws {
        do {
            var city: Document = ["name": "Boston", "population": 653_833]
            city["state"] = "MA"
            expectShown(city["name"], "\"Boston\"")
            expectShown(city, "{\"name\":\"Boston\",\"population\":653833,\"state\":\"MA\"}")
            _ = (city)
        }
    }

    static func Document_2() throws {
        do {
            expectShown(Document().isEmpty, "true")
        }
    }

    static func Document_3() throws {
        do {
            let city: Document = ["name": "Boston", "population": 653_833]
            expectShown(city.pairs.map { "\($0)=\($1.json)" }, "[\"name=\\\"Boston\\\"\", \"population=653833\"]")
            _ = (city)
        }
    }

    static func Document_4() throws {
        do {
            var city: Document = ["name": "Boston", "population": 653_833]
            city["population"] = nil
            expectShown(city["population"] == nil, "true")
            _ = (city)
        }
    }

    static func Document_5() throws {
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
            expectShown(QueryValue.null.isNull, "true")
        }
    }
}
