#if CLI
    import PredicateQL
    import QueryBatch
    import QueryTree
    import QueryValues

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
        init(_ file: RowFile, _ separator: UInt8, limits: Limits, schema: Schema?, skipsInvalid: Bool) throws {
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
            let end = sample.lastIndex(of: 0x0A) ?? sample.lastIndex(of: 0x0D)
            if sample.count >= Self.sampleBytes, let end { sample = sample[...end] }
            func first(_ size: Int) throws -> [UInt8] {
                if let other { return try other.read(size) }
                defer { sample = sample.dropFirst(size) }
                return Array(sample.prefix(size))
            }
            try self.init(
                file.name,
                separator,
                limits: limits,
                schema: schema,
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
            // A comma without a value beside it is malformed here, too.
            if element.isEmpty { text.append(UInt8(ascii: ",")) }
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
