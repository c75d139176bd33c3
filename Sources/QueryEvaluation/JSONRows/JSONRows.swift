import QueryMeaning
import QueryValues

/// Rows in a JSON text: NDJSON, one object per line, or one JSON list of objects.
///
///     let cities = JSONRows(path: path)
///     try query.count(in: cities)  // → 2
///     try query.results(in: cities).map { $0["name"] ?? nil }  // → ["Boston", "Worcester"]
///
/// The text is read in one pass and in pieces, so a file of any size needs the memory of one piece, or of its longest
/// row, which `Limits.rowBytes` bounds. Only the paths that the query names are kept; the rest is validated (strict RFC
/// 8259), so a malformed row is an error wherever its fault is.
public struct JSONRows {
    package let makeStream: () throws(QueryError) -> ByteStream
    /// True when the text can be read again.
    package let isRepeatable: Bool
    package let mode: JSONMode
    package let limits: Limits
    /// nil to detect it from the first byte.
    package let layout: JSONLayout?
    /// The budget of the run that these rows are a piece of.
    package var budget: WorkBudget?

    /// Rows of a stream, which is read once.
    ///
    /// - Parameters:
    ///   - layout: how the rows are arranged; nil to detect it from the first byte.
    ///   - extended: as ``init(path:extended:limits:)``.
    ///   - limits: as ``init(path:extended:limits:)``.
    ///   - isRepeatable: true if every stream starts from the beginning.
    ///   - stream: gives the stream when the rows are read.
    package init(
        layout: JSONLayout? = nil,
        extended: Bool,
        limits: Limits = .default,
        isRepeatable: Bool = false,
        stream: @escaping () throws(QueryError) -> ByteStream
    ) {
        makeStream = stream
        self.isRepeatable = isRepeatable
        mode = extended ? .extendedRows : .plain
        self.limits = limits
        self.layout = layout
    }

    /// The rows of a file, which is opened when a query reads them.
    ///
    ///     try Query(limit: 1).results(in: JSONRows(path: path))[0]["name"]  // → "Boston"
    ///
    /// - Parameters:
    ///   - path: the file's name.
    ///   - extended: true to read an object whose only key is one of Extended JSON v2 as the value it means.
    ///   - limits: `jsonDepth` bounds the levels, `rowBytes` a row, `sortedRows` what an order keeps, and `steps` and
    ///     `duration` the work of a run.
    public init(path: String, extended: Bool = false, limits: Limits = .default) {
        self.init(extended: extended, limits: limits, isRepeatable: true) { () throws(QueryError) in
            try ByteStream(path: path)
        }
    }

    /// The rows of an open file, pipe or terminal, from its current position; it is read once and not closed.
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
    ///     try Query(format: "a > 1").count(in: JSONRows(Data(#"[{"a":1},{"a":2}]"#.utf8)))  // → 1
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8: an array, data or another sequence.
    ///   - extended: as ``init(path:extended:limits:)``.
    ///   - limits: as ``init(path:extended:limits:)``.
    public init(_ bytes: some Sequence<UInt8>, extended: Bool = false, limits: Limits = .default) {
        let bytes = Array(bytes)
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
