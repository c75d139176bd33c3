#if !os(WASI)
    // FoundationEssentials has no `SortDescriptor`.
    import Foundation
    import QueryTree
    import QueryValues

    extension SortKey {
        /// Reads a Foundation `SortDescriptor`.
        ///
        ///     let names: [AnyKeyPath: FieldPath] = [\Person.age: "age"]
        ///     try SortKey(SortDescriptor(\Person.age, order: .reverse), names: names).isAscending  // → false
        ///
        /// - Parameters:
        ///   - descriptor: an order by a key path; texts must be compared `.lexical`, because no store sorts by locale
        ///     (S4).
        ///   - names: the fields of the key paths.
        /// - Throws: `QueryError` of code `unsupported` for a localized order or a custom comparator, and of code
        ///   `unknownField` for a key path without a name.
        public init<Root>(
            _ descriptor: SortDescriptor<Root>,
            names: [AnyKeyPath: FieldPath]
        ) throws(QueryError) {
            guard let path = descriptor.keyPath else {
                throw QueryError(.unsupported, "a sort descriptor without a key path", hint: "sort by a key path")
            }
            if let comparator = descriptor.stringComparator, comparator != .lexical {
                throw QueryError(
                    .unsupported,
                    "texts sorted by the rules of a locale",
                    hint: "use SortDescriptor(…, comparator: .lexical)"
                )
            }
            guard let field = names[path] else {
                throw QueryError(.unknownField, "no name for the key path \(path)", hint: "add it to names")
            }
            self.init(field, ascending: descriptor.order == .forward)
        }
    }
#endif
