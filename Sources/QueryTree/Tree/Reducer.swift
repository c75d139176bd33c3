import QueryValues

/// A value computed over the rows of a group.
///
///     let reducers: [Reducer] = [.count, .sum("population").as("people")]
///     try Query(format: "state == 'MA'").grouped(computing: reducers).results(in: cities)
///     // → [{"count":3,"people":904831}]
public struct Reducer: Hashable, Sendable {  // S18, S23
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
        /// The number of different values of a path.
        case countDistinct(FieldPath)
        /// The different values of a path; in memory only, and in SQLite through `results`.
        case distinct(FieldPath)
        /// The number in the middle of a path's numbers; in memory only, and in SQLite through `results`.
        case median(FieldPath)
        /// The first value of a path in the order of the rows; in memory only.
        case first(FieldPath)
        /// The last value of a path in the order of the rows; in memory only.
        case last(FieldPath)
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

    /// The number of different values of a path, as `countDistinct_<path>`; nil is not counted.
    ///
    ///     try Query().grouped(computing: [.countDistinct("state")]).results(in: cities)  // → [{"countDistinct_state":2}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func countDistinct(_ path: FieldPath) -> Reducer { Reducer(.countDistinct(path)) }

    /// The different values of a path in the order of S22, as `distinct_<path>`; nil is none of them.
    ///
    /// It is computed in memory, also over a table of SQLite; `sql`, `mongo` and `rest` throw `unsupported`.
    ///
    ///     try Query().grouped(computing: [.distinct("state")]).results(in: cities)  // → [{"distinct_state":["MA","NY"]}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func distinct(_ path: FieldPath) -> Reducer { Reducer(.distinct(path)) }

    /// The number in the middle of a path's numbers, or the mean of the two there, as `median_<path>`; nil for none.
    ///
    /// It is computed in memory, also over a table of SQLite; `sql`, `mongo` and `rest` throw `unsupported`.
    ///
    ///     try Query(format: "state == 'MA'").grouped(computing: [.median("population")]).results(in: cities)
    ///     // → [{"median_population":206518.0}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func median(_ path: FieldPath) -> Reducer { Reducer(.median(path)) }

    /// The first value of a path that is not nil, in the order of the rows, as `first_<path>`; nil for none.
    ///
    /// Only rows in memory and in files have an order; stores throw `unsupported`.
    ///
    ///     try Query().grouped(by: "state", computing: [.first("name")]).results(in: cities)
    ///     // → [{"state":"MA","first_name":"Boston"}, {"state":"NY","first_name":"New York"}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func first(_ path: FieldPath) -> Reducer { Reducer(.first(path)) }

    /// The last value of a path that is not nil, in the order of the rows, as `last_<path>`; nil for none.
    ///
    /// Only rows in memory and in files have an order; stores throw `unsupported`.
    ///
    ///     try Query(format: "state == 'MA'").grouped(computing: [.last("name")]).results(in: cities)
    ///     // → [{"last_name":"Salem"}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func last(_ path: FieldPath) -> Reducer { Reducer(.last(path)) }

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
        case .sum(let path), .average(let path), .min(let path), .max(let path), .countDistinct(let path),
            .distinct(let path), .median(let path), .first(let path), .last(let path):
            path
        }
    }

    /// The name of the result's field (S23).
    package var name: String {
        if let alias { return alias }
        if case .custom(let reduction) = operation { return reduction.name }
        return kind.rawValue + (path.map { "_" + Grouping.name(of: $0) } ?? "")
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

extension Reducer {
    /// What a reducer computes, by its name in data, in texts and in the names of results.
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case count, sum
        case average = "avg"
        case min, max, countDistinct, distinct, median, first, last, custom

        /// The names that a text or data may have: all but Swift code.
        package static let named = allCases.filter { $0 != .custom }

        /// The operation of the kind; nil where a path is missing or superfluous, and for Swift code.
        ///
        ///     Reducer.Kind.average.operation("age") == .average("age")  // → true
        ///     Reducer.Kind.count.operation("age") == nil  // → true
        package func operation(_ path: FieldPath?) -> Operation? {
            switch (self, path) {
            case (.count, nil): .count
            case (.sum, let path?): .sum(path)
            case (.average, let path?): .average(path)
            case (.min, let path?): .min(path)
            case (.max, let path?): .max(path)
            case (.countDistinct, let path?): .countDistinct(path)
            case (.distinct, let path?): .distinct(path)
            case (.median, let path?): .median(path)
            case (.first, let path?): .first(path)
            case (.last, let path?): .last(path)
            case (.custom, _), (.count, _), (_, nil): nil
            }
        }
    }

    /// What it computes.
    package var kind: Kind {
        switch operation {
        case .count: .count
        case .sum: .sum
        case .average: .average
        case .min: .min
        case .max: .max
        case .countDistinct: .countDistinct
        case .distinct: .distinct
        case .median: .median
        case .first: .first
        case .last: .last
        case .custom: .custom
        }
    }

    /// The error for a value that a store does not compute.
    package var unsupported: QueryError {
        let hint: String
        switch kind {
        case .count, .sum, .average, .min, .max, .countDistinct: hint = "leave \(name) out"
        case .distinct: hint = "compute countDistinct, or group by the field too"
        case .median: hint = "compute avg, or group rows in memory"
        case .first, .last: hint = "a store's rows have no order; compute min or max, or group rows in memory"
        case .custom:
            return QueryError(.unsupported, "Swift code runs in memory only", hint: "leave \(name) out")
        }
        return QueryError(.unsupported, "\(kind.rawValue) of a group is not supported by the store", hint: hint)
    }
}
