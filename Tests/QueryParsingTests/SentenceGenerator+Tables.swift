import PredicateQL
import QueryTree
import QueryValues

// The contents of the tables, which the grammar does not repeat.

extension SentenceGenerator {
    private static let words: [String] = {
        var words = LogicalWord.allCases.flatMap(\.spellings) + ReservedWord.allCases.flatMap(\.spellings)
        words += Comparison.Operator.table.filter { !$0.isCall }.flatMap(\.spellings)
        words += ArithmeticOperator.allCases.map(\.entry.spelling)
        return words.filter { $0.allSatisfy(\.isLetter) }
    }()

    mutating func special(_ name: String) -> String {
        switch name {
        case "any word of the tables": anyCase(pick(Self.words))
        case "letters of the option table, none twice": optionLetters()
        case "name of a call that is a condition": function { $0.node == .geoWithin }
        case "name of a function without arguments": function { $0.arguments.isEmpty }
        case "name of a function of one argument": function { $0.arguments.count == 1 }
        case "name of a function of two arguments":
            function { $0.arguments.count == 2 && $0.node != .geoWithin && $0.node != .cast }
        case "name of the function that casts": function { $0.node == .cast }
        case "a type of the cast table": pick(CastTarget.allCases).rawValue
        case "an operator that a path may follow": aggregate(.optional)
        case "an operator that a path must follow": aggregate(.required)
        case "an operator that no path follows": aggregate(.none)
        case "a letter of any script": pick(["é", "ß", "名", "я", "Ω"])
        case "any character but quotes and the backslash":
            pick(["a", "B", "9", " ", "é", "😀", "*", "?", "%@", "(", "#"])
        case "space, tab, line feed, vertical tab, form feed or carriage return":
            pick([" ", "\t", "\n", "\u{B}", "\u{C}", "\r"])
        default: preconditionFailure("the test does not know `? \(name) ?`")
        }
    }

    private mutating func function(_ isMeant: (FunctionEntry) -> Bool) -> String {
        pick(FunctionEntry.table.filter(isMeant).flatMap(\.spellings))
    }

    private mutating func aggregate(_ rule: Aggregate.PathRule) -> String {
        pick(Aggregate.allCases.filter { $0.pathRule == rule }).rawValue
    }

    private mutating func optionLetters() -> String {
        var letters = StringOptions.letters.map(\.letter)
        var text = ""
        repeat {
            let letter = pick(letters)
            letters.removeAll { $0 == letter }
            text += anyCase(String(letter)) + (chance(10) ? " " : "")
        } while !letters.isEmpty && chance(50)
        return text
    }

    func isExcepted(_ text: String, _ name: String) -> Bool {
        switch name {
        case "any word of the tables": Self.words.contains { $0.lowercased() == text.lowercased() }
        case "a key or an operator right after COUNTING":
            Aggregate.allCases.contains { $0.pathRule == .none && text.hasKey(after: $0.spelling) }
        case "half of a surrogate pair": UInt32(text.suffix(4), radix: 16).map { Unicode.Scalar($0) == nil } ?? false
        case "a number beyond 64 bits": Self.int(text) == nil
        case "a number beyond a double": Double(text.hasPrefix(".") ? "0" + text : text)?.isFinite == false
        // More than literals, which is harmless here.
        case "a literal": !Self.beginsWithReference(text)
        default: preconditionFailure("the test does not know `? \(name) ?`")
        }
    }

    private static func int(_ text: String) -> Int64? {
        switch text.dropFirst().first {
        case "x", "X": Int64(text.dropFirst(2), radix: 16)
        case "o", "O": Int64(text.dropFirst(2), radix: 8)
        case "b", "B": Int64(text.dropFirst(2), radix: 2)
        default: Int64(text)
        }
    }

    private static func beginsWithReference(_ text: String) -> Bool {
        guard let first = text.first else { return false }
        return "#$@".contains(first) || text.lowercased().hasPrefix("self")
    }
}

extension String {
    /// True if a key follows an operator anywhere.
    fileprivate func hasKey(after aggregate: String) -> Bool {
        split(separator: aggregate + " . ", omittingEmptySubsequences: false).dropFirst()
            .contains { !$0.hasPrefix("$") }
    }
}
