import QueryValues

extension TypedCases {
    /// Constructs that the generator rarely produces, or never in a form that these stores support.
    static let written = [
        "TERNARY(x > 1, n, x) > 2", "TERNARY(b == TRUE, s, 'z') == 'z'", "TERNARY(x > 1, nil, y) > 2.5",
        "TERNARY(x == nil, 1, 2) == 1", "TERNARY(s == 'a', TRUE, b) == TRUE", "TERNARY(x > 1, 1.5, y) >= 1",
        "TERNARY(x > 1, y, nil) == nil", "sqrt(n) > 1", "sqrt(y) <= 2", "ln(y) > 0", "ln(n) == nil", "log(n) >= 1",
        "exp(m) < 100", "modulus:by:(n, 3) == 1", "modulus:by:(n, x) == 0", "modulus:by:(n, 0) == nil",
        "modulus:by:(n, -1) == 0", "abs(x) > 3", "floor(y) == 2", "ceiling(y) == 3", "trunc(y) == 2", "length(s) == 2",
        "length(s) > length(t)", "noindex(x) == 3", "x IN (k.a UNION {1, 2})", "x IN (k.a MINUS {1})",
        "x IN (k.a INTERSECT {1, 2, 3})", "NOT x IN (k.a UNION {5})", "d > CAST(0, 'NSDate')",
        "d == CAST(-978307200, 'NSDate')", "d != CAST(-978307200, 'NSDate')", "NOT d == CAST(-978307200, 'NSDate')",
        "d >= CAST(-978307200.001, 'NSDate')", "d IN {CAST(-978307200, 'NSDate'), nil}",
        "d BETWEEN {CAST(-978307200.001, 'NSDate'), CAST(0, 'NSDate')}", "d == nil", "d <= nil",
        "s MATCHES '[^a-c]+'", "s MATCHES '[\\\\da-f]+'", "s MATCHES '[^\\\\s]*'", "s MATCHES 'a?b{1,2}.*'",
        "s MATCHES '[\\\\-x]*'", "s CONTAINS t", "s BEGINSWITH t", "s ENDSWITH t", "s == t", "s < t", "s IN k.b",
        "NOT s IN k.b", "k.@count == 0", "k.@count >= 2", "k.@max.a > 3", "k.@min.a < 3", "k.@avg.a >= 2",
        "k.@sum.a == 5", "ALL k.a > 1", "NONE k.b == 'a'", "SUBQUERY(k, $e, $e.a > 1 AND $e.b != nil).@count > 0",
        "SUBQUERY(k, $e, $e.a < x).@count == 1", "x IN {1, 2.5, nil}", "x IN {}", "x ** 2 > 4", "x / 2 == 1",
        "y / 2 == 1.25", "-x < 0", "-y < 0", "x * 2 + 1 > n - 1", "1 < 2", "nil <= nil", "x > 2.5",
        "x >= 9223372036854775807",
        "x < 9223372036854775808.0", "y == 1", "y > 9007199254740993", "s ==[cd] 'E'", "s BEGINSWITH[c] 'A'",
        "s <[cd] 'é'", "s CONTAINS[c] 'B'", "s LIKE 'a*'", "s LIKE[c] '?B*'", "b == TRUE", "b != FALSE", "b == x",
        "NOT ALL {nil, 5} != m", "ANY {nil, 2.5} == y",
    ]
}
