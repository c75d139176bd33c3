import QueryTree
import QueryValues

// What a store must know of a constant before it is bound.

extension QueryValue {
    /// The whole number of 64 bits with exactly this value.
    package var exactInt: Int64? {
        switch self {
        case .int(let number): number
        case .double(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// The double with exactly this value.
    package var exactDouble: Double? {
        switch self {
        case .int(let number): Double(exactly: number)
        case .double(let number): number
        default: nil
        }
    }

    /// True for an int whose digits a double of the same value may lack.
    package var isLargeInt: Bool {
        if case .int(let number) = self { number.magnitude >= 1 << 53 } else { false }
    }

    /// True if a text inside contains NUL.
    package var holdsNul: Bool {
        switch self {
        case .string(let text): text.utf8.contains(0)
        case .list(let elements): elements.contains(where: \.holdsNul)
        case .object(let document): document.pairs.contains { $0.0.utf8.contains(0) || $0.1.holdsNul }
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: false
        }
    }

    /// True if a text occurs inside.
    package var holdsText: Bool {
        switch self {
        case .string: true
        case .list(let elements): elements.contains(where: \.holdsText)
        case .object(let document): document.values.contains(where: \.holdsText)
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: false
        }
    }
}

extension String {
    /// True if a store with column affinity would read the text as a number (T2).
    ///
    /// That is a whole or real literal, perhaps between spaces; a date, `2024-01-01`, is none and keeps its index.
    package var looksNumeric: Bool {
        var bytes = utf8[...]
        let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D]
        bytes = bytes.drop { spaces.contains($0) }
        while let last = bytes.last, spaces.contains(last) { bytes.removeLast() }
        bytes.dropSign()
        let whole = bytes.dropDigits()
        let hasPoint = bytes.first == UInt8(ascii: ".")
        if hasPoint { bytes.removeFirst() }
        guard whole + (hasPoint ? bytes.dropDigits() : 0) > 0 else { return false }
        guard let next = bytes.first else { return true }
        guard next == UInt8(ascii: "e") || next == UInt8(ascii: "E") else { return false }
        bytes.removeFirst()
        bytes.dropSign()
        return bytes.dropDigits() > 0 && bytes.isEmpty
    }
}

extension Substring.UTF8View {
    fileprivate mutating func dropSign() {
        if let first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") { removeFirst() }
    }

    /// - Returns: the number of digits.
    fileprivate mutating func dropDigits() -> Int {
        var count = 0
        while let first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) {
            removeFirst()
            count += 1
        }
        return count
    }
}

extension DateEncoding {
    /// The form in which SQL compares: it has no date type, and dates of any form are converted to one.
    package var storedForm: DateEncoding { self == .native || self == .iso8601 ? .iso8601Milliseconds : self }

    /// The form in which dates of a query are values: that of years with four digits, if it holds them all.
    package static func holding(_ dates: [QueryValue]) -> DateEncoding {
        dates.allSatisfy(DateEncoding.iso8601Milliseconds.holds) ? .iso8601Milliseconds : .iso8601
    }

    /// False for a date that this form would make another one, or a text that only sorts like it.
    package func holds(_ value: QueryValue) -> Bool {
        guard case .date(let milliseconds) = value else { return true }
        return decode(compared(milliseconds)) == milliseconds
    }
}

extension FieldType {
    /// How SQL stores the dates of a field; ISO text if undeclared (S5).
    package var dateEncoding: DateEncoding {
        if case .date(let encoding) = self { encoding.storedForm } else { .iso8601Milliseconds }
    }
}

extension FieldType {
    /// The kind of a value that JSON lacks, a date or a UUID, stored as a text or a number.
    package var keptAsOther: String? {
        switch self {
        case .date: Kind.date.rawValue
        case .uuid: Kind.uuid.rawValue
        case .any, .bool, .int, .double, .string, .data, .objectID, .object, .list: nil
        }
    }
}

extension DateEncoding {
    /// The form of a date stored as text, for GLOB and as a regular expression; any other text is of another kind (S5).
    package var textForm: String {
        let day = "[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]"
        let time = "[0-2][0-9]:[0-5][0-9]:[0-6][0-9]"
        let parts = "[.][0-9][0-9][0-9]"
        return switch self {
        case .sqliteText: day + " " + time + parts
        case .iso8601Seconds: day + "T" + time + "Z"
        case .iso8601Date: day
        case .native, .iso8601, .iso8601Milliseconds, .epochSeconds, .epochMilliseconds: day + "T" + time + parts + "Z"
        }
    }
}
