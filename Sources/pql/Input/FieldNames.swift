#if CLI
    import PredicateQL
    import QueryBatch
    import QueryChecking
    import QueryEvaluation
    import QueryTree
    import QueryValues

    /// Watches the rows as they are read for the field names of a query.
    ///
    /// A name that occurs in no row is usually a typo: the query then silently finds nothing, or sorts by nothing.
    final class FieldNames {
        private let isWhole: Bool
        /// The rows of which something is said, for people.
        private let rows: String
        private let isTable: Bool
        private var sample: [Document] = []
        private var asked: [FieldPath] = []
        /// Names that stand where values usually do.
        private var compared: Set<String> = []
        /// What the first rows say about comparisons.
        private(set) var warnings: [QueryError] = []
        /// Keys as spelled in JSON that no row had yet.
        private var unseen: [String: [UInt8]] = [:]
        /// The end of the previous bytes, in which a key may start.
        private var tail: [UInt8] = []
        /// The first bytes, and how rows are arranged in them.
        private let start: (bytes: [UInt8], layout: JSONLayout)

        /// Watches names in rows that start with these bytes.
        ///
        /// - Parameters:
        ///   - head: the first bytes of the input.
        ///   - isWhole: true when they are all of it.
        ///   - layout: how the rows are arranged.
        init(_ head: [UInt8], isWhole: Bool, layout: JSONLayout) {
            (self.isWhole, rows, isTable, start) = (isWhole, "no row", false, (head, layout))
            let rows = JSONRows(layout: layout, extended: true) { () throws(QueryError) in ByteStream(bytes: head) }
            guard var reader = try? rows.reader(.everything) else { return }
            while sample.count < ColumnCollector.sample {
                do throws(QueryError) {
                    guard try reader.next() else { return }
                    sample.append(reader.row)
                } catch {
                    // Malformed rows are reported where rows are read; the last one is cut off here.
                    if !reader.isRowMalformed { return }
                }
            }
        }

        /// Looks for names in rows of a table.
        ///
        /// - Parameters:
        ///   - rows: the first rows.
        ///   - isWhole: true when they are all rows.
        init(_ rows: [Document], isWhole: Bool) {
            (sample, self.isWhole, isTable, start) = (rows, isWhole, true, ([], .lines))
            self.rows = isWhole ? "no row" : "none of the first \(rows.count) rows"
        }

        /// The paths of the first rows.
        var paths: [String] {
            var names = ColumnCollector()
            for row in sample { names.insert(pathsOf: row, depth: 4) }
            return names.columns
        }

        /// The outermost keys that a query names and the first rows lack.
        var askedKeys: [String] { asked.compactMap(\.keys.first) }

        /// What the shell may complete: fields of the first file on the command line, after the keys typed so far.
        ///
        /// There are none for a database, which is not sampled.
        @Sendable static func completions(_ words: [String], _ position: Int, _ prefix: String) -> [String] {
            let file = words.dropFirst(2).first { $0 != "-" && FilePattern.isFile($0) }
            guard let file, let input = try? RowInput([file]) else { return [] }
            defer { input.close() }
            let start = prefix.lastIndex(of: ",").map { prefix[...$0] } ?? ""
            let sign = prefix.dropFirst(start.count).hasPrefix("-") ? "-" : ""
            return input.names.paths.map { start + sign + $0 }
        }

        /// Starts watching for the names of a query.
        ///
        /// With a schema the names are known, but for those in columns of a table whose type says nothing about them.
        func watch(_ wanted: RowsOrGroups) {
            // Names that no row has are told once all rows were read.
            let told = wanted.query.rowlessWarnings + wanted.query.propertyWarnings(seeing: sample, ofFields: true)
            warnings = wanted.warnings(seeing: sample).filter { !told.contains($0) }
            guard isTable ? !sample.isEmpty : wanted.query.schema == nil else { return }
            asked = wanted.paths.filter { path in
                if isTable, wanted.query.schema != nil {
                    // Other names are checked, or lead to rows of other tables.
                    guard sample.contains(where: { Self.has(path.keys.prefix(1), .object($0)) }) else { return false }
                }
                return !sample.contains { Self.has(path.keys[...], .object($0), inTexts: isTable) }
            }
            compared = Self.namesAsValues(wanted.query.condition)
            for key in asked.flatMap(\.keys) where !isWhole {
                let quoted = Array("\"\(key)\"".utf8)
                // A name that a writer may escape is not searched for, and counts as seen.
                let isPlain = key.utf8.allSatisfy { 0x20..<0x7F ~= $0 && !#""\/"#.utf8.contains($0) }
                if isPlain { unseen[key] = quoted }
            }
        }

        /// Looks for keys in the next bytes of the input.
        func look(_ bytes: UnsafeRawBufferPointer) {
            if unseen.isEmpty { return }
            let text = tail + bytes
            unseen = unseen.filter { !Self.holds(text, key: $0.value) }
            tail = Array(text.suffix(unseen.values.map(\.count).max() ?? 0))
        }

        /// Notes what the rows show: comparisons that cannot be true, and names that no row had.
        ///
        /// - Parameters:
        ///   - file: the name of the input.
        ///   - count: the number of rows that were read; nil if it is not known.
        ///   - isStrict: true to fail for a name instead of noting it.
        /// - Throws: a `Failure` of status 64.
        func tell(_ file: String, _ count: Int? = nil, isStrict: Bool = false) throws {
            for warning in warnings {
                Diagnostics.note("\(file): \(warning.message)" + (warning.hint.map { "; " + $0 } ?? ""))
            }
            let lines = missing(isWhole: isWhole || count == sample.count)
            guard let last = lines.last else { return }
            for line in isStrict ? lines.dropLast() : lines[...] { Diagnostics.note("\(file): \(line)") }
            if isStrict { throw Failure(status: .usage, message: "\(file): \(last)") }
        }

        /// Notes fields of the first rows whose texts spell dates, and whose decimals lose digits, once each.
        func tellValues(_ file: String) {
            let bytes = start.bytes
            // As they are written, not what Extended JSON makes of them.
            let rows = JSONRows(layout: start.layout, extended: false) { () throws(QueryError) in
                ByteStream(bytes: bytes)
            }
            guard var reader = try? rows.reader(.everything) else { return }
            var told: Set<FieldPath> = []
            for _ in 0..<ColumnCollector.sample {
                do throws(QueryError) {
                    guard try reader.next() else { return }
                    tellValues(.object(reader.row), at: FieldPath(keys: []), file, &told)
                } catch {
                    if !reader.isRowMalformed { return }
                }
            }
        }

        private func tellValues(_ value: QueryValue, at path: FieldPath, _ file: String, _ told: inout Set<FieldPath>) {
            var note: String?
            switch value {
            case .list(let elements):
                for element in elements { tellValues(element, at: path, file, &told) }
            case .object(let object):
                if object.count == 1, case .string(let text)? = object["$numberDecimal"] {
                    if let double = DecimalDigits.rounded(text) {
                        note = "\(text) became \(double); numbers with a point are doubles, a text keeps all digits"
                    }
                } else {
                    for (key, member) in object.pairs {
                        tellValues(member, at: FieldPath(keys: path.keys + [key]), file, &told)
                    }
                }
            case .string(let text) where text.hasPrefix("ISODate("):
                note =
                    "texts such as \(text.prefix(40)) are no dates; write them without ISODate(…), in JSON as by "
                    + #"sed -E 's/"ISODate\(\\"([^"\]*)\\"\)"/{"$date":"\1"}/g'"#
            case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: break
            }
            if let note, told.insert(path).inserted { Diagnostics.noteOnce("\(file): \(path.format): \(note)") }
        }

        /// The option for the rows in the only row of a file, which was probably not meant as one.
        var onlyList: String? {
            guard !isTable, isWhole, sample.count == 1, let object = sample.first,
                object.values.allSatisfy({ $0.kind == .list })
            else { return nil }
            let name = object.pairs.first { _, value in
                guard case .list(let rows) = value, case .object? = rows.first else { return false }
                return true
            }?.0
            return name.map { "--rows \($0)" }
        }

        /// The notes about names that no row had, one line each.
        private func missing(isWhole: Bool) -> [String] {
            var lines: [String] = []
            for path in asked where isWhole || path.keys.contains(where: { unseen[$0] != nil }) {
                var names = ColumnCollector([])
                for row in sample { names.insert(pathsOf: row, depth: 4) }
                let columns = names.columns
                let near =
                    literal(path, among: columns) ?? list(with: path) ?? sortKey(path, among: columns)
                    ?? difference(path, among: columns) ?? path.habit(seeing: sample)?.text
                    ?? Suggestion.nearest(to: path.dotted, among: columns)
                let meant = near.map { "did you mean \($0)?" }
                let isText = path.numberHint == nil && compared.contains(path.dotted)
                let text = isText ? "write '\(path.dotted)' for a text" : nil
                let notes = ["\(rows) has a field " + path.dotted, meant, text ?? path.classHint]
                let line = notes.compactMap(\.self).joined(separator: "; ")
                if !lines.contains(line) { lines.append(line) }
            }
            return lines
        }

        /// The names of one key that fields are compared with, as in `name == zoe`, where a shell took the quotes.
        private static func namesAsValues(_ condition: Condition) -> Set<String> {
            switch condition {
            case .constant: []
            case .not(let part): namesAsValues(part)
            case .and(let parts), .or(let parts): parts.reduce(into: []) { $0.formUnion(namesAsValues($1)) }
            case .comparison(let comparison):
                if case (.field, .field(let path, _)) = (comparison.left, comparison.right), path.keys.count == 1 {
                    [path.dotted]
                } else {
                    []
                }
            }
        }

        /// A key that was read as several: `a.b`, or `Last-Name` as a difference.
        private func literal(_ path: FieldPath, among columns: [String]) -> String? {
            var name = path.dotted
            if !sample.contains(where: { $0[name] != nil }) {
                let asked = Set(asked.map(\.dotted))
                let parts = { (column: String) in column.split(separator: "-").map(String.init) }
                guard let whole = columns.first(where: { parts($0).count > 1 && parts($0).allSatisfy(asked.contains) })
                else { return nil }
                name = whole
            }
            return name.asKey
        }

        /// `total-discount`, a difference where no spaces say so.
        private func difference(_ path: FieldPath, among columns: [String]) -> String? {
            let parts = path.dotted.split(separator: "-").map(String.init)
            guard parts.count > 1, let first = parts.first, columns.contains(first) else { return nil }
            let areTerms = parts.dropFirst().allSatisfy { columns.contains($0) || Double($0) != nil }
            return areTerms ? parts.joined(separator: " - ") : nil
        }

        /// `population:desc`, a sort key of other tools.
        private func sortKey(_ path: FieldPath, among columns: [String]) -> String? {
            let parts = path.dotted.split(separator: ":").map(String.init)
            guard parts.count == 2, columns.contains(parts[0]) else { return nil }
            return ["desc": "-" + parts[0], "asc": parts[0]][parts[1].lowercased()]
        }

        /// The option for the list of rows that a file of one object holds, if its first row has the path.
        private func list(with path: FieldPath) -> String? {
            guard !isTable, sample.count == 1, let object = sample.first else { return nil }
            let name = zip(object.keys, object.values).first { _, value in
                guard case .list(let rows) = value, let row = rows.first else { return false }
                return Self.has(path.keys[...], row)
            }?.0
            return name.map { "--rows \($0)" }
        }

        /// True if a path leads to a value, including null; through lists to an element's value.
        ///
        /// A text column of a table may hold JSON.
        private static func has(_ keys: ArraySlice<String>, _ value: QueryValue, inTexts: Bool = false) -> Bool {
            guard let key = keys.first else { return true }
            switch value {
            case .object(let object): return object[key].map { has(keys.dropFirst(), $0, inTexts: inTexts) } ?? false
            case .list(let elements): return elements.contains { has(keys, $0, inTexts: inTexts) }
            case .string(let text) where inTexts: return (try? QueryValue(json: text)).map { has(keys, $0) } ?? false
            default: return false
            }
        }

        /// True if a quoted key is followed by a colon, or by bytes that are not read yet.
        private static func holds(_ text: [UInt8], key: [UInt8]) -> Bool {
            text.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return false }
                var start = 0
                while let quote = memchr(base + start, 0x22, bytes.count - start) {
                    let place = UnsafeRawPointer(quote) - base
                    start = place + 1
                    let end = place + key.count
                    guard end <= bytes.count, memcmp(quote, key, key.count) == 0 else { continue }
                    if place > 0, bytes[place - 1] == UInt8(ascii: "\\") { continue }
                    let next = bytes[end...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
                    if next == nil || next == UInt8(ascii: ":") { return true }
                }
                return false
            }
        }
    }

    /// The digits of a decimal number.
    private struct DecimalDigits: Equatable {
        private var isNegative: Bool
        private var digits: Substring
        private var exponent: Int

        /// The double of a decimal text whose shortest text is another number; nil where no digit is lost.
        static func rounded(_ text: String) -> Double? {
            guard case .double(let double)? = DecimalText.value(of: text), double.isFinite,
                let written = DecimalDigits(text), let kept = DecimalDigits("\(double)"), written != kept
            else { return nil }
            return double
        }

        private init?(_ text: String) {
            let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
            guard let number = parts.first, parts.count <= 2 else { return nil }
            let power = parts.count == 2 ? Int(parts[1]) : 0
            guard let power, (-10_000...10_000).contains(power) else { return nil }
            isNegative = number.hasPrefix("-")
            let plain = number.drop { $0 == "-" || $0 == "+" }
            let fraction = plain.firstIndex(of: ".").map { plain[$0...].dropFirst() } ?? ""
            var digits = Substring(plain.filter { $0 != "." }).drop { $0 == "0" }
            exponent = power - fraction.count
            while digits.last == "0" {
                digits.removeLast()
                exponent += 1
            }
            if digits.isEmpty { (isNegative, exponent) = (false, 0) }
            self.digits = digits
        }
    }

    extension RowsOrGroups {
        func warnings(seeing rows: [Document]) -> [QueryError] {
            switch self {
            case .rows(let query): query.warnings(seeing: rows)
            case .groups(let grouping): grouping.warnings(seeing: rows)
            }
        }

        /// The row paths that it reads.
        var paths: [FieldPath] {
            var paths = query.readingCondition.nodes.compactMap { node -> FieldPath? in
                switch node {
                case .term(.field(let path, _)): path
                case .term(.aggregate(_, of: .field(let path, _), let inner, _)):
                    inner.keys.isEmpty || inner.keys.last.map(FieldType.numberProperties.contains) == true
                        ? nil : FieldPath(keys: path.keys + inner.keys)
                case .term, .condition: nil
                }
            }
            paths += query.fields ?? []
            switch self {
            case .rows: paths += query.sortedFields
            case .groups(let grouping): paths += grouping.readPaths
            }
            return paths.filter { !$0.keys.isEmpty }
        }
    }
#endif
