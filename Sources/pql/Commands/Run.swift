#if CLI
    import ArgumentParser
    import PredicateQL
    import QueryBatch
    import PredicateQLSQLite

    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find the rows of a file that match a predicate.",
            discussion: """
                NDJSON and JSON lists are read as they come; memory grows only with sorting and grouping. Without a \
                predicate all rows are found. Noted on standard error: a name that no row has; what the query takes for \
                granted about the columns of an SQLite file.

                EXAMPLES
                  pql run cities.ndjson "state == 'MA' AND population > 50000" --sort -population --fields name,population
                  pql run cities.ndjson --group-by state --compute count --output csv
                  pql run cache.sqlite --table cities "population > 1e6" --explain
                  pql run cities.ndjson --mongo '{"state":"MA","population":{"$gt":50000}}'
                  zcat cities.ndjson.gz | pql run - "name CONTAINS[cd] 'boston'" --count
                """
        )

        @Argument(
            help: "An NDJSON file, a JSON list of objects, an SQLite file, or - for standard input.",
            completion: .file()
        )
        var file: String

        @OptionGroup var format: FormatOptions
        @OptionGroup var pipeline: PipelineOptions
        @OptionGroup var work: WorkOptions

        @Option(help: ArgumentHelp("The table of an SQLite file.", valueName: "table"))
        var table: String?

        @Option(help: "SQLite: columns or document; detected by default.")
        var storage: RowForm?

        @Option(help: "table, json, ndjson or csv; a table on a terminal, else ndjson.")
        var output: OutputFormat?

        @Flag(help: "Print only the number of results.")
        var count = false

        @Flag(help: "Show how the query would run: the SQL and its plan, or the steps in memory.")
        var explain = false

        @Flag(help: "Skip malformed rows and count them.")
        var skipInvalid = false

        @Flag(help: "Fail with status 64 if a field name occurs in no row.")
        var strict = false

        func validate() throws {
            if count, output != nil { throw ValidationError("--count prints a number; remove --output.") }
        }

        func run() throws {
            let schema = try format.loadSchema()
            let input = try RowInput(file, limits: work.limits)
            defer { input.close() }
            if input.layout == .database {
                guard file != "-" else {
                    throw Failure(status: .usage, message: "an SQLite file cannot be read from standard input")
                }
                let search = try DatabaseSearch(
                    file,
                    table: table,
                    storage: storage?.storage,
                    limits: work.limits
                )
                try run(search, schema: schema)
            } else {
                if table != nil || storage != nil {
                    throw Failure(
                        status: .usage,
                        message: "\(input.name) is not an SQLite file; --table and --storage are only for those"
                    )
                }
                try run(
                    FileSearch(input, skipsInvalid: skipInvalid, isStrict: strict),
                    try pipeline.question(format, schema: schema)
                )
            }
        }

        private func run(_ search: FileSearch, _ question: Question) throws {
            if explain { return try search.explain(question) }
            if count { return try StandardOutput.shared.write(line: String(try search.count(question))) }
            var writer = writer(question)
            try search.forEachResult(question, isShown: Terminal.output.isTerminal) { try writer.write($0) }
            try writer.finish()
        }

        private func run(_ search: DatabaseSearch, schema: Schema?) throws {
            let question = try pipeline.question(format, schema: schema ?? search.schema())
            if explain { return try search.explain(question) }
            if count {
                try StandardOutput.shared.write(line: String(try search.count(question)))
            } else {
                var writer = writer(question)
                try search.forEachResult(question) { try writer.write($0) }
                try writer.finish()
            }
            Assumption.notes(try search.assumptions(question)).forEach(Diagnostics.note)
        }

        private func writer(_ question: Question) -> any RowWriter {
            var columns: [String]?
            switch question {
            case .groups(let grouping): columns = grouping.resultNames
            case .rows(let query): columns = query.fields.map { Self.columns($0, query.schema) }
            }
            return (output ?? .usual).writer(columns: columns)
        }

        /// The top-level stored names of the requested fields, without duplicates.
        private static func columns(_ fields: [FieldPath], _ schema: Schema?) -> [String] {
            let keys = fields.compactMap(\.keys.first)
            return ColumnCollector(keys.map { schema?.field(named: $0)?.storedName ?? $0 }).columns
        }
    }
#endif
