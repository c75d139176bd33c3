import QueryTree
import QueryValues

extension Query {
    /// ``warnings``, and comparisons that some rows show to be of two kinds, which are never equal and have no order (S2).
    ///
    ///     let rows: [Document] = [["age": "30", "tags": ["a"]], ["age": "5"]]
    ///     let warnings = try Query(format: "age > 10 OR tags == 'a'").warnings(seeing: rows)
    ///     warnings.map(\.message)
    ///     // → ["age holds text in the rows seen, and is compared with a number", …]
    ///     warnings.last?.hint  // → write ANY, ALL or NONE in front of the comparison
    ///
    /// A schema says what fields hold, so that ``problems()`` has such mistakes; then nothing is looked at.
    ///
    /// - Parameter rows: some rows of those that are asked, or all.
    /// - Returns: warnings of code `unlikely`, with a fix where one text has to be replaced.
    /// - Complexity: O(comparisons × rows).
    public func warnings(seeing rows: [Document]) -> [QueryError] {
        guard schema == nil else { return warnings }
        return warnings + kindWarnings(seeing: rows)
    }

    private func kindWarnings(seeing rows: [Document]) -> [QueryError] {
        condition.nodes.compactMap { node in
            if case .condition(.comparison(let comparison)) = node { comparison.warning(seeing: rows) } else { nil }
        }
    }

    /// Numbers beside truth values of a table that was made of rows, where no number is one (S2).
    var plainFieldWarnings: [QueryError] {
        let bools = schema?.fields.filter { $0.type == .bool && schema?.plainFields.contains($0.name) == true } ?? []
        return bools.isEmpty ? [] : kindWarnings(seeing: [Document(pairs: bools.map { ($0.name, .bool(true)) })])
    }
}

extension Comparison {
    fileprivate func warning(seeing rows: [Document]) -> QueryError? {
        let (field, other) = left.constantValue == nil ? (left, right) : (right, left)
        guard case .field(let path, let place) = field, !path.keys.isEmpty, let constant = other.constantValue,
            let wanted = kinds(meeting: constant, isLeft: left.constantValue == nil)
        else { return nil }
        var found: Set<Kind> = []
        for row in rows {
            found.formUnion(QueryValue.object(row).kinds(at: path.keys[...], ofElements: quantifier != nil))
        }
        found.remove(.null)
        guard !found.isEmpty, found.isDisjoint(with: wanted),
            let kind = wanted.sorted(by: { $0.rawValue < $1.rawValue }).last
        else { return nil }
        // A text may be a date or a UUID (S5).
        if found.contains(.string), wanted.contains(.date) || wanted.contains(.uuid) { return nil }
        let held = found.map(\.plural).sorted().joined(separator: " and ")
        let repair = repair(path, found, constant, place, other.origin)
        return QueryError(
            .unlikely,
            "\(path.dotted) holds \(held) in the rows seen, and is compared with \(kind.single)",
            at: place.range == nil ? origin : place,
            hint: repair.hint,
            fix: repair.fix
        )
    }

    /// The kinds of values that the field would have to hold; nil where any may do.
    private func kinds(meeting constant: QueryValue, isLeft: Bool) -> Set<Kind>? {
        switch self.operator.leftSide {
        case .ofKind: return constant.isNull ? nil : [constant.kind]
        case .ofElements:
            guard isLeft, case .list(let elements) = constant, !elements.isEmpty else { return nil }
            return elements.contains(where: \.isNull) ? nil : Set(elements.map(\.kind))
        case .text: return isLeft ? [.string] : nil
        case .textOrList: return isLeft ? [.string, .list] : nil
        case .place: return nil
        }
    }

    /// What to write instead.
    private func repair(
        _ path: FieldPath,
        _ found: Set<Kind>,
        _ constant: QueryValue,
        _ place: Origin,
        _ constantPlace: Origin
    ) -> (hint: String, fix: QueryError.Fix?) {
        func replaced(_ origin: Origin, _ text: String) -> (String, QueryError.Fix?) {
            ("write " + text, origin.range.map { QueryError.Fix(range: $0, replacement: text) })
        }
        if found == [.list] {
            let start = origin.range.map { $0.lowerBound..<$0.lowerBound }
            return (
                "write ANY, ALL or NONE in front of the comparison",
                start.map { QueryError.Fix(range: $0, replacement: "ANY ") }
            )
        }
        switch (found.count == 1 ? found.first : nil, constant) {
        case (.bool, .int(let number)) where number == 0 || number == 1:
            return replaced(constantPlace, number == 1 ? "TRUE" : "FALSE")
        case (.number, .string(let text)) where self.operator.leftSide == .ofKind && Double(text) != nil:
            return replaced(constantPlace, text)
        case (.string, .int), (.string, .double):
            var written = FormatWriter()
            written.write(Term.cast(.field(path, .none), .number, .none))
            return replaced(place, written.text)
        default: break
        }
        return ("values of two kinds are never equal, and have no order", nil)
    }
}

extension Kind {
    /// Several values of the kind, in messages.
    fileprivate var plural: String {
        switch self {
        case .null: "nil"
        case .bool: "truth values"
        case .number: "numbers"
        case .string: "text"
        case .date: "dates"
        case .data: "bytes"
        case .uuid: "UUIDs"
        case .list: "lists"
        case .object: "objects"
        case .shape: "shapes"
        }
    }

    fileprivate var single: String {
        switch self {
        case .null, .string, .data: plural
        case .bool: "a truth value"
        case .number: "a number"
        case .date: "a date"
        case .uuid: "a UUID"
        case .list: "a list"
        case .object: "an object"
        case .shape: "a shape"
        }
    }
}

extension QueryValue {
    /// The kinds at a path; a list on the way makes a list (S9), whose elements a quantifier looks at.
    fileprivate func kinds(at keys: ArraySlice<String>, ofElements: Bool) -> Set<Kind> {
        if case .list(let elements) = self, ofElements || !keys.isEmpty {
            if !ofElements { return [.list] }
            return elements.reduce(into: []) { $0.formUnion($1.kinds(at: keys, ofElements: true)) }
        }
        guard let key = keys.first else { return [kind] }
        guard case .object(let object) = self, let value = object[key] else { return [] }
        return value.kinds(at: keys.dropFirst(), ofElements: ofElements)
    }
}
