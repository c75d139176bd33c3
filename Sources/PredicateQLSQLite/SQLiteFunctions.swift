import CSQLite
import PredicateQL
import QueryTree
import QueryValues

/// The functions that translated statements call: `fold`, `pred_match`, `pred_like`, `pred_date`, `pred_call` and
/// `pred_over`.
///
///     try SQLiteFunctions.register(on: database.handle)  // any open sqlite3*
///     try database.rows("SELECT fold('cd', 'Zoé') AS folded")  // → [{"folded":"zoe"}]
///
/// They are deterministic, so expression indexes may use them, and read their arguments without copying.
public enum SQLiteFunctions {
    /// Registers the functions on a connection; registering them again changes nothing.
    ///
    ///     try SQLiteFunctions.register(on: database.handle)
    ///     try database.rows("SELECT pred_like('B?st*', 'Boston') AS fits")  // → [{"fits":1}]
    ///
    /// - Parameter handle: an open `sqlite3*`.
    /// - Throws: `QueryError` of code `store` if SQLite reports an error.
    public static func register(on handle: OpaquePointer) throws(QueryError) {
        let dialect = SQLDialect.sqlite
        if let name = dialect.foldFunction { try add(name, handle, fold) }
        try add(dialect.matchFunction, handle, match)
        try add(dialect.likeFunction, handle, like)
        if let name = dialect.dateFunction { try add(name, handle, date, arguments: 1) }
        if let name = dialect.callFunction { try add(name, handle, call, arguments: -1) }
        if let name = dialect.overFunction {
            let code = sqlite3_create_function_v2(handle, name, 3, flags, nil, nil, overStep, overFinal, nil)
            guard code == SQLITE_OK else { throw SQLiteDatabase.error(code, handle) }
        }
    }

    private static let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS

    typealias Callback =
        @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    private static func add(
        _ name: String,
        _ handle: OpaquePointer,
        _ callback: Callback,
        arguments: Int32 = 2
    ) throws(QueryError) {
        let code = sqlite3_create_function_v2(handle, name, arguments, flags, nil, callback, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteDatabase.error(code, handle) }
    }

    // MARK: Callbacks

    private static let fold: Callback = { context, _, arguments in
        guard let context, let arguments else { return }
        guard let text = Argument(arguments[1]) else {
            sqlite3_result_value(context, arguments[1])
            return
        }
        let options = options(Argument(arguments[0])?.bytes ?? UnsafeBufferPointer(start: nil, count: 0))
        Folding.withFolded(text.bytes, options) { give($0, to: context) }
    }

    /// `[c]` and `[d]` from their letters.
    static func options(_ letters: some Sequence<UInt8>) -> StringOptions {
        var options: StringOptions = []
        for byte in letters {
            if byte == UInt8(ascii: "c") { options.insert(.caseInsensitive) }
            if byte == UInt8(ascii: "d") { options.insert(.diacriticInsensitive) }
        }
        return options
    }

    /// Text as the result of a function.
    static func give(_ text: UnsafeBufferPointer<UInt8>, to context: OpaquePointer) {
        // An empty buffer may have no address, and a NULL address would make the result NULL.
        guard let start = text.baseAddress, !text.isEmpty else {
            sqlite3_result_text(context, "", 0, SQLiteDatabase.transient)
            return
        }
        start.withMemoryRebound(to: CChar.self, capacity: text.count) { start in
            sqlite3_result_text(context, start, Int32(clamping: text.count), SQLiteDatabase.transient)
        }
    }

    private static let match: Callback = { context, _, arguments in
        guard let context, let arguments else { return }
        guard let text = Argument(arguments[1]), let pattern = Argument(arguments[0]) else {
            sqlite3_result_int(context, 0)
            return
        }
        do throws(QueryError) {
            let regex = try cached(context) { () throws(QueryError) in try RegexPattern(pattern.string) }
            sqlite3_result_int(context, try regex.matches(text.bytes) ? 1 : 0)
        } catch {
            sqlite3_result_error(context, error.message, -1)
            if error.code == .evaluation { sqlite3_result_error_code(context, evaluationCode) }
        }
    }

    /// What a statement fails with where the evaluator fails too, such as at a pattern's match limit: a code of
    /// SQLite's general error that SQLite itself does not give.
    static let evaluationCode = SQLITE_ERROR | 0x7B << 8

    private static let like: Callback = { context, _, arguments in
        guard let context, let arguments else { return }
        guard let text = Argument(arguments[1]), let pattern = Argument(arguments[0]) else {
            sqlite3_result_int(context, 0)
            return
        }
        // A malformed pattern from a field matches nothing (S15).
        let like = try? cached(context) { () throws(QueryError) in LikeBox(try LikePattern(pattern.string)) }
        sqlite3_result_int(context, like?.pattern.matches(text.bytes) == true ? 1 : 0)
    }

    /// A date in any form of ISO 8601, or beyond its four digits, as text that sorts; NULL for what is not a date (S5).
    private static let date: Callback = { context, _, arguments in
        guard let context, let arguments, let text = Argument(arguments[0]) else { return }
        if DateText.parseExact(text.bytes) != nil || DateText.isBeyondYears(text.bytes) {
            sqlite3_result_value(context, arguments[0])
        } else if let date = DateText.parse(text.bytes),
            case .string(let form) = DateEncoding.iso8601Milliseconds.compared(date)
        {
            form.withUTF8Bytes { give($0, to: context) }
        }
    }

    /// A value compiled from an argument, cached by SQLite while that argument is constant.
    static func cached<Compiled: AnyObject>(
        _ context: OpaquePointer,
        _ argument: Int32 = 0,
        _ compile: () throws(QueryError) -> Compiled
    ) throws(QueryError) -> Compiled {
        if let kept = sqlite3_get_auxdata(context, argument) {
            return Unmanaged<Compiled>.fromOpaque(kept).takeUnretainedValue()
        }
        let compiled = try compile()
        // SQLite may drop the value immediately if it is out of memory, so the caller keeps its own reference.
        sqlite3_set_auxdata(context, argument, Unmanaged.passRetained(compiled).toOpaque()) { pointer in
            if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
        }
        return compiled
    }

    private final class LikeBox {
        let pattern: LikePattern

        init(_ pattern: LikePattern) { self.pattern = pattern }
    }
}

/// A text argument whose bytes stay in SQLite's memory; nil for every other type.
struct Argument {
    let bytes: UnsafeBufferPointer<UInt8>

    init?(_ value: OpaquePointer?) {
        guard let value, sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value) else {
            return nil
        }
        bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    var string: String { String(decoding: bytes, as: UTF8.self) }
}
