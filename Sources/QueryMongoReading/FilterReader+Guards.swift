import QueryChecking
import QueryMongo
import QueryTree
import QueryValues

/// The fields that an object excludes from being lists: `{"a": {"$not": {"$type": "array"}}}`.
///
/// Next to a test that no list satisfies, the guard is not a separate condition, because the test's reading already
/// includes it.
struct ListGuards {
    private var open: [(name: String, node: MongoNode)] = []
    private var names: Set<UTF8Key> = []
    private var absorbed: Set<UTF8Key> = []
    /// True inside an operator, where `{"$not": {"$type": "array"}}` is a test like any other.
    private(set) var areTests = false

    /// The guards as seen by a nested test, which may rely on them but does not change them.
    var inside: ListGuards {
        var copy = self
        copy.areTests = true
        return copy
    }

    /// The guards of an object's members, and those of the object that contains it in `$and`.
    init(_ members: [(key: String, node: MongoNode)], within outer: ListGuards? = nil) {
        if let outer { names = outer.names }
        for (key, node) in members {
            guard let operators = node.operators, let not = operators["$not"] else { continue }
            if not == FilterWriter.isArray || not == .object(["$type": 4]) {
                open.append((key, node))
                names.insert(UTF8Key(key))
            }
        }
    }

    /// Guards that no test has made redundant.
    var remaining: [(name: String, node: MongoNode)] { open.filter { !absorbed.contains(UTF8Key($0.name)) } }

    /// True if there is a guard for every stored path.
    func cover(_ paths: [String]) -> Bool {
        paths.allSatisfy { names.contains(UTF8Key($0)) }
    }

    /// Marks the guards of these paths as covered by a test that no list satisfies.
    mutating func absorb(_ paths: [String]) {
        for path in paths { absorbed.insert(UTF8Key(path)) }
    }

    /// The tests of an object inside have absorbed guards.
    mutating func absorb(from inner: ListGuards) { absorbed.formUnion(inner.absorbed) }
}

extension FilterReader {
    /// Guards that are separate conditions: `a.@count == nil`.
    func rest(of guards: ListGuards) throws(QueryError) -> [Condition] {
        var conditions: [Condition] = []
        for (name, node) in guards.remaining {
            let field = try field(name, node, guards)
            if field.names.count == 1, isIdentity(field) { continue }
            guard isPrefixSingle(field) else { throw containers(field, node) }
            conditions.append(noList(field, node))
        }
        return conditions
    }

    /// `p.@count == nil`: anything other than a list has no count (S18).
    func noList(_ field: MongoField, _ node: MongoNode) -> Condition { noList(term(field), node) }

    func noList(_ term: Term, _ node: MongoNode) -> Condition {
        let count = Term.aggregate(.count, of: term, FieldPath(keys: []), node.origin)
        // For a computed nil `== nil` tests for null only; `<=` always tests for both (S7).
        let nilOperator: Comparison.Operator = reading.nilMeaning == .absent ? .lessOrEqual : .equal
        return .comparison(Comparison(count, nilOperator, .value(.null, node.origin), origin: node.origin))
    }

    /// True if the field certainly holds single values: by the schema, by guards next to it, or by assumption (S11).
    ///
    /// A test that no list satisfies makes the guards redundant and absorbs them.
    func isSingle(_ field: MongoField, _ guards: inout ListGuards, absorbing: Bool = true) -> Bool {
        if field.names.isEmpty { return true }
        guard field.listSteps == 0 else { return false }
        let open = openPrefixes(field, through: field.names.count)
        if open.isEmpty || isGuarded(field, &guards, absorbing: absorbing) { return true }
        return reading.isSingle(field.pathText, stored: field.names, in: storedPath)
    }

    /// True if guards next to the test exclude lists on the way.
    func isGuarded(_ field: MongoField, _ guards: inout ListGuards, absorbing: Bool = true) -> Bool {
        let open = openPrefixes(field, through: field.names.count)
        guard guards.cover(open) else { return false }
        if absorbing { guards.absorb(open) }
        return true
    }

    /// True if every container on the way to the field is certainly single.
    func isPrefixSingle(_ field: MongoField, _ guards: ListGuards? = nil) -> Bool {
        if reading.isNamed(field.pathText) { return true }
        let container = field.prefix(max(0, field.names.count - 1))
        guard container.listSteps == 0 else { return false }
        let open = openPrefixes(field, through: container.names.count)
        if open.isEmpty || guards?.cover(open) == true { return true }
        return reading.isSingle(container.pathText, stored: container.names, in: storedPath)
    }

    /// True if a numeric name is a key of an object, because nothing before it can be a list.
    func isKey(_ position: Int, of field: MongoField, _ guards: ListGuards) -> Bool {
        if reading.isNamedSingle(field.pathText) { return true }
        let container = field.prefix(position)
        guard container.listSteps == 0, position > 0 || base != .any else { return false }
        return guards.cover(openPrefixes(container, through: position))
    }

    /// The stored prefixes that the schema leaves open.
    func openPrefixes(_ field: MongoField, through count: Int) -> [String] {
        let first = isIdentity(field) ? 1 : 0
        return (0..<count).dropFirst(first).filter { field.types[$0] == .any }.map { field.prefix($0 + 1).dotted }
    }

    /// True for the row's `_id` and what is below: no server lets it be a list.
    private func isIdentity(_ field: MongoField) -> Bool {
        subject == nil && field.names.first?.hasSameUTF8(as: "_id") == true && !reading.isNamedList("_id")
    }

    /// The hint for who cannot say what fields hold.
    static let askFormat = "give a predicate as format, in place of query, such as ANY items.n > 1"

    /// The error for what cannot be expressed while a container may be a list.
    func containers(_ field: MongoField, _ node: MongoNode) -> QueryError {
        node.unsupported(
            "Mongo looks inside lists on the way to this field, which no query does here",
            hint: "give a schema, or assume that \(field.pathText) is single",
            inRequest: Self.askFormat
        )
    }
}
