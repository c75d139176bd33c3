#if CLI
    import PredicateQL

    /// Standard output, or the file that stands for it, written in large pieces.
    final class StandardOutput {
        nonisolated(unsafe) static let shared = StandardOutput()

        private var buffer: [UInt8] = []
        private let capacity = 64 * 1_024
        private var file: OutputFile?

        /// Sends all output to a file.
        func redirect(to file: OutputFile) { self.file = file }

        /// True if the output is seen as it is written.
        var isTerminal: Bool { file == nil && Terminal.output.isTerminal }
        /// True if the output may have colours.
        var hasColor: Bool { file == nil && Terminal.output.hasColor }
        /// The number of columns, or nil if the output is not a terminal.
        var width: Int? { file == nil ? Terminal.output.width : nil }

        /// Passes everything on, and completes the file.
        ///
        /// - Throws: as ``flush()``; a `Failure` if the file cannot be completed.
        func finish() throws {
            try flush()
            try file?.complete()
        }

        /// Passes on what was written before a failure; of a file nothing is left.
        func abandon() throws {
            guard let file else { return try flush() }
            file.discard()
        }

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

        /// Appends what a closure makes.
        func write(_ body: (inout [UInt8]) throws -> Void) throws {
            try body(&buffer)
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
                    systemWrite(file?.descriptor ?? 1, $0.baseAddress.map { $0 + written }, $0.count - written)
                }
                if count >= 0 {
                    written += count
                } else if errno == EPIPE, file == nil {
                    throw BrokenPipe()
                } else if errno != EINTR {
                    throw Failure(status: .io, message: "cannot write: " + String(cString: strerror(errno)))
                }
            }
        }
    }
#endif
