import QueryChecking
import QueryTree
import QueryValues

/// Splits a text into tokens, one at a time; never fails, because unrecognized text becomes `.invalid`.
///
/// Works on the bytes in place, without allocation.
struct Lexer {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    private let vocabulary = Vocabulary.shared

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The byte at an offset, 0 beyond the end.
    @inline(__always)
    func byte(at index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

    @inline(__always)
    func isClass(_ byte: UInt8, _ classes: Vocabulary.ByteClass) -> Bool {
        vocabulary.classes[Int(byte)] & classes.rawValue != 0
    }

    /// The next byte other than white space, 0 at the end.
    func byteAhead() -> UInt8 { byte(at: skippingSpace(from: position)) }

    func skippingSpace(from start: Int) -> Int {
        var index = start
        while index < bytes.count, isClass(bytes[index], .space) { index &+= 1 }
        return index
    }

    /// The next token.
    mutating func next() -> Token {
        position = skippingSpace(from: position)
        let start = position
        guard start < bytes.count else { return Token(kind: .end, start: start, end: start) }
        let first = bytes[start]
        if isClass(first, .letter) { return word(from: start) }
        if isClass(first, .digit) { return number(from: start) }
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return string(from: start, quote: first)
        case UInt8(ascii: "%"): return specifier(from: start)
        case UInt8(ascii: "$"): return prefixed(from: start, .variable, .variableName)
        case UInt8(ascii: "@"): return prefixed(from: start, .aggregate, .aggregateName)
        case UInt8(ascii: "#"): return prefixed(from: start, .escapedWord, .escapedName)
        case UInt8(ascii: "."):
            if isClass(byte(at: start + 1), .digit), !followsOperand(start) { return number(from: start) }
        case UInt8(ascii: "\\"), 0x80...:
            if wordLength(from: start) > 0 { return word(from: start) }
        default: break
        }
        if let (kind, length) = vocabulary.sign(first, byte(at: start + 1)) {
            position = start + length
            return Token(kind: kind, start: start, end: position)
        }
        return fault(.character, start..<(start + scalarLength(at: start)))
    }

    /// `.5` is a number, but in `a.5` or `a[0].5` the point separates a value from an invalid key.
    private func followsOperand(_ point: Int) -> Bool {
        guard point > 0 else { return false }
        let before = bytes[point - 1]
        return isClass(before, [.letter, .digit]) || before >= 0x80 || before == UInt8(ascii: ")")
            || before == UInt8(ascii: "]") || before == UInt8(ascii: "}") || before == UInt8(ascii: ".")
    }

    mutating func fault(_ fault: LexicalFault, _ range: Range<Int>) -> Token {
        position = max(range.upperBound, range.lowerBound + 1)
        return Token(kind: .invalid, start: range.lowerBound, end: range.upperBound, value: fault.rawValue)
    }

    /// `$name`, `@name`, `#name`: a sign directly followed by a word.
    private mutating func prefixed(from start: Int, _ kind: Token.Kind, _ fault: LexicalFault) -> Token {
        let length = wordLength(from: start + 1)
        guard length > 0 else { return self.fault(fault, start..<(start + 1)) }
        position = start + 1 + length
        return Token(kind: kind, start: start, end: position)
    }
}

// MARK: - Words

extension Lexer {
    /// A word: a keyword, a key, or a function's name with its colons.
    private mutating func word(from start: Int) -> Token {
        let end = start + wordLength(from: start)
        position = end
        if byte(at: end) == UInt8(ascii: ":"), byte(at: end + 1) != UInt8(ascii: "=") { return selector(from: start) }
        return Token(kind: vocabulary.keyword(bytes, start..<end), start: start, end: end)
    }

    /// `word:` or `word:word:`; a function's name if a parenthesis follows.
    private mutating func selector(from start: Int) -> Token {
        var end = position + 1
        while true {
            let length = wordLength(from: end)
            guard length > 0 else { break }
            guard byte(at: end + length) == UInt8(ascii: ":") else {
                // `modulus:by(`: a part without its colon belongs to the name, so that the message can say so.
                if byte(at: end + length) == UInt8(ascii: "(") { end += length }
                break
            }
            end += length + 1
        }
        position = end
        let isName = byteAhead() == UInt8(ascii: "(")
        return Token(kind: isName ? .functionName : .selector, start: start, end: end)
    }

    /// The length of the word that starts here, 0 for none.
    func wordLength(from start: Int) -> Int {
        var end = start
        while end < bytes.count {
            let byte = bytes[end]
            if isClass(byte, .letter) || (end > start && isClass(byte, .digit)) {
                end &+= 1
            } else if byte == UInt8(ascii: "\\") {
                let length = keyEscapeLength(at: end)
                guard length > 0 else { break }
                end += length
            } else if byte >= 0x80, let (scalar, length) = scalar(at: end),
                end > start ? KeyText.canContinue(scalar) : KeyText.canStart(scalar)
            {
                end += length
            } else {
                break
            }
        }
        return end - start
    }

    /// The length of `\ooo`, `\xHH` or `\uHHHH`, 0 for anything else.
    private func keyEscapeLength(at start: Int) -> Int {
        let kind = byte(at: start + 1)
        switch kind {
        case UInt8(ascii: "x"), UInt8(ascii: "X"): return hasDigits(2, from: start + 2, radix: 16) ? 4 : 0
        case UInt8(ascii: "u"), UInt8(ascii: "U"): return hasDigits(4, from: start + 2, radix: 16) ? 6 : 0
        default: return kind <= UInt8(ascii: "3") && hasDigits(3, from: start + 1, radix: 8) ? 4 : 0
        }
    }

    func hasDigits(_ count: Int, from start: Int, radix: UInt64) -> Bool {
        for index in start..<(start + count) where digit(byte(at: index), radix: radix) == nil { return false }
        return true
    }

    func digit(_ byte: UInt8, radix: UInt64) -> UInt64? {
        let value: UInt64
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt64(byte &- UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): value = UInt64(byte &- UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): value = UInt64(byte &- UInt8(ascii: "A")) + 10
        default: return nil
        }
        return value < radix ? value : nil
    }

    /// The character at a place and its length in bytes.
    func scalar(at index: Int) -> (Unicode.Scalar, Int)? {
        guard index < bytes.count else { return nil }
        var decoder = UTF8()
        var rest = bytes[index..<min(index + 4, bytes.count)].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
        return (scalar, UTF8.width(scalar))
    }

    func scalarLength(at index: Int) -> Int { scalar(at: index)?.1 ?? 1 }
}

// MARK: - Texts and placeholders

extension Lexer {
    /// A quoted text.
    private mutating func string(from start: Int, quote: UInt8) -> Token {
        var index = start + 1
        var hasEscapes: UInt64 = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == quote {
                position = index + 1
                return Token(kind: .string, start: start, end: position, value: hasEscapes)
            }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = 1
                index &+= 1
            }
            index &+= 1
        }
        return fault(.unclosedString, start..<bytes.count)
    }

    /// `%@`, `%2$@`, `%ld`.
    private mutating func specifier(from start: Int) -> Token {
        var index = start + 1
        var position: Int?
        while isClass(byte(at: index), .digit) { index += 1 }
        if index > start + 1 {
            guard byte(at: index) == UInt8(ascii: "$") else { return fault(.specifier, start..<index) }
            position = number(start + 1..<index, upTo: Specifier.mostPosition)
            index += 1
        }
        let length = index..<index + lengthLetters(at: index)
        index = length.upperBound
        let conversion = byte(at: index)
        guard Self.conversions.contains(conversion), takes(length, conversion) else {
            return fault(.specifier, start..<min(index + scalarLength(at: index), bytes.count))
        }
        self.position = index + 1
        let packed = Specifier(conversion: conversion, position: position).packed
        return Token(kind: .specifier, start: start, end: index + 1, value: packed)
    }

    private func number(_ range: Range<Int>, upTo most: Int) -> Int {
        range.reduce(0) { min($0 * 10 + Int(bytes[$1] &- UInt8(ascii: "0")), most) }
    }

    private func lengthLetters(at index: Int) -> Int {
        switch byte(at: index) {
        case UInt8(ascii: "h"), UInt8(ascii: "l"): byte(at: index + 1) == byte(at: index) ? 2 : 1
        case UInt8(ascii: "q"), UInt8(ascii: "z"), UInt8(ascii: "t"), UInt8(ascii: "j"), UInt8(ascii: "L"): 1
        default: 0
        }
    }

    /// True for a length modifier that printf allows with the letter: `%lld`, `%lf`, `%Lg`, but not `%Ld` or `%hf`.
    private func takes(_ length: Range<Int>, _ conversion: UInt8) -> Bool {
        if length.isEmpty { return true }
        let isDouble = length.count == 1 && (bytes[length.lowerBound] | 0x20) == UInt8(ascii: "l")
        if Self.floats.contains(conversion) { return isDouble }
        return Self.integers.contains(conversion) && bytes[length.lowerBound] != UInt8(ascii: "L")
    }

    /// Letters of whole numbers.
    static let integers = Array("dDiouxXOU".utf8)
    /// Letters of doubles.
    static let floats = Array("eEfFgGaA".utf8)
    private static let conversions = Array("@KcCs".utf8) + integers + floats
}
