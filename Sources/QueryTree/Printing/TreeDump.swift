import QueryValues

extension Condition {
    /// The tree as nested parentheses: `(and (== state "MA") (>= population 50000))`.
    ///
    ///     try Condition(format: "a == 1 AND b > 2").treeDump  // → (and (== a 1) (> b 2))
    ///
    /// For display and tests; use ``format`` for storage.
    package var treeDump: String {
        StackRoom.run(for: self) {
            var dump = TreeDump()
            dump.write(self)
            return dump.text
        }
    }
}

extension Term {
    /// The term's tree as nested parentheses.
    package var treeDump: String {
        var dump = TreeDump()
        dump.write(self)
        return dump.text
    }
}

extension Query {
    /// The condition's tree as nested parentheses.
    ///
    ///     try Query(format: "NOT a == 1").treeDump  // → (not (== a 1))
    package var treeDump: String { condition.treeDump }
}

/// Writes a tree as nested parentheses, operator first.
private struct TreeDump {
    var text = ""

    mutating func write(_ condition: Condition) {
        let children = TreeNode.condition(condition).children
        switch condition {
        case .constant(let value): text += value ? "true" : "false"
        case .comparison(let comparison): write(comparison.dumpName, children)
        case .and: write(LogicalWord.and.rawValue, children)
        case .or: write(LogicalWord.or.rawValue, children)
        case .not: write(LogicalWord.not.rawValue, children)
        }
    }

    mutating func write(_ term: Term) {
        switch term {
        case .value(let value, _): write(value)
        case .field(let path, _): text += path.startsAtSelf || path.keys.isEmpty ? selfPath(path) : path.dotted
        case .variable(let variable, _): text += "$" + variable.name
        case .list(let elements, _): braces(elements)
        case .path(_, let steps, _): write("path", term.children, then: steps.map(\.label))
        case .index(_, let index, _): write("index", term.children, then: index.word.map { [$0.rawValue] } ?? [])
        case .aggregate(let aggregate, of: _, let path, _):
            write(aggregate.spelling, term.children, then: path.keys.isEmpty ? [] : [path.dotted])
        case .arithmetic(let chain, _): write(chain)
        case .negated: write("-", term.children)
        case .call(let function, let arguments, _):
            write(function.entry.name(of: arguments.count), term.children)
        case .subquery(let subquery, _): write(subquery)
        case .conditional: write("ternary", term.children)
        case .cast(_, let target, _): write("cast " + target.rawValue, term.children)
        case .assignment(let variable, _, _): write(":= $" + variable.name, term.children)
        }
    }

    /// A name, the nodes below and what follows them.
    private mutating func write(_ name: String, _ children: [TreeNode], then words: [String] = []) {
        text += "(" + name
        for child in children {
            text += " "
            switch child {
            case .condition(let condition): write(condition)
            case .term(let term): write(term)
            }
        }
        for word in words { text += " " + word }
        text += ")"
    }

    private mutating func braces(_ elements: [Term]) {
        text += "{"
        for (position, element) in elements.enumerated() {
            if position > 0 { text += " " }
            write(element)
        }
        text += "}"
    }

    private mutating func write(_ subquery: Subquery) {
        text += "(subquery "
        write(subquery.collection)
        text += " $" + subquery.variable.name + " "
        write(subquery.condition)
        text += ")"
    }

    private mutating func write(_ chain: Arithmetic) {
        text += "("
        write(chain.first)
        for link in chain.rest {
            text += " " + link.operation.entry.spelling + " "
            write(link.operand)
        }
        text += ")"
    }

    private func selfPath(_ path: FieldPath) -> String {
        path.keys.isEmpty ? ReservedWord.`self`.rawValue : ReservedWord.`self`.rawValue + "." + path.dotted
    }

    private mutating func write(_ value: QueryValue) {
        switch value {
        case .null: text += "nil"
        case .bool(let value): text += value ? ReservedWord.true.rawValue : ReservedWord.false.rawValue
        default: text += value.extendedJSON()
        }
    }
}

extension Comparison {
    fileprivate var dumpName: String {
        let name = `operator`.spelling + (options.isEmpty ? "" : "[\(options.text)]")
        return quantifier.map { $0.rawValue + " " + name } ?? name
    }
}

extension PathStep {
    /// The key, or the variable with its `$`.
    package var label: String {
        switch self {
        case .key(let key): key
        case .variable(let variable): "$" + variable.name
        }
    }
}

extension Index {
    /// FIRST, LAST or SIZE; nil for a position or key.
    package var word: ReservedWord? {
        switch self {
        case .first: .first
        case .last: .last
        case .size: .size
        case .at: nil
        }
    }
}
