import QueryTree
import QueryValues

extension Query {
    /// The query with constants converted to their fields' kinds, checked against its schema.
    ///
    ///     let unchecked = Query(Field("agee") > 21, schema: schema)
    ///     try unchecked.checked()  // throws unknownField
    ///
    /// Without a schema, literals are still checked: BETWEEN's bounds, patterns, quantifiers over scalars.
    ///
    /// - Returns: the checked query (S2, S11).
    /// - Throws: the first of ``problems()``; `limit` for a tree higher than 1,000 levels.
    public func checked() throws(QueryError) -> Query {
        var copy = sortingByComputed
        copy.condition = try checkedCondition()
        if !computed.isEmpty { copy.computed = try checkedComputed() }
        for (position, key) in copy.order.enumerated() {
            guard let term = key.computed else { continue }
            let checked = try GroupKey(term, as: "").checked(TypeScope(row: rowType)) {
                $0.at(path: "order[\(position)]")
            }
            copy.order[position].computed = checked
        }
        if schema?.checked != nil, let problem = pathProblems().first { throw problem }
        return copy
    }

    /// The condition of ``checked()``, without checking order and fields.
    ///
    /// - Returns: the checked condition.
    /// - Throws: the condition's first mistake.
    package func checkedCondition() throws(QueryError) -> Condition {
        let known = schema?.checked
        let isHigh = StackRoom.isNeeded(for: condition)
        if isHigh, condition.isHigher(than: StackRoom.mostHeight) {
            throw QueryError(.limit, "the condition's tree is higher than \(StackRoom.mostHeight) levels")
        }
        // Most queries without a schema have nothing to check; finding that out is cheaper than rebuilding the tree.
        if known == nil, !isHigh, condition.isPlain { return condition }
        let (checked, problems) = condition.checked(TypeScope(row: known == nil ? .any : rowType))
        if let problem = problems.first { throw problem }
        return checked
    }

    /// Every independent mistake in the query, in text order; empty if it is valid.
    ///
    ///     Query(Field("agee") > 21 || Field("name") > 3, schema: schema).problems().map(\.code)
    ///     // → [unknownField, kindMismatch]
    ///
    /// - Returns: errors of codes `unknownField`, `kindMismatch`, `quantifier` and `pattern`.
    public func problems() -> [QueryError] {
        let scope = TypeScope(row: rowType)
        var problems = condition.checked(scope).problems
        for (position, field) in computed.enumerated() {
            do throws(QueryError) {
                _ = try field.key.checked(scope) { $0.ofComputedField(position) }
            } catch {
                problems.append(error)
            }
        }
        return problems + pathProblems()
    }

    /// The computed fields with constants converted to their fields' kinds.
    private func checkedComputed() throws(QueryError) -> [ComputedField] {
        let scope = TypeScope(row: rowType)
        var checked = computed
        for (position, field) in computed.enumerated() {
            checked[position].term = try field.key.checked(scope) { $0.ofComputedField(position) }
        }
        return checked
    }

    /// Unknown sort keys and fields.
    private func pathProblems() -> [QueryError] {
        let scope = TypeScope(row: rowType)
        let sorted = sortingByComputed.order.enumerated().compactMap { position, key in
            key.computed == nil ? scope.row.problem(with: key.path, "order", position) : nil
        }
        let shown = (fields ?? []).enumerated().compactMap { scope.row.problem(with: $1, "fields", $0) }
        return sorted + shown
    }
}

extension GroupKey {
    func checkHeight(_ placed: (QueryError) -> QueryError) throws(QueryError) {
        guard test.isHigher(than: StackRoom.mostHeight) else { return }
        let message = "the tree of a computed value is higher than \(StackRoom.mostHeight) levels"
        throw placed(QueryError(.limit, message))
    }

    /// The term with constants converted to their fields' kinds.
    func checked(_ scope: TypeScope, _ placed: (QueryError) -> QueryError) throws(QueryError) -> Term {
        try checkHeight(placed)
        return try StackRoom.run(for: test) { () throws(QueryError) in
            var checker = ConditionChecker(scope: scope)
            let checked = checker.check(term)
            if let problem = checker.problems.first { throw placed(problem) }
            return checked
        }
    }
}

extension Condition {
    /// The condition with constants converted where they can be, whatever mistakes it has.
    func converted(_ scope: TypeScope) -> Condition { checked(scope).condition }

    /// The condition with constants converted to their fields' kinds, and its mistakes in text order.
    func checked(_ scope: TypeScope) -> (condition: Condition, problems: [QueryError]) {
        StackRoom.run(for: self) {
            var checker = ConditionChecker(scope: scope)
            return (checker.check(self), checker.problems)
        }
    }
}

extension FieldType {
    /// The error for a path that the schema does not know, or nil.
    func problem(with path: FieldPath, _ list: String, _ place: Int) -> QueryError? {
        guard let unknown = unknownKey(of: path.keys, suggesting: place < 20) else { return nil }
        var error = unknown.error(at: .none)
        error.path = "\(list)[\(place)]"
        let isOfGroups =
            path.keys.count == 1
            && Reducer.Kind.named.contains { kind in
                path.keys[0] == kind.rawValue || path.keys[0].hasPrefix(kind.rawValue + "_")
            }
        if list == "order", isOfGroups {
            let own = "groups have an order of their own: grouped(by:computing:order:)"
            error.hint = error.hint.map { $0 + "; " + own } ?? own
        }
        return error
    }

    /// The first key of a path that the schema does not know, with a suggestion.
    package func unknownKey(of keys: [String], suggesting: Bool = true) -> UnknownKey? {
        guard resolve(keys) == nil else { return nil }
        // If a prefix is unknown, so is every longer one; the shortest is found by bisection.
        var (known, unknown) = (0, keys.count)
        while unknown - known > 1 {
            let middle = (known + unknown) / 2
            if resolve(Array(keys[..<middle])) == nil { unknown = middle } else { known = middle }
        }
        let owner = resolve(Array(keys[..<known]))?.type ?? self
        var names = suggesting ? owner.fieldNames : []
        let rest = keys[known...].joined(separator: ".") + "."
        let whole = names.first { $0.utf8.contains(UInt8(ascii: ".")) && rest.utf8.starts(with: ($0 + ".").utf8) }
        // What the next key enters has fields.
        if known + 1 < keys.count { names = names.filter { owner.resolve([$0])?.type.hasFields ?? true } }
        let longer = whole ?? names.first { $0.hasPrefix(keys[known]) && UnknownKey.written($0) != $0 }
        let relations = names.filter { $0.hasPrefix(keys[known] + "_by_") }.sorted { $0.precedesInUTF8($1) }
        var found = UnknownKey(position: known, keys: keys, owner: owner, longer: longer, relations: relations)
        if longer == nil, relations.isEmpty { found.suggestion = Suggestion.nearest(to: keys[known], among: names) }
        return found
    }
}

extension FieldType {
    /// True for the row of a table.
    fileprivate var isTable: Bool { if case .object(let schema) = self { schema.isOfTable } else { false } }

    /// True for types with keys: objects, and lists of them.
    fileprivate var hasFields: Bool {
        switch self {
        case .any, .object: true
        case .list(let element): element.hasFields
        case .bool, .int, .double, .string, .date, .data, .uuid, .objectID: false
        }
    }
}

/// A key that the schema does not know.
package struct UnknownKey {
    /// Its position in the path.
    package var position: Int
    /// The path.
    package var keys: [String]
    /// The type that should have the key.
    package var owner: FieldType
    /// A field that could have been meant.
    package var suggestion: String?
    /// A field of which the key is the beginning, up to a sign that a key cannot have unescaped: `E` of `E-Mail`.
    package var longer: String?
    /// The relations of which the key is the beginning, where several keys relate the same tables.
    package var relations: [String] = []

    /// A key as it is written in a path.
    fileprivate static func written(_ key: String) -> String {
        var text = ""
        KeyText.write(key, to: &text)
        return text
    }

    /// The error, at the key itself if the source text of the path is unescaped.
    package func error(at origin: Origin) -> QueryError {
        var error = QueryError(
            .unknownField,
            owner.hasFields
                ? "the \(owner.isTable ? "table has no column" : "schema has no field") "
                    + keys[...position].joined(separator: ".")
                : "\(owner.name) has no field \(keys[position])",
            at: origin,
            hint: longer.map {
                // %K splits a name at its dots.
                let other = $0.utf8.contains(UInt8(ascii: ".")) ? "" : ", or pass its name for %K"
                return "write the field \($0) as \(Self.written($0))\(other)"
            }
                ?? suggestion.map { "did you mean `\($0)`?" }
                ?? (relations.isEmpty ? nil : "write " + relations.joined(separator: " or "))
        )
        let known = keys[..<position].joined(separator: ".")
        let habit = position == keys.count - 1 && position > 0 ? owner.habit(keys[position], of: known) : nil
        if let habit { error.hint = "write " + habit.text }
        error.hint = error.hint ?? FieldPath(keys: keys).classHint
        guard let range = origin.range, range.count == keys.joined(separator: ".").utf8.count else { return error }
        let start = range.lowerBound + keys[..<position].reduce(0) { $0 + $1.utf8.count + 1 }
        let place = start..<start + keys[position].utf8.count
        error.range = place
        if let suggestion, keys[position].isTypo(of: suggestion) {
            error.fix = QueryError.Fix(range: place, replacement: suggestion)
        }
        if let habit, habit.isSure { error.fix = QueryError.Fix(range: range, replacement: habit.text) }
        return error
    }
}

extension String {
    /// True if a word surely means another: but for case it is the same, or after the first letter one letter is wrong,
    /// missing or too much, or two changed places.
    ///
    /// Digits and words of up to three letters differ on purpose: `x1` is no typo of `x2`, `lat` none of `lot`.
    package func isTypo(of other: String) -> Bool {
        let (own, others) = (Array(lowercased().utf8), Array(other.lowercased().utf8))
        let start = zip(own, others).prefix { $0 == $1 }.count
        let (left, right) = (own.dropFirst(start), others.dropFirst(start))
        let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        let (wrong, meant) = (left.dropLast(end), right.dropLast(end))
        if wrong.isEmpty, meant.isEmpty { return true }
        let isSwap = wrong.count == 2 && wrong.elementsEqual(meant.reversed())
        let isLetter = max(wrong.count, meant.count) == 1 && own.count > 3
        return start > 0 && (isSwap || isLetter) && (wrong + meant).allSatisfy { $0 > UInt8(ascii: "9") }
    }
}
