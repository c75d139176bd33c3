/// JSON objects that are not one to a line, as lines of JSON: over several lines, or several on one.
///
/// Only brackets and quotes are examined here; the reader of the lines checks the rest.
package struct ValueLines: Sendable {
    /// The lines of the file on which the objects begin, from 1; the last may be one that is still to come.
    private var starts: [Int32] = []
    private var line: Int32 = 1
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    /// True after the first byte of an object, until its line's end is written.
    private var isOpen = false

    package init() {}

    /// Appends some bytes of the file, rearranged.
    ///
    /// - Parameters:
    ///   - bytes: those that follow the last ones.
    ///   - text: gets each object on a line of its own; a line break in a text stays malformed.
    /// - Complexity: linear in the bytes.
    package mutating func convert(_ bytes: [UInt8], into text: inout [UInt8]) {
        for byte in bytes {
            let isBreak = byte == 0x0A
            if isBreak { line &+= 1 }
            if isInText {
                text.append(isBreak ? 0x01 : byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                } else {
                    isEscaped = byte == UInt8(ascii: "\\")
                }
                continue
            }
            if isBreak || byte == 0x0D || byte == 0x20 || byte == 0x09 {
                // Space ends what stands outside of brackets, and means nothing inside of them.
                if depth > 0 { text.append(0x20) } else { end(&text) }
                continue
            }
            if !isOpen {
                isOpen = true
                starts.append(line)
            }
            text.append(byte)
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth <= 0 { end(&text) }
            default: break
            }
        }
    }

    private mutating func end(_ text: inout [UInt8]) {
        depth = 0
        guard isOpen else { return }
        isOpen = false
        text.append(0x0A)
    }

    /// The line of the file on which an object begins, from 1; nil for one that was not read.
    ///
    /// - Parameter number: the object's, from 1.
    /// - Returns: the line.
    package func line(ofObject number: Int) -> Int? {
        starts.indices.contains(number - 1) ? Int(starts[number - 1]) : nil
    }
}

extension ValueLines {
    /// True if the first line of a text shows that its objects are not one to a line: it holds the beginning of one, or
    /// more than one.
    ///
    /// A line that was cut off by mistake is followed by another object.
    package static func isNeeded(_ head: [UInt8]) -> Bool {
        var (depth, isInText, isEscaped) = (0, false, false)
        var last: UInt8 = 0
        var rest = head.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        while let byte = rest.popFirst(), byte != 0x0A {
            if isInText {
                (isInText, isEscaped) = (
                    isEscaped || byte != UInt8(ascii: "\""), !isEscaped && byte == UInt8(ascii: "\\")
                )
                last = byte
                continue
            }
            if byte == 0x20 || byte == 0x09 || byte == 0x0D { continue }
            if depth == 0, last == UInt8(ascii: "}") { return byte == UInt8(ascii: "{") }
            last = byte
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        guard depth > 0, !isInText else { return false }
        let next = rest.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return "{[,:".utf8.contains(last) || next.map { "\"}],:".utf8.contains($0) } ?? false
    }
}
