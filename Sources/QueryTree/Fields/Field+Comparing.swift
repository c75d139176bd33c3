import QueryValues

/// The left side of a comparison in code: a ``Field``, or its elements under ANY, ALL or NONE.
///
///     func isLarge(_ value: some FieldComparing) -> Condition { value.comparing(.greater, 100, []) }
///     isLarge(Field("price"))  // → price > 100
///     isLarge(Field("prices").any)  // → ANY prices > 100
public protocol FieldComparing: Sendable {
    /// A comparison with any operator.
    ///
    /// - Parameters:
    ///   - operation: the operator.
    ///   - right: a field or a value.
    ///   - options: letters after the operator (S14).
    /// - Returns: the condition.
    func comparing(
        _ operation: Comparison.Operator,
        _ right: some QueryTermConvertible,
        _ options: StringOptions
    ) -> Condition
}

extension Field: FieldComparing {
    /// A comparison with any operator.
    ///
    ///     Field("name").comparing(.lessOrEqual, "M", .caseInsensitive)  // → name <=[c] "M"
    ///
    /// - Parameters:
    ///   - operation: the operator.
    ///   - right: a field or a value.
    ///   - options: letters after the operator (S14); BETWEEN and `geoWithin` have none.
    /// - Returns: the condition.
    public func comparing(
        _ operation: Comparison.Operator,
        _ right: some QueryTermConvertible,
        _ options: StringOptions = []
    ) -> Condition {
        .comparison(Comparison(term, operation, right.queryTerm, options: options))
    }
}

extension Field {
    /// Some element: `ANY tags == "x"`.
    ///
    ///     Field("tags").any == "red"  // → ANY tags == "red"
    public var any: FieldElements { FieldElements(self, .any) }  // S10

    /// Every element; true on an empty collection: `ALL scores > 5`.
    ///
    ///     Field("scores").all > 5  // → ALL scores > 5
    public var all: FieldElements { FieldElements(self, .all) }  // S10

    /// No element: `NONE scores > 5`, which is `NOT ANY`.
    ///
    ///     Field("scores").none > 5  // → NOT ANY scores > 5
    public var none: FieldElements { FieldElements(self, .none) }  // S10
}

/// The elements of a collection under ANY, ALL or NONE; made by ``Field/any``, ``Field/all`` and ``Field/none``.
///
///     Field("tags").any.hasPrefix("r")  // → ANY tags BEGINSWITH "r"
public struct FieldElements: FieldComparing {
    private let collection: Field
    private let word: LogicalWord

    init(_ collection: Field, _ word: LogicalWord) {
        self.collection = collection
        self.word = word
    }

    /// A comparison of the elements with any operator.
    ///
    ///     Field("tags").all.comparing(.like, "r*", .caseInsensitive)  // → ALL tags LIKE[c] "r*"
    ///
    /// - Parameters:
    ///   - operation: the operator.
    ///   - right: a field or a value.
    ///   - options: letters after the operator (S14); BETWEEN and `geoWithin` have none.
    /// - Returns: the condition.
    public func comparing(
        _ operation: Comparison.Operator,
        _ right: some QueryTermConvertible,
        _ options: StringOptions = []
    ) -> Condition {
        let comparison = Comparison(
            collection.term,
            operation,
            right.queryTerm,
            quantifier: word == .all ? .all : .any,
            options: options
        )
        return word == .none ? .not(.comparison(comparison)) : .comparison(comparison)
    }
}

// MARK: - Words

extension FieldComparing {
    /// Equal with options: `name ==[cd] "jo"`.
    ///
    ///     Field("name").isEqual(to: "jo", .caseInsensitive)  // → name ==[c] "jo"
    ///
    /// - Parameters:
    ///   - other: a field or a value.
    ///   - options: how texts are folded (S14).
    /// - Returns: the condition.
    public func isEqual(to other: some QueryTermConvertible, _ options: StringOptions = []) -> Condition {
        comparing(.equal, other, options)
    }

    /// Not equal with options: `name !=[cd] "jo"`.
    ///
    ///     Field("name").isNotEqual(to: "jo", .caseInsensitive)  // → name !=[c] "jo"
    ///
    /// - Parameters:
    ///   - other: a field or a value.
    ///   - options: how texts are folded (S14).
    /// - Returns: the condition.
    public func isNotEqual(to other: some QueryTermConvertible, _ options: StringOptions = []) -> Condition {
        comparing(.notEqual, other, options)
    }

    /// The text begins with another: `name BEGINSWITH[c] "jo"`.
    ///
    ///     Field("name").hasPrefix("jo", .caseInsensitive)  // → name BEGINSWITH[c] "jo"
    ///
    /// - Parameters:
    ///   - prefix: a field or a text.
    ///   - options: how texts are folded (S14).
    /// - Returns: the condition.
    public func hasPrefix(_ prefix: some QueryTermConvertible, _ options: StringOptions = []) -> Condition {
        comparing(.beginsWith, prefix, options)
    }

    /// The text ends with another: `name ENDSWITH "ton"`.
    ///
    ///     Field("name").hasSuffix("ton")  // → name ENDSWITH "ton"
    ///
    /// - Parameters:
    ///   - suffix: a field or a text.
    ///   - options: how texts are folded (S14).
    /// - Returns: the condition.
    public func hasSuffix(_ suffix: some QueryTermConvertible, _ options: StringOptions = []) -> Condition {
        comparing(.endsWith, suffix, options)
    }

    /// The text or list has a part: `name CONTAINS "ton"`, `tags CONTAINS "red"`.
    ///
    ///     Field("tags").contains("red")  // → tags CONTAINS "red"
    ///
    /// - Parameters:
    ///   - element: a field or a value.
    ///   - options: how texts are folded (S14).
    /// - Returns: the condition (S12).
    public func contains(_ element: some QueryTermConvertible, _ options: StringOptions = []) -> Condition {
        comparing(.contains, element, options)
    }

    /// The value is in a list or a text: `state IN {"MA", "NY"}`.
    ///
    ///     Field("state").in(["MA", "NY"])  // → state IN {"MA", "NY"}
    ///
    /// - Parameters:
    ///   - collection: a field, a list or a text.
    ///   - options: how texts are folded (S14).
    /// - Returns: the condition (S12).
    public func `in`(_ collection: some QueryTermConvertible, _ options: StringOptions = []) -> Condition {
        comparing(.in, collection, options)
    }

    /// The value is in a list of values of several kinds: `state IN {"MA", 3, nil}`.
    ///
    ///     Field("state").in(["MA", 3, nil])  // → state IN {"MA", 3, nil}
    ///
    /// - Parameters:
    ///   - collection: a list or a text.
    ///   - options: how texts are folded (S14).
    /// - Returns: the condition (S12).
    public func `in`(_ collection: QueryValue, _ options: StringOptions = []) -> Condition {
        comparing(.in, collection, options)
    }

    /// The value is in a list of values with raw values: `level IN {"low", "high"}`.
    ///
    ///     enum Level: String { case low, high }
    ///     Field("level").in([Level.low, .high])  // → level IN {"low", "high"}
    ///
    /// - Parameter collection: a list.
    /// - Returns: the condition (S12).
    @_disfavoredOverload
    public func `in`<Value: RawRepresentable>(_ collection: [Value]) -> Condition
    where Value.RawValue: QueryValueConvertible {
        comparing(.in, collection.map(\.rawValue), [])
    }

    /// The whole text matches a pattern of `?` and `*`.
    ///
    ///     Field("name").like("B?st*", .caseInsensitive)  // → name LIKE[c] "B?st*"
    ///
    /// - Parameters:
    ///   - pattern: a field or a text.
    ///   - options: how texts are folded (S14).
    /// - Returns: the condition (S15).
    public func like(_ pattern: some QueryTermConvertible, _ options: StringOptions = []) -> Condition {
        comparing(.like, pattern, options)
    }

    /// The whole text matches a regular expression.
    ///
    ///     Field("zip").matches("[0-9]{5}")  // → zip MATCHES "[0-9]{5}"
    ///
    /// - Parameters:
    ///   - pattern: a field or a text.
    ///   - options: how texts are folded (S14).
    /// - Returns: the condition (S16).
    public func matches(_ pattern: some QueryTermConvertible, _ options: StringOptions = []) -> Condition {
        comparing(.matches, pattern, options)
    }

    /// The value lies between two bounds, both included: `age BETWEEN {18, 65}`.
    ///
    ///     Field("age").isBetween(18, and: 65)  // → age BETWEEN {18, 65}
    ///
    /// - Parameters:
    ///   - low: the least value.
    ///   - high: the greatest value.
    /// - Returns: the condition (S13).
    public func isBetween(_ low: some QueryTermConvertible, and high: some QueryTermConvertible) -> Condition {
        comparing(.between, Field(.list([low.queryTerm, high.queryTerm], .none)), [])
    }

    /// The value lies in a range: `age BETWEEN {18, 65}`.
    ///
    ///     Field("age").isBetween(18...65)  // → age BETWEEN {18, 65}
    ///
    /// - Parameter range: both bounds are included.
    /// - Returns: the condition (S13).
    public func isBetween<Bound: QueryValueConvertible>(_ range: ClosedRange<Bound>) -> Condition {
        isBetween(range.lowerBound, and: range.upperBound)
    }

    /// The point lies in a circle or polygon: `geoWithin(location, shape)`.
    ///
    ///     Field("location").isWithin(.circle(longitude: -71, latitude: 42, radius: 1000))
    ///     // → geoWithin(location, %@)
    ///
    /// - Parameter shape: the region.
    /// - Returns: the condition.
    public func isWithin(_ shape: GeoShape) -> Condition {
        comparing(.geoWithin, shape, [])
    }
}
