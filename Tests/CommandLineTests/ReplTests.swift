import Testing

/// `pql repl` with lines from a pipe.
@Suite(.enabled(if: Tool.executable != nil, "pql is built without its trait CLI")) struct ReplTests {
    private func session(_ lines: String...) throws -> Tool.Outcome {
        try Tool.pql("repl", Tool.cities, input: lines.joined(separator: "\n"))
    }

    @Test func optionsStayFromLineToLine() throws {
        let outcome = try session(
            ".sort -population",
            ".limit 2",
            ".fields name",
            "state == 'MA'",
            "",
            "state == 'VT'",
            ".show"
        )
        let expected = """
            {"name":"Boston"}
            {"name":"South Boston"}
            {"name":"Burlington"}
            {"name":"South Burlington"}
            .sort -population
            .limit 2
            .fields name

            """
        #expect(outcome.output == expected)
        #expect(outcome.status == 0)
    }

    /// Fields with `=` are computed, an order names them, and the list of commands tells so.
    @Test func fieldsAreComputed() throws {
        let outcome = try session(
            ".fields name, thousands = trunc(population / 1000)",
            ".sort -thousands",
            ".limit 1",
            "state == 'MA'",
            ".fields bad =",
            ".show",
            ".help"
        )
        #expect(outcome.output.hasPrefix(#"{"name":"Boston","thousands":"#), "\(outcome)")
        #expect(outcome.output.contains("\n.fields name, thousands = trunc(population / 1000)\n"), "\(outcome)")
        #expect(outcome.output.contains(".fields name,sum=a+b"), "\(outcome)")
    }

    @Test func aLineMayCountAndNameItsFormat() throws {
        let outcome = try session("state == 'MA' --count", "name == 'Boston' -o csv --fields name,state", "--count")
        #expect(outcome.output == "131\nname,state\nBoston,MA\n3407\n", "\(outcome)")
        let shell =
            "printf 's == \"\\377\"\\ns == \"x\"\\r\\n' > lines && printf '{\"s\":\"\\357\\277\\275\"}\\n{\"s\":\"x\"}' > a.ndjson"
        let invalid = try Tool.shell("cd \"$(mktemp -d)\" && \(shell) && pql repl a.ndjson < lines")
        #expect(
            invalid.output == "{\"s\":\"x\"}\n" && invalid.error.contains("the line is not UTF-8 text"),
            "\(invalid)"
        )
    }

    /// Options behind a predicate are those of its line; two signs before another word are arithmetic.
    @Test func aLineHasOptionsOfItsOwn() throws {
        let outcome = try session(
            ".limit 1",
            "state == 'MA' AND name != 'O\\'Neil --limit 9' --sort -population --fields name --limit=2",
            "--group-by state --compute 'count, sum:population as all' --having 'count > 100' --output csv --sort -count",
            "population > 3 --population --limit 1 --fields name --sort name",
            "state == 'VT' --sort -population --fields name",
            "state == 'VT' --limit x"
        )
        let expected = """
            {"name":"Boston"}
            {"name":"South Boston"}
            state,count,all
            """
        #expect(outcome.output.hasPrefix(expected + "\n"), "\(outcome)")
        #expect(outcome.lines.suffix(1) == [#"{"name":"Burlington"}"#], "\(outcome)")
        #expect(outcome.lines.count == 5 && outcome.error.contains("limit"), "\(outcome)")
        #expect(outcome.error.contains(#"2 of 131 rows"#) && outcome.error.contains("1 of "), "\(outcome.error)")
    }

    @Test func mistakesDoNotEndTheSession() throws {
        let outcome = try session(
            "state = = 'MA'",
            ".lmit 3",
            ".limit x",
            ".output xml",
            ".count state == 'MA'",
            ".quit",
            "a b"
        )
        #expect(outcome.output == "131\n")
        #expect(outcome.error.contains("^"), "no caret in \(outcome.error)")
        #expect(outcome.error.contains("did you mean .limit?"))
        #expect(outcome.error.contains("there is no output format xml"))
        #expect(!outcome.error.contains("a b"), "the session went on after .quit")
        #expect(outcome.status == 0)
    }

    @Test func predicatesAreShownInEveryForm() throws {
        let outcome = try session(".limit", ".mongo a == 1", ".sqlite a > 1", ".explain NOT NOT a == 1", ".help")
        #expect(outcome.lines.first == #"{"filter":{"a":1}}"#)
        #expect(outcome.output.contains("WHERE \"documents\".\"a\" > ?"))
        #expect(outcome.output.contains("normalized: a == 1"))
        #expect(outcome.output.contains(".quit"))
    }

    /// A setting that another does not allow is dropped with a note, or not set.
    @Test func settingsThatExcludeEachOtherAreTold() throws {
        let outcome = try session(
            ".sort -total",
            ".fields name",
            ".group state",
            ".show",
            ".sort -total",
            ".having count > 200",
            ".group",
            ".having count > 1",
            ".limit x",
            ".show"
        )
        let limit = ".limit 20\n"
        #expect(outcome.output == limit + ".group state\n" + limit, "\(outcome)")
        for told in [
            ".sort -total is dropped: ", ".fields name is dropped: ", ".sort is not set:\n",
            ".having count > 200 is dropped: .having needs .group or .compute", ".having is not set:\n",
            ".limit stays 20:\n", ".limit takes a whole number",
        ] { #expect(outcome.error.contains(told), "\(told): \(outcome.error)") }
        #expect(!outcome.error.contains("--"), "\(outcome.error)")
    }

    @Test func resultsAreNeverCutSilently() throws {
        let outcome = try session(
            ".limit 2",
            ".fields name",
            "state == 'VT'",
            ".more",
            ".fields",
            ".group state",
            ".sort -count",
            "population > 500000",
            ".quit"
        )
        #expect(outcome.error == "2 of 4 rows; .limit N or .more\n2 of 24 groups; .limit N or .more\n", "\(outcome)")
        #expect(outcome.lines.prefix(4).allSatisfy { $0.hasPrefix("{\"name\":") }, "\(outcome)")
        #expect(outcome.lines.dropFirst(4).prefix(3) == ["_id", "name", "state"], "\(outcome)")
        #expect(outcome.lines.suffix(2).allSatisfy { $0.contains("\"count\":") }, "\(outcome)")
        #expect(try session(".more").error.contains("no predicate to show more results of"))
    }

    @Test func aDatabaseIsAskedToo() throws {
        let rows = "{\"a\":1}\n{\"a\":2}\n{\"a\":3,\"s\":\"2024-01-01\"}\n"
        try Tool.withFile("rows.ndjson", rows) { file in
            let database = file + ".sqlite"
            #expect(try Tool.pql("import", file, "--into", database, "--table", "t").status == 0)
            let outcome = try Tool.pql("repl", database, input: "a > 1 --fields a\n.count a > 0\n")
            #expect(outcome.output == "{\"a\":2}\n{\"a\":3}\n3\n", "\(outcome.error)")
            #expect(!outcome.error.contains("assumes"), "\(outcome.error)")
            // What the statement takes for granted is told as `run` tells it.
            let assuming = "s > CAST('2023-01-01', 'NSDate')"
            let told = try Tool.pql("repl", database, input: assuming + "\n")
            let run = try Tool.pql("run", database, assuming)
            #expect(told.error == run.error && run.error.contains("assumes:"), "\(told.error)\n\(run.error)")
        }
    }

    @Test func wrongUseIsRefused() throws {
        #expect(try Tool.pql("repl", "-").status == 64)
        #expect(try Tool.pql("repl", "no-such-file").status == 66)
        #expect(try Tool.pql("repl", Tool.cities, "--table", "t").status == 64)
    }
}

/// `--var`.
@Suite(.enabled(if: Tool.executable != nil, "pql is built without its trait CLI")) struct VariableTests {
    @Test func variablesAreBound() throws {
        let arguments = ["--var", "least=600000", "--var", "s=MA", "--count"]
        let bound = try Tool.pql(
            "run",
            Tool.cities,
            "state == $s AND population > $least",
            arguments[0],
            arguments[1],
            arguments[2],
            arguments[3],
            arguments[4]
        )
        #expect(bound.output == "1\n", "\(bound.error)")
        let shown = try Tool.pql("translate", "a > $least", "--var", "$least=21", "--to", "mongo")
        #expect(shown.output == "{\"filter\":{\"a\":{\"$gt\":21}}}\n", "\(shown.error)")
    }

    @Test func mistakesAreNamed() throws {
        let unbound = try Tool.pql("run", Tool.cities, "a > $b")
        #expect(unbound.status == 65 && unbound.error.contains("$b"))
        let unknown = try Tool.pql("run", Tool.cities, "a > $b", "--var", "b=1", "--var", "c=1")
        #expect(unknown.status == 65 && unknown.error.contains("no variable $c"))
        #expect(try Tool.pql("run", Tool.cities, "a > $b", "--var", "b").status == 65)
    }
}
