#if CLI
    import ArgumentParser
    import PredicateQL

    struct FromMongo: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "from-mongo",
            abstract: "Show a Mongo filter as a predicate.",
            discussion: """
                Mongo looks inside lists: {"tags":5} finds 5 and lists with a 5. So does the predicate, with ANY, unless a \
                schema declares single values. --assume treats fields as single values, unless the filter uses one as \
                a list, and lists them.

                EXAMPLES
                  pql from-mongo '{"age":{"$gt":21}}'
                  pql from-mongo --assume '{"name":"Jo"}'
                  pql translate "age > 21" --sort name --to mongo | pql from-mongo --find -
                """
        )

        @Argument(help: ArgumentHelp("The filter as JSON, or - for standard input.", valueName: "filter"))
        var filter: String

        @Flag(help: "The JSON is {filter, sort, projection, skip, limit}, as translate --to mongo prints it.")
        var find = false

        @Flag(help: "Assume that fields not in the schema have single values, and list them.")
        var assume = false

        @Option(
            help: ArgumentHelp(
                "A JSON Schema file: names, kinds, stored names; the filter is checked against it.",
                valueName: "file"
            ),
            completion: .file(extensions: ["json"])
        )
        var schema: String?

        @Option(
            name: .customLong("nil"),
            help: ArgumentHelp("What `== nil` tests for; detected by default.", valueName: "meaning"),
            completion: .list(NilMeaning.allCases.map(\.rawValue))
        )
        var nilMeaning: NilMeaning?

        func run() throws {
            let text = filter == "-" ? try FileText.read("-") : filter
            let names = try FormatOptions.schema(schema)
            let mongo = find ? try MongoQuery(json: text) : nil
            let reading = try MongoReading.hinting(assume) { (known) throws(QueryError) in
                if let mongo {
                    return try MongoReading(of: mongo, assuming: known, nilMeaning: nilMeaning, schema: names)
                }
                return try MongoReading(of: text, assuming: known, nilMeaning: nilMeaning, schema: names)
            }
            try write(reading)
        }

        /// Writes only the predicate if that is everything; otherwise the rest follows as comments.
        private func write(_ reading: MongoReading) throws {
            let lines = reading.query.lines
            for line in lines.prefix(1) + lines.dropFirst().map({ "-- " + $0 }) {
                try StandardOutput.shared.write(line: line)
            }
            Assumption.notes(reading.assumptions).forEach(Diagnostics.note)
            reading.query.condition.warnings.forEach(Diagnostics.warn)
        }
    }

    extension MongoReading {
        /// Reads a filter without assumptions or with all; the error of the one names the flag if the other reads it.
        static func hinting(
            _ assume: Bool,
            _ read: ([Assumption]?) throws(QueryError) -> MongoReading
        ) throws(QueryError) -> MongoReading {
            do throws(QueryError) {
                return try read(assume ? nil : [])
            } catch {
                guard !assume, (try? read(nil)) != nil else { throw error }
                var told = error
                told.hint = [error.hint, "--assume reads it, and lists what it assumes"].compactMap(\.self)
                    .joined(separator: "; ")
                throw told
            }
        }
    }

    extension Query {
        /// The predicate, and a line for each other part that is set.
        var lines: [String] {
            var lines = [format]
            if !arguments.isEmpty { lines.append("arguments: " + QueryValue.list(arguments).json) }
            if nilMeaning != .nullOrAbsent { lines.append("nil: " + nilMeaning.rawValue) }
            if !order.isEmpty {
                let keys = order.map { key in
                    let options = key.options.text
                    return (key.isAscending ? "" : "-") + key.path.dotted + (options.isEmpty ? "" : "[\(options)]")
                }
                lines.append("sort: " + keys.joined(separator: ","))
            }
            if let skip { lines.append("skip: \(skip)") }
            if let limit { lines.append("limit: \(limit)") }
            if let fields { lines.append("fields: " + fields.map(\.dotted).joined(separator: ",")) }
            return lines
        }
    }
#endif
