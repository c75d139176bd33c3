#if CLI
    import ArgumentParser
    import PredicateQL
    import QueryBatch

    extension RowForm: ExpressibleByArgument {}
    extension MongoService: ExpressibleByArgument {}

    struct Translate: ParsableCommand {
        /// What a format string is translated to.
        enum Target: String, ExpressibleByArgument, CaseIterable {
            case mongo, pipeline, rest, group, sqlite, postgresql, duckdb, format, tree, all

            /// The store's SQL; nil for what is not SQL.
            var dialect: SQLDialect? {
                switch self {
                case .sqlite: .sqlite
                case .postgresql: .postgresql
                case .duckdb: .duckDB
                case .mongo, .pipeline, .rest, .group, .format, .tree, .all: nil
                }
            }
        }

        static let configuration = CommandConfiguration(
            abstract: "Show a predicate as canonical text, Mongo JSON and SQL.",
            discussion: """
                What a Mongo translation takes for granted about the documents is noted on standard error.

                EXAMPLES
                  pql translate "state == 'MA' AND population >= 50000"
                  pql translate "name BEGINSWITH[cd] %@" --arg bos --to sqlite --table cities
                  pql translate TRUEPREDICATE --group-by state --compute count,avg:population --to mongo
                  pql translate "age > 21" --schema people.json --to postgresql --table people --primary-key id
                  psql -At -c "$(pql catalogue postgresql)" shop > shop.json
                  pql translate "customer.name == 'Ann'" --to postgresql --table orders --catalogue shop.json
                  pql translate "age > 21" --sort=-age --limit 5 --to rest
                  pql translate TRUEPREDICATE --group-by state --compute count --to group
                  pql translate "age > 21" --to rest --action count
                  pql translate "age > 21" --to rest --action changes --since 2024-01-01T00:00:00Z
                  pql translate "age > 21 AND uppercase(name) == 'JO'" --to mongo --split
                """
        )

        @OptionGroup var format: FormatOptions
        @OptionGroup var pipeline: PipelineOptions

        @Option(
            help: """
                mongo (a filter, or a pipeline for groups), pipeline (aggregation stages), rest (a URL's query), group \
                (the body of a group request), sqlite, postgresql, duckdb, format, tree (the parsed query as JSON), or all (format, mongo \
                and sqlite).
                """
        )
        var to: Target = .all

        @Option(help: ArgumentHelp("The table of the SQL.", valueName: "table"))
        var table = "documents"

        @Option(help: "SQL: a column for each field, or one column doc of JSON: columns or document.")
        var storage: RowForm = .columns

        @Option(
            help: ArgumentHelp(
                "PostgreSQL, DuckDB: the result of the statement of `pql catalogue`, instead of --schema and --storage.",
                valueName: "file"
            )
        )
        var catalogue: String?

        @Option(
            help: ArgumentHelp("SQL: the column that identifies rows; by default the schema's.", valueName: "column")
        )
        var primaryKey: String?

        @Flag(help: "PostgreSQL, DuckDB: print the statements that create the functions called by the SQL instead.")
        var functions = false

        @Flag(help: "SQLite, PostgreSQL: print the statements that create helpful indexes instead.")
        var indexes = false

        @Option(help: "Mongo: mongoDB, findOnly or kinvey. (default: kinvey for rest and group, else mongoDB)")
        var profile: MongoService?

        @Flag(help: "Mongo: write forms that need no assumptions, for data of any kind.")
        var guarded = false

        @Flag(help: "Mongo: canonical Extended JSON, every number with its kind.")
        var canonical = false

        @Flag(help: "mongo, pipeline, rest: what the service supports and, as comments, what is left for memory.")
        var split = false

        @Option(help: "rest: find, count, changes, removal or removalOfAll; all but find print verb and path.")
        var action: Action?

        @Option(help: ArgumentHelp("rest: the instant of --action changes, ISO 8601.", valueName: "date"))
        var since: String?

        @Flag(help: "rest: one line per page that the service returns; needs --limit.")
        var pages = false

        func validate() throws {
            try format.demand()
            if catalogue != nil, format.schema != nil {
                throw ValidationError("Give --catalogue or --schema, not both.")
            }
            try validateRequest()
        }

        func run() throws {
            let wanted = try pipeline.rowsOrGroups(format, schema: schema())
            // Mongo's writer refuses it.
            if to == .all || to.dialect != nil { wanted.query.condition.wholeRowWarnings.forEach(Diagnostics.warn) }
            if split { return try writeHalves(wanted) }
            try write(wanted)
        }

        private func schema() throws -> Schema? {
            try loadCatalogue()?.schema(ofTable: table) ?? format.loadSchema()
        }

        private func loadCatalogue() throws -> SQLCatalogue? {
            guard let catalogue else { return nil }
            let text = try FileText.read(catalogue)
            do throws(QueryError) {
                return try SQLCatalogue(json: text)
            } catch {
                throw error.at(path: catalogue + (error.path.map { " " + $0 } ?? ""))
            }
        }

        /// How the table keeps its columns.
        private func kept() throws -> SQLStorage {
            try loadCatalogue()?.storage(ofTable: table) ?? storage.storage
        }

        func write(_ wanted: RowsOrGroups) throws {
            switch to {
            case .format: try StandardOutput.shared.write(line: wanted.query.format)
            case .tree: try StandardOutput.shared.write(line: try tree(wanted))
            case .mongo:
                let (json, assumptions) = try mongo(wanted)
                try StandardOutput.shared.write(line: json)
                Assumption.notes(assumptions).forEach(Diagnostics.note)
            case .pipeline:
                let stages = try stages(wanted)
                try StandardOutput.shared.write(line: canonical ? stages.canonicalJSON : stages.json)
                Assumption.notes(stages.assumptions).forEach(Diagnostics.note)
            case .rest: try write(try requests(wanted))
            case .group: try write([try groupRequest(wanted)])
            case .sqlite, .postgresql, .duckdb:
                let dialect = to.dialect ?? .sqlite
                if indexes { return try writeIndexes(wanted, dialect) }
                let statement = try sql(wanted, dialect)
                if functions { return try writeFunctions(statement, dialect) }
                try StandardOutput.shared.write(line: statement.sql)
                for line in statement.notes { try StandardOutput.shared.write(line: "-- " + line) }
            case .all: try writeAll(wanted)
            }
        }

        private func writeFunctions(_ statement: SQLQuery, _ dialect: SQLDialect) throws {
            guard !statement.functions.isEmpty else { return }
            for definition in dialect.functionDefinitions { try StandardOutput.shared.write(line: definition + ";") }
        }

        private func writeIndexes(_ wanted: RowsOrGroups, _ dialect: SQLDialect) throws {
            guard case .rows(let query) = wanted else {
                throw Failure(status: .usage, message: "indexes are suggested for queries without groups")
            }
            let found = try query.suggestedIndexes(
                dialect,
                from: SQLTable(table, storage: kept(), primaryKey: primaryKey)
            )
            for index in found { try StandardOutput.shared.write(line: index + ";") }
        }

        /// An error of one backend does not hide the others; the command still fails.
        private func writeAll(_ wanted: RowsOrGroups) throws {
            var refusal: Reported?
            try section("Format", [wanted.query.format])
            do {
                let (json, assumptions) = try mongo(wanted)
                try section("Mongo", [json] + Assumption.notes(assumptions))
            } catch let error as QueryError {
                refusal = try refuse("Mongo", error)
            }
            do {
                let statement = try sql(wanted, .sqlite)
                try section("SQLite", [statement.sql] + statement.notes)
            } catch let error as QueryError {
                refusal = try refuse("SQLite", error)
            }
            if let refusal { throw refusal }
        }

        private func refuse(_ name: String, _ error: QueryError) throws -> Reported {
            try section(name, ["(\(error.code): \(error.message))"])
            try StandardOutput.shared.flush()
            Diagnostics.write(error)
            return Reported(status: .data)
        }

        private func section(_ title: String, _ lines: [String]) throws {
            try StandardOutput.shared.write(line: Terminal.output.hasColor ? Style.bold(title + ":") : title + ":")
            for line in lines { try StandardOutput.shared.write(line: "  " + line) }
        }

        private func tree(_ wanted: RowsOrGroups) throws(QueryError) -> String {
            switch wanted {
            case .rows(let query): try query.jsonTree.json
            case .groups(let grouping): try grouping.jsonTree.json
            }
        }

        func mongo(_ wanted: RowsOrGroups) throws(QueryError) -> (String, [Assumption]) {
            switch wanted {
            case .rows(let query):
                let translation = try query.mongo(service, guarded: guarded)
                return (canonical ? translation.canonicalJSON : translation.json, translation.assumptions)
            case .groups(let grouping):
                let translation = try grouping.mongo(service, guarded: guarded)
                return (canonical ? translation.canonicalJSON : translation.json, translation.assumptions)
            }
        }

        private func sql(_ wanted: RowsOrGroups, _ dialect: SQLDialect) throws -> SQLQuery {
            let kept = try kept()
            switch wanted {
            case .rows(let query):
                return try query.sql(dialect, from: SQLTable(table, storage: kept, primaryKey: primaryKey))
            case .groups(let grouping):
                return try grouping.sql(dialect, from: SQLTable(table, storage: kept, primaryKey: primaryKey))
            }
        }
    }
#endif
