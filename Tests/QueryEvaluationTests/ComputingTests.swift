import PredicateQL
import QueryMeaning
import QueryTree
import QueryValues
import Testing

@Suite("Paths, functions, arithmetic, aggregates, casts (S9, S17–S20)")
struct ComputingTests {
    private static let row: Document = [
        "l": [3, 1, nil, "x", true, 2.5], "e": [], "o": .object(["k": .object(["v": 7]), "4": "four"]),
        "kids": [.object(["age": 3, "tags": ["p", "q"]]), .object(["age": 9, "tags": ["r"]]), 5, .object([:])],
        "matrix": [[1, 2], [3]], "max": .int(.max), "min": .int(.min), "d": .date(978_308_200_000),
    ]

    private func check(_ table: [(Term, QueryValue?)], line: Int = #line) throws {
        for (position, (term, expected)) in table.enumerated() {
            let found = try result(term, Self.row)
            #expect(found == expected, "row \(position) of the table at line \(line)")
        }
    }

    @Test("a key over a list maps it and flattens; elements without the key give one nil (S9)")
    func paths() throws {
        try check([
            (field("o.k.v"), 7), (field("kids.age"), [3, 9, nil, nil]),
            (field("kids.tags"), ["p", "q", "r", nil, nil]),
            (field("matrix"), [[1, 2], [3]]), (field("matrix.k"), [nil, nil]), (field("e.k"), []),
            (.field(.itself, .none), .object(Self.row)),
            (.path(.index(field("kids"), .at(value(0)), .none), [.key("age")], .none), 3),
        ])
    }

    @Test("indices (S9)")
    func indices() throws {
        let l = field("l")
        try check([
            (.index(l, .first, .none), 3), (.index(l, .last, .none), 2.5), (.index(l, .size, .none), 6),
            (.index(field("e"), .first, .none), nil), (.index(field("max"), .size, .none), .null),
            (.index(l, .at(value(1)), .none), 1), (.index(l, .at(value(1.0)), .none), 1),
            (.index(l, .at(value(1.5)), .none), nil), (.index(l, .at(value(.int(.max))), .none), nil),
            (.index(l, .at(value("0")), .none), nil), (.index(field("o"), .at(value(4)), .none), nil),
            (.index(field("o"), .at(value("k")), .none), .object(["v": 7])),
        ])
    }

    @Test("arithmetic keeps ints, overflows to double, and gives nil for other operands (S17)")
    func arithmetic() throws {
        let (max, min) = (field("max"), field("min"))
        try check([
            (chain(value(7), (.divide, value(2))), 3), (chain(value(-7), (.divide, value(2))), -3),
            (chain(value(7.0), (.divide, value(2))), 3.5), (chain(value(1), (.divide, value(0))), .null),
            (chain(value(1), (.divide, value(0.0))), .null), (chain(max, (.add, value(1))), 0x1p63),
            (chain(min, (.divide, value(-1))), 0x1p63), (chain(max, (.multiply, value(2))), 0x1p64),
            (chain(min, (.subtract, value(1))), -0x1p63), (.negated(min, .none), 0x1p63),
            (.negated(value("x"), .none), .null),
            (chain(value(2), (.power, value(3)), (.power, value(2))), 64.0),
            (chain(value(true), (.add, value(1))), .null),
            (chain(field("none"), (.add, value(1))), .null), (chain(value("a"), (.multiply, value(2))), .null),
            (chain(value(5), (.subtract, value(2)), (.subtract, value(1))), 2),
        ])
    }

    @Test("UNION, INTERSECT and MINUS keep each value once, in the order of first appearance")
    func sets() throws {
        try check([
            (chain(value([1, 2, 1]), (.union, value([3, 2.0]))), [1, 2, 3]),
            (chain(value([1, 2, 2]), (.intersect, value([2.0, true]))), [2]),
            (chain(value([1, 2, .double(.nan)]), (.minus, value([1, .double(.nan)]))), [2, .double(.nan)]),
            (chain(value([1]), (.union, value(1))), .null), (chain(field("none"), (.union, value([1]))), .null),
        ])
    }

    @Test("aggregates (S18)")
    func aggregates() throws {
        try check([
            (aggregate(.count, "l"), 6), (aggregate(.count, "e"), 0), (aggregate(.count, "max"), .null),
            (aggregate(.count, "none"), .null), (aggregate(.sum, "l"), 6.5), (aggregate(.sum, "e"), 0),
            (aggregate(.sum, "none"), 0), (aggregate(.sum, "max"), 0), (aggregate(.average, "l"), .double(6.5 / 3)),
            (aggregate(.average, "e"), .null), (aggregate(.min, "l"), 1), (aggregate(.max, "l"), true),
            (aggregate(.max, "e"), .null), (aggregate(.sum, "kids", "age"), 12),
            (aggregate(.average, "kids", "age"), 6.0),
            (aggregate(.min, "kids", "age"), 3), (aggregate(.max, "kids", "tags"), "r"),
            (aggregate(.unionOfObjects, "kids", "tags"), [["p", "q"], ["r"], nil, nil]),
            (aggregate(.unionOfArrays, "kids", "tags"), ["p", "q", "r", nil, nil]),
            (aggregate(.distinctUnionOfObjects, "kids", "age"), [3, 9, nil]),
            (.aggregate(.count, of: field(FieldPath(keys: [])), FieldPath(keys: []), .none), .null),
        ])
        #expect(Aggregate.sum.evaluate([.int(.max), 1]) == 0x1p63)
        #expect(Aggregate.min.evaluate([.double(.nan), 2]) == 2)
        #expect(Aggregate.max.evaluate([.double(.nan)]) == .null)
    }

    @Test("every function of the table: a value for what fits, nil for what does not (S17, S18)")
    func functions() throws {
        let list = value([4, 1, 2, 1, nil])
        let fitting: [(Function, [Term], QueryValue)] = [
            (.sum, [list], 8), (.count, [list], 5), (.min, [list], 1), (.max, [list], 4), (.average, [list], 2.0),
            (.median, [list], 1.5), (.mode, [list], [1]), (.standardDeviation, [value([1, 3])], 1.0),
            (.modulus, [value(-7), value(3)], -1), (.squareRoot, [value(9)], 3.0), (.log, [value(100)], 2.0),
            (.ln, [value(1)], 0.0), (.exp, [value(0)], 1.0), (.floor, [value(-1.5)], -2.0), (.floor, [value(3)], 3),
            (.ceiling, [value(1.2)], 2.0), (.absolute, [value(.int(.min))], 0x1p63), (.absolute, [value(-2)], 2),
            (.truncate, [value(-1.7)], -1.0), (.now, [], .date(testNow)), (.bitwiseAnd, [value(6), value(3)], 2),
            (.bitwiseOr, [value(6), value(1)], 7), (.bitwiseXor, [value(6), value(3)], 5),
            (.leftShift, [value(1), value(3)], 8),
            (.leftShift, [value(1), value(.int(.max))], 0), (.leftShift, [value(8), value(-2)], 2),
            (.rightShift, [value(-8), value(.int(.max))], -1), (.rightShift, [value(1), value(.int(.min))], 0),
            (.onesComplement, [value(0)], -1), (.uppercase, [value("straße")], "STRASSE"),
            (.lowercase, [value("ÀÉ")], "àé"),
            (.length, [value("👩‍👩‍👧é")], 6), (.noindex, [value(9)], 9), (.randomBelow, [value(1)], 0),
            (.year, [value(.date(-1))], 1969), (.month, [value(.date(-1))], 12), (.day, [value(.date(-1))], 31),
            (.weekday, [value(.date(-1))], 4), (.hour, [value(.date(-1))], 23), (.minute, [value(.date(-1))], 59),
            (.hour, [value(.date(0)), value("-05:30")], 18), (.day, [value(.date(0)), value("+14:00")], 1),
            (.hour, [value(.date(0)), value("Europe/London")], 1),
        ]
        for (function, arguments, expected) in fitting {
            #expect(try result(.call(function, arguments, .none)) == expected, "\(function)")
        }
        let never: Set<Function> = [.random, .now, .noindex, .sum]
        for function in Function.allCases where !never.contains(function) {
            let arguments = function.entry.arguments.map { _ in value(.object([:])) }
            #expect(try result(.call(function, arguments, .none)) == .null, "\(function)")
        }
        for (function, argument) in [(Function.squareRoot, -1), (.ln, 0), (.log, -1), (.randomBelow, 0)] {
            #expect(try result(call(function, value(.int(Int64(argument))))) == .null, "\(function)")
        }
        #expect(try result(call(.modulus, value(7), value(0))) == .null)
        #expect(try result(call(.modulus, value(.int(.min)), value(-1))) == 0)
    }

    @Test("functions never trap on any arguments (S26)")
    func hostileArguments() throws {
        var seen = 0
        for function in Function.allCases {
            for first in hostileValues {
                for second in function.entry.arguments.count > 1 ? hostileValues : [nil] {
                    let arguments = [first, second].prefix(function.entry.arguments.count)
                    seen += function.evaluate(Array(arguments), now: 0).isNull ? 0 : 1
                }
            }
        }
        for operation in ArithmeticOperator.allCases {
            for first in hostileValues {
                for second in hostileValues { seen += operation.evaluate(first, second).isNull ? 0 : 1 }
            }
        }
        for target in CastTarget.allCases {
            for first in hostileValues { seen += target.evaluate(first).isNull ? 0 : 1 }
        }
        #expect(seen > 500)
    }

    @Test("distance in metres; places as lists and objects")
    func distance() throws {
        let places: [(QueryValue, Bool)] = [
            ([1, 0], true), (.object(["lat": 0, "lon": 1]), true), (.object(["latitude": 0, "longitude": 1]), true),
            ([1], false), (["1", 0], false), (.object(["lat": 0]), false), (nil, false), ([200, 0], false),
        ]
        for (place, fits) in places {
            let metres = try result(call(.distance, value(place), value([0, 0])))
            #expect((metres?.doubleValue.map { abs($0 - 111_194.93) < 0.01 } ?? false) == fits, "\(place)")
        }
        #expect(try result(call(.distance, value([0, 90]), value([0, -90])))?.doubleValue ?? 0 > 20_015_086)
    }

    @Test("casts")
    func casts() throws {
        let table: [(CastTarget, QueryValue, QueryValue)] = [
            (.number, "12", 12), (.number, "12.0", 12.0), (.number, "1e2", 100.0), (.number, "x", .null),
            (.number, "", .null),
            (.decimal, "12.0", 12), (.decimal, 2.0, 2), (.number, true, 1), (.number, .date(testNow), 1000.0),
            (.number, [1], .null), (.number, "NaN", .null), (.string, 12, "12"), (.string, 1.0, "1.0"),
            (.string, "x", "x"),
            (.string, nil, .null), (.string, .date(testNow), "2001-01-01T00:16:40.000Z"), (.date, 1000, .date(testNow)),
            (.date, 1000.5, .date(testNow + 500)), (.date, "2001-01-01T00:16:40Z", .date(testNow)), (.date, "x", .null),
            (.date, .int(.max), .null), (.date, .double(.nan), .null), (.uuid, "x", .null),
        ]
        for (target, given, expected) in table {
            #expect(target.evaluate(given) == expected, "\(target) of \(given)")
        }
    }

    @Test("SUBQUERY: outer keys, shadowing, nil and single collections (S19)")
    func subqueries() throws {
        let row: Document = ["kids": [.object(["age": 3]), .object(["age": 9])], "age": 5, "one": .object(["age": 9])]
        let older = compare(variable("k", "age"), .greater, field("age"))
        #expect(try result(subquery(field("kids"), "k", older), row) == [.object(["age": 9])])
        #expect(try result(subquery(field("none"), "k", older), row) == .null)
        #expect(try result(subquery(field("one"), "k", older), row) == [.object(["age": 9])])
        let inner = subquery(value([1, 2]), "k", compare(variable("k"), .equal, value(2)))
        let nested = compare(inner, .equal, value([2])) && older
        #expect(try result(subquery(field("kids"), "k", nested), row) == [.object(["age": 9])])
        #expect(throws: QueryError.self) { try result(variable("k"), row) }
    }

    @Test("TERNARY and now() (S20)")
    func others() throws {
        let test = compare(value(1), .equal, value(1))
        #expect(try result(.conditional(test, value(1), value(2), .none)) == 1)
        #expect(try result(.conditional(!test, value(1), field("z"), .none)) == .null)
        #expect(try holds(compare(call(.now), .equal, value(.date(testNow)))))
    }

    @Test("Elements without keys give the same answer in a SUBQUERY, unless it calls random()")
    func elementsWithoutKeys() throws {
        let empty = QueryValue.object(Document())
        let two = QueryValue.object(["b": 2])
        let row: Document = ["a": [1, empty, "x", nil, two, [two], empty, 2.5, .object(["c": 1]), []], "n": 3]
        for (text, count) in [
            ("$x.b == nil", 7), ("$x.b != 2", 9), ("$x.b == 2", 1), ("NOT $x.b > 1", 9), ("$x == nil", 1),
            ("$x != 1", 9), ("$x.b == nil AND n == 3", 7),
        ] {
            let query = try Query(parsing: "SUBQUERY(a, $x, \(text)).@count == \(count)")
            #expect(try query.matches(row), "\(text)")
            let rows = JSONRows(QueryValue.object(row).json)
            #expect(try query.count(in: rows) == 1, "\(text)")
        }
        let many: Document = ["a": .list(Array(repeating: 1, count: 1_000))]
        let drawn = try Query(parsing: "SUBQUERY(a, $x, $x.b == nil AND random() < 0.5).@count BETWEEN {1, 999}")
        #expect(try drawn.matches(many))
    }
}
