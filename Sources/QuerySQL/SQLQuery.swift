import QueryTree
import QueryValues

/// A statement with its values apart.
///
///     let statement = try query.sql(.sqlite, from: "cities")
///     statement.sql  // → SELECT "cities".* FROM "cities" WHERE "cities"."state" = ? …
///     statement.bindings  // → ["MA", 100000]
public struct SQLQuery: Hashable, Sendable {
    /// The statement, with a `?` for each binding.
    public var sql: String
    /// The values of the `?` in their order; null, int, double, string or data.
    public var bindings: [QueryValue]
    /// The condition alone, to use in a statement of one's own; `1` when every row is meant.
    public var `where`: String
    /// The values of the `?` in `where`.
    public var whereBindings: [QueryValue]
    /// The functions that the store must have besides its own.
    public var functions: [SQLFunction]
    /// What was taken for granted because no schema said it (S11).
    public var assumptions: [Assumption]
}

/// A function that a statement needs and the store does not have of itself.
///
///     let statement = try Query(format: "name BEGINSWITH[c] 'bo'").sql(.sqlite, from: "cities")
///     statement.functions.map(\.name)  // → ["fold"]
public struct SQLFunction: Hashable, Sendable {
    /// Its name in SQL.
    public var name: String
    /// How many arguments it takes.
    public var arguments: Int

    /// A function by its name.
    ///
    ///     SQLFunction(name: "fold", arguments: 2).name  // → fold
    ///
    /// - Parameters:
    ///   - name: its name in SQL.
    ///   - arguments: how many arguments it takes.
    public init(name: String, arguments: Int) {
        self.name = name
        self.arguments = arguments
    }
}
