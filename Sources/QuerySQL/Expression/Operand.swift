import QueryTree
import QueryValues

/// A constant in stored form: what to bind, and how to distinguish values of its kind from others.
struct StoredConstant {
    /// How a kind is represented in SQL.
    enum Form { case number, text, bytes, truth }

    var value: QueryValue
    var form: Form
    /// True for a date stored as text, which may be compared with other texts.
    var isDateText = false
}

extension SQLWriter {
    /// The constant as the node's store keeps it, or nil if no value there can equal it.
    func stored(_ value: QueryValue, for node: Node, _ origin: Origin) throws(QueryError) -> StoredConstant? {
        // A cursor's value is compared with all kinds in a column; JSON of no declared type has no dates and UUIDs.
        if origin.isOfOwnKind, [.date, .uuid, .bool].contains(value.kind) {
            if isAsStored(.ofOrder, node) || node.type == .any && value.kind != .bool { return nil }
        }
        let held: Kind? =
            if case .known(let own) = node.kinds { own } else { node.type.kind == value.kind ? value.kind : nil }
        if origin.isOfOrder, held != value.kind, [held, value.kind].contains(where: { $0 == .date || $0 == .uuid }) {
            let message = "the cursor's row has another kind of value than " + (node.assumedName?.last ?? "its column")
            let hint = "declare in a schema in what form the column holds it, as .date(.epochSeconds) or .uuid"
            throw QueryError(.kindMismatch, message, at: origin, hint: hint)
        }
        switch value {
        case .null, .list, .object: return nil
        case .shape: throw unsupported("shapes are not supported in SQL", at: origin)
        case .bool(let flag):
            assume(.bool, of: node)
            return StoredConstant(value: .int(flag ? 1 : 0), form: .truth)
        case .int: return StoredConstant(value: value, form: .number)
        case .double(let number): return number.isNaN ? nil : StoredConstant(value: value, form: .number)
        case .string: return StoredConstant(value: value, form: .text)
        case .date(let milliseconds):
            guard node.type == .any || node.type.kind == .date else { return nil }
            if case .known(let kind) = node.kinds, kind != .date { return nil }
            return try storedDate(milliseconds, node, origin)
        case .data:
            let way = "compare with the text that the JSON holds, or declare the field in a schema"
            if case .json = node.kinds { throw unsupported("JSON has no bytes to compare with", at: origin, hint: way) }
            return StoredConstant(value: value, form: .bytes)
        case .uuid(let uuid):
            if case .json = node.kinds, node.type != .uuid {
                let hint = "declare the field as a uuid in the schema, or compare with its text"
                throw unsupported("JSON has no UUIDs to compare with", at: origin, hint: hint)
            }
            assume(.uuid, of: node)
            return StoredConstant(value: .string(uuid.uuidString.lowercased()), form: .text)
        }
    }

    /// A plain column keeps bools as numbers and UUIDs as texts, so without a schema it is taken to hold nothing else.
    private func assume(_ kind: Kind, of node: Node) {
        if node.isUndeclared, let name = node.assumedName { assume(.kind(name.joined(separator: "."), kind)) }
    }

    private func storedDate(_ instant: Int64, _ node: Node, _ origin: Origin) throws(QueryError) -> StoredConstant {
        if case .date(let encoding) = node.type, encoding != .native {
            let value = encoding.compared(instant)
            if case .string = value { return StoredConstant(value: value, form: .text, isDateText: true) }
            return StoredConstant(value: value, form: .number)
        }
        if node.type == .any { assume(try .date(at: node.assumedName, .iso8601Milliseconds, origin)) }
        let value = DateEncoding.iso8601Milliseconds.compared(instant)
        return StoredConstant(value: value, form: .text, isDateText: true)
    }

    /// SQL that is true if the node's value is of the constant's kind; nil if it always is.
    func kindTest(_ node: Node, _ kind: Kind, _ form: StoredConstant.Form) -> SQLText? {
        switch node.kinds {
        case .known(let known): return known == kind ? nil : .zero
        case .storage:
            let type = SQLText.call("typeof", node.value)
            if node.mayHoldTexts, kind != .number, kind != .string, kind != .data { return .zero }
            switch form {
            case .number: return type.isOne(of: ["integer", "real"])
            case .truth: return type.isOne(of: ["integer"])
            case .text: return type.isOne(of: ["text"])
            case .bytes: return type.isOne(of: ["blob"])
            }
        case .json(let type):
            if node.type.keptAsOther != nil, kind == .string || kind == .number { return .zero }
            switch form {
            case .number: return type.isOne(of: ["integer", "real"])
            case .truth: return type.isOne(of: ["true", "false"])
            case .text: return type.isOne(of: ["text"])
            case .bytes: return .zero
            }
        }
    }

    /// The kind as text, equal for equal kinds, NULL for nil: `real`, `text`, `true`, `array`, `object`, `blob`.
    func kindText(_ node: Node) -> SQLText {
        switch node.kinds {
        case .json(let type):
            return .choice(of: type, keptKinds(node) + [(["false"], .literal("true")), (["null"], .null)], else: type)
        case .storage:
            let type = SQLText.call("typeof", node.value)
            return .choice(of: type, [(["integer"], .literal("real")), (["null"], .null)], else: type)
        case .known(let kind):
            if node.isRow { return .literal("object") }
            return .choice([(node.value.followed(by: "IS NOT NULL"), .literal(Self.kindWord(kind)))])
        }
    }

    /// The kinds of texts and numbers in JSON: dates and UUIDs if they are declared and in their form (S5).
    private func keptKinds(_ node: Node) -> [(when: [String], then: SQLText)] {
        let number: [(when: [String], then: SQLText)] = [(["integer"], .literal("real"))]
        guard case .date(let encoding) = node.type else {
            return node.type == .uuid ? [(["text"], .literal(Kind.uuid.rawValue))] + number : number
        }
        let date = SQLText.literal(Kind.date.rawValue)
        if encoding.storedForm.isText {
            let isDate = isDateText(node, encoding)
            return [(["text"], .choice([(isDate, date)], else: .literal("text")))] + number
        }
        return [(["integer", "real"], date)]
    }

    private static func kindWord(_ kind: Kind) -> String {
        switch kind {
        case .number: "real"
        case .string: "text"
        case .bool: "true"
        case .data: "blob"
        case .list: "array"
        case .null, .date, .uuid, .object, .shape: kind.rawValue
        }
    }

    /// The text folded by `[c]` and `[d]`, with literal flags in a fixed order so that expression indexes match (T7).
    func folded(_ value: SQLText, _ options: StringOptions) -> SQLText {
        options.folding.isEmpty
            ? value : call(dialect.foldFunction ?? "fold", .literal(options.folding.text), value)
    }

    func assumeSingle(_ node: Node) {
        guard node.type == .any, !node.isPresent, let name = node.name, !name.isEmpty else { return }
        assume(.single(name.joined(separator: ".")))
    }
}

extension Assumption {
    /// Records that a path of no declared type holds ISO dates in a form (S5); throws if there is no path to name.
    static func date(at path: [String]?, _ form: DateForm, _ origin: Origin) throws(QueryError) -> Assumption {
        guard let path else {
            throw QueryError(
                .unsupported,
                "it is unknown whether this value is a date",
                at: origin,
                hint: "declare the field as a date in a schema"
            )
        }
        return .date(path.joined(separator: "."), form)
    }
}

extension Variable {
    /// The element of a quantified list; no query can name it.
    static let element = Variable("\u{0}element")
}

extension Comparison {
    /// A quantified comparison applied to one element of its list (S10).
    var ofElement: Comparison {
        var plain = self
        plain.quantifier = nil
        plain.left = .variable(.element, left.origin)
        return plain
    }
}
