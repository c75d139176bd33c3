// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryBatch

enum PredicateQLExamples {
    static func Grouping_RESTResults_1() throws {
        do {
            let grouping = Query(order: [.descending("count")]).grouped(by: "state", computing: [.count])
            let answer: [Document] = [["state": "MA", "count": 2], ["state": "NY", "count": 5]]
            try expectShown(grouping.results(ofREST: answer), "[{\"state\":\"NY\",\"count\":5}, {\"state\":\"MA\",\"count\":2}]")
            _ = (grouping, answer)
        }
    }

    static func Condition_Predicate_1() throws {
        do {
            let adults = #Predicate<Person> { $0.age >= 18 && $0.city == "Boston" }
            let names: [AnyKeyPath: FieldPath] = [\Person.age: "age", \Person.city: "city"]
            try expectShown(Condition(adults, names: names), "age >= 18 AND city == \"Boston\"")
            _ = (adults, names)
        }
    }
}
