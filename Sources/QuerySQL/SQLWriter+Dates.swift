import QuerySyntax

extension SQLWriter {
    /// Two dates that the store keeps in different forms, both as milliseconds; nil for anything else (S5).
    func datesOfTwoForms(_ left: Node, _ right: Node) -> (Node, Node)? {
        guard case .date(let a) = left.type, case .date(let b) = right.type, a.storedForm != b.storedForm else {
            return nil
        }
        return (milliseconds(left, a.storedForm), milliseconds(right, b.storedForm))
    }

    /// The date as milliseconds since 1970; NULL for what does not decode.
    private func milliseconds(_ node: Node, _ encoding: DateEncoding) -> Node {
        let value: SQLText
        switch encoding {
        case .iso8601, .sqliteText, .native:
            let seconds = SQLText.call("strftime", .literal("%s"), node.value).cast(to: "INTEGER")
            let rest = SQLText.call("substr", node.value, .number(21), .number(3)).cast(to: "INTEGER")
            let whole = SQLText.infix(.infix(seconds, "*", .number(1000), .product), "+", rest, .sum)
            value = .choice([(.compare(node.value, "GLOB", .literal(Self.dateForm(encoding))), whole)])
        case .epochMilliseconds:
            value = numeric(asNumber(node))
        case .epochSeconds:
            value = .call("floor", .infix(numeric(asNumber(node)), "*", .number(1000), .product))
        }
        return Node(value: value, kinds: .known(.number), type: .int, isComputed: true)
    }

    private func asNumber(_ node: Node) -> Node {
        var number = node
        number.type = .double
        if case .known = node.kinds { number.kinds = .known(.number) }
        return number
    }
}

extension DateEncoding {
    /// The form that SQL keeps: it has no dates of its own.
    var storedForm: DateEncoding { self == .native ? .iso8601 : self }

    /// True when the store keeps text that sorts as the dates do.
    var isText: Bool { self == .iso8601 || self == .sqliteText }
}

extension FieldType {
    /// How SQL keeps the dates of a field; ISO text where nothing is declared (S5).
    var dateEncoding: DateEncoding {
        if case .date(let encoding) = self { encoding.storedForm } else { .iso8601 }
    }
}
