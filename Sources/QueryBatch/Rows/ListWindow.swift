/// The list at some keys of a JSON object, found in the object's text as it is read.
///
/// Only brackets, quotes and the keys on the way are examined; the reader of the list checks the rest.
package struct ListWindow: Sendable {
    private enum Place {
        /// Before the list; true after one of the keys and its colon.
        case before(isNext: Bool)
        /// In the list, with so many brackets open.
        case inside(Int)
        case after
    }

    private let keys: [[UInt8]]
    private var place = Place.before(isNext: false)
    /// The open brackets before the list, and how many of the keys were followed.
    private var (depth, followed) = (0, 0)
    private var (isInText, isEscaped) = (false, false)
    /// The last text among the members of the object in which the next key is looked for.
    private var text: [UInt8] = []

    /// The list at a path.
    ///
    /// - Parameter path: keys with dots between them, such as `data.items`; they are compared as they are spelled in JSON.
    package init(_ path: String) {
        keys = path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Array($0) }
    }

    /// True if the list began.
    package var isFound: Bool { if case .before = place { false } else { true } }

    /// True if the list ended.
    package var isOver: Bool { if case .after = place { true } else { false } }

    /// The part of the next bytes that belongs to the list, with its brackets.
    ///
    /// - Parameter bytes: those that follow the last ones.
    /// - Returns: their range; empty for none.
    /// - Complexity: linear in the bytes.
    package mutating func part(of bytes: UnsafeRawBufferPointer) -> Range<Int> {
        var start: Int? = if case .inside = place { 0 } else { nil }
        for (position, byte) in bytes.enumerated() {
            switch place {
            case .after: return 0..<0
            case .inside(let open):
                guard let left = nested(byte, open) else { continue }
                place = left == 0 ? .after : .inside(left)
                if left == 0 { return (start ?? 0)..<position + 1 }
            case .before(let isNext):
                if look(byte, isNext) { start = position }
            }
        }
        return start.map { $0..<bytes.count } ?? 0..<0
    }

    /// The open brackets after a byte; nil if it changes nothing.
    private mutating func nested(_ byte: UInt8, _ open: Int) -> Int? {
        if skipsText(byte) { return nil }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return open + 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return open - 1
        default: return nil
        }
    }

    /// True for a byte of a text, its quotes included.
    private mutating func skipsText(_ byte: UInt8) -> Bool {
        guard isInText else {
            isInText = byte == UInt8(ascii: "\"")
            return isInText
        }
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\"") {
            isInText = false
        } else {
            isEscaped = byte == UInt8(ascii: "\\")
        }
        return true
    }

    /// Looks at a byte before the list; true if the list begins with it.
    private mutating func look(_ byte: UInt8, _ isNext: Bool) -> Bool {
        let isMember = depth == followed + 1
        let isPlain = !isEscaped
        if skipsText(byte) {
            place = .before(isNext: false)
            guard isMember else { return false }
            if byte == UInt8(ascii: "\""), isPlain {
                // The text begins, or it has ended and is kept until the colon.
                if isInText { text = [] }
            } else {
                text.append(byte)
            }
            return false
        }
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: return false
        case UInt8(ascii: ":"):
            place = .before(isNext: isMember && followed < keys.count && text == keys[followed])
            return false
        case UInt8(ascii: "["):
            if isNext, followed + 1 == keys.count {
                place = .inside(1)
                return true
            }
            depth += 1
        case UInt8(ascii: "{"):
            depth += 1
            if isNext, followed + 1 < keys.count { followed += 1 }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            followed = min(followed, max(0, depth - 1))
        default: break
        }
        place = .before(isNext: false)
        return false
    }
}
