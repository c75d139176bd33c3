/// A sum of a fixed amount and an amount that grows with parts of the row, or of a SUBQUERY's element.
///
/// For bytes, a part's number is how often its bytes count; for steps, the cost if that part is the whole row.
struct Work {
    var fixed = 0
    /// By the first key: different keys share the bytes.
    var parts: [String: Int] = [:]
    /// For work that reads all keys.
    var whole = 0

    init(_ fixed: Int = 0) { self.fixed = fixed }

    /// One part, or the whole, counted once.
    static func part(_ key: String?) -> Work {
        var work = Work()
        if let key { work.parts[key] = 1 } else { work.whole = 1 }
        return work
    }

    static func + (a: Work, b: Work) -> Work {
        var sum = a
        sum += b
        return sum
    }

    /// Adds the fewer parts to the more, so that a sum of many takes no time for those before.
    static func += (sum: inout Work, other: consuming Work) {
        sum.fixed = sum.fixed.adding(other.fixed)
        sum.whole = sum.whole.adding(other.whole)
        if other.parts.count > sum.parts.count { swap(&other.parts, &sum.parts) }
        for (key, number) in other.parts { sum.parts[key, default: 0] = sum.parts[key, default: 0].adding(number) }
    }

    /// The growing amount if one part takes all the bytes.
    var growth: Int { whole.adding(parts.values.max() ?? 0) }
    /// The maximum.
    var peak: Int { fixed.adding(growth) }

    /// Converts shares of bytes to steps: this many for a full row of bytes.
    func each(_ steps: Int) -> Work {
        if steps == 0 { return Work() }
        var work = Work()
        let (quotient, rest) = fixed.quotientAndRemainder(dividingBy: CostEstimate.bytes)
        work.fixed = quotient.times(steps).adding(rest.times(steps) / CostEstimate.bytes).adding(fixed > 0 ? 1 : 0)
        work.whole = whole.times(steps)
        work.parts = parts.mapValues { $0.times(steps) }
        return work
    }

    /// The maximum number of bytes of these shares.
    var mostBytes: Int { fixed.adding(growth.times(CostEstimate.bytes)) }
}

extension Int {
    func adding(_ other: Int) -> Int {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }

    func times(_ other: Int) -> Int {
        let (product, isOver) = multipliedReportingOverflow(by: other)
        return isOver ? .max : product
    }
}
