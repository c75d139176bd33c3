/// A LIKE pattern: `?` is one scalar, `*` any number, `\` makes the next one literal; the whole text must match (S15).
///
///     let pattern = try LikePattern("B?st*")
///     pattern.matches("Boston")  // true
public struct LikePattern: Hashable, Sendable {
    /// A part of a pattern.
    public enum Piece: Hashable, Sendable {
        /// Text that stands for itself.
        case literal(String)
        /// Exactly one scalar; under `[d]` one base with its marks.
        case one
        /// Any number of scalars.
        case any
    }

    /// The parts in order; neighbouring literals are one, neighbouring `*` too.
    public let pieces: [Piece]
    /// The options it was made with.
    public let options: StringOptions
    private let tokens: [Token]

    private enum Token: Hashable, Sendable {
        case scalar(UInt32)
        case one
        case any
    }

    /// Reads a pattern.
    ///
    /// - Parameters:
    ///   - pattern: the pattern.
    ///   - options: `[c]` and `[d]` fold the pattern's letters and the text.
    ///   - origin: where errors point.
    /// - Throws: `QueryError` of code `pattern` for a lone `\` at the end.
    public init(_ pattern: String, options: StringOptions = [], at origin: Origin = .none) throws(QueryError) {
        var pieces: [Piece] = []
        var literal = ""
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            if isEscaped || !["\\", "?", "*"].contains(scalar) {
                literal.unicodeScalars.append(scalar)
                isEscaped = false
                continue
            }
            if scalar == "\\" {
                isEscaped = true
                continue
            }
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = ""
            let piece: Piece = scalar == "?" ? .one : .any
            if piece != .any || pieces.last != .any { pieces.append(piece) }
        }
        if isEscaped {
            throw QueryError(
                .pattern,
                "a LIKE pattern cannot end in a lone backslash",
                at: origin,
                hint: "write the backslash twice to match one"
            )
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        self.pieces = pieces
        self.options = options.folding
        tokens = Self.tokens(pieces, options.folding)
    }

    private static func tokens(_ pieces: [Piece], _ options: StringOptions) -> [Token] {
        pieces.flatMap { piece -> [Token] in
            switch piece {
            case .one: [.one]
            case .any: [.any]
            case .literal(let text):
                text.unicodeScalars.compactMap { Folding.fold($0.value, options).map(Token.scalar) }
            }
        }
    }

    /// True when the whole text fits.
    ///
    /// O(text × pattern) at worst, O(text) for one `*`.
    ///
    /// - Parameter text: any text.
    /// - Returns: whether it fits.
    public func matches(_ text: String) -> Bool {
        text.withUTF8Bytes { matches($0) }
    }

    /// True when the whole UTF-8 text fits; what SQLite's `pred_like` calls.
    ///
    /// - Parameter bytes: UTF-8 text.
    /// - Returns: whether it fits.
    package func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = 0
        var token = 0
        var retry: (token: Int, position: Int)?
        while true {
            let next = scalar(in: bytes, at: position)
            if let next, token < tokens.count, step(&token, next.scalar) {
                if tokens[token - 1] == .any {
                    retry = (token, position)
                } else {
                    position = next.end
                }
                continue
            }
            if next == nil {
                while token < tokens.count, tokens[token] == .any { token += 1 }
                if token == tokens.count { return true }
            }
            // Two pointers: only the last `*` can take more, and it takes one scalar more each time.
            guard let last = retry, let skipped = scalar(in: bytes, at: last.position) else { return false }
            retry = (last.token, skipped.end)
            token = last.token
            position = skipped.end
        }
    }

    /// Advances over a token that fits the scalar, or over a `*`; false when neither.
    private func step(_ token: inout Int, _ scalar: UInt32) -> Bool {
        switch tokens[token] {
        case .scalar(let wanted) where wanted != scalar: return false
        case .scalar, .one, .any:
            token += 1
            return true
        }
    }

    /// The next folded scalar and where it ends, marks that `[d]` drops left out; nil at the end.
    private func scalar(
        in bytes: UnsafeBufferPointer<UInt8>,
        at start: Int
    ) -> (scalar: UInt32, end: Int)? {
        var position = start
        while position < bytes.count {
            let (scalar, length) = Folding.decode(bytes, at: position) ?? (0x11_0000 + UInt32(bytes[position]), 1)
            position += length
            if scalar >= 0x11_0000 { return (scalar, position) }
            if let folded = Folding.fold(scalar, options) { return (folded, position) }
        }
        return nil
    }
}
