import QueryValues

/// A part of a comparison that has a value: a literal, a path, a sum, a call.
///
///     let ages: Term = .aggregate(.max, of: .field("people", .none), "age", .none)
///     Condition.comparison(Comparison(ages, .greater, .value(65, .none)))  // → people.@max.age > 65
///
/// `.field(path, origin)` is a path of the row; `$x.key` inside SUBQUERY is a `.path` over a `.variable`.
public enum Term: Hashable, Sendable {
    /// A literal or argument other than a list; lists are always `.list`, objects stay values.
    case value(QueryValue, Origin)
    /// A path of the row: `address.zip`, `SELF`, `SELF.name`.
    case field(FieldPath, Origin)
    /// `$name`: bound by SUBQUERY or by ``Query/binding(_:)``.
    case variable(Variable, Origin)
    /// `{a, 1, "x"}`.
    case list([Term], Origin)
    /// Keys after something other than a field: `$v.key`, `a[0].b`, `SUBQUERY(…).name`, `$v.$k`.
    indirect case path(Term, [PathStep], Origin)
    /// `a[0]`, `a[FIRST]`, `a['key']`.
    indirect case index(Term, Index, Origin)
    /// `orders.@sum.amount`: the operator, the collection, and the path after it (empty for `@count` and `@max.#self`).
    indirect case aggregate(Aggregate, of: Term, FieldPath, Origin)
    /// `a + b - c`: a chain of operators of one precedence, applied from left to right.
    indirect case arithmetic(Arithmetic, Origin)
    /// `-a`; a negated number literal is a value.
    indirect case negated(Term, Origin)
    /// A function of the function table that has no operator sign.
    indirect case call(Function, [Term], Origin)
    /// `SUBQUERY(collection, $x, condition)`.
    indirect case subquery(Subquery, Origin)  // S19
    /// `TERNARY(condition, a, b)`.
    indirect case conditional(Condition, Term, Term, Origin)
    /// `CAST(a, "NSNumber")`.
    indirect case cast(Term, CastTarget, Origin)
    /// `$v := 5`: parsed and printed, `unsupported` in every backend.
    indirect case assignment(Variable, Term, Origin)  // S25
}

/// A step after a dot.
///
///     let steps: [PathStep] = [.variable("language"), .key("title")]
///     Term.path(.field("texts", .none), steps, .none)  // → texts.$language.title
public enum PathStep: Sendable {
    /// A key.
    case key(String)
    /// `$k`: the key that the variable holds.
    case variable(Variable)
}

extension PathStep: Hashable {
    /// Same step; keys by UTF-8.
    public static func == (left: PathStep, right: PathStep) -> Bool {
        switch (left, right) {
        case (.key(let a), .key(let b)): a.hasSameUTF8(as: b)
        case (.variable(let a), .variable(let b)): a == b
        default: false
        }
    }

    /// Hashes the step.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .key(let key): key.hashUTF8(into: &hasher)
        case .variable(let variable): hasher.combine(variable)
        }
    }
}

/// The content of an index's brackets.
///
///     Term.index(.field("scores", .none), .last, .none)  // → scores[LAST]
public enum Index: Hashable, Sendable {
    /// `[FIRST]`.
    case first
    /// `[LAST]`.
    case last
    /// `[SIZE]`: the number of elements.
    case size
    /// A position or key.
    case at(Term)
}

/// A chain of operators of one precedence, applied from left to right: `a + b - c`.
///
///     let sum = Arithmetic(first: .field("price", .none), rest: [.init(.add, .field("tax", .none))])
///     Term.arithmetic(sum, .none)  // → price + tax
///
/// A chain is one node, so its length costs no nesting (S26).
public struct Arithmetic: Hashable, Sendable {
    /// An operator and the operand to its right.
    ///
    ///     Arithmetic.Link(.add, .field("tax", .none)).operand  // → tax
    public struct Link: Hashable, Sendable {
        /// The operator.
        public var operation: ArithmeticOperator
        /// Its right operand.
        public var operand: Term

        /// An operator and its right operand.
        ///
        ///     let sum = Arithmetic(first: .field("price", .none), rest: [Arithmetic.Link(.add, .value(1, .none))])
        ///     Term.arithmetic(sum, .none)  // → price + 1
        ///
        /// - Parameters:
        ///   - operation: the operator.
        ///   - operand: the term to its right.
        public init(_ operation: ArithmeticOperator, _ operand: Term) {
            self.operation = operation
            self.operand = operand
        }
    }

    /// The leftmost operand.
    public var first: Term
    /// The operators and operands after it; never empty, all of one precedence.
    public var rest: [Link]

    /// A chain; operators must share one precedence.
    ///
    ///     let half = Arithmetic(first: .field("price", .none), rest: [.init(.divide, .value(2, .none))])
    ///     Term.arithmetic(half, .none)  // → price / 2
    ///
    /// - Parameters:
    ///   - first: the leftmost operand.
    ///   - rest: at least one operator with its operand.
    public init(first: Term, rest: [Link]) {
        self.first = first
        self.rest = rest
    }
}

/// `SUBQUERY(collection, $variable, condition)`: the elements for which the condition holds.
///
///     let large = try Condition(format: "$o.amount > 100")
///     Term.subquery(Subquery(.field("orders", .none), "o", where: large), .none)
///     // → SUBQUERY(orders, $o, $o.amount > 100)
public struct Subquery: Hashable, Sendable {  // S19
    /// The collection.
    public var collection: Term
    /// The name of the element inside the condition.
    public var variable: Variable
    /// What an element must satisfy; bare keys in it belong to the outer object.
    public var condition: Condition

    /// The elements of a collection that satisfy a condition.
    ///
    ///     let red = try Condition(format: "$t == 'red'")
    ///     Term.subquery(Subquery(.field("tags", .none), "t", where: red), .none)  // → SUBQUERY(tags, $t, $t == "red")
    ///
    /// - Parameters:
    ///   - collection: a list, or a single value that counts as a list of one.
    ///   - variable: the element's name.
    ///   - condition: what the element must satisfy.
    public init(_ collection: Term, _ variable: Variable, where condition: Condition) {
        self.collection = collection
        self.variable = variable
        self.condition = condition
    }
}

extension Term {
    /// The term's source range.
    ///
    ///     guard case .comparison(let comparison) = try Condition(format: "age > 21") else { return }
    ///     comparison.left.origin.range  // → 0..<3
    public var origin: Origin {
        switch self {
        case .value(_, let origin), .field(_, let origin), .variable(_, let origin), .list(_, let origin),
            .path(_, _, let origin), .index(_, _, let origin), .aggregate(_, of: _, _, let origin),
            .arithmetic(_, let origin), .negated(_, let origin), .call(_, _, let origin), .subquery(_, let origin),
            .conditional(_, _, _, let origin), .cast(_, _, let origin), .assignment(_, _, let origin):
            origin
        }
    }

    /// A constant as a term: lists become `.list`, everything else `.value`.
    ///
    ///     Term.constant(["MA", "NY"])  // → {"MA", "NY"}
    ///
    /// - Parameters:
    ///   - value: any value.
    ///   - origin: the place of every node made.
    /// - Returns: the term.
    package static func constant(_ value: QueryValue, _ origin: Origin = .none) -> Term {
        if case .list(let elements) = value {
            return .list(elements.map { constant($0, origin) }, origin)
        }
        return .value(value, origin)
    }

    /// The value of a literal, argument or list of these; nil for anything that must be computed.
    ///
    ///     Term.constant(["MA", "NY"]).constantValue  // → ["MA","NY"]
    ///     Term.field("state", .none).constantValue  // → nil
    package var constantValue: QueryValue? {
        switch self {
        case .value(let value, _): return value
        case .list(let elements, _):
            var values: [QueryValue] = []
            values.reserveCapacity(elements.count)
            for element in elements {
                guard let value = element.constantValue else { return nil }
                values.append(value)
            }
            return .list(values)
        default: return nil
        }
    }
}
