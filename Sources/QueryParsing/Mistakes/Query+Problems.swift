import QueryChecking
import QueryTree
import QueryValues

extension Query {
    /// Every independent mistake of a text, for editors and for people: all that a schema finds, or the one that ended the
    /// parsing.
    ///
    ///     Query.problems(inFormat: "agee > 1 AND naem == 'x'", schema: schema).map(\.code)
    ///     // → [unknownField, unknownField]
    ///
    /// Linear in the text.
    ///
    /// - Parameters:
    ///   - format: the condition's text.
    ///   - arguments: the values of its placeholders, in order (S24).
    ///   - schema: names and kinds to check against; without one literals are checked all the same.
    ///   - limits: bounds on the text.
    /// - Returns: the mistakes in the order of the text; empty for a sound query. The first is what
    ///   `init(format:arguments:order:skip:limit:fields:nilMeaning:schema:limits:)` throws.
    public static func problems(
        inFormat format: String,
        arguments: [QueryValue] = [],
        schema: Schema? = nil,
        limits: Limits = .default
    ) -> [QueryError] {
        do throws(QueryError) {
            return Query(try Condition(parsing: format, arguments, limits), schema: schema).problems()
        } catch {
            return [error]
        }
    }
}
