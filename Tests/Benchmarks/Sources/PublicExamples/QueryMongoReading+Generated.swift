// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryBatch

enum QueryMongoReadingExamples {
    static func Grouping_ReadingREST_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let reduce = "function(doc, out) { out.count++; }"
            let body: Document = [
                "key": .object(["state": true]), "initial": .object(["count": 0]), "reduce": .string(reduce),
            ]
            try expectShown(Grouping(rest: body).results(in: cities), "[{\"state\":\"MA\",\"count\":3}, {\"state\":\"NY\",\"count\":1}]")
            let means: Document = ["reducers": [.object(["op": "avg", "field": "population"])], "key": ["state"]]
            try expectShown(Grouping(rest: means).reducers.first == .average("population"), "true")
            _ = (reduce, body, means)
        }
    }

    static func MongoQuery_Reading_1() throws {
        do {
            try expectShown(MongoQuery(json: #"{"filter":{"age":21},"limit":5}"#).limit, "5")
        }
    }

    static func MongoReading_1() throws {
        do {
            try expectShown(MongoReading(of: #"{"tags":5}"#).query.format, "ANY tags == 5")
            let reading = try MongoReading(of: #"{"tags":5}"#, assuming: nil)
            expectShown(reading.query.format, "tags == 5")
            expectShown(reading.assumptions.map(\.document), "[{\"single\":\"tags\"}]")
            _ = (reading)
        }
    }

    static func MongoReading_2() throws {
        do {
            let reading = try MongoReading(of: #"{"age":{"$gt":21}}"#, sort: #"{"name":-1}"#, limit: 5)
            expectShown(reading.query.order, "[-name]")
            _ = (reading)
        }
    }

    static func MongoReading_3() throws {
        do {
            try expectShown(MongoReading(of: Array(#"{"age":21}"#.utf8)).query.format, "ANY age == 21")
        }
    }

    static func MongoReading_4() throws {
        do {
            let mongo = try MongoQuery(json: #"{"filter":{"tags":5},"limit":5}"#)
            try expectShown(MongoReading(of: mongo, assuming: [.list("tags")]).query.format, "ANY tags == 5")
            _ = (mongo)
        }
    }

    static func Query_ReadingMongo_1() throws {
        let people = ExampleWorld.people; _ = people
        do {
            let people = Schema([.field("age", .int), .field("name", .string)])
            let filter = #"{"age":{"$gt":21},"name":{"$regex":"^Jo"}}"#
            try expectShown(Query(mongo: filter, schema: people), "age > 21 AND name BEGINSWITH \"Jo\"")
            try expectShown(Query(mongo: filter), "ANY age > 21 AND ANY name BEGINSWITH \"Jo\"")
            expectThrown("unsupported") { try Query(mongo: #"{"$where":"1"}"#) }
            _ = (people, filter)
        }
    }

    static func Query_ReadingMongo_2() throws {
        do {
            try expectShown(Query(mongo: Array(#"{"age":{"$gt":21}}"#.utf8)), "ANY age > 21")
        }
    }

    static func Query_ReadingMongo_3() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = try Query(format: "ANY tags == 'red' AND age > 21")
            try expectShown(Query(mongo: query.mongo()) == query, "true")
            _ = (query)
        }
    }

    static func Query_ReadingREST_1() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let items: [RESTRequest.Item] = [.init("query", #"{"age":{"$gt":21}}"#), .init("sort", #"{"name":-1}"#)]
            let query = try Query(rest: items)
            expectShown(query.format, "ANY age > 21")
            expectShown(query.order, "[-name]")
            expectThrown("argument") { try Query(rest: [.init("limit", "many")]) }
            _ = (items, query)
        }
    }

    static func Query_ReadingREST_2() throws {
        do {
            try expectShown(Query(rest: ["query": .object(["name": "Jo"]), "fields": ["name"], "limit": 20]), "ANY name == \"Jo\"")
            try expectShown(Query(rest: ["format": "age > 21 AND name BEGINSWITH 'J'"]), "age > 21 AND name BEGINSWITH \"J\"")
        }
    }
}
