#if GRDB
    import PredicateQL
    import QueryChecking
    import QueryTree
    import QueryValues

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// Which values a term may have.
    struct ValueForms: OptionSet {
        let rawValue: Int

        /// Values of no declared kind, as GRDB stores them: a UUID is 16 bytes.
        static let stored = ValueForms(rawValue: 1)
        /// UUIDs and texts that a schema declares or that are computed.
        static let ofKind = ValueForms(rawValue: 2)

        /// The form of a declared type's values, none where no value can equal a UUID.
        init(_ type: FieldType) {
            switch type.element {
            case .uuid, .string: self = .ofKind
            case .any, .data: self = .stored
            case .bool, .int, .double, .date, .objectID, .object, .list: self = []
            }
        }

        init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// What is known about a row's fields and about the variables of SUBQUERY.
    struct StoredScope {
        fileprivate var types: TypeScope
        fileprivate var variables: [Variable: ValueForms] = [:]

        init(_ schema: Schema?) { types = TypeScope(schema) }

        fileprivate func binding(_ subquery: Subquery) -> StoredScope {
            var inner = self
            let element = types.type(of: subquery.collection).element
            inner.types = types.binding(subquery.variable, to: element)
            inner.variables[subquery.variable] = subquery.collection.forms(self)
            return inner
        }
    }

    extension Condition {
        func withGRDBValues(_ scope: StoredScope) throws(QueryError) -> Condition {
            try mapChildren { (part) throws(QueryError) in
                try part.withGRDBValues(scope)
            } _: { (comparison) throws(QueryError) in
                var copy = comparison
                let forms = comparison.left.forms(scope).union(comparison.right.forms(scope))
                if forms == [.stored, .ofKind], let origin = comparison.left.uuid ?? comparison.right.uuid {
                    throw QueryError(
                        .unsupported,
                        "a uuid is compared with values of no declared kind, which may be stored in another form",
                        at: origin,
                        hint: "compare bytes with UUIDs of the query alone"
                    )
                }
                // A value beside what has a kind is kept; the SQL compares it in the declared form.
                let form: ConstantForm = forms.contains(.ofKind) ? .ofKind : .stored
                copy.left = try comparison.left.withGRDBValues(form, scope)
                copy.right = try comparison.right.withGRDBValues(form, scope)
                return .comparison(copy)
            }
        }
    }

    /// What a constant becomes.
    private enum ConstantForm {
        /// It stays a UUID.
        case ofKind
        /// What GRDB stores for it.
        case stored
    }

    extension Term {
        fileprivate func forms(_ scope: StoredScope) -> ValueForms {
            if case .value = self { return [] }
            if case .variable(let variable, _) = self, let forms = scope.variables[variable] { return forms }
            guard let alternatives else { return ValueForms(scope.types.type(of: self)) }
            return alternatives.reduce([]) { $0.union($1.forms(scope)) }
        }

        /// Where a value of this term is a UUID, of the query or computed.
        fileprivate var uuid: Origin? {
            switch self {
            case .value(let value, let origin): value.holdsUUID ? origin : nil
            case .cast(_, .uuid, let origin): origin
            default: (alternatives ?? []).lazy.compactMap(\.uuid).first
            }
        }

        fileprivate func withGRDBValues(_ form: ConstantForm, _ scope: StoredScope) throws(QueryError) -> Term {
            if case .value(let value, let origin) = self {
                return form == .stored && !origin.isOfOwnKind ? .value(value.inGRDB, origin) : self
            }
            // What is computed from a constant is no value of it.
            let inner = alternatives == nil ? .ofKind : form
            let ofVariable = if case .subquery(let subquery, _) = self { scope.binding(subquery) } else { scope }
            return try mapChildren { (term) throws(QueryError) in
                try term.withGRDBValues(inner, scope)
            } _: { (condition) throws(QueryError) in
                try condition.withGRDBValues(ofVariable)
            }
        }
    }

    extension Query {
        /// Throws for bytes and UUIDs that are compared with JSON, which has none: SQL refuses them, too.
        func refuseBytesInJSON(of storage: SQLStorage) throws(QueryError) {
            var variables: Set<Variable> = []
            for node in readingCondition.nodes {
                switch node {
                case .term(.subquery(let subquery, _)):
                    let collection = subquery.collection
                    if collection.isColumn || collection.readsJSON(of: storage, variables) {
                        variables.insert(subquery.variable)
                    }
                case .condition(.comparison(let comparison)):
                    let sides = [comparison.left, comparison.right]
                    guard let origin = sides.lazy.compactMap(\.bytes).first,
                        comparison.looksIntoColumns || sides.contains(where: { $0.readsJSON(of: storage, variables) })
                    else { continue }
                    throw QueryError(
                        .unsupported,
                        "JSON has no bytes to compare with",
                        at: origin,
                        hint: "compare with the text that the JSON holds, or declare the field in a schema"
                    )
                case .condition, .term: break
                }
            }
        }
    }

    extension Comparison {
        /// True if a column that is compared with single values is read as a list.
        fileprivate var looksIntoColumns: Bool {
            if quantifier != nil { return left.isColumn }
            return `operator` == .in && right.isColumn || `operator` == .contains && left.isColumn
        }
    }

    extension Term {
        /// Where a value of this term is bytes or a UUID of the query.
        fileprivate var bytes: Origin? {
            if case .value(let value, let origin) = self { return value.holdsBytes ? origin : nil }
            for term in alternatives ?? [] { if let origin = term.bytes { return origin } }
            return nil
        }

        /// True if a value of this term may be a part of a column's JSON.
        fileprivate func readsJSON(of storage: SQLStorage, _ variables: Set<Variable>) -> Bool {
            switch self {
            case .field(let path, _): path.keys.count > 1 || storage.holdsJSON(path.keys.first ?? "")
            case .variable(let variable, _): variables.contains(variable)
            case .path(let base, _, _), .index(let base, _, _): base.isColumn || base.readsJSON(of: storage, variables)
            case .aggregate(_, of: let base, _, _):
                alternatives != nil && (base.isColumn || base.readsJSON(of: storage, variables))
            case .subquery(let subquery, _):
                subquery.collection.isColumn || subquery.collection.readsJSON(of: storage, variables)
            case .value, .list, .arithmetic, .negated, .call, .conditional, .cast, .assignment:
                (alternatives ?? []).contains { $0.readsJSON(of: storage, variables) }
            }
        }

        fileprivate var isColumn: Bool { if case .field = self { true } else { false } }
    }

    extension QueryValue {
        /// True for a UUID, and a list with one.
        fileprivate var holdsUUID: Bool {
            switch self {
            case .uuid: true
            case .list(let values): values.contains(where: \.holdsUUID)
            case .null, .bool, .int, .double, .string, .data, .date, .object, .shape: false
            }
        }

        /// True for bytes, a UUID, and a list with one.
        fileprivate var holdsBytes: Bool {
            switch self {
            case .data, .uuid: true
            case .list(let values): values.contains(where: \.holdsBytes)
            case .null, .bool, .int, .double, .string, .date, .object, .shape: false
            }
        }

        /// The value as GRDB stores it.
        fileprivate var inGRDB: QueryValue {
            switch self {
            case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { .data(Array($0)) }
            case .list(let values) where holdsUUID: .list(values.map(\.inGRDB))
            case .null, .bool, .int, .double, .string, .data, .date, .list, .object, .shape: self
            }
        }
    }
#endif
