import QueryMeaning
import QueryTree
import QueryValues

/// A path that a grouping reads, prepared for many rows.
struct GroupPath {
    private let program: TermProgram
    private var frame: RowFrame
    private let type: FieldType

    init(_ path: FieldPath, schema: Schema?, _ budget: WorkBudget?) throws(QueryError) {
        let term = Term.field(path, .none)
        var meaning = Meaning(schema: schema)
        meaning.decodesUUIDs = false
        program = try meaning.compile(term)
        frame = program.makeFrame(now: 0, budget: budget)
        type = TypeScope(schema).type(of: term).element
    }

    /// The path's value; absent counts as null (S23).
    mutating func value(of row: Document) throws(QueryError) -> QueryValue {
        let value = try program.value(row, &frame) ?? .null
        if frame.budget != nil { try frame.chargeGroup(value) }
        return value
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
    case custom(QueryValue)
}

/// A reducer, prepared for many rows (S18, S23).
struct GroupReducer {
    private let operation: Reducer.Operation
    private var path: GroupPath?

    init(_ operation: Reducer.Operation, schema: Schema?, _ budget: WorkBudget?) throws(QueryError) {
        self.operation = operation
        switch operation {
        case .count, .custom: path = nil
        case .sum(let path), .average(let path), .min(let path), .max(let path):
            self.path = try GroupPath(path, schema: schema, budget)
        }
    }

    var start: GroupState {
        switch operation {
        case .count: .count(0)
        case .sum, .average: .sum(NumberSum())
        case .min, .max: .extreme(.null)
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
            if best.isReplaced(by: value, wanted) { state = .extreme(value) }
        case .custom(let sofar):
            if case .custom(let reduction) = operation { state = .custom(try reduction.combine(sofar, row)) }
        }
    }

    private var wanted: QueryOrder {
        if case .max = operation { .descending } else { .ascending }
    }

    func result(_ state: GroupState) -> QueryValue {
        switch state {
        case .count(let count): return .int(count)
        case .sum(let sum):
            if case .average = operation { return sum.average }
            return sum.sum
        case .extreme(let value): return path?.stored(value) ?? value
        case .custom(let value): return value
        }
    }
}
