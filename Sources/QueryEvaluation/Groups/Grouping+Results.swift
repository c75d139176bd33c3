import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

extension Grouping {
    /// The groups of the rows that satisfy the query's condition.
    ///
    ///     let byState = Query(order: ["state"]).grouped(by: "state", computing: [.count, .max("population")])
    ///     try byState.results(in: cities)
    ///     // → [{"state":"MA","count":3,"max_population":653833}, {"state":"NY","count":1,"max_population":8804190}]
    ///
    /// O(rows) and then O(groups · log groups); memory grows with the groups, not with the rows, but for the values
    /// that `distinct`, `countDistinct` and `median` keep. See S23.
    ///
    /// - Parameters:
    ///   - rows: the rows, by stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: one flat object per group: keys, then values; in key order unless the query has an order.
    /// - Throws: `QueryError` for a mistake in the query or the grouping, and for the first row whose error decides the
    ///   result (S27).
    public func results(in rows: [Document], now: Int64? = nil, limits: Limits = .default) throws(QueryError)
        -> [Document]
    {
        var run = try run(now: now, limits: limits)
        for row in rows { try run.add(row) }
        return try run.finish()
    }

    /// The groups of Swift values.
    ///
    ///     try Query(format: "year > 1900").grouped(computing: [.count]).results(in: books)  // → [{"count":2}]
    ///
    /// - Parameters:
    ///   - rows: structs or classes; their coding keys are the stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: as ``results(in:now:limits:)-([Document],_,_)``.
    /// - Throws: as ``results(in:now:limits:)-([Document],_,_)``; also for a row that cannot be encoded.
    @_disfavoredOverload
    public func results<Row: Encodable>(in rows: [Row], now: Int64? = nil, limits: Limits = .default) throws(QueryError)
        -> [Document]
    {
        let keys = try paths(limits: .default).outermostKeys
        var shapes = RowShapes(wanted: keys.flatMap { .tree(of: $0.map { [$0] }) })
        var grouping = self
        if query.schema == nil, mayConvertTerms {
            // A walk of its own tells the kinds of what keys are computed from.
            var kinds = ObservedKinds(readPaths.map(\.keys))
            for (index, row) in rows.enumerated() {
                _ = kinds.observe(try Document(encoding: row, index: index, &shapes), row: index + 1)
            }
            grouping = convertingTerms(by: kinds.schema)
        }
        var run = try GroupRun(grouping, now: now, limits: limits, ofValues: true)
        for (index, row) in rows.enumerated() { try run.add(try Document(encoding: row, index: index, &shapes)) }
        return try run.finish()
    }

    /// A run to which rows are added one by one.
    ///
    ///     var run = try Query().grouped(computing: [.count]).run()
    ///     for city in cities { try run.add(city) }
    ///     try run.finish()  // → [{"count":4}]
    ///
    /// - Parameters:
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: how many groups may be kept, and its `steps` and `duration`.
    /// - Returns: the run.
    /// - Throws: `QueryError` for a mistake in the query or the grouping.
    package func run(now: Int64? = nil, limits: Limits = .default) throws(QueryError) -> GroupRun {
        try GroupRun(self, now: now, limits: limits)
    }
}

/// A running grouping over rows that are added one by one; it keeps the groups, not the rows.
///
///     var run = try GroupRun(Query().grouped(computing: [.sum("population")]))
///     for city in cities { try run.add(city) }
///     try run.finish()  // → [{"sum_population":9709021}]
package struct GroupRun {
    private let grouping: Grouping
    private let now: Int64
    private let limits: Limits
    private let budget: WorkBudget?
    /// The condition for rows that are added; nil if the groups come from lanes.
    private var condition: RowCondition?
    /// True if the rows are Swift values of which no schema is known: their groups show the kinds.
    private var isOfValues = false
    private var keys: [GroupPath] = []
    private var reducers: [GroupReducer] = []
    private var index = 0
    /// The number of a group by its keys; groups are numbered in the order of their first row.
    private var groups: [[EqualityKey]: Int] = [:]
    private var groupCount = 0
    /// The keys of all groups in sequence, and their values so far.
    private var groupKeys: [QueryValue] = []
    private var states: [GroupState] = []

    /// Prepares a grouping.
    ///
    ///     var run = try GroupRun(Query().grouped(by: "state", computing: [.count]), limits: .default)
    ///     try run.finish()  // → []
    ///
    /// - Parameters:
    ///   - grouping: the grouping.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: how many groups may be kept, the bounds on regular expressions, and its `steps` and `duration`.
    ///   - ofValues: whether the rows are Swift values, whose properties have kinds.
    /// - Throws: `QueryError` for a mistake in the query or the grouping.
    package init(
        _ grouping: Grouping,
        now: Int64? = nil,
        limits: Limits = .default,
        ofValues: Bool = false
    ) throws(QueryError) {
        try grouping.validate()
        let now = now ?? Query.presentInstant
        var rows = grouping.query
        rows.order = []
        let matcher = try Matcher(rows, now: now, limits: limits)
        let frame = matcher.makeFrame()
        let typed = ofValues ? matcher.typedRows(frame.budget) : nil
        let condition = RowCondition(matcher: matcher, frame: frame, typed: typed)
        try self.init(try grouping.checked(), now, limits, condition, condition.frame.budget)
        isOfValues = ofValues && grouping.query.schema == nil
    }

    /// Prepares a checked grouping whose groups come from lanes.
    init(checked grouping: Grouping, now: Int64, limits: Limits) throws(QueryError) {
        try self.init(grouping, now, limits, nil, WorkBudget(limits))
    }

    private init(
        _ grouping: Grouping,
        _ now: Int64,
        _ limits: Limits,
        _ condition: RowCondition?,
        _ budget: WorkBudget?
    ) throws(QueryError) {
        self.grouping = grouping
        self.now = now
        self.limits = limits
        self.budget = budget
        self.condition = condition
        for (position, key) in grouping.keys.enumerated() {
            do throws(QueryError) {
                keys.append(try GroupPath(key, of: grouping.query, now: now, limits, budget))
            } catch {
                throw error.ofGroupKey(position)
            }
        }
        for (position, reducer) in grouping.reducers.enumerated() {
            do throws(QueryError) {
                reducers.append(try GroupReducer(reducer, of: grouping.query, now: now, limits, budget))
            } catch {
                throw error.ofReducer(position)
            }
        }
        // Without keys there is one group, even if there are no rows.
        if keys.isEmpty { _ = try group(of: []) }
    }

    /// Adds a row to its group if the condition holds for it.
    ///
    ///     var run = try Query(format: "state == 'MA'").grouped(computing: [.count]).run()
    ///     for city in cities { try run.add(city) }
    ///     try run.finish()  // → [{"count":3}]
    ///
    /// - Parameter row: the row, by stored names.
    /// - Throws: the row's error if it decides the result, with the row's number in the message (S27).
    package mutating func add(_ row: Document) throws(QueryError) {
        defer { index += 1 }
        do throws(QueryError) {
            guard try condition?.matches(row) == true else { return }
            var values: [QueryValue] = []
            values.reserveCapacity(keys.count)
            for position in keys.indices { values.append(try keys[position].value(of: row)) }
            let first = try group(of: values) * reducers.count
            let stretch = index / NumberSum.stretch
            for position in reducers.indices {
                try reducers[position].add(row, to: &states[first + position], stretch: stretch)
            }
        } catch {
            throw error.inRow(index)
        }
    }

    private mutating func group(of values: [QueryValue]) throws(QueryError) -> Int {
        let key = values.map(EqualityKey.init)
        if let known = groups[key] { return known }
        let number = groupCount
        if number >= limits.groups { throw .tooManyGroups(limits.groups) }
        groups[key] = number
        groupCount += 1
        groupKeys.append(contentsOf: values)
        for reducer in reducers { states.append(reducer.start) }
        return number
    }

    /// The groups: filtered by `having`, sorted, skipped and limited.
    ///
    ///     let order: [SortKey] = [.descending("count")]
    ///     var run = try Query(order: order, limit: 1).grouped(by: "state", computing: [.count]).run()
    ///     for city in cities { try run.add(city) }
    ///     try run.finish()  // → [{"state":"MA","count":3}]
    ///
    /// - Returns: one flat object per group.
    /// - Throws: `QueryError` if an error in `having` decides the result (S27).
    package mutating func finish() throws(QueryError) -> [Document] {
        let schema = grouping.resultSchema
        let shape = Shape(keys: grouping.resultNames)
        let keyOrder = grouping.keys.map { SortKey(FieldPath(keys: [$0.name])) }
        // The key order decides among groups that the query's own order leaves equal.
        var sorter = try RowSorter<Document>(
            SortKeys(Query(order: grouping.query.order + keyOrder, schema: schema)),
            skip: grouping.query.skip,
            limit: grouping.query.limit,
            budget: budget
        )
        let having = try RowEvaluator(schema: schema, nilMeaning: grouping.query.nilMeaning, limits: limits)
            .compile(convertedHaving(shape))
        var frame = having.makeFrame(now: now, budget: budget)
        for number in 0..<groupCount {
            let group = Document(shape: shape, values: values(of: number))
            do throws(QueryError) {
                if try having.holds(group, &frame) { try sorter.add(group, group) }
            } catch {
                throw error.at(path: "having")
            }
        }
        return sorter.finish()
    }

    /// `having`, its constants converted to the kinds that the groups of Swift values have (S2).
    private func convertedHaving(_ shape: Shape) -> Condition {
        let having = Query(grouping.having ?? .constant(true))
        guard isOfValues, having.mayConvert else { return having.condition }
        var kinds = ObservedKinds(shape.keys.map { [$0] })
        for row in 0..<groupCount { _ = kinds.observe(Document(shape: shape, values: values(of: row)), row: row + 1) }
        return having.converting(by: kinds.schema).condition
    }

    /// Takes groups built from lanes instead of rows.
    mutating func take(_ keys: [QueryValue], _ states: [GroupState], count: Int) {
        groupKeys = keys
        self.states = states
        groupCount = count
    }

    private func values(of number: Int) -> [QueryValue] {
        let first = number * keys.count
        let keyValues = keys.indices.map { keys[$0].stored(groupKeys[first + $0]) }
        let firstState = number * reducers.count
        return keyValues + reducers.indices.map { reducers[$0].result(states[firstState + $0]) }
    }
}

/// A condition that is tested row by row, and its scratch memory.
private struct RowCondition {
    let matcher: Matcher
    var frame: RowFrame
    var typed: TypedRows?

    mutating func matches(_ row: Document) throws(QueryError) -> Bool {
        if let answer = try typed?.holds(row) { return answer }
        return try matcher.matches(row, &frame)
    }
}

extension QueryError {
    static func tooManyGroups(_ budget: Int) -> QueryError {
        QueryError(
            .limit,
            "more than \(budget) groups",
            hint: "group by fewer keys, narrow the condition, or raise Limits.groups"
        )
    }
}
