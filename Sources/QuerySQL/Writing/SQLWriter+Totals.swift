import QueryTree
import QueryValues

// Sums, averages and medians of a collection's numbers (S18).

extension SQLWriter {
    /// The sum of the numbers of a chain; 0 for none.
    func sum(_ chain: Collection) -> Node {
        let sum = Self.exactSum(.word("v"))
        return .number(.select(SQLSelect([sum], from: [numbers(chain)])), read(chain.element).type)
    }

    /// The numbers of a chain as rows with one column, `v`.
    private func numbers(_ chain: Collection) -> SQLText {
        let node = read(chain.element)
        let value = numeric(node)
        // With a limit SQLite materializes the rows and reads each number once, rather than once for each sum.
        let isRead = if case .json = node.kinds { true } else { false }
        return select([value.named("v")], from: chain, limit: isRead ? .number(-1) : nil)
    }

    /// A sum that stays an int while all numbers are, and becomes a double instead of overflowing (S17, T19).
    ///
    /// Ints are added separately from doubles, as in memory.
    static func exactSum(_ value: SQLText) -> SQLText {
        let isReal = isOf("real", value)
        let hasReals = SQLText.compare(.call("total", isReal), ">", .zero)
        let doubles = SQLText.call("total", .infix(isReal.parenthesized, "*", value, .product))
        return .infix(.call("coalesce", wholeSum(value), .zero), "+", .choice([(hasReals, doubles)], else: .zero), .sum)
    }

    private static func isOf(_ kind: String, _ value: SQLText) -> SQLText {
        .compare(.call("typeof", value), "=", .literal(kind))
    }

    /// The sum of the ints by their halves; NULL for no numbers.
    ///
    /// The carry of the lower halves is added to the upper ones first: only a sum that is too large overflows.
    private static func wholeSum(_ value: SQLText) -> SQLText {
        let isWhole = isOf("integer", value).parenthesized
        func half(_ word: String, _ number: Int) -> SQLText {
            let bits = SQLText.infix(value, word, .number(number), .bits).parenthesized
            return .call("sum", .infix(isWhole, "*", bits, .product))
        }
        let (upper, low) = (half(">>", 32), half("&", 4_294_967_295))
        let carried = SQLText.infix(low, ">>", .number(32), .bits).parenthesized
        let high = SQLText.infix(upper, "+", carried, .sum)
        let rest = SQLText.infix(low, "&", .number(4_294_967_295), .bits).parenthesized
        return .infix(.infix(high.parenthesized, "*", .number(4_294_967_296), .product), "+", rest, .sum)
    }

    /// An average, from the exact sum if there are ints; NULL for none.
    static func exactMean(_ value: SQLText) -> SQLText {
        let count = SQLText.call("count", value)
        let areReal = SQLText.compare(.call("total", isOf("real", value)), "=", count)
        let mean = SQLText.infix(.infix(exactSum(value), "*", .word("1.0"), .product), "/", count, .product)
        return .choice([(areReal, .call("avg", value))], else: mean)
    }

    /// The average of the numbers; NULL for none.
    func average(_ chain: Collection) -> Node {
        let mean = Self.exactMean(.word("v"))
        return .number(.select(SQLSelect([mean], from: [numbers(chain)])))
    }

    /// The middle number, or the average of the two in the middle; NULL for none.
    func median(_ chain: Collection) -> Node {
        let value = numeric(read(chain.element))
        var chain = chain
        chain.conditions.append(value.followed(by: "IS NOT NULL"))
        let rows = select([value.named("v"), Self.numbered(value), .word("count(*) OVER () AS n")], from: chain)
        let isMiddle = SQLText.word("i").isIn([.word("(n + 1) / 2"), .word("(n + 2) / 2")])
        return .number(.select(SQLSelect([.word(Self.middle)], from: [rows], where: isMiddle)))
    }

    private static let numbered: SQLForm = "row_number() OVER (ORDER BY {0}) AS i"
    /// Halves are added only if the sum of the two overflows a double, because half of the smallest double is 0.
    private static let middle =
        "CASE WHEN total(v) > -9e999 AND total(v) < 9e999 THEN avg(v) ELSE sum(v / (2.0 - n % 2)) END"
}

// MARK: In one walk

extension SQLWriter {
    /// A side of a comparison, where an int equals the double of the same value: sums and averages of JSON lists take
    /// the fast path while their numbers are small.
    func compared(_ term: Term, ordersContainers: Bool, _ scope: Scope) throws(QueryError) -> Operand {
        let side = try operand(term, ordersContainers: ordersContainers, scope)
        guard let asked = term.aggregation, [.sum, .average].contains(asked.aggregate),
            case .node(let exact, let origin) = side
        else { return side }
        let isMean = asked.aggregate == .average
        if let list = try numbers(of: asked.base, asked.path, scope) {
            return .node(try onePassTotal(list, isMean: isMean, else: exact), origin)
        }
        guard let (chain, number) = try columnNumbers(asked, scope) else { return side }
        return .node(onePassTotal(of: number, chain, isMean: isMean, else: exact), origin)
    }

    /// The rows of another table with a column of numbers that a schema declares, and what each adds to the sum.
    private func columnNumbers(_ asked: Aggregation, _ scope: Scope) throws(QueryError) -> (Collection, SQLText)? {
        guard case .field = asked.base, scope.results == nil, asked.path.keys.count == 1,
            let chain = try elements(asked.base, asked.path, asked.origin, scope), chain.link != nil
        else { return nil }
        let node = read(chain.element)
        guard node.json == nil, node.type == .int || node.type == .double else { return nil }
        let branches = Self.numbers(node.value, node.type == .int).map { (when: [$0.type], then: $0.value) }
        return (chain, .choice(of: .call("typeof", node.value), branches))
    }

    /// A list of numbers in JSON declared by a schema.
    private struct NumberList {
        var place: Place
        /// The key of its objects that holds the numbers; nil if its elements are numbers.
        var key: String?
        /// True if the schema declares them as ints.
        var isWhole: Bool

        init?(_ place: Place, _ key: String?, _ type: FieldType) {
            guard type == .int || type == .double else { return nil }
            self.place = place
            self.key = key
            isWhole = type == .int
        }
    }

    private func numbers(of base: Term, _ path: FieldPath, _ scope: Scope) throws(QueryError) -> NumberList? {
        guard case .field(let listed, let origin) = base, scope.results == nil else { return nil }
        let keys = listed.keys + path.keys
        if path.keys.isEmpty, let place = try place(of: base, scope) {
            guard case .json = place.site, case .list(let element) = place.type else { return nil }
            return NumberList(place, nil, element)
        }
        guard let key = keys.last, let place = try place(of: .field(FieldPath(keys: keys.dropLast()), origin), scope),
            let member = member(key, of: place)
        else { return nil }
        return NumberList(place, member.storedName, member.type)
    }

    /// The sum or average of a list's numbers by one `json_each` or `json_tree`, falling back to the exact one if that
    /// pass does not suffice: numbers that are not as declared, ints beyond 2^24, containers inside the list's objects,
    /// an object instead of the list.
    ///
    /// Each of these adds an infinity. Fewer than 2^29 numbers of 24 bits fit in one JSON text, so a double holds the
    /// sum of ints exactly; doubles are added in the same order as in memory.
    private func onePassTotal(_ list: NumberList, isMean: Bool, else exact: Node) throws(QueryError) -> Node {
        guard let json = read(list.place).json else { return exact }
        let alias = try alias("e")
        let walk = Collection(
            from: [.item(list.key == nil ? "json_each" : "json_tree", list.place.wholeText ?? json, alias)],
            element: list.place,
            isList: .one
        )
        let number = list.key.map { Self.number(alias, behind: $0, list.isWhole) } ?? Self.number(alias, list.isWhole)
        return onePassTotal(of: number, walk, isMean: isMean, else: exact)
    }

    private func onePassTotal(of number: SQLText, _ walk: Collection, isMean: Bool, else exact: Node) -> Node {
        let rows: SQLText
        if isMean {
            let numbers = select([number.named("v")], from: walk, limit: .number(-1))
            rows = .select(SQLSelect([.word("total(v) AS s"), .word("count(v) AS n")], from: [numbers]))
        } else {
            rows = select(.call("total", number).named("s"), walk)
        }
        let isShort = SQLText.compare(.word("s"), "<", Self.infinity)
        let sum = SQLText.choice([(isShort, .word(isMean ? "s / n" : "s"))], else: exact.value)
        return .number(.select(SQLSelect([sum], from: [rows])))
    }

    static let infinity = SQLText.word("9e999")

    /// What a row of `json_each` adds to the sum of a list.
    ///
    /// Indexes sort below all texts; the values of an object have text keys, a single value has none.
    private static func number(_ alias: String, _ isWhole: Bool) -> SQLText {
        let (type, value) = (SQLText.column(of: alias, "type"), SQLText.column(of: alias, "value"))
        let branches = numbers(value, isWhole).map { (when: [$0.type], then: $0.value) }
        let isElement = SQLText.compare(.column(of: alias, "key"), "<", .literal(""))
        return .choice([(isElement, .choice(of: type, branches))])
    }

    /// What a row of `json_tree` adds to the sum of the numbers under a key of a list's objects.
    private static func number(_ alias: String, behind name: String, _ isWhole: Bool) -> SQLText {
        let (type, key) = (SQLText.column(of: alias, "type"), SQLText.column(of: alias, "key"))
        let numbers = numbers(.column(of: alias, "atom"), isWhole)
        return .choice(
            of: type,
            [
                (["object"], .choice([(.compare(key, "<", .literal("")), .null)], else: infinity)),
                (["array"], .choice([(key.followed(by: "IS NOT NULL"), infinity)])),
            ] + numbers.map { (when: [$0.type], then: .choice(of: key, [([name], $0.value)])) }
        )
    }

    /// What numbers of each kind add: an infinity if they are not as declared.
    private static func numbers(_ value: SQLText, _ isWhole: Bool) -> [(type: String, value: SQLText)] {
        guard isWhole else { return [("real", value), ("integer", infinity)] }
        let isSmall = SQLText.between(value, .number(-16_777_216), .number(16_777_216))
        return [("integer", .choice([(isSmall, value)], else: infinity)), ("real", infinity)]
    }
}
