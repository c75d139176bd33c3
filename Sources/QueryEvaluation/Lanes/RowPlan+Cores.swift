import Dispatch
import QueryMeaning
import QueryTree
import QueryValues

/// Splits work over the machine's cores.
///
/// It uses Dispatch instead of a task group: callers need no `await`, and the work is done when the call returns, so
/// the rows can be borrowed.
package enum Cores {
    /// Runs pieces of work in parallel and returns their results in order.
    package static func map<Result: Sendable>(_ count: Int, _ work: @Sendable (Int) -> Result) -> [Result] {
        let slots = Slots<Result>(count)
        DispatchQueue.concurrentPerform(iterations: count) { slots.fill($0, work($0)) }
        return slots.results
    }

    /// A slot for each result; each is written by one thread, and read after all threads have ended.
    private final class Slots<Result: Sendable>: @unchecked Sendable {
        private let buffer: UnsafeMutableBufferPointer<Result?>

        init(_ count: Int) {
            buffer = .allocate(capacity: count)
            buffer.initialize(repeating: nil)
        }

        deinit {
            buffer.deinitialize()
            buffer.deallocate()
        }

        func fill(_ index: Int, _ result: Result) { buffer[index] = result }

        var results: [Result] { buffer.compactMap { $0 } }
    }

    /// Rows of one piece of a scan; a multiple of 64, and few enough for cores to share the work evenly.
    package static let piece = 1 << 15

    /// The pieces of a number of rows.
    package static func pieces(of count: Int, each: Int = piece) -> [Range<Int>] {
        stride(from: 0, to: count, by: each).map { $0..<min($0 + each, count) }
    }
}

/// Memory that threads only read during a call.
struct SharedRows: @unchecked Sendable {
    let source: RowSource
}

extension RowPlan {
    /// The positions of the rows for which the condition holds, ascending, using all cores.
    ///
    /// The first error in the order of the rows is thrown, unless enough rows come before it (S27).
    func matchingIndices(inPieces source: RowSource, needed: Int, each: Int = Cores.piece) throws(QueryError) -> [Int] {
        let pieces = Cores.pieces(of: source.count, each: each)
        let shared = SharedRows(source: source)
        let budget = WorkBudget(limits)
        let found = Cores.map(pieces.count) { piece -> Result<[Int], QueryError> in
            do throws(QueryError) {
                return .success(try self.indices(in: shared.source, pieces[piece], needed: .max, budget))
            } catch {
                return .failure(error)
            }
        }
        var indices: [Int] = []
        for (piece, result) in zip(pieces, found) {
            switch result {
            case .success(let rows): indices.append(contentsOf: rows)
            case .failure:
                // The row with the error may come after the last needed one.
                indices.append(contentsOf: try self.indices(in: source, piece, needed: needed - indices.count, budget))
            }
            if indices.count >= needed { break }
        }
        return indices.count > needed ? Array(indices.prefix(needed)) : indices
    }

    private func indices(
        in source: RowSource,
        _ range: Range<Int>,
        needed: Int,
        _ budget: WorkBudget?
    ) throws(QueryError) -> [Int] {
        var indices: [Int] = []
        try scan(source, range: range, needed: needed, budget: budget) { (first, _, found) throws(QueryError) in
            found.append(to: &indices, from: first)
            return needed - min(indices.count, needed)
        }
        return indices
    }

    /// The number of rows for which the condition holds, using all cores.
    func matchCount(inPieces source: RowSource, each: Int = Cores.piece) throws(QueryError) -> Int {
        if let constant { return constant ? source.count : 0 }
        let pieces = Cores.pieces(of: source.count, each: each)
        let shared = SharedRows(source: source)
        let budget = WorkBudget(limits)
        let counts = Cores.map(pieces.count) { piece -> Result<Int, QueryError> in
            do throws(QueryError) {
                var count = 0
                try self.scan(shared.source, range: pieces[piece], budget: budget) { (_, _, found) throws(QueryError) in
                    count += found.population
                    return .max
                }
                return .success(count)
            } catch {
                return .failure(error)
            }
        }
        var total = 0
        for count in counts { total += try count.get() }
        return total
    }

    /// The sorted positions of the results, using all cores if there are several pieces.
    func sortedIndices(
        in source: RowSource,
        _ order: LaneOrder,
        skip: Int,
        limit: Int?,
        each: Int
    ) throws(QueryError) -> [Int] {
        let sum = limit.map { skip.addingReportingOverflow($0) }
        let capacity = sum.map { $0.overflow ? .max : $0.partialValue } ?? .max
        let pieces = Cores.pieces(of: source.count, each: max(64, each))
        let shared = SharedRows(source: source)
        let budget = WorkBudget(limits)
        let sorters = Cores.map(pieces.count) { piece -> SortedPiece in
            do throws(QueryError) {
                var sorter = LaneSorter(self, order, shared.source, capacity: capacity)
                try self.scan(shared.source, range: pieces[piece], budget: budget) {
                    (first, batch, found) throws(QueryError) in
                    try sorter.add(first, count: batch.count, found)
                    return .max
                }
                sorter.sortByPrefix()
                return SortedPiece(result: .success(sorter))
            } catch {
                return SortedPiece(result: .failure(error))
            }
        }
        var merged = LaneSorter(self, order, source, capacity: capacity)
        for piece in sorters { merged.merge(try piece.result.get()) }
        return try merged.finish(skip: skip)
    }

    /// A sorter that one thread has filled and another reads.
    private struct SortedPiece: @unchecked Sendable {
        let result: Result<LaneSorter, QueryError>
    }
}
