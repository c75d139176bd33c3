import QueryEvaluation
import QueryParsing
import QueryTree
import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Condition {
    /// Reads a Foundation `#Predicate`.
    ///
    ///     let adults = #Predicate<Person> { $0.age >= 18 && $0.city == "Boston" }
    ///     let names: [AnyKeyPath: FieldPath] = [\Person.age: "age", \Person.city: "city"]
    ///     try Condition(adults, names: names)  // → age >= 18 AND city == "Boston"
    ///
    /// A path of several steps uses the name of the whole path (`\Person.home.city`) if it has one, else those of its
    /// steps. Text is compared by its bytes (S4), dates by milliseconds (S5). Where Foundation would throw or trap
    /// (`nil!`, an index out of range, an overflow), the rules of this library apply instead. Everything else keeps
    /// Foundation's meaning or is rejected: `String.count` (characters, not scalars), casts, regular expressions,
    /// localized comparisons, division by a floating-point number that may be 0, and types with their own order or
    /// equality.
    ///
    /// O(size of the expression).
    ///
    /// - Parameters:
    ///   - predicate: a predicate over one value.
    ///   - names: the field names of the key paths.
    ///   - limits: bounds on the condition.
    /// - Throws: `QueryError` of code `unsupported` that names the part that cannot be converted, of code
    ///   `unknownField` for a key path without a name, and of code `limit`.
    public init<Root>(
        _ predicate: Predicate<Root>,
        names: [AnyKeyPath: FieldPath],
        limits: Limits = .default
    ) throws(QueryError) {
        // The height is unknown until the expression is walked.
        self = try StackRoom.onLargeStack { () throws(QueryError) in
            var reader = PredicateReader(names: names, limits: limits)
            reader.bind(predicate.variable.key, to: .term(.field(.itself, .none)))
            return try reader.condition(predicate.expression).reparsed(limits)
        }
    }

    /// Reads a Foundation `#Predicate` over a type that names its own fields.
    ///
    ///     let adults = #Predicate<Person> { $0.age >= 18 }
    ///     try Condition(adults)  // → age >= 18
    ///
    /// - Parameters:
    ///   - predicate: a predicate over one value.
    ///   - limits: bounds on the condition.
    /// - Throws: as ``init(_:names:limits:)``; `unknownField` for a property that is no field of the type.
    public init<Root: Queryable>(_ predicate: Predicate<Root>, limits: Limits = .default) throws(QueryError) {
        try self.init(predicate, names: Root.propertyNames, limits: limits)
    }
}
