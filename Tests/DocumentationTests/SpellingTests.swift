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
        ("Document.list(json: \"[]\")", "write [Document](json: text)"),
        ("document[\"a\"].int", "must be unwrapped"),
        ("document.a", "write document[\"name\"]"),
        ("try Query().results(in: untyped)", "try Document(any: $0)"),
        ("Query().grouped(by: [\"state\"])", "computing: [.count]"),
        ("Query().grouped(by: [path], computing: [.count])", "paths.map { GroupKey($0) }"),
    ]

    @Test func guessesCompileOrAreAnswered() throws {
        let modules = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("Modules")
        let lines = Self.guesses.map { "    _ = \($0.code)" }
        let source = """
            import Foundation
            import PredicateQL
            struct Person: Codable { var name: String, age: Int }
            struct Home: Queryable {
                var zip: String
                static let fields: FieldTable<Home> = ["zip": \\.zip]
            }
            struct City: Queryable {
                var population: Int, home: Home
                static let fields: FieldTable<City> = ["population": \\.population, "home": \\.home]
            }
            func guesses(
                _ rows: [Document], _ document: Document, _ people: [Person], _ condition: Condition,
                _ untyped: [[String: Any]], _ path: FieldPath
            ) throws {
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
        for folder in ["CByteMasks", "CPCRE2", "CSQLite"] {
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
