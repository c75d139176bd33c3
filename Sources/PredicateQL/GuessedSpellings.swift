import QueryEvaluation
import QueryParsing
import QuerySQL
import QueryTree
import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What people guess who have not read the documentation: the compiler says what to type here.

extension Query {
    /// Text that is no literal.
    @_disfavoredOverload
    @available(*, unavailable, message: "`format:` takes a literal; otherwise write Query(parsing: text)")
    public init(
        format text: String,
        _ arguments: (any QueryValueConvertible)?...,
        arguments list: [QueryValue] = [],
        order: [SortKey] = [],
        skip: Int? = nil,
        limit: Int? = nil,
        fields: [FieldPath]? = nil,
        schema: Schema? = nil
    ) throws(QueryError) {
        self.init()
    }

    /// Text that is no literal.
    @_disfavoredOverload
    @available(*, unavailable, message: "for text made at run time write Query(parsing: text)")
    public init(
        _ text: String,
        order: [SortKey] = [],
        skip: Int? = nil,
        limit: Int? = nil,
        fields: [FieldPath]? = nil,
        schema: Schema? = nil
    ) throws(QueryError) {
        self.init()
    }

    /// Arguments of other types.
    @_disfavoredOverload
    @available(*, unavailable, message: "write QueryValue(any: argument); nil for NSNull")
    public init(
        format: QueryFormat,
        _ arguments: Any?...,
        order: [SortKey] = [],
        skip: Int? = nil,
        limit: Int? = nil,
        fields: [FieldPath]? = nil,
        schema: Schema? = nil
    ) throws(QueryError) {
        self.init()
    }

    /// The spelling of NSPredicate.
    @available(*, unavailable, message: "write arguments: [QueryValue(any: argument)]")
    public init(format: QueryFormat, argumentArray: [Any]?) throws(QueryError) { self.init() }

    /// Rows in other collections.
    @_disfavoredOverload
    @available(*, unavailable, message: "write results(in: Array(rows))")
    public func results<Rows: Sequence>(in rows: Rows) throws(QueryError) -> [Rows.Element] { [] }

    /// Rows in other collections.
    @_disfavoredOverload
    @available(*, unavailable, message: "write count(in: Array(rows))")
    public func count<Rows: Sequence>(in rows: Rows) throws(QueryError) -> Int { 0 }

    /// Rows in other collections.
    @_disfavoredOverload
    @available(*, unavailable, message: "write first(in: Array(rows))")
    public func first<Rows: Sequence>(in rows: Rows) throws(QueryError) -> Rows.Element? { nil }

    /// A text of JSON.
    @_disfavoredOverload
    @available(*, unavailable, message: "write results(in: JSONRows(data))")
    public func results(in data: Data) throws(QueryError) -> [Document] { [] }

    /// A text of JSON.
    @_disfavoredOverload
    @available(*, unavailable, message: "write count(in: JSONRows(data))")
    public func count(in data: Data) throws(QueryError) -> Int { 0 }

    /// The spelling of SQL.
    @available(*, unavailable, message: "write skip: 20 in the initializer, or set skip")
    public func offset(_ number: Int) -> Query { self }

    /// The spelling of SQL.
    @available(*, unavailable, message: "write grouped(by: [\"state\"], computing: [])")
    public func distinct(_ keys: FieldPath...) -> Query { self }

    /// A key path as a key.
    @available(*, unavailable, message: "write its name: grouped(by: \"state\", computing: [.count])")
    public func grouped<Root, Value>(by key: KeyPath<Root, Value>, computing reducers: [Reducer] = []) -> Grouping {
        grouped(by: [], computing: reducers)
    }

    /// The question of databases.
    @available(*, unavailable, message: "write first(in: rows) != nil")
    public func exists<Rows>(in rows: Rows) throws(QueryError) -> Bool { false }

    /// A logical operator between queries.
    @available(*, unavailable, message: "write Query(first.condition && second.condition)")
    public static func && (left: Query, right: Query) -> Query { left }

    /// A logical operator between queries.
    @available(*, unavailable, message: "write Query(first.condition || second.condition)")
    public static func || (left: Query, right: Query) -> Query { left }

    /// A logical operator on a query.
    @available(*, unavailable, message: "write Query(!query.condition)")
    public static prefix func ! (query: Query) -> Query { query }
}

extension Condition {
    /// Text that is no literal.
    @_disfavoredOverload
    @available(*, unavailable, message: "`format:` takes a literal; otherwise write Condition(parsing: text)")
    public init(format text: String, _ arguments: (any QueryValueConvertible)?..., schema: Schema? = nil)
        throws(QueryError)
    {
        self = .constant(false)
    }

    /// Text that is no literal.
    @_disfavoredOverload
    @available(*, unavailable, message: "for text made at run time write Condition(parsing: text)")
    public init(_ text: String, schema: Schema? = nil) throws(QueryError) { self = .constant(false) }

    /// Arguments of other types.
    @_disfavoredOverload
    @available(*, unavailable, message: "write QueryValue(any: argument); nil for NSNull")
    public init(format: QueryFormat, _ arguments: Any?..., schema: Schema? = nil) throws(QueryError) {
        self = .constant(false)
    }

    /// The question of a query.
    @available(*, unavailable, message: "write Query(condition).matches(row)")
    public func matches<Row>(_ row: Row) -> Bool { false }

    /// A constant.
    @available(*, unavailable, message: "write .constant(true)")
    public static var `true`: Condition { .constant(true) }

    /// A constant.
    @available(*, unavailable, message: "write .constant(false)")
    public static var `false`: Condition { .constant(false) }
}

extension Sequence {
    /// The spelling of other query builders.
    @available(*, unavailable, message: "write query.results(in: rows)")
    public func filter(_ query: Query) -> [Element] { [] }
}

extension FieldComparing {
    /// The spelling of other query builders.
    @available(*, unavailable, renamed: "hasPrefix(_:_:)")
    public func beginsWith(_ prefix: String, _ options: StringOptions = []) -> Condition { .constant(false) }

    /// The spelling of other query builders.
    @available(*, unavailable, renamed: "hasPrefix(_:_:)")
    public func startsWith(_ prefix: String, _ options: StringOptions = []) -> Condition { .constant(false) }

    /// The spelling of other query builders.
    @available(*, unavailable, renamed: "hasSuffix(_:_:)")
    public func endsWith(_ suffix: String, _ options: StringOptions = []) -> Condition { .constant(false) }

    /// The spelling of other query builders.
    @available(*, unavailable, message: "write isBetween(low, and: high)")
    public func between<Low, High>(_ low: Low, _ high: High) -> Condition { .constant(false) }

    /// The spelling of other query builders.
    @available(*, unavailable, message: "write isBetween(low, and: high)")
    public func between<Low, High>(_ low: Low, and high: High) -> Condition { .constant(false) }

    /// The spelling of other query builders.
    @available(*, unavailable, renamed: "isBetween(_:)")
    public func between<Bound>(_ range: ClosedRange<Bound>) -> Condition { .constant(false) }

    /// The spelling of other query builders.
    @available(*, unavailable, renamed: "in(_:_:)")
    public func isIn<Values>(_ values: Values) -> Condition { .constant(false) }

    /// The spelling of other query builders.
    @available(*, unavailable, message: "write !field.in(values)")
    public func notIn<Values>(_ values: Values) -> Condition { .constant(false) }

    /// A range in place of a list.
    @available(*, unavailable, message: "write isBetween(1...5)")
    public func `in`<Bound>(_ range: ClosedRange<Bound>) -> Condition { .constant(false) }

    /// A range in place of a list.
    @available(*, unavailable, message: "write field >= low && field < high")
    public func `in`<Bound>(_ range: Range<Bound>) -> Condition { .constant(false) }

    /// The spelling of other query builders.
    @available(*, unavailable, message: "write field == \"\" for a text, field.count == 0 for a list")
    public var isEmpty: Condition { .constant(false) }

    /// The spelling of other query builders.
    @available(*, unavailable, message: "write field == nil")
    public var isNil: Condition { .constant(false) }

    /// The spelling of other query builders.
    @available(*, unavailable, message: "write field == nil")
    public var isNull: Condition { .constant(false) }
}

extension Field {
    /// A key path as a field.
    @available(*, unavailable, message: "write its name: Field(\"population\")")
    public init<Root, Value>(_ path: KeyPath<Root, Value>) { self.init(FieldPath.itself) }
}

extension Reducer {
    /// The spelling of SQL.
    @available(*, unavailable, renamed: "average(_:)")
    public static func avg(_ path: FieldPath) -> Reducer { .count }
}

extension SQLDialect {
    /// Another spelling.
    @available(*, unavailable, renamed: "postgresql")
    public static var postgres: SQLDialect { .sqlite }

    /// Another spelling.
    @available(*, unavailable, renamed: "postgresql")
    public static var postgreSQL: SQLDialect { .sqlite }

    /// Another spelling.
    @available(*, unavailable, renamed: "duckDB")
    public static var duckdb: SQLDialect { .sqlite }
}

extension FieldType {
    /// The spelling of SQL.
    @available(*, unavailable, renamed: "string")
    public static var text: FieldType { .string }

    /// The spelling of SQL.
    @available(*, unavailable, renamed: "int")
    public static var integer: FieldType { .int }

    /// The spelling of SQL.
    @available(*, unavailable, message: "write .double, which also reads SQL's decimal numbers")
    public static var decimal: FieldType { .double }
}

extension SortKey {
    /// A key path as a key.
    @available(*, unavailable, message: "write its name: .ascending(\"population\")")
    public static func ascending<Root, Value>(_ path: KeyPath<Root, Value>) -> SortKey { SortKey(.itself) }

    /// A key path as a key.
    @available(*, unavailable, message: "write its name: .descending(\"population\")")
    public static func descending<Root, Value>(_ path: KeyPath<Root, Value>) -> SortKey { SortKey(.itself) }

    /// A name that is no literal.
    @_disfavoredOverload
    @available(*, unavailable, message: "write SortKey(FieldPath(dotted: name), ascending: false)")
    public init(_ name: String, ascending: Bool = true, options: StringOptions = []) { self.init(.itself) }
}

extension FieldPath {
    /// A name that is no literal.
    @_disfavoredOverload
    @available(*, unavailable, renamed: "init(dotted:)")
    public init(_ name: String) { self.init(dotted: name) }
}

extension Document {
    /// A value that is no literal.
    @_disfavoredOverload
    @available(*, unavailable, message: "write document[key] = value.queryValue, or = try QueryValue(any: value)")
    public subscript(key: String) -> Any? {
        get { nil }
        set {}
    }
}

// Values of several types, as the variadic forms take them.

extension Query {
    /// Values that are no `QueryValue`s yet.
    @_disfavoredOverload
    @available(*, unavailable, message: "write arguments: values.map(\\.queryValue)")
    public init(
        parsing text: String,
        arguments: [any QueryValueConvertible],
        order: [SortKey] = [],
        skip: Int? = nil,
        limit: Int? = nil,
        fields: [FieldPath]? = nil,
        computed: [ComputedField] = [],
        nilMeaning: NilMeaning = .nullOrAbsent,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) { self.init() }

    /// Values that are no `QueryValue`s yet.
    @_disfavoredOverload
    @available(*, unavailable, message: "write arguments: values.map(\\.queryValue)")
    public init(
        format: QueryFormat,
        arguments: [any QueryValueConvertible],
        order: [SortKey] = [],
        skip: Int? = nil,
        limit: Int? = nil,
        fields: [FieldPath]? = nil,
        computed: [ComputedField] = [],
        nilMeaning: NilMeaning = .nullOrAbsent,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) { self.init() }
}

extension Condition {
    /// Values that are no `QueryValue`s yet.
    @_disfavoredOverload
    @available(*, unavailable, message: "write arguments: values.map(\\.queryValue)")
    public init(
        parsing text: String,
        arguments: [any QueryValueConvertible],
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) { self = .constant(false) }

    /// Values that are no `QueryValue`s yet.
    @_disfavoredOverload
    @available(*, unavailable, message: "write arguments: values.map(\\.queryValue)")
    public init(
        format: QueryFormat,
        arguments: [any QueryValueConvertible],
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) { self = .constant(false) }
}
