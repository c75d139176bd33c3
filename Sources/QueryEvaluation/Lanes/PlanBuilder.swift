import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

/// Compiles a checked condition to kernels over the lanes of a kind of row.
///
/// Conditions without a kernel are evaluated row by row by ``RowEvaluator``, so every condition has a plan, and the same
/// answer.
struct PlanBuilder {
    let schema: Schema?
    let nilMeaning: NilMeaning
    let limits: Limits
    /// The costs of the parts of each AND and OR.
    private(set) var costs: [[Double]] = []
    /// The programs of the conditions that are evaluated row by row.
    private(set) var programs: [ConditionProgram] = []

    init(schema: Schema?, nilMeaning: NilMeaning, limits: Limits) {
        self.schema = schema
        self.nilMeaning = nilMeaning
        self.limits = limits
    }

    private var evaluator: RowEvaluator { RowEvaluator(schema: schema, nilMeaning: nilMeaning, limits: limits) }

    /// What the paths and variables of a condition refer to.
    struct Scope {
        /// The fields of the rows, or of SUBQUERY's elements.
        var lanes: LaneSet
        /// The types of paths, by property names.
        var types: TypeScope
        /// The name of the element inside SUBQUERY; bare keys are then the outer row's, which kernels cannot reach.
        var variable: Variable?
    }

    /// The kernel of a condition over rows; row-by-row evaluation if there is no other.
    mutating func kernel(_ condition: Condition, _ scope: inout Scope) throws(QueryError) -> Kernel {
        if let kernel = try fastKernel(condition, &scope) { return kernel }
        return try readingKernel(condition, &scope)
    }

    /// The kernel of a condition; nil if some part has none and the rows are a list's elements.
    mutating func fastKernel(_ condition: Condition, _ scope: inout Scope) throws(QueryError) -> Kernel? {
        switch condition {
        case .constant(let holds): return .constant(holds)
        case .comparison(let comparison): return try kernel(comparison, &scope)
        case .not(let part): return try self.part(part, &scope).map { .not($0) }
        case .and(let parts): return try logic(parts, &scope, whenEmpty: true) { .all($0, number: $1) }
        case .or(let parts): return try logic(parts, &scope, whenEmpty: false) { .some($0, number: $1) }
        }
    }

    private mutating func part(_ condition: Condition, _ scope: inout Scope) throws(QueryError) -> Kernel? {
        scope.variable == nil ? try kernel(condition, &scope) : try fastKernel(condition, &scope)
    }

    private mutating func logic(
        _ parts: [Condition],
        _ scope: inout Scope,
        whenEmpty: Bool,
        _ join: ([Kernel], Int) -> Kernel
    ) throws(QueryError) -> Kernel? {
        var kernels: [Kernel] = []
        for condition in parts {
            guard let kernel = try self.part(condition, &scope) else { return nil }
            kernels.append(kernel)
        }
        if kernels.count < 2 { return kernels.first ?? .constant(whenEmpty) }
        costs.append(kernels.map(\.cost))
        return join(kernels, costs.count - 1)
    }

    /// Reads the needed fields of each row and evaluates ``RowEvaluator``.
    mutating func readingKernel(_ condition: Condition, _ scope: inout Scope) throws(QueryError) -> Kernel {
        programs.append(try evaluator.compile(condition))
        let number = programs.count - 1
        let program = programs[number]
        let reader = RowReader(condition, &scope)
        return Kernel(cost: 400) { batch, active, found, run in
            batch.mark(active, in: found) { row in
                do throws(QueryError) {
                    return try program.holds(reader.document(row, batch), &run.frames[number])
                } catch {
                    run.trouble(row)
                    return false
                }
            }
        }
    }
}

/// Converts rows to documents with the fields that a condition reads, under their stored names.
package struct RowReader: Sendable {
    private let lanes: [(lane: Int, cell: CellKind)]
    private let shape: Shape

    /// The reader of a condition's fields.
    init(_ condition: Condition, _ scope: inout PlanBuilder.Scope) {
        self.init(needed: condition.rootKeys(scope.types), &scope)
    }

    /// The reader of the fields that paths start with.
    init(_ paths: [FieldPath], _ scope: inout PlanBuilder.Scope) {
        var needed: Set<UTF8Key>? = []
        for path in paths {
            if let key = scope.types.storedRoot(of: path) { needed?.insert(UTF8Key(key)) } else { needed = nil }
        }
        self.init(needed: needed, &scope)
    }

    private init(needed: Set<UTF8Key>?, _ scope: inout PlanBuilder.Scope) {
        var lanes: [(lane: Int, cell: CellKind)] = []
        var keys: [String] = []
        for (number, entry) in scope.lanes.fields.enumerated() {
            if let needed, !needed.contains(UTF8Key(entry.storedName)) { continue }
            lanes.append((scope.lanes.lane(of: number), entry.cell))
            keys.append(entry.storedName)
        }
        self.lanes = lanes
        shape = Shape(keys: keys)
    }

    /// The document of a row; fields that are nil are absent (S8).
    package func document(_ row: Int, _ batch: Batch) -> Document {
        var values: [QueryValue] = []
        values.reserveCapacity(lanes.count)
        var absent: Set<Int> = []
        for (slot, field) in lanes.enumerated() {
            let lane = batch.lanes[field.lane]
            let value = lane.isValid(row) ? field.cell.value(at: lane.cell(row)) : .none
            if value == nil { absent.insert(slot) }
            values.append(value ?? .null)
        }
        if absent.isEmpty { return Document(shape: shape, values: values) }
        return Document(
            pairs: values.indices.lazy.filter { !absent.contains($0) }.map { (shape.keys[$0], values[$0]) }
        )
    }
}

extension Condition {
    /// The stored names of the first keys of all paths; nil if the row is read as a whole.
    fileprivate func rootKeys(_ types: TypeScope) -> Set<UTF8Key>? {
        var keys: Set<UTF8Key> = []
        for case .term(.field(let path, _)) in nodes {
            guard let key = types.storedRoot(of: path) else { return nil }
            keys.insert(UTF8Key(key))
        }
        return keys
    }
}

extension TypeScope {
    /// The stored name of a path's first key; nil for the row as a whole.
    fileprivate func storedRoot(of path: FieldPath) -> String? {
        path.keys.first.flatMap { row.resolve([$0])?.storedKeys.first }
    }
}
