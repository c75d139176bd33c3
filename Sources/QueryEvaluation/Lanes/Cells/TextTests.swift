import QueryValues

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

/// Bytes that a plan keeps for its tests: a needle, a bound, a folded constant.
final class Needle: @unchecked Sendable {  // immutable after `init`
    let start: UnsafeRawPointer
    let count: Int
    let isASCII: Bool
    /// The first eight and the next seven bytes, zero-padded.
    let first: UInt64
    let second: UInt64
    /// Masks of the words' bits that belong to the needle.
    let firstMask: UInt64
    let secondMask: UInt64

    init(_ bytes: some Collection<UInt8>) {
        count = bytes.count
        isASCII = bytes.allSatisfy { $0 < 0x80 }
        // Room for two words whatever the length, so that they can be loaded.
        let room = UnsafeMutableRawPointer.allocate(byteCount: max(16, bytes.count), alignment: 8)
        room.initializeMemory(as: UInt8.self, repeating: 0, count: max(16, bytes.count))
        for (offset, byte) in bytes.enumerated() { room.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self) }
        start = UnsafeRawPointer(room)
        first = room.load(as: UInt64.self)
        second = room.load(fromByteOffset: 8, as: UInt64.self)
        firstMask = Self.mask(bytes.count)
        secondMask = Self.mask(bytes.count - 8)
    }

    convenience init(_ text: String) { self.init(Array(text.utf8)) }

    deinit { start.deallocate() }

    private static func mask(_ count: Int) -> UInt64 {
        count >= 8 ? .max : count <= 0 ? 0 : (1 << UInt64(count * 8)) &- 1
    }

    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// True if the needle's bytes occur at an address where that many bytes are readable.
    @inline(__always)
    func stands(at address: UnsafeRawPointer) -> Bool {
        if count >= 8 {
            return address.loadUnaligned(as: UInt64.self) == first && memcmp(address, start, count) == 0
        }
        return memcmp(address, start, count) == 0
    }
}

/// Equal bytes (S4).
struct SameText: TextPredicate {
    let needle: Needle

    @inline(__always)
    func passes(_ text: Text) -> Bool {
        text.count == needle.count && needle.stands(at: text.start)
    }
}

/// A cell of `String` or `String?` with the bytes of a constant that fits inline.
struct SameShortText: CellTest {
    let first: UInt64
    let second: UInt64
    let slow: TextCellTest<SameText>

    /// Nil for a constant that does not fit.
    init?(_ needle: Needle, isOptional: Bool) {
        guard needle.count <= 15 else { return nil }
        first = needle.first
        // The last byte of short text holds its length and marks.
        let marks = TextLayout.short | 1 << 63 | UInt64(needle.count) << 56
        second = needle.second | marks | (needle.isASCII ? TextLayout.shortASCII : 0)
        slow = TextCellTest(test: SameText(needle: needle), isOptional: isOptional)
    }

    static var isEven: Bool { true }

    @inline(__always)
    func holds(_ cell: UnsafeRawPointer) -> Bool {
        let text = cell.load(fromByteOffset: 8, as: UInt64.self)
        // Both words without a branch, which would depend on how many texts have the constant's length.
        if text & TextLayout.short != 0 { return (text ^ second) | (cell.load(as: UInt64.self) ^ first) == 0 }
        return text != 0 && slow.holds(cell)
    }
}

/// Between two bounds by bytes, each optional and inclusive or exclusive (S4, S13).
struct TextRange: TextPredicate {
    let low: Needle?
    let high: Needle?
    let takesLow: Bool
    let takesHigh: Bool

    @inline(__always)
    func passes(_ text: Text) -> Bool {
        if let low {
            let order = Self.order(text, low)
            guard order > 0 || (takesLow && order == 0) else { return false }
        }
        if let high {
            let order = Self.order(text, high)
            guard order < 0 || (takesHigh && order == 0) else { return false }
        }
        return true
    }

    @inline(__always)
    private static func order(_ text: Text, _ bound: Needle) -> Int {
        let difference = Int(memcmp(text.start, bound.start, min(text.count, bound.count)))
        return difference != 0 ? difference : text.count - bound.count
    }
}

/// BEGINSWITH.
struct TextPrefix: TextPredicate {
    let needle: Needle

    @inline(__always)
    func passes(_ text: Text) -> Bool {
        guard text.count >= needle.count else { return false }
        if text.count >= 8 { return text.word(at: 0) & needle.firstMask == needle.first && rest(text) }
        return memcmp(text.start, needle.start, needle.count) == 0
    }

    @inline(__always)
    private func rest(_ text: Text) -> Bool {
        needle.count <= 8 || memcmp(text.start + 8, needle.start + 8, needle.count - 8) == 0
    }
}

/// ENDSWITH.
struct TextSuffix: TextPredicate {
    let needle: Needle

    @inline(__always)
    func passes(_ text: Text) -> Bool {
        text.count >= needle.count && needle.stands(at: text.start + (text.count - needle.count))
    }
}

/// CONTAINS.
struct TextSearch: TextPredicate {
    let needle: Needle

    @inline(__always)
    func passes(_ text: Text) -> Bool {
        if needle.count < 2 {
            return needle.count == 0 || memchr(text.start, Int32(needle.first & 0xFF), text.count) != nil
        }
        // A needle that starts with a common letter is faster to find by its first two bytes.
        if text.count <= 64 { return isInShort(text) }
        return Folding.offset(of: needle.bytes, in: text.bytes, from: 0) != nil
    }

    @inline(__always)
    private func isInShort(_ text: Text) -> Bool {
        let wanted = UInt16(truncatingIfNeeded: needle.first)
        var position = text.start
        var places = text.count &- needle.count &+ 1
        while places > 0 {
            if position.loadUnaligned(as: UInt16.self) == wanted, needle.stands(at: position) { return true }
            position += 1
            places &-= 1
        }
        return false
    }
}

/// BEGINSWITH and ENDSWITH together, as for `LIKE "Mar*n"`.
struct TextEnds: TextPredicate {
    let prefix: TextPrefix
    let suffix: TextSuffix

    @inline(__always)
    func passes(_ text: Text) -> Bool {
        text.count >= prefix.needle.count + suffix.needle.count && prefix.passes(text) && suffix.passes(text)
    }
}

/// LIKE, whatever its pattern (S15).
struct TextLike: TextPredicate {
    let pattern: LikePattern

    @inline(__always)
    func passes(_ text: Text) -> Bool { pattern.matches(text.bytes) }
}

/// IN: one of some texts, found by length and bytes.
struct TextMembers: TextPredicate {
    private let needles: [Needle]
    /// A bit for each pair of length and first byte that a member has.
    private let hints: UInt64

    init(_ needles: [Needle]) {
        self.needles = needles.sorted { ($0.count, $0.first) < ($1.count, $1.first) }
        hints = needles.reduce(0) { $0 | 1 << Self.hint($1.count, UInt8(truncatingIfNeeded: $1.first)) }
    }

    @inline(__always)
    private static func hint(_ count: Int, _ first: UInt8) -> UInt64 {
        UInt64(truncatingIfNeeded: count &* 7 &+ Int(first)) & 63
    }

    @inline(__always)
    func passes(_ text: Text) -> Bool {
        let first = text.count > 0 ? text.start.load(as: UInt8.self) : 0
        return hints >> Self.hint(text.count, first) & 1 != 0 && isMember(text)
    }

    /// Binary search by length and the first eight bytes, then by all bytes.
    @inline(never)
    private func isMember(_ text: Text) -> Bool {
        let first = text.count >= 8 ? text.word(at: 0) : prefix(text)
        var low = 0
        var high = needles.count
        while low < high {
            let middle = (low + high) / 2
            if (needles[middle].count, needles[middle].first) < (text.count, first) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        while low < needles.count, needles[low].count == text.count, needles[low].first == first {
            if memcmp(needles[low].start, text.start, text.count) == 0 { return true }
            low += 1
        }
        return false
    }

    private func prefix(_ text: Text) -> UInt64 {
        var word: UInt64 = 0
        for offset in 0..<text.count {
            word |= UInt64(text.start.load(fromByteOffset: offset, as: UInt8.self)) << UInt64(offset * 8)
        }
        return word
    }
}
