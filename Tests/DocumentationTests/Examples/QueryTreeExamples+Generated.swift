// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite

enum QueryTreeExamples: SourceExamples {
    static var examples: (run: [Example], leftOut: [(place: String, reason: String)]) {
        var all: [Example] = []
        var leftOut: [(place: String, reason: String)] = []
        (all, leftOut) = ([], [])
        all.append(Example("Field+Arithmetic.swift: func raised", Field_Arithmetic_1))
        all.append(Example("Field+Collections.swift: var count", Field_Collections_1))
        all.append(Example("Field+Collections.swift: func sum", Field_Collections_2))
        all.append(Example("Field+Collections.swift: func average", Field_Collections_3))
        all.append(Example("Field+Collections.swift: func min", Field_Collections_4))
        all.append(Example("Field+Collections.swift: func max", Field_Collections_5))
        all.append(Example("Field+Collections.swift: func unionOfObjects", Field_Collections_6))
        all.append(Example("Field+Collections.swift: func distinctUnionOfObjects", Field_Collections_7))
        all.append(Example("Field+Collections.swift: func unionOfArrays", Field_Collections_8))
        all.append(Example("Field+Collections.swift: func distinctUnionOfArrays", Field_Collections_9))
        all.append(Example("Field+Collections.swift: func distinctUnionOfSets", Field_Collections_10))
        all.append(Example("Field+Collections.swift: func union", Field_Collections_11))
        all.append(Example("Field+Collections.swift: func intersection", Field_Collections_12))
        all.append(Example("Field+Collections.swift: func subtracting", Field_Collections_13))
        all.append(Example("Field+Collections.swift: func filter", Field_Collections_14))
        all.append(Example("Field+Comparing.swift: protocol FieldComparing", Field_Comparing_1))
        all.append(Example("Field+Comparing.swift: func comparing", Field_Comparing_2))
        all.append(Example("Field+Comparing.swift: var any", Field_Comparing_3))
        all.append(Example("Field+Comparing.swift: var all", Field_Comparing_4))
        all.append(Example("Field+Comparing.swift: var none", Field_Comparing_5))
        all.append(Example("Field+Comparing.swift: struct FieldElements", Field_Comparing_6))
        all.append(Example("Field+Comparing.swift: func comparing", Field_Comparing_7))
        all.append(Example("Field+Comparing.swift: func isEqual", Field_Comparing_8))
        all.append(Example("Field+Comparing.swift: func isNotEqual", Field_Comparing_9))
        all.append(Example("Field+Comparing.swift: func hasPrefix", Field_Comparing_10))
        all.append(Example("Field+Comparing.swift: func hasSuffix", Field_Comparing_11))
        all.append(Example("Field+Comparing.swift: func contains", Field_Comparing_12))
        all.append(Example("Field+Comparing.swift: func `in`", Field_Comparing_13))
        all.append(Example("Field+Comparing.swift: func `in`", Field_Comparing_14))
        all.append(Example("Field+Comparing.swift: func `in`", Field_Comparing_15))
        all.append(Example("Field+Comparing.swift: func like", Field_Comparing_16))
        all.append(Example("Field+Comparing.swift: func matches", Field_Comparing_17))
        all.append(Example("Field+Comparing.swift: func isBetween", Field_Comparing_18))
        all.append(Example("Field+Comparing.swift: func isBetween", Field_Comparing_19))
        all.append(Example("Field+Comparing.swift: func isWithin", Field_Comparing_20))
        all.append(Example("Field+Functions.swift: func modulus", Field_Functions_1))
        all.append(Example("Field+Functions.swift: var squareRoot", Field_Functions_2))
        all.append(Example("Field+Functions.swift: var log", Field_Functions_3))
        all.append(Example("Field+Functions.swift: var ln", Field_Functions_4))
        all.append(Example("Field+Functions.swift: var exp", Field_Functions_5))
        all.append(Example("Field+Functions.swift: var floor", Field_Functions_6))
        all.append(Example("Field+Functions.swift: var ceiling", Field_Functions_7))
        all.append(Example("Field+Functions.swift: var absolute", Field_Functions_8))
        all.append(Example("Field+Functions.swift: var truncated", Field_Functions_9))
        all.append(Example("Field+Functions.swift: var random", Field_Functions_10))
        all.append(Example("Field+Functions.swift: func random", Field_Functions_11))
        all.append(Example("Field+Functions.swift: var uppercased", Field_Functions_12))
        all.append(Example("Field+Functions.swift: var lowercased", Field_Functions_13))
        all.append(Example("Field+Functions.swift: var length", Field_Functions_14))
        all.append(Example("Field+Functions.swift: var now", Field_Functions_15))
        all.append(Example("Field+Functions.swift: var noindex", Field_Functions_16))
        all.append(Example("Field+Functions.swift: func cast", Field_Functions_17))
        all.append(Example("Field+Functions.swift: func distance", Field_Functions_18))
        all.append(Example("Field+Functions.swift: var median", Field_Functions_19))
        all.append(Example("Field+Functions.swift: var mode", Field_Functions_20))
        all.append(Example("Field+Functions.swift: var standardDeviation", Field_Functions_21))
        all.append(Example("Field+Functions.swift: func sum", Field_Functions_22))
        all.append(Example("Field+Functions.swift: func count", Field_Functions_23))
        all.append(Example("Field+Functions.swift: func min", Field_Functions_24))
        all.append(Example("Field+Functions.swift: func max", Field_Functions_25))
        all.append(Example("Field+Functions.swift: func average", Field_Functions_26))
        all.append(Example("Field.swift: struct Field", Field_1))
        all.append(Example("Field.swift: init", Field_2))
        all.append(Example("Field.swift: init", Field_3))
        all.append(Example("Field.swift: init", Field_4))
        all.append(Example("Field.swift: let itself", Field_5))
        all.append(Example("Field.swift: func value", Field_6))
        all.append(Example("Field.swift: func value", Field_7))
        all.append(Example("Field.swift: func list", Field_8))
        all.append(Example("Field.swift: func variable", Field_9))
        all.append(Example("Field.swift: func conditional", Field_10))
        all.append(Example("Field.swift: subscript", Field_11))
        all.append(Example("Field.swift: subscript", Field_12))
        all.append(Example("Field.swift: subscript", Field_13))
        all.append(Example("Field.swift: subscript", Field_14))
        all.append(Example("Field.swift: var first", Field_15))
        all.append(Example("Field.swift: var last", Field_16))
        all.append(Example("Field.swift: var size", Field_17))
        all.append(Example("Condition+Format.swift: var format", Condition_Format_1))
        all.append(Example("Condition+Format.swift: var arguments", Condition_Format_2))
        all.append(Example("Condition+Format.swift: var format", Condition_Format_3))
        all.append(Example("Condition+Format.swift: var arguments", Condition_Format_4))
        all.append(Example("Condition+Format.swift: var description", Condition_Format_5))
        all.append(Example("Condition+Format.swift: var description", Condition_Format_6))
        all.append(Example("QueryError+Rendering.swift: func rendered", QueryError_Rendering_1))
        leftOut.append(("QueryError+Rendering.swift: func rendered", "a fence of text, no Swift"))
        all.append(Example("QueryError+Rendering.swift: var description", QueryError_Rendering_2))
        all.append(Example("QueryError+Rendering.swift: var errorDescription", QueryError_Rendering_3))
        all.append(Example("QueryError+Rendering.swift: var recoverySuggestion", QueryError_Rendering_4))
        all.append(Example("QueryError+Rendering.swift: func applied", QueryError_Rendering_5))
        all.append(Example("TreeDot.swift: var treeDot", TreeDot_1))
        all.append(Example("TreeDump.swift: var treeDump", TreeDump_1))
        all.append(Example("TreeDump.swift: var treeDump", TreeDump_2))
        all.append(Example("Schema+JSON.swift: init", Schema_JSON_1))
        all.append(Example("Schema+JSON.swift: init", Schema_JSON_2))
        all.append(Example("Schema+JSONWriting.swift: var jsonSchema", Schema_JSONWriting_1))
        all.append(Example("Schema+Recording.swift: init", Schema_Recording_1))
        all.append(Example("Schema.swift: struct Schema", Schema_1))
        all.append(Example("Schema.swift: init", Schema_2))
        all.append(Example("Schema.swift: struct Field", Schema_3))
        all.append(Example("Schema.swift: func field", Schema_4))
        all.append(Example("Schema.swift: struct Relation", Schema_5))
        all.append(Example("Schema.swift: init", Schema_6))
        all.append(Example("Schema.swift: func field", Schema_7))
        all.append(Example("Schema.swift: enum FieldType", Schema_8))
        all.append(Example("Schema.swift: enum DateEncoding", Schema_9))
        all.append(Example("Aggregate.swift: enum Aggregate", Aggregate_1))
        all.append(Example("Aggregate.swift: enum PathRule", Aggregate_2))
        all.append(Example("Aggregate.swift: enum CastTarget", Aggregate_3))
        all.append(Example("ArithmeticOperator.swift: enum ArithmeticOperator", ArithmeticOperator_1))
        all.append(Example("ArithmeticOperator.swift: enum Precedence", ArithmeticOperator_2))
        all.append(Example("Comparison+Operator.swift: enum Operator", Comparison_Operator_1))
        all.append(Example("Comparison+Operator.swift: enum Quantifier", Comparison_Operator_2))
        all.append(Example("Comparison+Operator.swift: enum Operands", Comparison_Operator_3))
        all.append(Example("Comparison+Operator.swift: let table", Comparison_Operator_4))
        all.append(Example("Comparison+Operator.swift: var entry", Comparison_Operator_5))
        all.append(Example("Comparison+Operator.swift: var spelling", Comparison_Operator_6))
        all.append(Example("Comparison+Operator.swift: enum LogicalWord", Comparison_Operator_7))
        all.append(Example("Comparison+Operator.swift: enum ReservedWord", Comparison_Operator_8))
        all.append(Example("Function+Catalogue.swift: let table", Function_Catalogue_1))
        all.append(Example("Function.swift: enum Function", Function_1))
        all.append(Example("Function.swift: struct FunctionEntry", Function_2))
        all.append(Example("Function.swift: enum Node", Function_3))
        all.append(Example("Function.swift: enum Argument", Function_4))
        all.append(Example("Function.swift: enum Result", Function_5))
        all.append(Example("Function.swift: var entry", Function_6))
        all.append(Example("Function.swift: func named", Function_7))
        all.append(Example("Assumption.swift: enum Assumption", Assumption_1))
        all.append(Example("Assumption.swift: enum DateForm", Assumption_2))
        all.append(Example("Condition+Binding.swift: func binding", Condition_Binding_1))
        all.append(Example("Condition+Binding.swift: var freeVariables", Condition_Binding_2))
        all.append(Example("Condition.swift: enum Condition", Condition_1))
        all.append(Example("Condition.swift: struct Comparison", Condition_2))
        all.append(Example("Condition.swift: init", Condition_3))
        all.append(Example("Document+Decoding.swift: func decode", Document_Decoding_1))
        all.append(Example("Document+Encoding.swift: init", Document_Encoding_1))
        all.append(Example("FieldPath.swift: struct FieldPath", FieldPath_1))
        all.append(Example("FieldPath.swift: init", FieldPath_2))
        all.append(Example("FieldPath.swift: init", FieldPath_3))
        all.append(Example("FieldPath.swift: struct Variable", FieldPath_4))
        all.append(Example("FieldPath.swift: init", FieldPath_5))
        all.append(Example("GeoPoint+Codable.swift: init", GeoPoint_Codable_1))
        all.append(Example("GeoPoint+Codable.swift: func encode", GeoPoint_Codable_2))
        all.append(Example("GroupKey.swift: struct GroupKey", GroupKey_1))
        all.append(Example("GroupKey.swift: init", GroupKey_2))
        all.append(Example("GroupKey.swift: init", GroupKey_3))
        all.append(Example("GroupKey.swift: init", GroupKey_4))
        all.append(Example("GroupKey.swift: var path", GroupKey_5))
        all.append(Example("GroupKey.swift: var name", GroupKey_6))
        all.append(Example("GroupKey.swift: var description", GroupKey_7))
        all.append(Example("Grouping.swift: struct Grouping", Grouping_1))
        all.append(Example("Grouping.swift: init", Grouping_2))
        all.append(Example("Grouping.swift: func grouped", Grouping_3))
        all.append(Example("Grouping.swift: func grouped", Grouping_4))
        all.append(Example("Grouping.swift: func name", Grouping_5))
        all.append(Example("Grouping.swift: var resultNames", Grouping_6))
        all.append(Example("Grouping.swift: func validate", Grouping_7))
        all.append(Example("Query.swift: struct Query", Query_1))
        all.append(Example("Query.swift: init", Query_2))
        all.append(Example("Query.swift: init", Query_3))
        all.append(Example("Query.swift: func validatePipeline", Query_4))
        all.append(Example("QueryTermConvertible.swift: protocol QueryTermConvertible", QueryTermConvertible_1))
        all.append(Example("QueryValueConvertible.swift: protocol QueryValueConvertible", QueryValueConvertible_1))
        all.append(Example("QueryValueConvertible.swift: init", QueryValueConvertible_2))
        all.append(Example("Reducer.swift: struct Reducer", Reducer_1))
        all.append(Example("Reducer.swift: enum Operation", Reducer_2))
        all.append(Example("Reducer.swift: init", Reducer_3))
        all.append(Example("Reducer.swift: func sum", Reducer_4))
        all.append(Example("Reducer.swift: func average", Reducer_5))
        all.append(Example("Reducer.swift: func min", Reducer_6))
        all.append(Example("Reducer.swift: func max", Reducer_7))
        all.append(Example("Reducer.swift: func countDistinct", Reducer_8))
        all.append(Example("Reducer.swift: func distinct", Reducer_9))
        all.append(Example("Reducer.swift: func median", Reducer_10))
        all.append(Example("Reducer.swift: func first", Reducer_11))
        all.append(Example("Reducer.swift: func last", Reducer_12))
        all.append(Example("Reducer.swift: func custom", Reducer_13))
        all.append(Example("Reducer.swift: func `as`", Reducer_14))
        all.append(Example("Reducer.swift: struct CustomReduction", Reducer_15))
        all.append(Example("Reducer.swift: func operation", Reducer_16))
        all.append(Example("SortKey.swift: struct SortKey", SortKey_1))
        all.append(Example("SortKey.swift: init", SortKey_2))
        all.append(Example("SortKey.swift: func ascending", SortKey_3))
        all.append(Example("SortKey.swift: func descending", SortKey_4))
        all.append(Example("SortKey.swift: enum NilMeaning", SortKey_5))
        all.append(Example("Term.swift: enum Term", Term_1))
        all.append(Example("Term.swift: enum PathStep", Term_2))
        all.append(Example("Term.swift: enum Index", Term_3))
        all.append(Example("Term.swift: struct Arithmetic", Term_4))
        all.append(Example("Term.swift: struct Link", Term_5))
        all.append(Example("Term.swift: init", Term_6))
        all.append(Example("Term.swift: init", Term_7))
        all.append(Example("Term.swift: struct Subquery", Term_8))
        all.append(Example("Term.swift: init", Term_9))
        all.append(Example("Term.swift: var origin", Term_10))
        all.append(Example("Term.swift: func constant", Term_11))
        all.append(Example("Term.swift: var constantValue", Term_12))
        return (all, leftOut)
    }

    static func Field_Arithmetic_1() throws {
        do {
            expectShown(Field("side").raised(to: 2) > 100, "side ** 2 > 100")
        }
    }

    static func Field_Collections_1() throws {
        do {
            expectShown(Field("orders").count > 2, "orders.@count > 2")
        }
    }

    static func Field_Collections_2() throws {
        do {
            expectShown(Field("orders").sum("amount") > 100, "orders.@sum.amount > 100")
        }
    }

    static func Field_Collections_3() throws {
        do {
            expectShown(Field("orders").average("amount") > 10, "orders.@avg.amount > 10")
        }
    }

    static func Field_Collections_4() throws {
        do {
            expectShown(Field("scores").min() > 3, "scores.@min.#self > 3")
        }
    }

    static func Field_Collections_5() throws {
        do {
            expectShown(Field("orders").max("amount") > 100, "orders.@max.amount > 100")
        }
    }

    static func Field_Collections_6() throws {
        do {
            expectShown(Field("orders").unionOfObjects("name").contains("chair"), "orders.@unionOfObjects.name CONTAINS \"chair\"")
        }
    }

    static func Field_Collections_7() throws {
        do {
            expectShown(Field("orders").distinctUnionOfObjects("name").count > 3, "orders.@distinctUnionOfObjects.name.@count > 3")
        }
    }

    static func Field_Collections_8() throws {
        do {
            expectShown(Field("orders").unionOfArrays("tags").contains("gift"), "orders.@unionOfArrays.tags CONTAINS \"gift\"")
        }
    }

    static func Field_Collections_9() throws {
        do {
            expectShown(Field("orders").distinctUnionOfArrays("tags").count > 3, "orders.@distinctUnionOfArrays.tags.@count > 3")
        }
    }

    static func Field_Collections_10() throws {
        do {
            expectShown(Field("orders").distinctUnionOfSets("tags").count > 3, "orders.@distinctUnionOfSets.tags.@count > 3")
        }
    }

    static func Field_Collections_11() throws {
        do {
            expectShown(Field("a").union(Field("b")).contains(3), "a UNION b CONTAINS 3")
        }
    }

    static func Field_Collections_12() throws {
        do {
            expectShown(Field("tags").intersection(["red", "blue"]).count > 0, "(tags INTERSECT {\"red\", \"blue\"}).@count > 0")
        }
    }

    static func Field_Collections_13() throws {
        do {
            expectShown(Field("tags").subtracting(["red", "blue"]).count == 0, "(tags MINUS {\"red\", \"blue\"}).@count == 0")
        }
    }

    static func Field_Collections_14() throws {
        do {
            expectShown(Field("orders").filter { $0["amount"] > 100 && $0["qty"] >= 5 }.count >= 2, "SUBQUERY(orders, $x, $x.amount > 100 AND $x.qty >= 5).@count >= 2")
        }
    }

    static func Field_Comparing_1() throws {
        do {
            func isLarge(_ value: some FieldComparing) -> Condition { value.comparing(.greater, 100, []) }
            expectShown(isLarge(Field("price")), "price > 100")
            expectShown(isLarge(Field("prices").any), "ANY prices > 100")
        }
    }

    static func Field_Comparing_2() throws {
        do {
            expectShown(Field("name").comparing(.lessOrEqual, "M", .caseInsensitive), "name <=[c] \"M\"")
        }
    }

    static func Field_Comparing_3() throws {
        do {
            expectShown(Field("tags").any == "red", "ANY tags == \"red\"")
        }
    }

    static func Field_Comparing_4() throws {
        do {
            expectShown(Field("scores").all > 5, "ALL scores > 5")
        }
    }

    static func Field_Comparing_5() throws {
        do {
            expectShown(Field("scores").none > 5, "NOT ANY scores > 5")
        }
    }

    static func Field_Comparing_6() throws {
        do {
            expectShown(Field("tags").any.hasPrefix("r"), "ANY tags BEGINSWITH \"r\"")
        }
    }

    static func Field_Comparing_7() throws {
        do {
            expectShown(Field("tags").all.comparing(.like, "r*", .caseInsensitive), "ALL tags LIKE[c] \"r*\"")
        }
    }

    static func Field_Comparing_8() throws {
        do {
            expectShown(Field("name").isEqual(to: "jo", .caseInsensitive), "name ==[c] \"jo\"")
        }
    }

    static func Field_Comparing_9() throws {
        do {
            expectShown(Field("name").isNotEqual(to: "jo", .caseInsensitive), "name !=[c] \"jo\"")
        }
    }

    static func Field_Comparing_10() throws {
        do {
            expectShown(Field("name").hasPrefix("jo", .caseInsensitive), "name BEGINSWITH[c] \"jo\"")
        }
    }

    static func Field_Comparing_11() throws {
        do {
            expectShown(Field("name").hasSuffix("ton"), "name ENDSWITH \"ton\"")
        }
    }

    static func Field_Comparing_12() throws {
        do {
            expectShown(Field("tags").contains("red"), "tags CONTAINS \"red\"")
        }
    }

    static func Field_Comparing_13() throws {
        do {
            expectShown(Field("state").in(["MA", "NY"]), "state IN {\"MA\", \"NY\"}")
        }
    }

    static func Field_Comparing_14() throws {
        do {
            expectShown(Field("state").in(["MA", 3, nil]), "state IN {\"MA\", 3, nil}")
        }
    }

    static func Field_Comparing_15() throws {
        do {
            enum Level: String { case low, high }
            expectShown(Field("level").in([Level.low, .high]), "level IN {\"low\", \"high\"}")
        }
    }

    static func Field_Comparing_16() throws {
        do {
            expectShown(Field("name").like("B?st*", .caseInsensitive), "name LIKE[c] \"B?st*\"")
        }
    }

    static func Field_Comparing_17() throws {
        do {
            expectShown(Field("zip").matches("[0-9]{5}"), "zip MATCHES \"[0-9]{5}\"")
        }
    }

    static func Field_Comparing_18() throws {
        do {
            expectShown(Field("age").isBetween(18, and: 65), "age BETWEEN {18, 65}")
        }
    }

    static func Field_Comparing_19() throws {
        do {
            expectShown(Field("age").isBetween(18...65), "age BETWEEN {18, 65}")
        }
    }

    static func Field_Comparing_20() throws {
        do {
            expectShown(Field("location").isWithin(.circle(longitude: -71, latitude: 42, radius: 1000)), "geoWithin(location, %@)")
        }
    }

    static func Field_Functions_1() throws {
        do {
            expectShown(Field("age").modulus(by: 2) == 0, "modulus:by:(age, 2) == 0")
        }
    }

    static func Field_Functions_2() throws {
        do {
            expectShown(Field("area").squareRoot > 3, "sqrt:(area) > 3")
        }
    }

    static func Field_Functions_3() throws {
        do {
            expectShown(Field("a").log > 3, "log:(a) > 3")
        }
    }

    static func Field_Functions_4() throws {
        do {
            expectShown(Field("a").ln > 3, "ln:(a) > 3")
        }
    }

    static func Field_Functions_5() throws {
        do {
            expectShown(Field("a").exp > 3, "exp:(a) > 3")
        }
    }

    static func Field_Functions_6() throws {
        do {
            expectShown(Field("price").floor == 3, "floor:(price) == 3")
        }
    }

    static func Field_Functions_7() throws {
        do {
            expectShown(Field("price").ceiling == 3, "ceiling:(price) == 3")
        }
    }

    static func Field_Functions_8() throws {
        do {
            expectShown(Field("change").absolute > 3, "abs:(change) > 3")
        }
    }

    static func Field_Functions_9() throws {
        do {
            expectShown(Field("price").truncated == 3, "trunc:(price) == 3")
        }
    }

    static func Field_Functions_10() throws {
        do {
            expectShown(Field.random < 0.1, "random() < 0.1")
        }
    }

    static func Field_Functions_11() throws {
        do {
            expectShown(Field.random(below: 6) == 0, "randomn:(6) == 0")
        }
    }

    static func Field_Functions_12() throws {
        do {
            expectShown(Field("name").uppercased == "ANN", "uppercase:(name) == \"ANN\"")
        }
    }

    static func Field_Functions_13() throws {
        do {
            expectShown(Field("name").lowercased == "ann", "lowercase:(name) == \"ann\"")
        }
    }

    static func Field_Functions_14() throws {
        do {
            expectShown(Field("name").length > 3, "length:(name) > 3")
        }
    }

    static func Field_Functions_15() throws {
        do {
            expectShown(Field("joined") < Field.now, "joined < now()")
        }
    }

    static func Field_Functions_16() throws {
        do {
            expectShown(Field("name").noindex == "Ann", "noindex:(name) == \"Ann\"")
        }
    }

    static func Field_Functions_17() throws {
        do {
            expectShown(Field("zip").cast(to: .number) > 2000, "CAST(zip, \"NSNumber\") > 2000")
        }
    }

    static func Field_Functions_18() throws {
        do {
            expectShown(Field.distance(to: Field("home"), from: Field("work")) < 1000, "distanceToLocation:fromLocation:(home, work) < 1000")
        }
    }

    static func Field_Functions_19() throws {
        do {
            expectShown(Field("scores").median > 3, "median:(scores) > 3")
        }
    }

    static func Field_Functions_20() throws {
        do {
            expectShown(Field("scores").mode.contains(3), "mode:(scores) CONTAINS 3")
        }
    }

    static func Field_Functions_21() throws {
        do {
            expectShown(Field("scores").standardDeviation < 1, "stddev:(scores) < 1")
        }
    }

    static func Field_Functions_22() throws {
        do {
            expectShown(Field.sum(of: [Field("a"), Field("b")]) > 3, "sum:({a, b}) > 3")
        }
    }

    static func Field_Functions_23() throws {
        do {
            expectShown(Field.count(of: Field("tags")) > 3, "count:(tags) > 3")
        }
    }

    static func Field_Functions_24() throws {
        do {
            expectShown(Field.min(of: [Field("a"), Field("b")]) > 3, "min:({a, b}) > 3")
        }
    }

    static func Field_Functions_25() throws {
        do {
            expectShown(Field.max(of: [Field("a"), Field("b")]) > 3, "max:({a, b}) > 3")
        }
    }

    static func Field_Functions_26() throws {
        do {
            expectShown(Field.average(of: [Field("a"), Field("b")]) > 3, "average:({a, b}) > 3")
        }
    }

    static func Field_1() throws {
        let people = ExampleWorld.people; _ = people
        do {
            let grown = Field("age") > 21 && Field("name").hasPrefix("jo", .caseInsensitive)
            expectShown(grown.format, "age > 21 AND name BEGINSWITH[c] \"jo\"")
            try expectShown(Query(grown, order: ["name"]).count(in: people), "1")
            _ = (grown)
        }
    }

    static func Field_2() throws {
        do {
            let count = Term.aggregate(.count, of: .field("tags", .none), FieldPath(keys: []), .none)
            expectShown(Field(count) > 2, "tags.@count > 2")
            _ = (count)
        }
    }

    static func Field_3() throws {
        do {
            expectShown(Field("address.zip") == "02134", "address.zip == \"02134\"")
            expectShown(Field("orders.@sum.amount") > 100, "orders.@sum.amount > 100")
        }
    }

    static func Field_4() throws {
        do {
            expectShown(Field(FieldPath(keys: ["zip.code"])) == "02134", "zip\\u002ecode == \"02134\"")
        }
    }

    static func Field_5() throws {
        do {
            expectShown(Field.itself.hasPrefix("b"), "SELF BEGINSWITH \"b\"")
        }
    }

    static func Field_6() throws {
        do {
            expectShown(Field.value(12).in(Field("scores")), "12 IN scores")
        }
    }

    static func Field_7() throws {
        do {
            expectShown(Field.value(["MA", "NY"]).contains(Field("state")), "{\"MA\", \"NY\"} CONTAINS state")
        }
    }

    static func Field_8() throws {
        do {
            expectShown(Field("home").in(Field.list(Field("city"), Field("birthplace"), "Boston")), "home IN {city, birthplace, \"Boston\"}")
        }
    }

    static func Field_9() throws {
        do {
            expectShown(Field("age") > Field.variable("limit"), "age > $limit")
        }
    }

    static func Field_10() throws {
        do {
            expectShown(Field.conditional(Field("nick") == nil, then: Field("name"), else: Field("nick")) == "Jo", "TERNARY(nick == nil, name, nick) == \"Jo\"")
        }
    }

    static func Field_11() throws {
        do {
            expectShown(Field("address")["zip"] == "02134", "address.zip == \"02134\"")
            expectShown(Field("orders").filter { $0["amount"] > 100 }.count > 0, "SUBQUERY(orders, $x, $x.amount > 100).@count > 0")
        }
    }

    static func Field_12() throws {
        do {
            expectShown(Field("address")[FieldPath(keys: ["zip.code"])] == "02134", "address.zip\\u002ecode == \"02134\"")
        }
    }

    static func Field_13() throws {
        do {
            expectShown(Field("scores")[0] > 5, "scores[0] > 5")
        }
    }

    static func Field_14() throws {
        do {
            expectShown(Field("scores")[Field("turn")] > 5, "scores[turn] > 5")
        }
    }

    static func Field_15() throws {
        do {
            expectShown(Field("scores").first > 5, "scores[FIRST] > 5")
        }
    }

    static func Field_16() throws {
        do {
            expectShown(Field("scores").last > 5, "scores[LAST] > 5")
        }
    }

    static func Field_17() throws {
        do {
            expectShown(Field("scores").size > 5, "scores[SIZE] > 5")
        }
    }

    static func Condition_Format_1() throws {
        do {
            try expectShown(Condition(format: "a = 1 && b BETWEEN{1,2}").format, "a == 1 AND b BETWEEN {1, 2}")
        }
    }

    static func Condition_Format_2() throws {
        do {
            try expectShown(Condition(format: "data == %@", arguments: [.data([1, 2])]).arguments.count, "1")
        }
    }

    static func Condition_Format_3() throws {
        do {
            try expectShown(Query(format: "a = 1 && b = 'x'").format, "a == 1 AND b == \"x\"")
        }
    }

    static func Condition_Format_4() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = try Query(format: "place == %@", arguments: [.object(["lat": 42])])
            expectShown(query.format, "place == %@")
            expectShown(query.arguments, "[{\"lat\":42}]")
            _ = (query)
        }
    }

    static func Condition_Format_5() throws {
        do {
            print(Field("age") >= 18)  // age >= 18
        }
    }

    static func Condition_Format_6() throws {
        do {
            try print(Query(format: "age = 18"))  // age == 18
        }
    }

    static func QueryError_Rendering_1() throws {
        do {
            let error = Query.problems(inFormat: #"name STARTSWITH "a""#)[0]
            expectShown(error.rendered(), "error: there is no operator `STARTSWITH`…fix: name BEGINSWITH \"a\"")
            _ = (error)
        }
    }

    static func QueryError_Rendering_2() throws {
        do {
            let error = Query.problems(inFormat: #"name STARTSWITH "a""#)[0]
            expectShown(String(describing: error) == error.rendered(), "true")
            _ = (error)
        }
    }

    static func QueryError_Rendering_3() throws {
        do {
            expectShown(Query.problems(inFormat: #"name STARTSWITH "a""#)[0].localizedDescription, "there is no operator `STARTSWITH`")
        }
    }

    static func QueryError_Rendering_4() throws {
        do {
            expectShown(Query.problems(inFormat: #"name STARTSWITH "a""#)[0].recoverySuggestion, "did you mean BEGINSWITH?")
        }
    }

    static func QueryError_Rendering_5() throws {
        do {
            let fix = QueryError.Fix(range: 5..<15, replacement: "BEGINSWITH")
            expectShown(fix.applied(to: #"name STARTSWITH "a""#), "name BEGINSWITH \"a\"")
            _ = (fix)
        }
    }

    static func TreeDot_1() throws {
        do {
            try expectShown(Query(format: "a == 1 AND b == 2").treeDot, "digraph query {…")
        }
    }

    static func TreeDump_1() throws {
        do {
            try expectShown(Condition(format: "a == 1 AND b > 2").treeDump, "(and (== a 1) (> b 2))")
        }
    }

    static func TreeDump_2() throws {
        do {
            try expectShown(Query(format: "NOT a == 1").treeDump, "(not (== a 1))")
        }
    }

    static func Schema_JSON_1() throws {
        let schema = ExampleWorld.schema; _ = schema
        do {
            let schema = try Schema(jsonSchema: #"{"type":"object","properties":{"age":{"type":"integer"}}}"#)
            expectShown(schema.field(named: "age")?.type, "int")
            _ = (schema)
        }
    }

    static func Schema_JSON_2() throws {
        do {
            let age: Document = ["age": .object(["type": "integer"])]
            try expectShown(Schema(jsonSchema: .object(["type": "object", "properties": .object(age)])).fields.map(\.name), "[\"age\"]")
            _ = (age)
        }
    }

    static func Schema_JSONWriting_1() throws {
        do {
            expectShown(Schema([.field("age", .int)]).jsonSchema, "{\"type\":\"object\",\"properties\":{\"age\":{\"type\":\"integer\"}}}")
        }
    }

    static func Schema_Recording_1() throws {
        do {
            expectShown(Schema(of: Book.self).fields.map(\.name), "[\"title\", \"year\"]")
            expectShown(Schema(of: Book.self).field(named: "year")?.type, "int")
        }
    }

    static func Schema_1() throws {
        let schema = ExampleWorld.schema; _ = schema
        do {
            let schema = Schema([
                .field("publishDate", .date(.iso8601), storedAs: "date"),
                .field("tags", .list(.string)),
            ])
            try expectShown(Query(format: "ANY tags == 'red'", schema: schema), "ANY tags == \"red\"")
            expectThrown("unknownField") { try Query(format: "tag == 'red'", schema: schema) }
            _ = (schema)
        }
    }

    static func Schema_2() throws {
        let schema = ExampleWorld.schema; _ = schema
        do {
            let schema = Schema([.field("age", .int)], allowsOthers: true)
            try expectShown(Query(format: "age > 21 AND city == 'Boston'", schema: schema), "age > 21 AND city == \"Boston\"")
            _ = (schema)
        }
    }

    static func Schema_3() throws {
        do {
            let field: Schema.Field = .field("joined", .date(.iso8601), storedAs: "join_date")
            expectShown(field.storedName, "join_date")
            _ = (field)
        }
    }

    static func Schema_4() throws {
        let schema = ExampleWorld.schema; _ = schema
        do {
            let schema = Schema([.field("joined", .date(.iso8601), storedAs: "join_date", isOptional: false)])
            try expectShown(Query(format: "joined > now()", schema: schema).sql(.sqlite, from: "people").where, "…\"join_date\"…")
            _ = (schema)
        }
    }

    static func Schema_5() throws {
        let people = ExampleWorld.people; _ = people
        do {
            let order = Schema([.field("amount", .int)])
            let orders = Schema.Relation(table: "orders", foreignKey: "person_id")
            let people = Schema([.field("orders", .list(.object(order)), relation: orders)], primaryKey: ["uid"])
            try expectShown(Query(format: "ANY orders.amount > 100", schema: people).sql(.sqlite, from: "people").where, "\"people\".\"uid\" IN (SELECT \"k1\".\"person_id\" FROM \"orders\" AS \"k1\" WHERE \"k1\".\"amount\" > ?)")
            _ = (order, orders, people)
        }
    }

    static func Schema_6() throws {
        do {
            expectShown(Schema.Relation(table: "orders", foreignKey: "person_id").table, "orders")
        }
    }

    static func Schema_7() throws {
        do {
            expectShown(Schema([.field("age", .int)]).field(named: "age")?.type, "int")
        }
    }

    static func Schema_8() throws {
        do {
            let tags = FieldType.list(.string)
            expectShown(Schema([.field("tags", tags)]).field(named: "tags")?.type == tags, "true")
            _ = (tags)
        }
    }

    static func Schema_9() throws {
        do {
            let seconds = Schema([.field("joined", .date(.epochSeconds))])
            try expectShown(Query(format: "joined > %@", QueryValue.date(5000), schema: seconds).mongo().filter, "{\"joined\":{\"$gt\":5}}")
            _ = (seconds)
        }
    }

    static func Aggregate_1() throws {
        do {
            expectShown(Aggregate.sum.spelling, "@sum")
            try expectShown(Query(format: "orders.@sum.amount > 100").matches(["orders": [["amount": 70], ["amount": 40]]]), "true")
        }
    }

    static func Aggregate_2() throws {
        do {
            expectShown(Aggregate.count.pathRule, "none")
            expectShown(Aggregate.unionOfObjects.pathRule, "required")
        }
    }

    static func Aggregate_3() throws {
        do {
            expectShown(Field("zip").cast(to: .number) > 2000, "CAST(zip, \"NSNumber\") > 2000")
        }
    }

    static func ArithmeticOperator_1() throws {
        do {
            let area = Arithmetic(first: .field("radius", .none), rest: [.init(.power, .value(2, .none))])
            expectShown(Term.arithmetic(area, .none), "radius ** 2")
            _ = (area)
        }
    }

    static func ArithmeticOperator_2() throws {
        do {
            expectShown(ArithmeticOperator.add.entry.precedence < ArithmeticOperator.multiply.entry.precedence, "true")
        }
    }

    static func Comparison_Operator_1() throws {
        do {
            expectShown(Comparison.Operator.in.spelling, "IN")
        }
    }

    static func Comparison_Operator_2() throws {
        do {
            expectShown(Comparison(.field("tags", .none), .equal, .value("red", .none), quantifier: .any).quantifier, "any")
        }
    }

    static func Comparison_Operator_3() throws {
        do {
            expectShown(Comparison.Operator.like.entry.operands, "texts")
        }
    }

    static func Comparison_Operator_4() throws {
        do {
            expectShown(Comparison.Operator.table.contains { $0.spellings.contains("BEGINSWITH") }, "true")
        }
    }

    static func Comparison_Operator_5() throws {
        do {
            expectShown(Comparison.Operator.equal.entry.negation, "notEqual")
        }
    }

    static func Comparison_Operator_6() throws {
        do {
            expectShown(Comparison.Operator.beginsWith.spelling, "BEGINSWITH")
        }
    }

    static func Comparison_Operator_7() throws {
        do {
            expectShown(LogicalWord.any.spellings, "[\"ANY\", \"SOME\"]")
        }
    }

    static func Comparison_Operator_8() throws {
        do {
            expectShown(ReservedWord.true.spellings, "[\"TRUE\", \"YES\"]")
        }
    }

    static func Function_Catalogue_1() throws {
        do {
            expectShown(FunctionEntry.table.contains { $0.name == "sqrt:" }, "true")
        }
    }

    static func Function_1() throws {
        do {
            try expectShown(Condition(format: "sqrt(area) > 2") == Condition(format: "sqrt:(area) > 2"), "true")
            expectShown(Function.squareRoot.rawValue, "squareRoot")
        }
    }

    static func Function_2() throws {
        do {
            let entry = FunctionEntry.named("sqrt")
            expectShown(entry?.name, "sqrt:")
            expectShown(entry?.arguments.map(\.rawValue), "[\"number\"]")
            expectShown(entry?.sql.isThere, "true")
            _ = (entry)
        }
    }

    static func Function_3() throws {
        do {
            expectShown(FunctionEntry.named("sqrt")?.node == .call(.squareRoot), "true")
        }
    }

    static func Function_4() throws {
        do {
            expectShown(FunctionEntry.named("modulus:by:")?.arguments.map(\.rawValue), "[\"int\", \"int\"]")
        }
    }

    static func Function_5() throws {
        do {
            expectShown(FunctionEntry.named("lowercase")?.result, "string")
        }
    }

    static func Function_6() throws {
        do {
            expectShown(Function.lowercase.entry.name, "lowercase:")
        }
    }

    static func Function_7() throws {
        do {
            expectShown(FunctionEntry.named("sqrt")?.name, "sqrt:")
            expectShown(FunctionEntry.named("cube") == nil, "true")
        }
    }

    static func Assumption_1() throws {
        do {
            try expectShown(Query(format: "age > 21").mongo().assumptions.map(\.document), "[{\"single\":\"age\"}]")
        }
    }

    static func Assumption_2() throws {
        do {
            expectShown(Assumption.date("joined", .grdb).document, "{\"date\":[\"joined\",\"grdb\"]}")
        }
    }

    static func Condition_Binding_1() throws {
        do {
            let template = try Condition(format: "age > $least AND city == $city")
            try expectShown(template.binding(["least": 21, "city": "Boston"]).format, "age > 21 AND city == \"Boston\"")
            _ = (template)
        }
    }

    static func Condition_Binding_2() throws {
        do {
            try expectShown(Condition(format: "age > $least AND city == $city").freeVariables.map(\.name), "[\"least\", \"city\"]")
        }
    }

    static func Condition_1() throws {
        do {
            let adult = try Condition(format: "age >= 18")
            let local: Condition = Field("city") == "Boston"
            expectShown(adult && !local, "age >= 18 AND NOT city == \"Boston\"")
            _ = (adult, local)
        }
    }

    static func Condition_2() throws {
        do {
            let comparison = Comparison(.field("age", .none), .less, .value(18, .none))
            expectShown(Condition.comparison(comparison), "age < 18")
            _ = (comparison)
        }
    }

    static func Condition_3() throws {
        do {
            expectShown(Condition.comparison(Comparison(.field("tags", .none), .equal, .value("red", .none), quantifier: .all)), "ALL tags == \"red\"")
        }
    }

    static func Document_Decoding_1() throws {
        do {
            let document = try Document(encoding: Book(title: "Emma", year: 1815))
            try expectShown(document.decode(Book.self).year, "1815")
            expectThrown("kindMismatch") { try (["title": "Emma", "year": "1815"] as Document).decode(Book.self) }
            _ = (document)
        }
    }

    static func Document_Encoding_1() throws {
        do {
            try expectShown(Document(encoding: Book(title: "Emma", year: 1815)), "{\"title\":\"Emma\",\"year\":1815}")
        }
    }

    static func FieldPath_1() throws {
        let path = try ExampleWorld.file(); _ = path
        do {
            let path: FieldPath = "address.geo.lat"
            expectShown(path.keys, "[\"address\", \"geo\", \"lat\"]")
            _ = (path)
        }
    }

    static func FieldPath_2() throws {
        do {
            expectShown(FieldPath(keys: ["version 1.0", "size"]).keys, "[\"version 1.0\", \"size\"]")
        }
    }

    static func FieldPath_3() throws {
        do {
            expectShown(FieldPath(dotted: "address.zip").keys, "[\"address\", \"zip\"]")
        }
    }

    static func FieldPath_4() throws {
        do {
            expectShown(Field("age") > Field.variable("least"), "age > $least")
        }
    }

    static func FieldPath_5() throws {
        do {
            expectShown(Variable("least").name, "least")
        }
    }

    static func GeoPoint_Codable_1() throws {
        do {
            struct Shop: Codable { var place: GeoPoint }
            try expectShown((["place": [-71.06, 42.36]] as Document).decode(Shop.self).place.latitude, "42.36")
        }
    }

    static func GeoPoint_Codable_2() throws {
        do {
            struct Shop: Codable { var place: GeoPoint }
            let shop = Shop(place: GeoPoint(longitude: -71.06, latitude: 42.36))
            try expectShown(Document(encoding: shop), "{\"place\":[-71.06,42.36]}")
            _ = (shop)
        }
    }

    static func GroupKey_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let first = GroupKey(Field("population") / 100_000, as: "band")
            try expectShown(Query(order: ["-band"], limit: 1).grouped(by: first, computing: [.count]).results(in: cities), "[{\"band\":88,\"count\":1}]")
            _ = (first)
        }
    }

    static func GroupKey_2() throws {
        do {
            expectShown(GroupKey(.field("address.state", .none), as: "state").name, "state")
        }
    }

    static func GroupKey_3() throws {
        do {
            expectShown(GroupKey(Field("name").uppercased, as: "letters"), "uppercase:(name) as letters")
        }
    }

    static func GroupKey_4() throws {
        do {
            expectShown(GroupKey(FieldPath(keys: ["address", "state"])).name, "address_state")
        }
    }

    static func GroupKey_5() throws {
        do {
            expectShown(GroupKey("address.state").path?.keys, "[\"address\", \"state\"]")
        }
    }

    static func GroupKey_6() throws {
        do {
            expectShown(GroupKey("address.state").name, "address_state")
        }
    }

    static func GroupKey_7() throws {
        do {
            print(GroupKey(Field("age") / 10, as: "decade"))  // age / 10 as decade
        }
    }

    static func Grouping_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let byState = Query(order: ["state"]).grouped(by: "state", computing: [.count, .max("population")])
            try expectShown(byState.results(in: cities), "[{\"state\":\"MA\",\"count\":3,\"max_population\":653833}, {\"state\":\"NY\",\"count\":1,\"max_population\":8804190}]")
            _ = (byState)
        }
    }

    static func Grouping_2() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let rows = CustomReduction(name: "rows", initial: 0) { count, _ in
                guard case .int(let number) = count else { return count }
                return .int(number + 1)
            }
            try expectShown(Query().grouped(computing: [Reducer(.custom(rows))]).results(in: cities), "[{\"rows\":4}]")
            _ = (rows)
        }
    }

    static func Grouping_3() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let large = try Condition(format: "count > 1")
            try expectShown(Query().grouped(by: "state", computing: [.count], having: large).results(in: cities), "[{\"state\":\"MA\",\"count\":3}]")

            let size = GroupKey(Field.conditional(Field("population") > 500_000, then: "big", else: "small"), as: "size")
            try expectShown(Query().grouped(by: "state", size, computing: [.count]).results(in: cities), "[{\"state\":\"MA\",\"size\":\"big\",\"count\":1}, {\"state\":\"MA\",\"size\":\"small\",\"count\":2}, …]")
            _ = (large, size)
        }
    }

    static func Grouping_4() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let keys: [GroupKey] = ["state"]
            try expectShown(Query().grouped(by: keys, computing: [.count]).results(in: cities).count, "2")
            _ = (keys)
        }
    }

    static func Grouping_5() throws {
        do {
            expectShown(Grouping.name(of: "address.state"), "address_state")
        }
    }

    static func Grouping_6() throws {
        do {
            expectShown(Query().grouped(by: "address.state", computing: [.count]).resultNames, "[\"address_state\", \"count\"]")
        }
    }

    static func Grouping_7() throws {
        do {
            expectThrown("pipeline") { try Query().grouped(by: "a.b", "a_b", computing: [.count]).validate() }
        }
    }

    static func Query_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = try Query(format: "state == %@ AND population >= 50000", "MA", order: [.descending("population")])
            try expectShown(query.mongo().json, "{\"filter\":{\"state\":\"MA\",\"population\":{\"$gte\":50000}},\"sort\":{\"population\":-1}}")
            try expectShown(query.sql(.sqlite, from: "cities").where, "\"cities\".\"state\" = ? AND …")
            try expectShown(query.results(in: cities).count, "2")
            _ = (query)
        }
    }

    static func Query_2() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = Query(Field("state") == "MA", order: ["name"], limit: 2, fields: ["name"])
            try expectShown(query.results(in: cities), "[{\"name\":\"Boston\"}, {\"name\":\"Salem\"}]")
            _ = (query)
        }
    }

    static func Query_3() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = Query {
                $0.condition = Field("state") == "MA"
                $0.limit = 2
            }
            try expectShown(query.results(in: cities).count, "2")
            _ = (query)
        }
    }

    static func Query_4() throws {
        do {
            expectThrown("pipeline") { try Query(limit: -1).validatePipeline() }
        }
    }

    static func QueryTermConvertible_1() throws {
        do {
            expectShown(Field("age") > 21, "age > 21")
            expectShown(Field("age") > Field("limit"), "age > limit")
        }
    }

    static func QueryValueConvertible_1() throws {
        do {
            enum Level: String, QueryValueConvertible { case low, high }
            try expectShown(Query(format: "level == %@", Level.high), "level == \"high\"")
        }
    }

    static func QueryValueConvertible_2() throws {
        do {
            let asked: [String: Any] = ["ages": [18, 65], "name": "Ann"]
            try expectShown(QueryValue(any: asked), "{\"ages\":[18,65],\"name\":\"Ann\"}")
            expectThrown("argument") { try QueryValue(any: Date.self) }
            _ = (asked)
        }
    }

    static func Reducer_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let reducers: [Reducer] = [.count, .sum("population").as("people")]
            try expectShown(Query(format: "state == 'MA'").grouped(computing: reducers).results(in: cities), "[{\"count\":3,\"people\":904831}]")
            _ = (reducers)
        }
    }

    static func Reducer_2() throws {
        do {
            expectShown(Reducer.max("population").operation == .max("population"), "true")
        }
    }

    static func Reducer_3() throws {
        do {
            expectShown(Reducer(.average("population"), as: "mean").name, "mean")
        }
    }

    static func Reducer_4() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query().grouped(computing: [.sum("population")]).results(in: cities), "[{\"sum_population\":9709021}]")
        }
    }

    static func Reducer_5() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query(limit: 1).grouped(computing: [.average("population")]).results(in: cities), "[{\"avg_population\":2427255.25}]")
        }
    }

    static func Reducer_6() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query().grouped(computing: [.min("name")]).results(in: cities), "[{\"min_name\":\"Boston\"}]")
        }
    }

    static func Reducer_7() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query().grouped(computing: [.max("name")]).results(in: cities), "[{\"max_name\":\"Worcester\"}]")
        }
    }

    static func Reducer_8() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query().grouped(computing: [.countDistinct("state")]).results(in: cities), "[{\"countDistinct_state\":2}]")
        }
    }

    static func Reducer_9() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query().grouped(computing: [.distinct("state")]).results(in: cities), "[{\"distinct_state\":[\"MA\",\"NY\"]}]")
        }
    }

    static func Reducer_10() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query(format: "state == 'MA'").grouped(computing: [.median("population")]).results(in: cities), "[{\"median_population\":206518.0}]")
        }
    }

    static func Reducer_11() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query().grouped(by: "state", computing: [.first("name")]).results(in: cities), "[{\"state\":\"MA\",\"first_name\":\"Boston\"}, {\"state\":\"NY\",\"first_name\":\"New York\"}]")
        }
    }

    static func Reducer_12() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query(format: "state == 'MA'").grouped(computing: [.last("name")]).results(in: cities), "[{\"last_name\":\"Salem\"}]")
        }
    }

    static func Reducer_13() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let longest = Reducer.custom("longest", initial: "") { best, row in
                guard case .string(let name)? = row["name"], case .string(let old) = best else { return best }
                return name.count > old.count ? .string(name) : best
            }
            try expectShown(Query().grouped(computing: [longest]).results(in: cities), "[{\"longest\":\"Worcester\"}]")
            _ = (longest)
        }
    }

    static func Reducer_14() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query().grouped(computing: [.sum("population").as("people")]).results(in: cities), "[{\"people\":9709021}]")
        }
    }

    static func Reducer_15() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let letters = Reducer.custom("letters", initial: "") { text, row in
                guard case .string(let start) = text, case .string(let name)? = row["name"] else { return text }
                return .string(start + name.prefix(1))
            }
            try expectShown(Query().grouped(computing: [letters]).results(in: cities), "[{\"letters\":\"BWNS\"}]")
            _ = (letters)
        }
    }

    static func Reducer_16() throws {
        do {
            expectShown(Reducer.Kind.average.operation("age") == .average("age"), "true")
            expectShown(Reducer.Kind.count.operation("age") == nil, "true")
        }
    }

    static func SortKey_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let order: [SortKey] = [.descending("population"), "name"]
            try expectShown(Query(order: order).first(in: cities)?["name"], "\"New York\"")
            _ = (order)
        }
    }

    static func SortKey_2() throws {
        do {
            expectShown(SortKey("name", ascending: false, options: .caseInsensitive), "-name[c]")
        }
    }

    static func SortKey_3() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query(order: [.ascending("name")]).first(in: cities)?["name"], "\"Boston\"")
        }
    }

    static func SortKey_4() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query(order: [.descending("name")]).first(in: cities)?["name"], "\"Worcester\"")
        }
    }

    static func SortKey_5() throws {
        do {
            let rows: [Document] = [["city": nil], [:]]
            try expectShown(Query(format: "city == nil").count(in: rows), "2")
            try expectShown(Query(Field("city") == nil, nilMeaning: .absent).matchingIndices(in: rows), "[1]")
            _ = (rows)
        }
    }

    static func Term_1() throws {
        do {
            let ages: Term = .aggregate(.max, of: .field("people", .none), "age", .none)
            expectShown(Condition.comparison(Comparison(ages, .greater, .value(65, .none))), "people.@max.age > 65")
            _ = (ages)
        }
    }

    static func Term_2() throws {
        do {
            let steps: [PathStep] = [.variable("language"), .key("title")]
            expectShown(Term.path(.field("texts", .none), steps, .none), "texts.$language.title")
            _ = (steps)
        }
    }

    static func Term_3() throws {
        do {
            expectShown(Term.index(.field("scores", .none), .last, .none), "scores[LAST]")
        }
    }

    static func Term_4() throws {
        do {
            let sum = Arithmetic(first: .field("price", .none), rest: [.init(.add, .field("tax", .none))])
            expectShown(Term.arithmetic(sum, .none), "price + tax")
            _ = (sum)
        }
    }

    static func Term_5() throws {
        do {
            expectShown(Arithmetic.Link(.add, .field("tax", .none)).operand, "tax")
        }
    }

    static func Term_6() throws {
        do {
            let sum = Arithmetic(first: .field("price", .none), rest: [Arithmetic.Link(.add, .value(1, .none))])
            expectShown(Term.arithmetic(sum, .none), "price + 1")
            _ = (sum)
        }
    }

    static func Term_7() throws {
        do {
            let half = Arithmetic(first: .field("price", .none), rest: [.init(.divide, .value(2, .none))])
            expectShown(Term.arithmetic(half, .none), "price / 2")
            _ = (half)
        }
    }

    static func Term_8() throws {
        do {
            let large = try Condition(format: "$o.amount > 100")
            expectShown(Term.subquery(Subquery(.field("orders", .none), "o", where: large), .none), "SUBQUERY(orders, $o, $o.amount > 100)")
            _ = (large)
        }
    }

    static func Term_9() throws {
        do {
            let red = try Condition(format: "$t == 'red'")
            expectShown(Term.subquery(Subquery(.field("tags", .none), "t", where: red), .none), "SUBQUERY(tags, $t, $t == \"red\")")
            _ = (red)
        }
    }

    static func Term_10() throws {
        do {
            guard case .comparison(let comparison) = try Condition(format: "age > 21") else { return }
            expectShown(comparison.left.origin.range, "0..<3")
        }
    }

    static func Term_11() throws {
        do {
            expectShown(Term.constant(["MA", "NY"]), "{\"MA\", \"NY\"}")
        }
    }

    static func Term_12() throws {
        do {
            expectShown(Term.constant(["MA", "NY"]).constantValue, "[\"MA\",\"NY\"]")
            expectShown(Term.field("state", .none).constantValue, "nil")
        }
    }
}
