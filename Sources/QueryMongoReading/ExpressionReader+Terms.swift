import QueryMongo
import QueryTree
import QueryValues

extension ExpressionReader {
    /// The term that an expression appears to be, or nil.
    func term(_ expression: QueryValue) -> Term? {
        switch expression {
        case .string(let text): return path(text)
        case .list(let elements): return elements.mapAll(term).map { .list($0, origin) }
        case .null, .bool, .int, .double, .date, .data, .uuid: return .value(expression, origin)
        case .shape: return nil
        case .object(let object):
            guard object.count == 1, let name = object.keys.first, let operand = object.values.first else { return nil }
            return call(name, operand)
        }
    }

    private func call(_ name: String, _ operand: QueryValue) -> Term? {
        switch name {
        case "$literal": return .constant(operand.withObjectIDTexts, origin)
        case "$let":
            if operand.bindsForNothing { return quotient(operand) }
            return binding(operand) { reader, body in reader.term(body) }
        case "$cond":
            guard case .list(let parts) = operand, parts.count == 3 else { return nil }
            return chosen(parts[0], parts[1], parts[2])
        case "$ifNull":
            guard case .list(let parts) = operand, parts.count == 2, parts[1].isNull else { return nil }
            return term(parts[0])
        case "$convert":
            guard case .object(let fields) = operand, let input = fields["input"] else { return nil }
            // Ints divide toward zero; the truncation belongs to the division.
            return term(input.operand("$trunc") ?? input)
        case "$reduce": return reduced(operand)
        case "$map": return mapped(operand)
        case "$filter": return subquery(operand)
        case "$toDouble": return term(operand)
        case "$arrayElemAt": return indexed(operand)
        case "$setUnion", "$setIntersection", "$setDifference": return set(name, operand)
        case "$sum", "$avg", "$min", "$max", "$stdDevPop", "$size": return aggregate(name, operand)
        default: return arithmetic(name, operand) ?? function(name, operand)
        }
    }

    /// `$a.b`, `$$x.b`.
    private func path(_ text: String) -> Term? {
        guard text.utf8.first == UInt8(ascii: "$") else { return nil }
        let keys = FieldPath(dotted: text.droppingBytes(1)).keys
        guard let first = keys.first, first.utf8.first == UInt8(ascii: "$") else {
            return following(.field(FieldPath(keys: []), origin), keys)
        }
        guard let base = names[UTF8Key(first.droppingBytes(1))] else { return nil }
        return following(base, Array(keys.dropFirst()))
    }

    /// Stored keys after a term.
    private func following(_ base: Term, _ stored: [String]) -> Term? {
        if stored.isEmpty { return base }
        let type: FieldType
        if case .field(let path, _) = base, path.keys.isEmpty { type = scope.row } else { type = scope.type(of: base) }
        guard !stored.contains(where: \.isEmpty), let keys = type.propertyNames(ofStored: stored) else { return nil }
        switch base {
        case .field(let path, _): return .field(FieldPath(keys: path.keys + keys), origin)
        case .path(let base, let steps, _): return .path(base, steps + keys.map(PathStep.key), origin)
        default: return .path(base, keys.map(PathStep.key), origin)
        }
    }

    /// A quotient with the constant divisor 0, whose dividend is named and then not used.
    private func quotient(_ operand: QueryValue) -> Term? {
        guard case .object(let fields) = operand, case .object(let variables)? = fields["vars"], variables.count == 1,
            let dividend = variables.values.first.flatMap(term)
        else { return nil }
        return link(dividend, .divide, .value(0, origin))
    }

    /// Names a value that is used twice, and reads the expression that uses it.
    func binding<Result>(_ operand: QueryValue, _ read: (ExpressionReader, QueryValue) -> Result?) -> Result? {
        guard case .object(let fields) = operand, case .object(let variables)? = fields["vars"], let body = fields["in"]
        else { return nil }
        var inner = self
        for (name, value) in variables.pairs {
            guard let term = term(value) else { return nil }
            inner.names[UTF8Key(name)] = term
            inner.bound.append(.string("$$" + name))
        }
        return read(inner, body)
    }

    /// One key over a list: `$map` of `$$e.key`.
    private func mapped(_ operand: QueryValue) -> Term? {
        guard case .object(let fields) = operand, let input = fields["input"], case .string(let name)? = fields["as"],
            let value = fields["in"], let list = term(input)
        else { return nil }
        guard let body = value.operands("$ifNull")?.first else { return union(of: list, name, value) }
        let key = body.operands("$cond")?.last ?? body
        guard case .string(let text) = key, text.utf8.starts(with: "$$\(name).".utf8) else { return nil }
        return following(list, [text.droppingBytes(name.utf8.count + 3)])
    }

    /// `$cond`: the checks that the writer wraps around its operands, or TERNARY.
    private func chosen(_ test: QueryValue, _ first: QueryValue, _ second: QueryValue) -> Term? {
        if let tested = test.operands("$isArray")?.first {
            if first.isNull || first == "$$REMOVE", case .string(let root) = tested, case .string(let member) = second,
                member.utf8.starts(with: root.utf8)
            {
                let key = Term.value(.string(member.droppingBytes(root.utf8.count + 1)), origin)
                return term(tested).map { .index($0, .at(key), origin) }
            }
            if case .int(let position)? = first.operands("$arrayElemAt")?.last, !second.isNull {
                return term(tested).map { .index($0, .at(.value(.int(position), origin)), origin) }
            }
            if first == tested, second.isNull, case .string(let path) = tested, !path.utf8.starts(with: "$$".utf8) {
                return term(tested).map { .aggregate(.unionOfObjects, of: $0, FieldPath(keys: []), origin) }
            }
            return term(first == tested || second.isNull || second == "$$REMOVE" ? first : second)
        }
        if let tested = test.operand("$isNumber") ?? test.textCheck, first == tested { return term(first) }
        if second.isNull, isCheck(test) { return term(first) }
        // nil for nil, for divisor 0, or outside the domain of a function.
        if first.isNull, test.isNilCheck || test.operands("$eq")?.last == 0 || isDomain(test) { return term(second) }
        if first == 1, test.operands("$eq") == [second, 0] { return term(second) }
        if test.operands("$eq") == [second, .int(.min)] { return term(second) }
        if isIntCheck(test), first.operand("$convert") != nil { return term(second) }
        if first == .double(.infinity) || first == 1, test.isPole { return term(second) }
        guard let condition = condition(test), let first = term(first), let second = term(second) else { return nil }
        return .conditional(condition, first, second, origin)
    }

    private func isDomain(_ test: QueryValue) -> Bool {
        guard let parts = test.operands("$and"), parts.count == 2 else { return false }
        return isCheck(parts[0]) && (parts[1].operands("$lt")?.last == 0 || parts[1].operands("$lte")?.last == 0)
    }

    private func isIntCheck(_ test: QueryValue) -> Bool {
        if let parts = test.operands("$and") { return parts.allSatisfy { isIntCheck($0) || isDivisorCheck($0) } }
        guard let operands = test.operands("$in"), operands.count == 2 else { return false }
        return operands[0].operand("$type") != nil && operands[1] == ["int", "long"]
    }

    private func isDivisorCheck(_ test: QueryValue) -> Bool { test.operands("$ne")?.last == 0 }

    /// A check of an operand's kind, which is not a condition of its own.
    func isCheck(_ test: QueryValue) -> Bool {
        if test.operand("$isNumber") != nil || isIntCheck(test) { return true }
        if let operands = test.operands("$eq"), operands.count == 2, operands[0].operand("$type") != nil {
            return ["string", "bool", "date", "binData", "objectId"].contains(operands[1])
        }
        // Nil and NaN do not count as values.
        if test.operands("$gt")?.last?.isNull == true || test.operands("$ne")?.last?.holdsNaN == true { return true }
        if let operands = test.operands("$gte"), operands.count == 2 {
            // NaN sorts below every number; a suffix test compares lengths.
            return operands[1] == .double(-.infinity) || operands[0].operand("$strLenCP") != nil
        }
        if let parts = test.operands("$and"), let last = parts.last {
            return isCheck(last) && parts.allSatisfy(isCheck)
        }
        // Both are numbers, or both are of the same ordered kind.
        guard let parts = test.operands("$or"), parts.count == 2, let numbers = parts[0].operands("$and") else {
            return false
        }
        return numbers.allSatisfy { $0.operand("$isNumber") != nil } && parts[1].operands("$and")?.count == 2
            && parts[1].operands("$and")?.last?.operands("$in")?.first?.operand("$type") != nil
    }

    /// A stored date is compared as a date.
    func decoded(_ constant: Term, with partner: Term) -> Term {
        guard let value = constant.constantValue, case .date(let encoding) = scope.type(of: partner).element else {
            return constant
        }
        func date(_ value: QueryValue) -> QueryValue {
            if case .list(let elements) = value { return .list(elements.map(date)) }
            return encoding.decodeCompared(value).map { .date($0) } ?? value
        }
        return .constant(date(value), origin)
    }
}

extension QueryValue {
    /// The operand, if the object has only this operator.
    func operand(_ name: String) -> QueryValue? {
        if case .object(let object) = self, object.count == 1 { object[name] } else { nil }
    }

    /// The operands, if the object has only this operator.
    func operands(_ name: String) -> [QueryValue]? {
        if case .list(let operands)? = operand(name) { operands } else { nil }
    }

    /// True for a `$let` that does not use its name.
    fileprivate var bindsForNothing: Bool {
        if case .object(let binding) = self { binding["in"]?.isNull == true } else { false }
    }

    /// True for zero to a negative power.
    fileprivate var isPole: Bool {
        guard let parts = operands("$and"), let first = parts.first, let last = parts.last else { return false }
        return first.operands("$eq")?.last == 0 && last.operands("$lt")?.last == 0
    }

    /// The value itself if the expression keeps lists and replaces anything else by the given value.
    func listed(or other: QueryValue) -> QueryValue? {
        guard let parts = operands("$cond"), parts.count == 3, parts[2] == other else { return nil }
        return parts[0] == op("$isArray", [parts[1]]) ? parts[1] : nil
    }

    /// True for `{"$lte": [x, null]}`.
    var isNilCheck: Bool { operands("$lte")?.last?.isNull == true }

    /// The operand of `{"$eq": [{"$type": x}, "string"]}`.
    fileprivate var textCheck: QueryValue? {
        guard let operands = operands("$eq"), operands.count == 2, operands[1] == "string" else { return nil }
        return operands[0].operand("$type")
    }
}

extension QueryValue {
    /// The value with the text of each `{"$oid": …}`.
    fileprivate var withObjectIDTexts: QueryValue {
        switch self {
        case .object(let object): object.count == 1 ? object[MongoConstants.objectIDKey] ?? self : self
        case .list(let elements): .list(elements.map(\.withObjectIDTexts))
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: self
        }
    }
}
