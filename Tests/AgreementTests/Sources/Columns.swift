import Foundation
import PredicateQL
import QueryChecking
import QueryEvaluation
import QueryTree
import QueryValues

extension ColumnTable {
    /// Documents as columns, each of the most specific type for all its values; every other one marks absent values by
    /// validity instead of optionals.
    init(of documents: [Document], names: [String]) throws(QueryError) {
        self.init()
        for (number, name) in names.enumerated() {
            let values = documents.map { $0[name] }
            let marked = number % 2 == 1
            if try add(name, values, Kinds.int, marked ? 0 : nil) { continue }
            if try add(name, values, Kinds.double, marked ? 0.5 : nil) { continue }
            if try add(name, values, Kinds.string, marked ? "a" : nil) { continue }
            if try add(name, values, Kinds.bool, marked ? true : nil) { continue }
            if try add(name, values, Kinds.date, marked ? Date(timeIntervalSince1970: 1) : nil) { continue }
            if try add(name, values, Kinds.uuid, nil) { continue }
            if try add(name, values, Kinds.list(Kinds.string), marked ? ["a"] : nil) { continue }
            if try add(name, values, Kinds.list(Kinds.maybe(Kinds.int)), nil) { continue }
            try add(name, values.map { $0.map { AnyField(queryValue: $0) } })
        }
    }

    /// Adds a column if it can hold all values; with a filler, absent values are marked by validity.
    private mutating func add<Value: FieldValue & Sendable>(
        _ name: String,
        _ values: [QueryValue?],
        _ convert: (QueryValue) -> Value?,
        _ filler: Value?
    ) throws(QueryError) -> Bool {
        var converted: [Value?] = []
        for value in values {
            guard let value, !value.isNull else {
                converted.append(nil)
                continue
            }
            guard let value = convert(value) else { return false }
            converted.append(value)
        }
        if !converted.contains(where: { $0 == nil }) {
            try add(name, converted.compactMap { $0 })
        } else if let filler {
            try add(name, converted.map { $0 ?? filler }, validity: converted.map { $0 != nil })
        } else {
            try add(name, converted)
        }
        return true
    }
}

extension SourceAgreement {
    /// The rows as columns, and as documents under the columns' schema.
    func checkColumns(_ documents: [Document]) {
        var query = query
        query.fields = nil
        let now = now
        let table: ColumnTable
        do throws(QueryError) {
            table = try ColumnTable(of: documents, names: fieldNames(documents))
        } catch {
            return skip("columns", error.message)
        }
        // A table without columns has no rows.
        guard table.count == documents.count else { return skip("columns", "rows without keys") }
        let held = (0..<table.count).map { table.document(at: $0) }
        if query.nilMeaning != .nullOrAbsent, zip(held, documents).contains(where: { $0.count != $1.count }) {
            return skip("columns", "an explicit null under the nil meaning \(query.nilMeaning)")
        }
        if query.schema == nil { query.schema = FieldList.schema(table.fields, depth: FieldList.depth) }
        let reading = Reading(query, held, now: now)
        let plan: ColumnPlan
        do throws(QueryError) {
            plan = try ColumnPlan(query, for: table, now: now)
        } catch {
            return compare("columns", "plan", reading.results, Answer(error))
        }
        expect("columns", "matchingIndices", reading.matching) { () throws(QueryError) in
            try plan.matchingIndices(in: table)
        }
        for concurrently in [false, true] {
            expect("columns", "resultIndices", reading.results) { () throws(QueryError) in
                try plan.resultIndices(in: table, concurrently: concurrently)
            }
            compare(
                "columns",
                "count",
                reading.count,
                Answer(count: { () throws(QueryError) in
                    try plan.count(in: table, concurrently: concurrently)
                })
            )
        }
        let rows = { (answer: Answer) -> Answer in
            guard case .rows(let rows) = answer else { return answer }
            return .text(rows.map { QueryValue.object(held[$0]).extendedJSON(.canonical) }.joined(separator: "\n"))
        }
        let results: Answer
        do throws(QueryError) {
            let found = try plan.results(in: table)
            results = .text(found.map { QueryValue.object($0).extendedJSON(.canonical) }.joined(separator: "\n"))
        } catch {
            results = Answer(error)
        }
        compare("columns", "results", rows(reading.results), results)
    }
}
