import QueryChecking
import QueryTree
import QueryValues

extension Grouping {
    /// The groups as a request whose body names keys, accumulators and a JavaScript reducer: `POST …/_group`.
    ///
    ///     try Query(format: "age > 18").grouped(by: "state", computing: [.count]).rest().bodyText
    ///     // → {"key":{"state":true},"initial":{"count":0},"reduce":"function(doc,out){…}","condition":…}
    ///
    /// The service does not support `having`, order, skip or limit on groups; `results(ofREST:)` applies them to its
    /// answer. JavaScript has no ints beyond 2^53 and only one number type, so an integral sum of doubles reads back as
    /// an int. See S23.
    ///
    /// - Parameters:
    ///   - profile: what the service understands.
    ///   - guarded: true for a filter that assumes nothing about lists and tests for them itself.
    ///   - now: milliseconds since 1970 for `now()`; nil for the current time (S20).
    /// - Returns: the request.
    /// - Throws: `QueryError` of code `unsupported` for a profile without such groups, a custom reducer, fields of
    ///   kinds that JSON cannot represent, or what a filter does not support; `pipeline` for clashing names.
    /// - Complexity: linear in the size of the grouping and of the filter.
    public func rest(
        _ profile: MongoProfile = .kinvey,
        guarded: Bool = false,
        now: Int64? = nil
    ) throws(QueryError) -> RESTRequest {
        guard profile.allowsGroupScripts else {
            throw QueryError(.unsupported, "the service runs no group scripts", hint: "use a pipeline")
        }
        let context = MongoContext(
            profile,
            isGuarded: guarded,
            nilMeaning: query.nilMeaning,
            objectIDs: query.objectIDs
        )
        let grouping = try checked()
        let wire = try GroupWire(grouping, context)
        let filter = try context.filter(grouping.query.condition, TypeScope(query.schema), now: now)
        var body: Document = [
            "key": .object(Document(pairs: wire.keys.map { ($0.stored.joined(separator: "."), .bool(true)) })),
            "initial": .object(wire.script.initial),
            "reduce": .string(wire.script.reduce),
        ]
        if !filter.isEmpty { body["condition"] = .object(filter) }
        return RESTRequest(
            method: .post,
            path: "_group",
            items: [],
            body: body,
            assumptions: context.listed,
            warnings: RESTRequest.warnings(of: filter)
        )
    }

    /// The flat groups of a service's answer: keys and values under their result names, unsorted.
    ///
    /// - Parameter rows: the objects of the answer.
    /// - Returns: one object for each; for groups without keys over no rows, one empty group.
    /// - Throws: `QueryError` of code `json` for an answer that lacks a value or has one of another kind.
    package func groups(ofREST rows: [Document]) throws(QueryError) -> [Document] {
        let wire = try GroupWire(self, MongoContext(.kinvey, isGuarded: false, nilMeaning: query.nilMeaning))
        var groups: [Document] = []
        groups.reserveCapacity(rows.count)
        let rows = rows.isEmpty && keys.isEmpty ? [wire.script.initial] : rows
        for (at, row) in rows.enumerated() { groups.append(try wire.group(of: row, at: at)) }
        return groups
    }
}

/// The layout of a grouping in a request and its answer.
struct GroupWire {
    /// The stored names of each key, and its result's name.
    let keys: [(stored: [String], name: String)]
    /// Accumulators and code, in the order of the reducers.
    let script: GroupScript
    private let reducers: [Reducer]

    init(_ grouping: Grouping, _ context: MongoContext) throws(QueryError) {
        try grouping.validate()
        for name in grouping.resultNames { try MongoName.check(name, at: .none) }
        let writer = GroupWriter(grouping: grouping, context: context)
        var taken: Set<UTF8Key> = [UTF8Key("__proto__")]
        var keys: [(stored: [String], name: String)] = []
        for (position, key) in grouping.keys.enumerated() {
            let field = try Self.field(key, writer) { $0.ofGroupKey(position) }
            taken.insert(UTF8Key(field.dotted))
            keys.append((field.names, key.name))
        }
        let values = try Self.values(grouping.reducers, writer, &taken)
        self.keys = keys
        script = GroupScript(values: values)
        reducers = grouping.reducers
    }

    /// The accumulators; they share an object with the keys and must not take a key's name.
    private static func values(
        _ reducers: [Reducer],
        _ writer: GroupWriter,
        _ taken: inout Set<UTF8Key>
    ) throws(QueryError) -> [GroupScript.Value] {
        func fresh(_ name: String) -> String {
            var name = name
            while !taken.insert(UTF8Key(name)).inserted { name += "_" }
            return name
        }
        var values: [GroupScript.Value] = []
        for (position, reducer) in reducers.enumerated() {
            guard GroupStatement(reducer.operation, of: .any) != nil else { throw reducer.unsupported }
            var value = GroupScript.Value(operation: reducer.operation, path: [], type: .any, name: fresh(reducer.name))
            if let read = reducer.value {
                let field = try Self.field(read, writer) { $0.ofReducer(position) }
                (value.path, value.type) = (field.names, field.last)
            }
            values.append(value)
        }
        for at in values.indices {
            if case .average = values[at].operation {
                values[at].sum = fresh(values[at].name + "_sum")
                values[at].count = fresh(values[at].name + "_count")
            }
        }
        return values
    }

    /// A field that a script can read: no names that every JavaScript object has, no kinds that JSON lacks.
    private static func field(
        _ key: GroupKey,
        _ writer: GroupWriter,
        _ placed: (QueryError) -> QueryError
    ) throws(QueryError) -> MongoField {
        guard let path = key.path else {
            throw placed(
                QueryError(
                    .unsupported,
                    "group scripts read fields only",
                    at: key.term.origin,
                    hint: "use a field, or a pipeline"
                )
            )
        }
        let field = try writer.field(path)
        guard !field.names.contains(where: "__proto__".hasSameUTF8) else {
            throw QueryError(.unsupported, "a script cannot read a field named __proto__")
        }
        switch field.last {
        case .data, .uuid, .date(.native):
            throw QueryError(.unsupported, "\(field.pathText) is of a kind that JSON cannot represent")
        case .date(.iso8601), .date(.iso8601Milliseconds):
            writer.context.note(.date(field.pathText, .iso8601Milliseconds))
        case .date, .any, .bool, .int, .double, .string, .objectID, .object, .list: break
        }
        return field
    }

    /// A group by its result names.
    func group(of row: Document, at index: Int) throws(QueryError) -> Document {
        var group = Document()
        for key in keys { group[key.name] = Self.value(key.stored, in: row) }
        for (reducer, value) in zip(reducers, script.values) {
            guard let found = row[value.name], let result = Self.result(found, reducer.operation) else {
                throw QueryError(.json, "\(value.name) of group \(index) is missing or is not a \(reducer.name)")
            }
            group[reducer.name] = result
        }
        return group
    }

    /// A key's value under its dotted name or in nested objects; a missing value is null.
    private static func value(_ names: [String], in row: Document) -> QueryValue {
        if let value = row[names.joined(separator: ".")] { return value }
        var value = QueryValue.object(row)
        for name in names {
            guard case .object(let object) = value, let next = object[name] else { return .null }
            value = next
        }
        return value
    }

    private static func result(_ value: QueryValue, _ operation: Reducer.Operation) -> QueryValue? {
        switch (operation, value) {
        case (.count, .int): return value
        case (.count, .double(let number)): return Int64(exactly: number).map(QueryValue.int) ?? .none
        case (.count, _): return .none
        case (.sum, .int), (.sum, .double): return value
        case (.sum, _): return .none
        case (.average, .int(let number)): return .double(Double(number))
        case (.average, .double), (.average, .null): return value
        case (.average, _): return .none
        case (.min, _), (.max, _): return value
        case (.countDistinct, _), (.distinct, _), (.median, _), (.first, _), (.last, _), (.custom, _): return .none
        }
    }
}
