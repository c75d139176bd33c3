extension JSONScanner {
    /// The grammar: `string = '"' { character | escape } '"'`; the opening quote is already read.
    mutating func string() throws(JSONFault) -> String {
        let start = index
        var seen: UInt8 = 0
        plainRun(&seen)
        guard byte == UInt8(ascii: "\"") else { return try stringWithEscapes(from: start) }
        let run = UnsafeBufferPointer(rebasing: bytes[start..<index])
        guard seen >= 0x80 else {
            index &+= 1
            return String(decoding: run, as: UTF8.self)
        }
        guard let text = String(validating: run, as: UTF8.self) else { throw invalidUTF8(from: start) }
        index &+= 1
        return text
    }

    /// Moves to the next quote, backslash or control character, or the end; `seen` collects the bits of all bytes.
    @inline(__always)
    private mutating func plainRun(_ seen: inout UInt8) {
        var at = index
        var bits: UInt64 = 0
        let raw = UnsafeRawBufferPointer(bytes)
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while at &+ 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            let quotes = word ^ (ones &* 0x22)
            let slashes = word ^ (ones &* 0x5C)
            let stops =
                ((word &- ones &* 0x20) & ~word) | ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
            if stops & highs != 0 { break }
            bits |= word
            at &+= 8
        }
        seen = bits & highs == 0 ? 0 : 0x80
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            seen |= byte
            at &+= 1
        }
        index = at
    }

    private mutating func stringWithEscapes(from start: Int) throws(JSONFault) -> String {
        var text = Array(bytes[start..<index])
        var seen: UInt8 = 0
        while true {
            guard index < bytes.count else {
                throw JSONFault(message: "the string is not closed", range: (start - 1)..<bytes.count)
            }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw invalidUTF8(from: start) }
                index &+= 1
                return string
            case UInt8(ascii: "\\"):
                try escape(into: &text)
            case 0..<0x20:
                throw JSONFault(
                    message: "a control character in a string must be written as an escape",
                    range: index..<(index + 1)
                )
            default:
                let run = index
                plainRun(&seen)
                text.append(contentsOf: bytes[run..<index])
            }
        }
    }

    /// The grammar: `escape = "\" ( '"' | "\" | "/" | "b" | "f" | "n" | "r" | "t" | "u" hex hex hex hex )`.
    private mutating func escape(into text: inout [UInt8]) throws(JSONFault) {
        let start = index
        index &+= 1
        let letter = byte
        index &+= 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): try unicodeEscape(from: start, into: &text)
        default:
            throw JSONFault(
                message: "a backslash must come before one of \" \\ / b f n r t u",
                range: start..<min(index, bytes.count)
            )
        }
    }

    private mutating func unicodeEscape(from start: Int, into text: inout [UInt8]) throws(JSONFault) {
        var code = try hex4(from: start)
        if code & 0xFC00 == 0xD800, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        {
            let second = index
            index += 2
            let low = try hex4(from: second)
            if low & 0xFC00 == 0xDC00 { code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF) }
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw JSONFault(message: "a surrogate must be in a pair, high before low", range: start..<index)
        }
        text.append(contentsOf: Array(String(Character(scalar)).utf8))
    }

    private mutating func hex4(from start: Int) throws(JSONFault) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Hex.value(of: byte) else {
                throw JSONFault(message: "expected four hex digits after `\\u`", range: start..<index)
            }
            code = code << 4 | UInt32(digit)
            index &+= 1
        }
        return code
    }

    /// A fault at the first malformed UTF-8 sequence between `start` and the index.
    private func invalidUTF8(from start: Int) -> JSONFault {
        var at = start
        while at < index {
            // The longest sequence is four bytes; a lead byte whose sequence does not decode is the culprit.
            let lead = bytes[at]
            let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
            let end = min(at + length, index)
            if String(validating: UnsafeBufferPointer(rebasing: bytes[at..<end]), as: UTF8.self) == nil { break }
            at = end
        }
        return JSONFault(message: QueryError.textIsNoUTF8, range: at..<min(at + 1, bytes.count))
    }
}

/// Hex digits.
package enum Hex {
    /// The value of a hex digit in either case, or nil.
    @inlinable
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Two lower-case digits per byte.
    package static func append(_ bytes: some Sequence<UInt8>, to out: inout [UInt8]) {
        for byte in bytes {
            out.append(digit(byte >> 4))
            out.append(digit(byte & 15))
        }
    }

    @inlinable
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
