import QueryTree
import QueryValues

extension Condition {
    /// The condition with everything computed that does not depend on a row; nothing is merged or reordered.
    ///
    /// Comparisons between constants become TRUEPREDICATE or FALSEPREDICATE, constant subterms and `now()` become
    /// values, comparisons with NaN and orders against nil are decided (S3, S7), NOT NOT cancels, and constants inside
    /// AND and OR are removed; `length(x) > 0` becomes `x > ''`. A constant that cannot be computed is left for the
    /// backend to reject.
    ///
    /// - Parameters:
    ///   - now: the instant of the run in milliseconds since 1970 (S20).
    ///   - nilMeaning: what `== nil` tests for; a computed nil is not folded if that would change the answer (S8).
    /// - Returns: the folded condition.
    package func foldingConstants(now: Int64, nilMeaning: NilMeaning = .nullOrAbsent) -> Condition {
        StackRoom.run(for: self) { ConstantFolder(now: now, nilMeaning: nilMeaning).fold(self) }
    }
}

/// Folds constants, from the bottom up.
struct ConstantFolder {
    var now: Int64
    var nilMeaning: NilMeaning

    func fold(_ condition: Condition) -> Condition {
        if condition.isFlat({ $0.isFolded }) { return condition }
        switch condition {
        case .constant: return condition
        case .comparison(let comparison): return fold(comparison)
        case .and(let parts): return foldAnd(parts.map(fold))
        case .or(let parts): return foldOr(parts.map(fold))
        case .not(let part): return negate(fold(part))
        }
    }

    private func negate(_ condition: Condition) -> Condition {
        switch condition {
        case .constant(let value): .constant(!value)
        case .not(let inner): inner
        default: .not(condition)
        }
    }

    private func foldAnd(_ parts: [Condition]) -> Condition {
        if parts.contains(.constant(false)) { return .constant(false) }
        let rest = parts.filter { $0 != .constant(true) }
        return rest.count == 1 ? rest[0] : rest.isEmpty ? .constant(true) : .and(rest)
    }

    private func foldOr(_ parts: [Condition]) -> Condition {
        if parts.contains(.constant(true)) { return .constant(true) }
        let rest = parts.filter { $0 != .constant(false) }
        return rest.count == 1 ? rest[0] : rest.isEmpty ? .constant(false) : .or(rest)
    }

    // MARK: Comparisons

    private func fold(_ original: Comparison) -> Condition {
        var comparison = original
        comparison.left = fold(original.left)
        comparison.right = fold(original.right)
        if comparison.left.isRowless, comparison.right.isRowless, let truth = truth(of: comparison) {
            return .constant(truth)
        }
        if comparison.quantifier == nil, let truth = decidedByOneSide(comparison) { return .constant(truth) }
        if let choice = perBranch(comparison) { return choice }
        return .comparison(besideEmptyText(comparison) ?? comparison)
    }

    /// A comparison of a choice with a constant as one for each branch, if one of them is decided.
    ///
    /// `($0.name ?? "") == "x"` needs no CASE, and an index serves it. So are branches searched with CONTAINS, of which
    /// each may be a list.
    private func perBranch(_ original: Comparison) -> Condition? {
        let comparison = original.withConstantOnTheRight
        guard comparison.quantifier == nil, case .conditional(let test, let first, let second, _) = comparison.left,
            let constant = comparison.right.constantValue, !constant.holdsNil,
            // Texts beside a date may be dates (S5).
            !comparison.right.nodes.contains(where: { if case .term(.value(.date, _)) = $0 { true } else { false } }),
            comparison.operator == .contains || first.constantValue != nil || second.constantValue != nil,
            test.isRepeatable, !test.nodes.contains(where: { if case .term(.conditional) = $0 { true } else { false } })
        else { return nil }
        let branches = [first, second].map { branch in
            var branched = comparison
            branched.left = branch
            return fold(branched)
        }
        return foldOr([foldAnd([test, branches[0]]), foldAnd([negate(test), branches[1]])])
    }

    /// `length(x) > 0` as `x > ''`, and so on: the same answers, also for what is no text, by what an index serves.
    private func besideEmptyText(_ comparison: Comparison) -> Comparison? {
        var given = comparison.withConstantOnTheRight
        guard given.quantifier == nil, case .call(.length, let arguments, let origin) = given.left,
            let text = arguments.first, case .int(let number)? = given.right.constantValue
        else { return nil }
        switch (given.operator, number) {
        case (.greater, 0), (.greaterOrEqual, 1): given.operator = .greater
        case (.equal, 0), (.lessOrEqual, 0), (.less, 1): given.operator = .equal
        case (.notEqual, 0): break
        default: return nil
        }
        (given.left, given.right) = (text, .value(.string(""), origin))
        return given
    }

    private func truth(of comparison: Comparison) -> Bool? {
        do throws(QueryError) {
            return try RowEvaluator(nilMeaning: nilMeaning).holds(.comparison(comparison), now: now)
        } catch {
            return nil
        }
    }

    /// NaN equals nothing and is never ordered (S3); nil is never ordered, and is not text (S7).
    private func decidedByOneSide(_ comparison: Comparison) -> Bool? {
        let takesNil = comparison.operator == .lessOrEqual || comparison.operator == .greaterOrEqual
        for value in [comparison.left.constantValue, comparison.right.constantValue].compactMap({ $0 }) {
            switch comparison.operator.operands {
            case .anyValues: if value.isNaN { return comparison.operator == .notEqual }
            case .ordered: if value.isNaN || (value.isNull && !takesNil) { return false }
            case .texts: if value.isNull { return false }
            case .valueAndRange, .valueAndCollection, .collectionAndValue, .placeAndShape: break
            }
        }
        return decidedByRight(comparison)
    }

    private func decidedByRight(_ comparison: Comparison) -> Bool? {
        guard case .list(let elements, _) = comparison.right else { return nil }
        switch comparison.operator {
        case .between:
            let bounds = elements.compactMap(\.constantValue)
            return bounds.contains { $0.isNull || $0.isNaN } ? false : nil
        case .in: return elements.isEmpty ? false : nil
        default: return nil
        }
    }

    // MARK: Terms

    func fold(_ term: Term) -> Term {
        if case .value = term { return term }
        let folded = term.mapChildren(fold, fold)
        guard folded.constantValue == nil, folded.isRowless else { return folded }
        return value(of: folded).map { .constant($0, term.origin) } ?? folded
    }

    private func value(of term: Term) -> QueryValue? {
        do throws(QueryError) {
            let value = try RowEvaluator().value(of: term, now: now) ?? .null
            // A computed nil is not the nil that the meaning tests for, but as a value it would look like it.
            return nilMeaning != .nullOrAbsent && value.holdsNil ? Optional.none : value
        } catch {
            return nil
        }
    }
}

extension Term {
    /// True for a field or a variable.
    fileprivate var isPlace: Bool {
        switch self {
        case .field, .variable: true
        default: false
        }
    }

    /// True for a single value that does not decide a comparison by itself.
    fileprivate var isOrdinaryConstant: Bool {
        guard case .value(let value, _) = self else { return false }
        switch value {
        case .bool, .int, .string, .date, .data, .uuid: return true
        case .double(let number): return !number.isNaN
        case .null, .list, .object, .shape: return false
        }
    }
}

extension Comparison {
    /// True if nothing can be folded: a field compared with a field, an ordinary constant, or nil that only a row decides
    /// (S7).
    fileprivate var isFolded: Bool {
        guard left.isPlace else { return false }
        if case .value(.null, _) = right { return `operator` == .equal || `operator` == .notEqual }
        return right.isPlace || right.isOrdinaryConstant
    }
}
