import QueryValues

/// A field of the rows, or what is computed from fields: conditions written in code, without text.
///
/// An operator gives a ``Condition``; conditions combine with `&&`, `||` and `!`. The tree equals the one parsed from
/// the same text.
///
///     let grown = Field("age") > 21 && Field("name").hasPrefix("jo", .caseInsensitive)
///     grown.format  // → age > 21 AND name BEGINSWITH[c] "jo"
///     try Query(grown, order: ["name"]).count(in: people)  // → 1
///
/// A field is not `Equatable`: `==` makes a condition. To check a query built this way against a schema, call
/// ``Query/checked()``; a parsed query is checked automatically.
public struct Field: Sendable, QueryTermConvertible {
    /// What the field is in the tree.
    package var term: Term

    /// The field as a term.
    public var queryTerm: Term { term }

    /// A field from a part of a tree.
    ///
    ///     let count = Term.aggregate(.count, of: .field("tags", .none), FieldPath(keys: []), .none)
    ///     Field(count) > 2  // → tags.@count > 2
    ///
    /// - Parameter term: any term.
    public init(_ term: Term) {
        self.term = term
    }

    /// A field by its path: keys joined by dots, optionally with an `@` operator.
    ///
    ///     Field("address.zip") == "02134"  // → address.zip == "02134"
    ///     Field("orders.@sum.amount") > 100  // → orders.@sum.amount > 100
    ///
    /// Keys are taken literally: no word is reserved. For a key that contains a dot see ``init(_:)-(FieldPath)``.
    ///
    /// - Parameter path: the keys.
    public init(_ path: String) {  // S9, S18
        self = Field(.field(FieldPath(keys: []), .none)).appending(FieldPath(dotted: path).keys)
    }

    /// A field by its keys, which may hold any character.
    ///
    ///     Field(FieldPath(keys: ["zip.code"])) == "02134"  // → zip\u002ecode == "02134"
    ///
    /// - Parameter path: the keys.
    public init(_ path: FieldPath) {
        term = .field(path, .none)
    }

    /// The row itself, `SELF`; in a list of plain values, the value.
    ///
    ///     Field.itself.hasPrefix("b")  // → SELF BEGINSWITH "b"
    public static let itself = Field(FieldPath.itself)

    /// A constant where a field is expected.
    ///
    ///     Field.value(12).in(Field("scores"))  // → 12 IN scores
    ///
    /// - Parameter value: any value; nil is null.
    /// - Returns: the constant.
    public static func value(_ value: QueryValue) -> Field {
        Field(.constant(value))
    }

    /// A constant where a field is expected.
    ///
    ///     Field.value(["MA", "NY"]).contains(Field("state"))  // → {"MA", "NY"} CONTAINS state
    ///
    /// - Parameter value: any value.
    /// - Returns: the constant.
    public static func value(_ value: some QueryValueConvertible) -> Field {
        Field(value.queryTerm)
    }

    /// A list of fields and values: `{a, b, 3}`.
    ///
    ///     Field("home").in(Field.list(Field("city"), Field("birthplace"), "Boston"))
    ///     // → home IN {city, birthplace, "Boston"}
    ///
    /// - Parameter elements: fields and values.
    /// - Returns: the list.
    public static func list(_ elements: any QueryTermConvertible...) -> Field {
        Field(.list(elements.map(\.queryTerm), .none))
    }

    /// `$name`, which ``Query/binding(_:)`` gives a value.
    ///
    ///     Field("age") > Field.variable("limit")  // → age > $limit
    ///
    /// - Parameter name: without the `$`; must not be the name of an enclosing element, see ``filter(as:_:)``.
    /// - Returns: the variable.
    public static func variable(_ name: Variable) -> Field {
        Field(.variable(name, .none))
    }

    /// One of two values, chosen by a condition: `TERNARY(condition, a, b)`.
    ///
    ///     Field.conditional(Field("nick") == nil, then: Field("name"), else: Field("nick")) == "Jo"
    ///     // → TERNARY(nick == nil, name, nick) == "Jo"
    ///
    /// - Parameters:
    ///   - condition: what decides.
    ///   - first: the value when it holds.
    ///   - second: the value when it does not.
    /// - Returns: the chosen value.
    public static func conditional(
        _ condition: Condition,
        then first: some QueryTermConvertible,
        else second: some QueryTermConvertible
    ) -> Field {
        Field(.conditional(condition, first.queryTerm, second.queryTerm, .none))
    }
}

// MARK: - Keys and positions

extension Field {
    /// The value at a path inside this one: `a.b`, `$x.a`.
    ///
    ///     Field("address")["zip"] == "02134"  // → address.zip == "02134"
    ///     Field("orders").filter { $0["amount"] > 100 }.count > 0
    ///     // → SUBQUERY(orders, $x, $x.amount > 100).@count > 0
    ///
    /// - Parameter path: keys joined by dots, optionally with an `@` operator, as for ``init(_:)-(String)``.
    public subscript(path: String) -> Field {
        appending(FieldPath(dotted: path).keys)
    }

    /// The value at a path inside this one, by keys that may hold any character.
    ///
    ///     Field("address")[FieldPath(keys: ["zip.code"])] == "02134"  // → address.zip\u002ecode == "02134"
    ///
    /// - Parameter path: the keys.
    public subscript(path: FieldPath) -> Field {
        appending(key: path.keys)
    }

    /// The element at a position: `a[0]`; nil beyond the end.
    ///
    ///     Field("scores")[0] > 5  // → scores[0] > 5
    ///
    /// - Parameter position: counted from 0.
    public subscript(position: Int) -> Field {
        Field(.index(term, .at(.value(.int(Int64(position)), .none)), .none))
    }

    /// The element at a computed position or key: `a[b]`.
    ///
    ///     Field("scores")[Field("turn")] > 5  // → scores[turn] > 5
    ///
    /// - Parameter position: a position of a list or a key of an object.
    public subscript(position: Field) -> Field {
        Field(.index(term, .at(position.term), .none))
    }

    /// The first element: `a[FIRST]`.
    ///
    ///     Field("scores").first > 5  // → scores[FIRST] > 5
    public var first: Field { Field(.index(term, .first, .none)) }

    /// The last element: `a[LAST]`.
    ///
    ///     Field("scores").last > 5  // → scores[LAST] > 5
    public var last: Field { Field(.index(term, .last, .none)) }

    /// The number of elements: `a[SIZE]`; see also ``count``.
    ///
    ///     Field("scores").size > 5  // → scores[SIZE] > 5
    public var size: Field { Field(.index(term, .size, .none)) }

    /// Joins keys and `@` operators as the parser does.
    private func appending(_ parts: [String]) -> Field {
        var result = self
        var keys: [String] = []
        var rest = parts[...]
        while let part = rest.popFirst() {
            guard part.utf8.first == UInt8(ascii: "@"), let aggregate = Aggregate(rawValue: String(part.dropFirst()))
            else {
                keys.append(part)
                continue
            }
            result = result.appending(key: keys)
            keys = []
            guard aggregate.pathRule != .none else {
                result = result.aggregate(aggregate, FieldPath(keys: []))
                continue
            }
            let path = rest.prefix { $0.utf8.first != UInt8(ascii: "@") }
            rest = rest.dropFirst(path.count)
            result = result.aggregate(aggregate, FieldPath(keys: Array(path)))
        }
        return result.appending(key: keys)
    }

    private func appending(key keys: [String]) -> Field {
        guard !keys.isEmpty else { return self }
        let steps = keys.map { PathStep.key($0) }
        switch term {
        case .field(var path, _):
            path.keys += keys
            return Field(.field(path, .none))
        case .path(let base, let before, _): return Field(.path(base, before + steps, .none))
        case .value, .variable, .list, .index, .aggregate, .arithmetic, .negated, .call, .subquery, .conditional,
            .cast, .assignment:
            return Field(.path(term, steps, .none))
        }
    }
}
