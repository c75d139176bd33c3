import PredicateQL
import Testing

/// Dates in canonical text.
@Suite struct DateLiteralTests {
    @Test func everyDateReadsAsItself() throws {
        for milliseconds in [0, 1, -1, 999, -999, 1_000, -1_000, -1_001, 978_307_199_999, -62_135_596_800_001]
            as [Int64]
        {
            let query = try Query(format: "d == %@", arguments: [.date(milliseconds)])
            let again = try Query(parsing: query.format, arguments: query.arguments)
            #expect(again.condition == query.condition, "\(query.format)")
            let holds = try again.matches(["d": .date(milliseconds)])
            #expect(holds, "\(query.format)")
        }
    }
}
