import Foundation
import SpecSupport
import PredicateQLSQLite
import Testing

/// Unknown names and keys, and files of another format: an error or a note, never silence.
@Suite(.enabled(if: Tool.executable != nil, "pql is built without its trait CLI")) struct NameTests {
    private static let rows =
        #"{"name":"Ann","balance":-3,"at":{"zip":"02134"}}"# + "\n" + #"{"name":"Bob","balance":5}"# + "\n"

    @Test func keysAreReadStrictly() throws {
        let cases: [(option: String, value: String, caret: String, hint: String)] = [
            ("--sort", "balance desc", "^^^^^", "write -balance"),
            ("--sort", "balance ASC", "^^^^", "write balance"),
            ("--sort", "+balance", "^", "write a path"),
            ("--sort", "name,balance descending", "^^", "write -balance"),
            ("--sort", "uppercase(name)", "^^^^", "compute it under a name"),
            ("--sort", "tags[0]", "^^^^", "compute it under a name"),
            ("--sort", "-tags.@count", "^", "compute it under a name and sort by that (pql: --fields 'n=tags.@count'"),
            ("--sort", "name[cd", "^", "write a path"),
            ("--group-by", "trunc(balance / 2)", "^^^^", "write `trunc(balance / 2) as name`"),
            ("--group-by", "name,balance / 10", "^^^^", "write `balance / 10 as name`"),
            ("--group-by", "name balance", "^", "write a path"),
            ("--fields", "tags[0]", "^^^^^^^", "write `name=tags[0]`"),
            ("--fields", "balance * 2", "^^^^", "write `name=balance * 2`"),
            ("--fields", "name as n", "^^^^", "write `n=name`"),
            ("--fields", "name balance", "^", "write a path"),
            ("--fields", "name;balance", "^", "write a path"),
            ("--fields", "at..zip", "^", "write a path"),
        ]
        for (option, value, caret, hint) in cases {
            let found = try Tool.pql("run", "-", "TRUEPREDICATE", option, value, input: Self.rows)
            #expect(found.status == 65 && found.output.isEmpty, "\(option) \(value): \(found)")
            #expect(found.error.contains(caret) && found.error.contains("hint: \(hint)"), "\(value): \(found.error)")
        }
        let spaced = "{\"first name\":\"Ann\",\"n\":1}\n"
        for arguments in [["--sort", #"-first\u0020name"#], ["--fields", #"first\u0020name,n"#]] {
            let found = try Tool.pql(["run", "-"] + arguments, input: spaced)
            #expect(found.output == spaced && found.error.isEmpty && found.status == 0, "\(found)")
        }
        let sound = try Tool.pql("run", "-", "--sort", "-name[cd],at.zip", "--fields", "name", input: Self.rows)
        let quotient = ["--group-by", "balance/2 as half", "--compute", "max:balance/2 as most", "--limit", "1"]
        let halved = try Tool.pql(["run", "-"] + quotient, input: "{\"balance\":8}\n")
        #expect(halved.output == "{\"half\":4,\"most\":4}\n", "\(halved)")
        let terms = ["--compute", "sum:max({balance, 9}) as m,sum:TERNARY(balance > 1, 2, 1) as t"]
        #expect(try Tool.pql(["run", "-"] + terms, input: "{\"balance\":8}\n").output == "{\"m\":9,\"t\":2}\n")
        let options = ["--group-by", "uppercase(name)", "--sort", "-uppercase_name", "--limit", "1"]
        let named = try Tool.pql(["run", "-"] + options, input: Self.rows)
        #expect(named.output == #"{"uppercase_name":"BOB","count":1}"# + "\n", "\(named)")
        #expect(sound.output == "{\"name\":\"Bob\"}\n{\"name\":\"Ann\"}\n" && sound.error.isEmpty, "\(sound)")
    }

    @Test func namesOfOtherToolsAreNoted() throws {
        let cases = [
            (["--sort", "balance:desc"], "balance:desc; did you mean -balance?"),
            (["--sort", "balance:asc"], "balance:asc; did you mean balance?"),
            (["--group-by", "balance-1 as x"], "balance-1; did you mean balance - 1?"),
            (["--compute", "sum:balance-tax"], "balance-tax; did you mean balance?"),
            (["list.first == 1"], "list.first; did you mean list[FIRST]?"),
            (["list.last == 1"], "list.last; did you mean list[LAST]?"),
        ]
        let rows = Self.rows + #"{"list":[1]}"#
        for (arguments, note) in cases {
            let found = try Tool.pql(["run", "-"] + arguments, input: rows)
            #expect(found.error.contains("no row has a field " + note) && found.status == 0, "\(found)")
        }
    }

    /// Values of two kinds are never equal (S2): a query that asks for it is told, and how to ask instead.
    @Test func kindsThatNeverMeetAreNoted() throws {
        let rows =
            #"{"name":"Bob","age":"30","flag":true,"pop":5,"tags":["a"],"items":[{"price":1}],"born":"2020-01-01"}"#
            + "\n"
            + #"{"name":"Al","age":"5","flag":false,"pop":7,"tags":[],"items":[]}"# + "\n"
        let cases: [(query: String, note: String?)] = [
            (
                "age > 10",
                #"age holds text in the rows seen, and is compared with a number; write CAST(age, "NSNumber")"#
            ),
            ("flag == 1", "flag holds truth values in the rows seen, and is compared with a number; write TRUE"),
            ("NOT flag == 0", "flag holds truth values in the rows seen, and is compared with a number; write FALSE"),
            ("pop > '100000'", "pop holds numbers in the rows seen, and is compared with text; write 100000"),
            (
                "5 < name AND pop > 1",
                #"name holds text in the rows seen, and is compared with a number; write CAST(name, "NSNumber")"#
            ),
            (
                "tags == 'a'",
                "tags holds lists in the rows seen, and is compared with text; write ANY, ALL or NONE in front of the comparison"
            ),
            (
                "ANY items.price > 'x'",
                "items.price holds numbers in the rows seen, and is compared with text; values of two kinds are never equal, and have no order"
            ),
            (
                "pop BEGINSWITH '5'",
                "pop holds numbers in the rows seen, and is compared with text; values of two kinds are never equal, and have no order"
            ),
            (
                "items.@avg.doubleValue < 200",
                "`doubleValue` at the end of a path is the name of a field; write items.@avg"
            ),
            (
                "pop == NaN",
                "no row has a field NaN; there is no literal NaN: only NaN differs from itself, as in price != price"
            ),
            (
                "pop == Infinity",
                "no row has a field Infinity; there is no literal Infinity: it is more than any other number, "
                    + "as in price > 1.7976931348623157e+308 or price < -1.7976931348623157e+308"
            ),
            ("name == Ann", "no row has a field Ann; write 'Ann' for a text"),
            ("name == nam", "no row has a field nam; did you mean name?; write 'nam' for a text"),
            ("class == 'X'", "no row has a field class; rows have no classes: compare a field that tells them apart"),
            ("name CONTAINS 1", "name holds text in the rows seen, and is compared with a number; write it in quotes"),
            ("pop.stringValue == '5'", "no row has a field pop.stringValue; did you mean CAST(pop, \"NSString\")?"),
            ("age == '5'", nil), ("born > CAST('2019-01-01', 'NSDate')", nil), ("tags CONTAINS 'a'", nil),
            ("name == nil OR pop IN {1, nil}", nil), ("ANY tags == 'a'", nil), ("pop BETWEEN {1, 10}", nil),
        ]
        for (query, note) in cases {
            let found = try Tool.pql("run", "-", query, input: rows)
            #expect(found.status == 0, "\(query): \(found.error)")
            #expect(found.error == (note.map { "standard input: \($0)\n" } ?? ""), "\(query)")
        }
        let groups = ["TRUEPREDICATE", "--group-by", "flag", "--compute", "avg:age,sum:pop,max:age"]
        let averages = try Tool.pql(["run", "-"] + groups, input: rows)
        let held =
            "age holds text, and only numbers are averaged; min, max, count and countDistinct take values of any kind"
        #expect(averages.error == "standard input: \(held)\n", "\(averages)")
        let lists = try Tool.pql(
            "run",
            "-",
            "--group-by",
            "a",
            "--compute",
            "sum:b.c",
            input: #"{"a":1,"b":[{"c":2}]}"#
        )
        #expect(
            lists.error.contains("b.c holds lists, and only numbers are added; sum(b.c) and average(b.c) are numbers")
        )
        // A table tells the same of what its columns do not declare.
        let folder = try Tool.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("t.sqlite").path
        #expect(try Tool.pql("import", "-", "--into", file, "--table", "t", input: rows).status == 0)
        for (query, note) in [
            ("tags == 'a'", "tags holds lists in the rows seen"),
            ("name.length > 9", "no row has a field name.length; did you mean length(name)?"),
            ("name.count > 9", "no row has a field name.count; did you mean length(name)?"),
            ("tags.length > 9", "no row has a field tags.length; did you mean tags.@count?"),
            ("age.integerValue > 5", "age.integerValue; did you mean CAST(age, \"NSNumber\")?"),
            ("items.@avg.doubleValue < 2", "is the name of a field; write items.@avg"),
            ("name CONTAINS 1", "name holds text in the rows seen"), ("tags CONTAINS 1", ""),
            ("ANY items.price > 1", ""), ("ANY tags == 'a'", ""),
        ] {
            let found = try Tool.pql("run", file, query)
            let notes = found.error.split(separator: "\n").filter { !$0.hasPrefix("assumes: ") }
            #expect(
                notes.count == (note.isEmpty ? 0 : 1) && notes.allSatisfy { $0.contains(note) },
                "\(query): \(found)"
            )
        }
        let once = try Tool.pql("run", file, "flag == 1").error.components(separatedBy: "flag holds truth values")
        #expect(once.count == 2, "\(once)")
        let declared = try Tool.pql(["run", file] + groups)
        #expect(declared.status != 0)
        #expect(declared.error.contains("the field age holds text, and only numbers are averaged"), "\(declared)")
    }

    /// Names with spaces, hyphens and dots, and of words of the language.
    @Test func namesThatNeedSignsAreNoted() throws {
        let rows = #"{"First Name":"Ann","no":13,"id":1,"d":["A","B"],"n":1,"Last-Name":"Lee","a.b":1,"any":1}"# + "\n"
        for (arguments, note) in [
            ([#""First Name" == "Ann""#], #"write First\u0020Name for the field"#),
            (["no == 13"], "write #no for the field"),
            (["`First Name` == 'Ann'"], #"write First\u0020Name"#),
            (["[First Name] == 'Ann'"], #"write First\u0020Name"#),
            (["First Name == 'Ann'"], #"write First\u0020Name"#), (["any == 1"], "write `#any`"),
            (["Last-Name == 'Lee'"], #"did you mean Last\u002dName?"#),
            (["a.b == 1"], #"did you mean a\u002eb?"#),
            (["id IN %@", "--arg", "1, 7"], "or [1, 7] as a pql argument"),
            (["n CONTAINS 1"], nil), (["--mongo", #"{"d":["A","B"]}"#], nil), (["#no == 13 AND #any == 1"], nil),
        ] as [([String], String?)] {
            let found = try Tool.pql(["run", "-"] + arguments, input: rows)
            #expect(note.map { found.error.contains($0) } ?? found.error.isEmpty, "\(arguments) \(found)")
            #expect((note == nil) == !found.output.isEmpty, "\(arguments) \(found)")
        }
    }

    /// What is read as a date and holds none, in the rows and in a table's columns that are declared as dates.
    @Test func fieldsWithoutDatesAreNoted() throws {
        let rows = "id,d,n,e,name\n1,30/05/2015,600000000,2015-05-30,Ann\n2,31/05/2015,600000001,,Bob\n"
        let text = "holds text in the rows seen that is no date, such as \"30/05/2015\""
        let numbers = "holds numbers in the rows seen, which are no dates"
        for (query, note) in [
            ("year(d) > 2000", "d " + text), ("d > CAST('2001-01-01', 'NSDate')", "d " + text),
            ("d > '2001-01-01'", "d " + text), ("d IN {CAST('2001-01-01', 'NSDate')}", "d " + text),
            ("d < now() OR d > now()", "d " + text),
            ("year(n) == 2020", "n " + numbers + "; write CAST(n, \"NSDate\") for seconds since 2001"),
            ("e < now() AND year(e) == 2015", nil), ("d == '30/05/2015'", nil), ("d != nil", nil), ("name > 'A'", nil),
            ("e > '2001-01-01'", nil), ("CAST(n, 'NSDate') < now()", nil),
        ] {
            let found = try Tool.pql("run", "-", query, input: rows)
            let notes = found.error.split(separator: "\n")
            #expect(found.status == 0 && notes.count == (note == nil ? 0 : 1), "\(query): \(found)")
            #expect(note == nil || found.error.contains(note ?? ""), "\(query): \(found)")
        }
        #expect(try Tool.pql("run", "-", "--fields", "y=year(d)", input: rows).error.contains(text))
        let folder = try Tool.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("t.sqlite").path
        try SQLiteDatabase(path: file, isReadOnly: false).execute(
            """
            CREATE TABLE t (id INTEGER, ZAT TIMESTAMP, ms DATETIME, txt DATE, ok DATETIME, admin BOOLEAN, on1 BOOLEAN);
            INSERT INTO t VALUES (1, 600000001, 1700000000000, '30/05/2015', '2020-01-01', 't', 'f'),
                (2, 700000000.5, 1600000000000, NULL, 5, 'f', 1);
            """
        )
        for (query, note) in [
            (
                "ZAT > '2020-01-01'",
                "ZAT is declared as a date, and " + numbers + "; write CAST(CAST(ZAT, \"NSNumber\")"
            ),
            ("year(ZAT) == 2020", numbers), ("ms < now()", "\"x-date-encoding\": \"epochMilliseconds\""),
            ("txt > '2001-01-01'", "txt is declared as a date, and " + text), ("ok > '2019-01-01'", nil),
            ("CAST(CAST(ZAT, 'NSNumber'), 'NSDate') > CAST('2020-01-01', 'NSDate')", nil), ("ms == nil", nil),
            ("admin == TRUE", "admin holds text in the rows seen, and is compared with a truth value; declare"),
            ("on1 == TRUE", nil),
        ] {
            let found = try Tool.pql("run", file, query)
            let notes = found.error.split(separator: "\n")
            #expect(found.status == 0 && notes.count == (note == nil ? 0 : 1), "\(query): \(found)")
            #expect(note == nil || found.error.contains(note ?? ""), "\(query): \(found)")
        }
        let schema = folder.appendingPathComponent("schema.json").path
        let date = #"{"type":"string","format":"date-time","x-date-encoding":"epochMilliseconds"}"#
        try #"{"type":"object","properties":{"ms":\#(date)}}"#.write(toFile: schema, atomically: true, encoding: .utf8)
        let found = try Tool.pql("run", file, "ms > '2021-01-01'", "--schema", schema, "--count")
        #expect(found.output == "1\n" && found.error.isEmpty, "\(found)")
    }

    @Test func namesThatNoRowHasAreNoted() throws {
        // Long rows and many of them: more than is examined before the first is read.
        let many = String(repeating: Self.rows, count: 3_000) + "{\"late\":1,\"deep\":{\"x\":[{\"y\":1}]}}\n"
        let cases: [(arguments: [String], name: String?, near: String?)] = [
            (["TRUEPREDICATE", "--sort", "balanc"], "balanc", "balance"),
            (["TRUEPREDICATE", "--fields", "nam"], "nam", "name"),
            (["nmae == 'Ann'"], "nmae", "name"),
            (["balance > 0 OR nope == 1"], "nope", nil),
            (["at.zp == '1'"], "at.zp", "at.zip"),
            (["name.length > 9"], "name.length", "length(name)"),
            (["at.count > 9"], "at.count", nil), (["name.count > 9"], "name.count", "length(name)"),
            (["--group-by", "nane"], "nane", "name"),
            (["--group-by", "name", "--compute", "sum:balanse"], "balanse", "balance"),
            (["TRUEPREDICATE", "--count", "--sort", "balanc"], "balanc", "balance"),
            (["name == 'Ann' AND at.zip != nil", "--sort", "-balance"], nil, nil),
        ]
        let array = "[" + Self.rows.split(separator: "\n").joined(separator: ",") + "]"
        for (number, (arguments, name, near)) in cases.enumerated() {
            for input in [Self.rows, array] + (SeededGenerator.isAsked(number, oneIn: 3) ? [many] : []) {
                let found = try Tool.pql(["run", "-"] + arguments, input: input)
                #expect(found.status == 0, "\(arguments): \(found.error)")
                let hint = near.map { "; did you mean \($0)?" } ?? ""
                let note = name.map { "standard input: no row has a field \($0)\(hint)\n" } ?? ""
                #expect(found.error == note, "\(arguments)")
                let strict = try Tool.pql(["run", "-", "--strict"] + arguments, input: input)
                #expect(strict.status == (name == nil ? 0 : 64), "\(arguments): \(strict.error)")
                #expect(strict.output == (name != nil && arguments.contains("--count") ? "" : found.output))
            }
        }
        let late = try Tool.pql("run", "-", "late == 1 AND ANY deep.x.y == 1", "--count", input: many)
        #expect(late.output == "1\n" && late.error.isEmpty, "\(late)")
        let none = try Tool.pql("run", "-", "nope == 1", input: "")
        #expect(none.status == 0 && none.error.isEmpty, "no rows have no names")
    }

    @Test func workIsBoundedByOptions() throws {
        let rows = (0..<500).map { #"{"n":\#($0)}"# + "\n" }.joined()
        try Tool.withFile("many.ndjson", rows) { path in
            let told = try Tool.pql("run", path, "n > 1 AND n < 1000", "--max-steps", "2000")
            #expect(told.status == 65 && told.error.contains("many.ndjson:"), "\(told)")
            #expect(told.error.contains("--max-steps and --timeout") && !told.error.contains("documents["), "\(told)")
        }
        #expect(try Tool.pql("run", "-", "--skip=-1", input: rows).status == 64)
        let operation = try Tool.pql("check", "--mongo", #"{"a":{"$foo":1}}"#)
        #expect(operation.error.contains("unknown operator $foo"))
    }

    @Test func predicatesMayBeginWithAMinusOrBeLeftOut() throws {
        let negated = [["-balance > 0"], ["-balance > 0", "--count"], ["--count", "-balance > 0", "--sort", "-name"]]
        for arguments in negated {
            let found = try Tool.pql(["run", "-"] + arguments, input: Self.rows)
            #expect(found.status == 0 && found.lines.count == 1, "\(arguments): \(found)")
        }
        #expect(try Tool.pql("translate", "-a > 0", "--to", "format").output == "-a > 0\n")
        #expect(try Tool.pql("check", "--1 > a").status == 0)
        let groups = try Tool.pql("run", "-", "--group-by", "name", "--having", "-count < 0", input: Self.rows)
        #expect(groups.lines.count == 2, "\(groups)")
        #expect(try Tool.pql("run", "-", input: Self.rows).output == Self.rows)
        #expect(try Tool.pql("run", "-", "--count", input: Self.rows).output == "2\n")
        #expect(try Tool.pql("run", "-", "--limit", "-1", input: Self.rows).status == 64)
        for command in ["translate", "check", "explain"] { #expect(try Tool.pql(command).status == 64, "\(command)") }
        #expect(try Tool.pql("run", "-h").output.contains("USAGE"))
        #expect(try Tool.pql("run", Tool.cities, "--unknown").status == 64)
    }

    @Test func otherFormatsAreToldByNameAndContent() throws {
        let packed = try Tool.shell("printf 'BZh91AY' | pql run - --skip-invalid")
        #expect(packed.status == 65 && packed.error.contains("bunzip2 -c FILE | pql"), "\(packed)")
        try Tool.withFile("rows.parquet", "PAR1 and more") { file in
            for arguments in [
                ["run", file], ["import", file, "--into", file + ".sqlite", "--table", "t"], ["repl", file],
            ] {
                let found = try Tool.pql(arguments)
                #expect(found.status == 65 && found.output.isEmpty, "\(arguments): \(found)")
                #expect(found.error.contains("is a Parquet file, but rows are read as JSON"), "\(found.error)")
                #expect(found.error.contains("duckdb -c") && found.error.contains(file), "\(found.error)")
            }
        }
        // JSON under any file name is read, and malformed rows among valid ones are skipped as before.
        try Tool.withFile("rows.csv", Self.rows) { file in
            let found = try Tool.pql("run", file, "balance > 0", "--count")
            #expect(found.output == "1\n", "\(found)")
        }
        let mixed = try Tool.pql("run", "-", "--skip-invalid", "--count", input: "junk\n" + Self.rows)
        #expect(mixed.output == "2\n" && mixed.status == 0, "\(mixed)")
        let junk = try Tool.pql("run", "-", "--skip-invalid", "--count", input: "junk\nmore\n")
        #expect(junk.status == 65 && junk.error.contains("every row is malformed"), "\(junk)")
    }
}
