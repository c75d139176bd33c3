import QueryMeaning
import QueryChecking
import QueryTree
import QueryValues

// BEGINSWITH, ENDSWITH, CONTAINS on text, LIKE and MATCHES (S12, S14–S16).

extension TypedWriter {
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

    func text(_ node: Node, _ options: StringOptions, _ origin: Origin) throws(QueryError) -> TextOperand? {
        assumeSingle(node)
        let node = try known(node, .string)
        if node.stored == .document, let documents = forms.documents {
            let text = try folded(documents.text(node.value), options, origin)
            return TextOperand(text: text, isText: isText(node, documents))
        }
        return node.stored == .text ? TextOperand(text: try folded(node, options, origin)) : nil
    }

    func within(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf {
        let hint = "compute it in memory, or in SQLite or Mongo"
        throw unsupported("this store has no geographic functions", at: comparison.origin, hint: hint)
    }

    func texts(_ text: TextOperand, _ other: TextOperand, _ piece: SQLText) -> Leaf {
        leaf(all([text.isText, other.isText, piece]))
    }

    /// A range, which an index in byte order can serve.
    func begins(_ text: TextOperand, _ prefix: TextOperand) -> SQLText {
        guard let constant = prefix.constant else { return forms.begins(text.text.above(.unary), prefix.text) }
        if constant.isEmpty { return text.text.followed(by: "IS NOT NULL") }
        let subject = forms.byBytes(text.text.above(.unary))
        guard let next = constant.prefixSuccessor else { return forms.begins(text.text.above(.unary), prefix.text) }
        return all(.compare(subject, ">=", prefix.text), .compare(subject, "<", bind(.string(next), as: forms.text)))
    }

    func ends(_ text: TextOperand, _ suffix: TextOperand) -> SQLText {
        forms.ends(text.text.above(.unary), suffix.text)
    }

    func contains(_ text: TextOperand, _ needle: TextOperand) -> Leaf {
        texts(text, needle, .compare(forms.position(text.text.above(.unary), needle.text), ">", .zero))
    }

    // MARK: Patterns

    func like(_ text: TextOperand, computed pattern: TextOperand, _ origin: Origin) throws(QueryError) -> Leaf {
        let hint = "give the pattern as a constant, or answer this part in memory by splitting the query"
        throw unsupported("a LIKE pattern from a field is not supported by this store", at: origin, hint: hint)
    }

    func like(
        _ text: TextOperand,
        _ like: LikePattern,
        _ pattern: TextOperand,
        _ comparison: Comparison
    ) throws(QueryError) -> SQLText {
        var words = ""
        for piece in like.pieces {
            switch piece {
            case .one: words += "_"
            case .any: words += "%"
            case .literal(let literal):
                for scalar in comparison.options.folded(literal).unicodeScalars {
                    if scalar == "%" || scalar == "_" || scalar == "\\" { words += "\\" }
                    words.unicodeScalars.append(scalar)
                }
            }
        }
        let subject = forms.byBytes(text.text.above(.unary))
        return forms.like([subject, try bind(text: words, at: comparison.right.origin)], .equality)
    }

    func matches(_ text: TextOperand, _ pattern: TextOperand, _ comparison: Comparison) throws(QueryError) -> Leaf {
        guard let constant = pattern.constant else {
            throw unsupported("a MATCHES pattern from a field is not supported by this store", at: comparison.origin)
        }
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
        return texts(text, pattern, matched)
    }
}
