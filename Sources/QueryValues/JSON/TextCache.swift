/// The short texts that a reader read last, to avoid creating repeated texts again.
///
/// It is only a cache, so copies of a reader may share it.
final class TextCache {
    private struct Entry {
        /// The text's bytes, zero-padded; JSON texts contain no zero.
        var low: UInt64 = 0
        var high: UInt64 = 0
        var text = ""
    }

    private static let bits = 9
    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: 1 << Self.bits)
        entries.initialize(repeating: Entry(), count: 1 << Self.bits)
    }

    deinit {
        entries.deinitialize(count: 1 << Self.bits)
        entries.deallocate()
    }

    /// The text of some bytes, which are valid UTF-8 without zeros; 16 bytes may be read at the position.
    @inline(__always)
    func text(_ at: UnsafePointer<UInt8>, _ count: Int) -> String {
        // Longer ones would be stored in separate memory.
        guard count < 16 else { return Self.make(at, count) }
        let raw = UnsafeRawPointer(at)
        let bits = UInt64(truncatingIfNeeded: count) << 3
        let low = raw.loadUnaligned(as: UInt64.self).littleEndian & (bits < 64 ? (1 << bits) &- 1 : .max)
        let high =
            raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
            & (bits <= 64 ? 0 : (1 << (bits &- 64)) &- 1)
        let hash = (low ^ high &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
        // The hash's highest bits are the index, so it is within bounds.
        let entry = entries + Int(hash >> UInt64(64 - Self.bits))
        if entry.pointee.low == low, entry.pointee.high == high { return entry.pointee.text }
        return remember(Entry(low: low, high: high, text: Self.make(at, count)), at: entry)
    }

    @inline(never)
    private func remember(_ text: Entry, at entry: UnsafeMutablePointer<Entry>) -> String {
        entry.pointee = text
        return text.text
    }

    @inline(never)
    private static func make(_ at: UnsafePointer<UInt8>, _ count: Int) -> String {
        String(decoding: UnsafeBufferPointer(start: at, count: count), as: UTF8.self)
    }
}
