import QueryChecking
import QueryValues

// Tests of texts (S12, S14–S16). A constant on the right is folded or compiled once per query.

/// BEGINSWITH, ENDSWITH, LIKE and MATCHES with both sides from the row.
final class TextTest: ValueTest, @unchecked Sendable {
    private let relation: TextRelation
    private let options: StringOptions
    private let limits: Limits
    private let origin: Origin

    init(_ relation: TextRelation, _ options: StringOptions, _ limits: Limits, at origin: Origin) {
        self.relation = relation
        self.options = options
        self.limits = limits
        self.origin = origin
    }

    override func steps(_ left: QueryValue?, _ right: QueryValue?) -> Int {
        let (text, other) = (left?.textBytes ?? 0, right?.textBytes ?? 0)
        switch relation {
        case .part: return Steps.comparing(text, options) &+ Steps.comparing(other, options)
        case .like: return text &* (other &+ 3) &+ Steps.compiling(other)
        case .matches: return Steps.matching(text) &+ Steps.compiling(other)
        }
    }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        guard case .string(let text)? = left, case .string(let other)? = right else { return false }
        switch relation {
        case .part(let part): return part.holds(text, other, options)
        case .like:
            // A pattern from a field that ends in a lone backslash matches nothing (S15).
            guard let pattern = try? LikePattern(other, options: options) else { return false }
            return pattern.matches(text)
        case .matches: return try matches(text, other)
        }
    }

    override func knowing(_ right: QueryValue?) -> ValueTest? {
        guard case .string(let other)? = right else { return nil }
        switch relation {
        case .part(let part): return PartTest(part, other, options)
        case .like: return (try? LikePattern(other, options: options)).map(LikeTest.init) ?? NeverTest()
        case .matches:
            do throws(QueryError) {
                return RegexTest(try regex(other))
            } catch {
                return FaultyPatternTest(error)
            }
        }
    }

    private func matches(_ text: String, _ pattern: String) throws(QueryError) -> Bool {
        try regex(pattern).matches(text)
    }

    /// An invalid pattern from a field is the row's error, not the query's (S16).
    private func regex(_ pattern: String) throws(QueryError) -> RegexPattern {
        do throws(QueryError) {
            return try RegexPattern(pattern, options: options, limits: limits, at: origin)
        } catch {
            var error = error
            if error.code == .pattern { error.code = .evaluation }
            throw error
        }
    }
}

/// BEGINSWITH, ENDSWITH and text CONTAINS text with a constant on the right.
final class PartTest: ValueTest, @unchecked Sendable {
    private let place: TextPart
    private let part: String
    private let folding: StringOptions

    init(_ place: TextPart, _ part: String, _ options: StringOptions) {
        self.place = place
        folding = options.folding
        self.part = Folding.folded(part, options.folding)
    }

    override func steps(_ left: QueryValue?, _ right: QueryValue?) -> Int {
        switch left {
        case .string(let text)?:
            let bytes = text.utf8.count
            return Steps.folding(bytes, folding) &+ (place == .middle ? Steps.searching(bytes) : 0)
        case .list(let elements)? where place == .middle:
            let folded = folding.isEmpty ? 0 : elements.reduce(0) { $0 &+ $1.textBytes }
            return elements.count &* Steps.met &+ Steps.folding(folded, folding)
        default: return 0
        }
    }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        switch left {
        case .string(let text)?: place.holds(folding.isEmpty ? text : Folding.folded(text, folding), part)
        case .list(let elements)?: place == .middle && elements.contains(where: isElement)
        default: false
        }
    }

    override var treatsListsAlike: Bool { place != .middle }

    private func isElement(_ element: QueryValue) -> Bool {
        guard case .string(let text) = element else { return false }
        return Folding.folded(text, folding).hasSameUTF8(as: part)
    }
}

/// LIKE with a constant pattern.
final class LikeTest: ValueTest, @unchecked Sendable {
    private let pattern: LikePattern

    init(_ pattern: LikePattern) {
        self.pattern = pattern
    }

    override func steps(_ left: QueryValue?, _ right: QueryValue?) -> Int {
        (left?.textBytes ?? 0) &* pattern.stepsOfByte
    }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        if case .string(let text)? = left { pattern.matches(text) } else { false }
    }

    override var treatsListsAlike: Bool { true }
}

/// MATCHES with a constant pattern.
final class RegexTest: ValueTest, @unchecked Sendable {
    private let pattern: RegexPattern

    init(_ pattern: RegexPattern) {
        self.pattern = pattern
    }

    override func steps(_ left: QueryValue?, _ right: QueryValue?) -> Int {
        Steps.matching(left?.textBytes ?? 0)
    }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        if case .string(let text)? = left { try pattern.matches(text) } else { false }
    }

    override var treatsListsAlike: Bool { true }
}

/// MATCHES with an invalid pattern from the row: an error for every text (S16).
final class FaultyPatternTest: ValueTest, @unchecked Sendable {
    private let error: QueryError

    init(_ error: QueryError) {
        self.error = error
    }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        if case .string? = left { throw error }
        return false
    }
}

/// A test that nothing passes: text operators on constants of another kind, ordering by nil.
final class NeverTest: ValueTest, @unchecked Sendable {}
