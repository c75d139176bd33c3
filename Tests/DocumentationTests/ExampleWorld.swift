import Foundation
import PredicateQL
import PredicateQLSQLite
import SpecSupport

#if GRDB
    import GRDB
    import PredicateQLGRDB
#endif

/// The values that the examples of pages and doc comments use.
struct ExampleWorld {
    /// The location of the running example.
    @TaskLocal static var place = ""

    let cities: [Document]

    init() {
        cities = Self.everyCity
    }

    private static let everyCity: [Document] = {
        let file = SpecFile.repository.appendingPathComponent("Tests/Data/us-cities.ndjson")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            guard case .object(let city)? = try? QueryValue(json: String(line)) else { return nil }
            return city
        }
    }()
}

/// The values that the examples of doc comments use: small, and created only if an example names them.
extension ExampleWorld {
    static let fewCities: [Document] = [
        ["_id": "1", "name": "Boston", "state": "MA", "population": 653_833],
        ["_id": "2", "name": "Worcester", "state": "MA", "population": 206_518],
        ["_id": "3", "name": "New York", "state": "NY", "population": 8_804_190],
        ["_id": "4", "name": "Salem", "state": "MA", "population": 44_480],
    ]

    static let people = [
        Person(id: 1, name: "Ann", age: 34, city: "Boston"), Person(id: 2, name: "Bob", age: 17, city: nil),
        Person(id: 3, name: "João", age: 52, city: "Lisbon"),
    ]

    static let books = [
        Book(title: "Emma", year: 1815), Book(title: "Ulysses", year: 1922), Book(title: "Dune", year: 1965),
    ]

    static let schema = Schema([.field("name", .string), .field("age", .int), .field("tags", .list(.string))])

    /// The large cities of one state, the largest first.
    static func query() throws(QueryError) -> Query {
        try Query(format: "state == 'MA' AND population >= 100000", order: ["-population"])
    }

    static func columns() throws(QueryError) -> ColumnTable {
        var table = ColumnTable()
        try table.add("name", ["Boston", "Worcester", "New York", "Salem"])
        try table.add("state", ["MA", "MA", "NY", "MA"])
        try table.add("population", [653_833, 206_518, 8_804_190, 44_480])
        return table
    }

    /// A new database with the table `cities`.
    static func database() throws(QueryError) -> SQLiteDatabase {
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            """
            CREATE TABLE cities (_id TEXT PRIMARY KEY, name TEXT NOT NULL, state TEXT, population INTEGER);
            INSERT INTO cities VALUES ('1', 'Boston', 'MA', 653833), ('2', 'Worcester', 'MA', 206518),
                ('3', 'New York', 'NY', 8804190), ('4', 'Salem', 'MA', 44480);
            """
        )
        return database
    }

    /// A pool of a new file with the table `cities`.
    static func pool() throws -> SQLitePool {
        let file = folder.appendingPathComponent(UUID().uuidString + ".sqlite").path
        let database = try SQLiteDatabase(path: file, isReadOnly: false)
        try database.importDocuments(fewCities, into: "cities")
        return try SQLitePool(path: file)
    }

    /// A folder that ends with the process.
    private static let folder: URL = {
        let made = FileManager.default.temporaryDirectory.appendingPathComponent("examples-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: ExampleWorld.folder) }
        return made
    }()

    static func incoming() -> AsyncStream<Document> {
        AsyncStream { stream in
            for city in fewCities { stream.yield(city) }
            stream.finish()
        }
    }

    /// A service's answer.
    static func fetch(_ request: RESTRequest) throws -> [Document] {
        fewCities
    }

    /// The cities as lines of JSON in a file, created once per run.
    static func file() throws -> String {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("predicateql-examples-\(ProcessInfo.processInfo.processIdentifier).ndjson")
        let lines = fewCities.map { QueryValue.object($0).json + "\n" }.joined()
        try lines.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }
}

/// A row that a query reads in place.
struct Person: Queryable, Codable, Hashable {
    var id: Int64
    var name: String
    var age: Int
    var city: String?
    static let fields: FieldTable<Person> = [
        .field("id", \.id), .field("name", \.name), .field("age", \.age), .field("city", \.city),
    ]
}

/// A row that is encoded before a query reads it.
struct Book: Codable, Hashable {
    var title: String
    var year: Int
}

#if GRDB
    extension Person: FetchableRecord, PersistableRecord {}

    extension ExampleWorld {
        /// A new database with the tables `person` and `cities`, and the functions that queries call.
        static func queue() throws -> DatabaseQueue {
            var configuration = Configuration()
            configuration.addPredicateQLFunctions()
            let queue = try DatabaseQueue(configuration: configuration)
            try queue.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, city TEXT);
                        CREATE TABLE cities (_id TEXT PRIMARY KEY, name TEXT NOT NULL, state TEXT, population INTEGER);
                        """
                )
                for person in people { try person.insert(db) }
                try db.importDocuments(fewCities, into: "cities")
            }
            return queue
        }
    }
#endif
