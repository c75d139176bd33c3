import QueryTree
import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Query {
    /// ``warnings``, and comparisons of values that are of different kinds in the rows, so never equal or ordered.
    ///
    ///     let rows: [Document] = [["age": "30", "tags": ["a"]], ["age": "5"]]
    ///     let warnings = try Query(format: "age > 10 OR tags == 'a'").warnings(seeing: rows)
    ///     warnings.map(\.message)
    ///     // → ["age holds text in the rows seen, and is compared with a number", …]
    ///     warnings.last?.hint  // → write ANY, ALL or NONE in front of the comparison
    ///
    /// Declared kinds other than truth values are ignored: ``problems()`` reports such mistakes. See S2.
    ///
    /// - Parameter rows: a sample of the rows, or all of them.
    /// - Returns: warnings of code `unlikely`, with a fix where one text has to be replaced.
    /// - Complexity: O(comparisons × rows).
    public func warnings(seeing rows: [Document]) -> [QueryError] {
        let scope = TypeScope(schema)
        let wholes = condition.nodes.reduce(into: Set<Comparison>()) { wholes, node in
            guard case .condition(.comparison(let comparison)) = node, comparison.right.constantValue?.kind == .list
            else { return }
            if comparison.quantifier == nil { wholes.insert(comparison) }
        }
        let found = kindWarnings { comparison in
            // A filter of Mongo asks for a list as the whole, or as an element.
            var whole = comparison
            whole.quantifier = nil
            if comparison.quantifier != nil, wholes.contains(whole) { return nil }
            // SQLite keeps any text in a column of truth values.
            if comparison.loneContainer != nil { return nil }
            return comparison.warning(seeing: rows) { field in
                switch scope.type(of: field) {
                case .any, .bool: true
                // Where numbers may be in a list that is kept as text.
                case .string: comparison.isOfParts && field.holdsNoLists(in: rows)
                case .int, .double, .date, .data, .uuid, .objectID, .object, .list: false
                }
            }
                ?? comparison.totalWarning { base, path in
                    rows.contains { QueryValue.object($0).hasPoint(at: (base.keys + path.keys)[...]) }
                }
        }
        let known = rowlessWarnings
        // What is known of a table without rows is told once.
        let shown = found.filter { warning in
            !known.contains { $0.range == warning.range && $0.message == warning.message }
        }
        let ofDates = dateWarnings(seeing: rows).filter { misfit in !found.contains { $0.range == misfit.range } }
        let properties = [true, false].flatMap { propertyWarnings(seeing: rows, ofFields: $0) }
        return known + properties + shown + ofDates
            + readingCondition.nodes.compactMap { $0.listWarning(seeing: rows, scope) }
    }

    func kindWarnings(_ warning: (Comparison) -> QueryError?) -> [QueryError] {
        condition.nodes.compactMap { node in
            if case .condition(.comparison(let comparison)) = node { warning(comparison) } else { nil }
        }
    }

    /// Counts, totals and extremes of what a schema declares to be no list.
    var listWarnings: [QueryError] {
        let scope = TypeScope(schema)
        return schema == nil ? [] : readingCondition.nodes.compactMap { $0.listWarning(seeing: nil, scope) }
    }

    /// Sums of numbers that a schema declares to be doubles.
    var totalWarnings: [QueryError] {
        guard schema != nil else { return [] }
        let scope = TypeScope(schema)
        return kindWarnings { comparison in
            comparison.totalWarning { scope.type(of: .aggregate(.max, of: .field($0, .none), $1, .none)) == .double }
        }
    }

    /// Numbers beside truth values, and texts beside dates and UUIDs, of a table that was made of rows, where none is
    /// one (S2).
    var plainFieldWarnings: [QueryError] {
        guard let schema, !schema.plainFields.isEmpty else { return [] }
        let pairs = schema.fields.compactMap { field -> (String, QueryValue)? in
            guard schema.plainFields.contains(field.name) else { return nil }
            return switch field.type {
            case .bool: (field.name, .bool(true))
            case .date: (field.name, .date(0))
            case .uuid: (field.name, .uuid(Self.anyUUID))
            case .any, .int, .double, .string, .data, .objectID, .object, .list: nil
            }
        }
        return pairs.isEmpty ? [] : kindWarnings { $0.warning(seeing: [Document(pairs: pairs)]) { _ in true } }
    }

    private static let anyUUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

extension Comparison {
    /// A comparison of a field with what none of its values in the rows can equal, or have an order with.
    ///
    /// `others` are kinds that it may hold, too.
    func warning(
        seeing rows: [Document],
        besides others: Set<Kind> = [],
        in whence: String = "in the rows seen",
        ifUndeclared: (Term) -> Bool
    ) -> QueryError? {
        let isLeft = left.constantValue == nil
        let (field, other) = isLeft ? (left, right) : (right, left)
        guard case .field(let path, let place) = field, let constant = other.constantValue,
            path.keys.isEmpty || ifUndeclared(field),
            let wanted = kinds(meeting: constant, isLeft: isLeft)
        else { return nil }
        // A quantifier is about the elements of the left side.
        let found = path.kinds(in: rows, ofElements: quantifier != nil && isLeft).subtracting([.null])
        guard !found.isEmpty, found.union(others).isDisjoint(with: wanted),
            case let kind = named(constant, wanted)
        else { return nil }
        // A text may be a date or a UUID (S5).
        if found.contains(.string), wanted.contains(.date) || wanted.contains(.uuid) { return nil }
        let held = found.map(\.plural).sorted().joined(separator: " and ")
        var repair = repair(path, found, constant, place, other.origin)
        if case .int(let number) = constant, path.holdsDates(in: rows) {
            let call = "\(Function.year.rawValue)(\(path.format))"
            let fix = place.range.map { QueryError.Fix(range: $0, replacement: call) }
            repair = 1_000...9_999 ~= number ? ("write " + call, fix) : (Self.twoKinds, nil)
        }
        return QueryError(
            .unlikely,
            "\(path.keys.isEmpty ? "SELF" : path.dotted) holds \(held) \(whence), and is compared with \(kind.single)",
            at: place.range == nil ? origin : place,
            hint: repair.hint,
            fix: repair.fix
        )
    }

    /// A total of decimals that has to equal another number, or not to be more or less than a field.
    fileprivate func totalWarning(_ hasPoints: (FieldPath, FieldPath) -> Bool) -> QueryError? {
        let sides = left.totalPath == nil ? (right, left) : (left, right)
        guard let (base, path) = sides.0.totalPath, self.operator.leftSide == .ofKind,
            [.equal, .notEqual].contains(self.operator) || sides.1.constantValue == nil,
            sides.1.constantValue.map({ $0.kind == .number }) ?? true, hasPoints(base, path)
        else { return nil }
        return QueryError(
            .unlikely,
            "a sum of decimals is not exact: 0.1 + 0.2 is not 0.3",
            at: sides.0.origin.range == nil ? origin : sides.0.origin,
            hint: "allow for a difference, as in abs(a - b) < 0.005; decimal columns of SQL are summed exactly"
        )
    }

    /// The kinds of values that the field would have to hold; nil where any may do.
    func kinds(meeting constant: QueryValue, isLeft: Bool) -> Set<Kind>? {
        switch self.operator.leftSide {
        case .ofKind:
            if !isLeft, quantifier != nil, case .list(let elements) = constant { return Self.kinds(of: elements) }
            return constant.isNull ? nil : [constant.kind]
        case .ofElements:
            return isLeft ? Self.kinds(in: constant) : quantifier == nil ? Self.kinds(holding: constant) : nil
        // Beside what is no text it holds of no row: `noText`.
        case .text: return isLeft && constant.kind == .string ? [.string] : nil
        case .textOrList: return isLeft ? Self.kinds(holding: constant) : nil
        case .place: return nil
        }
    }

    /// The kinds of values of which a constant may hold one; beside a text, IN looks for a part of it.
    private static func kinds(in constant: QueryValue) -> Set<Kind>? {
        guard case .list(let elements) = constant else { return constant.isNull ? nil : [constant.kind] }
        return kinds(of: elements)
    }

    /// The kinds of values that may hold a constant; a value that is no list contains itself.
    private static func kinds(holding constant: QueryValue) -> Set<Kind>? {
        constant.isNull ? nil : constant.kind == .string ? [.string, .list] : [.list, constant.kind]
    }

    /// The kind that a constant is told of by, that of an element for a list.
    func named(_ constant: QueryValue, _ wanted: Set<Kind>) -> Kind {
        if wanted.contains(constant.kind) { return constant.kind }
        return wanted.sorted { $0.rawValue < $1.rawValue }.last ?? constant.kind
    }

    /// The kinds of a constant's elements; nil where a field of any kind may equal one, or none.
    private static func kinds(of elements: [QueryValue]) -> Set<Kind>? {
        elements.isEmpty || elements.contains(where: \.isNull) ? nil : Set(elements.map(\.kind))
    }

    /// What to write instead.
    private func repair(
        _ path: FieldPath,
        _ found: Set<Kind>,
        _ constant: QueryValue,
        _ place: Origin,
        _ constantPlace: Origin
    ) -> (hint: String, fix: QueryError.Fix?) {
        func cast(_ value: QueryValue, _ type: CastTarget) -> String {
            var written = FormatWriter()
            written.write(Term.cast(.value(value, .none), type, .none))
            return written.text
        }
        func replaced(_ origin: Origin, _ text: String) -> (String, QueryError.Fix?) {
            ("write " + text, origin.range.map { QueryError.Fix(range: $0, replacement: text) })
        }
        if path.keys.isEmpty, found == [.object] { return (Self.wholeRow, nil) }
        if found == [.list], quantifier == nil {
            // `tags != 'red'` means NONE == rather than ANY !=.
            let start = self.operator == .notEqual ? nil : origin.range.map { $0.lowerBound..<$0.lowerBound }
            return (
                "write ANY, ALL or NONE in front of the comparison",
                start.map { QueryError.Fix(range: $0, replacement: "ANY ") }
            )
        }
        if found == [.string], isOfParts, constant.kind == .number || constant.kind == .bool {
            return constant.inQuotes(at: constantPlace)
        }
        if self.operator == .in, right.constantValue?.kind == .string {
            return ("a list is written {1, 7}, or [1, 7] as a pql argument", nil)
        }
        // An argument is given as JSON.
        func constantReplaced(_ text: String, _ json: String) -> (String, QueryError.Fix?) {
            constantPlace.isOfArgument
                ? ("give \(json) as the argument (pql: --arg \(json))", nil) : replaced(constantPlace, text)
        }
        switch (found.count == 1 ? found.first : nil, constant) {
        case (.bool, .int(let number)) where number == 0 || number == 1:
            return number == 1 ? constantReplaced("TRUE", "true") : constantReplaced("FALSE", "false")
        case (.bool, .string(let text)):
            if let truth = text.asTruth { return constantReplaced(truth ? "TRUE" : "FALSE", "\(truth)") }
        case (.number, .string(let text)) where self.operator.leftSide == .ofKind && text.isPlainNumber:
            return constantReplaced(text, text)
        case (.string, .int), (.string, .double):
            var written = FormatWriter()
            written.write(Term.cast(.field(path, .none), .number, .none))
            guard constantPlace.isOfArgument else { return replaced(place, written.text) }
            return (constant.inQuotes(at: constantPlace).hint + ", or write " + written.text, nil)
        case (.string, .bool): return ("declare the field as text in a schema, or store 1 and 0", nil)
        case (.date, .string(let text)) where self.operator.leftSide == .ofKind && DateText.parse(text) != nil:
            return replaced(constantPlace, cast(constant, .date))
        case (.uuid, .string(let text)) where self.operator.leftSide == .ofKind && UUID(uuidString: text) != nil:
            return replaced(constantPlace, cast(constant, .uuid))
        default: break
        }
        return (Self.twoKinds, nil)
    }

    static let wholeRow = "SELF is the whole row: write the name of a field"
    /// True where one side is looked for in the other.
    fileprivate var isOfParts: Bool {
        switch self.operator.leftSide {
        case .ofElements, .textOrList, .text: true
        case .ofKind, .place: false
        }
    }

    private static let twoKinds = "values of two kinds are never equal, and have no order"
}

extension String {
    /// True for the digits of a number as a query may write it, without a sign.
    var isPlainNumber: Bool {
        let parts = utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count <= 2 && utf8.count <= 15
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }
    }
}

extension Term {
    /// True for a field whose texts are no lists of JSON in some rows.
    fileprivate func holdsNoLists(in rows: [Document]) -> Bool {
        guard case .field(let path, _) = self else { return false }
        return rows.reduce(into: []) { $1.collect(path.keys[...], into: &$0) }.allSatisfy {
            if case .string(let text) = $0 { !text.utf8.starts(with: "[".utf8) } else { true }
        }
    }
}

extension Term {
    /// What the term computes of a collection, and the collection.
    fileprivate var collected: (name: String, of: Term)? {
        switch self {
        case .aggregate(let aggregate, let base, _, _): return (aggregate.rawValue, base)
        case .index(let base, .size, _): return (Aggregate.count.rawValue, base)
        case .call(let function, let arguments, _):
            guard [.sum, .count, .min, .max, .average, .median, .mode, .standardDeviation].contains(function) else {
                return nil
            }
            return arguments.first.map { (function.rawValue, $0) }
        case .value, .field, .variable, .list, .path, .index, .arithmetic, .negated, .subquery, .conditional, .cast,
            .assignment:
            return nil
        }
    }

    /// The list that the term sums or averages, and the path of its elements' numbers.
    fileprivate var totalPath: (FieldPath, FieldPath)? {
        switch self {
        case .aggregate(.sum, of: .field(let base, _), let path, _),
            .aggregate(.average, of: .field(let base, _), let path, _):
            (base, path)
        case .call(.sum, let arguments, _), .call(.average, let arguments, _):
            if case .field(let base, _)? = arguments.first { (base, FieldPath(keys: [])) } else { nil }
        default: nil
        }
    }
}

extension TreeNode {
    /// A count, a total or an extreme of what is no list in the rows, or by the schema where there are no rows.
    fileprivate func listWarning(seeing rows: [Document]?, _ scope: TypeScope) -> QueryError? {
        guard case .term(let term) = self, let (name, collection) = term.collected,
            case .field(let path, _) = collection, !path.keys.isEmpty
        else { return nil }
        let type = scope.type(of: collection)
        // A column of text may hold a list as JSON.
        let mayHoldJSON = scope.guaranteesNothing && (type.kind == .string || type.kind == .data)
        let declared = rows == nil && !mayHoldJSON ? type.kind : nil
        let seen = type == .any ? rows.map { path.kinds(in: $0, ofElements: false).subtracting([.null]) } : nil
        let found = declared.map { [$0] } ?? seen ?? []
        if case .aggregate(let aggregate, of: _, let inner, let origin) = term, let rows, found == [.list],
            inner.keys.isEmpty, path.kinds(in: rows, ofElements: true).subtracting([.null]) == [.object]
        {
            return aggregate.ofObjects(in: path.format, by: "key", at: origin)
        }
        guard !found.isEmpty, !found.contains(.list) else { return nil }
        let held = found.map(\.plural).sorted().joined(separator: " and ") + (rows == nil ? "" : " in the rows seen")
        let call = "\(Function.length.rawValue)(\(path.format))"
        let isLength = name == Aggregate.count.rawValue && found == [.string]
        return QueryError(
            .unlikely,
            "\(path.dotted) holds \(held), and \(name) takes a list",
            at: term.origin,
            hint: isLength ? "write " + call : "compare the field itself; values of all rows are computed by groups",
            fix: isLength ? term.origin.range.map { QueryError.Fix(range: $0, replacement: call) } : nil
        )
    }
}

extension FieldPath {
    /// The kinds of what some rows hold at the path, null included.
    func kinds(in rows: [Document], ofElements: Bool) -> Set<Kind> {
        rows.reduce(into: []) { kinds, row in
            kinds.formUnion((row.plainValue ?? .object(row)).kinds(at: keys[...], ofElements: ofElements))
        }
    }

    /// True if some rows hold dates there, or texts that are read as dates, and nothing else but null.
    fileprivate func holdsDates(in rows: [Document]) -> Bool {
        let values = rows.reduce(into: []) { $1.collect(keys[...], into: &$0) }
        return !values.isEmpty && values.allSatisfy { $0.readAsDate.kind == .date }
    }
}

extension QueryValue {
    /// True if a number with a point is at a path, or in a list on the way.
    fileprivate func hasPoint(at keys: ArraySlice<String>) -> Bool {
        switch self {
        case .list(let elements): elements.contains { $0.hasPoint(at: keys) }
        case .object(let object):
            keys.first.flatMap { object[$0] }.map { $0.hasPoint(at: keys.dropFirst()) } ?? false
        case .double(let number): keys.isEmpty && number != number.rounded()
        default: false
        }
    }

    /// The kinds at a path; a list on the way makes a list (S9), whose elements a quantifier looks at.
    fileprivate func kinds(at keys: ArraySlice<String>, ofElements: Bool) -> Set<Kind> {
        if case .list(let elements) = self, ofElements || !keys.isEmpty {
            let kinds: Set<Kind> = elements.reduce(into: []) { $0.formUnion($1.kinds(at: keys, ofElements: true)) }
            // Elements without the key make no list of its values.
            return ofElements || kinds.isEmpty && !keys.isEmpty ? kinds : [.list]
        }
        guard let key = keys.first else { return [kind] }
        guard case .object(let object) = self, let value = object[key] else { return [] }
        return value.kinds(at: keys.dropFirst(), ofElements: ofElements)
    }
}
