#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

// Comparing and searching without Swift's grapheme semantics: bytes as they stand, or folded bytes (S4, S14).

extension Folding {
    /// True when the texts are equal under the options.
    package static func equal(_ a: String, _ b: String, _ options: StringOptions = []) -> Bool {
        if options.folding.isEmpty { return a.hasSameUTF8(as: b) }
        if let result = asciiEqual(a, b, options) { return result }
        return foldedBytes(a, options) == foldedBytes(b, options)
    }

    /// True when the first text comes before the second under the options.
    package static func precedes(_ a: String, _ b: String, _ options: StringOptions = []) -> Bool {
        if options.folding.isEmpty { return a.precedesInUTF8(b) }
        return foldedBytes(a, options).lexicographicallyPrecedes(foldedBytes(b, options))
    }

    /// True when the text begins with another.
    package static func hasPrefix(_ text: String, _ prefix: String, _ options: StringOptions = []) -> Bool {
        compare(text, prefix, options, isPrefix)
    }

    /// True when the text ends with another.
    package static func hasSuffix(_ text: String, _ suffix: String, _ options: StringOptions = []) -> Bool {
        compare(text, suffix, options, isSuffix)
    }

    /// True when another text is anywhere in the text; the empty text is everywhere (S12).
    package static func contains(_ text: String, _ needle: String, _ options: StringOptions = []) -> Bool {
        compare(text, needle, options, isInside)
    }

    private typealias Test = (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool

    private static func compare(_ text: String, _ other: String, _ options: StringOptions, _ test: Test) -> Bool {
        if options.folding.isEmpty {
            return text.withUTF8Bytes { text in other.withUTF8Bytes { test(text, $0) } }
        }
        return foldedBytes(text, options).withUnsafeBufferPointer { text in
            foldedBytes(other, options).withUnsafeBufferPointer { test(text, $0) }
        }
    }

    private static func isPrefix(_ text: UnsafeBufferPointer<UInt8>, _ prefix: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let prefixStart = prefix.baseAddress, !prefix.isEmpty else { return true }
        guard let textStart = text.baseAddress, text.count >= prefix.count else { return false }
        return memcmp(textStart, prefixStart, prefix.count) == 0
    }

    private static func isSuffix(_ text: UnsafeBufferPointer<UInt8>, _ suffix: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= suffix.count else { return false }
        return isPrefix(UnsafeBufferPointer(rebasing: text[(text.count - suffix.count)...]), suffix)
    }

    private static func isInside(_ text: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let needleStart = needle.baseAddress, !needle.isEmpty else { return true }
        guard let textStart = text.baseAddress, text.count >= needle.count else { return false }
        // memmem is no part of the C library's Swift interface; memchr finds candidates at nearly its speed.
        var position = UnsafePointer(textStart)
        let last = textStart + (text.count - needle.count)
        while position <= last,
            let found = memchr(position, Int32(needle[0]), last - position + 1)?.assumingMemoryBound(to: UInt8.self)
        {
            if memcmp(found, needleStart, needle.count) == 0 { return true }
            position = UnsafePointer(found) + 1
        }
        return false
    }

    /// The answer for two ASCII texts, or nil when one is not ASCII.
    private static func asciiEqual(_ a: String, _ b: String, _ options: StringOptions) -> Bool? {
        a.withUTF8Bytes { a in
            b.withUTF8Bytes { b in
                let foldsCase = options.contains(.caseInsensitive)
                for position in 0..<min(a.count, b.count) {
                    let left = a[position]
                    let right = b[position]
                    if (left | right) & 0x80 != 0 { return nil }
                    let same = foldsCase ? lowerASCII(left) == lowerASCII(right) : left == right
                    if !same { return a.allSatisfy { $0 < 0x80 } && b.allSatisfy { $0 < 0x80 } ? false : nil }
                }
                let longer = a.count > b.count ? a : b
                if longer[min(a.count, b.count)...].contains(where: { $0 >= 0x80 }) { return nil }
                return a.count == b.count
            }
        }
    }
}
