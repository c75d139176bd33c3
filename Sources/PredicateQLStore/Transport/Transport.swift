import StoreModel

/// What carries requests to a service and brings its answers.
///
/// `StoreClient(service:…)` takes one that speaks HTTP, as ``URLSessionTransport`` does; ``FunctionTransport`` asks a
/// service in the same process.
///
///     let transport: any Transport = FunctionTransport { _ in WireResponse(status: 204) }
///     try await transport.send(WireRequest("GET", "/"), timeout: .seconds(1)).status  // → 204
public protocol Transport: Sendable {
    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: the request; its path begins with `/`.
    ///   - timeout: how long the answer may take.
    /// - Returns: the service's answer, whatever its status.
    /// - Throws: `TransportFault` when no whole answer came.
    func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse
}

/// Why no answer came.
///
///     TransportFault.timedOut == .cancelled  // → false
public enum TransportFault: Error, Hashable, Sendable {
    /// No connection, or it broke.
    case unreachable(String)
    /// No answer in time.
    case timedOut
    /// The task was cancelled.
    case cancelled
}

/// Requests answered by a function of the same process, as tests and simulations need it.
///
///     let service = service
///     let transport = FunctionTransport { request in await service.answer(request) }
///     try await transport.send(WireRequest("GET", "/healthz"), timeout: .seconds(1)).status  // → 200
public struct FunctionTransport: Transport {
    private let answer: @Sendable (WireRequest) async throws(TransportFault) -> WireResponse

    /// A transport to a function.
    ///
    /// - Parameter answer: what the service does.
    public init(_ answer: @escaping @Sendable (WireRequest) async throws(TransportFault) -> WireResponse) {
        self.answer = answer
    }

    /// Calls the function; the timeout is the function's own affair.
    public func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
        try await answer(request)
    }
}
