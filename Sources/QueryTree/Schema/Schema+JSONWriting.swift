import QueryValues

extension Schema {
    /// The schema as JSON Schema, which ``init(jsonSchema:path:)`` reads back to an equal schema.
    ///
    ///     Schema([.field("age", .int)]).jsonSchema  // → {"type":"object","properties":{"age":{"type":"integer"}}}
    public var jsonSchema: QueryValue { .object(document) }

    private var document: Document {
        var object: Document = ["type": "object"]
        switch primaryKey.count {
        case 0: break
        case 1: object["x-primary-key"] = .string(primaryKey[0])
        default: object["x-primary-key"] = .list(primaryKey.map { .string($0) })
        }
        if fields.isEmpty, allowsOthers { return object }
        // Relations that SQL cannot join on are omitted.
        let fields = fields.filter { $0.relation?.composite.isEmpty ?? true }
        object["properties"] = .object(Document(pairs: fields.map { ($0.name, .object($0.document)) }))
        let required = fields.filter { !$0.isOptional }.map { QueryValue.string($0.name) }
        if !required.isEmpty { object["required"] = .list(required) }
        if allowsOthers { object["additionalProperties"] = true }
        return object
    }
}

extension Schema.Field {
    fileprivate var document: Document {
        var object = type.document
        if !storedName.hasSameUTF8(as: name) { object["x-stored-name"] = .string(storedName) }
        if let relation {
            object["x-table"] = .string(relation.table)
            object["x-foreign-key"] = .string(relation.foreignKey)
            if let key = relation.key { object["x-key"] = .string(key) }
        }
        return object
    }
}

extension FieldType {
    fileprivate var document: Document {
        switch self {
        case .any: [:]
        case .bool: ["type": "boolean"]
        case .int: ["type": "integer"]
        case .double: ["type": "number"]
        case .string: ["type": "string"]
        case .date(let encoding):
            ["type": "string", "format": "date-time", "x-date-encoding": .string(encoding.rawValue)]
        case .data: ["type": "string", "contentEncoding": "base64"]
        case .uuid: ["type": "string", "format": "uuid"]
        case .objectID: ["type": "string", "format": "objectid"]
        case .object(let schema): if case .object(let object) = schema.jsonSchema { object } else { [:] }
        case .list(let element): ["type": "array", "items": .object(element.document)]
        }
    }
}
