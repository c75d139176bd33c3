import QueryChecking
import QueryTree
import QueryValues

extension ComputedField {
    /// Parses a computed field whose values are interpolated, or passed for its placeholders.
    ///
    ///     let thousands = try ComputedField(format: "population / \(1_000)", as: "thousands")
    ///     try Query(format: "name == 'New York'", computed: [thousands]).results(in: cities)
    ///     // → [{"thousands":8804}]
    ///
    /// - Parameters:
    ///   - format: the term's text, a literal; interpolate values as `\(value)` and paths as `\(key: path)`.
    ///   - arguments: the values for `%@`, `%K` and the printf family, in order (S24); nil is null.
    ///   - name: the name of the result's field.
    ///   - limits: bounds on the text.
    /// - Throws: `QueryError` with a code, a range and where possible a fix, for a text that is not a term, or arguments
    ///   that do not fit.
    /// - Complexity: linear in the length of the text (S26).
    public init(
        format: QueryFormat,
        _ arguments: (any QueryValueConvertible)?...,
        as name: String,
        limits: Limits = .default
    ) throws(QueryError) {
        let values = try format.values(arguments.map { $0?.queryValue ?? .null })
        self.init(try Term(parsing: format.text, values, limits), as: name)
    }

    /// Reads a computed field from text built at run time: a name, `=` and a term.
    ///
    ///     try ComputedField(parsing: "total = price * qty")  // → total = price * qty
    ///     try ComputedField(parsing: "price * qty")  // throws pipeline
    ///
    /// - Parameters:
    ///   - text: the name and the term.
    ///   - limits: bounds on the text.
    /// - Throws: `QueryError` of code `pipeline` for a text without a name, and with a range for one without a term.
    /// - Complexity: linear in the length of the text (S26).
    public init(parsing text: String, limits: Limits = .default) throws(QueryError) {
        guard let sign = GroupKey.definitionSign(in: text), !sign.name.isEmpty else {
            throw QueryError(
                .pipeline,
                "a computed field needs a name",
                range: 0..<text.utf8.count,
                source: text,
                hint: "write `name = \(GroupKey.definitionSign(in: text)?.definition ?? text)`"
            )
        }
        self.init(try Term(parsing: sign.definition, [], limits), as: sign.name)
    }
}
