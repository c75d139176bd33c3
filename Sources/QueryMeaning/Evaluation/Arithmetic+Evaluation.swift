import QueryTree
import QueryValues

extension ArithmeticOperator {
    /// The value of `left operator right` (S17); null if an operand does not fit.
    ///
    /// Ints stay ints and overflow becomes double; `/` truncates toward zero; a divisor of zero gives null; `**` is
    /// always a double. The set operators take lists; any other value gives null.
    ///
    /// - Parameters:
    ///   - left: the left operand.
    ///   - right: the right operand.
    /// - Returns: the value, or null.
    package func evaluate(_ left: QueryValue, _ right: QueryValue) -> QueryValue {
        switch self {
        case .add, .subtract, .multiply, .divide: numberResult(left, right)
        case .power: Self.power(left, right)
        case .union, .intersect, .minus: setResult(left, right)
        }
    }

    private func numberResult(_ left: QueryValue, _ right: QueryValue) -> QueryValue {
        if case .int(let a) = left, case .int(let b) = right { return intResult(a, b) }
        guard let a = left.doubleValue, let b = right.doubleValue else { return .null }
        return doubleResult(a, b)
    }

    /// The same for two ints.
    @inline(__always)
    func intResult(_ a: Int64, _ b: Int64) -> QueryValue {
        let exact: (partialValue: Int64, overflow: Bool)
        switch self {
        case .add: exact = a.addingReportingOverflow(b)
        case .subtract: exact = a.subtractingReportingOverflow(b)
        case .multiply: exact = a.multipliedReportingOverflow(by: b)
        case .divide:
            if b == 0 { return .null }
            exact = a.dividedReportingOverflow(by: b)
        case .power, .union, .intersect, .minus: return .null
        }
        return exact.overflow ? doubleResult(Double(a), Double(b)) : .int(exact.partialValue)
    }

    private func doubleResult(_ a: Double, _ b: Double) -> QueryValue {
        switch self {
        case .add: .double(a + b)
        case .subtract: .double(a - b)
        case .multiply: .double(a * b)
        case .divide: b == 0 ? .null : .double(a / b)
        case .power, .union, .intersect, .minus: .null
        }
    }

    private func setResult(_ left: QueryValue, _ right: QueryValue) -> QueryValue {
        guard case .list(let a) = left, case .list(let b) = right else { return .null }
        if case .union = self { return .list((a + b).distinctValues()) }
        let wanted = self == .intersect
        guard b.count > Self.few else {
            return .list(a.distinctValues().filter { value in b.contains { value.isMember($0) } == wanted })
        }
        // NaN equals nothing (S3), so no list contains it.
        let members = Set(b.lazy.filter { !$0.isNaN }.map(EqualityKey.init))
        return .list(a.distinctValues().filter { members.contains(EqualityKey($0)) == wanted })
    }

    /// Up to this many values are compared one by one faster than hashed.
    static let few = 6

    /// The value of `first operator operand operator operand …`, from left to right.
    ///
    /// - Parameters:
    ///   - first: the value of the first operand.
    ///   - rest: the operators and the values of their right operands.
    /// - Returns: the value, or null. O(size of the values).
    static func evaluate(
        _ first: QueryValue,
        _ rest: [(operation: ArithmeticOperator, value: QueryValue)]
    ) -> QueryValue {
        guard rest.count > 2, rest.allSatisfy({ $0.operation.isOfSets }) else {
            return rest.reduce(first) { $1.operation.evaluate($0, $1.value) }
        }
        guard case .list(let list) = first else { return .null }
        var set = RunningSet(list)
        for link in rest {
            guard case .list(let other) = link.value else { return .null }
            set.apply(link.operation, other)
        }
        return .list(set.list)
    }
}

extension [QueryValue] {
    /// The values without duplicates, in the order of first appearance; numbers that compare equal are one value (S23).
    ///
    /// O(n) on average.
    package func distinctValues() -> [QueryValue] {
        if count <= ArithmeticOperator.few {
            var values: [QueryValue] = []
            for value in self where !values.contains(where: { EqualityKey($0) == EqualityKey(value) }) {
                values.append(value)
            }
            return values
        }
        var seen: Set<EqualityKey> = []
        return filter { seen.insert(EqualityKey($0)).inserted }
    }
}

extension QueryValue {
    /// True if a list with another value has this one as a member for INTERSECT and MINUS; NaN equals nothing (S3).
    fileprivate func isMember(_ other: QueryValue) -> Bool { !other.isNaN && EqualityKey(self) == EqualityKey(other) }
}
