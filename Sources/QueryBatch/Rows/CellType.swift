import PredicateQL
import QueryValues

/// What the cells of a column have in common.
enum CellType: String {
    case empty
    case number = "numbers"
    case bool = "true and false"
    /// Lists and objects, as this tool writes them.
    case json = "JSON"
    case text

    /// The type that holds this cell as well.
    mutating func widen(to bytes: [UInt8], _ cell: CellReader.Cell) {
        if self == .text { return }
        guard let type = Self.type(of: bytes, cell) else { return }
        self = self == .empty || self == type ? type : .text
    }

    /// The type of a cell; nil for one without a value.
    private static func type(of bytes: [UInt8], _ cell: CellReader.Cell) -> CellType? {
        let text = bytes[cell.range]
        guard let first = text.first else { return cell.quotes == .none ? nil : .text }
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return isNumber(text) ? .number : .text
        case UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "f"), UInt8(ascii: "F"):
            return bool(text) == nil ? .text : .bool
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let text = String(decoding: plain(bytes, cell), as: UTF8.self)
            return (try? QueryValue(json: text, extended: true)) == nil ? .text : .json
        default: return .text
        }
    }

    /// True for a number as JSON writes it; whole ones fit 64 bits, so a leading zero or a long id makes text.
    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
        func digits() -> Int {
            let count = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }.count
            rest = rest.dropFirst(count)
            return count
        }
        let isZero = rest.first == 0x30
        let whole = digits()
        guard whole == 1 || whole > 1 && !isZero else { return false }
        if rest.isEmpty { return whole < 19 || Int64(String(decoding: text, as: UTF8.self)) != nil }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            if digits() == 0 { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
            if digits() == 0 { return false }
        }
        return rest.isEmpty && Double(String(decoding: text, as: UTF8.self))?.isFinite == true
    }

    private static func bool(_ text: ArraySlice<UInt8>) -> Bool? {
        guard text.count == 4 || text.count == 5 else { return nil }
        let lower = text.map { $0 | 0x20 }
        if lower.elementsEqual("true".utf8) { return true }
        return lower.elementsEqual("false".utf8) ? false : nil
    }

    /// The cell with its quotes single.
    private static func plain(_ bytes: [UInt8], _ cell: CellReader.Cell) -> [UInt8] {
        guard cell.quotes == .doubled else { return Array(bytes[cell.range]) }
        var plain: [UInt8] = []
        var isSecond = false
        for byte in bytes[cell.range] {
            isSecond = byte == UInt8(ascii: "\"") && !isSecond
            if !isSecond || byte != UInt8(ascii: "\"") { plain.append(byte) }
        }
        return plain
    }

    /// Appends a cell of a column of this type as JSON.
    ///
    /// - Returns: false if it does not fit.
    func append(_ bytes: [UInt8], _ cell: CellReader.Cell, to text: inout [UInt8]) -> Bool {
        if cell.range.isEmpty, cell.quotes == .none {
            text += "null".utf8
            return true
        }
        if self == .text { return Self.append(text: bytes, cell, to: &text) }
        guard Self.type(of: bytes, cell) == self else { return false }
        switch self {
        case .bool: text += (Self.bool(bytes[cell.range]) == true ? "true" : "false").utf8
        case .json: text += Self.plain(bytes, cell).map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        case .number, .empty, .text: text += bytes[cell.range]
        }
        return true
    }

    private static func append(text bytes: [UInt8], _ cell: CellReader.Cell, to text: inout [UInt8]) -> Bool {
        let isPlain = bytes[cell.range].allSatisfy { $0 >= 0x20 && $0 < 0x80 && $0 != 0x22 && $0 != 0x5C }
        if isPlain {
            text.append(0x22)
            text += bytes[cell.range]
            text.append(0x22)
            return true
        }
        guard let value = String(validating: plain(bytes, cell), as: UTF8.self) else { return false }
        JSONWriter().write(.string(value), to: &text)
        return true
    }
}
