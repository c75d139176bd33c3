import Foundation
import PredicateQL
import QueryEvaluation
import SpecSupport
import Testing

/// Cells are read in place only in a known layout; any other is read through its value.
@Suite struct LayoutTests {
    @Test("Strings, arrays and dates have the layout of this toolchain's library")
    func proven() {
        #expect(TextLayout.isProven)
        #expect(DateLayout.isProven)
        #if !canImport(ObjectiveC)
            #expect(ListLayout.isProven)
        #endif
    }

    /// The same text, created in every way that gives another form in memory.
    private static func forms(of text: String) -> [String] {
        var reserved = ""
        reserved.reserveCapacity(100)
        reserved += text
        var cut = text + "tail"
        cut.removeLast(4)
        let bytes = Array(text.utf8)
        return [
            text, reserved, cut, String(decoding: bytes, as: UTF8.self),
            String(("<" + text + ">").dropFirst().dropLast()),
            String(text.unicodeScalars), text.map(String.init).joined(), String(repeating: text, count: 1),
            NSString(string: text) as String, NSMutableString(string: text).substring(from: 0),
            String(unsafeUninitializedCapacity: bytes.count) { $0.initialize(fromContentsOf: bytes) },
        ]
    }

    @Test("A text matches in every form that it may have in memory")
    func texts() throws {
        var random = SeededGenerator(15)
        let alphabet = ["a", "b", "é", "e\u{301}", "🎉", "\0", "ﬁ", "ß"]
        for length in (0...20).flatMap({ [$0, $0] }) + [63, 64, 300] {
            let text = (0..<length).map { _ in random.pick(alphabet) }.joined()
            let forms = Self.forms(of: text)
            var table = ColumnTable()
            try table.add("s", forms + ["other"])
            try table.add("o", forms.map(Optional.some) + [nil])
            let all = Array(forms.indices)
            #expect(try Query(format: "s == \(text)").matchingIndices(in: table) == all, "\(text)")
            #expect(try Query(format: "o == \(text)").matchingIndices(in: table) == all, "\(text)")
            #expect(try Query(format: "s ENDSWITH \(text) AND o != nil").matchingIndices(in: table) == all, "\(text)")
        }
    }

    @Test("A list matches in every form that it may have in memory")
    func lists() throws {
        for count in [0, 1, 2, 7, 100] {
            let list = Array(0..<count)
            var reserved: [Int] = []
            reserved.reserveCapacity(count * 3)
            reserved += list
            let forms: [[Int]] = [
                list, reserved, Array(([-1] + list + [-1]).dropFirst().dropLast()), Array(ContiguousArray(list)),
                list.lazy.map { $0 }.filter { _ in true }, Array(Set(list)).sorted(),
                Array(unsafeUninitializedCapacity: count + 3) { (buffer, size) in
                    size = buffer.initialize(fromContentsOf: list)
                },
            ]
            var table = ColumnTable()
            try table.add("l", forms + [[-5]])
            let all = Array(forms.indices)
            #expect(try Query(format: "l.@count == \(count) AND NONE l < 0").matchingIndices(in: table) == all)
            #expect(try Query(format: "ANY l == \(count - 1)").matchingIndices(in: table) == (count == 0 ? [] : all))
        }
    }

    @Test("Sums of lists beyond 64 bits, of NaN and of nothing are those of rows read one by one")
    func sums() throws {
        let ints: [[Int]?] = [nil, [], [1, 2], [.max, 1], [.max, 1, -2], [.min, -1], [.min, .min], [-3, 3]]
        let doubles: [[Double]?] = [
            nil, [], [1, .nan], [-0.0], [.infinity], [.infinity, -.infinity], [-.infinity], [2],
        ]
        // More than a word of 64 rows, and fewer.
        let rows = (0..<100).map { $0 % ints.count }
        var table = ColumnTable()
        try table.add("i", rows.map { ints[$0] })
        try table.add("d", rows.map { doubles[$0] })
        let documents = rows.map { row -> Document in
            var document = Document()
            document["i"] = ints[row].map { .list($0.map { .int(Int64($0)) }) }
            document["d"] = doubles[row].map { .list($0.map { .double($0) }) }
            return document
        }
        let constants = [
            "0", "-0.0", "3", "9223372036854775807", "9223372036854775808.0", "-9223372036854775808", "1e300",
        ]
        for field in ["i", "d"] {
            for sign in ["==", "!=", "<", "<=", ">", ">="] {
                for constant in constants {
                    let format = "\(field).@sum.self \(sign) \(constant)"
                    let query = try Query(parsing: format)
                    let expected = try query.matchingIndices(in: documents)
                    #expect(try query.matchingIndices(in: table) == expected, "\(format)")
                }
            }
        }
    }

    @Test("An integer with its own memory layout is read through its value")
    func integers() throws {
        var random = SeededGenerator(7)
        let few = [0, 1, -1, 256, Int(Int32.max), Int(Int32.min)]
        let numbers = few + (0..<200).map { _ in Int(Int32(truncatingIfNeeded: random.next())) }
        var table = ColumnTable()
        try table.add("n", numbers.map { Swapped(value: Int32($0)) })
        try table.add("o", numbers.map { $0 < 0 ? nil : Swapped(value: Int32($0)) })
        for number in numbers {
            let below = numbers.indices.filter { numbers[$0] < number }
            #expect(try Query(format: "n < \(number)").matchingIndices(in: table) == below)
            let here = numbers.indices.filter { numbers[$0] == number && number >= 0 }
            #expect(try Query(format: "o == \(number)").matchingIndices(in: table) == here)
        }
        let sorted = try Query(order: ["n"]).resultIndices(in: table).map { numbers[$0] }
        #expect(sorted == numbers.sorted())
    }
}

/// An integer with reversed bytes.
private struct Swapped: FixedWidthInteger, SignedInteger, FieldValue {
    private let stored: Int32
    var value: Int32 { stored.byteSwapped }

    init(value: Int32) { stored = value.byteSwapped }
    init(integerLiteral value: Int32) { self.init(value: value) }
    init(_truncatingBits bits: UInt) { self.init(value: Int32(truncatingIfNeeded: bits)) }

    static let bitWidth = 32
    var words: Int32.Words { value.words }
    var magnitude: UInt32 { value.magnitude }
    var trailingZeroBitCount: Int { value.trailingZeroBitCount }
    var leadingZeroBitCount: Int { value.leadingZeroBitCount }
    var nonzeroBitCount: Int { value.nonzeroBitCount }
    var byteSwapped: Swapped { Swapped(value: stored) }

    private typealias Outcome = (partialValue: Swapped, overflow: Bool)
    private static func wrap(_ outcome: (partialValue: Int32, overflow: Bool)) -> Outcome {
        (Swapped(value: outcome.partialValue), outcome.overflow)
    }
    func addingReportingOverflow(_ other: Swapped) -> (partialValue: Swapped, overflow: Bool) {
        Self.wrap(value.addingReportingOverflow(other.value))
    }
    func subtractingReportingOverflow(_ other: Swapped) -> (partialValue: Swapped, overflow: Bool) {
        Self.wrap(value.subtractingReportingOverflow(other.value))
    }
    func multipliedReportingOverflow(by other: Swapped) -> (partialValue: Swapped, overflow: Bool) {
        Self.wrap(value.multipliedReportingOverflow(by: other.value))
    }
    func dividedReportingOverflow(by other: Swapped) -> (partialValue: Swapped, overflow: Bool) {
        Self.wrap(value.dividedReportingOverflow(by: other.value))
    }
    func remainderReportingOverflow(dividingBy other: Swapped) -> (partialValue: Swapped, overflow: Bool) {
        Self.wrap(value.remainderReportingOverflow(dividingBy: other.value))
    }
    func multipliedFullWidth(by other: Swapped) -> (high: Swapped, low: UInt32) {
        let product = value.multipliedFullWidth(by: other.value)
        return (Swapped(value: product.high), product.low)
    }
    func dividingFullWidth(_ dividend: (high: Swapped, low: UInt32)) -> (quotient: Swapped, remainder: Swapped) {
        let result = value.dividingFullWidth((dividend.high.value, dividend.low))
        return (Swapped(value: result.quotient), Swapped(value: result.remainder))
    }

    static func + (a: Swapped, b: Swapped) -> Swapped { Swapped(value: a.value + b.value) }
    static func - (a: Swapped, b: Swapped) -> Swapped { Swapped(value: a.value - b.value) }
    static func * (a: Swapped, b: Swapped) -> Swapped { Swapped(value: a.value * b.value) }
    static func / (a: Swapped, b: Swapped) -> Swapped { Swapped(value: a.value / b.value) }
    static func % (a: Swapped, b: Swapped) -> Swapped { Swapped(value: a.value % b.value) }
    static func & (a: Swapped, b: Swapped) -> Swapped { Swapped(value: a.value & b.value) }
    static func | (a: Swapped, b: Swapped) -> Swapped { Swapped(value: a.value | b.value) }
    static func ^ (a: Swapped, b: Swapped) -> Swapped { Swapped(value: a.value ^ b.value) }
    static func *= (a: inout Swapped, b: Swapped) { a = a * b }
    static func /= (a: inout Swapped, b: Swapped) { a = a / b }
    static func %= (a: inout Swapped, b: Swapped) { a = a % b }
    static func &= (a: inout Swapped, b: Swapped) { a = a & b }
    static func |= (a: inout Swapped, b: Swapped) { a = a | b }
    static func ^= (a: inout Swapped, b: Swapped) { a = a ^ b }
    static func &<<= (a: inout Swapped, b: Swapped) { a = Swapped(value: a.value &<< b.value) }
    static func &>>= (a: inout Swapped, b: Swapped) { a = Swapped(value: a.value &>> b.value) }
    static func < (a: Swapped, b: Swapped) -> Bool { a.value < b.value }
}
