import QueryMeaning
import QueryTree
import QueryValues

/// Groups built from lanes in one hash pass: a single key of up to 15 bytes of text, or a number, is looked up by its
/// 16 bytes.
struct LaneGroupTable: Sendable {
    private struct Slot {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var number: Int32 = -1
    }

    private let grouping: LaneGrouping
    private var slots: [Slot] = Array(repeating: Slot(), count: 64)
    private var used = 0
    /// Groups whose keys do not fit in 16 bytes.
    private var others: [[EqualityKey]: Int] = [:]
    private(set) var keys: [QueryValue] = []
    private(set) var groupCount = 0
    /// For each computed value, one state per group.
    private var counts: [Int64] = []
    private var sums: [[NumberSum]]
    private var extremes: [[QueryValue]]
    private let seed = UInt64.random(in: 0...UInt64.max) | 1

    init(_ grouping: LaneGrouping) {
        self.grouping = grouping
        sums = Array(repeating: [], count: grouping.parts.count)
        extremes = sums.map { _ in [] }
        if grouping.keys.isEmpty { addGroup([]) }
    }

    /// Adds the rows of a range that satisfy the condition.
    mutating func add(_ source: RowSource, _ range: Range<Int>, _ budget: WorkBudget?) throws(QueryError) {
        // Without rows there may be no address to make lanes from.
        if range.isEmpty { return }
        let reader = BatchReader(source, grouping.sources)
        var rows: [Int] = []
        var numbers: [Int] = []
        try grouping.plan.scan(source, range: range, budget: budget) { (first, batch, found) throws(QueryError) in
            rows.removeAll(keepingCapacity: true)
            numbers.removeAll(keepingCapacity: true)
            found.append(to: &rows, from: 0)
            let own = reader.batch(from: first, count: batch.count)
            try find(rows, own, &numbers)
            for number in numbers { counts[number] &+= 1 }
            for part in grouping.parts.indices { add(part, rows, numbers, own, first) }
            return .max
        }
    }

    private mutating func find(_ rows: [Int], _ batch: Batch, _ numbers: inout [Int]) throws(QueryError) {
        if grouping.keys.isEmpty {
            numbers.append(contentsOf: repeatElement(0, count: rows.count))
            return
        }
        if grouping.keys.count == 1, let key = grouping.keys.first {
            numbers.reserveCapacity(rows.count)
            let lane = batch.lanes[key.lane]
            for row in rows {
                if let (first, second) = Self.packed(row, lane, key) {
                    if let known = number(first, second) {
                        numbers.append(known)
                    } else {
                        let number = try begin([key.value(row, lane)])
                        insert(first, second, number)
                        numbers.append(number)
                    }
                } else {
                    numbers.append(try number(of: [key.value(row, lane)]))
                }
            }
            return
        }
        for row in rows {
            numbers.append(try number(of: grouping.keys.map { $0.value(row, batch.lanes[$0.lane]) }))
        }
    }

    /// A key in 16 bytes, so that equal keys of one lane have equal bytes; nil if it does not fit.
    @inline(__always)
    private static func packed(_ row: Int, _ lane: Lane, _ key: KeyLane) -> (UInt64, UInt64)? {
        switch key.reading {
        case .int64, .maybeInt64:
            guard let int = KeyLane.int(row, lane, isOptional: key.reading == .maybeInt64) else { return (0, .max) }
            return (UInt64(bitPattern: int), 0)
        case .double, .maybeDouble:
            guard let double = KeyLane.double(row, lane, isOptional: key.reading == .maybeDouble) else {
                return (0, .max)
            }
            return double.isNaN ? (0, 1) : ((double + 0).bitPattern, 0)
        case .text:
            guard lane.isValid(row) else { return (0, .max) }
            // The layout is verified; short text is stored in its cell, zero-padded, with its length in the last byte.
            let cell = lane.cell(row)
            let second = cell.load(fromByteOffset: 8, as: UInt64.self)
            guard second & TextLayout.short != 0 else { return nil }
            return (cell.load(as: UInt64.self), second & (1 << 60 &- 1))
        case .value: return nil
        }
    }

    @inline(__always)
    private func place(_ first: UInt64, _ second: UInt64) -> Int {
        var hash = (first ^ seed) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 32
        hash = (hash ^ second) &* seed
        return Int(truncatingIfNeeded: (hash ^ hash >> 29) & UInt64(slots.count &- 1))
    }

    @inline(__always)
    private func number(_ first: UInt64, _ second: UInt64) -> Int? {
        var place = place(first, second)
        while true {
            let slot = slots[place]
            if slot.number < 0 { return nil }
            if slot.first == first && slot.second == second { return Int(slot.number) }
            place = (place &+ 1) & (slots.count &- 1)
        }
    }

    private mutating func insert(_ first: UInt64, _ second: UInt64, _ number: Int) {
        used += 1
        if used * 2 > slots.count {
            let old = slots
            slots = Array(repeating: Slot(), count: old.count * 2)
            for slot in old where slot.number >= 0 { put(slot) }
        }
        put(Slot(first: first, second: second, number: Int32(truncatingIfNeeded: number)))
    }

    private mutating func put(_ slot: Slot) {
        var place = place(slot.first, slot.second)
        while slots[place].number >= 0 { place = (place &+ 1) & (slots.count &- 1) }
        slots[place] = slot
    }

    /// The number of a group by its values.
    ///
    /// Short text in a cell laid out like long text finds the group of the short text here.
    private mutating func number(of values: [QueryValue]) throws(QueryError) -> Int {
        if values.count == 1, case .string(let text) = values[0], text.utf8.count <= 15,
            grouping.keys[0].reading == .text
        {
            let (first, second) = Self.packed(text)
            if let known = number(first, second) { return known }
            let number = try begin(values)
            insert(first, second, number)
            return number
        }
        if values.count == 1, values[0].isNull, grouping.keys[0].reading == .text {
            if let known = number(0, .max) { return known }
            let number = try begin(values)
            insert(0, .max, number)
            return number
        }
        let key = values.map(EqualityKey.init)
        if let known = others[key] { return known }
        let number = try begin(values)
        others[key] = number
        return number
    }

    private static func packed(_ text: String) -> (UInt64, UInt64) {
        var (first, second) = (UInt64(0), UInt64(text.utf8.count) << 56)
        for (index, byte) in text.utf8.enumerated() {
            if index < 8 {
                first |= UInt64(byte) << UInt64(index * 8)
            } else {
                second |= UInt64(byte) << UInt64(index * 8 - 64)
            }
        }
        return (first, second)
    }

    private mutating func begin(_ values: [QueryValue]) throws(QueryError) -> Int {
        // Group numbers are 32 bits wide in the slots.
        let most = min(grouping.limits.groups, Int(Int32.max))
        if groupCount >= most { throw .tooManyGroups(most) }
        addGroup(values)
        return groupCount - 1
    }

    private mutating func addGroup(_ values: [QueryValue]) {
        groupCount += 1
        keys.append(contentsOf: values)
        counts.append(0)
        for part in grouping.parts.indices {
            switch grouping.parts[part] {
            case .count: break
            case .sum: sums[part].append(NumberSum())
            case .extreme: extremes[part].append(.null)
            }
        }
    }

    private mutating func add(_ part: Int, _ rows: [Int], _ numbers: [Int], _ batch: Batch, _ first: Int) {
        switch grouping.parts[part] {
        case .count: return
        case .extreme(let key, let wanted):
            let lane = batch.lanes[key.lane]
            for (row, number) in zip(rows, numbers) {
                let value = key.value(row, lane)
                if extremes[part][number].isReplaced(by: value, wanted) { extremes[part][number] = value }
            }
        case .sum(let key):
            let lane = batch.lanes[key.lane]
            var column: [NumberSum] = []
            swap(&column, &sums[part])
            switch key.reading {
            case .int64, .maybeInt64:
                let isOptional = key.reading == .maybeInt64
                for (row, number) in zip(rows, numbers) {
                    if let int = KeyLane.int(row, lane, isOptional: isOptional) { column[number].add(int) }
                }
            case .double, .maybeDouble:
                let isOptional = key.reading == .maybeDouble
                for (row, number) in zip(rows, numbers) {
                    if let double = KeyLane.double(row, lane, isOptional: isOptional) {
                        column[number].add(double, stretch: (first &+ row) / NumberSum.stretch)
                    }
                }
            case .text, .value:
                for (row, number) in zip(rows, numbers) {
                    column[number].add(key.value(row, lane), stretch: (first &+ row) / NumberSum.stretch)
                }
            }
            swap(&column, &sums[part])
        }
    }

    /// Merges the groups of the next stretch.
    mutating func merge(_ later: LaneGroupTable) throws(QueryError) {
        let width = grouping.keys.count
        for group in 0..<later.groupCount {
            let number = try mergedNumber(Array(later.keys[(group * width)..<((group + 1) * width)]))
            counts[number] &+= later.counts[group]
            for part in grouping.parts.indices {
                switch grouping.parts[part] {
                case .count: break
                case .sum: sums[part][number].merge(later.sums[part][group])
                case .extreme(_, let wanted):
                    let value = later.extremes[part][group]
                    if extremes[part][number].isReplaced(by: value, wanted) { extremes[part][number] = value }
                }
            }
        }
    }

    private mutating func mergedNumber(_ values: [QueryValue]) throws(QueryError) -> Int {
        if values.isEmpty { return 0 }
        if values.count == 1, grouping.keys[0].reading != .text, let packed = packed(values[0]) {
            if let known = number(packed.0, packed.1) { return known }
            let number = try begin(values)
            insert(packed.0, packed.1, number)
            return number
        }
        return try number(of: values)
    }

    /// Packs a number like ``packed(_:_:_:)`` does for a lane.
    private func packed(_ value: QueryValue) -> (UInt64, UInt64)? {
        switch (grouping.keys[0].reading, value) {
        case (.value, _), (.text, _): nil
        case (_, .null): (0, .max)
        case (_, .int(let int)): (UInt64(bitPattern: int), 0)
        case (_, .double(let double)): double.isNaN ? (0, 1) : ((double + 0).bitPattern, 0)
        default: nil
        }
    }

    /// The states as a run of groups keeps them: group by group.
    var states: [GroupState] {
        var states: [GroupState] = []
        for group in 0..<groupCount {
            for part in grouping.parts.indices {
                switch grouping.parts[part] {
                case .count: states.append(.count(counts[group]))
                case .sum: states.append(.sum(sums[part][group]))
                case .extreme: states.append(.extreme(extremes[part][group]))
                }
            }
        }
        return states
    }
}
