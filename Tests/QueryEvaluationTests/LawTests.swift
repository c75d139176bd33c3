import PredicateQL
import QueryValues
import SpecSupport
import Testing

@Suite("Laws over hostile values (S6)")
struct LawTests {
    private static let rows: [Document] =
        hostileValues.flatMap { first in
            ([nil, 5, "a", [1], .object(["k": 1])] as [QueryValue]).map { ["x": first, "y": $0] }
        } + [[:], ["x": 1]]

    private static let conditions: [Condition] = {
        let operators = Comparison.Operator.allCases.filter { $0 != .matches && $0 != .geoWithin && $0 != .between }
        let constants = operators.flatMap { operation in
            hostileValues.compactMap { constant -> Condition? in
                operation == .like && constant.kind != .string
                    ? nil : compare(field("x"), operation, .constant(constant))
            }
        }
        let others = operators.flatMap { operation in
            [
                compare(field("x"), operation, field("y")), any(field("x"), operation, field("y")),
                all(field("x.k"), operation, field("y")), compare(value(1), operation, field("x")),
                compare(field("x"), operation, field("y"), [.caseInsensitive, .diacriticInsensitive]),
            ]
        }
        return constants + others
    }()

    @Test("NOT p is the complement of p; != is the complement of ==")
    func complement() throws {
        for condition in Self.conditions {
            let found = try Query(condition).matchingIndices(in: Self.rows)
            let rest = try Query(!condition).matchingIndices(in: Self.rows)
            #expect(Set(found).isDisjoint(with: rest) && found.count + rest.count == Self.rows.count, "\(condition)")
            guard case .comparison(var node) = condition, node.quantifier == nil, node.operator == .equal else {
                continue
            }
            node.operator = .notEqual
            #expect(try Query(.comparison(node)).matchingIndices(in: Self.rows) == rest, "\(condition)")
        }
    }

    @Test("AND is the intersection, OR the union")
    func sets() throws {
        var random = RandomNumbers(seed: 11)
        for _ in 0..<200 {
            let a = Self.conditions[Int(random.next(below: Int64(Self.conditions.count)))]
            let b = Self.conditions[Int(random.next(below: Int64(Self.conditions.count)))]
            let inA = Set(try Query(a).matchingIndices(in: Self.rows))
            let inB = Set(try Query(b).matchingIndices(in: Self.rows))
            #expect(Set(try Query(a && b).matchingIndices(in: Self.rows)) == inA.intersection(inB))
            #expect(Set(try Query(a || b).matchingIndices(in: Self.rows)) == inA.union(inB))
        }
    }

    @Test("a constant on the right means the same as a field with that value")
    func constants() throws {
        for condition in Self.conditions {
            guard case .comparison(var node) = condition, let constant = node.right.constantValue, !constant.isNull
            else {
                continue
            }
            node.right = field("c")
            for row in Self.rows {
                var wider = row
                wider["c"] = constant
                #expect(try holds(condition, row) == holds(.comparison(node), wider), "\(condition) over \(row)")
            }
        }
    }

    /// What ANY, ALL and SUBQUERY answer without building lists, and once for many elements, is what they answer by
    /// looking at each: `noindex` hides the path.
    @Test func shortCutsAgree() throws {
        var hostile = HostileRows(seed: 23)
        let rows = try (0..<SeededGenerator.count(8)).map { _ in try QueryValue(json: hostile.row()) }.compactMap {
            value in
            if case .object(let row) = value { row } else { nil }
        }
        let tests = [
            "== 1", "!= 1", "== 'x'", "== nil", "!= nil", "< 2", ">= ''", "BETWEEN {0, 5}", "IN {1, 'x', nil}",
            "IN {{1}, {}, 2}", "LIKE '*'", "BEGINSWITH ''", "CONTAINS 1", "CONTAINS 'a'", "== {1}", "!= {}",
        ]
        let subjects = ["a.b", "a.b.c", "b.a.a", "a.a.b.c"]
        var pairs: [(String, String)] = []
        for test in tests {
            for path in subjects {
                pairs += ["ANY", "ALL", "NONE"].map { ("\($0) \(path) \(test)", "\($0) noindex(\(path)) \(test)") }
            }
            for (path, collection) in [("$x.b", "a"), ("$x.a.b", "a"), ("$x.c", "b")] {
                for join in ["", "NOT ", "$x.a != 1 AND "] {
                    func text(_ subject: String) -> String {
                        "SUBQUERY(\(collection), $x, \(join)\(subject) \(test)).@count == 1"
                    }
                    pairs.append((text(path), text("noindex(\(path))")))
                }
            }
        }
        var held = 0
        for (short, long) in pairs {
            let (short, long) = (try Query(parsing: short), try Query(parsing: long))
            for row in rows {
                let answer = try short.matches(row)
                held += answer ? 1 : 0
                #expect(try long.matches(row) == answer, "\(short.format) over \(QueryValue.object(row).json)")
            }
        }
        #expect(held > pairs.count)
    }

    /// Objects sort by their keys in order, then by their values, whatever order their keys have (S22).
    @Test func objectsSortByKeysInOrder() throws {
        let sorted = [
            "{}", #"{"a":1}"#, #"{"a":2}"#, #"{"b":1,"a":0}"#, #"{"a":1,"b":0}"#, #"{"c":3,"b":9,"a":1}"#, #"{"b":0}"#,
        ].map { try? QueryValue(json: $0) }
        for (first, left) in sorted.enumerated() {
            for (second, right) in sorted.enumerated() {
                let (left, right) = (try #require(left), try #require(right))
                #expect(left.sortOrder(relativeTo: right) == .of(first, second), "\(left.json) and \(right.json)")
            }
        }
    }
}
