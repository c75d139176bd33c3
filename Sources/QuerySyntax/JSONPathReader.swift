/// How rows lie in a text.
package enum JSONLayout: Sendable {
    /// One object a line.
    case lines
    /// One list of objects.
    case list
}

/// Reads some paths of each row of NDJSON or of a JSON list, in one pass over the bytes; what it does not keep, it checks
/// all the same.
///
///     var rows = JSONPathReader(ByteStream(fileDescriptor: 0), paths)
///     while try rows.next() { if try rows.holds(program, &frame) { rows.withText { … } } }
///
/// Lines are those of ``NDJSONReader``, elements those of ``JSONArrayReader``, and errors those of ``JSONReader``. It
/// holds one chunk of the stream, or the longest row.
package struct JSONPathReader {
    private var stream: ByteStream
    private var scanner: JSONPathScanner
    /// Reads what the scanner gives up.
    private var reader: JSONReader
    /// Takes a list apart; nil for lines.
    private var list: JSONArrayReader?
    /// The last element of a list, and zero bytes.
    private var element: [UInt8] = []
    /// True when the last call of ``next()`` threw for a malformed row, and not for the text around the rows.
    package private(set) var isRowMalformed = false
    private var lastLine = 0
    /// The offset in the stream of the last line's first byte.
    private var lastOffset = 0
    /// Bytes of the last line, its end included; they go when the next line is read.
    private var length = 0
    /// Unread bytes that hold whole lines, the last line included.
    private var ready = 0

    /// A reader of a stream from its start.
    ///
    /// - Parameters:
    ///   - stream: any source.
    ///   - paths: what to keep of each row.
    ///   - layout: how the rows lie; nil to ask the first byte that is no white space, whether it opens a list.
    ///   - mode: where Extended JSON is read; `.extendedUnder` is not for rows.
    ///   - limits: `jsonDepth` bounds the levels.
    /// - Throws: what the source throws.
    package init(
        _ stream: ByteStream,
        _ paths: RowPaths,
        layout: JSONLayout? = nil,
        mode: JSONMode = .plain,
        limits: Limits = .default
    ) throws(QueryError) {
        var stream = stream
        let isList = if let layout { layout == .list } else { try stream.firstByte() == UInt8(ascii: "[") }
        scanner = JSONPathScanner(paths, mode: mode, depthLimit: limits.jsonDepth, ofLines: !isList)
        reader = JSONReader(mode: mode, limits: limits)
        if isList { list = JSONArrayReader(stream) }
        self.stream = stream
    }

    /// How the rows lie.
    package var layout: JSONLayout { list == nil ? .lines : .list }

    /// The number of the line on which the last row begins, from 1.
    package var line: Int { list?.line ?? lastLine }

    /// The offset in the stream of the last row's first byte.
    package var offset: Int { list?.offset ?? lastOffset }

    /// What was kept of the last row.
    package var row: Document { scanner.row.document }

    /// The truth of a condition for the last row.
    ///
    /// - Parameters:
    ///   - program: compiled for the paths.
    ///   - frame: of the program.
    /// - Returns: whether it holds.
    /// - Throws: as ``ConditionProgram/holds(_:_:)``.
    package func holds(_ program: ConditionProgram, _ frame: inout RowFrame) throws(QueryError) -> Bool {
        try program.holds(scanner.row.document, &frame)
    }

    /// Reads the next row; blank lines are none.
    ///
    /// - Returns: false after the last row.
    /// - Throws: `QueryError` of code `json` for a malformed row, and what the source throws; the next call goes on with
    ///   the next row.
    package mutating func next() throws(QueryError) -> Bool {
        isRowMalformed = false
        if list != nil { return try nextElement() }
        while true {
            consumeLine()
            if ready == 0, try !fillLines() { return false }
            lastLine += 1
            let (known, isFirst) = (ready, lastLine == 1)
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

    /// Gives the text of the last row, without its line's end, to a closure.
    ///
    /// - Parameter body: gets the bytes, valid only during the call.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
    package func withText<Value>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(QueryError) -> Value
    ) throws(QueryError) -> Value {
        if list != nil {
            return try element.withUnsafeBufferPointer { (bytes) throws(QueryError) -> Value in
                try body(UnsafeBufferPointer(rebasing: bytes.dropLast(1 + ByteStream.padding)))
            }
        }
        let (length, isFirst) = (length, lastLine == 1)
        return try stream.withUnread { (bytes) throws(QueryError) -> Value in
            let text = UnsafeBufferPointer(rebasing: bytes[..<max(0, length - 1)])
            return try body(NDJSONReader.content(of: text, isFirst: isFirst))
        }
    }
}

extension JSONPathReader {
    /// A byte order mark at the start is no part of the first line.
    @inline(__always)
    private static func markLength(_ bytes: UnsafeBufferPointer<UInt8>, _ isFirst: Bool) -> Int {
        isFirst && bytes.starts(with: ByteStream.byteOrderMark) ? 3 : 0
    }

    @inline(__always)
    private mutating func consumeLine() {
        stream.consume(length)
        lastOffset += length
        ready -= length
        length = 0
    }

    /// Reads the next line in full; false when it is blank.
    private mutating func readLine() throws(QueryError) -> Bool {
        let (known, isFirst) = (ready, lastLine == 1)
        length = try stream.withUnread { (bytes) throws(QueryError) in (bytes.lineFeed(from: 0) ?? known - 1) + 1 }
        let whole = length
        isRowMalformed = true
        let value = try stream.withUnread { (bytes) throws(QueryError) -> QueryValue? in
            let text = UnsafeBufferPointer(rebasing: bytes[..<(whole - 1)])
            let content = NDJSONReader.content(of: text, isFirst: isFirst)
            return content.isEmpty ? .none : try reader.read(content)
        }
        guard let value else { return false }
        try take(value)
        isRowMalformed = false
        return true
    }

    private mutating func take(_ value: QueryValue) throws(QueryError) {
        guard case .object(let object) = value else { throw QueryError(.json, "expected an object", range: 0..<1) }
        scanner.take(object)
    }

    private mutating func nextElement() throws(QueryError) -> Bool {
        let found: Void? = try list?.next { (bytes, _) throws(QueryError) in
            element.removeAll(keepingCapacity: true)
            element.append(contentsOf: bytes)
            // The terminator, and what wide loads may read behind it.
            element.append(contentsOf: repeatElement(0, count: 1 + ByteStream.padding))
        }
        guard found != nil else { return false }
        let isRead = element.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return false }
            let end = start + (bytes.count - ByteStream.padding)
            return scanner.scan(from: start, to: end) == end
        }
        if isRead { return true }
        isRowMalformed = true
        let value = try element.withUnsafeBufferPointer { (bytes) throws(QueryError) in
            try reader.read(UnsafeBufferPointer(rebasing: bytes.dropLast(1 + ByteStream.padding)))
        }
        try take(value)
        isRowMalformed = false
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
