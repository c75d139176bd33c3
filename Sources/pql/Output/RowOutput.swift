#if CLI
    import ArgumentParser
    import PredicateQL

    /// How results are written.
    enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
        /// Aligned columns, for reading.
        case table
        /// One JSON list.
        case json
        /// One JSON object per line.
        case ndjson
        /// Comma-separated values (RFC 4180) with a header.
        case csv

        /// A table on terminals, otherwise NDJSON.
        static var usual: OutputFormat { Terminal.output.isTerminal ? .table : .ndjson }

        /// A writer of this format.
        ///
        /// - Parameter columns: the columns of tables and CSV if known; otherwise they come from the rows.
        /// - Returns: the writer.
        func writer(columns: [String]?) -> any RowWriter {
            switch self {
            case .table: TableWriter(columns: columns, width: Terminal.output.width)
            case .json: JSONListWriter()
            case .ndjson: JSONLinesWriter()
            case .csv: CSVWriter(columns: columns)
            }
        }
    }

    /// Writes results one by one to standard output.
    protocol RowWriter {
        mutating func write(_ row: Document) throws
        /// Writes the remaining output.
        mutating func finish() throws
    }

    struct JSONLinesWriter: RowWriter {
        func write(_ row: Document) throws { try StandardOutput.shared.write(json: .object(row)) }
        func finish() throws {}
    }

    struct JSONListWriter: RowWriter {
        private var isEmpty = true

        mutating func write(_ row: Document) throws {
            try StandardOutput.shared.write((isEmpty ? "[\n" : ",\n") + QueryValue.object(row).json)
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
