import QueryValues

/// Groups of a query's rows with values computed over each (S23).
///
/// The query's filter applies to rows; its order, skip and limit apply to the groups.
///
///     let byState = Query(order: ["state"]).grouped(by: "state", computing: [.count, .max("population")])
///     try byState.results(in: cities)
///     // → [{"state":"MA","count":3,"max_population":653833}, {"state":"NY","count":1,"max_population":8804190}]
public struct Grouping: Hashable, Sendable {
    /// The row filter; order, skip, limit and schema.
    public var query: Query
    /// The group keys; none for one group of all rows.
    public var keys: [FieldPath]
    /// What to compute, in the order of the result's fields.
    public var reducers: [Reducer]
    /// What a group must satisfy, using the names of the result's fields.
    public var having: Condition?

    /// Groups of a query's rows.
    ///
    ///     let rows = CustomReduction(name: "rows", initial: 0) { count, _ in
    ///         guard case .int(let number) = count else { return count }
    ///         return .int(number + 1)
    ///     }
    ///     try Query().grouped(computing: [Reducer(.custom(rows))]).results(in: cities)  // → [{"rows":4}]
    ///
    /// - Parameters:
    ///   - query: filter, order, skip, limit.
    ///   - keys: the group keys in property names.
    ///   - reducers: what to compute.
    ///   - having: what a group must satisfy.
    package init(_ query: Query, by keys: [FieldPath], computing reducers: [Reducer], having: Condition? = nil) {
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
    /// - Parameters:
    ///   - keys: the group keys in property names; none for one group of all rows.
    ///   - reducers: what to compute.
    ///   - having: what a group must satisfy, in the names of the result's fields.
    /// - Returns: the groups, with this query's order, skip and limit.
    public func grouped(
        by keys: FieldPath...,
        computing reducers: [Reducer],
        having: Condition? = nil
    ) -> Grouping {
        Grouping(self, by: keys, computing: reducers, having: having)
    }
}

/// A value computed over the rows of a group (S18, S23).
///
///     let reducers: [Reducer] = [.count, .sum("population").as("people")]
///     try Query(format: "state == 'MA'").grouped(computing: reducers).results(in: cities)
///     // → [{"count":3,"people":904831}]
public struct Reducer: Hashable, Sendable {
    /// How the value is computed.
    ///
    ///     Reducer.max("population").operation == .max("population")  // → true
    public enum Operation: Hashable, Sendable {
        /// The number of rows.
        case count
        /// The sum of a path's numbers.
        case sum(FieldPath)
        /// The mean of a path's numbers.
        case average(FieldPath)
        /// The least value of a path.
        case min(FieldPath)
        /// The greatest value of a path.
        case max(FieldPath)
        /// Swift code; in memory only.
        case custom(CustomReduction)
    }

    /// How the value is computed.
    public var operation: Operation
    /// A custom name for the result's field; nil for `count`, `sum_<path>` ….
    public var alias: String?

    /// A value by its operation.
    ///
    ///     Reducer(.average("population"), as: "mean").name  // → mean
    ///
    /// - Parameters:
    ///   - operation: how it is computed.
    ///   - alias: the field's name, nil for the usual one.
    package init(_ operation: Operation, as alias: String? = nil) {
        self.operation = operation
        self.alias = alias
    }

    /// The number of rows, as `count`.
    public static let count = Reducer(.count)

    /// The sum of a path's numbers, as `sum_<path>`; 0 for none.
    ///
    ///     try Query().grouped(computing: [.sum("population")]).results(in: cities)  // → [{"sum_population":9709021}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func sum(_ path: FieldPath) -> Reducer { Reducer(.sum(path)) }

    /// The mean of a path's numbers, as `avg_<path>`; nil for none.
    ///
    ///     try Query(limit: 1).grouped(computing: [.average("population")]).results(in: cities)
    ///     // → [{"avg_population":2427255.25}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func average(_ path: FieldPath) -> Reducer { Reducer(.average(path)) }

    /// The least value of a path, as `min_<path>`; nil for none.
    ///
    ///     try Query().grouped(computing: [.min("name")]).results(in: cities)  // → [{"min_name":"Boston"}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func min(_ path: FieldPath) -> Reducer { Reducer(.min(path)) }

    /// The greatest value of a path, as `max_<path>`; nil for none.
    ///
    ///     try Query().grouped(computing: [.max("name")]).results(in: cities)  // → [{"max_name":"Worcester"}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func max(_ path: FieldPath) -> Reducer { Reducer(.max(path)) }

    /// A value computed by Swift code over each row of the group; in memory only.
    ///
    ///     let longest = Reducer.custom("longest", initial: "") { best, row in
    ///         guard case .string(let name)? = row["name"], case .string(let old) = best else { return best }
    ///         return name.count > old.count ? .string(name) : best
    ///     }
    ///     try Query().grouped(computing: [longest]).results(in: cities)  // → [{"longest":"Worcester"}]
    ///
    /// - Parameters:
    ///   - name: the field's name.
    ///   - initial: the value of a group without rows.
    ///   - combine: the value so far and a row give the next value.
    /// - Returns: the reducer.
    public static func custom(
        _ name: String,
        initial: QueryValue,
        combine: @escaping @Sendable (QueryValue, Document) throws(QueryError) -> QueryValue
    ) -> Reducer {
        Reducer(.custom(CustomReduction(name: name, initial: initial, combine: combine)))
    }

    /// The same value under another name.
    ///
    ///     try Query().grouped(computing: [.sum("population").as("people")]).results(in: cities)
    ///     // → [{"people":9709021}]
    ///
    /// - Parameter name: the field's name.
    /// - Returns: the renamed reducer.
    public func `as`(_ name: String) -> Reducer { Reducer(operation, as: name) }

    /// The path it reads, if any.
    package var path: FieldPath? {
        switch operation {
        case .count, .custom: nil
        case .sum(let path), .average(let path), .min(let path), .max(let path): path
        }
    }

    /// The name of the result's field (S23).
    package var name: String {
        if let alias { return alias }
        switch operation {
        case .count: return "count"
        case .sum(let path): return "sum_" + Grouping.name(of: path)
        case .average(let path): return "avg_" + Grouping.name(of: path)
        case .min(let path): return "min_" + Grouping.name(of: path)
        case .max(let path): return "max_" + Grouping.name(of: path)
        case .custom(let reduction): return reduction.name
        }
    }
}

/// A reduction in Swift code; two are equal if their names and initial values are.
///
///     let letters = Reducer.custom("letters", initial: "") { text, row in
///         guard case .string(let start) = text, case .string(let name)? = row["name"] else { return text }
///         return .string(start + name.prefix(1))
///     }
///     try Query().grouped(computing: [letters]).results(in: cities)  // → [{"letters":"BWNS"}]
public struct CustomReduction: Hashable, Sendable {
    /// The field's name.
    public var name: String
    /// The value of a group without rows.
    public var initial: QueryValue
    /// Computes the next value from the current value and a row.
    public var combine: @Sendable (QueryValue, Document) throws(QueryError) -> QueryValue

    /// A reduction in Swift code.
    ///
    /// - Parameters:
    ///   - name: the field's name.
    ///   - initial: the value of a group without rows.
    ///   - combine: the value so far and a row give the next value.
    package init(
        name: String,
        initial: QueryValue,
        combine: @escaping @Sendable (QueryValue, Document) throws(QueryError) -> QueryValue
    ) {
        self.name = name
        self.initial = initial
        self.combine = combine
    }

    /// Same name and initial value.
    public static func == (left: CustomReduction, right: CustomReduction) -> Bool {
        left.name.hasSameUTF8(as: right.name) && left.initial == right.initial
    }

    /// Hashes name and initial value.
    public func hash(into hasher: inout Hasher) {
        name.hashUTF8(into: &hasher)
        hasher.combine(initial)
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
        keys.map(Self.name(of:)) + reducers.map(\.name)
    }

    /// Checks names and the query's skip and limit; every backend calls it first.
    ///
    ///     try Query().grouped(by: "a.b", "a_b", computing: [.count]).validate()  // throws pipeline
    ///
    /// - Throws: `QueryError` of code `pipeline` for a negative skip or limit, an empty path, `fields` on a group, two
    ///   result fields of one name, or an order by a name that is not a result field.
    package func validate() throws(QueryError) {
        try query.validatePipeline()
        if query.fields != nil {
            throw QueryError(.pipeline, "a group has fixed fields", hint: "leave out fields")
        }
        for path in keys + reducers.compactMap(\.path) where path.keys.isEmpty || path.keys.contains(where: \.isEmpty) {
            throw QueryError(.pipeline, "group keys and values need a path")
        }
        var seen: Set<UTF8Key> = []
        for name in resultNames where !seen.insert(UTF8Key(name)).inserted {
            throw QueryError(
                .pipeline,
                "two fields of the group are named \(name)",
                hint: "rename one with as:"
            )
        }
        for key in query.order where key.path.keys.count != 1 || !seen.contains(UTF8Key(key.path.dotted)) {
            throw QueryError(
                .pipeline,
                "groups have no field \(key.path.dotted) to sort by",
                hint: "sort by one of " + resultNames.joined(separator: ", ")
            )
        }
    }
}

extension Reducer {
    /// The `@` operator that computes the same; nil for a custom reduction.
    package var aggregate: Aggregate? {
        switch operation {
        case .count: .count
        case .sum: .sum
        case .average: .average
        case .min: .min
        case .max: .max
        case .custom: nil
        }
    }
}
