import QueryChecking
import QueryMongo
import QueryTree
import QueryValues

extension FilterReader {
    /// The maximum depth of an expression; the writer does not exceed it.
    private static let mostLevels = 100

    /// `{"$expr": …}`.
    ///
    /// - Throws: `unsupported` for an expression that the writer never writes, because Mongo compares values of any two
    ///   kinds there, which no query does.
    func expression(_ node: MongoNode) throws(QueryError) -> Condition {
        guard node.value.isShallow(Self.mostLevels) else {
            throw node.error(.limit, "the expression is nested deeper than \(Self.mostLevels) levels")
        }
        guard subject == nil else { throw node.wrong("$expr is allowed only at the top level, next to fields") }
        let expression = try node.value.readingExpression(node)
        let reader = ExpressionReader(reading: reading, origin: node.origin, scope: TypeScope(row: reading.row))
        guard let condition = reader.condition(expression), condition.height <= reading.limits.nesting,
            let assumptions = assumptions(of: condition, writtenAs: expression)
        else {
            throw node.unsupported(
                "no query is equivalent to this expression, because it compares values of different kinds",
                hint: "check the kinds of the operands, or compare fields with constants outside of $expr"
            )
        }
        guard reading.accepts(assumptions) else {
            throw node.unsupported(
                "Mongo looks inside lists on the way to a field, which no query does here",
                hint: "give a schema, or the assumptions"
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
