import QueryTree
import QueryValues

/// A condition as data: canonical text, and as Extended JSON the values without a literal.
private struct EncodedCondition: Codable {
    var format: String
    var arguments: [String]?

    init(_ condition: Condition) {
        let written = condition.written
        format = written.text
        arguments = written.arguments.isEmpty ? nil : written.arguments.map { $0.extendedJSON() }
    }

    func condition(_ decoder: any Decoder) throws -> Condition {
        let values = try (arguments ?? []).map { try QueryValue(json: $0, extended: true) }
        return try Condition(parsing: format, values, .default)
    }
}

extension Condition: Codable {
    /// Reads `{"format": …, "arguments": […]}`.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: a decoding error, or `QueryError` for a text that is not a condition.
    public init(from decoder: any Decoder) throws {
        self = try EncodedCondition(from: decoder).condition(decoder)
    }

    /// Writes the canonical text, and the arguments it needs as Extended JSON texts.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: an encoding error.
    public func encode(to encoder: any Encoder) throws {
        try EncodedCondition(self).encode(to: encoder)
    }
}

extension Query: Codable {
    private enum Key: String, CodingKey {
        case condition, order, skip, limit, fields, computed, schema
        case nilMeaning = "nil"
    }

    /// Reads a query with its schema; the condition is not checked against it again.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: a decoding error, or `QueryError` for a text that is not a condition.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            try values.decode(Condition.self, forKey: .condition),
            order: try values.decodeIfPresent([SortKey].self, forKey: .order) ?? [],
            skip: try values.decodeIfPresent(Int.self, forKey: .skip),
            limit: try values.decodeIfPresent(Int.self, forKey: .limit),
            fields: try values.decodeIfPresent([[String]].self, forKey: .fields)?.map { FieldPath(keys: $0) },
            computed: try values.decodeIfPresent([GroupKey].self, forKey: .computed)?
                .map { ComputedField($0.term, as: $0.name) } ?? [],
            nilMeaning: try values.decodeIfPresent(NilMeaning.self, forKey: .nilMeaning) ?? .nullOrAbsent,
            schema: try values.decodeIfPresent(Schema.self, forKey: .schema)
        )
    }

    /// Writes the query with its schema as JSON Schema.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: an encoding error.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(condition, forKey: .condition)
        if !order.isEmpty { try values.encode(order, forKey: .order) }
        try values.encodeIfPresent(skip, forKey: .skip)
        try values.encodeIfPresent(limit, forKey: .limit)
        try values.encodeIfPresent(fields?.map(\.keys), forKey: .fields)
        if !computed.isEmpty { try values.encode(computed.map(\.key), forKey: .computed) }
        if nilMeaning != .nullOrAbsent { try values.encode(nilMeaning, forKey: .nilMeaning) }
        try values.encodeIfPresent(schema, forKey: .schema)
    }
}

extension SortKey: Codable {
    private enum Key: CodingKey {
        case path, descending, options
    }

    /// Reads `{"path": ["address", "zip"], "descending": true, "options": "cd"}`.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: a decoding error.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        var options: StringOptions = []
        for letter in try values.decodeIfPresent(String.self, forKey: .options) ?? "" {
            guard let entry = StringOptions.letters.first(where: { $0.letter == letter }) else {
                throw DecodingError.dataCorruptedError(forKey: .options, in: values, debugDescription: "unknown option")
            }
            options.insert(entry.option)
        }
        self.init(
            FieldPath(keys: try values.decode([String].self, forKey: .path)),
            ascending: try !(values.decodeIfPresent(Bool.self, forKey: .descending) ?? false),
            options: options
        )
    }

    /// Writes the path's keys, and direction and options if they are not the defaults.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: an encoding error.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(path.keys, forKey: .path)
        if !isAscending { try values.encode(true, forKey: .descending) }
        if !options.isEmpty { try values.encode(options.text, forKey: .options) }
    }
}
