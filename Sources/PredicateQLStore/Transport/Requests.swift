import PredicateQL
import StoreModel

/// Builds the requests of one user; the wire's paths, parameters and headers.
struct Requests {
    var app: StoreClient.App
    var seat: StoreClient.Seat
    var options: Options
    /// The name of the request in logs.
    var id: String
    /// The steps between the service's form of entities and the app's.
    var steps: [Migration] = []

    /// A request to any path.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path, percent-encoded.
    ///   - query: the query of the URL, percent-encoded.
    ///   - body: what is sent.
    ///   - json: what is sent as JSON text, where it is one already.
    /// - Returns: the request.
    /// - Throws: `StoreError.badEntity` for a version of the app that no header holds.
    func plain(
        _ method: String,
        _ path: String,
        query: String = "",
        body: QueryValue? = nil,
        json: [UInt8]? = nil
    ) throws(StoreError) -> WireRequest {
        var headers: HeaderFields = [
            ("Authorization", authorization), ("Accept", "application/json"), ("X-Kinvey-API-Version", "5"),
            ("X-Kinvey-Request-Id", id),
        ]
        if let version = options.clientVersion {
            guard version.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw .badEntity("clientVersion is sent in a header: use plain ASCII")
            }
            headers["X-Kinvey-Client-App-Version"] = version
        }
        if let properties = options.requestProperties {
            let pairs = properties.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            let json = QueryValue.object(Document(pairs: pairs.map { ($0.key, .string($0.value)) })).json
            headers["X-Kinvey-Custom-Request-Properties"] = Self.ascii(json)
        }
        var bytes = json ?? []
        if let body { JSONWriter().write(body, to: &bytes) }
        if !bytes.isEmpty { headers["Content-Type"] = "application/json" }
        return WireRequest(method, path, query: query, headers: headers, body: bytes)
    }

    /// A request to a collection; entities go out in the service's form.
    func data(
        _ method: String,
        _ collection: String,
        _ rest: String? = nil,
        items: [RESTRequest.Item] = [],
        body: QueryValue? = nil,
        json: [UInt8]? = nil
    ) throws(StoreError) -> WireRequest {
        let tail = rest.map { "/" + PercentText.encode($0) } ?? ""
        let path = "/appdata/\(PercentText.encode(app.key))/\(PercentText.encode(collection))\(tail)"
        let query = RESTRequest(items: items).query
        if method == "PUT" || method == "POST" && rest == nil, !steps.isEmpty,
            let forms = EntityForms(steps, of: collection),
            let entities = body ?? json.flatMap({ try? QueryValue(json: $0) })
        {
            return try plain(method, path, query: query, body: forms.outgoing(entities))
        }
        return try plain(method, path, query: query, body: body, json: json)
    }

    private var authorization: String {
        if let token = seat.user?.token { return "Kinvey " + token }
        return "Basic " + Base64.text(Array("\(app.key):\(app.secret)".utf8))
    }

    /// JSON text without characters that a header cannot hold.
    private static func ascii(_ json: String) -> String {
        json.utf16.map { unit in
            if (0x20...0x7E).contains(unit), let scalar = UnicodeScalar(unit) { return String(scalar) }
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}

extension StoreClient {
    /// Requests of the operation's user.
    func requests(_ seat: Seat, _ options: Options) -> Requests {
        Requests(app: app, seat: seat, options: options, id: environment.text(22), steps: serviceSteps)
    }

    /// Sends a request; every answer of the service is returned, whatever its status.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - shape: the form of an answer that is no error.
    ///   - collection: whose entities the answer holds; nil for none.
    ///   - options: what holds for the request.
    /// - Returns: the answer, its entities in the app's form.
    /// - Throws: `StoreError.foreignAnswer` for an answer that is not the service's, and why no answer came.
    func send(
        _ request: WireRequest,
        for shape: AnswerShape,
        of collection: String?,
        _ options: Options
    ) async throws(StoreError) -> WireResponse {
        if Task.isCancelled { throw .cancelled }
        let response = try await carry(request, options)
        let now = environment.now()
        if [429, 503].contains(response.status), let seconds = response.headers["Retry-After"].flatMap({ Int($0) }) {
            reachability.wait(seconds, at: now)
        }
        if let fault = response.foreign(to: shape) {
            reachability.failed(at: now)
            throw .foreignAnswer(fault)
        }
        if reachability.succeeded() {
            schedule.serviceIsBack()
            wakePushes()
        }
        noteService(response)
        guard let forms = collection.flatMap({ forms(of: $0) }) else { return response }
        return forms.incoming(response, shape)
    }

    /// Whatever answers.
    private func carry(_ request: WireRequest, _ options: Options) async throws(StoreError) -> WireResponse {
        let start = environment.now()
        func report(_ status: Int?) {
            let time = environment.now() - start
            self.report(.request(method: request.method, path: request.path, status: status, milliseconds: time))
        }
        do throws(TransportFault) {
            let response = try await transport.send(request, timeout: options.limit)
            report(response.status)
            return response.withRetryAfterInSeconds(now: environment.now())
        } catch {
            report(nil)
            switch error {
            case .unreachable(let reason):
                reachability.failed(at: environment.now())
                throw .unreachable(reason)
            case .timedOut:
                if !options.isShortened { reachability.failed(at: environment.now()) }
                throw .timedOut
            case .cancelled: throw .cancelled
            }
        }
    }
}

extension StoreClient {
    /// Remembers that the service is ours once a response showed it; foreign responses do not change that.
    private func noteService(_ response: WireResponse) {
        if response.headers["X-PQL-Service"] != nil {
            isOurs = true
        } else if isOurs == nil, response.status < 500 {
            isOurs = false
        }
    }
}

extension WireResponse {
    /// Throws the service's error, if it is one.
    func check() throws(StoreError) {
        guard !(200...299).contains(status) else { return }
        let fault = ServiceFault(self)
        // Who asks may be known, and lack the right.
        if status == 401, fault.name != .insufficientCredentials { throw .unauthorized(fault) }
        if fault.name == .entityNotFound { throw .notFound }
        throw .service(fault)
    }

    /// The list that an answer holds.
    func entities() throws(StoreError) -> [QueryValue] {
        guard case .list(let entities)? = try? QueryValue(json: body) else {
            throw .foreignAnswer(foreign("a list was expected"))
        }
        return entities
    }

    /// The facts that an answer holds, at its tick.
    ///
    /// They are read one by one: all of a page as values take ten times the room of its text.
    func facts() throws(StoreError) -> [Fact] {
        let tick = tick
        var elements = JSONArrayReader(ByteStream(bytes: body))
        var reader = JSONReader()
        var facts: [Fact] = []
        do throws(QueryError) {
            while let entity = try elements.next({ (text, _) throws(QueryError) in
                Fact(entity: try reader.read(text), tick: tick)
            }) {
                guard let fact = entity else { throw QueryError(.json, "an entity without an _id") }
                facts.append(fact)
            }
        } catch {
            throw .foreignAnswer(foreign("a list of entities was expected: \(error.message)"))
        }
        return facts
    }

    /// Entities as facts.
    static func facts(of entities: [QueryValue], _ tick: Int64?) throws(StoreError) -> [Fact] {
        var facts: [Fact] = []
        facts.reserveCapacity(entities.count)
        for entity in entities {
            guard let fact = Fact(entity: entity, tick: tick) else { throw .badAnswer("an entity without an _id") }
            facts.append(fact)
        }
        return facts
    }
}
