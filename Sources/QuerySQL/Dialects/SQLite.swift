extension SQLDialect {
    /// SQLite 3.38 or later, with its built-in JSON functions.
    ///
    ///     try Query(format: "age > 21").sql(.sqlite, from: "people").bindings  // → [21]
    ///
    /// The limits are those of a default build: 32,766 variables and, before 3.46, a parser stack of 100 symbols.
    public static let sqlite = SQLDialect()
}
