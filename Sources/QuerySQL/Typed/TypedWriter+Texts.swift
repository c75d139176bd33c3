import QueryMeaning
import QueryChecking
import QueryTree
import QueryValues

// BEGINSWITH, ENDSWITH, CONTAINS on text, LIKE and MATCHES (S12, S14–S16).

extension TypedWriter {
    /// A text operand: its SQL, the test that it is text, and its constant.
    private struct Text {
        var text: SQLText
        /// Nil if it is known to be a text or NULL.
        var isText: SQLText?
        var constant: String?
    }

    /// The text of a column or document with `[c]` and `[d]` folded: from a stored column, else by a function
    /// registered on the store.
    func folded(_ node: Node, _ options: StringOptions, _ origin: Origin) throws(QueryError) -> SQLText {
        guard !options.folding.isEmpty, node.stored == .text else { return node.value }
        if let column = node.folded[options.folding.text] { return column }
        return try folded(node.value, options, origin)
    }

    func folded(_ text: SQLText, _ options: StringOptions, _ origin: Origin) throws(QueryError) -> SQLText {
        guard !options.folding.isEmpty else { return text }
        guard let function = dialect.foldFunction else {
            throw unsupported(
                "this store has no function that folds [\(options.folding.text)]",
                at: origin,
                hint: "name a column of folded text in the storage's foldedColumns, or a function in the dialect's "
                    + "foldFunction"
            )
        }
        return call(function, [.literal(options.folding.text), text])
    }

    private func text(_ operand: Operand, _ options: StringOptions, _ origin: Origin) throws(QueryError) -> Text? {
        switch operand {
        case .constant(.string(let text), _): return try constant(text, options, origin)
        case .constant: return nil
        case .node(let node, _):
            assumeSingle(node)
            let node = try known(node, .string)
            if node.stored == .document, let documents = forms.documents {
                let text = try folded(documents.text(node.value), options, origin)
                return Text(text: text, isText: isText(node, documents))
            }
            guard node.stored == .text else { return nil }
            return Text(text: try folded(node, options, origin))
        }
    }

    private func constant(_ text: String, _ options: StringOptions, _ origin: Origin) throws(QueryError) -> Text {
        let folded = options.folded(text)
        return Text(text: try bind(text: folded, at: origin), constant: folded)
    }

    func within(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf {
        let hint = "compute it in memory, or in SQLite or Mongo"
        throw unsupported("this store has no geographic functions", at: comparison.origin, hint: hint)
    }

    func textLeaf(_ comparison: Comparison, _ relation: TextRelation, _ scope: Scope) throws(QueryError) -> Leaf {
        let left = try operand(comparison.left, scope)
        let right = try operand(comparison.right, scope)
        let options = comparison.operator == .matches ? [] : comparison.options
        guard let text = try text(left, options, comparison.origin),
            let other = try self.text(right, options, comparison.origin)
        else { return .never }
        switch relation {
        case .matches: return try matches(text, other, comparison)
        case .like: return try like(text, right, comparison)
        case .part(.prefix): return part(text, other, begins(text, other))
        case .part(.suffix): return part(text, other, forms.ends(text.text.above(.unary), other.text))
        case .part(.middle): return part(text, other, contains(text, other))
        }
    }

    private func part(_ text: Text, _ other: Text, _ piece: SQLText) -> Leaf {
        leaf(all([text.isText, other.isText].compactMap { $0 } + [piece]))
    }

    /// A range, which an index in byte order can serve.
    private func begins(_ text: Text, _ prefix: Text) -> SQLText {
        guard let constant = prefix.constant else { return forms.begins(text.text.above(.unary), prefix.text) }
        if constant.isEmpty { return text.text.followed(by: "IS NOT NULL") }
        let subject = forms.byBytes(text.text.above(.unary))
        guard let next = constant.prefixSuccessor else { return forms.begins(text.text.above(.unary), prefix.text) }
        return all(.compare(subject, ">=", prefix.text), .compare(subject, "<", bind(.string(next), as: forms.text)))
    }

    func containsText(_ text: Operand, _ part: Operand, _ comparison: Comparison) throws(QueryError) -> Leaf {
        guard let text = try self.text(text, comparison.options, comparison.origin),
            let needle = try self.text(part, comparison.options, comparison.origin)
        else { return .never }
        return self.part(text, needle, contains(text, needle))
    }

    private func contains(_ text: Text, _ needle: Text) -> SQLText {
        .compare(forms.position(text.text.above(.unary), needle.text), ">", .zero)
    }

    // MARK: Patterns

    private func like(_ text: Text, _ right: Operand, _ comparison: Comparison) throws(QueryError) -> Leaf {
        guard case .constant(.string(let pattern), let origin) = right else {
            throw unsupported("a LIKE pattern from a field is not supported by this store", at: comparison.origin)
        }
        let (like, options) = (try LikePattern(pattern, at: origin), comparison.options)
        func only(_ piece: SQLText) -> Leaf { leaf(all([text.isText, piece].compactMap { $0 })) }
        // An index serves these.
        switch like.relation {
        case .whole(let whole)?: return only(.compare(text.text, "=", try constant(whole, options, origin).text))
        case .prefix(let head)?: return only(begins(text, try constant(head, options, origin)))
        case .anything?, .suffix?, .part?, .ends?, nil: break
        }
        var words = ""
        for piece in like.pieces {
            switch piece {
            case .one: words += "_"
            case .any: words += "%"
            case .literal(let literal):
                for scalar in options.folded(literal).unicodeScalars {
                    if scalar == "%" || scalar == "_" || scalar == "\\" { words += "\\" }
                    words.unicodeScalars.append(scalar)
                }
            }
        }
        let subject = forms.byBytes(text.text.above(.unary))
        return only(forms.like([subject, try bind(text: words, at: origin)], .equality))
    }

    private func matches(_ text: Text, _ pattern: Text, _ comparison: Comparison) throws(QueryError) -> Leaf {
        guard let constant = pattern.constant else {
            throw unsupported("a MATCHES pattern from a field is not supported by this store", at: comparison.origin)
        }
        _ = try RegexPattern(constant, options: comparison.options, at: comparison.right.origin)
        let portable = PortablePattern(
            constant,
            ignoringCase: comparison.options.contains(.caseInsensitive),
            wordBoundary: forms.wordBoundary
        )
        guard let portable else {
            throw unsupported(
                "this pattern means something else in this store's regular expressions",
                at: comparison.right.origin,
                hint: "use letters, classes, groups, |, \\b and repeats only"
            )
        }
        let matched = forms.regularExpression(
            text.text.above(.unary),
            try bind(text: portable.text, at: comparison.origin)
        )
        return leaf(all([text.isText, matched].compactMap { $0 }))
    }
}
