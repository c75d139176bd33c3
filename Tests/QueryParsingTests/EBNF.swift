import Foundation
import SpecSupport

/// A grammar read from a file in the notation that `Grammar/query.ebnf` explains.
struct EBNF {
    /// A part of a rule.
    indirect enum Part {
        /// Text unchanged.
        case text(String)
        /// One character of a range.
        case range(UInt8, UInt8)
        /// Another rule.
        case rule(String)
        /// A special sequence, which the notation cannot express: `? … ?`.
        case special(String)
        /// The parts in order.
        case sequence([Part])
        /// One of the parts.
        case choice([Part])
        /// The part, repeated zero or more times.
        case repeated(Part)
        /// The part or nothing.
        case optional(Part)
        /// The part, except what the special sequence excludes.
        case except(Part, String)
    }

    /// A file that is not in the notation.
    struct Malformed: Error, CustomStringConvertible {
        var description: String
    }

    /// The rules by name.
    private(set) var rules: [String: Part] = [:]

    /// Tokens have names in capitals.
    static func isToken(_ name: String) -> Bool { name.allSatisfy { $0.isUppercase || $0 == "-" } }

    /// The texts in the rules that are not tokens: words and signs.
    var words: Set<String> {
        rules.filter { !Self.isToken($0.key) }.reduce(into: []) { $0.formUnion(Self.texts(in: $1.value)) }
    }

    private static func texts(in part: Part) -> Set<String> {
        switch part {
        case .text(let text): [text]
        case .range, .rule, .special: []
        case .sequence(let parts), .choice(let parts): parts.reduce(into: []) { $0.formUnion(texts(in: $1)) }
        case .repeated(let part), .optional(let part), .except(let part, _): texts(in: part)
        }
    }

    /// The grammar of the language.
    static func query() throws -> EBNF {
        let file = SpecFile.repository.appendingPathComponent("Grammar/query.ebnf")
        return try EBNF(String(contentsOf: file, encoding: .utf8))
    }

    init(_ text: String) throws {
        var reader = try EBNFReader(text)
        while let (name, part) = try reader.rule() {
            guard rules.updateValue(part, forKey: name) == nil else {
                throw Malformed(description: "\(name) has two rules")
            }
        }
    }
}

/// Reads the notation.
private struct EBNFReader {
    private enum Token: Equatable {
        case name(String)
        case text(String)
        case special(String)
        case sign(Character)
        case range
    }

    private var tokens: [Token] = []
    private var position = 0

    private var next: Token? { position < tokens.count ? tokens[position] : nil }

    init(_ text: String) throws {
        var rest = text.drop(while: \.isWhitespace)
        while let first = rest.first {
            switch first {
            case "(" where rest.hasPrefix("(*"):
                guard let end = rest.range(of: "*)") else { throw EBNF.Malformed(description: "an open comment") }
                rest = rest[end.upperBound...]
            case "\"", "'": tokens.append(.text(try Self.quoted(&rest, first)))
            case "?":
                tokens.append(.special(try Self.quoted(&rest, first).trimmingCharacters(in: .whitespaces)))
            case "." where rest.hasPrefix(".."):
                tokens.append(.range)
                rest = rest.dropFirst(2)
            case _ where first.isLetter:
                let name = rest.prefix { $0.isLetter || $0 == "-" }
                tokens.append(.name(String(name)))
                rest = rest.dropFirst(name.count)
            default:
                guard "=;|(){}[]-".contains(first) else { throw EBNF.Malformed(description: "`\(first)`") }
                tokens.append(.sign(first))
                rest = rest.dropFirst()
            }
            rest = rest.drop(while: \.isWhitespace)
        }
    }

    private static func quoted(_ rest: inout Substring, _ quote: Character) throws -> String {
        let inner = rest.dropFirst().prefix { $0 != quote }
        rest = rest.dropFirst(inner.count + 1)
        guard rest.first == quote else { throw EBNF.Malformed(description: "an open \(quote)") }
        rest = rest.dropFirst()
        return String(inner)
    }

    /// A name, `=`, its definition, and `;`.
    mutating func rule() throws -> (String, EBNF.Part)? {
        guard let next else { return nil }
        guard case .name(let name) = next else { throw EBNF.Malformed(description: "\(next) where a rule begins") }
        position += 1
        try take("=")
        let part = try choice()
        try take(";")
        return (name, part)
    }

    private mutating func take(_ sign: Character) throws {
        guard next == .sign(sign) else {
            throw EBNF.Malformed(description: "`\(sign)` is missing before \(String(describing: next))")
        }
        position += 1
    }

    private mutating func choice() throws -> EBNF.Part {
        var parts = [try sequence()]
        while next == .sign("|") {
            position += 1
            parts.append(try sequence())
        }
        return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence() throws -> EBNF.Part {
        var parts: [EBNF.Part] = []
        while let part = try exception() { parts.append(part) }
        guard !parts.isEmpty else { throw EBNF.Malformed(description: "an empty rule at \(String(describing: next))") }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func exception() throws -> EBNF.Part? {
        guard let part = try primary() else { return nil }
        guard next == .sign("-") else { return part }
        position += 1
        guard case .special(let name) = next else { throw EBNF.Malformed(description: "no `? … ?` after `-`") }
        position += 1
        return .except(part, name)
    }

    private mutating func primary() throws -> EBNF.Part? {
        switch next {
        case .name(let name):
            position += 1
            return .rule(name)
        case .special(let name):
            position += 1
            return .special(name)
        case .text(let text):
            position += 1
            guard next == .range else { return .text(text) }
            position += 1
            guard case .text(let last) = next, let low = text.utf8.first, let high = last.utf8.first else {
                throw EBNF.Malformed(description: "half a range")
            }
            position += 1
            return .range(low, high)
        case .sign("("): return try enclosed(")") { $0 }
        case .sign("["): return try enclosed("]", EBNF.Part.optional)
        case .sign("{"): return try enclosed("}", EBNF.Part.repeated)
        default: return nil
        }
    }

    private mutating func enclosed(_ end: Character, _ make: (EBNF.Part) -> EBNF.Part) throws -> EBNF.Part {
        position += 1
        let part = try choice()
        try take(end)
        return make(part)
    }
}
