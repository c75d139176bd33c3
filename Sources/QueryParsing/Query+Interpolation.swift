import QueryTree
import QueryValues

extension Query {
    /// Parses a query whose values are interpolated, or passed for its placeholders; values never become part of the
    /// text.
    ///
    ///     let state = "MA' OR TRUEPREDICATE"
    ///     try Query(format: "state == \(state) AND population >= \(50_000)", order: ["name"])
    ///     // → state == "MA' OR TRUEPREDICATE" AND population >= 50000
    ///     try Query(format: "state == %@ AND population >= 50000", "MA", limit: 20).count(in: cities)  // → 2
    ///     try Query(format: "\(key: "city") == \("Boston")")  // → city == "Boston"
    ///     try Query(format: "state == '\(state)'")  // throws argument
    ///
    /// For text built at run time use ``init(parsing:arguments:order:skip:limit:fields:computed:nilMeaning:schema:limits:)``.
    ///
    /// - Parameters:
    ///   - format: the condition's text, a literal; interpolate values as `\(value)` and paths as `\(key: path)`.
    ///   - arguments: the values for `%@`, `%K` and the printf family, in order (S24); nil is null.
    ///   - order: the order, first key first.
    ///   - skip: rows to skip, not negative.
    ///   - limit: the maximum number of rows, not negative.
    ///   - fields: the fields of the results, nil for whole rows.
    ///   - computed: values computed for each row, after its fields.
    ///   - nilMeaning: what `== nil` tests for (S8).
    ///   - schema: names and kinds to check against.
    ///   - limits: bounds on the text.
    /// - Throws: `QueryError` as ``init(parsing:arguments:order:skip:limit:fields:computed:nilMeaning:schema:limits:)`` does, and of
    ///   code `argument` for a value in quotes.
    public init(
        format: QueryFormat,
        _ arguments: (any QueryValueConvertible)?...,
        order: [SortKey] = [],
        skip: Int? = nil,
        limit: Int? = nil,
        fields: [FieldPath]? = nil,
        computed: [ComputedField] = [],
        nilMeaning: NilMeaning = .nullOrAbsent,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        try self.init(
            format: format,
            arguments: arguments.map { $0?.queryValue ?? .null },
            order: order,
            skip: skip,
            limit: limit,
            fields: fields,
            computed: computed,
            nilMeaning: nilMeaning,
            schema: schema,
            limits: limits
        )
    }

    /// Parses a query with its arguments in an array.
    ///
    ///     try Query(format: "%K == %@", arguments: ["name", "Ann"])  // → name == "Ann"
    ///
    /// - Parameters:
    ///   - format: the condition's text, a literal.
    ///   - arguments: the values for `%@`, `%K` and the printf family, in order (S24).
    ///   - order: the order, first key first.
    ///   - skip: rows to skip, not negative.
    ///   - limit: the maximum number of rows, not negative.
    ///   - fields: the fields of the results, nil for whole rows.
    ///   - computed: values computed for each row, after its fields.
    ///   - nilMeaning: what `== nil` tests for (S8).
    ///   - schema: names and kinds to check against.
    ///   - limits: bounds on the text.
    /// - Throws: `QueryError` as ``init(parsing:arguments:order:skip:limit:fields:computed:nilMeaning:schema:limits:)`` does.
    public init(
        format: QueryFormat,
        arguments: [QueryValue],
        order: [SortKey] = [],
        skip: Int? = nil,
        limit: Int? = nil,
        fields: [FieldPath]? = nil,
        computed: [ComputedField] = [],
        nilMeaning: NilMeaning = .nullOrAbsent,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        try self.init(
            parsing: format.text,
            arguments: format.values(arguments),
            order: order,
            skip: skip,
            limit: limit,
            fields: fields,
            computed: computed,
            nilMeaning: nilMeaning,
            schema: schema,
            limits: limits
        )
    }

    /// The shortest spelling of `init(format:_:order:skip:limit:fields:computed:nilMeaning:schema:limits:)`.
    ///
    ///     let name = "x' OR TRUEPREDICATE"
    ///     try Query("age > \(21) AND name BEGINSWITH[c] \(name)")
    ///     // → age > 21 AND name BEGINSWITH[c] "x' OR TRUEPREDICATE"
    ///
    /// - Parameters:
    ///   - format: the condition's text with interpolated values.
    ///   - order: the order, first key first.
    ///   - skip: rows to skip, not negative.
    ///   - limit: the maximum number of rows, not negative.
    ///   - fields: the fields of the results, nil for whole rows.
    ///   - computed: values computed for each row, after its fields.
    ///   - nilMeaning: what `== nil` tests for (S8).
    ///   - schema: names and kinds to check against.
    ///   - limits: bounds on the text.
    /// - Throws: `QueryError` as `init(format:_:order:skip:limit:fields:computed:nilMeaning:schema:limits:)` does.
    public init(
        _ format: QueryFormat,
        order: [SortKey] = [],
        skip: Int? = nil,
        limit: Int? = nil,
        fields: [FieldPath]? = nil,
        computed: [ComputedField] = [],
        nilMeaning: NilMeaning = .nullOrAbsent,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        try self.init(
            format: format,
            arguments: [],
            order: order,
            skip: skip,
            limit: limit,
            fields: fields,
            computed: computed,
            nilMeaning: nilMeaning,
            schema: schema,
            limits: limits
        )
    }
}

extension Condition {
    /// Parses a condition whose values are interpolated, or passed for its placeholders; values never become part of
    /// the text.
    ///
    ///     let name = "Jo"
    ///     try Condition(format: "age > \(21) AND name == \(name)")  // → age > 21 AND name == "Jo"
    ///     try Condition(format: "age > %@ AND name BEGINSWITH[cd] %@", 21, "jo")
    ///     // → age > 21 AND name BEGINSWITH[cd] "jo"
    ///     try Condition(format: "name == '\(name)'")  // throws argument
    ///
    /// - Parameters:
    ///   - format: the text, a literal; interpolate values as `\(value)` and paths as `\(key: path)`.
    ///   - arguments: the values for `%@`, `%K` and the printf family, in order (S24).
    ///   - schema: names and kinds to check against.
    ///   - limits: bounds on the text.
    /// - Throws: `QueryError` as ``init(parsing:arguments:schema:limits:)`` does, and of code `argument` for a value in
    ///   quotes.
    public init(
        format: QueryFormat,
        _ arguments: (any QueryValueConvertible)?...,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        try self.init(
            format: format,
            arguments: arguments.map { $0?.queryValue ?? .null },
            schema: schema,
            limits: limits
        )
    }

    /// Parses a condition with its arguments in an array.
    ///
    ///     try Condition(format: "%K == %@", arguments: ["name", "Ann"])  // → name == "Ann"
    ///
    /// - Parameters:
    ///   - format: the text, a literal.
    ///   - arguments: the values for `%@`, `%K` and the printf family, in order (S24).
    ///   - schema: names and kinds to check against.
    ///   - limits: bounds on the text.
    /// - Throws: `QueryError` as ``init(parsing:arguments:schema:limits:)`` does.
    public init(
        format: QueryFormat,
        arguments: [QueryValue],
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        try self.init(parsing: format.text, arguments: format.values(arguments), schema: schema, limits: limits)
    }

    /// The shortest spelling of `init(format:arguments:schema:limits:)`.
    ///
    ///     let age = 21
    ///     try Condition("age > \(age) AND name == \("Ann")")  // → age > 21 AND name == "Ann"
    ///
    /// - Parameters:
    ///   - format: the text with interpolated values.
    ///   - schema: names and kinds to check against.
    ///   - limits: bounds on the text.
    /// - Throws: `QueryError` as `init(format:arguments:schema:limits:)` does.
    public init(_ format: QueryFormat, schema: Schema? = nil, limits: Limits = .default) throws(QueryError) {
        try self.init(format: format, schema: schema, limits: limits)
    }
}
