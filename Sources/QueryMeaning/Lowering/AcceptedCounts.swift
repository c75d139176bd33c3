import QueryTree
import QueryValues

/// The numbers of elements that a comparison of `@count` accepts.
package struct AcceptedCounts: Sendable {
    /// The least accepted count.
    package var lowest = 0
    /// The greatest accepted count, or nil for no upper bound.
    package var highest: Int?
    /// Single counts, instead of a range.
    package var counts: [Int]?
    /// True if a count of nil is accepted, which is the count of anything but a list (S18).
    package var holdsForNil = false
    /// True if the counts that are not accepted are wanted instead.
    package var isNegated = false
    private let most: Double

    /// The counts that a question about a count accepts; nil if its right side is computed or its test is not of
    /// numbers.
    ///
    /// - Parameters:
    ///   - question: about a count.
    ///   - most: more elements than any list has; greater numbers are reduced to it.
    package init?(_ question: Question, most: Double = 9e18) {
        self.most = most
        isNegated = question.isNegated
        switch question.test {
        case .never: counts = []
        case .isNil(let nilMeaning):
            counts = []
            // A computed nil counts as null.
            holdsForNil = nilMeaning != .absent
        case .equal(let value): counts = count(value).map { [$0] } ?? []
        case .ordered(let rule, let value):
            guard let bound = Self.bound(value) else {
                counts = []
                return
            }
            switch rule.wanted {
            case .ascending: highest = rule.allowsEqual ? floor(bound) : ceiling(bound) - 1
            case .descending, .same: lowest = max(0, rule.allowsEqual ? ceiling(bound) : floor(bound) + 1)
            }
        case .between(let low, let high):
            guard let low = Self.bound(low), let high = Self.bound(high) else {
                counts = []
                return
            }
            lowest = max(0, ceiling(low))
            highest = floor(high)
        case .members(let values, let orNil):
            counts = Set(values.compactMap(count)).sorted()
            holdsForNil = orNil.map { $0 != .absent } ?? values.contains(where: \.isNull)
        case .equalToTerm, .orderedByTerm, .betweenTerms, .memberOfTerm, .containsTerm, .part, .like, .matches,
            .textByTerm, .withinTerm:
            return nil
        }
    }

    /// The single counts, if there are few.
    package func list(most: Int) -> [Int]? {
        if let counts { return counts.count <= most ? counts : nil }
        guard let highest else { return nil }
        if highest < lowest { return [] }
        return highest - lowest < most ? Array(lowest...highest) : nil
    }

    /// The accepted counts as one range, `-1...-1` if there are none; nil for several single counts.
    package var range: ClosedRange<Int64>? {
        if let counts { return counts.count > 1 ? nil : counts.first.map { Int64($0)...Int64($0) } ?? -1 ... -1 }
        let highest = highest ?? .max
        return lowest <= highest ? Int64(lowest)...Int64(highest) : -1 ... -1
    }

    /// The number of elements that decides, and whether at least that many are accepted or fewer; nil if there is none.
    package var threshold: (count: Int, isEnough: Bool)? {
        if let counts { return counts == [0] ? (1, false) : nil }
        switch (lowest, highest) {
        case (1..., nil): return (lowest, true)
        case (0, let highest?) where highest >= 0: return (highest + 1, false)
        default: return nil
        }
    }

    private func count(_ value: QueryValue) -> Int? {
        guard let bound = Self.bound(value), bound >= 0, bound < most, bound == bound.rounded() else { return nil }
        return Int(exactly: bound)
    }

    private static func bound(_ value: QueryValue) -> Double? {
        switch value {
        case .int(let number): Double(number)
        case .double(let number): number.isNaN ? nil : number
        case .null, .bool, .string, .date, .data, .uuid, .list, .object, .shape: nil
        }
    }

    private func clamp(_ value: Double) -> Int { Int(max(-most, min(most, value))) }
    private func floor(_ value: Double) -> Int { clamp(value.rounded(.down)) }
    private func ceiling(_ value: Double) -> Int { clamp(value.rounded(.up)) }
}

extension Term {
    /// The collection whose elements the term counts (S18): `a.@count`, `count(a)`, `a[SIZE]`.
    package var counted: Term? {
        switch self {
        case .aggregate(.count, of: let base, let path, _) where path.keys.isEmpty: base
        case .call(.count, let arguments, _) where arguments.count == 1: arguments[0]
        case .index(let base, .size, _): base
        default: nil
        }
    }
}
