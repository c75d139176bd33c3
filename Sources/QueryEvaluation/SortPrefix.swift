import QueryValues

/// The start of a sort key in one word: a smaller prefix sorts first, equal prefixes decide nothing (S22).
///
/// It decides most comparisons of a sort without reading the values.
package enum SortPrefix {
    /// The prefix of a value that is already folded.
    package static func of(_ value: QueryValue) -> UInt64 {
        let rank = UInt64(value.kind.sortRank) << 60
        switch value {
        case .int(let number): return rank | of(Double(number)) >> 4
        case .double(let number): return rank | of(number) >> 4
        case .string(let text): return rank | of(text) >> 4
        case .date(let milliseconds): return rank | of(milliseconds) >> 4
        case .bool(let isTrue): return rank | (isTrue ? 1 : 0)
        case .null, .list, .object, .data, .uuid, .shape: return rank
        }
    }

    /// Increases with the number; NaN before all others, equal for both zeros.
    @inline(__always)
    static func of(_ number: Double) -> UInt64 {
        if number.isNaN { return 0 }
        let bits = (number + 0).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    @inline(__always)
    static func of(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

    /// The number of a prefix.
    static func double(_ prefix: UInt64) -> Double {
        Double(bitPattern: prefix >> 63 == 1 ? prefix & ~(1 << 63) : ~prefix)
    }

    /// The number of a prefix.
    static func int64(_ prefix: UInt64) -> Int64 { Int64(bitPattern: prefix ^ 1 << 63) }

    /// The first eight bytes; zeros after shorter text.
    static func of(_ text: String) -> UInt64 {
        var word: UInt64 = 0
        var shift: UInt64 = 64
        for byte in text.utf8.prefix(8) {
            shift &-= 8
            word |= UInt64(byte) << shift
        }
        return word
    }
}
