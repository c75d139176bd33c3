import QueryChecking
import QueryMongo
import QueryParsing
import QueryTree
import QueryValues

extension Grouping {
    /// Reads the JSON body of a request for groups.
    ///
    ///     let reduce = "function(doc, out) { out.count++; }"
    ///     let body: Document = [
    ///         "key": .object(["state": true]), "initial": .object(["count": 0]), "reduce": .string(reduce),
    ///     ]
    ///     try Grouping(rest: body).results(in: cities)  // → [{"state":"MA","count":3}, {"state":"NY","count":1}]
    ///     let means: Document = ["reducers": [.object(["op": "avg", "field": "population"])], "key": ["state"]]
    ///     try Grouping(rest: means).reducers.first == .average("population")  // → true
    ///
    /// No JavaScript is run: a `reduce` function with its `initial` is recognised by its shape, which may be one that
    /// ``rest(_:guarded:now:)`` writes or one of the count, sum, average, minimum and maximum of other clients. All of
    /// them are read as this library's reducers, which skip values that are not numbers (S18) and compare by S22.
    /// A minimum or maximum that begins with a number is refused here; the service answers it.
    ///
    /// `reducers` is the form without JavaScript: `op` is `count`, `sum`, `avg`, `min` or `max`, `field` a stored name,
    /// `as` the result's name. `condition` is a find filter, `format` one in this library's language; `having`, `sort`,
    /// `skip` and `limit` apply to the groups.
    ///
    /// - Parameters:
    ///   - body: the object.
    ///   - assumptions: what is known about paths of `condition`; nil to assume single values.
    ///   - nilMeaning: what `== nil` tests for in the condition; nil to use what it needs.
    ///   - schema: names and kinds; stored names become property names, and the groups are checked against it.
    ///   - limits: bounds on texts, depth and lists.
    /// - Throws: `QueryError` whose path begins with the member's name: `unsupported` for a script of another shape,
    ///   whose hint shows the recognised ones; `argument` for unknown members, and what `Query(rest:)` throws.
    /// - Complexity: linear in the size of the body.
    public init(
        rest body: Document,
        assuming assumptions: [Assumption]? = [],
        nilMeaning: NilMeaning? = nil,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        let request = try GroupRequest(
            rest: body,
            assuming: assumptions,
            nilMeaning: nilMeaning,
            schema: schema,
            limits: limits
        )
        guard request.start?.isNumber != true else {
            throw QueryError(
                .unsupported,
                "the script's minimum or maximum begins with a number, which a reducer does not",
                path: "initial",
                hint: #"begin a minimum with "Infinity", a maximum with "-Infinity""#
            )
        }
        self = request.grouping
    }

    /// A group as a service answers it: keys under their stored names with dots.
    ///
    ///     let groups = Query().grouped(by: "address.zip", computing: [.count])
    ///     groups.restRow(of: ["address_zip": "02101", "count": 3])  // → {"address.zip":"02101","count":3}
    ///
    /// - Parameter group: a result of this grouping.
    /// - Returns: the row of the answer.
    package func restRow(of group: Document) -> Document {
        let row = TypeScope(query.schema).row
        var names: [UTF8Key: String] = [:]
        for key in keys {
            guard let path = key.path else { continue }
            let stored = row.resolve(path.keys)?.storedKeys ?? path.keys
            names[UTF8Key(key.name)] = stored.joined(separator: ".")
        }
        return Document(pairs: group.pairs.map { (names[UTF8Key($0)] ?? $0, $1) })
    }
}

/// A request for groups, and what its script makes of their values beyond what reducers do.
package struct GroupRequest: Sendable {
    /// The groups.
    package let grouping: Grouping
    fileprivate let start: GroupStart?

    /// Reads the JSON body of a request for groups.
    ///
    /// The arguments and errors are those of `Grouping(rest:)`.
    package init(
        rest body: Document,
        assuming assumptions: [Assumption]? = [],
        nilMeaning: NilMeaning? = nil,
        schema: Schema? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        var parameters = GroupParameters(limits, TypeScope(schema).row)
        var rows = Document()
        for (name, node) in try RESTParameters.members(body, limits) {
            switch name {
            case "condition": rows["query"] = node.value
            case "format": rows["format"] = node.value
            default: try parameters.add(name, node)
            }
        }
        var query = try GroupParameters.rows(rows, assumptions, nilMeaning, schema, limits)
        let reducers = try parameters.reducers()
        (query.order, query.skip, query.limit) = (try parameters.order(), parameters.skip, parameters.limit)
        start = parameters.start
        let grouping = Grouping(
            query,
            by: parameters.keys.map { GroupKey($0.path) },
            computing: reducers,
            having: parameters.havingOfNames(of: reducers)
        )
        do throws(QueryError) {
            try grouping.validate()
            self.grouping = try grouping.checked()
        } catch {
            throw error.placed(inGroupRequest: parameters.reducing)
        }
    }

    /// A group as a service answers it: keys under their stored names with dots, values as the script leaves them.
    ///
    /// - Parameter group: a result of the grouping.
    /// - Returns: the row of the answer.
    package func row(of group: Document) -> Document {
        var row = grouping.restRow(of: group)
        switch start {
        case .least(let name, let first)?: row.keep(first, under: name, unless: .ascending)
        case .greatest(let name, let first)?: row.keep(first, under: name, unless: .descending)
        case .average(let name, let count)?: if row[count] == 0 { row[name] = 0 }
        case nil: break
        }
        return row
    }
}

/// How a script's value begins where a reducer has no value, or another one.
private enum GroupStart: Sendable {
    case least(String, QueryValue)
    case greatest(String, QueryValue)
    case average(String, count: String)

    /// True if a minimum or maximum is compared with a number of the request.
    var isNumber: Bool {
        switch self {
        case .least, .greatest: true
        case .average: false
        }
    }
}

extension GroupScriptReader.Script {
    /// What the script's result is without rows, or compared with, if that is a number.
    fileprivate func start(_ given: Document) -> GroupStart? {
        guard let form, let value = values.first else { return nil }
        switch form {
        case .count, .sum, .average: return nil
        case .runningAverage, .lateAverage: return .average(value.name, count: value.count)
        case .least: return given[value.name]?.finiteNumber.map { .least(value.name, $0) }
        case .greatest: return given[value.name]?.finiteNumber.map { .greatest(value.name, $0) }
        }
    }
}

extension Document {
    /// Keeps a first value under a name if nothing is there, or nothing that comes before or after it (S22).
    fileprivate mutating func keep(_ first: QueryValue, under name: String, unless order: QueryOrder) {
        let value = self[name] ?? .null
        if value == .null || value.sortOrder(relativeTo: first) != order { self[name] = first }
    }
}

/// The members of a request for groups.
private struct GroupParameters {
    private let limits: Limits
    private let row: FieldType
    private(set) var keys: [(stored: String, path: FieldPath)] = []
    private(set) var having: Condition?
    private(set) var skip: Int?
    private(set) var limit: Int?
    private var sort: MongoNode?
    private var initial: MongoNode?
    private var reduce: MongoNode?
    private var native: [Reducer]?
    /// What the script does beyond its reducers.
    private(set) var start: GroupStart?

    init(_ limits: Limits, _ row: FieldType) {
        (self.limits, self.row) = (limits, row)
    }

    /// The member that the reducers come from.
    var reducing: String { native == nil ? "reduce" : "reducers" }

    /// The query for the rows; errors in `query` are errors of the condition.
    static func rows(
        _ body: Document,
        _ assumptions: [Assumption]?,
        _ nilMeaning: NilMeaning?,
        _ schema: Schema?,
        _ limits: Limits
    ) throws(QueryError) -> Query {
        do throws(QueryError) {
            return try RESTParameters(body, limits).reading(
                assuming: assumptions,
                nilMeaning: nilMeaning,
                schema: schema,
                limits: limits,
                distances: .none
            ).query
        } catch {
            guard let path = error.path, path.hasPrefix("query") else { throw error }
            throw error.at(path: "condition" + path.dropFirst("query".count))
        }
    }

    mutating func add(_ name: String, _ node: MongoNode) throws(QueryError) {
        switch name {
        case "key": keys = try keys(node)
        case "initial": initial = node
        case "reduce": reduce = node
        case "reducers":
            native = try node.list(name).map { (entry) throws(QueryError) in try reducer(entry) }
        case "having":
            let text = try node.text(name)
            having = try RESTParameters.text(name) { () throws(QueryError) in
                try Condition(parsing: text, limits: limits)
            }
        case "sort": sort = try RESTParameters.sort(node, limits)
        case "skip": skip = try node.count(name)
        case "limit": limit = try node.count(name)
        default:
            let known = "key, initial and reduce or reducers, condition or format, having, sort, skip, limit"
            throw RESTParameters.unknown(name, known)
        }
    }

    private func keys(_ node: MongoNode) throws(QueryError) -> [(stored: String, path: FieldPath)] {
        if case .list = node.value {
            return try node.elements.map { (key) throws(QueryError) in
                let name = try key.text("a key")
                guard !RESTParameters.isTerm(name) else {
                    let known = QueryValue.object([name: true]).json
                    throw key.unsupported(
                        "a key is a stored name here, not computed: \(name)",
                        hint: """
                            a query tree groups by terms, as {"pql":{"where":true,"group":{"by":[{"of":{"call":"month:",\
                            "arguments":[{"field":["placed"]}]},"as":"m"}],"compute":[{"compute":"count"}]}}}; a field \
                            with such a name is written as \(known)
                            """
                    )
                }
                return (name, try path(FieldPath(dotted: name).keys, key))
            }
        }
        guard case .object = node.value else {
            throw node.wrong(
                "the key must be names",
                hint: #"write ["year"], or {"year":true}; [] for one group of all"#
            )
        }
        return try node.members.map { (name, member) throws(QueryError) in
            guard member.value == true || member.value == 1 else { throw member.wrong("a key takes true") }
            return (name, try path(FieldPath(dotted: name).keys, member))
        }
    }

    /// The path of stored names in property names.
    private func path(_ names: [String], _ node: MongoNode) throws(QueryError) -> FieldPath {
        guard names.count <= limits.pathParts else {
            throw node.error(.limit, "the path has more than \(limits.pathParts) parts")
        }
        guard !names.isEmpty, !names.contains(where: \.isEmpty) else { throw node.wrong("a field needs a name") }
        guard let keys = row.propertyNames(ofStored: names) else {
            throw node.error(.unknownField, "the schema has no field with this stored name")
        }
        return FieldPath(keys: keys)
    }

    /// One of `reducers`.
    private func reducer(_ node: MongoNode) throws(QueryError) -> Reducer {
        _ = try node.object("a reducer")
        for (name, member) in node.members where !["op", "field", "as"].contains(name) {
            throw member.error(.argument, "unknown member", hint: "known: op, field, as")
        }
        guard let member = node.member("op") else { throw node.wrong("a reducer needs op") }
        let operation = try member.text("op")
        let field = try node.member("field").map { (field) throws(QueryError) in
            try path(FieldPath(dotted: try field.text("field")).keys, field)
        }
        if let field = node.member("field"), RESTParameters.isTerm(try field.text("field")) {
            throw field.unsupported(
                "a reducer takes a stored name, not a term",
                hint: "keep the value in a field, or compute it where the rows are read"
            )
        }
        let alias = try node.member("as").map { (name) throws(QueryError) in try name.text("as") }
        guard let kind = Reducer.Kind(rawValue: operation), let made = kind.operation(field.map { GroupKey($0) }) else {
            throw member.wrong(
                "there is no such op for this field",
                hint: "count; sum, avg, min, max, countDistinct, distinct, median with a field"
            )
        }
        return Reducer(made, as: alias)
    }

    /// What to compute.
    mutating func reducers() throws(QueryError) -> [Reducer] {
        if let native {
            guard let other = reduce ?? initial else { return native }
            throw other.error(.argument, "a body has either reducers or reduce and initial")
        }
        guard let reduce else { throw QueryError(.argument, "reduce or reducers is missing", path: "reduce") }
        let text = try reduce.text("reduce")
        let most = min(limits.textBytes, GroupScriptReader.mostBytes)
        guard text.utf8.count <= most else {
            throw reduce.error(.limit, "the script is longer than \(most) bytes", hint: "write reducers in place of it")
        }
        guard let script = GroupScriptReader.read(text) else {
            throw reduce.unsupported("the script has none of the known forms", hint: GroupScriptReader.hint)
        }
        let given = try initial?.object("initial") ?? [:]
        start = script.start(given)
        let isGiven = script.initial.pairs.allSatisfy { given[$0]?.begins(as: $1) == true } || start?.isNumber == true
        guard isGiven, given.count == script.initial.count else {
            let wanted = QueryValue.object(script.initial).json
            throw (initial ?? reduce).unsupported("the script begins with other values", hint: "initial: " + wanted)
        }
        if start != nil, let member = having == nil ? sort?.place.path : "having" {
            throw QueryError(
                .unsupported,
                "the groups of this script have no \(member)",
                path: member,
                hint: "write reducers in place of reduce and initial"
            )
        }
        var reducers: [Reducer] = []
        for value in script.values {
            var operation = value.operation
            if !value.path.isEmpty {
                let field = try path(value.path, reduce)
                operation = Reducer(operation).kind.operation(GroupKey(field)) ?? operation
            }
            if script.form != nil, case .average(let path) = operation {
                reducers.append(Reducer(.count).named(value.count))
                if !value.sum.isEmpty { reducers.append(Reducer(.sum(path)).named(value.sum)) }
            }
            reducers.append(Reducer(operation).named(value.name))
        }
        return reducers
    }

    /// The condition on groups; a key may have its path, or its stored names, in place of its result's name.
    func havingOfNames(of reducers: [Reducer]) -> Condition? {
        guard let having, !keys.isEmpty else { return having }
        let values = Set(reducers.map { UTF8Key($0.name) })
        let paths = keys.flatMap { [($0.path, $0.path), (FieldPath(dotted: $0.stored), $0.path)] }
        let names = Dictionary(paths) { first, _ in first }
        let uses = FieldUses { field in
            guard field.ofVariable == 0, let first = field.keys.first, !values.contains(UTF8Key(first)),
                let path = names[FieldPath(keys: field.keys)]
            else { return nil }
            return [Grouping.name(of: path)]
        }
        return StackRoom.run(for: having) { uses.replacing(having) }
    }

    /// The order of the groups; a key may have its stored name.
    func order() throws(QueryError) -> [SortKey] {
        guard let sort else { return [] }
        let names = Dictionary(keys.map { (UTF8Key($0.stored), Grouping.name(of: $0.path)) }) { first, _ in first }
        return try sort.directions().map { key, isAscending, _ in
            SortKey(FieldPath(keys: [names[UTF8Key(key)] ?? key]), ascending: isAscending)
        }
    }
}

extension QueryError {
    /// The error with its place in a request for groups, as the members of the request are named.
    ///
    ///     QueryError(.unsupported, "no", path: "group.compute[1]").placed(inGroupRequest: "reducers").path  // → reducers[1]
    ///
    /// - Parameter reducing: the member that values come from, which an error without a place is about.
    /// - Returns: the error, for the sender of the request.
    package func placed(inGroupRequest reducing: String) -> QueryError {
        guard let path else { return at(path: reducing) }
        for (place, member) in [("group.by", "key"), ("group.compute", reducing), ("order", "sort")]
        where path.hasPrefix(place) {
            // A script and an order of names have no positions.
            return at(path: ["reduce", "sort"].contains(member) ? member : member + path.dropFirst(place.count))
        }
        return self
    }
}

extension Reducer {
    /// The reducer with a name, which is no alias if it is the usual one.
    fileprivate func named(_ name: String) -> Reducer { self.name.hasSameUTF8(as: name) ? self : self.as(name) }
}

extension QueryValue {
    /// The value, if it is a number that JSON has.
    fileprivate var finiteNumber: QueryValue? { doubleValue?.isFinite == true ? .some(self) : .none }

    /// An accumulator's first value; zero may be a double.
    fileprivate func begins(as wanted: QueryValue) -> Bool { self == wanted || wanted == 0 && self == .double(0) }
}
