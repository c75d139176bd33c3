import QuerySyntax

/// A format text whose interpolated values are arguments: `"age > \(age) AND name == \(name)"`.
///
/// A value never becomes text, so no value can change what the query asks.
///
///     let state = "MA"
///     let format: QueryFormat = "state == \(state) AND \(key: "population") > \(21)"
///     format.text  // → state == %@ AND %K > %@
///     format.arguments  // → ["MA", "population", 21]
///
/// The rest is format text as everywhere. A placeholder in quotes is plain text, so `'\(name)'` is an error.
public struct QueryFormat: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The format text, with a placeholder for every value.
    public let text: String
    /// The values, in the order of their placeholders.
    public let arguments: [QueryValue]
    /// A percent sign outside quotes that is no part of a value's placeholder.
    private let percent: Range<Int>?

    /// A format text without values.
    public init(stringLiteral value: String) {
        text = value
        arguments = []
        percent = nil
    }

    /// A format text with its values.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text.text
        arguments = stringInterpolation.text.arguments
        percent = stringInterpolation.percent
    }

    /// Collects the pieces of a ``QueryFormat``.
    ///
    ///     let name = "Ann"
    ///     let format: QueryFormat = "name == \(name) AND age > \(21)"
    ///     format.text  // → name == %@ AND age > %@
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate private(set) var text = FormatWriter()
        /// A percent sign of the text itself, outside quotes.
        fileprivate private(set) var percent: Range<Int>?
        private var quote: UInt8?
        private var isEscaped = false

        /// An empty collection.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.text.reserveCapacity(literalCapacity + interpolationCount * 2)
            text.arguments.reserveCapacity(interpolationCount)
        }

        /// Appends text of the language.
        ///
        /// - Parameter literal: format text.
        public mutating func appendLiteral(_ literal: String) {
            let start = text.text.utf8.count
            for (offset, byte) in literal.utf8.enumerated() { read(byte, at: start + offset) }
            text.text += literal
        }

        /// Appends `%@` and its value.
        ///
        ///     let format: QueryFormat = "age > \(21)"
        ///     format.arguments  // → [21]
        ///
        /// - Parameter value: any value.
        public mutating func appendInterpolation(_ value: some QueryValueConvertible) {
            append("%@", value.queryValue)
        }

        /// Appends `%@` and its value, or null.
        ///
        ///     let city: String? = nil
        ///     try Query("city == \(city)")  // → city == nil
        ///
        /// - Parameter value: any value.
        public mutating func appendInterpolation<Value: QueryValueConvertible>(_ value: Value?) {
            append("%@", value?.queryValue ?? .null)
        }

        /// Appends `%@` and its value; takes `nil` and lists of several kinds.
        ///
        ///     try Query("state IN \(["MA", 3, nil])")  // → state IN {"MA", 3, nil}
        ///
        /// - Parameter value: any value.
        public mutating func appendInterpolation(_ value: QueryValue) {
            append("%@", value)
        }

        /// Appends a path: `%K` and its keys.
        ///
        ///     let path = FieldPath(keys: ["address", "zip.code"])
        ///     try Query("\(path) == \("02134")")  // → address.zip\u002ecode == "02134"
        ///
        /// - Parameter path: keys that may hold any character.
        public mutating func appendInterpolation(_ path: FieldPath) {
            let isPlain = path.keys.allSatisfy { $0.utf8.first != UInt8(ascii: "@") && !$0.utf8.contains(0x2E) }
            // Between quotes a placeholder is an error, and must stay one.
            if isPlain && !path.startsAtSelf || quote != nil {
                append("%K", .string(path.dotted))
            } else {
                text.write(.field(path, .none))
            }
        }

        /// Appends `%K` and the path it stands for: `"\(key: "address.zip") == \(zip)"`.
        ///
        ///     let key = "address.zip"
        ///     try Query("\(key: key) == \("02134")")  // → address.zip == "02134"
        ///
        /// - Parameter path: keys joined by dots, and perhaps an `@` operator.
        public mutating func appendInterpolation(key path: String) {
            append("%K", .string(path))
        }

        private mutating func append(_ placeholder: String, _ value: QueryValue) {
            text.text += placeholder
            text.arguments.append(value)
        }

        /// Follows quotes, so that a percent sign between them counts as the plain text it is.
        private mutating func read(_ byte: UInt8, at offset: Int) {
            if isEscaped {
                isEscaped = false
            } else if let quote {
                if byte == quote { self.quote = nil }
                isEscaped = byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: "%"), percent == nil {
                percent = offset..<offset + 1
            }
        }
    }

    /// The format text with all its values as arguments.
    ///
    /// - Throws: `QueryError` of code `argument` when the text has placeholders beside values: one of them could take the
    ///   value of another.
    fileprivate func checked() throws(QueryError) -> QueryFormat {
        guard let percent, !arguments.isEmpty else { return self }
        throw QueryError(
            .argument,
            "placeholders and values in the text do not mix",
            range: percent,
            source: text,
            hint: "write every value into the text, or pass them all as arguments of Query(format:)"
        )
    }
}

extension Query {
    /// Parses a query whose values stand in its text: each becomes an argument, never text.
    ///
    ///     let name = "x' OR TRUEPREDICATE"
    ///     try Query("age > \(21) AND name BEGINSWITH[c] \(name)", order: ["name"])
    ///     // → age > 21 AND name BEGINSWITH[c] "x' OR TRUEPREDICATE"
    ///     try Query("\(key: "city") == \("Boston")")  // → city == "Boston"
    ///
    /// A text made at run time takes `Query(format:arguments:)`.
    ///
    /// - Parameters:
    ///   - format: the condition's text with values in it.
    ///   - order: the order, first key first.
    ///   - skip: rows to leave out, not negative.
    ///   - limit: the most rows to give, not negative.
    ///   - fields: the fields of the results, nil for whole rows.
    ///   - nilMeaning: what `== nil` asks (S8).
    ///   - schema: names and kinds to check against.
    ///   - limits: bounds on what the text may ask for.
    /// - Throws: `QueryError` with a code, a range and where possible a fix, for a text that is no condition, values
    ///   that do not fit, a limit exceeded, or a mismatch with the schema.
    public init(
        _ format: QueryFormat,
        order: [SortKey] = [],
        skip: Int? = nil,
        limit: Int? = nil,
        fields: [FieldPath]? = nil,
        nilMeaning: NilMeaning = .nullOrAbsent,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        let format = try format.checked()
        try self.init(
            format: format.text,
            arguments: format.arguments,
            order: order,
            skip: skip,
            limit: limit,
            fields: fields,
            nilMeaning: nilMeaning,
            schema: schema,
            limits: limits
        )
    }
}

extension Condition {
    /// Parses a condition whose values stand in its text: each becomes an argument, never text.
    ///
    ///     let age = 21
    ///     try Condition("age > \(age) AND name == \("Ann")")  // → age > 21 AND name == "Ann"
    ///
    /// - Parameters:
    ///   - format: the text with values in it.
    ///   - schema: names and kinds to check against.
    ///   - limits: bounds on what the text may ask for.
    /// - Throws: `QueryError` as `Condition(format:arguments:schema:limits:)` does.
    public init(
        _ format: QueryFormat,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        let format = try format.checked()
        try self.init(format: format.text, arguments: format.arguments, schema: schema, limits: limits)
    }
}
