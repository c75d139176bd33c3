// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryBatch

enum QueryStreamsExamples {
    static func AsyncResults_1() async throws {
        let query = try ExampleWorld.query(); _ = query
        let incoming = ExampleWorld.incoming(); _ = incoming
        do {
            var found: [Document] = []
            for try await city in try query.results(in: incoming) { found.append(city) }
            expectShown(found.count, "2")
            _ = (found)
        }
    }

    static func LazyResults_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let large = try Query(format: "population > 200000").lazyResults(in: cities)
            expectShown(large.prefix(2).map { $0["name"] ?? nil }, "[\"Boston\", \"Worcester\"]")
            _ = (large)
        }
    }

    static func Query_Streams_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            var cursor = try Query(format: "state == 'MA'").cursor(over: cities)
            var found: [Document] = []
            while let city = try cursor.next() { found.append(city) }
            expectShown(found.count, "3")
            _ = (cursor, found)
        }
    }

    static func Query_Streams_2() throws {
        let books = ExampleWorld.books; _ = books
        do {
            var cursor = try Query(format: "year > 1900").cursor(over: books)
            try expectShown(cursor.next()?.title, "Ulysses")
            _ = (cursor)
        }
    }

    static func Query_Streams_3() throws {
        let people = ExampleWorld.people; _ = people
        do {
            var cursor = try Query(format: "age > 40").cursor(over: people)
            try expectShown(cursor.next()?.name, "João")
            _ = (cursor)
        }
    }

    static func Query_Streams_4() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query(format: "state == 'MA'").lazyResults(in: cities).prefix(2).map { $0["name"] ?? nil }, "[\"Boston\", \"Worcester\"]")
        }
    }

    static func Query_Streams_5() throws {
        let people = ExampleWorld.people; _ = people
        do {
            try expectShown(Query(format: "age > 20").lazyResults(in: people).contains { $0.name == "Ann" }, "true")
        }
    }

    static func Query_Streams_6() async throws {
        let incoming = ExampleWorld.incoming(); _ = incoming
        do {
            var found: [Document] = []
            for try await city in try Query(format: "state == 'MA'").results(in: incoming) { found.append(city) }
            expectShown(found.count, "3")
            _ = (found)
        }
    }

    static func Query_Streams_7() async throws {
        let books = ExampleWorld.books; _ = books
        let incoming = ExampleWorld.incoming(); _ = incoming
        do {
            let incoming = AsyncStream<Book> { stream in
                for book in books { stream.yield(book) }
                stream.finish()
            }
            var titles: [String] = []
            for try await book in try Query(format: "year > 1900").results(in: incoming) { titles.append(book.title) }
            expectShown(titles, "[\"Ulysses\", \"Dune\"]")
            _ = (incoming, titles)
        }
    }

    static func Query_Streams_8() async throws {
        let people = ExampleWorld.people; _ = people
        let incoming = ExampleWorld.incoming(); _ = incoming
        do {
            let incoming = AsyncStream<Person> { stream in
                for person in people { stream.yield(person) }
                stream.finish()
            }
            var names: [String] = []
            for try await person in try Query(format: "age > 20").results(in: incoming) { names.append(person.name) }
            expectShown(names, "[\"Ann\", \"João\"]")
            _ = (incoming, names)
        }
    }

    static func ResultCursor_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let query = try ExampleWorld.query(); _ = query
        do {
            var cursor = try query.cursor(over: cities)
            var found: [Document] = []
            while let city = try cursor.next() { found.append(city) }
            expectShown(found.count, "2")
            _ = (cursor, found)
        }
    }

    static func RowSteps_Cores_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let query = try ExampleWorld.query(); _ = query
        do {
            try expectShown(query.results(in: cities, concurrently: true).count, "2")
        }
    }

    static func RowSteps_Cores_2() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let query = try ExampleWorld.query(); _ = query
        do {
            try expectShown(query.count(in: cities, concurrently: true), "2")
        }
    }

    static func RowSteps_Cores_3() throws {
        let books = ExampleWorld.books; _ = books
        do {
            try expectShown(Query(format: "year > 1900").results(in: books, concurrently: true).map(\.title), "[\"Ulysses\", \"Dune\"]")
        }
    }

    static func RowSteps_Cores_4() throws {
        let books = ExampleWorld.books; _ = books
        do {
            try expectShown(Query(format: "year > 1900").count(in: books, concurrently: true), "2")
        }
    }
}
