/// Splits a stream of bytes into lines, keeping no more of it in memory than the longest line.
///
///     var lines = NDJSONReader(ByteStream(bytes: Array("1\n2\n".utf8)))
///     var reader = JSONReader()
///     try lines.next { (line, _) throws(QueryError) in try reader.read(line) }  // → 1
///
/// Lines end in `
/// ` or `\r
/// `, the last may end with the stream; lines of only white space are counted and skipped. A byte order mark at the
/// start is not part of the first line. A line beyond a bound is an error, and none of it is held but the bound.
package struct NDJSONReader {
    private var stream: ByteStream
    /// The number of the last line, from 1.
    package private(set) var line = 0
    /// The offset in the stream of the last line's first byte.
    package private(set) var offset = 0
    /// The offset of the first byte after it.
    private var nextOffset = 0
    /// The maximum number of bytes in a line.
    private let longest: Int
    /// True inside a line that was too long.
    private var isInLongLine = false

    /// A reader of a stream from its start.
    ///
    /// - Parameters:
    ///   - stream: any source.
    ///   - longest: the maximum number of bytes in a line.
    package init(_ stream: ByteStream, longest: Int = .max) {
        self.stream = stream
        self.longest = longest
    }

    /// The next line that is not blank.
    ///
    /// - Parameter body: gets the line without its end, valid only during the call, and its number, from 1.
    /// - Returns: what `body` returns, or nil after the last line.
    /// - Throws: what `body` or the source throws, and `QueryError` of code `limit` for a line that is too long; after an
    ///   error of `body`, or of a long line, the next call goes on with the next line.
    package mutating func next<Value>(
        _ body: (UnsafeBufferPointer<UInt8>, Int) throws(QueryError) -> Value
    ) throws(QueryError) -> Value? {
        if isInLongLine { try skipLine() }
        while let length = try nextLength() {
            line += 1
            if length > longest {
                isInLongLine = true
                throw QueryError(.limit, "line \(line) is longer than \(longest) bytes")
            }
            offset = nextOffset
            nextOffset += length + 1
            defer { stream.consume(length + 1) }
            let (number, first) = (line, line == 1)
            let outcome: Value? = try stream.withUnread { bytes throws(QueryError) in
                let content = Self.content(of: UnsafeBufferPointer(rebasing: bytes[..<length]), isFirst: first)
                return content.isEmpty ? nil : try body(content, number)
            }
            if let outcome { return outcome }
        }
        return nil
    }

    /// A line without its end and byte order mark; empty if it is blank.
    static func content(of line: UnsafeBufferPointer<UInt8>, isFirst: Bool) -> UnsafeBufferPointer<UInt8> {
        var content = line[...]
        if isFirst, content.starts(with: ByteStream.byteOrderMark) { content = content.dropFirst(3) }
        if content.last == UInt8(ascii: "\r") { content = content.dropLast() }
        let isBlank = content.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        return isBlank ? UnsafeBufferPointer(start: nil, count: 0) : UnsafeBufferPointer(rebasing: content)
    }

    /// Discards the rest of a line.
    private mutating func skipLine() throws(QueryError) {
        isInLongLine = false
        while true {
            let found = try stream.withUnread { (bytes) throws(QueryError) in bytes.lineFeed(from: 0) }
            let length = found.map { $0 + 1 } ?? stream.count
            nextOffset += length
            stream.consume(length)
            if found != nil || stream.isAtEnd { return }
            try stream.fill()
        }
    }

    /// The length of the next line without its line feed, or of the part in memory if it is too long; nil at the end.
    private mutating func nextLength() throws(QueryError) -> Int? {
        var searched = 0
        while true {
            let found = try stream.withUnread { bytes throws(QueryError) in
                bytes.lineFeed(from: searched)
            }
            if let found { return found }
            searched = stream.count
            if searched > longest { return searched }
            if stream.isAtEnd { return searched > 0 ? searched : nil }
            try stream.fill()
        }
    }
}
