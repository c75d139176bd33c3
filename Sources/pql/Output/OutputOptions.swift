#if CLI
    import ArgumentParser

    /// Where results go and how they are written.
    struct OutputOptions: ParsableArguments {
        @Option(
            name: [.customShort("o"), .long],
            help: ArgumentHelp(
                "table, json, ndjson, csv, tsv or markdown; or a file, whose extension determines the format.",
                discussion: """
                    Repeat it to give both. A file appears when it is complete; .gz at the end of its name packs it. \
                    Without this option: a table on a terminal, else ndjson.
                    """,
                valueName: "format or file"
            ),
            completion: .file()
        )
        var output: [String] = []

        @Flag(help: "Replace the output file if there is one.")
        var force = false

        var isEmpty: Bool { output.isEmpty }

        private var formats: [OutputFormat] { output.compactMap(OutputFormat.init(rawValue:)) }
        private var files: [String] { output.filter { OutputFormat(rawValue: $0) == nil } }

        func validate() throws {
            let names = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
            for file in files where !file.utf8.contains(where: { "./".utf8.contains($0) }) {
                throw ValidationError("there is no output format \(file): one of \(names), or a file such as ./\(file)")
            }
            if formats.count > 1 || files.count > 1 {
                throw ValidationError("--output takes one format and one file.")
            }
            if let file = files.first, formats.isEmpty, OutputFormat(ending: file) == nil {
                throw ValidationError("the extension of \(file) names no format: add --output with one of \(names).")
            }
            if force, files.isEmpty { throw ValidationError("--force belongs to --output with a file.") }
        }

        /// The format given, that of the file, or the usual one.
        var format: OutputFormat { formats.first ?? files.first.flatMap(OutputFormat.init(ending:)) ?? .usual }

        /// Creates the file, if one is given, so that all output goes there.
        ///
        /// - Throws: a `Failure` of status 73 if there is such a file or it cannot be created.
        func open() throws {
            if let file = files.first { try StandardOutput.shared.redirect(to: OutputFile(file, replaces: force)) }
        }
    }
#endif
