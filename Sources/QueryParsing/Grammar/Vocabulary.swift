import QueryChecking
import QueryTree
import QueryValues

/// Words and signs of the language, looked up without allocation; made from the tables of QueryTree.
///
/// The tables are created once and never freed; plain pointers to them need no reference counting.
struct Vocabulary: @unchecked Sendable {
    static let shared = Vocabulary()

    /// What a byte may be part of.
    struct ByteClass: OptionSet {
        let rawValue: UInt8
        static let letter = ByteClass(rawValue: 1)
        static let digit = ByteClass(rawValue: 2)
        static let space = ByteClass(rawValue: 4)
    }

    /// One class per byte; bytes from 0x80 on have none.
    let classes: UnsafePointer<UInt8>

    private struct Sign {
        /// The second byte, 0 for a sign of one byte.
        var second: UInt8
        var kind: Token.Kind
    }

    private struct Keyword {
        var low: UInt64
        var high: UInt64
        var kind: Token.Kind
    }

    /// Signs by their first byte, ``signsPerByte`` slots each, longest first.
    private let signs: UnsafePointer<Sign?>
    /// Keywords in an open hash table.
    private let keywords: UnsafePointer<Keyword?>

    private static let slotBits: UInt64 = 8
    private static let slotCount = 1 << Int(slotBits)
    private static let signsPerByte = 8

    private init() {
        classes = Self.permanent((0...UInt8.max).map(Self.classify))
        var signs = [[Sign]](repeating: [], count: 256)
        var keywords = [Keyword?](repeating: nil, count: Self.slotCount)
        for (spelling, kind) in Self.entries {
            let bytes = Array(spelling.utf8)
            guard let first = bytes.first else { continue }
            if Self.classify(first) & ByteClass.letter.rawValue != 0 {
                Self.insert(bytes, kind, into: &keywords)
            } else {
                signs[Int(first)].append(Sign(second: bytes.count > 1 ? bytes[1] : 0, kind: kind))
                signs[Int(first)].sort { $0.second > $1.second }
            }
        }
        self.signs = Self.permanent(
            signs.flatMap { signs -> [Sign?] in
                (0..<Self.signsPerByte).map { $0 < signs.count ? signs[$0] : nil }
            }
        )
        self.keywords = Self.permanent(keywords)
    }

    private static func permanent<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
        memory.initialize(from: elements, count: elements.count)
        return UnsafePointer(memory)
    }

    /// Every word and sign with its meaning.
    private static var entries: [(String, Token.Kind)] {
        let logical = LogicalWord.allCases.flatMap { word in word.spellings.map { ($0, Token.Kind.logical(word)) } }
        let comparisons = Comparison.Operator.table.filter { !$0.isCall }.flatMap { row in
            row.spellings.map { ($0, Token.Kind.comparison(row.operator)) }
        }
        let reserved = ReservedWord.allCases.flatMap { word in word.spellings.map { ($0, Token.Kind.reserved(word)) } }
        let arithmetic = ArithmeticOperator.allCases.map { operation in
            (operation.entry.spelling, Token.Kind.arithmetic(operation, Strength(operation.entry.precedence)))
        }
        let bits = FunctionEntry.table.compactMap { row -> (String, Token.Kind)? in
            guard let sign = row.sign, case .call(let function) = row.node else { return nil }
            return strength(of: function).map { (sign, .bits(function, $0)) }
        }
        return logical + comparisons + reserved + arithmetic + bits + punctuation
    }

    private static let punctuation: [(String, Token.Kind)] = [
        ("(", .open), (")", .close), ("[", .openBracket), ("]", .closeBracket), ("{", .openBrace), ("}", .closeBrace),
        (",", .comma), (".", .dot), (":=", .assign),
    ]

    private static func strength(of function: Function) -> Strength? {
        switch function {
        case .bitwiseOr: .bitOr
        case .bitwiseXor: .bitXor
        case .bitwiseAnd: .bitAnd
        case .leftShift, .rightShift: .shift
        default: nil
        }
    }

    private static func classify(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
            ByteClass.letter.rawValue
        case UInt8(ascii: "0")...UInt8(ascii: "9"): ByteClass.digit.rawValue
        case 0x20, 0x09...0x0D: ByteClass.space.rawValue
        default: 0
        }
    }

    private static func insert(_ bytes: [UInt8], _ kind: Token.Kind, into table: inout [Keyword?]) {
        let (low, high) = bytes.withUnsafeBufferPointer { pack($0, 0..<bytes.count) }
        var slot = slot(low, high)
        while table[slot] != nil { slot = (slot + 1) & (table.count - 1) }
        table[slot] = Keyword(low: low, high: high, kind: kind)
    }

    private static func slot(_ low: UInt64, _ high: UInt64) -> Int {
        Int(truncatingIfNeeded: ((low ^ (high &* 31)) &* 0x9E37_79B9_7F4A_7C15) >> (64 - slotBits))
    }

    /// The letters in lower case, packed into two numbers; for words of up to 16 bytes.
    @inline(__always)
    private static func pack(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> (UInt64, UInt64) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        for index in range {
            let byte = UInt64(bytes[index] | 0x20)
            high = high << 8 | low >> 56
            low = low << 8 | byte
        }
        return (low, high)
    }

    /// The meaning of a word of the text, `.word` for none.
    @inline(__always)
    func keyword(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Token.Kind {
        guard range.count <= 16 else { return .word }
        let (low, high) = Self.pack(bytes, range)
        var slot = Self.slot(low, high)
        while let entry = keywords[slot] {
            if entry.low == low, entry.high == high { return entry.kind }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return .word
    }

    /// The longest sign that begins with two bytes, and its length.
    @inline(__always)
    func sign(_ first: UInt8, _ second: UInt8) -> (kind: Token.Kind, length: Int)? {
        for place in 0..<Self.signsPerByte {
            guard let sign = signs[Int(first) * Self.signsPerByte + place] else { return nil }
            if sign.second == 0 { return (sign.kind, 1) }
            if sign.second == second { return (sign.kind, 2) }
        }
        return nil
    }
}
