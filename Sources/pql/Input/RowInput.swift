#if CLI
    import PredicateQL
    import QueryBatch
    import QueryEvaluation
    import QueryValues

    /// A file, or standard input, and its detected format.
    struct RowInput {
        /// How rows are arranged in the file.
        enum Layout {
            /// One object per line.
            case lines
            /// One list of objects.
            case list
            /// An SQLite database.
            case database
        }

        /// The name for messages.
        let name: String
        let layout: Layout
        /// The size in bytes, or nil when it cannot be known.
        let size: Int?
        /// Bytes handed out so far.
        let progress: Progress
        /// The limits of a run.
        let limits: Limits
        /// Which names the rows have.
        let names: FieldNames
        private let descriptor: Int32
        private let head: [UInt8]

        /// Opens a file; `-` is standard input.
        ///
        /// - Throws: a `Failure` of status 66 when it cannot be opened, of status 65 when it holds no JSON.
        init(_ path: String, limits: Limits = .default) throws {
            self.limits = limits
            name = path == "-" ? "standard input" : path
            descriptor = path == "-" ? 0 : try FileText.open(path)
            size = FileText.size(descriptor)
            var head: [UInt8] = []
            var first: UInt8?
            // Only new bytes are examined, and at most one row is kept.
            while first == nil || head.count < 16, head.count <= Limits.default.rowBytes,
                let more = try FileText.chunk(descriptor)
            {
                head += more
                first = first ?? Self.firstByte(more)
            }
            self.head = head
            progress = Progress(total: size)
            if let foreign = ForeignFormat(head, first: first, path: path) {
                if descriptor != 0 { _ = systemClose(descriptor) }
                throw Failure(
                    status: .data,
                    message: foreign.message(name),
                    hint: "write \(foreign.command(path == "-" ? "FILE" : path)) | pql …, with - for the file"
                )
            }
            if head.starts(with: Array("SQLite format 3\0".utf8)) {
                layout = .database
            } else {
                layout = first == UInt8(ascii: "[") ? .list : .lines
            }
            names = FieldNames(head, isWhole: size == head.count, layout: layout == .list ? .list : .lines)
        }

        /// The first byte that is not white space and no byte order mark.
        private static func firstByte(_ bytes: [UInt8]) -> UInt8? {
            bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        }

        /// Closes the file; standard input stays open.
        func close() {
            if descriptor != 0 { _ = systemClose(descriptor) }
        }

        /// The rows from the start, once.
        var rows: JSONRows {
            JSONRows(layout: layout == .list ? .list : .lines, extended: true, limits: limits) {
                () throws(QueryError) in stream()
            }
        }

        /// The whole content from the start, once.
        private func stream() -> ByteStream {
            var rest = head[...]
            let (descriptor, progress, names) = (descriptor, progress, names)
            return ByteStream { buffer throws(QueryError) in
                if !rest.isEmpty {
                    let part = rest.prefix(buffer.count)
                    buffer.copyBytes(from: part)
                    rest = rest.dropFirst(part.count)
                    progress.bytes += part.count
                    names.look(UnsafeRawBufferPointer(rebasing: buffer[..<part.count]))
                    return part.count
                }
                while true {
                    let count = systemRead(descriptor, buffer)
                    if count >= 0 {
                        progress.bytes += count
                        progress.draw()
                        names.look(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                        return count
                    }
                    if errno != EINTR {
                        throw QueryError(.store, "the input cannot be read: " + String(cString: strerror(errno)))
                    }
                }
            }
        }
    }
#endif
