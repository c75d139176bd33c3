import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Every spec line with expected rows, run in SQLite over JSON documents.
@Suite struct SQLSpecTests {
    @Test func documentsFindWhatTheSpecSays() throws {
        var asked = 0
        for spec in try SpecFile.allCases() where spec["finds"] != nil && spec["group"] == nil && !spec.rows.isEmpty {
            guard let query = try? SpecQuery.query(spec) else { continue }
            do {
                let found = try SpecQuery.found(query, spec)
                asked += 1
                #expect(found == SpecQuery.expected(spec), "\(spec.place): \(spec.query)")
            } catch let error as QueryError {
                if error.code.rawValue == spec["finds"] { continue }
                if error.code != .unsupported { Issue.record("\(spec.place): \(spec.query): \(error.message)") }
                if ProcessEnvironment.number("VERBOSE") != nil { print(spec.place, spec.query, error.message) }
            }
        }
        #expect(asked > 100)
    }

    @Test func documentsHoldTheTruths() throws {
        var (asked, refused) = (0, 0)
        for question in try WrittenQuestion.truths() {
            let database = try SQLiteDatabase.inMemory()
            try Fixture.makeDocuments(question.rows, in: database)
            do {
                let found = try Fixture.found(question.query, .document(), database, now: question.now ?? 0)
                asked += 1
                #expect(Set(found) == question.expected, "\(question.place)")
            } catch let error as QueryError where error.code == .unsupported {
                refused += 1
                if ProcessEnvironment.number("VERBOSE") != nil { print(question.place, error.message) }
            }
        }
        print("truth.json: \(asked) asked of SQLite, \(refused) refused")
        #expect(asked > 80)
    }
}

/// A spec block as a query.
enum SpecQuery {
    static func query(_ spec: SpecCase) throws -> Query {
        var arguments: [QueryValue] = []
        if let text = spec["arguments"], case .list(let values) = try QueryValue(json: text, extended: true) {
            arguments = values
        }
        var query = try Query(parsing: spec.query, arguments: arguments)
        if let schema = spec["schema"] {
            query.schema = try Schema(jsonSchema: schema)
            query = try query.checked()
        }
        if let text = spec["variables"], case .object(let variables) = try QueryValue(json: text, extended: true) {
            query = try query.binding(Dictionary(uniqueKeysWithValues: variables.pairs.map { ($0, $1) }))
        }
        for key in (spec["order"] ?? "").split(separator: ",") {
            query.order.append(try sortKey(String(key.drop { $0 == " " })))
        }
        query.skip = spec["skip"].flatMap { Int($0) }
        query.limit = spec["limit"].flatMap { Int($0) }
        if let meaning = spec["nil"] { query.nilMeaning = NilMeaning(rawValue: meaning) ?? .nullOrAbsent }
        return query
    }

    private static func sortKey(_ text: String) throws -> SortKey {
        guard let bracket = text.firstIndex(of: "[") else { return SortKey(stringLiteral: text) }
        var key = SortKey(stringLiteral: String(text[..<bracket]))
        for letter in text[bracket...] where letter == "c" || letter == "d" {
            key.options.insert(letter == "c" ? .caseInsensitive : .diacriticInsensitive)
        }
        return key
    }

    static func expected(_ spec: SpecCase) -> [String] {
        switch spec["finds"] ?? "" {
        case "all": spec.rows.map(\.label)
        case "-": []
        case let text: text.split(separator: " ").map(String.init)
        }
    }

    /// The rows of a block, with dates and UUIDs as the texts that a JSON store has for them.
    static func documents(_ spec: SpecCase) throws -> [Document] {
        try spec.rows.compactMap { row in
            guard case .object(let document) = try QueryValue(json: row.json, extended: true) else { return nil }
            return document.asJSONKeepsIt
        }
    }

    static func found(_ query: Query, _ spec: SpecCase) throws -> [String] {
        let database = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(try documents(spec), in: database)
        let now = spec["now"].flatMap { Int64($0) }
        var statement = try query.sql(.sqlite, from: SQLTable("docs", storage: .document()), now: now)
        statement.sql = statement.sql.replacingFirst("SELECT \"docs\".\"doc\"", with: "SELECT rowid AS id")
        return try database.rows(statement.sql, statement.bindings).compactMap { row in
            guard case .int(let id)? = row["id"] else { return nil }
            return spec.rows[Int(id) - 1].label
        }
    }
}

extension String {
    fileprivate func replacingFirst(_ text: String, with other: String) -> String {
        hasPrefix(text) ? other + dropFirst(text.count) : self
    }
}

extension Document {
    var asJSONKeepsIt: Document {
        Document(shape: shape, values: values.map(\.asJSONKeepsIt))
    }
}

extension QueryValue {
    var asJSONKeepsIt: QueryValue {
        switch self {
        case .date(let milliseconds): .string(DateText.iso8601(milliseconds))
        case .uuid(let uuid): .string(uuid.uuidString.lowercased())
        case .list(let elements): .list(elements.map(\.asJSONKeepsIt))
        case .object(let document): .object(document.asJSONKeepsIt)
        default: self
        }
    }
}
