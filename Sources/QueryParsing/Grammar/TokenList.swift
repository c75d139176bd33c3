import QueryChecking
import QueryTree
import QueryValues

/// The tokens of a text, for display: kind, text and range.
///
/// - Parameters:
///   - text: any text.
///   - keepsInvalid: true to list text that is not a token as `invalid`.
/// - Returns: the tokens in order.
/// - Throws: `QueryError` for text that is not a token, unless it is kept.
package func tokens(
    of text: String,
    keepingInvalid keepsInvalid: Bool = false
) throws(QueryError) -> [(kind: String, text: String, range: Range<Int>)] {
    var contiguous = text
    let source = SourceText(text)
    let result = contiguous.withUTF8 { bytes -> Result<[(kind: String, text: String, range: Range<Int>)], QueryError> in
        var parser = Parser(bytes, source: source, arguments: [], limits: .default)
        var tokens: [(kind: String, text: String, range: Range<Int>)] = []
        while parser.token.kind != .end {
            if parser.token.kind == .invalid, !keepsInvalid {
                var error = parser.lexicalError().error
                error.source = text
                return .failure(error)
            }
            tokens.append((parser.token.kind.name, parser.text(parser.token.range), parser.token.range))
            parser.advance()
        }
        return .success(tokens)
    }
    return try result.get()
}

extension Token.Kind {
    /// The kind in a word.
    fileprivate var name: String {
        switch self {
        case .end: "end"
        case .invalid: "invalid"
        case .word: "word"
        case .escapedWord: "key"
        case .aggregate: "aggregate"
        case .variable: "variable"
        case .functionName: "function"
        case .selector: "selector"
        case .int: "integer"
        case .float: "float"
        case .string: "string"
        case .specifier: "placeholder"
        case .logical: "logical"
        case .comparison: "comparison"
        case .reserved: "reserved"
        case .arithmetic, .bits, .assign: "operator"
        case .open, .close, .openBracket, .closeBracket, .openBrace, .closeBrace, .comma, .dot: "punctuation"
        }
    }
}
