import QueryChecking
import QueryMeaning
import QueryValues

/// Rows in memory that a plan runs over: an array of structs or of references, or the columns of a table.
package struct RowSource {
    /// How a field's cells are stored: with one base for adjacent rows, otherwise one for each column.
    package enum Layout {
        case rows(base: UnsafeRawPointer, stride: Int)
        case columns([Lane])
    }

    package let layout: Layout
    package let count: Int

    package init(_ layout: Layout, count: Int) {
        self.layout = layout
        self.count = count
    }

    /// The lane of a source, starting at a row; accessors are filled by ``BatchReader``.
    @inline(__always)
    package func lane(_ source: LaneSource, from row: Int) -> Lane {
        switch layout {
        case .rows(let base, let stride):
            return Lane(base: base + row &* stride + source.offset, stride: stride)
        case .columns(let columns):
            var lane = columns[source.column]
            lane.base += row &* lane.stride + source.offset
            lane.validity = lane.validity.map { $0 + row >> 6 }
            return lane
        }
    }

    /// The number of rows per batch: fewer if rows are wide, so that a batch's rows stay in the cache for the next
    /// kernel.
    package var rowsPerBatch: Int {
        guard case .rows(_, let stride) = layout else { return Batch.most }
        return max(128, min(Batch.most, (128 << 10) / max(1, stride) & ~63))
    }
}

/// The lanes of a source's batches: those of stored fields are addresses, those of accessors are filled.
package final class BatchReader {
    private let source: RowSource
    private let plan: [LaneSource]
    private let lanes: UnsafeMutablePointer<Lane>
    private var buffers: [(lane: Int, accessor: FieldAccessor, memory: UnsafeMutableRawPointer)] = []
    private var filled = 0

    package init(_ source: RowSource, _ plan: [LaneSource]) {
        self.source = source
        self.plan = plan
        lanes = .allocate(capacity: max(1, plan.count))
        for (number, lane) in plan.enumerated() {
            (lanes + number).initialize(to: source.lane(lane, from: 0))
            if let accessor = lane.accessor {
                let memory = UnsafeMutableRawPointer.allocate(
                    byteCount: max(1, accessor.stride * Batch.most),
                    alignment: max(1, accessor.alignment)
                )
                buffers.append((number, accessor, memory))
            }
        }
    }

    deinit {
        clear()
        for buffer in buffers { buffer.memory.deallocate() }
        lanes.deinitialize(count: plan.count)
        lanes.deallocate()
    }

    /// The batch of rows that starts at a row.
    package func batch(from row: Int, count: Int) -> Batch {
        for (number, lane) in plan.enumerated() { lanes[number] = source.lane(lane, from: row) }
        if !buffers.isEmpty { fill(row, count) }
        return Batch(count: count, lanes: lanes)
    }

    private func fill(_ row: Int, _ count: Int) {
        clear()
        guard case .rows(let base, let stride) = source.layout else { return }
        for buffer in buffers {
            buffer.accessor.fill(base + row &* stride, count, buffer.memory)
            lanes[buffer.lane] = Lane(
                base: UnsafeRawPointer(buffer.memory) + plan[buffer.lane].offset,
                stride: buffer.accessor.stride
            )
        }
        filled = count
    }

    private func clear() {
        for buffer in buffers { buffer.accessor.clear(buffer.memory, filled) }
        filled = 0
    }
}

extension RowPlan {
    /// Runs over rows in order, batch by batch.
    ///
    /// - Parameters:
    ///   - source: the rows; valid and unchanged during the call.
    ///   - range: the rows to test; all by default. Its start is a multiple of 64.
    ///   - needed: how many rows the caller can use.
    ///   - budget: the budget of the run.
    ///   - take: called with each batch's first row and its matching rows; returns how many more it can use.
    /// - Throws: the error of the first row that it leaves undecided (S27).
    package func scan(
        _ source: RowSource,
        range: Range<Int>? = nil,
        needed: Int = .max,
        budget: WorkBudget?,
        _ take: (_ first: Int, _ batch: Batch, _ found: borrowing SelectionVector) throws(QueryError) -> Int
    ) throws(QueryError) {
        let range = range ?? 0..<source.count
        // Without rows there may be no address to make lanes from.
        if constant == false || range.isEmpty { return }
        let reader = BatchReader(source, sources)
        var scan = RowScan(self, budget)
        var needed = needed
        let most = source.rowsPerBatch
        var row = range.lowerBound
        while row < range.upperBound, needed > 0 {
            let count = min(most, range.upperBound - row)
            let batch = reader.batch(from: row, count: count)
            try scan.look(at: batch, first: row, needed: needed)
            needed = try take(row, batch, scan.found)
            row += count
        }
    }
}
