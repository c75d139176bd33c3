import QueryChecking
import QueryTree
import QueryValues

/// Writes conditions as find filters.
///
/// A method returns nil if there is no exact find form; the caller then tries `$expr`.
package struct FilterWriter {
    let context: MongoContext
    var scope: TypeScope
    /// The element that names are relative to, inside `$elemMatch`; nil for the row.
    var subject: Variable?
    /// The property names of the element, for assumptions.
    var path: [String] = []

    package init(context: MongoContext, scope: TypeScope) {
        self.context = context
        self.scope = scope
    }

    var constants: MongoConstants { MongoConstants(context: context) }
    var patterns: PatternWriter { PatternWriter(profile: context.profile) }

    /// A condition of the row; parts without a find form become `$expr`.
    ///
    /// - Throws: `unsupported` with the range of the part that the profile does not support.
    func clause(_ condition: Condition) throws(QueryError) -> Clause {
        switch condition {
        case .constant(let holds): return .constant(holds)
        case .and(let parts): return .all(try parts.clauses(clause))
        case .or(let parts): return .some(try parts.clauses(clause))
        case .not(.or(let parts)): return .all(try parts.clauses(clause).map(\.negated))
        case .not(let part): return try clause(part).negated
        case .comparison(let comparison):
            let found = try context.attempt { () throws(QueryError) -> Clause? in try find(comparison) }
            if let found { return found }
            return try expression(comparison)
        }
    }

    /// A condition without `$expr`, for use in `$elemMatch`, or nil.
    func findOnly(_ condition: Condition) throws(QueryError) -> Clause? {
        switch condition {
        case .constant(let holds): return .constant(holds)
        case .and(let parts): return try parts.clausesIfAll(findOnly).map(Clause.all)
        case .or(let parts): return try parts.clausesIfAll(findOnly).map(Clause.some)
        case .not(.or(let parts)): return try parts.clausesIfAll(findOnly).map { .all($0.map(\.negated)) }
        case .not(let part): return try findOnly(part)?.negated
        case .comparison(let comparison): return try find(comparison)
        }
    }

    private func expression(_ comparison: Comparison) throws(QueryError) -> Clause {
        guard context.profile.allowsExpressions else {
            throw QueryError(
                .unsupported,
                "the service has no filter for this comparison",
                at: comparison.origin,
                hint: "it needs $expr, $elemMatch or a schema"
            )
        }
        let writer = ExpressionWriter(context: context, scope: scope)
        switch try writer.truth(.comparison(comparison)) {
        case .bool(let holds): return .constant(holds)
        case let expression: return .document(["$expr": expression])
        }
    }

    /// The field of a term relative to the subject, or nil.
    func field(_ term: Term) throws(QueryError) -> MongoField? {
        switch (term, subject) {
        case (.field(let path, let origin), nil):
            guard !path.keys.isEmpty else { throw rowItself(origin) }
            return try scope.field(path.keys, from: scope.row, path: [], at: origin)
        case (.index(.field(let path, _), .at(.value(.string(let key), _)), let origin), nil) where path.keys.isEmpty:
            return try field(.field(FieldPath(keys: [key]), origin))
        case (.path(.variable(let variable, _), let steps, let origin), .some(let subject)) where variable == subject:
            guard let keys = steps.keys else { return nil }
            let field = try scope.field(keys, from: scope.variables[variable] ?? .any, path: path, at: origin)
            return field.hasPosition ? nil : field
        default: return nil
        }
    }

    private func rowItself(_ origin: Origin) -> QueryError {
        QueryError(.unsupported, "Mongo cannot compare a whole document", at: origin, hint: "name a field")
    }
}

extension [PathStep] {
    /// The keys, or nil if a step is a variable.
    package var keys: [String]? {
        var keys: [String] = []
        for step in self {
            guard case .key(let key) = step else { return nil }
            keys.append(key)
        }
        return keys
    }
}

extension [Condition] {
    func clauses(_ write: (Condition) throws(QueryError) -> Clause) throws(QueryError) -> [Clause] {
        var clauses: [Clause] = []
        clauses.reserveCapacity(count)
        for part in self { clauses.append(try write(part)) }
        return clauses
    }

    func clausesIfAll(_ write: (Condition) throws(QueryError) -> Clause?) throws(QueryError) -> [Clause]? {
        var clauses: [Clause] = []
        clauses.reserveCapacity(count)
        for part in self {
            guard let clause = try write(part) else { return nil }
            clauses.append(clause)
        }
        return clauses
    }
}
