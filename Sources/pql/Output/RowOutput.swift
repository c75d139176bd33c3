#if CLI
    import ArgumentParser
    import PredicateQL
    import QueryStreams
    import QueryValues

    /// How results are written.
    enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
        /// Aligned columns, for reading.
        case table
        /// One JSON list.
        case json
        /// One JSON object per line.
        case ndjson
        /// Comma-separated values (RFC 4180) with a header; fields of objects are columns such as `address.city`.
        case csv
        /// The same with tabs.
        case tsv
        /// A table of Markdown; fields of objects are columns.
        case markdown

        /// A table on terminals, otherwise NDJSON.
        static var usual: OutputFormat { StandardOutput.shared.isTerminal ? .table : .ndjson }

        /// The format that the ending of a file's name stands for; `.gz` after it says nothing.
        init?(ending path: String) {
            let name = path.lowercased()
            let plain = name.hasSuffix(".gz") ? name.dropLast(3) : name[...]
            switch plain.split(separator: "/").last?.split(separator: ".").dropFirst().last {
            case "json": self = .json
            case "ndjson", "jsonl": self = .ndjson
            case "csv": self = .csv
            case "tsv", "tab": self = .tsv
            case "txt": self = .table
            case "md", "markdown": self = .markdown
            default: return nil
            }
        }

        /// True if objects become columns.
        var isFlat: Bool { self == .csv || self == .tsv || self == .markdown }

        /// A writer of this format.
        ///
        /// - Parameter columns: the columns of tables and CSV if known; otherwise they come from the rows.
        /// - Returns: the writer.
        func writer(columns: [String]?) -> any RowWriter {
            switch self {
            case .table: TableWriter(columns: columns, width: StandardOutput.shared.width)
            case .json: JSONListWriter(isPretty: StandardOutput.shared.isTerminal)
            case .ndjson: JSONLinesWriter()
            case .csv: CellWriter(separator: UInt8(ascii: ","), columns: columns)
            case .tsv: CellWriter(separator: UInt8(ascii: "\t"), columns: columns)
            case .markdown: CellWriter(separator: nil, columns: columns)
            }
        }
    }

    /// Writes results one by one to the output.
    protocol RowWriter {
        mutating func write(_ row: Document) throws
        /// Writes the remaining output.
        mutating func finish() throws
        /// What makes the text of later rows, if that needs nothing of the rows before them; threads may copy it.
        var encoder: (any RowEncoder)? { get }
        /// Writes the text of rows, made by the encoder.
        mutating func write(encoded text: [UInt8]) throws
    }

    extension RowWriter {
        var encoder: (any RowEncoder)? { nil }
        mutating func write(encoded text: [UInt8]) throws { try StandardOutput.shared.write { $0 += text } }
    }

    /// Makes the text of rows.
    protocol RowEncoder: Sendable {
        /// Appends a row.
        mutating func append(_ row: Document, to text: inout [UInt8]) throws
        /// Appends a row whose text is known, if that is all it needs.
        ///
        /// - Parameters:
        ///   - json: a valid row of Extended JSON.
        ///   - text: where it goes.
        /// - Returns: false if the row itself is needed.
        func append(json: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) -> Bool
    }

    extension RowEncoder {
        func append(json: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) -> Bool { false }
    }

    /// The encoder that threads copy, known once the columns are.
    final class SharedEncoder: Sendable {
        private let encoder: Mutex<(any RowEncoder)?>

        init(_ encoder: (any RowEncoder)?) { self.encoder = .init(encoder) }

        var present: (any RowEncoder)? {
            get { encoder.withLock { $0 } }
            set { encoder.withLock { $0 = newValue } }
        }
    }

    struct JSONLinesWriter: RowWriter, RowEncoder {
        private let hasColor = StandardOutput.shared.hasColor

        var encoder: (any RowEncoder)? { self }

        func write(_ row: Document) throws { try StandardOutput.shared.write { append(row, to: &$0) } }

        func append(_ row: Document, to text: inout [UInt8]) {
            if hasColor {
                text += ColoredJSON.text(QueryValue.object(row).json).utf8
            } else {
                JSONWriter().write(.object(row), to: &text)
            }
            text.append(0x0A)
        }

        func append(json: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) -> Bool {
            guard !hasColor, RowCopy.append(json, to: &text) else { return false }
            text.append(0x0A)
            return true
        }

        func finish() throws {}
    }

    struct JSONListWriter: RowWriter, RowEncoder {
        /// One member per line, for reading.
        let isPretty: Bool
        private let hasColor = StandardOutput.shared.hasColor
        private var isEmpty = true

        init(isPretty: Bool) { self.isPretty = isPretty }

        var encoder: (any RowEncoder)? { self }

        mutating func write(_ row: Document) throws {
            var text: [UInt8] = []
            append(row, to: &text)
            try write(encoded: text)
        }

        func append(_ row: Document, to text: inout [UInt8]) {
            text += ",\n".utf8
            let json = JSONWriter(isPretty: isPretty)
            if hasColor {
                text += ColoredJSON.text(json.text(.object(row))).utf8
            } else {
                json.write(.object(row), to: &text)
            }
        }

        func append(json: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) -> Bool {
            if hasColor || isPretty { return false }
            text += ",\n".utf8
            if RowCopy.append(json, to: &text) { return true }
            text.removeLast(2)
            return false
        }

        mutating func write(encoded text: [UInt8]) throws {
            if text.isEmpty { return }
            try StandardOutput.shared.write { output in
                output.append(UInt8(ascii: isEmpty ? "[" : ","))
                output += text.dropFirst()
            }
            isEmpty = false
        }

        func finish() throws { try StandardOutput.shared.write(isEmpty ? "[]\n" : "\n]\n") }
    }

    /// The columns of rows whose keys are not known in advance, taken from the first rows.
    struct ColumnCollector {
        /// How many rows are examined and held.
        static let sample = 1_000

        private(set) var columns: [String] = []
        private var seen: Set<[UInt8]> = []

        init(_ columns: [String] = []) {
            for column in columns { insert(column) }
        }

        mutating func insert(_ key: String) {
            if seen.insert(Array(key.utf8)).inserted { columns.append(key) }
        }

        mutating func insert(keysOf row: Document) {
            for key in row.keys { insert(key) }
        }

        /// Adds the paths of a row, through lists and objects down to a depth.
        mutating func insert(pathsOf row: Document, after prefix: String = "", depth: Int) {
            for (key, value) in zip(row.keys, row.values) {
                insert(prefix + key)
                guard depth > 1, columns.count < Self.sample else { continue }
                let objects: [QueryValue] = if case .list(let elements) = value { elements } else { [value] }
                for case .object(let object) in objects {
                    insert(pathsOf: object, after: prefix + key + ".", depth: depth - 1)
                }
            }
        }

        /// The first key that is not a column.
        func unknownKey(of row: Document) -> String? {
            row.keys.first { !seen.contains(Array($0.utf8)) }
        }
    }
#endif
