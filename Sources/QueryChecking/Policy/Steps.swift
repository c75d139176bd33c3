import QueryTree
import QueryValues

/// The cost of work in steps: the table that ``Query/estimatedCost`` and the step counter of a run share.
///
/// Measured in optimized builds over the slowest rows; a step takes one to two nanoseconds.
package enum Steps {
    /// Comparing a value.
    package static let comparison = 2
    /// A key of a path from an object, and one from a variable.
    package static let key = 1
    package static let variableKey = 1
    /// A whole variable, which may be an object.
    package static let variable = 16
    /// A function, an index, a cast.
    package static let call = 8
    /// Looking up a date in the table of a time zone.
    package static let zoned = 160
    /// An element that a key of a path is followed from.
    package static let walked = 3
    /// The same where the values form a new list.
    package static let mapped = 8
    /// An element whose stored form is decoded as a date or UUID.
    package static let decoded = 8
    /// An element that ANY or ALL tests, besides its comparison.
    package static let asked = 12
    /// An element that SUBQUERY tests, besides its condition.
    package static let bound = 6
    /// An element that is searched for, or added.
    package static let met = 4
    /// An element that an `@` operator with a path gathers.
    package static let gathered = 8
    /// A comparison that SUBQUERY computes for an element, besides reading its keys.
    package static let computed = 24
    /// An element that is put into a set.
    package static let hashed = 48
    /// A sort key: reading it and its share of the comparisons.
    package static let sorted = 16

    /// Searching a text of this many bytes.
    package static func searching(_ bytes: Int) -> Int { bytes &* 2 }
    /// Folding it.
    @inlinable
    package static func folding(_ bytes: Int, _ options: StringOptions) -> Int { options.folding.isEmpty ? 0 : bytes }
    /// Comparing it with another of the same length.
    package static func comparing(_ bytes: Int, _ options: StringOptions) -> Int {
        bytes >> 4 &+ folding(bytes, options) &* 2
    }
    /// Comparing two values: no more than the shorter of the two.
    package static func comparing(_ left: QueryValue, _ right: QueryValue, _ options: StringOptions) -> Int {
        switch (left, right) {
        case (.string(let a), .string(let b)): comparing(min(a.utf8.count, b.utf8.count), options)
        case (.list(let a), .list(let b)) where a.count == b.count: left.mass
        case (.object, .object): left.mass
        default: 0
        }
    }
    /// Hashing it.
    package static func hashing(_ bytes: Int) -> Int { bytes >> 1 }
    /// Searching a list or a text for a value.
    package static func looking(for element: QueryValue, in container: QueryValue, _ options: StringOptions) -> Int {
        switch (container, element) {
        case (.list(let elements), .list), (.list(let elements), .object):
            elements.count &* met &+ container.mass
        case (.list(let elements), .string):
            // No more of each than the shorter of the two.
            elements.count &* met &+ container.mass &* (options.folding.isEmpty ? 1 : 17)
        case (.list(let elements), _): elements.count &* met
        case (.string(let text), .string(let part)):
            searching(text.utf8.count) &+ folding(text.utf8.count, options) &+ part.utf8.count
                &+ folding(part.utf8.count, options)
        default: 0
        }
    }
    /// MATCHES reads the text at least once.
    package static func matching(_ bytes: Int) -> Int { bytes &* 4 &+ 40 }
    /// Compiling it as a pattern.
    package static func compiling(_ bytes: Int) -> Int { bytes &* 20 &+ 400 }
}

extension Aggregate {
    /// The steps for each element.
    package var stepsOfElement: Int {
        switch self {
        case .count: 0
        case .sum, .average: Steps.met
        case .min, .max: Steps.met * 5
        case .unionOfObjects: Steps.met * 2
        case .unionOfArrays: Steps.met * 3
        case .distinctUnionOfObjects, .distinctUnionOfArrays, .distinctUnionOfSets: Steps.hashed
        }
    }

    /// The steps for each element that a path is followed from; a list of the values costs more than adding them.
    package var stepsOfGathering: Int { givesList ? Steps.gathered * 4 : Steps.gathered }

    /// True if whole elements are compared with each other.
    package var comparesElements: Bool { stepsOfElement >= Steps.met * 5 }
}

extension Function {
    /// The steps for each element of its list argument.
    var stepsOfElement: Int {
        switch self {
        case .sum: Aggregate.sum.stepsOfElement
        case .average: Aggregate.average.stepsOfElement
        case .min, .max: Aggregate.min.stepsOfElement
        case .median: Steps.met * 5
        case .mode: Steps.hashed
        case .standardDeviation: Steps.met
        case .count, .modulus, .squareRoot, .log, .ln, .exp, .floor, .ceiling, .absolute, .truncate, .random,
            .randomBelow, .now, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement,
            .uppercase, .lowercase, .length, .noindex, .distance, .year, .month, .day, .weekday, .hour, .minute:
            0
        }
    }

    /// The steps for each byte of its text argument.
    var stepsOfByte: Int {
        switch self {
        case .uppercase, .lowercase: 6
        case .length, .year, .month, .day, .weekday, .hour, .minute: 1
        case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation, .modulus, .squareRoot, .log, .ln,
            .exp, .floor, .ceiling, .absolute, .truncate, .random, .randomBelow, .now, .bitwiseAnd, .bitwiseOr,
            .bitwiseXor, .leftShift, .rightShift, .onesComplement, .noindex, .distance:
            0
        }
    }

    /// True when whole elements are compared with each other.
    var comparesElements: Bool { stepsOfElement >= Steps.met * 5 }

    /// The steps of a call besides ``Steps/call``.
    package func steps(_ arguments: [QueryValue]) -> Int {
        switch arguments.first {
        case .list(let elements)? where stepsOfElement > 0:
            elements.count &* stepsOfElement &+ (comparesElements ? arguments[0].mass : 0)
        case .string(let text)?: text.utf8.count &* stepsOfByte
        default: 0
        }
    }
}

extension LikePattern {
    /// The steps for each byte of a text.
    ///
    /// A segment fixed to an end is tested only there; `?` between two `*` is tried wherever the text before it fits.
    package var stepsOfByte: Int {
        let folding = options.folding.isEmpty ? 0 : 1
        let middle = segments.dropFirst().dropLast()
        guard !middle.isEmpty else { return folding }
        let longest = middle.map { $0.parts.count > 1 ? $0.steps : 2 }.max() ?? 2
        return max(2, longest) + folding
    }

    /// The steps of its fixed ends, whatever the text.
    var stepsOfEnds: Int { (segments.first?.steps ?? 0) + (segments.last?.steps ?? 0) }
}

extension LikePattern.Segment {
    /// The maximum steps of trying it at one position.
    var steps: Int {
        parts.reduce(0) { sum, part in
            switch part {
            case .one: sum + 2
            case .bytes(let bytes): sum + 2 + bytes.count / 8
            }
        }
    }
}

extension QueryValue {
    /// The amount of data: two for every value in it, and one for eight bytes of text.
    ///
    /// At most the bytes of its JSON and a comma. O(values).
    package var mass: Int {
        switch self {
        case .list(let elements): elements.reduce(2) { $0 &+ $1.mass }
        case .object(let object):
            object.keys.reduce(object.values.reduce(2) { $0 &+ $1.mass }) { $0 &+ 2 &+ $1.utf8.count >> 3 }
        case .string(let text): 2 &+ text.utf8.count >> 3
        case .data(let bytes): 2 &+ bytes.count >> 3
        case .shape(.polygon(let corners)): 2 &+ corners.count &* 2
        case .null, .bool, .int, .double, .date, .uuid, .shape(.circle): 2
        }
    }

    /// The number of bytes of a text; 0 for other values.
    @inlinable
    @inline(__always)
    package var textBytes: Int { if case .string(let text) = self { text.utf8.count } else { 0 } }

    /// The number of elements of a list; 0 for other values.
    @inlinable
    @inline(__always)
    package var elementCount: Int { if case .list(let elements) = self { elements.count } else { 0 } }
}

// MARK: What is looked at once

extension Condition {
    /// The steps for everything visited once, without those that grow with lists and texts.
    package var stepsOfRow: Int {
        switch self {
        case .constant: 1
        case .comparison(let comparison): comparison.stepsOfRow
        case .and(let parts), .or(let parts): parts.reduce(1) { $0 + $1.stepsOfRow }
        case .not(let part): 1 + part.stepsOfRow
        }
    }
}

extension Comparison {
    /// The steps of one test of one value.
    package var stepsOfTest: Int {
        guard let constant = right.constantValue else { return Steps.comparison }
        switch `operator`.operands {
        case .valueAndCollection: return Steps.comparison + Steps.met * 2
        case .texts where `operator` == .like: return Steps.comparison + Steps.call * 2 + constant.textBytes / 8
        case .anyValues, .ordered, .valueAndRange, .collectionAndValue, .texts, .placeAndShape:
            return Steps.comparison + Int(min(constant.mass, 1 << 30))
        }
    }

    var stepsOfRow: Int {
        let constants = withConstantOnTheRight
        let steps = constants.stepsOfTest + constants.left.stepsOfRow
        return steps + (constants.right.constantValue == nil ? constants.right.stepsOfRow : 0)
    }
}

extension Term {
    var stepsOfRow: Int {
        switch self {
        case .value: 0
        case .field(let path, _): max(1, path.keys.count) * Steps.key
        case .variable: Steps.variable
        case .assignment: Steps.comparison
        case .list(let elements, _): elements.reduce(1) { $0 + 1 + $1.stepsOfRow }
        case .path(.variable, let steps, _): Steps.comparison + steps.count * Steps.variableKey
        case .path(let base, let steps, _): base.stepsOfRow + steps.count * Steps.variableKey
        case .index(let base, let index, _):
            if case .at(let position) = index {
                Steps.call + base.stepsOfRow + position.stepsOfRow
            } else {
                Steps.call + base.stepsOfRow
            }
        case .aggregate(_, of: let base, let path, _): base.stepsOfRow + Steps.call + path.keys.count
        case .arithmetic(let chain, _):
            chain.rest.reduce(chain.first.stepsOfRow) { $0 + Steps.comparison + $1.operand.stepsOfRow }
        case .negated(let operand, _): 1 + operand.stepsOfRow
        case .cast(let operand, _, _): Steps.call + operand.stepsOfRow
        case .call(let function, let arguments, _):
            arguments.reduce(Steps.call + (arguments.count > function.entry.arguments.count ? Steps.zoned : 0)) {
                $0 + $1.stepsOfRow
            }
        case .subquery(let subquery, _): Steps.call + subquery.collection.stepsOfRow
        case .conditional(let test, let first, let second, _):
            Steps.comparison + test.stepsOfRow + first.stepsOfRow + second.stepsOfRow
        }
    }
}
