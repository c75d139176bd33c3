extension FormatWriter {
    /// Appends a term without surrounding parentheses.
    package mutating func write(_ term: Term) {
        switch term {
        case .value(let value, _): write(value)
        case .field(let path, _): write(path)
        case .variable(let variable, _): write(variable)
        case .list(let elements, _): writeList(elements)
        case .path(let base, let steps, _):
            write(base, parenthesized: base.needsParenthesesBeforeDot(isAggregated: false))
            write(steps)
        case .index(let base, let index, _):
            write(base, parenthesized: base.needsParenthesesBeforeIndex)
            write(index)
        case .aggregate(let aggregate, of: let base, let path, _): write(aggregate, of: base, path)
        case .arithmetic(let chain, _): write(chain)
        case .negated(let operand, _):
            text += ArithmeticOperator.subtract.entry.spelling
            write(operand, parenthesized: operand.needsParenthesesWhenNegated)
        case .call(let function, let arguments, _): writeCall(function.entry.name(of: arguments.count), arguments)
        case .subquery(let subquery, _): write(subquery)
        case .conditional(let test, let first, let second, _): writeConditional(test, first, second)
        case .cast(let operand, let target, _): writeCast(operand, target)
        case .assignment(let variable, let operand, _):
            text += "("
            write(variable)
            text += " := "
            write(operand)
            text += ")"
        }
    }

    private mutating func write(_ term: Term, parenthesized: Bool) {
        guard parenthesized else { return write(term) }
        text += "("
        write(term)
        text += ")"
    }

    private mutating func writeAll(_ terms: [Term]) {
        for (index, term) in terms.enumerated() {
            if index > 0 { text += ", " }
            write(term)
        }
    }

    private mutating func writeList(_ elements: [Term]) {
        text += "{"
        writeAll(elements)
        text += "}"
    }

    private mutating func writeCall(_ name: String, _ arguments: [Term]) {
        text += name
        text += "("
        writeAll(arguments)
        text += ")"
    }

    private mutating func write(_ chain: Arithmetic) {
        guard let first = chain.rest.first else { return write(chain.first) }
        write(chain.first, parenthesized: chain.first.needsParentheses(asOperandOf: first.operation, isFirst: true))
        for link in chain.rest {
            text += " "
            text += link.operation.entry.spelling
            text += " "
            write(
                link.operand,
                parenthesized: link.operand.needsParentheses(asOperandOf: link.operation, isFirst: false)
            )
        }
    }

    private mutating func write(_ subquery: Subquery) {
        text += ReservedWord.subquery.rawValue
        text += "("
        write(subquery.collection)
        text += ", "
        write(subquery.variable)
        text += ", "
        write(subquery.condition)
        text += ")"
    }

    private mutating func writeConditional(_ test: Condition, _ first: Term, _ second: Term) {
        text += ReservedWord.ternary.rawValue
        text += "("
        write(test)
        text += ", "
        write(first)
        text += ", "
        write(second)
        text += ")"
    }

    private mutating func writeCast(_ operand: Term, _ target: CastTarget) {
        text += ReservedWord.cast.rawValue
        text += "("
        write(operand)
        text += ", \""
        text += target.rawValue
        text += "\")"
    }
}

// MARK: - Paths

extension FormatWriter {
    private mutating func write(_ variable: Variable) {
        text += "$"
        KeyText.write(variable.name, to: &text)
    }

    private mutating func write(_ path: FieldPath) {
        if path.startsAtSelf { text += ReservedWord.`self`.rawValue }
        writeKeys(path.keys, needsDot: path.startsAtSelf)
    }

    private mutating func writeKeys(_ keys: [String], needsDot: Bool) {
        var needsDot = needsDot
        for key in keys {
            if needsDot { text += "." }
            needsDot = true
            writeKey(key)
        }
    }

    /// A key; reserved words are escaped so that they are read as keys.
    package mutating func writeKey(_ key: String) {
        if ReservedWords.contains(key) { text += "#" }
        KeyText.write(key, to: &text)
    }

    private mutating func write(_ steps: [PathStep]) {
        for step in steps {
            text += "."
            switch step {
            case .key(let key): writeKey(key)
            case .variable(let variable): write(variable)
            }
        }
    }

    private mutating func write(_ index: Index) {
        text += "["
        switch index {
        case .first: text += ReservedWord.first.rawValue
        case .last: text += ReservedWord.last.rawValue
        case .size: text += ReservedWord.size.rawValue
        case .at(let term): write(term)
        }
        text += "]"
    }

    private mutating func write(_ aggregate: Aggregate, of base: Term, _ path: FieldPath) {
        if case .field(let field, _) = base, field.keys.isEmpty, !field.startsAtSelf {
            text += aggregate.spelling
        } else {
            write(base, parenthesized: base.needsParenthesesBeforeDot(isAggregated: true))
            text += "."
            text += aggregate.spelling
        }
        if aggregate.pathRule == .none { return }
        if path.keys.isEmpty {
            // Means the elements themselves; Apple requires a key here.
            text += ".#self"
        } else {
            writeKeys(path.keys, needsDot: true)
        }
    }
}

// MARK: - Where parentheses are needed

extension Arithmetic {
    /// The precedence of all its operators.
    package var precedence: ArithmeticOperator.Precedence? { rest.first?.operation.entry.precedence }
    /// True for sets, which have no order.
    package var isOfSets: Bool { rest.first?.operation.isOfSets ?? false }
}

extension Term {
    /// The term's precedence as written, or nil if it never needs parentheses.
    package var precedence: ArithmeticOperator.Precedence? {
        switch self {
        case .arithmetic(let chain, _): chain.rest.isEmpty ? chain.first.precedence : chain.precedence
        case .negated: .negation
        case .value(.int(let value), _): value < 0 ? .negation : nil
        case .value(.double(let value), _): value.isFinite && value.sign == .minus ? .negation : nil
        default: nil
        }
    }

    /// True if the term needs parentheses as an operand of an operator.
    package func needsParentheses(asOperandOf operation: ArithmeticOperator, isFirst: Bool) -> Bool {
        guard let precedence else { return false }
        let outer = operation.entry.precedence
        return isFirst ? precedence < outer : precedence <= outer
    }

    /// True if the term needs parentheses after a minus: sums, and numbers, which would otherwise become negative
    /// literals.
    package var needsParenthesesWhenNegated: Bool {
        if case .negated = self { return false }
        return precedence != nil || isNumber
    }

    /// True if the term needs parentheses before `.key`, or before `.@count` when `isAggregated`.
    package func needsParenthesesBeforeDot(isAggregated: Bool) -> Bool {
        if case .aggregate(let inner, of: _, _, _) = self { return !isAggregated || inner.pathRule == .none }
        return precedence != nil || isNumber
    }

    /// True if the term needs parentheses before `[`: paths of several parts do, so that Apple reads them the same way.
    package var needsParenthesesBeforeIndex: Bool {
        switch self {
        case .field(let path, _): path.keys.count + (path.startsAtSelf ? 1 : 0) > 1
        case .path, .aggregate: true
        default: precedence != nil || isNumber
        }
    }

    private var isNumber: Bool {
        switch self {
        case .value(.int, _): true
        case .value(.double(let value), _): value.isFinite
        default: false
        }
    }
}
