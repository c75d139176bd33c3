#if os(Linux)
    import Foundation
    import Glibc
    import QueryValues

    /// A connection that speaks HTTP/1.1 by hand, so that tests can also speak it badly.
    final class HTTPClient {
        struct Answer {
            var status: Int
            var headers: [String: String]
            var body: [UInt8]

            var text: String { String(decoding: body, as: UTF8.self) }

            var json: QueryValue? { try? QueryValue(json: text) }

            /// A member of the body, as JSON text.
            subscript(key: String) -> String? {
                guard case .object(let document)? = json, let value = document[key] else { return nil }
                if case .string(let text) = value { return text }
                return value.json
            }
        }

        struct Closed: Error {}

        /// Runs as long as there is a client.
        private let server: ServerProcess
        private var descriptor: Int32
        private var buffer: [UInt8] = []
        /// Microseconds that it takes for each 64 KiB that it reads.
        var pause: UInt32 = 0
        static let master = "Basic " + Data("kid:master-secret".utf8).base64EncodedString()
        static let app = "Basic " + Data("kid:app-secret".utf8).base64EncodedString()

        /// Connects; calls that wait for more than `timeout` seconds throw.
        init(_ server: ServerProcess, timeout: Int = 30, from source: String? = nil) throws {
            self.server = server
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            guard descriptor >= 0 else { throw Closed() }
            var wait = timeval(tv_sec: timeout, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
            var one: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = server.port.bigEndian
            func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
                withUnsafePointer(to: &address) { address in
                    address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
            }
            if let source {
                (address.sin_addr.s_addr, address.sin_port) = (inet_addr(source), 0)
                _ = call { bind(descriptor, $0, $1) }
                address.sin_port = server.port.bigEndian
            }
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let status = call { connect(descriptor, $0, $1) }
            guard status == 0 else {
                close()
                throw Closed()
            }
        }

        deinit { close() }

        func close() {
            if descriptor >= 0 { _ = Glibc.close(descriptor) }
            descriptor = -1
        }

        /// Says that nothing more comes, and goes on listening.
        func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

        func write(_ text: String) throws { try write(Array(text.utf8)) }

        func write(_ bytes: [UInt8]) throws {
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Closed() }
                sent += count
            }
        }

        /// Sends a request and reads its answer; the path is relative to `/appdata/kid/` unless it begins with a slash.
        func send(
            _ method: String,
            _ path: String,
            _ body: String? = nil,
            as authorization: String? = HTTPClient.master,
            _ headers: [String] = []
        ) throws -> Answer {
            try write(Self.request(method, path, body, as: authorization, headers))
            return try read(isHead: method == "HEAD")
        }

        static func request(
            _ method: String,
            _ path: String,
            _ body: String? = nil,
            as authorization: String? = HTTPClient.master,
            _ headers: [String] = []
        ) -> String {
            let path = path.hasPrefix("/") ? path : "/appdata/kid/" + path
            var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"]
            if let authorization { lines.append("Authorization: \(authorization)") }
            if body != nil, !headers.contains(where: { $0.hasPrefix("Content-Type") }) {
                lines.append("Content-Type: application/json")
            }
            if let body { lines.append("Content-Length: \(body.utf8.count)") }
            return (lines + headers).joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
        }

        /// Reads one answer.
        ///
        /// - Throws: `Closed` if the connection ends before.
        func read(isHead: Bool = false) throws -> Answer {
            let head = String(decoding: try take(through: Array("\r\n\r\n".utf8)), as: UTF8.self)
            var lines = head.split(separator: "\r\n").map(String.init)
            let status = lines.removeFirst().split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            var headers: [String: String] = [:]
            for line in lines {
                let parts = line.split(separator: ":", maxSplits: 1)
                headers[parts[0].lowercased()] = parts.last.map { $0.trimmingCharacters(in: .whitespaces) }
            }
            let length = isHead || status == 100 ? 0 : headers["content-length"].flatMap { Int($0) } ?? 0
            while buffer.count < length { try more() }
            let body = Array(buffer.prefix(length))
            buffer.removeFirst(length)
            return Answer(status: status, headers: headers, body: body)
        }

        /// Whether the other side has closed; waits for it.
        func isClosed() -> Bool {
            do {
                while true { try more() }
            } catch {
                return errno != EAGAIN
            }
        }

        private func take(through end: [UInt8]) throws -> [UInt8] {
            while true {
                if let range = buffer.firstRange(of: end) {
                    let taken = Array(buffer[..<range.upperBound])
                    buffer.removeFirst(taken.count)
                    return taken
                }
                try more()
            }
        }

        private func more() throws {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            usleep(pause)
            errno = 0
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { throw Closed() }
            buffer.append(contentsOf: chunk[..<count])
        }
    }
#endif
