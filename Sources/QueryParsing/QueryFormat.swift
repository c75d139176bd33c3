import QueryTree
import QueryValues

/// A format text whose interpolated values are arguments: `"age > \(age) AND name == \(name)"`.
///
/// A value never becomes text, so no value can change the meaning of the query.
///
///     let state = "MA"
///     let format: QueryFormat = "state == \(state) AND \(key: "population") > \(21)"
///     try Query(format: format)  // → state == "MA" AND population > 21
///
/// The rest is ordinary format text. Quotes around a value would turn it into text, so `'\(name)'` is an error.
public struct QueryFormat: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The format text, with a placeholder for every value.
    package let text: String
    /// The values, in the order of their placeholders.
    package let arguments: [QueryValue]
    /// A percent sign outside quotes that does not belong to a value's placeholder.
    private let percent: Range<Int>?
    /// The first value that is between quotes, or not a query value.
    private let misplaced: QueryError?

    /// A format text without values.
    public init(stringLiteral value: String) {
        text = value
        arguments = []
        percent = nil
        misplaced = nil
    }

    /// A format text with its values.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text.text
        arguments = stringInterpolation.text.arguments
        percent = stringInterpolation.percent
        misplaced = stringInterpolation.misplaced
    }

    /// Collects the pieces of a ``QueryFormat``.
    ///
    ///     let name = "Ann"
    ///     let format: QueryFormat = "name == \(name) AND age > \(21)"
    ///     try Query(format: format)  // → name == "Ann" AND age > 21
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate private(set) var text = FormatWriter()
        /// A percent sign of the text itself, outside quotes.
        fileprivate private(set) var percent: Range<Int>?
        fileprivate private(set) var misplaced: QueryError?
        /// The open quote, and where it started.
        private var quote: (mark: UInt8, start: Int)?
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
        ///     try Query(format: format)  // → age > 21
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

        /// Rejects a value of any other type, which has no meaning there and as text could change the query.
        ///
        /// - Parameter value: what is not a query value.
        @_disfavoredOverload
        @available(
            *,
            unavailable,
            message: "this type is not a query value: convert it, or make it QueryValueConvertible"
        )
        public mutating func appendInterpolation<Value>(_ value: Value) {}

        /// Appends a path: `%K` and its keys.
        ///
        ///     let path = FieldPath(keys: ["address", "zip.code"])
        ///     try Query("\(path) == \("02134")")  // → address.zip\u002ecode == "02134"
        ///
        /// - Parameter path: keys that may hold any character.
        public mutating func appendInterpolation(_ path: FieldPath) {
            let isPlain = path.keys.allSatisfy { $0.utf8.first != UInt8(ascii: "@") && !$0.utf8.contains(0x2E) }
            // Between quotes a placeholder is an error, and must remain one.
            if isPlain && !path.startsAtSelf || quote != nil {
                append("%K", .string(path.dotted))
            } else {
                text.write(.field(path, .none))
            }
        }

        /// Appends `%K` and a key path: `"\(key: "address.zip") == \(zip)"`.
        ///
        ///     let key = "address.zip"
        ///     try Query("\(key: key) == \("02134")")  // → address.zip == "02134"
        ///
        /// - Parameter path: keys joined by dots, optionally with an `@` operator.
        public mutating func appendInterpolation(key path: String) {
            append("%K", .string(path))
        }

        private mutating func append(_ placeholder: String, _ value: QueryValue) {
            let start = text.text.utf8.count
            text.text += placeholder
            text.arguments.append(value)
            guard let quote, misplaced == nil else { return }
            misplaced = QueryError(
                .argument,
                "a value inside quotes; remove the quotes",
                range: quote.start..<start + placeholder.utf8.count,
                hint: "write name == \\(name); build a pattern as one value: name LIKE \\(start + \"*\")"
            )
        }

        /// Tracks quotes, so that a percent sign between them counts as plain text.
        private mutating func read(_ byte: UInt8, at offset: Int) {
            if isEscaped {
                isEscaped = false
            } else if let quote {
                if byte == quote.mark {
                    self.quote = nil
                    if misplaced?.range?.lowerBound == quote.start { misplaced?.range = quote.start..<offset + 1 }
                }
                isEscaped = byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = (byte, offset)
            } else if byte == UInt8(ascii: "%"), percent == nil {
                percent = offset..<offset + 1
            }
        }
    }

    /// The values of all placeholders; those passed as separate arguments come last.
    ///
    /// - Throws: `QueryError` of code `argument` for a value in quotes, for something other than a query value, and if
    ///   the text mixes placeholders and interpolated values, where one could take the value of another.
    func values(_ others: [QueryValue]) throws(QueryError) -> [QueryValue] {
        if var misplaced {
            misplaced.source = text
            throw misplaced
        }
        guard let percent, !arguments.isEmpty else { return arguments + others }
        throw QueryError(
            .argument,
            "placeholders and interpolated values cannot be mixed",
            range: percent,
            source: text,
            hint: "interpolate every value, or pass them all as arguments of Query(format:)"
        )
    }
}
