import PredicateQL
import StoreModel

/// What a service understands.
enum ServiceLanguage: Hashable, Sendable {
    /// Ours takes queries as they are, as trees; then cache, network and memory cannot differ.
    case trees
    /// Others take filters, which say less.
    case filters
}

/// Asking the service, in the language that it understands.
extension StoreClient {
    /// The queries that the service supports; without any response so far, the client requests one first.
    ///
    /// That request has the name of the one it is for.
    func language(_ requests: Requests) async throws(StoreError) -> ServiceLanguage {
        if isOurs == nil {
            let ping = try requests.plain("GET", "/appdata/" + PercentText.encode(app.key))
            let response = try await send(ping, for: .greeting, of: nil, requests.options)
            if isOurs == nil {
                try response.check()
                throw .badAnswer("it comes from no data service")
            }
        }
        return isOurs == true ? .trees : .filters
    }

    /// Refuses what the service, as far as it is known, does not support, whether it is reachable or not.
    ///
    /// Else the same query would throw, or be answered by the cache, as the network comes and goes.
    func requireSayable(_ query: Query, _ action: RESTAction, _ target: ReadTarget) throws(StoreError) {
        guard target.policy != .local else { return }
        let sent = try serviceForm(action == .find ? asked(query, target) : query, of: target.collection)
        guard let isOurs else { return }
        if isOurs {
            _ = try cached { () throws(QueryError) in try query.jsonTree }
        } else {
            _ = try rest(sent, action)
        }
    }

    /// The same of groups.
    func requireSayable(_ grouping: Grouping, _ target: ReadTarget) throws(StoreError) {
        guard target.policy != .local else { return }
        let asked = grouping
        let grouping = try serviceForm(grouping, of: target.collection)
        guard let isOurs else { return }
        if isOurs {
            _ = try cached { () throws(QueryError) in try grouping.jsonTree }
            try checked(asked)
        } else {
            _ = try rest(grouping)
        }
    }

    /// Refuses groups that our service refuses as the cache does, with the same error.
    ///
    /// The file of the cache takes no part: a network store works without it.
    private func checked(_ grouping: Grouping) throws(StoreError) {
        try cached { () throws(QueryError) in try Cache.check(grouping, now: environment.now()) }
    }

    /// The part of a query that is sent: the cache orders what a pull brings.
    private func asked(_ query: Query, _ target: ReadTarget) -> Query {
        let isPulled = target.keepsRows && query.fields == nil && query.skip == nil && query.limit == nil
        return isPulled ? query.tracked : query
    }

    /// A query as other services read it, exact whatever the entities hold.
    func rest(_ query: Query, _ action: RESTAction) throws(StoreError) -> RESTRequest {
        try cached { () throws(QueryError) in
            // A number of a filter knows neither order nor range, which are applied to it here.
            let asked = action == .count ? query.tracked : query
            return try asked.rest(.kinvey, action, guarded: true, now: environment.now())
        }
    }

    private func rest(_ grouping: Grouping) throws(StoreError) -> RESTRequest {
        try cached { () throws(QueryError) in try grouping.rest(guarded: true, now: environment.now()) }
    }

    /// A query as our service reads it.
    func treeBody(_ query: Query) throws(StoreError) -> QueryValue {
        let tree = try cached { () throws(QueryError) in try query.jsonTree }
        return Self.treeBody(tree, query.schema)
    }

    private static func treeBody(_ tree: QueryValue, _ schema: Schema?) -> QueryValue {
        var body: Document = ["pql": tree]
        if let schema { body["schema"] = schema.jsonSchema }
        return .object(body)
    }

    // MARK: Requests

    /// Asks the service for entities or a count; long filters go in the body.
    func ask(
        _ query: Query,
        _ action: RESTAction,
        _ collection: String,
        _ seat: Seat,
        _ options: Options
    ) async throws(StoreError) -> WireResponse {
        let requests = requests(seat, options)
        let query = try serviceForm(query, of: collection)
        let shape: AnswerShape = action == .find ? .entities : .count
        if try await language(requests) == .trees {
            let path = action == .count ? "_count" : "_find"
            return try await send(
                requests.data("POST", collection, path, body: treeBody(query)),
                for: shape,
                of: collection,
                options
            )
        }
        let rest = try rest(query, action)
        let isLong = rest.items.reduce(0) { $0 + $1.value.utf8.count } > 6_000
        guard isLong else {
            let path = rest.path.isEmpty ? nil : rest.path
            return try await send(
                requests.data("GET", collection, path, items: rest.items),
                for: shape,
                of: collection,
                options
            )
        }
        var body = Document()
        for item in rest.items {
            body[item.name] = (try? QueryValue(json: item.value)) ?? .string(item.value)
        }
        let path = rest.path.isEmpty ? "_find" : rest.path
        return try await send(
            requests.data("POST", collection, path, body: .object(body)),
            for: shape,
            of: collection,
            options
        )
    }

    /// The number of entities that the service finds, within the query's skip and limit.
    func fetchCount(_ query: Query, _ target: ReadTarget) async throws(StoreError) -> Int {
        let response = try await ask(query, .count, target.collection, target.seat, target.options)
        let count = try response.count()
        guard isOurs != true else { return count }
        return min(max(count - (query.skip ?? 0), 0), query.limit ?? .max)
    }

    /// The groups of the service's entities; what other services cannot do with groups is done here.
    func fetchGroups(_ grouping: Grouping, _ target: ReadTarget) async throws(StoreError) -> [Document] {
        let requests = requests(target.seat, target.options)
        let asked = grouping
        let grouping = try serviceForm(grouping, of: target.collection)
        if try await language(requests) == .trees {
            try checked(asked)
            let tree = try cached { () throws(QueryError) in try grouping.jsonTree }
            let body = Self.treeBody(tree, grouping.query.schema)
            let request = try requests.data("POST", target.collection, "_group", body: body)
            let response = try await send(request, for: .groups, of: nil, target.options)
            try response.check()
            return try response.groups(isExtended: true)
        }
        let rest = try rest(grouping)
        let request = try requests.data(
            "POST",
            target.collection,
            rest.path,
            items: rest.items,
            body: rest.body.map(QueryValue.object)
        )
        let response = try await send(request, for: .groups, of: nil, target.options)
        try response.check()
        let rows = try response.groups(isExtended: false)
        let now = environment.now()
        return try cached { () throws(QueryError) in try grouping.results(ofREST: rows, now: now) }
    }

    /// Asks for what changed in the answer to a query since a tick.
    func askChanges(
        _ query: Query,
        since tick: Int64,
        _ page: [RESTRequest.Item],
        epoch: String?,
        _ target: PullTarget
    ) async throws(StoreError) -> WireResponse {
        let requests = requests(target.seat, target.options)
        let query = try serviceForm(query, of: target.collection)
        var request: WireRequest
        if try await language(requests) == .trees {
            let since = RESTRequest.Item("since", Tick(rawValue: tick).text)
            request = try requests.data(
                "POST",
                target.collection,
                "_deltaset",
                items: [since] + page,
                body: treeBody(query)
            )
        } else {
            let rest = try rest(query, .changes(since: tick))
            request = try requests.data("GET", target.collection, rest.path, items: rest.items + page)
        }
        request.headers["X-PQL-Epoch"] = epoch
        return try await send(request, for: .changes, of: target.collection, target.options)
    }

    /// Asks the service to remove what a query finds.
    func askRemoval(_ query: Query, _ target: ReadTarget) async throws(StoreError) -> WireResponse {
        let requests = requests(target.seat, target.options)
        let query = try serviceForm(query, of: target.collection)
        if try await language(requests) == .trees {
            let request = try requests.data("POST", target.collection, "_remove", body: treeBody(query))
            return try await send(request, for: .count, of: nil, target.options)
        }
        let rest = try rest(query, query.condition == .constant(true) ? .removalOfAll : .removal)
        return try await send(
            requests.data("DELETE", target.collection, items: rest.items),
            for: .count,
            of: nil,
            target.options
        )
    }
}

extension WireResponse {
    /// The entities of a whole answer; one that the service cut is an error, never short in silence.
    func whole(_ query: Query) throws(StoreError) -> [Fact] {
        try check()
        if let cut = headers["X-PQL-Truncated"].flatMap({ Int($0) }) { throw .truncated(at: cut) }
        let facts = try facts()
        // Services without that header cut at 10,000 too.
        if headers["X-PQL-Service"] == nil, facts.count >= 10_000, query.limit ?? .max > facts.count {
            throw .truncated(at: facts.count)
        }
        return facts
    }

    /// The number in a response.
    func count() throws(StoreError) -> Int {
        try check()
        guard case .object(let body)? = try? QueryValue(json: self.body), case .int(let count)? = body["count"] else {
            throw .badAnswer("a count was expected")
        }
        return Int(clamping: count)
    }

    /// The rows of an answer of groups.
    fileprivate func groups(isExtended: Bool) throws(StoreError) -> [Document] {
        guard case .list(let rows)? = try? QueryValue(json: body, extended: isExtended) else {
            throw .badAnswer("a list of groups was expected")
        }
        var groups: [Document] = []
        for row in rows {
            guard case .object(let group) = row else { throw .badAnswer("a group is an object") }
            groups.append(group)
        }
        return groups
    }
}
