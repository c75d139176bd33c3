#if CLI
    import ArgumentParser
    import PredicateQL

    struct Catalogue: ParsableCommand {
        enum Store: String, ExpressibleByArgument, CaseIterable {
            case postgresql, duckdb

            var dialect: SQLDialect {
                switch self {
                case .postgresql: .postgresql
                case .duckdb: .duckDB
                }
            }
        }

        static let configuration = CommandConfiguration(
            abstract: "Show the statement that describes a database's tables, for --catalogue.",
            discussion: """
                It gives one JSON text: kinds, keys and foreign keys of all tables of the current schema.

                EXAMPLES
                  psql -At -c "$(pql catalogue postgresql)" shop > shop.json
                  duckdb shop.duckdb -noheader -list "$(pql catalogue duckdb)" > shop.json
                  pql translate "state == 'open'" --to postgresql --table orders --catalogue shop.json
                """
        )

        @Argument(help: "postgresql or duckdb.")
        var store: Store

        func run() throws {
            try StandardOutput.shared.write(line: store.dialect.catalogueQuery ?? "")
        }
    }
#endif
