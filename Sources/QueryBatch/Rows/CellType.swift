import PredicateQL
import QueryValues

/// What the cells of a column have in common.
package enum CellType: String, Sendable {
    case empty
    case number = "numbers"
    case bool = "true and false"
    /// Lists and objects, as this tool writes them.
    case json = "JSON"
    case text

    /// The type that holds this cell as well.
    mutating func widen(to bytes: UnsafeBufferPointer<UInt8>, _ cell: CellReader.Cell) {
        if self == .text { return }
        guard let type = Self.type(of: bytes, cell) else { return }
        self = self == .empty || self == type ? type : .text
    }

    /// The type that holds a text as well, if it is written without quotes.
    package mutating func widen(to text: String) {
        if self == .text || text.isEmpty { return }
        var text = text
        text.withUTF8 { widen(to: $0, CellReader.Cell(range: 0..<$0.count)) }
    }

    /// The type of a cell; nil for an empty one.
    private static func type(of bytes: UnsafeBufferPointer<UInt8>, _ cell: CellReader.Cell) -> CellType? {
        let text = UnsafeBufferPointer(rebasing: bytes[cell.range])
        guard let first = text.first else { return nil }
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return isNumber(text) ? .number : .text
        case UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "f"), UInt8(ascii: "F"):
            return bool(text) == nil ? .text : .bool
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let text = String(decoding: plain(bytes, cell), as: UTF8.self)
            return (try? QueryValue(json: text, extended: true)) == nil ? .text : .json
        default: return .text
        }
    }

    /// True for a number as JSON writes it, or without the zero before the point; whole ones fit 64 bits, so a leading zero
    /// or a long id makes text.
    private static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = text.first == UInt8(ascii: "-") ? 1 : 0
        var at = digitsEnd(text, start)
        let whole = at - start
        let isShort = whole == 0 && at < text.count && text[at] == UInt8(ascii: ".")
        guard isShort || whole == 1 || whole > 1 && text[start] != UInt8(ascii: "0") else { return false }
        if at == text.count { return whole < 19 || Int64(String(decoding: text, as: UTF8.self)) != nil }
        if text[at] == UInt8(ascii: ".") {
            let point = at + 1
            at = digitsEnd(text, point)
            if at == point { return false }
            // So few digits without an exponent are finite.
            if at == text.count, at <= 300 { return true }
        }
        if at < text.count, text[at] | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at < text.count, text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") { at += 1 }
            let exponent = at
            at = digitsEnd(text, exponent)
            if at == exponent { return false }
        }
        return at == text.count && Double(String(decoding: text, as: UTF8.self))?.isFinite == true
    }

    private static func digitsEnd(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        var at = start
        while at < text.count, text[at] &- UInt8(ascii: "0") < 10 { at += 1 }
        return at
    }

    private static func bool(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard text.count == 4 || text.count == 5 else { return nil }
        let lower = text.map { $0 | 0x20 }
        if lower.elementsEqual("true".utf8) { return true }
        return lower.elementsEqual("false".utf8) ? false : nil
    }

    /// The cell with its quotes single.
    private static func plain(_ bytes: UnsafeBufferPointer<UInt8>, _ cell: CellReader.Cell) -> [UInt8] {
        guard cell.quotes == .doubled else { return Array(bytes[cell.range]) }
        var plain: [UInt8] = []
        var isSecond = false
        for byte in bytes[cell.range] {
            isSecond = byte == UInt8(ascii: "\"") && !isSecond
            if !isSecond || byte != UInt8(ascii: "\"") { plain.append(byte) }
        }
        return plain
    }

    /// True if an empty cell is null: in quotes it is text, but between numbers, bools and JSON there are no texts.
    private func isNull(_ cell: CellReader.Cell) -> Bool { cell.quotes == .none || self != .text && self != .empty }

    /// True if a cell of a column of this type can be written as JSON.
    @inline(__always)
    func holds(_ bytes: UnsafeBufferPointer<UInt8>, _ cell: CellReader.Cell) -> Bool {
        if cell.range.isEmpty, isNull(cell) { return true }
        return self == .text ? LineText.isUTF8(bytes, cell.range) : Self.type(of: bytes, cell) == self
    }

    /// Appends a cell of a column of this type as JSON.
    ///
    /// - Returns: false if it does not fit.
    @inline(__always)
    func append(_ bytes: UnsafeBufferPointer<UInt8>, _ cell: CellReader.Cell, to text: inout LineText) -> Bool {
        if cell.range.isEmpty, isNull(cell) {
            text.append("null")
            return true
        }
        if self == .text, text.append(quoting: bytes, cell.range) { return true }
        return appendOther(bytes, cell, to: &text)
    }

    private func appendOther(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ cell: CellReader.Cell,
        to text: inout LineText
    ) -> Bool {
        if self == .text {
            guard let value = String(validating: Self.plain(bytes, cell), as: UTF8.self) else { return false }
            var escaped: [UInt8] = []
            JSONWriter().write(.string(value), to: &escaped)
            text.append(escaped)
            return true
        }
        guard Self.type(of: bytes, cell) == self else { return false }
        switch self {
        case .bool where Self.bool(UnsafeBufferPointer(rebasing: bytes[cell.range])) == true: text.append("true")
        case .bool: text.append("false")
        case .json: text.append(Self.plain(bytes, cell).map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
        case .number: Self.append(number: bytes, cell.range, to: &text)
        case .empty, .text: return false
        }
        return true
    }

    /// Appends a number with a digit before its point, as JSON requires.
    private static func append(
        number bytes: UnsafeBufferPointer<UInt8>,
        _ range: Range<Int>,
        to text: inout LineText
    ) {
        let isNegative = bytes[range].first == UInt8(ascii: "-")
        let digits = isNegative ? range.dropFirst() : range
        guard bytes[digits].first == UInt8(ascii: ".") else { return text.append(bytes, range) }
        text.append(isNegative ? "-0" : "0")
        text.append(bytes, digits)
    }
}
