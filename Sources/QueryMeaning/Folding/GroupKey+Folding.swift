import QueryChecking
import QueryTree
import QueryValues

extension GroupKey {
    /// The term of a computed key for a store to compute, with its constants folded.
    ///
    /// - Parameters:
    ///   - scope: the types of the rows' fields.
    ///   - now: the instant of the run in milliseconds since 1970 (S20).
    ///   - nilMeaning: what `== nil` tests for.
    /// - Returns: a term that reads a field.
    /// - Throws: `QueryError` of code `unsupported` for what no backend supports, for a constant, and for values that
    ///   stores keep in several forms: dates, UUIDs, bytes, ObjectIds, lists and objects.
    package func termForStore(
        _ scope: TypeScope,
        now: Int64,
        nilMeaning: NilMeaning
    ) throws(QueryError) -> Term {
        let test = test
        try test.checkSupportedEverywhere()
        return try StackRoom.run(for: test) { () throws(QueryError) in
            let folded = ConstantFolder(now: now, nilMeaning: nilMeaning).fold(term)
            guard folded.constantValue == nil else {
                throw QueryError(
                    .unsupported,
                    "a constant is not computed by a store",
                    at: term.origin,
                    hint: "leave it out: it is the same in every result"
                )
            }
            for shown in folded.shownTerms { try shown.checkShown(scope) }
            return folded
        }
    }
}

extension ComputedField {
    /// Refuses a field that may be behind a list: its value would be the list of its elements' values.
    ///
    /// - Parameter scope: the types of the rows' fields.
    /// - Throws: `QueryError` of code `unsupported`.
    package func checkSingle(_ scope: TypeScope) throws(QueryError) {
        for shown in term.shownTerms {
            guard case .field(let path, let origin) = shown else { continue }
            for count in 0..<max(0, path.keys.count - 1) {
                if case .object = scope.row.resolve(Array(path.keys[...count]))?.type { continue }
                throw QueryError(
                    .unsupported,
                    "\(path.dotted) may have several values in one row, which a store does not compute",
                    at: origin,
                    hint: "declare \(path.keys[...count].joined(separator: ".")) as an object in a schema"
                )
            }
        }
    }
}

extension Term {
    /// The terms of which one is the value: the branches of TERNARY, otherwise the term itself.
    package var shownTerms: [Term] {
        switch self {
        case .conditional(_, let first, let second, _): first.shownTerms + second.shownTerms
        case .call(.noindex, let arguments, _): arguments.flatMap(\.shownTerms)
        case .value, .field, .variable, .list, .path, .index, .aggregate, .arithmetic, .negated, .call, .subquery,
            .cast, .assignment:
            [self]
        }
    }

    /// The type of the value; of an element of a written list of several types, the one that stores do not show as
    /// memory does: they keep dates and UUIDs as numbers or texts.
    private func shownType(_ scope: TypeScope) -> FieldType {
        let type = scope.type(of: self)
        guard type == .any else { return type }
        switch self {
        case .call(_, let arguments, _): return arguments.first?.element(scope) { $0.isNumericDate } ?? type
        case .aggregate(_, of: let base, _, _), .index(let base, _, _):
            return base.element(scope) { $0.kind == .date || $0.kind == .uuid } ?? type
        case .value, .field, .variable, .list, .path, .arithmetic, .negated, .subquery, .conditional, .cast,
            .assignment:
            return type
        }
    }

    /// The first such type of a written list's elements.
    private func element(_ scope: TypeScope, _ isSought: (FieldType) -> Bool) -> FieldType? {
        guard case .list(let elements, _) = self else { return nil }
        return elements.lazy.map { $0.shownType(scope) }.first(where: isSought)
    }

    fileprivate func checkShown(_ scope: TypeScope) throws(QueryError) {
        let type = shownType(scope)
        switch type {
        case .any, .bool, .int, .double, .string: return
        case .date, .data, .uuid, .objectID, .list, .object: break
        }
        throw QueryError(
            .unsupported,
            "a computed value that is \(type.name) is not supported by the store",
            at: origin,
            hint: "use a field, or compute it over the rows in memory"
        )
    }
}

extension FieldType {
    /// True for dates that are stored as numbers.
    fileprivate var isNumericDate: Bool { if case .date(let encoding) = self { !encoding.isText } else { false } }
}
