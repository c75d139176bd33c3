import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

/// What a query returns of a row: all of it, or its fields and then what is computed (S21).
package struct RowAnswer {
    private var projection: Projection?
    private let names: [String]
    private var columns: [GroupPath] = []

    /// The answer of a checked query.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: the bounds on regular expressions.
    ///   - budget: what the run may still take.
    /// - Throws: `QueryError` for a mistake in a computed field, and `unknownField` for a path that the schema lacks.
    package init(_ query: Query, now: Int64?, limits: Limits, budget: WorkBudget?) throws(QueryError) {
        projection =
            query.resultNames == nil ? nil : try Projection(query.fields ?? [], schema: query.schema)
        names = query.computed.map(\.name)
        if names.isEmpty { return }
        let now = now ?? Query.presentInstant
        for (position, field) in query.computed.enumerated() {
            do throws(QueryError) {
                columns.append(try GroupPath(field.key, of: query, now: now, limits, budget))
            } catch {
                throw error.ofComputedField(position)
            }
        }
    }

    /// The row as returned.
    ///
    /// - Parameter row: a row that the query finds, by stored names.
    /// - Returns: its fields, and the computed ones, null where they have no value.
    /// - Throws: the error of a computed field.
    package mutating func row(_ row: Document) throws(QueryError) -> Document {
        guard let shown = projection?.row(row) else { return row }
        if columns.isEmpty { return shown }
        var values = shown.values
        for position in columns.indices {
            do throws(QueryError) {
                values.append(columns[position].stored(try columns[position].value(of: row)))
            } catch {
                throw error.ofComputedField(position)
            }
        }
        return Document(shape: Shape(keys: shown.keys + names), values: values)
    }

    /// The rows as returned.
    package mutating func rows(_ rows: [Document]) throws(QueryError) -> [Document] {
        if projection == nil { return rows }
        var shown: [Document] = []
        shown.reserveCapacity(rows.count)
        for row in rows { shown.append(try self.row(row)) }
        return shown
    }
}
