#if canImport(ObjectiveC)
    import Foundation
    import QueryParsing
    import QueryTree
    import QueryValues

    extension Query {
        /// Reads an NSPredicate and sort descriptors.
        ///
        ///     let byName = NSSortDescriptor(key: "name", ascending: true)
        ///     try Query(NSPredicate(format: "age >= 21"), sortDescriptors: [byName])  // → age >= 21
        ///
        /// The meaning is this library's (see `Grammar/compatibility.md`). O(size of the predicate).
        ///
        /// - Parameters:
        ///   - predicate: any predicate made from a format string; blocks and custom classes are rejected.
        ///   - sortDescriptors: the order; descriptors with comparators are rejected.
        ///   - schema: names and kinds to check against.
        ///   - limits: bounds on the predicate.
        /// - Throws: `QueryError` that names the unsupported part: blocks, custom selectors, FUNCTION, ANYKEY, unknown
        ///   functions, constants of other classes; and what ``checked()`` throws.
        public init(
            _ predicate: NSPredicate,
            sortDescriptors: [NSSortDescriptor] = [],
            schema: Schema? = nil,
            limits: Limits = .default
        ) throws(QueryError) {
            let condition = try StackRoom.onLargeStack { () throws(QueryError) in
                try PredicateNode(predicate, 0, limits).condition(limits)
            }
            var query = Query(condition, schema: schema)
            for descriptor in sortDescriptors {
                let selector = descriptor.selector.map { NSStringFromSelector($0) }
                let node = SortNode(key: descriptor.key, ascending: descriptor.ascending, selector: selector)
                query.order.append(try node.sortKey())
            }
            self = try query.checked()
        }

        /// The condition as an NSPredicate; order, skip, limit and fields belong to the fetch request.
        ///
        ///     try Query(format: "age >= 21").nsPredicate.predicateFormat  // → age >= 21
        ///
        /// O(size of the tree).
        ///
        /// - Throws: `QueryError` of code `unsupported` for what NSPredicate does not support: another meaning of nil,
        ///   `geoWithin`, objects as constants, keys with dots, assignments.
        public var nsPredicate: NSPredicate {
            get throws(QueryError) {
                guard nilMeaning == .nullOrAbsent else {
                    throw QueryError(.unsupported, "NSPredicate does not distinguish null from absent")
                }
                return try StackRoom.run(for: condition) { () throws(QueryError) in
                    try PredicateNode(condition).nsPredicate
                }
            }
        }

        /// The order as sort descriptors.
        ///
        ///     try Query(order: ["-name"]).sortDescriptors.map(\.ascending)  // → [false]
        ///
        /// - Throws: `QueryError` of code `unsupported` for an order that ignores both case and diacritics.
        public var sortDescriptors: [NSSortDescriptor] {
            get throws(QueryError) {
                var descriptors: [NSSortDescriptor] = []
                for key in order {
                    let node = try SortNode(key)
                    let selector = node.selector.map { NSSelectorFromString($0) }
                    descriptors.append(NSSortDescriptor(key: node.key, ascending: node.ascending, selector: selector))
                }
                return descriptors
            }
        }
    }
#endif
