import QueryChecking
import QueryTree
import QueryValues

extension Parser {
    /// An operand: everything that can start an expression.
    mutating func operand() throws(Mistake) -> ParsedNode {
        switch token.kind {
        case .logical(.not): return try negation()
        case .logical(let word) where word != .and && word != .or: return try quantified(word)
        case .arithmetic(.subtract, _): return try negative()
        case .reserved(.truePredicate): return constant(true)
        case .reserved(.falsePredicate): return constant(false)
        case .aggregate: return try postfix(emptyPath, isStep: true)
        default:
            let atom = try atom()
            switch token.kind {
            case .dot, .openBracket: return try postfix(atom)
            default: return atom
            }
        }
    }

    /// `constant = "TRUEPREDICATE" | "FALSEPREDICATE" ;`.
    private mutating func constant(_ value: Bool) -> ParsedNode {
        let start = token.start
        advance()
        return ParsedNode(.constant(value), start: start, end: previousEnd)
    }

    /// `atom = literal | path | variable | assignment | placeholder | group | list | call ;`.
    private mutating func atom() throws(Mistake) -> ParsedNode {
        switch token.kind {
        case .int, .float, .string: return try literal()
        case .word: return lexer.byteAhead() == UInt8(ascii: "(") ? try call() : try path()
        case .escapedWord: return try path()
        case .reserved(let word): return try reserved(word)
        case .arithmetic where isWord(token): return try path()
        case .variable: return try variable()
        case .specifier: return try placeholder()
        case .open: return try group()
        case .openBrace: return try list()
        case .functionName: return try call()
        default: throw missingOperand()
        }
    }

    /// `literal = int | float | string | "TRUE" | "YES" | "FALSE" | "NO" | "nil" | "NULL" ;`.
    private mutating func literal() throws(Mistake) -> ParsedNode {
        let first = token
        let value: QueryValue
        switch first.kind {
        case .int:
            guard let int = Int64(exactly: first.value) else { throw intRange(first.range) }
            value = .int(int)
        case .float: value = .double(Double(bitPattern: first.value))
        case .string:
            value = .string(try string(first))
            if quotedPlaceholder == nil, isPlaceholder(first) { quotedPlaceholder = first.range }
        case .reserved(.true): value = .bool(true)
        case .reserved(.false): value = .bool(false)
        default: value = .null
        }
        advance()
        return ParsedNode(.value(value, origin(first.start, first.end)), start: first.start, end: first.end)
    }

    /// Words with a meaning, or keys where that meaning is not possible.
    private mutating func reserved(_ word: ReservedWord) throws(Mistake) -> ParsedNode {
        switch word {
        case .true, .false, .null: try literal()
        case .self, .first, .last, .size: try path()
        case .subquery, .ternary, .cast, .function:
            lexer.byteAhead() == UInt8(ascii: "(") ? try call() : try path()
        case .truePredicate, .falsePredicate: throw missingOperand()
        }
    }

    /// A variable, or with `:=` an assignment.
    private mutating func variable() throws(Mistake) -> ParsedNode {
        let first = token
        let variable = Variable(try key(first))
        advance()
        guard token.kind == .assign else {
            return ParsedNode(.variable(variable, origin(first.start, first.end)), start: first.start, end: first.end)
        }
        try enter()
        advance()
        let value = try expression(.set)
        leave()
        return try assignment(variable, value, first.start)
    }

    /// `assignment = variable ":=" term ;`.
    private func assignment(_ variable: Variable, _ value: ParsedNode, _ start: Int) throws(Mistake) -> ParsedNode {
        var depth = Depth()
        depth.include(value)
        let place = origin(start, previousEnd)
        // Canonical text puts parentheses around it, which also count as a level.
        return try node(.assignment(variable, try term(value), place), start, previousEnd, over: depth, nesting: 2)
    }

    /// `placeholder = "%" conversion ;`: the next argument's value or, for `%K`, path.
    private mutating func placeholder() throws(Mistake) -> ParsedNode {
        let first = token
        let specifier = Specifier(packed: first.value)
        if specifier.conversion == UInt8(ascii: "K") { return try postfix(emptyPath, isStep: true) }
        let value = try arguments.value(specifier, first.range)
        advance()
        let term = Term.constant(value, origin(first.start, first.end))
        let depth = try arguments.depth(of: value, limits, first.range)
        return ParsedNode(
            term,
            start: first.start,
            end: first.end,
            nesting: depth,
            height: depth + 1,
            isPlain: term.isPlain
        )
    }

    /// `group = "(" ( predicate | term ) ")" ;`.
    private mutating func group() throws(Mistake) -> ParsedNode {
        let start = token.start
        try enter()
        advance()
        if token.kind == .close { throw unexpected("something between the parentheses") }
        var inner = try expression(.or)
        guard token.kind == .close else { throw unclosedGroup(from: start, inner) }
        advance()
        leave()
        inner.isGroup = true
        inner.start = start
        inner.end = previousEnd
        return inner
    }

    /// `list = "{" [ term { "," term } ] "}" ;`.
    private mutating func list() throws(Mistake) -> ParsedNode {
        let start = token.start
        let elements = Elements()
        try enter()
        advance()
        if token.kind != .closeBrace {
            while true {
                let element = try expression(.or)
                try append(element, to: elements, from: start)
                guard token.kind == .comma else { break }
                advance()
                if token.kind == .closeBrace { throw trailingComma() }
            }
        }
        guard token.kind == .closeBrace else { throw unclosedList(from: start) }
        advance()
        leave()
        let list = Term.list(elements.terms, origin(start, previousEnd))
        return try node(list, start, previousEnd, over: elements.depth, nesting: 1)
    }

    private func append(_ element: ParsedNode, to elements: Elements, from start: Int) throws(Mistake) {
        guard case .term(let term) = element.content else { throw listedPredicate(element, from: start) }
        elements.depth.include(element)
        elements.terms.append(term)
        if elements.terms.count > limits.listElements { throw tooManyElements(start..<previousEnd) }
    }
}

/// A list being built; a class for the same reason as ``ParsedNode``.
private final class Elements {
    var terms: [Term] = []
    var depth = Depth()
}
