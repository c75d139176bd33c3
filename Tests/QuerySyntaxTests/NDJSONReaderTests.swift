import Testing

@testable import QuerySyntax

struct NDJSONReaderTests {
    private func lines(of text: String, chunk: Int) throws -> [String] {
        var rest = Array(text.utf8)[...]
        var reader = NDJSONReader(chunk: chunk) { buffer throws(QueryError) in
            // Short reads are the rule for pipes.
            let part = rest.prefix(max(1, min(buffer.count, 5)))
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
        var lines: [String] = []
        while let line = try reader.next({ "\($1):" + String(decoding: $0, as: UTF8.self) }) { lines.append(line) }
        return lines
    }

    @Test func splitsAnywhere() throws {
        let long = String(repeating: "x", count: 1_000)
        let table: [(text: String, lines: [String])] = [
            ("", []), ("\n\n \t\r\n", []), ("a", ["1:a"]), ("a\n", ["1:a"]), ("a\r\nb\r\n", ["1:a", "2:b"]),
            ("\n\na\n\nb", ["3:a", "5:b"]),
            ("\u{FEFF}a\nb", ["1:a", "2:b"]), ("\(long)\n\(long)y\nz", ["1:\(long)", "2:\(long)y", "3:z"]),
            (" a \n", ["1: a "]),
        ]
        for (text, lines) in table {
            for chunk in [16, 17, 64, 100_000] {
                #expect(try self.lines(of: text, chunk: chunk) == lines, "\(text.prefix(20)) in chunks of \(chunk)")
            }
        }
    }

    @Test func goesOnAfterABadLine() throws {
        var reader = NDJSONReader(bytes: Array("{\"a\":1}\nbad\n{\"a\":2}".utf8))
        var json = JSONReader()
        var read: [String] = []
        var isDone = false
        while !isDone {
            do {
                let value = try reader.next { line, number throws(QueryError) in
                    try json.read(line, path: "line \(number)")
                }
                if let value { read.append(value.json) } else { isDone = true }
            } catch {
                read.append(error.path ?? "")
            }
        }
        #expect(read == ["{\"a\":1}", "line 2", "{\"a\":2}"])
    }
}
