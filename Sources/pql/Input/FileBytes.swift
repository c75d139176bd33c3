#if CLI
    /// The bytes of a file or of standard input, unpacked if they are gzip.
    final class FileBytes {
        /// The name for messages.
        let name: String
        /// The size as stored, or nil when it cannot be known.
        let size: Int?
        private let file: Int32
        /// Where the bytes come from: the file, or gzip's output.
        private var source: Int32
        private var gzip: GzipProcess?
        /// Bytes that were read to recognize gzip.
        private var head: ArraySlice<UInt8> = []
        private var isOpen = true

        /// Opens a file; `-` is standard input.
        ///
        /// - Throws: a `Failure` of status 66 when it cannot be opened.
        init(_ path: String) throws {
            name = path == "-" ? "standard input" : path
            file = path == "-" ? 0 : try FileText.open(path)
            size = FileText.size(file)
            source = file
            do {
                // Two bytes: nothing else has to be passed on to gzip from a pipe.
                while head.count < 2, let more = try FileText.chunk(file, size: 2 - head.count) { head += more }
                if Array(head) == [0x1F, 0x8B] { try unpack() }
            } catch {
                close()
                throw error
            }
        }

        deinit { close() }

        /// True if the bytes are stored packed.
        var isPacked: Bool { gzip != nil }

        /// How many bytes were read as stored, if it can be known.
        var position: Int? {
            let position = lseek(file, 0, SEEK_CUR)
            return position < 0 ? nil : Int(position)
        }

        private func unpack() throws {
            let pipe = try GzipProcess.pipe()
            defer { _ = systemClose(pipe.write) }
            source = pipe.read
            let isAtStart = lseek(file, -off_t(head.count), SEEK_CUR) >= 0
            gzip = try GzipProcess(["-dc"], from: file, to: pipe.write, after: isAtStart ? [] : Array(head))
            head = []
        }

        /// Reads the next bytes.
        ///
        /// - Parameter buffer: where they go.
        /// - Returns: their number; 0 at the end.
        /// - Throws: a `Failure` when they cannot be read or unpacked.
        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            if !head.isEmpty {
                let part = head.prefix(buffer.count)
                buffer.copyBytes(from: part)
                head = head.dropFirst(part.count)
                return part.count
            }
            while true {
                let count = systemRead(source, buffer)
                if count > 0 { return count }
                if count == 0 {
                    guard let complaint = gzip?.wait() else { return 0 }
                    throw Failure(status: .data, message: "\(name): the gzip data is broken: \(complaint)")
                }
                if errno != EINTR {
                    let reason = String(cString: strerror(errno))
                    throw Failure(status: .io, message: "\(name): the input cannot be read: \(reason)")
                }
            }
        }

        /// Closes the file; standard input stays open.
        func close() {
            guard isOpen else { return }
            isOpen = false
            if source != file { _ = systemClose(source) }
            gzip?.abandon()
            if file != 0 { _ = systemClose(file) }
        }
    }
#endif
