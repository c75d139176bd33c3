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
                case .fields: ".fields name,zip         only these fields; without names: all, and a list of them"
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
        /// The last predicate, and how many of its results were skipped or shown.
        private var last: (predicate: String, passed: Int)?

        init(_ command: Repl) throws {
            let given = try command.schema.map { try Schema(jsonSchema: try FileText.read($0)) }
            let input = try RowInput([command.file], at: command.place.rows)
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
                "fields: \(shown)\nA line is a predicate, such as \(names.first ?? "name") != nil; .help lists the commands."
        }

        /// Executes a line.
        ///
        /// - Parameter line: a predicate or a command.
        /// - Returns: false at the end of the session.
        /// - Throws: errors that end the process: output that cannot be written.
        mutating func take(_ line: String) throws -> Bool {
            let line = line.trimmed
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
                var changed = self
                changed.options[command] = text.isEmpty ? nil : text
                // An invalid option is rejected now, not at every later line.
                _ = try changed.rowsOrGroups("TRUEPREDICATE")
                _ = try changed.outputFormat()
                self = changed
                last = nil
                if command == .fields, text.isEmpty { for name in fieldNames { try out.write(line: name) } }
            case .more:
                guard let last else {
                    throw Failure(status: .usage, message: "there is no predicate to see more of")
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

        /// Shows the results, from the first or after those that `.more` passed, and tells how many there are.
        private mutating func find(_ text: String, after passed: Int? = nil) throws {
            var wanted = try rowsOrGroups(text)
            let skip = passed ?? wanted.query.skip ?? 0
            wanted.cut(skip: skip, limit: wanted.query.limit)
            var writer = try outputFormat().writer(columns: wanted.columns)
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
                let input = try RowInput([path], at: place)
                defer { input.close() }
                let search = FileSearch(input, skipsInvalid: false)
                try search.forEachResult(wanted, isShown: true, body)
            }
        }

        private func rowsOrGroups(_ text: String) throws -> RowsOrGroups {
            var arguments: [String] = []
            for command in [Command.sort, .skip, .limit, .fields, .group, .compute, .having] {
                let name = command == .group ? "group-by" : command.rawValue
                if let value = options[command] { arguments.append("--\(name)=\(value)") }
            }
            let pipeline: PipelineOptions
            do {
                pipeline = try PipelineOptions.parse(arguments)
            } catch {
                throw Failure(status: .usage, message: PipelineOptions.message(for: error))
            }
            return try pipeline.rowsOrGroups(try FormatOptions.parse(["--", text]), schema: schema)
        }

        private func outputFormat() throws -> OutputFormat {
            guard let name = options[.output] else { return .usual }
            guard let format = OutputFormat(rawValue: name) else {
                let names = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw Failure(status: .usage, message: "there is no output format \(name)", hint: "one of " + names)
            }
            return format
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
