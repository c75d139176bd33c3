/// What is wrong with a query, where, and what to do about it.
///
/// Errors are plain data; `rendered(as:)` formats them.
///
///     do {
///         _ = try Query(format: "name STARTSWITH 'a'")
///     } catch {
///         error.code  // → syntax
///         error.range  // → 5..<15
///         error.fix?.replacement  // → BEGINSWITH
///     }
public struct QueryError: Error, Hashable, Sendable, Codable {
    /// A stable name for the kind of mistake.
    ///
    ///     QueryError.Code.unknownField.rawValue  // → unknownField
    ///
    /// New codes may be added; existing codes keep their meaning.
    public struct Code: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        /// The name as used in machine-readable output.
        public let rawValue: String

        /// A code by its name.
        ///
        /// - Parameter rawValue: the name; unknown names are kept as they are.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The name.
        public var description: String { rawValue }
    }

    /// A replacement that fixes the text: put `replacement` at `range`.
    ///
    ///     let fix = QueryError.Fix(range: 4..<7, replacement: "==")
    ///     fix.applied(to: "age === 3")  // → age == 3
    public struct Fix: Hashable, Sendable, Codable {
        /// UTF-8 offsets of the text to replace; empty to insert.
        public var range: Range<Int>
        /// The new text.
        public var replacement: String

        /// A replacement of a range of the source text.
        ///
        ///     QueryError.Fix(range: 0..<0, replacement: "NOT ").applied(to: "a == 1")  // → NOT a == 1
        ///
        /// - Parameters:
        ///   - range: UTF-8 offsets in the source.
        ///   - replacement: the text to put there.
        public init(range: Range<Int>, replacement: String) {
            self.range = range
            self.replacement = replacement
        }
    }

    /// The kind of mistake.
    public var code: Code
    /// One sentence in plain English, without values from arguments.
    public var message: String
    /// UTF-8 offsets in `source`, or nil if the error has no position.
    public var range: Range<Int>?
    /// The text that `range` points into.
    public var source: String?
    /// The name of that text for programs: `format`, `having`, `arguments[0]`, `documents[3]` … ; nil means `format`.
    public var path: String?
    /// What to write instead, if known.
    public var hint: String?
    /// A replacement that fixes the text, if there is one.
    public var fix: Fix?
    /// The result code of SQLite, for its own errors.
    package var sqliteCode: Int32?
    /// The hint for the sender of a request, who gives neither schema nor assumptions; nil for that of `hint`.
    package var requestHint: String?

    private enum CodingKeys: CodingKey { case code, message, range, source, path, hint, fix }

    /// An error at a range of a text.
    ///
    ///     QueryError(.unsupported, "dates are not kept here", hint: "compare texts").rendered()
    ///     // → error: dates are not kept here…
    ///
    /// - Parameters:
    ///   - code: the kind of mistake.
    ///   - message: one sentence, no values from arguments.
    ///   - range: UTF-8 offsets in `source`.
    ///   - source: the text.
    ///   - path: the name of the text, nil for the format string.
    ///   - hint: what to write instead.
    ///   - fix: a replacement that fixes the text.
    public init(
        _ code: Code,
        _ message: String,
        range: Range<Int>? = nil,
        source: String? = nil,
        path: String? = nil,
        hint: String? = nil,
        fix: Fix? = nil
    ) {
        self.code = code
        self.message = message
        self.range = range
        self.source = source
        self.path = path
        self.hint = hint
        self.fix = fix
    }

    /// An error at the origin of a node.
    ///
    ///     let condition = try Condition(format: "age > 21")
    ///     QueryError(.unsupported, "not here", at: condition.origin).range  // → 0..<8
    ///
    /// - Parameters:
    ///   - code: the kind of mistake.
    ///   - message: one sentence, no values from arguments.
    ///   - origin: the node's place.
    ///   - hint: what to write instead.
    ///   - fix: a replacement that fixes the text.
    package init(_ code: Code, _ message: String, at origin: Origin, hint: String? = nil, fix: Fix? = nil) {
        self.init(code, message, range: origin.range, source: origin.source?.text, hint: hint, fix: fix)
    }

    /// The same error, attributed to a text with another name.
    ///
    ///     QueryError(.json, "no JSON").at(path: "documents[3]").path  // → documents[3]
    ///
    /// - Parameter path: the text's name, such as `having`.
    /// - Returns: the renamed error.
    package func at(path: String) -> QueryError {
        var copy = self
        copy.path = path
        return copy
    }
}

extension QueryError {
    /// The party responsible for an error, for a server that runs untrusted queries.
    ///
    ///     QueryError(.unknownField, "no field agee").category  // → caller
    ///     QueryError(.store, "the disk is full").category.httpStatus  // → 500
    public enum Category: String, Hashable, Sendable, Codable {
        /// The query is malformed, not allowed, not supported or too costly: its author can write another one.
        case caller
        /// The store, its rows or the schema are at fault: no other query helps, and the message is not for the caller.
        case server

        /// The status of an HTTP response: 400 or 500.
        public var httpStatus: Int {
            switch self {
            case .caller: 400
            case .server: 500
            }
        }
    }

    /// Whose mistake the error is, by its code.
    ///
    ///     QueryError(.tooMuchWork, "the query took too long").category.httpStatus  // → 400
    ///
    /// Of the codes here, `store` and `schema` are the server's; a code of your own is the caller's.
    public var category: Category { code == .store || code == .schema ? .server : .caller }
}

extension QueryError.Code {
    /// The text is not a query.
    public static let syntax = Self(rawValue: "syntax")
    /// An argument is missing, left over or of the wrong kind.
    public static let argument = Self(rawValue: "argument")  // S24
    /// A limit of `Limits` is exceeded.
    public static let limit = Self(rawValue: "limit")  // S26
    /// A run needs more steps or time than `Limits` allows.
    public static let tooMuchWork = Self(rawValue: "tooMuchWork")  // S26
    /// The schema has no such field.
    public static let unknownField = Self(rawValue: "unknownField")
    /// The kind of a value, field or function does not fit.
    public static let kindMismatch = Self(rawValue: "kindMismatch")  // S2
    /// A collection is compared without a quantifier, or a single value with one.
    public static let quantifier = Self(rawValue: "quantifier")  // S10, S11
    /// A LIKE or MATCHES pattern is malformed.
    public static let pattern = Self(rawValue: "pattern")  // S15, S16
    /// A backend does not support this part of the query.
    public static let unsupported = Self(rawValue: "unsupported")
    /// A `$name` has no value.
    public static let unboundVariable = Self(rawValue: "unboundVariable")
    /// A SUBQUERY never uses its element; only a warning.
    public static let unusedVariable = Self(rawValue: "unusedVariable")  // S19
    /// The text is valid but probably not what was meant; only a warning.
    public static let unlikely = Self(rawValue: "unlikely")
    /// A row's truth cannot be decided.
    public static let evaluation = Self(rawValue: "evaluation")  // S27
    /// `FUNCTION(…)` could call any method and is rejected.
    public static let functionCall = Self(rawValue: "functionCall")  // S25
    /// `CAST(…, 'Class')` could look up any class and is rejected.
    public static let classCast = Self(rawValue: "classCast")  // S25
    /// A selector used as an operator; rejected.
    public static let selectorOperator = Self(rawValue: "selectorOperator")  // S25
    /// `UTI-EQUALS` and `UTI-CONFORMS-TO`; rejected.
    public static let utiOperator = Self(rawValue: "utiOperator")  // S25
    /// A function that is not in the function table.
    public static let unknownFunction = Self(rawValue: "unknownFunction")  // S25
    /// An `@` operator that is not in the table.
    public static let unknownAggregate = Self(rawValue: "unknownAggregate")  // S25
    /// A `$` operator of a Mongo filter that is not in the table.
    public static let unknownOperator = Self(rawValue: "unknownOperator")
    /// Invalid skip, limit, order, fields or group keys (S21–S23).
    public static let pipeline = Self(rawValue: "pipeline")
    /// A JSON text is malformed or has the wrong shape.
    public static let json = Self(rawValue: "json")
    /// A schema is malformed.
    public static let schema = Self(rawValue: "schema")
    /// A request of the machine interface has an unknown key or a wrong value.
    public static let request = Self(rawValue: "request")
    /// The store reports an error.
    public static let store = Self(rawValue: "store")
}
