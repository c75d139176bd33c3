#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

@testable import QueryChecking
@testable import QueryTree
@testable import QueryValues

struct DateTextTests {
    @Test func writesAndReadsExactly() {
        let table: [(milliseconds: Int64, text: String)] = [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_479_117_955_787, "2016-11-14T10:05:55.787Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
            (1_456_704_000_001, "2016-02-29T00:00:00.001Z"), (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
        ]
        for (milliseconds, text) in table {
            #expect(DateText.iso8601(milliseconds) == text)
            #expect(DateText.parseExact(text) == milliseconds, "\(text)")
            #expect(DateText.parse(text) == milliseconds, "\(text)")
            let grdb = String(text.replacing("T", with: " ").dropLast())
            #expect(DateText.grdb(milliseconds) == grdb)
            #expect(DateText.parseExactGRDB(grdb) == milliseconds, "\(grdb)")
            #expect(DateText.parseExactGRDB(text) == nil)
            #expect(DateText.parseExact(grdb) == nil)
            #expect(DateText.parseExact(text + "Z") == nil && DateText.parseExactGRDB(grdb + "0") == nil)
        }
    }

    @Test func otherYearsAreExpanded() {
        let table: [(milliseconds: Int64, text: String)] = [
            (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"), (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
            (.max, "+292278994-08-17T07:12:55.807Z"), (.min, "-292275055-05-16T16:47:04.192Z"),
        ]
        for (milliseconds, text) in table {
            #expect(DateText.iso8601(milliseconds) == text)
            #expect(DateText.parse(text) == milliseconds, "\(text)")
            #expect(DateText.parseExact(text) == nil)
        }
        #expect(DateText.parse("+292278994-08-17T07:12:55.808Z") == nil)
        #expect(DateText.parse("-292275055-05-16T16:47:04.191Z") == nil)
    }

    @Test func readsLeniently() {
        let noon: Int64 = 1_479_117_900_000  // 2016-11-14T10:05:00Z
        let table: [(text: String, milliseconds: Int64?)] = [
            ("2016-11-14T10:05Z", noon), ("2016-11-14 10:05", noon), ("2016-11-14t10:05:00z", noon),
            ("2016-11-14T12:05:00+02:00", noon),
            ("2016-11-14T12:05:00+0200", noon), ("2016-11-14T12:05+02", noon), ("2016-11-13T23:35:00-10:30", noon),
            ("2016-11-14T10:05:00.000", noon),
            ("2016-11-14 10:05:00.000 +00:00", noon), ("2016-11-14 12:05:00 +0200", noon),
            ("2016-11-14 10:05:00 +0000 UTC", noon), ("2016-11-14 10:05:00 UTC", noon), ("2016-11-14 09:05 -01", noon),
            ("2016-11-14T10:05:00+00:00 UTC", noon), ("2016-11-14 10:05 UTC", noon),
            ("2016-11-14 10:05:00 +0200 UTC", nil), ("2016-11-14 10:05:00UTC", nil), ("2016-11-14 10:05:00 ", nil),
            ("2016-11-14 10:05:00  +00:00", nil), ("2016-11-14 10:05:00 UTC ", nil), ("2016-11-14 UTC", nil),
            ("2016-11-14 10:05:00 +00:00 ", nil), ("2016-11-14 10:05:00Z UTC", nil), ("2016-11-14 10:05 UT", nil),
            ("2016-11-14 10:05:00 CET", nil), ("2016-11-14 10:05:00 utc", nil), ("2016-11-14 +00:00", nil),
            ("2016-11-14T10:05:00.1", noon + 100), ("2016-11-14T10:05:00,12Z", noon + 120),
            ("2016-11-14T10:05:00.78799999999999999999999Z", noon + 787),
            ("1969-12-31T23:59:59.9999Z", -1), ("2016-11-14", 1_479_081_600_000), ("2016-02-29", 1_456_704_000_000),
            ("2015-02-29", nil), ("1900-02-29", nil), ("2016-13-01", nil), ("2016-00-01", nil), ("2016-01-00", nil),
            ("2016-04-31", nil),
            ("2016-11-14T24:00:00Z", nil), ("2016-11-14T10:60:00Z", nil), ("2016-11-14T23:59:60Z", nil),
            ("2016-11-14T10", nil), ("2016-11-14T", nil),
            ("2016-11-14T10:05:00.Z", nil), ("2016-11-14T10:05:00ZZ", nil), ("2016-11-14T10:05:00 Z", nil),
            ("2016-11-14T10:05:00+2", nil),
            ("2016-11-14T10:05:00+24:00", nil), ("2016-11-14T10:05:00+02:", nil), ("2016-11-14Z", nil),
            (" 2016-11-14", nil), ("2016-11-14 ", nil),
            ("16-11-14", nil), ("2016-1-1", nil), ("20161114", nil), ("", nil), ("-2016-11-14", nil),
            ("+2016-11-14", nil), ("+1234567890-01-01", nil), ("٢٠١٦-11-14", nil),
        ]
        for (text, milliseconds) in table { #expect(DateText.parse(text) == milliseconds, "\(text)") }
    }

    @Test func exactFormAllowsNothingElse() {
        let table = [
            "2016-11-14T10:05:55Z", "2016-11-14T10:05:55.7870Z", "2016-11-14T10:05:55.787z", "2016-11-14t10:05:55.787Z",
            "2016-11-14T10:05:55,787Z",
            "2016-11-31T10:05:55.787Z", "2015-02-29T10:05:55.787Z", "2016-11-14T24:00:00.000Z",
            "2016-11-14T10:60:00.000Z", "2016-11-14T10:05:60.000Z",
            "2016-11-14T10:05:55.78é", "+016-11-14T10:05:55.787Z", "2016-11-14T10:05:55.787+",
        ]
        for text in table { #expect(DateText.parseExact(text) == nil, "\(text)") }
    }

    @Test func everyDayFollowsTheOneBefore() {
        var random = SeededGenerator(seed: 3)
        var previous = CivilDate(milliseconds: -900 * 366 * CivilDate.millisecondsPerDay)
        for day in (-900 * 366 + 1)...(200 * 366) {
            let milliseconds = Int64(day) * CivilDate.millisecondsPerDay
            let next = CivilDate(milliseconds: milliseconds)
            let isMonthEnd = previous.day == CivilDate.days(inMonth: previous.month, of: previous.year)
            guard next.day == (isMonthEnd ? 1 : previous.day + 1), next.milliseconds == milliseconds else {
                Issue.record("day \(day)")
                return
            }
            previous = next
        }
        for _ in 0..<10_000 {
            let milliseconds = Int64(bitPattern: random.next()) >> Int64.random(in: 0..<40, using: &random)
            #expect(DateText.parse(DateText.iso8601(milliseconds)) == milliseconds)
        }
    }
}
