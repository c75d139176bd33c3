import Foundation
import SpecSupport
import Testing

/// What people type who do not know the library yet: it compiles, or the compiler says what to type.
@Suite struct SpellingTests {
    /// Each guess, and what the compiler says of it; nil for one that compiles.
    private static let guesses: [(code: String, says: String?)] = [
        ("try Condition(format: \"name == %@\", \"x\")", nil),
        ("try Condition(#Predicate<City> { $0.population > 21 && $0.home.zip == \"02108\" })", nil),
        ("try [Document](json: \"[]\")", nil),
        ("document[\"a\"]?.int", nil),
        ("document[\"a\"]?.list?.first?.object?[\"b\"]?.string", nil),
        ("try untyped.map { try Document(any: $0) }", nil),
        ("condition.evaluate(with: rows[0])", "write Query(condition).matches(row)"),
        ("Query().evaluate(with: rows[0])", "renamed to 'matches(_:)'"),
        ("rows.filter(condition)", "write Query(condition).results(in: rows)"),
        ("people.filter(condition)", "write Query(condition).results(in: rows)"),
        ("Query().filter(rows)", "renamed to 'results(in:)'"),
        ("Query(where: condition)", "renamed to 'init(_:)'"),
        ("Query(predicate: \"age > 21\")", "renamed to 'init(format:)'"),
        ("Query(#Predicate<Person> { $0.age > 21 })", "a Queryable type needs no names"),
        ("try Condition(#Predicate<Person> { $0.age > 21 })", "requires that 'Person' conform to 'Queryable'"),
        ("Query(\\Person.age > 21)", "write Field(\"age\") > 21"),
        ("Query(\\Person.age == 21)", "write Field(\"age\") == 21"),
        ("Query().sorted(by: \"age\")", "order: [.descending(\"age\")]"),
        ("Query().limit(10)", "limit: 10"),
        ("Query().offset(20)", "write skip: 20"),
        ("Query().distinct(\"state\")", "grouped(by: [\"state\"], computing: [])"),
        ("Query().grouped(by: [\"state\"], computing: [])", nil),
        ("Query().grouped(by: \\City.population, computing: [.count])", "write its name: grouped(by: \"state\""),
        ("Query().grouped(by: [\"state\"], computing: [.avg(\"population\")])", "renamed to 'average(_:)'"),
        ("Query(order: [.descending(\\City.population)])", "write its name: .descending(\"population\")"),
        ("Query(order: [.ascending(\\City.population)])", "write its name: .ascending(\"population\")"),
        ("Field(\\City.population) > 21", "write its name: Field(\"population\")"),
        ("Document.list(json: \"[]\")", "write [Document](json: text)"),
        ("document[\"a\"].int", "must be unwrapped"),
        ("document.a", "write document[\"name\"]"),
        ("try Query().results(in: untyped)", "try Document(any: $0)"),
        ("Query().grouped(by: [\"state\"])", "computing: [.count]"),
        ("Query().grouped(by: [path], computing: [.count])", "paths.map { GroupKey($0) }"),
        ("try Query(format: \"a == \\(text) AND b == \\(3)\")", nil),
        ("try Query(format: \"a == %@ AND b == %@\", text, nil, order: [\"a\"])", nil),
        ("try Query(format: \"a IN %@\", [1, 2])", nil),
        ("try Query(format: \"a == %@\", url)", nil),
        ("try Query(parsing: text, arguments: [\"a\", 1, nil])", nil),
        ("try Query(parsing: text, arguments: values.map(\\.queryValue))", nil),
        ("try Query(parsing: text, arguments: values, order: [\"a\"])", "write arguments: values.map(\\.queryValue)"),
        ("try Query(format: \"a == %@\", arguments: values)", "write arguments: values.map(\\.queryValue)"),
        ("try Condition(parsing: text, arguments: values)", "write arguments: values.map(\\.queryValue)"),
        ("try Condition(format: \"a == %@\", arguments: values)", "write arguments: values.map(\\.queryValue)"),
        ("SortKey(\"age\", ascending: false)", nil),
        ("FieldPath(\"age\")", nil),
        ("(mutable[\"a\"] = 5)", nil),
        ("(mutable[\"a\"] = nil)", nil),
        ("JSONRows(data)", nil),
        ("try Query(format: \"SELF > 2\").results(in: [1, 2, 3])", nil),
        ("try Query(format: text)", "write Query(parsing: text)"),
        ("try Query(format: text, 21, order: [\"age\"])", "write Query(parsing: text)"),
        ("try Query(format: text, arguments: [21])", "write Query(parsing: text)"),
        ("try Query(format: \"age > \" + text)", "write Query(parsing: text)"),
        ("try Query(text)", "write Query(parsing: text)"),
        ("try Condition(format: text)", "write Condition(parsing: text)"),
        ("try Condition(text)", "write Condition(parsing: text)"),
        ("try Query(format: \"a == %@\", \"x\" as NSString)", "QueryValue(any: argument)"),
        ("try Query(format: \"a == %@\", NSNumber(value: 1))", "QueryValue(any: argument)"),
        ("try Query(format: \"a == %@\", NSNull())", "nil for NSNull"),
        ("try Condition(format: \"a == %@\", url)", nil),
        ("try Query(format: \"a IN %@\", [1, \"x\"])", "QueryValue(any: argument)"),
        ("try Query(format: \"a == %@\", argumentArray: [1])", "arguments: [QueryValue(any: argument)]"),
        ("Field(\"a\").between(1, 2)", "isBetween(low, and: high)"),
        ("Field(\"a\").between(1...2)", "renamed to 'isBetween(_:)'"),
        ("Field(\"a\").any.beginsWith(\"x\")", "renamed to 'hasPrefix(_:_:)'"),
        ("Field(\"a\").startsWith(\"x\")", "renamed to 'hasPrefix(_:_:)'"),
        ("Field(\"a\").endsWith(\"x\")", "renamed to 'hasSuffix(_:_:)'"),
        ("Field(\"a\").isEmpty", "field.count == 0"),
        ("Field(\"a\").isNil", "field == nil"),
        ("Field(\"a\").isNull", "field == nil"),
        ("Field(\"a\").isIn([1, 2])", "renamed to 'in(_:_:)'"),
        ("Field(\"a\").notIn([1, 2])", "write !field.in(values)"),
        ("Field(\"a\").in(1...5)", "write isBetween(1...5)"),
        ("Field(\"a\").in(1..<5)", "field >= low && field < high"),
        ("condition.matches(rows[0])", "write Query(condition).matches(row)"),
        ("Condition.true", "write .constant(true)"),
        ("Condition.false", "write .constant(false)"),
        ("people.filter(Query())", "write query.results(in: rows)"),
        ("try Query().exists(in: rows)", "write first(in: rows) != nil"),
        ("Query() && Query()", "Query(first.condition && second.condition)"),
        ("Query() || Query()", "Query(first.condition || second.condition)"),
        ("!Query()", "Query(!query.condition)"),
        ("SQLDialect.postgres", "renamed to 'postgresql'"),
        ("SQLDialect.postgreSQL", "renamed to 'postgresql'"),
        ("SQLDialect.duckdb", "renamed to 'duckDB'"),
        ("FieldType.text", "renamed to 'string'"),
        ("FieldType.integer", "renamed to 'int'"),
        ("FieldType.decimal", "write .double"),
        ("SortKey(text, ascending: false)", "SortKey(FieldPath(dotted: name), ascending: false)"),
        ("FieldPath(text)", "renamed to 'init(dotted:)'"),
        ("(mutable[\"a\"] = Date())", "value.queryValue"),
        ("(mutable[\"a\"] = [\"x\": 1, \"y\": [1, 2]])", "QueryValue(any: value)"),
        ("try Query().results(in: Set([1, 2]))", "results(in: Array(rows))"),
        ("try Query().results(in: people[1...])", "results(in: Array(rows))"),
        ("try Query().count(in: people[1...])", "count(in: Array(rows))"),
        ("try Query().first(in: rows[1...])", "first(in: Array(rows))"),
        ("try Query().results(in: data)", "results(in: JSONRows(data))"),
        ("try Query().count(in: data)", "count(in: JSONRows(data))"),
        ("try await novels.find(\"title == 'x'\")", "find(Query(format: \"title == 'Emma'\"))"),
        ("try await novels.find(byId: \"x\")", "renamed to 'find(id:options:)'"),
        ("try await novels.findById(\"x\")", "renamed to 'find(id:options:)'"),
        ("try await novels.group(count: [\"city\"], countType: Int.self)", "computing: [.count]"),
        (
            "try await novels.group(keys: [\"city\"], avg: \"age\", avgType: Double.self, options: nil)",
            "[.average(\"age\")]"
        ),
        (
            "try await novels.group(keys: [\"city\"], sum: \"age\", sumType: Int.self, condition: nil)",
            "[.sum(\"age\")]"
        ),
        ("try await novels.group(keys: [\"city\"], min: \"age\")", "[.min(\"age\")]"),
        ("try await novels.group(keys: [\"city\"], max: \"age\", options: nil)", "[.max(\"age\")]"),
        ("novels.observe()", "store.values(query)"),
        ("novels.observe { changes in print(changes) }", "store.values(query)"),
        ("try await client.login(username: \"a\", password: \"b\")", "renamed to 'logIn(username:password:)'"),
        ("try await client.signup(username: \"a\", password: \"b\")", "renamed to 'signUp(username:password:)'"),
        ("try await client.logout()", "renamed to 'logOut()'"),
        ("try await User.login(username: \"a\", password: \"b\")", "write client.logIn"),
        ("try await User.signup()", "write client.signUp"),
        ("try await client.activeUser?.logout()", "write client.logOut()"),
    ]

    @Test func guessesCompileOrAreAnswered() throws {
        let modules = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("Modules")
        let lines = Self.guesses.map { "    _ = \($0.code)" }
        let source = """
            import Foundation
            import PredicateQL
            import PredicateQLStore
            import StoreModel
            struct Person: Codable { var name: String, age: Int }
            struct Home: Queryable {
                var zip: String
                static let fields: FieldTable<Home> = ["zip": \\.zip]
            }
            struct City: Queryable {
                var population: Int, home: Home
                static let fields: FieldTable<City> = ["population": \\.population, "home": \\.home]
            }
            struct Novel: Entity {
                static let collection = "Book"
                var _id: String?, _acl: AccessControl?, _kmd: Metadata?, title: String?
            }
            func guesses(
                _ rows: [Document], _ document: Document, _ people: [Person], _ condition: Condition,
                _ untyped: [[String: Any]], _ path: FieldPath,
                _ mutable: inout Document, _ text: String, _ data: Data, _ url: URL, _ values: [any QueryValueConvertible],
                _ client: StoreClient, _ novels: DataStore<Novel>
            ) async throws {
            \(lines.joined(separator: "\n"))
            }
            """
        let first = source.prefix(source.range(of: "    _ = ")?.lowerBound.utf16Offset(in: source) ?? 0)
            .split(separator: "\n", omittingEmptySubsequences: false).count
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".swift")
        defer { try? FileManager.default.removeItem(at: file) }
        try source.write(to: file, atomically: true, encoding: .utf8)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-typecheck", "-swift-version", "6", "-I", modules.path, file.path,
        ]
        for folder in ["CByteMasks", "CPCRE2", "CSQLite", "CCurl"] {
            process.arguments?.append(contentsOf: [
                "-I", SpecFile.repository.appendingPathComponent("Sources/\(folder)").path,
            ])
        }
        process.standardError = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        var errors: [Int: [Substring]] = [:]
        for line in said.split(separator: "\n") where line.contains(": error: ") && line.hasPrefix(file.path) {
            let parts = line.dropFirst(file.path.utf8.count + 1).split(separator: ":", maxSplits: 2)
            let number = try #require(Int(parts[0]))
            errors[number, default: []].append(parts[2])
        }
        #expect(!errors.isEmpty, "\(said)")
        for (position, guess) in Self.guesses.enumerated() {
            let found = errors[first + position] ?? []
            guard let says = guess.says else {
                #expect(found.isEmpty, "\(guess.code): \(found)")
                continue
            }
            #expect(found.contains { $0.contains(says) }, "\(guess.code): \(found)")
        }
        #expect(errors.keys.allSatisfy { ($0 - first) < Self.guesses.count && $0 >= first }, "\(said)")
    }
}
