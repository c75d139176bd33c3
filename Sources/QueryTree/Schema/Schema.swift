import QueryValues

/// The names and kinds of an object's fields, which map property names to stored names.
///
///     let schema = Schema([
///         .field("publishDate", .date(.iso8601), storedAs: "date"),
///         .field("tags", .list(.string)),
///     ])
///     try Query(format: "ANY tags == 'red'", schema: schema)  // → ANY tags == "red"
///     try Query(format: "tag == 'red'", schema: schema)  // throws unknownField
public struct Schema: Hashable, Sendable {
    /// The fields in order.
    public var fields: [Field] {
        didSet { rest.places = FieldPlaces() }
    }
    /// True if fields that are not listed may exist; their kind is any.
    public var allowsOthers: Bool
    /// The stored names of the fields that identify rows, in order; empty if unknown.
    ///
    /// Relations join on it, and it breaks ties in an order cut by skip or limit (S22).
    public var primaryKey: [String] {
        get { rest.primaryKey }
        set { rest.primaryKey = newValue }
    }
    /// True for a schema that a store reports about its columns: values are read with it, but a query written without a
    /// schema is not checked against it.
    package private(set) var isOfStore = false
    private var rest = SchemaRest()
    /// True for a schema that a table declares; its texts and bytes may be JSON that a query looks into.
    package var isOfTable = false
    /// The fields of such a schema whose values are what they are, as in rows without one: their texts are no JSON,
    /// whatever they look like, no number is one of their truth values, and no text one of their dates and UUIDs.
    package var plainFields: Set<String> = []

    /// An object's fields.
    ///
    ///     let schema = Schema([.field("age", .int)], allowsOthers: true)
    ///     try Query(format: "age > 21 AND city == 'Boston'", schema: schema)  // → age > 21 AND city == "Boston"
    ///
    /// - Parameters:
    ///   - fields: the fields in order; of two with one name the first counts.
    ///   - allowsOthers: whether fields that are not listed may be there.
    ///   - primaryKey: the stored names of the fields that identify rows.
    public init(_ fields: [Field], allowsOthers: Bool = false, primaryKey: [String] = []) {
        self.fields = fields
        self.allowsOthers = allowsOthers
        rest.primaryKey = primaryKey
        rest.places = FieldPlaces(fields)
    }

    /// Rebuilds the lookup of fields by name after they were changed.
    ///
    /// O(fields).
    package mutating func index() { rest.places = FieldPlaces(fields) }

    /// The same fields marked as reported by a store, for queries without a schema of their own.
    package var ofStore: Schema {
        var copy = self
        copy.isOfStore = true
        return copy
    }

    /// What queries are checked against; nil for a schema reported by a store.
    package var checked: Schema? { isOfStore ? nil : self }

    /// Any field of any kind.
    public static let any = Schema([], allowsOthers: true)

    /// One field of an object.
    ///
    ///     let field: Schema.Field = .field("joined", .date(.iso8601), storedAs: "join_date")
    ///     field.storedName  // → join_date
    public struct Field: Hashable, Sendable {
        /// The name in queries.
        public var name: String
        /// The name in documents, rows, SQL and Mongo.
        public var storedName: String
        /// The kind of its values.
        public var type: FieldType
        /// True when it may be null or absent.
        public var isOptional: Bool
        /// Where its rows are stored in SQL, if not in the row itself.
        public var relation: Relation?

        /// A field.
        ///
        ///     let schema = Schema([.field("joined", .date(.iso8601), storedAs: "join_date", isOptional: false)])
        ///     try Query(format: "joined > now()", schema: schema).sql(.sqlite, from: "people").where
        ///     // → …"join_date"…
        ///
        /// - Parameters:
        ///   - name: the name in queries.
        ///   - type: the kind of its values.
        ///   - storedName: the name in the store; nil for the same.
        ///   - isOptional: whether it may be null or absent.
        ///   - relation: the SQL table its rows live in, nil when they are in the row itself.
        /// - Returns: the field.
        public static func field(
            _ name: String,
            _ type: FieldType,
            storedAs storedName: String? = nil,
            isOptional: Bool = true,
            relation: Relation? = nil
        ) -> Field {
            Field(
                name: name,
                storedName: storedName ?? name,
                type: type,
                isOptional: isOptional,
                relation: relation
            )
        }
    }

    /// Where a field's rows are stored in SQL.
    ///
    ///     let order = Schema([.field("amount", .int)])
    ///     let orders = Schema.Relation(table: "orders", foreignKey: "person_id")
    ///     let people = Schema([.field("orders", .list(.object(order)), relation: orders)], primaryKey: ["uid"])
    ///     try Query(format: "ANY orders.amount > 100", schema: people).sql(.sqlite, from: "people").where
    ///     // → "people"."uid" IN (SELECT "k1"."person_id" FROM "orders" AS "k1" WHERE "k1"."amount" > ?)
    public struct Relation: Hashable, Sendable {
        /// The other table.
        public var table: String
        /// To-many: the column of the other table that holds this row's key.
        ///
        /// To-one: the column of this table that holds the other row's key.
        public var foreignKey: String
        /// The key column of the other table (to-one) or of this one (to-many); nil for the primary key.
        ///
        /// The primary key is ``Schema/primaryKey`` of that table's rows; an open database reports its own. If it is
        /// unknown, the relation is rejected.
        public var key: String?
        /// The columns of a multi-column foreign key, which cannot be joined on; otherwise empty.
        package var composite: [String] = []

        /// A relation by its table and columns.
        ///
        ///     Schema.Relation(table: "orders", foreignKey: "person_id").table  // → orders
        ///
        /// - Parameters:
        ///   - table: the other table.
        ///   - foreignKey: the column that holds the key.
        ///   - key: the column that the key is in; nil for the primary key.
        public init(table: String, foreignKey: String, key: String? = nil) {
            self.table = table
            self.foreignKey = foreignKey
            self.key = key
        }
    }

    /// The field of a property name, or nil.
    ///
    ///     Schema([.field("age", .int)]).field(named: "age")?.type  // → int
    ///
    /// O(1) on average; O(number of fields) after ``fields`` was changed.
    ///
    /// - Parameter name: compared by UTF-8 bytes.
    /// - Returns: the field.
    public func field(named name: String) -> Field? { place(of: name).map { fields[$0] } }

    package func type(of name: String) -> FieldType? { place(of: name).map { fields[$0].type } }

    private func place(of name: String) -> Int? {
        if let place = rest.places.found(name) { return place }
        return fields.firstIndex { $0.name.hasSameUTF8(as: name) }
    }

    /// The field stored under a name, or nil; the first if there are two.
    package func field(storedAs name: String) -> Field? {
        if let place = rest.places.found(storedAs: name) { return place.map { fields[$0] } }
        return fields.first { $0.storedName.hasSameUTF8(as: name) }
    }
}

/// Rarely used properties, kept behind one reference because schemas are part of types, which are copied everywhere.
private struct SchemaRest: Hashable, Sendable {
    private final class Box: Sendable {
        let primaryKey: [String]
        let places: FieldPlaces

        init(_ primaryKey: [String], _ places: FieldPlaces) {
            self.primaryKey = primaryKey
            self.places = places
        }
    }

    /// nil for a schema of few fields without a key.
    private var box: Box?

    var primaryKey: [String] {
        get { box?.primaryKey ?? [] }
        set { set(newValue, places) }
    }

    var places: FieldPlaces {
        get { box?.places ?? FieldPlaces() }
        set { set(primaryKey, newValue) }
    }

    private mutating func set(_ primaryKey: [String], _ places: FieldPlaces) {
        box = primaryKey.isEmpty && places.isEmpty ? nil : Box(primaryKey, places)
    }

    static func == (left: SchemaRest, right: SchemaRest) -> Bool { left.primaryKey == right.primaryKey }

    func hash(into hasher: inout Hasher) { hasher.combine(primaryKey) }
}

/// The positions of a large schema's fields by name; does not take part in equality.
private struct FieldPlaces: Sendable {
    private var byName: [UTF8Key: Int] = [:]
    private var byStoredName: [UTF8Key: Int] = [:]

    init() {}

    init(_ fields: [Schema.Field]) {
        // A few names are compared faster than one is hashed.
        guard fields.count > 24 else { return }
        for (place, field) in fields.enumerated() {
            if byName[UTF8Key(field.name)] == nil { byName[UTF8Key(field.name)] = place }
            if byStoredName[UTF8Key(field.storedName)] == nil { byStoredName[UTF8Key(field.storedName)] = place }
        }
    }

    /// The position, if any; nil if the fields must be searched.
    func found(_ name: String) -> Int?? { byName.isEmpty ? nil : .some(byName[UTF8Key(name)]) }

    func found(storedAs name: String) -> Int?? { byName.isEmpty ? nil : .some(byStoredName[UTF8Key(name)]) }

    var isEmpty: Bool { byName.isEmpty }
}

/// The kind of a field's values.
///
///     let tags = FieldType.list(.string)
///     Schema([.field("tags", tags)]).field(named: "tags")?.type == tags  // → true
public indirect enum FieldType: Hashable, Sendable {
    /// Not known; any value.
    case any
    /// True or false.
    case bool
    /// Whole numbers.
    case int
    /// Numbers.
    case double
    /// Text.
    case string
    /// Dates, kept in the store by an encoding.
    case date(DateEncoding)
    /// Bytes.
    case data
    /// UUIDs.
    case uuid
    /// ObjectIds of Mongo: 24 hex digits, kept as their lower-case text everywhere but in Mongo itself.
    case objectID  // S5
    /// A single object: to-one.
    case object(Schema)
    /// A list: to-many.
    case list(FieldType)

    /// The kind, or nil for any.
    package var kind: Kind? {
        switch self {
        case .any: nil
        case .bool: .bool
        case .int, .double: .number
        case .string, .objectID: .string
        case .date: .date
        case .data: .data
        case .uuid: .uuid
        case .object: .object
        case .list: .list
        }
    }

    /// The element's type of a list, else the type itself.
    package var element: FieldType {
        if case .list(let element) = self { element } else { self }
    }
}

/// How a store keeps dates.
///
///     let seconds = Schema([.field("joined", .date(.epochSeconds))])
///     try Query(format: "joined > %@", QueryValue.date(5000), schema: seconds).mongo().filter
///     // → {"joined":{"$gt":5}}
///
/// With a fixed form the constant is converted, so indexes work, and a text in another form is not a date. Texts of any
/// form, `iso8601`, are parsed one by one where the store can: in memory, and in SQLite by `pred_date`. See S5.
public enum DateEncoding: String, Hashable, Sendable, CaseIterable, Codable {
    /// The store's own date type; a store without one reads ISO 8601 text that is compared with a date constant.
    case native
    /// ISO 8601 text with or without a time, milliseconds and a zone.
    case iso8601  // S5
    /// `yyyy-MM-ddTHH:mm:ss.SSSZ`.
    case iso8601Milliseconds
    /// `yyyy-MM-ddTHH:mm:ssZ`.
    case iso8601Seconds
    /// `yyyy-MM-dd`: midnight in UTC.
    case iso8601Date
    /// `yyyy-MM-dd HH:mm:ss.SSS` in UTC: SQLite's own text form with milliseconds, which GRDB writes.
    case sqliteText
    /// Seconds since 1970, with a fraction.
    case epochSeconds
    /// Milliseconds since 1970.
    case epochMilliseconds
}
