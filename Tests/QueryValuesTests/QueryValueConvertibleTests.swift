#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

@testable import QueryTree
@testable import QueryValues

struct QueryValueConvertibleTests {
    @Test func valuesConvert() {
        let id = UUID()
        let table: [(any QueryValueConvertible, QueryValue)] = [
            (true, true), (7, 7), (Int8(-1), -1), (UInt16(9), 9), (UInt64(5), 5), (Int64.min, .int(.min)),
            (UInt64.max, .double(18446744073709551615.0)),
            (UInt64(1) << 63, .double(9223372036854775808.0)), (1.5, 1.5), (Float(0.5), 0.5), ("é", "é"),
            ("abc".dropFirst(), "bc"), (Character("x"), "x"),
            (id, .uuid(id)), (Data([1, 2]), .data([1, 2])), (Int?.none, nil), (Int?.some(3), 3),
            ([1, nil] as [Int?], [1, nil]), ([[1.0], []], [[1.0], []]),
            (Set([10, 9, -1]), [-1, 9, 10]), (Set(["b", "a", "é"]), ["a", "b", "é"]),
            (["b": 1, "a": 2], .object(["a": 2, "b": 1])),
            (Document(), .object([:])), (QueryValue.int(1), 1), (GeoShape.polygon([]), .shape(.polygon([]))),
        ]
        for (value, expected) in table { #expect(value.queryValue == expected, "\(value)") }
    }

    @Test func decimals() throws {
        let table: [(String, QueryValue)] = [
            ("12", 12), ("12.50", 12.5), ("-0.1", -0.1), ("9223372036854775807", .int(.max)),
            ("-9223372036854775808", .int(.min)),
            ("9223372036854775808", 9223372036854775808.0), ("100000000000000000000", 1e20),
            ("9007199254740993", 9_007_199_254_740_993),
            ("9007199254740993.5", 9007199254740994.0), ("1e100", 1e100), ("0.1000000000000000055511151231257827", 0.1),
        ]
        for (text, expected) in table {
            let decimal = try #require(Decimal(string: text))
            #expect(decimal.queryValue == expected, "\(text)")
        }
        #expect(Decimal.nan.queryValue == .double(.nan))
    }

    @Test func datesAreFlooredAndNeverTrap() {
        let table: [(Date, QueryValue)] = [
            (Date(timeIntervalSince1970: 0), .date(0)), (Date(timeIntervalSince1970: -0.0005), .date(-1)),
            (Date(timeIntervalSince1970: 1.9999), .date(1_999)),
            (Date(timeIntervalSince1970: 1_479_117_955.787), .date(1_479_117_955_787)),
            (Date(timeIntervalSince1970: 1_479_117_955.7879), .date(1_479_117_955_787)),
            (Date(timeIntervalSinceReferenceDate: .nan), nil), (Date(timeIntervalSince1970: .infinity), .date(.max)),
            (Date(timeIntervalSince1970: -.infinity), .date(.min)), (Date(timeIntervalSince1970: 1e300), .date(.max)),
            (.distantFuture, .date(64_092_211_200_000)),
            (.distantPast, .date(-62_135_769_600_000)),
        ]
        for (date, expected) in table { #expect(date.queryValue == expected, "\(date.timeIntervalSince1970)") }
        // Every millisecond survives both ways to create a `Date` from it.
        var random = SeededGenerator(seed: 5)
        for _ in 0..<20_000 {
            let milliseconds = Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &random)
            let seconds = Double(milliseconds) / 1_000
            #expect(Date(timeIntervalSince1970: seconds).milliseconds == milliseconds)
            #expect(Date(timeIntervalSinceReferenceDate: seconds).milliseconds == milliseconds + 978_307_200_000)
        }
    }
}
