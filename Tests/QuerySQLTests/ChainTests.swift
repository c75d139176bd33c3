import PredicateQL
import PredicateQLSQLite
import QueryTree
import SpecSupport
import Testing

/// Orders of persons, who live in cities of countries: each row leads to one row, or to none.
struct OrderChain {
    let database: SQLiteDatabase
    let rows: [Document]

    static let schema: Schema = {
        func to(_ table: String) -> Schema.Relation { .init(table: table, foreignKey: table + "_id", key: "id") }
        func row(_ fields: [Schema.Field]) -> FieldType {
            .object(Schema([.field("id", .int), .field("name", .string)] + fields, primaryKey: ["id"]))
        }
        let city = row([.field("country", row([]), relation: to("country"))])
        let person = row([.field("age", .int), .field("city", city, relation: to("city"))])
        return Schema(
            [.field("id", .int), .field("total", .int), .field("person", person, relation: to("person"))],
            primaryKey: ["id"]
        )
    }()

    static let formats = [
        "person.name == 'p1'", "person.city.name == 'c1'", "person.city.country.name == 'k1'",
        "person.city.name == 'c1' AND total > 2", "person.city.name == 'c1' OR person.age > 40",
        "person.city.name BEGINSWITH 'c'", "person.city.name BEGINSWITH[cd] 'C'", "person.city.name CONTAINS '1'",
        "person.city.name IN {'c0', 'c2'}", "person.city.name IN {'c0', nil}", "person.city.name > 'c0'",
        "person.city.name BETWEEN {'c0', 'c1'}", "NOT person.city.name == 'c1'", "person.city.name != 'c1'",
        "NOT person.city.name IN {'c1'}", "person.city.name == nil", "person.city == nil", "person.city.country == nil",
        "NOT person.city.country.name BEGINSWITH 'k'", "'c1' == person.city.name", "person.city.id + 1 == 2",
        "person.city.name == person.name", "person.city.country.name LIKE 'k*'", "person.city.name ==[c] 'C1'",
    ]

    init() throws {
        let database = try SQLiteDatabase.inMemory()
        for table in [
            "country (id INTEGER PRIMARY KEY, name TEXT)",
            "city (id INTEGER PRIMARY KEY, name TEXT, country_id INTEGER)",
            "person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, city_id INTEGER)",
            "docs (id INTEGER PRIMARY KEY, total INTEGER, person_id INTEGER)",
        ] { try database.execute("CREATE TABLE " + table) }
        func row(_ number: Int, _ letter: String) -> Document {
            ["id": .int(Int64(number)), "name": number == 3 ? .null : .string("\(letter)\(number)")]
        }
        // Each fourth row leads nowhere.
        let countries = (0..<3).map { row($0, "k") }
        var cities = (0..<5).map { row($0, "c") }
        var persons = (0..<9).map { row($0, "p") }
        for number in persons.indices { persons[number]["age"] = .int(Int64(number * 7)) }
        var orders = (0..<24).map { ["id": .int(Int64($0)), "total": .int(Int64($0 % 5))] as Document }
        func insert(_ table: String, _ rows: [Document], _ links: (name: String, count: Int)?) throws {
            for (number, row) in rows.enumerated() {
                var row = row
                if let links { row[links.name + "_id"] = number % 4 == 3 ? .null : .int(Int64(number % links.count)) }
                let marks = row.keys.map { _ in "?" }.joined(separator: ", ")
                let names = row.keys.joined(separator: ", ")
                _ = try database.rows("INSERT INTO \(table) (\(names)) VALUES (\(marks))", row.values)
            }
        }
        func link(_ rows: inout [Document], _ name: String, to others: [Document]) {
            for number in rows.indices where number % 4 != 3 {
                rows[number][name] = .object(others[number % others.count])
            }
        }
        try insert("country", countries, nil)
        try insert("city", cities, ("country", countries.count))
        link(&cities, "country", to: countries)
        try insert("person", persons, ("city", cities.count))
        link(&persons, "city", to: cities)
        try insert("docs", orders, ("person", persons.count))
        link(&orders, "person", to: persons)
        self.database = database
        rows = orders
    }
}

/// Paths over several rows, each of which leads to one other.
@Suite struct ChainTests {
    @Test func chainsAgree() throws {
        let chain = try OrderChain()
        for format in OrderChain.formats {
            let query = try Query(parsing: format, order: ["id"], fields: ["id"], schema: OrderChain.schema)
            let found = try query.rows(in: chain.database, from: "docs")
            #expect(try found == query.results(in: chain.rows), "\(format)")
        }
    }

    /// With the indexes that a chain asks for, each table is searched.
    @Test func chainsAreSearched() throws {
        for format in [
            "person.city.name == 'c1'", "person.city.country.name == 'k1'", "person.city.name BEGINSWITH 'c1'",
            "person.city.name IN {'c0', 'c2'}", "person.city.name == 'c1' OR person.name == 'p2'",
        ] {
            let chain = try OrderChain()
            let query = try Query(parsing: format, schema: OrderChain.schema)
            for index in try query.suggestedIndexes(from: "docs") { try chain.database.execute(index) }
            let statement = try query.sql(from: "docs")
            let plan = try chain.database.queryPlan(statement.sql, statement.bindings)
            #expect(!plan.contains { $0.contains("SCAN") }, "\(format)\n\(plan.joined(separator: "\n"))")
            let tables = format.contains("country") ? 4 : 3
            #expect(plan.count { $0.contains("SEARCH") } >= tables, "\(format)\n\(plan.joined(separator: "\n"))")
        }
    }
}
