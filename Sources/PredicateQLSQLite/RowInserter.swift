import PredicateQL
import QueryTree
import QueryValues

/// Inserts documents into a table with one prepared statement.
struct RowInserter {
    private let importer: SQLiteImporter
    private let targets: [SQLiteImporter.Target]
    private let statement: SQLiteStatement
    private let known: Set<UTF8Key>
    /// Where the documents of a shape have the value of each column; nil if they have none.
    private var places = RecentShapes<[Int?]>()
    /// Room for JSON text, kept from row to row.
    private var text: [UInt8] = []
    /// The number of rows inserted.
    private(set) var count: Int

    /// Prepares the statement.
    ///
    /// - Parameters:
    ///   - importer: has the table's name and the form of values.
    ///   - columns: those of the table.
    ///   - database: a database opened for writing.
    ///   - count: the number of rows inserted before.
    /// - Throws: `QueryError` of code `store` if there is no such table.
    init(
        _ importer: SQLiteImporter,
        _ columns: [SQLiteTable.Column],
        _ database: SQLiteDatabase,
        after count: Int = 0
    ) throws(QueryError) {
        self.importer = importer
        self.count = count
        known = Set(columns.map { UTF8Key($0.name) })
        targets = columns.map { SQLiteImporter.Target($0) }
        let names = columns.map { SQLiteImporter.quoted($0.name) }.joined(separator: ", ")
        let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        statement = try database.prepare(
            "INSERT INTO " + SQLiteImporter.quoted(importer.table) + " (" + names + ") VALUES (" + marks + ")",
            Array(repeating: .null, count: columns.count)
        )
    }

    /// Inserts a document.
    ///
    /// - Parameter document: its keys are columns.
    /// - Throws: `QueryError` of code `store` if a key is no column, a value does not fit one, or SQLite fails.
    mutating func add(_ document: Document) throws(QueryError) {
        let places = try places(of: document.shape)
        let values = document.values
        for at in targets.indices {
            guard let place = places[at] else {
                try statement.bind(.null, at: at)
                continue
            }
            do throws(QueryError) {
                try importer.bind(values[place], targets[at], to: statement, at: at, &text)
            } catch {
                var placed = error
                placed.message = "row \(count + 1): " + error.message
                throw placed
            }
        }
        try statement.run()
        count += 1
    }

    private mutating func places(of shape: Shape) throws(QueryError) -> [Int?] {
        if let known = places[shape] { return known }
        for key in shape.keys where !known.contains(UTF8Key(key)) {
            throw QueryError(.store, "the table \(importer.table) has no column \(key)")
        }
        let found = targets.map { shape.slot(of: $0.column.name) }
        places[shape] = found
        return found
    }
}

/// What was found out about the shapes of the last documents, of which there are few.
struct RecentShapes<Value> {
    private static var most: Int { 8 }

    private var known: [(shape: Shape, value: Value)] = []

    /// What is known of a shape; setting forgets the oldest if there are too many.
    subscript(shape: Shape) -> Value? {
        get {
            for entry in known where entry.shape === shape { return entry.value }
            return nil
        }
        set {
            guard let newValue else { return }
            if known.count == Self.most { known.removeFirst() }
            known.append((shape, newValue))
        }
    }
}
