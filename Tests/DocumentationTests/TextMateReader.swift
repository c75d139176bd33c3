import Foundation
import QueryValues

/// Assigns scopes to text like an editor, by a TextMate grammar without includes.
struct TextMateReader {
    /// A part of a text, in UTF-16, and its scope.
    struct Piece {
        var range: NSRange
        var scope: String
    }

    private struct Rule {
        var scope: String?
        var match: NSRegularExpression
        var captures: [Int: String]
        /// For rules with a begin and an end: the end, and the rules inside.
        var end: NSRegularExpression?
        var inner: [Rule]
    }

    private let rules: [Rule]

    init(json: String) throws {
        guard case .object(let grammar) = try QueryValue(json: json) else { throw CocoaError(.coderReadCorrupt) }
        rules = try Self.rules(grammar["patterns"])
    }

    private static func rules(_ value: QueryValue?) throws -> [Rule] {
        guard case .list(let patterns) = value else { return [] }
        return try patterns.map { pattern in
            guard case .object(let object) = pattern, let match = text(object["match"]) ?? text(object["begin"]) else {
                throw CocoaError(.coderReadCorrupt)
            }
            var captures: [Int: String] = [:]
            if case .object(let named) = object["captures"] {
                for (key, value) in named.pairs {
                    if case .object(let capture) = value, let group = Int(key) {
                        captures[group] = text(capture["name"])
                    }
                }
            }
            return Rule(
                scope: text(object["name"]),
                match: try NSRegularExpression(pattern: match),
                captures: captures,
                end: try text(object["end"]).map { try NSRegularExpression(pattern: $0) },
                inner: try rules(object["patterns"])
            )
        }
    }

    private static func text(_ value: QueryValue?) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    /// The pieces of a text in order; text that no rule matches is omitted.
    func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var position = 0
        var search = Search(rules, in: text)
        while let (rule, match) = search.next(from: position) {
            if let end = rule.end {
                let start = match.range.location
                position = Self.end(of: end, rule.inner, in: text, from: NSMaxRange(match.range))
                pieces.append(Piece(range: NSRange(start..<position), scope: rule.scope ?? ""))
            } else {
                if let scope = rule.scope { pieces.append(Piece(range: match.range, scope: scope)) }
                for (group, scope) in rule.captures.sorted(by: { $0.key < $1.key }) {
                    pieces.append(Piece(range: match.range(at: group), scope: scope))
                }
                position = max(NSMaxRange(match.range), position + 1)
            }
        }
        return pieces
    }

    /// The earliest match of several rules; a match is kept until the position passes it.
    private struct Search {
        private let rules: [Rule]
        private let text: String
        private var found: [Int: NSTextCheckingResult] = [:]
        private var exhausted: Set<Int> = []

        init(_ rules: [Rule], in text: String) {
            self.rules = rules
            self.text = text
        }

        mutating func next(from start: Int) -> (Rule, NSTextCheckingResult)? {
            var best: (rule: Rule, match: NSTextCheckingResult)?
            for (index, rule) in rules.enumerated() {
                guard let match = match(of: index, from: start) else { continue }
                if let best, best.match.range.location <= match.range.location { continue }
                best = (rule, match)
            }
            return best
        }

        private mutating func match(of index: Int, from start: Int) -> NSTextCheckingResult? {
            if exhausted.contains(index) { return nil }
            if let match = found[index], match.range.location >= start { return match }
            let match = TextMateReader.first(rules[index].match, in: text, from: start)
            found[index] = match
            if match == nil { exhausted.insert(index) }
            return match
        }
    }

    private static func first(_ pattern: NSRegularExpression, in text: String, from start: Int) -> NSTextCheckingResult?
    {
        let length = text.utf16.count
        guard start <= length else { return nil }
        // Look-behind sees the text before the position.
        return pattern.firstMatch(
            in: text,
            options: .withTransparentBounds,
            range: NSRange(location: start, length: length - start)
        )
    }

    private static func end(of pattern: NSRegularExpression, _ inner: [Rule], in text: String, from start: Int) -> Int {
        var position = start
        var search = Search(inner, in: text)
        while let end = first(pattern, in: text, from: position) {
            guard let (_, match) = search.next(from: position), match.range.location < end.range.location
            else { return NSMaxRange(end.range) }
            position = max(NSMaxRange(match.range), position + 1)
        }
        return text.utf16.count
    }
}
