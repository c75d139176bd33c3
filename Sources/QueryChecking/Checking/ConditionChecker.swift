import QueryTree
import QueryValues

/// Checks a condition's kinds and literals and converts constants to their fields' kinds (S2, S10, S11, S13, S15, S16).
///
/// Collects every independent problem instead of stopping at the first.
struct ConditionChecker {
    var scope: TypeScope
    var problems: [QueryError] = []

    /// Each suggestion scans all fields of the schema; many unknown names are hardly typos.
    var suggests: Bool { problems.count < 20 }

    init(scope: TypeScope) {
        self.scope = scope
    }

    mutating func check(_ condition: Condition) -> Condition {
        condition.mapChildren {
            check($0)
        } _: {
            guard let comparison = $0.readingTextsOfUUIDs(scope) else { return .comparison(check($0)) }
            let checked = Condition.comparison(check(comparison))
            return $0.operator == .notEqual ? .not(checked) : checked
        }
    }

    private mutating func check(_ original: Comparison) -> Comparison {
        var comparison = original
        let before = problems.count
        comparison.left = check(original.left)
        comparison.right = check(original.right)
        quoteWord(original, before)
        if problems.count > before { return comparison }
        comparison = readGeo(comparison)
        checkQuantifier(comparison)
        checkPattern(comparison)
        if problems.count > before { return comparison }
        return checkKinds(comparison)
    }

    /// `name == Anna`: a word that is no field, beside a text, is a text without its quotes.
    private mutating func quoteWord(_ comparison: Comparison, _ before: Int) {
        guard problems.count == before + 1, case .field(let path, let origin) = comparison.right,
            path.keys.count == 1, !path.startsAtSelf, let range = origin.range, problems[before].fix == nil,
            range.count == path.dotted.utf8.count, scope.type(of: comparison.left).element == .string
        else { return }
        if ["undefined", "none"].contains(path.dotted.lowercased()) {
            problems[before].hint = "write \(ReservedWord.null.rawValue)"
            problems[before].fix = QueryError.Fix(range: range, replacement: ReservedWord.null.rawValue)
            return
        }
        problems[before].hint = "write '\(path.dotted)' for a text"
        problems[before].fix = QueryError.Fix(range: range, replacement: "'\(path.dotted)'")
    }

    /// `field == %@` with a shape is read as `geoWithin(field, %@)`; any other use of a shape is an error.
    private mutating func readGeo(_ original: Comparison) -> Comparison {
        var comparison = original
        if case .value(.shape, _) = comparison.left, comparison.operator == .equal, comparison.quantifier == nil {
            comparison = comparison.mirrored ?? comparison
        }
        guard case .value(.shape, let origin) = comparison.right else {
            if comparison.operator == .geoWithin, comparison.right.constantValue != nil {
                report(
                    .kindMismatch,
                    "geoWithin takes a circle or polygon as its second argument",
                    comparison.right.origin
                )
            }
            return original
        }
        if comparison.operator == .equal { comparison.operator = .geoWithin }
        if comparison.operator != .geoWithin {
            report(
                .kindMismatch,
                "a circle or polygon is allowed only with geoWithin",
                origin,
                hint: "write geoWithin(field, %@)"
            )
        }
        return comparison
    }

    /// A scalar literal under a quantifier is an error; nil is the empty collection (S10).
    private mutating func checkQuantifier(_ comparison: Comparison) {
        guard comparison.quantifier != nil, case .value(let value, let origin) = comparison.left, !value.isNull else {
            return
        }
        report(.quantifier, "a single value is not a collection", origin, hint: "leave out the quantifier")
    }

    /// LIKE and MATCHES patterns that are constants must be well-formed (S15, S16).
    private mutating func checkPattern(_ comparison: Comparison) {
        guard case .value(.string(let pattern), let origin) = comparison.right else { return }
        do throws(QueryError) {
            switch comparison.operator {
            case .like: _ = try LikePattern(pattern, options: comparison.options, at: origin)
            case .matches where !comparison.options.contains(.diacriticInsensitive):
                _ = try RegexPattern(pattern, options: comparison.options.folding, at: origin)
            default: return
            }
        } catch {
            // Without PCRE2 the backends reject MATCHES, not the parser.
            if error.code == .unsupported { return }
            problems.append(comparison.operator == .matches ? error.readingICU(pattern, at: origin) : error)
        }
    }

    mutating func report(
        _ code: QueryError.Code,
        _ message: String,
        _ origin: Origin,
        hint: String? = nil,
        fix: QueryError.Fix? = nil
    ) {
        problems.append(QueryError(code, message, at: origin, hint: hint, fix: fix))
    }
}

extension Comparison {
    /// `==`, `!=` or IN of a UUID and texts of a table, which guarantees nothing of them: IN of its texts in lower and in
    /// upper case (S5), to negate for `!=`; nil for all else.
    fileprivate func readingTextsOfUUIDs(_ scope: TypeScope) -> Comparison? {
        guard scope.guaranteesNothing, options.folding.isEmpty else { return nil }
        var read = self
        switch self.operator.operands {
        case .anyValues:
            if quantifier == nil, left.isUUID { (read.left, read.right) = (right, left) }
            guard read.right.isUUID, quantifier == nil || self.operator == .equal else { return nil }
            read.right = .list(read.right.textsOfUUID, read.right.origin)
        case .valueAndCollection:
            guard case .list(let items, let origin) = right, items.contains(where: \.isUUID) else { return nil }
            read.right = .list(items.flatMap(\.textsOfUUID), origin)
        case .ordered, .valueAndRange, .collectionAndValue, .texts, .placeAndShape: return nil
        }
        read.operator = .in
        return scope.type(of: read.left) == (quantifier == nil ? .string : .list(.string)) ? read : nil
    }
}

extension Term {
    var isUUID: Bool { if case .value(.uuid, _) = self { true } else { false } }

    /// The texts of a UUID, else the term itself.
    fileprivate var textsOfUUID: [Term] {
        guard case .value(.uuid(let uuid), let origin) = self else { return [self] }
        return [uuid.uuidString.lowercased(), uuid.uuidString].map { .value(.string($0), origin) }
    }
}
