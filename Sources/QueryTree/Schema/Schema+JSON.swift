import QueryValues

extension Schema {
    /// Reads the common part of JSON Schema: `type`, `properties`, `items`, `required`, `format` (`date-time`, `uuid`,
    /// and `objectid` for Mongo's ObjectIds).
    ///
    /// Extensions: `x-stored-name`, `x-date-encoding` (`native iso8601 sqliteText epochSeconds epochMilliseconds`), and
    /// for SQL `x-table`, `x-foreign-key`, `x-key` and, for a table's rows, `x-primary-key` (a column name or a list of
    /// them). An object without `properties`, or with `additionalProperties: true`, allows any field below it.
    /// Annotations and constraints (`title`, `enum`, `minimum` …) are ignored; keywords that would change the shape
    /// (`$ref`, `anyOf` …) are rejected.
    ///
    ///     let schema = try Schema(jsonSchema: #"{"type":"object","properties":{"age":{"type":"integer"}}}"#)
    ///     schema.field(named: "age")?.type  // → int
    ///
    /// - Parameter text: the JSON text of a schema of an object.
    /// - Throws: `QueryError` of code `json` for malformed JSON and `schema` for a malformed schema, with the JSON path.
    public init(jsonSchema text: String) throws(QueryError) {
        try self.init(jsonSchema: QueryValue(json: text, path: "schema"))
    }

    /// Reads a JSON Schema that is already parsed.
    ///
    ///     let age: Document = ["age": .object(["type": "integer"])]
    ///     try Schema(jsonSchema: .object(["type": "object", "properties": .object(age)])).fields.map(\.name)
    ///     // → ["age"]
    ///
    /// - Parameters:
    ///   - value: the schema of an object.
    ///   - path: what errors call it.
    /// - Throws: `QueryError` of code `schema` with the JSON path of the mistake.
    public init(jsonSchema value: QueryValue, path: String = "schema") throws(QueryError) {
        let reader = JSONSchemaReader()
        guard case .object(let schema) = try reader.type(of: value, at: path) else {
            throw QueryError(.schema, "the schema of a row must be an object", path: path)
        }
        self = schema
    }
}

private struct JSONSchemaReader {
    /// Keywords that change which values fit; ignoring them would silently misread the schema.
    private static let refused: Set<String> = [
        "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "patternProperties",
        "prefixItems", "dependentSchemas", "unevaluatedProperties",
    ]

    func type(of value: QueryValue, at path: String) throws(QueryError) -> FieldType {
        guard case .object(let object) = value else {
            if case .bool(true) = value { return .any }
            throw QueryError(.schema, "a schema is a JSON object", path: path)
        }
        for key in object.keys where Self.refused.contains(key) {
            throw QueryError(.schema, "`\(key)` is not supported", path: path + "." + key, hint: "write the shape out")
        }
        if let encoding = try dateEncoding(object, at: path) { return .date(encoding) }
        guard let name = try typeName(object, at: path) else {
            return object["properties"] == nil ? .any : .object(try objectType(object, at: path))
        }
        switch name {
        case "boolean": return .bool
        case "integer": return .int
        case "number": return .double
        case "string": return stringType(object)
        case "object": return .object(try objectType(object, at: path))
        case "array":
            guard let items = object["items"] else { return .list(.any) }
            return .list(try type(of: items, at: path + ".items"))
        default:
            throw QueryError(
                .schema,
                "unknown type",
                path: path + ".type",
                hint: "one of string, integer, number, boolean, object, array"
            )
        }
    }

    /// The single type besides null; nil if there is none or several.
    private func typeName(_ object: Document, at path: String) throws(QueryError) -> String? {
        switch object["type"] {
        case nil: return nil
        case .string(let name): return name
        case .list(let names):
            let others = names.filter { $0 != .string("null") }
            if others.count == 1, case .string(let name) = others[0] { return name }
            if names.allSatisfy({ $0.kind == .string }), !names.isEmpty { return nil }
            throw QueryError(.schema, "`type` is a name or a list of names", path: path + ".type")
        default:
            throw QueryError(.schema, "`type` is a name or a list of names", path: path + ".type")
        }
    }

    private func stringType(_ object: Document) -> FieldType {
        if object["format"] == .string("uuid") { return .uuid }
        if object["format"] == .string("objectid") { return .objectID }
        if object["contentEncoding"] == .string("base64") { return .data }
        return .string
    }

    private func dateEncoding(_ object: Document, at path: String) throws(QueryError) -> DateEncoding? {
        guard let encoding = object["x-date-encoding"] else {
            return object["format"] == .string("date-time") ? .native : nil
        }
        if case .string(let name) = encoding, let known = DateEncoding(rawValue: name) { return known }
        throw QueryError(
            .schema,
            "unknown date encoding",
            path: path + ".x-date-encoding",
            hint: "one of " + DateEncoding.allCases.map(\.rawValue).joined(separator: ", ")
        )
    }

    private func objectType(_ object: Document, at path: String) throws(QueryError) -> Schema {
        let required = try requiredNames(object, at: path)
        let key = try primaryKey(object, at: path)
        guard let properties = object["properties"] else { return Schema([], allowsOthers: true, primaryKey: key) }
        guard case .object(let members) = properties else {
            throw QueryError(.schema, "`properties` is an object", path: path + ".properties")
        }
        var fields: [Schema.Field] = []
        for (name, value) in members.pairs {
            fields.append(
                try field(name, value, isRequired: required.contains(UTF8Key(name)), at: path + ".properties." + name)
            )
        }
        return Schema(fields, allowsOthers: object["additionalProperties"] == .bool(true), primaryKey: key)
    }

    private func primaryKey(_ object: Document, at path: String) throws(QueryError) -> [String] {
        var names: [String] = []
        switch object["x-primary-key"] {
        case nil: return []
        case .string(let name): names = [name]
        case .list(let values):
            for case .string(let name) in values { names.append(name) }
            if names.count != values.count { names = [] }
        default: break
        }
        if !names.isEmpty, !names.contains("") { return names }
        throw QueryError(.schema, "`x-primary-key` is a name or a list of names", path: path + ".x-primary-key")
    }

    private func requiredNames(_ object: Document, at path: String) throws(QueryError) -> Set<UTF8Key> {
        guard let required = object["required"] else { return [] }
        guard case .list(let values) = required else {
            throw QueryError(.schema, "`required` is a list of names", path: path + ".required")
        }
        var names: Set<UTF8Key> = []
        for value in values {
            guard case .string(let name) = value else {
                throw QueryError(.schema, "`required` is a list of names", path: path + ".required")
            }
            names.insert(UTF8Key(name))
        }
        return names
    }

    private func field(
        _ name: String,
        _ value: QueryValue,
        isRequired: Bool,
        at path: String
    ) throws(QueryError) -> Schema.Field {
        let type = try type(of: value, at: path)
        guard case .object(let object) = value else { return .field(name, type, isOptional: !isRequired) }
        let stored = try text(object, "x-stored-name", at: path)
        if stored == "" { throw QueryError(.schema, "a stored name cannot be empty", path: path + ".x-stored-name") }
        var allowsNull = !isRequired
        if case .list(let names) = object["type"], names.contains(.string("null")) { allowsNull = true }
        return .field(
            name,
            type,
            storedAs: stored,
            isOptional: allowsNull,
            relation: try relation(object, at: path)
        )
    }

    private func relation(_ object: Document, at path: String) throws(QueryError) -> Schema.Relation? {
        let table = try text(object, "x-table", at: path)
        let foreignKey = try text(object, "x-foreign-key", at: path)
        switch (table, foreignKey) {
        case (nil, nil): return nil
        case (let table?, let foreignKey?):
            return Schema.Relation(table: table, foreignKey: foreignKey, key: try text(object, "x-key", at: path))
        default:
            throw QueryError(.schema, "`x-table` and `x-foreign-key` come together", path: path)
        }
    }

    private func text(_ object: Document, _ key: String, at path: String) throws(QueryError) -> String? {
        switch object[key] {
        case nil: return nil
        case .string(let text): return text
        default: throw QueryError(.schema, "`\(key)` is text", path: path + "." + key)
        }
    }
}
