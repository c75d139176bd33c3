import QueryTree

extension FieldTable {
    /// One field of a table: its names, and its property.
    ///
    ///     let field: FieldTable<Person>.Field = .field("age", \.age, storedAs: "years")
    ///     let fields: FieldTable<Person> = [field]
    ///     fields.names  // → ["age"]
    public struct Field: Sendable {
        let entry: FieldEntry

        /// A field of a row type.
        ///
        ///     let fields: FieldTable<Person> = [.field("name", \.name), .field("age", \.age, storedAs: "years")]
        ///     fields.names  // → ["name", "age"]
        ///
        /// - Parameters:
        ///   - name: the name in queries.
        ///   - path: the property; a property whose type cannot be a field does not compile. Threads may read it at
        ///     once, so
        ///     what the path captures is `Sendable`.
        ///   - storedName: the name in documents and stores; nil if it is the same.
        /// - Returns: the field.
        public static func field<Value: FieldValue>(
            _ name: String,
            _ path: KeyPath<Row, Value> & Sendable,
            storedAs storedName: String? = nil
        ) -> Field {
            Field(entry: FieldTable.entry(name, storedName ?? name, path))
        }
    }
}

extension FieldTable {
    /// The fields' names in queries, in table order.
    ///
    ///     Person.fields.names  // → ["id", "name", "age", "city"]
    public var names: [String] { entries.map(\.name) }
}

extension FieldTable: ExpressibleByArrayLiteral {
    /// `[.field("name", \.name), .field("age", \.age)]`.
    ///
    /// - Parameter elements: the fields in order.
    public init(arrayLiteral elements: Field...) {
        self.init([])
        for entry in elements.map(\.entry) { add(entry) }
    }
}

extension Schema {
    /// The schema of a row type's fields: their names, stored names and kinds.
    ///
    ///     let schema = Schema(queryable: Person.self)
    ///     schema.field(named: "age")?.type  // → int
    ///     try Query(format: "age > 'x'", schema: schema)  // throws kindMismatch
    ///
    /// - Parameter row: a row type with a field table; nested objects are described six levels deep.
    public init<Row: Queryable>(queryable row: Row.Type) {
        self = FieldList.schema(Row.fields.entries, depth: FieldList.depth)
    }
}
