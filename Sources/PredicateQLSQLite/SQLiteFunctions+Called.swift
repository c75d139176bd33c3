import CSQLite
import PredicateQL
import QueryMeaning
import QuerySQL
import QueryTree
import QueryValues

/// `pred_call` and `pred_over`: the functions of the language that SQLite lacks, computed as in memory.
extension SQLiteFunctions {
    /// `pred_call('name', kind, value, …)`.
    static let call: Callback = { context, count, arguments in
        guard let context, let arguments, count > 0, let name = Argument(arguments[0])?.string else { return }
        if name == CalledName.within, count == 5 {
            let shape = try? cached(context, 2) { () throws(QueryError) in
                ValueBox(Passed.value(arguments[1], arguments[2]))
            }
            var isWithin = false
            if case .shape(let shape)? = shape?.value,
                let place = GeoPoint(pair: Passed.value(arguments[3], arguments[4]))
            {
                isWithin = shape.contains(place)
            }
            sqlite3_result_int(context, isWithin ? 1 : 0)
            return
        }
        let values = stride(from: 1, to: Int(count) - 1, by: 2).map { Passed.value(arguments[$0], arguments[$0 + 1]) }
        if let function = Function(rawValue: name) {
            Passed.give(function.evaluate(values, now: 0), to: context)
        } else if name.hasPrefix("== "), values.count == 2 {
            let options = options(name.utf8.dropFirst(3))
            sqlite3_result_int(context, values[0].isEqual(to: values[1], options: options) ? 1 : 0)
        } else if name.hasPrefix("order"), let value = values.first {
            Passed.give(.data(value.orderKey(folding: options(name.utf8.dropFirst(6)))), to: context)
        } else if let target = CastTarget(rawValue: name) {
            Passed.give(target.evaluate(values.first ?? .null), to: context)
        } else {
            sqlite3_result_error(context, "pred_call has no function " + name, -1)
        }
    }

    /// The step of `pred_over('name', kind, value)`.
    static let overStep: Callback = { context, count, arguments in
        guard let context, let arguments, count == 3,
            let memory = sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeRawPointer?>.size))
        else { return }
        let slot = memory.assumingMemoryBound(to: UnsafeRawPointer?.self)
        let values: CollectedValues
        if let kept = slot.pointee {
            values = Unmanaged<CollectedValues>.fromOpaque(kept).takeUnretainedValue()
        } else {
            values = CollectedValues(Argument(arguments[0])?.string ?? "")
            slot.pointee = UnsafeRawPointer(Unmanaged.passRetained(values).toOpaque())
        }
        values.add(Passed.value(arguments[1], arguments[2]))
    }

    /// The final call of `pred_over`.
    static let overFinal: @convention(c) (OpaquePointer?) -> Void = { context in
        guard let context else { return }
        guard let memory = sqlite3_aggregate_context(context, 0),
            let kept = memory.assumingMemoryBound(to: UnsafeRawPointer?.self).pointee
        else {
            // No row: the result stays NULL.
            return
        }
        let values = Unmanaged<CollectedValues>.fromOpaque(kept).takeRetainedValue()
        if values.givesKind {
            Passed.giveKind(values.result, to: context)
        } else {
            Passed.give(values.result, to: context)
        }
    }

    final class ValueBox {
        let value: QueryValue

        init(_ value: QueryValue) { self.value = value }
    }
}

/// The values of one group of rows.
private final class CollectedValues {
    let givesKind: Bool
    private let function: Function?
    private var values: [QueryValue] = []
    private var extreme = QueryValue.null

    init(_ name: String) {
        givesKind = name == CalledName.kind(of: .min) || name == CalledName.kind(of: .max)
        function = Function(rawValue: name.split(separator: " ").first.map(String.init) ?? "")
    }

    func add(_ value: QueryValue) {
        switch function {
        case .min: if extreme.isReplaced(by: value, .ascending) { extreme = value }
        case .max: if extreme.isReplaced(by: value, .descending) { extreme = value }
        default: values.append(value)
        }
    }

    var result: QueryValue {
        switch function {
        case .min, .max: extreme
        default: function?.evaluate([.list(values)], now: 0) ?? .null
        }
    }
}

/// Values as statements pass them: each preceded by its kind.
private enum Passed {
    static func value(_ kind: OpaquePointer?, _ value: OpaquePointer?) -> QueryValue {
        let plain = plain(value)
        guard !plain.isNull, let kind = Argument(kind)?.string else { return .null }
        switch kind {
        case "true", "false":
            if case .int(let number) = plain { return .bool(number != 0) }
            return plain
        case "array", "object": return json(plain, extended: false)
        case CalledName.extended: return json(plain, extended: true)
        case "uuid": return FieldType.uuid.convert(plain) ?? plain
        default: break
        }
        for encoding in DateEncoding.allCases where kind == CalledName.date(encoding) {
            // SQLite has no dates of its own, so native ones are ISO text.
            let stored: DateEncoding = encoding == .native ? .iso8601Milliseconds : encoding
            return stored.decodeCompared(plain).map { .date($0) } ?? plain
        }
        return plain
    }

    private static func json(_ text: QueryValue, extended: Bool) -> QueryValue {
        guard case .string(let text) = text else { return .null }
        return (try? QueryValue(json: text, extended: extended)) ?? .null
    }

    private static func plain(_ value: OpaquePointer?) -> QueryValue {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .int(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .double(sqlite3_value_double(value))
        case SQLITE_TEXT: return .string(Argument(value)?.string ?? "")
        case SQLITE_BLOB:
            guard let start = sqlite3_value_blob(value) else { return .data([]) }
            return .data([UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))))
        default: return .null
        }
    }

    static func give(_ value: QueryValue, to context: OpaquePointer) {
        switch value {
        case .null, .shape: sqlite3_result_null(context)
        case .bool(let flag): sqlite3_result_int(context, flag ? 1 : 0)
        case .int(let number): sqlite3_result_int64(context, number)
        case .double(let number): sqlite3_result_double(context, number)
        case .string(let text): give(text, to: context)
        case .date(let milliseconds):
            give(DateText.beyondYears(milliseconds) ?? DateText.iso8601(milliseconds), to: context)
        case .uuid(let uuid): give(uuid.uuidString.lowercased(), to: context)
        case .list, .object: give(JSONWriter().text(value), to: context)
        case .data(let bytes):
            bytes.withUnsafeBytes { bytes in
                sqlite3_result_blob(
                    context,
                    bytes.baseAddress,
                    Int32(clamping: bytes.count),
                    SQLiteDatabase.transient
                )
            }
        }
    }

    /// The name that `json_type` gives a value.
    static func giveKind(_ value: QueryValue, to context: OpaquePointer) {
        switch value {
        case .null, .shape: sqlite3_result_null(context)
        case .bool(let flag): give(flag ? "true" : "false", to: context)
        case .int: give("integer", to: context)
        case .double: give("real", to: context)
        case .string, .date, .uuid: give("text", to: context)
        case .list: give("array", to: context)
        case .object: give("object", to: context)
        case .data: give("blob", to: context)
        }
    }

    private static func give(_ text: String, to context: OpaquePointer) {
        text.withUTF8Bytes { SQLiteFunctions.give($0, to: context) }
    }
}
