import QueryTree
import QueryValues

// Texts in quotes that were probably meant as something else: keys, placeholders, numbers.

extension Comparison {
    /// A field's name in quotes: `'name' == 'Bob'` compares two texts, so that it holds for all rows or for none.
    var quotedField: QueryError? {
        guard case .value(.string(let text), let origin) = left, let range = origin.range, origin.isInQuotes,
            case .value(let value, _) = right, let key = text.asPlainPath
        else { return nil }
        let other: String
        switch value {
        case .string(let second):
            guard meetsTexts, !second.hasSameUTF8(as: text) else { return nil }
            other = "text"
        case .int, .double: other = "number"
        case .bool: other = "truth value"
        case .null, .date, .data, .uuid, .list, .object, .shape: return nil
        }
        return QueryError(
            .unlikely,
            "a text is compared with a \(other), the same for every row",
            at: origin,
            hint: "write \(key) for the field",
            fix: QueryError.Fix(range: range, replacement: key)
        )
    }

    /// `name BEGINSWITH 12`: a constant that is no text, beside an operator of texts, which then never holds.
    var noText: QueryError? {
        guard self.operator.leftSide == .text else { return nil }
        let sides = right.constantValue.map { ($0, right.origin) } ?? left.constantValue.map { ($0, left.origin) }
        guard let (value, place) = sides, ![.string, .null].contains(value.kind),
            left.constantValue == nil || right.constantValue == nil
        else { return nil }
        let quoted = value.inQuotes(at: place)
        return QueryError(
            .unlikely,
            "\(self.operator.spelling) compares texts, and is never true of \(value.kind.single)",
            at: place.range == nil ? origin : place,
            hint: quoted.hint,
            fix: quoted.fix
        )
    }

    /// True for `==` and the operators that look into a text.
    private var meetsTexts: Bool {
        switch self.operator.leftSide {
        case .text, .textOrList: true
        case .ofKind: self.operator == .equal
        case .ofElements, .place: false
        }
    }
}

extension QueryValue {
    /// What to write for a text of the same digits.
    ///
    /// - Parameter place: where the value is.
    /// - Returns: a hint, for an argument what `pql` takes, and the fix of a literal.
    func inQuotes(at place: Origin) -> (hint: String, fix: QueryError.Fix?) {
        switch self {
        case .bool, .int, .double: break
        case .null, .string, .date, .data, .uuid, .list, .object, .shape: return ("give a text", nil)
        }
        if place.isOfArgument { return ("give a text as the argument (pql: --arg '\"\(json)\"')", nil) }
        guard let range = place.range, let written = place.written, !written.contains(where: { "\"$".contains($0) })
        else { return ("give a text", nil) }
        return ("write it in quotes", QueryError.Fix(range: range, replacement: "\"\(written)\""))
    }
}

extension Term {
    /// A constant in arithmetic that is no number, so that the result is nil (S17).
    ///
    /// - Parameter place: where the arithmetic is, for constants without a place.
    /// - Returns: the warning; nil for other terms.
    func notNumber(at place: Origin) -> QueryError? {
        guard case .value(let value, let origin) = self else { return nil }
        var hint: String?
        var fix: QueryError.Fix?
        switch value {
        case .null, .int, .double, .date: return nil
        case .string(let text):
            hint = "no operator joins texts"
            if text.isPlainNumber, origin.isInQuotes, let range = origin.range {
                hint = "write the number without quotes"
                fix = QueryError.Fix(range: range, replacement: text)
            } else if origin.isInQuotes, let key = text.asPlainPath {
                hint = "write \(key) for the field; no operator joins texts"
            }
        case .bool, .data, .uuid, .list, .object, .shape: break
        }
        return QueryError(
            .unlikely,
            "\(value.kind.single) is not a number, so the result is nil",
            at: origin.range == nil ? place : origin,
            hint: hint,
            fix: fix
        )
    }
}

extension String {
    /// The truth value that a text spells, as `YES`; nil for others.
    var asTruth: Bool? { ["yes": true, "true": true, "no": false, "false": false][lowercased()] }

    /// A placeholder in quotes, where it is plain text and takes no argument.
    func quotedPlaceholder(at origin: Origin) -> QueryError? {
        guard contains("%@") || self == "%K", let range = origin.range, origin.isInQuotes else { return nil }
        let isAlone = self == "%@" || self == "%K"
        return QueryError(
            .unlikely,
            "a placeholder in quotes is plain text and takes no argument",
            at: origin,
            hint: isAlone ? "write \(self) without quotes" : "write %@ without quotes, and the rest into its argument",
            fix: isAlone ? QueryError.Fix(range: range, replacement: self) : nil
        )
    }

    /// `ISODate("2013-06-21T12:51:37.817Z")` as a text, as Kinvey's documents write a date.
    func shellDate(at origin: Origin) -> QueryError? {
        guard hasPrefix("ISODate(\"") || hasPrefix("ISODate('"), hasSuffix("\")") || hasSuffix("')"),
            case let date = String(dropFirst("ISODate('".count).dropLast(2)), DateText.parse(date) != nil
        else { return nil }
        let json = QueryValue.string(date).json
        // In a filter the place is that of the key and its value.
        let range = origin.written?.dropFirst().hasPrefix("ISODate(") == true ? origin.range : nil
        let cast = "CAST(\(json), \"NSDate\")"
        return QueryError(
            .unlikely,
            "a text with ISODate( in it is no date",
            at: origin,
            hint: "write " + (range == nil ? "{\"$date\":\(json)}" : cast),
            fix: range.map { QueryError.Fix(range: $0, replacement: cast) }
        )
    }

    /// The text as a path of words of letters and digits, one space apart, as most fields' names are; nil for others.
    fileprivate var asPlainPath: String? {
        let keys = split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return keys.allSatisfy(\.isPlainName) ? FieldPath(keys: keys).format : nil
    }

    /// True for words of letters and digits, one space apart, that begin with a letter.
    private var isPlainName: Bool {
        guard let first = utf8.first, first.isLetter else { return false }
        return utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0.isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }
}

extension Origin {
    /// True for a text that stands in quotes, not one that was bound to a placeholder.
    var isInQuotes: Bool { firstByte == UInt8(ascii: "'") || firstByte == UInt8(ascii: "\"") }

    /// True for the value of a placeholder.
    var isOfArgument: Bool { firstByte == UInt8(ascii: "%") }

    /// True if a name or a value of its place is an argument.
    var hasPlaceholder: Bool { written?.contains("%") ?? true }

    /// What stands at its place.
    fileprivate var written: String? {
        guard let range, let source else { return nil }
        return String(decoding: Array(source.text.utf8.dropFirst(range.lowerBound).prefix(range.count)), as: UTF8.self)
    }

    /// The first byte of its place in the text.
    fileprivate var firstByte: UInt8? { range.flatMap { source?.text.utf8.dropFirst($0.lowerBound).first } }
}

extension Aggregate {
    /// An operator that begins a path, as in Apple's `@sum.items.price`: it is one of the row, and a row is no list (S18).
    ///
    /// - Parameters:
    ///   - code: the code of the error.
    ///   - base: what the operator is applied to.
    ///   - path: the path after it.
    ///   - origin: the place of the term.
    /// - Returns: the error; nil where something precedes the operator, also `SELF`.
    func ofRow(_ code: QueryError.Code, of base: Term, _ path: FieldPath, at origin: Origin) -> QueryError? {
        guard case .field(let row, _) = base, row.keys.isEmpty, !row.startsAtSelf else { return nil }
        // `@sum.items.price` was meant as `items.@sum.price`, `@max.scores` as `scores.@max`.
        var meant: String?
        if path.keys.count > 1, let last = path.keys.last {
            meant = FieldPath(keys: path.keys.dropLast()).format + ".\(spelling)." + last.asKey
        } else if path.keys.count == 1, pathRule == .optional {
            meant = FieldPath(keys: path.keys).format + ".\(spelling)"
        }
        let ofSelf = (["SELF", spelling] + path.keys.map(\.asKey)).joined(separator: ".")
        let isWritten = origin.firstByte == UInt8(ascii: "@")
        return QueryError(
            code,
            "\(spelling) at the start of a path is one of the row itself, and a row is no list",
            at: origin,
            hint: "write \(meant ?? "the list before it, list.\(spelling)"); \(ofSelf) where rows are lists",
            fix: isWritten
                ? origin.range.flatMap { place in meant.map { QueryError.Fix(range: place, replacement: $0) } } : nil
        )
    }
}
