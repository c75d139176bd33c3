import QueryMeaning
import QueryTree
import QueryValues

extension PlanBuilder {
    /// The kernel that tests numbers, bools and dates.
    func numberKernel(_ question: Question, _ target: CellTarget) -> Kernel? {
        let isOptional = target.cell.isOptional
        let question = NumberQuestion(question: question, target: target)
        switch target.cell.storage {
        case .bool: return isOptional ? question.bools(MaybeBool.self) : question.bools(PlainBool.self)
        case .int8: return isOptional ? question.numbers(Maybe<Int8>.self) : question.numbers(Plain<Int8>.self)
        case .int16: return isOptional ? question.numbers(Maybe<Int16>.self) : question.numbers(Plain<Int16>.self)
        case .int32: return isOptional ? question.numbers(Maybe<Int32>.self) : question.numbers(Plain<Int32>.self)
        case .int64: return isOptional ? question.numbers(Maybe<Int64>.self) : question.numbers(Plain<Int64>.self)
        case .uint8: return isOptional ? question.numbers(Maybe<UInt8>.self) : question.numbers(Plain<UInt8>.self)
        case .uint16: return isOptional ? question.numbers(Maybe<UInt16>.self) : question.numbers(Plain<UInt16>.self)
        case .uint32: return isOptional ? question.numbers(Maybe<UInt32>.self) : question.numbers(Plain<UInt32>.self)
        case .uint64: return isOptional ? question.numbers(Maybe<UInt64>.self) : question.numbers(Plain<UInt64>.self)
        case .float: return isOptional ? question.numbers(Maybe<Float>.self) : question.numbers(Plain<Float>.self)
        case .double: return isOptional ? question.numbers(Maybe<Double>.self) : question.numbers(Plain<Double>.self)
        case .date:
            guard DateLayout.isProven, target.operand.steps.isEmpty else { return nil }
            return isOptional ? question.dates(MaybeDate.self) : question.dates(PlainDate.self)
        case .string, .uuid, .list, .object, .other: return nil
        }
    }
}

/// A test of numbers, for one type of cells.
private struct NumberQuestion {
    let question: Question
    let target: CellTarget

    private var bounds: ValueBounds? { ValueBounds(question.test) }

    private var isNegated: Bool { question.isNegated }

    @inline(__always)
    func numbers<Cell: OrderedCell>(_ type: Cell.Type) -> Kernel? where Cell.Value: Halvable {
        if case .members(let values, nil) = question.test { return members(values, type) }
        return ranged(type) { target.operand.value($0.plainValue) }
    }

    @inline(__always)
    func dates<Cell: OrderedCell>(_ type: Cell.Type) -> Kernel? where Cell.Value == Double {
        ranged(type) { DateLayout.value($0) }
    }

    @inline(__always)
    private func ranged<Cell: OrderedCell>(
        _ type: Cell.Type,
        _ value: (Cell.Value) -> QueryValue
    ) -> Kernel? where Cell.Value: Halvable {
        guard let bounds else { return nil }
        let range = bounds.range(of: Cell.Value.self, isDecreasing: target.operand.isDecreasing, value)
        guard let range else { return target.kernel(isNegated: isNegated, cost: 1, NeverHere()) }
        let test = RangeTest<Cell>(low: range.low, high: range.high)
        var kernel = target.kernel(isNegated: isNegated, cost: 1, test)
        if target.elements == nil, !isNegated, let range = NumberRange(lane: target.lane, test) {
            kernel.ranges = [range]
        }
        return kernel
    }

    /// `IN {1, 2, 3}` over numbers that are compared directly.
    @inline(__always)
    private func members<Cell: OrderedCell>(
        _ constants: [QueryValue],
        _ type: Cell.Type
    ) -> Kernel? where Cell.Value: Halvable {
        guard target.operand.steps.isEmpty else { return nil }
        var members: [Cell.Value] = []
        for constant in constants {
            // Nil in a list tests for nil (S8); a number that represents several values is left to the row reader.
            if constant.isNull { return nil }
            let range = ValueBounds(low: (constant, true), high: (constant, true))
                .range(of: Cell.Value.self, isDecreasing: false) { $0.plainValue }
            guard let range else { continue }
            if range.low != range.high { return nil }
            members.append(range.low)
        }
        return target.kernel(cost: 2, MemberTest<Cell>(members))
    }

    /// There are only two values, so each is tried.
    @inline(__always)
    func bools<Cell: OrderedCell>(_ type: Cell.Type) -> Kernel? where Cell.Value == UInt8 {
        guard let bounds, target.operand.steps.isEmpty else { return nil }
        switch (bounds.contains(.bool(false)), bounds.contains(.bool(true))) {
        case (false, false): return target.kernel(isNegated: isNegated, cost: 1, NeverHere())
        case (let low, let high):
            return target.kernel(
                isNegated: isNegated,
                cost: 1,
                RangeTest<Cell>(low: low ? 0 : 1, high: high ? 1 : 0)
            )
        }
    }
}

/// Passes no cell.
struct NeverHere: CellTest {
    @inline(__always)
    func holds(_ cell: UnsafeRawPointer) -> Bool { false }
}
