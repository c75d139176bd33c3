import Foundation
import QueryTree
import QueryValues

extension MongoExpression {
    /// An operator over computed operands.
    func compute(_ name: String, _ values: [QueryValue?], _ operand: QueryValue) throws -> QueryValue? {
        let first = values.first ?? nil
        switch name {
        case "$type": return .string(type(first))
        case "$isNumber": return .bool(MongoOrder.rank(first) == 2)
        case "$isArray": return .bool(first?.elements != nil)
        case "$in":
            guard values.count == 2, let list = values[1]?.elements else { throw refused("$in requires an array") }
            return .bool(list.contains { MongoOrder.compare(first, $0) == 0 })
        case "$size":
            guard let list = first?.elements else { throw refused("the argument to $size must be an array") }
            return .int(Int64(list.count))
        case "$anyElementTrue", "$allElementsTrue":
            guard let list = first?.elements else { throw refused("\(name)'s argument must be an array") }
            let truths = try list.map { try isTrue($0) }
            return .bool(name == "$anyElementTrue" ? truths.contains(true) : !truths.contains(false))
        case "$arrayElemAt": return try element(values)
        case "$concatArrays": return .list(try values.flatMap { try list($0, name) })
        case "$setUnion", "$setIntersection", "$setDifference":
            let present = values.filter { $0?.isNull == false }
            for value in present { _ = try list(value, name) }
            return present.count < values.count ? .null : try set(name, values)
        case "$regexMatch": return try regex(operand)
        case "$indexOfBytes":
            guard case .string(let text)? = first, case .string(let part)? = values[1] else {
                throw refused("$indexOfBytes requires strings")
            }
            return .int(index(of: Array(part.utf8), in: Array(text.utf8)))
        case "$strLenCP":
            guard case .string(let text)? = first else { throw refused("$strLenCP requires a string") }
            return .int(Int64(text.unicodeScalars.count))
        case "$substrCP":
            guard case .string(let text)? = first, case .int(let start)? = values[1],
                case .int(let length)? = values[2],
                start >= 0, length >= 0
            else { throw refused("$substrCP requires a string, and counts from 0") }
            return .string(
                String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(Int(start)).prefix(Int(length))))
            )
        case "$year", "$month", "$dayOfMonth", "$dayOfWeek", "$hour", "$minute": return try part(name, operand)
        case "$sum", "$avg", "$min", "$max", "$stdDevPop":
            return MongoReduction.reduce(name, values.count == 1 ? first?.elements ?? values : values)
        default: return try arithmetic(name, values, operand)
        }
    }

    /// A part of a date, by Foundation's calendar.
    private func part(_ name: String, _ operand: QueryValue) throws -> QueryValue {
        var (date, zone) = (operand, "UTC")
        if case .object(let parts) = operand, let inner = parts["date"] {
            date = inner
            if case .string(let name)? = parts["timezone"] { zone = name }
        }
        guard let value = try value(date), !value.isNull else { return .null }
        guard case .date(let instant) = value else { throw refused("can't convert to a date") }
        guard let parts = ProlepticCalendar.parts(of: instant, in: zone) else { throw refused("unknown zone \(zone)") }
        let part =
            switch name {
            case "$year": parts.year
            case "$month": parts.month
            case "$dayOfMonth": parts.day
            case "$dayOfWeek": parts.weekday
            case "$hour": parts.hour
            default: parts.minute
            }
        return part.map { .int(Int64($0)) } ?? .null
    }

    /// A server returns unions and intersections in an undefined order, so nothing may rely on it.
    private func set(_ name: String, _ values: [QueryValue?]) throws -> QueryValue {
        func ordered(_ elements: [QueryValue]) -> QueryValue {
            .list(elements.sorted { MongoOrder.compare($0, $1) > 0 })
        }
        if name == "$setUnion" { return ordered(distinct(try values.flatMap { try list($0, name) })) }
        let (a, b) = (try list(values[0], name), try list(values[1], name))
        let wanted = name == "$setIntersection"
        let found = distinct(a).filter { x in b.contains { MongoOrder.isEqual(x, $0) } == wanted }
        return wanted ? ordered(found) : .list(found)
    }

    private func type(_ value: QueryValue?) -> String {
        switch value {
        case nil: "missing"
        case .null: "null"
        case .bool: "bool"
        case .int(let number): Int32(exactly: number) == nil ? "long" : "int"
        case .double: "double"
        case .string: "string"
        case .date: "date"
        case .data, .uuid: "binData"
        case .list: "array"
        case .object(let object): object.isObjectID ? "objectId" : "object"
        case .shape: "object"
        }
    }

    private func list(_ value: QueryValue?, _ name: String) throws -> [QueryValue] {
        guard let list = value?.elements else { throw refused("\(name) only supports arrays") }
        return list
    }

    private func distinct(_ values: [QueryValue]) -> [QueryValue] {
        values.reduce(into: []) { seen, value in
            if !seen.contains(where: { MongoOrder.isEqual($0, value) }) { seen.append(value) }
        }
    }

    private func element(_ values: [QueryValue?]) throws -> QueryValue? {
        guard values.count == 2, case .int(let position)? = values[1] else {
            throw refused("$arrayElemAt's second argument must be a number")
        }
        guard let value = values[0], !value.isNull else { return .null }
        guard let list = value.elements else { throw refused("$arrayElemAt's first argument must be an array") }
        let at = position < 0 ? list.count + Int(position) : Int(position)
        return list.indices.contains(at) ? .some(list[at]) : .none
    }

    private func regex(_ operand: QueryValue) throws -> QueryValue {
        guard case .object(let arguments) = operand, case .string(let pattern)? = arguments["regex"] else {
            throw refused("$regexMatch needs a pattern")
        }
        let input = try value(arguments["input"] ?? .null)
        if let input, !input.isNull {
            guard case .string = input else { throw refused("$regexMatch needs 'input' to be of type string") }
        }
        return .bool(try Search(pattern, arguments["options"]).finds(input))
    }

    private func index(of part: [UInt8], in text: [UInt8]) -> Int64 {
        guard part.count <= text.count else { return -1 }
        for start in 0...(text.count - part.count) where Array(text[start..<start + part.count]) == part {
            return Int64(start)
        }
        return -1
    }

    private func arithmetic(_ name: String, _ values: [QueryValue?], _ operand: QueryValue) throws -> QueryValue? {
        if name == "$convert" { return try convert(operand) }
        let numbers = values.compactMap { $0 }.filter { !$0.isNull }
        guard numbers.allSatisfy({ MongoOrder.rank($0) == 2 }) else {
            throw refused("\(name) only supports numeric types")
        }
        if numbers.count < values.count { return .null }
        let ints = numbers.compactMap { if case .int(let number) = $0 { number } else { nil } }
        let doubles = numbers.map(MongoOrder.double)
        if ints.count == numbers.count, let result = try whole(name, ints) { return result }
        switch name {
        case "$add": return .double(doubles.reduce(0, +))
        case "$multiply": return .double(doubles.reduce(1, *))
        case "$subtract": return .double(doubles[0] - doubles[1])
        case "$divide":
            guard doubles[1] != 0 else { throw refused("can't $divide by zero") }
            return .double(doubles[0] / doubles[1])
        case "$mod":
            guard doubles[1] != 0 else { throw refused("can't $mod by zero") }
            return .double(fmod(doubles[0], doubles[1]))
        case "$pow":
            guard doubles[0] != 0 || doubles[1] >= 0 else { throw refused("$pow cannot take a base of 0") }
            return .double(pow(doubles[0], doubles[1]))
        case "$toDouble": return .double(doubles[0])
        case "$trunc": return .double(doubles[0].rounded(.towardZero))
        case "$floor": return .double(doubles[0].rounded(.down))
        case "$ceil": return .double(doubles[0].rounded(.up))
        case "$abs": return .double(abs(doubles[0]))
        case "$exp": return .double(exp(doubles[0]))
        case "$sqrt", "$ln", "$log10":
            guard doubles[0] > 0 || (name == "$sqrt" && doubles[0] == 0) || doubles[0].isNaN else {
                throw refused("\(name)'s argument must be a positive number")
            }
            return .double(name == "$sqrt" ? sqrt(doubles[0]) : name == "$ln" ? log(doubles[0]) : log10(doubles[0]))
        default: throw refused("unrecognized expression '\(name)'")
        }
    }

    /// Operators that keep ints; nil for other operators and for overflow.
    private func whole(_ name: String, _ values: [Int64]) throws -> QueryValue? {
        func result(_ pair: (partialValue: Int64, overflow: Bool)) -> QueryValue? {
            pair.overflow ? nil : .int(pair.partialValue)
        }
        switch name {
        case "$add": return values.count == 2 ? result(values[0].addingReportingOverflow(values[1])) : nil
        case "$subtract": return result(values[0].subtractingReportingOverflow(values[1]))
        case "$multiply": return values.count == 2 ? result(values[0].multipliedReportingOverflow(by: values[1])) : nil
        case "$mod":
            guard values[1] != 0 else { throw refused("can't $mod by zero") }
            return result(values[0].remainderReportingOverflow(dividingBy: values[1]))
        case "$trunc", "$floor", "$ceil": return .int(values[0])
        case "$abs":
            guard values[0] != .min else { throw refused("can't take $abs of long long min") }
            return .int(abs(values[0]))
        case "$bitAnd": return .int(values.reduce(-1, &))
        case "$bitOr": return .int(values.reduce(0, |))
        case "$bitXor": return .int(values.reduce(0, ^))
        case "$bitNot": return .int(~values[0])
        default: return nil
        }
    }

    private func convert(_ operand: QueryValue) throws -> QueryValue? {
        guard case .object(let arguments) = operand else { throw refused("$convert needs an object") }
        switch try value(arguments["input"] ?? .null) {
        case nil, .null?: return .null
        case .int(let number)?: return .int(number)
        case .double(let number)?:
            guard abs(number) < 0x1p63 else { return try value(arguments["onError"] ?? .null) }
            return .int(Int64(number))
        default: throw refused("the judge does not convert this")
        }
    }
}

/// `$sum`, `$avg`, `$min`, `$max`, `$addToSet`, in expressions and in groups alike.
enum MongoReduction {
    static func reduce(_ name: String, _ values: [QueryValue?]) -> QueryValue {
        let present = values.compactMap { $0 }.filter { !$0.isNull }
        switch name {
        case "$min": return present.min { MongoOrder.compare($0, $1) < 0 } ?? .null
        case "$max": return present.max { MongoOrder.compare($0, $1) < 0 } ?? .null
        case "$addToSet":
            // A missing value is not added, null is; the order is undefined.
            return .list(
                values.compactMap { $0 }.reduce(into: [QueryValue]()) { set, value in
                    if !set.contains(where: { MongoOrder.isEqual($0, value) }) { set.insert(value, at: 0) }
                }
            )
        default: break
        }
        let numbers = present.filter { MongoOrder.rank($0) == 2 }
        let doubles = numbers.map(MongoOrder.double)
        let sum = doubles.reduce(0, +)
        switch name {
        case "$avg": return doubles.isEmpty ? .null : .double(sum / Double(doubles.count))
        case "$stdDevPop":
            guard !doubles.isEmpty else { return .null }
            let mean = sum / Double(doubles.count)
            return .double(sqrt(doubles.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(doubles.count)))
        default:
            let ints = numbers.compactMap { if case .int(let x) = $0 { x } else { nil } }
            guard ints.count == numbers.count else { return .double(sum) }
            var total: Int64 = 0
            for int in ints {
                let (next, overflow) = total.addingReportingOverflow(int)
                if overflow { return .double(sum) }
                total = next
            }
            return .int(total)
        }
    }
}
