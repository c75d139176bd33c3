import QueryChecking
import QueryTree
import QueryValues

extension Function {
    /// The value of a call (S17, S18, S20); null when an argument does not fit.
    ///
    /// - Parameters:
    ///   - arguments: as many as the function table says; missing ones count as null.
    ///   - now: the instant of the run, in milliseconds since 1970.
    /// - Returns: the value, or null.
    package func evaluate(_ arguments: [QueryValue], now: Int64) -> QueryValue {
        let first = arguments.first ?? .null
        let second = arguments.count > 1 ? arguments[1] : .null
        return switch self {
        case .sum: Aggregate.sum.evaluate(first)
        case .count: Aggregate.count.evaluate(first)
        case .min: Aggregate.min.evaluate(first)
        case .max: Aggregate.max.evaluate(first)
        case .average: Aggregate.average.evaluate(first)
        case .median: first.numbersOfList?.median ?? .null
        case .mode: first.mode
        case .standardDeviation: first.numbersOfList?.standardDeviation ?? .null
        case .modulus: Self.ints(first, second).map { $1 == 0 ? .null : .int($0.remainder(by: $1)) } ?? .null
        case .squareRoot: Self.double(first) { $0 >= 0 ? $0.squareRoot() : nil }
        case .log: Self.double(first) { $0 > 0 ? MathLibrary.commonLogarithm($0) : nil }
        case .ln: Self.double(first) { $0 > 0 ? MathLibrary.logarithm($0) : nil }
        case .exp: Self.double(first) { MathLibrary.exponential($0) }
        case .floor: first.rounded(.down)
        case .ceiling: first.rounded(.up)
        case .truncate: first.rounded(.towardZero)
        case .absolute: first.absolute
        case .random: .double(Double.random(in: 0..<1))
        case .randomBelow: Self.randomInt(below: first)
        case .now: .date(now)
        case .bitwiseAnd: Self.ints(first, second).map { .int($0 & $1) } ?? .null
        case .bitwiseOr: Self.ints(first, second).map { .int($0 | $1) } ?? .null
        case .bitwiseXor: Self.ints(first, second).map { .int($0 ^ $1) } ?? .null
        // Swift's shifts are defined for every count: a negative one shifts the other way, a large one leaves 0 or -1.
        case .leftShift: Self.ints(first, second).map { .int($0 << $1) } ?? .null
        case .rightShift: Self.ints(first, second).map { .int($0 >> $1) } ?? .null
        case .onesComplement: Self.ints(first, 0).map { number, _ in .int(~number) } ?? .null
        case .uppercase: Self.text(first) { .string($0.uppercased()) }
        case .lowercase: Self.text(first) { .string($0.lowercased()) }
        case .length: Self.text(first) { .int(Int64($0.unicodeScalars.count)) }
        case .noindex: first
        case .distance: Self.distance(first, second)
        case .year, .month, .day, .weekday, .hour, .minute:
            part(of: first, in: arguments.count > 1 ? second : .string("UTC"))
        }
    }

    private func part(of date: QueryValue, in zone: QueryValue) -> QueryValue {
        guard case .date(let instant) = date, case .string(let name) = zone, let zone = DateZone(name) else {
            return .null
        }
        return part(of: instant, in: zone)
    }

    /// A part of a date in a zone (S28); null for other functions and outside the years 1 to 9999.
    func part(of instant: Int64, in zone: DateZone) -> QueryValue {
        zone.local(instant).flatMap(part(of:)).map { .int($0) } ?? .null
    }

    private static func ints(_ left: QueryValue, _ right: QueryValue) -> (Int64, Int64)? {
        if case .int(let a) = left, case .int(let b) = right { (a, b) } else { nil }
    }

    /// Outside the domain gives null (S17); NaN goes through.
    private static func double(_ value: QueryValue, _ function: (Double) -> Double?) -> QueryValue {
        guard let number = value.doubleValue else { return .null }
        if number.isNaN { return .double(number) }
        return function(number).map { .double($0) } ?? .null
    }

    private static func text(_ value: QueryValue, _ function: (String) -> QueryValue) -> QueryValue {
        if case .string(let text) = value { function(text) } else { .null }
    }

    private static func randomInt(below bound: QueryValue) -> QueryValue {
        guard case .int(let bound) = bound, bound > 0 else { return .null }
        return .int(Int64.random(in: 0..<bound))
    }

    private static func distance(_ left: QueryValue, _ right: QueryValue) -> QueryValue {
        guard let a = GeoPoint(place: left), let b = GeoPoint(place: right) else { return .null }
        return .double(a.distance(to: b))
    }
}

extension FunctionEntry {
    /// The value of a call (S17, S18, S20), or nil for a row that is not a call.
    ///
    ///     FunctionEntry.named("sqrt")?.value(of: [9], now: 0)  // → 3.0
    ///
    /// - Parameters:
    ///   - arguments: as many as ``arguments`` has; missing ones count as null.
    ///   - now: the instant of the run, in milliseconds since 1970.
    /// - Returns: the value, `.null` if an argument does not fit, nil if the row is not a call.
    package func value(of arguments: [QueryValue], now: Int64) -> QueryValue? {
        if case .call(let function) = node { function.evaluate(arguments, now: now) } else { .none }
    }
}

extension Int64 {
    /// The remainder with the sign of the dividend; the divisor is not zero.
    fileprivate func remainder(by divisor: Int64) -> Int64 {
        remainderReportingOverflow(dividingBy: divisor).partialValue
    }
}

extension QueryValue {
    fileprivate func rounded(_ rule: FloatingPointRoundingRule) -> QueryValue {
        switch self {
        case .int: self
        case .double(let number): .double(number.rounded(rule))
        default: .null
        }
    }

    fileprivate var absolute: QueryValue {
        switch self {
        case .int(let number): number < 0 ? negatedNumber : self
        case .double(let number): .double(number.magnitude)
        default: .null
        }
    }

    /// The numbers of a list as doubles; nil for anything else.
    fileprivate var numbersOfList: [Double]? {
        if case .list(let elements) = self { elements.compactMap(\.doubleValue) } else { nil }
    }

    /// The most frequent elements in the order of their first appearance; null elements are skipped (S18).
    fileprivate var mode: QueryValue {
        guard case .list(let elements) = self else { return .null }
        var counts: [EqualityKey: Int] = [:]
        for element in elements where !element.isNull { counts[EqualityKey(element), default: 0] += 1 }
        let most = counts.values.max() ?? 0
        return .list(elements.distinctValues().filter { counts[EqualityKey($0)] == most })
    }
}

extension [Double] {
    /// The number in the middle, or the mean of the two there; nil for none, NaN if one is NaN.
    package var median: QueryValue {
        if isEmpty { return .null }
        if contains(where: \.isNaN) { return .double(.nan) }
        let sorted = sorted()
        let middle = count / 2
        guard count.isMultiple(of: 2) else { return .double(sorted[middle]) }
        let (low, high) = (sorted[middle - 1], sorted[middle])
        // The halves are added only if the sum overflows, because half of the smallest double is 0.
        return .double((low + high).isFinite ? (low + high) / 2 : low / 2 + high / 2)
    }

    fileprivate var standardDeviation: QueryValue {
        if isEmpty { return .null }
        let mean = reduce(0, +) / Double(count)
        let squares = reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return .double((squares / Double(count)).squareRoot())
    }
}
