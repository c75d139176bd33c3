/// How rows are arranged in a text.
package enum JSONLayout: Sendable {
    /// One object per line.
    case lines
    /// One list of objects.
    case list
}

/// Reads some paths of each row of NDJSON or of a JSON list in one pass over the bytes, and validates the rest.
///
///     var paths = RowPaths()
///     let evaluator = RowEvaluator(schema: nil, nilMeaning: .nullOrAbsent)
///     let program = try evaluator.compile(Condition(format: "a > 1"), reading: &paths)
///     var frame = program.makeFrame(now: 0)
///     var rows = try JSONPathReader(ByteStream(bytes: Array(#"{"a":2,"b":3}"#.utf8)), paths)
///     try rows.next()  // → true
///     try rows.holds(program, &frame)  // → true
///
/// Lines are read like ``NDJSONReader``, elements like ``JSONArrayReader``, and errors are those of ``JSONReader``. It
/// keeps one chunk of the stream, or the longest row.
package struct JSONPathReader {
    private var stream: ByteStream
    private var scanner: JSONPathScanner
    /// Reads the texts that the scanner leaves to it.
    private var reader: JSONReader
    /// Splits a list; nil for lines.
    private var list: JSONArrayReader?
    /// The last element of a list, followed by zero bytes.
    private var element: [UInt8] = []
    /// True if the last call of ``next()`` threw because of a malformed row rather than the text around the rows.
    package private(set) var isRowMalformed = false
    /// The number of the last row, from 0, including malformed ones.
    package private(set) var index = -1
    private let longest: Int
    /// True after a line that is too long.
    private var isOver = false
    private var lastLine = 0
    /// The offset in the stream of the last line's first byte.
    private var lastOffset = 0
    /// The first byte of the last line, and the end of the complete lines in memory.
    ///
    /// They point into the stream's memory, which does not change until ``fillLines()``, so that a line costs no call
    /// of the stream.
    private var (start, linesEnd): (UnsafePointer<UInt8>?, UnsafePointer<UInt8>?) = (nil, nil)
    /// The length of the last line, including its end.
    private var length = 0
    /// The bytes of complete lines in memory.
    private var held = 0

    /// A reader of a stream from its start.
    ///
    /// - Parameters:
    ///   - stream: any source.
    ///   - paths: what to keep of each row.
    ///   - layout: how the rows are arranged; nil to detect a list from the first byte other than white space.
    ///   - mode: where Extended JSON is read; `.extendedUnder` does not apply to rows.
    ///   - limits: `jsonDepth` bounds the levels, `rowBytes` a row.
    /// - Throws: what the source throws.
    package init(
        _ stream: ByteStream,
        _ paths: RowPaths,
        layout: JSONLayout? = nil,
        mode: JSONMode = .plain,
        limits: Limits = .default
    ) throws(QueryError) {
        var stream = stream
        let isList =
            if let layout { layout == .list } else {
                try stream.firstByte(within: limits.rowBytes) == UInt8(ascii: "[")
            }
        scanner = JSONPathScanner(paths, mode: mode, depthLimit: limits.jsonDepth, ofLines: !isList)
        reader = JSONReader(mode: mode, limits: limits)
        longest = limits.rowBytes
        if isList { list = JSONArrayReader(stream, limits: limits) }
        self.stream = stream
    }

    /// How the rows are arranged.
    package var layout: JSONLayout { list == nil ? .lines : .list }

    /// The number of the line on which the last row begins, from 1.
    package var line: Int { list?.line ?? lastLine }

    /// The offset in the stream of the last row's first byte.
    package var offset: Int { list?.offset ?? lastOffset }

    /// The values kept of the last row.
    package var row: Document { scanner.row.document }

    /// Tests the values kept of the last row where they are: a copy would cost a count of references a row.
    ///
    /// - Parameter test: gets the values.
    /// - Returns: what `test` returns.
    /// - Throws: what `test` throws.
    package mutating func holds(_ test: (Document) throws(QueryError) -> Bool) throws(QueryError) -> Bool {
        try test(scanner.row.document)
    }

    /// Reads the next row; blank lines are skipped.
    ///
    /// - Returns: false after the last row.
    /// - Throws: `QueryError` of code `json` for a malformed row, after which the next call continues with the next
    ///   row; of code `limit` for a row that is too long, and what the source throws.
    package mutating func next() throws(QueryError) -> Bool {
        isRowMalformed = false
        if list != nil { return try nextElement() }
        while !isOver {
            start = start.map { $0 + length }
            lastOffset += length
            length = 0
            if start == linesEnd, try !fillLines() { return false }
            guard let start, let linesEnd else { return false }
            lastLine += 1
            let first = start + (lastLine == 1 ? Self.markLength(start, linesEnd) : 0)
            if let end = scanner.scan(from: first, to: linesEnd) {
                length = end - start
                index += 1
                if length > longest { try checkLength() }
                return true
            }
            if try readLine() { return true }
        }
        return false
    }

    /// The bytes of the stream that are held: one chunk, or the longest row.
    package var heldBytes: Int { list?.heldBytes ?? stream.capacity }

    /// The error with row number and position in its message, if it is about the last, malformed row.
    ///
    /// - Parameter error: what ``next()`` threw.
    /// - Returns: the error.
    package func placed(_ error: QueryError) -> QueryError {
        guard isRowMalformed else { return error }
        let mark = if list == nil, lastLine == 1, let start { Self.markLength(start, start + length) } else { 0 }
        return error.ofMalformedRow(index, line: line, offset: offset + mark)
    }

    /// The text of the last row, without its line's end.
    ///
    /// - Returns: a copy.
    /// - Throws: never.
    package mutating func text() throws(QueryError) -> [UInt8] {
        try withText { (bytes) throws(QueryError) in Array(bytes) }
    }

    /// Passes the text of the last row, without its line ending, to a closure; mutating, so that nothing is copied.
    ///
    /// - Parameter body: gets the bytes, valid only during the call.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
    package mutating func withText<Value>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(QueryError) -> Value
    ) throws(QueryError) -> Value {
        if list != nil {
            return try element.withUnsafeBufferPointer { (bytes) throws(QueryError) -> Value in
                try body(UnsafeBufferPointer(rebasing: bytes.dropLast(1 + ByteStream.padding)))
            }
        }
        return try body(NDJSONReader.content(of: lineWithoutEnd, isFirst: lastLine == 1))
    }
}

extension JSONPathReader {
    /// A byte order mark at the start is not part of the first line.
    private static func markLength(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int {
        UnsafeBufferPointer(start: start, count: end - start).starts(with: ByteStream.byteOrderMark) ? 3 : 0
    }

    private var lineWithoutEnd: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start, count: max(0, length - 1))
    }

    /// Rejects a line that is too long; its end does not count.
    @inline(never)
    private mutating func checkLength() throws(QueryError) {
        guard length - 1 > longest else { return }
        isOver = true
        throw .rowTooLong(index, longest, line: lastLine, offset: lastOffset)
    }

    /// Reads the next line in full; false if it is blank.
    private mutating func readLine() throws(QueryError) -> Bool {
        guard let start, let linesEnd else { return false }
        let lines = UnsafeBufferPointer(start: start, count: linesEnd - start)
        length = (lines.lineFeed(from: 0) ?? lines.count - 1) + 1
        index += 1
        if length > longest { try checkLength() }
        isRowMalformed = true
        let content = NDJSONReader.content(of: lineWithoutEnd, isFirst: lastLine == 1)
        let value: QueryValue? = content.isEmpty ? .none : try reader.read(content, row: index)
        guard let value else {
            isRowMalformed = false
            index -= 1
            return false
        }
        try take(value)
        isRowMalformed = false
        return true
    }

    private mutating func take(_ value: QueryValue) throws(QueryError) {
        guard case .object(let object) = value else {
            throw QueryError(.json, QueryError.rowIsNoObject, range: 0..<1, path: "documents[\(index)]")
        }
        scanner.take(object)
    }

    private mutating func nextElement() throws(QueryError) -> Bool {
        let found: Void? = try list?.next { (bytes, _) throws(QueryError) in
            element.removeAll(keepingCapacity: true)
            element.append(contentsOf: bytes)
            // The terminator, and padding for wide loads.
            element.append(contentsOf: repeatElement(0, count: 1 + ByteStream.padding))
        }
        guard found != nil else { return false }
        index += 1
        let number = index
        let isRead = element.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return false }
            let end = start + (bytes.count - ByteStream.padding)
            return scanner.scan(from: start, to: end) == end
        }
        if isRead { return true }
        isRowMalformed = true
        let value = try element.withUnsafeBufferPointer { (bytes) throws(QueryError) in
            let text = UnsafeBufferPointer(rebasing: bytes.dropLast(1 + ByteStream.padding))
            return try reader.read(text, row: number)
        }
        try take(value)
        isRowMalformed = false
        return true
    }

    /// Makes complete lines available; false at the end.
    private mutating func fillLines() throws(QueryError) -> Bool {
        stream.consume(held)
        (start, linesEnd, held) = (nil, nil, 0)
        var searched = 0
        while true {
            let found = try stream.withUnread { (bytes) throws(QueryError) -> Int? in
                guard let end = bytes.linesEnd(from: searched) else { return nil }
                start = bytes.baseAddress
                linesEnd = start.map { $0 + end }
                return end
            }
            if let found {
                held = found
                return true
            }
            searched = stream.count
            if searched > longest {
                isOver = true
                throw .rowTooLong(index + 1, longest, line: lastLine + 1, offset: lastOffset)
            }
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
