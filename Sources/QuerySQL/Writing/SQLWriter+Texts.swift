import QueryMeaning
import QueryTree
import QueryValues

// BEGINSWITH, ENDSWITH, CONTAINS on text, LIKE and MATCHES (S12, S14–S16).

extension SQLWriter {
    /// True if the node's value is text; nil if it is known to be text or nil.
    func textTest(_ node: Node) -> SQLText? {
        node.isRow || node.type.keptAsOther != nil ? .zero : kindTest(node, .string, .text)
    }

    func bind(text: String, at origin: Origin) -> SQLText { .bind(.string(text)) }

    func text(_ node: Node, _ options: StringOptions, _ origin: Origin) -> TextOperand? {
        let test = textTest(node)
        if let test, test.isFalse { return nil }
        assumeSingle(node)
        var text = TextOperand(text: folded(node.value, options), isText: test ?? .one)
        text.mayHoldNul = node.isColumnText
        guard options.folding.isEmpty else { return text }
        if case .storage = node.kinds { text.isStorage = true }
        text.trigrams = node.trigrams
        return text
    }

    /// The piece together with the tests that both sides are texts.
    func texts(_ text: TextOperand, _ other: TextOperand, _ piece: SQLText) -> Leaf {
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
    private func called(_ text: TextOperand, _ other: TextOperand, _ piece: SQLText) -> Leaf {
        let tests = SQLText.all(text.isText, other.isText)
        return Leaf(tests.isTrue ? piece : .choice([(tests, piece)]))
    }

    // MARK: Parts of a text

    func contains(_ text: TextOperand, _ needle: TextOperand) -> Leaf {
        if needle.constant?.isEmpty == true { return texts(text, needle, .one) }
        let piece = SQLText.compare(.call("instr", text.text, needle.text), ">", .zero)
        guard let narrowed = narrowed(text.trigrams, needle.constant) else { return texts(text, needle, piece) }
        // Rows outside the full-text result need no check.
        return Leaf(texts(text, needle, .all(narrowed, piece)).holds, fails: texts(text, needle, piece).fails)
    }

    func begins(_ text: TextOperand, _ prefix: TextOperand) -> SQLText {
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

    func ends(_ text: TextOperand, _ suffix: TextOperand) -> SQLText {
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
    private func isEmpty(_ length: SQLText, beside text: TextOperand) -> SQLText {
        let isEmpty = SQLText.compare(length, "=", .zero)
        guard text.isText.isTrue, text.constant == nil else { return isEmpty }
        return .all(isEmpty, text.text.followed(by: "IS NOT NULL"))
    }

    // MARK: Patterns

    func like(_ text: TextOperand, computed pattern: TextOperand, _ origin: Origin) -> Leaf {
        called(text, pattern, call(dialect.likeFunction, pattern.text, text.text))
    }

    /// Patterns with `*` only at the ends are suffixes and substrings: exact.
    func like(
        _ text: TextOperand,
        _ like: LikePattern,
        _ pattern: TextOperand,
        _ comparison: Comparison
    ) throws(QueryError) -> SQLText {
        let (options, origin) = (comparison.options, comparison.origin)
        func fixed(_ literal: String) throws(QueryError) -> TextOperand {
            try constant(options.folded(literal), origin)
        }
        switch like.relation {
        case .anything?: return .one
        case .suffix(let tail)?: return ends(text, try fixed(tail))
        case .part(let part)?:
            let needle = try fixed(part)
            if needle.constant?.isEmpty == true { return .one }
            return .compare(.call("instr", text.text, needle.text), ">", .zero)
        case .ends(let head, let tail)?:
            if text.mayHoldNul, let both = begins(text, try fixed(head), andEnds: try fixed(tail)) { return both }
        case .whole?, .prefix?, nil: break
        }
        let glob = like.glob(options)
        let isPlain = !glob.utf8.contains(0) && glob.utf8.count <= 40_000
        if isPlain, !text.mayHoldNul { return .compare(text.text, "GLOB", .bind(.string(glob))) }
        // GLOB stops at NUL (T9), so NUL in column text is replaced by another character before matching. A text that a
        // function folds is matched by a function too.
        let matched =
            isPlain && options.folding.isEmpty
            ? SQLText.compare(withoutNul(text.text, for: glob), "GLOB", .bind(.string(glob)))
            : self.like(text, computed: pattern, origin).holds
        let head = options.folded(like.head ?? "")
        return head.isEmpty ? matched : .all(begins(text, try constant(head, origin)), matched)
    }

    /// A text that starts with one constant and ends with another, without overlap.
    ///
    /// By bytes, because GLOB stops at NUL (T9).
    private func begins(_ text: TextOperand, _ head: TextOperand, andEnds tail: TextOperand) -> SQLText? {
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
    private func bounds(_ text: TextOperand, _ head: String, butEnds tail: String) -> SQLText? {
        guard let next = head.prefixSuccessor, !next.utf8.suffix(tail.utf8.count).elementsEqual(tail.utf8) else {
            return nil
        }
        let subject = text.isStorage && head.looksNumericAsPrefix ? text.text.withoutAffinity : text.text
        return .between(subject, .bind(.string(head)), .bind(.string(next)))
    }

    /// In bytes; above it the store may search for what two texts share.
    private static let longestEnds = 256

    func matches(_ text: TextOperand, _ pattern: TextOperand, _ comparison: Comparison) -> Leaf {
        var expression = pattern.text
        if comparison.options.contains(.caseInsensitive) {
            expression = pattern.constant.map { .bind(.string("(?i)" + $0)) } ?? .joined(.literal("(?i)"), expression)
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
