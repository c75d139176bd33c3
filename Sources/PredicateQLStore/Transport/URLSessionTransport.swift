import Foundation
import StoreModel

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where a service is, for transports over HTTP.
package struct ServiceAddress: Sendable {
    private let base: String

    /// An address: `http` or `https`, a host, a port if it is not the usual one, and the path before `/appdata`.
    package init(_ service: String) throws(StoreError) {
        guard let url = URL(string: service), url.scheme == "http" || url.scheme == "https", url.host != nil,
            url.query == nil, url.fragment == nil
        else { throw .badEntity("this is not the address of a service: \(service); write https://host") }
        base = service.hasSuffix("/") ? String(service.dropLast()) : service
    }

    /// The whole URL of a request.
    package func url(of request: WireRequest) -> String {
        base + request.path + (request.query.isEmpty ? "" : "?" + request.query)
    }
}

/// Requests over HTTP by URLSession; the default on Apple's platforms.
///
/// On Linux `StoreClient(service:…)` uses libcurl directly by default: there URLSession crashes the process when a
/// response ends inside its head, and never completes for a 401 with `WWW-Authenticate`, which then times out. If
/// libcurl is missing or older than 7.68, URLSession is the default there too.
///
///     let transport = try URLSessionTransport("http://localhost:8080")
public struct URLSessionTransport: Transport {
    private let address: ServiceAddress
    private let session: URLSession

    /// A transport to a service.
    ///
    /// - Parameters:
    ///   - service: the address of the service: `http` or `https`, a host, a port unless it is the default, and the
    ///     path before `/appdata` if there is one.
    ///   - session: the session; by default one that keeps neither cookies nor responses.
    /// - Throws: `StoreError.badEntity` for a text that is not such an address.
    public init(_ service: String, session: URLSession? = nil) throws(StoreError) {
        address = try ServiceAddress(service)
        if let session {
            self.session = session
        } else {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = nil
            configuration.urlCache = nil
            self.session = URLSession(configuration: configuration)
        }
    }

    /// Sends a request, and waits for the whole response.
    public func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
        let text = address.url(of: request)
        guard let url = URL(string: text) else { throw .unreachable("\(text) is no URL") }
        let timeout = min(timeout, .seconds(86_400))
        var outgoing = URLRequest(url: url, timeoutInterval: Double(timeout.milliseconds) / 1_000)
        outgoing.httpMethod = request.method
        outgoing.cachePolicy = .reloadIgnoringLocalCacheData
        for field in request.headers { outgoing.setValue(field.value, forHTTPHeaderField: field.name) }
        if !request.body.isEmpty { outgoing.httpBody = Data(request.body) }
        do {
            let (data, answer) = try await Self.answer(to: outgoing, session, timeout)
            guard let answer = answer as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            var headers = HeaderFields()
            for (name, value) in answer.allHeaderFields {
                if let name = name as? String, let value = value as? String { headers.append(name, value) }
            }
            return WireResponse(status: answer.statusCode, headers: headers, body: Array(data))
        } catch let error as URLError {
            switch error.code {
            case .timedOut: throw .timedOut
            case .cancelled: throw .cancelled
            default: throw .unreachable(error.localizedDescription)
            }
        } catch {
            throw error is CancellationError ? .cancelled : .unreachable("\(error)")
        }
    }

    /// The body and the head of an answer; a session's own time-out begins anew with every byte.
    private static func answer(
        to request: URLRequest,
        _ session: URLSession,
        _ timeout: Duration
    ) async throws -> (Data, URLResponse) {
        try await Exchange<Result<(Data, URLResponse), any Error>>.run(
            timeout,
            timedOut: .failure(URLError(.timedOut)),
            cancelled: .failure(CancellationError())
        ) { exchange in
            let task = session.dataTask(with: request) { data, response, error in
                if let data, let response, error == nil {
                    exchange.end(.success((data, response)))
                } else {
                    exchange.end(.failure(error ?? URLError(.badServerResponse)))
                }
            }
            task.resume()
            return { task.cancel() }
        }.get()
    }
}
