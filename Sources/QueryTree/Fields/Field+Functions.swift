// One declaration per row of the function table, which says what each function means and when it is nil.

// MARK: - Numbers

extension Field {
    /// The remainder of two ints: `modulus:by:(a, b)`; nil for divisor 0.
    ///
    ///     Field("age").modulus(by: 2) == 0  // → modulus:by:(age, 2) == 0
    ///
    /// - Parameter divisor: a field or an int.
    /// - Returns: the remainder.
    public func modulus(by divisor: some QueryTermConvertible) -> Field { call(.modulus, divisor) }

    /// The square root; nil below 0.
    ///
    ///     Field("area").squareRoot > 3  // → sqrt:(area) > 3
    public var squareRoot: Field { call(.squareRoot) }

    /// The logarithm to base ten; nil up to 0.
    ///
    ///     Field("a").log > 3  // → log:(a) > 3
    public var log: Field { call(.log) }

    /// The natural logarithm; nil up to 0.
    ///
    ///     Field("a").ln > 3  // → ln:(a) > 3
    public var ln: Field { call(.ln) }

    /// e to this power.
    ///
    ///     Field("a").exp > 3  // → exp:(a) > 3
    public var exp: Field { call(.exp) }

    /// The largest whole number not greater.
    ///
    ///     Field("price").floor == 3  // → floor:(price) == 3
    public var floor: Field { call(.floor) }

    /// The smallest whole number not less.
    ///
    ///     Field("price").ceiling == 3  // → ceiling:(price) == 3
    public var ceiling: Field { call(.ceiling) }

    /// The absolute value.
    ///
    ///     Field("change").absolute > 3  // → abs:(change) > 3
    public var absolute: Field { call(.absolute) }

    /// The whole number toward zero.
    ///
    ///     Field("price").truncated == 3  // → trunc:(price) == 3
    public var truncated: Field { call(.truncate) }

    /// A number from 0 to 1, never sent to a store.
    ///
    ///     Field.random < 0.1  // → random() < 0.1
    public static var random: Field { Field(.call(.random, [], .none)) }

    /// An int from 0 below a bound, never sent to a store.
    ///
    ///     Field.random(below: 6) == 0  // → randomn:(6) == 0
    ///
    /// - Parameter bound: a field or an int.
    /// - Returns: the number.
    public static func random(below bound: some QueryTermConvertible) -> Field {
        Field(.call(.randomBelow, [bound.queryTerm], .none))
    }
}

// MARK: - Texts and other values

extension Field {
    /// Upper case, root locale.
    ///
    ///     Field("name").uppercased == "ANN"  // → uppercase:(name) == "ANN"
    public var uppercased: Field { call(.uppercase) }

    /// Lower case, root locale.
    ///
    ///     Field("name").lowercased == "ann"  // → lowercase:(name) == "ann"
    public var lowercased: Field { call(.lowercase) }

    /// The number of Unicode scalars of a text.
    ///
    ///     Field("name").length > 3  // → length:(name) > 3
    public var length: Field { call(.length) }

    /// The instant of the run.
    ///
    ///     Field("joined") < Field.now  // → joined < now()
    public static var now: Field { Field(.call(.now, [], .none)) }  // S20

    /// The same value; a hint to some stores.
    ///
    ///     Field("name").noindex == "Ann"  // → noindex:(name) == "Ann"
    public var noindex: Field { call(.noindex) }

    /// A conversion: `CAST(a, "NSNumber")`.
    ///
    ///     Field("zip").cast(to: .number) > 2000  // → CAST(zip, "NSNumber") > 2000
    ///
    /// - Parameter target: what to make of the value.
    /// - Returns: the converted value; nil when it cannot be.
    public func cast(to target: CastTarget) -> Field { Field(.cast(term, target, .none)) }

    /// The distance between two points in metres.
    ///
    ///     Field.distance(to: Field("home"), from: Field("work")) < 1000
    ///     // → distanceToLocation:fromLocation:(home, work) < 1000
    ///
    /// - Parameters:
    ///   - place: a field or `[longitude, latitude]`.
    ///   - start: a field or `[longitude, latitude]`.
    /// - Returns: metres.
    public static func distance(to place: some QueryTermConvertible, from start: some QueryTermConvertible) -> Field {
        Field(.call(.distance, [place.queryTerm, start.queryTerm], .none))
    }
}

// MARK: - Dates

extension Field {
    /// The year of a date, in UTC; nil outside 1 to 9999.
    ///
    ///     Field("joined").year == 2024  // → year:(joined) == 2024
    public var year: Field { call(.year) }  // S28

    /// The year, of a date in a time zone.
    ///
    ///     Field("joined").year(in: "Europe/Vienna") == 2024  // → year:in:(joined, "Europe/Vienna") == 2024
    ///
    /// - Parameter zone: `UTC`, an offset such as `+02:00`, or a name such as `Europe/Vienna`.
    /// - Returns: the number; nil if the value is not a date.
    public func year(in zone: String) -> Field { call(.year, zone) }

    /// The month of a date in UTC, 1 to 12.
    ///
    ///     Field("joined").month == 12  // → month:(joined) == 12
    public var month: Field { call(.month) }

    /// The month, 1 to 12, of a date in a time zone.
    ///
    ///     Field("joined").month(in: "Europe/Vienna") == 12  // → month:in:(joined, "Europe/Vienna") == 12
    ///
    /// - Parameter zone: `UTC`, an offset such as `+02:00`, or a name such as `Europe/Vienna`.
    /// - Returns: the number; nil if the value is not a date.
    public func month(in zone: String) -> Field { call(.month, zone) }

    /// The day of a date's month in UTC, 1 to 31.
    ///
    ///     Field("joined").day == 31  // → day:(joined) == 31
    public var day: Field { call(.day) }

    /// The day of the month, 1 to 31, of a date in a time zone.
    ///
    ///     Field("joined").day(in: "Europe/Vienna") == 31  // → day:in:(joined, "Europe/Vienna") == 31
    ///
    /// - Parameter zone: `UTC`, an offset such as `+02:00`, or a name such as `Europe/Vienna`.
    /// - Returns: the number; nil if the value is not a date.
    public func day(in zone: String) -> Field { call(.day, zone) }

    /// The day of a date's week in UTC, 1 (Sunday) to 7.
    ///
    ///     Field("joined").weekday == 1  // → weekday:(joined) == 1
    public var weekday: Field { call(.weekday) }

    /// The day of the week, 1 (Sunday) to 7, of a date in a time zone.
    ///
    ///     Field("joined").weekday(in: "Europe/Vienna") == 1  // → weekday:in:(joined, "Europe/Vienna") == 1
    ///
    /// - Parameter zone: `UTC`, an offset such as `+02:00`, or a name such as `Europe/Vienna`.
    /// - Returns: the number; nil if the value is not a date.
    public func weekday(in zone: String) -> Field { call(.weekday, zone) }

    /// The hour of a date in UTC, 0 to 23.
    ///
    ///     Field("joined").hour == 18  // → hour:(joined) == 18
    public var hour: Field { call(.hour) }

    /// The hour, 0 to 23, of a date in a time zone.
    ///
    ///     Field("joined").hour(in: "Europe/Vienna") == 18  // → hour:in:(joined, "Europe/Vienna") == 18
    ///
    /// - Parameter zone: `UTC`, an offset such as `+02:00`, or a name such as `Europe/Vienna`.
    /// - Returns: the number; nil if the value is not a date.
    public func hour(in zone: String) -> Field { call(.hour, zone) }

    /// The minute of a date in UTC, 0 to 59.
    ///
    ///     Field("joined").minute == 30  // → minute:(joined) == 30
    public var minute: Field { call(.minute) }

    /// The minute, 0 to 59, of a date in a time zone.
    ///
    ///     Field("joined").minute(in: "Europe/Vienna") == 30  // → minute:in:(joined, "Europe/Vienna") == 30
    ///
    /// - Parameter zone: `UTC`, an offset such as `+02:00`, or a name such as `Europe/Vienna`.
    /// - Returns: the number; nil if the value is not a date.
    public func minute(in zone: String) -> Field { call(.minute, zone) }
}

// MARK: - Lists

extension Field {
    /// The middle of a list's numbers; nil for none.
    ///
    ///     Field("scores").median > 3  // → median:(scores) > 3
    public var median: Field { call(.median) }

    /// The most frequent elements of a list, as a list.
    ///
    ///     Field("scores").mode.contains(3)  // → mode:(scores) CONTAINS 3
    public var mode: Field { call(.mode) }

    /// The population standard deviation of a list's numbers.
    ///
    ///     Field("scores").standardDeviation < 1  // → stddev:(scores) < 1
    public var standardDeviation: Field { call(.standardDeviation) }

    /// The sum of a list's numbers, as a call: `sum:({a, b})`.
    ///
    ///     Field.sum(of: [Field("a"), Field("b")]) > 3  // → sum:({a, b}) > 3
    ///
    /// - Parameter list: a field or a list.
    /// - Returns: the sum; 0 for none.
    public static func sum(of list: some QueryTermConvertible) -> Field { Field(list.queryTerm).call(.sum) }

    /// The number of a list's elements, as a call: `count:(a)`.
    ///
    ///     Field.count(of: Field("tags")) > 3  // → count:(tags) > 3
    ///
    /// - Parameter list: a field or a list.
    /// - Returns: the number, including nil elements.
    public static func count(of list: some QueryTermConvertible) -> Field { Field(list.queryTerm).call(.count) }

    /// The least of a list's elements, as a call: `min:({a, b})`.
    ///
    ///     Field.min(of: [Field("a"), Field("b")]) > 3  // → min:({a, b}) > 3
    ///
    /// - Parameter list: a field or a list.
    /// - Returns: the least element; nil for none.
    public static func min(of list: some QueryTermConvertible) -> Field { Field(list.queryTerm).call(.min) }

    /// The greatest of a list's elements, as a call: `max:({a, b})`.
    ///
    ///     Field.max(of: [Field("a"), Field("b")]) > 3  // → max:({a, b}) > 3
    ///
    /// - Parameter list: a field or a list.
    /// - Returns: the greatest element; nil for none.
    public static func max(of list: some QueryTermConvertible) -> Field { Field(list.queryTerm).call(.max) }

    /// The mean of a list's numbers, as a call: `average:({a, b})`.
    ///
    ///     Field.average(of: [Field("a"), Field("b")]) > 3  // → average:({a, b}) > 3
    ///
    /// - Parameter list: a field or a list.
    /// - Returns: the mean; nil for none.
    public static func average(of list: some QueryTermConvertible) -> Field { Field(list.queryTerm).call(.average) }
}
