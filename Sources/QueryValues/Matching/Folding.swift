/// Case folding and mark stripping (S14), the same in memory, in SQLite's `fold` and in Mongo's letter classes.
///
/// `[c]` folds one scalar to one scalar (Unicode's simple folding, root locale); `[d]` drops nonspacing marks and
/// replaces a scalar that decomposes into a base and marks by its base; `[d]` comes before `[c]`.
package enum Folding {
    /// A scalar's folded form; nil for a mark that is dropped.
    @inline(__always)
    static func fold(_ scalar: UInt32, _ options: StringOptions) -> UInt32? {
        var value = scalar
        if options.contains(.diacriticInsensitive) {
            let delta = delta(markBlocks, markDeltas, value)
            let base = UInt32(truncatingIfNeeded: Int32(truncatingIfNeeded: value) &+ delta)
            if base == 0, delta != 0 { return nil }
            value = base
        }
        if options.contains(.caseInsensitive) {
            value = UInt32(truncatingIfNeeded: Int32(truncatingIfNeeded: value) &+ delta(caseBlocks, caseDeltas, value))
        }
        return value
    }

    @inline(__always)
    private static func delta(_ blocks: [UInt16], _ deltas: [Int32], _ scalar: UInt32) -> Int32 {
        let block = Int(min(scalar >> UInt32(blockBits), UInt32(blocks.count - 1)))
        let offset = Int(scalar & UInt32((1 << blockBits) - 1))
        return deltas[Int(blocks[block]) << blockBits + offset]
    }

    /// The folded text.
    ///
    /// - Parameters:
    ///   - text: any text.
    ///   - options: `[c]`, `[d]`, both or none.
    /// - Returns: the folded text. O(length).
    package static func folded(_ text: String, _ options: StringOptions) -> String {
        if options.folding.isEmpty { return text }
        return text.withUTF8Bytes { bytes in
            withFolded(bytes, options) { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Calls a closure with the folded form of UTF-8 text, which is on the stack if it is short.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 text; malformed bytes are kept unchanged.
    ///   - options: `[c]`, `[d]`, both or none (then the bytes are passed on unchanged).
    ///   - body: takes the folded bytes, which are valid only during the call.
    /// - Returns: what the closure returns. O(length).
    package static func withFolded<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ options: StringOptions,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        if options.folding.isEmpty { return body(bytes) }
        // ASCII folds to ASCII, so a scalar of one byte stays one byte and any other takes at most four for its two or
        // more.
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count &* 2) { buffer in
            let count = write(bytes, options, to: buffer)
            return body(UnsafeBufferPointer(rebasing: buffer[..<count]))
        }
    }

    private static func write(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ options: StringOptions,
        to out: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        let foldsCase = options.contains(.caseInsensitive)
        var position = 0
        var end = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x80 {
                out[end] = foldsCase ? lowerASCII(byte) : byte
                end += 1
                position += 1
            } else if let (scalar, length) = decode(bytes, at: position) {
                if let folded = fold(scalar, options) { encode(folded, to: out, at: &end) }
                position += length
            } else {
                out[end] = byte
                end += 1
                position += 1
            }
        }
        return end
    }

    @inline(__always)
    static func lowerASCII(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// The scalar at a position and its length in bytes, or nil for malformed UTF-8 (including surrogates and overlong
    /// forms).
    @inline(__always)
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> (scalar: UInt32, length: Int)? {
        let first = bytes[position]
        if first < 0x80 { return (UInt32(first), 1) }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC2, first < 0xF5, bytes.count - position >= length else { return nil }
        var scalar = UInt32(first) & (0x7F >> UInt32(length))
        for offset in 1..<length {
            let byte = bytes[position + offset]
            guard byte & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        if length > 2 {
            guard scalar >= (length == 3 ? 0x800 : 0x10000), scalar <= 0x10FFFF, scalar & 0x1F_F800 != 0xD800 else {
                return nil
            }
        }
        return (scalar, length)
    }

    @inline(__always)
    private static func encode(_ scalar: UInt32, to out: UnsafeMutableBufferPointer<UInt8>, at end: inout Int) {
        func put(_ byte: UInt32) {
            out[end] = UInt8(truncatingIfNeeded: byte)
            end += 1
        }
        switch scalar {
        case ..<0x80: put(scalar)
        case ..<0x800:
            put(0xC0 | scalar >> 6)
            put(0x80 | scalar & 0x3F)
        case ..<0x10000:
            put(0xE0 | scalar >> 12)
            put(0x80 | scalar >> 6 & 0x3F)
            put(0x80 | scalar & 0x3F)
        default:
            put(0xF0 | scalar >> 18)
            put(0x80 | scalar >> 12 & 0x3F)
            put(0x80 | scalar >> 6 & 0x3F)
            put(0x80 | scalar & 0x3F)
        }
    }
}

extension String {
    /// Calls a closure with the UTF-8 bytes, in place if the storage is contiguous.
    @inline(__always)
    package func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
    }
}
