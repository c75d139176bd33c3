import PredicateQL
import Testing

@Suite("Comparisons: kinds, nil, quantifiers, collections (S2, S3, S5–S13)")
struct ComparingTests {
    @Test("kinds never mix, numbers compare exactly (S2, S3)")
    func kinds() throws {
        let row: Document = ["big": 9_007_199_254_740_993, "one": 1, "yes": true, "nan": .double(.nan), "t": "1"]
        #expect(try !holds(compare(field("big"), .equal, value(9_007_199_254_740_992.0)), row))
        #expect(try holds(compare(field("big"), .greater, value(9_007_199_254_740_992.0)), row))
        #expect(try holds(compare(field("one"), .equal, value(1.0)), row))
        #expect(try !holds(compare(field("yes"), .equal, value(1)), row))
        #expect(try !holds(compare(field("t"), .equal, value(1)), row))
        #expect(try !holds(compare(field("t"), .less, value(2)), row))
        #expect(try !holds(compare(field("nan"), .equal, field("nan")), row))
        #expect(try holds(compare(field("nan"), .notEqual, field("nan")), row))
        for operation in [Comparison.Operator.less, .lessOrEqual, .greater, .greaterOrEqual] {
            #expect(try !holds(compare(field("nan"), operation, value(1.0)), row))
            #expect(try !holds(compare(value(1.0), operation, field("nan")), row))
            #expect(try !holds(compare(field("one"), operation, value(.double(.nan))), row))
        }
        #expect(try !holds(compare(field("nan"), .in, value([.double(.nan), 1])), row))
    }

    @Test("nil equals nil, differs from everything else, and has no order (S7)")
    func nils() throws {
        for row: Document in [[:], ["x": nil]] {
            let x = field("x")
            #expect(try holds(compare(x, .equal, value(nil)), row))
            #expect(try holds(compare(value(nil), .equal, x), row))
            #expect(try !holds(compare(x, .equal, value(5)), row))
            #expect(try holds(compare(x, .notEqual, value(5)), row))
            #expect(try holds(compare(x, .lessOrEqual, value(nil)), row))
            #expect(try holds(compare(value(nil), .greaterOrEqual, x), row))
            #expect(try holds(compare(x, .greaterOrEqual, field("y")), row))
            #expect(try !holds(compare(x, .less, value(nil)), row))
            #expect(try !holds(compare(x, .lessOrEqual, value(5)), row))
            #expect(try !holds(compare(x, .between, value([nil, 5])), row))
            #expect(try !holds(compare(x, .beginsWith, value("")), row))
            #expect(try !holds(compare(x, .contains, value("")), row))
            #expect(try holds(compare(x, .in, value([nil, 5])), row))
            #expect(try holds(compare(x, .in, .list([field("x")], .none)), row))
            #expect(try !holds(compare(x, .contains, value(nil)), row))
        }
        #expect(try !holds(compare(field("x"), .equal, value(nil)), ["x": 0]))
        #expect(try holds(compare(value(nil), .equal, value(nil))))
    }

    @Test("three meanings of nil, for == != and IN lists only (S8)")
    func nilMeanings() throws {
        let rows: [Document] = [[:], ["x": nil], ["x": 5]]
        let table: [(Condition, [NilMeaning: [Bool]])] = [
            (compare(field("x"), .equal, value(nil)), [.absent: [true, false, false], .null: [false, true, false]]),
            (compare(value(nil), .equal, field("x")), [.absent: [true, false, false], .null: [false, true, false]]),
            (compare(field("x"), .notEqual, value(nil)), [.absent: [false, true, true], .null: [true, false, true]]),
            (compare(field("x"), .in, value([nil, 5])), [.absent: [true, false, true], .null: [false, true, true]]),
            (
                compare(value([nil, 5]), .contains, field("x")),
                [.absent: [true, false, true], .null: [false, true, true]]
            ),
            (
                compare(field("x"), .in, .list([value(nil), field("z")], .none)),
                [.absent: [true, true, false], .null: [true, true, false]]
            ),
            (
                compare(field("x"), .lessOrEqual, value(nil)),
                [.absent: [true, true, false], .null: [true, true, false]]
            ),
            (compare(field("x"), .equal, field("y")), [.absent: [true, true, false], .null: [true, true, false]]),
            (
                compare(call(.noindex, field("x")), .equal, value(nil)),
                [.absent: [false, false, false], .null: [true, true, false]]
            ),
            (compare(value(nil), .equal, value(nil)), [.absent: [true, true, true], .null: [true, true, true]]),
        ]
        for (position, (condition, expected)) in table.enumerated() {
            for (meaning, truths) in expected {
                let found = try rows.map { try holds(condition, $0, meaning) }
                #expect(found == truths, "line \(position), \(meaning)")
            }
        }
    }

    @Test("a path is absent when a step is missing, meets no container or is out of range (S8)")
    func absence() throws {
        let row: Document = ["o": .object(["n": nil]), "l": [1, nil], "s": "x"]
        let absent: [Term] = [
            field("z"), field("o.z"), field("s.x"), field("o.n.x"), .index(field("l"), .at(value(9)), .none),
            .index(field("l"), .at(value(-1)), .none), .index(field("s"), .first, .none),
            .index(field("o"), .at(value("z")), .none),
        ]
        for term in absent {
            #expect(try result(term, row) == nil)
            #expect(try holds(compare(term, .equal, value(nil)), row, .absent))
        }
        for term in [field("o.n"), .index(field("l"), .last, .none), call(.squareRoot, value(-1))] {
            #expect(try result(term, row) == .null)
            #expect(try holds(compare(term, .equal, value(nil)), row, .null))
        }
    }

    @Test("quantifiers (S10)")
    func quantifiers() throws {
        let rows: [(QueryValue?, any: Bool, all: Bool)] = [
            ([1, 5, 9], true, false), ([5], true, true), ([], false, true), (5, true, true), (nil, false, true),
            ([nil, 5], true, false), (["5"], false, false), ("5", false, false), ([[5]], false, false),
        ]
        for (list, isAny, isAll) in rows {
            var row: Document = [:]
            row["a"] = list
            #expect(try holds(any(field("a"), .equal, value(5)), row) == isAny, "\(String(describing: list))")
            #expect(try holds(all(field("a"), .equal, value(5)), row) == isAll, "\(String(describing: list))")
            #expect(try holds(!any(field("a"), .notEqual, value(5)), row) == isAll)
        }
        let row: Document = ["a": [1, 5], "b": 5]
        #expect(try holds(any(field("a"), .equal, field("b")), row))
        #expect(try holds(any(field("a"), .between, value([4, 6])), row))
        #expect(try holds(all(field("a"), .in, value([1, 5])), row))
        #expect(throws: QueryError.self) { try holds(any(value(5), .equal, field("b")), row) }
    }

    @Test("IN, CONTAINS and BETWEEN (S12, S13)")
    func collections() throws {
        let row: Document = ["t": ["Red", 1, [2], nil], "s": "infrared", "n": 3, "o": .object(["k": 1])]
        #expect(try holds(compare(field("s"), .contains, value("red")), row))
        #expect(try holds(compare(value("red"), .in, field("s")), row))
        #expect(try holds(compare(field("s"), .contains, value("")), row))
        #expect(try !holds(compare(field("s"), .contains, value(1)), row))
        #expect(try !holds(compare(field("t"), .contains, value("Re")), row))
        #expect(try holds(compare(field("t"), .contains, value("RED"), .caseInsensitive), row))
        #expect(try holds(compare(value("RED"), .in, field("t"), .caseInsensitive), row))
        #expect(try holds(compare(field("t"), .contains, value(1.0)), row))
        #expect(try holds(compare(field("t"), .contains, value([2])), row))
        #expect(try holds(compare(field("t"), .contains, value(nil)), row))
        #expect(try holds(compare(field("n"), .contains, value(3)), row))
        #expect(try holds(compare(field("n"), .in, field("n")), row))
        #expect(try holds(compare(field("o"), .in, value([.object(["k": 1.0])])), row))
        #expect(try holds(compare(field("s"), .in, value(["INFRARED", "x"]), .caseInsensitive), row))
        #expect(try holds(compare(field("n"), .between, value([3, 3.0])), row))
        #expect(try !holds(compare(field("n"), .between, value([4, 2])), row))
        #expect(try !holds(compare(field("n"), .between, field("t")), row))
        #expect(try holds(compare(field("n"), .between, .list([field("n"), value(9)], .none)), row))
        #expect(throws: QueryError.self) { try holds(compare(field("n"), .between, value([1])), row) }
    }

    @Test("lists and objects are equal by their parts and have no order (S2, S11)")
    func wholes() throws {
        let row: Document = ["l": [1, 2], "o": .object(["a": 1, "b": 2])]
        #expect(try holds(compare(field("l"), .equal, value([1.0, 2])), row))
        #expect(try !holds(compare(field("l"), .equal, value([2, 1])), row))
        #expect(try holds(compare(field("o"), .equal, value(.object(["b": 2, "a": 1]))), row))
        #expect(try !holds(compare(field("l"), .less, value([9])), row))
        #expect(try !holds(compare(field("l"), .equal, value(1)), row))
    }

    @Test("geoWithin: circles are spherical, polygons planar, borders included")
    func geo() throws {
        let row: Document = ["here": [0, 0], "edge": [0, 1], "bad": [0], "far": [0, 91]]
        let circle = value(.shape(.circle(longitude: 0, latitude: 1, radius: 111_195)))
        #expect(try holds(compare(field("here"), .geoWithin, circle), row))
        let small = value(.shape(.circle(longitude: 0, latitude: 1, radius: 111_194)))
        #expect(try !holds(compare(field("here"), .geoWithin, small), row))
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        let square = value(.shape(.polygon(corners.map { GeoPoint(longitude: $0.0, latitude: $0.1) })))
        for (name, expected) in [("here", true), ("edge", true), ("bad", false), ("far", false), ("none", false)] {
            #expect(try holds(compare(field(FieldPath(keys: [name])), .geoWithin, square), row) == expected, "\(name)")
        }
    }
}
