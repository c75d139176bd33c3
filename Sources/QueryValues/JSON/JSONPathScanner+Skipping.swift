import CByteMasks

// Values that no path needs are validated and skipped. Functions that need no state of the scanner are static, so that
// it is never copied.

extension JSONPathScanner {
    @inline(__always)
    func skipSpace(_ at: inout Position) {
        // Most texts have no white space, or single spaces.
        if at.pointee > 0x20 { return }
        if at.pointee == 0x20 { at += 1 }
        if at.pointee <= 0x20 { at = Self.endOfSpace(at, isLine) }
    }

    /// The position is no `inout` argument, here and in other functions that are rarely called: it would be in memory.
    @inline(never)
    private static func endOfSpace(_ start: Position, _ isLine: Bool) -> Position {
        var at = start
        while true {
            let byte = at.pointee
            guard byte == 0x20 || byte == 0x09 || byte == 0x0D || (byte == 0x0A && !isLine) else { return at }
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
        var at = opening
        var node = innerRoot(of: outer)
        // Keys with a dollar sign have no lead.
        if isExtended, !keys.begins(at, keys.recentChild(of: node)), startsWithDollar(at + 1) {
            return read(opening, depth: depth - 1)?.1
        }
        while let isLast = isLastMember(&at, &node, place: -1) {
            if isLast { return at }
            guard let next = skipValue(at, under: node, depth: depth) else { return nil }
            at = next
        }
        return nil
    }

    private mutating func skipList(_ start: Position, under node: Int32, depth: Int) -> Position? {
        guard depth <= depthLimit else { return nil }
        var at = start
        var isDone = isEmpty(&at)
        while !isDone {
            guard let next = skipValue(at, under: node, depth: depth) else { return nil }
            at = next
            guard let isLast = isLast(&at) else { return nil }
            isDone = isLast
        }
        return at
    }

    @inline(__always)
    func skipWord(_ at: Position, _ word: StaticString) -> Position? {
        // The terminator differs from every letter, so the comparison stops there.
        for offset in 0..<word.utf8CodeUnitCount where at[offset] != word.utf8Start[offset] { return nil }
        return at + word.utf8CodeUnitCount
    }

    /// Skips a number; with an exponent, or many digits before the point, the reader decides whether it is valid.
    @inline(__always)
    mutating func skipNumber(_ start: Position) -> Position? {
        let digits = start + (start.pointee == UInt8(ascii: "-") ? 1 : 0)
        let others = pql_not_digits16(digits)
        let (count, end) = (others.trailingZeroBitCount, (others & (others &- 1)).trailingZeroBitCount)
        guard count > 0, count < 16, digits.pointee != UInt8(ascii: "0") || count == 1 else {
            return skipLongNumber(start)
        }
        var at = digits + count
        if at.pointee == UInt8(ascii: ".") {
            guard end < 16, end > count + 1 else { return skipLongNumber(start) }
            at = digits + end
        }
        return at.pointee | 0x20 == UInt8(ascii: "e") ? skipLongNumber(start) : at
    }

    /// The high bits of those of eight bytes that are not digits.
    @inline(__always)
    private static func notDigits(_ at: Position) -> UInt64 {
        let bytes = UnsafeRawPointer(at).loadUnaligned(as: UInt64.self).littleEndian
        // A digit becomes 0 to 9, and adding 0x76 to it does not reach the high bit.
        let values = bytes ^ 0x3030_3030_3030_3030
        return ((values & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676 | values) & 0x8080_8080_8080_8080
    }

    /// Any number without an exponent is a double if it has a fraction, and an int if it has at most 18 digits.
    @inline(never)
    private mutating func skipLongNumber(_ start: Position) -> Position? {
        var at = start
        if at.pointee == UInt8(ascii: "-") { at += 1 }
        let count = Self.skipDigits(&at)
        guard count > 0 else { return nil }
        if count <= 18, start[at - start - count] != UInt8(ascii: "0") || count == 1 {
            let isWhole = at.pointee != UInt8(ascii: ".")
            if !isWhole { at += 1 }
            if isWhole || Self.skipDigits(&at) > 0, at.pointee | 0x20 != UInt8(ascii: "e") { return at }
        }
        return read(start, depth: 0)?.1
    }

    private static func skipDigits(_ at: inout Position) -> Int {
        let start = at
        while true {
            let others = notDigits(at)
            if others != 0 {
                at += others.trailingZeroBitCount >> 3
                return at - start
            }
            at += 8
        }
    }

    /// Skips a string after its opening quote, or gives up at the first escape.
    @inline(__always)
    func skipString(_ start: Position, allowsEscapes: Bool = true) -> Position? {
        let end = Self.plainEnd(start)
        return end.pointee == UInt8(ascii: "\"") ? end + 1 : Self.skipOtherString(end, allowsEscapes)
    }

    /// The next quote, backslash, control character or byte of a character beyond ASCII.
    @inline(__always)
    private static func plainEnd(_ start: Position) -> Position {
        var at = start
        while true {
            let stops = pql_string_stops16(at)
            if stops != 0 { return at + stops.trailingZeroBitCount }
            at += 16
        }
    }

    /// Continues a string at an escape, or a character beyond ASCII.
    @inline(never)
    private static func skipOtherString(_ first: Position, _ allowsEscapes: Bool) -> Position? {
        var at = first
        while true {
            switch at.pointee {
            case UInt8(ascii: "\""): return at + 1
            case UInt8(ascii: "\\"):
                guard allowsEscapes, let next = skipEscape(at) else { return nil }
                at = next
            case 0..<0x20: return nil
            case 0x20..<0x80: at = plainEnd(at + 1)
            default:
                guard let next = skipCharacter(at) else { return nil }
                at = next
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

    /// Skips a character beyond ASCII if it is well-formed UTF-8.
    @inline(__always)
    private static func skipCharacter(_ at: Position) -> Position? {
        // The bounds of the second byte rule out overlong forms, surrogates and scalars above U+10FFFF.
        let (count, low, high): (Int, UInt8, UInt8)
        switch at.pointee {
        case 0xC2...0xDF: (count, low, high) = (2, 0x80, 0xBF)
        case 0xE0: (count, low, high) = (3, 0xA0, 0xBF)
        case 0xED: (count, low, high) = (3, 0x80, 0x9F)
        case 0xE1...0xEF: (count, low, high) = (3, 0x80, 0xBF)
        case 0xF0: (count, low, high) = (4, 0x90, 0xBF)
        case 0xF1...0xF3: (count, low, high) = (4, 0x80, 0xBF)
        case 0xF4: (count, low, high) = (4, 0x80, 0x8F)
        default: return nil
        }
        guard low <= at[1], at[1] <= high else { return nil }
        for offset in 2..<max(count, 2) where at[offset] & 0xC0 != 0x80 { return nil }
        return at + count
    }
}
