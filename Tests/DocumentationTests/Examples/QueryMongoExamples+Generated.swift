// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite

enum QueryMongoExamples: SourceExamples {
    static var examples: (run: [Example], leftOut: [(place: String, reason: String)]) {
        var all: [Example] = []
        var leftOut: [(place: String, reason: String)] = []
        (all, leftOut) = ([], [])
        all.append(Example("MongoProfile.swift: struct MongoProfile", MongoProfile_1))
        all.append(Example("MongoProfile.swift: enum Patterns", MongoProfile_2))
        all.append(Example("MongoProfile.swift: init", MongoProfile_3))
        all.append(Example("MongoQuery.swift: struct MongoQuery", MongoQuery_1))
        all.append(Example("MongoQuery.swift: var document", MongoQuery_2))
        all.append(Example("MongoQuery.swift: var canonicalJSON", MongoQuery_3))
        all.append(Example("MongoQuery.swift: struct MongoPipeline", MongoQuery_4))
        all.append(Example("Query+Mongo.swift: func mongo", Query_Mongo_1))
        all.append(Example("Grouping+REST.swift: func rest", Grouping_REST_1))
        all.append(Example("KinveyField.swift: enum KinveyField", KinveyField_1))
        all.append(Example("Query+REST.swift: func rest", Query_REST_1))
        all.append(Example("Query+REST.swift: var cacheKey", Query_REST_2))
        all.append(Example("Query+RESTPages.swift: func restPages", Query_RESTPages_1))
        all.append(Example("Query+RESTPages.swift: func restPages", Query_RESTPages_2))
        all.append(Example("RESTRequest.swift: struct RESTRequest", RESTRequest_1))
        all.append(Example("RESTRequest.swift: enum Method", RESTRequest_2))
        all.append(Example("RESTRequest.swift: struct Item", RESTRequest_3))
        all.append(Example("RESTRequest.swift: init", RESTRequest_4))
        all.append(Example("RESTRequest.swift: var query", RESTRequest_5))
        all.append(Example("RESTRequest.swift: var bodyText", RESTRequest_6))
        all.append(Example("RESTRequest.swift: func url", RESTRequest_7))
        all.append(Example("RESTRequest.swift: enum RESTAction", RESTRequest_8))
        all.append(Example("Grouping+Mongo.swift: func mongo", Grouping_Mongo_1))
        all.append(Example("Query+MongoPipeline.swift: func mongoPipeline", Query_MongoPipeline_1))
        all.append(Example("Query+MongoSplit.swift: func split", Query_MongoSplit_1))
        return (all, leftOut)
    }

    static func MongoProfile_1() throws {
        do {
            var profile = MongoProfile.mongoDB
            profile.allowsExpressions = false
            expectThrown("unsupported") { try Query(format: "a > b").mongo(profile) }
            _ = (profile)
        }
    }

    static func MongoProfile_2() throws {
        do {
            expectShown(MongoProfile.kinvey.patterns, "anchored")
        }
    }

    static func MongoProfile_3() throws {
        do {
            let plain = MongoProfile(allowsExpressions: false, allowsPipelines: false)
            expectShown(plain == .findOnly, "true")
            _ = (plain)
        }
    }

    static func MongoQuery_1() throws {
        do {
            try expectShown(Query(format: "age > 21", order: ["name"]).mongo().json, "{\"filter\":{\"age\":{\"$gt\":21}},\"sort\":{\"name\":1}}")
        }
    }

    static func MongoQuery_2() throws {
        do {
            try expectShown(Query(format: "age > 21", limit: 5).mongo().document, "{\"filter\":{\"age\":{\"$gt\":21}},\"limit\":5}")
        }
    }

    static func MongoQuery_3() throws {
        do {
            try expectShown(Query(format: "age > 21").mongo().canonicalJSON, "{\"filter\":{\"age\":{\"$gt\":{\"$numberInt\":\"21\"}}}}")
        }
    }

    static func MongoQuery_4() throws {
        do {
            try expectShown(Query(format: "age > 21", limit: 3).mongoPipeline().stages, "[{\"$match\":{\"age\":{\"$gt\":21}}}, {\"$limit\":3}]")
        }
    }

    static func Query_Mongo_1() throws {
        do {
            try expectShown(Query(format: "age > 21 AND name BEGINSWITH 'Jo'").mongo().json, "{\"filter\":{\"age\":{\"$gt\":21},\"name\":{\"$regex\":\"^Jo\"}}}")
        }
    }

    static func Grouping_REST_1() throws {
        do {
            try expectShown(Query(format: "age > 18").grouped(by: "state", computing: [.count]).rest().bodyText, "{\"key\":{\"state\":true},\"initial\":{\"count\":0},\"reduce\":\"function(doc,out){…}\",\"condition\":…}")
        }
    }

    static func KinveyField_1() throws {
        do {
            try expectShown(Query(Field(KinveyField.creator) == "jo").rest().items.map(\.value), "[\"{\\\"_acl.creator\\\":\\\"jo\\\"}\"]")
        }
    }

    static func Query_REST_1() throws {
        do {
            try expectShown(Query(format: "age > 21", order: ["name"], limit: 10).rest().items.map(\.value), "[\"{\\\"age\\\":{\\\"$gt\\\":21}}\", \"{\\\"name\\\":1,\\\"_id\\\":1}\", \"10\"]")
            try expectShown(Query(format: "age > 21").rest(.kinvey, .count).path, "_count")
        }
    }

    static func Query_REST_2() throws {
        do {
            try expectShown(Query(format: "a > 1 AND NOT NOT b == 2").cacheKey == Query(format: "a > 1 && b = 2").cacheKey, "true")
        }
    }

    static func Query_RESTPages_1() throws {
        do {
            let pages = try Query(format: "age > 21", limit: 25).restPages(size: 10)
            expectShown(pages.map { $0.items.suffix(2).map(\.value) }, "[[\"0\", \"10\"], [\"10\", \"10\"], [\"20\", \"5\"]]")
            _ = (pages)
        }
    }

    static func Query_RESTPages_2() throws {
        let fetch = ExampleWorld.fetch; _ = fetch
        do {
            var found: [Document] = []
            for request in try Query(format: "age > 21").restPages() {
                let page = try fetch(request)
                found += page
                if page.count < 10_000 { break }
            }
            _ = (found)
        }
    }

    static func RESTRequest_1() throws {
        do {
            let request = try Query(format: "lastName == 'Barros'", limit: 5).rest()
            expectShown(request.url(of: "https://baas.kinvey.com/appdata/kid/people"), "https://baas.kinvey.com/appdata/kid/people?query=%7B%22lastName%22:%22Barros%22%7D&limit=5")
            _ = (request)
        }
    }

    static func RESTRequest_2() throws {
        do {
            try expectShown(Query(format: "age > 21").rest(.kinvey, .removal).method.rawValue, "DELETE")
        }
    }

    static func RESTRequest_3() throws {
        do {
            try expectShown(Query(format: "age > 21", limit: 5).rest().items.map(\.name), "[\"query\", \"limit\"]")
        }
    }

    static func RESTRequest_4() throws {
        do {
            let request = RESTRequest(method: .get, path: "_count", items: [.init("query", "{}")])
            expectShown(request.url(of: "/people"), "/people/_count?query=%7B%7D")
            _ = (request)
        }
    }

    static func RESTRequest_5() throws {
        do {
            try expectShown(Query(format: "name == 'Zoé'").rest().query, "query=%7B%22name%22:%22Zo%C3%A9%22%7D")
        }
    }

    static func RESTRequest_6() throws {
        do {
            try expectShown(Query().grouped(by: "state", computing: [.count]).rest().bodyText, "{\"key\":{\"state\":true},…")
        }
    }

    static func RESTRequest_7() throws {
        do {
            try expectShown(Query(format: "age > 21").rest(.kinvey, .count).url(of: "/people"), "/people/_count?query=%7B%22age%22:%7B%22$gt%22:21%7D%7D")
        }
    }

    static func RESTRequest_8() throws {
        do {
            try expectShown(Query(format: "age > 21").rest(.kinvey, .changes(since: 0)).path, "_deltaset")
            expectThrown("pipeline") { try Query().rest(.kinvey, .removal) }
        }
    }

    static func Grouping_Mongo_1() throws {
        do {
            try expectShown(Query().grouped(by: "state", computing: [.count]).mongo().json, "{\"pipeline\":[{\"$group\":{…")
        }
    }

    static func Query_MongoPipeline_1() throws {
        do {
            try expectShown(Query(format: "age > 21", order: ["name"], limit: 3).mongoPipeline().json, "{\"pipeline\":[{\"$match\":{\"age\":{\"$gt\":21}}},{\"$sort\":{\"name\":1,\"_id\":1}},{\"$limit\":3}]}")
        }
    }

    static func Query_MongoSplit_1() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = try Query(format: "age > 21 AND random() >= 0")
            let split = try query.split(for: .findOnly)
            try expectShown(split.store.mongo(.findOnly).json, "{\"filter\":{\"age\":{\"$gt\":21}}}")
            try expectShown(split.memory?.results(in: [["age": 30]]), "[{\"age\":30}]")
            _ = (query, split)
        }
    }
}
