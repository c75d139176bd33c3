import QueryTree
import QueryValues

extension CastTarget {
    /// A value converted to another kind; null if that is not possible.
    ///
    /// - Parameter value: any value.
    /// - Returns: the converted value or null.
    package func evaluate(_ value: QueryValue) -> QueryValue {
        switch self {
        case .number, .decimal: number(value)
        case .string: Self.text(value)
        case .date: Self.date(value)
        case .uuid: FieldType.uuid.convert(value) ?? .null
        }
    }

    private func number(_ value: QueryValue) -> QueryValue {
        switch value {
        case .int: return value
        case .double(let number):
            return self == .decimal ? Int64(exactly: number).map { .int($0) } ?? value : value
        case .bool(let flag): return .int(flag ? 1 : 0)
        case .date(let milliseconds): return Self.seconds(milliseconds)
        case .string(let text):
            guard let number = DecimalText.value(of: text), let double = number.doubleValue, double.isFinite else {
                return .null
            }
            // A number written with a point or an exponent is a double (S1), except as a decimal.
            let isWhole = self == .decimal || text.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != 0x65 }
            return isWhole ? number : .double(double)
        case .null, .data, .uuid, .list, .object, .shape: return .null
        }
    }

    private static func seconds(_ milliseconds: Int64) -> QueryValue {
        let distance = milliseconds.subtractingReportingOverflow(referenceDate)
        return .double((distance.overflow ? Double(milliseconds) : Double(distance.partialValue)) / 1000)
    }

    private static func text(_ value: QueryValue) -> QueryValue {
        switch value {
        case .string: value
        case .int(let number): .string(String(number))
        case .double(let number): number.isFinite ? .string(value.json) : .null
        case .bool(let flag): .string(flag ? "TRUE" : "FALSE")
        case .date(let milliseconds): .string(DateText.iso8601(milliseconds))
        case .uuid(let uuid): .string(uuid.uuidString)
        case .null, .data, .list, .object, .shape: .null
        }
    }

    private static func date(_ value: QueryValue) -> QueryValue {
        switch value {
        case .date: return value
        case .int, .double:
            guard let distance = DateEncoding.epochSeconds.decode(value) else { return .null }
            let sum = distance.addingReportingOverflow(referenceDate)
            return sum.overflow ? .null : .date(sum.partialValue)
        case .string(let text): return DateText.parse(text).map { .date($0) } ?? .null
        case .null, .bool, .data, .uuid, .list, .object, .shape: return .null
        }
    }
}
