import PredicateQL
import QueryValues
import StoreModel

/// The data service as a function from requests to responses.
///
/// HTTP, a simulation and tests are shells around it. It has no global state; clock, randomness and cryptography are
/// parameters.
///
///     let configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
///     let service = try Service(path: ":memory:", configuration, environment)
///     await service.answer(WireRequest("GET", "/healthz")).status  // → 200
public final class Service: Sendable {
    let storage: SQLiteStorage
    let environment: ServiceEnvironment
    let credentials: Credentials
    let rates = RateLimiter()
    let passwords: Passwords
    let metrics = ServiceMetrics()
    let finds = PreparedFinds()
    /// When it was opened.
    let started: Int64

    /// What the service offers at present: its owner may change settings while it runs.
    var configuration: ServiceConfiguration { storage.collections.configuration }

    /// What survives a power cut.
    ///
    ///     Service.Durability(rawValue: "normal")  // → normal
    public enum Durability: String, Hashable, Sendable, CaseIterable {
        /// Everything that was acknowledged.
        case full
        /// Everything but the last moments; the file stays whole. A killed process loses nothing.
        case normal
    }

    /// Opens a service's database, and creates what is missing.
    ///
    /// - Parameters:
    ///   - path: the SQLite file; `:memory:` for a database in memory, which runs on its callers' threads.
    ///   - configuration: apps, defaults and limits.
    ///   - environment: clock, randomness and cryptography.
    ///   - durability: what survives a power cut.
    ///   - readers: the number of reader threads; 0 to run everything on the callers' threads.
    /// - Throws: `QueryError` of code `store` when the file cannot be opened, or was written by another version.
    public init(
        path: String,
        _ configuration: ServiceConfiguration,
        _ environment: ServiceEnvironment,
        durability: Durability = .full,
        readers: Int = 4
    ) throws(QueryError) {
        storage = try SQLiteStorage(
            path: path,
            configuration: configuration,
            environment: environment,
            durability: durability,
            readers: readers
        )
        self.environment = environment
        started = environment.now()
        credentials = Credentials(storage.apps, environment, configuration.limits)
        passwords = Passwords(environment, threads: path == ":memory:" || readers == 0 ? 0 : 2)
    }

    /// Commits queued writes, then ends the threads; later requests get `ServiceUnavailable`.
    public func close() {
        passwords.stop()
        storage.close()
    }

    /// Handles a request; an error is a response too.
    ///
    ///     let answer = await service.answer(WireRequest("GET", "/appdata/kid/Book"))
    ///     answer.status  // → 401
    ///
    /// - Parameter request: the request.
    /// - Returns: the response.
    public func answer(_ request: WireRequest) async -> WireResponse {
        await tracedAnswer(request).response
    }

    /// Handles a request, and returns what is logged of it.
    ///
    ///     let answer = await service.tracedAnswer(WireRequest("GET", "/healthz"))
    ///     answer.trace.route  // → health
    ///
    /// - Parameter request: the request.
    /// - Returns: the response, and its trace.
    public func tracedAnswer(_ request: WireRequest) async -> (response: WireResponse, trace: RequestTrace) {
        let start = ContinuousClock.now
        var trace = RequestTrace()
        var response: WireResponse
        do throws(ServiceFault) {
            if request.method == "OPTIONS" {
                response = try options(request)
            } else {
                let (found, texts) = try Route.find(request.method, request.path)
                trace.found = found
                response = try await answer(request, found, texts, &trace)
            }
        } catch {
            response = WireResponse(error)
        }
        complete(&response, for: request)
        metrics.count(trace.found, response, ContinuousClock.now - start)
        return (response, trace)
    }

    /// The reason why a request is refused whatever its body: its path, or its credentials.
    ///
    ///     await service.refusal(of: WireRequest("POST", "/appdata/kid/Book"))?.name.rawValue  // → InvalidCredentials
    ///
    /// - Parameter head: the request without its body.
    /// - Returns: the fault; nil if the body has to be read.
    public func refusal(of head: WireRequest) async -> ServiceFault? {
        do throws(ServiceFault) {
            let length = head.headers["Content-Length"].flatMap { Int($0) } ?? 0
            if head.method == "OPTIONS" {
                try demand(length, within: 65_536)
                return nil
            }
            let (route, texts) = try Route.find(head.method, head.path)
            switch route {
            case .health, .ready, .metrics, .openAPI: break
            default: _ = try await caller(of: head, app: texts["app"] ?? "", now: environment.now())
            }
            try demand(length, within: route.bodyBytes(configuration.limits))
            return nil
        } catch {
            return error
        }
    }

    /// Refuses a request that was not read completely.
    ///
    ///     service.refuse(WireRequest("POST", "/"), ServiceFault(.entityTooLarge)).response.status  // → 413
    ///
    /// - Parameters:
    ///   - request: what is known of the request.
    ///   - fault: the reason.
    /// - Returns: the response, and its trace.
    public func refuse(_ request: WireRequest, _ fault: ServiceFault) -> (response: WireResponse, trace: RequestTrace) {
        var response = WireResponse(fault)
        complete(&response, for: request)
        let trace = RequestTrace(found: (try? Route.find(request.method, request.path))?.0)
        metrics.count(trace.found, response, .zero)
        return (response, trace)
    }

    private func answer(
        _ request: WireRequest,
        _ route: Route,
        _ texts: [String: String],
        _ trace: inout RequestTrace
    ) async throws(ServiceFault) -> WireResponse {
        let limits = configuration.limits
        guard request.path.utf8.count + request.query.utf8.count <= limits.urlBytes else {
            throw ServiceFault(.entityTooLarge, debug: "a URL has at most \(limits.urlBytes) bytes", status: 414)
        }
        let first = request.body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let isArray = first == UInt8(ascii: "[")
        try demand(request.body.count, within: route.bodyBytes(limits, ofOne: !isArray))
        if let response = try await operate(route) { return response }
        if let version = request.headers["X-Kinvey-API-Version"], !["3", "4", "5"].contains(version) {
            throw ServiceFault(.apiVersionNotAvailable, debug: "the versions are 3, 4 and 5")
        }
        let others = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"]
        if let other = others.first(where: { request.headers[$0] != nil }) {
            let debug = "\(other) is not acted on: send the method itself; POST to _find takes what no URL has room for"
            throw ServiceFault(.badRequest, debug: debug)
        }
        guard let items = PercentText.items(request.query) else {
            throw ServiceFault(.badRequest, debug: "the query of the URL is not well encoded")
        }
        let now = environment.now()
        let caller = try await caller(of: request, app: texts["app"] ?? "", now: now)
        trace.caller = caller
        try admit(request, route, caller, now)
        let exchange = Exchange(
            request: request,
            route: route,
            texts: texts,
            caller: caller,
            items: items,
            now: now,
            limits: limits
        )
        return try await answer(exchange)
    }

    /// Refuses a body before it is read.
    private func demand(_ count: Int, within most: Int) throws(ServiceFault) {
        guard count > most else { return }
        throw ServiceFault(.entityTooLarge, debug: "the body of this request has at most \(most) bytes")
    }

    private func answer(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        switch exchange.route {
        // These tell more, and take the same.
        case .ping, .find, .count, .deltaSet, .deltaSetByBody, .removeFound: break
        default: try exchange.checkItems(exchange.route.parameters.map(\.name))
        }
        switch exchange.route {
        case .ping: return ping(exchange)
        case .find, .findByBody: return try await find(exchange)
        case .count, .countByBody: return try await count(exchange)
        case .deltaSet, .deltaSetByBody: return try await delta(exchange)
        case .get: return try await get(exchange)
        case .insert: return try await insert(exchange)
        case .upsert: return try await upsert(exchange)
        case .remove: return try await remove(exchange)
        case .removeFound, .removeFoundByBody: return try await removeFound(exchange)
        case .group: return try await group(exchange)
        case .subscribe, .unsubscribe:
            throw ServiceFault(.featureUnavailable, debug: "poll _deltaset for changes")
        case .signUp: return try await signUp(exchange)
        case .logIn: return try await logIn(exchange)
        case .logOut: return try await logOut(exchange)
        case .me: return try await me(exchange)
        case .lookUp: return try await lookUp(exchange)
        case .getUser: return try await getUser(exchange)
        case .updateUser: return try await updateUser(exchange)
        case .removeUser: return try await removeUser(exchange)
        case .checkUserName: return try await checkUserName(exchange)
        case .describe: return try await describe(exchange)
        case .configure: return try await configure(exchange)
        case .removeCollection: return try await removeCollection(exchange)
        case .health, .ready, .metrics, .openAPI: return WireResponse(status: 404)
        }
    }

    /// The headers of every answer.
    private func complete(_ response: inout WireResponse, for request: WireRequest) {
        let given = request.headers["X-Kinvey-Request-Id"] ?? ""
        let isPlain = (1...128).contains(given.utf8.count) && given.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        response.headers["X-Kinvey-Request-Id"] =
            isPlain ? given : EntityID.text(of: environment.random(), environment.random())
        response.headers["X-Kinvey-API-Version"] = "5"
        response.headers["X-PQL-Service"] = configuration.version
        response.headers["X-PQL-Epoch"] = storage.epoch
        allow(request.headers["Origin"], &response)
        if request.method == "HEAD" { response.body = [] }
    }

    /// Tells a page what it may send.
    private func options(_ request: WireRequest) throws(ServiceFault) -> WireResponse {
        if let origin = request.headers["Origin"], !allows(origin) {
            throw ServiceFault(.corsDisabled, debug: "start the service with --origin to allow a page's origin")
        }
        // The routes tell what a path takes by refusing this method.
        var response = WireResponse(status: 204, headers: [("Allow", "GET, HEAD, POST, PUT, DELETE, OPTIONS")])
        do throws(ServiceFault) { _ = try Route.find(request.method, request.path) } catch {
            if let methods = error.allowed { response.headers["Allow"] = methods.joined(separator: ", ") }
        }
        return response
    }

    private func allows(_ origin: String) -> Bool {
        configuration.origins.contains("*") || configuration.origins.contains(origin)
    }

    /// Lets pages of the listed origins read the answer.
    private func allow(_ origin: String?, _ response: inout WireResponse) {
        // A cache must not give a page what was sent without an origin.
        if origin != nil || !configuration.origins.isEmpty { response.headers.append("Vary", "Origin") }
        guard let origin, allows(origin) else { return }
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Allow-Methods"] = "GET, HEAD, POST, PUT, DELETE"
        response.headers["Access-Control-Allow-Headers"] =
            "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-Kinvey-API-Version, "
            + "X-Kinvey-Request-Id, X-Kinvey-Client-App-Version, X-Kinvey-Device-Info, "
            + "X-Kinvey-Device-Information, X-Kinvey-Custom-Request-Properties, X-PQL-Client, X-PQL-Epoch"
        response.headers["Access-Control-Expose-Headers"] =
            "ETag, Location, Retry-After, X-Kinvey-Request-Id, X-Kinvey-Request-Start, X-PQL-Epoch, X-PQL-Gone, "
            + "X-PQL-Last, X-PQL-Next, X-PQL-Replayed, X-PQL-Service, X-PQL-Truncated"
        response.headers["Access-Control-Max-Age"] = "600"
    }

    private func ping(_ exchange: Exchange) -> WireResponse {
        .json(
            .object([
                "version": .string(configuration.version), "kinvey": "hello from PredicateQL",
                "appName": .string(exchange.caller.app),
            ])
        )
    }
}
