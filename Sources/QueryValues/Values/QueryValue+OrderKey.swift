extension QueryValue {
    /// Bytes that sort bytewise as the values do (S22).
    ///
    /// Values that compare as `same` have the same bytes, so that a store can sort by what it cannot compare itself.
    ///
    /// - Parameter folding: `[c]` and `[d]` fold strings.
    /// - Returns: the key. O(size of the value).
    package func orderKey(folding: StringOptions = []) -> [UInt8] {
        var key: [UInt8] = []
        append(to: &key, folding)
        return key
    }

    private func append(to key: inout [UInt8], _ folding: StringOptions) {
        key.append(UInt8(kind.sortRank))
        switch self {
        case .null, .shape: break
        case .bool(let flag): key.append(flag ? 1 : 0)
        case .int(let number): Self.append(Double(number), besides: Self.rest(of: number), to: &key)
        case .double(let number): Self.append(number, besides: 0, to: &key)
        case .string(let text): Self.append(Folding.folded(text, folding).utf8, to: &key)
        case .date(let milliseconds): Self.append(UInt64(bitPattern: milliseconds) ^ (1 << 63), to: &key)
        case .data(let bytes): Self.append(bytes, to: &key)
        case .uuid(let uuid): key += uuid.bytes
        case .list(let elements):
            for element in elements {
                key.append(1)
                element.append(to: &key, folding)
            }
            key.append(0)
        case .object(let document):
            let pairs = document.pairs.sorted { $0.0.precedesInUTF8($1.0) }
            for (name, _) in pairs {
                key.append(1)
                Self.append(name.utf8, to: &key)
            }
            key.append(0)
            for (_, value) in pairs { value.append(to: &key, folding) }
        }
    }

    /// How much an int exceeds its nearest double.
    private static func rest(of number: Int64) -> Int16 {
        let nearest = Double(number)
        // 2^63 is not an Int64, so the difference is taken below it.
        guard let whole = Int64(exactly: nearest) else { return Int16(truncatingIfNeeded: number &- .max &- 1) }
        return Int16(truncatingIfNeeded: number - whole)
    }

    /// NaN first, then by value; the rest distinguishes ints with the same nearest double.
    private static func append(_ number: Double, besides rest: Int16, to key: inout [UInt8]) {
        if number.isNaN {
            key.append(0)
            return
        }
        key.append(1)
        // -0 equals 0.
        let bits = (number == 0 ? 0 : number).bitPattern
        append(bits >> 63 == 1 ? ~bits : bits | (1 << 63), to: &key)
        let place = UInt16(bitPattern: rest) ^ (1 << 15)
        key.append(UInt8(place >> 8))
        key.append(UInt8(truncatingIfNeeded: place))
    }

    private static func append(_ number: UInt64, to key: inout [UInt8]) {
        for shift in stride(from: 56, through: 0, by: -8) {
            key.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    /// A zero byte is followed by 255 and the end by 0, so that a prefix comes first.
    private static func append(_ bytes: some Sequence<UInt8>, to key: inout [UInt8]) {
        for byte in bytes {
            key.append(byte)
            if byte == 0 { key.append(255) }
        }
        key.append(0)
        key.append(0)
    }
}
