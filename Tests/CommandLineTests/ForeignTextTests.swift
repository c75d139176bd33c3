import Foundation
import Testing

/// Files that are no JSON or CSV, or not quite: what is wrong, where, and what to do.
@Suite(.enabled(if: Tool.executable != nil, "pql is built without its trait CLI")) struct ForeignTextTests {
    /// Runs shell commands in a folder with these files.
    private func inFolder(_ files: [String: [UInt8]], _ command: String) throws -> Tool.Outcome {
        let folder = try Tool.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, content) in files { try Data(content).write(to: folder.appendingPathComponent(name)) }
        return try Tool.shell("cd '\(folder.path)' && \(command)")
    }

    private func expect(_ name: String, _ bytes: [UInt8], _ message: String, _ hint: String) throws {
        for command in ["pql run \(name)", "pql fields \(name)", "pql import \(name) --into t.db --table t"] {
            let found = try inFolder([name: bytes], command)
            #expect(found.status == 65 && found.error.contains("error: \(name)\(message)"), "\(command): \(found)")
            #expect(found.error.contains("hint: ") && found.error.contains(hint), "\(command): \(found)")
        }
    }

    @Test func jsonThatIsNotQuiteJSONIsExplained() throws {
        let cases: [(name: String, text: String, message: String, hint: String)] = [
            (
                "a.json", "[{\"a\":1},{\"a\":2},]",
                ":1: a comma without a value beside it, such as the last one before `]`", "remove the comma"
            ),
            ("a.json", "[{\"a\":1},\n,{\"a\":2}]", ":2: a comma without a value", "remove the comma"),
            ("a.json", "[1,2,3]", ":1: expected an object", "jq -c '.[] | {value: .}'"),
            ("a.ndjson", "{\"id\": 1, \"v\": NaN}\n", ":1:16: JSON has no NaN", "write null instead"),
            (
                "a.ndjson", "{\"d\":ISODate(\"2013-06-21\")}\n", ":1:6: JSON has no ISODate(…)",
                #"write {"$date":"…"}, as by sed -E 's/ISODate\("([^"]*)"\)/{"$date":"\1"}/g'"#
            ),
            (
                "a.ndjson", #"{"x":1,"a":{"d" : {"$regularExpression":{"pattern":"a","options":""}}}}"#,
                ":1:19: d: `$regularExpression` is not supported", "--skip-invalid"
            ),
            ("a.ndjson", "{\"v\":[-Infinity]}\n", ":1:8: JSON has no Infinity", "(NaN|-?Infinity)"),
            (
                "a.ndjson", "{\"a\":1}\n{\"a\":18446744073709551615}\n",
                ":2:6: the whole number 18446744073709551615 does not fit in 64 bits", "write it in quotes"
            ),
            (
                "a.ndjson", "{\"a\":\(String(repeating: "1", count: 50))}\n",
                ":1:6: the whole number \(String(repeating: "1", count: 40))… does not fit", "--skip-invalid"
            ),
        ]
        for (name, text, message, hint) in cases { try expect(name, Array(text.utf8), message, hint) }
        let list = ["a.json": Array(cases[0].text.utf8), "n.json": Array(cases[2].text.utf8)]
        let lenient = try inFolder(list, "pql run a.json --skip-invalid --count")
        #expect(lenient.output == "2\n" && lenient.error == "a.json: skipped 1 malformed row\n", "\(lenient)")
        // Among several files, too.
        let among = try inFolder(list, "pql run a.json a.json --count")
        #expect(among.status == 65 && among.error.contains("a.json, element 3: "), "\(among)")
        let numbers = try inFolder(list, "pql run n.json --skip-invalid")
        #expect(numbers.error.contains("hint: the first: n.json:1: expected an object\n"), "\(numbers)")
    }

    /// What becomes something else than was probably meant is told once for each field.
    @Test func textsOfDatesAndLongDecimalsAreTold() throws {
        let row =
            #"{"d":"ISODate(\"2013-06-21T12:51:37.817Z\")","p":{"$numberDecimal":"12345678901234567.89"},"#
            + #""l":[{"q":{"$numberDecimal":"0.10"}},{"q":{"$numberDecimal":"-1.50E+30"}}]}"# + "\n"
        let files = ["a.ndjson": Array((row + row).utf8)]
        let mend = #"sed -E 's/"ISODate\(\\"([^"\]*)\\"\)"/{"$date":"\1"}/g'"#
        let notes =
            #"a.ndjson: d: texts such as ISODate("2013-06-21T12:51:37.817Z") are no dates; "#
            + "write them without ISODate(…), in JSON as by \(mend)\n"
            + "a.ndjson: p: 12345678901234567.89 became 1.2345678901234568e+16; "
            + "numbers with a point are doubles, a text keeps all digits\n"
        for command in ["run a.ndjson --count", "fields a.ndjson"] {
            let found = try inFolder(files, "pql \(command)")
            #expect(found.status == 0 && found.error == notes, "\(command): \(found)")
        }
        let imported = try inFolder(files, "pql import a.ndjson --into t.db --table t")
        #expect(imported.error.hasPrefix(notes) && imported.error.contains("2 rows in t\n"), "\(imported)")
        let mended = try inFolder(files, "\(mend) a.ndjson | pql run - \"d > CAST('2013-01-01', 'NSDate')\" --count")
        #expect(mended.output == "2\n", "\(mended)")
        let filter = try Tool.pql("from-mongo", #"{"d":"ISODate(\"2013-06-21T12:51:37.817Z\")"}"#)
        #expect(filter.error.contains(#"hint: write {"$date":"2013-06-21T12:51:37.817Z"}"#), "\(filter)")
    }

    @Test func otherFormatsAreRecognized() throws {
        let words = Array("12345678DUCK".utf8) + [64, 0, 0, 0]
        try expect("x.duckdb", words, " is a DuckDB database", "duckdb x.duckdb -c \"COPY TABLE_NAME TO")
        let table = try inFolder(["x.duckdb": words], "pql run x.duckdb --table t")
        #expect(table.status == 65 && table.error.contains("is a DuckDB database"), "\(table)")
        let zip: [UInt8] = [0x50, 0x4B, 0x03, 0x04] + Array(repeating: 0, count: 26)
        try expect("x.xlsx", zip, " is a spreadsheet", "save the sheet as CSV")
        try expect("x", zip + Array("xl/workbook.xml".utf8), " is a spreadsheet", "save the sheet as CSV")
        try expect("x.zip", zip + Array("a.csv".utf8), " is a ZIP archive", "unzip -p x.zip")
    }

    @Test func textInLatin1IsToBeConverted() throws {
        let heading = Array("M".utf8) + [0xFC] + Array(",b\n1,2\n".utf8)
        try expect("x.csv", heading, ":1:1: the heading is not UTF-8 text", "iconv -f WINDOWS-1252 -t UTF-8")
        let row = Array("{\"n\":\"M".utf8) + [0xFC] + Array("nchen\"}\n".utf8)
        try expect("x.ndjson", row, ":1:8: the text is not valid UTF-8", "iconv -f WINDOWS-1252 -t UTF-8")
    }

    @Test func equalHeadingsAreToBeRenamed() throws {
        let text = Array("a,b,a,a\n1,2,3,4\n".utf8)
        try expect("x.csv", text, ":1:5: two columns have the heading `a`", "sed '1s/.*/a,b,a_2,a_3/' FILE | pql")
        let renamed = try inFolder(["x.csv": text], "sed '1s/.*/a,b,a_2,a_3/' x.csv | pql run -")
        #expect(renamed.output == "{\"a\":1,\"b\":2,\"a_2\":3,\"a_3\":4}\n", "\(renamed)")
        let quoted = Array("\"it's\",\"it's\"\n1,2\n".utf8)
        try expect("x.csv", quoted, ":1:9: two columns", "give each column a name of its own\n")
    }
}
