#if CLI
    import PredicateQL
    import PredicateQLSQLite
    import QueryTree
    import QueryValues

    /// The queried file and the options that persist from line to line.
    struct ReplSession {
        private enum Source {
            case file(String)
            case database(DatabaseSearch)
        }

        /// A command that starts with a dot; the value is the rest of the line.
        private enum Command: String, CaseIterable {
            case sort, skip, limit, fields, output, mongo, sqlite, explain, count, show, help, quit

            var summary: String {
                switch self {
                case .sort: ".sort -population,name   sort keys; without keys: none"
                case .skip: ".skip 40                 skip the first results"
                case .limit: ".limit 20                at most this many; without a number: all"
                case .fields: ".fields name,zip         only these fields; without names: all"
                case .output: ".output table            table, json, ndjson or csv"
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

        init(_ command: Repl) throws {
            let given = try command.schema.map { try Schema(jsonSchema: try FileText.read($0)) }
            let input = try RowInput(command.file)
            defer { input.close() }
            if input.layout == .database {
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
                source = .file(command.file)
                schema = given
            }
        }

        /// What the tab key completes: commands, fields, and the words of the tables.
        var words: [String] {
            let commands = Command.allCases.map { "." + $0.rawValue }
            let language =
                Comparison.Operator.table.flatMap(\.spellings) + LogicalWord.allCases.flatMap(\.spellings)
                + Aggregate.allCases.map(\.spelling) + FunctionRow.table.flatMap(\.spellings)
                + ReservedWord.allCases.flatMap(\.spellings)
            return fieldNames + commands + language.filter { $0.utf8.count > 1 }
        }

        /// The schema's fields, else the keys of the first rows.
        private var fieldNames: [String] {
            if let schema { return schema.fields.map(\.name) }
            var collector = ColumnCollector()
            guard let query = try? Query(format: "TRUEPREDICATE", limit: ColumnCollector.sample) else { return [] }
            try? forEachResult(.rows(query)) { collector.insert(keysOf: $0) }
            return collector.columns
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
            case .sort, .skip, .limit, .fields, .output:
                var changed = self
                changed.options[command] = text.isEmpty ? nil : text
                // An invalid option is rejected now, not at every later line.
                _ = try changed.question("TRUEPREDICATE")
                _ = try changed.outputFormat()
                self = changed
            case .mongo: try out.write(line: try question(text).query.mongo().json)
            case .sqlite:
                let statement = try question(text).query.sql(.sqlite, from: "documents")
                try out.write(line: statement.sql)
                for line in statement.notes { try out.write(line: "-- " + line) }
            case .explain:
                let query = try question(text).query
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

        private func find(_ text: String) throws {
            let question = try question(text)
            var writer = try outputFormat().writer(columns: question.query.fields.map { $0.compactMap(\.keys.first) })
            try forEachResult(question) { try writer.write($0) }
            try writer.finish()
        }

        private func count(_ text: String) throws -> Int {
            var query = try question(text).query
            (query.order, query.skip, query.limit, query.fields) = ([], nil, nil, nil)
            switch source {
            case .database(let search): return try search.count(.rows(query))
            case .file:
                var count = 0
                try forEachResult(.rows(query)) { _ in count += 1 }
                return count
            }
        }

        /// Files are read again for each line, so a file of any size needs no memory.
        private func forEachResult(_ question: Question, _ body: (Document) throws -> Void) throws {
            switch source {
            case .database(let search): try search.forEachResult(question, body)
            case .file(let path):
                let input = try RowInput(path)
                defer { input.close() }
                let search = FileSearch(input, skipsInvalid: false)
                try search.forEachResult(question, isShown: true, body)
            }
        }

        private func question(_ text: String) throws -> Question {
            var arguments: [String] = []
            for command in [Command.sort, .skip, .limit, .fields] {
                if let value = options[command] { arguments.append("--\(command.rawValue)=\(value)") }
            }
            let pipeline: PipelineOptions
            do {
                pipeline = try PipelineOptions.parse(arguments)
            } catch {
                throw Failure(status: .usage, message: PipelineOptions.message(for: error))
            }
            return try pipeline.question(try FormatOptions.parse(["--", text]), schema: schema)
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
#endif
