/// Which objects of a JSON text are read as Extended JSON v2.
package enum JSONMode: Sendable {
    /// Plain JSON: a key that starts with `$` is like any other.
    case plain
    /// Every object with a `$` key is a value of Extended JSON, or an error.
    case extended
    /// Rows: a known `$` key alone in its object makes a value of Extended JSON, and any other is a key.
    case extendedRows
    /// The outermost object is plain; below the named keys of it everything is Extended JSON, below one that of rows.
    case extendedUnder([String], rows: String? = nil)
}

/// Reads JSON texts (RFC 8259, strict) into values; texts read by one reader share the shapes of their objects.
///
///     var reader = JSONReader(mode: .extended)
///     try reader.read(Array(#"{"a":[1,2.0]}"#.utf8))  // → {"a":[1,2.0]}
///
/// A number with `.`, `e` or `E` is a double, any other an int (S1). Rejected with the code `json`: invalid UTF-8, lone
/// surrogates, control characters in strings, text after the value, two equal keys in one object, ints outside Int64,
/// doubles beyond the largest, and more levels than `Limits.jsonDepth`.
package struct JSONReader: Sendable {
    /// Longer texts are not copied into errors; the error's range still gives the position.
    static let longestQuotedText = 1 << 20

    private let mode: JSONMode
    private let depthLimit: Int
    private var shapes = ShapePool()

    /// A reader without shapes.
    ///
    /// - Parameters:
    ///   - mode: where Extended JSON is read.
    ///   - limits: `jsonDepth` bounds the levels.
    package init(mode: JSONMode = .plain, limits: Limits = .default) {
        self.mode = mode
        depthLimit = limits.jsonDepth
    }

    /// Reads one text.
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8.
    ///   - path: what the text is called in errors, such as `documents[3]`; paths inside are appended to it. nil
    ///     stands for `$`; an empty path names inner places without any prefix.
    /// - Returns: the value.
    /// - Throws: `QueryError` with code `json`, the byte range, the text and the JSON path. Linear in the text.
    package mutating func read(
        _ bytes: UnsafeBufferPointer<UInt8>,
        path: String? = nil
    ) throws(QueryError) -> QueryValue {
        // The scanner owns the shapes while it runs, so that they are changed in place.
        var scanner = JSONScanner(bytes: bytes, mode: mode, depthLimit: depthLimit, shapes: shapes)
        shapes = ShapePool.none
        do {
            let value = try scanner.text()
            shapes = scanner.shapes
            return value
        } catch {
            shapes = scanner.shapes
            throw error.error(in: bytes, path: path)
        }
    }

    /// Reads one of many texts; its name is built only for an error.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, row: Int) throws(QueryError) -> QueryValue {
        do throws(QueryError) {
            return try read(bytes)
        } catch {
            var error = error
            error.path = "documents[\(row)]" + (error.path?.dropFirst() ?? "")
            throw error
        }
    }

    /// Reads one text.
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8.
    ///   - path: what the text is called in errors; see ``read(_:path:)``.
    /// - Returns: the value.
    /// - Throws: `QueryError` with code `json`. Linear in the text.
    package mutating func read(_ bytes: [UInt8], path: String? = nil) throws(QueryError) -> QueryValue {
        try bytes.withUnsafeBufferPointer { buffer throws(QueryError) in try read(buffer, path: path) }
    }

    /// Reads one text.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - path: what the text is called in errors; see ``read(_:path:)``.
    /// - Returns: the value.
    /// - Throws: `QueryError` with code `json`. Linear in the text.
    package mutating func read(_ text: String, path: String? = nil) throws(QueryError) -> QueryValue {
        var text = text
        // `withUTF8` does not rethrow typed errors, so the outcome is returned as a value.
        let result = text.withUTF8 { buffer in
            Result { () throws(QueryError) in try read(buffer, path: path) }
        }
        return try result.get()
    }
}

extension QueryValue {
    /// Reads a JSON text (RFC 8259, strict).
    ///
    ///     try QueryValue(json: #"{"$date":0}"#, extended: true)  // → {"$date":"1970-01-01T00:00:00.000Z"}
    ///     try QueryValue(json: "[1,]")  // throws json
    ///
    /// - Parameters:
    ///   - json: the text.
    ///   - extended: true to read objects with a `$` key as Extended JSON v2; any unknown `$` key is then an error.
    ///   - path: the name of the text in errors, such as `arguments[0]`; nil means `$`.
    ///   - limits: `jsonDepth` bounds the levels.
    /// - Throws: `QueryError` with code `json`, the byte range and the JSON path. Linear in the text.
    public init(
        json: String,
        extended: Bool = false,
        path: String? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        var reader = JSONReader(mode: extended ? .extended : .plain, limits: limits)
        self = try reader.read(json, path: path)
    }

    /// Reads a JSON text in UTF-8 bytes (RFC 8259, strict).
    ///
    ///     try QueryValue(json: Array("[1,2.0]".utf8))  // → [1,2.0]
    ///
    /// - Parameters:
    ///   - json: the text's bytes.
    ///   - extended: true to read objects with a `$` key as Extended JSON v2; any unknown `$` key is then an error.
    ///   - path: the name of the text in errors, such as `arguments[0]`; nil means `$`.
    ///   - limits: `jsonDepth` bounds the levels.
    /// - Throws: `QueryError` with code `json`, the byte range and the JSON path. Linear in the text.
    public init(
        json: [UInt8],
        extended: Bool = false,
        path: String? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        var reader = JSONReader(mode: extended ? .extended : .plain, limits: limits)
        self = try reader.read(json, path: path)
    }
}
