import QuerySQL
import QueryTree
import QueryValues

// The spellings of version 0.1, before `SQLTable`.

extension Query {
    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …, primaryKey: …)")
    public func sql(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        storage: SQLStorage,
        primaryKey: String? = nil,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try sql(dialect, from: SQLTable(table, storage: storage, primaryKey: primaryKey), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …, primaryKey: …)")
    public func sql(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        primaryKey: String?,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try sql(dialect, from: SQLTable(table, primaryKey: primaryKey), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …, primaryKey: …)")
    public func sqlCount(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        storage: SQLStorage,
        primaryKey: String? = nil,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try sqlCount(dialect, from: SQLTable(table, storage: storage, primaryKey: primaryKey), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …, primaryKey: …)")
    public func sqlCount(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        primaryKey: String?,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try sqlCount(dialect, from: SQLTable(table, primaryKey: primaryKey), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …, primaryKey: …)")
    public func sqlExists(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        storage: SQLStorage,
        primaryKey: String? = nil,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try sqlExists(dialect, from: SQLTable(table, storage: storage, primaryKey: primaryKey), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …, primaryKey: …)")
    public func sqlExists(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        primaryKey: String?,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try sqlExists(dialect, from: SQLTable(table, primaryKey: primaryKey), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …, primaryKey: …)")
    public func sqlDelete(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        storage: SQLStorage,
        primaryKey: String? = nil,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try sqlDelete(dialect, from: SQLTable(table, storage: storage, primaryKey: primaryKey), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …, primaryKey: …)")
    public func sqlDelete(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        primaryKey: String?,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try sqlDelete(dialect, from: SQLTable(table, primaryKey: primaryKey), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …, primaryKey: …)")
    public func suggestedIndexes(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        storage: SQLStorage,
        primaryKey: String? = nil,
        now: Int64? = nil
    ) throws(QueryError) -> [String] {
        try suggestedIndexes(dialect, from: SQLTable(table, storage: storage, primaryKey: primaryKey), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …, primaryKey: …)")
    public func suggestedIndexes(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        primaryKey: String?,
        now: Int64? = nil
    ) throws(QueryError) -> [String] {
        try suggestedIndexes(dialect, from: SQLTable(table, primaryKey: primaryKey), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …, primaryKey: …)")
    public func split(
        for dialect: SQLDialect,
        from table: String = "t",
        storage: SQLStorage,
        primaryKey: String? = nil,
        now: Int64? = nil
    ) throws(QueryError) -> QuerySplit {
        try split(for: dialect, from: SQLTable(table, storage: storage, primaryKey: primaryKey), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …, primaryKey: …)")
    public func split(
        for dialect: SQLDialect,
        from table: String = "t",
        primaryKey: String?,
        now: Int64? = nil
    ) throws(QueryError) -> QuerySplit {
        try split(for: dialect, from: SQLTable(table, primaryKey: primaryKey), now: now)
    }
}

extension Grouping {
    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …, primaryKey: …)")
    public func sql(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        storage: SQLStorage,
        primaryKey: String? = nil,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try sql(dialect, from: SQLTable(table, storage: storage, primaryKey: primaryKey), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …, primaryKey: …)")
    public func sql(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        primaryKey: String?,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try sql(dialect, from: SQLTable(table, primaryKey: primaryKey), now: now)
    }
}
