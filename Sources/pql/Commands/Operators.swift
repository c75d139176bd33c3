#if CLI
    import ArgumentParser
    import PredicateQL
    import QueryTree
    import QueryValues

    struct Operators: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the operators and functions of the language.",
            discussion: """
                EXAMPLES
                  pql operators
                  pql operators | grep BETWEEN
                """
        )

        func run() throws {
            try section("Comparison", Comparison.Operator.table.map { [words($0.spellings), $0.summary, $0.example] })
            try section("Options", StringOptions.letters.map { ["[\($0.0)]", Self.meaning(of: $0.1)] })
            try section(
                "AND, OR, NOT and quantifiers",
                LogicalWord.allCases.map { [words($0.spellings), $0.summary, $0.example] }
            )
            try section(
                "Arithmetic and sets",
                ArithmeticOperator.allCases.map { [$0.entry.spelling, $0.entry.example] }
                    + FunctionEntry.table.compactMap { row in row.sign.map { [$0, row.example] } }
            )
            try section("@ operators", Aggregate.allCases.map { [$0.spelling, $0.summary] })
            try section("Functions", FunctionEntry.table.map { [words($0.spellings), $0.summary, $0.example] })
            try section("Other reserved words", ReservedWord.allCases.map { [words($0.spellings)] })
        }

        private func words(_ spellings: [String]) -> String { spellings.joined(separator: " ") }

        private static func meaning(of option: StringOptions) -> String {
            switch option {
            case .caseInsensitive: "ignores upper and lower case"
            case .diacriticInsensitive: "ignores accents: é equals e"
            case .normalized: "compares bytes, which is the default"
            default: "by locale; parsed and printed, but no backend supports it"
            }
        }

        private func section(_ title: String, _ rows: [[String]]) throws {
            let out = StandardOutput.shared
            try out.write(line: Terminal.output.hasColor ? Style.bold(title) : title)
            let columns = rows.map(\.count).max() ?? 0
            let widths = (0..<columns).map { column in
                rows.compactMap { column < $0.count ? displayWidth($0[column]) : nil }.max() ?? 0
            }
            for row in rows {
                let cells = row.enumerated().map { column, cell in
                    guard column < row.count - 1 else { return cell }
                    return cell + String(repeating: " ", count: max(0, widths[column] - displayWidth(cell)))
                }
                try out.write(line: "  " + cells.joined(separator: "  "))
            }
            try out.write("\n")
        }
    }
#endif
