import QueryTree
import QueryValues

extension Grouping {
    /// The warnings of the query, and sums, averages and medians of values that are not numbers, in the rows or
    /// according to the schema: they add nothing.
    ///
    ///     let rows: [Document] = [["city": "Rome", "name": "Ann"]]
    ///     let groups = Grouping(Query(), by: ["city"], computing: [.average("name")])
    ///     groups.warnings(seeing: rows).map(\.message)  // → ["name holds text, and only numbers are averaged"]
    ///
    /// - Parameter rows: a sample of the rows, or all of them.
    /// - Returns: warnings of code `unlikely`, those of values by their path in a request (S18).
    /// - Complexity: O((comparisons + values) × rows).
    public func warnings(seeing rows: [Document]) -> [QueryError] {
        let scope = TypeScope(query.schema)
        let keys = computedKeys.flatMap { key in
            var read = Query(key)
            read.schema = query.schema
            return read.dateWarnings(seeing: rows)
        }
        return query.warnings(seeing: rows) + keys
            + reducers.enumerated().compactMap { position, reducer in
                guard let path = reducer.path, let verb = reducer.operation.verb else { return nil }
                var found: Set<Kind> = []
                if let declared = scope.row.resolve(path.keys)?.type, declared != .any {
                    // What is never a number is an error: `checked()`.
                    if declared.isList { found = [.list] }
                } else {
                    found = path.kinds(in: rows, ofElements: false)
                }
                found.remove(.null)
                guard !found.isEmpty, !found.contains(.number) else { return nil }
                let held = found.map(\.plural).sorted().joined(separator: " and ")
                return QueryError(
                    .unlikely,
                    "\(path.dotted) holds \(held), and only numbers are \(verb)",
                    path: "group.compute[\(position)]",
                    hint: Reducer.ofAnyKind
                )
            }
    }
}

extension Reducer {
    fileprivate static let ofAnyKind = "min, max, count and countDistinct take values of any kind"

    /// The error for a sum, an average or a median of values that are declared and never numbers (S18).
    func kindProblem(_ row: FieldType, _ position: Int) -> QueryError? {
        guard let path, let verb = operation.verb, let type = row.resolve(path.keys)?.type,
            let kind = type.element.kind, kind != .number
        else { return nil }
        return QueryError(
            .kindMismatch,
            "the field \(path.dotted) holds \(type.name), and only numbers are \(verb)",
            path: "group.compute[\(position)]",
            hint: Self.ofAnyKind
        )
    }
}

extension Reducer.Operation {
    /// What is done to numbers alone; nil for values that are taken of any kind.
    fileprivate var verb: String? {
        switch self {
        case .sum: "added"
        case .average: "averaged"
        case .median: "put in order"
        case .count, .min, .max, .countDistinct, .distinct, .first, .last, .custom: nil
        }
    }
}
