import QueryTree
import QueryValues

/// Checks a query against a policy.
struct PolicyChecker {
    let policy: QueryPolicy
    private var allowed: AllowedPaths
    private(set) var problems: [QueryError] = []
    /// The paths of SUBQUERY's elements.
    private var elements: [Variable: [Path]] = [:]
    private var nodes = 0
    /// The constants in lists: no parts, as many as one list may have.
    private var listed = 0
    private var isTooDeep = false

    /// A path that a term reads.
    struct Path: Hashable {
        var field: FieldPath
        /// True if a key is known only when the query runs.
        var isOpen = false

        init(keys: [String], isOpen: Bool = false) {
            field = FieldPath(keys: keys)
            self.isOpen = isOpen
        }

        var keys: [String] { field.keys }
    }

    init(policy: QueryPolicy) {
        self.policy = policy
        allowed = AllowedPaths(policy.fields)
    }

    mutating func check(_ query: Query) {
        visit(query.condition, depth: 0)
        for (position, field) in query.computed.enumerated() { visit(field.term) { $0.ofComputedField(position) } }
        // Beyond the allowed keys there may be very many.
        var counted = query
        counted.order = Array(query.order.prefix(max(1, policy.maximumSortKeys)))
        checkSize(of: counted, query.condition)
        sortProblems()
        checkOrder(query, by: AllowedPaths(policy.sortFields ?? policy.fields))
        checkFields(query)
        checkRange(query)
    }

    mutating func check(_ grouping: Grouping) {
        let query = grouping.query
        visit(query.condition, depth: 0)
        for (position, key) in grouping.keys.enumerated() where key.path == nil {
            visit(key.term) { $0.ofGroupKey(position) }
        }
        for (position, reducer) in grouping.reducers.enumerated() {
            guard let value = reducer.value, value.path == nil else { continue }
            visit(value.term) { $0.ofReducer(position) }
        }
        var walked = Query(.and([query.condition] + grouping.computedTerms), schema: query.schema)
        // A computed value goes into a group like a field; at most it is the row itself.
        walked.order = grouping.readValues.map { SortKey($0.path ?? .itself) }
        checkSize(of: walked, query.condition)
        sortProblems()
        checkGroups(grouping)
        // From here on, names are the groups' own fields.
        let names = AllowedPaths(paths: grouping.resultNames.map { [$0] })
        if let having = grouping.having { checkHaving(having, names) }
        checkOrder(query, by: names)
        checkRange(query)
    }

    /// Visits a computed value that is shown: the fields in its term must be allowed.
    private mutating func visit(_ term: Term, _ placed: (QueryError) -> QueryError) {
        let found = problems
        problems = []
        visit(term, depth: 0)
        problems = found + problems.map(placed)
    }

    /// Checks what a query costs; the condition is the part of it that has a text to show.
    private mutating func checkSize(of query: Query, _ condition: Condition) {
        let nodes = nodes + max(0, listed - policy.maximumListElements)
        if nodes > policy.maximumNodes {
            report(
                .nodes,
                "the query has \(nodes) parts, but only \(policy.maximumNodes) are allowed",
                condition.origin
            )
        }
        let cost = query.estimatedCost(countsMatchLimit: policy.countsMatchLimit)
        guard cost > policy.maximumCost else { return }
        report(
            .cost,
            "the query may take \(cost) steps for a row of 2 KB, but only \(policy.maximumCost) are allowed",
            condition.costliestOrigin(query.schema, countsMatchLimit: policy.countsMatchLimit),
            hint: "use fewer lists, and do not look for the elements of one list in another"
        )
    }

    /// Sorts by position in the text; problems without a range come last.
    private mutating func sortProblems() {
        let placed = problems.enumerated().sorted { a, b in
            (a.element.range?.lowerBound ?? .max, a.offset) < (b.element.range?.lowerBound ?? .max, b.offset)
        }
        problems = placed.map(\.element)
    }

    private mutating func checkGroups(_ grouping: Grouping) {
        if grouping.keys.count > policy.maximumGroupKeys {
            report(.groups, "more than \(policy.maximumGroupKeys) group keys are not allowed", path: "group.by")
        }
        if grouping.reducers.count > policy.maximumReducers {
            report(.groups, "more than \(policy.maximumReducers) values are not allowed", path: "group.compute")
        }
        for (position, key) in grouping.keys.enumerated() {
            guard let path = key.path, !allowed.allow(path.keys) else { continue }
            report(.fields, Self.forbidden(path.keys), path: "group.by[\(position)]")
        }
        for (position, reducer) in grouping.reducers.enumerated() {
            let place = "group.compute[\(position)]"
            if let path = reducer.path, !allowed.allow(path.keys) {
                report(.fields, Self.forbidden(path.keys), path: place)
            }
            if reducer.kind == .custom, !policy.allowsWholeRows, !allowed.allow([]) {
                report(.fields, "a reduction of whole rows is not allowed", path: place)
            }
            guard let (isAllowed, name) = permission(of: reducer.kind), !isAllowed else { continue }
            report(.functions, "\(name) is not allowed", path: place)
        }
    }

    /// Whether the policy allows what a reducer computes, and the name of that in the language; nil where the allowed
    /// fields decide.
    private func permission(of kind: Reducer.Kind) -> (isAllowed: Bool, name: String)? {
        let aggregate: Aggregate
        switch kind {
        case .count: aggregate = .count
        case .sum: aggregate = .sum
        case .average: aggregate = .average
        case .min: aggregate = .min
        case .max: aggregate = .max
        case .countDistinct, .distinct: aggregate = .distinctUnionOfObjects
        case .median: return (policy.functions.contains(.median), Function.median.entry.name)
        case .first, .last, .custom: return nil
        }
        return (policy.aggregates.contains(aggregate), aggregate.spelling)
    }

    private mutating func checkHaving(_ having: Condition, _ names: AllowedPaths) {
        let (rows, found) = (allowed, problems)
        (allowed, problems, nodes, listed) = (names, [], 0, 0)
        visit(having, depth: 0)
        checkSize(of: Query(having), having)
        sortProblems()
        problems = found + problems.map { $0.at(path: "having") }
        allowed = rows
    }

    private mutating func checkOrder(_ query: Query, by sortable: AllowedPaths) {
        if query.order.count > policy.maximumSortKeys {
            report(.sort, "more than \(policy.maximumSortKeys) sort keys are not allowed", path: "order")
        }
        for (position, key) in query.sortingByComputed.order.enumerated() {
            if key.mayBeRead({ sortable.allow($0.keys) }) { continue }
            report(.sort, "sorting by " + Self.forbidden(key.path.keys), path: "order[\(position)]")
        }
    }

    private mutating func checkFields(_ query: Query) {
        let fields = query.fields ?? []
        if fields.count + query.computed.count > policy.maximumFields {
            report(.fields, "more than \(policy.maximumFields) fields are not allowed", path: "fields")
        }
        for (position, path) in fields.enumerated() where !allowed.allow(path.keys) {
            report(.fields, Self.forbidden(path.keys), path: "fields[\(position)]")
        }
        if query.resultNames == nil, !policy.allowsWholeRows, !allowed.allow([]) {
            report(.fields, "the fields must be named", path: "fields", hint: "checked(_:) names those of the policy")
        }
    }

    private mutating func checkRange(_ query: Query) {
        if let skip = query.skip, let most = policy.maximumSkip, skip > most {
            report(.skip, "a skip beyond \(most) is not allowed", path: "skip")
        }
        if let limit = query.limit, let most = policy.maximumLimit, limit > most || limit < 0 {
            let message = limit < 0 ? "limit must not be negative" : "a limit beyond \(most) is not allowed"
            report(.limit, message, path: "limit")
        }
        if query.limit == nil, policy.requiresLimit {
            report(.limit, "a limit is needed", path: "limit", hint: policy.maximumLimit.map { "at most \($0)" })
        }
    }

    private mutating func report(
        _ rule: QueryPolicy.Rule,
        _ message: String,
        _ origin: Origin = .none,
        path: String? = nil,
        hint: String? = nil
    ) {
        var error = QueryError(rule.code, message, at: origin, hint: hint)
        error.path = path
        problems.append(error)
    }

    /// What is said of a field that the policy does not list.
    private static func forbidden(_ keys: [String]) -> String {
        (keys.isEmpty ? "this field" : "the field " + keys.joined(separator: ".")) + " is not allowed"
    }

    // MARK: The tree

    private mutating func visit(_ condition: Condition, depth: Int) {
        guard enter(condition.origin, depth) else { return }
        switch condition {
        case .constant: break
        case .comparison(let comparison): visit(comparison, depth: depth)
        case .and(let parts), .or(let parts): for part in parts { visit(part, depth: depth + 1) }
        case .not(let part): visit(part, depth: depth + 1)
        }
    }

    /// Counts a node; false if the tree is too deep to continue.
    private mutating func enter(_ origin: Origin, _ depth: Int) -> Bool {
        nodes += 1
        guard depth > policy.maximumNesting else { return true }
        if !isTooDeep { report(.nesting, "more than \(policy.maximumNesting) levels are not allowed", origin) }
        isTooDeep = true
        return false
    }

    private mutating func visit(_ comparison: Comparison, depth: Int) {
        if !policy.operators.contains(comparison.operator) {
            report(.operators, "\(comparison.operator.spelling) is not allowed", comparison.origin)
        }
        if comparison.quantifier != nil, !policy.allowsQuantifiers {
            report(.quantifiers, "ANY and ALL are not allowed", comparison.origin)
        }
        visit(comparison.left, depth: depth + 1)
        visit(comparison.right, depth: depth + 1)
    }

    private mutating func visit(_ term: Term, depth: Int) {
        guard enter(term.origin, depth) else { return }
        checkUse(of: term)
        switch term {
        case .value(let value, let origin): checkSize(of: value, origin)
        case .list(let elements, let origin):
            checkCount(elements.count, origin)
            for element in elements {
                if case .value(let value, let place) = element, value.kind != .list, value.kind != .object {
                    listed += 1
                    checkSize(of: value, place)
                } else {
                    visit(element, depth: depth + 1)
                }
            }
        case .field, .variable: checkPaths(of: term)
        case .aggregate(.count, of: let counted, _, _) where counted.isSubquery:
            // Counting reveals no more than the condition itself.
            visitBase(counted, depth: depth + 1)
        case .path(let base, _, _), .aggregate(_, of: let base, _, _):
            checkPaths(of: term)
            visitBase(base, depth: depth + 1)
        case .index(let base, let index, _):
            checkPaths(of: term)
            visitBase(base, depth: depth + 1)
            if case .at(let position) = index { visit(position, depth: depth + 1) }
        case .subquery(let subquery, _):
            // Reads the elements themselves.
            checkPaths(of: term)
            visit(subquery, depth: depth)
        case .arithmetic, .negated, .call, .conditional, .cast, .assignment: visitChildren(of: term, depth: depth + 1)
        }
    }

    /// Visits the base of a path; the whole path is checked, not its beginning.
    private mutating func visitBase(_ base: Term, depth: Int) {
        switch base {
        case .field, .variable: nodes += 1
        case .path(let inner, _, _): visitBase(inner, depth: depth)
        case .index(let inner, let index, _):
            visitBase(inner, depth: depth)
            if case .at(let position) = index { visit(position, depth: depth + 1) }
        case .subquery(let subquery, _):
            checkUse(of: base)
            visit(subquery, depth: depth)
        default: visit(base, depth: depth)
        }
    }

    private mutating func visitChildren(of term: Term, depth: Int) {
        for child in term.children {
            switch child {
            case .condition(let condition): visit(condition, depth: depth)
            case .term(let term): visit(term, depth: depth)
            }
        }
    }

    private mutating func visit(_ subquery: Subquery, depth: Int) {
        // Deduplicated: a collection may be chosen from several, at every level.
        let collection = Array(Set(paths(of: subquery.collection)))
        for path in collection where !allowed.allow(path.keys, asContainer: true) {
            report(.fields, Self.forbidden(path.keys), subquery.collection.origin)
        }
        visitBase(subquery.collection, depth: depth + 1)
        if collection.count > Self.mostCollections {
            report(.fields, "a SUBQUERY over this many fields is not allowed", subquery.collection.origin)
        }
        // Each key of an element is checked against the policy once per collection.
        let held = Array(collection.prefix(Self.mostCollections))
        let outer = elements.updateValue(held, forKey: subquery.variable)
        visit(subquery.condition, depth: depth + 1)
        elements[subquery.variable] = outer
    }

    private static let mostCollections = 50

    private mutating func checkUse(of term: Term) {
        switch term {
        case .call(let function, _, let origin) where !policy.functions.contains(function):
            report(.functions, "\(function.entry.name) is not allowed", origin)
        case .aggregate(let aggregate, of: _, _, let origin) where !policy.aggregates.contains(aggregate):
            report(.functions, "\(aggregate.spelling) is not allowed", origin)
        case .subquery(_, let origin) where !policy.allowsSubqueries:
            report(.subqueries, "SUBQUERY is not allowed", origin)
        case .arithmetic(_, let origin), .negated(_, let origin), .conditional(_, _, _, let origin),
            .cast(_, _, let origin):
            if !policy.allowsArithmetic { report(.arithmetic, "arithmetic is not allowed", origin) }
        default: break
        }
    }

    private mutating func checkSize(of value: QueryValue, _ origin: Origin) {
        switch value {
        case .string(let text): checkBytes(text.utf8.count, origin)
        case .data(let bytes): checkBytes(bytes.count, origin)
        case .list(let elements):
            checkCount(elements.count, origin)
            for element in elements { checkSize(of: element, origin) }
        case .object(let object):
            checkCount(object.count, origin)
            for element in object.values { checkSize(of: element, origin) }
        case .shape(.polygon(let corners)): checkCount(corners.count, origin)
        case .null, .bool, .int, .double, .date, .uuid, .shape(.circle): break
        }
    }

    private mutating func checkBytes(_ count: Int, _ origin: Origin) {
        guard count > policy.maximumTextBytes else { return }
        report(.text, "a text of more than \(policy.maximumTextBytes) bytes is not allowed", origin)
    }

    private mutating func checkCount(_ count: Int, _ origin: Origin) {
        guard count > policy.maximumListElements else { return }
        report(.lists, "a list of more than \(policy.maximumListElements) elements is not allowed", origin)
    }

    // MARK: Fields

    private mutating func checkPaths(of term: Term) {
        for path in paths(of: term) {
            if path.isOpen ? allowed.allowAnything(below: path.keys) : allowed.allow(path.keys) { continue }
            report(.fields, Self.forbidden(path.keys), term.origin)
        }
    }

    /// The paths that a term reads from the row; none for constants and for variables bound later.
    private func paths(of term: Term) -> [Path] {
        switch term {
        case .value, .assignment: return []
        case .field(let path, _): return [Path(keys: path.keys)]
        case .variable(let variable, _): return elements[variable] ?? []
        case .path(let base, let steps, _): return steps.reduce(paths(of: base)) { Self.following($0, $1) }
        case .aggregate(_, of: let base, let path, _):
            return path.keys.reduce(paths(of: base)) { Self.following($0, .key($1)) }
        case .index(let base, .at(let index), _):
            switch index.constantValue {
            case .string(let key): return Self.following(paths(of: base), .key(key))
            case .int, .double: return paths(of: base)
            default: return paths(of: base).map { Path(keys: $0.keys, isOpen: true) }
            }
        case .index(let base, _, _): return paths(of: base)
        case .subquery(let subquery, _): return paths(of: subquery.collection)
        case .conditional(_, let first, let second, _): return paths(of: first) + paths(of: second)
        case .list(let terms, _), .call(_, let terms, _): return terms.flatMap { paths(of: $0) }
        case .arithmetic(let chain, _):
            return ([chain.first] + chain.rest.map(\.operand)).flatMap { paths(of: $0) }
        case .negated(let operand, _), .cast(let operand, _, _): return paths(of: operand)
        }
    }

    private static func following(_ paths: [Path], _ step: PathStep) -> [Path] {
        paths.map { path in
            guard !path.isOpen, case .key(let key) = step else { return Path(keys: path.keys, isOpen: true) }
            return Path(keys: path.keys + [key])
        }
    }
}

extension Term {
    fileprivate var isSubquery: Bool { if case .subquery = self { true } else { false } }
}
