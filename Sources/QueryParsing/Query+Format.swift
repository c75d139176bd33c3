import QueryTree
import QueryValues

extension Condition {
    /// Parses a condition from text built at run time, such as text read from a file or typed by a user.
    ///
    ///     let text = "age > %@ AND name BEGINSWITH[cd] %@"
    ///     try Condition(parsing: text, arguments: [21, "jo"])  // → age > 21 AND name BEGINSWITH[cd] "jo"
    ///
    /// Values inserted into such a text are parsed as part of the language; arguments, and values in
    /// `init(format:arguments:schema:limits:)`, are not. Linear in the length of the text (S26).
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - arguments: the values for `%@`, `%K` and the printf family, in order (S24).
    ///   - schema: names and kinds to check against.
    ///   - limits: bounds on the text.
    /// - Throws: `QueryError` with a code, a range and where possible a fix, for a text that is not a condition,
    ///   arguments that do not fit, a limit exceeded, or a mismatch with the schema.
    public init(
        parsing text: String,
        arguments: [QueryValue] = [],
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        self = try Query(parsing: text, arguments: arguments, schema: schema, limits: limits).condition
    }

    init(parsing format: String, _ arguments: [QueryValue], _ limits: Limits, _ schema: Schema? = nil)
        throws(QueryError)
    {
        self = try Self.parsed(format, arguments, limits, schema).condition
    }

    /// The condition of a text, and whether it needs no check without a schema.
    static func parsed(
        _ format: String,
        _ arguments: [QueryValue],
        _ limits: Limits,
        _ schema: Schema? = nil,
        before: Substring = ""
    ) throws(QueryError) -> (condition: Condition, isPlain: Bool) {
        var text = WholeText(format, arguments, limits, before: before)
        text.schema = schema
        return try text.parsed { (parser) throws(Mistake) in
            try parser.format()
        } accepts: { parsed, place in
            !Query(parsed.condition, schema: schema).problems().contains { $0.range?.overlaps(place) ?? false }
        }
    }
}

/// A text that one rule of the grammar takes from its first to its last byte.
struct WholeText {
    private var format: String
    private let arguments: [QueryValue]
    private let limits: Limits
    /// What precedes the text where it is a part of one, for hints that quote a condition.
    private let before: Substring
    /// The kinds of the row's fields, for hints.
    var schema: Schema?

    init(_ format: String, _ arguments: [QueryValue], _ limits: Limits, before: Substring = "") {
        self.format = format
        self.before = before
        self.arguments = arguments
        self.limits = limits
    }

    /// What a rule makes of the text; a fix is offered only if what it gives at its place is accepted.
    func parsed<Value>(
        _ rule: (inout Parser) throws(Mistake) -> Value,
        accepts: (Value, Range<Int>) -> Bool = { _, _ in true }
    ) throws(QueryError) -> Value {
        guard format.utf8.count <= limits.textBytes else {
            throw QueryError(.limit, "the text is longer than \(limits.textBytes) bytes", range: 0..<format.utf8.count)
        }
        switch parse(rule) {
        case .success(let parsed): return parsed
        case .failure(var error):
            if let fix = error.fix, !mends(fix, rule, accepts) { error.fix = nil }
            throw error
        }
    }

    private func parse<Value>(_ rule: (inout Parser) throws(Mistake) -> Value) -> Result<Value, QueryError> {
        let source = SourceText(format)
        var format = format
        let result = format.withUTF8 { bytes in
            StackRoom.run { needsRoom -> Result<Value, QueryError> in
                var parser = Parser(bytes, source: source, arguments: arguments, limits: limits, needsRoom: needsRoom)
                parser.before = before
                parser.schema = schema
                do throws(Mistake) {
                    return .success(try rule(&parser))
                } catch {
                    return .failure(error.error)
                }
            }
        }
        return result.mapError { error in
            var error = error
            error.source = source.text
            return error
        }
    }

    /// True if a fix, together with those of the mistakes after it, leads to a text that parses; other fixes are not
    /// offered.
    ///
    /// Arguments are not part of the text, so a missing one does not count.
    private func mends<Value>(
        _ first: QueryError.Fix,
        _ rule: (inout Parser) throws(Mistake) -> Value,
        _ accepts: (Value, Range<Int>) -> Bool
    ) -> Bool {
        var fix = first
        let place = fix.range.lowerBound..<(fix.range.lowerBound + fix.replacement.utf8.count)
        var text = self
        // Two fixes may undo each other.
        var seen: Set<UTF8Key> = []
        for _ in 0..<16 {
            guard seen.insert(UTF8Key(text.format)).inserted, let next = fix.applied(to: text.format) else {
                return false
            }
            text.format = next
            let error: QueryError
            switch text.parse(rule) {
            // After a second fix the first is at another place.
            case .success(let value): return fix != first || accepts(value, place)
            case .failure(let next): error = next
            }
            if error.code == .argument { return true }
            guard let another = error.fix else { return false }
            fix = another
        }
        // After this many mistakes, the first fixes are assumed to be right.
        return true
    }
}

extension Query {
    /// Parses a query from text built at run time, such as text read from a file or typed by a user.
    ///
    ///     let text = "state == %@ AND population >= 50000"
    ///     let query = try Query(parsing: text, arguments: ["MA"], order: ["name"], limit: 20)
    ///     query.format  // → state == "MA" AND population >= 50000
    ///     try query.count(in: cities)  // → 2
    ///
    /// Values inserted into such a text are parsed as part of the language; arguments, and values in
    /// `init(format:_:order:skip:limit:fields:computed:nilMeaning:schema:limits:)`, are not. Linear in the length of the text
    /// (S26).
    ///
    /// - Parameters:
    ///   - text: the condition's text.
    ///   - arguments: the values for `%@`, `%K` and the printf family, in order (S24).
    ///   - order: the order, first key first.
    ///   - skip: rows to skip, not negative.
    ///   - limit: the maximum number of rows, not negative.
    ///   - fields: the fields of the results, nil for whole rows.
    ///   - computed: values computed for each row, after its fields.
    ///   - nilMeaning: what `== nil` tests for (S8).
    ///   - schema: names and kinds to check against.
    ///   - limits: bounds on the text.
    /// - Throws: `QueryError` with a code, a range and where possible a fix, for a text that is not a condition,
    ///   arguments that do not fit, a limit exceeded, or a mismatch with the schema.
    public init(
        parsing text: String,
        arguments: [QueryValue] = [],
        order: [SortKey] = [],
        skip: Int? = nil,
        limit: Int? = nil,
        fields: [FieldPath]? = nil,
        computed: [ComputedField] = [],
        nilMeaning: NilMeaning = .nullOrAbsent,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        let (condition, isPlain) = try Condition.parsed(text, arguments, limits, schema)
        self.init(
            condition,
            order: order,
            skip: skip,
            limit: limit,
            fields: fields,
            computed: computed,
            nilMeaning: nilMeaning,
            schema: schema
        )
        if schema != nil || !isPlain || !computed.isEmpty { self = try checked() }
    }
}
