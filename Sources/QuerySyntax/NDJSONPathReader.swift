/// Reads some paths of each row of NDJSON, in one pass over the bytes; what it does not keep, it checks all the same.
///
///     var rows = NDJSONPathReader(ByteStream(fileDescriptor: 0), paths)
///     while try rows.next() { if try program.holds(rows.row, &frame) { rows.withText { … } } }
///
/// Lines are those of ``NDJSONReader``, and errors those of ``JSONReader``. It holds one chunk of the stream, or the
/// longest line.
package struct NDJSONPathReader {
    private var stream: ByteStream
    private var scanner: JSONPathScanner
    /// Reads what the scanner gives up.
    private var reader: JSONReader
    /// The number of the last line, from 1.
    package private(set) var line = 0
    /// The offset in the stream of the last line's first byte.
    package private(set) var offset = 0
    /// Bytes of the last line, its end included; they go when the next line is read.
    private var length = 0
    /// Unread bytes that hold whole lines, the last line included.
    private var ready = 0

    /// A reader of a stream from its start.
    ///
    /// - Parameters:
    ///   - stream: any source.
    ///   - paths: what to keep of each row; must not need whole rows.
    ///   - mode: where Extended JSON is read; `.extendedUnder` is not for rows.
    ///   - limits: `jsonDepth` bounds the levels.
    package init(_ stream: ByteStream, _ paths: RowPaths, mode: JSONMode = .plain, limits: Limits = .default) {
        self.stream = stream
        scanner = JSONPathScanner(paths, mode: mode, depthLimit: limits.jsonDepth)
        reader = JSONReader(mode: mode, limits: limits)
    }

    /// The flat row of the last line.
    package var row: Document {
        @inline(__always) get { scanner.row.document }
    }

    /// Reads the next line that is not blank.
    ///
    /// - Returns: false after the last line.
    /// - Throws: `QueryError` of code `json` for a malformed row, and what the source throws; the next call goes on with
    ///   the next line.
    package mutating func next() throws(QueryError) -> Bool {
        while true {
            consumeLine()
            if ready == 0, try !fillLines() { return false }
            line += 1
            let (known, isFirst) = (ready, line == 1)
            let quick = try stream.withUnread { (bytes) throws(QueryError) -> Int? in
                guard let start = bytes.baseAddress,
                    let after = scanner.scan(from: start + Self.markLength(bytes, isFirst), to: start + known)
                else { return nil }
                return after - start
            }
            if let quick {
                length = quick
                return true
            }
            if try readLine() { return true }
        }
    }

    /// Gives the last line without its end to a closure.
    ///
    /// - Parameter body: gets the bytes, valid only during the call.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
    package func withText<Value>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(QueryError) -> Value
    ) throws(QueryError) -> Value {
        let (length, isFirst) = (length, line == 1)
        return try stream.withUnread { (bytes) throws(QueryError) -> Value in
            let text = UnsafeBufferPointer(rebasing: bytes[..<max(0, length - 1)])
            return try body(NDJSONReader.content(of: text, isFirst: isFirst))
        }
    }

    /// A byte order mark at the start is no part of the first line.
    @inline(__always)
    private static func markLength(_ bytes: UnsafeBufferPointer<UInt8>, _ isFirst: Bool) -> Int {
        isFirst && bytes.starts(with: ByteStream.byteOrderMark) ? 3 : 0
    }

    @inline(__always)
    private mutating func consumeLine() {
        stream.consume(length)
        offset += length
        ready -= length
        length = 0
    }

    /// Reads the next line in full; false when it is blank.
    private mutating func readLine() throws(QueryError) -> Bool {
        let (known, isFirst) = (ready, line == 1)
        length = try stream.withUnread { (bytes) throws(QueryError) in (bytes.lineFeed(from: 0) ?? known - 1) + 1 }
        let whole = length
        let value = try stream.withUnread { (bytes) throws(QueryError) -> QueryValue? in
            let text = UnsafeBufferPointer(rebasing: bytes[..<(whole - 1)])
            let content = NDJSONReader.content(of: text, isFirst: isFirst)
            return content.isEmpty ? .none : try reader.read(content)
        }
        guard let value else { return false }
        guard case .object(let object) = value else { throw QueryError(.json, "expected an object", range: 0..<1) }
        scanner.take(object)
        return true
    }

    /// Makes whole lines ready; false at the end.
    private mutating func fillLines() throws(QueryError) -> Bool {
        var searched = 0
        while true {
            let found = try stream.withUnread { (bytes) throws(QueryError) in bytes.linesEnd(from: searched) }
            if let found {
                ready = found
                return true
            }
            searched = stream.count
            if !stream.isAtEnd {
                try stream.fill()
            } else if searched == 0 {
                return false
            } else {
                stream.endLine()
                searched -= 1
            }
        }
    }
}
