import QueryChecking
import QueryTree
import QueryValues

extension Query {
    /// Every independent mistake of a text, for editors and for people: all that a schema finds, or the one that ended the
    /// parsing and those in other parts that AND and OR join, at most 21 then.
    ///
    ///     Query.problems(inFormat: "agee > 1 AND naem == 'x'", schema: schema).map(\.code)
    ///     // → [unknownField, unknownField]
    ///
    /// Linear in the text.
    ///
    /// - Parameters:
    ///   - format: the condition's text.
    ///   - arguments: the values of its placeholders, in order (S24).
    ///   - schema: names and kinds to check against; without one literals are checked all the same.
    ///   - limits: bounds on the text.
    /// - Returns: the mistakes; empty for a sound query. The first is what
    ///   `init(format:arguments:order:skip:limit:fields:computed:nilMeaning:schema:limits:)` throws.
    public static func problems(
        inFormat format: String,
        arguments: [QueryValue] = [],
        schema: Schema? = nil,
        limits: Limits = .default
    ) -> [QueryError] {
        do throws(QueryError) {
            return Query(try Condition(parsing: format, arguments, limits, schema), schema: schema).problems()
        } catch {
            return [error] + problems(beside: error, in: format, arguments, schema, limits)
        }
    }
}

extension Query {
    /// More mistakes than that are of little use, and each carries the text.
    private static let mostProblems = 20

    /// The mistakes in the other parts of a text that AND and OR join, after the one that ended the parsing.
    ///
    /// Parts in parentheses are one part. Linear in the text.
    static func problems(
        beside first: QueryError,
        in format: String,
        _ arguments: [QueryValue],
        _ schema: Schema?,
        _ limits: Limits
    ) -> [QueryError] {
        guard let place = first.range, first.code != .limit, let parts = parts(of: format) else { return [] }
        var found: [QueryError] = []
        let bytes = Array(format.utf8)
        var rest = arguments[...]
        // What one `$0` means decides what all of them mean.
        let areNumbered = parts.filter(\.isNumbered).count > 1
        for part in parts where found.count < mostProblems {
            let own = Array(rest.prefix(part.placeholders))
            rest = rest.dropFirst(part.placeholders)
            // Where AND or OR itself is the mistake, so is what it joins.
            let isBeside = part.range.upperBound == place.lowerBound || part.range.lowerBound == place.upperBound
            if part.range.overlaps(place) || isBeside { continue }
            if own.count < part.placeholders || areNumbered && part.isNumbered { continue }
            let text = String(decoding: bytes[part.range], as: UTF8.self)
            if text.utf8.allSatisfy({ $0 <= 0x20 }) { continue }
            do throws(QueryError) {
                let before = format[..<format.utf8.index(format.startIndex, offsetBy: part.range.lowerBound)]
                let condition = try Condition.parsed(text, own, limits, schema, before: before).condition
                found += Query(condition, schema: schema).problems().map {
                    $0.moved(by: part.range.lowerBound, to: format)
                }
            } catch {
                if error.code != .argument { found.append(error.moved(by: part.range.lowerBound, to: format)) }
            }
        }
        return Array(found.prefix(mostProblems))
    }

    /// A part of a text, with the number of its placeholders, and whether it has a `$` without a name, as in `$0`.
    private struct Part {
        var range: Range<Int>
        var placeholders: Int
        var isNumbered: Bool
    }

    /// The parts of a text between AND and OR outside of brackets; nil if brackets do not match.
    private static func parts(of format: String) -> [Part]? {
        guard let tokens = try? tokens(of: format, keepingInvalid: true) else { return nil }
        var parts: [Part] = []
        var (start, depth, placeholders) = (0, 0, 0)
        // SQL's BETWEEN has an AND of its own.
        var (isBetween, isNumbered) = (false, false)
        for (kind, text, range) in tokens {
            switch (kind, text.uppercased()) {
            case ("punctuation", "("), ("punctuation", "["), ("punctuation", "{"):
                depth += 1
                isBetween = false
            case ("punctuation", ")"), ("punctuation", "]"), ("punctuation", "}"):
                depth -= 1
                if depth < 0 { return nil }
            case ("placeholder", _):
                // Positions count through the whole text.
                if text.contains("$") { return nil }
                placeholders += 1
            case (_, "$"): isNumbered = true
            case ("comparison", "BETWEEN"): isBetween = true
            case ("logical", "AND") where isBetween: isBetween = false
            case ("logical", "AND"), ("logical", "OR"), ("logical", "&&"), ("logical", "||"):
                guard depth == 0 else { continue }
                parts.append(Part(range: start..<range.lowerBound, placeholders: placeholders, isNumbered: isNumbered))
                (start, placeholders, isBetween, isNumbered) = (range.upperBound, 0, false, false)
            default: break
            }
        }
        if depth != 0 { return nil }
        return parts + [Part(range: start..<format.utf8.count, placeholders: placeholders, isNumbered: isNumbered)]
    }
}

extension QueryError {
    /// The same mistake in a text of which this one's is a part.
    fileprivate func moved(by offset: Int, to text: String) -> QueryError {
        var moved = self
        moved.source = text
        moved.range = range.map { ($0.lowerBound + offset)..<($0.upperBound + offset) }
        moved.fix = fix.map { fix in
            Fix(range: (fix.range.lowerBound + offset)..<(fix.range.upperBound + offset), replacement: fix.replacement)
        }
        return moved
    }
}
