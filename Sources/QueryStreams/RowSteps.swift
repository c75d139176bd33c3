import QueryChecking
import QueryEvaluation
import QueryMeaning
import QueryTree
import QueryValues

/// The steps of a query over rows that arrive one by one; a subclass for each kind of row.
///
/// Immutable, so threads may share it; each pass over the rows has its own ``RowPass``.
class RowSteps<Row>: @unchecked Sendable {
    /// The checked query; with the schema of the row type if it had none.
    let query: Query
    /// The instant of `now()` in computed sort keys; nil where rows have none.
    let now: Int64?
    let limits: Limits

    init(_ query: Query, now: Int64? = nil, _ limits: Limits) {
        self.query = query
        self.now = now
        self.limits = limits
    }

    /// A test with scratch memory of its own.
    func makeTest(_ budget: WorkBudget?) -> RowTest<Row> { RowTest() }

    /// The row by stored names, for sort keys.
    func document(_ row: Row) throws(QueryError) -> Document { Document() }
}

/// Tests a condition on rows, one after the other.
class RowTest<Row> {
    /// True when it holds; errors name the row's number (S27).
    func holds(_ row: Row, _ index: Int) throws(QueryError) -> Bool { false }

    /// The row as returned, for rows that can omit fields and have computed ones.
    func projected(_ row: Row) throws(QueryError) -> Row { row }
}

/// Documents.
final class DocumentSteps: RowSteps<Document>, @unchecked Sendable {
    private let matcher: Matcher

    init(_ query: Query, now: Int64?, limits: Limits) throws(QueryError) {
        try query.validatePipeline(computing: true)
        let now = now ?? Query.presentInstant
        matcher = try Matcher(query, now: now, limits: limits)
        let checked = try query.checked()
        // A mistake is reported before any row.
        _ = try RowAnswer(checked, now: now, limits: limits, budget: nil)
        super.init(checked, now: now, limits)
    }

    override func makeTest(_ budget: WorkBudget?) -> RowTest<Document> {
        let (query, now, limits) = (query, now, limits)
        return Test(matcher, budget) { () throws(QueryError) in
            try RowAnswer(query, now: now, limits: limits, budget: budget)
        }
    }

    override func document(_ row: Document) -> Document { row }

    private final class Test: RowTest<Document> {
        private let matcher: Matcher
        private var frame: RowFrame
        private let makeAnswer: () throws(QueryError) -> RowAnswer
        private var answer: RowAnswer?

        init(
            _ matcher: Matcher,
            _ budget: WorkBudget?,
            _ makeAnswer: @escaping () throws(QueryError) -> RowAnswer
        ) {
            self.matcher = matcher
            self.makeAnswer = makeAnswer
            frame = matcher.makeFrame(budget)
        }

        override func projected(_ row: Document) throws(QueryError) -> Document {
            var answer = if let answer { answer } else { try makeAnswer() }
            // Held only once, it is changed in place.
            self.answer = nil
            defer { self.answer = answer }
            return try answer.row(row)
        }

        override func holds(_ row: Document, _ index: Int) throws(QueryError) -> Bool {
            do throws(QueryError) {
                return try matcher.matches(row, &frame)
            } catch {
                throw error.inRow(index)
            }
        }
    }
}

/// Swift values, of which only the fields that the query names are encoded.
final class EncodableSteps<Row: Encodable>: RowSteps<Row>, @unchecked Sendable {
    private let matcher: Matcher
    private let shapes: RowShapes

    init(_ query: Query, now: Int64?, limits: Limits) throws(QueryError) {
        try query.refuseFieldsOfTypedRows()
        try query.validatePipeline(computing: true, sortsRows: true)
        matcher = try Matcher(query, now: now, limits: limits)
        shapes = try query.rowShapes()
        super.init(try query.checked(), limits)
    }

    override func makeTest(_ budget: WorkBudget?) -> RowTest<Row> { Test(matcher, shapes, budget) }

    override func document(_ row: Row) throws(QueryError) -> Document {
        var shapes = shapes
        return try Document(encoding: row, &shapes)
    }

    private final class Test: RowTest<Row> {
        private let matcher: Matcher
        private var frame: RowFrame
        private var typed: TypedRows?
        private var shapes: RowShapes

        init(_ matcher: Matcher, _ shapes: RowShapes, _ budget: WorkBudget?) {
            self.matcher = matcher
            self.shapes = shapes
            frame = matcher.makeFrame(budget)
            typed = matcher.typedRows(budget)
        }

        override func holds(_ row: Row, _ index: Int) throws(QueryError) -> Bool {
            do throws(QueryError) {
                let document = try Document(encoding: row, &shapes)
                if let answer = try typed?.holds(document) { return answer }
                return try matcher.matches(document, &frame)
            } catch {
                throw error.inRow(index)
            }
        }
    }
}

/// Rows with a field table, read in place.
final class QueryableSteps<Row: Queryable>: RowSteps<Row>, @unchecked Sendable {
    private let plan: QueryPlan<Row>

    init(_ query: Query, now: Int64?, limits: Limits) throws(QueryError) {
        plan = try QueryPlan<Row>(query, now: now, limits: limits)
        try plan.core.query.refuseFieldsOfTypedRows()
        super.init(plan.core.query, limits)
    }

    override func makeTest(_ budget: WorkBudget?) -> RowTest<Row> { Test(RowProbe<Row>(plan, budget)) }
    override func document(_ row: Row) -> Document { Document(queryable: row) }

    private final class Test: RowTest<Row> {
        private let probe: RowProbe<Row>

        init(_ probe: RowProbe<Row>) { self.probe = probe }

        override func holds(_ row: Row, _ index: Int) throws(QueryError) -> Bool { try probe.holds(row, index) }
    }
}

/// One pass of a query's steps over rows that arrive one by one (S21).
struct RowPass<Row> {
    private let steps: RowSteps<Row>
    private let test: RowTest<Row>
    private var sorter: RowSorter<Row>?
    private var toSkip: Int
    private var toKeep: Int
    private var index = 0

    init(_ steps: RowSteps<Row>) throws(QueryError) {
        let query = steps.query
        self.steps = steps
        let budget = WorkBudget(steps.limits)
        test = steps.makeTest(budget)
        toSkip = query.skip ?? 0
        toKeep = query.limit ?? .max
        if !query.order.isEmpty {
            sorter = try RowSorter(query, now: steps.now, limits: steps.limits, budget: budget)
        }
    }

    /// True if no later row can be a result.
    var isDone: Bool { toKeep == 0 }

    /// Tests a row; returns it, with its requested fields only, if it is the next result.
    mutating func take(_ row: Row) throws(QueryError) -> Row? {
        defer { index += 1 }
        guard try test.holds(row, index) else { return nil }
        if sorter != nil {
            try sorter?.add(try steps.document(row), row)
            return nil
        }
        if toSkip > 0 {
            toSkip -= 1
            return nil
        }
        toKeep -= 1
        return try projected(row)
    }

    /// The results of an order, the last one first.
    mutating func finishReversed() -> [Row] {
        guard var sorter else { return [] }
        self.sorter = nil
        toKeep = 0
        return sorter.finish().reversed()
    }

    func projected(_ row: Row) throws(QueryError) -> Row { try test.projected(row) }
}
