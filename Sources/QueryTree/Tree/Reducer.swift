import QueryValues

/// A value computed over the rows of a group.
///
///     let reducers: [Reducer] = [.count, .sum("population").as("people")]
///     try Query(format: "state == 'MA'").grouped(computing: reducers).results(in: cities)
///     // → [{"count":3,"people":904831}]
public struct Reducer: Hashable, Sendable {  // S18, S23
    /// How the value is computed, and from what of each row.
    package enum Operation: Hashable, Sendable {
        case count
        case sum(GroupKey), average(GroupKey), min(GroupKey), max(GroupKey), countDistinct(GroupKey)
        /// In memory only, and in SQLite through `results`.
        case distinct(GroupKey), median(GroupKey)
        /// In the order of the rows; in memory only.
        case first(GroupKey), last(GroupKey)
        /// Swift code; in memory only.
        case custom(CustomReduction)
    }

    package var operation: Operation
    /// A custom name for the result's field; nil for `count`, `sum_<path>` ….
    ///
    /// A value computed from a term needs one.
    public var alias: String?

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
    public static func sum(_ path: FieldPath) -> Reducer { Reducer(.sum(GroupKey(path))) }

    /// The mean of a path's numbers, as `avg_<path>`; nil for none.
    ///
    ///     try Query(limit: 1).grouped(computing: [.average("population")]).results(in: cities)
    ///     // → [{"avg_population":2427255.25}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func average(_ path: FieldPath) -> Reducer { Reducer(.average(GroupKey(path))) }

    /// The least value of a path, as `min_<path>`; nil for none.
    ///
    ///     try Query().grouped(computing: [.min("name")]).results(in: cities)  // → [{"min_name":"Boston"}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func min(_ path: FieldPath) -> Reducer { Reducer(.min(GroupKey(path))) }

    /// The greatest value of a path, as `max_<path>`; nil for none.
    ///
    ///     try Query().grouped(computing: [.max("name")]).results(in: cities)  // → [{"max_name":"Worcester"}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func max(_ path: FieldPath) -> Reducer { Reducer(.max(GroupKey(path))) }

    /// The number of different values of a path, as `countDistinct_<path>`; nil is not counted.
    ///
    ///     try Query().grouped(computing: [.countDistinct("state")]).results(in: cities)  // → [{"countDistinct_state":2}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func countDistinct(_ path: FieldPath) -> Reducer { Reducer(.countDistinct(GroupKey(path))) }

    /// The different values of a path in the order of S22, as `distinct_<path>`; nil is none of them.
    ///
    /// It is computed in memory, also over a table of SQLite; `sql`, `mongo` and `rest` throw `unsupported`.
    ///
    ///     try Query().grouped(computing: [.distinct("state")]).results(in: cities)  // → [{"distinct_state":["MA","NY"]}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func distinct(_ path: FieldPath) -> Reducer { Reducer(.distinct(GroupKey(path))) }

    /// The number in the middle of a path's numbers, or the mean of the two there, as `median_<path>`; nil for none.
    ///
    /// It is computed in memory, also over a table of SQLite; `sql`, `mongo` and `rest` throw `unsupported`.
    ///
    ///     try Query(format: "state == 'MA'").grouped(computing: [.median("population")]).results(in: cities)
    ///     // → [{"median_population":206518.0}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func median(_ path: FieldPath) -> Reducer { Reducer(.median(GroupKey(path))) }

    /// The first value of a path that is not nil, in the order of the rows, as `first_<path>`; nil for none.
    ///
    /// Only rows in memory and in files have an order; stores throw `unsupported`.
    ///
    ///     try Query().grouped(by: "state", computing: [.first("name")]).results(in: cities)
    ///     // → [{"state":"MA","first_name":"Boston"}, {"state":"NY","first_name":"New York"}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func first(_ path: FieldPath) -> Reducer { Reducer(.first(GroupKey(path))) }

    /// The last value of a path that is not nil, in the order of the rows, as `last_<path>`; nil for none.
    ///
    /// Only rows in memory and in files have an order; stores throw `unsupported`.
    ///
    ///     try Query(format: "state == 'MA'").grouped(computing: [.last("name")]).results(in: cities)
    ///     // → [{"last_name":"Salem"}]
    ///
    /// - Parameter path: in property names.
    /// - Returns: the reducer.
    public static func last(_ path: FieldPath) -> Reducer { Reducer(.last(GroupKey(path))) }

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

    /// What it reads of each row; nil for `count` and Swift code.
    package var value: GroupKey? {
        switch operation {
        case .count, .custom: nil
        case .sum(let value), .average(let value), .min(let value), .max(let value), .countDistinct(let value),
            .distinct(let value), .median(let value), .first(let value), .last(let value):
            value
        }
    }

    /// The path it reads; nil also for a term.
    package var path: FieldPath? { value?.path }

    /// The name of the result's field; empty for a value of a term without ``alias`` (S23).
    package var name: String {
        if let alias { return alias }
        if case .custom(let reduction) = operation { return reduction.name }
        guard let value else { return kind.rawValue }
        return value.path.map { kind.rawValue + "_" + Grouping.name(of: $0) } ?? ""
    }
}

/// A reduction in Swift code; two are equal if their names and initial values are.
package struct CustomReduction: Hashable, Sendable {
    /// The field's name.
    package var name: String
    /// The value of a group without rows.
    package var initial: QueryValue
    /// Computes the next value from the current value and a row.
    package var combine: @Sendable (QueryValue, Document) throws(QueryError) -> QueryValue

    package init(
        name: String,
        initial: QueryValue,
        combine: @escaping @Sendable (QueryValue, Document) throws(QueryError) -> QueryValue
    ) {
        (self.name, self.initial, self.combine) = (name, initial, combine)
    }

    package static func == (left: CustomReduction, right: CustomReduction) -> Bool {
        left.name.hasSameUTF8(as: right.name) && left.initial == right.initial
    }

    package func hash(into hasher: inout Hasher) {
        name.hashUTF8(into: &hasher)
        hasher.combine(initial)
    }
}

/// Values computed from a term of each row, which need a name.
extension Reducer {
    /// The sum of the numbers of a term over the rows.
    ///
    ///     let thousands = Reducer.sum(Field("population") / 1_000).as("thousands")
    ///     try Query().grouped(computing: [thousands]).results(in: cities)  // → [{"thousands":9707}]
    ///
    /// - Parameter field: what is read of each row.
    /// - Returns: the reducer; name it by ``as(_:)``.
    public static func sum(_ field: Field) -> Reducer { Reducer(.sum(field.value)) }

    /// The mean of the numbers of a term over the rows.
    ///
    ///     try Query().grouped(computing: [.average(Field("name").length).as("letters")]).results(in: cities)  // → [{"letters":7.0}]
    ///
    /// - Parameter field: what is read of each row.
    /// - Returns: the reducer; name it by ``as(_:)``.
    public static func average(_ field: Field) -> Reducer { Reducer(.average(field.value)) }

    /// The least of the values of a term over the rows.
    ///
    ///     try Query().grouped(computing: [.min(Field("name").length).as("letters")]).results(in: cities)  // → [{"letters":5}]
    ///
    /// - Parameter field: what is read of each row.
    /// - Returns: the reducer; name it by ``as(_:)``.
    public static func min(_ field: Field) -> Reducer { Reducer(.min(field.value)) }

    /// The greatest of the values of a term over the rows.
    ///
    ///     let letters = Reducer.max(Field("name").length).as("letters")
    ///     try Query().grouped(computing: [letters]).results(in: cities)  // → [{"letters":9}]
    ///
    /// - Parameter field: what is read of each row.
    /// - Returns: the reducer; name it by ``as(_:)``.
    public static func max(_ field: Field) -> Reducer { Reducer(.max(field.value)) }

    /// The number of different values of a term over the rows.
    ///
    ///     try Query().grouped(computing: [.countDistinct(Field("name").length).as("lengths")]).results(in: cities)  // → [{"lengths":4}]
    ///
    /// - Parameter field: what is read of each row.
    /// - Returns: the reducer; name it by ``as(_:)``.
    public static func countDistinct(_ field: Field) -> Reducer { Reducer(.countDistinct(field.value)) }

    /// The number in the middle of the numbers of a term over the rows.
    ///
    ///     try Query().grouped(computing: [.median(Field("name").length).as("letters")]).results(in: cities)  // → [{"letters":7.0}]
    ///
    /// - Parameter field: what is read of each row.
    /// - Returns: the reducer; name it by ``as(_:)``.
    public static func median(_ field: Field) -> Reducer { Reducer(.median(field.value)) }
}

extension Field {
    fileprivate var value: GroupKey { GroupKey(queryTerm, as: nil) }
}

extension Reducer {
    /// What a reducer computes, by its name in data, in texts and in the names of results.
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case count, sum
        case average = "avg"
        case min, max, countDistinct, distinct, median, first, last, custom

        /// The names that a text or data may have: all but Swift code.
        package static let named = allCases.filter { $0 != .custom }

        /// The operation of the kind; nil where a value is missing or superfluous, and for Swift code.
        ///
        ///     Reducer.Kind.average.operation("age") == .average("age")  // → true
        ///     Reducer.Kind.count.operation("age") == nil  // → true
        package func operation(_ value: GroupKey?) -> Operation? {
            switch (self, value) {
            case (.count, nil): .count
            case (.sum, let value?): .sum(value)
            case (.average, let value?): .average(value)
            case (.min, let value?): .min(value)
            case (.max, let value?): .max(value)
            case (.countDistinct, let value?): .countDistinct(value)
            case (.distinct, let value?): .distinct(value)
            case (.median, let value?): .median(value)
            case (.first, let value?): .first(value)
            case (.last, let value?): .last(value)
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
}
