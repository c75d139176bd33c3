import Foundation
import PredicateQL
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport

/// A store that the queries of `everyday.spec` run in.
enum EverydayStore: String, CaseIterable {
    /// Tables with a schema.
    case sqlite, postgresql, duckdb
    /// Tables with a schema, whose numbers are `numeric` and whose dates are said to be instants.
    case exact = "postgresql exact"
    /// One table, lists and objects as values of declared types.
    case nested = "duckdb nested"
    /// One table without a schema, lists and objects as JSON text.
    case bare = "sqlite bare"
    /// Documents without a schema.
    case documents = "sqlite documents"
    case jsonb, mongo

    var dialect: SQLDialect {
        switch self {
        case .sqlite, .bare, .documents, .mongo: .sqlite
        case .postgresql, .exact, .jsonb: .postgresql
        case .duckdb, .nested: .duckDB
        }
    }

    var keepsDocuments: Bool { self == .documents || self == .jsonb }

    /// How rows of a schema are stored.
    func storage(_ schema: Schema?) -> SQLStorage {
        guard self == .exact, let schema else { return keepsDocuments ? .document() : .columns }
        var storage = SQLStorage.columns
        storage.keepsTimeZones = true
        storage.decimalColumns = Self.decimals(schema)
        return storage
    }

    private static func decimals(_ schema: Schema) -> Set<String> {
        schema.fields.reduce(into: []) { names, field in
            switch field.type {
            case .double: names.insert(field.storedName)
            case .object(let rows), .list(.object(let rows)): names.formUnion(decimals(rows))
            default: return
            }
        }
    }

    /// True for the stores whose answers a judge checks.
    var isJudged: Bool { dialect != .sqlite }

    /// True if fields have tables of their own.
    var hasTables: Bool { [.sqlite, .postgresql, .exact, .duckdb].contains(self) }

    var hasSchema: Bool { hasTables || self == .nested }

    /// The name of a column's type.
    func columnType(_ type: FieldType) -> String {
        let isDuck = dialect == .duckDB
        switch type {
        case .bool: return "BOOLEAN"
        case .int: return "BIGINT"
        case .double where self == .exact: return "NUMERIC"
        case .double: return dialect == .sqlite ? "REAL" : "DOUBLE PRECISION"
        case .date where dialect != .sqlite: return "TIMESTAMPTZ"
        case .list(let element) where isDuck: return columnType(element) + "[]"
        case .object(let schema) where isDuck:
            let members = schema.fields.map { quoted($0.name) + " " + columnType($0.type) }
            return "STRUCT(" + members.joined(separator: ", ") + ")"
        case .list, .object: return dialect == .sqlite ? "JSON" : "JSONB"
        case .any, .string, .date, .data, .uuid, .objectID: return isDuck ? "VARCHAR" : "TEXT"
        }
    }

    /// A value as a literal of a column's type.
    func literal(_ value: QueryValue, _ type: FieldType) -> String {
        switch value {
        case .bool(let flag): return flag ? "TRUE" : "FALSE"
        case .int(let number): return String(number)
        case .double(let number): return "\(number)"
        case .date(let instant): return text(DateText.iso8601(instant))
        case .string(let string): return text(string)
        case .list(let elements) where dialect == .duckDB:
            return "[" + elements.map { literal($0, type.element) }.joined(separator: ", ") + "]"
        case .object(let document) where dialect == .duckDB:
            guard case .object(let schema) = type else { return "NULL" }
            let members = schema.fields.map { text($0.name) + ": " + literal(document[$0.name] ?? .null, $0.type) }
            return "{" + members.joined(separator: ", ") + "}"
        case .list, .object: return text(JSONWriter().text(value.asJSONKeepsIt))
        case .null, .data, .uuid, .shape: return "NULL"
        }
    }

    private func text(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

    func quoted(_ name: String) -> String { "\"" + name + "\"" }
}

/// The rows of a block in the tables of a store.
struct EverydayTables {
    /// The schema with its relations and the key; nil for a store without a schema.
    private(set) var schema: Schema?
    /// The statements that make and fill the tables.
    private(set) var setup: [String] = []
    private let store: EverydayStore
    /// The paths of the fields with tables of their own.
    private let tables: Set<String>
    private var counts: [String: Int64] = [:]

    init(_ spec: SpecCase, in store: EverydayStore) throws {
        self.store = store
        tables = store.hasTables ? Set((spec["tables"] ?? "").split(separator: " ").map(String.init)) : []
        guard let plain = try spec.schema() else { return }
        let related = declare("docs", plain, at: "", [])
        schema = store.hasSchema ? related : nil
        for row in try spec.documents() { insert("docs", row, plain, at: "", []) }
    }

    /// Makes a table and those of its fields; gives the schema of its rows.
    private mutating func declare(_ table: String, _ schema: Schema, at path: String, _ foreign: [String]) -> Schema {
        var columns = ["id BIGINT PRIMARY KEY"] + foreign
        var related = schema
        for (at, field) in schema.fields.enumerated() {
            let inner = path.isEmpty ? field.name : path + "." + field.name
            guard tables.contains(inner) else {
                columns.append(store.quoted(field.name) + " " + store.columnType(field.type))
                continue
            }
            switch field.type {
            case .list(.object(let rows)):
                related.fields[at].relation = Schema.Relation(table: field.name, foreignKey: "owner", key: "id")
                related.fields[at].type = .list(.object(declare(field.name, rows, at: inner, ["owner BIGINT"])))
            case .object(let row):
                let key = field.name + "_id"
                columns.append(key + " BIGINT")
                related.fields[at].relation = Schema.Relation(table: field.name, foreignKey: key, key: "id")
                related.fields[at].type = .object(declare(field.name, row, at: inner, []))
            default: continue
            }
        }
        if path.isEmpty { related.fields.append(.field("id", .int, isOptional: false)) }
        if !path.isEmpty { related.primaryKey = ["id"] }
        setup.append("DROP TABLE IF EXISTS \(store.quoted(table))")
        setup.append("CREATE TABLE \(store.quoted(table)) (\(columns.joined(separator: ", ")))")
        return related
    }

    /// Adds a row and those of its fields; gives its key.
    @discardableResult
    private mutating func insert(
        _ table: String,
        _ row: Document,
        _ schema: Schema,
        at path: String,
        _ foreign: [String]
    ) -> Int64 {
        let id = (counts[table] ?? 0) + 1
        counts[table] = id
        var (names, values) = (["id"], [String(id)])
        if let owner = foreign.first {
            names.append("owner")
            values.append(owner)
        }
        for field in schema.fields {
            let inner = path.isEmpty ? field.name : path + "." + field.name
            switch (row[field.name], field.type) {
            case (nil, _): continue
            case (.list(let elements), .list(.object(let rows))) where tables.contains(inner):
                for case .object(let element) in elements { insert(field.name, element, rows, at: inner, [String(id)]) }
            case (.object(let document), .object(let other)) where tables.contains(inner):
                names.append(field.name + "_id")
                values.append(String(insert(field.name, document, other, at: inner, [])))
            case (let value?, let type):
                names.append(store.quoted(field.name))
                values.append(store.literal(value, type))
            }
        }
        setup.append(
            "INSERT INTO \(store.quoted(table)) (\(names.joined(separator: ", "))) "
                + "VALUES (\(values.joined(separator: ", ")))"
        )
        return id
    }
}
