import QueryValues

/// A query over rows: which rows, in what order, how many, with which fields.
///
///     let query = try Query(format: "state == %@ AND population >= 50000", "MA", order: [.descending("population")])
///     try query.mongo().json
///     // → {"filter":{"state":"MA","population":{"$gte":50000}},"sort":{"population":-1}}
///     try query.sql(.sqlite, from: "cities").where  // → "cities"."state" = ? AND …
///     try query.results(in: cities).count  // → 2
public struct Query: Hashable, Sendable {  // S21
    /// What a row must satisfy.
    public var condition: Condition
    /// The order; empty for the order of the source.
    ///
    /// A key that is the name of a ``computed`` field sorts by its value (S22).
    public var order: [SortKey]
    /// The number of rows to skip; nil for none.
    ///
    /// Every backend rejects negative numbers.
    public var skip: Int?
    /// The maximum number of rows; nil for all, 0 for none.
    ///
    /// Every backend rejects negative numbers. If rows at the cut have equal sort keys, the schema's primary key
    /// decides, else `_id`, in memory and in every store (S22). Rows without either keep their stored order, which may
    /// differ between memory and a store that moves its rows.
    public var limit: Int?
    /// The fields of the results; nil for whole rows.
    ///
    /// With ``computed`` fields only, nil gives just those.
    public var fields: [FieldPath]?
    /// The values computed for each row, after its ``fields``.
    public var computed: [ComputedField]  // S21
    /// What `== nil` tests for.
    public var nilMeaning: NilMeaning  // S8
    /// The schema that the query was checked against, if any.
    ///
    /// It maps property names to stored names.
    public var schema: Schema?
    /// True if a part of the rows is taken elsewhere, so that their order ends in their key here, too (S22).
    package var isCutLater = false
    /// The texts that were given as ObjectIds, which Mongo keeps as values of their own.
    package var objectIDs: Set<String> = []
    /// True if the rows' order ends in their key (S22).
    package var isCut: Bool { skip != nil || limit != nil || isCutLater }

    /// A query from its parts; by default it matches all rows.
    ///
    ///     let query = Query(Field("state") == "MA", order: ["name"], limit: 2, fields: ["name"])
    ///     try query.results(in: cities)  // → [{"name":"Boston"}, {"name":"Salem"}]
    ///
    /// - Parameters:
    ///   - condition: what a row must satisfy.
    ///   - order: the order, first key first.
    ///   - skip: rows to skip, not negative.
    ///   - limit: the maximum number of rows, not negative.
    ///   - fields: the fields of the results, nil for whole rows.
    ///   - computed: values computed for each row, after its fields.
    ///   - nilMeaning: what `== nil` tests for.
    ///   - schema: names and kinds; call ``checked()`` to check the condition against it.
    public init(
        _ condition: Condition = .constant(true),
        order: [SortKey] = [],
        skip: Int? = nil,
        limit: Int? = nil,
        fields: [FieldPath]? = nil,
        computed: [ComputedField] = [],
        nilMeaning: NilMeaning = .nullOrAbsent,
        schema: Schema? = nil
    ) {
        self.condition = condition
        self.order = order
        self.skip = skip
        self.limit = limit
        self.fields = fields
        self.computed = computed
        self.nilMeaning = nilMeaning
        self.schema = schema
    }

    /// Matches all rows; the closure sets other parts: `Query { $0.skip = 0; $0.limit = 20 }`.
    ///
    ///     let query = Query {
    ///         $0.condition = Field("state") == "MA"
    ///         $0.limit = 2
    ///     }
    ///     try query.results(in: cities).count  // → 2
    ///
    /// - Parameter configure: sets the parts.
    public init(_ configure: (inout Query) -> Void) {
        self.init()
        configure(&self)
    }
}
