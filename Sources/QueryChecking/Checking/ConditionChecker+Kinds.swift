import QueryTree
import QueryValues

extension ConditionChecker {
    /// Checks and converts the two sides of a comparison whose terms are already checked.
    mutating func checkKinds(_ original: Comparison) -> Comparison {
        var comparison = original
        let before = problems.count
        checkToMany(comparison)
        if problems.count > before { return comparison }
        checkObjectIDs(comparison)
        if problems.count > before { return comparison }
        if scope.row == .any { return checkedLiterals(comparison) }
        switch comparison.operator.operands {
        case .anyValues: convertSides(&comparison)
        case .ordered:
            checkOrdered(comparison)
            if problems.count == before { convertSides(&comparison) }
        case .valueAndRange: convertBounds(&comparison)
        case .valueAndCollection:
            checkMembership(
                element: &comparison.left,
                isQuantified: comparison.quantifier != nil,
                container: &comparison.right
            )
        case .collectionAndValue:
            checkContainer(&comparison)
        case .texts: checkTexts(comparison)
        case .placeAndShape: break
        }
        return comparison
    }

    /// Without a schema fields have no kinds, and a comparison of two kinds is simply false (S2); BETWEEN's list is
    /// still checked (S13).
    private mutating func checkedLiterals(_ original: Comparison) -> Comparison {
        var comparison = original
        if comparison.operator == .between { convertBounds(&comparison) }
        return comparison
    }

    /// Mongo distinguishes ObjectIds from texts, so they are compared only with ObjectIds and constants, byte by byte
    /// (S5).
    private mutating func checkObjectIDs(_ comparison: Comparison) {
        let left = scope.type(of: comparison.left).element
        let right = scope.type(of: comparison.right).element
        guard left == .objectID || right == .objectID else { return }
        let isText =
            switch comparison.operator.operands {
            case .texts: true
            case .collectionAndValue: comparison.quantifier != nil || !scope.type(of: comparison.left).isList
            case .valueAndCollection: isText(comparison.right)
            case .anyValues, .ordered, .valueAndRange, .placeAndShape: false
            }
        if isText || !comparison.options.folding.isEmpty {
            report(
                .kindMismatch,
                "an ObjectId is not a text, so its parts cannot be compared",
                comparison.origin,
                hint: "compare the whole ObjectId with == or IN"
            )
        } else if left != right, !mayMeetObjectID(comparison.left), !mayMeetObjectID(comparison.right) {
            let other = left == .objectID ? comparison.right : comparison.left
            report(
                .kindMismatch,
                "an ObjectId can be compared only with ObjectIds",
                other.origin,
                hint: "declare the other field as an objectID too"
            )
        }
    }

    /// True for text that IN searches: a constant, or a field other than a list.
    private func isText(_ term: Term) -> Bool {
        term.constantValue?.kind == .string || isKnown(term) && !scope.type(of: term).isList
    }

    /// True for a constant, which is converted, or a variable whose value is not known yet.
    private func mayMeetObjectID(_ term: Term) -> Bool {
        if term.constantValue != nil { return true }
        if case .variable(let variable, _) = term { return scope.variables[variable] == nil }
        return false
    }

    /// The type of a side inside the comparison: under a quantifier, the type of the left side's elements.
    private func leftType(_ comparison: Comparison) -> FieldType {
        let type = scope.type(of: comparison.left)
        return comparison.quantifier == nil ? type : type.element
    }

    /// A to-many term without a quantifier is an error that suggests ANY (S11).
    private mutating func checkToMany(_ comparison: Comparison) {
        let left = leftType(comparison)
        let right = scope.type(of: comparison.right)
        let takesListLeft = comparison.operator == .contains
        let takesListRight = comparison.operator == .in || comparison.operator == .between
        if comparison.operator == .geoWithin, left.mayBePlace { return }
        if isToMany(comparison.left, left), !takesListLeft, !fitsWhole(comparison, comparison.right, right) {
            offerAny(comparison, comparison.left, canMend: true)
        } else if isToMany(comparison.right, right), !takesListRight, !fitsWhole(comparison, comparison.left, left) {
            offerAny(comparison, comparison.right, canMend: false)
        }
    }

    private func isToMany(_ term: Term, _ type: FieldType) -> Bool {
        guard case .list = type else { return false }
        switch term {
        case .field, .path: return true
        default: return false
        }
    }

    /// `== !=` compare whole lists with nil, a list literal or another list.
    private func fitsWhole(_ comparison: Comparison, _ other: Term, _ otherType: FieldType) -> Bool {
        guard comparison.operator == .equal || comparison.operator == .notEqual else { return false }
        if case .value(.null, _) = other { return true }
        if case .list = other { return true }
        if case .variable = other { return true }
        return otherType.isList
    }

    private mutating func offerAny(_ comparison: Comparison, _ term: Term, canMend: Bool) {
        var fix: QueryError.Fix?
        if let count = countOfSubquery(term) {
            report(.quantifier, "this is a list of values", term.origin, hint: Self.countHint, fix: count)
            return
        }
        if canMend, comparison.quantifier != nil {
            let message = "the elements of this list are lists, and a quantifier compares only one level"
            let hint = "test each list by itself: SUBQUERY(list, $x, ANY $x == 1).@count > 0"
            return report(.quantifier, message, term.origin, hint: hint)
        }
        // What ANY makes of it may be another mistake.
        var mended = ConditionChecker(scope: scope)
        var some = comparison
        some.quantifier = .any
        if canMend { _ = mended.checkKinds(some) }
        // `tags != 'red'` means NONE == rather than ANY !=.
        if canMend, mended.problems.isEmpty, comparison.operator != .notEqual, let range = comparison.origin.range {
            let word = LogicalWord.any.spellings[0] + " "
            fix = QueryError.Fix(range: range.lowerBound..<range.lowerBound, replacement: word)
        }
        report(
            .quantifier,
            "this field holds a list, and lists are compared element by element only with a quantifier",
            term.origin,
            hint: mended.problems.first?.hint.map { "write ANY, ALL or NONE in front, and " + $0 }
                ?? "write ANY, ALL or NONE in front of the comparison",
            fix: fix
        )
    }

    private mutating func checkOrdered(_ comparison: Comparison) {
        for (term, type) in [
            (comparison.left, leftType(comparison)), (comparison.right, scope.type(of: comparison.right)),
        ]
        where !type.isOrdered && isKnown(term) {
            let other = comparison.left == term ? comparison.right : comparison.left
            let hint = scope.memberHint(of: term, scope.type(of: other).kind)
            report(.kindMismatch, "\(type.name) has no order", term.origin, hint: hint)
            return
        }
    }

    /// True for terms whose type comes from the schema.
    private func isKnown(_ term: Term) -> Bool {
        switch term {
        case .field, .path: true
        default: false
        }
    }

    /// Converts a constant side to the other side's kind, or reports that the kinds differ.
    private mutating func convertSides(_ comparison: inout Comparison) {
        let left = leftType(comparison)
        let right = scope.type(of: comparison.right)
        if isConstant(comparison.right) {
            guard isConstant(comparison.left) == false else { return }
            comparison.right = convert(comparison.right, to: left, beside: comparison.left)
        } else if isConstant(comparison.left) {
            guard comparison.quantifier == nil else { return }
            comparison.left = convert(comparison.left, to: right, beside: comparison.right)
        } else if let a = left.kind, let b = right.kind, a != b,
            !readsDates(comparison.left, beside: comparison.right),
            !readsDates(comparison.right, beside: comparison.left)
        {
            report(
                .kindMismatch,
                "\(left.name) is never compared with \(right.name)",
                comparison.origin,
                hint: a == .date ? right.conversionHint(of: .date) : left.conversionHint(of: b)
            )
        }
    }

    private func isConstant(_ term: Term) -> Bool { term.constantValue != nil }

    /// True for a field whose texts may be dates, beside a date that is the same for every row (S5).
    private func readsDates(_ field: Term, beside term: Term) -> Bool {
        scope.type(of: field) == .string && scope.type(of: term).kind == .date && term.isRowless
            && scope.readsDates(of: field)
    }

    /// A constant term converted to a field's kind; lists element by element, so that errors point at the element.
    func converted(_ term: Term, to type: FieldType) -> Term? {
        switch (term, type) {
        case (.list(let elements, let origin), .list(let element)):
            var terms: [Term] = []
            for item in elements {
                guard let item = converted(item, to: element) else { return nil }
                terms.append(item)
            }
            return .list(terms, origin)
        case (.list, .any): return term
        case (.value(let value, let origin), _): return type.convert(value).map { .value($0, origin) }
        default: return term.constantValue == nil ? term : nil
        }
    }

    /// True for a constant that a type takes for one of its own only where a field's values may be so.
    private func isConvertible(_ kind: Kind?, to type: FieldType) -> Bool {
        switch type.kind {
        case .bool: kind == .number
        case .date, .uuid: kind == .string
        default: false
        }
    }

    /// True if a field's values are what they are, so that a number beside its truth values is one beside none.
    private func isPlain(_ field: Term?) -> Bool {
        guard case .field(let path, _)? = field, path.keys.count == 1, case .object(let schema) = scope.row else {
            return false
        }
        return schema.plainFields.contains(path.keys[0])
    }

    /// The number in quotes beside a field of numbers, without them.
    private func unquoted(_ term: Term, _ type: FieldType) -> QueryError.Fix? {
        guard type == .int || type == .double, case .value(.string(let text), let origin) = term, text.isPlainNumber,
            type == .double || !text.contains("."), let range = origin.range, range.count == text.utf8.count + 2,
            let quote = origin.source?.text.utf8.dropFirst(range.lowerBound).first, [0x22, 0x27].contains(quote)
        else { return nil }
        return QueryError.Fix(range: range, replacement: text)
    }

    /// The type of the values among which a term chooses, of which it has no own: a date of `max({sent, seen})`.
    private func shared(_ term: Term) -> FieldType? {
        let type = scope.type(of: term).element
        guard type == .any else { return isPlain(term) ? nil : type }
        var found: FieldType?
        for part in term.alternatives ?? [] where part.constantValue?.isNull != true {
            guard let type = shared(part), found == nil || found?.kind == type.kind else { return nil }
            found = found ?? type
        }
        return found
    }

    /// A constant beside a written list, as the fields there take it: `'2024-05-01' BETWEEN {begins, ends}`.
    private mutating func convert(_ constant: inout Term, beside items: inout [Term], _ origin: Origin) {
        let type = shared(.list(items.filter { !isConstant($0) }, origin))
        constant = convert(constant, asPart: type)
        items = items.map { convert($0, asPart: type) }
    }

    /// A constant as values of a type take it, if they do; any other term unchanged.
    private func convert(_ term: Term, asPart type: FieldType?) -> Term {
        guard let type, isConstant(term), !term.origin.isOfOwnKind,
            isConvertible(scope.type(of: term).kind, to: type)
        else { return term }
        return converted(term, to: type) ?? term
    }

    private mutating func convert(_ term: Term, to type: FieldType, beside field: Term? = nil) -> Term {
        if term.origin.isOfOwnKind { return term }
        if type == .any { return convert(term, asPart: field.flatMap { shared($0) }) }
        if isConvertible(scope.type(of: term).kind, to: type), isPlain(field) { return term }
        if case .list(let elements, let origin) = term, case .list(let element) = type {
            if element == .any {
                let part = field.flatMap { shared($0) }
                return .list(elements.map { convert($0, asPart: part) }, origin)
            }
            return .list(elements.map { convert($0, to: element, beside: field) }, origin)
        }
        guard let result = converted(term, to: type) else {
            if term.origin.isOfAnyKind || field.map({ readsDates($0, beside: term) }) ?? false { return term }
            let name = scope.type(of: term).name
            let advice = scope.keyAdvice(on: field) ?? type.advice(on: term)
            report(
                .kindMismatch,
                "\(name) \(name == "bytes" ? "do" : "does") not fit a field that holds \(type.name)",
                term.origin,
                hint: advice?.hint ?? type.conversionHint(of: scope.type(of: term).kind)
                    ?? scope.memberHint(of: field, scope.type(of: term).element.kind),
                fix: advice?.fix ?? unquoted(term, type)
            )
            return term
        }
        return result
    }

    /// BETWEEN takes a list of two bounds, which are converted to the left side's kind (S13).
    private mutating func convertBounds(_ comparison: inout Comparison) {
        switch comparison.right {
        case .list(var bounds, let origin):
            guard bounds.count == 2 else {
                report(.kindMismatch, "BETWEEN takes a list of two bounds", origin, hint: "write {low, high}")
                return
            }
            let left = leftType(comparison)
            guard left.isOrdered || !isKnown(comparison.left) else {
                report(.kindMismatch, "\(left.name) has no order", comparison.left.origin)
                return
            }
            if scope.row == .any { return }
            if isConstant(comparison.left) {
                convert(&comparison.left, beside: &bounds, origin)
                comparison.right = .list(bounds, origin)
                return
            }
            let field = comparison.left
            comparison.right = .list(
                bounds.map { isConstant($0) ? convert($0, to: left, beside: field) : $0 },
                origin
            )
        case .value(_, let origin), .negated(_, let origin), .arithmetic(_, let origin):
            report(.kindMismatch, "BETWEEN takes a list of two bounds", origin, hint: "write {low, high}")
        default:
            break
        }
    }

    private mutating func checkContainer(_ comparison: inout Comparison) {
        if comparison.quantifier != nil {
            // ANY names CONTAINS 'x': each element is a container of its own.
            let element = leftType(comparison)
            if let kind = element.kind, kind == .string { checkText(comparison.right) }
            return
        }
        checkMembership(element: &comparison.right, isQuantified: false, container: &comparison.left)
    }

    /// Value in list, text in text (S12).
    private mutating func checkMembership(element: inout Term, isQuantified: Bool, container: inout Term) {
        let containerType = scope.type(of: container)
        let own = scope.type(of: element)
        let elementType = isQuantified ? own.element : own
        if case .list(var items, let origin) = container {
            if isConstant(element) {
                convert(&element, beside: &items, origin)
                container = .list(items, origin)
                return
            }
            let field = element
            let part = elementType == .any ? shared(field) : nil
            items = items.map { item in
                if !isConstant(item) { return item }
                return elementType == .any
                    ? convert(item, asPart: part) : convert(item, to: elementType, beside: field)
            }
            container = .list(items, origin)
            return
        }
        if isConstant(container) {
            // A constant text as container: substring, so the other side is text.
            if containerType.kind == .string { checkText(element) }
            return
        }
        switch containerType {
        case .list(let inner):
            if isConstant(element) {
                element = convert(element, to: isQuantified && own.kind == .list ? .list(inner) : inner)
            } else {
                checkSameKind(elementType, inner, element)
            }
        case .any: return
        default:
            if isConstant(element) {
                element = convert(element, to: containerType, beside: container)
            } else {
                checkSameKind(elementType, containerType, element)
            }
        }
    }

    private mutating func checkSameKind(_ a: FieldType, _ b: FieldType, _ term: Term) {
        if let first = a.kind, let second = b.kind, first != second {
            report(.kindMismatch, "\(a.name) is never found in \(b.name)", term.origin)
        }
    }

    private mutating func checkTexts(_ comparison: Comparison) {
        let left = leftType(comparison)
        if isKnown(comparison.left), let kind = left.kind, kind != .string {
            report(
                .kindMismatch,
                "\(comparison.operator.spelling) takes text, and this holds \(left.name)",
                comparison.left.origin,
                hint: scope.keyAdvice(on: comparison.left)?.hint ?? scope.memberHint(of: comparison.left, .string)
            )
        }
        checkText(comparison.right)
    }

    /// With a schema a side of a string operator must be text or nil.
    private mutating func checkText(_ term: Term) {
        let type = scope.type(of: term).element
        if case .value(.null, _) = term { return }
        if let kind = type.kind, kind != .string {
            let quoted = term.constantValue?.inQuotes(at: term.origin)
            report(
                .kindMismatch,
                "this is \(type.name), but text is needed",
                term.origin,
                hint: quoted?.hint,
                fix: quoted?.fix
            )
        }
    }
}

extension FieldType {
    /// True for a list that may hold a longitude and a latitude.
    fileprivate var mayBePlace: Bool {
        guard case .list(let element) = self else { return false }
        return element == .any || element == .int || element == .double
    }
}
