import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

/// Writes conditions and terms as aggregation expressions, for `$expr` and `$filter`.
///
/// Expressions compare values of all kinds, do not look into lists, and fail a whole query on one invalid operand, so
/// each one written here checks the kinds of its operands.
package struct ExpressionWriter {
    let context: MongoContext
    var scope: TypeScope
    /// The names of the SUBQUERY variables in the expression.
    var names: [Variable: String] = [:]
    /// The row paths that variables range over, for the variables that range over one.
    var collections: [Variable: String] = [:]
    /// True in a term used for its elements, where a list on the way to a field needs no assumption (S11).
    var looksIntoLists = false

    package init(context: MongoContext, scope: TypeScope) {
        self.context = context
        self.scope = scope
    }

    var constants: MongoConstants { MongoConstants(context: context) }
    var patterns: PatternWriter { PatternWriter(profile: context.profile) }

    /// A term and what is known about it.
    struct Operand {
        /// The expression; that of a constant is made once its partner is known.
        var expression: QueryValue
        /// The kind of its values.
        var type: FieldType
        /// The value of a constant.
        var constant: QueryValue?
        /// What the value is whatever is stored.
        var certain: Certain?
        /// True for ints, false for doubles, nil if it depends on the row (S17).
        var isInt: Bool?
        /// True for a path, which distinguishes null from absent (S8).
        var isPath = false
        /// True if the schema requires a value here.
        var isRequired = false
        /// The path of the row's own field, for assumptions.
        var path: String?
        /// The term's place in the text.
        var origin: Origin

        enum Certain {
            /// A number or nil.
            case number
            case list
        }

        var isNumeric: Bool { certain == .number }
        var isSurelyList: Bool { certain == .list }
        /// True if the value is a number or nil, computed or declared.
        var isNumber: Bool { isNumeric || type.kind == .number }
        /// The path, if nothing is known about its values.
        var assumablePath: String? { type == .any ? path : nil }
        /// True unless the value is an int or of another kind.
        var mayBeNaN: Bool { isInt != true && (isNumber || type == .any) }
    }

    /// A condition as an expression; a plain bool if it holds for all rows or none.
    ///
    /// - Throws: `unsupported` with the range of what the server cannot compute.
    package func truth(_ condition: Condition) throws(QueryError) -> QueryValue {
        switch condition {
        case .constant(let holds): return .bool(holds)
        case .and(let parts): return Self.all(try parts.truths(truth))
        case .or(let parts): return Self.some(try parts.truths(truth))
        case .not(let part): return Self.not(try truth(part))
        case .comparison(let comparison):
            noteDates(comparison)
            let question = try Question(comparison, nilMeaning: context.nilMeaning)
            return try question.quantifier == nil ? plain(question) : quantified(question)
        }
    }

    private func quantified(_ question: Question) throws(QueryError) -> QueryValue {
        let left = try container(question.subject)
        let right = try self.right(of: question)
        let name = context.freshName()
        let element = Operand(
            expression: .string("$$" + name),
            type: left.type.element,
            isPath: true,
            origin: left.origin
        )
        switch question.test {
        case .isNil(.absent), .isNil(.null), .members(_, orNil: .some):
            throw unsupported("Mongo cannot distinguish null from absent among elements", at: question.whole)
        case .never, .isNil, .equal, .equalToTerm, .ordered, .orderedByTerm, .between, .betweenTerms, .members,
            .memberOfTerm, .containsTerm, .part, .like, .matches, .textByTerm, .withinTerm:
            break
        }
        let test = try compare(element, question, right)
        let map = op("$map", .object(["input": Self.collected(left), "as": .string(name), "in": test]))
        return op(question.quantifier == .all ? "$allElementsTrue" : "$anyElementTrue", [map])
    }

    private func plain(_ question: Question) throws(QueryError) -> QueryValue {
        let left = try question.test.looksIntoSubject ? container(question.subject) : operand(question.subject)
        let right = try self.right(of: question)
        // A list of terms is compared term by term, so it needs no variable.
        let isByTerm = question.test.isByTerm
        return try binding(left, unless: isByTerm && question.subject.isList) { (left) throws(QueryError) in
            try binding(right, unless: isByTerm && question.term?.isList == true) { (right) throws(QueryError) in
                try compare(left, question, right)
            }
        }
    }

    /// The operand on the right; nil as a constant if the test contains its own.
    private func right(of question: Question) throws(QueryError) -> Operand {
        guard let term = question.term else { return constant(.null, question.origin) }
        if case .memberOfTerm = question.test { return try container(term) }
        return try operand(term)
    }

    /// Binds an operand to a variable if it would otherwise be computed several times.
    func binding(
        _ operand: Operand,
        unless isNeedless: Bool = false,
        _ body: (Operand) throws(QueryError) -> QueryValue
    ) throws(QueryError) -> QueryValue {
        guard operand.constant == nil, !isNeedless else { return try body(operand) }
        switch operand.expression {
        case .string, .int, .double, .null: return try body(operand)
        default: break
        }
        let name = context.freshName()
        var named = operand
        named.expression = .string("$$" + name)
        let inner = try body(named)
        if case .bool = inner { return inner }
        if let direct = inner.replacingOnly(named.expression, with: operand.expression) { return direct }
        let variables = Document(pairs: [(name, operand.expression)])
        return op("$let", .object(["vars": .object(variables), "in": inner]))
    }

    func unsupported(_ message: String, at origin: Origin, hint: String? = nil) -> QueryError {
        QueryError(.unsupported, message, at: origin, hint: hint)
    }
}

extension Term {
    fileprivate var isList: Bool { if case .list = self { true } else { false } }
}

extension Question.Test {
    /// True for CONTAINS, whose subject is used for its elements.
    fileprivate var looksIntoSubject: Bool {
        switch self {
        case .containsTerm, .part(.middle, _): true
        default: false
        }
    }

    /// True if each term of a list is compared on its own.
    fileprivate var isByTerm: Bool {
        switch self {
        case .members, .memberOfTerm, .containsTerm, .part(.middle, _), .between, .betweenTerms: true
        default: false
        }
    }
}

extension QueryValue {
    /// The expression with a value in place of a name; nil unless the name occurs once, in an operand that is computed
    /// once.
    fileprivate func replacingOnly(_ name: QueryValue, with value: QueryValue) -> QueryValue? {
        guard case .object(let object) = self, object.count == 1, let key = object.keys.first, key != "$literal",
            let operand = object.values.first
        else { return nil }
        if operand == name { return op(key, value) }
        guard case .list(var operands) = operand else {
            return operand.replacingOnly(name, with: value).map { op(key, $0) }
        }
        let places = operands.indices.filter { operands[$0].mentions(name) }
        guard places.count == 1, let place = places.first else { return nil }
        guard let operand = operands[place] == name ? value : operands[place].replacingOnly(name, with: value) else {
            return nil
        }
        operands[place] = operand
        return op(key, operands)
    }

    private func mentions(_ name: QueryValue) -> Bool {
        switch self {
        case .string(let text):
            if case .string(let name) = name { text == name || text.hasPrefix(name + ".") } else { false }
        case .list(let elements): elements.contains { $0.mentions(name) }
        case .object(let object): object.values.contains { $0.mentions(name) }
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: false
        }
    }
}

extension [Condition] {
    func truths(_ write: (Condition) throws(QueryError) -> QueryValue) throws(QueryError) -> [QueryValue] {
        var truths: [QueryValue] = []
        truths.reserveCapacity(count)
        for part in self { truths.append(try write(part)) }
        return truths
    }
}

// Small expressions; constants fold.
extension ExpressionWriter {
    static func all(_ parts: [QueryValue]) -> QueryValue {
        if parts.contains(where: { $0 == .bool(false) }) { return .bool(false) }
        let kept = parts.filter { $0 != .bool(true) }
        guard let first = kept.first else { return .bool(true) }
        return kept.count == 1 ? first : op("$and", kept)
    }

    static func some(_ parts: [QueryValue]) -> QueryValue {
        if parts.contains(where: { $0 == .bool(true) }) { return .bool(true) }
        let kept = parts.filter { $0 != .bool(false) }
        guard let first = kept.first else { return .bool(false) }
        return kept.count == 1 ? first : op("$or", kept)
    }

    static func not(_ part: QueryValue) -> QueryValue {
        if case .bool(let holds) = part { return .bool(!holds) }
        return op("$not", [part])
    }

    static func isNil(_ value: QueryValue) -> QueryValue { op("$lte", [value, .null]) }
    /// Null in place of an absent value, if the path may be absent.
    static func orNull(_ operand: Operand) -> QueryValue {
        let isThere = operand.isRequired || operand.isSurelyList || operand.isNumeric && !operand.isPath
        return isThere ? operand.expression : op("$ifNull", [operand.expression, .null])
    }

    /// The value of an absent path; it differs from null only if the query's nil means just one of the two.
    var absent: QueryValue { context.nilMeaning == .nullOrAbsent ? .null : "$$REMOVE" }

    static func isList(_ value: QueryValue) -> QueryValue { op("$isArray", [value]) }
    static func isNumber(_ value: QueryValue) -> QueryValue { op("$isNumber", value) }
    static func isText(_ value: QueryValue) -> QueryValue { op("$eq", [op("$type", value), "string"]) }
    /// Tests for neither nil nor NaN, which sort below every other value; an assumed number is not NaN.
    static func isValue(_ operand: Operand, isAssumed: Bool = false) -> QueryValue {
        if operand.mayBeNaN, !isAssumed { return isNoNaN(operand.expression) }
        return operand.isRequired ? .bool(true) : op("$gt", [operand.expression, .null])
    }

    /// Tests for a value above NaN, which sorts below every other number.
    static func isNoNaN(_ value: QueryValue) -> QueryValue { op("$gte", [value, .double(-.infinity)]) }
    static func choose(_ test: QueryValue, _ first: QueryValue, _ second: QueryValue) -> QueryValue {
        op("$cond", [test, first, second])
    }

    /// A constant as an expression, in which text is never read as a path nor an object as operators.
    static func literal(_ value: QueryValue) -> QueryValue {
        switch value {
        case .string, .list, .object: op("$literal", value)
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: value
        }
    }

    /// The value if it is a list, else the empty list.
    static func listed(_ operand: Operand) -> QueryValue {
        operand.isSurelyList ? operand.expression : named(operand.expression, listed)
    }

    /// The value if it is a list, else the empty list.
    ///
    /// Operators on lists fail for anything else, and a server may evaluate a branch that it does not take.
    static func listed(_ value: QueryValue) -> QueryValue { choose(isList(value), value, .list([])) }

    /// The value as a collection: nil is empty, a single value a collection of one (S10).
    static func collected(_ operand: Operand) -> QueryValue {
        if let constant = operand.constant {
            switch constant {
            case .null: return .list([])
            case .list: return operand.expression
            default: return .list([operand.expression])
            }
        }
        if operand.isSurelyList { return operand.expression }
        return named(operand.expression) { value in
            choose(isList(value), value, choose(isNil(value), .list([]), .list([value])))
        }
    }

    /// Computes a value once for several uses.
    ///
    /// Only `body` sees the name `x`, and it binds no names itself.
    static func named(_ value: QueryValue, _ body: (QueryValue) -> QueryValue) -> QueryValue {
        if case .string = value { return body(value) }
        return op("$let", .object(["vars": .object(["x": value]), "in": body("$$x")]))
    }
}
