import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

/// Tests one row after the other with a plan, reusing memory between rows.
///
/// The kernels run over a batch of one, so the answer equals that of ``QueryPlan/results(in:concurrently:)``.
package final class RowProbe<Row: Queryable> {
    private let plan: RowPlan
    private var scan: RowScan
    /// A lane for each source of the plan; its base address is set for every row.
    private let lanes: UnsafeMutablePointer<Lane>
    /// Room for one value of each accessor, by the number of its lane.
    private let buffers: [(lane: Int, accessor: FieldAccessor, memory: UnsafeMutableRawPointer)]

    package init(_ plan: QueryPlan<Row>, _ budget: WorkBudget?) {
        let core = plan.core
        self.plan = core
        scan = RowScan(core, budget)
        lanes = .allocate(capacity: max(1, core.sources.count))
        var buffers: [(lane: Int, accessor: FieldAccessor, memory: UnsafeMutableRawPointer)] = []
        for (number, source) in core.sources.enumerated() {
            guard let accessor = source.accessor else { continue }
            let memory = UnsafeMutableRawPointer.allocate(
                byteCount: max(1, accessor.stride),
                alignment: max(1, accessor.alignment)
            )
            buffers.append((number, accessor, memory))
        }
        self.buffers = buffers
    }

    deinit {
        for buffer in buffers { buffer.memory.deallocate() }
        lanes.deallocate()
    }

    /// True when the condition holds for the row.
    ///
    /// - Parameters:
    ///   - row: the row.
    ///   - index: its number, which errors name.
    /// - Returns: whether it holds.
    /// - Throws: the row's error if it decides the result (S27).
    package func holds(_ row: Row, _ index: Int) throws(QueryError) -> Bool {
        if let constant = plan.constant { return constant }
        // The row does not move during the call, and its fields are at the offsets that key paths gave.
        let outcome = withUnsafeBytes(of: row) { bytes -> Result<Bool, QueryError> in
            // A row without stored properties has no bytes, and nothing is read from it.
            let base = bytes.baseAddress ?? UnsafeRawPointer(lanes)
            do throws(QueryError) { return .success(try look(at: base, index)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    private func look(at base: UnsafeRawPointer, _ index: Int) throws(QueryError) -> Bool {
        for (number, source) in plan.sources.enumerated() where source.accessor == nil {
            (lanes + number).initialize(to: Lane(base: base + source.offset, stride: MemoryLayout<Row>.stride))
        }
        for buffer in buffers {
            buffer.accessor.fill(base, 1, buffer.memory)
            let cell = UnsafeRawPointer(buffer.memory) + plan.sources[buffer.lane].offset
            (lanes + buffer.lane).initialize(to: Lane(base: cell, stride: buffer.accessor.stride))
        }
        defer { for buffer in buffers { buffer.accessor.clear(buffer.memory, 1) } }
        try scan.look(at: Batch(count: 1, lanes: lanes), first: index)
        return scan.found.words.first == 1
    }
}
