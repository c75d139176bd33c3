#if CLI
    import ArgumentParser
    import PredicateQL
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

        /// The format that the ending of a file's name tells; `.gz` after it says nothing.
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
            case .csv: CellWriter(separator: ",", columns: columns)
            case .tsv: CellWriter(separator: "\t", columns: columns)
            case .markdown: CellWriter(separator: nil, columns: columns)
            }
        }
    }

    /// Writes results one by one to the output.
    protocol RowWriter {
        mutating func write(_ row: Document) throws
        /// Writes the remaining output.
        mutating func finish() throws
    }

    struct JSONLinesWriter: RowWriter {
        private let hasColor = StandardOutput.shared.hasColor

        func write(_ row: Document) throws {
            guard hasColor else { return try StandardOutput.shared.write(json: .object(row)) }
            try StandardOutput.shared.write(line: ColoredJSON.text(QueryValue.object(row).json))
        }

        func finish() throws {}
    }

    struct JSONListWriter: RowWriter {
        /// One member per line, for reading.
        let isPretty: Bool
        private let hasColor = StandardOutput.shared.hasColor
        private var isEmpty = true

        init(isPretty: Bool) { self.isPretty = isPretty }

        mutating func write(_ row: Document) throws {
            let text = JSONWriter(isPretty: isPretty).text(.object(row))
            let colored = hasColor ? ColoredJSON.text(text) : text
            try StandardOutput.shared.write((isEmpty ? "[\n" : ",\n") + colored)
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
