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

/// The memory layout of the 16 bytes of a `String`: short text inline, longer text behind an address.
///
/// Reading it directly saves the retain and release around every string of a scan. The layout is not guaranteed by the
/// language, so ``isProven`` compares it once with the library; if it differs, text is read through the library.
package enum TextLayout {
    /// The second word of short text has this bit; the text is then stored in the cell.
    static let short: UInt64 = 1 << 61
    /// The second word of text that the library must decode.
    static let foreign: UInt64 = 1 << 60
    /// Set in the second word of short text that is ASCII.
    static let shortASCII: UInt64 = 1 << 62
    /// Set in the first word of longer text that is ASCII.
    static let longASCII: UInt64 = 1 << 63
    /// Set in the first word of longer text whose bytes follow the object's header.
    static let tailAllocated: UInt64 = 1 << 60
    private static let address: UInt64 = (1 << 60) - 1
    private static let length: UInt64 = (1 << 48) - 1
    private static let header: UInt64 = 32

    /// True if short, long, constant and missing strings are laid out as this file assumes.
    package static let isProven: Bool = {
        guard MemoryLayout<String>.size == 16, MemoryLayout<String?>.size == 16, UInt64(1).littleEndian == 1 else {
            return false
        }
        let long = String(repeating: "long text ", count: 7)
        let samples = [
            "", "a", "fifteen bytes..", "é", "ééééééé", long, long + "é", "a constant of more than fifteen bytes",
        ]
        guard samples.allSatisfy(isAsRead) else { return false }
        let missing: String? = nil
        return withUnsafeBytes(of: missing) { cell in cell.load(fromByteOffset: 8, as: UInt64.self) == 0 }
    }()

    private static func isAsRead(_ text: String) -> Bool {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        return withUnsafeBytes(of: text) { cell in
            guard let base = cell.baseAddress, let found = Text(rawCell: base) else { return false }
            let bytes = UnsafeRawBufferPointer(start: found.start, count: found.count)
            return found.isASCII == isASCII && bytes.elementsEqual(text.utf8)
        }
    }

    @inline(__always)
    static func start(_ second: UInt64) -> UnsafeRawPointer? {
        UnsafeRawPointer(bitPattern: UInt(truncatingIfNeeded: (second & address) &+ header))
    }

    @inline(__always)
    static func count(_ first: UInt64) -> Int { Int(truncatingIfNeeded: first & length) }
}

/// Text in memory owned by something else.
struct Text {
    let start: UnsafeRawPointer
    let count: Int
    /// True if every byte is known to be ASCII.
    let isASCII: Bool

    @inline(__always)
    init(start: UnsafeRawPointer, count: Int, isASCII: Bool) {
        self.start = start
        self.count = count
        self.isASCII = isASCII
    }

    /// The text of a cell as ``TextLayout`` describes it; nil for a missing one, and for one that it cannot read.
    @inline(__always)
    init?(rawCell cell: UnsafeRawPointer) {
        let first = cell.load(as: UInt64.self)
        let second = cell.load(fromByteOffset: 8, as: UInt64.self)
        if second & TextLayout.short != 0 {
            self.init(
                start: cell,
                count: Int(truncatingIfNeeded: second >> 56 & 15),
                isASCII: second & TextLayout.shortASCII != 0
            )
            return
        }
        guard second & TextLayout.foreign == 0, first & TextLayout.tailAllocated != 0, second != 0,
            let start = TextLayout.start(second)
        else { return nil }
        self.init(start: start, count: TextLayout.count(first), isASCII: first & TextLayout.longASCII != 0)
    }

    @inline(__always)
    var bytes: UnsafeBufferPointer<UInt8> {
        // UTF-8 bytes, valid as long as their cell.
        UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// Eight bytes of text that is long enough.
    @inline(__always)
    func word(at offset: Int) -> UInt64 { start.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
}

/// Tests the text of one cell.
protocol TextPredicate: Sendable {
    func passes(_ text: Text) -> Bool
}

/// Passes a cell whose text passes.
struct TextCellTest<Test: TextPredicate>: CellTest {
    let test: Test
    let isOptional: Bool

    @inline(__always)
    func holds(_ cell: UnsafeRawPointer) -> Bool {
        if let text = Text(rawCell: cell) { return test.passes(text) }
        return slowly(cell)
    }

    /// Missing text, and text that only the library can decode.
    @inline(never)
    private func slowly(_ cell: UnsafeRawPointer) -> Bool {
        // The plan chose this test for cells of `String` or `String?`.
        let text: String
        if isOptional {
            guard let found = cell.assumingMemoryBound(to: String?.self).pointee else { return false }
            text = found
        } else {
            text = cell.assumingMemoryBound(to: String.self).pointee
        }
        return text.withUTF8Bytes { bytes in
            guard let start = bytes.baseAddress else { return test.passes(Text.empty) }
            return test.passes(Text(start: UnsafeRawPointer(start), count: bytes.count, isASCII: false))
        }
    }
}

extension Text {
    private static let nothing = Needle([])
    /// Zero bytes at a valid address.
    static var empty: Text { Text(start: nothing.start, count: 0, isASCII: true) }
}

/// Passes a `String?` with a value.
struct TextHereTest: CellTest {
    @inline(__always)
    func holds(_ cell: UnsafeRawPointer) -> Bool {
        // As verified by `TextLayout`: only a missing text has no object; a `String` always has one.
        cell.load(fromByteOffset: 8, as: UInt64.self) != 0
    }
}
