import QueryTree
import QueryValues

/// A statement with separate bindings.
///
///     let statement = try query.sql(.sqlite, from: "cities")
///     statement.sql  // → SELECT "cities".* FROM "cities" WHERE "cities"."state" = ? …
///     statement.bindings  // → ["MA", 100000]
public struct SQLQuery: Hashable, Sendable {
    /// The statement, with a `?` for each binding.
    public var sql: String
    /// The values of the `?` in order; null, int, double, string or data.
    public var bindings: [QueryValue]
    /// The condition alone, for use in another statement; `1` if it holds for every row.
    public var `where`: String
    /// The values of the `?` in `where`.
    public var whereBindings: [QueryValue]
    /// The functions that the store must provide besides its own.
    public var functions: [SQLFunction]
    /// The assumptions about what no schema declares.
    public var assumptions: [Assumption]  // S11
}

/// A function that a statement needs and the store does not provide.
///
///     let statement = try Query(format: "name BEGINSWITH[c] 'bo'").sql(.sqlite, from: "cities")
///     statement.functions.map(\.name)  // → ["fold"]
public struct SQLFunction: Hashable, Sendable {
    /// Its name in SQL.
    public var name: String
    /// The number of arguments.
    public var arguments: Int
}
