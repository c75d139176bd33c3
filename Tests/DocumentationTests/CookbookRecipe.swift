import Foundation
import PredicateQL
import PredicateQLSQLite
import SpecSupport
import Testing

/// What one recipe of `Grammar/cookbook.md` finds and becomes.
final class CookbookRecipe {
    /// The instant of every run: 10 March 2024 at noon.
    private static let now: Int64 = 1_710_072_000_000
    private static let mostRows = 6
    private static let mostNames = 8

    private var lines: [String] = []
    private var printed: [String] = []
    private let world: CookbookWorld

    init(_ world: CookbookWorld) { self.world = world }

    /// Prints to the page.
    func print(_ values: Any...) {
        let text = values.map { "\($0)" }.joined(separator: " ")
        for line in text.split(separator: "\n") {
            printed += CodeWrapping.sql(String(line), width: CookbookPage.width)
        }
    }

    /// The recipe's output as lines of Markdown.
    var output: [String] {
        (printed.isEmpty ? [] : ["", "Prints:", "", "```text"] + printed + ["```"]) + lines
    }

    /// Shows what a query finds and becomes.
    func show(_ query: Query) throws {
        let set = try #require(world.set(of: query.schema))
        let found = try query.results(in: set.rows, now: Self.now)
        // A column of SQL holds null where a document has no field.
        let stored =
            query.nilMeaning == .nullOrAbsent
            ? try query.results(in: set.database, from: set.table, now: Self.now) : found
        if query.fields == nil, query.computed.isEmpty {
            let names = found.compactMap { $0[set.name] }
            #expect(names == stored.compactMap { $0[set.name] })
            show(names, of: set.table)
        } else {
            #expect(Self.agree(found, stored), "\(found) in memory, \(stored) in SQLite")
            show(found)
        }
        fence(
            "sql",
            try store("SQLite") { try query.sql(.sqlite, from: set.table, now: Self.now) }
                + store("PostgreSQL") {
                    try query.native.sql(.postgresql, from: SQLTable(set.table, storage: .instants), now: Self.now)
                }
        )
        fence("js", try mongo(of: query.native.embedded))
    }

    /// Shows the groups that are found and what the grouping becomes.
    func show(_ grouping: Grouping) throws {
        let set = try #require(world.set(of: grouping.query.schema))
        let found = try grouping.results(in: set.rows, now: Self.now)
        let stored = try grouping.results(in: set.database, from: set.table, now: Self.now)
        #expect(Self.agree(found, stored), "\(found) in memory, \(stored) in SQLite")
        show(found)
        var native = grouping
        native.query = grouping.query.native
        fence(
            "sql",
            try store("SQLite") { try grouping.sql(.sqlite, from: set.table, now: Self.now) }
                + store("PostgreSQL") {
                    try native.sql(.postgresql, from: SQLTable(set.table, storage: .instants), now: Self.now)
                }
        )
        native.query = native.query.embedded
        fence("js", try pipeline { try native.mongo(now: Self.now) })
    }

    /// Whether rows are equal; 20 equals 20.0, which a column of doubles holds.
    private static func agree(_ rows: [Document], _ others: [Document]) -> Bool {
        QueryValue.list(rows.map(QueryValue.object)).isEqual(to: .list(others.map(QueryValue.object)))
    }

    // MARK: - Rows

    private func show(_ names: [QueryValue], of table: String) {
        let texts = names.map { name in
            if case .string(let text) = name { text } else { name.json }
        }
        let noun = table == "orders" ? "orders " : ""
        let text =
            switch texts.count {
            case 0: "Finds nothing."
            case 1: "Finds \(noun.replacing("s ", with: " "))\(texts[0])."
            case ...Self.mostNames:
                "Finds \(noun)\(texts.dropLast().joined(separator: ", ")) and \(texts[texts.count - 1])."
            default:
                "Finds \(texts.count) \(table): \(texts.prefix(Self.mostNames).joined(separator: ", ")), …"
            }
        lines += ["", text]
    }

    private func show(_ rows: [Document]) {
        var texts = rows.prefix(Self.mostRows).flatMap { Self.wrapped($0.json) }
        if rows.count > Self.mostRows { texts.append("… \(rows.count - Self.mostRows) more") }
        fence("js", texts)
    }

    // MARK: - Stores

    private func store(_ name: String, _ write: () throws -> SQLQuery) throws -> [String] {
        do {
            let statement = try write()
            let bindings = statement.bindings.map(\.json).joined(separator: ", ")
            let values = bindings.isEmpty ? "" : "; values: \(bindings)"
            return Self.comment("-- ", name + values + Self.assumed(statement.assumptions))
                + CodeWrapping.sql(statement.sql + ";", width: CookbookPage.width)
        } catch let error as QueryError {
            return Self.refusal("-- ", name, error)
        }
    }

    /// A find, or a pipeline where a find cannot say it.
    private func mongo(of query: Query) throws -> [String] {
        do {
            let found = try query.mongo(now: Self.now)
            return Self.comment("// ", "MongoDB" + Self.assumed(found.assumptions)) + Self.wrapped(found.document.json)
        } catch {
            if query.computed.isEmpty { return Self.refusal("// ", "MongoDB", error) }
            return try pipeline { try query.mongoPipeline(now: Self.now) }
        }
    }

    private func pipeline(_ write: () throws -> MongoPipeline) throws -> [String] {
        do {
            let found = try write()
            return Self.comment("// ", "MongoDB, a pipeline" + Self.assumed(found.assumptions))
                + Self.wrapped(QueryValue.list(found.stages.map(QueryValue.object)).json)
        } catch let error as QueryError {
            return Self.refusal("// ", "MongoDB", error)
        }
    }

    private static func assumed(_ assumptions: [Assumption]) -> String {
        assumptions.isEmpty ? "" : "; assumes " + assumptions.map(\.document.json).joined(separator: ", ")
    }

    private static func refusal(_ mark: String, _ name: String, _ error: QueryError) -> [String] {
        let hint = error.hint.map { "; \($0)" } ?? ""
        return comment(mark, "\(name): \(error.code.rawValue): \(error.message)\(hint)")
    }

    // MARK: - Text

    private func fence(_ language: String, _ content: [String]) {
        lines += ["", "```" + language] + content + ["```"]
    }

    private static func comment(_ mark: String, _ text: String) -> [String] {
        CodeWrapping.json(text, width: CookbookPage.width - mark.count).map { mark + $0 }
    }

    private static func wrapped(_ text: String) -> [String] {
        CodeWrapping.json(text, width: CookbookPage.width)
    }
}

extension SQLStorage {
    /// Dates with a time zone, as PostgreSQL's `timestamptz`.
    fileprivate static var instants: SQLStorage {
        var storage = SQLStorage.columns
        storage.keepsTimeZones = true
        return storage
    }
}

extension Query {
    /// The query where dates are the store's own.
    fileprivate var native: Query { mapped { $0.type = $0.type.native } }

    /// The query where related rows are inside the document.
    fileprivate var embedded: Query { mapped { $0.relation = nil } }

    private func mapped(_ change: (inout Schema.Field) -> Void) -> Query {
        var query = self
        guard var schema = query.schema else { return query }
        for place in schema.fields.indices { change(&schema.fields[place]) }
        query.schema = schema
        return query
    }
}

extension FieldType {
    fileprivate var native: FieldType {
        if case .date = self { .date(.native) } else { self }
    }
}
