#if GRDB
    import Foundation
    import GRDB
    import PredicateQL
    import PredicateQLGRDB
    import Testing

    private struct Person: Codable, FetchableRecord, PersistableRecord {
        var id: Int64
        var name: String
        var age: Int
    }

    /// The lines that the README and `Grammar/stores.md` show to GRDB users, verbatim.
    @Suite struct PageTests {
        @Test func linesOfThePages() throws {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            let setUp = try DatabaseQueue(path: path)
            try setUp.write { db in
                try db.execute(
                    sql: "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL)"
                )
                try Person(id: 1, name: "João", age: 18).insert(db)
                try Person(id: 2, name: "jo", age: 17).insert(db)
                try Person(id: 3, name: "Ann", age: 40).insert(db)
            }
            try setUp.close()

            // lines of the pages
            var configuration = Configuration()
            configuration.addPredicateQLFunctions()
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let adults = try Query(format: "age >= 18 AND name BEGINSWITH[cd] %@", "jo")
            let people = try queue.read { try Person.filter(adults).fetchAll($0) }
            // end of the lines

            #expect(people.map(\.id) == [1])
        }

        @Test func pagesShowTheseLines() throws {
            let source = try String(contentsOfFile: #filePath, encoding: .utf8)
            let start = try #require(source.range(of: "// lines of the pages\n"))
            let end = try #require(source.range(of: "// end of the lines"))
            let lines = source[start.upperBound..<end.lowerBound].split(separator: "\n")
                .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            #expect(lines.count == 5)
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            for (page, lines) in [("README.md", lines.suffix(2)), ("Grammar/stores.md", lines[...])] {
                let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
                #expect(text.contains(lines.joined(separator: "\n")), "\(page) shows other lines")
            }
        }
    }
#endif
