import QueryTree

/// What a catalogue's name of a column's type says: which values the column has, and how they are read.
struct ColumnType {
    enum Form: Equatable {
        /// As it is.
        case plain
        /// An exact decimal number.
        case decimal
        /// Read by a cast to the field's type.
        case cast
        /// Any value, as a document.
        case json
        /// Not read; a query that uses it is refused with this name.
        case unread(String)
    }

    let field: FieldType
    let form: Form
    /// True for instants, false for dates without a time zone; nil for others.
    var hasTimeZone: Bool?
    /// True for a date without a time.
    var isDay = false
    /// The type of the elements of an array of texts or ints, in SQL.
    var element: String?

    /// - Parameter name: the type's name in PostgreSQL (`int8`, `_text`, `enum` and `_enum` for any enum) or in DuckDB
    ///   (`BIGINT`, `VARCHAR[]`, `STRUCT(a INTEGER)`).
    init(_ name: String) {
        if name == "JSON" {
            // DuckDB's, which has no documents; PostgreSQL's is `json`.
            self.init(.any, .unread(name))
        } else if let type = Self.single(name) {
            self = type
        } else if let nested = NestedType.read(name) {
            self.init(nested, .plain)
        } else if name.hasSuffix("]"), let bracket = name.lastIndex(of: "["),
            let element = Self.single(String(name[..<bracket]))
        {
            // A list of what is read by a cast, or of a fixed length.
            self.init(.list(element.field), .cast)
        } else {
            self.init(.any, .unread(name))
        }
    }

    /// The type of a single value.
    private static func single(_ name: String) -> ColumnType? {
        if let type = named[name.lowercased()] { return type }
        guard name.hasSuffix(")") else { return nil }
        if name.hasPrefix("DECIMAL(") { return ColumnType(.double, .decimal) }
        return name.hasPrefix("ENUM(") ? ColumnType(.string, .cast) : nil
    }

    /// True if the store has an order of such values, which PostgreSQL's `json` has not.
    var isSortable: Bool {
        switch form {
        case .plain, .decimal, .json: true
        case .cast: field != .any
        case .unread: false
        }
    }

    private init(
        _ field: FieldType,
        _ form: Form = .plain,
        hasTimeZone: Bool? = nil,
        isDay: Bool = false,
        element: String? = nil
    ) {
        (self.field, self.form) = (field, form)
        (self.hasTimeZone, self.isDay, self.element) = (hasTimeZone, isDay, element)
    }

    /// `char(n)` and `citext` compare texts by rules of their own, an enum by its declaration: their texts are read, as
    /// are those of times.
    ///
    /// DuckDB compares instants of nanoseconds with no other type. Unsigned integers are cast, for DuckDB computes
    /// `3 - 5` without a sign; those that may exceed 64 bits are not read, because they would be neither ints nor doubles.
    private static let named: [String: ColumnType] = [
        "bool": ColumnType(.bool), "boolean": ColumnType(.bool),
        "int2": ColumnType(.int), "int4": ColumnType(.int), "int8": ColumnType(.int),
        "tinyint": ColumnType(.int), "smallint": ColumnType(.int), "integer": ColumnType(.int),
        "bigint": ColumnType(.int), "oid": ColumnType(.int, .cast),
        "utinyint": ColumnType(.int, .cast), "usmallint": ColumnType(.int, .cast), "uinteger": ColumnType(.int, .cast),
        "float4": ColumnType(.double), "float8": ColumnType(.double), "float": ColumnType(.double),
        "double": ColumnType(.double),
        "numeric": ColumnType(.double, .decimal),
        "text": ColumnType(.string), "varchar": ColumnType(.string),
        "bpchar": ColumnType(.string, .cast), "citext": ColumnType(.string, .cast), "name": ColumnType(.string, .cast),
        "enum": ColumnType(.string, .cast), "char": ColumnType(.string, .cast), "time": ColumnType(.string, .cast),
        "bytea": ColumnType(.data), "blob": ColumnType(.data), "uuid": ColumnType(.uuid),
        "timestamptz": ColumnType(.date(.native), hasTimeZone: true),
        "timestamp with time zone": ColumnType(.date(.native), hasTimeZone: true),
        "timestamp": ColumnType(.date(.native), hasTimeZone: false),
        "timestamp_s": ColumnType(.date(.native), hasTimeZone: false),
        "timestamp_ms": ColumnType(.date(.native), hasTimeZone: false),
        "timestamp_ns": ColumnType(.date(.native), .cast, hasTimeZone: false),
        "date": ColumnType(.date(.native), hasTimeZone: false, isDay: true),
        "jsonb": ColumnType(.any, .json), "json": ColumnType(.any, .cast),
        "_text": ColumnType(.list(.string), .cast, element: "text"),
        "_varchar": ColumnType(.list(.string), .cast, element: "varchar"),
        "_int4": ColumnType(.list(.int), .cast, element: "integer"),
        "_int8": ColumnType(.list(.int), .cast, element: "bigint"),
        "_int2": ColumnType(.list(.int), .cast), "_bool": ColumnType(.list(.bool), .cast),
        "_float4": ColumnType(.list(.double), .cast), "_float8": ColumnType(.list(.double), .cast),
        "_numeric": ColumnType(.list(.double), .cast), "_uuid": ColumnType(.list(.uuid), .cast),
        "_enum": ColumnType(.list(.string), .cast), "_bpchar": ColumnType(.list(.string), .cast),
    ]

    /// The type of an element or member, which no cast reads.
    fileprivate static func plain(_ name: String) -> FieldType? {
        guard let type = named[name.lowercased()] else { return nil }
        return type.form == .plain || type.field == .int && name.hasPrefix("U") ? type.field : nil
    }
}

/// A reader of DuckDB's names of lists and structs.
private struct NestedType {
    private var rest: Substring
    private static let deepest = 16

    static func read(_ name: String) -> FieldType? {
        var reader = NestedType(rest: name[...])
        guard let type = reader.type(0), reader.rest.isEmpty else { return nil }
        return type
    }

    private mutating func type(_ depth: Int) -> FieldType? {
        guard depth < Self.deepest else { return nil }
        var type: FieldType?
        if skip("STRUCT(") {
            type = members(depth).map { .object(Schema($0)) }
        } else {
            let name = rest.prefix { $0 != "[" && $0 != "," && $0 != ")" && $0 != "(" }
            rest = rest.dropFirst(name.count)
            type = ColumnType.plain(String(name))
        }
        while type != nil, skip("[]") { type = type.map { .list($0) } }
        return type
    }

    private mutating func members(_ depth: Int) -> [Schema.Field]? {
        var fields: [Schema.Field] = []
        repeat {
            guard let name = name(), let type = type(depth + 1) else { return nil }
            fields.append(.field(name, type))
        } while skip(", ")
        return skip(")") ? fields : nil
    }

    /// A member's name and the blank behind it; in quotes where it is not a plain word.
    private mutating func name() -> String? {
        guard skip("\"") else {
            let name = rest.prefix { $0 != " " }
            rest = rest.dropFirst(name.count)
            return skip(" ") ? String(name) : nil
        }
        var name = ""
        while let character = rest.popFirst() {
            if character != "\"" {
                name.append(character)
            } else if skip("\"") {
                name.append("\"")
            } else {
                return skip(" ") ? name : nil
            }
        }
        return nil
    }

    private mutating func skip(_ text: String) -> Bool {
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }
}
