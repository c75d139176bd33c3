/// A piece of SQL with holes for others: `char_length({0})`.
///
///     SQLForm("left({0}, {1})") == "left({0}, {1})"  // → true
///
/// A hole that occurs twice inserts its piece twice, each time with its own placeholders. The form binds as tightly as a
/// call, so one with an operator stands in parentheses.
public struct SQLForm: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    private enum Part: Hashable {
        case words(String)
        case hole(Int)
    }

    private let parts: [Part]
    /// False for what a store does not have.
    private let exists: Bool

    /// What a store does not have: a query that needs it throws a `QueryError` of code `unsupported`.
    ///
    ///     SQLForms().regularExpression == .unsupported  // → true
    public static let unsupported = SQLForm(parts: [], exists: false)

    private init(parts: [Part], exists: Bool) { (self.parts, self.exists) = (parts, exists) }

    /// A form by its text.
    ///
    ///     SQLForm("char_length({0})") == .unsupported  // → false
    ///
    /// - Parameter template: SQL with the holes `{0}`, `{1}` and so on, as many as the property of ``SQLForms`` says;
    ///   `{}` is no hole. The text becomes a part of statements as it is.
    public init(_ template: String) {
        var parts: [Part] = []
        var words = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            words += rest[..<open]
            let after = rest[rest.index(after: open)...]
            if let close = after.firstIndex(of: "}"), let hole = Int(after[..<close]) {
                parts += [.words(words), .hole(hole)]
                words = ""
                rest = after[after.index(after: close)...]
            } else {
                words.append("{")
                rest = after
            }
        }
        self.init(parts: (parts + [.words(words + rest)]).filter { $0 != .words("") }, exists: true)
    }

    /// The form's text.
    public var description: String {
        parts.map { part in
            switch part {
            case .words(let words): words
            case .hole(let hole): "{\(hole)}"
            }
        }.joined()
    }

    /// A form by its text.
    public init(stringLiteral template: String) { self.init(template) }

    /// The form with its holes filled; it must bind as tightly as a call.
    func callAsFunction(_ pieces: SQLText...) -> SQLText { self(pieces) }

    /// The form with its holes filled, adding this much to the parser stack that the pieces take.
    func callAsFunction(_ pieces: [SQLText], _ precedence: SQLText.Precedence = .atom, adding: Int = 3) -> SQLText {
        let filled = parts.compactMap { part -> SQLText? in
            switch part {
            case .words(let words): .word(words)
            case .hole(let hole): pieces.indices.contains(hole) ? pieces[hole] : .unsupported
            }
        }
        guard exists else { return .unsupported }
        if parts.count == 1, case .hole = parts[0], let piece = filled.first { return piece }
        return .phrase(filled, precedence, need: pieces.greatestNeed + adding)
    }
}
