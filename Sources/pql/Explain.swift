#if CLI
    import ArgumentParser
    import PredicateQL
    import QueryParsing
    import QuerySyntax

    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show how a predicate is read: its tokens, its tree, its normalized tree.",
            discussion: """
                EXAMPLES
                  pql explain "NOT (a == 1 + 1) AND TRUEPREDICATE"
                """
        )

        @OptionGroup var format: FormatOptions

        func run() throws {
            let out = StandardOutput.shared
            try out.write(line: "tokens:")
            let tokens = try tokens(of: format.format)
            let width = tokens.map(\.kind.count).max() ?? 0
            for token in tokens {
                let kind = token.kind + String(repeating: " ", count: width - token.kind.count)
                try out.write(line: "  \(kind)  \(token.text)")
            }
            let query = try Query(
                format: format.format,
                arguments: format.values(),
                nilMeaning: format.nilMeaning,
                schema: format.loadSchema()
            )
            try out.write(line: "tree:\n" + Self.indented(query.treeDump))
            let now = Int64(time(nil)) &* 1_000
            let folded = query.condition.foldingConstants(now: now, nilMeaning: query.nilMeaning)
            try out.write(line: "normalized:\n" + Self.indented(folded.treeDump))
        }

        private static func indented(_ text: String) -> String {
            text.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }.joined(separator: "\n")
        }
    }
#endif
