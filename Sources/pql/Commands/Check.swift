#if CLI
    import ArgumentParser
    import PredicateQL

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print nothing and exit with 0, or report every problem and exit with 65.",
            discussion: """
                EXAMPLES
                  pql check "population > 1e6"
                  pql check "populaton > 1e6" --schema city.schema.json
                  pql check --fix "name IS NULL"
                  pql check --mongo '{"age":{"$gt":21}}'
                """
        )

        @OptionGroup var format: FormatOptions

        @Flag(help: "Print the text with every known fix applied; the status is still 65.")
        var fix = false

        func validate() throws { try format.demand() }

        func run() throws {
            let schema = try format.loadSchema()
            if format.mongo != nil {
                _ = try format.query(schema: schema)
                return
            }
            let values = try format.values()
            let problems = problems(format.format, values, schema)
            guard let first = problems.first else {
                _ = try format.query(schema: schema)
                if fix { try StandardOutput.shared.write(line: format.format) }
                return
            }
            if fix, let mended = mended(first, values, schema) { try StandardOutput.shared.write(line: mended) }
            try StandardOutput.shared.flush()
            problems.forEach(Diagnostics.write)
            throw Reported(status: .data)
        }

        private func problems(_ text: String, _ values: [QueryValue], _ schema: Schema?) -> [QueryError] {
            Query.problems(inFormat: text, arguments: values, schema: schema)
        }

        /// The text after fixing its mistakes one by one, nil if the first has no fix.
        private func mended(_ first: QueryError, _ values: [QueryValue], _ schema: Schema?) -> String? {
            var text: String?
            var error: QueryError? = first
            // Each round fixes one mistake; bounded, because a fix may uncover another.
            for _ in 0..<64 {
                guard let fix = error?.fix, let next = fix.applied(to: text ?? format.format) else { break }
                text = next
                error = problems(next, values, schema).first
            }
            return text
        }
    }
#endif
