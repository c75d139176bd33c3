#if CLI
    import PredicateQL
    import QueryBatch
    import QueryEvaluation
    import QueryTree
    import QueryValues

    /// Files, or standard input, and what they hold.
    struct RowInput {
        /// The name for messages.
        let name: String
        /// The format of the first file, which for a database is the only one.
        let format: RowFormat
        /// The size in bytes as stored, or nil when it cannot be known.
        let size: Int?
        /// Bytes handed out so far.
        let progress: ProgressBar
        /// The limits of a run.
        let limits: Limits
        /// Which names the rows have.
        let names: FieldNames
        /// True if the files can be opened again.
        let isRepeatable: Bool
        /// The rows of all files as one text.
        let text: RowText
        /// True if several cores read it faster than one: large files that can be opened again, as lines of JSON.
        var isLarge: Bool { isRepeatable && text.layout == .lines && (size ?? 0) >= 4 << 20 }

        /// Opens files; `-` is standard input, and a name with `*`, `?` or `[` that no file has is a pattern.
        ///
        /// - Parameters:
        ///   - names: the files, read one after the other.
        ///   - place: the keys that lead to the rows in one object; nil for files of rows.
        ///   - limits: the limits of a run.
        ///   - schema: which columns of CSV are text, whatever their cells look like.
        ///   - skipsInvalid: true to skip malformed records of CSV.
        /// - Throws: a `Failure` of status 66 when one cannot be opened, of status 65 when the first holds no rows.
        init(
            _ names: [String],
            at place: String? = nil,
            limits: Limits = .default,
            schema: Schema? = nil,
            skipsInvalid: Bool = false
        ) throws {
            let paths = try FilePattern.files(names)
            guard let first = paths.first else { throw Failure(status: .usage, message: "name a file") }
            self.limits = limits
            let file = try RowFile(first, at: place)
            format = file.format
            name = file.name + (paths.count > 1 ? " and \(paths.count - 1) more" : "")
            let sizes = try [file.size] + paths.dropFirst().map(Self.size)
            size = sizes.reduce(0) { sum, size in sum.flatMap { sum in size.map { sum + $0 } } }
            isRepeatable = !paths.contains("-") && size != nil
            progress = ProgressBar(total: size, isTerminal: Terminal.error.isTerminal) { Terminal.error.write($0) }
            if paths.count > 1, format == .database { throw Failure.databaseAmongFiles(file.name) }
            text = RowText(
                file,
                then: Array(paths.dropFirst()),
                limits: limits,
                schema: schema,
                skipsInvalid: skipsInvalid
            )
            let isWhole = paths.count == 1 && file.isInHead && !text.isConverted
            let head = format == .database ? [] : try text.peek()
            self.names = FieldNames(head, isWhole: isWhole, layout: text.layout)
        }

        /// The size of a file that can be opened.
        private static func size(_ path: String) throws -> Int? {
            if path == "-" { return nil }
            let descriptor = try FileText.open(path)
            defer { _ = systemClose(descriptor) }
            return FileText.size(descriptor)
        }

        /// Begins with the first file again.
        ///
        /// - Throws: a `Failure` when it cannot be opened.
        func startAnew() throws {
            try text.startAnew()
            progress.bytes = 0
        }

        /// Closes the files; standard input stays open.
        func close() { text.close() }

        /// The rows from the start, once.
        var rows: JSONRows {
            let (text, progress, names) = (text, progress, names)
            return JSONRows(layout: text.layout, extended: true, limits: limits) { () throws(QueryError) in
                ByteStream { buffer throws(QueryError) in
                    let count: Int
                    do {
                        count = try text.read(into: buffer)
                    } catch {
                        // The reader of rows passes on only errors of its kind; `RowFaults` takes this one.
                        text.failure = error
                        throw QueryError(.store, "the input cannot be read")
                    }
                    // Cores that read ahead may find the input closed.
                    if count == 0 { return 0 }
                    progress.bytes = text.position ?? progress.bytes + count
                    progress.draw()
                    names.look(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    return count
                }
            }
        }
    }

    extension Failure {
        static func databaseAmongFiles(_ name: String) -> Failure {
            Failure(status: .usage, message: "\(name) is an SQLite file, which is queried by itself")
        }
    }
#endif
