import Foundation
import Testing

/// CSV and TSV as other programs write them: quotes, line ends, separators, numbers.
@Suite(.enabled(if: Tool.executable != nil, "pql is built without its trait CLI")) struct CellFileTests {
    /// Runs shell commands in a folder with these files.
    private func inFolder(_ files: [String: String], _ command: String) throws -> Tool.Outcome {
        let folder = try Tool.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, content) in files {
            try Data(content.utf8).write(to: folder.appendingPathComponent(name))
        }
        return try Tool.shell("cd '\(folder.path)' && \(command)")
    }

    @Test func aQuoteBetweenTabsEndsInItsLine() throws {
        let open = "id\ttitle\n1\t\"Unclosed\n2\tplain\n3\tend\"\n4\tz\n"
        let cases: [(command: String, output: String)] = [
            ("pql run t.tsv --count", "4\n"), ("cat t.tsv | pql run - --count", "4\n"),
            ("mv t.tsv t.txt; pql run t.txt --count", "4\n"), ("pql run t.tsv t.tsv 'id < 3' --count", "4\n"),
            ("pql import t.tsv --into t.db --table t 2> e; pql run t.db --count", "4\n"),
            ("pql run t.tsv 'id == 3'", "{\"id\":3,\"title\":\"end\\\"\"}\n"),
        ]
        for (command, output) in cases {
            let found = try inFolder(["t.tsv": open], command)
            #expect(found.output == output && found.error.isEmpty, "\(command): \(found)")
        }
        let cells = [
            ("'Rome' is here", "'Rome' is here"), ("'Rome'", "Rome"), ("'a ", "'a "), ("'", "'"), ("''", ""),
            ("'a ''b'' c'", "a 'b' c"), ("'a\tb'", "a\\tb"), ("'a'b'c''", "'a'b'c''"), ("a 'b'", "a 'b'"),
            ("''a''", "''a''"), ("'''", "'''"), ("'a' ", "'a' "),
        ].map { cell, text in (cell.replacing("'", with: "\""), text.replacing("'", with: "\\\"")) }
        for (cell, text) in cells {
            for (end, last) in [("\n", ""), ("\r\n", ""), ("", ""), ("\tx\n", ",\"last\":\"x\"")] {
                let file = "id\ttitle\(last.isEmpty ? "" : "\tlast")\n1\t\(cell)\(end)"
                let found = try inFolder(["t.tsv": file], "pql run t.tsv")
                let row = "{\"id\":1,\"title\":\"\(text)\"\(last)}\n"
                #expect(found.output == row && found.error.isEmpty, "\(file): \(found)")
            }
        }
        let heading = try inFolder(["t.tsv": "\"id\tb\n1\t2\n"], "pql run t.tsv")
        #expect(heading.output == "{\"\\\"id\":1,\"b\":2}\n", "\(heading)")
        // A text with a line break is not read as another one.
        let broken = try inFolder(["t.ndjson": #"{"id":1,"s":"a\nb"}"#], "pql run t.ndjson -o t.tsv; pql run t.tsv")
        #expect(broken.status == 65 && broken.error.contains("write texts with line breaks as CSV"), "\(broken)")
    }

    /// More than is read at once, so that cells are cut.
    @Test func openQuotesBetweenTabsAreReadInParts() throws {
        let rows = (0..<60_000).map { "\($0)\t\"Un\($0)\t\"a \"\"b\"\"\"\n" }.joined()
        let command = "pql run t.tsv \"t ENDSWITH '9' AND q == 'a \\\"b\\\"'\" --count"
        let found = try inFolder(["t.tsv": "n\tt\tq\n" + rows], command)
        #expect(found.output == "6000\n", "\(found)")
    }
}
