import QueryMeaning
import QueryTree
import QueryValues

extension ExpressionWriter {
    /// `needle IN container`, `container CONTAINS needle` (S12).
    func member(
        _ needle: Operand,
        in container: Operand,
        _ question: Question
    ) throws(QueryError) -> QueryValue {
        if let constant = container.constant {
            switch constant {
            case .null: return .bool(false)
            case .list(let elements): return try member(needle, ofConstants: elements, question)
            case .string(let text): return try part(needle, of: text, question)
            case .bool, .int, .double, .date, .data, .uuid, .object, .shape:
                return try alone(needle, container, question)
            }
        }
        if let terms = question.containerTerms { return try member(needle, ofTerms: terms, question) }
        switch container.type {
        case .string: return try part(needle, of: container, question)
        case .list: return try element(needle, of: container, question)
        case .any where container.isNumeric: return try alone(needle, container, question)
        case .any:
            let isText = Self.isText(container.expression)
            let single = Self.choose(
                isText,
                try part(needle, of: container, question),
                try alone(needle, container, question)
            )
            return Self.choose(
                Self.isList(container.expression),
                try element(needle, of: container, question),
                single
            )
        case .bool, .int, .double, .date, .data, .uuid, .objectID, .object:
            return try alone(needle, container, question)
        }
    }

    /// Membership in a single value, which counts as a collection of one; nil contains nothing.
    private func alone(
        _ needle: Operand,
        _ container: Operand,
        _ question: Question
    ) throws(QueryError) -> QueryValue {
        if needle.constant?.isNull == true { return .bool(false) }
        let holds: QueryValue = container.constant == nil ? Self.not(Self.isNil(container.expression)) : .bool(true)
        return Self.all([holds, try equal(container, needle, question)])
    }

    func member(
        _ needle: Operand,
        ofConstants elements: [QueryValue],
        _ question: Question
    ) throws(QueryError) -> QueryValue {
        var plain: [QueryValue] = []
        var parts: [QueryValue] = []
        var hasNil = false
        for element in elements where !element.holdsNaN {
            switch element {
            case .null: hasNil = true
            case .string where !question.options.folding.isEmpty && needle.constant == nil:
                parts.append(try matching(needle.expression, question.asking(.equal(element))))
            case .list where element.isFolded(question.options), .object where element.isFolded(question.options):
                throw foldedTerms(question)
            case _ where element.isOrderSensitive:
                throw unsupported("Mongo compares the fields of objects in their order", at: question.whole)
            case .bool, .int, .double, .string, .date, .data, .uuid, .list, .object, .shape:
                plain.append(
                    try constants.encode(element, for: needle.type.element, path: nil, at: question.origin)
                )
            }
        }
        if let constant = needle.constant {
            return .bool(constant.isNull ? hasNil : plain.contains(constant))
        }
        if hasNil { parts.append(Self.isNil(needle.expression)) }
        if !plain.isEmpty { parts.append(op("$in", [needle.expression, op("$literal", .list(plain))])) }
        return Self.some(parts)
    }

    private func member(
        _ needle: Operand,
        ofTerms terms: [Term],
        _ question: Question
    ) throws(QueryError) -> QueryValue {
        var parts: [QueryValue] = []
        for term in terms {
            let element = try operand(term)
            if needle.constant?.isNull == true {
                parts.append(element.constant.map { .bool($0.isNull) } ?? Self.isNil(element.expression))
                continue
            }
            parts.append(
                try binding(element) { (element) throws(QueryError) in try equal(needle, element, question) }
            )
        }
        return Self.some(parts)
    }

    private func element(
        _ needle: Operand,
        of container: Operand,
        _ question: Question
    ) throws(QueryError) -> QueryValue {
        let list = Self.listed(container)
        if let constant = needle.constant {
            if constant.holdsNaN { return .bool(false) }
            if !question.options.folding.isEmpty, case .string = constant {
                let name = context.freshName()
                let test = try matching(.string("$$" + name), question.asking(.equal(constant)))
                let map = op("$map", .object(["input": list, "as": .string(name), "in": test]))
                return op("$anyElementTrue", [map])
            }
            if constant.isFolded(question.options) { throw foldedTerms(question) }
            return op("$in", [try value(constant, with: container), list])
        }
        if !question.options.folding.isEmpty { throw foldedTerms(question) }
        return op("$in", [op("$ifNull", [needle.expression, .null]), list])
    }

    /// Tests whether a text occurs in a constant text.
    private func part(_ needle: Operand, of text: String, _ question: Question) throws(QueryError) -> QueryValue {
        if case .string(let part)? = needle.constant {
            return try matching(Self.literal(.string(text)), question.asking(.part(.middle, part)))
        }
        guard needle.constant == nil else { return .bool(false) }
        if !question.options.folding.isEmpty { throw foldedTerms(question) }
        return Self.all([
            Self.isText(needle.expression),
            op("$gte", [op("$indexOfBytes", [Self.literal(.string(text)), Self.asText(needle.expression)]), 0]),
        ])
    }

    /// Tests whether a text occurs in a stored text.
    private func part(
        _ needle: Operand,
        of container: Operand,
        _ question: Question
    ) throws(QueryError) -> QueryValue {
        guard let constant = needle.constant else { return try text(container, .part(.middle), needle, question) }
        guard case .string(let text) = constant else { return .bool(false) }
        let whole = container.constant.map(Self.literal) ?? container.expression
        return try matching(whole, question.asking(.part(.middle, text)))
    }
}

extension Question {
    /// The terms of a list literal used as the container; under ANY and ALL each element on the left is a container.
    fileprivate var containerTerms: [Term]? {
        if case .memberOfTerm = test { return term?.listed }
        return quantifier == nil ? subject.listed : nil
    }
}

extension Term {
    fileprivate var listed: [Term]? { if case .list(let terms, _) = self { terms } else { nil } }
}

extension ExpressionWriter {
    /// A string operator with a text of the row, which holds only if both sides are text (S7).
    func text(
        _ left: Operand,
        _ relation: TextRelation,
        _ right: Operand,
        _ question: Question
    ) throws(QueryError) -> QueryValue {
        if let constant = left.constant, constant.kind != .string { return .bool(false) }
        if !question.options.folding.isEmpty { throw foldedTerms(question) }
        let whole = left.constant.map(Self.literal) ?? left.expression
        let isText = Self.all([
            left.constant == nil ? Self.isText(whole) : .bool(true), Self.isText(right.expression),
        ])
        return Self.all([isText, try place(Self.asText(whole), relation, Self.asText(right.expression), question)])
    }

    /// The position of one stored text in another.
    private func place(
        _ whole: QueryValue,
        _ relation: TextRelation,
        _ part: QueryValue,
        _ question: Question
    ) throws(QueryError) -> QueryValue {
        let index = op("$indexOfBytes", [whole, part])
        switch relation {
        case .part(.prefix): return op("$eq", [index, 0])
        case .part(.middle): return op("$gte", [index, 0])
        case .part(.suffix):
            let (total, length) = (op("$strLenCP", whole), op("$strLenCP", part))
            let start = op("$max", [0, op("$subtract", [total, length])])
            return Self.all([
                op("$gte", [total, length]), op("$eq", [op("$substrCP", [whole, start, length]), part]),
            ])
        case .like, .matches:
            let hint = "give the pattern as a constant, or answer this part in memory by splitting the query"
            throw unsupported("Mongo supports constant patterns only", at: question.origin, hint: hint)
        }
    }

    /// Tests a value that may not be text with a regular expression.
    func matching(_ subject: QueryValue, _ question: Question) throws(QueryError) -> QueryValue {
        guard let pattern = try patterns.pattern(question) else { return .bool(false) }
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
