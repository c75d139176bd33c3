import PredicateQL
import QueryChecking
import QueryMongoReading
import QueryTree
import QueryValues
import StoreModel

/// The query of a request, from its URL or its body; read once the paths that hold lists are known.
struct Parameters: Sendable {
    /// What a request may say.
    enum Part: String, CaseIterable, Sendable {
        case filter = "query"
        case sort, fields, skip, limit
    }

    /// A filter and its parameters, or a query in this library's language.
    private enum Form {
        case filter(RESTParameters)
        case tree(Query)
    }

    private let form: Form

    /// The parameters of a request.
    ///
    /// - Parameters:
    ///   - exchange: the request.
    ///   - parts: what it may say.
    ///   - treeParts: what a tree may say; nil for the same.
    ///   - others: the names of the URL's other parameters.
    ///   - configuration: the service's bounds.
    /// - Throws: `badRequest` for a parameter that is there twice or unknown, and what reading a body throws.
    init(
        _ exchange: Exchange,
        _ parts: [Part],
        tree treeParts: [Part]? = nil,
        others: [String] = [],
        _ configuration: ServiceConfiguration
    ) throws(ServiceFault) {
        let names = parts.map(\.rawValue) + (parts.contains(.filter) ? ["format"] : [])
        try exchange.checkItems((exchange.route.takesBody ? [] : names) + others)
        if exchange.route.takesBody {
            if let tree = try TreeBody(exchange, configuration) {
                let query = try Self.read { () throws(QueryError) in try tree.query() }
                try Self.check(query, says: treeParts ?? parts)
                form = .tree(query)
                return
            }
            let body = try exchange.object()
            if let other = body.keys.first(where: { !names.contains($0) }) {
                let debug = "\(other) is not a part of a query: " + names.joined(separator: ", ")
                throw ServiceFault(.badRequest, debug: debug)
            }
            form = .filter(try Self.read { () throws(QueryError) in try RESTParameters(body) })
            return
        }
        var items: [RESTRequest.Item] = []
        for name in names {
            if let value = try exchange.item(name) { items.append(.init(name, value)) }
        }
        form = .filter(try Self.read { () throws(QueryError) in try RESTParameters(items) })
    }

    /// Refuses what a tree says and the request has no use for.
    private static func check(_ query: Query, says parts: [Part]) throws(ServiceFault) {
        let said: [(Part, Bool)] = [
            (.sort, !query.order.isEmpty), (.fields, query.fields != nil), (.skip, query.skip != nil),
            (.limit, query.limit != nil),
        ]
        for (part, isSaid) in said where isSaid && !parts.contains(part) {
            throw ServiceFault(.badRequest, debug: "this request takes no \(part.rawValue)")
        }
    }

    private static func read<Value>(_ body: () throws(QueryError) -> Value) throws(ServiceFault) -> Value {
        do throws(QueryError) {
            return try body()
        } catch {
            // A number that is none, below 0 or above its bound.
            if error.code == .argument || error.code == QueryPolicy.Rule.skip.code {
                throw ServiceFault(.parameterValueOutOfRange, debug: error.rendered())
            }
            throw ServiceFault(querying: error)
        }
    }

    /// The query, checked against the service's policy.
    ///
    /// - Parameters:
    ///   - configuration: the service's bounds.
    ///   - lists: the paths that hold lists; a filter on another path can use an index.
    ///   - holds: whether an entity holds a list at a path, where few may.
    /// - Returns: the query; without an order by distance, which means nothing where all entities are meant.
    /// - Throws: `invalidQuerySyntax` with code, place and hint.
    func query(
        within configuration: ServiceConfiguration,
        lists: KnownLists,
        _ holds: (_ id: String, _ path: String) -> Bool = { _, _ in true }
    ) throws(ServiceFault) -> Query {
        try reading(within: configuration, lists: lists, holds).query
    }

    /// The query, and the point from which its results are sorted by distance.
    func reading(
        within configuration: ServiceConfiguration,
        lists: KnownLists,
        _ holds: (_ id: String, _ path: String) -> Bool
    ) throws(ServiceFault) -> (query: Query, nearest: NearestPlace?) {
        try Self.read { () throws(QueryError) in
            let (query, nearest) = try read(lists, holds)
            try configuration.policy.check(query)
            return (query, nearest)
        }
    }

    /// Paths without lists are read as single values: then a comparison can use an index.
    private func read(
        _ lists: KnownLists,
        _ holds: (_ id: String, _ path: String) -> Bool
    ) throws(QueryError) -> (Query, NearestPlace?) {
        let parameters: RESTParameters
        switch form {
        case .tree(let query): return (query, nil)
        case .filter(let filter): parameters = filter
        }
        var reading = try parameters.reading(assuming: nil, distances: .obeyed)
        let known = reading.assumptions.filter { assumption in
            switch assumption {
            case .single(let path): lists.allowSingle(path, holds)
            // That is what a place is here.
            case .kind(_, .shape): true
            case .list, .objects, .kind, .date, .json: false
            }
        }
        if known.count < reading.assumptions.count {
            reading = try parameters.reading(assuming: known, distances: .obeyed)
        }
        return (reading.query, reading.nearest)
    }
}

extension ServiceConfiguration {
    /// What queries may do: everything, within the bounds of work.
    var policy: QueryPolicy {
        var policy = Self.anyQuery
        policy.maximumSkip = limits.skip
        policy.maximumDuration = .seconds(limits.querySeconds)
        return policy
    }

    private static let anyQuery: QueryPolicy = {
        var policy = QueryPolicy(fields: ["*"])
        policy.operators = Set(Comparison.Operator.allCases)
        policy.allowsWholeRows = true
        policy.requiresLimit = false
        policy.maximumLimit = nil
        // A tenth of a second for the worst row; the time of the query bounds the rest.
        policy.maximumCost = 100_000_000
        policy.maximumSteps = .max
        policy.maximumNodes = 2_000
        policy.maximumListElements = 10_000
        // The match limit of each pattern and the time of the query bound them.
        policy.countsMatchLimit = false
        return policy
    }()

    /// The bounds of each query's work.
    var queryLimits: Limits {
        var limits = policy.limits
        limits.matchSteps = Self.matchSteps
        limits.sortedRows = Self.sortedRows
        return limits
    }

    /// What one MATCHES may take: some milliseconds.
    private static let matchSteps = 100_000
    /// The most rows that are sorted outside of SQLite.
    private static let sortedRows = 100_000
}
