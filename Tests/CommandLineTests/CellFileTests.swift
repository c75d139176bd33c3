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
        let cut = try inFolder(["t.tsv": "s\n1\nx\n\"a\nb\"\n"], "pql run t.tsv --count")
        #expect(cut.output == "4\n" && cut.error.contains("t.tsv:4:1: a quotation mark that does not close"), "\(cut)")
    }

    @Test func cellsMayHoldNulBytes() throws {
        for command in ["pql run n.csv", "cat n.csv | pql run -"] {
            let found = try inFolder(["n.csv": "a,b\n1,x\0y\n2,z\n"], command + " 'a == 1'")
            #expect(found.output == "{\"a\":1,\"b\":\"x\\u0000y\"}\n" && found.status == 0, "\(command): \(found)")
        }
    }

    /// More than is read at once, so that cells are cut.
    @Test func openQuotesBetweenTabsAreReadInParts() throws {
        let rows = (0..<60_000).map { "\($0)\t\"Un\($0)\t\"a \"\"b\"\"\"\n" }.joined()
        let command = "pql run t.tsv \"t ENDSWITH '9' AND q == 'a \\\"b\\\"'\" --count"
        let found = try inFolder(["t.tsv": "n\tt\tq\n" + rows], command)
        #expect(found.output == "6000\n", "\(found)")
    }

    @Test func linesMayEndWithCarriageReturns() throws {
        let text = "id,n,s\r1,5,\"a\rb\"\r\r2,7,\"x,\"\"y\"\r"
        let rows = "{\"id\":1,\"n\":5,\"s\":\"a\\rb\"}\n{\"id\":2,\"n\":7,\"s\":\"x,\\\"y\"}\n"
        for command in [
            "pql run t.csv 'n > 3'", "cat t.csv | pql run -", "(printf 'id,'; tail -c +4 t.csv) | pql run -",
            "gzip t.csv; pql run t.csv.gz", "pql import t.csv --into t.db --table t 2> e; pql run t.db",
        ] {
            let found = try inFolder(["t.csv": text], command)
            #expect(found.output == rows && found.error.isEmpty, "\(command): \(found)")
        }
        let tabs = try inFolder(["t.tsv": "id\tn\r1\t\"5\" x\r2\t\"7\"\r"], "pql run t.tsv")
        #expect(tabs.output == "{\"id\":1,\"n\":\"\\\"5\\\" x\"}\n{\"id\":2,\"n\":\"7\"}\n", "\(tabs)")
        // A header alone, and carriage returns before line feeds, are as ever.
        let plain = [
            ("a,b\r", ""), ("a,b\r\n1,2\r\n", "{\"a\":1,\"b\":2}\n"), ("\"a\rb\"\n1\n", "{\"a\\rb\":1}\n"),
            ("\u{FEFF}\"a\rb\"\n1\n", "{\"a\\rb\":1}\n"),
        ]
        for (text, rows) in plain {
            let found = try inFolder(["t.csv": text], "pql run t.csv")
            #expect(found.output == rows && found.error.isEmpty, "\(text): \(found)")
        }
        let faults = [
            ("a,b\r1,2\n3,4\n", "t.csv:2:4: a line feed, but"), ("a,b\r1,\"2\"\n", "t.csv:2:6: a line feed, but"),
            ("a,b\r\r\n1,2\r\r\n", "t.csv:3:1: a line feed, but"),
            ("a,b\r1,2\r3\r", "t.csv:3:2: the record has 1 cell"),
        ]
        for (text, error) in faults {
            let found = try inFolder(["t.csv": text], "pql run t.csv")
            #expect(found.status == 65 && found.error.contains("error: " + error), "\(text): \(found)")
        }
        // More than the sample of standard input; the last record of that may be cut.
        let many = "a,b\r" + (0..<200_000).map { "\($0),-1\r" }.joined()
        let long = try inFolder(["t.csv": many], "cat t.csv | pql run - 'b == -1' --count; pql run t.csv --count")
        #expect(long.output == "200000\n200000\n" && long.error.isEmpty, "\(long)")
    }

    @Test func separatorsAreFoundInTheHeader() throws {
        let row = "{\"a\":1,\"b\":\"x\"}\n"
        let cases: [(name: String, text: String, rows: String)] = [
            ("t.csv", "a\tb\n1\tx\n", row), ("t.csv", "a|b\n1|x\n", row), ("t.csv", "a|b\n", ""),
            ("t.txt", "a|b\n1|x\n", row), ("t.txt", "a\tb\n1\tx\n", row), ("t.csv", "\u{FEFF}a\tb\r\n1\tx\r\n", row),
            ("t.csv", "a\tb\r1\tx\r", row), ("t.csv", "a;b\r1;x\r", row),
            ("t.csv", "a\tb, c\n1\tx\n", "{\"a\":1,\"b, c\":\"x\"}\n"),
            ("t.csv", "\"a\tc\",b\n1,x\n", "{\"a\\tc\":1,\"b\":\"x\"}\n"),
            ("t.csv", "\"a,c\";b\n1;x\n", "{\"a,c\":1,\"b\":\"x\"}\n"),
            ("t.csv", "a|c,b\n1,x\n", "{\"a|c\":1,\"b\":\"x\"}\n"),
            ("t.csv", "a|b\n1\n", "{\"a|b\":1}\n"), ("t.csv", "a;b\tc\n1;x\n", "{\"a\":1,\"b\\tc\":\"x\"}\n"),
            ("t.csv", "sep=;\na;b\n1;x\n", row), ("t.txt", "sep=\t\r\na\tb\r\n1\tx\r\n", row),
            ("t.csv", "\u{FEFF}SEP=^\r\na^b\r\n1^x\r\n", row), ("t.csv", "sep=,\ra,b\r1,x\r", row),
            ("t.tsv", "sep=,\na,b\n1,x\n", row), ("t.csv", "sep=\nx\n", "{\"sep=\":\"x\"}\n"),
            ("t.csv", "sep=x\ny\n", "{\"sep=x\":\"y\"}\n"), ("t.csv", "sep=;b\n1;x\n", "{\"sep=\":1,\"b\":\"x\"}\n"),
        ]
        for (name, text, rows) in cases {
            for command in ["pql run \(name)", "mv \(name) x.\(name); pql run x.\(name) x.\(name) --limit 1"] {
                let found = try inFolder([name: text], command)
                #expect(found.output == rows && found.error.isEmpty, "\(text): \(found)")
            }
        }
        let piped = try inFolder(["t.csv": "sep=;\na;b\n1;x\n"], "(printf se; tail -c +3 t.csv) | pql run -")
        #expect(piped.output == row, "\(piped)")
        // Lines are those of the file.
        let fault = try inFolder(["t.csv": "sep=;\na;b\n1\n"], "pql run t.csv")
        #expect(fault.error.contains("t.csv:3:2: the record has 1 cell"), "\(fault)")
        // Tables of Markdown are no cells.
        let table = try inFolder(["t.txt": "| a | b |\n|---|---|\n| 1 | 2 |\n"], "pql run t.txt")
        #expect(table.status == 65, "\(table)")
    }

    @Test func numbersMayLackTheirZero() throws {
        let found = try inFolder(["t.csv": "n,t\n.5,+3\n-.25,+49170\n7,+1\n"], "pql run t.csv 'n < 1'")
        #expect(found.output == "{\"n\":0.5,\"t\":\"+3\"}\n{\"n\":-0.25,\"t\":\"+49170\"}\n", "\(found)")
    }

    /// What a schema declares as text stays as it is written, in rows, groups and tables.
    @Test func declaredTextsStayTexts() throws {
        let files = [
            "s.csv": "zip,v\n12345,1.10\n00501,2\n12345,3\n",
            "s.json": #"{"properties":{"zip":{"type":"string"},"v":{"type":"string"}}}"#,
        ]
        for (command, output) in [
            ("pql run s.csv \"zip == '12345'\" --schema s.json --limit 1", "{\"zip\":\"12345\",\"v\":\"1.10\"}\n"),
            ("cat s.csv | pql run - \"v == '1.10'\" --schema s.json --count", "1\n"),
            ("pql run s.csv \"zip == '00501'\" --schema s.json -o csv", "zip,v\n00501,2\n"),
            (
                "pql run s.csv --schema s.json --group-by zip --compute count",
                "{\"zip\":\"00501\",\"count\":1}\n{\"zip\":\"12345\",\"count\":2}\n"
            ),
            (
                "pql import s.csv --into s.db --table s --schema s.json 2> e && pql run s.db \"v == '1.10'\"",
                "{\"zip\":\"12345\",\"v\":\"1.10\"}\n"
            ),
        ] {
            let found = try inFolder(files, command)
            #expect(found.output == output, "\(command): \(found)")
        }
    }

    /// Texts that CSV gives back as numbers are told once for each column; a column with other texts keeps its own.
    @Test func textsThatReadBackAsOthersAreNoted() throws {
        let rows = """
            {"a":"123","b":"true","c":"[1]","d":"7","e":9,"f":""}
            {"a":"5","b":"FALSE","c":"{}","d":"x","e":8,"f":"007"}

            """
        let found = try inFolder(["t.ndjson": rows], "pql run t.ndjson -o csv")
        #expect(found.output == "a,b,c,d,e,f\n123,true,[1],7,9,\"\"\n5,FALSE,{},x,8,007\n")
        let notes = found.error.split(separator: "\n").map { $0.prefix(40) }
        #expect(
            notes == [
                "the texts of a, such as `123`, read back", "the texts of b, such as `true`, read bac",
                "the texts of c, such as `[1]`, read back",
            ]
        )
        let plain = try inFolder(["t.ndjson": rows], "pql run t.ndjson -o markdown; pql run t.ndjson")
        #expect(plain.error.isEmpty, "\(plain)")
    }

    /// Rows of one field, some nil, come back from CSV as they were.
    @Test func singleFieldsComeBack() throws {
        let rows = "{\"x\":1}\n{\"x\":null}\n{\"x\":2}\n{\"x\":null}\n"
        for ending in ["csv", "tsv"] {
            let found = try inFolder(["t.ndjson": rows], "pql run t.ndjson -o t.\(ending) && pql run t.\(ending)")
            #expect(found.output == rows, "\(found)")
        }
    }

    /// Objects that some rows lack have columns for their fields alone.
    @Test func objectsThatAreNilComeBack() throws {
        let rows =
            #"{"id":1,"o":{"a":1,"p":null}}"# + "\n" + #"{"id":2,"o":null}"# + "\n" + #"{"id":3,"o":{"p":{"q":2}}}"#
            + "\n"
        for ending in ["csv", "tsv"] {
            let ask = "pql run t.ndjson -o t.\(ending) && pql run t.\(ending) -o csv"
            let found = try inFolder(["t.ndjson": rows + #"{"id":4,"o":{}}"# + "\n"], ask)
            #expect(found.output == "id,o.a,o.p.q\n1,1,\n2,,\n3,,2\n4,,\n", "\(found)")
            let mixed = try inFolder(["t.ndjson": rows + #"{"id":4,"o":7}"# + "\n"], "pql run t.ndjson -o \(ending)")
            #expect(mixed.error.hasPrefix("o holds objects and other values"), "\(mixed)")
        }
        let later = String(repeating: rows, count: 400) + #"{"id":4,"o":7}"#
        let late = try inFolder(["t.ndjson": later], "pql run t.ndjson -o csv > /dev/null")
        #expect(late.status == 65 && late.error.contains("a later row has the field o"), "\(late)")
    }

    /// What is wrong with a file, and what to do.
    @Test func wayOutOfFilesThatAreNotRead() throws {
        let files = [
            "one.txt": "x\n1\n", "zero.db": "\0\0\0\0\0\0\0\0\0", "list.json": #"{"items":[null,{"a":1}]}"#,
            "users.json": #"{"users":{"u":{"a":1},"v":{"a":2}}}"#,
            "nul.ndjson": #"{"l":[]}"# + "\n" + #"{"l":["a\u0000b"]}"#,
            "empty.csv": "a,,c\n1,2,3\n",
        ]
        for (command, status, message) in [
            ("cat one.txt | pql run -", 65, "hint: it is read as lines of JSON; for CSV of one column name the file"),
            ("(echo sep=,; cat one.txt) | pql run - --count", 0, ""),
            ("pql run zero.db", 65, "zero.db is no text, but"),
            ("pql run list.json --rows items", 65, "jq -c '.items[] | {value: .}'"),
            ("pql run users.json --rows users", 65, "jq '.users | to_entries | map({id: .key} + .value)' users.json"),
            ("pql import nul.ndjson --into n.db --table n", 65, "row 2: the field l is stored as JSON, which cannot"),
            ("pql run empty.csv", 0, "empty.csv:1:3: an empty heading, read as `column2`"),
        ] {
            let found = try inFolder(files, command)
            #expect(
                found.status == status && (message.isEmpty || found.error.contains(message)),
                "\(command): \(found)"
            )
        }
        let way = "jq '.users | to_entries | map({id: .key} + .value)' users.json | pql run - 'a == 2'"
        let found = try inFolder(files, "command -v jq > /dev/null || exit 99; " + way)
        if found.status != 99 { #expect(found.output == "{\"id\":\"v\",\"a\":2}\n", "\(found)") }
    }

    @Test func emptyTextsBetweenNumbersAreNil() throws {
        let text = "id,n,b,s,e\n\"1\",\"\",\"\",\"\",\"\"\n\"2\",\"5\",true,x,\n"
        let rows = """
            {"id":1,"n":null,"b":null,"s":"","e":""}
            {"id":2,"n":5,"b":true,"s":"x","e":null}

            """
        let notes = """
            t.csv:2:6: an empty text is read as nil, because its column has only numbers
            t.csv:2:9: an empty text is read as nil, because its column has only true and false

            """
        let found = try inFolder(["t.csv": text], "pql run t.csv; pql run t.csv 'n > 4 AND e == nil' --count 2> e")
        #expect(found.output == rows + "1\n" && found.error == notes, "\(found)")
        // A column of which standard input has shown no value so far.
        let late = "a,b\n" + String(repeating: ",\(String(repeating: "t", count: 100))\n", count: 12_000) + "\"\",x\n"
        let piped = try inFolder(["t.csv": late], "cat t.csv | pql run - --count")
        #expect(piped.status == 65 && piped.error.contains("`\"\"` in a column that was empty so far"), "\(piped)")
    }
}
