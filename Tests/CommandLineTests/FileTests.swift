import Foundation
import Testing

/// Several files, patterns, CSV, TSV and gzip as input.
@Suite(.enabled(if: Tool.executable != nil, "pql is built without its trait CLI")) struct FileTests {
    /// Runs shell commands in a folder with these files.
    private func inFolder(_ files: [String: String], _ command: String) throws -> Tool.Outcome {
        let folder = try Tool.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, content) in files {
            try Data(content.utf8).write(to: folder.appendingPathComponent(name))
        }
        return try Tool.shell("cd '\(folder.path)' && \(command)")
    }

    private static let three = [
        "a.ndjson": "{\"n\":1}\n{\"n\":2}", "b.json": "[{\"n\":3},\n {\"n\":4}]", "c.csv": "n,s\r\n5,x\r\n",
        "d.ndjson": "\u{FEFF}{\"n\":6}\n",
    ]

    @Test func rowsMayBeAListInOneObject() throws {
        let files = [
            "g.json": #"{"type":"F","features":[{"p":{"n":1}},"# + "\n" + #"{"p":{"n":2}}]}"#,
            "d.json": "{\n \"data\": [\n  {\"a\":1},\n  {\"a\":2}\n ],\n \"next\": null\n}\n",
            "e.json": #"{"data":[{"a":1},{"a":x}]}"#, "s.json": #"{"Person":[{"a":1}],"Dog":[]}"#,
        ]
        let cases: [(command: String, output: String, error: String)] = [
            ("pql run g.json --rows features 'p.n > 1'", "{\"p\":{\"n\":2}}\n", ""),
            ("cat d.json | pql run - --rows data --count", "2\n", ""),
            ("gzip d.json; pql run d.json.gz --rows data 'a == 2'", "{\"a\":2}\n", ""),
            ("pql run d.json e.json --rows data 'a == 1' --limit 2", "{\"a\":1}\n{\"a\":1}\n", ""),
            ("pql import d.json --rows data --into t.db --table t; pql run t.db --count", "2\n", "2 rows in t\n"),
            (
                "pql import s.json --into s.db --table t", "",
                "1 row in t\ns.json is one row; did you mean --rows Person?\n"
            ),
            ("pql run g.json 'p.n > 1'", "", "g.json: no row has a field p.n; did you mean --rows features?\n"),
            ("pql run d.json 'a > 1'", "", "d.json: no row has a field a; did you mean --rows data?\n"),
            (
                "pql run d.json --rows next", "",
                "error: d.json has no list at next\nhint: objects by their keys become a list by "
                    + "jq '.next | to_entries | map({id: .key} + .value)' d.json | pql …, with - for the file\n"
            ),
        ]
        for (command, output, error) in cases {
            let found = try inFolder(files, command)
            #expect(found.output == output && found.error == error, "\(command): \(found)")
        }
        let broken = try inFolder(files, "pql run e.json --rows data")
        #expect(broken.status == 65 && broken.error.contains("e.json"), "\(broken)")
    }

    /// `pql fields` tells kinds, how many rows have a field, and its commonest values.
    @Test func fieldsOfRowsAreShown() throws {
        let rows =
            #"{"a":1,"s":"x","o":{"k":true},"l":["u","v"],"i":[{"p":1},{"q":null},{"p":2}]}"# + "\n"
            + #"{"a":"t","s":"","l":[],"b c":null}"# + "\n" + #"{"a":1,"s":"x","l":["u"]}"# + "\n"
        let expected = [
            #"{"field":"a","kinds":"number, string","rows":3,"missing":0,"distinct":2,"common":"1 (2), t (1)"}"#,
            #"{"field":"s","kinds":"string","rows":3,"missing":0,"distinct":2,"common":"x (2), \"\" (1)"}"#,
            #"{"field":"o","kinds":"object","rows":1,"missing":2,"distinct":null,"common":""}"#,
            #"{"field":"o.k","kinds":"bool","rows":1,"missing":0,"distinct":1,"common":"true (1)"}"#,
            #"{"field":"l","kinds":"list of string","rows":3,"missing":0,"distinct":2,"common":"u (2), v (1)"}"#,
            #"{"field":"i","kinds":"list of object","rows":1,"missing":2,"distinct":null,"common":""}"#,
            #"{"field":"i.p","kinds":"number","rows":2,"missing":1,"distinct":2,"common":"1 (1), 2 (1)"}"#,
            #"{"field":"i.q","kinds":"null","rows":0,"missing":3,"distinct":null,"common":""}"#,
        ]
        let found = try Tool.pql("fields", "-", "-o", "ndjson", input: rows)
        #expect(found.status == 0 && found.lines.count == 9, "\(found)")
        for (line, other) in zip(found.lines, expected) { #expect(line == other) }
        let none = try Tool.pql("fields", "-", "--values", "0", "-o", "ndjson", input: rows)
        #expect(
            none.lines.first == #"{"field":"a","kinds":"number, string","rows":3,"missing":0,"distinct":2,"common":""}"#
        )
        let many = (0..<1_500).map { #"{"n":\#($0)}"# }.joined(separator: "\n")
        #expect(
            try Tool.pql("fields", "-", input: many).output.contains(#""rows":1500,"missing":0,"distinct":"over 1000""#)
        )
        let geo = ["g.json": #"{"features":[{"n":1}]}"#]
        #expect(
            try inFolder(geo, "pql fields g.json --rows features").output.hasPrefix(#"{"field":"n","kinds":"number""#)
        )
        let table = "pql import a.ndjson --into t.db --table t && pql fields t.db -o tsv"
        #expect(try inFolder(Self.three, table).output.hasPrefix("field\tkinds\trows"))
    }

    @Test func severalFilesAreReadInOrder() throws {
        let cases: [(command: String, output: String)] = [
            ("pql run a.ndjson b.json 'n > 1'", "{\"n\":2}\n{\"n\":3}\n{\"n\":4}\n"),
            ("pql run b.json a.ndjson", "{\"n\":3}\n{\"n\":4}\n{\"n\":1}\n{\"n\":2}\n"),
            ("pql run '*.ndjson' b.json --count", "5\n"),
            ("pql run '[a-c].*' 'n > 1' --sort -n --limit 2 --fields n", "{\"n\":5}\n{\"n\":4}\n"),
            ("pql run '*.ndjson' c.csv --compute sum:n", "{\"sum_n\":14}\n"),
            ("cat d.ndjson | pql run a.ndjson - 'n != 1'", "{\"n\":2}\n{\"n\":6}\n"),
            ("pql run a.ndjson b.json --mongo '{\"n\":4}'", "{\"n\":4}\n"),
            ("pql import '[ab].*' --into t.sqlite --table t && pql run t.sqlite --count", "4\n"),
        ]
        for (command, output) in cases {
            let found = try inFolder(Self.three, command)
            #expect(found.output == output && found.status == 0, "\(command): \(found)")
        }
        // Objects over several lines, and several on one, alone and among others.
        let spread = [
            "p.json": "{\n  \"n\": 7,\n  \"o\": {\"k\": [\n 1]}\n}\n{\n  \"n\": 8\n}\n",
            "q.json": "{\"n\":9}{\"n\":10}\n",
            "bad.json": "{\n  \"n\": 1\n}\n{\n  \"n\": x\n}\n",
        ]
        let objects: [(command: String, output: String)] = [
            ("pql run p.json 'o.k[0] == 1'", "{\"n\":7,\"o\":{\"k\":[1]}}\n"),
            ("pql run '[pq].json' 'n > 7' --count", "3\n"),
            ("cat p.json q.json | pql run - --compute sum:n", "{\"sum_n\":34}\n"),
            ("pql run q.json p.json 'n > 8' --sort -n --fields n", "{\"n\":10}\n{\"n\":9}\n"),
            ("pql run bad.json --skip-invalid 2>/dev/null", "{\"n\":1}\n"),
            ("pql import p.json --into t.sqlite --table t && pql run t.sqlite --count", "2\n"),
        ]
        for (command, output) in objects {
            let found = try inFolder(spread, command)
            #expect(found.output == output && found.status == 0, "\(command): \(found)")
        }
        let bad = try inFolder(spread, "pql run bad.json")
        #expect(bad.status == 65 && bad.error.contains("bad.json, object 2, from line 4: expected a value"), "\(bad)")
        // A star in a predicate is no pattern of files.
        let like = try inFolder(Self.three, "pql run c.csv \"s LIKE 'x*'\" --count")
        #expect(like.output == "1\n", "\(like)")
    }

    /// Five megabytes, which all cores count: the same numbers, notes and errors as on one core.
    @Test func largeFilesAreCountedAsSmallOnesAre() throws {
        let row = #"{"n":7,"name":"\#(String(repeating: "x", count: 40))"}"# + "\n"
        let whole = String(repeating: row, count: 100_000) + #"{"n":8}"#
        let files = ["w.ndjson": whole, "m.ndjson": whole + "\n{\"n\":}\n{\"n\":9}\n", "s.ndjson": "{\"n\":7}\n"]
        let cases: [(command: String, output: String, error: String)] = [
            ("pql run w.ndjson 'n >= 7' --count", "100001\n", ""),
            ("pql run w.ndjson 'n > 7' --count", "1\n", ""),
            ("pql run w.ndjson s.ndjson 'n == 7' --skip 1 --sort n --count", "100000\n", ""),
            ("pql run w.ndjson --count --limit 3", "3\n", ""),
            ("pql run w.ndjson 'nam == 1' --count", "0\n", "w.ndjson: no row has a field nam; did you mean name?\n"),
            (
                "pql run w.ndjson 'name CONTAINS[cd] zoe' --count", "0\n",
                "w.ndjson: no row has a field zoe; write 'zoe' for a text\n"
            ),
            ("pql run m.ndjson --count", "", "m.ndjson:100002:6: expected a value"),
            ("pql run m.ndjson --count --skip-invalid", "100002\n", "m.ndjson: skipped 1 malformed row\n"),
            ("gzip -k m.ndjson; pql run m.ndjson.gz s.ndjson --count", "", "m.ndjson.gz:100002:6: "),
            ("gzip -k w.ndjson; pql run w.ndjson.gz s.ndjson 'n == 8' --count", "1\n", ""),
        ]
        for (command, output, error) in cases {
            let found = try inFolder(files, command)
            let isSame = error.hasSuffix("\n") || error.isEmpty ? found.error == error : found.error.contains(error)
            #expect(found.output == output && isSame, "\(command): \(found)")
        }
    }

    /// Files that all cores read give the bytes that one core makes of the same text from a pipe, also before an error.
    @Test func largeFilesAreWrittenAsSmallOnesAre() throws {
        let note = String(repeating: "x", count: 400)
        let rows = (0..<11_000).map { number in
            let tags = number % 3 == 0 ? #"["a","b, c"]"# : "null"
            return #"{"n":\#(number % 97),"o":{"s":"a \"\#(number % 7)\"","":{}},"t":\#(tags),"note":"\#(note)"}"#
        }
        var (malformed, late) = (rows, rows)
        malformed[9_000] = #"{"n":}"#
        late[9_000] = #"{"n":1,"late":2}"#
        var records = (0..<11_000).map { "\($0 % 97),\"a \"\"\($0 % 7)\"\"\n,\",\(note)" }
        records[9_000] = "1,2"
        let lists = ["w": rows, "m": malformed, "l": late, "c": ["n,s,note"] + records]
        let files = lists.mapValues { $0.joined(separator: "\n") }
        let cases: [(command: String, status: Int32)] = [
            ("run w 'n < 5' -o ndjson", 0), ("run w 'n < 5' -o json", 0), ("run w 'n > 97' -o json", 0),
            ("run w 'n < 5' -o csv", 0), ("run w 'n < 3 ' -o markdown", 0), ("run w --fields 'o.s,m=n*2' -o tsv", 0),
            ("run w 'n < 5' --skip 3 --limit 9", 0), ("run m 'n < 5'", 65), ("run m 'n < 5' -o csv", 65),
            ("run m 'n < 5' -o csv --skip-invalid", 0), ("run l 'n < 50' -o csv", 65),
            ("run w --group-by t --compute 'sum:n,first:o.s'", 0), ("run m --group-by n", 65),
            ("run m --group-by n --skip-invalid", 0), ("fields w -o json", 0), ("fields m --skip-invalid", 0),
            ("run c 'n < 5'", 65),
            ("run c 'n < 5' --skip-invalid", 0), ("run c 'n < 5' --skip-invalid --count", 0),
            ("run c --skip-invalid --group-by s", 0), ("fields c --skip-invalid -o csv", 0),
        ]
        for (command, status) in cases {
            let words = command.split(separator: " ", maxSplits: 2)
            let rest = words.count > 2 ? String(words[2]) : ""
            let found = try inFolder(files, "pql \(words[0]) \(words[1]) \(rest)")
            let expected = try inFolder(files, "cat \(words[1]) | pql \(words[0]) - \(rest)")
            #expect(
                found.output == expected.output && (status != 0 || !found.output.isEmpty),
                "\(command): \(found.error)"
            )
            #expect(found.status == status && expected.status == status, "\(command): \(found.status), \(expected)")
        }
        let gone = try inFolder(files, "pql run w 'n < 50' | head -n 2 | wc -l")
        #expect(gone.output == "2\n" && gone.error.isEmpty, "\(gone)")
    }

    @Test func missingFilesAreNamedBeforeWork() throws {
        let none = try inFolder(Self.three, "pql run 'x/*.ndjson' 'n > 1'")
        #expect(none.status == 66 && none.error == "error: no file matches x/*.ndjson\n", "\(none)")
        let missing = try inFolder(Self.three, "pql run a.ndjson x.ndjson 'n > 1'")
        #expect(missing.status == 66 && missing.output.isEmpty && missing.error.contains("x.ndjson"), "\(missing)")
        for command in ["cat a.ndjson | pql run 'n > 1'", "pql run 'n > 1' a.ndjson"] {
            let other = try inFolder(Self.three, command)
            let isTold = other.error.hasPrefix(
                "error: there is no file n > 1\nhint: the predicate is the last argument"
            )
            #expect(other.status == 66 && isTold, "\(command): \(other)")
        }
        let database = try inFolder(
            Self.three,
            "pql import a.ndjson --into t.sqlite --table t && pql run t.sqlite a.ndjson"
        )
        #expect(database.status == 64 && database.error.contains("is queried by itself"), "\(database)")
    }

    @Test func errorsNameTheFileAmongSeveral() throws {
        let files = Self.three.merging(["x.ndjson": "{\"n\":1}\n{\"n\":x}\n", "y.json": "[{\"n\":1},{\"n\":x}]"]) {
            a,
            _ in a
        }
        let cases = [
            "x.ndjson": "error: x.ndjson:2:6: ", "y.json": "error: y.json, element 2: ",
        ]
        for (file, error) in cases {
            let found = try inFolder(files, "pql run a.ndjson \(file)")
            #expect(found.status == 65 && found.error.hasPrefix(error), "\(file): \(found)")
            #expect(found.output == "{\"n\":1}\n{\"n\":2}\n{\"n\":1}\n", "\(file): \(found)")
            let lenient = try inFolder(files, "pql run a.ndjson \(file) b.json --skip-invalid --count")
            #expect(lenient.output == "5\n" && lenient.error.contains("skipped 1 malformed row"), "\(lenient)")
        }
    }

    @Test func columnsHaveTypes() throws {
        let rows =
            "\u{FEFF}zip,n,ok,day,note,l,gone\r\n02134,1.5,TRUE,2024-01-01,\"a, \"\"b\"\"\nc\",[1],\r\n10001,-2,false,,\"\",,\r\n"
        let expected = """
            {"zip":"02134","n":1.5,"ok":true,"day":"2024-01-01","note":"a, \\"b\\"\\nc","l":[1],"gone":null}
            {"zip":"10001","n":-2,"ok":false,"day":null,"note":"","l":null,"gone":null}

            """
        for command in ["pql run t.csv", "pql run - < t.csv", "cat t.csv | pql run -", "mv t.csv t && pql run t"] {
            let found = try inFolder(["t.csv": rows], command)
            #expect(found.output == expected && found.error.isEmpty, "\(command): \(found)")
        }
        let found = try inFolder(
            ["t.csv": rows],
            "pql run t.csv 'n < 0 AND ok == FALSE AND day == nil' --fields zip -o csv"
        )
        #expect(found.output == "zip\n10001\n", "\(found)")
        for (name, sign) in [("t.tsv", "\t"), ("t.csv", ";")] {
            let text = "name\(sign)age\nAnn, B\(sign)3\n\nBob\(sign)12\n"
            let found = try inFolder([name: text], "pql run \(name) 'age > 5 OR name == \"Ann, B\"' --sort -age")
            #expect(found.output == "{\"name\":\"Bob\",\"age\":12}\n{\"name\":\"Ann, B\",\"age\":3}\n", "\(found)")
        }
        // A later value makes a column text, wherever it is; standard input has told its kinds after the first mebibyte.
        let many = String(repeating: "1,\(String(repeating: "t", count: 100))\n", count: 12_000)
        let late = try inFolder(
            ["t.csv": "a,b\n" + many + "x,2\n"],
            "pql run t.csv \"a == '1'\" --count; cat t.csv | pql run -"
        )
        #expect(late.lines.first == "12000", "\(late.error)")
        #expect(late.status == 65 && late.error.contains("standard input:12002:1: `x` in a column"), "\(late.error)")
        // One column has no separator by which it could be told; the name of a file tells it.
        #expect(try inFolder(["t.csv": "a\n1\n"], "pql run t.csv").output == "{\"a\":1}\n")
    }

    @Test func nestedColumnsAreNamedByPath() throws {
        let text = "id,address.city,address.zip,tags\n1,Rome,00100,\"[\"\"a\"\"]\"\n2,Oslo,,[]\n"
        let rows = """
            {"id":1,"address":{"city":"Rome","zip":"00100"},"tags":["a"]}
            {"id":2,"address":{"city":"Oslo","zip":null},"tags":[]}

            """
        let read = try inFolder(["t.csv": text], "pql run t.csv")
        #expect(read.output == rows, "\(read)")
        let written = try inFolder(["t.ndjson": rows], "pql run t.ndjson -o csv")
        #expect(written.output == text, "\(written)")
        let one = try inFolder(
            ["t.ndjson": rows],
            "pql run t.ndjson \"address.city == 'Oslo'\" --fields address.city,id -o tsv"
        )
        #expect(one.output == "address.city\tid\nOslo\t2\n", "\(one)")
        let dotted = try inFolder(["t.ndjson": "{\"a.b\":1,\"a\":{\"b\":2}}\n"], "pql run t.ndjson -o csv")
        #expect(dotted.status == 65 && dotted.error.contains("would be the column a.b"), "\(dotted)")
    }

    @Test func faultyCellsAreToldWithTheirPlace() throws {
        let cases: [(text: String, error: String)] = [
            ("a,b\n1,2\n3\n", "t.csv:3:2: the record has 1 cell, the header 2"),
            ("a,b\n1,2\n3,\"4\n5\",6\n", "t.csv:4:4: the record has 3 cells, the header 2"),
            ("a,b\n1,\"x\ny\" z\n", "t.csv:3:3: text after a closing quotation mark"),
            ("a,b\n1,\"x\n", "t.csv:2:3: the quotation mark is not closed"),
            ("a,b,a\n1,2,3\n", "t.csv:1:5: two columns have the heading `a`"),
            ("a.b,a\n1,2\n", "t.csv:1:5: an earlier heading extends `a`"),
            ("a,a.b\n1,2\n", "t.csv:1:3: the heading `a.b` extends an earlier heading"),
        ]
        for (text, error) in cases {
            let found = try inFolder(["t.csv": text], "pql run t.csv -o out.csv; echo $?; ls")
            #expect(found.output == "65\nt.csv\n" && found.error.contains("error: " + error), "\(found)")
        }
        let lenient = try inFolder(["t.csv": cases[0].text], "pql run t.csv --skip-invalid")
        #expect(
            lenient.output == "{\"a\":1,\"b\":2}\n" && lenient.error.contains("skipped 1 malformed row"),
            "\(lenient)"
        )
        let latin = try inFolder([:], "printf 'a\\nM\\374nchen\\n' > t.csv; pql run t.csv")
        #expect(latin.status == 65 && latin.error.contains("t.csv:2:1: the cell is not UTF-8 text"), "\(latin)")
        let wide = try inFolder(
            [:],
            "printf 'a\\000,\\000b\\000\\n\\0001\\000' > t.csv; pql run t.csv -o out.csv; echo $?; ls"
        )
        #expect(wide.output == "65\nt.csv\n" && wide.error.contains("t.csv is in UTF-16LE"), "\(wide)")
        // Every value decides the type of its column, and the one that makes it text is told once.
        for command in ["run t.csv", "import t.csv --into t.sqlite --table t", "fields t.csv", "run t.csv --count"] {
            let mixed = try inFolder(["t.csv": "a,b\n1,x\n,7\n\"\nz\",8\n"], "pql \(command)")
            #expect(mixed.status == 0 && mixed.error.components(separatedBy: "makes a column").count == 2, "\(mixed)")
            let note = "t.csv:4:2: ` z` makes a column text that was numbers so far\n"
            #expect(mixed.error.contains(note), "\(mixed)")
        }
    }

    @Test func gzipIsUnpacked() throws {
        let pack = "gzip -k a.ndjson c.csv && cp a.ndjson.gz a.data"
        let cases: [(command: String, output: String)] = [
            ("pql run a.ndjson.gz 'n > 1'", "{\"n\":2}\n"), ("pql run a.data --count", "2\n"),
            ("cat c.csv.gz | pql run - 'n > 1'", "{\"n\":5,\"s\":\"x\"}\n"), ("pql run - --count < a.data", "2\n"),
            ("pql run '*.gz' --compute sum:n", "{\"sum_n\":8}\n"),
            ("pql import c.csv.gz --into t.sqlite --table t && pql run t.sqlite", "{\"n\":5,\"s\":\"x\"}\n"),
        ]
        for (command, output) in cases {
            let found = try inFolder(Self.three, "\(pack) && \(command)")
            #expect(found.output == output && found.status == 0, "\(command): \(found)")
        }
        let junk = "printf '\\037\\213junk and more junk' > x.gz; pql run x.gz -o out.csv; echo $?; ls out* .out*"
        let broken = try inFolder([:], junk)
        #expect(broken.output == "65\n", "\(broken)")
        #expect(broken.error.hasPrefix("error: x.gz: the gzip data is broken: "), "\(broken)")
        let without = try inFolder(Self.three, "\(pack); PATH=/nowhere; pql run a.data")
        #expect(without.status == 74 && without.error.contains("cannot run the program gzip"), "\(without)")
    }

    @Test("Broken gzip data is reported with the file and where the text that could be read ends")
    func brokenGzip() throws {
        let rows = (1...4_000).map { "{\"n\":\($0),\"s\":\"x\($0 &* 7_919 % 1_000)\"}" }
        let files = [
            "a.ndjson": rows.map { $0 + "\n" }.joined(), "a.json": "[\n" + rows.joined(separator: ",\n") + "\n]",
            "a.csv": "n,s\n" + (1...4_000).map { "\($0),x\($0 &* 7_919 % 1_000)\n" }.joined(),
        ]
        let cut = "gzip -f $f && head -c 9000 $f.gz > x.gz"
        let garbage = "(gzip -c $f; echo garbage) > x.gz"
        // The checksum of all bytes comes last.
        let checksum = "gzip -c $f > y.gz; (head -c -8 y.gz; printf 12345678) > x.gz"
        for (name, text) in files {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let end = "\(lines.count):\((lines.last ?? "").count + 1)"
            for (make, reason) in [
                (cut, "unexpected end of file"), (garbage, "other data follows it"),
                (checksum, "invalid compressed data--crc error"),
            ] {
                for command in ["run x.gz 'n > 1' -o out.json", "import x.gz --into t.sqlite --table t"] {
                    let unpack = "f=\(name); \(make); lines=$(gzip -dc x.gz 2> e | wc -l)"
                    let script = "\(unpack); pql \(command); echo $? $((lines + 1)); ls out* .out* t.*"
                    let found = try inFolder(files, script)
                    let words = found.output.split { " \n".contains($0) }
                    let place = make == cut ? "\(words.dropFirst().first ?? ""):" : "\(end): "
                    #expect(words.first == "65" && words.count == 2, "\(name) \(command): \(found)")
                    #expect(found.error.contains("error: x.gz:\(place)"), "\(name) \(command): \(found)")
                    #expect(found.error.contains(": the gzip data is broken: \(reason)"), "\(name): \(found)")
                }
            }
        }
        // A malformed row before that is explained by it.
        let flipped = """
            gzip a.ndjson; (head -c 9000 a.ndjson.gz; printf 'garbage'; tail -c +9008 a.ndjson.gz) > x.gz
            pql run x.gz --count
            """
        let row = try inFolder(files, flipped)
        #expect(row.status == 65 && row.error.contains("the gzip data is broken: "), "\(row)")
        // Nothing was unpacked, so there is no line.
        for make in [": > x.ndjson.gz", "printf '\\037' > x.ndjson.gz"] {
            let empty = try inFolder([:], "\(make); pql run x.ndjson.gz -o out.json; echo $?; ls")
            #expect(empty.output == "65\nx.ndjson.gz\n", "\(empty)")
            let reason = "error: x.ndjson.gz: the gzip data is broken: it ends before its first byte of data\n"
            #expect(empty.error == reason, "\(empty)")
        }
    }

    /// Dates and UUIDs come out of an imported table as they come out of the file, in every format.
    @Test func importedDatesAreDates() throws {
        let rows = """
            {"id":1,"d":{"$date":"2024-01-02T00:00:00.000Z"},"u":{"$uuid":"00000000-0000-4000-8000-00000000000a"}}
            {"id":2,"d":{"$date":"2024-01-03T00:00:00.000Z"},"u":{"$uuid":"00000000-0000-4000-8000-00000000000b"}}

            """
        try Tool.withFile("z.ndjson", rows) { file in
            #expect(try Tool.pql("import", file, "--into", file + ".db", "--table", "z").status == 0)
            for options in [
                ["-o", "ndjson"], ["-o", "csv"], ["-o", "json", "--fields", "d,u"], ["--fields", "a=d,b=max({d,d})"],
                ["--group-by", "d", "--compute", "count,min:u"], ["--group-by", "u", "--compute", "distinct:d,max:d"],
                ["--group-by", "max({d, d}) as k", "--compute", "count"],
                ["--group-by", "d", "--having", "d == '2024-01-02T00:00:00.000Z'"],
                ["year(d) == 2024"],
            ] {
                let ofFile = try Tool.pql(["run", file] + options)
                let ofTable = try Tool.pql(["run", file + ".db"] + options)
                #expect(ofFile.status == 0 && ofFile.output == ofTable.output, "\(options): \(ofTable)")
            }
        }
    }

    /// Groups of rows that only memory can test end as well as others.
    @Test func groupsMadeInMemoryAreNoFault() throws {
        let rows = #"{"id":1,"a":["x"],"b":[1]}"# + "\n" + #"{"id":2,"a":["y"],"b":[2]}"# + "\n"
        try Tool.withFile("m.ndjson", rows) { file in
            #expect(try Tool.pql("import", file, "--into", file + ".db", "--table", "m").status == 0)
            for options in [["--compute", "count,sum:id"], ["--count"]] {
                let asked = options + ["--group-by", "id", "NOT (a UNION b == nil)"]
                let ofFile = try Tool.pql(["run", file] + asked)
                let ofTable = try Tool.pql(["run", file + ".db"] + asked)
                #expect(ofFile.status == 0 && !ofFile.output.isEmpty, "\(ofFile)")
                #expect(ofTable.status == 0 && ofTable.output == ofFile.output, "\(options): \(ofTable)")
            }
        }
    }
}
