/// A tree as labels and children: what pictures of trees are made from.
package struct TreeOutline {
    /// What the node is, in a few words.
    package var label: String
    /// The kind of a term, nil for conditions.
    package var kind: FieldType?
    /// The parts, in the order of the text.
    package var children: [TreeOutline] = []

    /// One line a node, parts indented below it, with the kinds of terms that are known.
    package var lines: [String] {
        let kind = kind.flatMap { $0 == .any ? nil : ": " + $0.name } ?? ""
        return [label + kind] + children.flatMap { $0.lines.map { "  " + $0 } }
    }
}

extension Query {
    /// The condition's tree with the kinds that the schema gives its terms.
    package var outline: TreeOutline { condition.outline(TypeScope(schema)) }
}

extension Condition {
    package func outline(_ scope: TypeScope) -> TreeOutline {
        switch self {
        case .constant: TreeOutline(label: treeDump)
        case .comparison(let comparison): comparison.outline(scope)
        case .and(let parts):
            TreeOutline(label: LogicalWord.and.spellings[0], children: parts.map { $0.outline(scope) })
        case .or(let parts): TreeOutline(label: LogicalWord.or.spellings[0], children: parts.map { $0.outline(scope) })
        case .not(let part): TreeOutline(label: LogicalWord.not.spellings[0], children: [part.outline(scope)])
        }
    }
}

extension Comparison {
    fileprivate func outline(_ scope: TypeScope) -> TreeOutline {
        let letters = options.isEmpty ? "" : "[\(options.text)]"
        let word = quantifier.map { $0.rawValue.uppercased() + " " } ?? ""
        return TreeOutline(
            label: word + self.operator.spelling + letters,
            children: [left.outline(scope), right.outline(scope)]
        )
    }
}

extension Term {
    fileprivate func outline(_ scope: TypeScope) -> TreeOutline {
        TreeOutline(label: outlineLabel, kind: scope.type(of: self), children: outlineChildren(scope))
    }

    private var outlineLabel: String {
        switch self {
        case .value, .field, .variable: treeDump
        case .list: "{ }"
        case .path(_, let steps, _): steps.map { "." + $0.label }.joined()
        case .index(_, let index, _): "[\(index.label)]"
        case .aggregate(let aggregate, of: _, let path, _):
            path.keys.isEmpty ? aggregate.spelling : aggregate.spelling + "." + path.dotted
        case .arithmetic(let chain, _): chain.rest.map(\.operation.row.spelling).joined(separator: " ")
        case .negated: ArithmeticOperator.subtract.row.spelling
        case .call(let function, _, _): function.row.name
        case .subquery(let subquery, _): ReservedWord.subquery.rawValue + " $" + subquery.variable.name
        case .conditional: ReservedWord.ternary.rawValue
        case .cast(_, let target, _): ReservedWord.cast.rawValue + " " + target.rawValue
        case .assignment(let variable, _, _): "$" + variable.name + " :="
        }
    }

    private func outlineChildren(_ scope: TypeScope) -> [TreeOutline] {
        switch self {
        case .value, .field, .variable: return []
        case .list(let terms, _), .call(_, let terms, _): return terms.map { $0.outline(scope) }
        case .path(let term, _, _), .aggregate(_, of: let term, _, _), .negated(let term, _), .cast(let term, _, _),
            .assignment(_, let term, _):
            return [term.outline(scope)]
        case .index(let term, .at(let position), _): return [term.outline(scope), position.outline(scope)]
        case .index(let term, _, _): return [term.outline(scope)]
        case .arithmetic(let chain, _): return ([chain.first] + chain.rest.map(\.operand)).map { $0.outline(scope) }
        case .subquery(let subquery, _):
            let element = scope.type(of: subquery.collection).element
            let inner = scope.binding(subquery.variable, to: element)
            return [subquery.collection.outline(scope), subquery.condition.outline(inner)]
        case .conditional(let test, let first, let second, _):
            return [test.outline(scope), first.outline(scope), second.outline(scope)]
        }
    }
}

extension PathStep {
    fileprivate var label: String {
        switch self {
        case .key(let key): key
        case .variable(let variable): "$" + variable.name
        }
    }
}

extension Index {
    fileprivate var label: String {
        switch self {
        case .first: ReservedWord.first.rawValue
        case .last: ReservedWord.last.rawValue
        case .size: ReservedWord.size.rawValue
        case .at: " "
        }
    }
}
