extension FunctionRow {
    /// The function table: the parser, the printer, the checker, the help and the fuzz dictionary read it.
    public static let table: [FunctionRow] = aggregates + operators + numbers + bits + texts + others

    private static let aggregates: [FunctionRow] = [
        row("sum:", .call(.sum), [.list], .number, "sum of the numbers; 0 for none", "sum(scores) > 10"),
        row("count:", .call(.count), [.list], .int, "number of elements, nil ones too", "count(scores) > 1"),
        row("min:", .call(.min), [.list], .element, "least element; nil for none", "min(scores) > 1"),
        row("max:", .call(.max), [.list], .element, "greatest element; nil for none", "max(scores) > 1"),
        row("average:", .call(.average), [.list], .double, "mean of the numbers; nil for none", "average(scores) > 1"),
        row("median:", .call(.median), [.list], .double, "middle of the numbers; nil for none", "median(scores) > 1"),
        row("mode:", .call(.mode), [.list], .list, "the most frequent elements", "3 IN mode(scores)"),
        row(
            "stddev:",
            .call(.standardDeviation),
            [.list],
            .double,
            "population standard deviation",
            "stddev(scores) > 1"
        ),
    ]

    private static let operators: [FunctionRow] = [
        row("add:to:", .arithmetic(.add), [.number, .number], .number, "a + b", "add:to:(a, 2) == 3"),
        row(
            "from:subtract:",
            .arithmetic(.subtract),
            [.number, .number],
            .number,
            "a - b",
            "from:subtract:(a, 2) == 3"
        ),
        row("multiply:by:", .arithmetic(.multiply), [.number, .number], .number, "a * b", "multiply:by:(a, 2) == 4"),
        row("divide:by:", .arithmetic(.divide), [.number, .number], .number, "a / b", "divide:by:(a, 2) == 1"),
        row("raise:toPower:", .arithmetic(.power), [.number, .number], .double, "a ** b", "raise:toPower:(a, 2) == 4"),
        row(
            "castObject:toType:",
            .cast,
            [.any, .string],
            .same,
            "the same as CAST",
            "castObject:toType:(a, 'NSString') == '1'"
        ),
        row(
            "objectFrom:withIndex:",
            .index,
            [.any, .any],
            .element,
            "the same as a[i]",
            "objectFrom:withIndex:(a, 0) == 1"
        ),
        row(
            "geoWithin",
            .geoWithin,
            [.place, .any],
            .same,
            "lies within a circle or polygon",
            "geoWithin(location, %@)"
        ),
    ]

    private static let numbers: [FunctionRow] = [
        row(
            "modulus:by:",
            .call(.modulus),
            [.int, .int],
            .int,
            "remainder; nil for divisor 0",
            "modulus:by:(a, 2) == 0"
        ),
        row("sqrt:", .call(.squareRoot), [.number], .double, "square root; nil below 0", "sqrt(a) > 1"),
        row("log:", .call(.log), [.number], .double, "logarithm to base ten; nil up to 0", "log(a) > 1"),
        row("ln:", .call(.ln), [.number], .double, "natural logarithm; nil up to 0", "ln(a) > 1"),
        row("exp:", .call(.exp), [.number], .double, "e to a power", "exp(a) > 1"),
        row("floor:", .call(.floor), [.number], .number, "largest whole number not above", "floor(a) == 1"),
        row("ceiling:", .call(.ceiling), [.number], .number, "smallest whole number not below", "ceiling(a) == 2"),
        row("abs:", .call(.absolute), [.number], .number, "absolute value", "abs(a) > 1"),
        row("trunc:", .call(.truncate), [.number], .number, "toward zero", "trunc(a) == 1"),
        row("random", .call(.random), [], .double, "a number from 0 to 1, never sent to a store", "random() < 0.1"),
        row("randomn:", .call(.randomBelow), [.int], .int, "an int from 0 below a bound", "randomn(6) == 0"),
    ]

    private static let bits: [FunctionRow] = [
        row("bitwiseAnd:with:", .call(.bitwiseAnd), [.int, .int], .int, sign: "&", "bits in both", "a & 4 == 4"),
        row("bitwiseOr:with:", .call(.bitwiseOr), [.int, .int], .int, sign: "|", "bits in one of both", "a | 4 == 4"),
        row(
            "bitwiseXor:with:",
            .call(.bitwiseXor),
            [.int, .int],
            .int,
            sign: "^",
            "bits in exactly one",
            "a ^ 4 == 4"
        ),
        row("leftshift:by:", .call(.leftShift), [.int, .int], .int, sign: "<<", "bits moved up", "a << 2 == 4"),
        row("rightshift:by:", .call(.rightShift), [.int, .int], .int, sign: ">>", "bits moved down", "a >> 2 == 4"),
        row("onesComplement:", .call(.onesComplement), [.int], .int, "every bit turned", "onesComplement(a) < 0"),
    ]

    private static let texts: [FunctionRow] = [
        row("uppercase:", .call(.uppercase), [.string], .string, "upper case, root locale", "uppercase(name) == 'ANN'"),
        row("lowercase:", .call(.lowercase), [.string], .string, "lower case, root locale", "lowercase(name) == 'ann'"),
        row("length:", .call(.length), [.string], .int, "number of Unicode scalars", "length(name) > 3"),
    ]

    private static let others: [FunctionRow] = [
        row("now", .call(.now), [], .date, "the instant of the run", "joined < now()"),
        row("noindex:", .call(.noindex), [.any], .same, "the same value", "noindex(name) == 'Ann'"),
        row(
            "distanceToLocation:fromLocation:",
            .call(.distance),
            [.place, .place],
            .double,
            "metres between two places",
            "distanceToLocation:fromLocation:(here, there) < 100"
        ),
    ]

    private static func row(
        _ name: String,
        _ node: Node,
        _ arguments: [Argument],
        _ result: Result,
        sign: String? = nil,
        _ summary: String,
        _ example: String
    ) -> FunctionRow {
        var sign = sign
        if case .arithmetic(let operation) = node { sign = operation.row.spelling }
        return FunctionRow(
            name: name,
            node: node,
            arguments: arguments,
            result: result,
            sign: sign,
            summary: summary,
            example: example
        )
    }
}
