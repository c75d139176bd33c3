import QueryValues

/// Checks values against a JSON Schema; a keyword that it does not know is an error, so that nothing goes unchecked.
struct SchemaCheck {
    private let definitions: Document

    init(_ schema: String) throws {
        guard case .object(let object) = try QueryValue(json: schema), case .object(let definitions)? = object["$defs"]
        else { throw QueryError(.schema, "a schema with $defs is an object") }
        self.definitions = definitions
    }

    /// The keys that a definition allows.
    func keys(of definition: String) throws -> [String] {
        guard case .object(let properties)? = try self.definition(definition)["properties"] else { return [] }
        return properties.keys
    }

    /// What is wrong with a value, with its path; nil if it is valid.
    func problem(of value: QueryValue, in definition: String) throws -> String? {
        try problem(value, try self.definition(definition), definition)
    }

    private func definition(_ name: String) throws -> Document {
        guard case .object(let definition)? = definitions[name] else {
            throw QueryError(.schema, "there is no definition \(name)")
        }
        return definition
    }

    private func problem(_ value: QueryValue, _ schema: Document, _ path: String) throws -> String? {
        for (keyword, expected) in schema.pairs {
            if let problem = try problem(value, keyword, expected, schema, path) { return problem }
        }
        return nil
    }

    private func problem(
        _ value: QueryValue,
        _ keyword: String,
        _ expected: QueryValue,
        _ schema: Document,
        _ path: String
    ) throws -> String? {
        func unless(_ isValid: Bool) -> String? { isValid ? nil : "\(path): \(keyword) \(expected.json)" }
        switch (keyword, expected) {
        case ("description", _): return nil
        case ("$ref", .string(let name)): return try problem(of: value, in: String(name.dropFirst("#/$defs/".count)))
        case ("type", .string): return unless(Self.types(of: value).contains(expected))
        case ("type", .list(let types)): return unless(types.contains { Self.types(of: value).contains($0) })
        case ("enum", .list(let values)): return unless(values.contains(value))
        case ("anyOf", .list(let schemas)):
            var problems: [String] = []
            for case .object(let schema) in schemas {
                guard let problem = try problem(value, schema, path) else { return nil }
                problems.append(problem)
            }
            return "none of: " + problems.joined(separator: "; ")
        case ("minimum", _): return unless(!(Self.number(value).map { $0 < Self.number(expected) ?? 0 } ?? false))
        case ("maximum", _): return unless(!(Self.number(value).map { $0 > Self.number(expected) ?? 0 } ?? false))
        default: return try containerProblem(value, keyword, expected, schema, path)
        }
    }

    private func containerProblem(
        _ value: QueryValue,
        _ keyword: String,
        _ expected: QueryValue,
        _ schema: Document,
        _ path: String
    ) throws -> String? {
        func unless(_ isValid: Bool) -> String? { isValid ? nil : "\(path): \(keyword) \(expected.json)" }
        switch (keyword, value) {
        case ("minLength", .string(let text)): return unless(Int64(text.unicodeScalars.count) >= Self.int(expected))
        case ("minItems", .list(let elements)): return unless(Int64(elements.count) >= Self.int(expected))
        case ("maxItems", .list(let elements)): return unless(Int64(elements.count) <= Self.int(expected))
        case ("items", .list(let elements)):
            guard case .object(let schema) = expected else { break }
            for (index, element) in elements.enumerated() {
                if let problem = try problem(element, schema, "\(path)[\(index)]") { return problem }
            }
            return nil
        case ("required", .object(let object)):
            guard case .list(let names) = expected else { break }
            return unless(names.allSatisfy { if case .string(let name) = $0 { object[name] != nil } else { false } })
        case ("properties", .object(let object)):
            guard case .object(let schemas) = expected else { break }
            for (key, value) in object.pairs {
                guard case .object(let schema)? = schemas[key] else { continue }
                if let problem = try problem(value, schema, path + "." + key) { return problem }
            }
            return nil
        case ("additionalProperties", .object(let object)):
            guard expected == .bool(false), case .object(let known)? = schema["properties"] else { break }
            return object.keys.first { known[$0] == nil }.map { "\(path): unknown key \($0)" }
        case ("minLength", _), ("minItems", _), ("maxItems", _), ("items", _), ("required", _), ("properties", _),
            ("additionalProperties", _):
            return nil
        default: break
        }
        throw QueryError(.schema, "\(path): this check does not know \(keyword) \(expected.json)")
    }

    private static func types(of value: QueryValue) -> [QueryValue] {
        switch value {
        case .null: ["null"]
        case .bool: ["boolean"]
        case .int: ["integer", "number"]
        case .double: ["number"]
        case .string: ["string"]
        case .list: ["array"]
        case .object: ["object"]
        case .date, .data, .uuid, .shape: []
        }
    }

    private static func number(_ value: QueryValue) -> Double? {
        switch value {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    private static func int(_ value: QueryValue) -> Int64 { if case .int(let number) = value { number } else { 0 } }
}
