extension Field {
    /// The sum of two numbers.
    public static func + (left: Field, right: some QueryTermConvertible) -> Field { left.chained(.add, right) }  // S17

    /// The sum of two numbers.
    public static func + (left: some QueryValueConvertible, right: Field) -> Field { value(left).chained(.add, right) }

    /// The difference of two numbers.
    public static func - (left: Field, right: some QueryTermConvertible) -> Field { left.chained(.subtract, right) }

    /// The difference of two numbers.
    public static func - (left: some QueryValueConvertible, right: Field) -> Field {  // S17
        value(left).chained(.subtract, right)
    }

    /// The product of two numbers.
    public static func * (left: Field, right: some QueryTermConvertible) -> Field { left.chained(.multiply, right) }

    /// The product of two numbers.
    public static func * (left: some QueryValueConvertible, right: Field) -> Field {  // S17
        value(left).chained(.multiply, right)
    }

    /// The quotient of two numbers; between ints toward zero, nil for divisor 0.
    public static func / (left: Field, right: some QueryTermConvertible) -> Field { left.chained(.divide, right) }

    /// The quotient of two numbers; between ints toward zero, nil for divisor 0.
    public static func / (left: some QueryValueConvertible, right: Field) -> Field {  // S17
        value(left).chained(.divide, right)
    }

    /// The negated number.
    public static prefix func - (field: Field) -> Field { Field(.negated(field.term, .none)) }  // S17

    /// `a ** b`, always a double.
    ///
    ///     Field("side").raised(to: 2) > 100  // → side ** 2 > 100
    ///
    /// - Parameter exponent: a field or a number.
    /// - Returns: the power (S17).
    public func raised(to exponent: some QueryTermConvertible) -> Field { chained(.power, exponent) }

    /// Operators of the same precedence extend one chain, as in the text.
    func chained(_ operation: ArithmeticOperator, _ right: some QueryTermConvertible) -> Field {
        let link = Arithmetic.Link(operation, right.queryTerm)
        guard case .arithmetic(var chain, _) = term, chain.precedence == operation.entry.precedence else {
            return Field(.arithmetic(Arithmetic(first: term, rest: [link]), .none))
        }
        chain.rest.append(link)
        return Field(.arithmetic(chain, .none))
    }
}

// MARK: - Bits

extension Field {
    /// The bits in both ints: `a & b`.
    public static func & (left: Field, right: some QueryTermConvertible) -> Field { left.call(.bitwiseAnd, right) }

    /// The bits in either ints: `a | b`.
    public static func | (left: Field, right: some QueryTermConvertible) -> Field { left.call(.bitwiseOr, right) }

    /// The bits in exactly one of both ints: `a ^ b`.
    public static func ^ (left: Field, right: some QueryTermConvertible) -> Field { left.call(.bitwiseXor, right) }

    /// The bits shifted left: `a << b`.
    public static func << (left: Field, right: some QueryTermConvertible) -> Field { left.call(.leftShift, right) }

    /// The bits shifted right: `a >> b`.
    public static func >> (left: Field, right: some QueryTermConvertible) -> Field { left.call(.rightShift, right) }

    /// Every bit inverted: `onesComplement:(a)`.
    public static prefix func ~ (field: Field) -> Field { field.call(.onesComplement) }

    func call(_ function: Function, _ other: (any QueryTermConvertible)? = nil) -> Field {
        Field(.call(function, [term] + (other.map { [$0.queryTerm] } ?? []), .none))
    }
}
