import QueryChecking
import QueryTree
import QueryValues

extension SQLWriter {
    func callOperand(_ use: FunctionCall, _ scope: Scope) throws(QueryError) -> Operand {
        let origin = use.origin
        let name = try use.function.entry.sql.word(at: origin)
        switch use.function {
        case .median, .mode, .standardDeviation:
            return .node(try listFunction(use, scope), origin)
        case .modulus, .squareRoot, .log, .ln, .exp, .floor, .ceiling, .absolute, .truncate, .bitwiseAnd, .bitwiseOr,
            .bitwiseXor, .leftShift, .rightShift, .onesComplement:
            return .node(try numberFunction(use, name, scope), origin)
        case .length:
            return .node(try length(name, try use.first(), scope), origin)
        case .uppercase, .lowercase:
            return .node(try letters(use, scope), origin)
        case .distance:
            let places = try use.arguments.map { (argument) throws(QueryError) in try location(argument, scope) }
            return .node(.number(try called(use.function.rawValue, places, origin)), origin)
        case .year, .month, .day, .weekday, .hour, .minute:
            return .node(try datePart(use, scope), origin)
        case .sum, .count, .min, .max, .average, .now, .noindex, .random, .randomBelow:
            throw use.unsupported
        }
    }

    private func letters(_ use: FunctionCall, _ scope: Scope) throws(QueryError) -> Node {
        let text = try operand(use.first(), scope)
        if case .node(let node, _) = text {
            assumeSingle(node)
            if node.isRow || textTest(node)?.isFalse == true { return .text(.null) }
        }
        return .text(try called(use.function.rawValue, [text], use.origin))
    }

    /// A part of a date, computed as in memory (S28).
    private func datePart(_ use: FunctionCall, _ scope: Scope) throws(QueryError) -> Node {
        var passed = [try operand(use.first(), scope)]
        if case .node(let node, _) = passed[0] {
            assumeSingle(node)
            if node.isRow { return .number(.null, .int) }
            passed[0] = .node(try dated(node, beside: .date(0), use.origin), use.origin)
        }
        if use.arguments.count > 1 {
            _ = try DateZone(use.arguments[1])
            passed.append(try operand(use.arguments[1], scope))
        }
        return .number(try called(use.function.rawValue, passed, use.origin), .int)
    }

    private func listFunction(_ use: FunctionCall, _ scope: Scope) throws(QueryError) -> Node {
        let (function, list, origin) = (use.function, try use.first(), use.origin)
        guard let chain = try elements(list, FieldPath(keys: []), origin, scope) else { return .none }
        if function == .median { return median(chain) }
        if function == .mode { return try mode(chain, list, origin, scope) }
        return .number(try over(function.rawValue, .number(numeric(read(chain.element))), chain, origin))
    }

    /// The most frequent elements as a JSON list; nil if the value is not a list.
    private func mode(_ chain: Collection, _ list: Term, _ origin: Origin, _ scope: Scope) throws(QueryError)
        -> Node
    {
        if chain.element.mayBeBytes { throw mayBeBytes(origin) }
        let most = try over(Function.mode.rawValue, read(chain.element), chain, origin)
        let isList = try collection(of: list, scope).isList
        let found = SQLText.call("coalesce", most, .literal("[]"))
        let value = isList.isTrue ? found : SQLText.choice([(isList, found)])
        let kind = isList.isTrue ? SQLText.literal("array") : .choice([(isList, .literal("array"))])
        return Node(value: value, kinds: .json(kind), type: .list(.any), json: value, isComputed: true)
    }

    private func numberFunction(_ use: FunctionCall, _ name: String, _ scope: Scope) throws(QueryError) -> Node {
        let values = try use.arguments.map { (argument) throws(QueryError) in try number(argument, scope).value }
        guard let value = values.first, let last = values.last else {
            throw unsupported("a number is missing", at: use.origin)
        }
        switch use.function {
        case .modulus: return .number(.infix(whole(value), name, whole(last), .product), .int)
        case .bitwiseAnd, .bitwiseOr, .leftShift, .rightShift:
            return .number(.infix(whole(value), name, whole(last), .bits), .int)
        case .bitwiseXor:
            let (left, right) = (whole(value), whole(last))
            let both = SQLText.infix(left, "&", right, .bits)
            return .number(.infix(.infix(left, "|", right, .bits), "-", both, .sum), .int)
        case .onesComplement: return .number(whole(value).preceded(by: name), .int)
        case .squareRoot, .ln, .exp, .floor, .ceiling, .truncate:
            return .number(try math(name, [value], use.origin))
        case .log:
            // SQLite's log10() multiplies the natural logarithm: it gives 2.9999999999999996 for 1000.
            return .number(try called(use.function.rawValue, [.node(.number(value), use.origin)], use.origin))
        case .absolute:
            // abs() fails on the least int; negation makes it a double, and adding 0 keeps no negative zero.
            let v = SQLText.word("v")
            let positive = SQLText.choice([(.compare(v, "<", .zero), v.negated)], else: .infix(v, "+", .zero, .sum))
            return .number(Self.once(value, positive))
        default:
            throw use.unsupported
        }
    }

    /// A number if it is an int, else NULL.
    private func whole(_ value: SQLText) -> SQLText {
        if case .bound(.int) = value { return value }
        return Self.once(value, .choice(of: .word("typeof(v)"), [(["integer"], .word("v"))]))
    }

    /// A piece over `v`, which is the value computed once.
    private static func once(_ value: SQLText, _ piece: SQLText) -> SQLText {
        .select(SQLSelect([piece], from: [.select(SQLSelect([value.named("v")]))]))
    }

    /// The number of Unicode scalars; `length` stops at NUL, so NUL is replaced by another character first (T9).
    private func length(_ name: String, _ text: Term, _ scope: Scope) throws(QueryError) -> Node {
        guard case .node(let node, _) = try operand(text, scope) else { return .number(.null, .int) }
        assumeSingle(node)
        let test = textTest(node)
        if let test, test.isFalse { return .number(.null, .int) }
        let length = SQLText.call(name, withoutNul(node.value))
        return .number(test.map { .choice([($0, length)]) } ?? length, .int)
    }

    /// The text with NUL replaced by another character, which `pattern` must not contain.
    ///
    /// Uses JSON escapes, because replace() cannot search for NUL. Bytes, which JSON cannot represent, are read as text.
    func withoutNul(_ text: SQLText, for pattern: String = "") -> SQLText {
        let used = Set(pattern.unicodeScalars.map(\.value))
        let other = (0xE000...0xF8FF).first { !used.contains($0) } ?? 0xE000
        let hasNul = SQLText.compare(.call("instr", text, .call("char", .zero)), ">", .zero)
        let quoted = SQLText.call("json_quote", text.cast(to: "TEXT"))
        let backslashes = SQLText.call("replace", quoted, .literal("\\\\"), .literal("\\u005c"))
        let nul = SQLText.call("replace", backslashes, .literal("\\u0000"), .literal("\\u" + String(other, radix: 16)))
        return .choice([(hasNul, .call("json_extract", nul, .literal("$")))], else: text)
    }
}
