import QueryTree
import QueryValues

// Order between two terms: `< <= > >=` (S2, S3, S7).

extension SQLWriter {
    /// True for a cursor's constant beside a column that SQLite sorts by its stored values of all kinds, as S22 does.
    func isAsStored(_ origin: Origin, _ node: Node, _ options: StringOptions = []) -> Bool {
        guard origin.isOfOrder, !node.isComputed else { return false }
        switch node.kinds {
        case .json: return false
        case .storage: return options.folding.isEmpty
        case .known(let kind): return kind != .date && kind != .uuid && (kind != .string || options.folding.isEmpty)
        }
    }

    func ordered(_ node: Node, _ test: OrderTest, _ value: QueryValue, _ origin: Origin) throws(QueryError) -> Leaf {
        let (relation, options) = (test.relation, test.options)
        if case .bool = value, !isAsStored(origin, node, options) {
            // FALSE is below TRUE, and what else a column declared BOOLEAN lets in is neither.
            let truths: [QueryValue] = [.bool(false), .bool(true)]
            let found = truths.filter { $0.order(relativeTo: value).map(relation.accepts) ?? false }
            return try oneOf(ConstantList(values: found, options: [], meaning: .nullOrAbsent, origin: origin), node)
        }
        let node = try dated(node, beside: value, origin)
        guard !node.isRow, let constant = try stored(value, for: node, origin) else { return .never }
        if let numbers = orderedNumbers(node, relation, constant) { return Leaf(numbers) }
        let isAbove = relation == .greater || relation == .greaterOrEqual
        if origin.isOfOrder, origin.isOfAnyKind, !isAbove, case .known(.date) = node.kinds {
            // What is no date sorts below all dates.
            let above = OrderTest(relation: relation == .less ? .greaterOrEqual : .greater, options: options)
            return try ordered(node, above, value, origin).reversed
        }
        if isAsStored(origin, node, options) {
            return Leaf(node.value, relation.sql, constant.value, opposite: relation.oppositeSQL, orNil: isAbove)
        }
        let test = kindTest(node, value.kind, constant.form)
        if let test, test.isFalse { return .never }
        if node.mayHoldTexts, constant.form == .number {
            // Texts are above all numbers, and on pages above dates that are numbers.
            if isAbove, !origin.isOfOrder {
                return Leaf(.all(.compare(node.value, relation.sql, .bind(constant.value)), Self.isNumber(node.value)))
            }
            return Leaf(node.value, relation.sql, constant.value, opposite: relation.oppositeSQL, orNil: true)
        }
        var subject = known(node, value.kind, options)
        var bound = constant.value
        if case .string(let text) = value { bound = .string(options.folded(text)) }
        if case .storage = node.kinds, case .string(let text) = bound, text.looksNumeric {
            subject = subject.withoutAffinity
        }
        if test == nil, subject.need <= 1 {
            return Leaf(subject, relation.sql, bound, opposite: relation.oppositeSQL, orNil: !node.isPresent)
        }
        let compared = SQLText.compare(subject, relation.sql, .bind(bound))
        guard let test else {
            let near = isAbove ? nearDates(node, from: value) : nearDates(node, to: value)
            return Leaf(.all(near, compared), fails: compared.isNotTrue)
        }
        if constant.isDateText, case .json = node.kinds {
            return Leaf(.all(compared, test, isDateText(node, node.type.dateEncoding)))
        }
        return Leaf(.all(compared, test))
    }

    /// Compares a JSON value with a number without `json_type`, if no value of another kind can pass.
    ///
    /// SQL orders texts above all numbers, and bools are 1 and 0. So nothing else is below 0 or between 1 and infinity;
    /// a value greater than a number is at least the next double, because no int lies between the two.
    private func orderedNumbers(_ node: Node, _ relation: Comparison.Operator, _ constant: StoredConstant) -> SQLText? {
        guard case .json = node.kinds, constant.form == .number, let number = constant.value.doubleValue else {
            return nil
        }
        switch relation {
        case .less where number <= 0: return .compare(node.value, "<", .bind(constant.value))
        case .lessOrEqual where number < 0: return .compare(node.value, "<=", .bind(constant.value))
        case .greaterOrEqual where number > 1: return .between(node.value, .bind(constant.value), Self.infinity)
        case .greater where number >= 1 && number < 0x1p52:
            return .between(node.value, .bind(.double(number.nextUp)), Self.infinity)
        default: return nil
        }
    }

    /// True for the numbers of a column of numbers and texts, which are above all numbers.
    static func isNumber(_ column: SQLText) -> SQLText { .compare(column, "<=", infinity) }

    /// Texts are compared with each other, as are numbers.
    private static func areAlike(_ left: Node, _ right: Node) -> SQLText {
        .compare(isNumber(left.value).parenthesized, "=", isNumber(right.value).parenthesized)
    }

    /// A test of texts that an index of them answers, and that all dates pass between two dates or on one side of one.
    ///
    /// Zones move texts by less than two days, and years beyond four digits begin with a sign. Always true where texts
    /// have no known order.
    func nearDates(_ node: Node, from low: QueryValue? = nil, to high: QueryValue? = nil) -> SQLText {
        guard let column = node.asStored, !node.isComputed else { return .one }
        func day(_ value: QueryValue?, _ days: Int64) -> SQLText? {
            guard case .date(let instant)? = value, Self.fourDigitYears.contains(instant) else { return nil }
            return .literal(DateText.iso8601Date(instant + days * CivilDate.millisecondsPerDay))
        }
        switch (day(low, -2), day(high, 2)) {
        case (let low?, let high?): return .between(column, low, high)
        case (let low?, nil): return .some(.compare(column, ">=", low), .compare(column, "<", .literal("/")))
        case (nil, let high?): return .compare(column, "<=", high)
        case (nil, nil): return .one
        }
    }

    /// Whole years, less two days at both ends: 0001 to 9998.
    private static let fourDigitYears = Int64(-62_135_596_800_000)...253_370_764_800_000

    func ordered(_ left: Node, _ test: OrderTest, _ right: Node, _ origin: Origin) -> Leaf {
        let (word, options) = (test.relation.sql, test.options)
        let bothNil = SQLText.all(left.value.followed(by: "IS NULL"), right.value.followed(by: "IS NULL"))
        let compared: SQLText
        if let (a, b) = datesOfTwoForms(left, right) {
            compared = .compare(a.value, word, b.value)
        } else if case .known(let kind) = left.kinds, case .known(let other) = right.kinds {
            guard kind == other, kind != .list, kind != .object else {
                return test.holdsForNils ? .twoValued(bothNil) : .never
            }
            let values = SQLText.compare(known(left, kind, options), word, known(right, kind, options))
            compared = left.mayHoldTexts || right.mayHoldTexts ? .all(values, Self.areAlike(left, right)) : values
        } else if left.holdsNumbers, right.holdsNumbers, options.folding.isEmpty {
            compared = .all(.compare(left.value, word, right.value), Self.areAlike(left, right))
        } else {
            let values = SQLText.compare(comparable(left, options), word, comparable(right, options))
            compared = .all(values, haveOrder(left, right))
        }
        return Leaf(test.holdsForNils ? .some(compared, bothNil) : compared)
    }
}

extension Comparison.Operator {
    /// True for `<=` and `>=`.
    var includesEqual: Bool { self == .lessOrEqual || self == .greaterOrEqual }

    /// The SQL operator of an ordering.
    var sql: String { words.holds }

    /// The SQL operator of the ordering that holds when this one does not.
    var oppositeSQL: String { words.fails }

    private var words: (holds: String, fails: String) {
        switch self {
        case .less: ("<", ">=")
        case .lessOrEqual: ("<=", ">")
        case .greater: (">", "<=")
        case .greaterOrEqual: (">=", "<")
        case .equal, .notEqual, .between, .in, .contains, .beginsWith, .endsWith, .like, .matches, .geoWithin:
            ("=", "<>")
        }
    }
}
