/// Splits a large JSON list, keeping no more of it in memory than its longest element.
///
///     var elements = JSONArrayReader(ByteStream(bytes: Array("[1,2]".utf8)))
///     var reader = JSONReader()
///     try elements.next { (text, _) throws(QueryError) in try reader.read(text) }  // → 1
///
/// Only brackets, quotes and commas are examined here; the reader of the elements checks the rest.
package struct JSONArrayReader {
    private enum State {
        case beforeList, inList, afterList
    }

    private var stream: ByteStream
    private var state = State.beforeList
    private var index = -1
    /// The line on which the last element begins, from 1.
    package private(set) var line = 1
    /// The offset in the stream of the last element's first byte.
    package private(set) var offset = 0
    /// The same for the first unread byte.
    private var (nextLine, nextOffset) = (1, 0)
    private let longest: Int

    /// A reader of a stream from its start.
    ///
    /// - Parameters:
    ///   - stream: any source.
    ///   - limits: `rowBytes` bounds an element.
    package init(_ stream: ByteStream, limits: Limits = .default) {
        self.stream = stream
        longest = limits.rowBytes
    }

    /// The next element.
    ///
    /// - Parameter body: gets the element's text, valid only during the call, and its index, from 0.
    /// - Returns: what `body` returns, or nil after the last element.
    /// - Throws: `QueryError` with code `json` when the text is not a list, is cut off or goes on after its list, with
    ///   offsets in the whole stream, and with code `limit` for an element that is too long; what `body` or the source
    ///   throws. After an error of `body` the next call goes on with the next element.
    package mutating func next<Value>(
        _ body: (UnsafeBufferPointer<UInt8>, Int) throws(QueryError) -> Value
    ) throws(QueryError) -> Value? {
        if state == .beforeList, try isEmptyList() { try end() }
        guard state == .inList else { return nil }
        _ = try peek()
        (line, offset) = (nextLine, nextOffset)
        let length = try elementLength()
        index += 1
        let number = index
        let outcome = try stream.withUnread { bytes throws(QueryError) in
            Result { () throws(QueryError) in try body(UnsafeBufferPointer(rebasing: bytes[..<length]), number) }
        }
        try consume(length)
        switch try peek() {
        case UInt8(ascii: ","): try consume(1)
        case UInt8(ascii: "]"): try end()
        default:
            state = .afterList
            throw fault("expected a comma or `]` after an element")
        }
        return try outcome.get()
    }

    /// The bytes of the stream that are held: one chunk, or the longest element.
    var heldBytes: Int { stream.capacity }

    /// Reads the opening bracket, and returns whether the closing one follows.
    private mutating func isEmptyList() throws(QueryError) -> Bool {
        while stream.count < 3 && !stream.isAtEnd { try stream.fill() }
        if try stream.withUnread({ bytes throws(QueryError) in bytes.starts(with: ByteStream.byteOrderMark) }) {
            try consume(3)
        }
        guard try peek() == UInt8(ascii: "[") else {
            state = .afterList
            throw fault("expected a list")
        }
        try consume(1)
        state = .inList
        return try peek() == UInt8(ascii: "]")
    }

    /// Reads the closing bracket; only space may follow.
    private mutating func end() throws(QueryError) {
        try consume(1)
        state = .afterList
        guard try peek() == nil else { throw fault("expected the end of the text after the list") }
    }

    /// The bytes up to the comma or bracket that ends the element, which is then the next byte.
    private mutating func elementLength() throws(QueryError) -> Int {
        var scan = ElementScan()
        while true {
            let found = try stream.withUnread { bytes throws(QueryError) in scan.end(in: bytes) }
            if found ?? stream.count > longest {
                state = .afterList
                throw .rowTooLong(index + 1, longest, line: line, offset: offset)
            }
            if let found { return found }
            if stream.isAtEnd {
                state = .afterList
                throw fault("the list is not closed")
            }
            try stream.fill()
        }
    }

    /// The next byte that is not space, or nil at the end.
    private mutating func peek() throws(QueryError) -> UInt8? {
        while true {
            let (spaces, byte) = try stream.withUnread { bytes throws(QueryError) in
                let spaces = bytes.prefix { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }.count
                return (spaces, spaces < bytes.count ? bytes[spaces] : nil)
            }
            try consume(spaces)
            if let byte { return byte }
            if stream.isAtEnd { return nil }
            try stream.fill()
        }
    }

    private mutating func consume(_ count: Int) throws(QueryError) {
        nextLine += try stream.withUnread { bytes throws(QueryError) in bytes[..<count].count { $0 == 0x0A } }
        nextOffset += count
        stream.consume(count)
    }

    private func fault(_ message: String) -> QueryError {
        QueryError(.json, "\(message) (line \(nextLine))", range: nextOffset..<nextOffset, path: "$")
    }
}

/// Finds the end of an element across chunks.
private struct ElementScan {
    private var position = 0
    private var depth = 0
    private var isInString = false

    /// The offset of the comma or bracket that ends the element, or nil if the bytes end before it.
    mutating func end(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        while position < bytes.count {
            let byte = bytes[position]
            if isInString {
                if byte == UInt8(ascii: "\\") {
                    // The escaped byte may be in the next chunk.
                    guard position + 1 < bytes.count else { return nil }
                    position += 1
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: ",") where depth == 0: return position
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    if depth == 0 { return position }
                    depth -= 1
                default: break
                }
            }
            position += 1
        }
        return nil
    }
}
