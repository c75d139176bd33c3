import QueryTree
import QueryValues

/// A query in two parts: one for the store, and the rest for memory.
///
///     let query = try Query(format: "state == 'MA' AND random() >= 0")
///     let split = try query.split(for: .sqlite, from: "cities")
///     split.store  // → state == "MA"
///     split.rest  // → random() >= 0
///     try split.memory?.results(in: cities.filter { $0["state"] == "MA" }).count  // → 3
///
/// Filtering the store's rows by the rest gives exactly the rows of the query.
public struct QuerySplit: Hashable, Sendable {
    /// The query for the store: it never finds fewer rows than the original.
    public var store: Query
    /// The condition that the store's rows must still satisfy; nil if the store's result is exact.
    public var rest: Condition?
    /// The query to run in memory over the store's rows, including order, skip, limit and fields; nil if the store does
    /// everything.
    public var memory: Query?
}

extension Query {
    /// Splits for a store known only by its translation function.
    ///
    /// The widest part is found by trial: AND is split into its parts, OR needs all its branches, NOT swaps the upper
    /// and the lower bound. If there is a rest, the store gets no skip, limit or fields; it gets the order if it
    /// supports it.
    ///
    /// - Parameter translate: translates a query; unsupported parts throw `unsupported` or `limit`.
    /// - Returns: both parts.
    /// - Throws: what `translate` throws for other reasons, such as an unknown field.
    /// - Complexity: O(nodes of the condition), as about 64 translations at most; parts not tried by then are for memory.
    package func split(_ translate: @escaping (Query) throws(QueryError) -> Void) throws(QueryError) -> QuerySplit {
        func isSayable(_ query: Query) throws(QueryError) -> Bool {
            do throws(QueryError) {
                try translate(query)
                return true
            } catch {
                if error.code == .unsupported || error.code == .limit { return false }
                throw error
            }
        }
        try validatePipeline(computing: true)
        if try isSayable(self) { return QuerySplit(store: self, rest: nil, memory: nil) }
        var store = Query(nilMeaning: nilMeaning, schema: schema)
        store.objectIDs = objectIDs
        // A condition too deep for the store would be translated again at each level: memory tests what is left then.
        var work = 5_000 + 64 * condition.conditionCount
        let splitter = ConditionSplitter { (condition) throws(QueryError) in
            work -= condition.conditionCount
            if work < 0 { return false }
            var part = store
            part.condition = condition
            return try isSayable(part)
        }
        let upper = try splitter.upperBound(condition)
        let rest = try splitter.rest(condition)
        store.condition = upper
        var memory = self
        memory.condition = rest ?? .constant(true)
        var ordered = store
        ordered.order = sortingByComputed.order
        ordered.isCutLater = isCut
        if !order.isEmpty || isCut, try isSayable(ordered) {
            store = ordered
            memory.order = []
        }
        return QuerySplit(store: store, rest: rest, memory: memory)
    }
}

extension Condition {
    /// How many conditions it consists of, itself included.
    fileprivate var conditionCount: Int {
        var (count, rest) = (0, [self])
        while let next = rest.popLast() {
            count += 1
            switch next {
            case .and(let parts), .or(let parts): rest += parts
            case .not(let part): rest.append(part)
            case .constant, .comparison: break
            }
        }
        return count
    }
}

/// The bounds of a condition that a store supports.
struct ConditionSplitter {
    let isSayable: (Condition) throws(QueryError) -> Bool

    init(_ isSayable: @escaping (Condition) throws(QueryError) -> Bool) {
        self.isSayable = isSayable
    }

    /// The tightest condition found that the store supports and that holds wherever this one does.
    func upperBound(_ condition: Condition) throws(QueryError) -> Condition {
        try bound(condition, isUpper: true)
    }

    /// The condition to test on rows that satisfy the upper bound; nil for none.
    func rest(_ condition: Condition) throws(QueryError) -> Condition? {
        if try isSayable(condition) { return nil }
        guard case .and(let parts) = condition else { return condition }
        // A part dropped to stay within the store's limits is tested again, so the rest is computed from the bound.
        guard case .and(let kept) = try upperBound(condition) else { return condition }
        let said = Set(kept)
        var rest: [Condition] = []
        for part in parts where !said.contains(part) { rest.append(part) }
        return rest.isEmpty ? nil : rest.count == 1 ? rest[0] : .and(rest)
    }

    private func bound(_ condition: Condition, isUpper: Bool) throws(QueryError) -> Condition {
        if try isSayable(condition) { return condition }
        let bound: Condition
        switch condition {
        case .constant, .comparison: bound = .constant(isUpper)
        case .not(let part):
            let inner = try self.bound(part, isUpper: !isUpper)
            if case .constant(let value) = inner { return .constant(!value) }
            bound = .not(inner)
        case .and(let parts): bound = try chain(parts, isUpper: isUpper, isAnd: true)
        case .or(let parts): bound = try chain(parts, isUpper: isUpper, isAnd: false)
        }
        return try isSayable(bound) ? bound : .constant(isUpper)
    }

    /// The bound of a chain: an upper bound may drop parts of an AND, a lower bound those of an OR; otherwise every
    /// part is needed.
    private func chain(_ parts: [Condition], isUpper: Bool, isAnd: Bool) throws(QueryError) -> Condition {
        var bounds: [Condition] = []
        for part in parts {
            let bound = try bound(part, isUpper: isUpper)
            if case .constant(let value) = bound {
                if value != isAnd { return bound }
                continue
            }
            bounds.append(bound)
        }
        let mayDrop = isUpper == isAnd
        let count = mayDrop ? try sayableCount(bounds, isAnd: isAnd) : bounds.count
        let kept = Array(bounds.prefix(count))
        return isAnd ? .and(kept) : .or(kept)
    }

    /// How many leading parts fit the store's limits.
    private func sayableCount(_ parts: [Condition], isAnd: Bool) throws(QueryError) -> Int {
        func fits(_ count: Int) throws(QueryError) -> Bool {
            let front = Array(parts.prefix(count))
            return try isSayable(isAnd ? .and(front) : .or(front))
        }
        if try fits(parts.count) { return parts.count }
        var (low, high) = (0, parts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if try fits(middle) { low = middle } else { high = middle }
        }
        return low
    }
}
