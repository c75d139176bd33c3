import QueryTree
import QueryValues

extension Parser {
    /// `FUNCTION(…)` could call any method by name (S25).
    func functionCall(_ name: Token) -> Mistake {
        Mistake(
            .functionCall,
            "`\(text(name.range))` could call any method and is not allowed",
            range: name.range,
            hint: "use a built-in function, such as uppercase(name)"
        )
    }

    /// A function that is not in the table.
    func unknownFunction(_ name: Token) -> Mistake {
        if let mistake = shellFunction(name) ?? queryPart(alone: name) { return mistake }
        let word = text(name.range)
        if let operation = Self.aliases[word.uppercased()],
            let mistake = operatorCall(operation, name, .unknownFunction)
        {
            return mistake
        }
        let other: String? =
            switch word.lowercased() {
            case "coalesce", "ifnull", "nvl", "isnull": "TERNARY(a == nil, 0, a) is a, or 0 where a is nil"
            case "extract", "date_part", "datepart", "strftime", "date_trunc", "to_char":
                "parts of a date are year(a), month(a), day(a), weekday(a), hour(a) and minute(a)"
            case "today", "curdate", "current_date", "getdate", "sysdate":
                "now() is this instant; a day begins at CAST('2024-01-31', 'NSDate')"
            default: nil
            }
        if let other {
            return Mistake(.unknownFunction, "there is no function `\(word)`", range: name.range, hint: other)
        }
        let names = FunctionEntry.table.flatMap(\.spellings)
        let known = Self.functionAliases[word.lowercased()]?.entry.spellings.first ?? prefixed(word, names)
        let meant =
            word.lowercased() == "round"
            ? "floor(a + 0.5)"
            : known ?? Suggestion.nearest(to: word, among: names.filter { !$0.hasSuffix(":") })
                ?? Suggestion.nearest(to: word, among: names)
        let places = " It takes two places, such as fields with [2.35, 48.85], longitude first"
        let takes = Self.functionAliases[word.lowercased()] == .distance ? places : ""
        return Mistake(
            .unknownFunction,
            "there is no function `\(shortened(name.range))`",
            range: name.range,
            hint: meant.map { "did you mean \($0)?" + takes }
                ?? "functions include sum, sqrt and now",
            fix: meant.flatMap { known != nil || word.isTypo(of: $0) ? Fix(range: name.range, replacement: $0) : nil }
        )
    }

    /// `contains(name, 'ab')` of OData: an operator where a function is; nil if it has no two arguments.
    func operatorCall(_ operation: Comparison.Operator, _ name: Token, _ code: QueryError.Code = .syntax) -> Mistake? {
        var probe = self
        // No trial within a trial, as for a remainder.
        probe.triedModulus = .max
        probe.lexer.position = name.end
        probe.advance()
        guard triedModulus != .max, probe.token.kind == .open, operation != .between else { return nil }
        probe.advance()
        guard let left = try? probe.expression(.set), left.term != nil, probe.token.kind == .comma else { return nil }
        probe.advance()
        guard let right = try? probe.expression(.set), right.term != nil, probe.token.kind == .close else { return nil }
        probe.advance()
        let list = operation == .in && !text(right.range).hasPrefix("{") ? ("{", "}") : ("", "")
        let meant = "\(text(left.range)) \(operation.spelling) \(list.0)\(text(right.range))\(list.1)"
        return Mistake(
            code,
            "`\(text(name.range))` is an operator, not a function",
            range: name.range,
            hint: "write it between its values: \(shortened(left.range)) \(operation.spelling) …",
            fix: probe.endsCondition ? Fix(range: name.start..<probe.previousEnd, replacement: meant) : nil
        )
    }

    /// Functions of other languages and their names here.
    private static let functionAliases: [String: Function] = [
        "upper": .uppercase, "ucase": .uppercase, "toupper": .uppercase, "uppercased": .uppercase,
        "lower": .lowercase, "lcase": .lowercase, "tolower": .lowercase, "lowercased": .lowercase,
        "len": .length, "char_length": .length, "strlen": .length, "avg": .average, "mean": .average,
        "ceil": .ceiling, "truncate": .truncate, "rand": .random, "mod": .modulus, "log10": .log, "total": .sum,
        "stdev": .standardDeviation, "current_timestamp": .now, "distance": .distance,
        "year": .year, "month": .month, "day": .day, "weekday": .weekday, "hour": .hour, "minute": .minute,
        "dayofmonth": .day, "dayofweek": .weekday, "mday": .day, "monthofyear": .month,
    ]

    /// `modulus(` and `modulus:by(` mean the only function whose name starts this way.
    private func prefixed(_ word: String, _ names: [String]) -> String? {
        let begun = names.filter {
            $0.utf8.starts(with: word.utf8) && $0.utf8.dropFirst(word.utf8.count).first == UInt8(ascii: ":")
        }
        let special = ReservedWord.allCases.first { $0.rawValue.lowercased() == word.lowercased() }
        return special == nil && begun.count == 1 ? begun[0] : nil
    }

    func wrongCount(of name: Token, _ expected: String, _ values: [ParsedNode]) -> Mistake {
        syntax("\(text(name.range)) takes \(expected)", name.start..<previousEnd)
    }

    /// A function with too few or too many arguments; several numbers for a list get braces.
    func wrongCount(of name: Token, _ row: FunctionEntry, _ values: [ParsedNode]) -> Mistake {
        let count = row.arguments.count
        var fix: Fix?
        if let first = values.first, count == 1, row.arguments[0] == .list, values.count > 1 {
            let inside = first.start..<(previousEnd - 1)
            fix = Fix(range: inside, replacement: "{" + text(inside) + "}")
        }
        let takes =
            switch count {
            case _ where row.last != nil: "one or two arguments"
            case 0: "no arguments"
            case 1: row.arguments[0] == .list ? "one list" : "one argument"
            default: "\(count) arguments"
            }
        return syntax(
            "\(text(name.range)) takes \(takes)",
            name.start..<previousEnd,
            hint: fix == nil ? "such as \(row.example)" : "write the numbers as a list in braces",
            fix: fix
        )
    }

    /// `SUBQUERY(a.@count > 0`: a condition where the collection must be.
    func unexpectedCondition(_ node: ParsedNode) -> Mistake {
        let message = "SUBQUERY takes a list, a variable and a condition, and this is a condition"
        return syntax(message, node.range, hint: "write SUBQUERY(list, $x, $x.key > 0).@count > 0")
    }

    func missingVariable() -> Mistake {
        guard isWord(token) else { return unexpected("a variable such as $x") }
        return syntax(
            "expected a variable, found `\(shortened(token.range))`",
            token.range,
            hint: "write `$\(shortened(token.range))`, also in the condition",
            fix: elementFix
        )
    }

    /// `$` before the element's name and before each use of it in the condition of SUBQUERY; nil where the condition never
    /// uses it, or with and without `$`.
    private var elementFix: Fix? {
        let name = text(token.range)
        var (end, mended) = (token.end, "$" + name)
        var (level, bare, marked) = (1, 0, 0)
        var before = token
        for next in tokens(token.end..<lexer.bytes.count) {
            switch next.kind {
            case .invalid: return nil
            case .open: level += 1
            case .close: level -= 1
            case .variable: marked += text(next.range) == "$" + name ? 1 : 0
            case _ where isWord(next) && before.kind != .dot && text(next.range) == name:
                mended += text(end..<next.start) + "$" + name
                end = next.end
                bare += 1
            default: break
            }
            if level == 0 {
                return (bare == 0) == (marked == 0) ? nil : Fix(range: token.start..<end, replacement: mended)
            }
            before = next
        }
        return nil
    }

    func noType(_ node: ParsedNode) -> Mistake {
        syntax("CAST needs a type in quotes", node.range, hint: "types are " + Self.types)
    }

    /// A class, which a cast could look up to call it (S25).
    func classCast(_ name: String, _ range: Range<Int>) -> Mistake {
        let names = CastTarget.allCases.map(\.rawValue)
        // Swift's names lack the prefix; NSData is another class.
        let sure = names.first { "NS" + name == $0 || name != "NSData" && name.isTypo(of: $0) }
        let meant = sure ?? Suggestion.nearest(to: name, among: names)
        let isLiteral = lexer.byte(at: range.lowerBound) != UInt8(ascii: "%")
        return Mistake(
            .classCast,
            "CAST converts to numbers, texts, dates and UUIDs, not to classes",
            range: range,
            hint: meant.map { "did you mean \($0)?" } ?? "types are " + Self.types,
            fix: isLiteral ? sure.map { Fix(range: range, replacement: "'\($0)'") } : nil
        )
    }

    private static let types = CastTarget.allCases.map(\.rawValue).joined(separator: ", ")
}

// MARK: - Paths

extension Parser {
    /// No key after a dot.
    mutating func missingKey() -> Mistake {
        switch token.kind {
        case .int:
            if let mistake = prefixedValue { return mistake }
            let dot = previousEnd - 1
            return syntax(
                "a key cannot start with a digit",
                token.range,
                hint:
                    "write [\(text(token.range))] for an element of a list, ['\(text(token.range))'] for the value of a key",
                fix: Fix(range: dot..<token.end, replacement: "[\(text(token.range))]")
            )
        case .dot:
            return syntax(
                "a key is missing between two dots",
                token.range,
                hint: "write one dot",
                fix: Fix(range: token.range, replacement: "")
            )
        case .selector, .functionName:
            return syntax("functions come before their argument, not after a dot", token.range)
        case .specifier where Specifier(packed: token.value).conversion == UInt8(ascii: "@"):
            let key = text(token.start..<(token.end - 1)) + "K"
            return syntax(
                "expected a key after the dot, found a value",
                token.range,
                hint: "write \(key) for a key",
                fix: Fix(range: token.range, replacement: key)
            )
        case .string: return syntax("expected a key, found a text in quotes", token.range, hint: "write a['key']")
        default: return unexpected("a key after the dot")
        }
    }

    /// `age=gte.18` of PostgREST: the operator is a word before the value.
    private var prefixedValue: Mistake? {
        let before = Array(tokens(0..<token.start).suffix(3))
        guard before.count == 3, before[0].kind == .comparison(.equal),
            let meant = Self.aliases[text(before[1].range).uppercased()]?.spelling
        else { return nil }
        return syntax(
            "`\(text(before[1].range))` before a value is not an operator",
            before[1].start..<token.end,
            hint: "write \(meant) \(shortened(token.range))",
            fix: Fix(range: before[0].start..<token.end, replacement: " \(meant) \(text(token.range))")
        )
    }

    func unknownAggregate(_ base: ParsedNode) -> Mistake {
        let word = text(token.range)
        let message = "there is no operator `\(shortened(token.range))`"
        let path = shortened(base.range)
        switch word.lowercased() {
        case "@size", "@length":
            let count = Aggregate.count.spelling
            let (list, length) = (Fix(range: token.range, replacement: count), "length(\(text(base.range)))")
            let fixes = [Kind.list: list, .string: Fix(range: base.start..<token.end, replacement: length)]
            let hint = "write \(count) for a list, length(\(path.isEmpty ? "a" : path)) for a text"
            let fix = type(of: base).kind.flatMap { fixes[$0] }
            return Mistake(.unknownAggregate, message, range: token.range, hint: hint, fix: fix)
        case "@allkeys", "@allvalues", "@keys", "@values":
            let hint = "write \(path)['key'] for the value of one key; \(path)['key'] != nil where there is one"
            return Mistake(.unknownAggregate, message, range: token.range, hint: hint)
        case "@type":
            let hint = "leave it out: a number equals only numbers, a text only texts; a schema declares kinds"
            return Mistake(.unknownAggregate, message, range: token.range, hint: hint)
        default: break
        }
        let names = Aggregate.allCases.map(\.spelling)
        let known = Self.aggregateAliases[word.lowercased()]?.spelling
        let sure = names.first { String(word.dropFirst()).isTypo(of: String($0.dropFirst())) }
        if known == nil, sure == nil, let key = signedKey() { return key }
        let meant = known ?? sure ?? Suggestion.nearest(to: word, among: names)
        return Mistake(
            .unknownAggregate,
            message,
            range: token.range,
            hint: meant.map { "did you mean \($0)?" } ?? "operators are " + names.joined(separator: ", "),
            fix: (known ?? sure).map { Fix(range: token.range, replacement: $0) }
        )
    }

    private static let aggregateAliases: [String: Aggregate] = [
        "@mean": .average, "@average": .average, "@total": .sum,
    ]

    /// `employees[name == 'Bob']`: a condition where an index must be.
    func filter(of base: ParsedNode, _ condition: ParsedNode) -> Mistake {
        syntax(
            "an index is a position or a key, not a condition",
            condition.range,
            hint: "write SUBQUERY(\(shortened(base.range)), $x, …).@count > 0, with $x.key for the keys of an element"
        )
    }

    func missingAggregatePath(_ range: Range<Int>) -> Mistake {
        syntax("`\(text(range))` needs a path after it", range, hint: "write `\(text(range)).key`")
    }

    func pathAfterCount(_ aggregate: Aggregate, _ start: Int) -> Mistake {
        let hint = "the number of elements has no keys"
        return syntax("nothing may follow `\(aggregate.spelling)`", start..<previousEnd, hint: hint)
    }
}
