/// A value computed for each row of a query, under a name.
///
///     let band = ComputedField(Field("population") / 100_000, as: "band")
///     try Query(order: ["-population"], limit: 1, fields: ["name"], computed: [band]).results(in: cities)
///     // → [{"name":"New York","band":88}]
public struct ComputedField: Hashable, Sendable {  // S21
    /// What is computed for each row.
    public var term: Term
    /// The name of the result's field.
    public var name: String

    /// A computed field by its term.
    ///
    ///     ComputedField(.field("address.state", .none), as: "state").name  // → state
    ///
    /// - Parameters:
    ///   - term: what is computed for each row.
    ///   - name: the name of the result's field.
    package init(_ term: Term, as name: String) {
        self.term = term
        self.name = name
    }

    /// A computed field.
    ///
    ///     ComputedField(Field("name").uppercased, as: "letters")  // → letters = uppercase:(name)
    ///
    /// - Parameters:
    ///   - field: what is computed for each row.
    ///   - name: the name of the result's field.
    public init(_ field: Field, as name: String) {
        self.init(field.queryTerm, as: name)
    }

    /// The same as a key of groups, which are computed alike.
    package var key: GroupKey { GroupKey(term, as: name) }
}
