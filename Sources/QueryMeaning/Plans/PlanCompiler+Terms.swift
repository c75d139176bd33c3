import QueryChecking
import QueryTree
import QueryValues

extension PlanCompiler {
    /// The plan of a term; `need` says how much of a list that it gives is used.
    mutating func plan(
        _ term: Term,
        _ scope: TypeScope,
        for need: ListNeed = .whole
    ) throws(QueryError) -> TermPlan {
        if let constant = term.constantValue { return ConstantPlan(constant) }
        switch term {
        case .value(let value, _): return ConstantPlan(value)
        case .field(let path, let origin): return FieldPlan(try rowWalk(path.keys, scope, for: need, at: origin))
        case .variable(let variable, let origin): return try plan(variable, at: origin)
        case .list(let elements, _): return ListPlan(try plans(elements, scope))
        case .path(let base, let steps, let origin): return try plan(base, steps, scope, at: origin)
        case .index(let base, let index, let origin): return try plan(base, index, scope, at: origin)
        case .aggregate(let aggregate, of: let base, let path, let origin):
            let walk = try walk(path.keys, from: scope.type(of: base).element, at: origin)
            let need: ListNeed = walk.keys.first.map { .members([$0]) } ?? (aggregate == .count ? .count : .whole)
            let collection = try plan(base, scope, for: need)
            if aggregate == .count, walk.isEmpty, let subquery = collection as? SubqueryPlan {
                return SubqueryCountPlan(subquery)
            }
            return AggregatePlan(aggregate, of: collection, walk)
        case .arithmetic(let chain, _):
            var links: [(operation: ArithmeticOperator, operand: TermPlan)] = []
            let first = try plan(chain.first, scope)
            for link in chain.rest { links.append((link.operation, try plan(link.operand, scope))) }
            return ArithmeticPlan(first, links)
        case .negated(let operand, _): return NegatedPlan(try plan(operand, scope))
        case .call(let function, let arguments, _):
            guard function.isDatePart, let first = arguments.first else {
                return CallPlan(function, try plans(arguments, scope))
            }
            let zone = try DateZone(arguments.count > 1 ? arguments[1] : nil)
            return DatePartPlan(function, of: try plan(first, scope), zone, readsTexts: scope.readsDates(of: first))
        case .subquery(let subquery, _): return try plan(subquery, scope, for: need)
        case .conditional(let condition, let first, let second, _):
            return ConditionalPlan(try plan(condition, scope), try plan(first, scope), try plan(second, scope))
        case .cast(let operand, let target, _): return CastPlan(try plan(operand, scope), to: target)
        case .assignment(_, _, let origin):
            throw QueryError(.unsupported, "assignments are parsed but never evaluated", at: origin)
        }
    }

    private mutating func plans(_ terms: [Term], _ scope: TypeScope) throws(QueryError) -> [TermPlan] {
        var plans: [TermPlan] = []
        plans.reserveCapacity(terms.count)
        for term in terms { plans.append(try plan(term, scope)) }
        return plans
    }

    /// The walk of property names from a type, in stored names.
    mutating func walk(
        _ keys: [String],
        from type: FieldType,
        at origin: Origin
    ) throws(QueryError) -> PathWalk {
        guard let resolved = type.resolve(keys) else {
            let path = keys.joined(separator: ".")
            throw QueryError(.unknownField, "the schema has no field \(path)", at: origin)
        }
        defer { sizes.slots += keys.count }
        // Without keys the value is one that another walk has decoded.
        return PathWalk(
            keys: resolved.storedKeys,
            place: sizes.slots,
            form: keys.isEmpty ? nil : storedForm(of: resolved.type)
        )
    }

    private mutating func plan(
        _ base: Term,
        _ steps: [PathStep],
        _ scope: TypeScope,
        at origin: Origin
    ) throws(QueryError) -> TermPlan {
        var type = scope.type(of: base)
        if let rowVariable, case .variable(rowVariable, _) = base {
            return FieldPlan(try walk(steps.compactMap(\.key), from: type, at: origin))
        }
        var plan: TermPlan
        if case .variable(let variable, let origin) = base, case .key(let key)? = steps.first {
            plan = try self.plan(variable, reading: type.resolve([key])?.storedKeys.first, at: origin)
        } else {
            plan = try self.plan(base, scope)
        }
        var keys: [String] = []
        for step in steps {
            switch step {
            case .key(let key): keys.append(key)
            case .variable(let variable):
                if !keys.isEmpty { plan = StepsPlan(plan, try walk(keys, from: type, at: origin)) }
                keys = []
                // The key is known only per row, and so is what is below it.
                type = .any
                plan = VariableStepPlan(plan, try self.plan(variable, at: origin))
            }
        }
        return keys.isEmpty ? plan : StepsPlan(plan, try walk(keys, from: type, at: origin))
    }

    private mutating func plan(
        _ base: Term,
        _ index: Index,
        _ scope: TypeScope,
        at origin: Origin
    ) throws(QueryError) -> TermPlan {
        let container = if case .size = index { try plan(base, scope, for: .count) } else { try plan(base, scope) }
        switch index {
        case .first: return IndexPlan(container, .first)
        case .last: return IndexPlan(container, .last)
        case .size: return IndexPlan(container, .size)
        case .at(let position):
            // A literal key of an object with a schema is a property name like any other.
            if case .string(let key)? = position.constantValue, case .object = scope.type(of: base) {
                return StepsPlan(container, try walk([key], from: scope.type(of: base), at: origin))
            }
            return IndexPlan(container, .at(try plan(position, scope)))
        }
    }

    private mutating func plan(
        _ subquery: Subquery,
        _ scope: TypeScope,
        for need: ListNeed
    ) throws(QueryError) -> TermPlan {
        // What is read of a row path is known only after the condition is compiled.
        let isField = if case .field = subquery.collection { true } else { false }
        let collection = try plan(subquery.collection, scope, for: isField ? need : .whole)
        let element = scope.type(of: subquery.collection).element
        let inner = scope.binding(subquery.variable, to: element)
        return try binding(subquery.variable) { (compiler, place) throws(QueryError) -> TermPlan in
            compiler.reads[PlanCompiler.subquery, default: 0] += 1
            let before = compiler.reads
            let condition = try compiler.plan(subquery.condition, inner)
            let need = compiler.elementNeeds[place] ?? .count
            let forObjects = try compiler.plan(subquery, inner, ofObjectsAt: place, need, before)
            if let key = (collection as? FieldPlan)?.walk.keys.first {
                compiler.paths?.widen(key, to: need)
            }
            let steps = compiler.evaluator.limits.boundsWork ? subquery.condition.stepsOfRow : 0
            return SubqueryPlan(
                collection,
                at: place,
                condition,
                forObjects: forObjects,
                isRepeatable: forObjects != nil && subquery.condition.isRepeatable,
                steps: Steps.bound + steps
            )
        }
    }

    /// The condition of a SUBQUERY that reads only keys of its element, for elements that are objects.
    ///
    /// Each element then serves as the row, and nothing is copied. Nil if it reads more.
    private mutating func plan(
        _ subquery: Subquery,
        _ scope: TypeScope,
        ofObjectsAt place: Int,
        _ need: ListNeed,
        _ before: [Int: Int]
    ) throws(QueryError) -> ConditionPlan? {
        if case .whole = need { return nil }
        var after = reads
        after[place] = nil
        // A nested SUBQUERY would be compiled twice for each enclosing one.
        guard rowVariable == nil, before == after else { return nil }
        rowVariable = subquery.variable
        defer { rowVariable = nil }
        return try plan(subquery.condition, scope)
    }
}

extension PathStep {
    fileprivate var key: String? {
        if case .key(let key) = self { key } else { nil }
    }
}

extension PlanCompiler {
    /// The stored form of the values of a path of this type; nil if there is nothing to decode (S5).
    private func storedForm(of type: FieldType) -> StoredForm? {
        switch type.element {
        case .date(.native): evaluator.decodesNativeDates ? .date(.iso8601) : nil
        case .date(let encoding): .date(encoding)
        case .uuid where evaluator.decodesUUIDs: .uuid
        case .any, .bool, .int, .double, .string, .data, .uuid, .objectID, .object, .list: nil
        }
    }
}

extension PathWalk {
    /// The key of a path of one key with nothing to decode.
    @inline(__always)
    var onlyKey: String? { keys.count == 1 && form == nil ? keys.first : nil }
}
