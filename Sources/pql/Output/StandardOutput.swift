#if CLI
    import PredicateQL

    /// Standard output, written in large pieces.
    final class StandardOutput {
        nonisolated(unsafe) static let shared = StandardOutput()

        private var buffer: [UInt8] = []
        private let capacity = 64 * 1_024

        /// Appends text.
        func write(_ text: String) throws {
            buffer.append(contentsOf: text.utf8)
            if buffer.count >= capacity { try flush() }
        }

        /// Appends a line with its line feed.
        func write(line: String) throws {
            buffer.append(contentsOf: line.utf8)
            if buffer.last != UInt8(ascii: "\n") || line.isEmpty { buffer.append(UInt8(ascii: "\n")) }
            if buffer.count >= capacity { try flush() }
        }

        /// Appends a value as one line of JSON.
        func write(json value: QueryValue) throws {
            JSONWriter().write(value, to: &buffer)
            buffer.append(UInt8(ascii: "\n"))
            if buffer.count >= capacity { try flush() }
        }

        /// Passes everything to the system.
        ///
        /// - Throws: `BrokenPipe` if the reader is gone, else a `Failure` of status 74.
        func flush() throws {
            defer { buffer.removeAll(keepingCapacity: true) }
            var written = 0
            while written < buffer.count {
                let count = buffer.withUnsafeBytes {
                    systemWrite(1, $0.baseAddress.map { $0 + written }, $0.count - written)
                }
                if count >= 0 {
                    written += count
                } else if errno == EPIPE {
                    throw BrokenPipe()
                } else if errno != EINTR {
                    throw Failure(status: .io, message: "cannot write: " + String(cString: strerror(errno)))
                }
            }
        }
    }
#endif
