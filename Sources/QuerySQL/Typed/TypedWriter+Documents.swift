import QueryTree
import QueryValues

// Values as documents, for comparison with documents: numbers by their decimal digits.

extension TypedWriter {
    /// Both as documents; NULL stays NULL.
    ///
    /// A document keeps the shortest digits of a double, which from 2^53 on are not its value. Compared with an int,
    /// all its digits count (S3). With `keepsNaN`, NaN becomes a number that no document contains, otherwise nothing.
    func documents(
        _ left: Node,
        _ right: Node,
        keepsNaN: Bool,
        _ origin: Origin
    ) throws(QueryError) -> (SQLText, SQLText) {
        (
            try document(left, byAllDigits: right.mayBeWhole, keepsNaN, origin),
            try document(right, byAllDigits: left.mayBeWhole, keepsNaN, origin)
        )
    }

    private func document(
        _ node: Node,
        byAllDigits: Bool,
        _ keepsNaN: Bool,
        _ origin: Origin
    ) throws(QueryError) -> SQLText {
        guard let documents = forms.documents else { throw noDocuments(origin) }
        switch node.stored {
        case .document: return byAllDigits && node.type == .double ? allDigits(node.value, documents) : node.value
        case .bool, .int, .decimal, .text: return documents.from(node.value)
        case .double: return number(node.value, byAllDigits: byAllDigits, keepsNaN, documents)
        case .null: return documents.constant(.null)
        case .date, .bytes, .uuid, .nested, .row, .unknown:
            let hint = "declare both fields in a schema"
            throw unsupported("a value of this type cannot be compared with a document's", at: origin, hint: hint)
        }
    }

    /// A double as a document; infinities and NaN, which JSON lacks, become numbers beyond all doubles.
    private func number(
        _ value: SQLText,
        byAllDigits: Bool,
        _ keepsNaN: Bool,
        _ documents: SQLForms.Documents
    ) -> SQLText {
        let greatest = SQLText.word("1.7976931348623157e308")
        let isNumber = self.isNumber(value) ?? value.followed(by: "IS NOT NULL")
        var choices: [(SQLText, SQLText)] = [
            (.all(.compare(value, ">", greatest), isNumber), documents.constant(.literal("1e400"))),
            (.compare(value, "<", greatest.negated), documents.constant(.literal("-1e400"))),
        ]
        if byAllDigits {
            let isLarge = SQLText.some(
                .between(value.parenthesized, .word("9007199254740992"), .word("9223372036854774784")),
                .between(value.parenthesized, .word("-9223372036854775808"), .word("-9007199254740992"))
            )
            choices.append((isLarge, documents.from(value.cast(to: forms.int))))
        }
        choices.append((isNumber, documents.from(wide(value, .double))))
        if keepsNaN, let notANumber = forms.notANumber {
            choices.append((.compare(value, "=", .word(notANumber)), documents.constant(.literal("1e401"))))
        }
        return .choice(choices)
    }

    /// A document's double with all its digits; values outside the range of numbers unchanged.
    private func allDigits(_ value: SQLText, _ documents: SQLForms.Documents) -> SQLText {
        func isBetween(_ low: String, _ high: String) -> SQLText {
            .between(value, documents.constant(.literal(low)), documents.constant(.literal(high)))
        }
        // The bounds are doubles too, by their shortest digits.
        let isLarge = SQLText.some(
            isBetween("9007199254740992", "9223372036854775000"),
            isBetween("-9223372036854776000", "-9007199254740992")
        )
        let whole = documents.number(value).cast(to: forms.double).cast(to: forms.int)
        return .choice([(isLarge, documents.from(whole))], else: value)
    }
}

extension TypedNode {
    /// True when the value may be a number of 64 bits.
    fileprivate var mayBeWhole: Bool { stored == .int || stored == .document && (type == .int || type == .any) }
}
