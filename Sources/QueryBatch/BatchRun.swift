import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues

/// A request whose query is parsed, bound and checked.
struct BatchRun {
    private let request: BatchRequest
    private let place: BatchPlace
    private let query: Query
    private let grouping: Grouping?
    /// One instant for the whole request (S20).
    private let now: Int64
    private let limits: Limits

    /// Parses, binds and checks a request's query.
    ///
    /// - Throws: `QueryError` that names the text it points into.
    init(
        _ request: BatchRequest,
        _ place: BatchPlace,
        _ limits: Limits,
        now: Int64
    ) throws(QueryError) {
        self.request = request
        self.place = place
        self.now = now
        self.limits = limits
        // A group's order names its result fields, so it is set after the rows are checked.
        // Errors name only what the policy lists.
        var query = try request.query(request.told(place.schema), limits)
        let having = try request.group?.condition(limits)
        let bound = try Bindings(request.variables, query.condition, having)
        query = try query.binding(bound.query)
        query.objectIDs = request.objectIDs
        guard let group = request.group else {
            try query.validatePipeline()
            query = try request.policed(query)
            query.schema = place.schema
            self.query = query
            grouping = nil
            return
        }
        query.order = request.order
        var groups = Grouping(query, by: group.keys, computing: group.reducers, having: having)
        do throws(QueryError) {
            groups.having = try having?.binding(bound.having)
        } catch {
            throw error.at(path: error.path ?? "having")
        }
        try groups.validate()
        groups = try request.policed(try groups.checked())
        groups.query.schema = place.schema
        self.query = groups.query
        grouping = groups
    }
}

extension BatchRun {
    /// Adds an output to the answer, or its error.
    ///
    /// - Parameters:
    ///   - output: the output.
    ///   - database: the file whose plan is wanted; nil for none.
    ///   - answer: gets it.
    func add(_ output: BatchRequest.Output, _ database: SQLiteDatabase?, to answer: inout BatchAnswer) {
        let name = output.rawValue
        switch output {
        case .tokens, .problems: return
        case .outline: add(name, to: &answer) { () throws(QueryError) in query.outline.answer }
        case .rest: add(name, to: &answer, rest)
        case .pql: add(name, to: &answer) { () throws(QueryError) in try tree() }
        case .postgresql: add(name, to: &answer) { () throws(QueryError) in try statement(.postgresql).answer }
        case .duckdb: add(name, to: &answer) { () throws(QueryError) in try statement(.duckDB).answer }
        case .plan: add(name, to: &answer) { () throws(QueryError) in try plan(database) }
        case .format: add(name, to: &answer) { () throws(QueryError) in .string(query.format) }
        case .tree: add(name, to: &answer) { () throws(QueryError) in .string(query.treeDump) }
        case .mongo: add(name, to: &answer, mongo)
        case .sqlite: add(name, to: &answer) { () throws(QueryError) in try statement(.sqlite).answer }
        case .matches:
            guard let documents = request.documents else { return }
            add(name, to: &answer) { () throws(QueryError) in try matches(in: documents) }
        case .results:
            guard let documents = request.documents else { return }
            add(name, to: &answer) { () throws(QueryError) in try results(in: documents) }
        }
    }

    /// Backends do not know the names of texts; an error that points into `having` or a filter gets that name here.
    private func add(
        _ name: String,
        to answer: inout BatchAnswer,
        _ make: () throws(QueryError) -> QueryValue
    ) {
        answer.add(name) { () throws(QueryError) in
            do throws(QueryError) {
                return try make()
            } catch {
                throw request.named(error)
            }
        }
    }

    private func checkBound() throws(QueryError) {
        try query.condition.checkBound()
        do throws(QueryError) {
            try grouping?.having?.checkBound()
        } catch {
            throw error.at(path: "having")
        }
    }

    private func mongo() throws(QueryError) -> QueryValue {
        try checkBound()
        guard let grouping else {
            return try query.mongo(request.profile, guarded: request.isGuarded, now: now).answer
        }
        return try grouping.mongo(request.profile, guarded: request.isGuarded, now: now).answer
    }

    private func rest() throws(QueryError) -> QueryValue {
        try checkBound()
        guard let grouping else { return try query.rest(request.profile, guarded: request.isGuarded, now: now).answer }
        return try grouping.rest(request.profile, guarded: request.isGuarded, now: now).answer
    }

    private func tree() throws(QueryError) -> QueryValue {
        if let grouping { try grouping.jsonTree } else { try query.jsonTree }
    }

    private func statement(_ dialect: SQLDialect) throws(QueryError) -> SQLQuery {
        try checkBound()
        var (query, grouping) = (query, grouping)
        if let schema = place.statementSchema {
            query.schema = schema
            grouping?.query.schema = schema
        }
        let statement: SQLQuery
        if let grouping {
            statement = try grouping.sql(dialect, from: place.table, now: now)
        } else {
            statement = try query.sql(dialect, from: place.table, now: now)
        }
        guard request.functions == .none, let function = statement.functions.first else { return statement }
        let part = query.condition.smallestPart { part in
            let alone = try? Query(part, nilMeaning: query.nilMeaning, schema: query.schema).sql(
                dialect,
                from: place.table,
                now: now
            )
            return alone?.functions.isEmpty == false
        }
        throw QueryError(
            .unsupported,
            "the SQL of \(part == nil ? "this query" : "this part") calls the function \(function.name)",
            at: part?.origin ?? .none,
            hint: "avoid options such as [c], LIKE and MATCHES, or leave out `functions`"
        )
    }

    /// The steps of the query, its normalized condition, and how a database runs it.
    private func plan(_ database: SQLiteDatabase?) throws(QueryError) -> QueryValue {
        let steps = grouping?.steps ?? query.steps
        let normalized = query.condition.normalized(now: now, nilMeaning: query.nilMeaning)
        var plan: Document = [
            "steps": .list(steps.map(QueryValue.string)), "normalized": .string(normalized.format),
            "cost": .int(Int64(query.estimatedCost)),
        ]
        if let database {
            let statement = try statement(.sqlite)
            let lines = try database.queryPlan(statement.sql, statement.bindings)
            plan["store"] = .list(lines.map(QueryValue.string))
            if grouping == nil, lines.contains(where: { $0.contains("SCAN") || $0.contains("TEMP") }) {
                let indexes = try query.suggestedIndexes(from: place.table)
                plan["indexes"] = .list(indexes.map(QueryValue.string))
            }
        }
        return .object(plan)
    }

    private func matches(in documents: [Document]) throws(QueryError) -> QueryValue {
        try checkBound()
        return .list(try query.matchingIndices(in: documents, now: now, limits: limits).map { .int(Int64($0)) })
    }

    private func results(in documents: [Document]) throws(QueryError) -> QueryValue {
        try checkBound()
        let results: [Document]
        if let grouping {
            results = try grouping.results(in: documents, now: now, limits: limits)
        } else {
            results = try query.results(in: documents, now: now, limits: limits)
        }
        return .list(results.map(QueryValue.object))
    }

    /// Adds the first rows of a page, and how many there are.
    func add(_ page: RowPage, _ database: SQLiteDatabase?, to answer: inout BatchAnswer) {
        add("page", to: &answer) { () throws(QueryError) in
            try checkBound()
            let found = try page.find(query, grouping, place, database, now, limits)
            return .object([
                "rows": .list(found.rows.map { QueryValue.object($0).namingLargeIntegers }),
                "total": .int(Int64(found.total)),
            ])
        }
    }

    /// Adds the rows of the statement on a file, read by the table's declared types.
    func addRows(of database: SQLiteDatabase, to answer: inout BatchAnswer) {
        add("rows", to: &answer) { () throws(QueryError) in
            try checkBound()
            // Each request has its own budget.
            let before = database.limits
            database.limits = limits
            defer { database.limits = before }
            do throws(QueryError) {
                return .list(try rows(of: database).map(QueryValue.object))
            } catch {
                throw place.table.layout.documentColumn == nil ? error : error.offeringColumns(#""storage":"columns""#)
            }
        }
    }

    private func rows(of database: SQLiteDatabase) throws(QueryError) -> [Document] {
        guard let grouping else { return try query.rows(in: database, from: place.declared, now: now) }
        return try grouping.results(in: database, from: place.declared, now: now)
    }
}

extension Condition {
    /// The smallest part of a condition that needs something; nil if no part alone does.
    fileprivate func smallestPart(_ needs: (Condition) -> Bool) -> Condition? {
        guard needs(self) else { return nil }
        let parts =
            switch self {
            case .and(let parts), .or(let parts): parts
            case .not(let part): [part]
            case .constant, .comparison: [Condition]()
            }
        for part in parts {
            if let found = part.smallestPart(needs) { return found }
        }
        return self
    }
}

extension BatchRequest {
    /// The part of a schema that the policy lists.
    func told(_ schema: Schema?) -> Schema? { policy.flatMap { schema.map($0.narrowed) } ?? schema }

    /// The query as its policy allows it: with the listed fields, and a limit.
    fileprivate func policed(_ query: Query) throws(QueryError) -> Query {
        do throws(QueryError) {
            return try policy?.checked(query) ?? query
        } catch {
            throw named(error)
        }
    }

    /// The groups as the policy allows them.
    fileprivate func policed(_ grouping: Grouping) throws(QueryError) -> Grouping {
        do throws(QueryError) {
            return try policy?.checked(grouping) ?? grouping
        } catch {
            throw named(error)
        }
    }

    /// An error with the name of the text that it points into.
    fileprivate func named(_ error: QueryError) -> QueryError {
        guard error.path == nil, let source = error.source else { return error }
        if let having = group?.having, source.hasSameUTF8(as: having), !source.hasSameUTF8(as: mongo ?? format) {
            return error.at(path: "having")
        }
        return mongo == nil ? error : error.at(path: "mongo")
    }

    /// The query of the format, or of the filter.
    fileprivate func query(_ schema: Schema?, _ limits: Limits) throws(QueryError) -> Query {
        let order = group == nil ? order : []
        guard let mongo else {
            return try Query(
                parsing: format,
                arguments: arguments,
                order: order,
                skip: skip,
                limit: limit,
                fields: fields,
                nilMeaning: nilMeaning,
                schema: schema,
                limits: limits
            )
        }
        do throws(QueryError) {
            let known: [Assumption]? = assumes ? nil : []
            var query = try MongoReading(of: mongo, assuming: known, schema: schema, limits: limits).query
            (query.order, query.skip, query.limit, query.fields) = (order, skip, limit, fields)
            return try query.checked()
        } catch {
            // The reader calls the filter `$`, which is the line here.
            let place = error.path.map { $0.hasPrefix("$") ? "mongo" + $0.dropFirst() : $0 }
            throw error.at(path: place ?? "mongo")
        }
    }
}

extension BatchRequest.Group {
    /// The parsed `having`; its errors name it.
    fileprivate func condition(_ limits: Limits) throws(QueryError) -> Condition? {
        try having.map { (text) throws(QueryError) in try Condition(ofGroups: text, limits: limits) }
    }
}

/// A request's variables, each passed to the texts that use it.
private struct Bindings {
    var query: [String: QueryValue] = [:]
    var having: [String: QueryValue] = [:]

    init(_ values: [String: QueryValue], _ condition: Condition, _ groups: Condition?) throws(QueryError) {
        let rows = Set(condition.freeVariables)
        let groups = Set(groups?.freeVariables ?? [])
        for name in values.keys.sorted(by: { $0.precedesInUTF8($1) }) {
            let (inRows, inGroups) = (rows.contains(Variable(name)), groups.contains(Variable(name)))
            if inRows { query[name] = values[name] }
            if inGroups { having[name] = values[name] }
            guard inRows || inGroups else {
                throw QueryError(
                    .argument,
                    "the query has no variable $\(name)",
                    path: "variables.\(name)",
                    hint: "remove it, or use $\(name) in the format"
                )
            }
        }
    }
}
