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

/// Bytes that arrive in chunks; only the unread ones are kept.
///
/// Copies share their buffer, so a stream has a single reader.
package struct ByteStream {
    /// Puts the next bytes into the buffer and returns their number; 0 at the end.
    package typealias Source = (UnsafeMutableRawBufferPointer) throws(QueryError) -> Int

    /// Some programs write it at the start of UTF-8 files; it is ignored.
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    package static let usualChunk = 256 * 1_024
    /// Bytes after the held ones that may be read; their content is irrelevant.
    static let padding = 64

    private let source: Source
    private let chunk: Int
    private var buffer: Buffer
    private var start = 0
    private var end = 0
    /// True once the source has given its last byte.
    private(set) var isAtEnd = false

    /// A stream of any source.
    ///
    /// - Parameters:
    ///   - chunk: how many bytes to ask for at a time.
    ///   - source: fills a buffer; what it throws, the readers of the stream throw.
    package init(chunk: Int = usualChunk, source: @escaping Source) {
        self.source = source
        self.chunk = max(chunk, 16)
        buffer = Buffer(self.chunk)
    }

    /// A stream of an open file, pipe or terminal; it is not closed.
    ///
    /// - Parameter fileDescriptor: open for reading.
    package init(fileDescriptor: Int32) {
        self.init { buffer throws(QueryError) in try Self.read(fileDescriptor, into: buffer) }
    }

    /// A stream of a file.
    ///
    /// - Parameter path: the file's name.
    /// - Throws: `QueryError` of code `store` when it cannot be opened.
    package init(path: String) throws(QueryError) {
        // The source holds the file, which is closed with it.
        let file = try OpenFile(path)
        self.init { buffer throws(QueryError) in try Self.read(file.descriptor, into: buffer) }
    }

    private static func read(
        _ fileDescriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(QueryError) -> Int {
        while true {
            let count = systemRead(fileDescriptor, buffer)
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw QueryError(.store, "the input cannot be read: " + String(cString: strerror(errno)))
            }
        }
    }

    /// A stream of bytes in memory.
    ///
    /// - Parameter bytes: all of them.
    package init(bytes: [UInt8]) {
        var rest = bytes[...]
        // Twice the room of few bytes, so that the read that finds their end moves nothing.
        self.init(chunk: 2 * min(bytes.count, Self.usualChunk / 2 - 16) + 32) { buffer throws(QueryError) in
            let part = rest.prefix(buffer.count)
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
    }

    /// The capacity in bytes.
    var capacity: Int { buffer.count }

    /// The number of unread bytes held.
    var count: Int { end - start }

    /// Calls `body` with the unread bytes held.
    @inline(__always)
    func withUnread<Value>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(QueryError) -> Value
    ) throws(QueryError) -> Value {
        try withExtendedLifetime(buffer) { () throws(QueryError) in
            try body(UnsafeBufferPointer(start: buffer.base + start, count: end - start))
        }
    }

    /// Forgets the first unread bytes.
    mutating func consume(_ count: Int) {
        start = min(start + count, end)
    }

    /// The first unread byte other than white space and a byte order mark; nothing is consumed.
    ///
    /// - Parameter limit: gives up after this many bytes of space, to bound the buffer.
    /// - Returns: the byte; nil when there is none.
    /// - Throws: what the source throws.
    mutating func firstByte(within limit: Int) throws(QueryError) -> UInt8? {
        var searched = 0
        while true {
            let found = try withUnread { (bytes) throws(QueryError) in
                bytes[min(searched, bytes.count)...].first {
                    !($0 == 0x20 || (0x09...0x0D).contains($0) || Self.byteOrderMark.contains($0))
                }
            }
            searched = count
            if found != nil || isAtEnd || searched > limit { return found }
            try fill()
        }
    }

    /// Adds a line feed if the source, which is at its end, lacks it.
    mutating func endLine() {
        guard end > start, buffer.base[end - 1] != UInt8(ascii: "\n") else { return }
        // There is room: the padding is longer.
        buffer.base[end] = UInt8(ascii: "\n")
        end += 1
    }

    /// Reads more; the unread bytes move to the front if there is not enough room.
    mutating func fill() throws(QueryError) {
        if start == end {
            (start, end) = (0, 0)
        } else if buffer.count - end < chunk / 2 {
            let rest = end - start
            // The buffer doubles only if even then less than half a chunk would be free.
            let isShort = buffer.count - rest < chunk / 2
            let target = isShort ? Buffer(buffer.count * 2) : buffer
            memmove(target.base, buffer.base + start, rest)
            buffer = target
            (start, end) = (0, rest)
        }
        end += try read(into: UnsafeMutableRawBufferPointer(start: buffer.base + end, count: buffer.count - end))
    }

    /// Reads more to another place, while nothing is held.
    mutating func read(into room: UnsafeMutableRawBufferPointer) throws(QueryError) -> Int {
        let count = try source(room)
        isAtEnd = count <= 0
        return max(0, min(count, room.count))
    }

    /// Holds bytes that were read, while nothing else is held.
    mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count > buffer.count { buffer = Buffer(2 * bytes.count) }
        (start, end) = (0, bytes.count)
        if let first = bytes.baseAddress { memcpy(buffer.base, first, bytes.count) }
    }
}

/// The memory of a stream; only bytes from the source are used, and the padding after them only for wide loads.
private final class Buffer {
    let base: UnsafeMutablePointer<UInt8>
    /// Without the padding.
    let count: Int

    init(_ count: Int) {
        self.count = count
        base = .allocate(capacity: count + ByteStream.padding)
        memset(base, 0, count + ByteStream.padding)
    }

    deinit { base.deallocate() }
}

/// The system's `read`, whose name the stream's own would hide.
private func systemRead(_ fileDescriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    Int(read(fileDescriptor, buffer.baseAddress, numericCast(buffer.count)))
}

/// A file that is closed when it is released.
private final class OpenFile {
    let descriptor: Int32

    init(_ path: String) throws(QueryError) {
        descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else {
            throw QueryError(.store, "cannot open \(path): " + String(cString: strerror(errno)))
        }
    }

    deinit { close(descriptor) }
}

extension UnsafeBufferPointer<UInt8> {
    /// The offset of the next line feed.
    func lineFeed(from start: Int) -> Int? {
        guard start < count, let base = UnsafeRawPointer(baseAddress) else { return nil }
        return memchr(base + start, 0x0A, count - start).map { UnsafeRawPointer($0) - base }
    }

    /// The offset after the last line feed.
    func linesEnd(from start: Int) -> Int? {
        var at = count
        while at > start {
            if self[at - 1] == 0x0A { return at }
            at -= 1
        }
        return nil
    }
}
