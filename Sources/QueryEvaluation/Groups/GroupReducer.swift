import QueryMeaning
import QueryTree
import QueryValues

/// What a grouping reads of each row, a path or a term, prepared for many rows.
struct GroupPath {
    private let program: TermProgram
    private var frame: RowFrame
    private let type: FieldType
    /// The steps of a term, besides those for elements and texts.
    private var rowSteps = 0
    private var needsRoom = false

    private init(_ term: Term, _ evaluator: RowEvaluator, now: Int64, _ budget: WorkBudget?) throws(QueryError) {
        program = try evaluator.compile(term)
        frame = program.makeFrame(now: now, budget: budget)
        type = TypeScope(evaluator.schema).type(of: term).element
    }

    /// A key, or what a reducer reads, of the groups of some rows.
    init(
        _ key: GroupKey,
        of rows: Query,
        now: Int64,
        _ limits: Limits,
        _ budget: WorkBudget?
    ) throws(QueryError) {
        if key.path != nil {
            var evaluator = RowEvaluator(schema: rows.schema)
            evaluator.decodesUUIDs = false
            try self.init(key.term, evaluator, now: 0, budget)
            return
        }
        let test = key.test
        try test.checkSupportedEverywhere()
        let evaluator = RowEvaluator(schema: rows.schema, nilMeaning: rows.nilMeaning, limits: limits)
        self = try StackRoom.run(for: test) { () throws(QueryError) in
            try Self(key.term, evaluator, now: now, budget)
        }
        rowSteps = test.stepsOfRow
        needsRoom = StackRoom.isNeeded(for: test)
    }

    /// The value for a row; absent counts as null (S23).
    mutating func value(of row: Document) throws(QueryError) -> QueryValue {
        if frame.budget != nil { frame.charge(rowSteps) }
        let value = needsRoom ? try roomyValue(of: row) : try program.value(row, &frame) ?? .null
        if frame.budget != nil { try frame.chargeGroup(value) }
        return value
    }

    private mutating func roomyValue(of row: Document) throws(QueryError) -> QueryValue {
        try StackRoom.onLargeStack { () throws(QueryError) in try program.value(row, &frame) } ?? .null
    }

    /// The value as stored: dates in the field's encoding, as in the rows (S5).
    func stored(_ value: QueryValue) -> QueryValue {
        guard case .date(let encoding) = type, encoding != .native else { return value }
        switch value {
        case .date(let milliseconds): return encoding.encode(milliseconds)
        case .list(let elements): return .list(elements.map(stored))
        default: return value
        }
    }
}

/// The running state of one value of a group.
enum GroupState {
    case count(Int64)
    case sum(NumberSum)
    case extreme(QueryValue)
    case distinct(Set<EqualityKey>)
    case numbers([Double])
    case custom(QueryValue)
}

/// A reducer, prepared for many rows (S18, S23).
struct GroupReducer {
    private let operation: Reducer.Operation
    private var path: GroupPath?
    /// How many more values its groups may keep.
    private var room: Int
    private let limits: Limits

    init(
        _ reducer: Reducer,
        of rows: Query,
        now: Int64,
        _ limits: Limits,
        _ budget: WorkBudget?
    ) throws(QueryError) {
        (operation, self.limits, room) = (reducer.operation, limits, limits.groups)
        path = try reducer.value.map { (value) throws(QueryError) in
            try GroupPath(value, of: rows, now: now, limits, budget)
        }
    }

    var start: GroupState {
        switch operation {
        case .count: .count(0)
        case .sum, .average: .sum(NumberSum())
        case .min, .max, .first, .last: .extreme(.null)
        case .countDistinct, .distinct: .distinct([])
        case .median: .numbers([])
        case .custom(let reduction): .custom(reduction.initial)
        }
    }

    /// Adds a row's value; `stretch` is that of ``NumberSum``.
    mutating func add(_ row: Document, to state: inout GroupState, stretch: Int) throws(QueryError) {
        let value = try path?.value(of: row) ?? .null
        switch state {
        case .count(let count): state = .count(count &+ 1)
        case .sum(var sum):
            sum.add(value, stretch: stretch)
            state = .sum(sum)
        case .extreme(let best):
            if isKept(value, after: best) { state = .extreme(value) }
        case .distinct(var values):
            if value.isNull { return }
            // The state must not hold the set while it grows, or each value would copy it.
            state = .count(0)
            if values.insert(EqualityKey(value)).inserted { try keep() }
            state = .distinct(values)
        case .numbers(var numbers):
            guard let number = value.doubleValue else { return }
            state = .count(0)
            numbers.append(number)
            try keep()
            state = .numbers(numbers)
        case .custom(let sofar):
            if case .custom(let reduction) = operation { state = .custom(try reduction.combine(sofar, row)) }
        }
    }

    /// Counts a value that a group keeps.
    private mutating func keep() throws(QueryError) {
        if room <= 0 {
            throw QueryError(
                .limit,
                "more than \(limits.groups) values in groups",
                hint: "narrow the condition, or raise Limits.groups"
            )
        }
        room -= 1
    }

    /// True if a value takes the place of the one kept so far.
    private func isKept(_ value: QueryValue, after best: QueryValue) -> Bool {
        switch operation {
        case .first: best.isNull
        case .last: !value.isNull
        case .max: best.isReplaced(by: value, .descending)
        case .count, .sum, .average, .min, .countDistinct, .distinct, .median, .custom:
            best.isReplaced(by: value, .ascending)
        }
    }

    func result(_ state: GroupState) -> QueryValue {
        switch state {
        case .count(let count): return .int(count)
        case .sum(let sum):
            if case .average = operation { return sum.average }
            return sum.sum
        case .extreme(let value): return path?.stored(value) ?? value
        case .distinct(let values):
            guard case .distinct = operation else { return .int(Int64(values.count)) }
            let sorted = values.map(\.value).sorted { $0.sortOrder(relativeTo: $1) == .ascending }
            return path?.stored(.list(sorted)) ?? .list(sorted)
        case .numbers(let numbers): return numbers.median
        case .custom(let value): return value
        }
    }
}
