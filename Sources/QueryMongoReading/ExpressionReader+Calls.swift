import QueryChecking
import QueryMongo
import QueryTree
import QueryValues

extension ExpressionReader {
    /// Reads `+ - * / **` by the function table.
    func arithmetic(_ name: String, _ operand: QueryValue) -> Term? {
        guard let operation = Self.arithmeticNames[name], case .list(let operands) = operand, operands.count == 2,
            let left = term(operands[0]), let right = term(operands[1])
        else { return nil }
        if operation == .multiply, right.constantValue == -1 { return .negated(left, origin) }
        return link(left, operation, right)
    }

    /// `left op right`, added to the left side's chain if that has the same precedence.
    func link(_ left: Term, _ operation: ArithmeticOperator, _ right: Term) -> Term {
        let link = Arithmetic.Link(operation, right)
        if case .arithmetic(var chain, _) = left,
            chain.rest.first?.operation.entry.precedence == operation.entry.precedence
        {
            chain.rest.append(link)
            return .arithmetic(chain, origin)
        }
        return .arithmetic(Arithmetic(first: left, rest: [link]), origin)
    }

    private static let arithmeticNames: [String: ArithmeticOperator] = Dictionary(
        FunctionEntry.table.compactMap { row in
            guard case .arithmetic(let operation) = row.node, case .name(let name) = row.mongo else { return nil }
            return (name, operation)
        },
        uniquingKeysWith: { first, _ in first }
    )

    /// A function by the function table.
    func function(_ name: String, _ operand: QueryValue) -> Term? {
        guard let function = Self.functionNames[name] else { return nil }
        if function.isDatePart { return datePart(function, operand) }
        let operands: [QueryValue] = if case .list(let list) = operand { list } else { [operand] }
        guard operands.count == function.entry.arguments.count, let arguments = operands.mapAll(term) else {
            return nil
        }
        return .call(function, arguments, origin)
    }

    /// A part of a date, with or without the test that it is one.
    private func datePart(_ function: Function, _ operand: QueryValue) -> Term? {
        var (date, zones) = (operand, [Term]())
        if case .object(let parts) = operand, let inner = parts["date"] {
            guard parts.count == (parts["timezone"] == nil ? 1 : 2) else { return nil }
            date = inner
            if let zone = parts["timezone"] {
                guard case .string(let name) = zone, DateZone(name) != nil else { return nil }
                zones = [.value(zone, origin)]
            }
        } else if case .list(let operands) = operand {
            guard operands.count == 1 else { return nil }
            date = operands[0]
        }
        if let parts = date.operands("$cond"), parts.count == 3, parts[2] == .null,
            let zone = try? DateZone(zones.first), zone.isShown(parts[1]) == parts[0]
        {
            date = parts[1]
        }
        return term(date).map { .call(function, [$0] + zones, origin) }
    }

    private static let functionNames: [String: Function] = Dictionary(
        Function.allCases.compactMap { function in
            if case .name(let name) = function.entry.mongo { (name, function) } else { nil }
        },
        uniquingKeysWith: { first, _ in first }
    )

    /// `$sum` and similar over the elements that count (S18).
    func aggregate(_ name: String, _ operand: QueryValue) -> Term? {
        if name == "$size" {
            guard let list = term(operand) else { return nil }
            return .aggregate(.count, of: list, FieldPath(keys: []), origin)
        }
        var input = operand
        // NaN is left out of what has a least and a greatest element.
        if case .object(let filter)? = operand.operand("$filter"), let elements = filter["input"] {
            input = elements
            if case .string(let path)? = elements.listed(or: .list([])), !path.hasPrefix("$$") { input = .string(path) }
        }
        if name == "$stdDevPop" { return term(input).map { .call(.standardDeviation, [$0], origin) } }
        guard let aggregate = Aggregate(rawValue: String(name.dropFirst())) else { return nil }
        if let binding = input.operand("$let"), binding.isOfValues {
            return values(binding).map { .aggregate(aggregate, of: $0, $1, origin) }
        }
        guard let list = term(input) else { return nil }
        guard case .string = input, case .field(let path, _) = list else {
            return .aggregate(aggregate, of: list, FieldPath(keys: []), origin)
        }
        let keys = (container(path.keys), path.keys)
        let (base, rest) = (Array(keys.1.prefix(keys.0)), Array(keys.1.dropFirst(keys.0)))
        return .aggregate(aggregate, of: .field(FieldPath(keys: base), origin), FieldPath(keys: rest), origin)
    }

    /// The number of keys that lead to the list whose elements have the others.
    private func container(_ keys: [String]) -> Int {
        let types = scope.row.resolve(keys)?.steps.map(\.type) ?? []
        if let list = types.firstIndex(where: \.isList) { return list + 1 }
        let named = keys.indices.last { reading.isNamedList(keys[...$0].joined(separator: ".")) }
        return named.map { $0 + 1 } ?? max(1, keys.count - 1)
    }

    /// The values of a path in the elements of a list: the list and the path; nil for anything else.
    func values(_ binding: QueryValue) -> (Term, FieldPath)? {
        guard case .object(let fields) = binding, case .object(let variables)? = fields["vars"], variables.count == 1,
            let name = variables.keys.first, let value = variables.values.first, let body = fields["in"],
            let list = term(value)
        else { return nil }
        // The list is named, so the keys after it are the path.
        let variable = Variable(name)
        var inner = self
        let type = scope.type(of: list)
        inner.scope = scope.binding(variable, to: type.isList ? type : .list(type))
        inner.names[UTF8Key(name)] = .variable(variable, origin)
        guard case .path(.variable, let steps, _)? = inner.term(body), let keys = steps.keys else { return nil }
        return (list, FieldPath(keys: keys))
    }

    /// SUBQUERY.
    func subquery(_ operand: QueryValue) -> Term? {
        guard case .object(let fields) = operand, let input = fields["input"], case .string(let name)? = fields["as"],
            let test = fields["cond"], let collection = term(input)
        else { return nil }
        let variable = reading.freshVariable()
        var inner = self
        inner.scope = scope.binding(variable, to: scope.type(of: collection).element)
        inner.names[UTF8Key(name)] = .variable(variable, origin)
        guard let condition = inner.condition(test) else { return nil }
        return .subquery(Subquery(collection, variable, where: condition), origin)
    }

    /// `a[0]`, `a[FIRST]`, `a[LAST]`.
    func indexed(_ operand: QueryValue) -> Term? {
        guard case .list(let operands) = operand, operands.count == 2, case .int(let position) = operands[1],
            let list = term(operands[0])
        else { return nil }
        switch position {
        case 0: return .index(list, .first, origin)
        case -1: return .index(list, .last, origin)
        default: return .index(list, .at(.value(.int(position), origin)), origin)
        }
    }

    /// Sets; a single one comes from distinct values.
    func set(_ name: String, _ operand: QueryValue) -> Term? {
        guard case .list(let operands) = operand else { return nil }
        if operands.count == 1, name == "$setUnion" { return term(operands[0]).map(distinct) }
        guard operands.count == 2, let left = term(operands[0].listed(or: .null) ?? operands[0]),
            let right = term(operands[1].listed(or: .null) ?? operands[1])
        else { return nil }
        let operation: ArithmeticOperator =
            name == "$setUnion" ? .union : name == "$setIntersection" ? .intersect : .minus
        return link(left, operation, right)
    }
}

extension ExpressionReader {
    /// One value of a path for each element.
    func union(of list: Term, _ name: String, _ value: QueryValue) -> Term? {
        let variable = Variable(name)
        var inner = self
        inner.scope = scope.binding(variable, to: scope.type(of: list).element)
        inner.names[UTF8Key(name)] = .variable(variable, origin)
        guard case .path(.variable(variable, _), let steps, _)? = inner.term(value), let keys = steps.keys else {
            return nil
        }
        return .aggregate(.unionOfObjects, of: list, FieldPath(keys: keys), origin)
    }

    /// `$reduce`: flattening the lists among the elements, or the distinct ones in order.
    func reduced(_ operand: QueryValue) -> Term? {
        guard case .object(let fields) = operand, let input = fields["input"], let list = term(input) else {
            return nil
        }
        if fields["in"]?.operands("$cond") != nil { return distinct(list) }
        // The values of a key in a path are flattened, too.
        if case .object(let map)? = input.operand("$map"), map["in"]?.operands("$ifNull") != nil { return list }
        if case .aggregate(.unionOfObjects, of: let base, let path, _) = list {
            return .aggregate(.unionOfArrays, of: base, path, origin)
        }
        return .aggregate(.unionOfArrays, of: list, FieldPath(keys: []), origin)
    }

    /// Removes duplicate elements.
    private func distinct(_ list: Term) -> Term {
        switch list {
        case .aggregate(.unionOfObjects, of: let base, let path, _):
            .aggregate(.distinctUnionOfObjects, of: base, path, origin)
        case .aggregate(.unionOfArrays, of: let base, let path, _):
            .aggregate(.distinctUnionOfArrays, of: base, path, origin)
        default: .aggregate(.distinctUnionOfObjects, of: list, FieldPath(keys: []), origin)
        }
    }
}

extension QueryValue {
    /// True for what `$let` uses to name a list whose elements' values are wanted.
    ///
    /// The empty list replaces anything other than a list, unless the operand is known to be a list.
    fileprivate var isOfValues: Bool {
        guard case .object(let fields) = self, case .object(let variables)? = fields["vars"], variables.count == 1,
            let name = variables.keys.first, let value = variables.values.first, let body = fields["in"]
        else { return false }
        return value.isListed && body.innermostInput == .string("$$" + name)
    }

    private var isListed: Bool {
        if let parts = operands("$cond") { return parts.count == 3 && parts[2] == [] }
        if case .object(let binding)? = operand("$let") {
            return binding["in"]?.isListed ?? false
        }
        return true
    }

    /// The input of the innermost of nested `$map` and `$reduce`.
    fileprivate var innermostInput: QueryValue? {
        var value = self
        var isMapped = false
        while true {
            if case .object(let fields)? = value.operand("$map") ?? value.operand("$reduce"),
                let input = fields["input"]
            {
                (value, isMapped) = (input.listed(or: []) ?? input, true)
            } else if case .object(let binding)? = value.operand("$let"),
                case .object(let variables)? = binding["vars"],
                variables.count == 1, let inner = variables.values.first
            {
                value = inner
            } else {
                return isMapped ? value : nil
            }
        }
    }
}
