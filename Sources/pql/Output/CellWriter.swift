#if CLI
    import PredicateQL
    import QueryValues

    /// CSV, TSV or a table of Markdown: null and absent are empty, lists are JSON, objects have a column for each field; in
    /// CSV and TSV empty text is `""`.
    struct CellWriter: RowWriter {
        /// Between cells; nil for Markdown.
        private let separator: String?
        /// The paths to write, or nil for those of the first rows.
        private let wanted: [String]?
        private var collector = ColumnCollector()
        /// The columns once they are known, with the number of keys in their paths.
        private var columns: [UTF8Key: (position: Int, depth: Int)]?
        private var depths: [UTF8Key: Int] = [:]
        private var waiting: [[Cell]] = []

        private struct Cell {
            var column: String
            var depth: Int
            var value: QueryValue
        }

        /// - Parameters:
        ///   - separator: between cells; nil for Markdown.
        ///   - columns: the paths to write, or nil to take them from the first rows.
        init(separator: String?, columns: [String]?) {
            self.separator = separator
            wanted = columns
        }

        mutating func write(_ row: Document) throws {
            var cells: [Cell] = []
            Self.flatten(row, after: "", 1, into: &cells)
            if columns != nil { return try write(cells) }
            for cell in cells {
                collector.insert(cell.column)
                let known = depths.updateValue(cell.depth, forKey: UTF8Key(cell.column))
                if let known, known != cell.depth { throw Self.ambiguous(cell.column) }
            }
            waiting.append(cells)
            if waiting.count >= ColumnCollector.sample { try writeWaiting() }
        }

        mutating func finish() throws {
            if columns == nil { try writeWaiting() }
        }

        /// The values of a row by their paths; an object without fields is a value.
        private static func flatten(_ row: Document, after prefix: String, _ depth: Int, into cells: inout [Cell]) {
            for (key, value) in zip(row.keys, row.values) {
                if case .object(let object) = value, !object.keys.isEmpty {
                    flatten(object, after: prefix + key + ".", depth + 1, into: &cells)
                } else {
                    cells.append(Cell(column: prefix + key, depth: depth, value: value))
                }
            }
        }

        private mutating func writeWaiting() throws {
            let found = collector.columns
            // A wanted path is a column, or leads to an object with columns.
            let names = wanted.map { wanted in
                wanted.flatMap { path in
                    let columns = found.filter { $0 == path || $0.hasPrefix(path + ".") }
                    return columns.isEmpty ? [path] : columns
                }
            }
            let header = ColumnCollector(names ?? found).columns
            columns = Dictionary(
                header.enumerated().map { (UTF8Key($1), ($0, depths[UTF8Key($1)] ?? 0)) },
                uniquingKeysWith: { first, _ in first }
            )
            if header.isEmpty { return }
            try StandardOutput.shared.write(line: line(header.map(quoted)))
            if separator == nil { try StandardOutput.shared.write(line: line(header.map { _ in "---" })) }
            for row in waiting { try write(row) }
            waiting = []
        }

        private func write(_ row: [Cell]) throws {
            guard let columns else { return }
            var texts = Array(repeating: "", count: columns.count)
            for cell in row {
                guard let (position, depth) = columns[UTF8Key(cell.column)] else {
                    throw Failure(
                        status: .data,
                        message: "a later row has the field \(cell.column), which is not a column of the earlier rows",
                        hint: "name the columns with --fields, or use --output ndjson"
                    )
                }
                if depth > 0, depth != cell.depth { throw Self.ambiguous(cell.column) }
                texts[position] = text(cell.value)
            }
            try StandardOutput.shared.write(line(texts) + "\n")
        }

        private static func ambiguous(_ column: String) -> Failure {
            Failure(
                status: .data,
                message: "two different fields would be the column \(column), because one has a dot in its name",
                hint: "use --output ndjson"
            )
        }

        private func text(_ value: QueryValue) -> String {
            switch value {
            case .null: ""
            case .string(let text): text.isEmpty && separator != nil ? "\"\"" : quoted(text)
            default: quoted(plainText(value))
            }
        }

        private func line(_ cells: [String]) -> String {
            guard let separator else { return "| " + cells.joined(separator: " | ") + " |" }
            return cells.joined(separator: separator)
        }

        private func quoted(_ text: String) -> String {
            guard let separator else {
                let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
                return lines.joined(separator: "<br>").replacing("|", with: "\\|")
            }
            let special = Array((separator + "\"\n\r").utf8)
            let needsQuotes =
                text.utf8.contains { special.contains($0) } || text.utf8.first == 0x20 || text.utf8.last == 0x20
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
