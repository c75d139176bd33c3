import Foundation
import Testing

/// The other commands, exit codes and streams.
@Suite(.enabled(if: Tool.executable != nil, "pql is built without its trait CLI")) struct CommandTests {
    @Test func sqlSaysWhatItTakesForGranted() throws {
        let deep = try Tool.pql("translate", "a.b == 1 AND s MATCHES 'x'", "--to", "sqlite", "--storage", "document")
        #expect(
            deep.lines.dropFirst() == [
                #"-- bindings: [1,"x"]"#, "-- functions: pred_match", #"-- assumes: {"single":"a.b"} {"single":"s"}"#,
            ]
        )
        let plain = try Tool.pql("translate", "TRUEPREDICATE", "--to", "postgresql")
        #expect(plain.lines.count == 1)
    }

    /// Built with the trait Server it says that it cannot open the file.
    @Test func playSaysHowToBuildIt() throws {
        let outcome = try Tool.pql("play", "nowhere.ndjson")
        let isMissing = outcome.status == 66 && outcome.error.contains("nowhere.ndjson")
        let isOther = outcome.status == 64 && outcome.error.contains("swift run --traits default,Server pql play")
        #expect(isMissing || isOther)
    }

    /// Built with the trait Server they complain of the option and of the missing file.
    @Test func theServiceSaysHowToBuildIt() throws {
        for (command, option) in [("serve", "--apq x"), ("backup", ""), ("export", "")] {
            let outcome = try Tool.shell("pql \(command) \(option)")
            let isOther = outcome.error.contains("swift run --traits default,Server pql \(command)\n")
            let isBuilt = outcome.error.contains("Usage: pql \(command) <")
            #expect(outcome.status == 64 && isOther != isBuilt, "\(outcome)")
        }
    }

    @Test func exitCodesFollowSysexits() throws {
        let cases: [(command: String, status: Int32)] = [
            ("pql check 'a == 1'", 0),
            ("pql --help", 0),
            ("pql run --help", 0),
            ("pql --version", 0),
            ("pql --generate-completion-script bash", 0),
            ("pql check 'a =='", 65),
            ("pql check", 64),
            ("pql nonsense", 64),
            ("pql run a.ndjson TRUEPREDICATE --output xml", 64),
            ("pql translate 'a == 1' --skip x", 64),
            ("pql translate 'a == 1' --skip -1", 64),
            ("pql translate 'a == %@'", 65),
            ("pql translate 'a MATCHES[d] \"x\"'", 65),
            ("pql batch --register nowhere.sqlite", 64),
            ("pql batch --register nowhere.sqlite --table t", 66),
            ("pql run nowhere.ndjson TRUEPREDICATE", 66),
            ("pql run / TRUEPREDICATE", 66),
            ("pql check 'a == 1' --schema nowhere.json", 66),
            ("pql operators > /dev/full", 74),
        ]
        for (command, status) in cases {
            let outcome = try Tool.shell(command)
            #expect(outcome.status == status, "\(command)\n\(outcome.error)")
            if status == 0 { #expect(outcome.error.isEmpty, "\(command)") }
        }
        #expect(try Tool.pql("check", "a == 1").output.isEmpty)
        let meant = try Tool.pql("rnu", "a.ndjson")
        #expect(meant.error == "error: there is no command rnu\nhint: did you mean run?\n" && meant.status == 64)
    }

    /// bash runs the script that the tool writes; the fields come from the file.
    @Test func bashCompletesFields() throws {
        guard try Tool.shell("command -v bash").status == 0, let tool = Tool.executable?.path else {
            return print("bashCompletesFields skipped: no bash here")
        }
        try Tool.withFile("rows.ndjson", "{\"name\":1,\"address\":{\"city\":2}}\n") { file in
            for (typed, expected) in [("na", "name"), ("name,-addr", "name,-address name,-address.city")] {
                let words = "'\(tool)' run '\(file)' --sort '\(typed)'"
                let script = """
                    eval "$('\(tool)' --generate-completion-script bash)"; COMP_WORDS=(\(words)); COMP_CWORD=4
                    COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}; _pql pql '\(typed)' --sort 2>/dev/null
                    echo "${COMPREPLY[@]}"
                    """
                let outcome = try Tool.shell("bash -c '\(script.replacing("'", with: "'\\''"))'")
                #expect(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines) == expected, "\(outcome)")
            }
        }
    }

    @Test func brokenPipeEndsQuietly() throws {
        for command in ["pql run '\(Tool.cities)' TRUEPREDICATE", "pql operators", "pql run --help"] {
            let outcome = try Tool.shell("{ \(command); echo \"status $?\" >&2; } | head -1")
            #expect(outcome.error == "status 0\n", "\(command)")
            #expect(outcome.lines.count == 1)
        }
    }

    @Test func translateShowsAllThree() throws {
        let outcome = try Tool.pql("translate", "state == 'MA' AND population >= 50000")
        for part in [
            "Format:", "state == \"MA\" AND population >= 50000", "Mongo:", "{\"filter\":", "SQLite:", "SELECT",
        ] {
            #expect(outcome.output.contains(part), "\(part)")
        }
        let tree = try Tool.pql("translate", "a == -5", "--to", "tree", "--limit", "2")
        #expect(
            tree.output
                == #"{"where":{"compare":"==","left":{"field":["a"]},"right":{"value":-5}},"limit":2}"# + "\n"
        )
        let mongo = try Tool.pql("translate", "a == %@", "--arg", "-5", "--to", "mongo")
        #expect(mongo.output == "{\"filter\":{\"a\":-5}}\n")
        let arguments = ["MA": "\"MA\"", "[1,2]": "{1, 2}", "true": "TRUE", "\"5\"": "\"5\"", "1.0": "1.0"]
        for (given, shown) in arguments {
            let text = try Tool.pql("translate", "a == %@", "--arg", given, "--to", "format")
            #expect(text.output == "a == \(shown)\n", "\(given)")
        }
        #expect(try Tool.pql("translate", "a == %@", "--arg", "{\"$nonsense\":1}").status == 65)
    }

    @Test func hintsNameTheOptions() throws {
        for (store, ways) in [("postgresql", "--schema or --storage document"), ("duckdb", "--schema")] {
            let outcome = try Tool.pql("translate", "address.city == 'x'", "--to", store)
            let hint = "declare address as an object in a schema (pql: \(ways))"
            #expect(outcome.status == 65 && outcome.error.contains(hint), "\(outcome)")
        }
        let near = try Tool.pql("from-mongo", #"{"loc":{"$nearSphere":[1,2],"$maxDistance":0.1}}"#)
        #expect(near.error.contains("give a sort (pql: --find)"), "\(near)")
        let sorted = try Tool.pql(
            "from-mongo",
            "--find",
            #"{"filter":{"loc":{"$nearSphere":[1,2],"$maxDistance":0.1}},"sort":{"a":1}}"#
        )
        #expect(sorted.lines.first == "geoWithin(loc, %@)" && sorted.lines.last == "-- sort: a", "\(sorted)")
    }

    @Test func translateListsWhatItAssumed() throws {
        let groups = ["--group-by", "age", "--compute", "count"]
        for options in [["mongo"], ["pipeline"], ["rest"], ["group"] + groups, ["mongo", "--split"]] {
            let outcome = try Tool.pql(["translate", "age > 21", "--to"] + options)
            #expect(outcome.error == "assumes: {\"single\":\"age\"}\n" && outcome.status == 0, "\(options): \(outcome)")
        }
        let pages = try Tool.pql("translate", "age > 21", "--to", "rest", "--pages", "--limit", "25000")
        #expect(pages.output.split(separator: "\n").count == 3, "\(pages)")
        #expect(pages.error.components(separatedBy: "assumes:").count == 2, "\(pages)")
        #expect(try Tool.pql("translate", "age > 21", "--to", "mongo", "--guarded").error.isEmpty)
    }

    @Test func translatePrintsTheFunctionsOfAStore() throws {
        let search = ["translate", "name CONTAINS[cd] 'jo'", "--functions", "--to"]
        for (store, kind) in [("postgresql", "FUNCTION"), ("duckdb", "MACRO")] {
            let printed = try Tool.pql(search + [store])
            #expect(printed.output.hasPrefix("CREATE OR REPLACE \(kind) pql_fold(options"), "\(printed.error)")
            #expect(printed.output.hasSuffix(";\n") && printed.status == 0)
        }
        #expect(try Tool.pql("translate", "name == 'Jo'", "--functions", "--to", "postgresql").output.isEmpty)
        #expect(try Tool.pql(search + ["sqlite"]).status == 64)
    }

    @Test func translateRefusesPartByPart() throws {
        let outcome = try Tool.pql("translate", "a MATCHES[d] 'x'")
        #expect(outcome.status == 65)
        #expect(outcome.output.contains("Format:"))
        #expect(outcome.error.contains("^"))
    }

    @Test func errorsHaveAPictureWithoutColours() throws {
        let outcome = try Tool.pql("check", "name STARTSWITH 'a'")
        let expected = """
            error: there is no operator `STARTSWITH`
              1 | name STARTSWITH 'a'
                |      ^^^^^^^^^^
            hint: did you mean BEGINSWITH?
            fix: name BEGINSWITH 'a'

            """
        #expect(outcome.error == expected)
        #expect(outcome.output.isEmpty)
    }

    /// `script` gives the command a terminal; without it nothing can be checked.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "script is not installed"))
    func coloursAreForTerminalsOnly() throws {
        let pql = try #require(Tool.executable?.path)
        let command = "script -qec \"'\(pql)' check 'a =='\" /dev/null"
        let shown = try Tool.shell("unset NO_COLOR; TERM=xterm \(command)")
        #expect(shown.output.contains("\u{1B}["), "\(shown.output)")
        let plain = try Tool.shell("NO_COLOR=1 TERM=xterm \(command)")
        #expect(!plain.output.contains("\u{1B}[") && plain.output.contains("^"), "\(plain.output)")
    }

    @Test func explainShowsEachStage() throws {
        let outcome = try Tool.pql("explain", "NOT (a == 1 + 1) AND TRUEPREDICATE")
        for part in ["tokens:", "tree:", "(and (not (== a (1 + 1))) true)", "normalized:", "(!= a 2)"] {
            #expect(outcome.output.contains(part), "\(part)")
        }
    }

    @Test func operatorsShowTheTables() throws {
        let output = try Tool.pql("operators").output
        for word in ["BETWEEN", "[c]", "@avg", "SUBQUERY", "uppercase:", "geoWithin"] {
            #expect(output.contains(word), "\(word)")
        }
    }

    @Test func batchAnswersEachLine() throws {
        let input =
            "{\"id\":1,\"format\":\"a == 1\",\"outputs\":[\"format\"]}\n\nnonsense\n"
            + "{\"id\":2,\"format\":\"a == 2\",\"outputs\":[\"format\"]}"
        let outcome = try Tool.pql("batch", input: input)
        #expect(outcome.status == 0)
        #expect(outcome.lines.count == 3)
        #expect(outcome.lines.first == "{\"id\":1,\"format\":\"a == 1\"}")
        #expect(outcome.lines.last == "{\"id\":2,\"format\":\"a == 2\"}")
    }

    @Test func batchRunsStatements() throws {
        try Tool.withFile("rows.ndjson", "{\"a\":1,\"b\":true,\"l\":[1]}\n{\"a\":2,\"b\":false,\"l\":[2]}\n") { file in
            let store = file + ".sqlite"
            #expect(try Tool.pql("import", file, "--into", store, "--table", "t").status == 0)
            let requests = [
                #"{"id":1,"format":"b == TRUE","outputs":[]}"#,
                #"{"id":2,"format":"ANY l == 2","fields":["l"],"outputs":[]}"#,
                #"{"id":3,"format":"TRUEPREDICATE","group":{"compute":["sum:a"]},"outputs":[]}"#,
                #"{"id":5,"format":"other == 1","documents":[{"other":1},{}],"outputs":["matches"]}"#,
                #"{"id":4,"format":"a == 1","table":"nowhere","outputs":["format"]}"#,
            ]
            let outcome = try Tool.pql(
                "batch",
                "--register",
                store,
                "--table",
                "t",
                input: requests.joined(separator: "\n")
            )
            #expect(outcome.lines.count == 5, "\(outcome.error)")
            #expect(outcome.lines.first == #"{"id":1,"rows":[{"a":1,"b":true,"l":[1]}]}"#)
            // Its own documents have nothing to do with the file.
            #expect(outcome.lines.dropFirst(3).first == #"{"id":5,"matches":[0]}"#)
            #expect(outcome.lines.dropFirst().first == #"{"id":2,"rows":[{"l":[2]}]}"#)
            #expect(outcome.lines.dropFirst(2).first == #"{"id":3,"rows":[{"sum_a":3}]}"#)
            #expect(outcome.lines.last?.contains(#""rows":{"error":{"code":"store""#) == true, "\(outcome.lines)")
        }
    }
}
