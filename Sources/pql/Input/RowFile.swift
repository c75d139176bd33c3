#if CLI
    import PredicateQL
    import QueryBatch
    import QueryValues

    /// An open file of rows, and its format, detected from its first bytes and its name.
    final class RowFile {
        let path: String
        let format: RowFormat
        private let bytes: FileBytes
        /// The first bytes, which are read again.
        private var head: ArraySlice<UInt8>
        /// Cuts the rows out of one object; nil if the file holds nothing else.
        private var window: ListWindow?
        /// Where the rows are in one object; nil if the file holds nothing else.
        let place: String?

        /// Opens a file; `-` is standard input.
        ///
        /// - Parameters:
        ///   - path: the file.
        ///   - place: the keys that lead to the list of rows in one object, with dots between them; nil if the file holds
        ///     nothing but rows.
        /// - Throws: a `Failure` of status 66 when it cannot be opened, of status 65 when it holds no rows.
        init(_ path: String, at place: String? = nil) throws {
            self.path = path
            self.place = place
            bytes = try FileBytes(path)
            var window = place.map { ListWindow($0) }
            var head: [UInt8] = []
            var isBlank = true
            // Only new bytes are examined, and at most one row is kept.
            while isBlank || head.count < 16, head.count <= Limits.default.rowBytes {
                let more = try Self.chunk(bytes, 64 * 1_024, &window)
                if more.isEmpty { break }
                head += more
                isBlank = isBlank && RowFormat.firstByte(more) == nil
            }
            self.window = window
            self.head = head[...]
            if let place, window?.isFound == false {
                bytes.close()
                let entries = "jq '.\(place) | to_entries | map({id: .key} + .value)' \(path == "-" ? "FILE" : path)"
                throw Failure(
                    status: .data,
                    message: "\(bytes.name) has no list at \(place)",
                    hint: "objects by their keys become a list by \(entries) | pql …, with - for the file"
                )
            }
            format = try Self.format(head, bytes, path)
        }

        private static func format(_ head: [UInt8], _ bytes: FileBytes, _ path: String) throws -> RowFormat {
            let plain = bytes.isPacked && path.lowercased().hasSuffix(".gz") ? String(path.dropLast(3)) : path
            do throws(ForeignFormat) {
                let format = try RowFormat(head, path: plain)
                guard bytes.isPacked, format == .database else { return format }
            } catch {
                bytes.close()
                throw Failure(
                    status: .data,
                    message: error.message(bytes.name),
                    hint: error.advice(path == "-" ? "FILE" : path)
                )
            }
            bytes.close()
            throw Failure(status: .data, message: "\(bytes.name) is a compressed SQLite file; decompress it first")
        }

        private static func chunk(_ bytes: FileBytes, _ size: Int, _ window: inout ListWindow?) throws -> [UInt8] {
            try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                count = try read(bytes, into: UnsafeMutableRawBufferPointer(buffer), &window)
            }
        }

        /// Reads the next bytes of the rows.
        private static func read(
            _ bytes: FileBytes,
            into buffer: UnsafeMutableRawBufferPointer,
            _ window: inout ListWindow?
        ) throws -> Int {
            while window?.isOver != true {
                let count = try bytes.read(into: buffer)
                guard count > 0, let part = window?.part(of: UnsafeRawBufferPointer(rebasing: buffer[..<count])) else {
                    return count
                }
                if part.isEmpty { continue }
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[part]))
                return part.count
            }
            return 0
        }

        /// The name for messages.
        var name: String { bytes.name }
        /// The size as stored, or nil when it cannot be known.
        var size: Int? { bytes.size }
        /// True if the file can be opened again.
        var isRepeatable: Bool { path != "-" && bytes.size != nil }
        /// True if `head` is the whole content.
        var isInHead: Bool { !bytes.isPacked && place == nil && bytes.size == head.count }
        /// The first bytes.
        var start: [UInt8] { Array(head) }
        /// How many bytes were read as stored, if it can be known.
        var position: Int? { bytes.position }

        /// Reads the next bytes.
        ///
        /// - Returns: their number; 0 at the end.
        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            guard !head.isEmpty else { return try Self.read(bytes, into: buffer, &window) }
            let part = head.prefix(buffer.count)
            buffer.copyBytes(from: part)
            head = head.dropFirst(part.count)
            return part.count
        }

        /// Reads about so many bytes more.
        ///
        /// - Returns: the bytes; empty at the end.
        func read(_ size: Int) throws -> [UInt8] {
            try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                count = try read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        }

        /// Skips these bytes if the file begins with them.
        func dropStart(_ mark: [UInt8]) {
            if head.starts(with: mark) { head = head.dropFirst(mark.count) }
        }

        /// Lets these bytes be read again.
        func unread(_ more: ArraySlice<UInt8>) { head = more + head }

        /// See ``FileBytes/failureAhead()``.
        func failureAhead() -> Failure? { bytes.failureAhead() }

        func close() { bytes.close() }
    }
#endif
