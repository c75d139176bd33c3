import PredicateQL
import QueryValues
import Testing

@testable import QueryBatch

/// CSV as lines of JSON, with cells of all lengths, and bytes that arrive in parts of all sizes.
@Suite struct CellLinesTests {
    private static let characters = [
        "a", "b", "7", " ", ",", "\"", "\\", "\n", "\r\n", "\t", "\u{1}", "\u{7F}", "é", "ß", "日", "本", "👍",
        "\u{10FFFF}",
    ]

    @Test func cellsOfAnyTextAreKept() throws {
        var random = Numbers()
        for part in [1, 2, 7, 15, 16, 17, 31, 33, 64, 500] {
            let rows = (0..<12).map { _ in (0..<3).map { _ in Self.text(&random) } }
            let csv = "one,two.a,two.b\n" + rows.map { $0.map(Self.quoted).joined(separator: ",") + "\n" }.joined()
            let expected = rows.map { row in
                QueryValue.object([
                    "one": .string(row[0]), "two": .object(["a": .string(row[1]), "b": .string(row[2])]),
                ])
            }
            #expect(try Self.lines(of: Array(csv.utf8), inParts: part) == expected, "in parts of \(part) bytes")
        }
    }

    @Test func fieldsThatNobodyReadsAreLeftOutButExamined() throws {
        let csv = "a,b.c,b.d,e\nlong text without an end,1,true,x\ny,,,é\n"
        let kept: [Document] = [["c": 1, "d": true], ["c": .null, "d": .null]]
        let rows = kept.map { QueryValue.object(["b": .object($0)]) }
        #expect(try Self.lines(of: Array(csv.utf8), keeping: ["b", "no column"]) == rows)
        #expect(try Self.text(of: Array(csv.utf8), keeping: []) == "{}\n{}\n")
        let json = "a,b.c,b.d\n1,[],x\n2,[1],y\n"
        let whole = "{\"b\":{\"c\":[],\"d\":\"x\"}}\n{\"b\":{\"c\":[1],\"d\":\"y\"}}\n"
        #expect(try Self.text(of: Array(json.utf8), keeping: []) == whole, "columns of JSON stay")
        for offset in [0, 1, 7, 11, 12, 13, 14, 15, 16, 17, 30] {
            let plain = Array("a,b\n1,".utf8) + Array(repeating: 0x78, count: offset)
            for (bytes, isText) in Self.sequences {
                let text = plain + bytes + Array("xx,\n".utf8)
                let csv = text.dropLast(2) + [0x0A]
                for keys in [nil, ["a"], ["b"]] as [[String]?] {
                    let lines = try? Self.lines(of: Array(csv), keeping: keys)
                    #expect((lines != nil) == isText, "\(bytes) after \(offset) bytes, keeping \(keys ?? ["all"])")
                }
            }
        }
    }

    /// Bytes, and whether they are UTF-8.
    private static let sequences: [([UInt8], Bool)] = [
        ([0x61], true), ([0xC3, 0xA9], true), ([0xE2, 0x82, 0xAC], true), ([0xF0, 0x9F, 0x91, 0x8D], true),
        ([0xEF, 0xBF, 0xBF], true), ([0xED, 0x9F, 0xBF], true), ([0xF4, 0x8F, 0xBF, 0xBF], true),
        ([0x80], false), ([0xC1, 0x81], false), ([0xC3], false), ([0xE0, 0x9F, 0xBF], false), ([0xE2, 0x82], false),
        ([0xED, 0xA0, 0x80], false), ([0xF0, 0x8F, 0xBF, 0xBF], false), ([0xF0, 0x9F, 0x91], false),
        ([0xF4, 0x90, 0x80, 0x80], false), ([0xF5, 0x80, 0x80, 0x80], false), ([0xFF], false),
    ]

    @Test func numbersAreThoseOfJSON() throws {
        let numbers = [
            "0", "-0", "7", "-12.50", "1e5", "1E-5", "2.5e+10", "9223372036854775807", "-9223372036854775808", "0.1",
        ]
        for number in numbers {
            let line = try Self.text(of: Array("a\n\(number)\n".utf8))
            #expect(line == "{\"a\":\(number)}\n")
        }
        let texts = [
            "01", "-", "1.", ".", "-.", ".e1", "+.5", "1e", "1e+", "+1", "1e999", "9223372036854775808", "1.5.2",
            "1e5x", "0x1",
        ]
        for text in texts {
            #expect(try Self.text(of: Array("a\n\(text)\n".utf8)) == "{\"a\":\"\(text)\"}\n")
        }
        for (number, value) in [(".5", "0.5"), ("-.5", "-0.5"), (".5e1", "0.5e1")] {
            #expect(try Self.text(of: Array("a\n\(number)\n".utf8)) == "{\"a\":\(value)}\n")
        }
        let long = "1." + String(repeating: "0", count: 400)
        #expect(try Self.text(of: Array("a\n\(long)\n".utf8)) == "{\"a\":\(long)}\n")
    }

    private static func text(_ random: inout Numbers) -> String {
        // A number would be one in JSON, too; the first letter makes each cell text.
        "x" + (0..<random.next(below: 40)).map { _ in characters[random.next(below: characters.count)] }.joined()
    }

    /// What a schema declares as text is text as it is written, and an empty cell stays null.
    @Test func declaredTextsStayAsWritten() throws {
        let address = Schema([.field("zip", .string), .field("n", .int)])
        let schema = Schema(
            [.field("code", .string, storedAs: "c"), .field("a", .object(address))],
            allowsOthers: true
        )
        let csv = Array("c,a.zip,a.n,x\n1.10,01234,5,1.10\n,,,\ntrue,[1],6,2\n".utf8)
        let expected = """
            {"c":"1.10","a":{"zip":"01234","n":5},"x":1.10}
            {"c":null,"a":{"zip":null,"n":null},"x":null}
            {"c":"true","a":{"zip":"[1]","n":6},"x":2}

            """
        #expect(try Self.text(of: csv, schema: schema) == expected)
    }

    /// A blank line is a record with an empty cell where records have one cell.
    @Test func blankLinesOfOneColumn() throws {
        for (csv, expected) in [
            ("x\n1\n\n2\n", "[1,null,2]"), ("\nx\n\n\n1", "[null,null,1]"), ("x\r\n1\r\n\r\n", "[1,null]"),
            ("x\n1\n", "[1]"), ("x\n1", "[1]"), ("x\n", "[]"), ("x\r\r1\r", "[null,1]"),
            ("x\na\n\n\"\"\n", #"["a",null,""]"#), ("x,y\n1,2\n\n3,4\n\n", "[1,3]"),
        ] {
            for part in [1, 64] {
                let rows = try Self.lines(of: Array(csv.utf8), inParts: part)
                let values = rows.map { row -> QueryValue in
                    if case .object(let row) = row { row["x"] ?? .null } else { row }
                }
                #expect(QueryValue.list(values).json == expected, "\(csv)")
            }
        }
    }

    /// A column without a heading gets a name, which is told.
    @Test func emptyHeadingsAreNoted() throws {
        let csv = Array("a,,c,\n1,2,3,4\n".utf8)
        let lines = try CellLines(
            "x.csv",
            UInt8(ascii: ","),
            limits: .default,
            sample: Self.reading(csv),
            read: Self.reading(csv)
        )
        #expect(lines.notes == ["x.csv:1:3: an empty heading, read as `column2`"])
    }

    private static func quoted(_ text: String) -> String {
        let needsQuotes = text.contains { ",\"\n\r\n".contains($0) } || text.contains("\r")
        return needsQuotes || text.utf8.count % 3 == 0 ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
    }

    private static func lines(
        of csv: [UInt8],
        inParts part: Int = 64,
        keeping keys: [String]? = nil
    ) throws -> [QueryValue] {
        try text(of: csv, inParts: part, keeping: keys).split(separator: "\n").map { try QueryValue(json: String($0)) }
    }

    private static func reading(_ csv: [UInt8], inParts part: Int = 64) -> (Int) -> [UInt8] {
        var rest = csv[...]
        return { size in
            defer { rest = rest.dropFirst(min(size, part)) }
            return Array(rest.prefix(min(size, part)))
        }
    }

    private static func text(
        of csv: [UInt8],
        schema: Schema? = nil,
        inParts part: Int = 64,
        keeping keys: [String]? = nil
    ) throws -> String {
        func reading() -> (Int) -> [UInt8] { Self.reading(csv, inParts: part) }
        var lines = try CellLines(
            "x.csv",
            UInt8(ascii: ","),
            limits: .default,
            schema: schema,
            sample: reading(),
            read: reading()
        )
        if let keys { lines.keep(only: keys) }
        var text: [UInt8] = []
        var more: [UInt8] = []
        while try lines.convert(into: &more) {
            text += more
            more = []
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// Numbers that look random, the same in each run.
private struct Numbers {
    private var state: UInt64 = 7

    mutating func next(below count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % count
    }
}
