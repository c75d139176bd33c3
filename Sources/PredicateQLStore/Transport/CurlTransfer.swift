#if os(Linux)
    import CCurl
    import Foundation
    import QueryValues
    import StoreModel

    /// One request by libcurl; after it was handed over, only the worker's thread touches it.
    final class CurlTransfer: @unchecked Sendable {
        /// A response, and the target of its redirect.
        struct Answer: Sendable {
            var response: WireResponse
            var redirect: String?
        }

        typealias Outcome = Result<Answer, TransportFault>

        /// The most bytes of an answer's head.
        private static let mostHeadBytes = 1 << 20

        private let request: WireRequest
        private let url: String
        private let milliseconds: Int
        private let mostBytes: Int
        private let exchange: Exchange<Outcome>
        private(set) var handle: CurlLibrary.Handle?
        private var headers: CurlLibrary.Handle?
        private var response = WireResponse(status: 0)
        private var headBytes = 0
        private var isHeadWhole = false
        /// The reason to stop reading the response.
        private var refusal: String?

        /// A request.
        ///
        /// - Parameters:
        ///   - request: its method, headers and body.
        ///   - url: where it goes.
        ///   - timeout: how long the whole answer may take.
        ///   - mostBytes: the most bytes of the answer's body.
        ///   - exchange: receives the response.
        init(
            _ request: WireRequest,
            _ url: String,
            _ timeout: Duration,
            _ mostBytes: Int,
            _ exchange: Exchange<Outcome>
        ) {
            self.request = request
            self.url = url
            self.mostBytes = mostBytes
            self.exchange = exchange
            milliseconds = Int(max(1, timeout.milliseconds))
        }

        /// Makes a libcurl handle; nil, and a failed exchange, if it cannot be made.
        func open(_ curl: CurlLibrary) -> CurlLibrary.Handle? {
            let lines = lines
            guard ([url, request.method] + lines).allSatisfy({ !$0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) else {
                end(.failure(.unreachable("a header or the URL holds a control character")))
                return nil
            }
            handle = curl.make()
            headers = curl.list(lines)
            guard let handle, headers != nil, set(handle, curl) else {
                close(curl)
                end(.failure(.unreachable("libcurl does not take the request")))
                return nil
            }
            return handle
        }

        /// The headers that are sent; of those of one name the last, as URLSession does it.
        private var lines: [String] {
            var fields = HeaderFields()
            for field in request.headers { fields[field.name] = field.value }
            // Two that libcurl adds to what has a body.
            let unwanted = ["Expect", "Content-Type"].filter { fields[$0] == nil }.map { $0 + ":" }
            return fields.map { field in
                let value = field.value.trimmingCharacters(in: .whitespaces)
                return value.isEmpty ? field.name + ";" : field.name + ": " + value
            } + unwanted
        }

        private func set(_ handle: CurlLibrary.Handle, _ curl: CurlLibrary) -> Bool {
            let context = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
            let hasBody = !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method)
            let isBodySet = !hasBody || curl.set(handle, body: request.body)
            // HTTP/1.1: one answer at a time on a connection.
            return isBodySet && curl.set(handle, .url, url) && curl.set(handle, .headers, UnsafeRawPointer(headers))
                && (request.method == "HEAD"
                    ? curl.set(handle, .noBody, 1) : curl.set(handle, .method, request.method))
                && curl.set(handle, .httpVersion, 2) && curl.set(handle, .encodings, "gzip, deflate")
                && (curl.set(handle, .protocolNames, "http,https") || curl.set(handle, .protocols, 3))
                && curl.set(handle, .pathAsIs, 1) && curl.set(handle, .noSignal, 1)
                && curl.set(handle, .hidesProxyHeads, 1) && curl.set(handle, .timeout, milliseconds)
                && curl.set(handle, .bodyContext, context) && curl.set(handle, .headContext, context)
                && curl.set(handle, .onBody, Self.takeBody) && curl.set(handle, .onHead, Self.takeHead)
        }

        /// Frees what libcurl ran.
        func close(_ curl: CurlLibrary) {
            if let handle { curl.free(handle) }
            curl.freeList(headers)
            (handle, headers) = (nil, nil)
        }

        /// Ends the exchange, if nothing else has ended the request.
        func end(_ outcome: Outcome) { exchange.end(outcome) }

        /// What came of it, once libcurl has ended with a code.
        func outcome(_ code: Int32, _ curl: CurlLibrary) -> Outcome {
            if let refusal { return .failure(.unreachable(refusal)) }
            switch code {
            case 0 where isHeadWhole:
                return .success(Answer(response: response, redirect: handle.flatMap { curl.redirect($0) }))
            case 0: return .failure(.unreachable("the response ended inside its head"))
            case 28: return .failure(.timedOut)
            default: return .failure(.unreachable(curl.text(code)))
            }
        }

        // MARK: What libcurl calls

        private static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
            context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
        }

        private static let takeBody: pql_curl_write = { bytes, size, count, context in
            guard let transfer = of(context), let bytes else { return 0 }
            return transfer.take(body: UnsafeRawBufferPointer(start: bytes, count: size &* count))
        }

        private static let takeHead: pql_curl_write = { bytes, size, count, context in
            guard let transfer = of(context), let bytes else { return 0 }
            return transfer.take(head: UnsafeRawBufferPointer(start: bytes, count: size &* count))
        }

        /// Bytes of the body; fewer taken than came end the request.
        private func take(body bytes: UnsafeRawBufferPointer) -> Int {
            guard bytes.count <= mostBytes - response.body.count else {
                refusal = "the response has more than \(mostBytes) bytes"
                return 0
            }
            response.body += bytes
            return bytes.count
        }

        /// A line of a head.
        ///
        /// Heads of the class 1xx come before the one that counts, and lines after the body count for nothing.
        private func take(head bytes: UnsafeRawBufferPointer) -> Int {
            guard bytes.count <= Self.mostHeadBytes - headBytes else {
                refusal = "the head of the response has more than \(Self.mostHeadBytes) bytes"
                return 0
            }
            headBytes += bytes.count
            guard !isHeadWhole else { return bytes.count }
            let text = String(decoding: bytes, as: UTF8.self)
            let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
            if line.hasPrefix("HTTP/") {
                response = WireResponse(status: line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
            } else if line.isEmpty {
                isHeadWhole = response.status >= 200
            } else if let colon = line.firstIndex(of: ":"), !text.hasPrefix(" "), !text.hasPrefix("\t") {
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                response.headers.append(String(line[..<colon]), value)
            }
            return bytes.count
        }
    }
#endif
