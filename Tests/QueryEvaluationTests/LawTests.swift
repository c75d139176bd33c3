import PredicateQL
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
}
