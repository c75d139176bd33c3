#if CLI
    import PredicateQL
    import QueryBatch
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

        private let limits: Limits
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
        private var lines = 0
        private var last: UInt8?
        private var bytesBefore = 0

        init(_ file: RowFile, then rest: [String], limits: Limits, skipsInvalid: Bool) {
            self.file = file
            self.rest = rest[...]
            self.limits = limits
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
                var text: [UInt8] = []
                while text.isEmpty, try converter?.convert(into: &text) == true {}
                guard !text.isEmpty else { return nil }
                if !isSingle { lines += text.withUnsafeBytes { Self.lines(in: $0) } }
                last = text.last
                waiting = text[...]
                return try read(into: buffer)
            }
            let count = try file.read(into: buffer)
            guard count > 0 else { return nil }
            if !isSingle {
                lines += Self.lines(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                last = buffer[count - 1]
            }
            return count
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
                var cells = try CellLines(file, separator, limits: limits, skipsInvalid: skipsInvalid)
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
            (failure, converter, last, skippedBefore, lines, bytesBefore) = (nil, nil, nil, 0, 0, 0)
            (isStarted, isOver, parts, waiting) = (false, false, [], [])
        }

        func close() { file.close() }
    }

    /// Turns the rows of a file into lines of JSON.
    protocol LineConverter {
        /// Malformed rows that were left out.
        var skipped: Int { get }
        /// Appends some lines.
        ///
        /// - Returns: false at the end.
        mutating func convert(into text: inout [UInt8]) throws -> Bool
        /// The line of the file on which a row begins, from 1, if that is known.
        func line(ofRow number: Int) -> Int?
        /// Lets other outermost keys of rows be left out.
        mutating func keep(only keys: [String])
    }

    extension LineConverter {
        mutating func keep(only keys: [String]) {}
        func line(ofRow number: Int) -> Int? { nil }
    }

    /// Objects that are not one to a line as lines.
    struct ObjectLines: LineConverter {
        let skipped = 0
        private let file: RowFile
        private var lines = ValueLines()

        init(_ file: RowFile) {
            self.file = file
            file.dropStart([0xEF, 0xBB, 0xBF])
        }

        mutating func convert(into text: inout [UInt8]) throws -> Bool {
            while text.isEmpty {
                let bytes = try file.read(64 * 1_024)
                if bytes.isEmpty { return false }
                lines.convert(bytes, into: &text)
            }
            return true
        }

        func line(ofRow number: Int) -> Int? { lines.line(ofObject: number) }
    }

    extension CellLines: LineConverter {
        /// What is read of input that cannot be read twice, before its first row.
        private static let sampleBytes = 1 << 20

        /// Reads the header, and all rows or a sample for the types.
        fileprivate init(_ file: RowFile, _ separator: UInt8, limits: Limits, skipsInvalid: Bool) throws {
            // Input that is read once is sampled; its bytes are then read again.
            let other: RowFile? = file.isRepeatable ? try RowFile(file.path, at: file.place) : nil
            defer { other?.close() }
            var sample: ArraySlice<UInt8> = []
            if other == nil {
                while sample.count < Self.sampleBytes {
                    let more = try file.read(Self.sampleBytes - sample.count)
                    if more.isEmpty { break }
                    sample += more
                }
                file.unread(sample)
            }
            // The last record of a sample may be cut.
            if sample.count >= Self.sampleBytes, let end = sample.lastIndex(of: 0x0A) { sample = sample[...end] }
            func first(_ size: Int) throws -> [UInt8] {
                if let other { return try other.read(size) }
                defer { sample = sample.dropFirst(size) }
                return Array(sample.prefix(size))
            }
            try self.init(
                file.name,
                separator,
                limits: limits,
                skipsInvalid: skipsInvalid,
                hint: "--skip-invalid leaves malformed rows out",
                sample: first
            ) { try file.read($0) }
        }
    }

    /// The elements of a JSON list as lines.
    struct ListLines: LineConverter {
        let skipped = 0
        private let name: String
        private var elements: JSONArrayReader
        private let source: Source
        /// An error that follows rows which are not handed out yet.
        private var pending: (any Error)?

        private final class Source {
            var failure: (any Error)?
        }

        init(_ file: RowFile, limits: Limits) {
            let source = Source()
            name = file.name
            self.source = source
            elements = JSONArrayReader(
                ByteStream { buffer throws(QueryError) in
                    do {
                        return try file.read(into: buffer)
                    } catch {
                        source.failure = error
                        throw QueryError(.store, "the input cannot be read")
                    }
                },
                limits: limits
            )
        }

        mutating func convert(into text: inout [UInt8]) throws -> Bool {
            if let pending { throw pending }
            while text.count < 32 * 1_024 {
                do throws(QueryError) {
                    let found: Void? = try elements.next { (element, _) throws(QueryError) in
                        Self.append(element, to: &text)
                    }
                    if found == nil { break }
                } catch {
                    let failure = Failure(status: .data, message: "\(name): " + error.message, hint: error.hint)
                    pending = source.failure ?? failure
                    if text.isEmpty { throw pending ?? failure }
                    return true
                }
            }
            return !text.isEmpty
        }

        /// Line feeds are white space between the tokens of JSON; inside a text they are malformed, and stay so.
        private static func append(_ element: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) {
            var isInText = false
            var isEscaped = false
            for byte in element {
                let isBreak = byte == 0x0A || byte == 0x0D
                text.append(isBreak ? (isInText ? 0x01 : 0x20) : byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\"") {
                    isInText.toggle()
                } else {
                    isEscaped = isInText && byte == UInt8(ascii: "\\")
                }
            }
            text.append(UInt8(ascii: "\n"))
        }
    }
#endif
