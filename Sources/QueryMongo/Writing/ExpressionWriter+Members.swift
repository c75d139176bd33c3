import QueryTree
import QueryValues

extension ExpressionWriter {
    /// `needle IN container`, `container CONTAINS needle` (S12).
    func member(
        _ needle: Operand,
        in container: Operand,
        _ comparison: Comparison
    ) throws(QueryError) -> QueryValue {
        if let constant = container.constant {
            switch constant {
            case .null: return .bool(false)
            case .list(let elements): return try member(needle, ofConstants: elements, comparison)
            case .string(let text): return try part(needle, of: text, comparison)
            case .bool, .int, .double, .date, .data, .uuid, .object, .shape:
                return try alone(needle, container, comparison)
            }
        }
        if let terms = comparison.containerTerms { return try member(needle, ofTerms: terms, comparison) }
        switch container.type {
        case .string: return try part(needle, of: container, comparison)
        case .list: return try element(needle, of: container, comparison)
        case .any where container.isNumeric: return try alone(needle, container, comparison)
        case .any:
            let isText = Self.isText(container.expression)
            let single = Self.choose(
                isText,
                try part(needle, of: container, comparison),
                try alone(needle, container, comparison)
            )
            return Self.choose(
                Self.isList(container.expression),
                try element(needle, of: container, comparison),
                single
            )
        case .bool, .int, .double, .date, .data, .uuid, .objectID, .object:
            return try alone(needle, container, comparison)
        }
    }

    /// Membership in a single value, which counts as a collection of one; nil contains nothing.
    private func alone(
        _ needle: Operand,
        _ container: Operand,
        _ comparison: Comparison
    ) throws(QueryError) -> QueryValue {
        if needle.constant?.isNull == true { return .bool(false) }
        var equal = comparison
        equal.operator = .equal
        let holds: QueryValue = container.constant == nil ? Self.not(Self.isNil(container.expression)) : .bool(true)
        return Self.all([holds, try compare(container, equal, needle)])
    }

    private func member(
        _ needle: Operand,
        ofConstants elements: [QueryValue],
        _ comparison: Comparison
    ) throws(QueryError) -> QueryValue {
        var plain: [QueryValue] = []
        var parts: [QueryValue] = []
        var hasNil = false
        for element in elements where !element.holdsNaN {
            switch element {
            case .null: hasNil = true
            case .string(let text) where !comparison.options.folding.isEmpty && needle.constant == nil:
                parts.append(try matching(needle.expression, .equal, text, comparison))
            case .list where element.isFolded(comparison.options), .object where element.isFolded(comparison.options):
                throw unsupported("Mongo folds case only against constants", at: comparison.origin)
            case _ where element.isOrderSensitive:
                throw unsupported("Mongo compares the fields of objects in their order", at: comparison.origin)
            case .bool, .int, .double, .string, .date, .data, .uuid, .list, .object, .shape:
                plain.append(
                    try constants.encode(element, for: needle.type.element, path: nil, at: comparison.right.origin)
                )
            }
        }
        if let constant = needle.constant {
            return .bool(constant.isNull ? hasNil : plain.contains(constant))
        }
        if hasNil {
            var nothing = comparison
            nothing.operator = .equal
            parts.append(try compare(needle, nothing, constant(.null, comparison.right.origin)))
        }
        if !plain.isEmpty { parts.append(op("$in", [needle.expression, op("$literal", .list(plain))])) }
        return Self.some(parts)
    }

    private func member(
        _ needle: Operand,
        ofTerms terms: [Term],
        _ comparison: Comparison
    ) throws(QueryError) -> QueryValue {
        var equal = comparison
        equal.operator = .equal
        var parts: [QueryValue] = []
        for term in terms {
            let element = try operand(term)
            if needle.constant?.isNull == true {
                // Elements of a list are never absent, so the nil meaning does not apply.
                parts.append(element.constant.map { .bool($0.isNull) } ?? Self.isNil(element.expression))
                continue
            }
            parts.append(
                try binding(element) { (element) throws(QueryError) in try compare(needle, equal, element) }
            )
        }
        return Self.some(parts)
    }

    private func element(
        _ needle: Operand,
        of container: Operand,
        _ comparison: Comparison
    ) throws(QueryError) -> QueryValue {
        let list = Self.listed(container)
        if let constant = needle.constant {
            if constant.holdsNaN { return .bool(false) }
            if !comparison.options.folding.isEmpty, case .string(let text) = constant {
                let name = context.freshName()
                let test = try matching(.string("$$" + name), .equal, text, comparison)
                let map = op("$map", .object(["input": list, "as": .string(name), "in": test]))
                return op("$anyElementTrue", [map])
            }
            if constant.isFolded(comparison.options) {
                throw unsupported("Mongo folds case only against constants", at: comparison.origin)
            }
            return op("$in", [try value(constant, with: container), list])
        }
        if !comparison.options.folding.isEmpty {
            throw unsupported("Mongo folds case only against constants", at: comparison.origin)
        }
        return op("$in", [op("$ifNull", [needle.expression, .null]), list])
    }

    /// Tests whether a text occurs in a constant text.
    private func part(_ needle: Operand, of text: String, _ comparison: Comparison) throws(QueryError) -> QueryValue {
        if case .string(let part)? = needle.constant {
            return try matching(Self.literal(.string(text)), .contains, part, comparison)
        }
        guard needle.constant == nil else { return .bool(false) }
        if !comparison.options.folding.isEmpty {
            throw unsupported("Mongo folds case only against constants", at: comparison.origin)
        }
        return Self.all([
            Self.isText(needle.expression),
            op("$gte", [op("$indexOfBytes", [Self.literal(.string(text)), Self.asText(needle.expression)]), 0]),
        ])
    }

    /// Tests whether a text occurs in a stored text.
    private func part(
        _ needle: Operand,
        of container: Operand,
        _ comparison: Comparison
    ) throws(QueryError) -> QueryValue {
        var contains = comparison
        contains.operator = .contains
        return try text(container, needle, contains)
    }
}

extension Comparison {
    /// The terms of a list literal used as the container; under ANY and ALL each element on the left is a container.
    fileprivate var containerTerms: [Term]? {
        let container = `operator` == .in ? right : left
        guard quantifier == nil || `operator` == .in, case .list(let terms, _) = container else { return nil }
        return terms
    }
}

extension ExpressionWriter {
    /// A string operator, which holds only if both sides are text (S7).
    func text(_ left: Operand, _ right: Operand, _ comparison: Comparison) throws(QueryError) -> QueryValue {
        if let constant = right.constant {
            guard case .string(let text) = constant else { return .bool(false) }
            let subject = left.constant.map(Self.literal) ?? left.expression
            return try matching(subject, comparison.operator, text, comparison)
        }
        if let constant = left.constant, constant.kind != .string { return .bool(false) }
        if !comparison.options.folding.isEmpty {
            throw unsupported("Mongo folds case only against constants", at: comparison.origin)
        }
        let whole = left.constant.map(Self.literal) ?? left.expression
        let isText = Self.all([
            left.constant == nil ? Self.isText(whole) : .bool(true), Self.isText(right.expression),
        ])
        return Self.all([isText, try place(Self.asText(whole), Self.asText(right.expression), comparison)])
    }

    /// The position of one stored text in another.
    private func place(
        _ whole: QueryValue,
        _ part: QueryValue,
        _ comparison: Comparison
    ) throws(QueryError) -> QueryValue {
        let index = op("$indexOfBytes", [whole, part])
        switch comparison.operator {
        case .beginsWith: return op("$eq", [index, 0])
        case .contains: return op("$gte", [index, 0])
        case .endsWith:
            let (total, length) = (op("$strLenCP", whole), op("$strLenCP", part))
            let start = op("$max", [0, op("$subtract", [total, length])])
            return Self.all([
                op("$gte", [total, length]), op("$eq", [op("$substrCP", [whole, start, length]), part]),
            ])
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in, .like, .matches,
            .geoWithin:
            throw unsupported("Mongo supports constant patterns only", at: comparison.right.origin)
        }
    }

    /// Tests a value that may not be text with a regular expression.
    func matching(
        _ subject: QueryValue,
        _ operation: Comparison.Operator,
        _ text: String,
        _ comparison: Comparison
    ) throws(QueryError) -> QueryValue {
        guard let pattern = try patterns.pattern(operation, text, comparison.options, at: comparison.origin) else {
            return .bool(false)
        }
        var arguments: Document = [
            "input": Self.choose(Self.isText(subject), subject, .null), "regex": .string(pattern.text),
        ]
        if !pattern.options.isEmpty { arguments["options"] = .string(pattern.options) }
        return op("$regexMatch", .object(arguments))
    }

    static func asText(_ value: QueryValue) -> QueryValue {
        named(value) { choose(isText($0), $0, op("$literal", "")) }
    }
}
