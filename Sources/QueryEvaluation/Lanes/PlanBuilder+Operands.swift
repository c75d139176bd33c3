#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import QueryMeaning
import QueryTree
import QueryValues

extension PlanBuilder {
    /// The left side of a comparison with a constant.
    struct Operand {
        /// Where its cells are stored.
        var field: LaneSet.FieldLane
        /// The steps that compute a value from the cell's; empty for the cell's value itself.
        var steps: [@Sendable (QueryValue) -> QueryValue] = []
        /// True if the computed value decreases as the cell's increases.
        var isDecreasing = false

        func value(_ cell: QueryValue) -> QueryValue { steps.reduce(cell) { $1($0) } }
    }

    /// The operand of a term that a kernel can read.
    func operand(_ term: Term, _ scope: inout Scope) -> Operand? {
        switch term {
        case .field(let path, _):
            guard scope.variable == nil else { return nil }
            return operand(path.keys, from: scope.types.row, &scope)
        case .path(.variable(let variable, _), let steps, _):
            guard variable == scope.variable else { return nil }
            var keys: [String] = []
            for step in steps {
                guard case .key(let key) = step else { return nil }
                keys.append(key)
            }
            return operand(keys, from: scope.types.variables[variable] ?? .any, &scope)
        case .negated(let term, _):
            guard var operand = numberOperand(term, &scope) else { return nil }
            operand.steps.append { $0.negatedNumber }
            operand.isDecreasing.toggle()
            return operand
        case .arithmetic(let chain, _): return arithmetic(chain, &scope)
        default: return nil
        }
    }

    private func operand(_ keys: [String], from type: FieldType, _ scope: inout Scope) -> Operand? {
        guard let resolved = type.resolve(keys), let field = scope.lanes.lane(of: resolved.storedKeys) else {
            return nil
        }
        // A custom schema may say that a store keeps dates and UUIDs in another form; those are read row by row (S5).
        if case .date(let encoding) = resolved.type.element, encoding != .native { return nil }
        if resolved.type.element == .uuid, field.cell.mayHoldText { return nil }
        return Operand(field: field)
    }

    private func numberOperand(_ term: Term, _ scope: inout Scope) -> Operand? {
        guard let operand = operand(term, &scope), operand.field.elements == nil, operand.field.cell.isNumber else {
            return nil
        }
        return operand
    }

    /// A chain of one field and constants that is monotonic in the field: the kernel then compares the field itself
    /// with bounds found by bisection.
    private func arithmetic(_ chain: Arithmetic, _ scope: inout Scope) -> Operand? {
        var operand: Operand
        var rest = chain.rest
        if let first = chain.first.finiteNumber {
            // `10 + a`, `10 - a`, `2 * a`; never `2 / a`, which jumps at zero.
            let link = rest.removeFirst()
            guard link.operation == .add || link.operation == .subtract || link.operation == .multiply,
                let found = numberOperand(link.operand, &scope)
            else { return nil }
            operand = found
            let operation = link.operation
            operand.steps.append { operation.evaluate(first, $0) }
            if operation == .subtract || (operation == .multiply && first.isNegative) { operand.isDecreasing.toggle() }
            if operation == .multiply, first.isZero { return nil }
        } else {
            guard let found = numberOperand(chain.first, &scope) else { return nil }
            operand = found
        }
        for link in rest {
            guard let constant = link.operand.finiteNumber else { return nil }
            let operation = link.operation
            switch operation {
            case .add, .subtract: break
            case .multiply, .divide:
                if constant.isZero { return nil }
                if constant.isNegative { operand.isDecreasing.toggle() }
            case .power, .union, .intersect, .minus: return nil
            }
            operand.steps.append { operation.evaluate($0, constant) }
        }
        return operand
    }
}

extension Term {
    /// A constant number with which arithmetic preserves order.
    fileprivate var finiteNumber: QueryValue? {
        switch constantValue {
        case .int(let number)?: .int(number)
        case .double(let number)? where number.isFinite: .double(number)
        default: .none
        }
    }
}

extension QueryValue {
    fileprivate var isZero: Bool { isEqual(to: .int(0)) }
    fileprivate var isNegative: Bool { order(relativeTo: .int(0)) == .ascending }
}

extension CellKind {
    /// True for cells of ints and doubles, present or not.
    var isNumber: Bool {
        switch storage {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double: true
        case .bool, .string, .date, .uuid, .list, .object, .other: false
        }
    }

    /// True for cells of texts, of lists of texts, and of values read through accessors.
    fileprivate var mayHoldText: Bool {
        switch storage {
        case .string, .other: true
        case .list(let element): element.mayHoldText
        case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double, .date, .uuid,
            .object:
            false
        }
    }
}
