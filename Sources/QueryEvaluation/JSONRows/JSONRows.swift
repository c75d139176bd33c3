import QueryMeaning
import QueryValues

/// Rows in a JSON text: NDJSON, an object a line, or one JSON list of objects.
///
///     let cities = JSONRows(path: path)
///     try query.count(in: cities)  // → 2
///     try query.results(in: cities).map { $0["name"] ?? nil }  // → ["Boston", "Worcester"]
///
/// The text is read in one pass and in pieces, so a file of any size takes the memory of one piece, or of its longest
/// row, which `Limits.rowBytes` bounds. Of each row only the paths that the query names are kept; all the rest is checked
/// (RFC 8259, strict), so a malformed row is an error wherever its fault stands.
public struct JSONRows {
    let makeStream: () throws(QueryError) -> ByteStream
    /// True when the text can be read again.
    let isRepeatable: Bool
    let mode: JSONMode
    let limits: Limits
    /// nil to ask the text's first byte.
    let layout: JSONLayout?
    /// That of the run of which these rows are a piece.
    var budget: WorkBudget?

    /// Rows of any stream, which is read once.
    ///
    /// - Parameters:
    ///   - layout: how the rows lie; nil to ask the first byte.
    ///   - extended: as ``init(path:extended:limits:)``.
    ///   - limits: as ``init(path:extended:limits:)``.
    ///   - isRepeatable: true when every stream begins anew.
    ///   - stream: gives the stream when the rows are asked for.
    package init(
        layout: JSONLayout? = nil,
        extended: Bool,
        limits: Limits = .default,
        isRepeatable: Bool = false,
        stream: @escaping () throws(QueryError) -> ByteStream
    ) {
        makeStream = stream
        self.isRepeatable = isRepeatable
        mode = extended ? .extended : .plain
        self.limits = limits
        self.layout = layout
    }

    /// The rows of a file, which is opened when a query asks for them.
    ///
    ///     try Query(limit: 1).results(in: JSONRows(path: path))[0]["name"]  // → "Boston"
    ///
    /// - Parameters:
    ///   - path: the file's name.
    ///   - extended: true to read objects with a `$` key as Extended JSON v2; any unknown `$` key is then an error.
    ///   - limits: `jsonDepth` bounds the levels, `rowBytes` a row, `sortedRows` what an order keeps, and `steps` and
    ///     `duration` the work of a run.
    public init(path: String, extended: Bool = false, limits: Limits = .default) {
        self.init(extended: extended, limits: limits, isRepeatable: true) { () throws(QueryError) in
            try ByteStream(path: path)
        }
    }

    /// The rows of an open file, pipe or terminal, from where it stands; it is read once and not closed.
    ///
    ///     let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    ///     try query.count(in: JSONRows(fileDescriptor: file.fileDescriptor))  // → 2
    ///
    /// - Parameters:
    ///   - fileDescriptor: open for reading.
    ///   - extended: as ``init(path:extended:limits:)``.
    ///   - limits: as ``init(path:extended:limits:)``.
    public init(fileDescriptor: Int32, extended: Bool = false, limits: Limits = .default) {
        self.init(extended: extended, limits: limits) { () throws(QueryError) in
            ByteStream(fileDescriptor: fileDescriptor)
        }
    }

    /// The rows of a text in memory.
    ///
    ///     try Query(format: "a > 1").count(in: JSONRows(Array(#"[{"a":1},{"a":2}]"#.utf8)))  // → 1
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8.
    ///   - extended: as ``init(path:extended:limits:)``.
    ///   - limits: as ``init(path:extended:limits:)``.
    public init(_ bytes: [UInt8], extended: Bool = false, limits: Limits = .default) {
        self.init(extended: extended, limits: limits, isRepeatable: true) { () throws(QueryError) in
            ByteStream(bytes: bytes)
        }
    }

    /// The rows of a text in memory.
    ///
    ///     try Query(format: "a > 1").results(in: JSONRows(#"[{"a":1},{"a":2}]"#))  // → [{"a":2}]
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - extended: as ``init(path:extended:limits:)``.
    ///   - limits: as ``init(path:extended:limits:)``.
    public init(_ text: String, extended: Bool = false, limits: Limits = .default) {
        self.init(Array(text.utf8), extended: extended, limits: limits)
    }

    /// A reader of some paths of the rows.
    ///
    /// - Parameter paths: what to keep of each row.
    /// - Returns: the reader.
    /// - Throws: `QueryError` when the rows cannot be opened.
    package func reader(_ paths: RowPaths) throws(QueryError) -> JSONPathReader {
        try JSONPathReader(makeStream(), paths, layout: layout, mode: mode, limits: limits)
    }
}
