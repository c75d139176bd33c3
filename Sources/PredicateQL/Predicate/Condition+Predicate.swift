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
    /// A path of several steps takes its name as a whole (`\Person.home.city`) where it has one, else step by step.
    /// Text is compared by its bytes (S4), dates by milliseconds (S5). Where Foundation would throw or trap (`nil!`, an
    /// index out of range, an overflow), the rules of this library hold instead. All else keeps Foundation's meaning or
    /// is refused: `String.count` (characters, not scalars), casts, regular expressions, localized comparisons, division
    /// by a floating-point number that may be 0, and types whose order or equality is their own.
    ///
    /// O(size of the expression).
    ///
    /// - Parameters:
    ///   - predicate: a predicate over one value.
    ///   - names: the fields that the key paths stand for.
    ///   - limits: bounds on what the condition may ask for.
    /// - Throws: `QueryError` of code `unsupported` that names the part which cannot be kept, of code `unknownField` for
    ///   a key path without a name, and of code `limit`.
    public init<Root>(
        _ predicate: Predicate<Root>,
        names: [AnyKeyPath: FieldPath],
        limits: Limits = .default
    ) throws(QueryError) {
        // The height is not known before the expression is walked.
        self = try StackRoom.onLargeStack { () throws(QueryError) in
            var reader = PredicateReader(names: names, limits: limits)
            reader.bind(predicate.variable.key, to: .term(.field(.itself, .none)))
            return try reader.condition(predicate.expression).reparsed(limits)
        }
    }
}
