import QueryChecking
import QueryTree
import QueryValues

// How the value on the left of an operator is tested: one final class per kind of test. A quantifier applies the same
// test to every element. Tests with a constant on the right hold it in its final form and get nil for the right value.

class ValueTest: @unchecked Sendable {  // immutable: every stored property of every subclass is a `let`
    func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool { false }

    /// The steps of a test of these values, besides those of every test of the comparison.
    func steps(_ left: QueryValue?, _ right: QueryValue?) -> Int { 0 }

    /// The same as ``holds(_:_:)-(_,_)``, counted.
    @inline(__always)
    final func holds(
        _ left: QueryValue?,
        _ right: QueryValue?,
        _ frame: inout RowFrame
    ) throws(QueryError) -> Bool {
        if frame.budget != nil { try frame.spend(steps(left, right)) }
        return try holds(left, right)
    }

    /// True if all lists on the left give the same answer.
    var treatsListsAlike: Bool { false }

    /// True if some element gives an answer, for tests that include their constant and never fail; nil for others.
    func isGiven(_ answer: Bool, bySomeOf elements: [QueryValue]) -> Bool? { nil }

    /// The same test for many values on the left and one on the right, which it then includes; nil if that saves
    /// nothing.
    func knowing(_ right: QueryValue?) -> ValueTest? { nil }
}

/// `==` and `!=` of two values (S6, S7).
final class EqualTest: ValueTest, @unchecked Sendable {
    private let options: StringOptions
    private let isNegated: Bool

    init(_ options: StringOptions, isNegated: Bool) {
        self.options = options
        self.isNegated = isNegated
    }

    override func steps(_ left: QueryValue?, _ right: QueryValue?) -> Int {
        Steps.comparing(left ?? .null, right ?? .null, options)
    }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        (left ?? .null).isEqual(to: right ?? .null, options: options) != isNegated
    }
}

/// `==` and `!=` with a constant that is not nil.
final class EqualConstantTest: ValueTest, @unchecked Sendable {
    private let constant: QueryValue
    private let kind: Kind
    private let options: StringOptions
    private let isNegated: Bool

    init(_ constant: QueryValue, _ options: StringOptions, isNegated: Bool) {
        self.constant = constant
        kind = constant.kind
        self.options = options
        self.isNegated = isNegated
    }

    override func steps(_ left: QueryValue?, _ right: QueryValue?) -> Int {
        Steps.folding(left?.textBytes ?? 0, options) &* 2
    }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        // Not one switch over both, which would copy a value of another kind.
        if case .int(let value)? = left, case .int(let wanted) = constant { return (value == wanted) != isNegated }
        if case .bool(let value)? = left, case .bool(let wanted) = constant { return (value == wanted) != isNegated }
        if options.isEmpty, case .string(let value)? = left, case .string(let wanted) = constant {
            return value.hasSameUTF8(as: wanted) != isNegated
        }
        guard let left, left.kind == kind else { return isNegated }
        return left.isEqual(to: constant, options: options) != isNegated
    }

    override var treatsListsAlike: Bool { kind != .list }

    override func isGiven(_ answer: Bool, bySomeOf elements: [QueryValue]) -> Bool? {
        guard case .string(let wanted) = constant, options.isEmpty else { return nil }
        for element in elements {
            let isSame = if case .string(let text) = element { text.hasSameUTF8(as: wanted) } else { false }
            if (isSame != isNegated) == answer { return true }
        }
        return false
    }
}

/// `== nil` and `!= nil` with nil as a literal, argument or bound variable (S8).
final class NilTest: ValueTest, @unchecked Sendable {
    private let meaning: NilMeaning
    private let isNegated: Bool

    init(_ meaning: NilMeaning, isNegated: Bool) {
        self.meaning = meaning
        self.isNegated = isNegated
    }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        meaning.holds(left) != isNegated
    }

    override var treatsListsAlike: Bool { true }
}

extension NilMeaning {
    /// True if the value is nil in this sense; nil means absent (S8).
    func holds(_ value: QueryValue?) -> Bool {
        switch self {
        case .nullOrAbsent: value?.isNull ?? true
        case .absent: value == nil
        case .null: value?.isNull ?? false
        }
    }
}

/// `< <= > >=` (S2, S7).
final class OrderTest: ValueTest, @unchecked Sendable {
    private let rule: OrderRule
    private let options: StringOptions

    init(_ rule: OrderRule, _ options: StringOptions) {
        self.rule = rule
        self.options = options
    }

    override func steps(_ left: QueryValue?, _ right: QueryValue?) -> Int {
        Steps.comparing(left ?? .null, right ?? .null, options)
    }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        let left = left ?? .null
        let right = right ?? .null
        // `<=` and `>=` hold for two nils (S7), `<` and `>` never with one.
        if left.isNull || right.isNull { return rule.allowsEqual && left.isNull && right.isNull }
        return rule.accepts(left.order(relativeTo: right, options: options))
    }
}

/// The same with a constant that is not nil.
final class OrderConstantTest: ValueTest, @unchecked Sendable {
    private let rule: OrderRule
    private let constant: QueryValue
    private let kind: Kind
    private let options: StringOptions

    init(_ rule: OrderRule, _ constant: QueryValue, _ options: StringOptions) {
        self.rule = rule
        self.constant = constant
        kind = constant.kind
        self.options = options
    }

    override func steps(_ left: QueryValue?, _ right: QueryValue?) -> Int {
        Steps.folding(left?.textBytes ?? 0, options) &* 2
    }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        // As for `==`.
        if case .int(let value)? = left, case .int(let bound) = constant { return rule.accepts(.of(value, bound)) }
        guard let left, left.kind == kind else { return false }
        return rule.accepts(left.order(relativeTo: constant, options: options))
    }

    override var treatsListsAlike: Bool { true }
}

/// A comparison with a date, for values that nothing declares as dates: ISO 8601 text is the date it denotes (S5).
final class DateTextTest: ValueTest, @unchecked Sendable {
    /// What may be read as a date.
    enum Reading {
        /// The value itself.
        case value
        /// The value itself, which may also be meant as text, because texts are listed with the date.
        case valueOrText
        /// The elements of a list.
        case elements
        /// The elements of a list literal, each according to its kind.
        case written([Bool])
    }

    private let test: ValueTest
    private let reading: Reading

    override var treatsListsAlike: Bool {
        switch reading {
        case .value, .valueOrText: test.treatsListsAlike
        case .elements, .written: false
        }
    }

    init(_ test: ValueTest, _ reading: Reading = .value) {
        self.test = test
        self.reading = reading
    }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        switch (reading, left) {
        case (.valueOrText, .string?):
            if try test.holds(left, right) { return true }
            return try test.holds(left?.readAsDate, right)
        // A value computed at run time is known to be a date only then.
        case _ where right != nil && right?.kind != .date: return try test.holds(left, right)
        case (.value, .string?): return try test.holds(left?.readAsDate, right)
        case (.elements, .list(let elements)?): return try test.holds(.list(elements.map(\.readAsDate)), right)
        case (.written(let reads), .list(let elements)?):
            return try test.holds(.list(zip(elements, reads).map { $1 ? $0.readAsDate : $0 }), right)
        case (.value, _), (.valueOrText, _), (.elements, _), (.written, _): return try test.holds(left, right)
        }
    }
}

/// BETWEEN, both ends included (S13).
final class BetweenTest: ValueTest, @unchecked Sendable {
    /// Which text compared with a date of the query is read as a date (S5).
    enum Side {
        case asTheyStand, readsValue, readsBound
    }

    private let options: StringOptions
    private let sides: [Side]

    /// `sides` says for each bound what is compared with a date there, if nothing declares it (S5).
    init(_ options: StringOptions, _ sides: [Side]) {
        self.options = options
        self.sides = sides
    }

    override func steps(_ left: QueryValue?, _ right: QueryValue?) -> Int {
        Steps.comparing(left?.textBytes ?? 0, options)
    }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        guard let left, case .list(let bounds)? = right, bounds.count == 2 else { return false }
        return OrderRule(.descending, orEqual: true).accepts(order(left, bounds[0], sides[0]))
            && OrderRule(.ascending, orEqual: true).accepts(order(left, bounds[1], sides[1]))
    }

    private func order(_ value: QueryValue, _ bound: QueryValue, _ side: Side) -> QueryOrder? {
        switch side {
        case .readsValue where bound.kind == .date: value.readAsDate.order(relativeTo: bound, options: options)
        case .readsBound where value.kind == .date: value.order(relativeTo: bound.readAsDate, options: options)
        case .asTheyStand, .readsValue, .readsBound: value.order(relativeTo: bound, options: options)
        }
    }
}

/// BETWEEN with a constant for each bound.
final class BetweenConstantTest: ValueTest, @unchecked Sendable {
    private let low: ValueTest
    private let high: ValueTest

    init(_ low: QueryValue, _ high: QueryValue, _ options: StringOptions, readsDates: Bool) {
        func test(_ order: QueryOrder, _ bound: QueryValue) -> ValueTest {
            let test = OrderConstantTest(OrderRule(order, orEqual: true), bound, options)
            return readsDates && bound.kind == .date ? DateTextTest(test) : test
        }
        self.low = test(.descending, low)
        self.high = test(.ascending, high)
    }

    override func steps(_ left: QueryValue?, _ right: QueryValue?) -> Int {
        low.steps(left, nil)
    }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        guard try low.holds(left, nil) else { return false }
        return try high.holds(left, nil)
    }

    override var treatsListsAlike: Bool { true }
}

/// `geoWithin(field, shape)`: the field holds `[longitude, latitude]`.
final class GeoTest: ValueTest, @unchecked Sendable {
    override func steps(_ left: QueryValue?, _ right: QueryValue?) -> Int { right?.mass ?? 0 }

    override func holds(_ left: QueryValue?, _ right: QueryValue?) throws(QueryError) -> Bool {
        guard let left, case .shape(let shape)? = right, let place = GeoPoint(pair: left) else { return false }
        return shape.contains(place)
    }
}
