/// The places of two bytes among others, one after the other, found sixteen bytes at a time.
struct ByteMarks {
    private typealias Bytes = SIMD16<UInt8>

    private let bytes: UnsafeBufferPointer<UInt8>
    private let (first, second): (UInt8, UInt8)
    /// The sixteen bytes that were looked at last, and the high bits of those found there, eight in a word.
    private var block: Int
    private var (low, high): (UInt64, UInt64) = (0, 0)
    /// What is looked at next.
    private var at: Int

    init(_ first: UInt8, _ second: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
        (self.bytes, self.first, self.second, block, at) = (bytes, first, second, start, start)
    }

    /// The next place, or nil.
    @inline(__always)
    mutating func next() -> Int? {
        while low | high == 0 {
            guard at &+ 16 <= bytes.count else { return nextOfFew() }
            look()
        }
        if low != 0 {
            defer { low &= low &- 1 }
            return block &+ low.trailingZeroBitCount >> 3
        }
        defer { high &= high &- 1 }
        return block &+ 8 &+ high.trailingZeroBitCount >> 3
    }

    @inline(__always)
    private mutating func look() {
        let raw = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: at, as: Bytes.self)
        let found = Self.zeros(raw ^ Bytes(repeating: first)) | Self.zeros(raw ^ Bytes(repeating: second))
        let words = unsafeBitCast(found, to: SIMD2<UInt64>.self)
        (block, low, high) = (at, words[0].littleEndian, words[1].littleEndian)
        at &+= 16
    }

    /// The high bit of each byte that is zero; arithmetic, because comparisons of vectors are not compiled to vector code.
    @inline(__always)
    private static func zeros(_ bytes: Bytes) -> Bytes {
        (bytes &- Bytes(repeating: 1)) & ~bytes & Bytes(repeating: 0x80)
    }

    /// The last bytes, one by one.
    private mutating func nextOfFew() -> Int? {
        while at < bytes.count {
            defer { at += 1 }
            if bytes[at] == first || bytes[at] == second { return at }
        }
        return nil
    }
}
