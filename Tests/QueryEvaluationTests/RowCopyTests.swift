import Foundation
import PredicateQL
import QueryStreams
import SpecSupport
import Testing

@Suite struct RowCopyTests {
    private static let spellings = [
        "0", "-0", "7", "-12", "123456789012345", "1234567890123456", "-9223372036854775808", "0.0", "-0.0", "1.0",
        "1.00", "2.5", "2.50", "-0.25", "0.001", "0.0001", "0.00001", "0.00010", "100000.00001", "1e3", "1E+2",
        "1.5e-7",
        "123456789.123456", "1234567890.123456", "12345678901234.5", "0.1234567890123456", "true", "null", "[]", "{}",
        #""""#, #""a\"b\\c\nd""#, #""\/""#, #""\u00e9""#, #""é‑\t""#, #""$5""#, #"{"$date":"2020-01-02T00:00:00Z"}"#,
        #"{"$numberLong":"5"}"#, #""\\""#, #""1234567\\""#, "[1, {\"a\" : \"b c\"}]", "\"\u{7F}\u{2028}\"",
    ]

    /// The text of a row is copied only if it is what the row's values would be written as.
    @Test func copiedRowsAreWhatIsWritten() throws {
        var generator = SeededGenerator(20_261_127)
        var copied = 0
        let rounds = 20_000
        for round in 0..<rounds {
            let values = (0..<1 + generator.below(3)).map { _ in
                switch generator.below(4) {
                case 0:
                    let number = Double(generator.below(2_000_000)) / pow(10, Double(generator.below(8)))
                    return String(format: "%.\(generator.below(6))f", number)
                case 1: return "\"" + String(repeating: "x", count: generator.below(20)) + "\\n\""
                default: return generator.pick(Self.spellings)
                }
            }
            let space = generator.pick(["", " ", "\t "])
            let members = values.enumerated().map { "\"k\($0)\"\(space):\(space)\($1)" }
            let row = "{\(space)" + members.joined(separator: space + "," + space) + "\(space)}"
            let written = try #require(Query().results(in: JSONRows("[\(row)]", extended: true)).first).json
            var out: [UInt8] = [1]
            let isCopied = Array(row.utf8).withUnsafeBufferPointer { RowCopy.append($0, to: &out) }
            let copy = String(decoding: out.dropFirst(), as: UTF8.self)
            if copy != (isCopied ? written : "") { Issue.record("\(round): \(row) is copied as \(copy)") }
            copied += isCopied ? 1 : 0
        }
        #expect(copied > rounds / 5 && copied < rounds, "\(copied)")
    }
}
