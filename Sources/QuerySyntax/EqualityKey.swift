/// A value as a dictionary key: values that are equal in the order of S22 are one key.
///
/// So `1` and `1.0` are one, `TRUE` is another, NaN equals itself and null is a value like any other (S23).
package struct EqualityKey: Hashable, Sendable {
    package var value: QueryValue

    package init(_ value: QueryValue) {
        self.value = value
    }

    package static func == (left: EqualityKey, right: EqualityKey) -> Bool {
        switch (left.value, right.value) {
        case (.int(let a), .int(let b)): a == b
        case (.string(let a), .string(let b)): a.hasSameUTF8(as: b)
        default: left.value.sortOrder(relativeTo: right.value) == .same
        }
    }

    package func hash(into hasher: inout Hasher) {
        value.hashBySort(into: &hasher)
    }
}

extension QueryValue {
    /// Hashes so that values equal in the order of S22 hash alike.
    fileprivate func hashBySort(into hasher: inout Hasher) {
        switch self {
        case .int(let number): hasher.combine(number)
        case .double(let number): Self.hash(number, into: &hasher)
        case .string(let text): text.hashUTF8(into: &hasher)
        case .list(let elements):
            hasher.combine(elements.count)
            for element in elements { element.hashBySort(into: &hasher) }
        case .object(let object):
            // The order of an object's keys does not matter, so the hashes of its pairs are added.
            var sum = 0
            for (key, value) in object.pairs {
                var pair = Hasher()
                key.hashUTF8(into: &pair)
                value.hashBySort(into: &pair)
                sum &+= pair.finalize()
            }
            hasher.combine(object.count)
            hasher.combine(sum)
        case .null, .bool, .date, .data, .uuid, .shape: hash(into: &hasher)
        }
    }

    private static func hash(_ number: Double, into hasher: inout Hasher) {
        if let int = Int64(exactly: number) {
            hasher.combine(int)
        } else {
            hasher.combine(number.isNaN ? Double.nan.bitPattern : number.bitPattern)
        }
    }
}

/// The members of a list, for values that are looked up in it one after the other (S12).
///
/// O(size of the list) to make, O(size of the value) to ask.
struct MemberSet: Sendable {
    private let keys: Set<EqualityKey>
    let folding: StringOptions

    /// - Parameters:
    ///   - members: the elements of the list.
    ///   - options: `[c]` and `[d]` fold strings, also inside lists and objects.
    init(_ members: some Sequence<QueryValue>, _ options: StringOptions) {
        let folding = options.folding
        self.folding = folding
        // NaN equals nothing (S3), and so does what holds one.
        keys = Set(members.lazy.filter { !$0.holdsNaN }.map { EqualityKey($0.folded(folding)) })
    }

    /// True when some member is equal to the value.
    func holds(_ value: QueryValue) -> Bool {
        !value.holdsNaN && keys.contains(EqualityKey(value.folded(folding)))
    }
}

extension QueryValue {
    /// True for NaN, and for a list or object with one inside.
    fileprivate var holdsNaN: Bool {
        switch self {
        case .double(let number): number.isNaN
        case .list(let elements): Self.holdNaN(elements)
        case .object(let object): Self.holdNaN(object.values)
        case .null, .bool, .int, .string, .date, .data, .uuid, .shape: false
        }
    }

    private static func holdNaN(_ values: [QueryValue]) -> Bool {
        for value in values where value.holdsNaN { return true }
        return false
    }

    /// The value with its strings folded.
    fileprivate func folded(_ folding: StringOptions) -> QueryValue {
        if folding.isEmpty { return self }
        return switch self {
        case .string(let text): .string(Folding.folded(text, folding))
        case .list(let elements): .list(Self.folded(elements, folding))
        case .object(let object): .object(Document(shape: object.shape, values: Self.folded(object.values, folding)))
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: self
        }
    }

    private static func folded(_ values: [QueryValue], _ folding: StringOptions) -> [QueryValue] {
        var folded: [QueryValue] = []
        folded.reserveCapacity(values.count)
        for value in values { folded.append(value.folded(folding)) }
        return folded
    }
}

/// The value of a chain of set operators as it grows (S17): each list costs its own size, not that of all before it.
struct RunningSet {
    /// In the order of their first appearance; nil for one that was taken out.
    private var members: [QueryValue?] = []
    private var places: [EqualityKey: Int] = [:]

    init(_ list: [QueryValue]) {
        insert(list)
    }

    var list: [QueryValue] { members.compactMap { $0 } }

    /// Combines what there is with a list.
    ///
    /// - Parameters:
    ///   - operation: a set operator; others change nothing.
    ///   - other: the operand on the right.
    mutating func apply(_ operation: ArithmeticOperator, _ other: [QueryValue]) {
        switch operation {
        case .union: insert(other)
        case .intersect: keep(other)
        case .minus:
            // NaN equals nothing (S3), so it takes nothing out.
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

    /// What stays is no more than the other list, so each member is visited once for it or for its own end.
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
