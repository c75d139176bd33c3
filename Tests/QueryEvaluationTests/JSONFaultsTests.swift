import QueryEvaluation
import QueryTree
import QueryValues
import Testing

/// Hostile and unusual JSON rows: each is read correctly, or is an error with its row, line and offset.
@Suite("Faults in JSON rows") struct JSONFaultsTests {
    /// Queries that find a row by a key, by a count and below a list, so that rows are read by each path through the
    /// scanner.
    private static let queries = ["a == 1", "l.@count == 2", "ANY l.x == 1", "SUBQUERY(l, $e, $e.x == 1).@count == 1"]

    private func error(_ text: [UInt8], _ format: String, _ limits: Limits = .default) throws -> QueryError? {
        do {
            _ = try Query(parsing: format).count(in: JSONRows(text, limits: limits))
            return nil
        } catch {
            return error
        }
    }

    @Test("a malformed row is an error with its number, line and byte, for every layout")
    func places() throws {
        let sound = #"{"a":1,"l":[{"x":1},{"y":2}]}"#
        let faults: [(bytes: [UInt8], at: Int)] = [
            (Array(#"{"a":1,"s":tru}"#.utf8), 11), (Array(#"{"l":[{"x":1},]}"#.utf8), 14),
            (Array(#"{"l":[{"x":1,"x":2}]}"#.utf8), 13), (Array(#"{"a":1,"a":1}"#.utf8), 7),
            (Array(#"{"a":9223372036854775808}"#.utf8), 5), (Array(#"{"s":-1e999}"#.utf8), 5),
            (Array(#"{"a":01}"#.utf8), 6), (Array(#"{"s":"\ud800"}"#.utf8), 6),
            (Array(#"{"s":""#.utf8) + [0xC3, 0x28] + Array("\"}".utf8), 6), (Array("7".utf8), 0),
        ]
        for (fault, at) in faults {
            let before = Array(sound.utf8) + [0x0A, 0x0D, 0x0A]
            let offset = before.count + at
            for format in Self.queries {
                let lines = try error(before + fault + Array("\n{\"a\":1}".utf8), format)
                let text = "\(String(decoding: fault, as: UTF8.self)), \(format): \(String(describing: lines?.message))"
                #expect(lines?.code == .json && lines?.message.hasPrefix("documents[1]: ") == true, "\(text)")
                #expect(lines?.message.hasSuffix("(line 3, byte offset \(offset))") == true, "\(text)")
                #expect(lines?.path?.hasPrefix("documents[1]") == true, "\(text)")
                let list = try error([0x5B] + Array(sound.utf8) + [0x2C, 0x0A] + fault + Array("]".utf8), format)
                #expect(list?.message.hasPrefix("documents[1]: ") == true, "\(text)")
                #expect(
                    list?.message.hasSuffix("(line 2, byte offset \(offset))") == true,
                    "\(text), \(list?.message ?? "")"
                )
            }
            let grouping = try Query(format: "a == 1").grouped(computing: [.count])
            let grouped = #expect(throws: QueryError.self) {
                try grouping.results(in: JSONRows(before + fault))
            }
            #expect(grouped?.message.hasPrefix("documents[1]: ") == true)
        }
    }

    @Test("a truncated text is an error, whether or not a line end or the list's end is missing")
    func truncated() throws {
        let row = Array(#"{"a":1,"l":[{"x":1},{"x":2}]}"#.utf8)
        for length in 1..<row.count {
            for format in Self.queries {
                #expect(try error(row + [0x0A] + row[..<length], format)?.code == .json, "\(length) of \(format)")
                #expect(try error([0x5B] + row + [0x2C] + row[..<length], format)?.code == .json, "\(length)")
            }
        }
        for format in Self.queries {
            #expect(try Query(parsing: format).count(in: JSONRows(row + [0x0A] + row)) == 2)
            #expect(try error([0x5B] + row, format)?.code == .json)
        }
    }

    @Test("byte order mark, CRLF, blank lines and an unterminated last line are not faults")
    func lineEnds() throws {
        let rows = ["{\"a\":1,\"l\":[{\"x\":1},{}]}", " {\"a\" : 1 , \"l\" : [ { \"x\" : 1 } , 2 ] } "]
        for mark in ["", "\u{FEFF}"] {
            for end in ["\n", "\r\n", "\n\n", "\r\n \t\r\n"] {
                for last in ["", "\n", "\r\n", "\n\n", "\n  "] {
                    for format in Self.queries {
                        let text = mark + rows.joined(separator: end) + last
                        #expect(try Query(parsing: format).count(in: JSONRows(text)) == 2, "\(text.debugDescription)")
                    }
                }
            }
        }
    }

    @Test("a row longer than the limit is an error with its number and offset, and nothing after it is read")
    func longRows() throws {
        var limits = Limits.default
        limits.rowBytes = 20
        for filler in [1, 12, 13, 200, 1_000_000] {
            // Without its letters and its line end a row has 8 bytes.
            let row = "{\"a\":\"" + String(repeating: "x", count: filler) + "\"}"
            for (text, offset) in [("{\"a\":1}\n\(row)\n{}", 8), ("[{\"a\":1},\(row)]", 9)] {
                let error = try error(Array(text.utf8), "a == 1", limits)
                if filler <= 12 {
                    #expect(error == nil, "\(filler)")
                } else {
                    #expect(error?.code == .limit && error?.range == offset..<offset, "\(filler)")
                    #expect(error?.path == "documents[1]" && error?.message.contains("more than 20 bytes") == true)
                }
            }
        }
        var run = try Query(format: "TRUEPREDICATE").run(
            over: JSONRows("{}\n{\"a\":\"twenty bytes of text\"}\n{}", limits: limits)
        )
        #expect(try run.next() != nil)
        #expect(throws: QueryError.self) { try run.next() }
        #expect(try run.next() == nil)
    }

    @Test("an order without a limit keeps no more rows than Limits.sortedRows; with one it keeps those of the limit")
    func sortedRows() throws {
        let text = (0..<100).map { "{\"a\":\(99 - $0)}" }.joined(separator: "\n")
        var limits = Limits.default
        limits.sortedRows = 10
        let rows = JSONRows(text, limits: limits)
        let error = #expect(throws: QueryError.self) {
            try Query(format: "a >= 0", order: ["a"]).results(in: rows)
        }
        #expect(error?.code == .limit)
        #expect(try Query(format: "a < 10", order: ["a"]).results(in: rows).count == 10)
        let top = try Query(format: "a >= 0", order: ["a"], skip: 2, limit: 3).results(in: rows)
        #expect(top == [["a": 2], ["a": 3], ["a": 4]])
    }

    @Test("a stream of any length keeps one chunk in memory", arguments: ["a == 1", "ANY l.x == 7", "l.@count > 3"])
    func memory(format: String) throws {
        let row = Array(#"{"a":1,"l":[{"x":1},{"x":2}],"s":"some text that is skipped"}"#.utf8) + [0x0A]
        let chunk = Array(repeating: row, count: 100).flatMap { $0 }
        var left = 1_000
        var rest = chunk[...]
        let stream = ByteStream(chunk: 1 << 16) { buffer throws(QueryError) in
            if rest.isEmpty {
                left -= 1
                if left == 0 { return 0 }
                rest = chunk[...]
            }
            let part = rest.prefix(buffer.count)
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
        var run = try Query(parsing: format).run(over: JSONRows(extended: false) { () throws(QueryError) in stream })
        while try run.advance() {}
        #expect(run.count == 100_000 && run.heldBytes <= 2 << 16)
    }
}
