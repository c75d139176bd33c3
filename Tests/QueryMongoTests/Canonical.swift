import PredicateQL
import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

/// Conditions without the distinctions that a Mongo filter does not keep.
///
/// Two conditions with one canonical form mean the same, under the assumptions of the translation. These differences
/// are removed: the order of AND, OR and IN; the sides of a comparison with a constant; BETWEEN and IN against `>= AND
/// <=` and OR; `NOT ==` against `!=`, `ANY !=` against `NOT ALL ==`; functions and signs with several spellings; the
/// form of a count; SUBQUERY of one comparison against ANY; the case of text under `[c]` and marks under `[d]`.
struct Canonical {
    var nilMeaning: NilMeaning
    var now: Int64
    var schema: Schema?
    /// Paths that hold single values, where ANY changes nothing.
    var singles: Set<String> = []
    /// Paths that hold lists.
    var lists: Set<String> = []

    init(_ nilMeaning: NilMeaning, assuming assumptions: [Assumption], now: Int64 = 0, schema: Schema? = nil) {
        (self.now, self.schema) = (now, schema)
        self.nilMeaning = nilMeaning
        var containers: Set<String> = []
        for assumption in assumptions {
            let path: String
            switch assumption {
            case .single(let single): (path, _) = (single, singles.insert(single))
            case .kind(let kind, _): (path, _) = (kind, singles.insert(kind))
            case .list(let list): (path, _) = (list, lists.insert(list))
            case .objects(let list): path = list
            case .date, .json: continue
            }
            let keys = path.split(separator: ".")
            for count in 0..<keys.count { containers.insert(keys.prefix(count).joined(separator: ".")) }
        }
        for assumption in assumptions {
            switch assumption {
            case .list(let path), .objects(let path): containers.remove(path)
            case .single, .kind, .date, .json: break
            }
        }
        singles.formUnion(containers)
    }

    func callAsFunction(_ condition: Condition) -> Condition {
        form(condition.foldingConstants(now: now, nilMeaning: nilMeaning))
    }

    func form(_ condition: Condition) -> Condition {
        switch condition {
        case .constant: condition
        case .and(let parts): join(parts.map(form), isAnd: true)
        case .or(let parts): join(parts.map(form), isAnd: false)
        case .not(let part): not(form(part))
        case .comparison(let comparison): form(comparison)
        }
    }

    func not(_ condition: Condition) -> Condition {
        switch condition {
        case .constant(let holds): return .constant(!holds)
        case .not(let inner): return inner
        case .comparison(let comparison):
            guard let (term, accepted) = Self.accepted(comparison) else { return .not(condition) }
            return Self.counting(term, Self.allCounts.subtracting(accepted))
        case .and(let parts): return join(parts.map(not), isAnd: false)
        case .or(let parts): return join(parts.map(not), isAnd: true)
        }
    }

    /// A plain test never holds for a list, so ANY of the same field in the same AND changes nothing.
    private static func withoutNeedlessAny(_ parts: [Condition]) -> [Condition] {
        var singles: Set<FieldPath> = []
        func tested(_ part: Condition) -> FieldPath? {
            switch part {
            case .comparison(let comparison):
                guard comparison.quantifier == nil, case .field(let path, _) = comparison.left,
                    let value = comparison.right.constantValue, value.kind != .list
                else { return nil }
                return path
            case .or(let parts):
                let paths = Set(parts.map(tested))
                return paths.count == 1 ? paths.first ?? nil : nil
            case .constant, .and, .not: return nil
            }
        }
        for path in parts.compactMap(tested) {
            for count in path.keys.indices { singles.insert(FieldPath(keys: Array(path.keys[...count]))) }
        }
        func withoutAny(_ part: Condition) -> Condition {
            switch part {
            case .not(let inner): return .not(withoutAny(inner))
            case .or(let parts): return .or(parts.map(withoutAny))
            case .comparison(var comparison):
                guard case .field(let path, _) = comparison.left, comparison.quantifier == .any,
                    singles.contains(path), let value = comparison.right.constantValue, !value.isNull,
                    value.kind != .list
                else { return part }
                comparison.quantifier = nil
                return .comparison(comparison)
            case .constant, .and: return part
            }
        }
        return parts.map(withoutAny)
    }

    func join(_ parts: [Condition], isAnd: Bool) -> Condition {
        var flat: [Condition] = []
        for part in parts {
            switch part {
            case .and(let inner) where isAnd: flat += inner
            case .or(let inner) where !isAnd: flat += inner
            case .constant(isAnd): continue
            case .constant: return part
            default: flat.append(part)
            }
        }
        flat = Self.joinedCounts(isAnd ? Self.withoutNeedlessAny(flat) : flat, isAnd: isAnd)
        if flat.contains(.constant(!isAnd)) { return .constant(!isAnd) }
        flat.removeAll { $0 == .constant(isAnd) }
        var seen: Set<Condition> = []
        flat = flat.filter { seen.insert($0).inserted }.sorted { $0.treeDump < $1.treeDump }
        if flat.count <= 1 { return flat.first ?? .constant(isAnd) }
        return isAnd ? .and(flat) : .or(flat)
    }
}

extension Canonical {
    private func form(_ original: Comparison) -> Condition {
        var comparison = original
        comparison.origin = .none
        comparison.left = form(comparison.left)
        comparison.right = form(comparison.right)
        comparison.options = comparison.options.folding
        if comparison.quantifier == nil, let mirror = comparison.operator.entry.mirror,
            comparison.operator == .contains
                || (comparison.left.constantValue != nil && comparison.right.constantValue == nil
                    && comparison.operator != .in)
        {
            (comparison.left, comparison.right, comparison.operator) = (comparison.right, comparison.left, mirror)
        }
        if comparison.operator != .notEqual, let counted = counted(comparison) { return counted }
        if comparison.quantifier != nil, neverHolds(comparison) {
            if comparison.quantifier == .any { return .constant(false) }
            return .comparison(Comparison(comparison.left, .in, .list([], .none), quantifier: .all))
        }
        switch comparison.operator {
        case .notEqual:
            let opposite: Comparison.Quantifier? =
                comparison.quantifier == .any ? .all : comparison.quantifier == .all ? .any : .none
            (comparison.operator, comparison.quantifier) = (.equal, opposite)
            return not(form(comparison))
        case .equal: return equal(comparison)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return ordered(comparison)
        case .between: return between(comparison)
        case .in: return member(comparison)
        case .contains, .beginsWith, .endsWith, .like, .matches: return text(comparison)
        case .geoWithin: return .comparison(comparison)
        }
    }

    /// ANY changes nothing over a path of single values, unless nil passes.
    private func settled(_ comparison: Comparison) -> Condition {
        var comparison = comparison
        if case .field(let path, _) = comparison.left, comparison.quantifier == .any, singles.contains(path.dotted),
            let value = comparison.right.constantValue, !value.isNull, value.kind != .list
        {
            comparison.quantifier = nil
        }
        return .comparison(comparison)
    }

    /// True if no element passes, whatever it is.
    private func neverHolds(_ comparison: Comparison) -> Bool {
        guard let value = comparison.right.constantValue else { return false }
        switch comparison.operator {
        case .equal: return value.holdsNaN
        case .notEqual, .contains, .geoWithin: return false
        case .less, .greater: return value.isNull || value.hasNoOrder
        case .lessOrEqual, .greaterOrEqual: return value.hasNoOrder
        case .between:
            guard case .list(let bounds) = value else { return true }
            return bounds.contains { $0.isNull || $0.hasNoOrder }
        case .in:
            guard case .list(let elements) = value else { return value.isNull }
            return elements.allSatisfy(\.holdsNaN)
        case .beginsWith, .endsWith, .like, .matches: return value.kind != .string
        }
    }

    private func equal(_ comparison: Comparison) -> Condition {
        guard let value = comparison.right.constantValue else { return .comparison(comparison) }
        if case .string = value { return text(comparison) }
        var plain = comparison
        plain.options = []
        if value.isNaN { return comparison.quantifier == .all ? .comparison(plain) : .constant(false) }
        // A date equals no value of another kind (S5).
        if comparison.quantifier == nil, TypeScope(schema).type(of: comparison.left).readsAsDate(value) {
            return .constant(false)
        }
        return settled(plain)
    }

    private func ordered(_ comparison: Comparison) -> Condition {
        guard let value = comparison.right.constantValue else { return .comparison(comparison) }
        var plain = comparison
        if value.kind != .string { plain.options = [] }
        guard comparison.quantifier == nil else {
            if value.isNull { plain.operator = nilMeaning == .nullOrAbsent ? .equal : .lessOrEqual }
            return settled(plain)
        }
        switch value {
        case .null:
            if comparison.operator == .less || comparison.operator == .greater { return .constant(false) }
            plain.operator = nilMeaning == .nullOrAbsent ? .equal : .lessOrEqual
            return .comparison(plain)
        case .list, .object: return .constant(false)
        case .double(let number) where number.isNaN: return .constant(false)
        default: return .comparison(plain)
        }
    }

    private func between(_ comparison: Comparison) -> Condition {
        guard case .list(let bounds, _) = comparison.right, bounds.count == 2, comparison.quantifier == nil else {
            return .comparison(comparison)
        }
        var (low, high) = (comparison, comparison)
        (low.operator, low.right) = (.greaterOrEqual, bounds[0])
        (high.operator, high.right) = (.lessOrEqual, bounds[1])
        if bounds.contains(where: { $0.constantValue?.isNull == true }) { return .constant(false) }
        let parts = [form(.comparison(low)), form(.comparison(high))]
        return join(parts.map { $0.foldingConstants(now: now, nilMeaning: nilMeaning) }, isAnd: true)
    }

    private func member(_ comparison: Comparison) -> Condition {
        guard case .list(let terms, _) = comparison.right else {
            if let single = comparison.right.constantValue, single.kind != .string {
                if single.isNull, comparison.quantifier == nil { return .constant(false) }
                var equal = comparison
                equal.operator = .equal
                return form(equal)
            }
            guard let needle = comparison.left.constantValue, comparison.quantifier == nil,
                comparison.right.constantValue == nil
            else { return .comparison(comparison) }
            var isList = TypeScope(schema).type(of: comparison.right).isList
            if case .field(let path, _) = comparison.right, lists.contains(path.dotted) { isList = true }
            if case .string(let text) = needle, !isList {
                var plain = comparison
                // Folding does not change an empty text.
                if text.isEmpty { plain.options = [] }
                let folded = folded(text, &plain.options)
                plain.left = .value(.string(folded), .none)
                return .comparison(plain)
            }
            let (list, options) = (comparison.right, comparison.options)
            let any = Comparison(list, .equal, comparison.left, quantifier: .any, options: options)
            return form(.comparison(any))
        }
        if comparison.quantifier == .all {
            var sorted = comparison
            let kept = Set(terms.filter { $0.constantValue?.isNaN != true })
            if kept.count == 1, let only = kept.first {
                (sorted.operator, sorted.right) = (.equal, only)
                return form(sorted)
            }
            sorted.right = .list(kept.sorted { "\($0)" < "\($1)" }, .none)
            return .comparison(sorted)
        }
        return join(
            terms.map { term in
                var equal = comparison
                (equal.operator, equal.right) = (.equal, term)
                return form(.comparison(equal))
            },
            isAnd: false
        )
    }

    /// The folded text, and the options that still matter for it.
    private func folded(_ text: String, _ options: inout StringOptions) -> String {
        let folded = Folding.folded(text, options)
        let isOpen = folded.unicodeScalars.contains { Folding.equivalents(of: $0, .caseInsensitive).count > 1 }
        if !isOpen { options.remove(.caseInsensitive) }
        return folded
    }

    private func text(_ comparison: Comparison) -> Condition {
        guard case .string(var text)? = comparison.right.constantValue else {
            return comparison.right.constantValue == nil || comparison.quantifier == .all
                ? .comparison(comparison) : .constant(false)
        }
        var plain = comparison
        if comparison.operator != .matches { text = folded(text, &plain.options) }
        if comparison.operator == .endsWith, text.isEmpty { plain.options = [] }
        if comparison.operator == .like, let pieces = try? LikePattern(text).pieces {
            switch pieces.count {
            case 0: plain.operator = .equal
            case 1:
                if case .literal(let literal) = pieces[0] { (plain.operator, text) = (.equal, literal) }
                if pieces[0] == .any { (plain.operator, text, plain.options) = (.endsWith, "", []) }
            case 2:
                if pieces[0] == .any, case .literal(let literal) = pieces[1] {
                    (plain.operator, text) = (.endsWith, literal)
                }
                if pieces[1] == .any, case .literal(let literal) = pieces[0] {
                    (plain.operator, text) = (.beginsWith, literal)
                }
            case 3:
                if pieces[0] == .any, pieces[2] == .any, case .literal(let literal) = pieces[1] {
                    (plain.operator, text) = (.contains, literal)
                }
            default: break
            }
        }
        plain.right = .value(.string(text), .none)
        // CONTAINS has a form of its own.
        if comparison.operator == .like, plain.operator == .contains { return form(plain) }
        return settled(plain)
    }
}
