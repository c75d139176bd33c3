#if Server
    import CZlib
    import StoreModel

    /// How an answer is compressed.
    enum ContentCoding: String, Sendable {
        case gzip
        case deflate

        /// Shorter bodies cost more than they save.
        static let fewestBytes = 1_024
        /// Longer bodies are compressed off the event loop.
        private static let mostInline = 32_768

        /// The coding to use; nil for none.
        ///
        /// - Parameters:
        ///   - accepted: the request's `Accept-Encoding`.
        ///   - answer: the answer.
        init?(accepted: String?, for answer: WireResponse) {
            guard let accepted, answer.body.count >= Self.fewestBytes else { return nil }
            let codings = accepted.lowercased().split(separator: ",").compactMap { part -> Substring? in
                let parts = part.split(separator: ";").map { $0.filter { $0 != " " } }
                let isRefused = parts.dropFirst().contains { $0.hasPrefix("q=0") && Double($0.dropFirst(2)) == 0 }
                return isRefused ? nil : parts.first.map { $0[...] }
            }
            if codings.contains("gzip") {
                self = .gzip
            } else if codings.contains("deflate") {
                self = .deflate
            } else {
                return nil
            }
        }

        /// The compressed bytes; nil if they cannot be made.
        func encode(_ bytes: [UInt8]) async -> [UInt8]? {
            if bytes.count <= Self.mostInline { return compress(bytes) }
            return await withTaskExecutorPreference(globalConcurrentExecutor) { compress(bytes) }
        }

        private func compress(_ bytes: [UInt8]) -> [UInt8]? {
            var stream = z_stream()
            guard pql_deflate_init(&stream, Z_BEST_SPEED, self == .gzip ? 31 : 15) == Z_OK else { return nil }
            defer { deflateEnd(&stream) }
            guard let count = UInt32(exactly: bytes.count),
                let most = UInt32(exactly: deflateBound(&stream, UInt(count)))
            else { return nil }
            var input = bytes
            var isWhole = false
            let output = [UInt8](unsafeUninitializedCapacity: Int(most)) { buffer, written in
                input.withUnsafeMutableBufferPointer { input in
                    stream.next_in = input.baseAddress
                    stream.avail_in = count
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = most
                    isWhole = CZlib.deflate(&stream, Z_FINISH) == Z_STREAM_END
                }
                written = Int(most - stream.avail_out)
            }
            return isWhole ? output : nil
        }
    }
#endif
