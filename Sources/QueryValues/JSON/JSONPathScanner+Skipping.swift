// Values that no path needs are validated and skipped. Functions that need no state of the scanner are static, so that
// it is never copied.

extension JSONPathScanner {
    @inline(__always)
    func skipSpace(_ at: inout Position) {
        // Most texts have no white space, or single spaces.
        if at.pointee > 0x20 { return }
        if at.pointee == 0x20 { at += 1 }
        if at.pointee <= 0x20 { Self.skipMoreSpace(&at, isLine) }
    }

    @inline(never)
    private static func skipMoreSpace(_ at: inout Position, _ isLine: Bool) {
        while true {
            let byte = at.pointee
            guard byte == 0x20 || byte == 0x09 || byte == 0x0D || (byte == 0x0A && !isLine) else { return }
            at += 1
        }
    }

    /// Skips a value below a key, or in a list there.
    @inline(__always)
    mutating func skipValue(_ at: Position, under node: Int32, depth: Int) -> Position? {
        switch at.pointee {
        case UInt8(ascii: "\""): skipString(at + 1)
        case UInt8(ascii: "{"): skipObject(at, under: node, depth: depth + 1)
        case UInt8(ascii: "["): skipList(at + 1, under: node, depth: depth + 1)
        case UInt8(ascii: "t"): skipWord(at, "true")
        case UInt8(ascii: "f"): skipWord(at, "false")
        case UInt8(ascii: "n"): skipWord(at, "null")
        default: skipNumber(at)
        }
    }

    /// Skips an object; its keys are still tracked, because duplicates are an error.
    private mutating func skipObject(_ opening: Position, under outer: Int32, depth: Int) -> Position? {
        guard depth <= depthLimit else { return nil }
        if isExtended, startsWithDollar(opening + 1) { return read(opening, depth: depth - 1)?.1 }
        var at = opening + 1
        var node = innerRoot(of: outer)
        skipSpace(&at)
        if at.pointee == UInt8(ascii: "}") { return at + 1 }
        while true {
            guard let start = key(at, &node, place: -1), let next = skipValue(start, under: node, depth: depth) else {
                return nil
            }
            at = next
            skipSpace(&at)
            let byte = at.pointee
            at += 1
            if byte == UInt8(ascii: "}") { return at }
            guard byte == UInt8(ascii: ",") else { return nil }
            skipSpace(&at)
        }
    }

    private mutating func skipList(_ start: Position, under node: Int32, depth: Int) -> Position? {
        guard depth <= depthLimit else { return nil }
        var at = start
        skipSpace(&at)
        if at.pointee == UInt8(ascii: "]") { return at + 1 }
        while true {
            guard let next = skipValue(at, under: node, depth: depth) else { return nil }
            at = next
            skipSpace(&at)
            let byte = at.pointee
            at += 1
            if byte == UInt8(ascii: "]") { return at }
            guard byte == UInt8(ascii: ",") else { return nil }
            skipSpace(&at)
        }
    }

    @inline(__always)
    func skipWord(_ at: Position, _ word: StaticString) -> Position? {
        // The terminator differs from every letter, so the comparison stops there.
        for offset in 0..<word.utf8CodeUnitCount where at[offset] != word.utf8Start[offset] { return nil }
        return at + word.utf8CodeUnitCount
    }

    /// Skips a number; if it has many digits or an exponent, the reader decides whether it is valid.
    @inline(__always)
    mutating func skipNumber(_ start: Position) -> Position? {
        var at = start
        if at.pointee == UInt8(ascii: "-") { at += 1 }
        let count = Self.digits(at)
        guard count > 0 else { return nil }
        guard count < 8, at.pointee != UInt8(ascii: "0") || count == 1 else { return skipLongNumber(start) }
        at += count
        if at.pointee == UInt8(ascii: ".") {
            let fraction = Self.digits(at + 1)
            guard fraction > 0, fraction < 8 else { return skipLongNumber(start) }
            at += fraction + 1
        }
        return at.pointee | 0x20 == UInt8(ascii: "e") ? skipLongNumber(start) : at
    }

    @inline(never)
    private mutating func skipLongNumber(_ start: Position) -> Position? { read(start, depth: 0)?.1 }

    /// The number of digits from here on; 8 for 8 or more.
    @inline(__always)
    private static func digits(_ at: Position) -> Int {
        let word = UnsafeRawPointer(at).loadUnaligned(as: UInt64.self).littleEndian
        // A digit becomes 0 to 9, and adding 0x76 to it does not reach the high bit. The lowest mark is exact.
        let values = word ^ 0x3030_3030_3030_3030
        let others = ((values &+ 0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
        return others.trailingZeroBitCount >> 3
    }

    /// Skips a string after its opening quote, or gives up at the first escape.
    @inline(__always)
    func skipString(_ start: Position, allowsEscapes: Bool = true) -> Position? {
        var at = start
        var seen: UInt64 = 0
        while true {
            let low = UnsafeRawPointer(at).loadUnaligned(as: UInt64.self).littleEndian
            let high = UnsafeRawPointer(at).loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
            let (first, second) = (Self.stops(low), Self.stops(high))
            if first | second != 0 {
                // The lowest mark is exact; those above it may be carries.
                let isFirst = first != 0
                let bits = UInt64(truncatingIfNeeded: (isFirst ? first : second).trailingZeroBitCount & ~7)
                seen |= (isFirst ? low : high) & ((1 << bits) &- 1) | (isFirst ? 0 : low)
                at += Int(bits >> 3) + (isFirst ? 0 : 8)
                break
            }
            seen |= low | high
            at += 16
        }
        if at.pointee == UInt8(ascii: "\"") {
            return seen & 0x8080_8080_8080_8080 == 0 || Self.isUTF8(start, at) ? at + 1 : nil
        }
        guard allowsEscapes, at.pointee == UInt8(ascii: "\\") else { return nil }
        return Self.skipEscapedString(start, at)
    }

    /// Marks the bytes that end a plain run: quotes, backslashes and control characters.
    @inline(__always)
    private static func stops(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* 0x22)
        let slashes = word ^ (ones &* 0x5C)
        let controls = (word &- ones &* 0x20) & ~word
        return (controls | ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)) & (ones &* 0x80)
    }

    /// Continues at the first escape of a string.
    @inline(never)
    private static func skipEscapedString(_ start: Position, _ first: Position) -> Position? {
        var at = first
        while true {
            switch at.pointee {
            case UInt8(ascii: "\""): return isUTF8(start, at) ? at + 1 : nil
            case UInt8(ascii: "\\"):
                guard let next = skipEscape(at) else { return nil }
                at = next
            case 0..<0x20: return nil
            default: at += 1
            }
        }
    }

    private static func skipEscape(_ at: Position) -> Position? {
        switch at[1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return at + 2
        case UInt8(ascii: "u"):
            guard let code = hex4(at + 2) else { return nil }
            guard code & 0xF800 == 0xD800 else { return at + 6 }
            // Surrogates must come in pairs, high before low.
            guard code & 0xFC00 == 0xD800, at[6] == UInt8(ascii: "\\"), at[7] == UInt8(ascii: "u"),
                let low = hex4(at + 8), low & 0xFC00 == 0xDC00
            else { return nil }
            return at + 12
        default: return nil
        }
    }

    private static func hex4(_ at: Position) -> UInt32? {
        var code: UInt32 = 0
        for offset in 0..<4 {
            guard let digit = Hex.value(of: at[offset]) else { return nil }
            code = code << 4 | UInt32(digit)
        }
        return code
    }

    /// True if the bytes are well-formed UTF-8; the byte at `end` continues no sequence.
    @inline(never)
    private static func isUTF8(_ start: Position, _ end: Position) -> Bool {
        var at = start
        while at < end {
            let word = UnsafeRawPointer(at).loadUnaligned(as: UInt64.self).littleEndian & 0x8080_8080_8080_8080
            at += word.trailingZeroBitCount >> 3
            if word == 0 || at >= end { continue }
            let lead = at.pointee
            // The bounds of the second byte rule out overlong forms, surrogates and scalars above U+10FFFF.
            let (count, low, high): (Int, UInt8, UInt8)
            switch lead {
            case 0xC2...0xDF: (count, low, high) = (2, 0x80, 0xBF)
            case 0xE0: (count, low, high) = (3, 0xA0, 0xBF)
            case 0xED: (count, low, high) = (3, 0x80, 0x9F)
            case 0xE1...0xEF: (count, low, high) = (3, 0x80, 0xBF)
            case 0xF0: (count, low, high) = (4, 0x90, 0xBF)
            case 0xF1...0xF3: (count, low, high) = (4, 0x80, 0xBF)
            case 0xF4: (count, low, high) = (4, 0x80, 0x8F)
            default: return false
            }
            guard low <= at[1], at[1] <= high else { return false }
            for offset in 2..<max(count, 2) where at[offset] & 0xC0 != 0x80 { return false }
            at += count
        }
        return true
    }
}
