import Foundation
import QueryTree
import QueryValues

/// SplitMix64: the same numbers for the same seed on every machine.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(_ seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SeededGenerator {
    /// The seed of a test: the fixed one, or that of `SEED=n`; so the same questions on every machine.
    package static func seed(_ fixed: UInt64) -> UInt64 { given ?? fixed }

    /// One for what is not compared with anything recorded, such as the moment of a kill.
    package static var standard: Self { Self(given ?? 20_261_125) }

    private static let given = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) }

    /// How many questions a random test asks: `standard` times `SCALE`, which is 1 in the gate.
    package static func count(_ standard: Int) -> Int { max(1, Int(Double(standard) * scale)) }

    /// True for one in so many of a long list of questions; for all where `SCALE` is at least that many.
    package static func isAsked(_ number: Int, oneIn interval: Int) -> Bool {
        number.isMultiple(of: max(1, Int(Double(interval) / scale)))
    }

    private static let scale = ProcessInfo.processInfo.environment["SCALE"].flatMap { Double($0) } ?? 1

    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(next() % UInt64(elements.count))]
    }

    package mutating func chance(_ percent: UInt64) -> Bool { next() % 100 < percent }

    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// Hostile values and rows.
package enum Hostile {
    package static let texts = [
        "", "a", "A", "ab", "abc", "b", "é", "e\u{301}", "É", "ß", "ss", "[5]", "{\"a\":1}", "10", "10.0", " 2 ", "1e3",
        "a*b", "a?b", "[", "]", "[a]", "%", "_", "\\", "'", "\"", "\u{10FFFF}", "a\u{10FFFF}z", "a\u{10FFFF}", "😀",
        "k", "\u{212A}", "true", "null", "2016-11-14T10:05:55.787Z", "\n", "a\nb", "\u{D7FF}", "\u{E000}", "aB", "AB",
    ]

    package static let numbers: [QueryValue] = [
        .int(0), .int(1), .int(-1), .int(2), .int(5), .int(10), .int(.max), .int(.min), .int(9_007_199_254_740_993),
        .double(9_007_199_254_740_992), .double(0.5), .double(-0.0), .double(1), .double(2.5), .double(1e300),
        .double(.leastNonzeroMagnitude), .double(9.3e18), .int(3), .double(10),
    ]

    package static func scalar(_ random: inout SeededGenerator) -> QueryValue {
        switch random.below(10) {
        case 0: .null
        case 1, 2: .bool(random.chance(50))
        case 3, 4, 5: random.pick(numbers)
        default: .string(random.pick(texts))
        }
    }

    package static func value(_ random: inout SeededGenerator, depth: Int = 2) -> QueryValue {
        guard depth > 0, random.chance(35) else { return scalar(&random) }
        if random.chance(50) {
            return .list((0..<random.below(4)).map { _ in value(&random, depth: depth - 1) })
        }
        return .object(document(&random, ["a", "b", "0"], depth: depth - 1))
    }

    /// An element of a long list: of any kind, including NaN.
    package static func element(_ random: inout SeededGenerator) -> QueryValue {
        if random.chance(10) { return .double(.nan) }
        return random.chance(5) ? .object(["a": .double(.nan)]) : value(&random)
    }

    /// The same value, perhaps in an equal form: `1.0` for `1`, an object with its keys reversed, other letter case.
    package static func disguised(_ value: QueryValue, _ random: inout SeededGenerator) -> QueryValue {
        guard random.chance(50) else { return value }
        switch value {
        case .int(let number): return Int64(exactly: Double(number)) == number ? .double(Double(number)) : value
        case .double(let number): return Int64(exactly: number).map { .int($0) } ?? value
        case .string(let text): return .string(random.chance(50) ? text.uppercased() : text.lowercased())
        case .list(let elements): return .list(elements.map { disguised($0, &random) })
        case .object(let object):
            return .object(Document(pairs: object.pairs.reversed().map { ($0.0, disguised($0.1, &random)) }))
        case .null, .bool, .date, .data, .uuid, .shape: return value
        }
    }

    package static func document(_ random: inout SeededGenerator, _ keys: [String], depth: Int) -> Document {
        var document = Document()
        for key in keys where random.chance(75) { document[key] = value(&random, depth: depth) }
        return document
    }

    /// A row: `x y` are anything, `n m` numbers, `s t` texts, `l` a list, `o` an object, `k` a list of objects.
    package static func row(_ random: inout SeededGenerator) -> Document {
        var row = Document()
        for key in ["x", "y"] where random.chance(85) { row[key] = value(&random) }
        for key in ["n", "m"] where random.chance(85) { row[key] = random.pick(numbers + [.null]) }
        for key in ["s", "t"] where random.chance(85) { row[key] = .string(random.pick(texts)) }
        if random.chance(85) { row["l"] = .list((0..<random.below(5)).map { _ in scalar(&random) }) }
        if random.chance(85) { row["o"] = .object(document(&random, ["a", "b"], depth: 1)) }
        if random.chance(85) {
            row["k"] = .list((0..<random.below(4)).map { _ in .object(document(&random, ["a", "b"], depth: 1)) })
        }
        return row
    }

    /// A row of scalars only, as in plain columns.
    package static func flatRow(_ random: inout SeededGenerator) -> Document {
        var row = Document()
        for key in ["x", "y"] { row[key] = plain(&random) }
        for key in ["n", "m"] { row[key] = random.pick(numbers + [.null]) }
        for key in ["s", "t"] { row[key] = random.chance(15) ? .null : .string(random.pick(texts + ["a\0b", "\0"])) }
        return row
    }

    private static func plain(_ random: inout SeededGenerator) -> QueryValue {
        let value = scalar(&random)
        if case .bool = value { return .data([0x61, 0x00]) }
        return value
    }
}

// MARK: Dates

extension Hostile {
    /// Dates as services and people write them, and texts that only look like dates.
    package static let dateTexts = [
        "2024-01-01T00:00:00Z", "2024-01-01T00:00:00.000Z", "2024-01-01", "2024-01-01T02:00:00+02:00",
        "2024-01-01T02:00:00+0200", "2023-12-31T19:00-05:00", "2024-01-01 00:00:00", "2024-01-01T00:00:00.500Z",
        "2024-01-01T00:00:01Z", "2024-02-29", "2023-02-29", "2024-01-01T24:00:00Z", "2024-1-1", "2024", "tomorrow",
        "2023-12-31T23:59:59.999Z", "+012024-01-01", "-000001-12-31T00:00:00Z", "0000-01-01",
        "9999-12-31T23:59:59.999Z",
    ]

    /// Instants at, between and near those of ``dateTexts``.
    package static let instants: [QueryValue] = [
        1_704_067_200_000, 1_704_067_200_001, 1_704_067_199_999, 1_704_067_200_500, 1_704_067_201_000,
        1_704_110_400_000, 1_709_164_800_000, 253_402_300_799_999, 253_402_300_800_000, -62_198_755_200_001,
    ].map(QueryValue.date)

    /// The value with dates in place of some texts, at any depth.
    package static func withDates(_ value: QueryValue, _ random: inout SeededGenerator) -> QueryValue {
        switch value {
        case .string: return random.chance(40) ? .string(random.pick(dateTexts)) : value
        case .list(let elements): return .list(elements.map { withDates($0, &random) })
        case .object(let object): return .object(withDates(object, &random))
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: return value
        }
    }

    /// The same for a row.
    package static func withDates(_ row: Document, _ random: inout SeededGenerator) -> Document {
        Document(pairs: row.pairs.map { ($0.0, withDates($0.1, &random)) })
    }
}
