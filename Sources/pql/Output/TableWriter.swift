#if CLI
    import PredicateQL

    /// Aligned columns; the first rows determine the widths, so that later rows need not be held.
    struct TableWriter: RowWriter {
        private var collector: ColumnCollector
        private let known: [String]?
        private let width: Int?
        private var waiting: [Document] = []
        private var layout: TableLayout?

        /// - Parameters:
        ///   - columns: the columns, or nil to take them from the first rows.
        ///   - width: the terminal's width, or nil to cut nothing.
        init(columns: [String]?, width: Int?) {
            known = columns
            self.width = width
            collector = ColumnCollector(columns ?? [])
        }

        mutating func write(_ row: Document) throws {
            if let layout, collector.unknownKey(of: row) == nil {
                return try StandardOutput.shared.write(line: layout.line(layout.cells(row)))
            }
            if layout != nil {
                // A row with other keys starts a new table; nothing is omitted.
                try StandardOutput.shared.write("\n")
                layout = nil
                collector = ColumnCollector(known ?? [])
            }
            collector.insert(keysOf: row)
            waiting.append(row)
            if waiting.count >= ColumnCollector.sample { try writeWaiting() }
        }

        mutating func finish() throws {
            if layout == nil, !waiting.isEmpty { try writeWaiting() }
        }

        private mutating func writeWaiting() throws {
            let layout = TableLayout(collector.columns, waiting, width: width)
            let header = layout.line(collector.columns.map { TableLayout.shown($0) })
            try StandardOutput.shared.write(line: StandardOutput.shared.hasColor ? Style.bold(header) : header)
            try StandardOutput.shared.write(line: layout.rule)
            for row in waiting { try StandardOutput.shared.write(line: layout.line(layout.cells(row))) }
            waiting = []
            self.layout = layout
        }
    }

    /// Widths and alignment of a table's columns.
    struct TableLayout {
        private static let gap = "  "
        private static let least = 6

        private let columns: [String]
        private var widths: [Int]
        private let isNumeric: [Bool]
        /// True when cells are cut to their column.
        private let cuts: Bool

        init(_ columns: [String], _ rows: [Document], width: Int?) {
            self.columns = columns
            widths = columns.map { displayWidth(Self.shown($0)) }
            var numeric = columns.map { _ in !rows.isEmpty }
            for row in rows {
                for (position, column) in columns.enumerated() {
                    let value = row[column] ?? .null
                    widths[position] = max(widths[position], displayWidth(Self.cell(value)))
                    if value.kind != .number, !value.isNull { numeric[position] = false }
                }
            }
            isNumeric = numeric
            cuts = width != nil
            if let width { shrink(to: width) }
        }

        /// Shrinks the widest column until all fit, or none can shrink further.
        private mutating func shrink(to width: Int) {
            var excess = widths.reduce(0, +) + Self.gap.count * max(0, widths.count - 1) - width
            while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
                widths[widest] > Self.least
            {
                let second = widths.indices.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
                let target = max(Self.least, min(second, widths[widest] - 1), widths[widest] - excess)
                excess -= widths[widest] - target
                widths[widest] = target
            }
        }

        func cells(_ row: Document) -> [String] {
            columns.map { Self.cell(row[$0] ?? .null) }
        }

        /// A line of cells, without space at its end.
        func line(_ cells: [String]) -> String {
            let padded = cells.enumerated().map { position, cell in
                let text = cuts ? Self.cut(cell, to: widths[position]) : cell
                let room = String(repeating: " ", count: max(0, widths[position] - displayWidth(text)))
                if isNumeric[position] { return room + text }
                return position == cells.count - 1 ? text : text + room
            }
            let line = padded.joined(separator: Self.gap)
            return String(line.reversed().drop { $0 == " " }.reversed())
        }

        /// The line under the header.
        var rule: String { widths.map { String(repeating: "-", count: $0) }.joined(separator: Self.gap) }

        private static func cell(_ value: QueryValue) -> String {
            value.isNull ? "" : shown(plainText(value))
        }

        /// Control characters as escapes, so that a value cannot break the table or command the terminal.
        static func shown(_ text: String) -> String {
            guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                return text
            }
            return text.unicodeScalars.map { scalar in
                scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
            }.joined()
        }

        private static func cut(_ text: String, to width: Int) -> String {
            guard displayWidth(text) > width else { return text }
            var result = ""
            var used = 0
            for character in text {
                let more = displayWidth(character)
                if used + more > width - 1 { break }
                result.append(character)
                used += more
            }
            return result + "…"
        }
    }
#endif
