#if CLI
    import Dispatch
    import PredicateQL
    import QueryBatch
    import QueryTree
    import QueryValues

    /// The rows of several files, one after the other, as one JSON text; CSV becomes lines of JSON on the way.
    final class RowText {
        /// Where the lines of a file begin in the text.
        private struct Part {
            var name: String
            /// The lines of the text before those of the file.
            var linesBefore: Int
            /// nil if the lines are the file's own.
            var unit: String?
        }

        /// What ended the reading.
        var failure: (any Error)?
        /// How the rows are arranged in the text.
        let layout: JSONLayout
        /// True if the text differs from that of the first file.
        let isConverted: Bool
        /// Malformed records that were left out.
        var skipped: Int { skippedBefore + (converter?.skipped ?? 0) }

        /// Cores may still read ahead when a search ends.
        private let lock = DispatchSemaphore(value: 1)
        private let limits: Limits
        private let schema: Schema?
        private let skipsInvalid: Bool
        private let isSingle: Bool
        private let paths: [String]
        private var file: RowFile
        private var rest: ArraySlice<String>
        private var converter: (any LineConverter)?
        private var skippedBefore = 0
        /// The keys of rows that are read, if not all are.
        private var keys: [String]?
        private var parts: [Part] = []
        private var isStarted = false
        private var isOver = false
        /// Text that was not handed out yet.
        private var waiting: ArraySlice<UInt8> = []
        /// An error that follows text which is not handed out yet.
        private var pending: (any Error)?
        private var lines = 0
        private var last: UInt8?
        private var bytesBefore = 0

        init(_ file: RowFile, then rest: [String], limits: Limits, schema: Schema?, skipsInvalid: Bool) {
            self.file = file
            self.rest = rest[...]
            self.limits = limits
            self.schema = schema
            self.skipsInvalid = skipsInvalid
            isSingle = rest.isEmpty
            paths = [file.path] + rest
            isConverted =
                switch file.format {
                case .cells, .values: true
                case .list: !isSingle
                case .lines, .database: false
                }
            layout = file.format == .list && isSingle ? .list : .lines
        }

        /// Where the rows are in the one object of a file; nil if it holds nothing else.
        var rowsPlace: String? { file.place }
        /// How many bytes were read of the files as stored, if it can be known.
        var position: Int? { file.position.map { bytesBefore + $0 } }

        /// The first bytes of the text, which are handed out later.
        func peek() throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 64 * 1_024)
            let count = try bytes.withUnsafeMutableBytes { try read(into: $0) }
            bytes.removeSubrange(count...)
            waiting = bytes + waiting
            return bytes
        }

        /// Lets fields that nobody reads be left out where lines are made of CSV, in what is not handed out yet.
        ///
        /// - Parameter keys: the outermost keys that are read.
        func keep(only keys: [String]) {
            self.keys = keys
            converter?.keep(only: keys)
        }

        /// Reads the next bytes of the text.
        ///
        /// - Returns: their number; 0 at the end.
        /// - Throws: a `Failure` for a file that cannot be read.
        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            lock.wait()
            defer { lock.signal() }
            return try readUnlocked(into: buffer)
        }

        private func readUnlocked(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            if !isStarted { try start() }
            while waiting.isEmpty {
                if isOver { return 0 }
                if let count = try readFile(into: buffer) { return count }
                try startNext()
            }
            let part = waiting.prefix(buffer.count)
            buffer.copyBytes(from: part)
            waiting = waiting.dropFirst(part.count)
            return part.count
        }

        /// More of the current file; nil at its end.
        private func readFile(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
            if converter != nil {
                let text = try convert(buffer.count)
                guard !text.isEmpty else { return nil }
                if !isSingle { lines += text.withUnsafeBytes { Self.lines(in: $0) } }
                last = text.last
                waiting = text[...]
                return try readUnlocked(into: buffer)
            }
            let count = try file.read(into: buffer)
            guard count > 0 else { return nil }
            if !isSingle {
                lines += Self.lines(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                last = buffer[count - 1]
            }
            return count
        }

        /// The next lines made of the current file: of a file about as many bytes as are wanted, of a pipe what is at hand.
        private func convert(_ count: Int) throws -> [UInt8] {
            if let pending { throw pending }
            var text: [UInt8] = []
            var hasMore = true
            while hasMore, text.count < (file.isRepeatable ? count : 1) {
                var more: [UInt8] = []
                do {
                    hasMore = try converter?.convert(into: &more) == true
                } catch {
                    if text.isEmpty { throw error }
                    pending = error
                    return text
                }
                text += more
            }
            return text
        }

        private static func lines(in bytes: UnsafeRawBufferPointer) -> Int {
            bytes.count { $0 == UInt8(ascii: "\n") }
        }

        /// Opens the next file.
        private func startNext() throws {
            guard let next = rest.popFirst() else {
                isOver = true
                return
            }
            if let last, last != UInt8(ascii: "\n") {
                waiting = [UInt8(ascii: "\n")]
                lines += 1
            }
            bytesBefore += file.size ?? 0
            file.close()
            file = try RowFile(next, at: file.place)
            try start()
        }

        private func start() throws {
            isStarted = true
            skippedBefore = skipped
            converter = nil
            switch file.format {
            case .database: throw Failure.databaseAmongFiles(file.name)
            case .cells(let separator):
                var cells = try CellLines(
                    file,
                    separator,
                    limits: limits,
                    schema: schema,
                    skipsInvalid: skipsInvalid
                )
                for note in cells.notes.prefix(3) { Diagnostics.noteOnce(note) }
                if let keys { cells.keep(only: keys) }
                converter = cells
                parts.append(Part(name: file.name, linesBefore: lines, unit: "record"))
            case .values:
                converter = ObjectLines(file)
                parts.append(Part(name: file.name, linesBefore: lines, unit: "object"))
            case .list where !isSingle:
                converter = ListLines(file, limits: limits)
                parts.append(Part(name: file.name, linesBefore: lines, unit: "element"))
            case .lines, .list:
                // Only the first line of a text may begin with a byte order mark.
                if !isSingle { file.dropStart([0xEF, 0xBB, 0xBF]) }
                parts.append(Part(name: file.name, linesBefore: lines, unit: nil))
            }
        }

        /// The file and the place in it of a line of the text.
        ///
        /// - Parameter line: from 1.
        /// - Returns: the file's name; its line, or nil and words for the place.
        func place(ofLine line: Int) -> (name: String, line: Int?, words: String) {
            guard let part = parts.last(where: { $0.linesBefore < line }) ?? parts.first else {
                return (file.name, line, "")
            }
            let own = line - part.linesBefore
            guard let unit = part.unit else { return (part.name, own, "") }
            let isCurrent = part.linesBefore == parts.last?.linesBefore
            let start = isCurrent ? converter?.line(ofRow: own) : nil
            return (part.name, nil, "\(unit) \(own)" + (start.map { ", from line \($0)" } ?? ""))
        }

        /// A failure of the data of a malformed row, with a hint if its file is broken as a whole.
        func explained(_ error: any Error) -> any Error {
            guard var failure = error as? Failure, failure.status == .data, let cause = file.failureAhead() else {
                return error
            }
            failure.hint = cause.message
            return failure
        }

        /// Begins with the first file again.
        ///
        /// - Throws: a `Failure` when it cannot be opened.
        func startAnew() throws {
            file.close()
            guard let first = paths.first else { return }
            file = try RowFile(first, at: file.place)
            rest = paths.dropFirst()
            (failure, pending, converter, last, skippedBefore, lines, bytesBefore) = (nil, nil, nil, nil, 0, 0, 0)
            (isStarted, isOver, parts, waiting) = (false, false, [], [])
        }

        /// Closes the files; nothing is read any more.
        func close() {
            lock.wait()
            defer { lock.signal() }
            (isStarted, isOver, waiting) = (true, true, [])
            file.close()
        }
    }
#endif
