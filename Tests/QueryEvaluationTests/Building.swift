import PredicateQL
import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

// Short names for tree nodes, so that a test states a rule on one line.

func field(_ path: FieldPath) -> Term { .field(path, .none) }

func value(_ value: QueryValue) -> Term { .constant(value) }

func variable(_ name: Variable, _ keys: String...) -> Term {
    keys.isEmpty ? .variable(name, .none) : .path(.variable(name, .none), keys.map(PathStep.key), .none)
}

func compare(
    _ left: Term,
    _ operation: Comparison.Operator,
    _ right: Term,
    _ options: StringOptions = [],
    _ quantifier: Comparison.Quantifier? = nil
) -> Condition {
    .comparison(Comparison(left, operation, right, quantifier: quantifier, options: options))
}

func any(_ left: Term, _ operation: Comparison.Operator, _ right: Term) -> Condition {
    compare(left, operation, right, [], .any)
}

func all(_ left: Term, _ operation: Comparison.Operator, _ right: Term) -> Condition {
    compare(left, operation, right, [], .all)
}

func call(_ function: Function, _ arguments: Term...) -> Term { .call(function, arguments, .none) }

func aggregate(_ aggregate: Aggregate, _ path: FieldPath, _ keys: String...) -> Term {
    .aggregate(aggregate, of: field(path), FieldPath(keys: keys), .none)
}

func chain(_ first: Term, _ links: (ArithmeticOperator, Term)...) -> Term {
    .arithmetic(Arithmetic(first: first, rest: links.map { Arithmetic.Link($0.0, $0.1) }), .none)
}

func subquery(_ collection: Term, _ name: Variable, _ condition: Condition) -> Term {
    .subquery(Subquery(collection, name, where: condition), .none)
}

/// An instant for tests, 2001-01-01T00:16:40Z.
let testNow: Int64 = 978_308_200_000

func result(_ term: Term, _ row: Document = [:], schema: Schema? = nil) throws -> QueryValue? {
    try RowEvaluator(schema: schema).value(of: term, in: row, now: testNow)
}

func holds(
    _ condition: Condition,
    _ row: Document = [:],
    _ nilMeaning: NilMeaning = .nullOrAbsent,
    schema: Schema? = nil
) throws -> Bool {
    try Query(condition, nilMeaning: nilMeaning, schema: schema).matches(row, now: testNow)
}

/// Values at the edges of every rule.
let hostileValues: [QueryValue] = [
    nil, true, false, 0, -1, .int(.max), .int(.min), 9_007_199_254_740_993, .double(-0.0), .double(.nan),
    .double(.infinity), .double(-.infinity), 9_007_199_254_740_992.0, 9.3e18, 1.5, "", "a", "A", "\u{E9}", "e\u{301}",
    "👩‍👩‍👧", "a\u{0}b", .date(0), .date(.min), .date(.max), .data([]), .data([255]), [], [nil], [1, [2, [3]]],
    .object([:]), .object(["k": 1]), .object(["k": [1, 2]]), [.object(["k": 1]), 5, .object([:])],
]
