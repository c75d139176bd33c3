import QueryValues

// Tests under `[c]`, `[d]` and `[cd]` (S14). The constant is folded once. A row's text is folded only from its first
// non-ASCII byte; before that a byte is its own folded form, or the lower-case letter of it.

extension Text {
    /// The folded text; the bytes are valid only during the closure.
    @inline(__always)
    func withFolded<Result>(_ options: StringOptions, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        Folding.withFolded(bytes, options, body)
    }

    @inline(__always)
    func byte(_ offset: Int) -> UInt8 { start.load(fromByteOffset: offset, as: UInt8.self) }
}

/// A folded constant with its options, for testing a row's text.
struct FoldedNeedle: Sendable {
    let needle: Needle
    let options: StringOptions
    /// 0x20 if `[c]` folds letters, else 0.
    private let caseBit: UInt8

    init(_ text: String, _ options: StringOptions) {
        needle = Needle(Folding.folded(text, options))
        self.options = options.folding
        caseBit = options.contains(.caseInsensitive) ? 0x20 : 0
    }

    @inline(__always)
    func folded(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | caseBit : byte
    }

    /// Compares ASCII bytes from a position of the text with the start of the needle.
    ///
    /// - Returns: true or false as far as ASCII decides; nil when a byte that is not ASCII comes first.
    @inline(__always)
    func prefix(of text: Text) -> Bool? {
        var offset = 0
        while offset < needle.count {
            if offset == text.count { return false }
            let byte = text.byte(offset)
            if byte >= 0x80 { return nil }
            if folded(byte) != needle.start.load(fromByteOffset: offset, as: UInt8.self) { return false }
            offset &+= 1
        }
        return true
    }
}

/// `==[c]`.
struct FoldedSame: TextPredicate {
    let needle: FoldedNeedle

    @inline(__always)
    func passes(_ text: Text) -> Bool {
        if text.isASCII, text.count != needle.needle.count { return false }
        switch needle.prefix(of: text) {
        case false?: return false
        case true? where text.isASCII: return true
        default: return slowly(text)
        }
    }

    @inline(never)
    private func slowly(_ text: Text) -> Bool {
        text.withFolded(needle.options) { $0.count == needle.needle.count && $0.elementsEqual(needle.needle.bytes) }
    }
}

/// `BEGINSWITH[cd]`.
struct FoldedPrefix: TextPredicate {
    let needle: FoldedNeedle

    @inline(__always)
    func passes(_ text: Text) -> Bool { needle.prefix(of: text) ?? slowly(text) }

    @inline(never)
    private func slowly(_ text: Text) -> Bool {
        text.withFolded(needle.options) { $0.starts(with: needle.needle.bytes) }
    }
}

/// Any other test on the folded text.
struct FoldedText<Test: TextPredicate>: TextPredicate {
    let test: Test
    let options: StringOptions

    @inline(__always)
    func passes(_ text: Text) -> Bool {
        text.withFolded(options) { bytes in
            guard let start = bytes.baseAddress else { return test.passes(.empty) }
            return test.passes(Text(start: UnsafeRawPointer(start), count: bytes.count, isASCII: text.isASCII))
        }
    }
}
