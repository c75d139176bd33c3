import QuerySyntax

extension ExpressionWriter {
    /// A term as a number or nil: anything else would fail the whole query.
    func numeric(_ term: Term) throws(QueryError) -> Operand {
        var number = try operand(term)
        let isKnown = number.isNumeric || number.type.kind == .number
        number.isNumeric = true
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
        var total = try numeric(chain.first)
        for link in chain.rest {
            let right = try numeric(link.operand)
            total = try combine(total, link.operation, right, result.origin)
        }
        total.type = result.type.kind == .number ? result.type : .double
        total.origin = result.origin
        total.isPath = false
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

    /// true: both are ints; false: one is a double; nil: only the row tells.
    private static func bothInt(_ left: Operand, _ right: Operand) -> Bool? {
        if left.isInt == false || right.isInt == false { return false }
        return left.isInt == true && right.isInt == true ? true : nil
    }

    /// nil for divisor 0; between ints toward zero, and an int again.
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

    /// Always a double; zero to a negative power is infinite.
    private func power(_ left: Operand, _ right: Operand) -> QueryValue {
        let (a, b) = (left.expression, right.expression)
        let isPole = Self.all([op("$eq", [a, 0]), Self.not(Self.isNil(b)), op("$lt", [b, 0])])
        let power = op("$pow", [op("$toDouble", a), b])
        if case .int(let exponent) = b, exponent >= 0 { return power }
        return Self.choose(isPole, .double(.infinity), power)
    }

    static func isInt(_ value: QueryValue) -> QueryValue {
        op("$in", [op("$type", value), .list(["int", "long"])])
    }
}

extension ExpressionWriter {
    /// A function that the server computes as we do; all others are refused.
    func call(_ function: Function, _ arguments: [Term], _ result: Operand) throws(QueryError) -> Operand {
        switch function {
        case .sum: return numbers(try list(arguments, result), "$sum", result)
        case .average: return numbers(try list(arguments, result), "$avg", result)
        case .standardDeviation: return numbers(try list(arguments, result), "$stdDevPop", result)
        case .count: return counting(try list(arguments, result), result)
        case .min: return extreme(try list(arguments, result), "$min", result)
        case .max: return extreme(try list(arguments, result), "$max", result)
        case .squareRoot: return try number(arguments, "$sqrt", from: .zero, result)
        case .log: return try number(arguments, "$log10", from: .aboveZero, result)
        case .ln: return try number(arguments, "$ln", from: .aboveZero, result)
        case .exp: return try number(arguments, "$exp", from: .anywhere, result)
        case .floor: return try number(arguments, "$floor", from: .anywhere, result)
        case .ceiling: return try number(arguments, "$ceil", from: .anywhere, result)
        case .absolute: return try number(arguments, "$abs", from: .anywhere, result)
        case .truncate: return try number(arguments, "$trunc", from: .anywhere, result)
        case .modulus: return try ints(arguments, "$mod", result)
        case .bitwiseAnd: return try ints(arguments, "$bitAnd", result)
        case .bitwiseOr: return try ints(arguments, "$bitOr", result)
        case .bitwiseXor: return try ints(arguments, "$bitXor", result)
        case .onesComplement: return try ints(arguments, "$bitNot", result)
        case .length: return try length(arguments, result)
        case .noindex: return try operand(try first(arguments, result))
        case .random, .randomBelow:
            throw unsupported("a random number never leaves the process", at: result.origin)
        case .median, .mode, .leftShift, .rightShift, .uppercase, .lowercase, .distance, .now:
            throw unsupported("Mongo has no exact form of \(function.row.name)", at: result.origin)
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

    private func list(_ arguments: [Term], _ result: Operand) throws(QueryError) -> Operand {
        try collection(try first(arguments, result))
    }

    /// A function of one number; nil outside its domain (S17).
    private func number(
        _ arguments: [Term],
        _ name: String,
        from domain: Domain,
        _ result: Operand
    ) throws(QueryError) -> Operand {
        var result = result
        let argument = try numeric(try first(arguments, result))
        result.isNumeric = true
        if name == "$abs" || name == "$trunc" || name == "$floor" || name == "$ceil" { result.isInt = argument.isInt }
        result.expression = try binding(argument) { (argument) throws(QueryError) in
            let (value, call) = (argument.expression, op(name, argument.expression))
            return switch domain {
            case .anywhere: call
            case .zero: Self.choose(Self.all([Self.isNoNaN(value), op("$lt", [value, 0])]), .null, call)
            case .aboveZero: Self.choose(Self.all([Self.isNoNaN(value), op("$lte", [value, 0])]), .null, call)
            }
        }
        return result
    }

    /// A function of ints; nil for anything else, and for divisor 0.
    private func ints(_ arguments: [Term], _ name: String, _ result: Operand) throws(QueryError) -> Operand {
        var result = result
        var operands: [Operand] = []
        for argument in arguments { operands.append(try numeric(argument)) }
        (result.isNumeric, result.isInt) = (true, true)
        guard let left = operands.first else { throw unsupported("an argument is missing", at: result.origin) }
        guard operands.count == 2 else {
            result.expression = try binding(left) { (value) throws(QueryError) in
                Self.choose(Self.isInt(value.expression), op(name, value.expression), .null)
            }
            return result
        }
        result.expression = try binding(left) { (a) throws(QueryError) in
            try binding(operands[1]) { (b) throws(QueryError) in
                let (a, b) = (a.expression, b.expression)
                guard name == "$mod" else {
                    return Self.choose(Self.all([Self.isInt(a), Self.isInt(b)]), op(name, [a, b]), .null)
                }
                let divisor = Self.choose(op("$eq", [b, 0]), 1, b)
                let test = Self.all([Self.isInt(a), Self.isInt(b), op("$ne", [b, 0])])
                return Self.choose(test, op(name, [a, divisor]), .null)
            }
        }
        return result
    }

    /// Scalars of a text; nil for anything else.
    private func length(_ arguments: [Term], _ result: Operand) throws(QueryError) -> Operand {
        var result = result
        let text = try operand(try first(arguments, result))
        (result.isNumeric, result.isInt) = (true, true)
        result.expression = Self.named(text.constant.map(Self.literal) ?? text.expression) {
            Self.choose(Self.isText($0), op("$strLenCP", Self.asText($0)), .null)
        }
        return result
    }
}
