import QueryMongoReading
import QueryTree
import QueryValues

/// `Fuzz/query.dict`, generated from the tables: the words that a fuzzer would otherwise have to guess.
enum FuzzDictionary {
    static var text: String {
        var words: [String] = []
        words += Comparison.Operator.table.flatMap(\.spellings)
        words += StringOptions.letters.map { "[\($0.letter)]" } + ["[cd]"]
        words += LogicalWord.allCases.flatMap(\.spellings)
        words += ReservedWord.allCases.flatMap(\.spellings) + ReservedWord.otherReserved
        words += ArithmeticOperator.allCases.map(\.entry.spelling)
        words += Aggregate.allCases.map(\.spelling)
        words += FunctionEntry.table.flatMap { [$0.name + "("] + ($0.sign.map { [$0] } ?? []) }
        words += CastTarget.allCases.map { "'\($0.rawValue)'" }
        words += ["%@", "%K", "%d", "%ld", "%f", "%s", "%1$@", "$x", ":=", "{1, 2}", "SUBQUERY(a, $x, $x.b > 1)"]
        words += MongoOperator.allCases.map { "\"\($0.rawValue)\":" }
        words += ["\\u00e9", "\\\\", "\\x41", "9223372036854775807", "1e308", "0x1F"]
        var seen: Set<String> = []
        let lines = words.filter { seen.insert($0).inserted }.map { "\"\(escaped($0))\"\n" }
        return "# Generated from the operator and function tables; see Grammar/operators.md.\n" + lines.joined()
    }

    private static func escaped(_ word: String) -> String {
        word.reduce(into: "") { text, character in
            if character == "\\" || character == "\"" { text.append("\\") }
            text.append(character)
        }
    }
}
