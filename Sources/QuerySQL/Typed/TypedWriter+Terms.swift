import QueryTree
import QueryValues

extension TypedWriter {
    /// A term as a constant or as SQL for a value.
    func operand(_ term: Term, _ scope: Scope) throws(QueryError) -> Operand {
        if let value = term.constantValue { return .constant(value, term.origin) }
        if let column = try knownColumn(term, scope) { return .node(column, term.origin) }
        let operand = try unchecked(term, scope)
        if case .node(let node, let origin) = operand, node.value.size.bytes > dialect.textLimit {
            throw QueryError(.limit, "the term is too long for the store", at: origin)
        }
        return operand
    }

    func scalar(_ column: SQLText, _ kind: Kind, _ field: ResolvedPath.Step, of row: TableRow, _ key: String) -> Node? {
        guard row.hasNoDocuments else { return nil }
        return Node(
            value: kind == .string ? forms.textColumn(column) : column,
            stored: StoredType(field.type),
            type: field.type,
            name: [key],
            isRequired: !field.isOptional
        )
    }

    /// A list on the way would turn the value into a list.
    func mapped(_ node: Node, _ term: Term, _ scope: Scope) throws(QueryError) -> Node { throw mayMap(term.origin) }

    func listNode(_ term: Term, _ scope: Scope) throws(QueryError) -> Node {
        if case .list(_, let origin) = term {
            throw unsupported("a list of computed values is not supported in SQL", at: origin)
        }
        let hint = "use ANY, ALL, an aggregate or SUBQUERY"
        throw unsupported("rows of another table or many elements are not a single value", at: term.origin, hint: hint)
    }

    func negatedNode(_ inner: Term, _ scope: Scope) throws(QueryError) -> Node {
        let (value, stored) = try number(inner, scope)
        return computed(negated(stored == .int ? wide(value, stored) : value, stored), stored)
    }

    func computed(_ value: SQLText, _ stored: StoredType) -> Node {
        let type: FieldType =
            switch stored {
            case .int: .int
            case .double: .double
            case .text: .string
            default: .any
            }
        return Node(value: value, stored: stored, type: type, isComputed: true)
    }

    // MARK: Numbers

    /// A term as a number, NULL for other values; whether it is an int must be known in advance (S17).
    func number(_ term: Term, _ scope: Scope) throws(QueryError) -> (value: SQLText, stored: StoredType) {
        switch try operand(term, scope) {
        case .constant(.int(let value), _): return (bind(.int(value), as: forms.int), .int)
        case .constant(.double(let value), _): return (bind(.double(value), as: forms.double), .double)
        case .constant: return (SQLText.null.cast(to: forms.int), .int)
        case .node(let node, let origin):
            assumeSingle(node)
            return try number(node, origin)
        }
    }

    private func number(_ node: Node, _ origin: Origin) throws(QueryError) -> (value: SQLText, stored: StoredType) {
        switch node.stored {
        case .decimal where !node.isComputed: return (node.value.cast(to: forms.double), .double)
        case .int, .double, .decimal: return (node.value, node.stored)
        case .document: return try numberOfDocument(node, origin)
        case .unknown: throw unknownNumber(origin)
        case .bool, .text, .bytes, .uuid, .date, .nested, .row, .null:
            return (SQLText.null.cast(to: forms.int), .int)
        }
    }

    /// A document's number, NULL for other values; undeclared, its digits tell which it is.
    func numberOfDocument(_ node: Node, _ origin: Origin) throws(QueryError) -> (SQLText, StoredType) {
        guard let documents = forms.documents else { throw noDocuments(origin) }
        let isNumber = SQLText.compare(documents.kind(node.value), "=", .literal("number"))
        let number = documents.number(node.value)
        switch node.type {
        case .int: return (when(isNumber, number.cast(to: forms.int)), .int)
        case .double: return (when(isNumber, number.cast(to: forms.double)), .double)
        case .any: return (when(isNumber, number), .decimal)
        case .bool, .string, .date, .data, .uuid, .objectID, .object, .list: throw unknownNumber(origin)
        }
    }

    /// Any number as one whose digits tell whether it is an int.
    func decimal(_ node: Node, _ origin: Origin) throws(QueryError) -> SQLText {
        guard let documents = forms.documents else { throw noDocuments(origin) }
        switch node.stored {
        case .int: return node.value.cast(to: documents.decimal)
        case .double: return documents.fromDouble(wide(node.value, .double))
        default: return node.value
        }
    }

    /// `left operation right`, by ints if both are and the result is one, else by doubles (S17).
    private func decimal(
        _ left: Node,
        _ operation: ArithmeticOperator,
        _ right: Node,
        _ origin: Origin
    ) throws(QueryError) -> SQLText {
        guard let documents = forms.documents else { throw noDocuments(origin) }
        let row = try alias("e")
        let (a, b) = (SQLText.word(row + ".a"), SQLText.word(row + ".b"))
        let (x, y) = (a.cast(to: forms.double), b.cast(to: forms.double))
        var (whole, real): (SQLText, SQLText)
        switch operation {
        case .divide:
            whole = documents.wholeQuotient(a, .call("nullif", b, .zero))
            real = .infix(x, "/", .call("nullif", y, .zero), .product)
        default:
            let sign = operation == .add ? "+" : operation == .subtract ? "-" : "*"
            let level: SQLText.Precedence = operation == .multiply ? .product : .sum
            (whole, real) = (.infix(a, sign, b, level), .infix(x, sign, y, level))
        }
        let areWhole = all(documents.isWhole(a), documents.isWhole(b), documents.isWhole(whole.parenthesized))
        // Dividing by zero gives no int and no double.
        return documents.pair(
            .choice([(areWhole, whole)], else: documents.fromDouble(real)),
            try decimal(left, origin),
            try decimal(right, origin),
            .word(row)
        )
    }

    func unknownNumber(_ origin: Origin) -> QueryError {
        unsupported(
            "it is unknown whether this number is whole, which decides the arithmetic",
            at: origin,
            hint: "declare the field as int or double in a schema"
        )
    }

    /// A number with 64 bits: stores calculate with the fewer bits of two columns (S17).
    func wide(_ value: SQLText, _ stored: StoredType) -> SQLText {
        isWide(value) ? value : value.cast(to: stored == .int ? forms.int : forms.double)
    }

    /// A number as a double.
    private func real(_ value: SQLText, _ stored: StoredType) -> SQLText {
        guard stored != .double else { return value }
        if case .compound(let compound) = value, case .cast(.bound(.int(let number)), _) = compound.form,
            let exact = Double(exactly: number)
        {
            return bind(.double(exact), as: forms.double)
        }
        return value.cast(to: forms.double)
    }

    /// True for constants and for what is made of one; a column may have fewer bits.
    func isWide(_ value: SQLText) -> Bool {
        guard case .compound(let compound) = value else { return false }
        return switch compound.form {
        case .cast(_, let type): type == forms.int || type == forms.double
        case .parentheses(let piece): isWide(piece)
        case .infix(let left, _, let right): isWide(left) || isWide(right)
        default: false
        }
    }

    func arithmeticNode(_ chain: Arithmetic, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Node {
        let isSet = chain.rest.contains { $0.operation != .power && !$0.operation.isOrdinary }
        if isSet { throw setIsNoValue(origin) }
        var (value, stored) = try number(chain.first, scope)
        for link in chain.rest {
            var (right, type) = try number(link.operand, scope)
            if stored == .decimal || type == .decimal, link.operation.isOrdinary {
                value = try decimal(computed(value, stored), link.operation, computed(right, type), origin)
                stored = .decimal
                try check(term: value, at: origin)
                continue
            }
            if link.operation == .power || type != stored {
                (value, right) = (real(value, stored), real(right, type))
                (stored, type) = (.double, .double)
            }
            if !isWide(right) { value = wide(value, stored) }
            // Each link wraps all previous ones.
            try check(term: value, at: origin)
            switch link.operation {
            case .add: value = .infix(value, "+", right, .sum)
            case .subtract: value = .infix(value, "-", right, .sum)
            case .multiply: value = .infix(value, "*", right, .product)
            case .divide:
                let divisor = SQLText.call(
                    "nullif",
                    right,
                    SQLText.zero.cast(to: stored == .int ? forms.int : forms.double)
                )
                value =
                    stored == .int
                    ? forms.wholeQuotient([value.above(.sum), divisor], .product)
                    : .infix(value, "/", divisor, .product)
            case .power: value = forms.power(value, right)
            case .union, .intersect, .minus: throw setIsNoValue(origin)
            }
        }
        return computed(value, stored)
    }

    // MARK: Functions

    func callOperand(_ use: FunctionCall, _ scope: Scope) throws(QueryError) -> Operand {
        let origin = use.origin
        switch use.function {
        case .median, .standardDeviation:
            return .node(try statistic(use.function, try use.first(), origin, scope), origin)
        case .uppercase: return .node(try cased(use, dialect.uppercaseFunction, scope), origin)
        case .lowercase: return .node(try cased(use, dialect.lowercaseFunction, scope), origin)
        case .length: return .node(try ofText(try use.first(), .int, scope) { forms.length($0) }, origin)
        case .modulus, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .onesComplement:
            return .node(try wholeFunction(use, scope), origin)
        case .squareRoot, .log, .ln, .exp, .floor, .ceiling, .absolute, .truncate:
            return .node(try numberFunction(use, scope), origin)
        case .year, .month, .day, .weekday, .hour, .minute: return try datePart(use, scope)
        case .sum, .count, .min, .max, .average, .now, .noindex, .leftShift, .rightShift, .distance, .random,
            .randomBelow, .mode:
            throw use.unsupported
        }
    }

    /// A text in upper or lower case, by a function that the store must have.
    private func cased(_ use: FunctionCall, _ name: String?, _ scope: Scope) throws(QueryError) -> Node {
        guard let name else { throw use.unsupported }
        return try ofText(use.first(), .text, scope) { call(name, [$0]) }
    }

    /// What a form gives for a text, NULL for other values.
    private func ofText(
        _ term: Term,
        _ stored: StoredType,
        _ scope: Scope,
        _ form: (SQLText) -> SQLText
    ) throws(QueryError) -> Node {
        guard case .node(let node, _) = try operand(term, scope) else { return computed(.null, .null) }
        assumeSingle(node)
        let typed = try known(node, .string)
        func result(_ value: SQLText) -> Node { computed(stored == .int ? value.cast(to: forms.int) : value, stored) }
        if typed.stored == .document, let documents = forms.documents {
            return result(when(isText(node, documents), form(documents.text(node.value))))
        }
        return typed.stored == .text ? result(form(node.value)) : computed(.null, .null)
    }

    /// Functions of ints; NULL if an argument is not an int.
    private func wholeFunction(_ use: FunctionCall, _ scope: Scope) throws(QueryError) -> Node {
        var values: [SQLText] = []
        for argument in use.arguments {
            var (value, stored) = try number(argument, scope)
            if stored == .decimal, let documents = forms.documents {
                (value, stored) = (when(documents.isWhole(value), value.cast(to: forms.int)), .int)
            }
            if stored != .int { return computed(.null, .null) }
            values.append(value.above(.unary))
        }
        guard let left = values.first else { throw unsupported("a number is missing", at: use.origin) }
        let right = values.count > 1 ? values[1] : SQLText.null.cast(to: forms.int)
        switch use.function {
        case .modulus:
            // The remainder by -1 is 0; computing it for the least int is an error in some stores.
            let zero = SQLText.zero.cast(to: forms.int)
            let divisor = SQLText.call("nullif", right, zero)
            let isSmall = SQLText.compare(right, "=", .number(-1))
            let remainder = SQLText.infix(left, "%", divisor, .product)
            let isNil = left.followed(by: "IS NULL")
            return computed(.choice([(isNil, .null), (isSmall, zero)], else: remainder), .int)
        case .bitwiseAnd: return computed(forms.bitwiseAnd(left, right), .int)
        case .bitwiseOr: return computed(forms.bitwiseOr(left, right), .int)
        case .bitwiseXor: return computed(forms.bitwiseXor(left, right), .int)
        default: return computed(forms.onesComplement(left), .int)
        }
    }

    private func numberFunction(_ use: FunctionCall, _ scope: Scope) throws(QueryError) -> Node {
        let (value, stored) = try number(use.first(), scope)
        let zero = SQLText.zero
        switch use.function {
        case .absolute: return computed(.call("abs", stored == .int ? wide(value, stored) : value), stored)
        case .floor: return computed(rounded(value, stored, forms.floor), stored)
        case .ceiling: return computed(rounded(value, stored, forms.ceiling), stored)
        case .truncate: return computed(rounded(value, stored, forms.truncate), stored)
        default: break
        }
        let real = value.cast(to: forms.double)
        switch use.function {
        case .squareRoot: return computed(when(.compare(real, ">=", zero), forms.squareRoot(real)), .double)
        case .ln: return computed(when(.compare(real, ">", zero), forms.naturalLogarithm(real)), .double)
        case .log: return computed(when(.compare(real, ">", zero), forms.commonLogarithm(real)), .double)
        case .exp: return computed(forms.exponential(real), .double)
        default: throw use.unsupported
        }
    }

    /// A rounded number, which is of the same type as before.
    private func rounded(_ value: SQLText, _ stored: StoredType, _ form: SQLForm) -> SQLText {
        switch stored {
        case .int: value
        // Zero with the digits of the value, so that a double keeps some.
        case .decimal: .infix(form(value), "+", .infix(value, "-", value, .sum).parenthesized, .sum)
        default: form(value)
        }
    }

    // MARK: Conditional, cast, index

    func conditionalNode(_ conditional: Conditional, _ scope: Scope) throws(QueryError) -> Node {
        let condition = try holds(conditional.test, scope)
        let (a, b) = (try typed(conditional.first, scope), try typed(conditional.second, scope))
        let stored = a.stored == .null ? b.stored : a.stored
        guard a.stored == b.stored || a.stored == .null || b.stored == .null, stored != .row, stored != .nested,
            stored != .unknown
        else {
            throw unsupported("the branches of this conditional have no common type here", at: conditional.origin)
        }
        var result = a.stored == .null ? b : a
        var (first, second) = (a.value, b.value)
        let areAlike = keepsTimeZones || a.stored != b.stored || a.date == b.date && a.date != nil
        if stored == .date(.native), !areAlike, forms.epochMilliseconds != nil {
            // In one CASE the session's time zone would shift dates that have none.
            (first, second) = (exactMilliseconds(a), exactMilliseconds(b))
            (result.stored, result.type) = (.date(.epochMilliseconds), .date(.epochMilliseconds))
        }
        result.value = .choice([(spelled(condition), first)], else: second)
        (result.isComputed, result.isExtreme) = (true, a.isExtreme || b.isExtreme)
        (result.name, result.mappedName, result.folded) = (nil, nil, [:])
        return result
    }

    private func typed(_ term: Term, _ scope: Scope) throws(QueryError) -> Node {
        switch try operand(term, scope) {
        case .node(let node, _): return node
        case .constant(let value, let origin):
            switch value {
            case .null: return computed(.null, .null)
            case .int: return computed(bind(value, as: forms.int), .int)
            case .double: return computed(bind(value, as: forms.double), .double)
            case .string(let text): return computed(try bind(text: text, at: origin), .text)
            case .bool(let flag): return computed(.word(flag ? "TRUE" : "FALSE"), .bool)
            case .date, .data, .uuid, .list, .object, .shape:
                throw unsupported("this constant is not supported in a conditional in SQL", at: origin)
            }
        }
    }

    func castNode(_ inner: Term, _ target: CastTarget, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Node {
        let failure = unsupported("this cast is not supported by this store", at: origin)
        guard case .node(let node, _) = try operand(inner, scope) else { throw failure }
        switch (target, node.stored, node.type) {
        case (.number, .int, _), (.number, .double, _), (.number, .decimal, _), (.decimal, .int, _),
            (.string, .text, _), (.date, .date, _), (.uuid, .uuid, _), (.number, .document, .int),
            (.number, .document, .double), (.decimal, .document, .int), (.string, .document, .string):
            var same = node
            same.isComputed = node.isComputed || node.stored == .document
            return same
        case (.number, .bool, _), (.decimal, .bool, _):
            return computed(truth(node, .one, .zero).cast(to: forms.int), .int)
        case (.string, .bool, _): return computed(truth(node, .literal("TRUE"), .literal("FALSE")), .text)
        // The digits of doubles are written differently from store to store.
        case (.string, .int, _): return computed(node.value.cast(to: forms.text), .text)
        case (.string, .document, .int):
            return computed(try numberOfDocument(node, origin).0.cast(to: forms.text), .text)
        default: throw failure
        }
    }

    private func truth(_ node: Node, _ yes: SQLText, _ no: SQLText) -> SQLText {
        .choice([(node.value, yes), (node.value.not, no)])
    }

    func indexNode(_ base: Term, _ index: Index, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Node {
        guard case .size = index else { throw unsupported("this index is not supported by this store", at: origin) }
        guard let place = try place(of: base, scope) else { return computed(try count(base, scope), .int) }
        if place.mayLeadThroughLists {
            let message = "this path may cross a list, which changes what the length means"
            throw unsupported(message, at: base.origin, hint: "declare the fields in a schema")
        }
        return computed(try length(of: place, origin), .int)
    }

    /// DuckDB turns `-x < y` into `x > -y`, dropping the minus, which is wrong for NaN.
    private func negated(_ number: SQLText, _ stored: StoredType) -> SQLText {
        guard stored == .double else { return number.negated }
        return .infix(number, "*", .number(-1), .product)
    }
}

extension ArithmeticOperator {
    /// True for the four operations that give ints for ints.
    fileprivate var isOrdinary: Bool {
        switch self {
        case .add, .subtract, .multiply, .divide: true
        case .power, .union, .intersect, .minus: false
        }
    }
}
