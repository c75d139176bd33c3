#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WASILibc)
    import WASILibc
#elseif canImport(ucrt)
    import ucrt
#elseif canImport(Darwin)
    import Darwin
#endif

/// Splits a stream of bytes into lines, and holds no more of it than the longest line.
///
///     var lines = NDJSONReader(fileDescriptor: 0)
///     while let row = try lines.next({ line, number in try reader.read(line, path: "line \(number)") }) { … }
///
/// Lines end in `\n` or `\r\n`, the last may end with the stream; lines of only white space are counted and skipped. A
/// byte order mark at the start is no part of the first line.
package struct NDJSONReader {
    /// Puts the next bytes into the buffer and returns their number; 0 at the end.
    package typealias Source = (UnsafeMutableRawBufferPointer) throws(QueryError) -> Int

    private let source: Source
    private let chunk: Int
    /// What has been read and not yet given out is `buffer[start..<end]`.
    private var buffer: [UInt8]
    private var start = 0
    private var end = 0
    /// The bytes of the buffer up to here hold no line feed.
    private var searched = 0
    private var isAtEnd = false
    /// The number of the last line, from 1.
    package private(set) var line = 0

    /// A reader of any source.
    ///
    /// - Parameters:
    ///   - chunk: how many bytes to ask for at a time.
    ///   - source: fills a buffer; what it throws, ``next(_:)`` throws.
    package init(chunk: Int = 256 * 1_024, source: @escaping Source) {
        self.source = source
        self.chunk = max(chunk, 16)
        buffer = Array(repeating: 0, count: self.chunk)
    }

    /// A reader of an open file, pipe or terminal; it is not closed.
    ///
    /// - Parameter fileDescriptor: open for reading.
    package init(fileDescriptor: Int32) {
        self.init { buffer throws(QueryError) in
            while true {
                let count = read(fileDescriptor, buffer.baseAddress, numericCast(buffer.count))
                if count >= 0 { return Int(count) }
                guard errno == EINTR else {
                    throw QueryError(.store, "the input cannot be read: " + String(cString: strerror(errno)))
                }
            }
        }
    }

    /// A reader of bytes in memory.
    ///
    /// - Parameter bytes: all lines.
    package init(bytes: [UInt8]) {
        var rest = bytes[...]
        self.init { buffer throws(QueryError) in
            let part = rest.prefix(buffer.count)
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
    }

    /// The next line that is not blank.
    ///
    /// - Parameter body: gets the line without its end, valid only during the call, and its number, from 1.
    /// - Returns: what `body` returns, or nil after the last line.
    /// - Throws: what `body` or the source throws; after an error of `body` the next call goes on with the next line.
    package mutating func next<Value>(
        _ body: (UnsafeBufferPointer<UInt8>, Int) throws(QueryError) -> Value
    ) throws(QueryError) -> Value? {
        while let range = try nextRange() {
            line += 1
            let content = content(of: range)
            guard !content.isEmpty else { continue }
            let number = line
            return try buffer.withUnsafeBufferPointer { bytes throws(QueryError) in
                try body(UnsafeBufferPointer(rebasing: bytes[content]), number)
            }
        }
        return nil
    }

    /// The range of a line without its end, byte order mark and `\r`; empty when it is blank.
    private func content(of range: Range<Int>) -> Range<Int> {
        var range = range
        if line == 1, buffer[range].starts(with: [0xEF, 0xBB, 0xBF]) {
            range = (range.lowerBound + 3)..<range.upperBound
        }
        if !range.isEmpty, buffer[range.upperBound - 1] == UInt8(ascii: "\r") {
            range = range.lowerBound..<(range.upperBound - 1)
        }
        let isBlank = buffer[range].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        return isBlank ? range.lowerBound..<range.lowerBound : range
    }

    /// The place of the next line in the buffer, without its line feed; nil at the end.
    private mutating func nextRange() throws(QueryError) -> Range<Int>? {
        while true {
            if let lineFeed = lineFeed() {
                defer {
                    start = lineFeed + 1
                    searched = start
                }
                return start..<lineFeed
            }
            searched = end
            if isAtEnd {
                guard start < end else { return nil }
                defer {
                    start = end
                }
                return start..<end
            }
            try fill()
        }
    }

    private func lineFeed() -> Int? {
        guard searched < end else { return nil }
        return buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = memchr(base + searched, 0x0A, end - searched) else {
                return nil
            }
            return UnsafeRawPointer(found) - base
        }
    }

    /// Moves the unread rest to the front when room is short, and reads on.
    private mutating func fill() throws(QueryError) {
        if start == end {
            (start, end, searched) = (0, 0, 0)
        } else if buffer.count - end < chunk / 2 {
            let held = end - start
            // Only when less than half a chunk is free even so does the buffer grow, to twice its size.
            let rest = start..<end
            buffer.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[rest])) }
            (start, end, searched) = (0, held, held)
            if buffer.count - end < chunk / 2 { buffer += Array(repeating: 0, count: buffer.count) }
        }
        // `withUnsafeMutableBytes` rethrows without types, so the outcome travels as a value.
        let free = end
        let result = buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(QueryError) in try source(UnsafeMutableRawBufferPointer(rebasing: bytes[free...])) }
        }
        let count = try result.get()
        isAtEnd = count <= 0
        end += max(0, min(count, buffer.count - end))
    }
}
