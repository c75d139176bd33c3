import QueryMeaning
import QueryTree
import QueryValues

// BEGINSWITH, ENDSWITH, CONTAINS on text, LIKE and MATCHES (S12, S14–S16).

extension SQLWriter {
    /// A text operand: its SQL and the test that it is text; nil if it is never a text.
    private struct Text {
        var text: SQLText
        var isText: SQLText
        var constant: String?
        /// True for columns, whose text may contain NUL; JSON text cannot.
        var mayHoldNul = false
        var isStorage = false
        var trigrams: TrigramTable?
    }

    /// True if the node's value is text; nil if it is known to be text or nil.
    func textTest(_ node: Node) -> SQLText? {
        node.isRow || node.type.keptAsOther != nil ? .zero : kindTest(node, .string, .text)
    }

    private func textOperand(_ operand: Operand) -> Text? {
        switch operand {
        case .constant(.string(let text), _): return constantOperand(text)
        case .constant: return nil
        case .node(let node, _):
            let test = textTest(node)
            if let test, test.isFalse { return nil }
            assumeSingle(node)
            var operand = Text(text: node.value, isText: test ?? .one)
            if case .storage = node.kinds { operand.isStorage = true }
            operand.trigrams = node.trigrams
            operand.mayHoldNul = node.isColumnText
            return operand
        }
    }

    func textLeaf(_ comparison: Comparison, _ relation: TextRelation, _ scope: Scope) throws(QueryError) -> Leaf {
        let left = try operand(comparison.left, scope)
        let right = try operand(comparison.right, scope)
        guard let text = textOperand(left), let other = textOperand(right) else { return .never }
        let (folded, part) = (fold(text, comparison.options), fold(other, comparison.options))
        switch relation {
        case .matches: return try matches(text, other, comparison)
        case .like: return try like(folded, other, comparison)
        case .part(.prefix): return texts(folded, part, begins(folded, part))
        case .part(.suffix): return texts(folded, part, ends(folded, part))
        case .part(.middle): return try containsText(left, right, comparison)
        }
    }

    /// The piece together with the tests that both sides are texts.
    private func texts(_ text: Text, _ other: Text, _ piece: SQLText) -> Leaf {
        let tests = text.isText.isTrue ? other.isText : .all(text.isText, other.isText)
        if !piece.isTrue, tests.isTrue { return Leaf(piece) }
        if piece.isTrue, tests.isTrue {
            let notNil = [text, other].filter { $0.constant == nil }.map { $0.text.followed(by: "IS NOT NULL") }
            let isNil = [text, other].filter { $0.constant == nil }.map { $0.text.followed(by: "IS NULL") }
            return Leaf(.all(notNil), fails: .some(isNil))
        }
        return Leaf(.all(tests, piece))
    }

    /// A function call after the tests: AND does not keep a store from calling it, CASE does.
    private func called(_ text: Text, _ other: Text, _ piece: SQLText) -> Leaf {
        let tests = SQLText.all(text.isText, other.isText)
        return Leaf(tests.isTrue ? piece : .choice([(tests, piece)]))
    }

    private func fold(_ operand: Text, _ options: StringOptions) -> Text {
        guard !options.folding.isEmpty else { return operand }
        if let constant = operand.constant { return constantOperand(options.folded(constant)) }
        var operand = operand
        operand.text = folded(operand.text, options)
        operand.isStorage = false
        return operand
    }

    // MARK: Parts of a text

    /// `text CONTAINS needle`.
    func containsText(_ text: Operand, _ needle: Operand, _ comparison: Comparison) throws(QueryError) -> Leaf {
        guard let text = textOperand(text), let needle = textOperand(needle) else { return .never }
        let options = comparison.options
        let folded = fold(text, options)
        let other = fold(needle, options)
        if other.constant?.isEmpty == true { return texts(folded, other, .one) }
        let piece = SQLText.compare(.call("instr", folded.text, other.text), ">", .zero)
        guard options.folding.isEmpty, let narrowed = narrowed(folded.trigrams, other.constant) else {
            return texts(folded, other, piece)
        }
        // Rows outside the full-text result need no check.
        return Leaf(texts(folded, other, .all(narrowed, piece)).holds, fails: texts(folded, other, piece).fails)
    }

    private func begins(_ text: Text, _ prefix: Text) -> SQLText {
        guard let constant = prefix.constant else {
            // substr() of empty bytes is NULL, so the empty prefix is handled separately.
            let bytes = prefix.text.cast(to: "BLOB")
            let length = SQLText.call("length", bytes)
            return .some(
                isEmpty(length, beside: text),
                .compare(.call("substr", text.text.cast(to: "BLOB"), .one, length), "=", bytes)
            )
        }
        if constant.isEmpty { return .one }
        let subject = text.isStorage && constant.looksNumericAsPrefix ? text.text.withoutAffinity : text.text
        let end = constant.prefixSuccessor.map { SQLText.bind(.string($0)) } ?? .word("x''")
        return .range(subject, from: .bind(.string(constant)), to: end)
    }

    private func ends(_ text: Text, _ suffix: Text) -> SQLText {
        let bytes = suffix.text.cast(to: "BLOB")
        guard let constant = suffix.constant else {
            let length = SQLText.call("length", bytes)
            return .some(
                isEmpty(length, beside: text),
                .compare(.call("substr", text.text.cast(to: "BLOB"), length.negated), "=", bytes)
            )
        }
        if constant.isEmpty { return .one }
        return .compare(.call("substr", text.text.cast(to: "BLOB"), .number(-constant.utf8.count)), "=", bytes)
    }

    /// An empty prefix or suffix matches every text, but not nil.
    private func isEmpty(_ length: SQLText, beside text: Text) -> SQLText {
        let isEmpty = SQLText.compare(length, "=", .zero)
        guard text.isText.isTrue, text.constant == nil else { return isEmpty }
        return .all(isEmpty, text.text.followed(by: "IS NOT NULL"))
    }

    // MARK: Patterns

    private func like(_ text: Text, _ pattern: Text, _ comparison: Comparison) throws(QueryError) -> Leaf {
        let folded = fold(pattern, comparison.options)
        guard let constant = pattern.constant else {
            return called(text, folded, call(dialect.likeFunction, folded.text, text.text))
        }
        let like = try LikePattern(constant, at: comparison.right.origin)
        if let plain = withoutWildcards(like, text, comparison.options) { return texts(text, pattern, plain) }
        let glob = like.glob(comparison.options)
        let isPlain = !glob.utf8.contains(0) && glob.utf8.count <= 40_000
        if isPlain, !text.mayHoldNul { return texts(text, pattern, .compare(text.text, "GLOB", .bind(.string(glob)))) }
        // GLOB stops at NUL (T9), so NUL in column text is replaced by another character before matching. A text that a
        // function folds is matched by a function too.
        let matched =
            isPlain && comparison.options.folding.isEmpty
            ? SQLText.compare(withoutNul(text.text, for: glob), "GLOB", .bind(.string(glob)))
            : called(text, folded, call(dialect.likeFunction, folded.text, text.text)).holds
        let head = comparison.options.folded(like.head ?? "")
        return texts(text, pattern, head.isEmpty ? matched : .all(begins(text, constantOperand(head)), matched))
    }

    /// Patterns with `*` only at the ends are prefixes, suffixes and substrings: exact, and able to use an index.
    private func withoutWildcards(_ like: LikePattern, _ text: Text, _ options: StringOptions) -> SQLText? {
        func fixed(_ literal: String) -> Text { constantOperand(options.folded(literal)) }
        switch like.relation {
        case .anything?: return .one
        case .whole(let whole)?: return .compare(text.text, "=", fixed(whole).text)
        case .prefix(let head)?: return begins(text, fixed(head))
        case .suffix(let tail)?: return ends(text, fixed(tail))
        case .part(let part)?:
            let needle = fixed(part)
            if needle.constant?.isEmpty == true { return .one }
            return .compare(.call("instr", text.text, needle.text), ">", .zero)
        case .ends(let head, let tail)?:
            return text.mayHoldNul ? begins(text, fixed(head), andEnds: fixed(tail)) : nil
        case nil: return nil
        }
    }

    /// A text that starts with one constant and ends with another, without overlap.
    ///
    /// By bytes, because GLOB stops at NUL (T9).
    private func begins(_ text: Text, _ head: Text, andEnds tail: Text) -> SQLText? {
        guard let first = head.constant, let last = tail.constant, !first.isEmpty, !last.isEmpty else { return nil }
        let length = first.utf8.count + last.utf8.count
        guard length <= Self.longestEnds else { return nil }
        let mayOverlap = (1...min(first.utf8.count, last.utf8.count)).contains { count in
            first.utf8.suffix(count).elementsEqual(last.utf8.prefix(count))
        }
        let bytes = SQLText.call("length", text.text.cast(to: "BLOB"))
        let isLong = mayOverlap ? SQLText.compare(bytes, ">=", .number(length)) : .one
        return .all(bounds(text, first, butEnds: last) ?? begins(text, head), isLong, ends(text, tail))
    }

    /// `x BETWEEN head AND next`, which reads the text once; the bound itself does not end with the tail.
    private func bounds(_ text: Text, _ head: String, butEnds tail: String) -> SQLText? {
        guard let next = head.prefixSuccessor, !next.utf8.suffix(tail.utf8.count).elementsEqual(tail.utf8) else {
            return nil
        }
        let subject = text.isStorage && head.looksNumericAsPrefix ? text.text.withoutAffinity : text.text
        return .between(subject, .bind(.string(head)), .bind(.string(next)))
    }

    /// In bytes; above it the store may search for what two texts share.
    private static let longestEnds = 256

    private func constantOperand(_ text: String) -> Text {
        Text(text: .bind(.string(text)), isText: .one, constant: text)
    }

    private func matches(_ text: Text, _ pattern: Text, _ comparison: Comparison) throws(QueryError) -> Leaf {
        let isCaseless = comparison.options.contains(.caseInsensitive)
        var expression = pattern.text
        if let constant = pattern.constant {
            _ = try RegexPattern(constant, options: comparison.options, at: comparison.right.origin)
            expression = .bind(.string(isCaseless ? "(?i)" + constant : constant))
        } else if isCaseless {
            expression = .joined(.literal("(?i)"), expression)
        }
        return called(text, pattern, call(dialect.matchFunction, expression, text.text))
    }

    /// The trigram table with a field's texts; nil if there is none.
    func trigrams(_ row: TableRow, _ field: ResolvedPath.Step, _ origin: Origin) throws(QueryError) -> TrigramTable? {
        let tables = row.storage.trigramTables
        guard !tables.isEmpty, let table = tables[field.storedName] else { return nil }
        guard dialect.hasTrigramTables else {
            throw unsupported("the store has no full-text tables of trigrams", at: origin)
        }
        return TrigramTable(table: try dialect.quoted(table, at: origin), rowNumber: .column(of: row.alias, "rowid"))
    }

    /// The rows whose text has the needle's trigrams, which may include false matches; nil without a table.
    func narrowed(_ trigrams: TrigramTable?, _ needle: String?) -> SQLText? {
        guard let trigrams, let needle, needle.unicodeScalars.count >= 3, !needle.utf8.contains(0) else { return nil }
        var phrase = "\""
        for scalar in needle.unicodeScalars {
            phrase.unicodeScalars.append(scalar)
            if scalar == "\"" { phrase.unicodeScalars.append(scalar) }
        }
        let table = SQLText.word(trigrams.table)
        let found = SQLText.compare(table, "MATCH", .bind(.string(phrase + "\"")))
        return trigrams.rowNumber.isIn(SQLSelect([.word("\"rowid\"")], from: [table], where: found))
    }
}

extension LikePattern {
    /// The pattern in GLOB syntax, with its text folded.
    func glob(_ options: StringOptions) -> String {
        var glob = ""
        for piece in pieces {
            switch piece {
            case .one: glob += "?"
            case .any: glob += "*"
            case .literal(let text):
                for scalar in options.folded(text).unicodeScalars {
                    switch scalar {
                    case "*", "?", "[": glob += "[" + String(scalar) + "]"
                    default: glob.unicodeScalars.append(scalar)
                    }
                }
            }
        }
        return glob
    }
}

extension String {
    /// The least text greater than every text with this prefix; nil if there is none (T11).
    var prefixSuccessor: String? {
        if let last = utf8.last, last < 0x7F {
            return String(Substring(utf8.dropLast())) + String(Unicode.Scalar(last + 1))
        }
        var scalars = unicodeScalars
        while let last = scalars.popLast() {
            guard last.value < 0x10FFFF else { continue }
            guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else { continue }
            scalars.append(next)
            return String(scalars)
        }
        return nil
    }

    /// True if a column with numeric affinity would read this text or its successor as a number.
    var looksNumericAsPrefix: Bool { looksNumeric || (prefixSuccessor?.looksNumeric ?? false) }
}
