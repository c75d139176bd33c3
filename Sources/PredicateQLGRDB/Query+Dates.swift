#if GRDB
    import PredicateQL

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    extension Query {
        /// The query with its date constants as the text that GRDB stores for a `Date` (S5).
        ///
        /// A schema's own date encodings stay in force, so a query with a schema is left as it is.
        func withGRDBDates(now: Int64?) throws(QueryError) -> Query {
            guard schema == nil else { return self }
            var copy = self
            let instant = now ?? Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))
            copy.condition = try condition.foldingConstants(now: instant, nilMeaning: nilMeaning).withGRDBDates()
            return copy
        }

        /// The query with a schema of the columns that are declared as bools, unless it has one of its own.
        func declaring(bools: Set<String>) throws(QueryError) -> Query {
            guard schema == nil, !bools.isEmpty else { return self }
            var copy = self
            copy.schema = Schema(bools.sorted().map { .field($0, .bool) }, allowsOthers: true)
            return try copy.checked()
        }
    }

    extension Condition {
        fileprivate func withGRDBDates() throws(QueryError) -> Condition {
            try mapChildren { (part) throws(QueryError) in
                try part.withGRDBDates()
            } _: { (comparison) throws(QueryError) in
                var copy = comparison
                copy.left = try comparison.left.withGRDBDates()
                copy.right = try comparison.right.withGRDBDates()
                return .comparison(copy)
            }
        }
    }

    extension Term {
        fileprivate func withGRDBDates() throws(QueryError) -> Term {
            if case .value(.date(let milliseconds), let origin) = self {
                return .value(.string(DateText.grdb(milliseconds)), origin)
            }
            return try mapChildren { (term) throws(QueryError) in
                try term.withGRDBDates()
            } _: { (condition) throws(QueryError) in
                try condition.withGRDBDates()
            }
        }
    }
#endif
