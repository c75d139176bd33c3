import QueryTree
import QueryValues

/// Writes a tree of SQL as text, with its bindings in the order of their placeholders.
package struct SQLPrinter {
    /// How constants are marked.
    enum Placeholder {
        /// `?`.
        case question
        /// `$1`, `$2`.
        case numbered
        /// `ifnull(?, NULL)`, which changes nothing and hides constants from the planner's comparisons.
        case wrapped
    }

    /// How a store writes names, texts and constants.
    struct Style {
        let quote: String
        let escapesBackslashes: Bool
        var placeholder: Placeholder

        init(_ dialect: SQLDialect) {
            quote = dialect.quoteText
            escapesBackslashes = dialect.sharedForms?.value.escapesBackslashes ?? false
            placeholder = dialect.sharedForms?.value.numbersPlaceholders == true ? .numbered : .question
        }
    }

    /// A printed piece.
    struct Printed {
        var text: String
        var bindings: [QueryValue]
        /// The functions called that the store must be given.
        var functions: Set<SQLFunction>
    }

    /// A part of a text that is cut at some columns.
    package enum Piece: Equatable {
        case text(String)
        /// A column by its unquoted name.
        case column(String)
    }

    /// In UTF-8.
    private var text: [UInt8] = []
    /// The text before, if it is cut at the columns of a table.
    private var pieces: [Piece] = []
    private let cut: String?
    private var bindings: [QueryValue] = []
    private var functions: Set<SQLFunction> = []
    private let style: Style
    /// The query's condition, if it has been printed.
    private var condition: Printed?

    private init(_ style: Style, cutAt cut: String? = nil) { (self.style, self.cut) = (style, cut) }

    /// The piece as text.
    static func print(_ piece: SQLText, _ style: Style) -> Printed {
        printed(needing: piece.need) {
            var printer = SQLPrinter(style)
            printer.text.reserveCapacity(min(piece.size.bytes, 1 << 16))
            printer.write(piece)
            return printer.printed
        }
    }

    /// The piece as text between the columns of a table, which are left to others.
    static func pieces(of piece: SQLText, _ style: Style, cutAt table: String) -> [Piece] {
        printed(needing: piece.need) {
            var printer = SQLPrinter(style, cutAt: table)
            printer.write(piece)
            return printer.pieces + [.text(String(decoding: printer.text, as: UTF8.self))]
        }
    }

    /// A statement as text; its condition is copied unless its placeholders have other numbers there.
    static func print(_ select: SQLSelect, where condition: Printed, _ style: Style) -> Printed {
        printed(needing: select.need) {
            var printer = SQLPrinter(style)
            printer.text.reserveCapacity(condition.text.utf8.count + 128)
            printer.condition = condition
            printer.write(select)
            return printer.printed
        }
    }

    private var printed: Printed {
        Printed(text: String(decoding: text, as: UTF8.self), bindings: bindings, functions: functions)
    }

    /// What prints pieces up to this need by recursion on any stack; larger ones get a large stack (S26).
    private static let plainNeed = _isDebugAssertConfiguration() ? 30 : 100

    private static func printed<Result>(needing need: Int, _ print: () -> Result) -> Result {
        need > plainNeed ? StackRoom.onLargeStack(print) : print()
    }

    // MARK: Pieces

    private mutating func write(_ piece: SQLText) {
        switch piece {
        case .truth(let value): text += value ? "1" : "0"
        case .word(let word): text += word
        case .literal(let literal): writeLiteral(literal)
        case .number(let number): text += String(number)
        case .bound(let value): write(value)
        case .column(let table, let name): writeColumn(table, name)
        case .compound(let compound): write(compound.form, compound.precedence)
        }
    }

    /// The piece, in parentheses unless it binds tighter than the level; as tightly suffices on the `inclusive` side.
    private mutating func write(_ piece: SQLText, above level: SQLText.Precedence, inclusive: Bool = false) {
        let precedence = piece.precedence
        if precedence > level || inclusive && precedence == level { return write(piece) }
        text += "("
        write(piece)
        text += ")"
    }

    private mutating func write(_ value: QueryValue) {
        bindings.append(value)
        switch style.placeholder {
        case .question: text += "?"
        case .wrapped: text += "ifnull(?, NULL)"
        case .numbered:
            text += "$"
            text += String(bindings.count)
        }
    }

    private mutating func writeLiteral(_ literal: String) {
        text += "'"
        let quoted = literal.replacingScalar("'", with: "''")
        text += style.escapesBackslashes ? quoted.replacingScalar("\\", with: "\\\\") : quoted
        text += "'"
    }

    private mutating func writeColumn(_ table: String, _ name: String) {
        if let cut, cut.hasSameUTF8(as: table) {
            pieces += [.text(String(decoding: text, as: UTF8.self)), .column(name)]
            return text = []
        }
        text += table
        text += "."
        text += style.quote
        text += name.doubling(style.quote)
        text += style.quote
    }

    private mutating func write(_ form: SQLCompound.Form, _ level: SQLText.Precedence) {
        switch form {
        case .parentheses(let piece):
            text += "("
            write(piece)
            text += ")"
        case .prefix(let word, let piece):
            text += word
            write(piece, above: level)
        case .postfix(let piece, let suffix):
            write(piece, above: level)
            text += " "
            text += suffix
        case .infix(let left, let operation, let right):
            writeFirst(left, level)
            writeNext(operation, right, level)
        case .chain(let word, let pieces): writeChain(word, pieces, level)
        case .call(let name, let arguments, let isGiven):
            if isGiven { functions.insert(SQLFunction(name: name, arguments: arguments.count)) }
            text += name
            text += "("
            writeList(arguments)
            text += ")"
        case .cast(let piece, let type):
            text += "CAST("
            write(piece, " AS ", type)
            text += ")"
        case .list(let pieces): writeList(pieces)
        case .named(let piece, let name): write(piece, " AS ", name)
        case .sorted(let piece, let direction): write(piece, " ", direction)
        case .phrase(let pieces): for piece in pieces { write(piece) }
        case .select(let select): write(select)
        }
    }

    private mutating func write(_ piece: SQLText, _ link: String, _ word: String) {
        write(piece)
        text += link
        text += word
    }

    /// The left side of an operation; a sum of many terms, which nests there, is written without recursion.
    private mutating func writeFirst(_ left: SQLText, _ level: SQLText.Precedence) {
        var (first, next): (SQLText, [(operation: String, right: SQLText)]) = (left, [])
        while level > .order, case .compound(let compound) = first, compound.precedence == level,
            case .infix(let inner, let operation, let right) = compound.form
        {
            next.append((operation, right))
            first = inner
        }
        write(first, above: level, inclusive: level > .order)
        for link in next.reversed() { writeNext(link.operation, link.right, level) }
    }

    private mutating func writeNext(_ operation: String, _ right: SQLText, _ level: SQLText.Precedence) {
        text += " "
        text += operation
        text += " "
        write(right, above: level)
    }

    private mutating func writeChain(_ word: String, _ pieces: [SQLText], _ level: SQLText.Precedence) {
        for (position, piece) in pieces.enumerated() {
            if position > 0 {
                text += " "
                text += word
                text += " "
            }
            write(piece, above: level, inclusive: true)
        }
    }

    private mutating func writeList(_ pieces: [SQLText], after words: String = "") {
        if pieces.isEmpty { return }
        text += words
        for (position, piece) in pieces.enumerated() {
            if position > 0 { text += ", " }
            write(piece)
        }
    }

    private mutating func write(_ select: SQLSelect) {
        text += select.isDeletion ? "DELETE" : "SELECT "
        writeList(select.columns)
        writeList(select.from, after: " FROM ")
        if !select.condition.isTrue {
            text += " WHERE "
            if select.isOfQuery, let known = condition, style.placeholder != .numbered || bindings.isEmpty {
                text += known.text
                if bindings.isEmpty { bindings = known.bindings } else { bindings += known.bindings }
                if !known.functions.isEmpty { functions.formUnion(known.functions) }
            } else {
                write(select.condition)
            }
        }
        writeList(select.groupBy, after: " GROUP BY ")
        if !select.having.isTrue { writeList([select.having], after: " HAVING ") }
        writeList(select.order, after: " ORDER BY ")
        if let limit = select.limit { writeList([limit], after: " LIMIT ") }
        if let offset = select.offset { writeList([offset], after: " OFFSET ") }
    }
}

extension [UInt8] {
    /// Appends a text; several times as fast as to a `String`.
    fileprivate static func += (bytes: inout [UInt8], text: String) {
        if text.utf8.count == 1, let byte = text.utf8.first { return bytes.append(byte) }
        let appended: Void? = text.utf8.withContiguousStorageIfAvailable { bytes.append(contentsOf: $0) }
        if appended == nil { bytes.append(contentsOf: text.utf8) }
    }
}
