import QueryTree

// What needs no check without a schema. The parser records it while parsing, part by part; the walk here computes the
// same for a finished tree. Both use the same two tests for a node with plain parts.

extension Condition {
    /// True when nothing can be wrong without a schema, so that a checker would give the same tree back.
    package var isPlain: Bool {
        StackRoom.isNeeded(for: self) ? nodes.allSatisfy(\.isPlainOverPlainParts) : isPlainOfPlainHeight
    }

    /// The same by recursion, which allocates nothing.
    fileprivate var isPlainOfPlainHeight: Bool {
        if case .comparison(let comparison) = self, !comparison.isPlainOverPlainSides { return false }
        return !containsChild {
            !$0.isPlainOfPlainHeight
        } condition: {
            !$0.isPlainOfPlainHeight
        }
    }

    /// True for fields compared with constants of their kinds, joined by AND or OR: there is nothing to check, fold or
    /// reject.
    ///
    /// - Parameter row: the row's type in the schema, `.any` without one.
    /// - Returns: true if it can be translated without checking it first.
    package func isOrdinary(_ row: FieldType) -> Bool { isFlat { $0.isOrdinary(row) } }
}

extension Comparison {
    fileprivate func isOrdinary(_ row: FieldType) -> Bool {
        guard quantifier == nil, !options.contains(.localized), case .field(let path, _) = left,
            case .value(let value, _) = right, path.keys.count == 1, let key = path.keys.first,
            let type = row.type(of: key)
        else { return false }
        let kind = value.kind
        if value.isNaN { return false }
        if case .any = type {} else if type.kind != kind, kind != .null { return false }
        switch self.operator {
        case .equal, .notEqual: return kind == .null || kind == .bool || kind == .string || kind == .number
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return kind == .string || kind == .number
        case .beginsWith, .endsWith, .contains: return kind == .string
        case .between, .in, .like, .matches, .geoWithin: return false
        }
    }

    /// True when a comparison of two plain sides is plain.
    package var isPlainOverPlainSides: Bool {
        // A single value under a quantifier is an error (S10).
        if quantifier != nil, !left.isRead { return false }
        switch self.operator {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .contains, .beginsWith, .endsWith:
            return true
        case .between:
            if case .list(let bounds, _) = right { return bounds.count == 2 }
            return false
        case .like:
            // Only a backslash can make a pattern invalid (S15).
            if case .value(.string(let pattern), _) = right { return !pattern.utf8.contains(UInt8(ascii: "\\")) }
            return right.isRead
        case .matches, .geoWithin: return false
        }
    }
}

extension TreeNode {
    fileprivate var isPlainOverPlainParts: Bool {
        switch self {
        case .condition(.comparison(let comparison)): comparison.isPlainOverPlainSides
        case .condition: true
        case .term(let term): term.isPlainOverPlainParts
        }
    }
}

extension Term {
    fileprivate var isPlainOfPlainHeight: Bool {
        isPlainOverPlainParts
            && !containsChild {
                !$0.isPlainOfPlainHeight
            } condition: {
                !$0.isPlainOfPlainHeight
            }
    }

    package var isPlain: Bool { nodes.allSatisfy(\.isPlainOverPlainParts) }

    /// True when a term of plain parts is plain.
    package var isPlainOverPlainParts: Bool {
        switch self {
        case .field, .variable, .list, .arithmetic, .negated, .index: true
        case .value(let value, _): value.kind != .shape
        case .aggregate(_, of: let base, _, _), .path(let base, _, _): base.isRead
        // The kinds of a call's other arguments, and zones, are also checked without a schema.
        case .call(let function, let arguments, _):
            arguments.allSatisfy(\.isRead) && arguments.count <= function.entry.arguments.count
        case .subquery(let subquery, _): subquery.collection.isRead
        case .conditional, .cast, .assignment: false
        }
    }

    /// True for values from a row or a binding, whose kind only a schema declares.
    fileprivate var isRead: Bool {
        switch self {
        case .field, .variable: true
        case .path(let base, _, _): base.isRead
        default: false
        }
    }
}

extension Comparison.Operator {
    /// What an operator can hold for on its left.
    enum LeftSide {
        /// A value of the right side's kind.
        case ofKind
        /// A value of the kind of an element on the right.
        case ofElements
        case text, textOrList, place
    }

    var leftSide: LeftSide {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: .ofKind
        case .in, .between: .ofElements
        case .beginsWith, .endsWith, .like, .matches: .text
        case .contains: .textOrList
        case .geoWithin: .place
        }
    }
}

extension Comparison.Operator {
    /// True for what holds by the order of two values.
    var isOrdering: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
        case .equal, .notEqual, .in, .contains, .beginsWith, .endsWith, .like, .matches, .geoWithin: false
        }
    }
}
