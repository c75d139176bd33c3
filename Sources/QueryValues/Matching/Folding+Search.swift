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

// Comparing and searching without Swift's grapheme semantics: raw bytes, or folded scalars (S4, S14).

extension Folding {
    package typealias Bytes = UnsafeBufferPointer<UInt8>

    /// True when the texts are equal under the options.
    ///
    /// O(length).
    package static func equal(_ a: String, _ b: String, _ options: StringOptions = []) -> Bool {
        withBytes(a, b) { a, b in
            if options.folding.isEmpty { return a.count == b.count && isPrefix(a, b) }
            return folded(a, b, options) == .same
        }
    }

    /// True when the first text comes before the second under the options.
    ///
    /// O(length).
    package static func precedes(_ a: String, _ b: String, _ options: StringOptions = []) -> Bool {
        order(a, b, options) == .ascending
    }

    /// The order of two texts by their UTF-8 bytes, folded first under the options (S4).
    ///
    /// O(length).
    package static func order(_ a: String, _ b: String, _ options: StringOptions = []) -> QueryOrder {
        withBytes(a, b) { a, b in options.folding.isEmpty ? order(a, b) : folded(a, b, options) }
    }

    /// True when the text begins with another.
    ///
    /// O(length of the prefix).
    package static func hasPrefix(_ text: String, _ prefix: String, _ options: StringOptions = []) -> Bool {
        withBytes(text, prefix) { text, prefix in
            if options.folding.isEmpty { return isPrefix(text, prefix) }
            var rest = FoldedScalars(text, options)
            var wanted = FoldedScalars(prefix, options)
            while let scalar = wanted.next() {
                guard rest.next() == scalar else { return false }
            }
            return true
        }
    }

    /// True when the text ends with another.
    ///
    /// O(length of the suffix) without options or in ASCII, else O(length).
    package static func hasSuffix(_ text: String, _ suffix: String, _ options: StringOptions = []) -> Bool {
        withBytes(text, suffix) { text, suffix in
            if options.folding.isEmpty { return isSuffix(text, suffix) }
            if let answer = isASCIISuffix(text, suffix, options) { return answer }
            return withFolded(text, options) { text in
                withFolded(suffix, options) { isSuffix(text, $0) }
            }
        }
    }

    /// True if another text occurs anywhere in the text; the empty text always does (S12).
    ///
    /// O(length).
    package static func contains(_ text: String, _ needle: String, _ options: StringOptions = []) -> Bool {
        withBytes(text, needle) { text, needle in
            withFolded(needle, options) { needle in
                needle.isEmpty || withFolded(text, options) { offset(of: needle, in: $0, from: 0) != nil }
            }
        }
    }

    @inline(__always)
    private static func withBytes<Result>(_ a: String, _ b: String, _ body: (Bytes, Bytes) -> Result) -> Result {
        a.withUTF8Bytes { a in b.withUTF8Bytes { body(a, $0) } }
    }

    static func isPrefix(_ text: Bytes, _ prefix: Bytes) -> Bool {
        guard let prefixStart = prefix.baseAddress, !prefix.isEmpty else { return true }
        guard let textStart = text.baseAddress, text.count >= prefix.count else { return false }
        return memcmp(textStart, prefixStart, prefix.count) == 0
    }

    private static func isSuffix(_ text: Bytes, _ suffix: Bytes) -> Bool {
        guard text.count >= suffix.count else { return false }
        return isPrefix(Bytes(rebasing: text[(text.count - suffix.count)...]), suffix)
    }

    /// The answer if the ASCII at the end decides it; nil if other scalars occur.
    private static func isASCIISuffix(_ text: Bytes, _ suffix: Bytes, _ options: StringOptions) -> Bool? {
        let foldsCase = options.contains(.caseInsensitive)
        for back in 0..<suffix.count {
            let wanted = suffix[suffix.count - 1 - back]
            if wanted >= 0x80 { return nil }
            guard back < text.count else { return false }
            let byte = text[text.count - 1 - back]
            if byte >= 0x80 { return nil }
            if foldsCase ? lowerASCII(byte) != lowerASCII(wanted) : byte != wanted { return false }
        }
        return true
    }

    static func order(_ a: Bytes, _ b: Bytes) -> QueryOrder {
        if let left = a.baseAddress, let right = b.baseAddress {
            let difference = memcmp(left, right, min(a.count, b.count))
            if difference != 0 { return difference < 0 ? .ascending : .descending }
        }
        return .of(a.count, b.count)
    }

    /// Scalar order, which is the order of the folded UTF-8 bytes.
    private static func folded(_ a: Bytes, _ b: Bytes, _ options: StringOptions) -> QueryOrder {
        var left = FoldedScalars(a, options)
        var right = FoldedScalars(b, options)
        while true {
            switch (left.next(), right.next()) {
            case (nil, nil): return .same
            case (nil, _): return .ascending
            case (_, nil): return .descending
            case (let first?, let second?):
                if first != second { return first < second ? .ascending : .descending }
            }
        }
    }
}

/// The folded scalars of a text, one by one and without a copy.
private struct FoldedScalars {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let options: StringOptions
    private let foldsCase: Bool
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ options: StringOptions) {
        self.bytes = bytes
        self.options = options.folding
        foldsCase = options.contains(.caseInsensitive)
    }

    /// The next scalar; a malformed byte counts as a scalar after all others.
    @inline(__always)
    mutating func next() -> UInt32? {
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x80 {
                position += 1
                return UInt32(foldsCase ? Folding.lowerASCII(byte) : byte)
            }
            guard let (scalar, length) = Folding.decode(bytes, at: position) else {
                position += 1
                return 0x11_0000 + UInt32(byte)
            }
            position += length
            if let folded = Folding.fold(scalar, options) { return folded }
        }
        return nil
    }
}
