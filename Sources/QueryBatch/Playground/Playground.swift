import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues

/// The data of `pql play` and its answers, without HTTP: sources of rows, and requests of ``BatchProcessor`` on them.
package final class Playground: Sendable {
    private struct State {
        var sources: [PlaygroundSource] = []
        /// The number of the next source.
        var next = 1
    }

    /// Bytes that dropped files may hold together; the oldest make room.
    package static let droppedBytes = 64 << 20
    /// Bytes that a file of CSV may have as JSON.
    static let convertedBytes = 4 * droppedBytes
    /// Bytes of a request.
    package static let requestBytes = 1 << 20
    /// Rows of an answer.
    package static let mostShown = 5_000

    private let room: Int
    /// The bounds of each output.
    private let limits: Limits
    private let state = Mutex(State())

    /// A playground without data.
    ///
    /// - Parameters:
    ///   - duration: how long each output of an answer may take.
    ///   - room: bytes that dropped files may hold together.
    package init(duration: Duration = .seconds(2), room: Int = Playground.droppedBytes) {
        self.room = room
        var limits = Limits.default
        limits.duration = duration
        limits.textBytes = Self.requestBytes
        limits.sortedRows = 1 << 22
        limits.groups = 1 << 18
        self.limits = limits
    }

    /// Adds a file in memory; a database has a source for each table.
    ///
    /// - Parameters:
    ///   - name: the file's name.
    ///   - bytes: its content.
    ///   - isDropped: true for a file that came by the page, which makes room for later ones.
    ///   - isCSV: true if the content was CSV before it became lines of JSON.
    /// - Returns: the new sources.
    /// - Throws: `QueryError` for what holds no rows.
    @discardableResult
    package func add(
        _ name: String,
        _ bytes: [UInt8],
        isDropped: Bool,
        isCSV: Bool = false
    ) throws(QueryError) -> [PlaygroundSource] {
        var made = try PlaygroundSource.sources(of: name, bytes, isCSV: isCSV, limits)
        for index in made.indices {
            made[index].droppedBytes = isDropped ? made[index].content.bytes ?? bytes.count : nil
        }
        return insert(made)
    }

    /// Adds the tables of an open database.
    ///
    /// - Parameters:
    ///   - name: the file's name.
    ///   - database: used by the playground alone from now on.
    /// - Throws: `QueryError` if the database cannot be read, or has no tables.
    package func add(_ name: String, _ database: sending SQLiteDatabase) throws(QueryError) {
        _ = insert(try PlaygroundSource.sources(of: name, SharedDatabase(database)))
    }

    private func insert(_ made: [PlaygroundSource]) -> [PlaygroundSource] {
        state.withLock { state in
            var made = made
            for index in made.indices {
                made[index].id = String(state.next)
                state.next += 1
            }
            state.sources += made
            var held = state.sources.reduce(0) { $0 + ($1.droppedBytes ?? 0) }
            while held > room,
                let oldest = state.sources.firstIndex(where: { $0.droppedBytes != nil }),
                !made.contains(where: { $0.id == state.sources[oldest].id })
            {
                held -= state.sources.remove(at: oldest).droppedBytes ?? 0
            }
            return made
        }
    }

    /// What there is to ask: the sources with their fields, and the words of the language.
    package var contents: QueryValue {
        let sources = state.withLock { $0.sources }
        return .object([
            "sources": .list(sources.map(\.answer)), "words": .list(Self.words),
            "droppedBytes": .int(Int64(room)),
        ])
    }

    /// The answer to a request of the machine interface, with the first rows of a source.
    ///
    /// - Parameters:
    ///   - request: one JSON object.
    ///   - id: the source; nil for none.
    ///   - shown: how many rows to show.
    /// - Returns: a JSON object.
    package func answer(_ request: [UInt8], source id: String?, shown: Int) -> String {
        var batch = BatchProcessor(limits: limits)
        guard let id else { return batch.answer(to: request) }
        guard let source = state.withLock({ $0.sources.first { $0.id == id } }) else {
            return batch.answer(
                to: QueryError(.store, "this data is no longer loaded", path: "source", hint: "load it again")
            )
        }
        let shown = min(shown, Self.mostShown)
        switch source.content {
        case .rows(let bytes, let table, _):
            let rows = JSONRows(bytes, extended: true, limits: limits)
            batch.page = RowPage(rows: rows, shown: shown, names: source.names, table: table)
            return batch.answer(to: request)
        case .table(let database, let table):
            batch.page = RowPage(shown: shown, names: source.names)
            return database.use { database in
                batch.store = BatchStore(database: database, table: table)
                return batch.answer(to: request)
            }
        }
    }
}

extension Playground {
    /// What an editor completes: `text`, `kind` and `about`.
    private static var words: [QueryValue] {
        var words: [QueryValue] = []
        func add(_ texts: [String], _ kind: String, _ about: String) {
            for text in texts where text.utf8.first.map({ $0 == 0x40 || $0 > 0x40 }) ?? false && text.utf8.count > 1 {
                words.append(.object(["text": .string(text), "kind": .string(kind), "about": .string(about)]))
            }
        }
        for row in Comparison.Operator.table { add(row.spellings, "operator", row.summary) }
        for word in LogicalWord.allCases { add(word.spellings, "logical", word.summary) }
        for row in FunctionEntry.table { add(row.spellings, "function", row.summary) }
        for aggregate in Aggregate.allCases { add([aggregate.spelling], "aggregate", aggregate.summary) }
        for word in ReservedWord.allCases where word != .function { add(word.spellings, "word", "") }
        return words
    }
}
