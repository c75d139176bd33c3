#if os(Linux)
    import Foundation
    import StoreModel

    /// Requests over HTTP by libcurl; the default on Linux.
    ///
    /// There Foundation's URLSession ends the process when an answer ends inside its head (swift-corelibs-foundation
    /// 5285), and has no answer for a 401 that names how to log in. Its faults are not in libcurl, on which it stands.
    package struct CurlTransport: Transport {
        /// The default maximum size of a response: 256 MiB.
        package static let mostBytes = 1 << 28
        /// The most redirects that one request follows.
        private static let mostRedirects = 16

        private let address: ServiceAddress
        private let worker: CurlWorker
        private let mostBytes: Int

        /// A transport to a service; nil where libcurl is missing or older than 7.68.
        ///
        /// - Parameters:
        ///   - service: the address of the service, as for ``URLSessionTransport``.
        ///   - mostBytes: the most bytes of an answer; a longer one is a fault.
        /// - Throws: `StoreError.badEntity` for a text that is no address.
        package init?(_ service: String, mostBytes: Int = CurlTransport.mostBytes) throws(StoreError) {
            address = try ServiceAddress(service)
            guard let worker = CurlWorker.shared else { return nil }
            self.worker = worker
            self.mostBytes = mostBytes
        }

        /// Sends a request, and waits for the whole response.
        package func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
            let end = ContinuousClock.now + min(timeout, .seconds(86_400))
            var (request, url) = (request, address.url(of: request))
            for _ in 0...Self.mostRedirects {
                let answer = try await answer(to: request, url, ContinuousClock.now.duration(to: end))
                guard let next = Self.redirected(request, url, answer) else { return answer.response }
                (request, url) = next
            }
            throw .unreachable("the service redirects more than \(Self.mostRedirects) times")
        }

        private func answer(
            to request: WireRequest,
            _ url: String,
            _ timeout: Duration
        ) async throws(TransportFault) -> CurlTransfer.Answer {
            try await Exchange<CurlTransfer.Outcome>.run(
                timeout,
                timedOut: .failure(.timedOut),
                cancelled: .failure(.cancelled)
            ) { exchange in
                let transfer = CurlTransfer(request, url, timeout, mostBytes, exchange)
                worker.start(transfer)
                return { worker.stop(transfer) }
            }.get()
        }

        /// The request of a redirect; nil if the response is none.
        ///
        /// As URLSession does it, except that passwords and tokens are sent to no other host.
        ///
        /// - Parameters:
        ///   - request: what was sent.
        ///   - url: where it went.
        ///   - answer: the answer.
        /// - Returns: the request, and where it goes.
        static func redirected(
            _ request: WireRequest,
            _ url: String,
            _ answer: CurlTransfer.Answer
        ) -> (request: WireRequest, url: String)? {
            guard let target = answer.redirect, let new = URLComponents(string: target),
                let old = URLComponents(string: url), new.scheme == "http" || new.scheme == "https"
            else { return nil }
            var next = request
            switch answer.response.status {
            case 301 where request.method == "POST", 302 where request.method == "POST",
                303 where request.method != "HEAD":
                next.method = "GET"
                next.body = []
                next.headers["Content-Type"] = nil
            case 301, 302, 303, 307, 308: break
            default: return nil
            }
            let isUpgrade = old.scheme == "http" && new.scheme == "https" && old.port == nil && new.port == nil
            let isSame = old.scheme == new.scheme && old.port == new.port
            if old.host?.lowercased() != new.host?.lowercased() || !(isSame || isUpgrade) {
                next.headers["Authorization"] = nil
                next.headers["Cookie"] = nil
            }
            return (next, target)
        }
    }
#endif
