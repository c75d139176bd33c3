import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

/// A stable sort of rows by a query's keys (S22); with a limit it keeps only the first skip + limit rows, in a heap.
package struct RowSorter<Kept> {
    private struct Entry {
        /// Decides most comparisons on its own.
        var prefix: UInt64
        var keys: [QueryValue]
        /// The row's number: among equal keys the earlier row comes first, which makes the sort stable.
        var number: Int
        var kept: Kept
    }

    private let keys: SortKeys
    private var frames: [RowFrame]
    private let skip: Int
    /// The maximum number of rows that matter; nil for all.
    private let capacity: Int?
    /// With a capacity and once full, a heap whose first entry is the last kept row.
    private var entries: [Entry] = []
    private var number = 0
    /// The keys of the current row; once the heap is full, most rows need no memory of their own.
    private var candidate: [QueryValue] = []
    /// The maximum number of rows to keep.
    private let budget: Int
    /// True if one more row is kept, to see what the limit cuts off.
    private let watchesCut: Bool
    /// True if rows on both sides of the skip or the limit have equal keys; known after ``finish()``.
    private(set) var cutsTies = false

    /// Sorts by a query's order; ties are broken by the key that identifies rows if skip or limit cuts the order (S22).
    package init(
        _ query: Query,
        now: Int64? = nil,
        limits: Limits = .default,
        watchesCut: Bool = false,
        budget: WorkBudget? = nil
    ) throws(QueryError) {
        let tied = query.sortingByComputed.breakingTies
        try self.init(
            SortKeys(tied, now: now, limits: limits),
            skip: query.skip,
            limit: query.limit,
            limits: limits,
            watchesCut: watchesCut,
            budget: budget
        )
    }

    init(
        _ keys: SortKeys,
        skip: Int?,
        limit: Int?,
        limits: Limits = .default,
        watchesCut: Bool = false,
        budget work: WorkBudget? = nil
    ) throws(QueryError) {
        self.keys = keys
        budget = limits.sortedRows
        frames = keys.makeFrames(work)
        self.skip = skip ?? 0
        self.watchesCut = watchesCut && limit != 0
        let more = self.watchesCut ? 1 : 0
        if let limit, limit < .max - more {
            let sum = self.skip.addingReportingOverflow(limit + more)
            capacity = sum.overflow ? nil : sum.partialValue
        } else {
            capacity = nil
        }
    }

    /// Adds a row; the value to keep is computed only if the row is kept.
    package mutating func add(
        _ row: Document,
        _ kept: @autoclosure () throws(QueryError) -> Kept
    ) throws(QueryError) {
        defer { number += 1 }
        if capacity == 0 { return }
        try keys.charge(&frames)
        let prefix = try keys.beginReading(row, into: &candidate, &frames)
        guard let capacity, entries.count >= capacity else {
            try keys.read(row, into: &candidate, &frames)
            if entries.count >= budget { throw .tooMuchToSort(budget) }
            entries.append(Entry(prefix: prefix, keys: candidate, number: number, kept: try kept()))
            if entries.count == capacity { makeHeap() }
            return
        }
        // A later row with equal keys comes after, so only a smaller one replaces the last.
        if prefix > entries[0].prefix { return }
        try keys.read(row, into: &candidate, &frames)
        guard prefix < entries[0].prefix || keys.order(candidate, entries[0].keys) == .ascending else { return }
        entries[0] = Entry(prefix: prefix, keys: candidate, number: number, kept: try kept())
        siftDown(from: 0)
    }

    package mutating func finish() -> [Kept] {
        let columns = keys.count
        let flat = entries.flatMap(\.keys)
        let keys = keys
        let entries = entries
        self.entries = []
        // The sort moves prefixes and numbers, not rows, and compares keys in place.
        let sorted = flat.withUnsafeBufferPointer { values in
            entries.indices.map { (prefix: entries[$0].prefix, entry: $0) }.sorted { left, right in
                if left.prefix != right.prefix { return left.prefix < right.prefix }
                return switch keys.order(values, left.entry * columns, right.entry * columns) {
                case .ascending: true
                case .descending: false
                case .same: entries[left.entry].number < entries[right.entry].number
                }
            }
        }
        func isTie(_ place: Int) -> Bool {
            guard place > 0, place < sorted.count else { return false }
            let (left, right) = (sorted[place - 1].entry, sorted[place].entry)
            return flat.withUnsafeBufferPointer { keys.order($0, left * columns, right * columns) == .same }
        }
        guard watchesCut else { return sorted.dropFirst(skip).map { entries[$0.entry].kept } }
        let end = capacity.map { min($0 - 1, sorted.count) } ?? sorted.count
        cutsTies = isTie(skip) || isTie(end)
        return sorted[..<end].dropFirst(skip).map { entries[$0.entry].kept }
    }

    private func precedes(_ left: Entry, _ right: Entry) -> Bool {
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        return switch keys.order(left.keys, right.keys) {
        case .ascending: true
        case .descending: false
        case .same: left.number < right.number
        }
    }

    private mutating func makeHeap() {
        for index in stride(from: entries.count / 2, through: 0, by: -1) { siftDown(from: index) }
    }

    private mutating func siftDown(from start: Int) {
        var parent = start
        while true {
            var last = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if precedes(entries[last], entries[child]) { last = child }
            }
            if last == parent { return }
            entries.swapAt(parent, last)
            parent = last
        }
    }
}

/// The keys of an order, prepared for many rows.
struct SortKeys: Sendable {
    private let programs: [TermProgram]
    private let order: [SortKey]
    /// The steps of computed keys, besides those for elements and texts; 0 for fields.
    private let steps: [Int]
    /// True for computed keys too high for an ordinary thread's stack.
    private let needsRoom: [Bool]
    private let now: Int64

    /// The keys of a query that says which are computed.
    ///
    /// - Parameters:
    ///   - query: the order, and what the names and nil in it mean.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: the bounds on regular expressions.
    /// - Throws: `QueryError` for a mistake in the order.
    init(_ query: Query, now: Int64? = nil, limits: Limits = .default) throws(QueryError) {
        var evaluator = RowEvaluator(schema: query.schema, nilMeaning: query.nilMeaning, limits: limits)
        evaluator.decodesNativeDates = true
        let tests = query.order.map(\.computedTest)
        var programs: [TermProgram] = []
        for (key, test) in zip(query.order, tests) {
            guard let test else {
                programs.append(try evaluator.compile(key.term))
                continue
            }
            try test.checkSupportedEverywhere()
            programs.append(try StackRoom.run(for: test) { () throws(QueryError) in try evaluator.compile(key.term) })
        }
        self.programs = programs
        order = query.order
        steps = tests.map { $0?.stepsOfRow ?? 0 }
        needsRoom = tests.map { $0.map(StackRoom.isNeeded) ?? false }
        self.now = tests.contains { $0 != nil } ? now ?? Query.presentInstant : 0
    }

    func makeFrames(_ budget: WorkBudget? = nil) -> [RowFrame] {
        programs.map { $0.makeFrame(now: now, budget: budget) }
    }

    /// Counts a row's reading and its share of the comparisons, before they are made.
    func charge(_ frames: inout [RowFrame]) throws(QueryError) {
        for index in frames.indices where frames[index].budget != nil {
            frames[index].charge(RowFrame.stepsOfSortKey + steps[index])
            if frames[index].isSpent { throw frames[index].tooMuchWork }
        }
    }

    /// A row's first key, and its prefix in the direction of the order.
    func beginReading(
        _ row: Document,
        into values: inout [QueryValue],
        _ frames: inout [RowFrame]
    ) throws(QueryError) -> UInt64 {
        values.removeAll(keepingCapacity: true)
        if order.isEmpty { return 0 }
        try readKey(0, of: row, into: &values, &frames)
        return prefix(of: values[0])
    }

    /// The remaining keys of a row: absent counts as null, and texts are folded once here rather than at every
    /// comparison.
    func read(_ row: Document, into values: inout [QueryValue], _ frames: inout [RowFrame]) throws(QueryError) {
        for index in values.count..<programs.count { try readKey(index, of: row, into: &values, &frames) }
    }

    private func readKey(
        _ index: Int,
        of row: Document,
        into values: inout [QueryValue],
        _ frames: inout [RowFrame]
    ) throws(QueryError) {
        let value = try value(index, row, &frames[index]) ?? .null
        if frames[index].budget != nil { try frames[index].chargeFolding(value, order[index].options) }
        values.append(folded(value, key: index))
    }

    private func value(_ index: Int, _ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        guard needsRoom[index] else { return try programs[index].value(row, &frame) }
        return try StackRoom.onLargeStack { () throws(QueryError) in try programs[index].value(row, &frame) }
    }

    /// A value of a key as it is compared.
    func folded(_ value: QueryValue, key index: Int) -> QueryValue {
        value.foldedTexts(order[index].options.folding)
    }

    private func prefix(of first: QueryValue) -> UInt64 {
        let prefix = SortPrefix.of(first)
        return order[0].isAscending ? prefix : ~prefix
    }

    var count: Int { order.count }

    func order(_ left: [QueryValue], _ right: [QueryValue]) -> QueryOrder {
        for index in order.indices {
            let result = left[index].sortOrder(relativeTo: right[index])
            if result != .same { return order[index].isAscending ? result : result.reversed }
        }
        return .same
    }

    /// The order of two rows whose keys start at two positions of one buffer.
    func order(_ values: UnsafeBufferPointer<QueryValue>, _ left: Int, _ right: Int) -> QueryOrder {
        for index in order.indices {
            let result = values[left + index].sortOrder(relativeTo: values[right + index])
            if result != .same { return order[index].isAscending ? result : result.reversed }
        }
        return .same
    }
}

extension Query {
    /// The numbers of some rows in the order of this query, after skip and limit.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the rows; among equal keys they keep their order.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: how many rows may be sorted, and the bounds of the work.
    ///   - document: gives a row by its number, by stored names.
    /// - Returns: the numbers of the results.
    /// - Throws: of code `limit` when the order keeps too many rows, and what a sort key or `document` throws.
    package func sorted(
        _ numbers: [Int],
        now: Int64? = nil,
        limits: Limits,
        document: (Int) throws(QueryError) -> Document
    ) throws(QueryError) -> [Int] {
        var sorter = try RowSorter<Int>(self, now: now, limits: limits, budget: WorkBudget(limits))
        for number in numbers { try sorter.add(try document(number), number) }
        return sorter.finish()
    }

    /// True if two rows have equal keys in the order of this query.
    ///
    /// - Parameters:
    ///   - left: a row, by stored names.
    ///   - right: another.
    /// - Returns: whether the rows differ only in their position.
    /// - Throws: `QueryError` for a mistake in the order.
    package func ties(_ left: Document, _ right: Document) throws(QueryError) -> Bool {
        let keys = try SortKeys(sortingByComputed.breakingTies)
        var frames = keys.makeFrames()
        var (first, second): ([QueryValue], [QueryValue]) = ([], [])
        try keys.read(left, into: &first, &frames)
        try keys.read(right, into: &second, &frames)
        return keys.order(first, second) == .same
    }
}

extension QueryError {
    static func tooMuchToSort(_ budget: Int) -> QueryError {
        QueryError(
            .limit,
            "sorting needs more than \(budget) rows at once",
            hint: "set a limit, narrow the condition, or raise Limits.sortedRows"
        )
    }
}

extension QueryValue {
    /// The value with its texts folded, including those in lists and objects; its depth is bounded by the reader.
    func foldedTexts(_ folding: StringOptions) -> QueryValue {
        if folding.isEmpty { return self }
        switch self {
        case .string(let text): return .string(Folding.folded(text, folding))
        case .list(let elements): return .list(elements.map { $0.foldedTexts(folding) })
        case .object(let object):
            return .object(Document(shape: object.shape, values: object.values.map { $0.foldedTexts(folding) }))
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: return self
        }
    }
}
