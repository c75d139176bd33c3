import QueryMeaning
import QueryTree
import QueryValues

extension SQLWriter {
    /// A node compared with a date, if its texts may be dates in any form: its text's date, NULL if none.
    ///
    /// A node in a known form is returned unchanged (S5).
    func dated(_ node: Node, beside value: QueryValue, _ origin: Origin) throws(QueryError) -> Node {
        guard case .date = value, !node.isRow, !origin.isOfOwnKind else { return node }
        if origin.isOfOrder, node.type.kind != .date { return node }
        guard let readsAsDate = node.readsAsDate else {
            let hint = "convert each of them: CAST(…, 'NSDate')"
            throw unsupported("only some of the texts that this chooses from can be dates", at: origin, hint: hint)
        }
        switch (node.type, node.kinds) {
        case (.any, .json), (.any, .storage): assume(try .date(at: node.assumedName, .iso8601, origin))
        case (.any, .known(.string)) where node.isPresent || readsAsDate: break
        // A column declared TEXT, which guarantees nothing about dates.
        case (.string, .known(.string)) where readsAsDate || !node.isComputed && !believesTexts: break
        case (.date(.native), _) where !node.isComputed, (.date(.iso8601), _): break
        default: return node
        }
        guard let function = dialect.dateFunction else { return node }
        var dated = node
        dated.value = call(function, node.asStored ?? node.value)
        dated.kinds = .known(.date)
        dated.type = .date(.iso8601Milliseconds)
        dated.isPresent = false
        return dated
    }

    /// A date in any ISO 8601 form converted to the form that sorts; other values unchanged.
    func inOneForm(_ node: Node) -> Node {
        guard case .date(.iso8601) = node.type, let function = dialect.dateFunction else { return node }
        var read = node
        read.asStored = node.value
        read.value = .call("ifnull", call(function, node.value), node.value)
        return read
    }

    /// Two dates stored in different forms, both as milliseconds; nil for anything else (S5).
    func datesOfTwoForms(_ left: Node, _ right: Node) -> (Node, Node)? {
        guard case .date(let a) = left.type, case .date(let b) = right.type, a.storedForm != b.storedForm else {
            return nil
        }
        if a.isText, b.isText, let first = sortableText(left, a), let second = sortableText(right, b) {
            return (first, second)
        }
        return (milliseconds(left, a.storedForm), milliseconds(right, b.storedForm))
    }

    /// True for a text that is a date in the field's form.
    func isDateText(_ node: Node, _ encoding: DateEncoding) -> SQLText {
        let isOfAnyForm = node.type == .date(.iso8601) && node.isComputed
        if let stored = node.asStored ?? (isOfAnyForm ? node.value : nil), let function = dialect.dateFunction {
            return call(function, stored).followed(by: "IS NOT NULL")
        }
        switch encoding {
        case .iso8601Seconds: return isUnchanged(node.value, as: "%Y-%m-%dT%H:%M:%SZ")
        case .iso8601Date: return isUnchanged(node.value, as: "%Y-%m-%d")
        case .native, .iso8601, .iso8601Milliseconds, .sqliteText, .epochSeconds, .epochMilliseconds:
            return .compare(node.value, "GLOB", .literal(encoding.textForm))
        }
    }

    /// True for a text that is unchanged when parsed and written as a date: no 30 February and no hour 24.
    private func isUnchanged(_ text: SQLText, as form: String) -> SQLText {
        // SQLite normalizes days and hours only with a modifier.
        .compare(text, "=", .call("strftime", .literal(form), text, .literal("+0 seconds")))
    }

    /// A date stored as text in the form that sorts, NULL for other texts; nil if the store cannot read dates.
    func sortableText(_ node: Node, _ encoding: DateEncoding) -> Node? {
        guard let function = dialect.dateFunction else { return nil }
        var date = node
        date.value = call(function, node.asStored ?? node.value)
        if node.asStored == nil { date.value = .choice([(isDateText(node, encoding), date.value)]) }
        return date
    }

    /// The date as milliseconds since 1970; NULL if it does not decode.
    private func milliseconds(_ node: Node, _ encoding: DateEncoding) -> Node {
        let value: SQLText
        switch encoding {
        case .iso8601Seconds, .iso8601Date:
            let seconds = SQLText.call("strftime", .literal("%s"), node.value).cast(to: "INTEGER")
            let whole = SQLText.infix(seconds, "*", .number(1000), .product)
            value = .choice([(isDateText(node, encoding), whole)])
        case .iso8601, .iso8601Milliseconds, .sqliteText, .native:
            let seconds = SQLText.call("strftime", .literal("%s"), node.value).cast(to: "INTEGER")
            let rest = SQLText.call("substr", node.value, .number(21), .number(3)).cast(to: "INTEGER")
            let whole = SQLText.infix(.infix(seconds, "*", .number(1000), .product), "+", rest, .sum)
            var forms = [(SQLText.compare(node.value, "GLOB", .literal(encoding.textForm)), whole)]
            if node.type == .date(.iso8601) {
                forms.append((.compare(node.value, "GLOB", .literal("[!:]*")), beyondYears(node.value)))
            }
            value = .choice(forms)
        case .epochMilliseconds:
            value = numeric(asNumber(node))
        case .epochSeconds:
            value = .call("floor", .infix(numeric(asNumber(node)), "*", .number(1000), .product))
        }
        return Node(value: value, kinds: .known(.number), type: .int, isComputed: true)
    }

    /// The milliseconds of a text for a date outside the years 0 to 9999: its digits, less those of 1970.
    private func beyondYears(_ text: SQLText) -> SQLText {
        func digits(from first: Int, less zero: String) -> SQLText {
            let part = SQLText.call("substr", text, .number(first), .number(10)).cast(to: "INTEGER")
            return .infix(part, "-", .word(zero), .sum).parenthesized
        }
        let high = SQLText.infix(digits(from: 2, less: "922337203"), "*", .word("10000000000"), .product)
        return .infix(high, "+", digits(from: 12, less: "6854775808"), .sum)
    }

    private func asNumber(_ node: Node) -> Node {
        var number = node
        number.type = .double
        if case .known = node.kinds { number.kinds = .known(.number) }
        return number
    }
}
