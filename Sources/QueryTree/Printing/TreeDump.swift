import QueryValues

extension Condition {
    /// The tree as nested parentheses: `(and (== state "MA") (>= population 50000))`.
    ///
    ///     try Condition(format: "a == 1 AND b > 2").treeDump  // → (and (== a 1) (> b 2))
    ///
    /// For people and tests; ``format`` is the text to store.
    public var treeDump: String {
        StackRoom.run(for: self) {
            var dump = TreeDump()
            dump.write(self)
            return dump.text
        }
    }
}

extension Term {
    /// The term's tree as nested parentheses.
    var treeDump: String {
        var dump = TreeDump()
        dump.write(self)
        return dump.text
    }
}

extension Query {
    /// The condition's tree as nested parentheses.
    ///
    ///     try Query(format: "NOT a == 1").treeDump  // → (not (== a 1))
    public var treeDump: String { condition.treeDump }
}

/// Writes a tree as nested parentheses, operator first.
private struct TreeDump {
    var text = ""

    mutating func write(_ condition: Condition) {
        switch condition {
        case .constant(let value): text += value ? "true" : "false"
        case .comparison(let comparison): write(comparison)
        case .and(let parts): node(LogicalWord.and.rawValue) { dump in parts.forEach { dump.item($0) } }
        case .or(let parts): node(LogicalWord.or.rawValue) { dump in parts.forEach { dump.item($0) } }
        case .not(let part): node(LogicalWord.not.rawValue) { $0.item(part) }
        }
    }

    private mutating func write(_ comparison: Comparison) {
        let options = comparison.options.text
        let name = comparison.operator.spelling + (options.isEmpty ? "" : "[\(options)]")
        guard let quantifier = comparison.quantifier else {
            node(name) { dump in
                dump.item(comparison.left)
                dump.item(comparison.right)
            }
            return
        }
        node(quantifier.rawValue + " " + name) { dump in
            dump.item(comparison.left)
            dump.item(comparison.right)
        }
    }

    mutating func write(_ term: Term) {
        switch term {
        case .value(let value, _): write(value)
        case .field(let path, _): text += path.startsAtSelf || path.keys.isEmpty ? selfPath(path) : path.dotted
        case .variable(let variable, _): text += "$" + variable.name
        case .list(let elements, _): braces(elements)
        case .path(let base, let steps, _): node("path") { dump in dump.path(base, steps) }
        case .index(let base, let index, _): node("index") { dump in dump.index(base, index) }
        case .aggregate(let aggregate, of: let base, let path, _):
            node(aggregate.spelling) { dump in
                dump.item(base)
                if !path.keys.isEmpty { dump.text += " " + path.dotted }
            }
        case .arithmetic(let chain, _): write(chain)
        case .negated(let operand, _): node("-") { $0.item(operand) }
        case .call(let function, let arguments, _):
            node(function.row.name) { dump in arguments.forEach { dump.item($0) } }
        case .subquery(let subquery, _): node("subquery") { $0.subquery(subquery) }
        case .conditional(let test, let first, let second, _):
            node("ternary") { dump in
                dump.item(test)
                dump.item(first)
                dump.item(second)
            }
        case .cast(let operand, let target, _):
            node("cast " + target.rawValue) { $0.item(operand) }
        case .assignment(let variable, let operand, _):
            node(":= $" + variable.name) { $0.item(operand) }
        }
    }

    private mutating func node(_ name: String, _ content: (inout TreeDump) -> Void) {
        text += "(" + name
        content(&self)
        text += ")"
    }

    private mutating func item(_ condition: Condition) {
        text += " "
        write(condition)
    }

    private mutating func item(_ term: Term) {
        text += " "
        write(term)
    }

    private mutating func braces(_ elements: [Term]) {
        text += "{"
        for (position, element) in elements.enumerated() {
            if position > 0 { text += " " }
            write(element)
        }
        text += "}"
    }

    private mutating func path(_ base: Term, _ steps: [PathStep]) {
        item(base)
        for step in steps {
            switch step {
            case .key(let key): text += " " + key
            case .variable(let variable): text += " $" + variable.name
            }
        }
    }

    private mutating func index(_ base: Term, _ index: Index) {
        item(base)
        switch index {
        case .first: text += " " + ReservedWord.first.rawValue
        case .last: text += " " + ReservedWord.last.rawValue
        case .size: text += " " + ReservedWord.size.rawValue
        case .at(let term): item(term)
        }
    }

    private mutating func subquery(_ subquery: Subquery) {
        item(subquery.collection)
        text += " $" + subquery.variable.name
        item(subquery.condition)
    }

    private mutating func write(_ chain: Arithmetic) {
        text += "("
        write(chain.first)
        for link in chain.rest {
            text += " " + link.operation.row.spelling
            item(link.operand)
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
