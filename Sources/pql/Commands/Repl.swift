#if CLI
    import ArgumentParser
    import PredicateQL
    import QueryBatch

    struct Repl: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Query a file interactively.",
            discussion: """
                A line is a predicate, with options behind it where they are for this line alone, or a command that
                begins with a dot: .help lists them.
                On a terminal the tab key completes fields, operators and functions, and arrow keys bring earlier lines.

                EXAMPLES
                  pql repl cities.ndjson
                  pql repl cities.csv.gz
                  pql repl cache.sqlite --table cities
                """
        )

        @Argument(help: "A file of NDJSON, CSV or TSV, a JSON list of objects, or an SQLite file.", completion: .file())
        var file: String

        @Option(help: ArgumentHelp("The table of an SQLite file.", valueName: "table"))
        var table: String?

        @Option(help: "SQLite: columns or document; detected by default.")
        var storage: RowForm?

        @Option(
            help: ArgumentHelp("A JSON Schema file; queries are checked against it.", valueName: "file"),
            completion: .file(extensions: ["json"])
        )
        var schema: String?

        @OptionGroup var place: RowsOption

        func run() throws {
            if file == "-" {
                throw Failure(status: .usage, message: "standard input is for the predicates; name a file")
            }
            var session = try ReplSession(self)
            let lines = LineReader(prompt: "pql> ", completing: session.words)
            if lines.isInteractive { Terminal.output.write(session.greeting + "\n") }
            while let line = lines.next() {
                let goesOn = try session.take(line)
                try StandardOutput.shared.flush()
                if !goesOn { break }
                if let fix = session.fix, lines.offer(fix) { Diagnostics.note("press ↑ for the fix") }
            }
        }
    }
#endif
