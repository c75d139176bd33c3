import QueryTree
import QueryValues

extension Query {
    /// Arithmetic with fields that hold dates in the rows seen, and fields that are read as dates and hold none (S5).
    ///
    /// - Parameter rows: a sample of the rows, or all of them.
    /// - Returns: one warning for each such field.
    func dateWarnings(seeing rows: [Document]) -> [QueryError] { sumsOfDates(seeing: rows) + misfits(seeing: rows) }

    /// Arithmetic with dates, which are no numbers (S17); where one is written, that is told without rows.
    private func sumsOfDates(seeing rows: [Document]) -> [QueryError] {
        let scope = TypeScope(schema)
        func isDate(_ term: Term) -> Bool {
            guard case .field(let path, _) = term, !path.keys.isEmpty, scope.type(of: term) == .any else {
                return false
            }
            let values = rows.reduce(into: []) { $1.collect(path.keys[...], into: &$0) }
            return !values.isEmpty && values.allSatisfy { $0.readAsDate.kind == .date }
        }
        return readingCondition.nodes.compactMap { node in
            guard case .term(.arithmetic(let chain, let origin)) = node, !chain.isOfSets,
                case let operands = [chain.first] + chain.rest.map(\.operand),
                !operands.contains(where: \.isWrittenDate),
                let date = operands.first(where: isDate), case .field(let path, let place) = date
            else { return nil }
            return QueryError(
                .unlikely,
                "\(path.dotted) holds dates in the rows seen, and a date is not a number, so the result is nil",
                at: place.range == nil ? origin : place,
                hint: chain.inSeconds(isDate, ofFields: isDate)
            )
        }
    }

    /// Fields that are read as dates, of which no row seen holds one: numbers, and texts of another form.
    private func misfits(seeing rows: [Document]) -> [QueryError] {
        var told: Set<FieldPath> = []
        let scope = TypeScope(schema)
        return readingCondition.nodes.flatMap { $0.readAsDates(scope) }.compactMap { path, origin in
            guard told.insert(path).inserted else { return nil }
            let field = Term.field(path, .none)
            let values = rows.reduce(into: []) { $1.collect(path.keys[...], into: &$0) }
            return DateMisfit(field, scope.type(of: field).element, values)?.warning(path, at: origin)
        }
    }
}

/// The values of a field that is read as dates and holds none.
private struct DateMisfit {
    private let field: Term
    private let isDeclared: Bool
    private let texts: [String]
    private let numbers: [Double]

    /// - Returns: nil if a value is a date, or there is no text and no number.
    init?(_ field: Term, _ type: FieldType, _ values: [QueryValue]) {
        var encoding: DateEncoding?
        if case .date(let declared) = type { encoding = declared }
        var (texts, numbers): ([String], [Double]) = ([], [])
        for value in values {
            if value.readAsDate.kind == .date || encoding?.decode(value) != nil { return nil }
            switch value {
            case .string(let text): texts.append(text)
            case .int(let number): numbers.append(Double(number))
            case .double(let number): numbers.append(number)
            case .null, .bool, .date, .data, .uuid, .list, .object, .shape: break
            }
        }
        if texts.isEmpty == numbers.isEmpty { return nil }
        (self.field, isDeclared, self.texts, self.numbers) = (field, encoding != nil, texts, numbers)
    }

    func warning(_ path: FieldPath, at origin: Origin) -> QueryError {
        let name = path.dotted + (isDeclared ? " is declared as a date, and" : "")
        let held = texts.isEmpty ? "numbers in the rows seen, which are" : "text in the rows seen that is"
        let example = texts.first.map { ", such as " + QueryValue.string($0).json } ?? ""
        return QueryError(
            .unlikely,
            "\(name) holds \(held) no date\(texts.isEmpty ? "s" : "")\(example)",
            at: origin,
            hint: hint
        )
    }

    private var hint: String {
        if numbers.isEmpty { return "text is read as a date if it looks like 2015-05-30, with or without a time" }
        // Seconds are below this for three thousand years, milliseconds above since 1973.
        if numbers.contains(where: { $0.magnitude >= 1e11 }) {
            return "for milliseconds since 1970 give a schema that says \"x-date-encoding\": \"epochMilliseconds\""
        }
        var written = FormatWriter()
        written.write(Term.cast(isDeclared ? .cast(field, .number, .none) : field, .date, .none))
        return "write \(written.text) for seconds since 2001, or for those since 1970 give a schema that says "
            + "\"x-date-encoding\": \"epochSeconds\""
    }
}

extension TreeNode {
    /// The fields that are read as dates because a date stands beside them, a function takes dates, or a schema says so.
    fileprivate func readAsDates(_ scope: TypeScope) -> [(FieldPath, Origin)] {
        switch self {
        case .term(.call(let function, let arguments, _)) where function.isDatePart:
            guard case .field(let path, let origin)? = arguments.first else { return [] }
            return [(path, origin)]
        case .condition(.comparison(let comparison)):
            return [(comparison.left, comparison.right), (comparison.right, comparison.left)].compactMap {
                side,
                other in
                guard case .field(let path, let origin) = side, !path.keys.isEmpty else { return nil }
                switch scope.type(of: side).element {
                case .date: return other.constantValue?.isNull == true ? nil : (path, origin)
                case .any, .string:
                    let isRead =
                        other.isDate(scope)
                        || [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(comparison.operator)
                            && other.isDateText
                    return isRead && scope.readsDates(of: side) ? (path, origin) : nil
                case .bool, .int, .double, .data, .uuid, .objectID, .object, .list: return nil
                }
            }
        case .term, .condition: return []
        }
    }
}

extension Term {
    /// True for a date that no row decides, and a list of such dates.
    fileprivate func isDate(_ scope: TypeScope) -> Bool {
        if case .list(let elements, _) = self { return !elements.isEmpty && elements.allSatisfy { $0.isDate(scope) } }
        if case .list(let elements)? = constantValue { return elements.contains { $0.kind == .date } }
        return isRowless && scope.type(of: self).kind == .date
    }

    /// True for a text that is a date, which a text of another form is hardly meant to be ordered by.
    fileprivate var isDateText: Bool {
        constantValue.map { $0.kind == .string && $0.readAsDate.kind == .date } ?? false
    }
}

extension Document {
    /// Appends the values at a path that are not nil, of lists their elements.
    func collect(_ keys: ArraySlice<String>, into values: inout [QueryValue]) {
        QueryValue.object(self).collect(keys, into: &values)
    }
}

extension QueryValue {
    fileprivate func collect(_ keys: ArraySlice<String>, into values: inout [QueryValue]) {
        switch self {
        case .list(let elements): for element in elements { element.collect(keys, into: &values) }
        case .object(let object) where !keys.isEmpty:
            guard let key = keys.first else { return }
            object[key]?.collect(keys.dropFirst(), into: &values)
        default: if keys.isEmpty, !isNull { values.append(self) }
        }
    }
}
