import QueryMeaning
import QueryTree
import QueryValues

/// A sort order, prepared for the lanes of a plan.
struct LaneOrder: Sendable {
    let keys: SortKeys
    let first: SortKey
    /// Inverts the prefixes for a descending order.
    let flip: UInt64
    /// The first key's lane, in batches of its own; nil if it must be read from documents.
    let lane: KeyLane?
    let sources: [LaneSource]
    /// The lanes of all keys, in batches of their own, for rows with equal prefixes; nil if documents must be read.
    let tieLanes: [KeyLane]?
    let tieSources: [LaneSource]
    /// True if rows with equal prefixes are equal in the order.
    let isExact: Bool
    let limits: Limits

    init?(_ query: Query, _ fields: [FieldEntry], limits: Limits) throws(QueryError) {
        guard let first = query.order.first else { return nil }
        keys = try SortKeys(query)
        self.first = first
        flip = first.isAscending ? 0 : .max
        self.limits = limits
        let types = TypeScope(query.schema)
        var lanes = LaneSet(fields)
        lane = lanes.keyLane(of: first.path, types)
        sources = lanes.sources
        var all = LaneSet(fields)
        let keyLanes = query.order.compactMap { all.keyLane(of: $0.path, types) }
        tieLanes = keyLanes.count == query.order.count ? keyLanes : nil
        tieSources = all.sources
        let isOne = query.order.count == 1
        isExact =
            switch lane?.reading {
            case .double, .maybeDouble: isOne
            default: false
            }
    }

    /// Calls a closure with every found row and its prefix in the direction of the order.
    ///
    /// All rows of the lane use the same scheme of prefixes.
    @inline(__always)
    func forEachPrefix(
        _ found: borrowing SelectionVector,
        _ lane: Lane,
        _ key: KeyLane,
        _ body: (_ row: Int, _ prefix: UInt64) -> Void
    ) {
        switch key.reading {
        case .int64, .maybeInt64:
            let isOptional = key.reading == .maybeInt64
            found.forEach { row in
                let int = KeyLane.int(row, lane, isOptional: isOptional)
                body(row, (int.map { max(1, SortPrefix.of($0)) } ?? 0) ^ flip)
            }
        case .double where lane.validity == nil:
            found.forEach { row in body(row, max(1, SortPrefix.of(Plain<Double>.read(lane.cell(row)).value)) ^ flip) }
        case .double, .maybeDouble:
            // Nil is 0, NaN 1, and the prefixes of numbers are far above 1.
            let isOptional = key.reading == .maybeDouble
            found.forEach { row in
                let double = KeyLane.double(row, lane, isOptional: isOptional)
                body(row, (double.map { max(1, SortPrefix.of($0)) } ?? 0) ^ flip)
            }
        case .text, .value:
            let options = first.options.folding
            found.forEach { row in
                body(row, SortPrefix.of(key.value(row, lane).foldedTexts(options)) ^ flip)
            }
        }
    }
}

/// Sorts the rows that a plan finds by reading their first keys in place; with a limit it keeps at most a multiple of
/// skip + limit rows.
struct LaneSorter {
    struct Item {
        var prefix: UInt64
        var row: Int
    }

    private let plan: RowPlan
    private let order: LaneOrder
    private let source: RowSource
    private let reader: BatchReader
    private let capacity: Int
    private var items: [Item] = []
    /// Rows with a greater prefix come after all wanted rows.
    private var threshold: UInt64 = .max

    init(_ plan: RowPlan, _ order: LaneOrder, _ source: RowSource, capacity: Int) {
        self.plan = plan
        self.order = order
        self.source = source
        self.capacity = capacity
        reader = BatchReader(source, order.sources)
    }

    /// The found rows whose keys may come before the threshold, by comparing the cells themselves.
    ///
    /// It may keep others too; nil if the cells cannot be compared.
    @inline(__always)
    private func early(_ found: borrowing SelectionVector, _ lane: Lane, _ key: KeyLane) -> SelectionVector? {
        let prefix = threshold ^ order.flip
        // Several values share the prefixes of nil, NaN and the least int.
        guard threshold != .max, prefix > 1, lane.validity == nil else { return nil }
        let isAscending = order.first.isAscending
        switch key.reading {
        case .double:
            let bound = SortPrefix.double(prefix)
            return isAscending
                ? found.dropping(lane) { (number: Double) in number > bound }
                : found.dropping(lane) { (number: Double) in number < bound }
        case .int64:
            let bound = SortPrefix.int64(prefix)
            return isAscending
                ? found.dropping(lane) { (number: Int64) in number > bound }
                : found.dropping(lane) { (number: Int64) in number < bound }
        case .maybeDouble, .maybeInt64, .text, .value: return nil
        }
    }

    /// Adds the found rows of a batch.
    mutating func add(_ first: Int, count: Int, _ found: borrowing SelectionVector) throws(QueryError) {
        if let key = order.lane {
            let lane = reader.batch(from: first, count: count).lanes[key.lane]
            // If the prefix is the whole order, a later row that ties with the last wanted one is not wanted.
            let last = order.isExact && threshold != .max ? threshold &- 1 : threshold
            if threshold == 0 && order.isExact { return }
            if let early = early(found, lane, key) {
                order.forEachPrefix(early, lane, key) { row, prefix in
                    if prefix <= last { items.append(Item(prefix: prefix, row: first + row)) }
                }
            } else {
                order.forEachPrefix(found, lane, key) { row, prefix in
                    if prefix <= last { items.append(Item(prefix: prefix, row: first + row)) }
                }
            }
        } else {
            found.forEach { items.append(Item(prefix: 0, row: first + $0)) }
        }
        if capacity < .max / 2, items.count >= capacity * 2 + 128 { try shrink() }
        if items.count > order.limits.sortedRows { throw .tooMuchToSort(order.limits.sortedRows) }
    }

    private mutating func shrink() throws(QueryError) {
        sortByPrefix()
        if items.count < capacity { return }
        var end = capacity
        let last = items[capacity - 1].prefix
        if !order.isExact {
            while end < items.count, items[end].prefix == last { end += 1 }
            // Ties of the last row are kept while they are few, because ordering them means reading their other keys.
            if end - capacity > capacity / 2 + 64 {
                let start = items[..<capacity].firstIndex { $0.prefix == last } ?? 0
                var ties = TieSorter(plan, order, source)
                try ties.sort(&items[start..<end])
                end = capacity
            }
        }
        items.removeLast(items.count - end)
        threshold = last
    }

    /// Adds the rows of a sorter of later rows.
    mutating func merge(_ later: LaneSorter) {
        items.append(contentsOf: later.items)
    }

    /// Sorts the rows so far by their prefixes.
    mutating func sortByPrefix() {
        items.sort { $0.prefix < $1.prefix || ($0.prefix == $1.prefix && $0.row < $1.row) }
    }

    /// The wanted rows, in order.
    mutating func finish(skip: Int) throws(QueryError) -> [Int] {
        sortByPrefix()
        var ties = TieSorter(plan, order, source)
        var start = order.isExact ? capacity : 0
        // Ties among unwanted rows are not resolved.
        while start < min(items.count, capacity) {
            var end = start + 1
            while end < items.count, items[end].prefix == items[start].prefix { end += 1 }
            if end - start > 1 { try ties.sort(&items[start..<end]) }
            start = end
        }
        return items.prefix(capacity).dropFirst(skip).map(\.row)
    }
}

/// Sorts rows with equal prefixes by all their keys.
private struct TieSorter {
    private let plan: RowPlan
    private let order: LaneOrder
    private let reader: BatchReader
    private var frames: [RowFrame]

    init(_ plan: RowPlan, _ order: LaneOrder, _ source: RowSource) {
        self.plan = plan
        self.order = order
        reader = BatchReader(source, order.tieLanes == nil ? plan.sources : order.tieSources)
        frames = order.keys.makeFrames()
    }

    private mutating func appendKeys(of row: Int, to flat: inout [QueryValue]) throws(QueryError) {
        // The validity bits of a column are read from the start of a word.
        let first = row & ~63
        let batch = reader.batch(from: first, count: row - first + 1)
        if let lanes = order.tieLanes {
            for (index, key) in lanes.enumerated() {
                flat.append(order.keys.folded(key.value(row - first, batch.lanes[key.lane]), key: index))
            }
        } else {
            var values: [QueryValue] = []
            try order.keys.read(plan.sortReader.document(row - first, batch), into: &values, &frames)
            flat.append(contentsOf: values)
        }
    }

    mutating func sort(_ items: inout ArraySlice<LaneSorter.Item>) throws(QueryError) {
        let rows = items.map(\.row)
        let (keys, columns) = (order.keys, order.keys.count)
        var flat: [QueryValue] = []
        flat.reserveCapacity(rows.count * columns)
        for row in rows { try appendKeys(of: row, to: &flat) }
        let sorted = flat.withUnsafeBufferPointer { values in
            rows.indices.sorted { left, right in
                switch keys.order(values, left * columns, right * columns) {
                case .ascending: true
                case .descending: false
                case .same: left < right
                }
            }
        }
        for (position, index) in zip(items.indices, sorted) { items[position].row = rows[index] }
    }
}

extension SelectionVector {
    /// The rows in the set without those whose number a closure drops.
    @inline(__always)
    fileprivate borrowing func dropping<Number: Comparable & BitwiseCopyable & Sendable>(
        _ lane: Lane,
        _ isDropped: (Number) -> Bool
    ) -> SelectionVector {
        var kept = SelectionVector(count: count)
        var cell = lane.cell(0)
        for (index, word) in words.enumerated() {
            let end = cell + min(64, count - index << 6) &* lane.stride
            var left: UInt64 = 0
            var bit: UInt64 = 1
            // Rows that were not found are read too; few numbers are kept, so the branch is cheaper than a mask.
            while cell < end {
                if !isDropped(Plain<Number>.read(cell).value) { left |= bit }
                cell += lane.stride
                bit &<<= 1
            }
            kept.setWord(index, word & left)
        }
        return kept
    }
}
