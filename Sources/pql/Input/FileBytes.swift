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
        /// Where the text unpacked so far ends.
        private var end = TextEnd()
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
                if Array(head) == Self.mark { try unpack() }
                if gzip == nil, path.lowercased().hasSuffix(".gz"), Self.mark.starts(with: head) {
                    throw broken("it ends before its first byte of data")
                }
            } catch {
                close()
                throw error
            }
        }

        deinit { close() }

        /// The first bytes of gzip.
        private static let mark: [UInt8] = [0x1F, 0x8B]

        private func broken(_ complaint: String) -> Failure {
            Failure(status: .data, message: "\(name)\(end): the gzip data is broken: \(complaint)")
        }

        /// Reads what is left of a packed file.
        ///
        /// - Returns: the failure that ends it; nil for sound, plain or piped data, which may never end.
        func failureAhead() -> Failure? {
            guard let gzip, size != nil, isOpen else { return nil }
            while let more = try? FileText.chunk(source), !more.isEmpty {}
            return gzip.wait().map(broken)
        }

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
                if count > 0 {
                    if gzip != nil { end.pass(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                    return count
                }
                if count == 0 {
                    guard let complaint = gzip?.wait() else { return 0 }
                    throw broken(complaint)
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

    /// Where a text ends so far, as `:line:column`; empty before its first byte.
    private struct TextEnd: CustomStringConvertible {
        private var line = 0
        /// Unicode scalars, from 1.
        private var column = 1

        var description: String { line == 0 ? "" : ":\(line):\(column)" }

        mutating func pass(_ bytes: UnsafeRawBufferPointer) {
            line = max(1, line) + bytes.count { $0 == UInt8(ascii: "\n") }
            let start = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
            column = (start == nil ? column : 1) + bytes[(start ?? 0)...].count { $0 & 0xC0 != 0x80 }
        }
    }
#endif
