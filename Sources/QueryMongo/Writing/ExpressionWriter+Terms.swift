import QueryTree
import QueryValues

extension ExpressionWriter {
    /// A term as an expression that does not fail for any row.
    func operand(_ term: Term) throws(QueryError) -> Operand {
        let operand = try unchecked(term)
        // Some forms repeat their operand, so a nested term is rejected before it doubles again.
        if operand.constant == nil { try context.check(operand.expression, at: operand.origin) }
        return operand
    }

    private func unchecked(_ term: Term) throws(QueryError) -> Operand {
        if let constant = term.constantValue { return self.constant(constant, term.origin) }
        var operand = Operand(expression: .null, type: scope.type(of: term), origin: term.origin)
        switch term {
        case .value(let value, let origin): return constant(value, origin)
        case .field(let path, let origin): return try self.field(path, origin)
        case .variable(let variable, let origin): return try element(variable, origin)
        case .list(let terms, _): operand.expression = .list(try terms.expressions(self))
        case .path(let base, let steps, let origin): return try path(base, steps, origin)
        case .index(let base, let index, let origin): return try indexed(base, index, origin)
        case .aggregate(let aggregate, of: let base, let path, _):
            return try self.aggregate(aggregate, base, path, operand)
        case .arithmetic(let chain, _): return try arithmetic(chain, operand)
        case .negated(let inner, _):
            let number = try numeric(inner)
            if operand.type.kind != .number { operand.type = .any }
            operand.expression = op("$multiply", [number.expression, -1])
            (operand.certain, operand.isInt) = (.number, number.isInt)
        case .call(let function, let arguments, _): return try call(function, arguments, operand)
        case .subquery(let subquery, _):
            return try elements(subquery, of: try self.operand(subquery.collection), operand)
        case .conditional(let condition, let first, let second, _):
            return try conditional(condition, first, second, operand)
        case .cast(_, _, let origin):
            _ = try FunctionEntry.cast.mongo.word(at: origin)
            throw unsupported("Mongo has no exact equivalent of CAST", at: origin)
        case .assignment(_, _, let origin):
            throw unsupported("assignments are parsed but never evaluated", at: origin)
        }
        return operand
    }

    private func field(_ path: FieldPath, _ origin: Origin) throws(QueryError) -> Operand {
        guard !path.keys.isEmpty else {
            throw unsupported("Mongo cannot compare a whole document", at: origin, hint: "name a field")
        }
        let field = try scope.field(path.keys, from: scope.row, path: [], at: origin)
        var operand = walk(field, from: "$", type: scope.type(of: .field(path, origin)), origin)
        operand.isRequired = field.isRequired && field.listSteps == 0
        if case .string = operand.expression, !looksIntoLists { operand.path = field.pathText }
        return operand
    }

    private func element(_ variable: Variable, _ origin: Origin) throws(QueryError) -> Operand {
        guard let name = names[variable] else {
            throw QueryError(
                .unboundVariable,
                "the variable $\(variable.name) has no value",
                at: origin,
                hint: "bind it before the query is used"
            )
        }
        let type = scope.variables[variable] ?? .any
        return Operand(expression: .string("$$" + name), type: type, isPath: true, origin: origin)
    }

    private func path(_ base: Term, _ steps: [PathStep], _ origin: Origin) throws(QueryError) -> Operand {
        guard let keys = steps.keys else {
            throw unsupported("Mongo needs the keys of a path written out", at: origin)
        }
        // `(a.b).c` is `a.b.c`, with the same assumptions.
        if case .field(let path, _) = base { return try field(FieldPath(keys: path.keys + keys), origin) }
        try base.checkNoExtreme(origin)
        let owner = try operand(base)
        if let constant = owner.constant, constant.kind != .list, constant.kind != .object {
            return Operand(expression: absent, type: .any, isPath: true, origin: origin)
        }
        let field = try scope.field(keys, from: owner.type, path: [], at: origin)
        let type = owner.type.resolve(keys)?.type ?? .any
        if case .variable(let variable, _) = base, owner.type == .any, keys.count == 1, !context.isGuarded,
            let collection = collections[variable]
        {
            context.assume(.objects(collection))
            return walk(field, from: "$$" + (names[variable] ?? "") + ".", type: type, origin)
        }
        guard case .string = owner.expression, owner.constant == nil else {
            let name = context.freshName()
            var named = owner
            named.expression = .string("$$" + name)
            var result = walk(field, from: named, type: type, origin)
            let variables = Document(pairs: [(name, owner.expression)])
            result.expression = op("$let", .object(["vars": .object(variables), "in": result.expression]))
            return result
        }
        return walk(field, from: owner, type: type, origin)
    }

    private func conditional(
        _ condition: Condition,
        _ first: Term,
        _ second: Term,
        _ result: Operand
    ) throws(QueryError) -> Operand {
        var result = result
        let (a, b) = (try operand(first), try operand(second))
        guard a.type == b.type || !(a.holdsEncodedDates || b.holdsEncodedDates) else {
            throw unsupported("the two values may keep dates in different forms", at: result.origin)
        }
        result.expression = Self.choose(try truth(condition), a.expression, b.expression)
        result.certain = a.isNumeric && b.isNumeric ? .number : nil
        result.isInt = a.isInt == b.isInt ? a.isInt : nil
        return result
    }
}

extension ExpressionWriter.Operand {
    fileprivate var holdsEncodedDates: Bool {
        if case .date(let encoding) = type { encoding != .native } else { false }
    }
}

extension [Term] {
    func expressions(_ writer: ExpressionWriter) throws(QueryError) -> [QueryValue] {
        var expressions: [QueryValue] = []
        expressions.reserveCapacity(count)
        for term in self { expressions.append(try writer.operand(term).expression) }
        return expressions
    }
}

// Paths (S9): objects by key, lists by mapping.
extension ExpressionWriter {
    /// Follows a path from `$` or `$$x.`.
    private func walk(_ field: MongoField, from root: String, type: FieldType, _ origin: Origin) -> Operand {
        var expression: QueryValue = .string(root + (field.names.first ?? ""))
        for at in field.names.indices.dropFirst() {
            expression = step(expression, field, at)
        }
        let isInt: Bool? = type == .int ? true : nil
        return Operand(expression: expression, type: type, isInt: isInt, isPath: true, origin: origin)
    }

    /// Follows a path from a named value, which may be a list if its type is unknown.
    func walk(_ field: MongoField, from owner: Operand, type: FieldType, _ origin: Origin) -> Operand {
        guard case .string(let root) = owner.expression else {
            return Operand(expression: .null, type: type, isPath: true, origin: origin)
        }
        if owner.type.isList {
            var result = walk(field, list: root, isSure: owner.isSurelyList, type: type, origin)
            if !owner.isSurelyList {
                result.expression = Self.choose(Self.isList(.string(root)), result.expression, absent)
            }
            return result
        }
        guard owner.type == .any, let first = field.names.first else {
            return walk(field, from: root + ".", type: type, origin)
        }
        let plain: QueryValue = .string(root + "." + first)
        var expression = Self.choose(Self.isList(.string(root)), mapped(Self.listed(.string(root)), field, 0), plain)
        for at in field.names.indices.dropFirst() { expression = step(expression, field, at) }
        return Operand(expression: expression, type: type, isPath: true, origin: origin)
    }

    /// Follows a path from a list, or from a value that is treated as one.
    func walk(
        _ field: MongoField,
        list root: String,
        isSure: Bool,
        type: FieldType,
        _ origin: Origin
    ) -> Operand {
        var expression = mapped(isSure ? .string(root) : Self.listed(.string(root)), field, 0)
        for at in field.names.indices.dropFirst() { expression = step(expression, field, at) }
        return Operand(expression: expression, type: type, isPath: true, origin: origin)
    }

    /// Appends one key to the value of the previous step.
    private func step(_ value: QueryValue, _ field: MongoField, _ at: Int) -> QueryValue {
        let isList = field.types.prefix(at).contains { $0.isList }
        if isList {
            return Self.named(value) { Self.choose(Self.isList($0), mapped(Self.listed($0), field, at), absent) }
        }
        let isOpen = field.types[at - 1] == .any
        let name = field.names[at]
        guard case .string(let path) = value else {
            return Self.named(value) { _ in
                Self.choose(Self.isList("$$x"), mapped(Self.listed("$$x"), field, at), .string("$$x." + name))
            }
        }
        let plain: QueryValue = .string(path + "." + name)
        guard isOpen else { return plain }
        // Only the row's own fields may be assumed to be single.
        guard context.isGuarded || looksIntoLists || path.utf8.starts(with: "$$".utf8) else {
            context.assume(.single(field.prefix(at).pathText))
            return plain
        }
        return Self.choose(Self.isList(value), mapped(Self.listed(value), field, at), plain)
    }

    /// The values of a key in the elements of a list; lists are flattened, and an element without the key gives nil.
    private func mapped(_ list: QueryValue, _ field: MongoField, _ at: Int) -> QueryValue {
        let name = context.freshName()
        let path: QueryValue = .string("$$\(name).\(field.names[at])")
        if field.types[at] != .any, !field.types[at].isList {
            let value = op("$ifNull", [path, .null])
            return op("$map", .object(["input": list, "as": .string(name), "in": value]))
        }
        let element = op("$cond", [Self.isList(.string("$$" + name)), .null, path])
        return spliced(
            op("$map", .object(["input": list, "as": .string(name), "in": op("$ifNull", [element, .null])]))
        )
    }

    /// The list with its inner lists flattened, other elements unchanged.
    func spliced(_ list: QueryValue) -> QueryValue {
        let element = Self.choose(Self.isList("$$this"), "$$this", .list(["$$this"]))
        return op(
            "$reduce",
            .object(["input": list, "initialValue": .list([]), "in": op("$concatArrays", ["$$value", element])])
        )
    }
}

extension Term {
    /// Rejects access to the contents of a minimum or maximum, because Mongo orders objects differently (S22).
    func checkNoExtreme(_ origin: Origin) throws(QueryError) {
        guard mayBeExtreme else { return }
        throw QueryError(.unsupported, "Mongo orders objects by their fields as they stand", at: origin)
    }

    private var mayBeExtreme: Bool {
        switch self {
        case .aggregate(let aggregate, of: _, _, _): aggregate == .min || aggregate == .max
        case .call(let function, let arguments, _):
            function == .min || function == .max || function == .noindex && arguments.contains(where: \.mayBeExtreme)
        case .list(let terms, _): terms.contains(where: \.mayBeExtreme)
        case .conditional(_, let first, let second, _): first.mayBeExtreme || second.mayBeExtreme
        case .index(let base, _, _), .path(let base, _, _): base.mayBeExtreme
        case .value, .field, .variable, .arithmetic, .negated, .subquery, .cast, .assignment: false
        }
    }
}
