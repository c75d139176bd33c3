import QuerySyntax

// Sums, means and medians of a collection's numbers (S18).

extension SQLWriter {
    /// The sum of the numbers of a chain; 0 for none.
    func sum(_ chain: Chain) -> Node {
        let rows = numbers(chain)
        return .number(
            SQLText(
                "(SELECT " + Self.exactSum(SQLText("v")).text + " FROM " + rows.text + ")",
                rows.bindings,
                need: rows.need + 8
            ),
            read(chain.element).type
        )
    }

    /// The numbers of a chain as rows with one column, `v`.
    private func numbers(_ chain: Chain) -> SQLText {
        let node = read(chain.element)
        let value = numeric(node)
        let inner = SQLText("\(value.text) AS v", value.bindings, need: value.need)
        // With a limit SQLite keeps the rows apart and reads each number once, not once for each of the sums.
        let isRead = if case .json = node.kinds { true } else { false }
        return select(inner, chain, tail: isRead ? SQLText("LIMIT -1") : nil)
    }

    /// A sum that stays whole while every number is, and becomes a double instead of failing on overflow (S17, T19).
    static func exactSum(_ value: SQLText) -> SQLText {
        .choice([(hasReals(value), .call("total", value))], else: .call("coalesce", wholeSum(value), .zero))
    }

    private static func hasReals(_ value: SQLText) -> SQLText {
        let isReal = SQLText.compare(.call("typeof", value), "=", .literal("real"))
        return .compare(.call("total", isReal), ">", .zero)
    }

    /// The sum of whole numbers by their halves; NULL for none.
    ///
    /// What the lower halves carry goes to the upper ones first, so nothing but a sum that is too large leaves 64 bits.
    private static func wholeSum(_ value: SQLText) -> SQLText {
        let low = SQLText.call("sum", .infix(value, "&", .number(4_294_967_295), .bits))
        let carried = SQLText.infix(low, ">>", .number(32), .bits).parenthesized
        let high = SQLText.infix(.call("sum", .infix(value, ">>", .number(32), .bits)), "+", carried, .sum)
        let rest = SQLText.infix(low, "&", .number(4_294_967_295), .bits).parenthesized
        return .infix(.infix(high.parenthesized, "*", .number(4_294_967_296), .product), "+", rest, .sum)
    }

    /// The mean of the numbers; that of whole numbers by their exact sum; NULL for none.
    func average(_ chain: Chain) -> Node {
        let rows = numbers(chain)
        let value = SQLText("v")
        let ofWhole = SQLText.infix(
            .infix(Self.wholeSum(value).parenthesized, "*", SQLText("1.0"), .product),
            "/",
            .call("count", value),
            .product
        )
        let mean = SQLText.choice([(Self.hasReals(value), .call("avg", value))], else: ofWhole)
        return .number(
            SQLText("(SELECT " + mean.text + " FROM " + rows.text + ")", rows.bindings, need: rows.need + 12)
        )
    }

    /// The middle of the numbers, or the mean of the two in the middle; NULL for none.
    func median(_ chain: Chain) -> Node {
        let value = numeric(read(chain.element))
        var chain = chain
        chain.conditions.append(value.followed(by: "IS NOT NULL"))
        let numbered = SQLText(
            "\(value.text) AS v, row_number() OVER (ORDER BY \(value.text)) AS i, count(*) OVER () AS n",
            value.bindings + value.bindings,
            need: value.need + 8
        )
        let rows = select(numbered, chain)
        // Halves are added only where the sum of the two leaves the doubles: a half of the smallest one is 0.
        let middle =
            "CASE WHEN total(v) > -9e999 AND total(v) < 9e999 THEN avg(v) ELSE sum(v / (2.0 - n % 2)) END"
        return .number(
            SQLText(
                "(SELECT " + middle + " FROM " + rows.text + " WHERE i IN ((n + 1) / 2, (n + 2) / 2))",
                rows.bindings,
                need: rows.need + 8
            )
        )
    }
}

// MARK: In one walk

extension SQLWriter {
    /// A side of a comparison, where an int and the double of the same value are one: sums and means of lists in JSON take
    /// the short way while their numbers are small.
    func compared(_ term: Term, ordersContainers: Bool, _ scope: SQLScope) throws(QueryError) -> Operand {
        let side = try operand(term, ordersContainers: ordersContainers, scope)
        guard term.isComputed, case .node(let exact, let origin) = side, let total = term.total,
            let list = try list(of: total.base, total.path, scope)
        else { return side }
        return .node(try walked(list, isMean: total.isMean, else: exact), origin)
    }

    /// A list in JSON and the key that its objects are asked for; nil for lists that are not walked at once.
    private func list(
        of base: Term,
        _ path: FieldPath,
        _ scope: SQLScope
    ) throws(QueryError) -> (place: Place, key: String?)? {
        guard case .field(let listed, let origin) = base, scope.results == nil else { return nil }
        let keys = listed.keys + path.keys
        if let place = try place(of: .field(FieldPath(keys: keys), origin), scope) {
            guard path.keys.isEmpty, case .json = place.site, !place.isUncertain, !place.isScalar else { return nil }
            return (place, nil)
        }
        guard let key = keys.last, let place = try place(of: .field(FieldPath(keys: keys.dropLast()), origin), scope),
            let member = member(key, of: place)
        else { return nil }
        return (place, member.storedName)
    }

    /// The sum or mean of a list's numbers by one `json_each` or `json_tree`, and the exact one where that walk is not
    /// enough: whole numbers beyond 2^24, containers inside the list's objects, an object in place of the list.
    ///
    /// Each of these adds an infinity. Fewer than 2^29 numbers of 24 bits fit in one JSON text, so a double holds the sum of
    /// whole numbers; where one of them is a double, the exact way adds doubles too.
    private func walked(
        _ list: (place: Place, key: String?),
        isMean: Bool,
        else exact: Node
    ) throws(QueryError) -> Node {
        guard let json = read(list.place).json else { return exact }
        let alias = try alias("e")
        let walk = SQLText.item(list.key == nil ? "json_each" : "json_tree", list.place.wholeText ?? json, alias)
        let piece = list.key.map { Self.part(alias, behind: $0) } ?? Self.part(alias)
        let rows: SQLText
        if isMean {
            let parts = SQLText("(SELECT " + piece.text + " AS v FROM " + walk.text + " LIMIT -1)")
            rows = SQLText("(SELECT total(v) AS s, count(v) AS n FROM " + parts.text + ")", walk.bindings, need: 16)
        } else {
            rows = SQLText("(SELECT total(" + piece.text + ") AS s FROM " + walk.text + ")", walk.bindings, need: 12)
        }
        let short = isMean ? "s / n" : "s"
        return .number(
            SQLText(
                "(SELECT CASE WHEN s < 9e999 THEN " + short + " ELSE " + exact.value.text + " END FROM " + rows.text + ")",
                exact.value.bindings + rows.bindings,
                need: max(exact.value.need, rows.need + walk.need) + 10
            )
        )
    }

    /// What a row of `json_each` adds to the sum of a list.
    private static func part(_ alias: String) -> SQLText {
        let number = smallNumber(alias, "value")
        // Positions stand below all texts; the values of an object have keys that are texts, a single value has none.
        return SQLText("CASE WHEN \(alias).\"key\" < '' THEN \(number) END")
    }

    /// What a row of `json_tree` adds to the sum of the numbers behind a key of a list's objects.
    private static func part(_ alias: String, behind key: String) -> SQLText {
        let isKey = "CASE \(alias).\"key\" WHEN \(SQLText.quotedText(key)) THEN"
        return SQLText(
            """
            CASE \(alias)."type" \
            WHEN 'object' THEN CASE WHEN \(alias)."key" < '' THEN NULL ELSE 9e999 END \
            WHEN 'array' THEN CASE WHEN \(alias)."key" IS NOT NULL THEN 9e999 END \
            WHEN 'real' THEN \(isKey) \(alias)."atom" END \
            WHEN 'integer' THEN \(isKey) \(smallInteger(alias, "atom")) END END
            """
        )
    }

    private static func smallNumber(_ alias: String, _ column: String) -> String {
        """
        CASE \(alias)."type" WHEN 'real' THEN \(alias)."\(column)" \
        WHEN 'integer' THEN \(smallInteger(alias, column)) END
        """
    }

    private static func smallInteger(_ alias: String, _ column: String) -> String {
        """
        CASE WHEN \(alias)."\(column)" BETWEEN -16777216 AND 16777216 \
        THEN \(alias)."\(column)" ELSE 9e999 END
        """
    }
}

extension Term {
    /// The collection whose sum or mean the term is.
    fileprivate var total: (base: Term, path: FieldPath, isMean: Bool)? {
        switch self {
        case .aggregate(.sum, of: let base, let path, _): (base, path, false)
        case .aggregate(.average, of: let base, let path, _): (base, path, true)
        case .call(.sum, let arguments, _): arguments.first.map { ($0, FieldPath(keys: []), false) }
        case .call(.average, let arguments, _): arguments.first.map { ($0, FieldPath(keys: []), true) }
        default: nil
        }
    }
}
