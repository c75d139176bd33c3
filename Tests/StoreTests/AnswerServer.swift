#if os(Linux)
    import Foundation
    import QueryValues
    import StoreModel

    /// A server on 127.0.0.1 that answers requests with any bytes.
    final class AnswerServer: Sendable {
        /// What happens after the bytes of an answer.
        enum End { case goesOn, closes, resets }

        struct Answer {
            var bytes: [UInt8]
            var end: End

            init(_ text: String, _ end: End = .goesOn) { (bytes, self.end) = (Array(text.utf8), end) }

            init(_ bytes: [UInt8], _ end: End) { (self.bytes, self.end) = (bytes, end) }
        }

        private struct Failure: Error {}

        let port: Int
        /// What came, in order, and over how many connections.
        let came = Mutex((requests: [WireRequest](), connections: 0))
        private let listener: Int32
        private let answer: @Sendable (WireRequest) -> Answer

        var address: String { "http://127.0.0.1:\(port)" }

        init(_ answer: @escaping @Sendable (WireRequest) -> Answer) throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
                let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
                guard let pointer, bind(listener, pointer, size) == 0, listen(listener, 512) == 0 else { return -1 }
                return getsockname(listener, pointer, &size)
            }
            guard result == 0 else { throw Failure() }
            port = Int(UInt16(bigEndian: address.sin_port))
            self.listener = listener
            self.answer = answer
            Thread.detachNewThread { [weak self] in
                while case let connection = accept(listener, nil, nil), connection >= 0 {
                    guard let self else { break }
                    self.came.withLock { $0.connections += 1 }
                    Thread.detachNewThread { [weak self] in
                        while let request = Self.request(connection), self?.reply(request, connection) == true {}
                        close(connection)
                    }
                }
                close(listener)
            }
        }

        deinit { shutdown(listener, Int32(SHUT_RDWR)) }

        /// The next request of a connection; nil at its end.
        private static func request(_ connection: Int32) -> WireRequest? {
            var data = Data()
            let blank = Data("\r\n\r\n".utf8)
            while true {
                if let end = data.range(of: blank) {
                    let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
                    let words = lines.first?.split(separator: " ").map(String.init) ?? []
                    guard words.count == 3 else { return nil }
                    var request = WireRequest(words[0], words[1])
                    for line in lines.dropFirst() {
                        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                        guard parts.count == 2 else { return nil }
                        request.headers.append(String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
                    }
                    let length = request.headers["Content-Length"].flatMap { Int($0) } ?? 0
                    request.body = Array(data[end.upperBound...])
                    if request.body.count >= length { return request }
                }
                var part = [UInt8](repeating: 0, count: 1 << 16)
                let count = recv(connection, &part, part.count, 0)
                guard count > 0 else { return nil }
                data += part[..<count]
            }
        }

        private func reply(_ request: WireRequest, _ connection: Int32) -> Bool {
            came.withLock { $0.requests.append(request) }
            let answer = answer(request)
            var sent = 0
            while sent < answer.bytes.count {
                let count = answer.bytes[sent...].withUnsafeBytes {
                    Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                sent += count
            }
            switch answer.end {
            case .goesOn: return true
            case .closes: return false
            case .resets:
                var now = linger(l_onoff: 1, l_linger: 0)
                setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
                return false
            }
        }
    }
#endif
