import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

extension ExpressionWriter {
    /// A term as a number or nil, because anything else would fail the whole query.
    func numeric(_ term: Term) throws(QueryError) -> Operand {
        var number = try operand(term)
        let isKnown = number.isNumeric || number.type.kind == .number
        number.certain = .number
        if let constant = number.constant {
            switch constant {
            case .int: number.isInt = true
            case .double: number.isInt = false
            default: number.expression = .null
            }
            number.constant = nil
            return number
        }
        if isKnown { return number }
        number.expression = Self.named(number.expression) { Self.choose(Self.isNumber($0), $0, .null) }
        return number
    }

    /// `a + b - c`, from left to right (S17).
    func arithmetic(_ chain: Arithmetic, _ result: Operand) throws(QueryError) -> Operand {
        try context.check(chainOf: chain.rest.count, at: result.origin)
        var total = try numeric(chain.first)
        for link in chain.rest {
            let right = try numeric(link.operand)
            total = try combine(total, link.operation, right, result.origin)
        }
        total.type = result.type.kind == .number ? result.type : .double
        total.origin = result.origin
        (total.isPath, total.isRequired, total.path) = (false, false, nil)
        return total
    }

    private func combine(
        _ left: Operand,
        _ operation: ArithmeticOperator,
        _ right: Operand,
        _ origin: Origin
    ) throws(QueryError) -> Operand {
        var result = left
        result.isInt = Self.bothInt(left, right)
        switch operation {
        case .add: result.expression = op("$add", [left.expression, right.expression])
        case .subtract: result.expression = op("$subtract", [left.expression, right.expression])
        case .multiply: result.expression = op("$multiply", [left.expression, right.expression])
        case .divide:
            result.expression = try binding(left) { (a) throws(QueryError) in
                try binding(right) { (b) throws(QueryError) in divide(a, b) }
            }
        case .power:
            result.isInt = false
            result.expression = try binding(left) { (a) throws(QueryError) in
                try binding(right) { (b) throws(QueryError) in power(a, b) }
            }
        case .union, .intersect, .minus:
            throw unsupported("sets have no order in Mongo", at: origin, hint: "use them with IN, CONTAINS or ANY")
        }
        return result
    }

    /// True if both are ints, false if one is a double, nil if it depends on the row.
    private static func bothInt(_ left: Operand, _ right: Operand) -> Bool? {
        if left.isInt == false || right.isInt == false { return false }
        return left.isInt == true && right.isInt == true ? true : nil
    }

    /// The quotient: nil for divisor 0, an int truncated toward zero between ints.
    private func divide(_ left: Operand, _ right: Operand) -> QueryValue {
        let (a, b) = (left.expression, right.expression)
        let isZero = op("$eq", [b, 0])
        var quotient: QueryValue
        switch b {
        case .int(0), .double(0): return .null
        case .int, .double: quotient = op("$divide", [a, b])
        default: quotient = op("$divide", [a, Self.choose(isZero, 1, b)])
        }
        let whole = op("$trunc", quotient)
        let int = op("$convert", .object(["input": whole, "to": "long", "onError": whole, "onNull": .null]))
        switch Self.bothInt(left, right) {
        case true: quotient = int
        case false: break
        case nil:
            let open = [left, right].filter { $0.isInt == nil }.map { Self.isInt($0.expression) }
            quotient = Self.choose(Self.all(open), int, quotient)
        }
        if case .int = b { return quotient }
        if case .double = b { return quotient }
        return Self.choose(isZero, .null, quotient)
    }

    /// The power, always a double; zero to a negative power is infinite.
    private func power(_ left: Operand, _ right: Operand) -> QueryValue {
        let (a, b) = (left.expression, right.expression)
        let base = op("$toDouble", a)
        if case .int(let exponent) = b, exponent >= 0 { return op("$pow", [base, b]) }
        let isPole = Self.all([op("$eq", [a, 0]), Self.not(Self.isNil(b)), op("$lt", [b, 0])])
        return Self.choose(isPole, .double(.infinity), op("$pow", [Self.choose(isPole, 1, base), b]))
    }

    static func isInt(_ value: QueryValue) -> QueryValue {
        op("$in", [op("$type", value), .list(["int", "long"])])
    }
}

extension ExpressionWriter {
    /// A function that the server computes exactly; all others are rejected.
    func call(_ function: Function, _ arguments: [Term], _ result: Operand) throws(QueryError) -> Operand {
        let name = try function.entry.mongo.word(at: result.origin)
        switch function {
        case .sum: return try aggregate(.sum, try first(arguments, result), FieldPath(keys: []), result)
        case .average: return try aggregate(.average, try first(arguments, result), FieldPath(keys: []), result)
        case .count: return try aggregate(.count, try first(arguments, result), FieldPath(keys: []), result)
        case .min: return try aggregate(.min, try first(arguments, result), FieldPath(keys: []), result)
        case .max: return try aggregate(.max, try first(arguments, result), FieldPath(keys: []), result)
        case .standardDeviation: return numbers(try collection(try first(arguments, result)), name, result)
        case .squareRoot: return try number(arguments, function, from: .zero, result)
        case .log, .ln: return try number(arguments, function, from: .aboveZero, result)
        case .exp: return try number(arguments, function, from: .anywhere, result)
        case .floor, .ceiling, .absolute, .truncate:
            return try number(arguments, function, from: .anywhere, keepsInts: true, result)
        case .modulus: return try remainder(arguments, name, result)
        case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .onesComplement: return try bits(arguments, name, result)
        case .length: return try length(arguments, name, result)
        case .year, .month, .day, .weekday, .hour, .minute: return try datePart(function, arguments, name, result)
        case .noindex:
            var operand = try operand(try first(arguments, result))
            operand.isPath = false
            return operand
        // `now()` has been replaced by a constant; the others are missing from the table.
        case .now, .random, .randomBelow, .median, .mode, .leftShift, .rightShift, .uppercase, .lowercase, .distance:
            throw unsupported("Mongo has no exact equivalent of \(function.entry.name)", at: result.origin)
        }
    }

    private enum Domain {
        case anywhere
        case zero
        case aboveZero
    }

    private func first(_ arguments: [Term], _ result: Operand) throws(QueryError) -> Term {
        guard let first = arguments.first else { throw unsupported("an argument is missing", at: result.origin) }
        return first
    }

    /// A function of one number; nil outside its domain (S17).
    private func number(
        _ arguments: [Term],
        _ function: Function,
        from domain: Domain,
        keepsInts: Bool = false,
        _ result: Operand
    ) throws(QueryError) -> Operand {
        var result = result
        let name = try function.entry.mongo.word(at: result.origin)
        let argument = try numeric(try first(arguments, result))
        result.certain = .number
        if keepsInts { result.isInt = argument.isInt }
        result.expression = try binding(argument) { (argument) throws(QueryError) in
            let value = argument.expression
            // A server fails on the absolute value of the smallest long.
            if function == .absolute, argument.isInt != false {
                let isLeast = op("$eq", [value, .int(.min)])
                return op(name, Self.choose(isLeast, .double(-Double(Int64.min)), value))
            }
            // Each of these operators returns null for null.
            return switch domain {
            case .anywhere: op(name, value)
            case .zero: op(name, Self.choose(Self.all([Self.isNoNaN(value), op("$lt", [value, 0])]), .null, value))
            case .aboveZero:
                op(name, Self.choose(Self.all([Self.isNoNaN(value), op("$lte", [value, 0])]), .null, value))
            }
        }
        return result
    }

    /// The remainder of two ints; nil for anything else, and for divisor 0.
    private func remainder(_ arguments: [Term], _ name: String, _ result: Operand) throws(QueryError) -> Operand {
        try ints(arguments, result) { a, b in
            if case .int(let divisor) = b, divisor != 0 { return Self.choose(Self.isInt(a), op(name, [a, b]), .null) }
            let divisor = Self.choose(op("$eq", [b, 0]), 1, b)
            let test = Self.all([Self.isInt(a), Self.isInt(b), op("$ne", [b, 0])])
            return Self.choose(test, op(name, [a, divisor]), .null)
        }
    }

    /// A bit operation on one or two ints; nil for anything else.
    private func bits(_ arguments: [Term], _ name: String, _ result: Operand) throws(QueryError) -> Operand {
        guard arguments.count == 1 else {
            return try ints(arguments, result) { a, b in
                op(name, [Self.wholeOrNil(a), Self.wholeOrNil(b)])
            }
        }
        var result = result
        let operand = try numeric(try first(arguments, result))
        (result.certain, result.isInt) = (.number, true)
        result.expression = try binding(operand) { (value) throws(QueryError) in
            op(name, Self.wholeOrNil(value.expression))
        }
        return result
    }

    /// The value if it is an int, else null: operators on ints fail for doubles and return null for null.
    private static func wholeOrNil(_ value: QueryValue) -> QueryValue {
        if case .int = value { value } else { choose(isInt(value), value, .null) }
    }

    private func ints(
        _ arguments: [Term],
        _ result: Operand,
        _ call: (QueryValue, QueryValue) -> QueryValue
    ) throws(QueryError) -> Operand {
        var result = result
        var operands: [Operand] = []
        for argument in arguments { operands.append(try numeric(argument)) }
        (result.certain, result.isInt) = (.number, true)
        guard operands.count == 2 else { throw unsupported("an argument is missing", at: result.origin) }
        result.expression = try binding(operands[0]) { (a) throws(QueryError) in
            try binding(operands[1]) { (b) throws(QueryError) in call(a.expression, b.expression) }
        }
        return result
    }

    /// The number of scalars in a text; nil for anything else.
    private func length(_ arguments: [Term], _ name: String, _ result: Operand) throws(QueryError) -> Operand {
        var result = result
        let text = try operand(try first(arguments, result))
        (result.certain, result.isInt) = (.number, true)
        result.expression = Self.named(text.constant.map(Self.literal) ?? text.expression) {
            Self.choose(Self.isText($0), op(name, Self.asText($0)), .null)
        }
        return result
    }

    /// A part of a date; nil for anything else, and outside the years 1 to 9999 (S28).
    private func datePart(
        _ function: Function,
        _ arguments: [Term],
        _ name: String,
        _ result: Operand
    ) throws(QueryError) -> Operand {
        let zone = try DateZone(arguments.count > 1 ? arguments[1] : nil)
        let date = try operand(try first(arguments, result))
        if let value = date.constant {
            let values = [value] + arguments.dropFirst().compactMap(\.constantValue)
            return constant(function.evaluate(values, now: 0), result.origin)
        }
        var (encoding, isDeclared) = (context.profile.dates, false)
        if case .date(let declared) = date.type { (encoding, isDeclared) = (declared, true) }
        guard encoding == .native else {
            throw unsupported("Mongo cannot take parts of dates stored as texts or numbers", at: date.origin)
        }
        if let path = date.path, let form = encoding.assumedForm(isDeclared: isDeclared) {
            context.note(.date(path, form))
        }
        var result = result
        (result.certain, result.isInt) = (.number, true)
        result.expression = Self.named(date.expression) { value in
            // The operators give null for null.
            let known = Self.choose(zone.isShown(value), value, .null)
            guard arguments.count > 1, case .string(let zone)? = arguments[1].constantValue else {
                return op(name, known)
            }
            return op(name, .object(["date": known, "timezone": .string(zone)]))
        }
        return result
    }
}

extension DateZone {
    /// Tests for a date whose year the zone's clock shows as one of 1 to 9999.
    package func isShown(_ value: QueryValue) -> QueryValue {
        ExpressionWriter.all([
            op("$eq", [op("$type", value), "date"]), op("$gte", [value, .date(instants.lowerBound)]),
            op("$lt", [value, .date(instants.upperBound)]),
        ])
    }
}
