import PredicateQL
import Testing

/// What `print` shows of queries, of what they become, and of errors.
@Suite struct DescriptionTests {
    @Test func queriesPrintAsTexts() throws {
        let query = try Query(
            format: "state == %@ AND population >= 50000",
            "MA",
            order: [.descending("population"), SortKey("name", options: .caseInsensitive)],
            skip: 1,
            limit: 3,
            fields: ["name", "address.zip"],
            computed: [ComputedField(Field("population") / 10, as: "tenth")]
        )
        let condition = #"state == "MA" AND population >= 50000"#
        #expect("\(query.condition)" == condition)
        let rest = "order: -population, name[c]; skip: 1; limit: 3; fields: name, address.zip, tenth = population / 10"
        #expect("\(query)" == condition + "; " + rest)
        #expect("\(Query())" == "TRUEPREDICATE")
        let groups = try Query(format: "age > 1", order: ["-count"]).grouped(
            by: "state",
            computing: [.count, .average("age")],
            having: Condition(format: "count > 1")
        )
        let text = "age > 1; order: -count; by: state; computing: count, average(age); having: count > 1"
        #expect("\(groups)" == text)
    }

    @Test func partsPrintAsTexts() {
        #expect("\(Field("a") + 3)" == "a + 3")
        #expect("\(Field("tags").count)" == "tags.@count")
        let schema = Schema([.field("at", .date(.iso8601))], primaryKey: ["id"])
        #expect("\(schema)" == schema.jsonSchema.json)
        #expect("\(SQLDialect.sqlite), \(SQLDialect.duckDB)" == "SQLDialect.sqlite, SQLDialect.duckDB")
        #expect("\(SQLDialect(identifierQuote: "`"))" == "SQLDialect")
    }

    @Test func translationsPrintAsTexts() throws {
        let query = try Query(format: #"name == "O'Hara" AND age > 21"#, limit: 5)
        let sql = try query.sqlCount(from: "people")
        #expect("\(sql)" == sql.sql + #" -- ["O'Hara",21,5]"#)
        #expect(try "\(Query().sqlCount(from: "people"))" == #"SELECT count(*) FROM "people""#)
        #expect(try "\(query.mongo())" == #"{"filter":{"name":"O'Hara","age":{"$gt":21}},"limit":5}"#)
        #expect(try "\(query.mongoPipeline())".hasPrefix(#"{"pipeline":[{"$match":"#))
        #expect(try "\(query.rest())".hasPrefix("GET ?query=%7B%22name%22"))
        let groups = try Query().grouped(by: "state", computing: [.count]).rest()
        #expect("\(groups)".hasPrefix("POST /_group {"))
    }

    @Test func errorsReadAsSentences() throws {
        let error = try #require(throws: QueryError.self) { try Query(parsing: "age BETWEEN 18 AND 65") }
        #expect("\(error)".contains("^"))
        let title = error.localizedDescription
        #expect(title.first?.isUppercase == true && title.last == "." && !title.contains("\n"))
        #expect(error.recoverySuggestion?.first?.isUppercase == true)
        let row = try #require(throws: QueryError.self) { try Query(format: "age > 2").count(in: [1]) }
        #expect(row.localizedDescription == "Row at index 0: the row does not encode as an object.")
    }
}
