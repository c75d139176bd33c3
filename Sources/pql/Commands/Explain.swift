#if CLI
    import ArgumentParser
    import PredicateQL
    import QueryParsing
    import QueryTree

    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Show how a predicate is parsed: its tokens, its tree, the kinds of its terms, its normalized tree.",
            discussion: """
                EXAMPLES
                  pql explain "NOT (a == 1 + 1) AND TRUEPREDICATE"
                  pql explain "population > 1e6" --schema city.schema.json
                  pql explain --mongo '{"tags":{"$all":["a","b"]}}'
                  pql explain --dot "a == 1 OR b == 2" | dot -Tsvg > tree.svg
                """
        )

        @OptionGroup var format: FormatOptions

        @Flag(help: "Print only the tree, as a graph for Graphviz.")
        var dot = false

        func validate() throws { try format.demand() }

        func run() throws {
            let out = StandardOutput.shared
            if !dot, format.mongo == nil { try writeTokens(to: out) }
            let query = try format.query(schema: format.loadSchema())
            if !dot, format.mongo != nil { try out.write(line: "format:\n  " + query.format) }
            if dot { return try out.write(line: query.treeDot) }
            try out.write(line: "tree:\n" + Self.indented(query.treeDump))
            if query.schema != nil {
                try out.write(line: "kinds:\n" + Self.indented(query.outline.lines.joined(separator: "\n")))
            }
            let now = Int64(time(nil)) &* 1_000
            let normalized = query.condition.normalized(now: now, nilMeaning: query.nilMeaning)
            try out.write(line: "normalized:\n" + Self.indented(normalized.treeDump))
        }

        private func writeTokens(to out: StandardOutput) throws {
            try out.write(line: "tokens:")
            let tokens = try tokens(of: format.format)
            let width = tokens.map(\.kind.count).max() ?? 0
            for token in tokens {
                let kind = token.kind + String(repeating: " ", count: width - token.kind.count)
                try out.write(line: "  \(kind)  \(token.text)")
            }
        }

        private static func indented(_ text: String) -> String {
            text.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }.joined(separator: "\n")
        }
    }
#endif
