import Foundation
import PredicateQL
import QueryBatch
import QueryValues
import SpecSupport
import Testing

/// JSON objects over several lines, or several on one.
@Suite struct ValueLinesTests {
    private func lines(_ text: String, pieces: Int = 1_000) -> String {
        var (lines, out) = (ValueLines(), [UInt8]())
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            lines.convert(Array(rest.prefix(pieces)), into: &out)
            rest = rest.dropFirst(pieces)
        }
        return String(decoding: out, as: UTF8.self)
    }

    @Test func eachObjectHasItsLine() {
        for (text, expected) in [
            ("{\n \"a\": 1\n}\n", "{  \"a\": 1 }\n"), ("{\"a\":1}{\"b\":2}", "{\"a\":1}\n{\"b\":2}\n"),
            (" {\"a\":1} \r\n\n {\"b\":\n2}", "{\"a\":1}\n{\"b\": 2}\n"),
            ("{\"a\":\"}\\\"{\"}\n", "{\"a\":\"}\\\"{\"}\n"),
            ("{\"a\":[{\n}]}1 2\n", "{\"a\":[{ }]}\n1\n2\n"), ("}{\"a\":1}", "}\n{\"a\":1}\n"),
            ("{\"a\":1", "{\"a\":1"),
            ("{\"a\":\"x\ny\"}", "{\"a\":\"x\u{1}y\"}\n"), ("", ""), ("\n\n", ""),
        ] {
            for pieces in [1, 2, 3, 1_000] { #expect(lines(text, pieces: pieces) == expected, "\(text)") }
        }
    }

    /// The list at some keys is cut out of its object, wherever the pieces of the text end.
    @Test func aListIsCutOutOfItsObject() {
        let cases: [(text: String, path: String, list: String?)] = [
            (#"{"data":[{"a":1}],"next":null}"#, "data", #"[{"a":1}]"#),
            (#"{"x":{"data":[1]}, "data" : [ [2], "]\"" ] }"#, "data", #"[ [2], "]\"" ]"#),
            (#"{"r":{"i":[1]},"i":[2]}"#, "r.i", "[1]"), (#"{"i":{"r":1},"r":{"x":"i","i":[]}}"#, "r.i", "[]"),
            (#"{"r":[{"i":[1]}],"i":[2]}"#, "i", "[2]"), (#"{"a":"data","data":{"data":[1]}}"#, "data", nil),
            (#"[{"data":[1]}]"#, "data", nil), (#"{"data\"":[1],"a":"\"data\":["}"#, "data", nil),
            (#"{"x\"data":[1],"data":[2]}"#, "data", "[2]"),
            (#"{"r":{"x":1},"i":[3]}"#, "r.i", nil), ("", "a", nil), (#"}]{"a":[1]}"#, "a", nil),
            (#"{"a":[1,[2]"#, "a", "[1,[2]"),
        ]
        for (text, path, list) in cases {
            for pieces in [1, 2, 3, 1_000] {
                var (window, out) = (ListWindow(path), [UInt8]())
                var rest = Array(text.utf8)[...]
                while !rest.isEmpty {
                    let piece = Array(rest.prefix(pieces))
                    out += piece.withUnsafeBytes { piece[window.part(of: $0)] }
                    rest = rest.dropFirst(pieces)
                }
                #expect(String(decoding: out, as: UTF8.self) == list ?? "", "\(text) \(path) \(pieces)")
                #expect(window.isFound == (list != nil))
                #expect(window.isOver == (list?.last == "]" && text.hasSuffix("}")), "\(text) \(path)")
            }
        }
    }

    @Test func linesAreKnown() {
        var (lines, out) = (ValueLines(), [UInt8]())
        lines.convert(Array("\n{\n\"a\":1}\n\n{\"b\":2} {\n".utf8), into: &out)
        #expect((1...4).map { lines.line(ofObject: $0) } == [2, 5, 5, nil])
    }

    /// What is one object to a line stays so, also when a line is malformed.
    @Test func theFirstLineTells() throws {
        for (text, format) in [
            ("{\n\"a\":1}", RowFormat.values), ("{\"a\":[\n1]}", .values), ("{\"a\":1,\n\"b\":2}", .values),
            ("{\"a\":1\n}", .values), ("{\"a\":1\n,\"b\":2}", .values), ("{\"a\":1}{\"a\":2}", .values),
            ("\n\u{FEFF}{\"a\":1} {\"a\":2}\n", .values), ("{\"a\":1}\n{\"a\":\n2}", .lines),
            ("{\"a\":1}\n{\"a\":2}", .lines),
            ("{\"a\":1\n{\"a\":2}", .lines), ("{\"a\":\"x\n\"}", .lines), ("{\"a\":1}", .lines),
            ("{\"a\":1}}\n{}", .lines),
            ("[\n{\"a\":1}]", .list), ("{\"a\":\"\\\"{\\\\\"}\n{\"a\":1}", .lines),
        ] {
            #expect(try RowFormat(Array(text.utf8), path: "x") == format, "\(text)")
        }
    }

    @Test func otherEncodingsAreNamed() {
        for (mark, format) in [
            ([0x00, 0x00, 0x00, 0x00], ForeignFormat.binary), ([0x0A, 0x01, 0x7B], .binary),
            ([0xFF, 0xFE, 0x7B, 0x00], .utf16), ([0xFE, 0xFF, 0x00, 0x7B], .utf16),
            ([0xFF, 0xFE, 0x00, 0x00, 0x7B], .utf32), ([0x00, 0x00, 0xFE, 0xFF], .utf32),
            ([0x7B, 0x00, 0x22, 0x00], .utf16Little), ([0x00, 0x61, 0x00, 0x2C], .utf16Big),
        ] as [([UInt8], ForeignFormat)] {
            #expect(throws: format) { try RowFormat(mark, path: "x.json") }
        }
        #expect(ForeignFormat.utf16.command("x") == "iconv -f UTF-16 -t UTF-8 x")
    }

    /// However the space lies, the rows are those of the compact text.
    @Test func spaceMeansNothing() throws {
        var hostile = HostileRows(seed: 8)
        var random = SeededGenerator.standard
        for _ in 0..<SeededGenerator.count(20) {
            let rows = (0..<5).map { _ in hostile.row() }
            let values = try rows.map { try QueryValue(json: $0) }
            var text = ""
            for row in rows {
                var isInText = false
                var isEscaped = false
                for character in row.unicodeScalars {
                    text.unicodeScalars.append(character)
                    if isEscaped {
                        isEscaped = false
                    } else if character == "\\" {
                        isEscaped = true
                    } else if character == "\"" {
                        isInText.toggle()
                    }
                    if !isInText, "{}[],:".unicodeScalars.contains(character) {
                        text += random.pick(["", "", "\n", " ", "\r\n", "\t\n  "])
                    }
                }
            }
            let found = lines(text, pieces: 1 + Int(random.next() % 9)).split(separator: "\n")
            #expect(try found.map { try QueryValue(json: String($0)) } == values, "\(text)")
        }
    }
}
