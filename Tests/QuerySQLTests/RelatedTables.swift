import Foundation
import PredicateQL
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport

/// People with a boss, who has kids, and with kids, who have a toy made of parts.
struct RelatedTables {
    let rows: [Document]
    private(set) var inserts: [Insert] = []
    private var generator: ConditionGenerator
    private var meanings: SeededGenerator

    /// What keys the tables have, and whether the schema's relations name them.
    enum Keys: Int, CaseIterable {
        /// Named by each relation.
        case named
        /// Named by nothing but the tables: text, UUIDs as text, and numbers that are not row numbers.
        case text, uuid, number

        var column: String {
            switch self {
            case .named: "id"
            case .text: "uid"
            case .uuid: "guid"
            case .number: "number"
            }
        }

        /// The key in relations.
        var relation: String? { self == .named ? column : nil }

        /// The key in schemas.
        var primary: [String] { self == .named ? [] : [column] }

        func type(_ words: TableWords) -> String {
            switch self {
            case .named: words.number
            case .text, .uuid: words.text
            // In SQLite only INTEGER is the row number.
            case .number: words.number == "INTEGER" ? "INT" : words.number
            }
        }

        func value(_ number: Int) -> QueryValue {
            switch self {
            case .named: .int(Int64(number))
            case .text: .string("k\(9 - number % 10)-\(number)")
            case .uuid: .string("\(10_000_000 + number * 7_919 % 89_999_999)-abcd-4000-8000-00000000000f")
            case .number: .int(Int64(1_000 - number * 7))
            }
        }
    }

    let keys: Keys
    let schema: Schema
    /// How SQLite writes the tables: no column that nobody declares has an affinity for numbers.
    let words: TableWords

    static let schema = schema(.named)

    /// The schema over tables with such keys; `isDeclared` is false to declare neither the columns of kids nor tags.
    static func schema(_ keys: Keys, isDeclared: Bool = true) -> Schema {
        func type(_ declared: FieldType) -> FieldType { isDeclared ? declared : .any }
        func related(_ table: String, _ foreignKey: String) -> Schema.Relation {
            Schema.Relation(table: table, foreignKey: foreignKey, key: keys.relation)
        }
        func object(_ fields: [Schema.Field]) -> FieldType { .object(Schema(fields, primaryKey: keys.primary)) }
        let part = object([.field("a", .int), .field("b", .string)])
        let toy = object([
            .field("a", .int), .field("b", .string), .field("parts", .list(part), relation: related("parts", "toy")),
        ])
        let kid = object([
            .field("a", type(.int)), .field("b", type(.string)), .field("tags", type(.list(.string))),
            .field("toy", toy, relation: related("toys", "toy_id")),
        ])
        let boss = object([
            .field("a", .int), .field("b", .string), .field("u", .uuid),
            .field("kids", .list(kid), relation: related("kids", "boss")),
        ])
        return Schema(
            [
                .field("x", .int), .field("s", .string), .field("b", .bool), .field("u", .uuid),
                .field("tags", type(.list(.string))),
                .field("o", .object(Schema([.field("a", .int), .field("b", .string)]))),
                .field("boss", boss, relation: related("bosses", "boss_id")),
                .field("k", .list(kid), relation: related("kids", "owner")),
            ],
            primaryKey: keys.primary
        )
    }

    private static let uuids = (0..<3).compactMap { UUID(uuidString: "0000000\($0)-ABCD-4000-8000-00000000000F") }
    private static let numbers: [QueryValue] = [.int(0), .int(1), .int(-1), .int(2), .int(5), .int(.max), .int(.min)]

    /// Random rows.
    ///
    /// - Parameters:
    ///   - seed: of the generators.
    ///   - allowsNul: whether texts may hold NUL.
    ///   - keys: what keys the tables have.
    ///   - schema: what queries are read by; nil for the one of those keys.
    ///   - isDeclared: false for tags of any kind, as columns may hold that nobody declares.
    init(
        seed: UInt64,
        allowsNul: Bool = true,
        keys: Keys = .named,
        schema: Schema? = nil,
        isDeclared: Bool = true
    ) {
        self.keys = keys
        words = isDeclared ? .sqlite : .undeclared
        self.schema = schema ?? Self.schema(keys)
        generator = ConditionGenerator(seed: seed)
        meanings = SeededGenerator(seed)
        generator.fields = ["x", "s", "b", "u", "o.a", "o.b", "boss.a", "boss.b", "boss.u", "x", "s"]
        generator.collections = [
            "k", "k.a", "k.b", "k.toy.a", "k.toy.b", "k.toy", "k.tags", "tags", "boss", "boss.kids", "boss.kids.a",
            "boss.kids.toy.b", "k.toy.parts", "k.toy.parts.a", "boss.kids.toy.parts.b", "s",
        ]
        generator.elements = ["a", "b", "a", "b", "toy.a", "toy.b", "tags"]
        if !isDeclared {
            generator.elements += ["tags.a", "tags", "tags.a"]
            generator.unions = [("k", "tags"), ("k", "tags.a"), ("boss.kids", "tags"), ("k", "b"), ("k.tags", "b")]
        }
        generator.constants = Self.uuids.map { .uuid($0) } + [.bool(true), .bool(false)]
        var random = SeededGenerator(seed)
        rows = (0..<40).map { _ in
            let row = Self.person(&random, isDeclared)
            return allowsNul ? row : row.withoutNul
        }
        for row in rows { insert(person: row) }
    }

    mutating func query() -> Query? {
        let nilMeaning = meanings.pick([.nullOrAbsent, .nullOrAbsent, .nullOrAbsent, .absent, .null] as [NilMeaning])
        for attempt in 0..<6 {
            let condition =
                attempt.isMultiple(of: 2)
                ? generator.condition() : generator.parsed(anyTerms: 30, schema: schema)
            guard let condition else { continue }
            // What the parser would reject is not a query.
            if let query = try? Query(parsing: condition.format, nilMeaning: nilMeaning, schema: schema) {
                return query
            }
        }
        return nil
    }

    // MARK: Rows

    private static func text(_ random: inout SeededGenerator) -> QueryValue {
        random.chance(20) ? .null : .string(random.pick(Hostile.texts))
    }

    private static func number(_ random: inout SeededGenerator) -> QueryValue {
        random.chance(20) ? .null : random.pick(numbers)
    }

    private static func uuid(_ random: inout SeededGenerator) -> QueryValue {
        random.chance(20) ? .null : .uuid(random.pick(uuids))
    }

    /// SQL NULL in a column of JSON is not a field.
    private static func tags(_ random: inout SeededGenerator) -> QueryValue? {
        random.chance(20) ? nil : .list((0..<random.below(4)).map { _ in text(&random) })
    }

    /// Tags that nobody declares: also objects, lists of objects, and single values.
    private static func undeclaredTags(_ random: inout SeededGenerator) -> QueryValue? {
        switch random.below(6) {
        case 0: text(&random)
        case 1: .object(plain(&random))
        case 2: .list((0..<random.below(3)).map { _ in .object(plain(&random)) })
        default: tags(&random)
        }
    }

    private static func plain(_ random: inout SeededGenerator) -> Document {
        ["a": number(&random), "b": text(&random)]
    }

    private static func kids(_ random: inout SeededGenerator, _ isDeclared: Bool) -> QueryValue {
        .list(
            (0..<random.below(4)).map { _ in
                var kid = plain(&random)
                if let tags = isDeclared ? tags(&random) : undeclaredTags(&random) { kid["tags"] = tags }
                kid["toy"] = .null
                if random.chance(70) {
                    var toy = plain(&random)
                    toy["parts"] = .list((0..<random.below(3)).map { _ in .object(plain(&random)) })
                    kid["toy"] = .object(toy)
                }
                return .object(kid)
            }
        )
    }

    private static func person(_ random: inout SeededGenerator, _ isDeclared: Bool) -> Document {
        var row: Document = ["x": number(&random), "s": text(&random), "u": uuid(&random)]
        if let tags = tags(&random) { row["tags"] = tags }
        row["b"] = random.pick([.null, .bool(true), .bool(false)])
        if random.chance(80) { row["o"] = .object(plain(&random)) }
        row["k"] = kids(&random, isDeclared)
        row["boss"] = .null
        if random.chance(75) {
            var boss = plain(&random)
            boss["u"] = uuid(&random)
            boss["kids"] = kids(&random, isDeclared)
            row["boss"] = .object(boss)
        }
        return row
    }
}

// MARK: Tables

extension RelatedTables {
    /// A row of a table.
    struct Insert {
        var table: String
        var values: [(column: String, value: QueryValue)]
    }

    /// The statements that make the tables; people have columns, or a document.
    static func tables(
        _ words: TableWords,
        _ storage: SQLStorage,
        _ keys: Keys = .named,
        declaringForeignKeys: Bool = false
    ) -> [String] {
        let type = keys.type(words)
        let key = "\(keys.column) \(type) PRIMARY KEY"
        func foreign(_ name: String, _ table: String) -> String {
            "\(name) \(type)" + (declaringForeignKeys ? " REFERENCES \(table)" : "")
        }
        let plain = "a \(words.number), b \(words.text)"
        let scalars = "x \(words.number), s \(words.text), b \(words.flag), u \(words.uuid)"
        let columns = "\(scalars), tags \(words.texts), o \(words.object), \(foreign("boss_id", "bosses"))"
        return [
            "CREATE TABLE docs (\(key), \(keys == .named ? "" : "id \(words.number), ")\(storage == .columns ? columns : "doc \(words.object)"))",
            "CREATE TABLE bosses (\(key), \(plain), u \(words.uuid))",
            "CREATE TABLE kids (\(key), \(foreign("owner", "docs")), \(foreign("boss", "bosses")), \(plain), "
                + "tags \(words.texts), \(foreign("toy_id", "toys")))",
            "CREATE TABLE toys (\(key), \(plain))",
            "CREATE TABLE parts (\(key), \(foreign("toy", "toys")), \(plain))",
        ]
    }

    /// The statements that make and fill the tables.
    func setup(_ words: TableWords, _ storage: SQLStorage) -> [String] {
        Self.tables(words, storage, keys)
            + inserts(storage).map { insert in
                let names = insert.values.map(\.column).joined(separator: ", ")
                let values = insert.values.map { words.text($0.value) }.joined(separator: ", ")
                return "INSERT INTO \(insert.table) (\(names)) VALUES (\(values))"
            }
    }

    /// What every table gets, of people the columns or the document, with the keys in it.
    func inserts(_ storage: SQLStorage) -> [Insert] {
        guard storage != .columns else { return inserts }
        return inserts.map { insert in
            guard insert.table == "docs" else { return insert }
            let pairs = insert.values.map { ($0.column, Self.inDocument($0.value)) }
            let document = QueryValue.object(Document(pairs: pairs))
            return Insert(table: "docs", values: Array(insert.values.prefix(1)) + [(column: "doc", value: document)])
        }
    }

    private static func inDocument(_ value: QueryValue) -> QueryValue {
        if case .uuid(let uuid) = value { .string(uuid.uuidString.lowercased()) } else { value }
    }

    /// The people as rows of the storage: JSON has UUIDs as texts.
    func rows(_ storage: SQLStorage) -> [Document] {
        storage == .columns
            ? rows : rows.map { row in Document(pairs: row.pairs.map { ($0.0, Self.inDocument($0.1)) }) }
    }

    private mutating func insert(person row: Document) {
        var boss = QueryValue.null
        if case .object(let document)? = row["boss"] {
            boss = add("bosses", document, ["a", "b", "u"], [])
            add(kids: document["kids"], ("boss", boss))
        }
        let id = add("docs", row, ["x", "s", "b", "u", "tags", "o"], [("boss_id", boss)])
        add(kids: row["k"], ("owner", id))
    }

    private mutating func add(kids: QueryValue?, _ parent: (String, QueryValue)) {
        guard case .list(let kids)? = kids else { return }
        for case .object(let kid) in kids {
            var toy = QueryValue.null
            if case .object(let document)? = kid["toy"] {
                toy = add("toys", document, ["a", "b"], [])
                if case .list(let parts)? = document["parts"] {
                    for case .object(let part) in parts { add("parts", part, ["a", "b"], [("toy", toy)]) }
                }
            }
            add("kids", kid, ["a", "b", "tags"], [parent, ("toy_id", toy)])
        }
    }

    /// Adds a row, and gives its key.
    @discardableResult
    private mutating func add(
        _ table: String,
        _ row: Document,
        _ fields: [String],
        _ keys: [(String, QueryValue)]
    ) -> QueryValue {
        let id = self.keys.value(inserts.count { $0.table == table } + 1)
        let values = fields.compactMap { name in row[name].map { (column: name, value: $0) } }
        var own = [(column: self.keys.column, value: id)]
        // Judges know the people by their number.
        if table == "docs", self.keys != .named {
            own.append((column: "id", value: .int(Int64(inserts.count { $0.table == table }) + 1)))
        }
        inserts.append(Insert(table: table, values: own + values + keys))
        return id
    }
}

/// How a store writes the tables.
struct TableWords {
    var number: String
    var text: String
    var flag: String
    var uuid: String
    var texts: String
    var object: String
    /// A list or an object as a literal.
    var literal: @Sendable (QueryValue) -> String = { quoted(JSONWriter().text($0)) }

    static let sqlite = TableWords(
        number: "INTEGER",
        text: "TEXT",
        flag: "BOOLEAN",
        uuid: "TEXT",
        texts: "JSON",
        object: "JSON"
    )
    static let undeclared = TableWords(
        number: "INTEGER",
        text: "TEXT",
        flag: "BOOLEAN",
        uuid: "TEXT",
        texts: "TEXT",
        object: "JSON"
    )
    static let postgreSQL = TableWords(
        number: "bigint",
        text: "text",
        flag: "boolean",
        uuid: "uuid",
        texts: "jsonb",
        object: "jsonb"
    )
    static let duckDB = TableWords(
        number: "BIGINT",
        text: "VARCHAR",
        flag: "BOOLEAN",
        uuid: "UUID",
        texts: "VARCHAR[]",
        object: "STRUCT(a BIGINT, b VARCHAR)",
        literal: { nested($0) }
    )

    /// A value as a literal.
    func text(_ value: QueryValue) -> String {
        switch value {
        case .bool(let flag): flag ? "TRUE" : "FALSE"
        case .int(let number): String(number)
        case .uuid(let uuid): Self.quoted(uuid.uuidString.lowercased())
        case .string(let text): Self.quoted(text)
        case .list, .object: literal(value)
        default: "NULL"
        }
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

    private static func nested(_ value: QueryValue) -> String {
        switch value {
        case .list(let elements): "[" + elements.map(duckDB.text).joined(separator: ", ") + "]"
        case .object(let document):
            "{" + document.pairs.map { quoted($0.0) + ": " + duckDB.text($0.1) }.joined(separator: ", ") + "}"
        default: duckDB.text(value)
        }
    }
}

extension Document {
    fileprivate var withoutNul: Document { Document(shape: shape, values: values.map(\.withoutNul)) }
}

extension QueryValue {
    fileprivate var withoutNul: QueryValue {
        switch self {
        case .string(let text): .string(text.replacing("\0", with: "0"))
        case .list(let elements): .list(elements.map(\.withoutNul))
        case .object(let document): .object(document.withoutNul)
        default: self
        }
    }
}
