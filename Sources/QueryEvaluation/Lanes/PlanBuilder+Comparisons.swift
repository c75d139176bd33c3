import QueryMeaning
import QueryTree
import QueryValues

extension PlanBuilder {
    /// The kernel of a comparison; nil if there is none.
    mutating func kernel(_ comparison: Comparison, _ scope: inout Scope) throws(QueryError) -> Kernel? {
        let question = try Question(comparison, nilMeaning: nilMeaning)
        if let term = question.term, term.constantValue == nil { return nil }
        if let kernel = try countKernel(question, &scope) { return kernel }
        guard let operand = operand(question.subject, &scope) else { return nil }
        if let quantifier = question.quantifier {
            // A list of plain values (S10), or a path that continues after a list of objects.
            return try operand.elementsOperand.flatMap { elements throws(QueryError) in
                try kernel(question, CellTarget(operand: elements, quantifier: quantifier))
            }
        }
        if operand.field.elements != nil { return nil }
        if case .list = operand.field.cell.storage { return try listKernel(question, operand) }
        return try kernel(question, CellTarget(operand: operand))
    }

    /// A whole list: nil or not, and whether it contains a constant.
    private func listKernel(_ question: Question, _ operand: Operand) throws(QueryError) -> Kernel? {
        guard ListLayout.isProven else { return nil }
        var member = question
        switch question.test {
        case .isNil(let meaning):
            return nilKernel(question, meaning, CellTarget(operand: operand)) {
                .testing($0, isNegated: $1, cost: 1, HereTest<ListCount>())
            }
        case .part(.middle, let text): member.test = .equal(.string(text))
        case .containsTerm:
            guard let value = question.term?.constantValue, !value.isNull, value.kind != .list, value.kind != .object
            else { return nil }
            member.test = .equal(value)
        default: return nil
        }
        return try operand.elementsOperand.flatMap { elements throws(QueryError) in
            try kernel(member, CellTarget(operand: elements, quantifier: .any))
        }
    }

    /// The kernel that tests cells.
    func kernel(_ question: Question, _ target: CellTarget) throws(QueryError) -> Kernel? {
        if target.elements == nil {
            if case .never = question.test { return .constant(false) }
            if case .isNil(let meaning) = question.test {
                return target.hereKernel.flatMap { nilKernel(question, meaning, target, $0) }
            }
        }
        switch target.cell.storage {
        case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double, .date:
            return numberKernel(question, target)
        case .string: return TextLayout.isProven ? try textKernel(question, target) : nil
        case .uuid, .list, .object, .other: return nil
        }
    }

    /// `make` gives the kernel of the cells that hold a value or, if passed true, of those that do not.
    private func nilKernel(
        _ question: Question,
        _ meaning: NilMeaning,
        _ target: CellTarget,
        _ make: (Int, Bool) -> Kernel
    ) -> Kernel {
        // A nil property is absent and never an explicit null.
        meaning == .null ? .constant(question.isNegated) : make(target.lane, !question.isNegated)
    }
}

extension PlanBuilder.Operand {
    /// The elements of the lists in the cells; nil if the cells are not lists that a kernel can walk.
    var elementsOperand: PlanBuilder.Operand? {
        guard ListLayout.isProven, steps.isEmpty else { return nil }
        if field.elements != nil {
            // A list inside an element's object would have to be flattened (S9).
            if case .list = field.cell.storage { return nil }
            return self
        }
        guard case .list(let element) = field.cell.storage else { return nil }
        var inner = self
        inner.field.cell = element
        inner.field.elements = ElementLayout(offset: 0, stride: element.stride, alignment: element.alignment)
        return inner
    }
}

/// The cells that a test applies to: each row's own, or those of the elements of a list.
struct CellTarget {
    let operand: PlanBuilder.Operand
    var quantifier: Comparison.Quantifier?
    /// How many elements are to pass, and true for the lists of which another number does; nil for a quantifier.
    var counts: (ClosedRange<Int64>, isNegated: Bool)?

    var lane: Int { operand.field.lane }
    var cell: CellKind { operand.field.cell }
    var elements: ElementLayout? { operand.field.elements }

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
        let (range, isOutside) = counts ?? (1...Int64.max, isAll)
        let isFlipped = isNegated != isAll
        let counted = ElementCountTest(elements: elements, isFlipped: isFlipped, test: test, counts: range)
        return .testing(lane, isNegated: isOutside, cost: 8 + 2 * cost, counted)
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
