/// Splits a stream of bytes into lines, and holds no more of it than the longest line.
///
///     var lines = NDJSONReader(ByteStream(bytes: Array("1\n2\n".utf8)))
///     var reader = JSONReader()
///     try lines.next { (line, _) throws(QueryError) in try reader.read(line) }  // → 1
///
/// Lines end in `\n` or `\r\n`, the last may end with the stream; lines of only white space are counted and skipped. A
/// byte order mark at the start is no part of the first line.
package struct NDJSONReader {
    private var stream: ByteStream
    /// The number of the last line, from 1.
    package private(set) var line = 0
    /// The offset in the stream of the last line's first byte.
    package private(set) var offset = 0
    /// The offset of the first byte after it.
    private var nextOffset = 0

    /// A reader of a stream from its start.
    ///
    /// - Parameter stream: any source.
    package init(_ stream: ByteStream) {
        self.stream = stream
    }

    /// The next line that is not blank.
    ///
    /// - Parameter body: gets the line without its end, valid only during the call, and its number, from 1.
    /// - Returns: what `body` returns, or nil after the last line.
    /// - Throws: what `body` or the source throws; after an error of `body` the next call goes on with the next line.
    package mutating func next<Value>(
        _ body: (UnsafeBufferPointer<UInt8>, Int) throws(QueryError) -> Value
    ) throws(QueryError) -> Value? {
        while let length = try nextLength() {
            line += 1
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

    /// A line without its end and byte order mark; empty when it is blank.
    static func content(of line: UnsafeBufferPointer<UInt8>, isFirst: Bool) -> UnsafeBufferPointer<UInt8> {
        var content = line[...]
        if isFirst, content.starts(with: ByteStream.byteOrderMark) { content = content.dropFirst(3) }
        if content.last == UInt8(ascii: "\r") { content = content.dropLast() }
        let isBlank = content.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        return isBlank ? UnsafeBufferPointer(start: nil, count: 0) : UnsafeBufferPointer(rebasing: content)
    }

    /// The length of the next line without its line feed; nil at the end.
    private mutating func nextLength() throws(QueryError) -> Int? {
        var searched = 0
        while true {
            let found = try stream.withUnread { bytes throws(QueryError) in
                bytes.lineFeed(from: searched)
            }
            if let found { return found }
            searched = stream.count
            if stream.isAtEnd { return searched > 0 ? searched : nil }
            try stream.fill()
        }
    }
}
