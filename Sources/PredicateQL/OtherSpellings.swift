import QueryTree
import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What people type who come from NSPredicate and other query builders: the compiler says what to type here.

extension Condition {
    /// The spelling of NSPredicate.
    @available(*, unavailable, message: "write Query(condition).matches(row)")
    public func evaluate(with row: Any?) -> Bool { false }
}

extension Query {
    /// The spelling of NSPredicate.
    @available(*, unavailable, renamed: "matches(_:)")
    public func evaluate(with row: Any?) -> Bool { false }

    /// The spelling of other query builders.
    @available(*, unavailable, renamed: "init(_:)")
    public init(where condition: Condition) { self.init(condition) }

    /// The spelling of SwiftData.
    @available(*, unavailable, message: "write Query(Condition(predicate, names: …)); a Queryable type needs no names")
    public init<Root>(_ predicate: Predicate<Root>) { self.init() }

    /// The spelling of SwiftData.
    @available(*, unavailable, renamed: "init(format:)")
    public init(predicate text: String) { self.init() }

    /// The spelling of other query builders.
    @available(*, unavailable, message: "write order: [.descending(\"age\")] in the initializer, or set order")
    public func sorted(by path: FieldPath, ascending: Bool = true) -> Query { self }

    /// The spelling of other query builders.
    @available(*, unavailable, message: "write limit: 10 in the initializer, or set limit")
    public func limit(_ number: Int) -> Query { self }

    /// The spelling of other query builders.
    @available(*, unavailable, renamed: "results(in:)")
    public func filter<Rows>(_ rows: Rows) -> Rows { rows }

    /// Rows of untyped dictionaries.
    @available(*, unavailable, message: "write results(in: rows.map { try Document(any: $0) })")
    public func results(in rows: [[String: Any]]) -> [[String: Any]] { rows }

    /// Groups without values.
    @available(*, unavailable, message: "say what to compute: grouped(by: \"state\", computing: [.count])")
    public func grouped(by keys: GroupKey...) -> Grouping { grouped(by: keys, computing: []) }

    /// Groups without values.
    @available(*, unavailable, message: "say what to compute: grouped(by: [\"state\"], computing: [.count])")
    public func grouped(by keys: [GroupKey]) -> Grouping { grouped(by: keys, computing: []) }

    /// Groups by paths.
    @_disfavoredOverload
    @available(*, unavailable, message: "write grouped(by: paths.map { GroupKey($0) }, computing: [.count])")
    public func grouped(by paths: [FieldPath], computing reducers: [Reducer] = []) -> Grouping {
        grouped(by: [], computing: reducers)
    }
}

extension Sequence {
    /// The spelling of other query builders.
    @available(*, unavailable, message: "write Query(condition).results(in: rows)")
    public func filter(_ condition: Condition) -> [Element] { [] }
}

extension Document {
    /// The spelling of other JSON libraries.
    @available(*, unavailable, message: "write [Document](json: text)")
    public static func list(json: String) -> [Document] { [] }
}

/// A comparison of a key path.
@available(*, unavailable, message: "write Field(\"age\") == 21, or Condition(#Predicate<Person> { $0.age == 21 })")
public func == <Root, Value>(path: KeyPath<Root, Value>, value: Value) -> Condition { .constant(false) }
/// A comparison of a key path.
@available(*, unavailable, message: "write Field(\"age\") > 21, or Condition(#Predicate<Person> { $0.age > 21 })")
public func > <Root, Value>(path: KeyPath<Root, Value>, value: Value) -> Condition { .constant(false) }
/// A comparison of a key path.
@available(*, unavailable, message: "write Field(\"age\") >= 21, or Condition(#Predicate<Person> { $0.age >= 21 })")
public func >= <Root, Value>(path: KeyPath<Root, Value>, value: Value) -> Condition { .constant(false) }
/// A comparison of a key path.
@available(*, unavailable, message: "write Field(\"age\") < 21, or Condition(#Predicate<Person> { $0.age < 21 })")
public func < <Root, Value>(path: KeyPath<Root, Value>, value: Value) -> Condition { .constant(false) }
/// A comparison of a key path.
@available(*, unavailable, message: "write Field(\"age\") <= 21, or Condition(#Predicate<Person> { $0.age <= 21 })")
public func <= <Root, Value>(path: KeyPath<Root, Value>, value: Value) -> Condition { .constant(false) }
