import PredicateQL
import SpecSupport
import Testing

@Suite("Normalizing")
struct NormalizerTests {
    @Test("Conditions take their simplest equivalent form")
    func forms() throws {
        let cases: [(String, String)] = [
            ("a == 1 AND (b == 2 AND c == 3)", "a == 1 AND b == 2 AND c == 3"),
            ("a == 1 OR (b == 2 OR a == 1)", "a == 1 OR b == 2"),
            ("NOT a == 1", "a != 1"),
            ("NOT NOT a < 1", "a < 1"),
            ("NOT a < 1", "NOT a < 1"),
            ("NOT ANY a == 1", "NOT ANY a == 1"),
            ("a IN {5}", "a == 5"),
            ("a IN[c] {'x'}", "a ==[c] \"x\""),
            ("5 < a", "a > 5"),
            ("a >= 1 AND a <= 5", "a BETWEEN {1, 5}"),
            ("a > 1 AND a < 5 AND a > 3", "a > 3 AND a < 5"),
            ("a > 5 AND b == 1 AND a < 3", "FALSEPREDICATE"),
            ("a >= 5 AND a <= 5", "a BETWEEN {5, 5}"),
            ("a > 5 AND a <= 5", "FALSEPREDICATE"),
            ("a >= 1 AND a <= 'x'", "a >= 1 AND a <= \"x\""),
            ("a >= nil AND a <= 5", "a >= nil AND a <= 5"),
            ("a >= 1 OR a <= 5", "a >= 1 OR a <= 5"),
            ("name MATCHES 'a.*' AND age > 5", "age > 5 AND name MATCHES \"a.*\""),
            ("random() < 0.5 OR random() < 0.5", "random() < 0.5 OR random() < 0.5"),
            ("a == 1 AND TRUEPREDICATE", "a == 1"),
            ("(a >= 1 AND a <= 5) AND a >= 1", "a BETWEEN {1, 5}"),
            ("a BETWEEN {1, 5} AND a BETWEEN {3, 9}", "a BETWEEN {3, 5}"),
            ("a BETWEEN {1, 5} AND a > 1", "a > 1 AND a <= 5"),
            ("a BETWEEN {1, 2} AND a BETWEEN {3, 4}", "FALSEPREDICATE"),
            ("a BETWEEN {5, 1}", "a BETWEEN {5, 1}"),
            ("a BETWEEN {5, 1} AND b == 1", "FALSEPREDICATE"),
            ("a BETWEEN {1, 'x'} AND a < 3", "a BETWEEN {1, \"x\"} AND a < 3"),
            ("a BETWEEN {1, nil} AND a < 3", "FALSEPREDICATE"),
            ("a BETWEEN {1, 5} AND a < 'x'", "a BETWEEN {1, 5} AND a < \"x\""),
            ("a BETWEEN {1, 5} OR a BETWEEN {3, 9}", "a BETWEEN {1, 5} OR a BETWEEN {3, 9}"),
            ("NOT (a BETWEEN {1, 5} AND a < 3)", "NOT (a >= 1 AND a < 3)"),
            ("a <[c] 'x' AND a <[c] 'y'", "a <[c] \"x\" AND a <[c] \"y\""),
        ]
        for (format, expected) in cases {
            let normalized = try Condition(parsing: format).normalized()
            #expect(normalized.format == expected, "\(format)")
            #expect(normalized.normalized() == normalized, "\(format) is not normalized once for all")
        }
    }

    @Test("Normalizing keeps the truth for every row, including nil and mixed kinds")
    func meaning() throws {
        let values: [QueryValue?] = [
            nil, .null, 0, 1, 2, 1.0, 1.5, .double(.nan), true, false, "a", "A", "", [1, 2], [], [nil, "a"],
            .object(["b": 1]), .int(.max), .date(0),
        ]
        let rows = values.flatMap { a in
            values.map { b in
                Document(pairs: [("a", a), ("b", b)].compactMap { pair in pair.1.map { (pair.0, $0) } })
            }
        }
        let atoms = [
            "a == 1", "a != 1", "a < 2", "a >= 1", "a <= 1.5", "1 < a", "a > b", "a <= b", "a IN {1}", "a IN {nil}",
            "a IN {'a', 2}", "a IN[c] {'A'}", "a BETWEEN {0, 1}", "a == nil", "a != nil", "ANY a == 1", "ALL a != 1",
            "'a' CONTAINS a", "a CONTAINS 1", "a ==[c] 'A'", "a > 'A'", "a <= 'a'", "a + 1 > b", "a.@count == 2",
            "a BETWEEN {1, 3}", "a BETWEEN {2, 1}", "a BETWEEN {'A', 'a'}", "a BETWEEN {1, 'a'}", "a BETWEEN {1, nil}",
            "TRUEPREDICATE", "b > 0", "a >= TRUE", "a < TRUE", "NOT a <= 1", "b IN {a}",
        ]
        var checked = 0
        for (position, first) in atoms.enumerated() where SeededGenerator.isAsked(position, oneIn: 4) {
            let second = atoms[(position * 7 + 3) % atoms.count]
            let third = atoms[(position * 11 + 5) % atoms.count]
            for format in [
                first, "NOT (\(first))", "\(first) AND \(second)", "\(first) OR \(second)",
                "NOT (\(first) AND (\(second) OR \(third)))", "\(first) AND \(third) AND a >= 0 AND a < 2",
                "NOT NOT (\(first) OR (\(first) OR \(third)))",
            ] {
                let condition = try Condition(parsing: format)
                for nilMeaning in NilMeaning.allCases {
                    let plain = Query(condition, nilMeaning: nilMeaning)
                    let simple = Query(condition.normalized(nilMeaning: nilMeaning), nilMeaning: nilMeaning)
                    #expect(
                        try plain.matchingIndices(in: rows) == simple.matchingIndices(in: rows),
                        "\(format) became \(simple.format), \(nilMeaning)"
                    )
                    checked += 1
                }
            }
        }
        #expect(checked >= atoms.count / 4 * 7 * NilMeaning.allCases.count)
    }
}
