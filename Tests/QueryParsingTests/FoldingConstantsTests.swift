import PredicateQL
import Testing

@Suite("Folding constants")
struct FoldingConstantsTests {
    @Test("Constant parts are folded; the rest stays as written")
    func folding() throws {
        let cases: [(String, String)] = [
            ("1 == 1", "TRUEPREDICATE"),
            ("a == 1 OR TRUEPREDICATE", "TRUEPREDICATE"),
            ("a == 1 AND TRUEPREDICATE", "a == 1"),
            ("a == 1 AND FALSEPREDICATE", "FALSEPREDICATE"),
            ("a == 1 AND (b == 2 OR 1 == 2)", "a == 1 AND b == 2"),
            ("NOT NOT a == 1", "a == 1"),
            ("NOT TRUEPREDICATE", "FALSEPREDICATE"),
            ("a > 1 + 2 * 3", "a > 7"),
            ("a > 1 / 0", "FALSEPREDICATE"),
            ("a >= 1 / 0", "a >= nil"),
            ("a == b", "a == b"),
            ("a == 1 AND (b == 2 AND c == 3)", "a == 1 AND (b == 2 AND c == 3)"),
            ("a < nil", "FALSEPREDICATE"),
            ("a <= nil", "a <= nil"),
            ("a BETWEEN {1, nil}", "FALSEPREDICATE"),
            ("ALL a < nil", "ALL a < nil"),
            ("a IN {}", "FALSEPREDICATE"),
            ("name BEGINSWITH nil", "FALSEPREDICATE"),
            ("random() > 2", "random() > 2"),
            ("SUBQUERY({1, 2, 3}, $x, $x > 1).@count == 2", "TRUEPREDICATE"),
            ("a > $v + 1", "a > $v + 1"),
            ("now() >= CAST(0, 'NSDate')", "TRUEPREDICATE"),
            ("joined < now()", "joined < CAST(0, \"NSDate\")"),
            ("(1 + 2) IN {3, 4}", "TRUEPREDICATE"),
            ("a IN {1 + 1, b}", "a IN {2, b}"),
            ("length(a) > 0", "a > \"\""),
            ("1 <= length(a)", "a > \"\""),
            ("length(a) == 0 OR length(b) < 1", "a == \"\" OR b == \"\""),
            ("NOT length(lowercase(a)) != 0", "NOT lowercase:(a) != \"\""),
            ("length(a) > 1", "length:(a) > 1"),
            ("length(a) >= 0", "length:(a) >= 0"),
            ("length(a) == 0.5", "length:(a) == 0.5"),
        ]
        for (format, expected) in cases {
            let folded = try Condition(parsing: format).foldingConstants(now: 978_307_200_000)
            #expect(folded.format == expected, "\(format)")
            #expect(folded.foldingConstants(now: 978_307_200_000) == folded, "\(format) is not folded once for all")
        }
    }

    @Test("NaN is decided, and a computed nil is not confused with the nil meanings (S3, S8)")
    func edges() throws {
        let nan = try Condition(format: "a == %@", arguments: [.double(.nan)])
        #expect(nan.foldingConstants(now: 0) == .constant(false))
        let computed = try Condition(format: "a == 1 / 0")
        #expect(computed.foldingConstants(now: 0).format == "a == nil")
        #expect(computed.foldingConstants(now: 0, nilMeaning: .absent).format == "a == 1 / 0")
    }
}
