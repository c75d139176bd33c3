/// Case folding and mark stripping (S14), the same in memory, in SQLite's `fold` and in Mongo's letter classes.
///
/// `[c]` folds one scalar to one scalar (Unicode's simple folding, root locale); `[d]` drops nonspacing marks and takes
/// the base of a scalar that is a base and marks; `[d]` comes before `[c]`.
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
        return String(decoding: foldedBytes(text, options), as: UTF8.self)
    }

    static func foldedBytes(_ text: String, _ options: StringOptions) -> [UInt8] {
        var out: [UInt8] = []
        text.withUTF8Bytes { append($0, options, to: &out) }
        return out
    }

    /// Appends the folded form of UTF-8 text; what SQLite's `fold` calls, without a copy of its argument.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 text; malformed bytes are kept as they are.
    ///   - options: `[c]`, `[d]`, both or none.
    ///   - out: takes the folded bytes.
    package static func append(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ options: StringOptions,
        to out: inout [UInt8]
    ) {
        let options = options.folding
        out.reserveCapacity(out.count + bytes.count)
        let foldsCase = options.contains(.caseInsensitive)
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x80 {
                out.append(foldsCase ? lowerASCII(byte) : byte)
                position += 1
                continue
            }
            guard let (scalar, length) = decode(bytes, at: position) else {
                out.append(byte)
                position += 1
                continue
            }
            if let folded = fold(scalar, options) { encode(folded, to: &out) }
            position += length
        }
    }

    @inline(__always)
    static func lowerASCII(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// The scalar at a position and its length in bytes, or nil for malformed UTF-8.
    @inline(__always)
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> (scalar: UInt32, length: Int)? {
        let first = bytes[position]
        let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0
        guard length > 0, first < 0xF5, position + length <= bytes.count else { return nil }
        if length == 1 { return (UInt32(first), 1) }
        var scalar = UInt32(first) & (0x7F >> UInt32(length))
        for offset in 1..<length {
            let byte = bytes[position + offset]
            guard byte & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        return (scalar, length)
    }

    private static func encode(_ scalar: UInt32, to out: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(scalar) else { return }
        out.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// Every scalar that folds to the same scalar as this one, ascending; Mongo's letter classes are made of these.
    ///
    /// - Parameters:
    ///   - scalar: any scalar; a mark that `[d]` drops has no equivalents.
    ///   - options: `[c]`, `[d]` or both.
    /// - Returns: the scalars, at least the scalar itself unless it is dropped. The first call per options reads the
    ///   whole table; later ones are O(1).
    package static func equivalents(of scalar: Unicode.Scalar, _ options: StringOptions) -> [Unicode.Scalar] {
        guard let folded = fold(scalar.value, options.folding) else { return [] }
        return classes(options.folding)[folded] ?? [scalar]
    }

    private static func classes(_ options: StringOptions) -> [UInt32: [Unicode.Scalar]] {
        switch options {
        case [.caseInsensitive]: caseClasses
        case [.diacriticInsensitive]: markClasses
        case []: [:]
        default: bothClasses
        }
    }

    private static let caseClasses = makeClasses(.caseInsensitive)
    private static let markClasses = makeClasses(.diacriticInsensitive)
    private static let bothClasses = makeClasses([.caseInsensitive, .diacriticInsensitive])

    private static func makeClasses(_ options: StringOptions) -> [UInt32: [Unicode.Scalar]] {
        var classes: [UInt32: [Unicode.Scalar]] = [:]
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), let folded = fold(value, options) else { continue }
            classes[folded, default: []].append(scalar)
        }
        return classes.filter { $0.value.count > 1 }
    }
}

extension String {
    /// Calls a closure with the UTF-8 bytes, in place where the storage is contiguous.
    @inline(__always)
    package func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
    }
}
