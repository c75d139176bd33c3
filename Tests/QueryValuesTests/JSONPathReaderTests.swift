import Testing

@testable import QueryTree
@testable import QueryValues

/// The reader of some paths finds the same rows, errors and lines as the reader of everything.
@Suite struct JSONPathReaderTests {
    private typealias Read = (path: [String], need: ListNeed)

    /// The paths that are read: each list of paths in a separate run.
    private static let reads: [[Read]] = [
        [
            ["a"], ["b"], ["o", "x"], ["o", "y", "z"], ["l"], ["l", "x"], ["l", "y", "z"], ["é"], ["long key of a row"],
        ].map { ($0, .whole) },
        [(["l", "x"], .whole), (["l", "y", "z"], .whole), (["o", "y"], .count), (["s"], .whole), (["a"], .count)],
        [(["l"], .members(["x", "y"])), (["o", "y"], .members(["z"])), (["a"], .members(["x"])), (["s"], .whole)],
        [
            (["l"], .count), (["s"], .members(["x", "t", "é"])), (["a", "x"], .whole),
            (["a", "y", "z"], .members(["u"])),
        ],
    ]

    @Test(arguments: [JSONMode.plain, .extended])
    func hostileLines(mode: JSONMode) throws {
        // Each occurs in a part that is kept, in one that is skipped, and alone.
        let parts = [
            "1", "-0", "0", "01", "-", "1.", "1.5", ".5", "1e5", "1E+", "1e999", "-1e999", "1e-999",
            "123456789012345678",
            "1234567", "12345678", "123456789012345", "1234567890123456", "-1234567890123456789", "012345678901234567",
            "12345678.123456789012345678", "1234567890123456.5", "0.1234567890123456e5", "1234567890123456E1",
            "12345678901234.", "-0.00000000000000000001",
            "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1.0e308", "+1", "0x1", "NaN",
            String(repeating: "9", count: 400), String(repeating: "9", count: 400) + ".5",
            "0." + String(repeating: "3", count: 400),
            "true", "tru", "truee", "false", "falsy", "null", "nul", "nulL", "\"\"", "\"x", "\"x\\\"", "\"\\\"",
            "\"\\u0041\"", "\"\\u00\"", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83dx\"",
            "\"\\ud83d\\u0041\"",
            "\"\\x\"", "\"\u{1}\"", "\"\t\"", "\"é\"", "\"日本語のテキスト\"", "\"👩‍👩‍👧\"", "[]", "[1,2]", "[1,]", "[,1]", "[1 2]",
            "[",
            "[[[]]]", "{}", "{\"x\":1}", "{\"x\":1,}", "{\"x\":1,\"x\":2}", "{\"x\":1,\"\\u0078\":2}", "{\"x\"}",
            "{\"x\":}",
            "{x:1}", "{'x':1}", "{\"x\":1", "{\"y\":{\"z\":3}}", "{\"y\":[{\"z\":3},{\"z\":[4]},{},5]}",
            "[{\"x\":1},{},7,[8]]",
            "[{\"y\":{\"z\":1}},{\"y\":[{\"z\":2}]}]", "{\"$date\":0}", "{\"$date\":\"x\"}",
            "{\"$oid\":\"5f5f5f5f5f5f5f5f5f5f5f5f\"}",
            "{\"\\u0024date\":0}", "{\"x\":1,\"$date\":0}", "{\"$unknown\":0}", "{ \"$numberLong\" : \"5\" }",
            "{\"$numberDouble\":\"NaN\"}",
            String(repeating: "[", count: 300), String(repeating: "[", count: 60) + String(repeating: "]", count: 60),
            String(repeating: "[", count: 199) + String(repeating: "]", count: 199),
            String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
            String(repeating: "{\"a\":", count: 60) + "1" + String(repeating: "}", count: 60), "", " ", ":", ",", "1 1",
            "\"a\":1",
        ]
        var lines: [[UInt8]] = [
            [], [0x20, 0x09], [0x0D], Array("5".utf8), Array("[{}]".utf8), Array("{\"a\":1}{\"a\":2}".utf8),
        ]
        for part in parts {
            for row in [
                part, "{\"a\":\(part)}", "{\"s\":\(part)}", "{\"o\":\(part)}", "{\"l\":\(part),\"a\":1}",
                "{\"o\":{\"x\":\(part)}}",
                " { \"s\" : \(part) , \"a\" : \"after\" } ", "{\"s\":{\"t\":[\(part)]}}",
                "{\"o\":{\"y\":{\"z\":\(part),\"w\":2}}}\r",
                "{\"é\":\(part),\"long key of a row\":\(part)}", "{\(part):1}", "{\"a\":1}\(part)",
            ] {
                lines.append(Array(row.utf8))
            }
        }
        for bytes: [UInt8] in [
            [0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
            [0xC3], [0x80],
            [0xF0, 0x9F, 0x98, 0x80], [0xEF, 0xBB, 0xBF], [0x00], [0x7F],
        ] {
            for frame in [
                ("{\"a\":\"", "\"}"), ("{\"s\":\"", "\"}"), ("{\"s\":\"twelve bytes", "\"}"), ("{\"", "\":1}"),
                ("", "{}"),
            ] {
                lines.append(Array(frame.0.utf8) + bytes + Array(frame.1.utf8))
            }
        }
        try Self.compare(lines, mode)
        // Every row truncated at every byte.
        let row = Array(#"{"a":-1.5e2,"s":["q\né\u00e9",{"t":true}],"o":{"x":null,"y":{"z":[{"u":1}]}},"é":"ü"}"#.utf8)
        try Self.compare(row.indices.map { Array(row[..<$0]) }, mode)
    }

    @Test func wideAndManyShapes() throws {
        var lines: [[UInt8]] = []
        // A lead of every length around the bounds, and white space that changes from row to row.
        for length in 8..<36 {
            let key = String(repeating: "k", count: length)
            for space in ["", " ", "", "  ", "\t"] {
                lines.append(Array("{\(space)\"\(key)\":\(space)1,\(space)\"a\":\(space)\(length)\(space)}".utf8))
                lines.append(Array("{\"s\":{\"\(key)\":[],\"x\"\(space):1,\"\(key)\":2},\"a\":1}".utf8))
                lines.append(Array("{\"s\":{\"\(key)\":[],\"\(key)x\":2},\"a\"\(space):1}".utf8))
            }
            // What ends a plain run at every place of a load.
            for end in ["é", "\\\"", "\\", "\u{1}", "", "é\\né"] {
                lines.append(Array("{\"s\":\"\(key)\(end)\(key)\",\"a\":1}".utf8))
            }
        }
        for width in [1, 40, 63, 64, 65, 200] {
            let members = (0..<width).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
            lines.append(Array("{\(members),\"a\":1}".utf8))
            lines.append(Array("{\(members),\"s\":{\(members)},\"a\":1}".utf8))
            lines.append(Array("{\(members),\"k0\":1}".utf8))
        }
        for number in 0..<5_000 { lines.append(Array("{\"id\(number)\":{\"a\":1},\"a\":\(number)}".utf8)) }
        try Self.compare(lines, .plain)
    }

    /// Strings and numbers are searched many bytes at a time: each byte, and each end, at every place of a load.
    @Test func everyByteAtEveryPlace() throws {
        var lines: [[UInt8]] = []
        for place in 0..<17 {
            let before = Array("{\"s\":\"".utf8) + Array(repeating: 0x6B, count: place)
            for byte in UInt8.min...UInt8.max where byte != 0x0A {
                lines.append(before + [byte] + Array("k\",\"a\":1}".utf8))
            }
        }
        for place in 0..<70 {
            let plain = String(repeating: "k", count: place)
            for part in ["]}", "{[,:", "\\\\", "\\\"}", "\u{1F}", "\u{7F}", "é", "👩", "\\u00e9", "\\ud83d", "\"", ""] {
                lines.append(Array("{\"s\":\"\(plain)\(part)\",\"a\":\"\(plain)\(part)\"}".utf8))
                lines.append(Array("{\"s\":[\"\(plain)\(part)".utf8))
            }
            lines.append(Array("{\"s\":\"\(plain)".utf8) + [0xC3])
            lines.append(Array("{\"s\":\"\(plain)".utf8) + [0xE2, 0x82, 0x22, 0x7D])
        }
        for whole in 1..<36 {
            let digits = String(repeating: "7", count: whole)
            for end in ["", ",", "}", ".", ".}", "e", "e1", "-", "/", ":", " ", "\"", "é"] {
                lines.append(Array("{\"s\":\(digits)\(end),\"a\":-\(digits)}".utf8))
            }
            for fraction in 1..<19 {
                let number = digits + "." + String(repeating: "3", count: fraction)
                for end in ["", ".", "E"] { lines.append(Array("{\"s\":[\(number)\(end)],\"a\":1}".utf8)) }
            }
        }
        try Self.compare(lines, .plain)
    }

    @Test func randomLines() throws {
        var random = SplitMix(seed: 4)
        for _ in 0..<12 {
            var lines: [[UInt8]] = []
            for _ in 0..<100 {
                var line = Array(random.value(depth: 3, isRow: true).utf8)
                if random.below(2) == 0, !line.isEmpty {
                    for _ in 0...random.below(2) {
                        let at = random.below(line.count)
                        switch random.below(4) {
                        case 0: line[at] = UInt8(random.below(256))
                        case 1: line.remove(at: at)
                        case 2: line.insert(Array("{}[]\",:0e\\ \u{e9}".utf8)[random.below(13)], at: at)
                        default: line.removeSubrange(at...)
                        }
                        if line.isEmpty { break }
                    }
                }
                lines.append(line.map { $0 == 0x0A ? 0x20 : $0 })
            }
            for mode in [JSONMode.plain, .extended] { try Self.compare(lines, mode) }
        }
    }

    /// Both readers over the same lines, in small chunks and in one.
    private static func compare(_ lines: [[UInt8]], _ mode: JSONMode) throws {
        for (mark, chunk, ending) in [([UInt8](), 64, [UInt8]()), ([0xEF, 0xBB, 0xBF], 1 << 16, [0x0A])] {
            for reads in Self.reads {
                try compare(mark + lines.joined(separator: [0x0A]) + ending, lines, chunk, mode, reads)
            }
        }
    }

    private static func compare(
        _ bytes: [UInt8],
        _ lines: [[UInt8]],
        _ chunk: Int,
        _ mode: JSONMode,
        _ reads: [Read]
    ) throws {
        var paths = RowPaths()
        let keys = reads.map { paths.key(of: $0.path, for: $0.need) }
        var narrow = try JSONPathReader(stream(bytes, chunk), paths, layout: .lines, mode: mode)
        var wide = NDJSONReader(stream(bytes, chunk))
        var reader = JSONReader(mode: mode)
        while true {
            let expected = outcome { () throws(QueryError) -> (Document, [UInt8])? in
                try wide.next { (text, _) throws(QueryError) in
                    guard case .object(let row) = try reader.read(text) else {
                        throw QueryError(.json, "expected an object", range: 0..<1)
                    }
                    return (row, Array(text))
                }
            }
            let actual = outcome { () throws(QueryError) -> (Document, [UInt8])? in
                guard try narrow.next() else { return nil }
                return (narrow.row, try narrow.withText { Array($0) })
            }
            let text =
                wide.line > 0 && wide.line <= lines.count
                ? String(decoding: lines[wide.line - 1], as: UTF8.self) : ""
            switch (expected, actual) {
            case (.failure(let left), .failure(let right)):
                #expect(left.message == right.message && left.range == right.range, "\(text)")
            case (.success(nil), .success(nil)):
                #expect(wide.line == narrow.line)
                return try checkEnd(&narrow)
            case (.success((let row, let line)?), .success((let flat, let given)?)):
                #expect(line == given && wide.line == narrow.line && wide.offset == narrow.offset, "\(text)")
                for (key, read) in zip(keys, reads) {
                    var value: QueryValue? = .object(row)
                    for key in read.path { value = value?.following(key) }
                    #expect(read.need.isSame(flat[key], value), "\(read) of \(text)")
                }
            default:
                Issue.record("\(text): expected \(expected), got \(actual)")
                if case .success(nil) = expected { return }
                if case .success(nil) = actual { return }
            }
        }
    }

    private static func checkEnd(_ reader: inout JSONPathReader) throws {
        #expect(try !reader.next())
    }

    private static func outcome<Value>(_ body: () throws(QueryError) -> Value) -> Result<Value, QueryError> {
        Result { () throws(QueryError) in try body() }
    }

    private static func stream(_ bytes: [UInt8], _ chunk: Int) -> ByteStream {
        var rest = bytes[...]
        return ByteStream(chunk: chunk) { buffer throws(QueryError) in
            let part = rest.prefix(buffer.count)
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
    }
}

extension ListNeed {
    /// True if a program with this need cannot distinguish two values.
    fileprivate func isSame(_ left: QueryValue?, _ right: QueryValue?) -> Bool {
        guard case .list(let some) = left, case .list(let all) = right else { return left == right }
        return switch self {
        case .whole: some == all
        case .count: some.count == all.count
        case .members(let keys):
            some.count == all.count
                && keys.allSatisfy { key in zip(some, all).allSatisfy { $0.following(key) == $1.following(key) } }
                && zip(some, all).allSatisfy { $0.kind == $1.kind && ($0.kind == .object || $0 == $1) }
        }
    }
}

/// Random JSON from a fixed seed.
struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func value(depth: Int, isRow: Bool = false) -> String {
        switch isRow ? 0 : below(depth > 0 ? 9 : 7) {
        case 0 where depth > 0:
            let keys = ["a", "b", "o", "l", "x", "y", "z", "s", "é", "long key of a row", "\\u0061", "$date", "A"]
            var members: [String] = []
            for _ in 0..<below(6) {
                let key = keys[below(below(20) == 0 ? keys.count : keys.count - 3)]
                if below(10) > 0, members.contains(where: { $0.hasPrefix("\"\(key)\"") }) { continue }
                members.append("\"\(key)\"" + space() + ":" + space() + value(depth: depth - 1))
            }
            return "{" + space() + members.joined(separator: space() + "," + space()) + "}" + space()
        case 1,
            7 where depth > 0:
            return "[" + (0..<below(4)).map { _ in value(depth: depth - 1) }.joined(separator: ",") + space() + "]"
        case 2: return String(Int64(bitPattern: next()) >> Int64(below(64)))
        case 3: return ["1.5", "-0.0", "1e5", "2E-3", "123.456e+7", "0.1", "1e400"][below(below(20) == 0 ? 7 : 6)]
        case 4: return ["true", "false", "null"][below(3)]
        default:
            return [
                "\"\"", "\"plain\"", "\"é ü 日本\"", "\"a\\nb\"", "\"\\u00e9\\ud83d\\ude00\"",
                "\"longer than sixteen bytes\"", "\"" + String(repeating: "x]", count: below(40)) + "\\\"\"",
            ][below(7)]
        }
    }

    private mutating func space() -> String { ["", "", "", " ", "  ", "\t"][below(6)] }
}
