#if CLI
    import ArgumentParser
    import PredicateQL
    import QueryChecking
    import QueryTree
    import QueryValues

    /// A format string and the values for its placeholders.
    struct FormatOptions: ParsableArguments {
        @Argument(
            help: ArgumentHelp("The predicate, such as \"state == %@ AND population >= 50000\".", valueName: "format")
        )
        var text: String?

        @Option(
            help: ArgumentHelp("A Mongo filter instead of a predicate: '{\"age\":{\"$gt\":21}}'.", valueName: "json")
        )
        var mongo: String?

        @Flag(help: "With --mongo: assume that fields not in the schema have single values, and list them.")
        var assume = false

        @Option(
            name: .customLong("arg"),
            parsing: .unconditionalSingleValue,
            help: ArgumentHelp(
                "The value of the next placeholder; repeat it for each.",
                discussion: """
                    Read as JSON or Extended JSON if it is valid (21, true, [1,2], {"$date":"2024-01-01T00:00:00Z"}), \
                    otherwise as text (MA); '"21"' is always text.
                    """,
                valueName: "value"
            )
        )
        var arguments: [String] = []

        @Option(
            name: .customLong("var"),
            parsing: .unconditionalSingleValue,
            help: ArgumentHelp(
                "The value of a variable: least=21 for $least; may be repeated. Values are read as for --arg.",
                valueName: "name=value"
            )
        )
        var variables: [String] = []

        @Option(
            help: ArgumentHelp(
                "A JSON Schema file: names, kinds, stored names; the query is checked against it.",
                valueName: "file"
            ),
            completion: .file(extensions: ["json"])
        )
        var schema: String?

        @Option(
            name: .customLong("nil"),
            help: ArgumentHelp("What `== nil` tests for: nullOrAbsent, absent or null.", valueName: "meaning"),
            completion: .list(NilMeaning.allCases.map(\.rawValue))
        )
        var nilMeaning: NilMeaning?

        /// The predicate's text; without one, a predicate that matches all rows.
        var format: String { text ?? ReservedWord.truePredicate.rawValue }

        /// Throws without a predicate or filter, for commands that cannot mean all rows.
        func demand() throws {
            if text == nil, mongo == nil {
                throw ValidationError("Give a predicate, or a Mongo filter with --mongo.")
            }
            try demandOne()
        }

        /// Throws for both a predicate and a filter.
        func demandOne() throws {
            if text != nil, mongo != nil { throw ValidationError("Give a predicate or --mongo, not both.") }
        }

        func validate() throws {
            if mongo == nil, assume { throw ValidationError("--assume belongs to --mongo.") }
            if mongo != nil, !arguments.isEmpty || !variables.isEmpty {
                throw ValidationError("--arg and --var belong to a predicate; a Mongo filter has its values in it.")
            }
        }
    }

    extension NilMeaning: ExpressibleByArgument {}

    extension FormatOptions {
        /// The values of the placeholders.
        func values() throws(QueryError) -> [QueryValue] {
            var values: [QueryValue] = []
            for (position, text) in arguments.enumerated() {
                values.append(try Self.value(text, path: "arguments[\(position)]"))
            }
            return values
        }

        /// The values of the variables, by name.
        func variableValues() throws(QueryError) -> [String: QueryValue] {
            var values: [String: QueryValue] = [:]
            for text in variables {
                let sides = text.utf8.split(
                    separator: UInt8(ascii: "="),
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                let name = String(Substring(sides[0].drop { $0 == UInt8(ascii: "$") }))
                guard sides.count == 2, !name.isEmpty else {
                    throw QueryError(.argument, "--var takes name=value", path: "variables", hint: "--var least=21")
                }
                values[name] = try Self.value(String(Substring(sides[1])), path: "variables.\(name)")
            }
            return values
        }

        /// The query of the text with its arguments, with variables bound to the given values, or the query of the
        /// filter.
        ///
        /// Warnings are told, but of names only without `seesRows`: rows will show which are fields.
        func query(schema: Schema?, seesRows: Bool = false) throws(QueryError) -> Query {
            if let mongo {
                if let find = try? MongoQuery(json: mongo) {
                    throw QueryError(
                        .argument,
                        "--mongo takes a filter, and this is a whole query",
                        path: "mongo",
                        hint: "pass the value of its key filter: --mongo '\(QueryValue.object(find.filter).json)'"
                    )
                }
                let reading = try MongoReading.hinting(assume) { (known) throws(QueryError) in
                    try MongoReading(of: mongo, assuming: known, nilMeaning: nilMeaning, schema: schema)
                }
                Assumption.notes(reading.assumptions).forEach(Diagnostics.note)
                return reading.query
            }
            let meaning = nilMeaning ?? .nullOrAbsent
            let query = try Query(parsing: format, arguments: values(), nilMeaning: meaning, schema: schema)
            let values = try variableValues()
            var bound = values.isEmpty ? query : try query.binding(values)
            (seesRows ? bound.rowlessWarnings : bound.warnings).forEach(Diagnostics.warn)
            let given = arguments + variables.map { String($0.drop { $0 != "=" }.dropFirst()) }
            for text in given {
                if let value = try? QueryValue(json: text) { bound.objectIDs.formUnion(value.objectIDTexts) }
            }
            return bound
        }

        /// JSON if the text is JSON, else the text itself.
        private static func value(_ text: String, path: String) throws(QueryError) -> QueryValue {
            do throws(QueryError) {
                return try QueryValue(json: text, extended: true, path: path)
            } catch {
                // Valid JSON with an unknown `$` key is a mistake, not text.
                if (try? QueryValue(json: text)) != nil { throw error }
                return .string(text)
            }
        }

        /// The schema of `--schema`, or nil.
        func loadSchema() throws -> Schema? { try Self.schema(schema) }

        /// The schema of a file, or nil.
        static func schema(_ path: String?) throws -> Schema? {
            guard let path else { return nil }
            let text = try FileText.read(path)
            do throws(QueryError) {
                return try Schema(jsonSchema: text)
            } catch {
                throw error.at(path: path + (error.path.map { " " + $0 } ?? ""))
            }
        }
    }

    /// Where the rows of a file are.
    struct RowsOption: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "The rows are the list at these keys of the file's one object: data, or result.items.",
                valueName: "path"
            )
        )
        var rows: String?

        func validate() throws {
            if rows?.isEmpty == true { throw ValidationError("--rows takes a key, or several with dots between them.") }
        }
    }

    /// The limits of a run, or of a request.
    struct WorkOptions: ParsableArguments {
        @Option(help: ArgumentHelp("Stop a run after this many steps, of 1 to 2 ns each.", valueName: "number"))
        var maxSteps: Int?

        @Option(help: ArgumentHelp("Stop a run after this time.", valueName: "seconds"))
        var timeout: Double?

        func validate() throws {
            if let maxSteps, maxSteps < 0 { throw ValidationError("--max-steps takes a number that is not negative.") }
            if let timeout, !(0...1e9).contains(timeout) {
                throw ValidationError("--timeout takes a number of seconds up to a billion.")
            }
        }

        var limits: Limits {
            var limits = Limits.default
            if let maxSteps { limits.steps = maxSteps }
            limits.duration = timeout.map { .seconds($0) }
            return limits
        }
    }

    /// The steps applied to the rows that a predicate finds.
    struct PipelineOptions: ParsableArguments {
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "Sort keys, descending with a minus, folded with options: -population,name[cd].",
                valueName: "keys"
            ),
            completion: .custom(FieldNames.completions)
        )
        var sort: String?

        @Option(parsing: .unconditional, help: ArgumentHelp("Skip the first N results.", valueName: "n"))
        var skip: Int?

        @Option(parsing: .unconditional, help: ArgumentHelp("Return at most N results.", valueName: "n"))
        var limit: Int?

        @Option(
            help: ArgumentHelp(
                "Return only these fields, and computed ones: name,address.zip,total=price * qty.",
                valueName: "paths"
            ),
            completion: .custom(FieldNames.completions)
        )
        var fields: String?

        @Option(
            help: ArgumentHelp(
                """
                Group by these fields, and by computed values with a name: state,trunc(population / 100000) as band; \
                sort, skip and limit then act on groups.
                """,
                valueName: "keys"
            ),
            completion: .custom(FieldNames.completions)
        )
        var groupBy: String?

        @Option(
            help: ArgumentHelp(
                """
                What to compute for each group: count,avg:population,sum:area as total; or min, max, countDistinct, \
                distinct, median, first, last.
                """,
                valueName: "values"
            )
        )
        var compute: String?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("A predicate on groups, using the names of their fields.", valueName: "format")
        )
        var having: String?
    }

    extension PipelineOptions {
        func validate() throws {
            if let skip, skip < 0 { throw ValidationError("--skip takes a number that is not negative.") }
            if let limit, limit < 0 { throw ValidationError("--limit takes a number that is not negative.") }
        }
    }

    extension ParsableArguments {
        /// The comma-separated parts, trimmed.
        static func parts(_ text: String?) -> [String] {
            (text ?? "").utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                .map { Substring($0).trimmed }
        }
    }

    extension StringProtocol {
        /// The text without surrounding white space.
        var trimmed: String {
            let start = unicodeScalars.drop { $0.properties.isWhitespace }
            let end = start.lastIndex { !$0.properties.isWhitespace }.map { start.index(after: $0) }
            return String(String.UnicodeScalarView(start[..<(end ?? start.startIndex)]))
        }
    }

    extension PipelineOptions {
        /// Parses and checks all options.
        func rowsOrGroups(
            _ format: FormatOptions,
            schema: Schema?,
            seesRows: Bool = false
        ) throws(QueryError) -> RowsOrGroups {
            let isGrouped = groupBy != nil || compute != nil
            let order = try sortKeys()
            var query = try format.query(schema: schema, seesRows: seesRows)
            query.order = isGrouped ? [] : order
            (query.skip, query.limit) = (skip, limit)
            (query.fields, query.computed) = try shown()
            query = try query.checked()
            guard isGrouped else {
                if having != nil { throw QueryError(.pipeline, "--having needs --group-by or --compute") }
                try query.validatePipeline(computing: true)
                return .rows(query)
            }
            query.order = order
            let keys = try groupKeys()
            let grouping = Grouping(query, by: keys, computing: try reducers(), having: try groupCondition())
            try grouping.validate()
            return .groups(try grouping.checked())
        }

        private func sortKeys() throws(QueryError) -> [SortKey] {
            guard let sort else { return [] }
            return try Self.parsed(sort, named: "order") { (text) throws(QueryError) in try SortKey(written: text) }
        }

        /// The paths, and the computed fields with `=` after their names; paths are nil if all are computed.
        private func shown() throws(QueryError) -> ([FieldPath]?, [ComputedField]) {
            guard let fields else { return (nil, []) }
            var paths: [FieldPath] = []
            var computed: [ComputedField] = []
            _ = try Self.parsed(GroupKey.list(fields), named: "fields") { (text) throws(QueryError) in
                guard GroupKey.definitionSign(in: text) == nil else {
                    return computed.append(try ComputedField(parsing: text))
                }
                do throws(QueryError) {
                    paths.append(try FieldPath(written: text))
                } catch {
                    let (definition, alias) = GroupKey.parts(text)
                    if (try? Term(parsing: definition)) == nil { throw error }
                    throw QueryError(
                        .pipeline,
                        "a computed field needs a name",
                        range: 0..<text.utf8.count,
                        source: text,
                        hint: "write `\(alias ?? "name")=\(definition)`"
                    )
                }
            }
            return (paths.isEmpty && !computed.isEmpty ? nil : paths, computed)
        }

        private func groupKeys() throws(QueryError) -> [GroupKey] {
            guard let groupBy else { return [] }
            return try Self.parsed(GroupKey.list(groupBy), named: "group.by") { (text) throws(QueryError) in
                try GroupKey(written: text)
            }
        }

        private func reducers() throws(QueryError) -> [Reducer] {
            guard let compute else { return [.count] }
            return try Self.parsed(GroupKey.list(compute), named: "group.compute") { (text) throws(QueryError) in
                try Reducer(written: text)
            }
        }

        private func groupCondition() throws(QueryError) -> Condition? {
            try having.map { (text) throws(QueryError) in try Condition(ofGroups: text) }
        }

        private static func parsed<Part>(
            _ text: String,
            named name: String,
            _ parse: (String) throws(QueryError) -> Part
        ) throws(QueryError) -> [Part] {
            try parsed(parts(text), named: name, parse)
        }

        private static func parsed<Part>(
            _ parts: [String],
            named name: String,
            _ parse: (String) throws(QueryError) -> Part
        ) throws(QueryError) -> [Part] {
            var result: [Part] = []
            for (position, part) in parts.enumerated() {
                do throws(QueryError) {
                    result.append(try parse(part))
                } catch {
                    throw error.at(path: "\(name)[\(position)]")
                }
            }
            return result
        }
    }
#endif
