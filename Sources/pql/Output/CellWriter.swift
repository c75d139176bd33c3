#if CLI
    import PredicateQL
    import QueryBatch
    import QueryValues

    /// CSV, TSV or a table of Markdown: null and absent are empty, lists are JSON, objects have a column for each field; in
    /// CSV and TSV empty text is `""`.
    struct CellWriter: RowWriter {
        /// Between cells; nil for Markdown.
        private let separator: UInt8?
        /// The paths to write, or nil for those of the first rows.
        private let wanted: [String]?
        private var collector = ColumnCollector()
        private var depths: [UTF8Key: Int] = [:]
        /// The columns with a value that fills a cell.
        private var filled: Set<UTF8Key> = []
        private var waiting: [Document] = []
        private var cells: CellEncoder?

        /// - Parameters:
        ///   - separator: between cells; nil for Markdown.
        ///   - columns: the paths to write, or nil to take them from the first rows.
        init(separator: UInt8?, columns: [String]?) {
            self.separator = separator
            wanted = columns
        }

        /// Known with the columns.
        var encoder: (any RowEncoder)? { cells }

        mutating func write(_ row: Document) throws {
            if cells != nil { return try StandardOutput.shared.write { text in try cells?.append(row, to: &text) } }
            try collect(row, after: "", 1)
            waiting.append(row)
            if waiting.count >= ColumnCollector.sample { try writeWaiting() }
        }

        mutating func finish() throws {
            if cells == nil { try writeWaiting() }
            cells?.texts.tell()
        }

        private mutating func collect(_ row: Document, after prefix: String, _ depth: Int) throws {
            for (key, value) in zip(row.keys, row.values) {
                let column = prefix + key
                if case .object(let object) = value, !object.keys.isEmpty {
                    try collect(object, after: column + ".", depth + 1)
                    continue
                }
                collector.insert(column)
                if value.fillsCell { filled.insert(UTF8Key(column)) }
                let known = depths.updateValue(depth, forKey: UTF8Key(column))
                if let known, known != depth { throw CellEncoder.ambiguous(column) }
            }
        }

        /// The columns of the first rows, but for objects that are nil or without fields in some of them.
        private func columns() -> [String] {
            let containers = CellEncoder.containers(of: collector.columns)
            return collector.columns.filter { column in
                guard containers.contains(UTF8Key(column)) else { return true }
                guard filled.contains(UTF8Key(column)) else { return false }
                if separator != nil {
                    Diagnostics.note(
                        "\(column) holds objects and other values, which is not read back; -o ndjson keeps both"
                    )
                }
                return true
            }
        }

        private mutating func writeWaiting() throws {
            let found = columns()
            // A wanted path is a column, or leads to an object with columns.
            let names = wanted.map { wanted in
                wanted.flatMap { path in
                    let columns = found.filter { $0 == path || $0.hasPrefix(path + ".") }
                    return columns.isEmpty ? [path] : columns
                }
            }
            let header = ColumnCollector(names ?? found).columns
            cells = CellEncoder(separator, header, depths)
            if header.isEmpty { return }
            try StandardOutput.shared.write { text in
                cells?.append(header, to: &text)
                if separator == nil { cells?.append(header.map { _ in "---" }, to: &text) }
            }
            for row in waiting { try write(row) }
            waiting = []
        }
    }

    extension QueryValue {
        /// False for nil and for an object without fields, whose cells are empty beside the columns of objects.
        fileprivate var fillsCell: Bool { if case .object(let object) = self { !object.keys.isEmpty } else { !isNull } }
    }

    /// What the texts of each column look like to a reader of CSV, noted by all threads that write.
    final class WrittenTexts: Sendable {
        private struct Column {
            var type = CellType.empty
            var example = ""
        }

        private let names: [String]
        private let columns: Mutex<[Column]>

        init(_ names: [String]) {
            self.names = names
            columns = .init(Array(repeating: Column(), count: names.count))
        }

        /// Notes a text.
        ///
        /// - Returns: false if the column is one of texts, so that no more need be noted.
        func add(_ text: String, _ column: Int) -> Bool {
            columns.withLock { columns in
                columns[column].type.widen(to: text)
                if columns[column].example.isEmpty { columns[column].example = text }
                return columns[column].type != .text
            }
        }

        /// Says which columns of texts are read back as something else.
        func tell() {
            for (name, column) in zip(names, columns.withLock { $0 }) {
                switch column.type {
                case .empty, .text: continue
                case .number, .bool, .json:
                    let example = String(column.example.prefix(40))
                    Diagnostics.note(
                        "the texts of \(name), such as `\(example)`, read back as \(column.type.rawValue); a --schema that "
                            + "declares a string keeps them, as -o ndjson does"
                    )
                }
            }
        }
    }

    /// Writes the cells of rows whose columns are known.
    struct CellEncoder: RowEncoder {
        /// Where the values of the objects at a path go, for one sequence of keys.
        private struct Layout {
            let shape: Shape
            let prefix: String
            let depth: Int
            /// The column of each value, and the layout of each object's fields; -1 until it is looked up.
            var columns: [Int]
            var layouts: [Int]
        }

        /// For a value whose column was not looked up yet, and for objects that have columns for their fields.
        private static let (unknown, leftOut) = (-1, -2)
        /// The most layouts that are kept.
        private static let mostLayouts = 1_000

        /// Between cells; nil for Markdown.
        private let separator: UInt8?
        /// The columns, with the number of keys in their paths; 0 if no row had them.
        private let columns: [UTF8Key: (position: Int, depth: Int)]
        /// The objects whose fields have columns.
        private let containers: Set<UTF8Key>
        private var layouts: [Layout] = []
        /// The layouts of rows by their keys.
        private var ofRows: [ObjectIdentifier: Int] = [:]
        private var values: [QueryValue]
        /// What the texts look like.
        let texts: WrittenTexts
        /// The columns whose texts are still to be noted.
        private var isNoting: [Bool]

        init(_ separator: UInt8?, _ header: [String], _ depths: [UTF8Key: Int]) {
            self.separator = separator
            columns = Dictionary(
                header.enumerated().map { (UTF8Key($1), ($0, depths[UTF8Key($1)] ?? 0)) },
                uniquingKeysWith: { first, _ in first }
            )
            containers = Self.containers(of: header)
            values = Array(repeating: .null, count: header.count)
            texts = WrittenTexts(header)
            isNoting = Array(repeating: separator != nil, count: header.count)
        }

        /// The objects that columns are in.
        static func containers(of columns: [String]) -> Set<UTF8Key> {
            var containers: Set<UTF8Key> = []
            for column in columns {
                var prefix = column[...]
                while let dot = prefix.lastIndex(of: ".") {
                    prefix = prefix[..<dot]
                    containers.insert(UTF8Key(String(prefix)))
                }
            }
            return containers
        }

        mutating func append(_ row: Document, to text: inout [UInt8]) throws {
            if layouts.count > Self.mostLayouts { (layouts, ofRows) = ([], [:]) }
            let known = ofRows[ObjectIdentifier(row.shape)]
            let layout = known ?? add(row.shape, after: "", depth: 1)
            if known == nil { ofRows[ObjectIdentifier(row.shape)] = layout }
            for position in values.indices { values[position] = .null }
            try collect(row, layout)
            for position in values.indices where isNoting[position] {
                if case .string(let text) = values[position] { isNoting[position] = texts.add(text, position) }
            }
            appendLine(values.count, to: &text) { append(values[$0], to: &$1) }
        }

        /// Appends a line of texts.
        func append(_ cells: [String], to text: inout [UInt8]) {
            appendLine(cells.count, to: &text) { appendQuoted(cells[$0], to: &$1) }
        }

        /// Puts the values of an object in their columns; an object without fields is a value.
        private mutating func collect(_ object: Document, _ layout: Int) throws {
            for (slot, value) in object.values.enumerated() {
                if case .object(let inner) = value, !inner.keys.isEmpty {
                    var next = layouts[layout].layouts[slot]
                    if next < 0 || layouts[next].shape !== inner.shape {
                        let prefix = layouts[layout].prefix + object.keys[slot] + "."
                        next = add(inner.shape, after: prefix, depth: layouts[layout].depth + 1)
                        layouts[layout].layouts[slot] = next
                    }
                    try collect(inner, next)
                    continue
                }
                var column = layouts[layout].columns[slot]
                if column == Self.unknown {
                    column = try self.column(layouts[layout].prefix + object.keys[slot], layouts[layout].depth)
                    layouts[layout].columns[slot] = column
                }
                if column != Self.leftOut {
                    values[column] = value
                } else if value.fillsCell {
                    throw Self.late(layouts[layout].prefix + object.keys[slot])
                }
            }
        }

        private mutating func add(_ shape: Shape, after prefix: String, depth: Int) -> Int {
            let unknown = Array(repeating: Self.unknown, count: shape.keys.count)
            layouts.append(Layout(shape: shape, prefix: prefix, depth: depth, columns: unknown, layouts: unknown))
            return layouts.count - 1
        }

        private func column(_ name: String, _ depth: Int) throws -> Int {
            guard let (position, known) = columns[UTF8Key(name)] else {
                if containers.contains(UTF8Key(name)) { return Self.leftOut }
                throw Self.late(name)
            }
            if known > 0, known != depth { throw Self.ambiguous(name) }
            return position
        }

        private static func late(_ name: String) -> Failure {
            Failure(
                status: .data,
                message: "a later row has the field \(name), which is not a column of the earlier rows",
                hint: "name the columns with --fields, or use --output ndjson"
            )
        }

        static func ambiguous(_ column: String) -> Failure {
            Failure(
                status: .data,
                message: "two different fields would be the column \(column), because one has a dot in its name",
                hint: "use --output ndjson"
            )
        }

        private func appendLine(_ count: Int, to text: inout [UInt8], _ cell: (Int, inout [UInt8]) -> Void) {
            if separator == nil { text += "| ".utf8 }
            for position in 0..<count {
                if position > 0 {
                    if let separator { text.append(separator) } else { text += " | ".utf8 }
                }
                cell(position, &text)
            }
            if separator == nil { text += " |".utf8 }
            text.append(0x0A)
        }

        private func append(_ value: QueryValue, to text: inout [UInt8]) {
            switch value {
            case .null: return
            case .bool, .int, .double: JSONWriter().write(value, to: &text)
            case .string(""): if separator != nil { text += [0x22, 0x22] }
            case .string(let string): appendQuoted(string, to: &text)
            case .date, .uuid, .data, .list, .object, .shape: appendQuoted(plainText(value), to: &text)
            }
        }

        private func appendQuoted(_ string: String, to text: inout [UInt8]) {
            guard let separator else {
                let lines = string.replacing("\r\n", with: "\n").split(
                    separator: "\n",
                    omittingEmptySubsequences: false
                )
                text += lines.joined(separator: "<br>").replacing("|", with: "\\|").utf8
                return
            }
            let isSpaced = string.utf8.first == 0x20 || string.utf8.last == 0x20
            let isSpecial = { (byte: UInt8) in byte == separator || byte == 0x22 || byte == 0x0A || byte == 0x0D }
            guard isSpaced || string.utf8.contains(where: isSpecial) else {
                text += string.utf8
                return
            }
            text.append(0x22)
            for byte in string.utf8 {
                text.append(byte)
                if byte == 0x22 { text.append(byte) }
            }
            text.append(0x22)
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
