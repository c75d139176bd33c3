import QueryValues

/// Groups of a query's rows with values computed over each.
///
/// The query's filter applies to rows; its order, skip and limit apply to the groups. See S23.
///
///     let byState = Query(order: ["state"]).grouped(by: "state", computing: [.count, .max("population")])
///     try byState.results(in: cities)
///     // → [{"state":"MA","count":3,"max_population":653833}, {"state":"NY","count":1,"max_population":8804190}]
public struct Grouping: Hashable, Sendable {
    /// The row filter; order, skip, limit and schema.
    public var query: Query
    /// The group keys; none for one group of all rows.
    public var keys: [GroupKey]
    /// What to compute, in the order of the result's fields.
    public var reducers: [Reducer]
    /// What a group must satisfy, using the names of the result's fields.
    public var having: Condition?

    /// Groups of a query's rows.
    ///
    /// - Parameters:
    ///   - query: filter, order, skip, limit.
    ///   - keys: the group keys in property names.
    ///   - reducers: what to compute.
    ///   - having: what a group must satisfy.
    package init(_ query: Query, by keys: [GroupKey], computing reducers: [Reducer], having: Condition? = nil) {
        self.query = query
        self.keys = keys
        self.reducers = reducers
        self.having = having
    }
}

extension Query {
    /// Groups of this query's rows.
    ///
    ///     let large = try Condition(format: "count > 1")
    ///     try Query().grouped(by: "state", computing: [.count], having: large).results(in: cities)
    ///     // → [{"state":"MA","count":3}]
    ///
    ///     let size = GroupKey(Field.conditional(Field("population") > 500_000, then: "big", else: "small"), as: "size")
    ///     try Query().grouped(by: "state", size, computing: [.count]).results(in: cities)
    ///     // → [{"state":"MA","size":"big","count":1}, {"state":"MA","size":"small","count":2}, …]
    ///
    ///     try Query().grouped(by: "state", computing: [.count], order: ["count"]).results(in: cities)
    ///     // → [{"state":"NY","count":1}, {"state":"MA","count":3}]
    ///
    /// - Parameters:
    ///   - keys: fields in property names, and values computed from them; none for one group of all rows.
    ///   - reducers: what to compute.
    ///   - having: what a group must satisfy, in the names of the result's fields.
    ///   - order: the order of the groups, in the names of the result's fields; nil for this query's.
    /// - Returns: the groups, with this query's skip and limit.
    public func grouped(
        by keys: GroupKey...,
        computing reducers: [Reducer],
        having: Condition? = nil,
        order: [SortKey]? = nil
    ) -> Grouping {
        grouped(by: keys, computing: reducers, having: having, order: order)
    }

    /// Groups the matching rows by keys that are known at run time.
    ///
    ///     let keys: [GroupKey] = ["state"]
    ///     try Query().grouped(by: keys, computing: [.count]).results(in: cities).count  // → 2
    ///
    /// - Parameters:
    ///   - keys: the group keys; none for one group of all rows.
    ///   - reducers: what to compute.
    ///   - having: what a group must satisfy, in the names of the result's fields.
    ///   - order: the order of the groups, in the names of the result's fields; nil for this query's.
    /// - Returns: the groups, with this query's skip and limit.
    public func grouped(
        by keys: [GroupKey],
        computing reducers: [Reducer],
        having: Condition? = nil,
        order: [SortKey]? = nil
    ) -> Grouping {
        var groups = Grouping(self, by: keys, computing: reducers, having: having)
        if let order { groups.query.order = order }
        return groups
    }
}

extension Grouping {
    /// The name of a key's field: the path with `_` for dots (S23).
    ///
    ///     Grouping.name(of: "address.state")  // → address_state
    ///
    /// - Parameter path: a group key or a reducer's path.
    /// - Returns: the name.
    package static func name(of path: FieldPath) -> String {
        path.keys.joined(separator: "_")
    }

    /// The names of the result's fields in order: keys, then values.
    ///
    ///     Query().grouped(by: "address.state", computing: [.count]).resultNames  // → ["address_state", "count"]
    package var resultNames: [String] {
        keys.map(\.name) + reducers.map(\.name)
    }
}
