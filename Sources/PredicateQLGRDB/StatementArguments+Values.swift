#if GRDB
    import GRDB
    import PredicateQL

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    extension StatementArguments {
        /// The arguments for a statement's `?`.
        ///
        /// - Parameter values: bindings of an `SQLQuery`.
        /// - Throws: `QueryError` of code `unsupported` for text with a NUL character, which GRDB would truncate.
        init(_ values: [QueryValue]) throws(QueryError) {
            var arguments: [(any DatabaseValueConvertible)?] = []
            arguments.reserveCapacity(values.count)
            for value in values { arguments.append(try Self.argument(value)) }
            self.init(arguments)
        }

        private static func argument(_ value: QueryValue) throws(QueryError) -> (any DatabaseValueConvertible)? {
            switch value {
            case .null: return nil
            case .bool(let value): return value
            case .int(let value): return value
            case .double(let value): return value
            case .string(let text):
                if text.utf8.contains(0) { throw QueryError(.unsupported, "GRDB cuts text at a NUL character") }
                return text
            case .data(let bytes): return Data(bytes)
            case .uuid(let uuid): return uuid
            case .date(let milliseconds): return DateText.grdb(milliseconds)
            case .list, .object, .shape:
                throw QueryError(.unsupported, "a list or object cannot be bound to a statement")
            }
        }
    }
#endif
