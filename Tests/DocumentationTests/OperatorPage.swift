import QueryTree
import QueryValues

/// `Grammar/operators.md`, written from the tables.
enum OperatorPage {
    static var text: String {
        var page = """
            # Operators and functions

            Generated from the tables in `Sources/QueryTree/Tables`; `UPDATE_GENERATED=1 swift test --filter DocumentationTests`
            rewrites it. Words are case-insensitive; function names and `@` operators are case-sensitive.

            """
        page += section("Comparison", ["Written", "Options", "Meaning", "Example"], comparisons)
        page += section("Options", ["Letter", "Meaning"], options)
        page += section("AND, OR, NOT and quantifiers", ["Written", "Meaning", "Example"], logicalWords)
        page += section("Arithmetic and sets, loosest first", ["Written", "Function", "Example"], arithmetic)
        page += section("`@` operators", ["Written", "Path after it", "Meaning"], aggregates)
        page += section("Functions", ["Call", "Arguments", "Gives", "Meaning", "Example", "Mongo", "SQL"], functions)
        page += section("Other reserved words", ["Written"], reservedWords)
        return page
    }

    private static func section(_ title: String, _ columns: [String], _ rows: [[String]]) -> String {
        let rule = columns.map { _ in "---" }
        let lines = ([columns, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
        return "\n## \(title)\n\n" + lines.joined(separator: "\n") + "\n"
    }

    /// A bar would end the cell, even inside code.
    private static func code(_ text: String) -> String {
        "`" + text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") + "`"
    }

    private static func codes(_ texts: [String]) -> String { texts.map(code).joined(separator: " ") }

    private static var comparisons: [[String]] {
        Comparison.Operator.table.map { row in
            // Every backend refuses MATCHES[d] (S16).
            let options = row.operator == .matches ? "all but `[d]`" : row.allowsOptions ? "yes" : ""
            return [codes(row.spellings), options, row.summary, code(row.example)]
        }
    }

    private static var options: [[String]] {
        StringOptions.letters.map { letter, option in
            let meaning =
                switch option {
                case .caseInsensitive: "ignores upper and lower case"
                case .diacriticInsensitive: "ignores accents: é equals e"
                case .normalized: "compares bytes, which is the default"
                default: "by locale; parsed and printed, but no backend supports it"
                }
            return [code("[\(letter)]"), meaning]
        }
    }

    private static var logicalWords: [[String]] {
        LogicalWord.allCases.map { [codes($0.spellings), $0.summary, code($0.example)] }
    }

    private static var arithmetic: [[String]] {
        let bits = FunctionEntry.table.compactMap { row -> (Int, [String])? in
            guard case .call(let function) = row.node, let sign = row.sign, let rank = rank(function) else {
                return nil
            }
            return (rank.rawValue, [code(sign), code(row.name), code(row.example)])
        }
        let chains = ArithmeticOperator.allCases.map { operation in
            let name = FunctionEntry.table.first { $0.node == .arithmetic(operation) }?.name
            let row = operation.entry
            return (row.precedence.rawValue, [code(row.spelling), name.map(code) ?? "", code(row.example)])
        }
        let all = (bits + chains).enumerated()
        return all.sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element.1)
    }

    private static func rank(_ function: Function) -> ArithmeticOperator.Precedence? {
        switch function {
        case .bitwiseOr: .bitOr
        case .bitwiseXor: .bitXor
        case .bitwiseAnd: .bitAnd
        case .leftShift, .rightShift: .shift
        default: nil
        }
    }

    private static var aggregates: [[String]] {
        Aggregate.allCases.map { aggregate in
            let path =
                switch aggregate.pathRule {
                case .none: "none"
                case .optional: "may follow"
                case .required: "must follow"
                }
            return [code(aggregate.spelling), path, aggregate.summary]
        }
    }

    private static var functions: [[String]] {
        FunctionEntry.table.map { row in
            [
                codes(row.spellings),
                row.arguments.map(\.rawValue).joined(separator: ", ")
                    + (row.last.map { ", " + $0.argument.rawValue + "?" } ?? ""), row.result.rawValue,
                row.summary, code(row.example), store(row.mongo), store(row.sql),
            ]
        }
    }

    private static func store(_ spelling: FunctionEntry.Spelling) -> String {
        switch spelling {
        case .name(let name): code(name)
        case .form(let form): form.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
        case .missing(let reason): "not available: " + reason
        }
    }

    private static var reservedWords: [[String]] {
        ReservedWord.allCases.map { [codes($0.spellings)] } + ReservedWord.otherReserved.map { [code($0)] }
    }
}
