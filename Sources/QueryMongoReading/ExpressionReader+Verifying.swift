import QueryChecking
import QueryMongo
import QueryTree
import QueryValues

extension FilterReader {
    /// The maximum depth of an expression; the writer does not exceed it.
    private static let mostLevels = 100

    /// `{"$expr": …}`.
    ///
    /// - Throws: `unsupported` for an expression that no condition is known to equal, because Mongo compares values of
    ///   any two kinds there, which no query does.
    func expression(_ node: MongoNode) throws(QueryError) -> Condition {
        guard node.value.isShallow(Self.mostLevels) else {
            throw node.error(.limit, "the expression is nested deeper than \(Self.mostLevels) levels")
        }
        guard subject == nil else { throw node.wrong("$expr is allowed only at the top level, next to fields") }
        let expression = try node.value.readingExpression(node)
        guard let condition = try exact(expression, node), condition.height <= reading.limits.nesting else {
            throw refusal(expression, node)
        }
        return condition
    }

    func reader(_ node: MongoNode) -> ExpressionReader {
        ExpressionReader(reading: reading, origin: node.origin, scope: TypeScope(row: reading.row))
    }

    /// The condition that the writer writes as this expression; nil if there is none.
    func written(_ expression: QueryValue, _ node: MongoNode) throws(QueryError) -> Condition? {
        guard let condition = reader(node).condition(expression), condition.height <= reading.limits.nesting,
            let assumptions = assumptions(of: condition, writtenAs: expression)
        else { return nil }
        guard reading.accepts(assumptions) else {
            throw node.unsupported(
                "Mongo looks inside lists on the way to a field, which no query does here",
                hint: "give a schema, or the assumptions",
                inRequest: Self.askFormat
            )
        }
        return condition
    }

    /// The assumptions under which the writer writes the condition as this expression; nil if it does not.
    private func assumptions(of condition: Condition, writtenAs expression: QueryValue) -> Set<Assumption>? {
        for isGuarded in [true, false] {
            let context = MongoContext(.mongoDB, isGuarded: isGuarded, nilMeaning: reading.nilMeaning)
            let writer = ExpressionWriter(context: context, scope: TypeScope(row: reading.row))
            guard let written = try? writer.truth(condition), written.isSame(as: expression) else { continue }
            return Set(context.listed)
        }
        return nil
    }

    // MARK: Refusing

    private func refusal(_ expression: QueryValue, _ node: MongoNode) -> QueryError {
        let reader = reader(node)
        let expression = expression.withLiterals
        if let name = reader.unreadOperator(expression) {
            return node.unsupported(
                "no query is equivalent to this use of \(name) in an expression",
                hint: Self.otherForms[name] ?? "compare fields with constants outside of $expr"
            )
        }
        var fields: [String] = []
        expression.noteFields { path in
            guard let field = try? field(of: .string(path), node), field.last == .any, !fields.contains(field.pathText)
            else { return }
            fields.append(field.pathText)
        }
        var (hints, inRequest) = ([String](), "compare fields with constants outside of $expr")
        if !fields.isEmpty {
            hints.append("declare the kinds of \(fields.joined(separator: ", ")) in a schema (pql: --schema)")
        }
        if let condition = reader.condition(expression), condition.height <= reading.limits.nesting {
            let format = Query(condition).format
            let context = MongoContext(.mongoDB, isGuarded: false, nilMeaning: reading.nilMeaning)
            let writer = ExpressionWriter(context: context, scope: TypeScope(row: reading.row))
            if fields.isEmpty, let written = try? writer.truth(condition) {
                let filter = op("$expr", written).extendedJSON()
                hints.append("the predicate \(format), which only values of one kind meet, is \(filter)")
            } else {
                hints.append("or translate the predicate \(format), which only values of one kind meet")
                inRequest =
                    "give a predicate as format, in place of query: \(format), which only values of one kind meet"
            }
        }
        return node.unsupported(
            "Mongo compares values of different kinds here, null, absent fields and NaN among them; no query does",
            hint: hints.isEmpty ? "compare fields with constants outside of $expr" : hints.joined(separator: "; "),
            inRequest: fields.isEmpty ? nil : inRequest
        )
    }

    /// What to write outside of `$expr` for an operator.
    private static let otherForms: [String: String] = [
        "$mod": "outside of $expr write {field: {$mod: [divisor, remainder]}}",
        "$regexMatch": "outside of $expr write {field: {$regex: pattern}}",
        "$type": "outside of $expr write {field: {$type: name}}",
        "$isArray": "outside of $expr write {field: {$type: \"array\"}}",
        "$dateToString": "compare the field with dates outside of $expr",
        "$$NOW": "write the date as a constant",
    ]
}

extension ExpressionReader {
    /// Operators that are read where the kinds of their operands are known.
    private static let namesOfReadForms = Set(operators.keys).union([
        "$and", "$or", "$not", "$in", "$ifNull", "$literal",
    ])

    /// An operator whose operands can be read while it cannot itself.
    fileprivate func unreadOperator(_ expression: QueryValue) -> String? {
        if term(expression) != nil || condition(expression) != nil { return nil }
        switch expression {
        case .list(let elements): return unreadOperator(among: elements)
        case .object(let object):
            if let inner = unreadOperator(among: object.values) { return inner }
            guard let name = object.keys.first, !Self.namesOfReadForms.contains(name) else { return nil }
            return name
        case .string(let text):
            guard text.utf8.starts(with: "$$".utf8) else { return nil }
            return String(Substring(text.utf8.prefix { $0 != UInt8(ascii: ".") }))
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: return nil
        }
    }

    private func unreadOperator(among expressions: some Sequence<QueryValue>) -> String? {
        for expression in expressions {
            if let name = unreadOperator(expression) { return name }
        }
        return nil
    }
}

extension QueryValue {
    /// An expression with its Extended JSON read; the content of `$literal` is a value.
    fileprivate func readingExpression(_ node: MongoNode) throws(QueryError) -> QueryValue {
        switch self {
        case .list:
            var values: [QueryValue] = []
            for element in node.elements { values.append(try element.value.readingExpression(element)) }
            return .list(values)
        case .object(let object):
            if let key = object.keys.first, object.count == 1, QueryValue.isExtendedJSONKey(key) {
                let value = try node.extended().value
                // Only what is written for a declared ObjectId may be read as one.
                return key == MongoConstants.objectIDKey ? op(key, value) : value
            }
            var values: [QueryValue] = []
            for (key, member) in node.members {
                let isPlain = key == "$literal" && member.objectID == nil
                let value = try isPlain ? member.extended().value : member.value.readingExpression(member)
                values.append(value)
            }
            return .object(Document(shape: object.shape, values: values))
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: return self
        }
    }

    /// True for the same expression, whatever its variables are called.
    fileprivate func isSame(as other: QueryValue, _ names: [UTF8Key: String] = [:]) -> Bool {
        switch (self, other) {
        case (.string(let a), .string(let b)): b.named(names).hasSameUTF8(as: a)
        case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1, names) }
        case (.object(let a), .object(let b)): a.isSame(as: b, names)
        default: self == other
        }
    }
}

extension String {
    /// `$$v7.key` with v7 replaced by its name.
    fileprivate func named(_ names: [UTF8Key: String]) -> String {
        guard utf8.starts(with: "$$".utf8) else { return self }
        let name = utf8.dropFirst(2).prefix { $0 != UInt8(ascii: ".") }
        guard let other = names[UTF8Key(String(Substring(name)))] else { return self }
        return "$$" + other + String(Substring(utf8.dropFirst(2 + name.count)))
    }
}

extension Document {
    /// True for the same operators, whatever the variables are called.
    fileprivate func isSame(as other: Document, _ names: [UTF8Key: String]) -> Bool {
        guard keys.hasSameUTF8(as: other.keys) else { return false }
        if keys.first == "$literal" { return self == other }
        var inner = names
        if case .object(let mine)? = self["vars"], case .object(let others)? = other["vars"] {
            guard mine.count == others.count else { return false }
            for (a, b) in zip(mine.pairs, others.pairs) {
                guard a.1.isSame(as: b.1, names) else { return false }
                inner[UTF8Key(b.0)] = a.0
            }
        } else if case .string(let mine)? = self["as"], case .string(let others)? = other["as"] {
            inner[UTF8Key(others)] = mine
        }
        return zip(pairs, other.values).allSatisfy { pair, value in
            switch pair.0 {
            case "vars", "as": true
            case "in", "cond": pair.1.isSame(as: value, inner)
            default: pair.1.isSame(as: value, names)
            }
        }
    }
}
