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

extension Folding {
    /// The position where a needle first occurs at or after a position; an empty one occurs there.
    ///
    /// O(text + needle).
    ///
    /// `memmem` is not part of the C library's Swift interface; `memchr` finds candidates at nearly its speed. Texts
    /// with many false candidates are searched without backtracking.
    package static func offset(of needle: Bytes, in text: Bytes, from start: Int) -> Int? {
        guard let needleStart = needle.baseAddress, let first = needle.first, let last = needle.last else {
            return start
        }
        guard let textStart = text.baseAddress else { return nil }
        var position = start
        var patience = 4 &* text.count &+ 1_024
        while text.count - position >= needle.count {
            let candidates = text.count - position - needle.count + 1
            guard let found = memchr(textStart + position, Int32(first), candidates) else { return nil }
            position = UnsafeRawPointer(found) - UnsafeRawPointer(textStart)
            if text[position + needle.count - 1] == last {
                if memcmp(textStart + position, needleStart, needle.count) == 0 { return position }
                patience -= needle.count
                if patience < 0 { return offsetWithoutReturning(of: needle, in: text, from: position + 1) }
            }
            position += 1
        }
        return nil
    }

    /// Knuth, Morris and Pratt's search: each byte of the text is read once.
    private static func offsetWithoutReturning(of needle: Bytes, in text: Bytes, from start: Int) -> Int? {
        let borders = borders(of: needle)
        var matched = 0
        for position in start..<max(start, text.count) {
            while matched > 0, needle[matched] != text[position] { matched = borders[matched - 1] }
            if needle[matched] == text[position] { matched += 1 }
            if matched == needle.count { return position + 1 - needle.count }
        }
        return nil
    }

    /// For every prefix, the length of its longest proper prefix that is also a suffix.
    private static func borders(of needle: Bytes) -> [Int] {
        var borders = [Int](repeating: 0, count: needle.count)
        var length = 0
        for position in 1..<max(1, needle.count) {
            while length > 0, needle[length] != needle[position] { length = borders[length - 1] }
            if needle[length] == needle[position] { length += 1 }
            borders[position] = length
        }
        return borders
    }
}
