#if CLI
    import PredicateQL

    /// Comma-separated values: null and absent are empty, empty text is `""`, lists and objects are JSON.
    struct CSVWriter: RowWriter {
        private var collector: ColumnCollector
        private var waiting: [Document] = []
        private var hasHeader = false

        /// - Parameter columns: the columns, or nil to take them from the first rows.
        init(columns: [String]?) {
            collector = ColumnCollector(columns ?? [])
            hasFixedColumns = columns != nil
        }

        private let hasFixedColumns: Bool

        mutating func write(_ row: Document) throws {
            guard !hasHeader else { return try writeRow(row) }
            if !hasFixedColumns { collector.insert(keysOf: row) }
            waiting.append(row)
            if hasFixedColumns || waiting.count >= ColumnCollector.sample { try writeWaiting() }
        }

        mutating func finish() throws {
            if !hasHeader { try writeWaiting() }
        }

        private mutating func writeWaiting() throws {
            hasHeader = true
            if collector.columns.isEmpty { return }
            try StandardOutput.shared.write(line: collector.columns.map(Self.quoted).joined(separator: ","))
            for row in waiting { try writeRow(row) }
            waiting = []
        }

        private func writeRow(_ row: Document) throws {
            if let key = collector.unknownKey(of: row) {
                throw Failure(
                    status: .data,
                    message: "a later row has the field \(key), which is not a column of the earlier rows",
                    hint: "name the columns with --fields, or use --output ndjson"
                )
            }
            let cells = collector.columns.map { Self.cell(row[$0] ?? .null) }
            try StandardOutput.shared.write(cells.joined(separator: ",") + "\n")
        }

        private static func cell(_ value: QueryValue) -> String {
            switch value {
            case .null: ""
            case .string(let text): text.isEmpty ? "\"\"" : quoted(text)
            default: quoted(plainText(value))
            }
        }

        private static func quoted(_ text: String) -> String {
            let needsQuotes =
                text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
                || text.utf8.first == 0x20 || text.utf8.last == 0x20
            guard needsQuotes else { return text }
            var quoted: [UInt8] = [0x22]
            for byte in text.utf8 {
                quoted.append(byte)
                if byte == 0x22 { quoted.append(byte) }
            }
            return String(decoding: quoted + [0x22], as: UTF8.self)
        }
    }

    /// A value for tables and CSV: dates as ISO text, UUIDs as such, everything else as JSON.
    func plainText(_ value: QueryValue) -> String {
        switch value {
        case .string(let text): text
        case .date(let milliseconds): DateText.iso8601(milliseconds)
        case .uuid(let uuid): uuid.uuidString.lowercased()
        default: value.json
        }
    }
#endif
