/// Adds numbers as S18 wants it: ints stay an int, overflow and doubles give a double, all else is skipped.
package struct NumberSum: Sendable {
    /// How many numbers were added.
    package private(set) var count = 0
    private var ints: Int64 = 0
    private var doubles = 0.0
    private var isInt = true

    package init() {}

    /// Adds a value when it is a number; bools are none.
    package mutating func add(_ value: QueryValue) {
        switch value {
        case .int(let number):
            let sum = ints.addingReportingOverflow(number)
            isInt = isInt && !sum.overflow
            ints = sum.partialValue
            doubles += Double(number)
        case .double(let number):
            isInt = false
            doubles += number
        default: return
        }
        count += 1
    }

    /// The sum; 0 of no numbers.
    package var sum: QueryValue { isInt ? .int(ints) : .double(doubles) }

    /// The mean; null of no numbers.
    package var average: QueryValue {
        count == 0 ? .null : .double((isInt ? Double(ints) : doubles) / Double(count))
    }
}

extension Aggregate {
    /// The value of the operator over a collection (S18).
    ///
    /// - Parameter collection: what stands before the operator, with the path after it already followed.
    /// - Returns: the value; null for what has none.
    package func evaluate(_ collection: QueryValue) -> QueryValue {
        guard case .list(let elements) = collection else {
            switch self {
            case .sum: return .int(0)
            case .count, .average, .min, .max, .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays,
                .distinctUnionOfArrays, .distinctUnionOfSets:
                return .null
            }
        }
        switch self {
        case .count: return .int(Int64(elements.count))
        case .sum: return elements.numberSum.sum
        case .average: return elements.numberSum.average
        case .min: return elements.extreme(.ascending)
        case .max: return elements.extreme(.descending)
        case .unionOfObjects: return collection
        case .unionOfArrays: return .list(elements.spliced())
        case .distinctUnionOfObjects: return .list(elements.distinctValues())
        case .distinctUnionOfArrays, .distinctUnionOfSets: return .list(elements.spliced().distinctValues())
        }
    }
}

extension [QueryValue] {
    package var numberSum: NumberSum {
        var sum = NumberSum()
        for element in self { sum.add(element) }
        return sum
    }

    /// The element that comes before (`ascending`) or after (`descending`) all others in the order of S22; null and NaN skipped.
    package func extreme(_ wanted: QueryOrder) -> QueryValue {
        var best = QueryValue.null
        for element in self where best.isReplaced(by: element, wanted) { best = element }
        return best
    }

    /// The elements, those of inner lists in place of the lists.
    fileprivate func spliced() -> [QueryValue] {
        flatMap { element in
            if case .list(let inner) = element { inner } else { [element] }
        }
    }
}

extension QueryValue {
    /// True when a candidate is better than this extreme so far; null is no extreme yet.
    package func isReplaced(by candidate: QueryValue, _ wanted: QueryOrder) -> Bool {
        if candidate.isNull || candidate.isNaN { return false }
        return isNull || candidate.sortOrder(relativeTo: self) == wanted
    }
}
