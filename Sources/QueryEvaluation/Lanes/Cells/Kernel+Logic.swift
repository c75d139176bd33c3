import QueryTree
import QueryValues

/// The evaluation order of the parts of an AND or OR, and the measured selectivity of each.
struct PartOrder {
    /// Part numbers, the first to evaluate in front.
    var order: [Int]
    private var asked: [Int]
    private var decided: [Int]
    private var batches = 0

    /// Parts in order of cost, ties as written.
    init(costs: [Double]) {
        order = costs.indices.sorted { costs[$0] < costs[$1] || (costs[$0] == costs[$1] && $0 < $1) }
        asked = Array(repeating: 0, count: costs.count)
        decided = asked
    }

    mutating func note(_ part: Int, asked count: Int, decided decidedCount: Int) {
        asked[part] += count
        decided[part] += decidedCount
    }

    /// Checks every few batches whether another order is cheaper, by cost per row that a part decides.
    mutating func endBatch(_ costs: [Double]) {
        batches += 1
        guard batches & 7 == 1, order.count > 1 else { return }
        let prices = order.indices.map { part in
            costs[part] * (Double(asked[part]) + 2) / (Double(decided[part]) + 1)
        }
        order.sort { prices[$0] < prices[$1] || (prices[$0] == prices[$1] && $0 < $1) }
        for part in order.indices {
            asked[part] /= 2
            decided[part] /= 2
        }
    }
}

extension Kernel {
    /// Rows for which every part holds: each part is tested on the rows that are left.
    ///
    /// - Parameters:
    ///   - parts: at least one.
    ///   - number: the number of its ``PartOrder`` in a run.
    /// - Returns: the kernel.
    static func all(_ parts: [Kernel], number: Int) -> Kernel {
        let costs = parts.map(\.cost)
        let one = joined(parts) { first, second in ElementTest { first.check($0, $1) && second.check($0, $1) } }
        var kernel = Kernel(cost: costs.reduce(0, +), element: one) { batch, active, found, run in
            let words = batch.words
            withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { buffer in
                guard let left = buffer.baseAddress else { return }
                left.update(from: active, count: words)
                var rows = population(left, words)
                let isLarge = batch.count >= 64
                for turn in parts.indices where rows > 0 {
                    let part = isLarge ? run.orders[number].order[turn] : turn
                    parts[part].body(batch, left, found, run)
                    let rest = population(found, words)
                    if isLarge { run.orders[number].note(part, asked: rows, decided: rows - rest) }
                    left.update(from: found, count: words)
                    rows = rest
                }
                found.update(from: left, count: words)
                if isLarge { run.orders[number].endBatch(costs) }
            }
        }
        if parts.count <= 2, parts.allSatisfy({ $0.ranges.count == 1 }) {
            kernel.ranges = parts.flatMap(\.ranges)
        }
        return kernel
    }

    /// Rows for which some part holds: each part is tested on the rows not yet matched.
    ///
    /// - Parameters:
    ///   - parts: at least one.
    ///   - number: the number of its ``PartOrder`` in a run.
    /// - Returns: the kernel.
    static func some(_ parts: [Kernel], number: Int) -> Kernel {
        let costs = parts.map(\.cost)
        let one = joined(parts) { first, second in ElementTest { first.check($0, $1) || second.check($0, $1) } }
        return Kernel(cost: costs.reduce(0, +), element: one) { batch, active, found, run in
            let words = batch.words
            withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words * 2) { buffer in
                guard let left = buffer.baseAddress else { return }
                let taken = left + words
                left.update(from: active, count: words)
                var rows = population(left, words)
                let isLarge = batch.count >= 64
                for turn in parts.indices where rows > 0 {
                    let part = isLarge ? run.orders[number].order[turn] : turn
                    parts[part].body(batch, left, taken, run)
                    for word in 0..<words { left[word] &= ~taken[word] }
                    let rest = population(left, words)
                    if isLarge { run.orders[number].note(part, asked: rows, decided: rows - rest) }
                    rows = rest
                }
                for word in 0..<words { found[word] = active[word] & ~left[word] }
                if isLarge { run.orders[number].endBatch(costs) }
            }
        }
    }

    /// The parts' tests of one element joined pairwise, the cheapest first; nil if one has none.
    private static func joined(
        _ parts: [Kernel],
        _ join: (ElementTest, ElementTest) -> ElementTest
    ) -> ElementTest? {
        var tests: [ElementTest] = []
        for part in parts.sorted(by: { $0.cost < $1.cost }) {
            guard let test = part.element else { return nil }
            tests.append(test)
        }
        guard let last = tests.popLast() else { return nil }
        return tests.reversed().reduce(last) { join($1, $0) }
    }

    @inline(__always)
    private static func population(_ words: UnsafePointer<UInt64>, _ count: Int) -> Int {
        var rows = 0
        for word in 0..<count { rows &+= words[word].nonzeroBitCount }
        return rows
    }
}
