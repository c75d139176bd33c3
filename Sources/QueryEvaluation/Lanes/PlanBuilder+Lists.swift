import QueryMeaning
import QueryTree
import QueryValues

extension PlanBuilder {
    /// The kernel of `list.@count`, `list.@sum.key` or `SUBQUERY(list, $x, …).@count` compared with a number.
    mutating func countKernel(_ question: Question, _ scope: inout Scope) throws(QueryError) -> Kernel? {
        guard ListLayout.isProven, question.quantifier == nil,
            case .aggregate(let aggregate, of: let base, let path, _) = question.subject
        else { return nil }
        let counts = AcceptedCounts(question).flatMap { $0.holdsForNil ? nil : $0.range }
        switch (aggregate, base) {
        case (.count, .subquery(let subquery, _)) where path.keys.isEmpty:
            guard let counts else { return nil }
            return try subqueryKernel(subquery, counts, isNegated: question.isNegated, &scope)
        case (.count, _) where path.keys.isEmpty:
            guard let operand = operand(base, &scope), operand.field.elements == nil,
                case .list = operand.field.cell.storage, let counts
            else { return nil }
            return .testing(
                operand.field.lane,
                isNegated: question.isNegated,
                cost: 3,
                RangeTest<ListCount>(low: counts.lowerBound, high: counts.upperBound)
            )
        case (.sum, .field(let list, let origin)):
            let whole = Term.field(FieldPath(keys: list.keys + path.keys, startsAtSelf: list.startsAtSelf), origin)
            guard let operand = operand(whole, &scope)?.elementsOperand else { return nil }
            return sumKernel(question, CellTarget(operand: operand))
        default: return nil
        }
    }

    /// The kernel of a sum of doubles, or of ints if no steps are counted; other sums are computed row by row.
    private func sumKernel(_ question: Question, _ target: CellTarget) -> Kernel? {
        guard let elements = target.elements, let bounds = ValueBounds(question.test) else { return nil }
        let holds = bounds.contains(.int(0))
        func kernel(_ test: some CellTest) -> Kernel {
            .testing(target.lane, isNegated: question.isNegated, cost: 10, test)
        }
        func doubles<Cell: OrderedCell>(_ type: Cell.Type) -> Kernel? where Cell.Value: BinaryFloatingPoint {
            let range = bounds.range(of: Double.self, isDecreasing: false) { .double($0) }
            return range.map { range in
                kernel(DoubleSumTest<Cell>(elements: elements, range: range, holdsForMissing: holds))
            } ?? .constant(question.isNegated)
        }
        func ints<Cell: OrderedCell>(_ type: Cell.Type) -> Kernel? where Cell.Value == Int64 {
            let range = bounds.range(of: Int64.self, isDecreasing: false) { .int($0) }
            return range.map { range in
                kernel(IntSumTest<Cell>(elements: elements, range: range, bounds: bounds, holdsForMissing: holds))
            }
        }
        let isOptional = target.cell.isOptional
        switch target.cell.storage {
        case .double: return isOptional ? doubles(Maybe<Double>.self) : doubles(Plain<Double>.self)
        case .float: return isOptional ? doubles(Maybe<Float>.self) : doubles(Plain<Float>.self)
        case .int64 where !limits.boundsWork: return isOptional ? ints(Maybe<Int64>.self) : ints(Plain<Int64>.self)
        default: return nil
        }
    }

    private mutating func subqueryKernel(
        _ subquery: Subquery,
        _ counts: ClosedRange<Int64>,
        isNegated: Bool,
        _ scope: inout Scope
    ) throws(QueryError) -> Kernel? {
        guard scope.variable == nil, let operand = operand(subquery.collection, &scope), operand.field.elements == nil,
            case .list(let element) = operand.field.cell.storage, !element.isOptional,
            case .object(let fields) = element.storage
        else { return nil }
        let type = scope.types.type(of: subquery.collection).element
        var inner = Scope(
            lanes: LaneSet(fields.entries),
            types: scope.types.binding(subquery.variable, to: type),
            variable: subquery.variable
        )
        let elements = ElementLayout(offset: 0, stride: element.stride, alignment: element.alignment)
        let lane = operand.field.lane
        if case .comparison(let comparison) = subquery.condition,
            let kernel = try elementKernel(comparison, element, lane, (counts, isNegated), &inner)
        {
            return kernel
        }
        guard let kernel = try fastKernel(subquery.condition, &inner),
            inner.lanes.sources.allSatisfy({ $0.accessor == nil })
        else { return nil }
        let offsets = inner.lanes.sources.map(\.offset)
        func counting(_ test: some CellTest) -> Kernel {
            let counted = ElementCountTest(elements: elements, test: test, counts: counts)
            return .testing(lane, isNegated: isNegated, cost: 8 + 4 * kernel.cost, counted)
        }
        if let first = kernel.ranges.first, let last = kernel.ranges.last {
            switch (first, last) {
            case (.ints(let a, let first), .ints(let b, let second)):
                return counting(BothCells(first: (offsets[a], first), second: (offsets[b], second)))
            case (.ints(let a, let first), .doubles(let b, let second)):
                return counting(BothCells(first: (offsets[a], first), second: (offsets[b], second)))
            case (.doubles(let a, let first), .ints(let b, let second)):
                return counting(BothCells(first: (offsets[a], first), second: (offsets[b], second)))
            case (.doubles(let a, let first), .doubles(let b, let second)):
                return counting(BothCells(first: (offsets[a], first), second: (offsets[b], second)))
            }
        }
        if let one = kernel.element { return counting(CalledTest(offsets: ElementOffsets(offsets), test: one)) }
        let search = ElementSearch(elements: elements, offsets: offsets, kernel: kernel)
        return .counting(lane, search, counts, isNegated: isNegated)
    }

    /// The kernel that counts the elements for which a comparison of one stored cell holds; nil for any other.
    private func elementKernel(
        _ comparison: Comparison,
        _ element: CellKind,
        _ lane: Int,
        _ counts: (ClosedRange<Int64>, isNegated: Bool),
        _ inner: inout Scope
    ) throws(QueryError) -> Kernel? {
        let question = try Question(comparison, nilMeaning: nilMeaning)
        if let term = question.term, term.constantValue == nil { return nil }
        guard question.quantifier == nil, var cell = operand(question.subject, &inner), cell.field.elements == nil
        else { return nil }
        let source = inner.lanes.sources[cell.field.lane]
        if source.accessor != nil { return nil }
        let (stride, alignment) = (element.stride, element.alignment)
        cell.field.elements = ElementLayout(offset: source.offset, stride: stride, alignment: alignment)
        cell.field.lane = lane
        return try kernel(question, CellTarget(operand: cell, counts: counts))
    }
}

extension ValueBounds {
    /// The bounds of a test or of its opposite; nil for tests without bounds.
    init?(_ test: Question.Test) {
        switch test {
        case .equal(let value): self.init(low: (value, true), high: (value, true))
        case .ordered(let rule, let value):
            if rule.wanted == .ascending {
                self.init(high: (value, rule.allowsEqual))
            } else {
                self.init(low: (value, rule.allowsEqual))
            }
        case .between(let low, let high):
            if low.isNull || high.isNull { return nil }
            self.init(low: (low, true), high: (high, true))
        default: return nil
        }
    }
}

/// The offsets of the cells of each lane of a condition in an element.
final class ElementOffsets: @unchecked Sendable {  // immutable after `init`
    let start: UnsafePointer<Int>

    init(_ offsets: [Int]) {
        let room = UnsafeMutablePointer<Int>.allocate(capacity: max(1, offsets.count))
        room.initialize(from: offsets, count: offsets.count)
        start = UnsafePointer(room)
    }

    deinit { start.deallocate() }
}

/// Tests an element of a list by a call.
struct CalledTest: CellTest {
    let offsets: ElementOffsets
    let test: Kernel.ElementTest

    @inline(__always)
    func holds(_ element: UnsafeRawPointer) -> Bool { test.check(element, offsets.start) }
}

/// A condition on the elements of lists of objects, for kernels that need batches.
struct ElementSearch: Sendable {
    let elements: ElementLayout
    /// The offsets of the cells of each lane of the condition in an element.
    let offsets: [Int]
    let kernel: Kernel

    /// The number of elements of a list for which the condition holds.
    func count(
        _ view: (start: UnsafeRawPointer, count: Int),
        _ lanes: UnsafeMutablePointer<Lane>,
        _ run: KernelRun
    ) -> Int {
        var total = 0
        var start = 0
        run.elements &+= view.count &* RowFrame.stepsOfElement
        while start < view.count {
            let batch = Batch(count: min(64, view.count - start), lanes: lanes)
            let first = view.start + start &* elements.stride
            for (lane, offset) in offsets.enumerated() { lanes[lane].base = first + offset }
            var active: UInt64 = batch.count == 64 ? .max : (1 << UInt64(batch.count)) &- 1
            var found: UInt64 = 0
            kernel.body(batch, &active, &found, run)
            total &+= found.nonzeroBitCount
            start += 64
        }
        return total
    }
}

extension Kernel {
    /// The rows whose lists have a number of matching elements in a range; a missing list has no count (S18).
    static func counting(
        _ lane: Int,
        _ search: ElementSearch,
        _ counts: ClosedRange<Int64>,
        isNegated: Bool
    ) -> Kernel {
        Kernel(cost: 30 + 4 * search.kernel.cost) { batch, active, found, run in
            let lane = batch.lanes[lane]
            let outer = run.outerRow
            defer { run.outerRow = outer }
            withUnsafeTemporaryAllocation(of: Lane.self, capacity: max(1, search.offsets.count)) { lanes in
                guard let first = lanes.baseAddress else { return }
                first.initialize(
                    repeating: Lane(base: lane.base, stride: search.elements.stride),
                    count: search.offsets.count
                )
                batch.mark(active, in: found) { row in
                    run.outerRow = row
                    guard lane.isValid(row), let view = search.elements.view(lane.cell(row)) else { return isNegated }
                    return counts.contains(Int64(search.count(view, first, run))) != isNegated
                }
            }
        }
    }
}
