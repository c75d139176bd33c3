import QueryTree
import QueryValues

extension Query {
    /// Valid parts that are probably not what was meant: those of ``Condition/warnings``, and properties of other languages.
    ///
    /// A property such as `length` is told where the schema declares no such field.
    ///
    ///     let query = try Query(format: "SUBQUERY(items, $i, price > 5).@count > 0")
    ///     query.warnings.map(\.code)  // → [unusedVariable]
    ///     try Query(format: "name.length > 3").warnings.first?.hint
    ///     // → write length(name), or name.@count for a list
    public var warnings: [QueryError] {
        rowlessWarnings + propertyWarnings(seeing: [], ofFields: true) + propertyWarnings(seeing: [], ofFields: false)
    }

    /// The warnings that no row changes.
    package var rowlessWarnings: [QueryError] {
        condition.warnings + plainFieldWarnings + declaredWarnings + totalWarnings + listWarnings + orderWarnings
    }

    /// Sort keys written as in other languages, where each would be the name of a field.
    private var orderWarnings: [QueryError] {
        order.enumerated().compactMap { position, key in
            let words = key.path.dotted.split(separator: " ")
            let direction = words.count == 2 ? words[1].lowercased() : ""
            guard direction == "asc" || direction == "desc" || words.first?.hasPrefix("+") == true else { return nil }
            let name = key.path.dotted
            let hint = "write name, or -name for descending order"
            var warning = QueryError(.unlikely, "\(name) is the name of a field", hint: hint)
            warning.path = "order[\(position)]"
            return warning
        }
    }
}

extension Condition {
    /// Valid parts that are probably not what was meant, each with its range: a SUBQUERY whose condition never uses its
    /// element, so that it keeps all elements or none; a date written as a subtraction; arithmetic with a date or a
    /// text, which is nil; an `@` operator that begins a path, since a row is no list; SQL's `%` at an end of a LIKE
    /// pattern, where it matches only itself; a field's name in quotes; a SUBQUERY that is compared with a number; sets
    /// in a class of MATCHES; a number where an operator takes a text, or IN and CONTAINS a list; the least of objects.
    ///
    ///     let condition = try Condition(format: "SUBQUERY(items, $i, price > 5).@count > 0")
    ///     condition.warnings[0].hint  // → a bare key belongs to the row; write $i.key for the element's
    ///     try Condition(format: "joined > 2024-01-31").warnings[0].fix?.replacement  // → CAST("2024-01-31", "NSDate")
    ///
    /// O(nodes × depth of nested SUBQUERYs). See S19, S17, S12.
    ///
    /// - Returns: warnings of code `unusedVariable` and `unlikely`, outer before inner; empty for most queries.
    public var warnings: [QueryError] {
        nodes.compactMap { node in
            switch node {
            case .term(.subquery(let subquery, let origin)): subquery.warning(at: origin)
            case .term(.arithmetic(let chain, let origin)): chain.warning(at: origin)
            case .term(.negated(let operand, let origin)): operand.notNumber(at: origin)
            case .term(.value(.string(let text), let origin)):
                text.quotedPlaceholder(at: origin) ?? text.shellDate(at: origin)
            case .term(.aggregate(let aggregate, of: let base, let path, let origin)):
                aggregate.ofRow(.unlikely, of: base, path, at: origin) ?? aggregate.ofObjects(base, path, at: origin)
            case .term(.cast(let operand, let target, let origin)): target.warning(of: operand, at: origin)
            case .condition(.comparison(let comparison)): comparison.warning
            case .term(.index(_, .at(.value(.int(..<0), let place)), let origin)):
                QueryError(
                    .unlikely,
                    "positions count from 0, so there is no element",
                    at: place.range == nil ? origin : place,
                    hint: "write [LAST] for the last"
                )
            case .term, .condition: nil
            }
        }
    }
}

extension Condition {
    /// Comparisons of the whole row with a text, a number or another value that is no object, which hold for no row of a
    /// table or of a collection of documents; rows of files may be such values.
    ///
    /// - Returns: warnings of code `unlikely`.
    package var wholeRowWarnings: [QueryError] {
        nodes.compactMap { node in
            guard case .condition(.comparison(let comparison)) = node else { return nil }
            let isLeft = comparison.left.constantValue == nil
            let (row, other) = isLeft ? (comparison.left, comparison.right) : (comparison.right, comparison.left)
            guard case .field(let path, let place) = row, path.keys.isEmpty, let constant = other.constantValue,
                let wanted = comparison.kinds(meeting: constant, isLeft: isLeft), !wanted.contains(.object)
            else { return nil }
            return QueryError(
                .unlikely,
                "SELF is the whole row, and is compared with \(comparison.named(constant, wanted).single)",
                at: place.range == nil ? comparison.origin : place,
                hint: "write the name of a field"
            )
        }
    }
}

extension Subquery {
    fileprivate func warning(at origin: Origin) -> QueryError? {
        guard !condition.freeVariables.contains(variable) else { return nil }
        let name = "$" + variable.name
        return QueryError(
            .unusedVariable,
            "the condition never uses \(name), so it keeps all elements or none",
            at: condition.origin.range == nil ? origin : condition.origin,
            hint: "a bare key belongs to the row; write \(name).key for the element's"
        )
    }
}

extension CastTarget {
    /// A date's text as a number, which is nil.
    fileprivate func warning(of operand: Term, at origin: Origin) -> QueryError? {
        guard self == .number || self == .decimal, case .value(.string(let text), let place) = operand,
            let range = place.range, place.isInQuotes, DateText.parse(text) != nil, !text.isPlainNumber
        else { return nil }
        let date = "CAST(\(QueryValue.string(text).json), \"NSDate\")"
        return QueryError(
            .unlikely,
            "a date's text is not a number, so the result is nil",
            at: place,
            hint: "write \(date) for its seconds since 2001",
            fix: QueryError.Fix(range: range, replacement: date)
        )
    }
}

extension Arithmetic {
    fileprivate func warning(at origin: Origin) -> QueryError? {
        if let comment = rest.first(where: \.isComment) {
            return QueryError(
                .unlikely,
                "`--` subtracts and negates, and begins no comment",
                at: comment.operand.origin,
                hint: "leave the comment out"
            )
        }
        if let day = writtenDay {
            return QueryError(
                .unlikely,
                "this is a subtraction of numbers, not a date",
                at: origin,
                hint: "write CAST(\"\(day)\", \"NSDate\")",
                fix: origin.range.map { QueryError.Fix(range: $0, replacement: "CAST(\"\(day)\", \"NSDate\")") }
            )
        }
        guard !isOfSets else { return nil }
        guard let date = ([first] + rest.map(\.operand)).first(where: \.isWrittenDate) else {
            return ([first] + rest.map(\.operand)).lazy.compactMap { $0.notNumber(at: origin) }.first
        }
        let between = isMaybeDifference ? inSeconds(\.isWrittenDate, ofFields: \.isPath) : nil
        return QueryError(
            .unlikely,
            "a date is not a number, so the result is nil",
            at: date.origin.range == nil ? origin : date.origin,
            hint: (between.map { $0 + "; for a field of seconds, " } ?? "") + inSeconds(\.isWrittenDate)
        )
    }

    /// `now() - d`, where `d` may be a date as well as seconds.
    private var isMaybeDifference: Bool {
        rest.count == 1 && rest[0].operation == .subtract && (first.isPath || rest[0].operand.isPath)
    }

    /// How to calculate with dates: with their seconds, of which one date makes a date again.
    ///
    /// - Parameters:
    ///   - isDate: true for dates.
    ///   - isRead: true for fields whose dates may be texts.
    /// - Returns: a hint.
    func inSeconds(_ isDate: (Term) -> Bool, ofFields isRead: (Term) -> Bool = { _ in false }) -> String {
        func seconds(_ term: Term) -> Term {
            isRead(term)
                ? .cast(.cast(term, .date, .none), .number, .none) : isDate(term) ? .cast(term, .number, .none) : term
        }
        let isOneDate = ([first] + rest.map(\.operand)).filter { isDate($0) || isRead($0) }.count == 1
        let links = rest.map { Link($0.operation, seconds($0.operand)) }
        let sum = Term.arithmetic(Arithmetic(first: seconds(first), rest: links), .none)
        var written = FormatWriter()
        written.write(isOneDate ? .cast(sum, .date, .none) : sum)
        let what = isOneDate ? "give the instant as an argument, or write " : "write the seconds between them: "
        return written.arguments.isEmpty && written.text.utf8.count <= 120
            ? what + written.text : what + "CAST(CAST(now(), \"NSNumber\") - 86400, \"NSDate\")"
    }

    /// The day that `2024-01-31` looks like; nil for any other calculation.
    private var writtenDay: String? {
        guard rest.count == 2, rest.allSatisfy({ $0.operation == .subtract }),
            case .value(.int(let year), _) = first, case .value(.int(let month), _) = rest[0].operand,
            case .value(.int(let day), _) = rest[1].operand, 1_000...9_999 ~= year, 1...12 ~= month, 1...31 ~= day
        else { return nil }
        func pair(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let text = "\(year)-\(pair(month))-\(pair(day))"
        return DateText.parseExactDate(text) == nil ? nil : text
    }
}

extension Arithmetic.Link {
    /// `-- word` after a space, as SQL writes comments.
    fileprivate var isComment: Bool {
        guard operation == .subtract, let range = operand.origin.range, let text = operand.origin.source?.text.utf8,
            range.lowerBound > 1
        else { return false }
        let bytes = Array(text.dropFirst(range.lowerBound - 2).prefix(4))
        return bytes.count == 4 && bytes[0] <= 0x20 && bytes[1...2].elementsEqual("--".utf8)
            && (bytes[3] <= 0x20 || bytes[3].isLetter)
    }
}

extension Comparison {
    fileprivate var warning: QueryError? {
        quotedField ?? constantWord ?? noText ?? loneContainer ?? percent ?? slashes ?? sets ?? uncounted
    }

    /// `no == 13`, where a field may have the name of a truth value.
    private var constantWord: QueryError? {
        guard case .value(.bool, let origin) = left, let range = origin.range, case .value(let value, _) = right,
            value.kind == .number || value.kind == .string,
            let bytes = origin.source?.text.utf8.dropFirst(range.lowerBound),
            bytes.first?.isLetter == true
        else { return nil }
        let key = "#" + String(decoding: bytes.prefix(range.count), as: UTF8.self)
        return QueryError(
            .unlikely,
            "a truth value is compared with a \(value.kind == .number ? "number" : "text"), the same for every row",
            at: origin,
            hint: "write \(key) for the field of that name",
            fix: QueryError.Fix(range: range, replacement: key)
        )
    }

    /// A regular expression between slashes, as other languages write it: they are characters of the text here.
    private var slashes: QueryError? {
        guard self.operator == .matches, case .value(.string(let pattern), let origin) = right, pattern.utf8.count > 2,
            pattern.utf8.first == UInt8(ascii: "/"), let last = pattern.lastIndex(of: "/"), last > pattern.startIndex,
            pattern[last...].dropFirst().allSatisfy({ "gimsuxy".contains($0) }),
            // Without an anchor or an option that is common it may be a path.
            pattern.hasPrefix("/^") || pattern[..<last].hasSuffix("$")
                || pattern.hasSuffix("/i") && !pattern.dropFirst().prefix(upTo: last).contains("/")
        else { return nil }
        return QueryError(
            .unlikely,
            "slashes are part of the pattern",
            at: origin,
            hint: "write the pattern alone, MATCHES[c] for the option i; it matches the whole text"
        )
    }

    /// A class of characters as a set, as in Apple's patterns (S16).
    private var sets: QueryError? {
        guard self.operator == .matches, case .value(.string(let pattern), let origin) = right,
            let set = RegexDialect(pattern).set
        else { return nil }
        return QueryError(
            .unlikely,
            "`\(set.rawValue)` in a class stands for itself; Apple's patterns have sets there",
            at: origin,
            hint: set.hint
        )
    }

    /// `SUBQUERY(…) > 0`: a list is no number, so that the comparison is the same for every row.
    private var uncounted: QueryError? {
        let sides = left.constantValue == nil ? (left, right) : (right, left)
        guard quantifier == nil, self.operator.leftSide == .ofKind, case .subquery(_, let origin) = sides.0,
            sides.1.constantValue?.kind == .number
        else { return nil }
        let count = "." + Aggregate.count.spelling
        return QueryError(
            .unlikely,
            "a list is compared with a number, the same for every row",
            at: origin,
            hint: "write \(count) after it for the number of its elements",
            fix: origin.range.map { QueryError.Fix(range: $0.upperBound..<$0.upperBound, replacement: count) }
        )
    }

    private var percent: QueryError? {
        guard self.operator == .like, case .value(.string(let pattern), let origin) = right,
            pattern.hasPrefix("%") || pattern.hasSuffix("%"), !pattern.contains(where: { "*?\\".contains($0) }),
            pattern.quotedPlaceholder(at: origin) == nil
        else { return nil }
        let meant = pattern.replacing("%", with: "*").replacing("_", with: "?")
        var written = FormatWriter()
        written.write(Term.value(.string(meant), .none))
        return QueryError(
            .unlikely,
            "`%` is not a wildcard",
            at: origin,
            hint: "write * for any text and ? for one character",
            fix: origin.range.map { QueryError.Fix(range: $0, replacement: written.text) }
        )
    }
}

extension Term {
    var isPath: Bool {
        switch self {
        case .field, .path: true
        default: false
        }
    }

    var isWrittenDate: Bool {
        switch self {
        case .value(.date, _), .call(.now, _, _), .cast(_, .date, _): true
        default: false
        }
    }
}

extension String {
    /// The name as a query writes a key.
    package var asKey: String { FieldPath(keys: [self]).format }
}

extension FieldPath {
    /// The path as a query writes it, with names that are no words escaped.
    package var format: String {
        var writer = FormatWriter()
        writer.write(Term.field(self, .none))
        return writer.text
    }
}

extension UInt8 {
    var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self == UInt8(ascii: "_")
    }
}
