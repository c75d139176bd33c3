#if CLI
    import PredicateQL
    import PredicateQLSQLite
    import QueryTree
    import QueryValues

    /// The queried file and the options that persist from line to line.
    struct ReplSession {
        private enum Source {
            case file(String, at: String?)
            case database(DatabaseSearch)
        }

        /// A command that starts with a dot; the value is the rest of the line.
        private enum Command: String, CaseIterable {
            case sort, skip, limit, fields, group, compute, having, output, more, mongo, sqlite, explain, count, show
            case help, quit

            var summary: String {
                switch self {
                case .sort: ".sort -population,name   sort keys; without keys: none"
                case .skip: ".skip 40                 skip the first results"
                case .limit: ".limit 20                at most this many; without a number: all"
                case .fields:
                    ".fields name,sum=a+b     these fields, with = computed ones; without names: all, and a list"
                case .group: ".group state             group by these fields; without fields: rows again"
                case .compute: ".compute avg:population  what to compute for each group; without: count"
                case .having: ".having count > 5        a predicate on groups; without: none"
                case .output: ".output table            table, json, ndjson, csv, tsv or markdown"
                case .more: ".more                    the next results of the last predicate"
                case .mongo: ".mongo PREDICATE         the predicate as Mongo JSON"
                case .sqlite: ".sqlite PREDICATE        the predicate as SQL"
                case .explain: ".explain PREDICATE       its tree, and the normalized one"
                case .count: ".count PREDICATE         the number of results, without limit"
                case .show: ".show                    the current options"
                case .help: ".help                    this list"
                case .quit: ".quit                    quit; so does Control-D"
                }
            }
        }

        private let source: Source
        private let schema: Schema?
        private var options: [Command: String] = [.limit: "20"]
        /// The last line with its mistake fixed; nil if there was none, or no fix is known.
        private(set) var fix: String?
        /// The last predicate, and how many of its results were skipped or shown.
        private var last: (predicate: String, passed: Int)?

        init(_ command: Repl) throws {
            let given = try command.schema.map { try Schema(jsonSchema: try FileText.read($0)) }
            let input = try RowInput([command.file], at: command.place.rows, schema: given)
            defer { input.close() }
            if input.format == .database {
                let search = try DatabaseSearch(
                    command.file,
                    table: command.table,
                    storage: command.storage?.storage
                )
                source = .database(search)
                schema = try given ?? search.schema()
            } else {
                if command.table != nil || command.storage != nil {
                    throw Failure(status: .usage, message: "--table and --storage are for SQLite files")
                }
                source = .file(command.file, at: command.place.rows)
                schema = given
            }
        }

        /// What the tab key completes: commands, fields, and the words of the tables.
        var words: [String] {
            let commands = Command.allCases.map { "." + $0.rawValue }
            let language =
                Comparison.Operator.table.flatMap(\.spellings) + LogicalWord.allCases.flatMap(\.spellings)
                + Aggregate.allCases.map(\.spelling) + FunctionEntry.table.flatMap(\.spellings)
                + ReservedWord.allCases.flatMap(\.spellings)
            return fieldNames + commands + language.filter { $0.utf8.count > 1 }
        }

        /// The schema's fields, else the keys of the first rows.
        private var fieldNames: [String] {
            if let schema { return schema.fields.map(\.name) }
            var collector = ColumnCollector()
            guard let query = try? Query(format: "TRUEPREDICATE", limit: ColumnCollector.sample) else { return [] }
            try? forEachResult(.rows(query)) { collector.insert(pathsOf: $0, depth: 4) }
            return collector.columns
        }

        /// What a user sees first.
        var greeting: String {
            let names = fieldNames
            let shown = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? " …" : "")
            return
                "fields: \(shown)\nA line is a predicate, such as \(names.first ?? "name") != nil --limit 5; "
                + ".help lists the commands."
        }

        /// Executes a line.
        ///
        /// - Parameter line: a predicate or a command.
        /// - Returns: false at the end of the session.
        /// - Throws: errors that end the process: output that cannot be written.
        mutating func take(_ line: String) throws -> Bool {
            let line = line.trimmed
            fix = nil
            if line.isEmpty { return true }
            do {
                guard line.utf8.first == UInt8(ascii: ".") else {
                    try find(line)
                    return true
                }
                let name = line.dropFirst().prefix { !$0.isWhitespace }
                let rest = String(line.dropFirst(name.count + 1)).trimmed
                guard let command = Command(rawValue: String(name)) else {
                    let near = Suggestion.nearest(to: String(name), among: Command.allCases.map(\.rawValue))
                    let hint = near.map { "did you mean .\($0)?" } ?? ".help lists the commands"
                    Diagnostics.write("there is no command .\(name)", hint: hint)
                    return true
                }
                return try take(command, rest)
            } catch let error as QueryError {
                try StandardOutput.shared.flush()
                Diagnostics.write(error)
                if let source = error.source, let fixed = error.fix?.applied(to: source) {
                    fix = line.firstRange(of: source).map {
                        String(line[..<$0.lowerBound]) + fixed + line[$0.upperBound...]
                    }
                }
            } catch let failure as Failure where failure.status != .io {
                try StandardOutput.shared.flush()
                Diagnostics.write(failure.message, hint: failure.hint)
            }
            return true
        }

        private mutating func take(_ command: Command, _ text: String) throws -> Bool {
            let out = StandardOutput.shared
            switch command {
            case .sort, .skip, .limit, .fields, .group, .compute, .having, .output:
                try set(command, text)
                last = nil
                if command == .fields, text.isEmpty { for name in fieldNames { try out.write(line: name) } }
            case .more:
                guard let last else {
                    throw Failure(status: .usage, message: "there is no predicate to show more results of")
                }
                try find(last.predicate, after: last.passed)
            case .mongo: try out.write(line: try rowsOrGroups(text).query.mongo().json)
            case .sqlite:
                let statement = try rowsOrGroups(text).query.sql(.sqlite, from: "documents")
                try out.write(line: statement.sql)
                for line in statement.notes { try out.write(line: "-- " + line) }
            case .explain:
                let query = try rowsOrGroups(text).query
                let now = Int64(time(nil)) &* 1_000
                try out.write(line: query.condition.treeDump)
                let normalized = query.condition.normalized(now: now, nilMeaning: query.nilMeaning)
                try out.write(line: "normalized: " + normalized.format)
            case .count: try out.write(line: String(try count(text)))
            case .show:
                for command in Command.allCases {
                    if let value = options[command] { try out.write(line: "." + command.rawValue + " " + value) }
                }
            case .help: for command in Command.allCases { try out.write(line: command.summary) }
            case .quit: return false
            }
            return true
        }

        /// Keeps a setting; one that cannot hold is rejected now, not at every later line.
        private mutating func set(_ command: Command, _ text: String) throws {
            var changed = self
            changed.options[command] = text.isEmpty ? nil : text
            do {
                try changed.check()
            } catch {
                // Groups have other fields than rows.
                guard command == .group || command == .compute, let dropped = changed.dropOthers() else {
                    let old = options[command].map { "stays " + $0 } ?? "is not set"
                    Diagnostics.note(".\(command.rawValue) \(old):")
                    throw error
                }
                let reason = (error as? QueryError)?.message ?? (error as? Failure)?.message
                for old in dropped {
                    Diagnostics.note(
                        ".\(old.rawValue) \(options[old] ?? "") is dropped" + (reason.map { ": " + $0 } ?? "")
                    )
                }
            }
            self = changed
        }

        /// Checks the settings that persist.
        private func check() throws {
            for command in [Command.skip, .limit] {
                guard let value = options[command], Int(value).map({ $0 < 0 }) ?? true else { continue }
                let message = ".\(command.rawValue) takes a whole number that is not negative"
                throw Failure(status: .usage, message: message)
            }
            if options[.having] != nil, options[.group] == nil, options[.compute] == nil {
                throw Failure(status: .usage, message: ".having needs .group or .compute")
            }
            _ = try rowsOrGroups("TRUEPREDICATE")
            _ = try outputFormat()
        }

        /// Drops as few settings as possible for the others to hold; nil if none of them is at fault.
        private mutating func dropOthers() -> [Command]? {
            let others = [Command.sort, .fields, .having].filter { options[$0] != nil }
            let sets = (0..<1 << others.count).sorted { $0.nonzeroBitCount < $1.nonzeroBitCount }
            for set in sets {
                let dropped = others.enumerated().filter { set >> $0.offset & 1 == 1 }.map(\.element)
                var changed = self
                for command in dropped { changed.options[command] = nil }
                guard (try? changed.check()) != nil else { continue }
                self = changed
                return dropped
            }
            return nil
        }

        /// Shows the results, from the first or after those that `.more` passed, and prints how many there are.
        private mutating func find(_ text: String, after passed: Int? = nil) throws {
            var wanted = try rowsOrGroups(text)
            defer { if passed == nil { tellAssumptions(wanted) } }
            if ReplLine(text).counts { return try StandardOutput.shared.write(line: String(count(text))) }
            let skip = passed ?? wanted.query.skip ?? 0
            wanted.cut(skip: skip, limit: wanted.query.limit)
            var writer = try outputFormat(ReplLine(text)).writer(columns: wanted.columns)
            var shown = 0
            try forEachResult(wanted) {
                try writer.write($0)
                shown += 1
            }
            try writer.finish()
            last = (text, skip + shown)
            guard let limit = wanted.query.limit, shown == limit else { return }
            let all = try count(text)
            if skip + shown >= all { return }
            try StandardOutput.shared.flush()
            let range = skip == 0 ? grouped(shown) : "\(grouped(skip + 1)) to \(grouped(skip + shown))"
            let unit = wanted.isGrouped ? "groups" : "rows"
            Diagnostics.note("\(range) of \(grouped(all)) \(unit); .limit N or .more")
        }

        private func tellAssumptions(_ wanted: RowsOrGroups) {
            guard case .database(let search) = source else { return }
            Assumption.notes((try? search.assumptions(wanted)) ?? []).forEach(Diagnostics.note)
        }

        /// The number of results, without skip and limit.
        private func count(_ text: String) throws -> Int {
            var wanted = try rowsOrGroups(text)
            wanted.cut(skip: nil, limit: nil)
            if case .database(let search) = source { return try search.count(wanted) }
            if case .rows(var query) = wanted {
                (query.order, query.fields, query.computed) = ([], nil, [])
                wanted = .rows(query)
            }
            var count = 0
            try forEachResult(wanted) { _ in count += 1 }
            return count
        }

        /// Files are read again for each line, so a file of any size needs no memory.
        private func forEachResult(_ wanted: RowsOrGroups, _ body: (Document) throws -> Void) throws {
            switch source {
            case .database(let search): try search.forEachResult(wanted, body)
            case .file(let path, let place):
                let input = try RowInput([path], at: place, schema: schema)
                defer { input.close() }
                let search = FileSearch(input, skipsInvalid: false)
                try search.forEachResult(wanted, isShown: true, body)
            }
        }

        /// The options of a line come before those that persist.
        private func rowsOrGroups(_ text: String) throws -> RowsOrGroups {
            let line = ReplLine(text)
            var arguments = line.options(but: "output")
            for command in [Command.sort, .skip, .limit, .fields, .group, .compute, .having] {
                let name = command == .group ? "group-by" : command.rawValue
                if let value = options[command], line.value(of: name) == nil { arguments.append("--\(name)=\(value)") }
            }
            let pipeline: PipelineOptions
            do {
                pipeline = try PipelineOptions.parse(arguments)
            } catch {
                throw Failure(status: .usage, message: PipelineOptions.message(for: error))
            }
            return try pipeline.rowsOrGroups(
                try FormatOptions.parse(["--", line.predicate]),
                schema: schema,
                seesRows: true
            )
        }

        private func outputFormat(_ line: ReplLine? = nil) throws -> OutputFormat {
            guard let name = line?.value(of: "output") ?? options[.output] else { return .usual }
            guard let format = OutputFormat(rawValue: name) else {
                let names = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw Failure(status: .usage, message: "there is no output format \(name)", hint: "one of " + names)
            }
            return format
        }
    }

    /// A predicate and the options behind it, as in `age > 20 --sort -age --limit 3`.
    struct ReplLine {
        /// All rows if the line has only options.
        let predicate: String
        private var options: [(name: String, value: String)] = []
        private static let names = [
            "sort", "skip", "limit", "fields", "group-by", "compute", "having", "output", "count",
        ]
        /// True if only the number of results is wanted.
        private(set) var counts = false

        init(_ text: String) {
            var words: [(text: [UInt8], start: Int)] = []
            var (quote, depth): (UInt8?, Int) = (nil, 0)
            var (isOpen, isEscaped, first): (Bool, Bool, Int?) = (false, false, nil)
            let bytes = Array(text.utf8)
            for (place, byte) in bytes.enumerated() {
                if quote == nil, byte == UInt8(ascii: " "), depth == 0 || first != nil {
                    isOpen = false
                    continue
                }
                if !isOpen {
                    words.append(([], place))
                    isOpen = true
                    // Two signs before another word are arithmetic.
                    let rest = bytes[place...]
                    if first == nil, Self.names.contains(where: { Self.option($0, rest) }) || Self.namesFormat(rest) {
                        first = words.count - 1
                    }
                }
                if let open = quote {
                    if byte == open, !isEscaped { quote = nil } else { words[words.count - 1].text.append(byte) }
                    isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                    continue
                }
                switch byte {
                case UInt8(ascii: "'"), UInt8(ascii: "\""):
                    quote = byte
                    continue
                case UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
                words[words.count - 1].text.append(byte)
            }
            let end = first.map { words[$0].start } ?? bytes.count
            let given = String(decoding: bytes[..<end], as: UTF8.self).trimmed
            predicate = given.isEmpty && first != nil ? "TRUEPREDICATE" : given
            var rest = words[(first ?? words.count)...].map { String(decoding: $0.text, as: UTF8.self) }[...]
            while let word = rest.popFirst() {
                let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                var name = parts.first.map { $0.hasPrefix("--") ? String($0.dropFirst(2)) : String($0) } ?? ""
                if name == "-o" { name = "output" }
                if word == "--count" {
                    counts = true
                    continue
                }
                options.append((name, parts.count > 1 ? String(parts[1]) : rest.popFirst() ?? ""))
            }
        }

        private static func option(_ name: String, _ bytes: ArraySlice<UInt8>) -> Bool {
            guard bytes.starts(with: Array("--\(name)".utf8)) else { return false }
            let next = bytes.dropFirst(name.utf8.count + 2).first
            return next == nil || next == UInt8(ascii: " ") || next == UInt8(ascii: "=")
        }

        /// True for `-o csv`: a minus before a name has no second name behind it.
        private static func namesFormat(_ bytes: ArraySlice<UInt8>) -> Bool {
            guard bytes.starts(with: Array("-o ".utf8)) else { return false }
            let word = bytes.dropFirst(3).prefix { $0 != UInt8(ascii: " ") }
            return OutputFormat(rawValue: String(decoding: word, as: UTF8.self)) != nil
        }

        /// The value of an option; nil if the line does not have it.
        func value(of name: String) -> String? { options.last { $0.name == name }?.value }

        /// The options as arguments, without one of a name.
        func options(but name: String) -> [String] {
            options.filter { $0.name != name }.map { "--\($0.name)=\($0.value)" }
        }
    }

    /// A number with commas between thousands.
    private func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.indices.reduce(into: "") { text, at in
            if at > 0, (digits.count - at) % 3 == 0 { text.append(",") }
            text.append(digits[at])
        }
    }
#endif
