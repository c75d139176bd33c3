import QueryTree
import QueryValues

/// The value of a growing chain of set operators (S17): each list costs its own size, not that of all previous ones.
struct RunningSet {
    /// In order of first appearance; nil for one that was removed.
    private var members: [QueryValue?] = []
    private var places: [EqualityKey: Int] = [:]

    init(_ list: [QueryValue]) {
        insert(list)
    }

    var list: [QueryValue] { members.compactMap { $0 } }

    /// Combines the current members with a list.
    ///
    /// - Parameters:
    ///   - operation: a set operator; others change nothing.
    ///   - other: the operand on the right.
    mutating func apply(_ operation: ArithmeticOperator, _ other: [QueryValue]) {
        switch operation {
        case .union: insert(other)
        case .intersect: keep(other)
        case .minus:
            // NaN equals nothing (S3), so it removes nothing.
            for value in other where !value.isNaN {
                if let place = places.removeValue(forKey: EqualityKey(value)) { members[place] = .none }
            }
        case .add, .subtract, .multiply, .divide, .power: break
        }
    }

    private mutating func insert(_ values: [QueryValue]) {
        for value in values {
            let place = places[EqualityKey(value), default: members.count]
            guard place == members.count else { continue }
            places[EqualityKey(value)] = place
            members.append(value)
        }
    }

    /// At most as many members remain as the other list has, so each member is visited once for it or for its own
    /// removal.
    private mutating func keep(_ others: [QueryValue]) {
        var kept = Set<Int>()
        for value in others where !value.isNaN {
            if let place = places[EqualityKey(value)] { kept.insert(place) }
        }
        let values = kept.sorted().compactMap { members[$0] }
        (members, places) = ([], [:])
        insert(values)
    }
}
