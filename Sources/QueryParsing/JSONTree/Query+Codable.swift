import QueryTree
import QueryValues

extension Condition: EncodedAs, Codable {
    /// Canonical text, and as Extended JSON the values without a literal.
    package struct Encoded: Codable {
        fileprivate var format: String
        fileprivate var arguments: [String]?
    }

    package init(encoded: Encoded) throws {
        let values = try (encoded.arguments ?? []).map { try QueryValue(json: $0, extended: true) }
        try self.init(parsing: encoded.format, values, .default)
    }

    package var encoded: Encoded {
        let written = written
        let arguments = written.arguments.map { $0.extendedJSON() }
        return Encoded(format: written.text, arguments: arguments.isEmpty ? nil : arguments)
    }
}

extension Query: EncodedAs, Codable {
    /// The query with its schema, and of the rest what is set.
    package struct Encoded: Codable {
        fileprivate var condition: Condition
        fileprivate var order: [SortKey]?
        fileprivate var skip: Int?
        fileprivate var limit: Int?
        fileprivate var fields: [[String]]?
        fileprivate var computed: [GroupKey]?
        fileprivate var nilMeaning: NilMeaning?
        fileprivate var schema: Schema?

        private enum CodingKeys: String, CodingKey {
            case condition, order, skip, limit, fields, computed, schema
            case nilMeaning = "nil"
        }
    }

    /// The condition is not checked against the schema again.
    package init(encoded: Encoded) {
        self.init(
            encoded.condition,
            order: encoded.order ?? [],
            skip: encoded.skip,
            limit: encoded.limit,
            fields: encoded.fields?.map { FieldPath(keys: $0) },
            computed: encoded.computed?.map { ComputedField($0.term, as: $0.name) } ?? [],
            nilMeaning: encoded.nilMeaning ?? .nullOrAbsent,
            schema: encoded.schema
        )
    }

    package var encoded: Encoded {
        Encoded(
            condition: condition,
            order: order.isEmpty ? nil : order,
            skip: skip,
            limit: limit,
            fields: fields?.map(\.keys),
            computed: computed.isEmpty ? nil : computed.map(\.key),
            nilMeaning: nilMeaning == .nullOrAbsent ? nil : nilMeaning,
            schema: schema
        )
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
                throw DecodingError.dataCorruptedError(
                    forKey: .options,
                    in: values,
                    debugDescription: "unknown option \(letter); the options are "
                        + StringOptions.letters.map { String($0.letter) }.joined(separator: ", ")
                )
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
