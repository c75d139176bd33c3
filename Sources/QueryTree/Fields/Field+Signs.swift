import QueryValues

// Kept few and generic, because the compiler considers every overload of an operator at each use.

extension FieldComparing {
    /// Equal; values of different kinds never are.
    public static func == (left: Self, right: some QueryTermConvertible) -> Condition {  // S2
        left.comparing(.equal, right, [])
    }

    /// Equal; takes `nil`.
    public static func == (left: Self, right: QueryValue) -> Condition {  // S8
        left.comparing(.equal, right, [])
    }

    /// Not equal: the opposite of `==`.
    public static func != (left: Self, right: some QueryTermConvertible) -> Condition {  // S6
        left.comparing(.notEqual, right, [])
    }

    /// Not equal; takes `nil`.
    public static func != (left: Self, right: QueryValue) -> Condition {  // S8
        left.comparing(.notEqual, right, [])
    }

    /// Equal to a raw value.
    @_disfavoredOverload
    public static func == <Value: RawRepresentable>(left: Self, right: Value) -> Condition
    where Value.RawValue: QueryValueConvertible {
        left.comparing(.equal, right.rawValue, [])
    }

    /// Not equal to a raw value.
    @_disfavoredOverload
    public static func != <Value: RawRepresentable>(left: Self, right: Value) -> Condition
    where Value.RawValue: QueryValueConvertible {
        left.comparing(.notEqual, right.rawValue, [])
    }

    /// Less than.
    public static func < (left: Self, right: some QueryTermConvertible) -> Condition {
        left.comparing(.less, right, [])
    }

    /// Less than or equal.
    public static func <= (left: Self, right: some QueryTermConvertible) -> Condition {
        left.comparing(.lessOrEqual, right, [])
    }

    /// Greater than.
    public static func > (left: Self, right: some QueryTermConvertible) -> Condition {
        left.comparing(.greater, right, [])
    }

    /// Greater than or equal.
    public static func >= (left: Self, right: some QueryTermConvertible) -> Condition {
        left.comparing(.greaterOrEqual, right, [])
    }
}

extension Field {
    /// Equal, a value first.
    public static func == (left: some QueryValueConvertible, right: Field) -> Condition {
        value(left).comparing(.equal, right)
    }

    /// Not equal, a value first.
    public static func != (left: some QueryValueConvertible, right: Field) -> Condition {
        value(left).comparing(.notEqual, right)
    }

    /// Less than, a value first.
    public static func < (left: some QueryValueConvertible, right: Field) -> Condition {
        value(left).comparing(.less, right)
    }

    /// Less than or equal, a value first.
    public static func <= (left: some QueryValueConvertible, right: Field) -> Condition {
        value(left).comparing(.lessOrEqual, right)
    }

    /// Greater than, a value first.
    public static func > (left: some QueryValueConvertible, right: Field) -> Condition {
        value(left).comparing(.greater, right)
    }

    /// Greater than or equal, a value first.
    public static func >= (left: some QueryValueConvertible, right: Field) -> Condition {
        value(left).comparing(.greaterOrEqual, right)
    }
}
