#if CLI
    import ArgumentParser
    import PredicateQL
    import QueryBatch
    import PredicateQLSQLite

    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find the rows of files that match a predicate.",
            discussion: """
                Several files, and those of a quoted pattern, are read one after the other; the last argument is the \
                predicate unless there is such a file. Rows are read as they come; memory grows only with sorting and \
                grouping. Without a predicate all rows are found. Noted on standard error: a name that no row has; what \
                the query takes for granted about the columns of an SQLite file.

                EXAMPLES
                  pql run cities.ndjson "state == 'MA' AND population > 50000" --sort -population --fields name,population
                  pql run orders.ndjson "qty > 0" --fields "name, total=price * qty, year=year(placed)"
                  pql run cities.ndjson --group-by state --compute count --output csv
                  pql run cache.sqlite --table cities "population > 1e6" --explain
                  pql run cities.ndjson --mongo '{"state":"MA","population":{"$gt":50000}}'
                  pql run 'data/*.csv.gz' "name CONTAINS[cd] 'boston'" --count
                  pql run places.geojson --rows features "properties.name BEGINSWITH 'B'"
                """
        )

        @Argument(
            help: """
                NDJSON, a JSON list of objects, CSV or TSV, also packed by gzip; an SQLite file; - for standard input.
                """,
            completion: .file()
        )
        var file: String

        @OptionGroup var format: FormatOptions

        @Argument(help: ArgumentHelp("Further files come before the predicate.", valueName: "more"))
        var more: [String] = []

        @OptionGroup var pipeline: PipelineOptions
        @OptionGroup var work: WorkOptions
        @OptionGroup var place: RowsOption

        @Option(help: ArgumentHelp("The table of an SQLite file.", valueName: "table"))
        var table: String?

        @Option(help: "SQLite: columns or document; detected by default.")
        var storage: RowForm?

        @OptionGroup var output: OutputOptions

        @Flag(help: "Print only the number of results.")
        var count = false

        @Flag(help: "Show how the query would run: the SQL and its plan, or the steps in memory.")
        var explain = false

        @Flag(help: "Skip malformed rows and count them.")
        var skipInvalid = false

        @Flag(help: "Fail with status 64 if a field name occurs in no row.")
        var strict = false

        func validate() throws {
            if count, !output.isEmpty { throw ValidationError("--count prints a number; remove --output.") }
            if explain, !output.isEmpty { throw ValidationError("--explain prints the plan; remove --output.") }
        }

        func run() throws {
            var format = self.format
            var files = [file] + [format.text].compactMap(\.self) + more
            format.text = nil
            // The predicate is the last argument, unless all are files.
            if files.count > 1, let last = files.last, !FilePattern.isFile(last) { format.text = files.removeLast() }
            try demandFile(first: files[0], files.count > 1 ? "FILE" : "-")
            try format.demandOne()
            try output.open()
            let schema = try format.loadSchema()
            let input = try RowInput(
                files,
                at: place.rows,
                limits: work.limits,
                schema: schema,
                skipsInvalid: skipInvalid
            )
            defer { input.close() }
            if input.format == .database {
                guard input.isRepeatable else {
                    throw Failure(status: .usage, message: "an SQLite file cannot be read from a pipe")
                }
                let search = try DatabaseSearch(
                    input.name,
                    table: table,
                    storage: storage?.storage,
                    limits: work.limits
                )
                try run(search, try pipeline.rowsOrGroups(format, schema: schema ?? search.schema(), seesRows: true))
            } else {
                if table != nil || storage != nil {
                    throw Failure(
                        status: .usage,
                        message: "\(input.name) is not an SQLite file; --table and --storage are only for those"
                    )
                }
                input.names.tellValues(input.name)
                try run(
                    FileSearch(input, skipsInvalid: skipInvalid, isStrict: strict),
                    try pipeline.rowsOrGroups(format, schema: schema, seesRows: true)
                )
            }
        }

        /// Refuses a predicate in the place of a file, where other tools have it.
        private func demandFile(first text: String, _ file: String) throws {
            guard !FilePattern.isFile(text), (try? Condition(parsing: text)) != nil else { return }
            let hint = "the predicate is the last argument: pql run \(file) '…'; - is standard input"
            throw Failure(status: .noInput, message: "there is no file \(text)", hint: hint)
        }

        private func run(_ search: FileSearch, _ wanted: RowsOrGroups) throws {
            if explain { return try search.explain(wanted) }
            if count { return try StandardOutput.shared.write(line: String(try search.count(wanted))) }
            var writer = writer(wanted)
            try search.write(wanted, to: &writer)
            try writer.finish()
        }

        private func run(_ search: DatabaseSearch, _ wanted: RowsOrGroups) throws {
            if explain { return try search.explain(wanted) }
            if count {
                try StandardOutput.shared.write(line: String(try search.count(wanted)))
            } else {
                var writer = writer(wanted)
                try search.forEachResult(wanted) { try writer.write($0) }
                try writer.finish()
            }
            Assumption.notes(try search.assumptions(wanted)).forEach(Diagnostics.note)
            try search.names(wanted).tell(file)
        }

        private func writer(_ wanted: RowsOrGroups) -> any RowWriter {
            let format = output.format
            switch wanted {
            case .groups(let grouping): return format.writer(columns: grouping.resultNames)
            case .rows(let query):
                let isShort = query.resultNames != nil
                let fields = Self.columns(query.fields ?? [], query.schema, isFlat: format.isFlat)
                return format.writer(columns: isShort ? fields + query.computed.map(\.name) : nil)
            }
        }

        /// The stored names of the requested fields: those of the top level, or whole paths; without duplicates.
        private static func columns(_ fields: [FieldPath], _ schema: Schema?, isFlat: Bool) -> [String] {
            let names = fields.compactMap { path -> String? in
                guard let key = path.keys.first else { return nil }
                let stored = schema?.field(named: key)?.storedName ?? key
                return isFlat ? ([stored] + path.keys.dropFirst()).joined(separator: ".") : stored
            }
            return ColumnCollector(names).columns
        }
    }
#endif
