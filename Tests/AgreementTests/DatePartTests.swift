import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Parts of dates (S28): memory against Foundation's calendar, and SQLite against memory, in every form of dates.
@Suite struct DatePartTests {
    private static let functions: [Function] = [.year, .month, .day, .weekday, .hour, .minute]
    private static let zones = ["UTC", "+14:00", "-14:00", "-00:30", "+05:45", "Europe/Vienna", "America/New_York"]

    /// Dates of all years from 1 to 9999 and a little more, leap days, and the ends of years, in milliseconds.
    private static func instants(_ random: inout SeededGenerator) -> [Int64] {
        let day: Int64 = 86_400_000
        var instants: [Int64] = [0, -1, -day, 951_782_400_000, 1_709_249_400_500, 4_107_542_399_999]
        for end in [-62_135_596_800_000, 253_402_300_800_000, 1_704_067_200_000] as [Int64] {
            instants += [end, end - 1, end + 14 * 3_600_000, end - 14 * 3_600_000, end + day, end - day - 1]
        }
        for _ in 0..<60 { instants.append(Int64(random.below(315_619_200_000_000)) - 62_167_305_600_000) }
        for _ in 0..<60 { instants.append(Int64(random.below(4_102_444_800_000)) - 2_208_988_800_000) }
        return instants
    }

    private static func expected(_ function: Function, _ instant: Int64, _ zone: String) throws -> QueryValue {
        let parts = try #require(ProlepticCalendar.parts(of: instant, in: zone))
        guard let year = parts.year, 1...9999 ~= year else { return .null }
        let part =
            switch function {
            case .year: parts.year
            case .month: parts.month
            case .day: parts.day
            case .weekday: parts.weekday
            case .hour: parts.hour
            default: parts.minute
            }
        return part.map { .int(Int64($0)) } ?? .null
    }

    @Test func memoryAgreesWithFoundation() throws {
        var random = SeededGenerator(20_261_126)
        for instant in Self.instants(&random) {
            for zone in Self.zones {
                for function in Self.functions {
                    let value = function.evaluate([.date(instant), .string(zone)], now: 0)
                    #expect(
                        try value == Self.expected(function, instant, zone),
                        "\(function) of \(DateText.iso8601(instant)) in \(zone)"
                    )
                }
            }
        }
    }

    @Test(arguments: DateEncoding.allCases)
    func sqliteAgreesWithMemory(_ encoding: DateEncoding) throws {
        var random = SeededGenerator(20_261_127)
        let stored = encoding == .native ? DateEncoding.iso8601Milliseconds : encoding
        let schema = Schema([.field("id", .int), .field("d", .date(encoding))])
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, d)")
        var rows: [Document] = []
        let texts: [QueryValue] = [.string("soon"), .string("2024-02-30"), .string("2024-02-30T00:00:00.000Z"), .null]
        for (id, value) in (Self.instants(&random).map(stored.encode) + texts).enumerated() {
            rows.append(["id": .int(Int64(id)), "d": value])
            _ = try database.rows("INSERT INTO t VALUES (?, ?)", [.int(Int64(id)), value])
        }
        for zone in [nil] + Self.zones.map(Optional.some) {
            for function in Self.functions {
                let call = "\(function.rawValue)(d\(zone.map { ", '\($0)'" } ?? ""))"
                for format in ["\(call) > 6", "\(call) == nil", "modulus:by:(\(call), 2) == 1"] {
                    let query = try Query(parsing: format, schema: schema)
                    let memory = try query.results(in: rows).map { $0["id"] }
                    let sqlite = try query.results(in: database, from: "t").map { $0["id"] }
                    #expect(memory == sqlite, "\(encoding): \(format)")
                }
            }
        }
    }
}
