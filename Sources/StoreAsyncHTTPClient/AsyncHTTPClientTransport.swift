#if AsyncHTTPClient
    import AsyncHTTPClient
    import PredicateQLStore
    import StoreModel

    /// Requests over HTTP by async-http-client, for programs that have SwiftNIO anyway (trait `AsyncHTTPClient`).
    ///
    /// It takes the place of ``URLSessionTransport`` where a client is made: `Grammar/store.md` shows it.
    public struct AsyncHTTPClientTransport: Transport {
        private let address: ServiceAddress
        private let client: HTTPClient
        private let mostBytes: Int

        /// The client of all transports that are given none; it lives as long as the process.
        private static let ownClient: HTTPClient = {
            var configuration = HTTPClient.Configuration()
            // Lists of entities are alike, so a limit on the ratio would refuse them.
            configuration.decompression = .enabled(limit: .size(Self.mostBytes))
            // Stores wait and try again themselves.
            configuration.connectionPool.retryConnectionEstablishment = false
            return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        }()

        /// The most bytes of an answer if nothing else is said: 256 MiB.
        public static let mostBytes = 1 << 28

        /// A transport to a service.
        ///
        /// - Parameters:
        ///   - service: where the service is: `http` or `https`, a host, a port if it is not the usual one, and the
        ///     path before `/appdata` if there is one.
        ///   - client: the client that sends; whoever made it shuts it down. By default one that never retries.
        ///   - mostBytes: the most bytes of an answer; a longer one is a fault.
        /// - Throws: `StoreError.badEntity` for a text that is no such address.
        public init(
            _ service: String,
            client: HTTPClient? = nil,
            mostBytes: Int = AsyncHTTPClientTransport.mostBytes
        ) throws(StoreError) {
            address = try ServiceAddress(service)
            self.client = client ?? Self.ownClient
            self.mostBytes = mostBytes
        }

        /// Sends a request, and waits for the whole answer.
        public func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
            var outgoing = HTTPClientRequest(url: address.url(of: request))
            outgoing.method = .init(rawValue: request.method)
            for field in request.headers { outgoing.headers.replaceOrAdd(name: field.name, value: field.value) }
            outgoing.headers.replaceOrAdd(name: "Accept-Encoding", value: "gzip, deflate")
            if !request.body.isEmpty { outgoing.body = .bytes(request.body) }
            do {
                return try await answer(to: outgoing, min(max(timeout, .zero), .seconds(86_400)))
            } catch {
                throw Self.fault(error)
            }
        }

        /// The whole answer in time; the client's own time-out ends with the answer's first line.
        private func answer(to request: HTTPClientRequest, _ timeout: Duration) async throws -> WireResponse {
            try await withThrowingTaskGroup(of: WireResponse.self) { group in
                group.addTask { try await answer(to: request, seconds: timeout.components.seconds + 1) }
                group.addTask {
                    try await Task.sleep(for: timeout)
                    throw TransportFault.timedOut
                }
                defer { group.cancelAll() }
                guard let first = try await group.next() else { throw CancellationError() }
                return first
            }
        }

        private func answer(to request: HTTPClientRequest, seconds: Int64) async throws -> WireResponse {
            let answer = try await client.execute(request, timeout: .seconds(seconds))
            var response = WireResponse(status: Int(answer.status.code))
            for (name, value) in answer.headers { response.headers.append(name, value) }
            for try await part in answer.body {
                guard response.body.count + part.readableBytes <= mostBytes else {
                    throw TransportFault.unreachable("the answer has more than \(mostBytes) bytes")
                }
                response.body += part.readableBytesView
            }
            // The body of a request that is cancelled ends as if it were whole.
            try Task.checkCancellation()
            return response
        }

        private static let timeouts: [HTTPClientError] = [
            .connectTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout, .readTimeout,
            .socksHandshakeTimeout, .tlsHandshakeTimeout, .writeTimeout,
        ]

        /// What an error means to a store.
        private static func fault(_ error: any Error) -> TransportFault {
            switch error {
            case let fault as TransportFault: fault
            case is CancellationError: .cancelled
            case let error as HTTPClientError where error == .cancelled: .cancelled
            case let error as HTTPClientError where timeouts.contains(error): .timedOut
            default: .unreachable("\(error)")
            }
        }
    }
#endif
