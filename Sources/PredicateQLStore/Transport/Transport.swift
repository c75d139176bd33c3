import StoreModel

/// A type that sends requests to a service and returns its responses.
///
/// `StoreClient(service:…)` uses one over HTTP, such as ``URLSessionTransport``; ``FunctionTransport`` calls a service
/// in the same process.
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

/// The reason why there was no response.
///
///     TransportFault.timedOut == .cancelled  // → false
public enum TransportFault: Error, Hashable, Sendable {
    /// There was no connection, or it broke.
    case unreachable(String)
    /// There was no response in time.
    case timedOut
    /// The task was cancelled.
    case cancelled
}

/// Requests handled by a function in the same process, for tests and simulations.
///
///     let service = service
///     let transport = FunctionTransport { request in await service.answer(request) }
///     try await transport.send(WireRequest("GET", "/healthz"), timeout: .seconds(1)).status  // → 200
public struct FunctionTransport: Transport {
    private let answer: @Sendable (WireRequest) async throws(TransportFault) -> WireResponse

    /// A transport to a function.
    ///
    /// - Parameter answer: handles a request.
    public init(_ answer: @escaping @Sendable (WireRequest) async throws(TransportFault) -> WireResponse) {
        self.answer = answer
    }

    /// Calls the function; enforcing the timeout is up to the function.
    public func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
        try await answer(request)
    }
}
