import QueryTree
import QueryValues

// Habits from Realm: parts of the query after the condition, and arguments that are numbered from 0.

extension Parser {
    /// Realm's `SORT(age DESC)`, `LIMIT(5)` and `DISTINCT(name)` after a condition; nil for other words.
    func queryPart(_ word: String) -> Mistake? {
        guard let parts = queryParts(from: token.start) else { return nil }
        // Of a part of a text the whole is quoted, so that nobody drops the rest.
        let condition = before + text(0..<previousEnd)
        let shown = condition.utf8.count <= 80 ? String(condition) : condition.prefix(60) + "…"
        return queryPart(token.range, "write `\(shown)` and ", parts)
    }

    /// The same without a condition: `SORT(age DESC)` alone.
    func queryPart(alone name: Token) -> Mistake? {
        guard let parts = queryParts(from: name.start) else { return nil }
        return queryPart(name.range, "leave the condition out and ", parts)
    }

    private func queryPart(_ range: Range<Int>, _ first: String, _ parts: (tool: String, request: String)) -> Mistake {
        let message = "`\(text(range))` belongs to the query, not to the condition"
        return Mistake(.syntax, message, range: range, hint: first + parts.tool, inRequest: first + parts.request)
    }

    /// What to do with the query instead of all such parts in a row, with the tool's options or a request's; nil where none begins.
    private func queryParts(from start: Int) -> (tool: String, request: String)? {
        var (parts, request) = ("", [String]())
        var next = start
        while true {
            let end = next + lexer.wordLength(from: next)
            let what = parts.isEmpty ? "the query" : "it"
            guard let close = closing(after: end),
                let part = queryPart(text(next..<end).uppercased(), text((lexer.skippingSpace(from: end) + 1)..<close))
            else { return parts.isEmpty ? nil : (parts, request.joined(separator: ", ")) }
            parts += parts.isEmpty ? "" : ", "
            parts += "\(part.verb) \(what) \(part.rest) (\(parts.isEmpty ? "pql: " : "")\(part.option))"
            request.append(part.request)
            next = lexer.skippingSpace(from: close + 1)
        }
    }

    /// What to do with the query, the tool's option, and what a request gives.
    private func queryPart(
        _ word: String,
        _ inner: String
    ) -> (verb: String, rest: String, option: String, request: String)? {
        if inner.allSatisfy(\.isWhitespace) { return nil }
        switch word {
        case "SORT":
            let keys = inner.split(separator: ",").map(Self.sortKey).joined(separator: ",")
            return ("order", "by " + keys, "--sort " + keys, "give sort=" + keys)
        case "LIMIT": return ("limit", "to " + inner, "--limit " + inner, "give limit=" + inner)
        case "DISTINCT":
            return ("group", "by " + inner, "--group-by " + inner.filter { $0 != " " }, "ask _group with these keys")
        default: return nil
        }
    }

    /// `age DESC` as `-age`.
    private static func sortKey(_ text: Substring) -> String {
        let words = text.split(separator: " ")
        let key = words.first.map(String.init) ?? ""
        return words.count == 2 && words[1].uppercased().hasPrefix("DESC") ? "-" + key : key
    }

    /// Realm's `$0`, which is the first argument, and Swift's, which is the row.
    func numberedArgument() -> Mistake? {
        guard let (number, range, isRow) = number(at: token) else { return nil }
        let message = "expected a name right after `$`"
        if isRow {
            return syntax(
                message,
                range,
                hint: "the keys of a row are written without `$\(number)`",
                fix: number == 0 ? Fix(range: range.lowerBound..<(range.upperBound + 1), replacement: "") : nil
            )
        }
        let tokens = tokens(0..<lexer.bytes.count)
        let all = tokens.compactMap { self.number(at: $0) }
        guard all.contains(where: { $0.number == 0 && !$0.isRow }) else {
            let isBound = tokens.contains { $0.kind == .specifier }
            return syntax(
                message,
                range,
                hint: isBound
                    ? "write %\(number + 1)$@ for argument \(number + 1), or %@ for the next one; "
                        + "SQL counts from 1, so its $\(number) is %\(number)$@"
                    : "leave out the $ of an amount; what SQL calls $\(number) is %\(number)$@, or %@ for the next; "
                        + "Realm counts from 0, so its $\(number) is %\(number + 1)$@"
            )
        }
        // Realm counts from 0, so that one of them decides what all are.
        let (first, last) = (all[0].range.lowerBound, all[all.count - 1].range.upperBound)
        var (mended, end) = ("", first)
        for (number, range, _) in all {
            mended += text(end..<range.lowerBound) + "%\(number + 1)$@"
            end = range.upperBound
        }
        let others = Set(all.map(\.number)).sorted().prefix(4).map { "%\($0 + 1)$@ for $\($0)" }
        return syntax(
            message,
            range,
            hint: others.count > 1
                ? "Realm counts from 0: write " + others.joined(separator: ", ")
                : "write %\(number + 1)$@ for argument \(number + 1), or %@ for the next one",
            fix: all.contains { $0.isRow } || !hasArgument(tokens) ? nil : Fix(range: first..<last, replacement: mended)
        )
    }

    /// `dogs[*].age` of Realm, any of the elements; nil for another `*`.
    var anyElement: Mistake? {
        var before = tokens(0..<token.start)
        let open = token.start - 1
        guard before.popLast()?.start == open, lexer.byte(at: open) == 0x5B, lexer.byte(at: token.end) == 0x5D else {
            return nil
        }
        var (start, end) = (open, token.end + 1)
        while let last = before.last, last.end == start, isWord(last) || last.kind == .dot {
            start = last.start
            before.removeLast()
        }
        let list = start..<open
        let index = start..<end
        while lexer.byte(at: end) == 0x2E { end += 1 + lexer.wordLength(from: end + 1) }
        let any = before.last?.isQuantifier == true ? "" : "ANY "
        var isFirst = before.isEmpty
        if case .logical? = before.last?.kind { isFirst = true }
        return syntax(
            "an index is a position or a key, not `*`",
            token.range,
            hint: "write \(any)\(shortened(list))\(shortened(index.upperBound..<end))",
            fix: isFirst ? Fix(range: index, replacement: any + text(list)) : nil
        )
    }

    /// True if a number follows an operator or stands in a list; Swift's `$0 > 3` is about the row.
    private func hasArgument(_ tokens: [Token]) -> Bool {
        zip(tokens, tokens.dropFirst()).contains { before, next in
            switch before.kind {
            case .comparison, .openBrace, .comma: number(at: next) != nil
            default: false
            }
        }
    }

    /// The number after a `$`, its place with the sign, and whether a key follows; nil for other tokens.
    private func number(at sign: Token) -> (number: Int, range: Range<Int>, isRow: Bool)? {
        guard sign.kind == .invalid, LexicalFault(rawValue: sign.value) == .variableName else { return nil }
        var end = sign.end
        while lexer.isClass(lexer.byte(at: end), .digit) { end += 1 }
        guard end > sign.end, end - sign.end <= 3, let number = Int(text(sign.end..<end)) else { return nil }
        let isRow = lexer.byte(at: end) == UInt8(ascii: ".") && !lexer.isClass(lexer.byte(at: end + 1), .digit)
        return (number, sign.start..<end, isRow)
    }
}
