import QueryTree
import QueryValues

extension ConditionChecker {
    /// Checks the paths, calls and subqueries of a term.
    mutating func check(_ term: Term) -> Term {
        switch term {
        case .value, .variable:
            return term
        case .field(let path, let origin):
            checkPath(path.keys, from: scope.row, at: origin)
            return term
        case .subquery(let subquery, let origin):
            return .subquery(check(subquery), origin)
        case .path(let base, let steps, let origin):
            let base = check(base)
            checkSteps(steps, of: term, from: scope.type(of: base), at: origin)
            return .path(base, steps, origin)
        case .aggregate(let aggregate, of: let base, let path, let origin):
            if case .object = scope.row, let error = aggregate.ofRow(.kindMismatch, of: base, path, at: origin) {
                problems.append(error)
                return term
            }
            let base = check(base)
            let term = Term.aggregate(aggregate, of: base, path, origin)
            checkAggregate(aggregate, term, of: scope.type(of: base), path, at: origin)
            return term
        case .arithmetic(let chain, let origin):
            return .arithmetic(check(chain), origin)
        case .call(let function, let arguments, let origin):
            return .call(function, checkArguments(arguments, of: function), origin)
        case .list(let terms, _):
            refuseObjectIDs(terms)
            return checkChildren(term)
        case .conditional(_, let first, let second, _):
            if scope.type(of: first) != scope.type(of: second) { refuseObjectIDs([first, second]) }
            return checkChildren(term)
        case .cast(let base, _, _):
            refuseObjectIDs([base])
            return checkChildren(term)
        case .index, .negated, .assignment:
            return checkChildren(term)
        }
    }

    private mutating func checkChildren(_ term: Term) -> Term {
        term.mapChildren {
            check($0)
        } _: {
            check($0)
        }
    }

    private mutating func check(_ subquery: Subquery) -> Subquery {
        let collection = check(subquery.collection)
        var inner = ConditionChecker(scope: scope.binding(subquery.variable, to: scope.type(of: collection).element))
        let condition = inner.check(subquery.condition)
        problems += inner.problems
        return Subquery(collection, subquery.variable, where: condition)
    }

    private mutating func check(_ chain: Arithmetic) -> Arithmetic {
        let first = check(chain.first)
        var rest: [Arithmetic.Link] = []
        for link in chain.rest { rest.append(Arithmetic.Link(link.operation, check(link.operand))) }
        let isSet = chain.isOfSets
        if isSet {
            refuseObjectIDs([first] + rest.map(\.operand))
        } else {
            for operand in [first] + rest.map(\.operand) { checkNumber(operand, in: chain) }
        }
        return Arithmetic(first: first, rest: rest)
    }

    /// A field or literal of another kind in arithmetic is an error.
    private mutating func checkNumber(_ term: Term, in chain: Arithmetic) {
        if case .value(.null, _) = term { return }
        // Without a schema `%@ * %@` of two texts is nil, like any other arithmetic with a non-number (S17).
        guard scope.row != .any else { return }
        let type = scope.type(of: term)
        if let kind = type.kind, kind != .number {
            report(
                .kindMismatch,
                "arithmetic takes numbers, and this is \(type.name)",
                term.origin,
                hint: kind == .date ? chain.inSeconds { scope.type(of: $0).kind == .date } : nil
            )
        }
    }

    private mutating func checkPath(_ keys: [String], from type: FieldType, at origin: Origin) {
        if let unknown = type.unknownKey(of: keys, suggesting: suggests) { problems.append(unknown.error(at: origin)) }
    }

    private mutating func checkSteps(_ steps: [PathStep], of term: Term, from type: FieldType, at origin: Origin) {
        var keys: [String] = []
        for step in steps {
            guard case .key(let key) = step else { break }
            keys.append(key)
        }
        guard let unknown = type.unknownKey(of: keys, suggesting: suggests) else { return }
        var error = unknown.error(at: origin)
        if let count = countOfSubquery(term) { (error.hint, error.fix) = (Self.countHint, count) }
        problems.append(error)
    }

    static let countHint = "write .\(Aggregate.count.spelling) for the number of elements"

    /// `.@count` in place of the `.count` of other languages after SUBQUERY; nil for other terms, and for elements that
    /// have such a key.
    func countOfSubquery(_ term: Term) -> QueryError.Fix? {
        guard case .path(let base, let steps, let origin) = term, case .subquery = base, steps.count == 1,
            case .key(let key)? = steps.first, ["count", "size", "length"].contains(key),
            let range = origin.range, let text = origin.source?.text.utf8,
            case let place = (range.upperBound - key.utf8.count - 1)..<range.upperBound,
            text.dropFirst(place.lowerBound).prefix(place.count).elementsEqual(("." + key).utf8),
            scope.type(of: base).element.resolve([key]).map({ $0.type == .any }) ?? true
        else { return nil }
        return QueryError.Fix(range: place, replacement: ".\(Aggregate.count.spelling)")
    }

    private mutating func checkAggregate(
        _ aggregate: Aggregate,
        _ term: Term,
        of type: FieldType,
        _ path: FieldPath,
        at origin: Origin
    ) {
        checkPath(path.keys, from: type.element, at: origin)
        guard aggregate == .sum || aggregate == .average, let found = type.element.resolve(path.keys)?.type.element
        else {
            return
        }
        if let kind = found.kind, kind != .number {
            report(
                .kindMismatch,
                "\(aggregate.spelling) takes numbers, and this is \(found.name)",
                origin,
                hint: scope.memberHint(of: term, holding: found, .number)
            )
        }
    }

    /// Checks arguments against the kinds in the function's row.
    private mutating func checkArguments(_ arguments: [Term], of function: Function) -> [Term] {
        let entry = function.entry
        var checked: [Term] = []
        for (position, argument) in arguments.enumerated() {
            var argument = check(argument)
            switch entry.argument(at: position) {
            case .zone?: checkZone(argument)
            case .date?:
                // A constant text is the instant it denotes (S28).
                if isLiteral(argument) { argument = converted(argument, to: .date(.native)) ?? argument }
                checkArgument(argument, is: .date, of: function)
            case let expected?: checkArgument(argument, is: expected, of: function)
            case nil: break
            }
            checked.append(argument)
        }
        return checked
    }

    /// A zone is a constant; a variable is checked once it is bound.
    private mutating func checkZone(_ term: Term) {
        if case .variable = term { return }
        do throws(QueryError) { _ = try DateZone(term) } catch { problems.append(error) }
    }

    private mutating func checkArgument(_ term: Term, is expected: FunctionEntry.Argument, of function: Function) {
        if case .value(.null, _) = term { return }
        let type = scope.type(of: term)
        guard let kind = type.kind else { return }
        let fits =
            switch expected {
            case .number, .int: kind == .number
            case .string: kind == .string && type != .objectID
            case .list: kind == .list || !isLiteral(term)
            case .place: kind == .list || kind == .object
            case .any, .zone: true
            // A store's text may hold dates.
            case .date: kind == .date || kind == .string && scope.readsDates(of: term)
            }
        if !fits {
            report(
                .kindMismatch,
                "\(function.entry.name) takes \(expected.name), and this is \(type.name)",
                term.origin,
                hint: expected == .date ? type.conversionHint(of: .date) : nil
            )
        }
    }

    /// An ObjectId compared with anything else would be a text here and another kind in Mongo (S5).
    private mutating func refuseObjectIDs(_ terms: [Term]) {
        for term in terms where scope.type(of: term).element == .objectID {
            report(
                .kindMismatch,
                "an ObjectId can only be compared, sorted and grouped",
                term.origin,
                hint: "compare the field itself"
            )
        }
    }

    private func isLiteral(_ term: Term) -> Bool {
        if case .value = term { true } else { false }
    }
}

extension FunctionEntry.Argument {
    /// The kind for messages.
    package var name: String {
        switch self {
        case .number: "a number"
        case .int: "a whole number"
        case .string: "text"
        case .list: "a list"
        case .any: "any value"
        case .place: "a place"
        case .date: "a date"
        case .zone: "a time zone"
        }
    }
}
