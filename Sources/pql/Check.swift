#if CLI
    import ArgumentParser
    import PredicateQL

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say nothing and end with 0, or show what is wrong and end with 65.",
            discussion: """
                EXAMPLES
                  pql check "population > 1e6"
                  pql check "populaton > 1e6" --schema city.schema.json
                """
        )

        @OptionGroup var format: FormatOptions

        func run() throws {
            _ = try Query(
                format: format.format,
                arguments: format.values(),
                nilMeaning: format.nilMeaning,
                schema: format.loadSchema()
            )
        }
    }
#endif
