import QueryTree
import QueryValues

extension PlanBuilder {
    /// The kernel of a comparison; nil if there is none.
    mutating func kernel(_ given: Comparison, _ scope: inout Scope) throws(QueryError) -> Kernel? {
        let comparison = given.withConstantOnTheRight
        guard let constant = comparison.right.constantValue else { return nil }
        if let kernel = try countKernel(comparison, constant, &scope) { return kernel }
        guard let operand = operand(comparison.left, &scope) else { return nil }
        let target = CellTarget(operand, comparison.quantifier)
        if let quantified = comparison.quantifier {
            return try quantifiedKernel(quantified, comparison, constant, operand)
        }
        if operand.place.elements != nil { return nil }
        if case .list(let element) = operand.place.cell.storage {
            return try listKernel(comparison, constant, operand, element)
        }
        return try kernel(comparison, constant, target)
    }

    /// A list of plain values under ANY and ALL (S10), or a path that continues after a list of objects.
    private func quantifiedKernel(
        _ quantifier: Comparison.Quantifier,
        _ comparison: Comparison,
        _ constant: QueryValue,
        _ operand: Operand
    ) throws(QueryError) -> Kernel? {
        guard let elements = operand.elementsOperand else { return nil }
        return try kernel(comparison, constant, CellTarget(elements, quantifier))
    }

    /// A whole list: nil or not, and whether it contains a constant.
    private func listKernel(
        _ comparison: Comparison,
        _ constant: QueryValue,
        _ operand: Operand,
        _ element: CellKind
    ) throws(QueryError) -> Kernel? {
        guard ListLayout.isProven else { return nil }
        switch (comparison.operator, constant) {
        case (.equal, .null), (.notEqual, .null):
            return nilKernel(comparison, CellTarget(operand, nil)) {
                .testing($0, isNegated: $1, cost: 1, HereTest<ListCount>())
            }
        case (.contains, let constant) where !constant.isNull && constant.kind != .list && constant.kind != .object:
            guard let elements = operand.elementsOperand else { return nil }
            var member = comparison
            member.operator = .equal
            return try kernel(member, constant, CellTarget(elements, .any))
        default: return nil
        }
    }

    /// The kernel of cells compared with a constant.
    func kernel(
        _ comparison: Comparison,
        _ constant: QueryValue,
        _ target: CellTarget
    ) throws(QueryError) -> Kernel? {
        let cell = target.cell
        if constant.isNull, target.elements == nil {
            return nilComparison(comparison, target)
        }
        switch cell.storage {
        case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double, .date:
            return numberKernel(comparison, constant, target)
        case .string:
            // Texts compared with a date are parsed, row by row (S5).
            guard TextLayout.isProven, !constant.holdsDate else { return nil }
            return try textKernel(comparison, constant, target)
        case .uuid, .list, .object, .other: return nil
        }
    }

    /// A comparison with nil (S7, S8).
    private func nilComparison(_ comparison: Comparison, _ target: CellTarget) -> Kernel? {
        switch comparison.operator {
        case .less, .greater, .beginsWith, .endsWith, .like, .matches: return .constant(false)
        case .equal, .notEqual: break
        case .lessOrEqual, .greaterOrEqual, .between, .in, .contains, .geoWithin: return nil
        }
        return target.hereKernel.flatMap { make in nilKernel(comparison, target, make) }
    }

    /// `make` gives the kernel of the cells that hold a value or, if passed true, of those that do not.
    private func nilKernel(
        _ comparison: Comparison,
        _ target: CellTarget,
        _ make: (Int, Bool) -> Kernel
    ) -> Kernel? {
        // A nil property is absent and never an explicit null.
        if nilMeaning == .null { return .constant(comparison.operator == .notEqual) }
        return make(target.lane, comparison.operator == .equal)
    }
}

extension PlanBuilder.Operand {
    /// The elements of the lists in the cells; nil if the cells are not lists that a kernel can walk.
    var elementsOperand: PlanBuilder.Operand? {
        guard ListLayout.isProven, steps.isEmpty else { return nil }
        if place.elements != nil {
            // A list inside an element's object would have to be flattened (S9).
            if case .list = place.cell.storage { return nil }
            return self
        }
        guard case .list(let element) = place.cell.storage else { return nil }
        var inner = self
        inner.place.cell = element
        inner.place.elements = ElementLayout(offset: 0, stride: element.stride, alignment: element.alignment)
        return inner
    }
}

extension QueryValue {
    /// True for a date and for a list that contains a date.
    fileprivate var holdsDate: Bool {
        switch self {
        case .date: true
        case .list(let elements): elements.contains(where: \.holdsDate)
        case .null, .bool, .int, .double, .string, .data, .uuid, .object, .shape: false
        }
    }
}

/// The cells that a test applies to: each row's own, or those of the elements of a list.
struct CellTarget {
    let operand: PlanBuilder.Operand
    let quantifier: Comparison.Quantifier?

    init(_ operand: PlanBuilder.Operand, _ quantifier: Comparison.Quantifier?) {
        self.operand = operand
        self.quantifier = quantifier
    }

    var lane: Int { operand.place.lane }
    var cell: CellKind { operand.place.cell }
    var elements: ElementLayout? { operand.place.elements }

    /// The kernel of a test of the cells, or of the lists of which some or all elements pass.
    ///
    /// - Parameters:
    ///   - isNegated: true for the cells that do not pass.
    ///   - cost: nanoseconds per cell.
    ///   - test: a concrete type.
    /// - Returns: the kernel.
    @inline(__always)
    func kernel<Test: CellTest>(isNegated: Bool = false, cost: Double, _ test: Test) -> Kernel {
        guard let elements else { return .testing(lane, isNegated: isNegated, cost: cost, test) }
        // ALL means that no element fails.
        let isAll = quantifier == .all
        let some = SomeElement(elements: elements, isFlipped: isNegated != isAll, test: test)
        return .testing(lane, isNegated: isAll, cost: 8 + 2 * cost, some)
    }

    /// The kernel of the cells that hold a value or, if passed true, of those that do not.
    var hereKernel: ((Int, Bool) -> Kernel)? {
        let isOptional = cell.isOptional
        func make<Cell: OrderedCell>(_ type: Cell.Type) -> (Int, Bool) -> Kernel {
            { .testing($0, isNegated: $1, cost: 1, HereTest<Cell>()) }
        }
        let always = { (lane: Int, isNegated: Bool) in Kernel.testing(lane, isNegated: isNegated, cost: 1, AlwaysHere())
        }
        switch cell.storage {
        case .bool: return isOptional ? make(MaybeBool.self) : always
        case .int8, .uint8: return isOptional ? make(Maybe<UInt8>.self) : always
        case .int16, .uint16: return isOptional ? make(Maybe<UInt16>.self) : always
        case .int32, .uint32: return isOptional ? make(Maybe<UInt32>.self) : always
        case .int64, .uint64: return isOptional ? make(Maybe<UInt64>.self) : always
        case .float: return isOptional ? make(Maybe<Float>.self) : always
        case .double: return isOptional ? make(Maybe<Double>.self) : always
        case .string: return !TextLayout.isProven ? nil : { .testing($0, isNegated: $1, cost: 1, TextHereTest()) }
        case .date: return !DateLayout.isProven ? nil : isOptional ? make(MaybeDate.self) : make(PlainDate.self)
        case .uuid, .list, .object, .other: return nil
        }
    }
}
