import QueryTree
import QueryValues

/// A tree as labels and children, the basis of tree diagrams.
package struct TreeOutline {
    /// A short description of the node.
    package var label: String
    /// The kind of a term, nil for conditions.
    package var kind: FieldType?
    /// The parts, in the order of the text.
    package var children: [TreeOutline] = []

    /// One line per node, children indented, with the kinds of terms where known.
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
        case .index(_, let index, _): "[\(index.word?.rawValue ?? " ")]"
        case .aggregate(let aggregate, of: _, let path, _):
            path.keys.isEmpty ? aggregate.spelling : aggregate.spelling + "." + path.dotted
        case .arithmetic(let chain, _): chain.rest.map(\.operation.entry.spelling).joined(separator: " ")
        case .negated: ArithmeticOperator.subtract.entry.spelling
        case .call(let function, let arguments, _): function.entry.name(of: arguments.count)
        case .subquery(let subquery, _): ReservedWord.subquery.rawValue + " $" + subquery.variable.name
        case .conditional: ReservedWord.ternary.rawValue
        case .cast(_, let target, _): ReservedWord.cast.rawValue + " " + target.rawValue
        case .assignment(let variable, _, _): "$" + variable.name + " :="
        }
    }

    private func outlineChildren(_ scope: TypeScope) -> [TreeOutline] {
        var inner = scope
        if case .subquery(let subquery, _) = self {
            inner = scope.binding(subquery.variable, to: scope.type(of: subquery.collection).element)
        }
        return children.map { child in
            switch child {
            case .condition(let condition): condition.outline(inner)
            case .term(let term): term.outline(scope)
            }
        }
    }
}
