/// Lines of JSON as they are written, sixteen bytes at a time.
struct LineText {
    private typealias Bytes = SIMD16<UInt8>

    /// The text and room for more.
    private var bytes: [UInt8] = []
    private(set) var count = 0

    /// Forgets what was written after a position.
    mutating func cut(to count: Int) { self.count = min(count, self.count) }

    /// Moves the text to the end of another.
    mutating func move(to text: inout [UInt8]) {
        text += bytes[..<count]
        count = 0
    }

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append($0, 0..<$0.count) }
    }

    mutating func append(_ text: [UInt8]) {
        text.withUnsafeBufferPointer { append($0, 0..<$0.count) }
    }

    mutating func append(_ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        makeRoom(range.count)
        let begin = count
        bytes.withUnsafeMutableBytes { bytes in
            var (at, to) = (range.lowerBound, begin)
            while at < range.upperBound {
                if at &+ 16 <= source.count {
                    bytes.storeBytes(of: Self.load(source, at), toByteOffset: to, as: Bytes.self)
                    (at, to) = (at &+ 16, to &+ 16)
                } else {
                    bytes[to] = source[at]
                    (at, to) = (at &+ 1, to &+ 1)
                }
            }
        }
        count += range.count
    }

    /// Appends text in quotes.
    ///
    /// - Returns: false, with nothing appended, if it is not UTF-8 or must be escaped.
    mutating func append(quoting source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        makeRoom(range.count + 2)
        let begin = count
        let isPlain = bytes.withUnsafeMutableBytes { bytes in
            bytes[begin] = UInt8(ascii: "\"")
            var (at, to) = (range.lowerBound, begin + 1)
            while at < range.upperBound {
                if at &+ 16 <= source.count {
                    let block = Self.load(source, at)
                    bytes.storeBytes(of: block, toByteOffset: to, as: Bytes.self)
                    let plain = min(Self.plainCount(block), range.upperBound &- at)
                    (at, to) = (at &+ plain, to &+ plain)
                    if plain == 16 || at == range.upperBound { continue }
                }
                // Characters beyond ASCII often stand together.
                repeat {
                    let byte = source[at]
                    if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
                    let length = Self.length(ofCharacterAt: at, source, range.upperBound)
                    if length == 0 { return false }
                    for _ in 0..<length {
                        bytes[to] = source[at]
                        (at, to) = (at &+ 1, to &+ 1)
                    }
                } while at < range.upperBound && source[at] >= 0x80
            }
            bytes[to] = UInt8(ascii: "\"")
            return true
        }
        if isPlain { count += range.count + 2 }
        return isPlain
    }

    /// True for well-formed UTF-8.
    static func isUTF8(_ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        var at = range.lowerBound
        // Most texts are ASCII from their start.
        while at &+ 64 <= range.upperBound {
            let (first, second) = (load(source, at) | load(source, at &+ 16), load(source, at &+ 32))
            if firstMark(first | second | load(source, at &+ 48)) < 16 { break }
            at = at &+ 64
        }
        while at < range.upperBound {
            if at &+ 16 <= source.count {
                let ascii = min(firstMark(load(source, at)), range.upperBound &- at)
                at = at &+ ascii
                if ascii == 16 || at == range.upperBound { continue }
            }
            repeat {
                let length = length(ofCharacterAt: at, source, range.upperBound)
                if length == 0 { return false }
                at = at &+ length
            } while at < range.upperBound && source[at] >= 0x80
        }
        return true
    }

    /// Makes room for some bytes, and for fifteen that are written with the last one.
    @inline(__always)
    private mutating func makeRoom(_ more: Int) {
        if bytes.count - count < more + 16 { grow(more + 16) }
    }

    private mutating func grow(_ more: Int) {
        bytes += repeatElement(0, count: max(more, bytes.count, 64 * 1_024))
    }

    @inline(__always)
    private static func load(_ source: UnsafeBufferPointer<UInt8>, _ at: Int) -> Bytes {
        UnsafeRawBufferPointer(source).loadUnaligned(fromByteOffset: at, as: Bytes.self)
    }

    /// How many bytes come before the first quote, backslash, control character or byte beyond ASCII.
    @inline(__always)
    private static func plainCount(_ bytes: Bytes) -> Int {
        // A byte from 0x80 on is marked anyway; of the others only zero gets the high bit by subtracting one.
        let quotes = (bytes ^ Bytes(repeating: 0x22)) &- Bytes(repeating: 1)
        let slashes = (bytes ^ Bytes(repeating: 0x5C)) &- Bytes(repeating: 1)
        return firstMark(quotes | slashes | bytes | (bytes &- Bytes(repeating: 0x20)))
    }

    /// How many bytes come before the first with its high bit set.
    @inline(__always)
    private static func firstMark(_ marks: Bytes) -> Int {
        let words = unsafeBitCast(marks & Bytes(repeating: 0x80), to: SIMD2<UInt64>.self)
        let (low, high) = (words[0].littleEndian, words[1].littleEndian)
        return (low == 0 ? high.trailingZeroBitCount &+ 64 : low.trailingZeroBitCount) >> 3
    }

    /// The bytes of a character; 0 for what is not UTF-8.
    private static func length(
        ofCharacterAt at: Int,
        _ source: UnsafeBufferPointer<UInt8>,
        _ end: Int
    ) -> Int {
        // The bounds of the second byte rule out overlong forms, surrogates and scalars above U+10FFFF.
        let (length, second): (Int, ClosedRange<UInt8>)
        switch source[at] {
        case 0..<0x80: return 1
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard at + length <= end, second ~= source[at + 1] else { return 0 }
        for place in at + 2..<max(at + length, at + 2) where source[place] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
