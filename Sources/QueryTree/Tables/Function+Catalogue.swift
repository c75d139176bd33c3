extension FunctionEntry {
    /// The function table: the parser, the printer, the checker, the help and the fuzz dictionary read it.
    ///
    ///     FunctionEntry.table.contains { $0.name == "sqrt:" }  // → true
    package static let table: [FunctionEntry] = aggregates + operators + numbers + bits + texts + dates + others

    private static let aggregates: [FunctionEntry] = [
        entry("sum:", .call(.sum), [.list], .number, mongo: "$sum", sql: "sum")
            .meaning("sum of the numbers; 0 for none", "sum(scores) > 10"),
        entry(
            "count:",
            .call(.count),
            [.list],
            .int,
            mongo: "$size",
            sql: .form("json_array_length, or count(*) of child rows")
        )
        .meaning("number of elements, nil ones too", "count(scores) == 2"),
        entry(
            "min:",
            .call(.min),
            [.list],
            .element,
            mongo: "$min",
            sql: .form("the first by kind and value")
        )
        .meaning("least element; nil for none", "min(scores) > 1"),
        entry(
            "max:",
            .call(.max),
            [.list],
            .element,
            mongo: "$max",
            sql: .form("the last by kind and value")
        )
        .meaning("greatest element; nil for none", "max(scores) > 1"),
        entry("average:", .call(.average), [.list], .double, mongo: "$avg", sql: "avg")
            .meaning("mean of the numbers; nil for none", "average(scores) > 1"),
        entry(
            "median:",
            .call(.median),
            [.list],
            .double,
            mongo: .missing("Mongo's $median is approximate"),
            sql: .form("the middle one or two by row_number()")
        )
        .meaning("middle of the numbers; nil for none", "median(scores) > 1"),
        entry(
            "mode:",
            .call(.mode),
            [.list],
            .list,
            mongo: .missing("Mongo cannot count elements inside an expression"),
            sql: .form("pred_over, registered on the connection")
        )
        .meaning("the most frequent elements", "3 IN mode(scores)"),
        entry(
            "stddev:",
            .call(.standardDeviation),
            [.list],
            .double,
            mongo: "$stdDevPop",
            sql: .form("pred_over, registered on the connection")
        )
        .meaning("population standard deviation", "stddev(scores) > 1"),
    ]

    private static let operators: [FunctionEntry] = [
        entry("add:to:", .arithmetic(.add), [.number, .number], .number, mongo: "$add", sql: "+")
            .meaning("a + b", "add:to:(a, 2) == 3"),
        entry("from:subtract:", .arithmetic(.subtract), [.number, .number], .number, mongo: "$subtract", sql: "-")
            .meaning("a - b", "from:subtract:(a, 2) == 3"),
        entry("multiply:by:", .arithmetic(.multiply), [.number, .number], .number, mongo: "$multiply", sql: "*")
            .meaning("a * b", "multiply:by:(a, 2) == 4"),
        entry("divide:by:", .arithmetic(.divide), [.number, .number], .number, mongo: "$divide", sql: "/")
            .meaning("a / b", "divide:by:(a, 2) == 1"),
        entry("raise:toPower:", .arithmetic(.power), [.number, .number], .double, mongo: "$pow", sql: "pow")
            .meaning("a ** b", "raise:toPower:(a, 2) == 4"),
        entry(
            "castObject:toType:",
            .cast,
            [.any, .string],
            .same,
            mongo: .missing("Mongo converts by other rules"),
            sql: .form("the value itself where it is of that kind, else pred_call, registered on the connection")
        )
        .meaning("the same as CAST", "castObject:toType:(a, 'NSString') == '1'"),
        entry("objectFrom:withIndex:", .index, [.any, .any], .element, mongo: "$arrayElemAt", sql: "json_extract")
            .meaning("the same as a[i]", "objectFrom:withIndex:(a, 0) == 1"),
        entry(
            "geoWithin",
            .geoWithin,
            [.place, .any],
            .same,
            mongo: "$geoWithin",
            sql: .registered
        )
        .meaning("lies within a circle or polygon", "geoWithin(location, %@)"),
    ]

    private static let numbers: [FunctionEntry] = [
        entry("modulus:by:", .call(.modulus), [.int, .int], .int, mongo: "$mod", sql: "%")
            .meaning("remainder; nil for divisor 0", "modulus:by:(a, 2) == 0"),
        entry("sqrt:", .call(.squareRoot), [.number], .double, mongo: "$sqrt", sql: "sqrt")
            .meaning("square root; nil below 0", "sqrt(a) > 1"),
        entry("log:", .call(.log), [.number], .double, mongo: "$log10", sql: .registered)
            .meaning("logarithm to base ten; nil up to 0", "log(a) > 1"),
        entry("ln:", .call(.ln), [.number], .double, mongo: "$ln", sql: "ln")
            .meaning("natural logarithm; nil up to 0", "ln(a) > 1"),
        entry("exp:", .call(.exp), [.number], .double, mongo: "$exp", sql: "exp")
            .meaning("e to a power", "exp(a) > 1"),
        entry("floor:", .call(.floor), [.number], .number, mongo: "$floor", sql: "floor")
            .meaning("largest whole number not greater", "floor(a) == 1"),
        entry("ceiling:", .call(.ceiling), [.number], .number, mongo: "$ceil", sql: "ceil")
            .meaning("smallest whole number not less", "ceiling(a) == 2"),
        entry(
            "abs:",
            .call(.absolute),
            [.number],
            .number,
            mongo: "$abs",
            sql: .form("CASE WHEN a < 0 THEN -a ELSE a END")
        )
        .meaning("absolute value", "abs(a) > 1"),
        entry("trunc:", .call(.truncate), [.number], .number, mongo: "$trunc", sql: "trunc")
            .meaning("toward zero", "trunc(a) == 1"),
        entry(
            "random",
            .call(.random),
            [],
            .double,
            mongo: .missing("random numbers are not sent to a store"),
            sql: .missing("random numbers are not sent to a store")
        )
        .meaning("a number from 0 to 1, never sent to a store", "random() < 0.1"),
        entry(
            "randomn:",
            .call(.randomBelow),
            [.int],
            .int,
            mongo: .missing("random numbers are not sent to a store"),
            sql: .missing("random numbers are not sent to a store")
        )
        .meaning("an int from 0 below a bound", "randomn(6) == 0"),
    ]

    private static let bits: [FunctionEntry] = [
        entry("bitwiseAnd:with:", .call(.bitwiseAnd), [.int, .int], .int, sign: "&", mongo: "$bitAnd", sql: "&")
            .meaning("bits in both", "a & 4 == 4"),
        entry("bitwiseOr:with:", .call(.bitwiseOr), [.int, .int], .int, sign: "|", mongo: "$bitOr", sql: "|")
            .meaning("bits in either", "a | 4 == 4"),
        entry(
            "bitwiseXor:with:",
            .call(.bitwiseXor),
            [.int, .int],
            .int,
            sign: "^",
            mongo: "$bitXor",
            sql: .form("(a | b) - (a & b)")
        )
        .meaning("bits in exactly one", "a ^ 4 == 4"),
        entry(
            "leftshift:by:",
            .call(.leftShift),
            [.int, .int],
            .int,
            sign: "<<",
            mongo: .missing("Mongo has no shifts"),
            sql: "<<"
        )
        .meaning("bits shifted left", "a << 2 == 4"),
        entry(
            "rightshift:by:",
            .call(.rightShift),
            [.int, .int],
            .int,
            sign: ">>",
            mongo: .missing("Mongo has no shifts"),
            sql: ">>"
        )
        .meaning("bits shifted right", "a >> 2 == 4"),
        entry("onesComplement:", .call(.onesComplement), [.int], .int, mongo: "$bitNot", sql: "~")
            .meaning("every bit inverted", "onesComplement(a) < 0"),
    ]

    private static let texts: [FunctionEntry] = [
        entry(
            "uppercase:",
            .call(.uppercase),
            [.string],
            .string,
            mongo: .missing("Mongo changes the case of ASCII letters only"),
            sql: .registered
        )
        .meaning("upper case, root locale", "uppercase(name) == 'ANN'"),
        entry(
            "lowercase:",
            .call(.lowercase),
            [.string],
            .string,
            mongo: .missing("Mongo changes the case of ASCII letters only"),
            sql: .registered
        )
        .meaning("lower case, root locale", "lowercase(name) == 'ann'"),
        entry("length:", .call(.length), [.string], .int, mongo: "$strLenCP", sql: "length")
            .meaning("number of Unicode scalars", "length(name) > 3"),
    ]

    private static let dates: [FunctionEntry] = [
        part(.year, mongo: "$year", "year", "year(joined) == 2024"),
        part(.month, mongo: "$month", "month, 1 to 12", "month(joined) == 12"),
        part(.day, mongo: "$dayOfMonth", "day of the month, 1 to 31", "day(joined) == 31"),
        part(.weekday, mongo: "$dayOfWeek", "day of the week, 1 (Sunday) to 7", "weekday(joined) IN {1, 7}"),
        part(.hour, mongo: "$hour", "hour, 0 to 23", "hour(joined, 'Europe/Vienna') >= 18"),
        part(.minute, mongo: "$minute", "minute, 0 to 59", "minute(joined) == 0"),
    ]

    private static func part(_ function: Function, mongo: Spelling, _ summary: String, _ example: String)
        -> FunctionEntry
    {
        var entry = entry(
            function.rawValue + ":",
            .call(function),
            [.date],
            .int,
            mongo: mongo,
            sql: .registered
        )
        entry.last = ("in:", .zone)
        return entry.meaning(summary + ", in UTC or a zone", example)
    }

    private static let others: [FunctionEntry] = [
        entry(
            "now",
            .call(.now),
            [],
            .date,
            mongo: .form("the instant as a date"),
            sql: .form("the instant, bound as a value")
        )
        .meaning("the instant of the run", "joined < now()"),
        entry(
            "noindex:",
            .call(.noindex),
            [.any],
            .same,
            mongo: .form("the value itself"),
            sql: .form("the value itself")
        )
        .meaning("the same value", "noindex(name) == 'Ann'"),
        entry(
            "distanceToLocation:fromLocation:",
            .call(.distance),
            [.place, .place],
            .double,
            mongo: .missing("Mongo does not give the distance; geoWithin finds places in a circle"),
            sql: .registered
        )
        .meaning("metres between two places", "distanceToLocation:fromLocation:(here, there) < 100"),
    ]

    private static func entry(
        _ name: String,
        _ node: Node,
        _ arguments: [Argument],
        _ result: Result,
        sign: String? = nil,
        mongo: Spelling,
        sql: Spelling
    ) -> FunctionEntry {
        var sign = sign
        if case .arithmetic(let operation) = node { sign = operation.entry.spelling }
        return FunctionEntry(
            name: name,
            node: node,
            arguments: arguments,
            result: result,
            sign: sign,
            summary: "",
            example: "",
            mongo: mongo,
            sql: sql
        )
    }

    private func meaning(_ summary: String, _ example: String) -> FunctionEntry {
        var entry = self
        entry.summary = summary
        entry.example = example
        return entry
    }
}
