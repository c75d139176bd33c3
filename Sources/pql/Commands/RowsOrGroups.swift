#if CLI
    import PredicateQL
    import QueryChecking
    import QueryTree

    /// A query, or groups of its rows.
    enum RowsOrGroups {
        case rows(Query)
        case groups(Grouping)

        /// The query with the filter and the schema.
        var query: Query {
            switch self {
            case .rows(let query): query
            case .groups(let grouping): grouping.query
            }
        }

        var isGrouped: Bool { if case .groups = self { true } else { false } }

        /// The top-level names of the results, if they are known.
        var columns: [String]? {
            switch self {
            case .rows(let query): query.resultNames
            case .groups(let grouping): grouping.resultNames
            }
        }

        /// Returns other results of the same.
        mutating func cut(skip: Int?, limit: Int?) {
            switch self {
            case .rows(var query):
                (query.skip, query.limit) = (skip, limit)
                self = .rows(query)
            case .groups(var grouping):
                (grouping.query.skip, grouping.query.limit) = (skip, limit)
                self = .groups(grouping)
            }
        }
    }
#endif
