#if GRDB
    import PredicateQL

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    extension Query {
        /// The query with its dates and UUIDs as GRDB stores them: a `Date` as text, a `UUID` as 16 bytes (S5).
        ///
        /// A field that a schema declares as a date or UUID is compared in the schema's own form.
        func withGRDBValues(now: Int64?) throws(QueryError) -> Query {
            var copy = self
            let instant = now ?? Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))
            copy.condition = try condition.foldingConstants(now: instant, nilMeaning: nilMeaning)
                .withGRDBValues(schema.map { .object($0) } ?? .any)
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
        fileprivate func withGRDBValues(_ row: FieldType) throws(QueryError) -> Condition {
            try mapChildren { (part) throws(QueryError) in
                try part.withGRDBValues(row)
            } _: { (comparison) throws(QueryError) in
                // What a schema declares as a date or UUID is kept as the schema says.
                if comparison.left.hasDeclaredForm(row) || comparison.right.hasDeclaredForm(row) {
                    return .comparison(comparison)
                }
                var copy = comparison
                copy.left = try comparison.left.withGRDBValues(row)
                copy.right = try comparison.right.withGRDBValues(row)
                return .comparison(copy)
            }
        }
    }

    extension Term {
        /// True for a path that a schema declares as a date or a UUID.
        fileprivate func hasDeclaredForm(_ row: FieldType) -> Bool {
            guard case .field(let path, _) = self, let type = row.resolve(path.keys)?.type.element else { return false }
            switch type {
            case .date, .uuid: return true
            case .any, .bool, .int, .double, .string, .data, .object, .list: return false
            }
        }

        fileprivate func withGRDBValues(_ row: FieldType) throws(QueryError) -> Term {
            switch self {
            case .value(.date(let milliseconds), let origin):
                return .value(DateEncoding.sqliteText.compared(milliseconds), origin)
            case .value(.uuid(let uuid), let origin):
                return .value(withUnsafeBytes(of: uuid.uuid) { .data(Array($0)) }, origin)
            case .value, .variable, .field, .list, .arithmetic, .negated, .cast, .path, .index, .aggregate, .call,
                .subquery, .conditional, .assignment:
                return try mapChildren { (term) throws(QueryError) in
                    try term.withGRDBValues(row)
                } _: { (condition) throws(QueryError) in
                    try condition.withGRDBValues(row)
                }
            }
        }
    }
#endif
