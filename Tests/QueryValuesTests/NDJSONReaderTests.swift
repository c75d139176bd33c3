import Testing

@testable import QueryValues

struct NDJSONReaderTests {
    /// Returns at most five bytes at a time, because short reads are common for pipes.
    private func stream(of text: String, chunk: Int) -> ByteStream {
        var rest = Array(text.utf8)[...]
        return ByteStream(chunk: chunk) { buffer throws(QueryError) in
            let part = rest.prefix(max(1, min(buffer.count, 5)))
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
    }

    private func lines(of text: String, chunk: Int) throws -> [String] {
        var reader = NDJSONReader(stream(of: text, chunk: chunk))
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
        var reader = NDJSONReader(ByteStream(bytes: Array("{\"a\":1}\nbad\n{\"a\":2}".utf8)))
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

    private func elements(of text: String, chunk: Int) throws -> [String] {
        var reader = JSONArrayReader(stream(of: text, chunk: chunk))
        var elements: [String] = []
        while let text = try reader.next({ bytes, index in "\(index):" + String(decoding: bytes, as: UTF8.self) }) {
            elements.append(text + "@\(reader.line):\(reader.offset)")
        }
        return elements
    }

    @Test func takesListsApart() throws {
        let table: [(text: String, elements: [String])] = [
            ("[]", []), (" \n[ \n ] \n", []), ("[1]", ["0:1@1:1"]), ("\u{FEFF}[1 ,\n 2]", ["0:1 @1:4", "1:2@2:9"]),
            (
                #"[{"a":[1,"]",{"b":"\"}"}]},"x,\\",[[],{}]]"#,
                [#"0:{"a":[1,"]",{"b":"\"}"}]}@1:1"#, #"1:"x,\\"@1:27"#, "2:[[],{}]@1:34"]
            ),
            ("[1,]", ["0:1@1:1", "1:@1:3"]), ("[,1]", ["0:@1:1", "1:1@1:2"]),
        ]
        for (text, elements) in table {
            for chunk in [16, 64, 100_000] {
                #expect(try self.elements(of: text, chunk: chunk) == elements, "\(text) in chunks of \(chunk)")
            }
        }
        let faults: [(text: String, at: Int)] = [
            ("", 0), ("  {}", 2), ("[", 1), ("[1,2", 3), ("[\"a]", 1), ("[\"a\\", 1), ("[1]]", 3), ("[] x", 3),
            ("[{}},1]", 3), ("[1}", 2),
        ]
        for (text, at) in faults {
            let error = #expect(throws: QueryError.self, "\(text)") { try elements(of: text, chunk: 16) }
            #expect(error?.range == at..<at, "\(text): \(String(describing: error))")
        }
    }
}
