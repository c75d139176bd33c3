import PredicateQL
import QueryTree
import QueryValues

/// Generates sentences from a grammar; the same ones for the same seed.
struct SentenceGenerator {
    /// A text of the language and the values of its placeholders.
    struct Sentence {
        var text: String
        var arguments: [QueryValue]
    }

    private let grammar: EBNF
    private let heights: [String: Int]
    private var state: UInt64
    /// How many rules may still be nested.
    private var depth = 0
    private var tokens: [String] = []
    private var arguments: [QueryValue] = []
    /// Whether the sentence's placeholders have positions.
    private var isPositional = false

    init(_ grammar: EBNF, seed: UInt64) {
        self.grammar = grammar
        state = seed
        heights = Self.heights(of: grammar)
    }

    /// A sentence with at most about this many nested rules.
    mutating func sentence(depth: Int) -> Sentence {
        self.depth = depth
        tokens = []
        arguments = []
        isPositional = chance(20)
        write(.rule("format"))
        return Sentence(text: joined(), arguments: arguments)
    }
}

// MARK: - Randomness

extension SentenceGenerator: RandomNumberGenerator {
    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func chance(_ percent: UInt64) -> Bool { next() % 100 < percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(next() % UInt64(elements.count))]
    }

    /// Words are case-insensitive.
    mutating func anyCase(_ word: String) -> String {
        switch next() % 6 {
        case 0: return word.lowercased()
        case 1: return String(word.map { chance(50) ? Character($0.lowercased()) : $0 })
        default: return word
        }
    }
}

// MARK: - Rules

extension SentenceGenerator {
    private mutating func write(_ part: EBNF.Part) {
        switch part {
        case .text(let text): tokens.append(text.allSatisfy(\.isLetter) ? anyCase(text) : text)
        case .range: break
        case .rule(let name) where EBNF.isToken(name): writeToken(name)
        case .rule(let name):
            depth -= 1
            if let part = grammar.rules[name] { write(part) }
            depth += 1
        case .special(let name): tokens.append(special(name))
        case .sequence(let parts): for part in parts { write(part) }
        case .choice(let parts): write(pickShallow(parts))
        case .repeated(let part): while fits(part), chance(12) { write(part) }
        case .optional(let part): if fits(part), chance(30) { write(part) }
        case .except(let part, let name): writeExcept(part, name)
        }
    }

    /// Retries until the exception does not apply.
    private mutating func writeExcept(_ part: EBNF.Part, _ name: String) {
        let start = tokens.count
        let given = arguments.count
        repeat {
            tokens.removeSubrange(start...)
            arguments.removeSubrange(given...)
            write(part)
        } while isExcepted(tokens[start...].joined(separator: " "), name)
    }

    private func fits(_ part: EBNF.Part) -> Bool { Self.height(of: part, heights) <= depth }

    private mutating func pickShallow(_ parts: [EBNF.Part]) -> EBNF.Part {
        // Rare, because everything after an assignment is nested in it, and nesting is limited.
        let isAssigning = chance(10)
        let shallow = parts.filter { part in
            if case .rule("assignment") = part, !isAssigning { return false }
            return fits(part)
        }
        guard shallow.isEmpty else { return pick(shallow) }
        let least = parts.map { Self.height(of: $0, heights) }.min() ?? 0
        return pick(parts.filter { Self.height(of: $0, heights) <= least + 2 })
    }

    /// The minimum nesting that each rule needs.
    private static func heights(of grammar: EBNF) -> [String: Int] {
        var heights: [String: Int] = [:]
        var changed = true
        while changed {
            changed = false
            for (name, part) in grammar.rules {
                let height = EBNF.isToken(name) ? 0 : Self.height(of: part, heights) + 1
                if height < heights[name] ?? unreachable {
                    heights[name] = height
                    changed = true
                }
            }
        }
        return heights
    }

    private static let unreachable = 1 << 20

    private static func height(of part: EBNF.Part, _ heights: [String: Int]) -> Int {
        switch part {
        case .text, .range, .special: 0
        case .rule(let name): heights[name] ?? unreachable
        case .sequence(let parts): parts.map { height(of: $0, heights) }.max() ?? 0
        case .choice(let parts): parts.map { height(of: $0, heights) }.min() ?? 0
        case .repeated, .optional: 0
        case .except(let part, _): height(of: part, heights)
        }
    }
}

// MARK: - Tokens

extension SentenceGenerator {
    private mutating func writeToken(_ name: String) {
        guard let part = grammar.rules[name] else { return }
        var text = token(part)
        if name == "PLACEHOLDER" || name == "PATH-PLACEHOLDER" { text = takingArgument(text) }
        tokens.append(text)
    }

    private mutating func token(_ part: EBNF.Part) -> String {
        switch part {
        case .text(let text): return text
        case .range(let low, let high):
            return String(Unicode.Scalar(low + UInt8(next() % UInt64(high - low + 1))))
        case .rule(let name): return grammar.rules[name].map { token($0) } ?? ""
        case .special(let name): return special(name)
        case .sequence(let parts): return parts.reduce(into: "") { $0 += token($1) }
        case .choice(let parts): return token(pick(parts))
        case .repeated(let part):
            var text = ""
            while chance(45) { text += token(part) }
            return text
        case .optional(let part): return chance(40) ? token(part) : ""
        case .except(let part, let name):
            while true {
                let text = token(part)
                if !isExcepted(text, name) { return text }
            }
        }
    }

    /// Gives the placeholder the sentence's kind of position, and a value that fits its letter.
    private mutating func takingArgument(_ text: String) -> String {
        let end = text.split { $0 == "$" || $0 == "%" }.last ?? "@"
        arguments.append(argument(end.last ?? "@"))
        return isPositional ? "%\(arguments.count)$\(end)" : "%\(end)"
    }

    private mutating func argument(_ letter: Character) -> QueryValue {
        switch letter {
        case "K": .string(pick(["name", "address.zip", "é", "a b", "like.and"]))
        case "@": pick([.int(5), .string("x"), .null, .bool(true), .double(1.5), .list([.int(1), .int(2)]), .date(0)])
        case "s": .string("x")
        case "e", "E", "f", "F", "g", "G", "a", "A": pick([.double(1.5), .int(2)])
        default: .int(65)
        }
    }
}

// MARK: - Spaces

extension SentenceGenerator {
    private mutating func joined() -> String {
        var text = chance(10) ? space() : ""
        for (position, token) in tokens.enumerated() {
            if position > 0 {
                let needsSpace = Self.needsSpace(tokens[position - 1], token)
                if needsSpace || chance(60) { text += space() }
            }
            text += token
        }
        return text + (chance(10) ? space() : "")
    }

    private mutating func space() -> String {
        guard chance(8), let part = grammar.rules["SPACE"] else { return " " }
        return token(.sequence([part, .repeated(part)]))
    }

    /// True if two tokens without a space between them would be read as other tokens.
    private static func needsSpace(_ left: String, _ right: String) -> Bool {
        guard let last = left.last, let first = right.first else { return false }
        if right.hasPrefix("."), right.count > 1 { return true }
        if "(){}[],".contains(last) || "(){}[],".contains(first) { return false }
        if right == "." { return left.allSatisfy { $0.isNumber || $0.isLetter || $0 == "." || $0 == "_" } }
        if last == ".", left.count > 1 { return true }
        return isSign(last) == isSign(first)
    }

    private static func isSign(_ character: Character) -> Bool { "=!<>&|+-*/^:.".contains(character) }
}
