import PredicateQL
import QueryChecking
import QueryEvaluation
import QueryMeaning
import QueryTree
import QueryValues

/// The outcome of one way to run a query.
enum Answer: Equatable, CustomStringConvertible {
    /// The positions of rows.
    case rows([Int])
    case count(Int)
    case text(String)
    case error(String)

    var description: String {
        switch self {
        case .rows(let rows): "\(rows.prefix(40))"
        case .count(let count): "\(count) rows"
        case .text(let text), .error(let text): text
        }
    }

    init(_ error: QueryError) { self = .error("\(error.code): \(error.message)") }

    init(_ rows: () throws(QueryError) -> [Int]) {
        do throws(QueryError) { self = .rows(try rows()) } catch { self.init(error) }
    }

    init(count: () throws(QueryError) -> Int) {
        do throws(QueryError) { self = .count(try count()) } catch { self.init(error) }
    }
}

/// A query over documents, evaluated row by row as `Grammar/semantics.md` describes; the reference for all sources.
struct Reading {
    /// The rows for which the condition holds.
    let matching: Answer
    /// The rows of the results.
    let results: Answer
    let first: Answer
    let count: Answer

    /// Reads the rows, of Swift values or of documents: the properties of values have kinds.
    init(_ query: Query, _ documents: [Document], now: Int64, ofValues: Bool = false) {
        matching = Answer { () throws(QueryError) in try Self.matching(query, documents, now, needed: .max, ofValues) }
        let results = Answer { () throws(QueryError) in try Self.results(query, documents, now, ofValues) }
        self.results = results
        var one = query
        one.limit = min(query.limit ?? 1, 1)
        first = Answer { () throws(QueryError) in try Self.results(one, documents, now, ofValues) }
        // A count needs no order, and no row after the last one that counts.
        var unordered = query
        unordered.order = []
        count = Answer(count: { () throws(QueryError) in
            _ = try query.checked()
            return try Self.results(unordered, documents, now, ofValues).count
        })
    }

    private static func matching(
        _ query: Query,
        _ documents: [Document],
        _ now: Int64,
        needed: Int,
        _ ofValues: Bool
    ) throws(QueryError) -> [Int] {
        let query = try query.checked()
        let program = try RowEvaluator(schema: query.schema, nilMeaning: query.nilMeaning).compile(query.condition)
        var rows: [Int] = []
        for (index, document) in documents.enumerated() where rows.count < needed {
            // A new frame for each row, so that nothing is remembered.
            var frame = program.makeFrame(now: now)
            do throws(QueryError) {
                var typed = ofValues ? try Matcher(query, now: now).typedRows(nil) : nil
                let answer = try typed?.holds(document)
                let holds = if let answer { answer } else { try program.holds(document, &frame) }
                if holds { rows.append(index) }
            } catch {
                throw QueryError(error.code, "documents[\(index)]: \(error.message)")
            }
        }
        return rows
    }

    private static func results(
        _ query: Query,
        _ documents: [Document],
        _ now: Int64,
        _ ofValues: Bool
    ) throws(QueryError) -> [Int] {
        try query.validatePipeline()
        let skip = query.skip ?? 0
        let limit = query.limit ?? .max
        _ = try query.checked()
        let sum = skip.addingReportingOverflow(limit)
        let most = query.order.isEmpty && !sum.overflow ? sum.partialValue : .max
        var rows = try matching(query, documents, now, needed: limit == 0 ? 0 : most, ofValues)
        if !query.order.isEmpty { rows = try sorted(rows, query, documents) }
        return Array(rows.dropFirst(skip).prefix(limit))
    }

    private static func sorted(_ rows: [Int], _ query: Query, _ documents: [Document]) throws(QueryError) -> [Int] {
        let evaluator = RowEvaluator(schema: query.schema)
        var keys: [Int: [QueryValue]] = [:]
        for row in rows {
            keys[row] = []
            for key in query.order {
                let value = try evaluator.value(of: .field(key.path, .none), in: documents[row], now: 0) ?? .null
                keys[row]?.append(value.foldedForSorting(key.options))
            }
        }
        return rows.sorted { left, right in
            for (index, key) in query.order.enumerated() {
                let order = keys[left, default: []][index].sortOrder(relativeTo: keys[right, default: []][index])
                if order != .same { return (order == .ascending) == key.isAscending }
            }
            return left < right
        }
    }
}

extension QueryValue {
    fileprivate func foldedForSorting(_ options: StringOptions) -> QueryValue {
        switch self {
        case .string(let text): .string(Folding.folded(text, options.folding))
        case .list(let elements): .list(elements.map { $0.foldedForSorting(options) })
        case .object(let object):
            .object(Document(pairs: object.pairs.map { ($0, $1.foldedForSorting(options)) }))
        default: self
        }
    }
}
