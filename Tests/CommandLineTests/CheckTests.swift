import Foundation
import Testing

/// `pql check`: every mistake, and hints for the habits of other languages.
@Suite(.enabled(if: Tool.executable != nil, "pql is built without its trait CLI")) struct CheckTests {
    /// The columns at which `pql check` reports something.
    private func columns(_ format: String, _ options: String...) throws -> [Int] {
        let outcome = try Tool.pql(["check", format] + options)
        #expect(outcome.status == (outcome.error.isEmpty ? 0 : 65), "\(outcome)")
        return outcome.error.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("    |"), let caret = line.firstIndex(of: "^") else { return nil }
            return line.distance(from: line.startIndex, to: caret) - 6
        }
    }

    @Test func everyMistakeIsListed() throws {
        let cases: [(format: String, columns: [Int])] = [
            ("a STARTSWITH 'x' AND b == 1 OR c IS NULL", [2, 33]),
            ("a = = 1 && NOT b ~ 2 || c == 'x'", [4, 17]),
            ("(a STARTSWITH 'x' AND b == 1) OR c LKE 'x'", [3, 35]),
            ("a BETWEEN 1 AND 5 AND b STARTSWITH 'x'", [10, 24]),
            ("a STARTSWITH 'x' AND", [2]), ("a STARTSWITH 'x' AND (b == 1", [2]), ("a == 1 AND b == 2", []),
            ("a STARTSWITH 'AND b ~ 1' AND c ~ 1", [2, 31]),
        ]
        for (format, places) in cases { #expect(try columns(format) == places, "\(format)") }
        #expect(
            try columns("a STARTSWITH %@ AND b < %@ AND c ~ %@", "--arg", "1", "--arg", "2", "--arg", "3") == [2, 33]
        )
        let schema = #"{"type":"object","properties":{"age":{"type":"integer"}}}"#
        try Tool.withFile("schema.json", schema) { file in
            let found = try columns("agee > 1 AND age STARTSWITH 'x' AND naem == 1", "--schema", file)
            #expect(found == [17, 0, 36])
        }
        // Many mistakes stay few messages.
        let many = Array(repeating: "a ~ 1", count: 5_000).joined(separator: " AND ")
        #expect(try columns(many).count == 21)
    }

    @Test func habitsOfOthersGetAHint() throws {
        let id = "507f1f77bcf86cd799439011"
        let cases: [(format: String, hint: String, fixed: String?)] = [
            ("price > $10.50", "leave out the $ of an amount; what SQL calls $10", nil),
            ("price > $10", "leave out the $ of an amount; what SQL calls $10 is %10$@, or %@", nil),
            (
                "age > $0 AND age < $1", "Realm counts from 0: write %1$@ for $0, %2$@ for $1",
                "age > %1$@ AND age < %2$@"
            ),
            ("age > $0", "write %1$@ for argument 1, or %@", "age > %1$@"),
            (
                "age > 3 SORT(age DESC, name ASC)",
                "write `age > 3` and order the query by -age,name (pql: --sort -age,name)", nil
            ),
            ("age > 3 LIMIT(5)", "write `age > 3` and limit the query to 5 (pql: --limit 5)", nil),
            ("age > 3 DISTINCT(name)", "write `age > 3` and group the query by name (pql: --group-by name)", nil),
            ("SORT(name DESC)", "leave the condition out and order the query by -name (pql: --sort -name)", nil),
            ("limit(5)", "leave the condition out and limit the query to 5 (pql: --limit 5)", nil),
            ("_id == oid(\(id))", "write the id as a text: \"\(id)\"", "_id == \"\(id)\""),
            ("_id == ObjectId(\"\(id)\")", "write the id as a text", "_id == \"\(id)\""),
            (
                "ISODate('2024-01-02') < d", "write CAST(725846400, \"NSDate\"), or bind",
                "CAST(725846400, \"NSDate\") < d"
            ),
            ("n == NumberLong(5)", "write the number alone", "n == 5"),
            ("db.c.find({age: 3})", "write the condition alone: age == 3; ", nil),
            ("db.c.find({\"age\": {\"$gt\": 3}}).sort({a: 1})", "write the condition alone: age > 3; ", nil),
            ("{age: 3}", "write age == 3", nil), ("{a: 'x', b: 2}", "write a == 'x' AND …", nil),
            ("{\"age\": {\"$gte\": 3}}", "write age >= 3", nil),
            ("{age: {$lt: 'x'}}", "write age < 'x'", nil),
        ]
        for (format, hint, fixed) in cases {
            let outcome = try Tool.pql("check", format, "--fix")
            #expect(outcome.status == 65 && outcome.error.contains("hint: \(hint)"), "\(format): \(outcome)")
            if let fixed { #expect(outcome.output == fixed + "\n", "\(format)") }
        }
        // The text shown for ISODate is the same instant.
        let shown = try Tool.pql("translate", "d > CAST(725846400, \"NSDate\")", "--to", "mongo")
        #expect(shown.output.contains("2024-01-02T00:00:00.000Z"), "\(shown)")
    }
}
