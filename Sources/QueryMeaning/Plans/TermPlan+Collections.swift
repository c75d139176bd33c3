import QueryChecking
import QueryTree
import QueryValues

// The plans of terms over the elements of a list, and the tests of IN and CONTAINS.

final class AggregatePlan: TermPlan, @unchecked Sendable {
    private let aggregate: Aggregate
    private let base: TermPlan
    private let walk: PathWalk
    private let onlyKey: String?

    init(_ aggregate: Aggregate, of base: TermPlan, _ walk: PathWalk) {
        self.aggregate = aggregate
        self.base = base
        self.walk = walk
        onlyKey = walk.onlyKey
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        guard let collection = try base.value(row, &frame), case .list(let elements) = collection else {
            return aggregate.evaluate(.null)
        }
        if walk.isEmpty { return try evaluate(collection, &frame) }
        frame.charge(elements.count, each: aggregate.stepsOfGathering)
        switch aggregate {
        case .sum: return sum(of: elements, &frame).sum
        case .average: return sum(of: elements, &frame).average
        case .count, .min, .max: return try evaluate(walk.value(from: collection, &frame) ?? .null, &frame)
        case .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays, .distinctUnionOfArrays, .distinctUnionOfSets:
            // One value per element: here a list that a path yields stays a list.
            var values: [QueryValue] = []
            values.reserveCapacity(elements.count)
            for element in elements { values.append(walk.value(from: element, &frame) ?? .null) }
            return try evaluate(.list(values), &frame)
        }
    }

    private func evaluate(_ collection: QueryValue, _ frame: inout RowFrame) throws(QueryError) -> QueryValue {
        if frame.budget != nil {
            frame.charge(collection.elementCount, each: aggregate.stepsOfElement)
            if aggregate.comparesElements { frame.charge(collection.mass) }
            if frame.isSpent { throw frame.tooMuchWork }
        }
        return aggregate.evaluate(collection)
    }

    /// Adds while walking, without an intermediate list.
    private func sum(of elements: [QueryValue], _ frame: inout RowFrame) -> NumberSum {
        var sum = NumberSum()
        for element in elements {
            guard case .object(let object) = element else { continue }
            if let onlyKey {
                let slot = frame.slot(of: onlyKey, at: walk.place, in: object)
                if slot >= 0 { sum.addAll(object.values[slot]) }
                continue
            }
            if let value = walk.value(from: element, &frame) { sum.addAll(value) }
        }
        return sum
    }
}

extension NumberSum {
    /// Adds a number, or those of a list.
    @inline(__always)
    fileprivate mutating func addAll(_ value: QueryValue) {
        guard case .list(let inner) = value else { return add(value) }
        for value in inner { add(value) }
    }
}

/// The elements that satisfy a condition (S19).
final class SubqueryPlan: TermPlan, @unchecked Sendable {
    private let collection: TermPlan
    private let place: Int
    private let condition: ConditionPlan
    /// The same condition with the element as its row, if it reads nothing else.
    private let forObjects: ConditionPlan?
    /// True if all elements without keys give the same answer.
    private let isSharable: Bool
    /// True if all elements that are lists give the same answer, too.
    private let treatsListsAlike: Bool
    /// The steps of one element.
    private let steps: Int

    init(
        _ collection: TermPlan,
        at place: Int,
        _ condition: ConditionPlan,
        forObjects: ConditionPlan?,
        isRepeatable: Bool,
        steps: Int
    ) {
        isSharable = forObjects != nil && isRepeatable
        treatsListsAlike = isSharable && condition.treatsListsAlike
        self.steps = steps
        self.collection = collection
        self.place = place
        self.condition = condition
        self.forObjects = forObjects
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        guard let elements = try elements(row, &frame) else { return .null }
        var found: [QueryValue] = []
        var known = KnownTruths()
        // The owner of the last element may reuse its memory.
        defer { frame.variables[place] = .null }
        for element in elements where try holds(element, row, &frame, &known) { found.append(element) }
        return .list(found)
    }

    /// How many elements satisfy the condition; nil if there is no collection.
    func count(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> Int? {
        guard let elements = try elements(row, &frame) else { return nil }
        var count = 0
        var known = KnownTruths()
        defer { frame.variables[place] = .null }
        for element in elements where try holds(element, row, &frame, &known) { count += 1 }
        return count
    }

    private func elements(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> [QueryValue]? {
        switch try collection.value(row, &frame) {
        case nil, .null: return nil
        case .list(let list):
            frame.charge(list.count, each: steps)
            return list
        case let single?:
            frame.charge(steps)
            return [single]
        }
    }

    /// The result for elements without keys, for a condition that reads only keys.
    private struct KnownTruths {
        var ofValues: Truth?
        var ofEmptyObjects: Truth?
        var ofLists: Truth?
    }

    @inline(__always)
    private func holds(
        _ element: QueryValue,
        _ row: Document,
        _ frame: inout RowFrame,
        _ known: inout KnownTruths
    ) throws(QueryError) -> Bool {
        let truth: Truth
        switch element {
        case .object(let object) where object.isEmpty && isSharable:
            truth = known.ofEmptyObjects ?? self.truth(of: element, row, &frame)
            known.ofEmptyObjects = truth
        case .object(let object):
            truth = forObjects?.truth(object, &frame) ?? self.truth(of: element, row, &frame)
        case .list where treatsListsAlike:
            truth = known.ofLists ?? self.truth(of: element, row, &frame)
            known.ofLists = truth
        case .null, .bool, .int, .double, .string, .date, .data, .uuid:
            guard isSharable else { fallthrough }
            truth = known.ofValues ?? self.truth(of: element, row, &frame)
            known.ofValues = truth
        case .list, .shape: truth = self.truth(of: element, row, &frame)
        }
        if truth == .undecided { throw frame.takeFault() }
        if frame.isSpent { throw frame.tooMuchWork }
        return truth == .yes
    }

    private func truth(of element: QueryValue, _ row: Document, _ frame: inout RowFrame) -> Truth {
        frame.variables[place] = element
        return condition.truth(row, &frame)
    }
}

/// `SUBQUERY(…).@count`.
final class SubqueryCountPlan: TermPlan, @unchecked Sendable {
    private let subquery: SubqueryPlan

    init(_ subquery: SubqueryPlan) {
        self.subquery = subquery
    }

    override func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        guard let count = try subquery.count(row, &frame) else { return .null }
        return .int(Int64(count))
    }
}

/// IN and CONTAINS (S12).
final class MembershipTest: ValueTest, @unchecked Sendable {
    /// What a literal nil in a list literal tests for, if there is one (S8); the list is then without it.
    private let literalNil: NilMeaning?
    private let options: StringOptions
    private let holdsOnLeft: Bool

    init(_ options: StringOptions, containerOnLeft holdsOnLeft: Bool, literalNil: NilMeaning?) {
        self.options = options
        self.holdsOnLeft = holdsOnLeft
        self.literalNil = literalNil
    }

    override func steps(_ left: QueryValue?, _ right: QueryValue?) -> Int {
        let (element, container) = holdsOnLeft ? (right, left) : (left, right)
        return Steps.looking(for: element ?? .null, in: container ?? .null, options)
    }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        let element = holdsOnLeft ? right : left
        if let literalNil, literalNil.holds(element) { return true }
        return (holdsOnLeft ? left : right)?.holds(element ?? .null, options) ?? false
    }

    override func knowing(_ right: QueryValue?) -> ValueTest? {
        guard !holdsOnLeft, case .list(let list)? = right, list.count > ArithmeticOperator.few else { return nil }
        return KnownMembershipTest(list, options, literalNil: literalNil)
    }
}

extension QueryValue {
    /// True when a value is in this container (S12).
    fileprivate func holds(_ element: QueryValue, _ options: StringOptions) -> Bool {
        switch self {
        case .null: return false
        case .list(let elements): return elements.contains { element.isEqual(to: $0, options: options) }
        case .string(let text):
            guard case .string(let part) = element else { return false }
            return Folding.contains(text, part, options)
        case .bool, .int, .double, .date, .data, .uuid, .object, .shape:
            return element.isEqual(to: self, options: options)
        }
    }
}

/// IN with a known list, looked up in a set.
final class KnownMembershipTest: ValueTest, @unchecked Sendable {
    private let members: MemberSet
    /// As ``MembershipTest/literalNil``.
    private let literalNil: NilMeaning?
    /// The members that are numbers, ascending, if all are ints: faster compared than hashed.
    private let ints: [Int64]?
    private let holdsLists: Bool

    init(_ list: [QueryValue], _ options: StringOptions, literalNil: NilMeaning?) {
        self.literalNil = literalNil
        members = MemberSet(list, options)
        holdsLists = list.contains { $0.kind == .list }
        let numbers = list.filter { $0.kind == .number }
        let ints = numbers.compactMap { if case .int(let number) = $0 { number } else { nil } }
        self.ints = ints.count == numbers.count ? ints.sorted() : nil
    }

    override var treatsListsAlike: Bool { !holdsLists }

    override func steps(_ left: QueryValue?, _ right: QueryValue?) -> Int {
        let bytes =
            switch left {
            case .list?, .object?: left?.mass ?? 0
            default: left?.textBytes ?? 0
            }
        return Steps.hashing(bytes) &+ Steps.folding(bytes, members.folding)
    }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        if let literalNil, literalNil.holds(left) { return true }
        if case .int(let number)? = left, let ints { return Self.holds(number, in: ints) }
        return members.holds(left ?? .null)
    }

    private static func holds(_ number: Int64, in ascending: [Int64]) -> Bool {
        if ascending.count <= ArithmeticOperator.few { return ascending.contains(number) }
        var (low, high) = (0, ascending.count)
        while low < high {
            let middle = (low + high) / 2
            if ascending[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < ascending.count && ascending[low] == number
    }
}
