#if CLI
    import ArgumentParser
    import PredicateQL
    import PredicateQLSQLite
    import QueryTree
    import QueryValues

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy the rows of files into a new table of an SQLite file.",
            discussion: """
                One column for each top-level field, typed by its values. Imports all rows or none,
                and reports the form of dates found in texts.

                A folder that pql export wrote becomes an app of a service's database instead, which no service uses
                meanwhile: its users, its collections and their rights, all or nothing.

                EXAMPLES
                  pql import cities.ndjson --into cache.sqlite --table cities
                  pql import 'data/*.csv.gz' --into cache.sqlite --table rows
                  pql import kid --into service.sqlite --app kid
                """
        )

        @Argument(
            help: """
                Files of NDJSON, CSV or TSV, or JSON lists of objects, also packed by gzip; - for standard input. Or the
                folder of an app.
                """,
            completion: .file()
        )
        var files: [String]

        @Option(
            help: ArgumentHelp("The SQLite file; created if it does not exist.", valueName: "file"),
            completion: .file()
        )
        var into: String

        @Option(help: ArgumentHelp("The new table.", valueName: "table"))
        var table: String?

        @Option(help: ArgumentHelp("The key of the app that a folder becomes.", valueName: "key"))
        var app: String?

        @Option(
            help: ArgumentHelp("A JSON Schema file that gives the columns their kinds.", valueName: "file"),
            completion: .file(extensions: ["json"])
        )
        var schema: String?

        /// So many bytes of input are observed before the first row is written.
        private static let sampleBytes = 4 << 20

        @OptionGroup var place: RowsOption

        @Flag(help: "Skip malformed rows and count them.")
        var skipInvalid = false

        func validate() throws {
            guard let app else {
                if table == nil, files.contains(where: FileText.isFolder) {
                    throw ValidationError("a folder needs --app, the key of the app that it becomes")
                }
                if table == nil { throw ValidationError("Missing expected argument '--table <table>'") }
                return
            }
            if table != nil || schema != nil || skipInvalid || place.rows != nil {
                throw ValidationError("--app \(app) takes a folder and --into, and no option of a table")
            }
            if files.count != 1 { throw ValidationError("--app takes one folder") }
        }

        func run() throws {
            if let app { return try AppImport.run(files[0], as: app, into: into) }
            let schema = try schema.map { try Schema(jsonSchema: try FileText.read($0)) }
            let isNew = try checkPlace()
            let input = try RowInput(files, at: place.rows, schema: schema, skipsInvalid: skipInvalid)
            defer { input.close() }
            guard input.format != .database else {
                throw Failure(status: .usage, message: "\(input.name) is already an SQLite file")
            }
            input.names.tellValues(input.name)
            // Where the rows are probably those in one object.
            let question = place.rows == nil ? input.names.onlyList : nil
            defer { question.map { Diagnostics.note("\(input.name) is one row; did you mean \($0)?") } }
            var importer = SQLiteImporter(table: table ?? "", schema: schema)
            // The columns must be known before the first row is written, so input that cannot be read twice is kept in
            // memory. Of other input the first rows are, which mostly show the columns.
            var held: [Document] = []
            let reader = try InputReader(input, skipsInvalid: skipInvalid)
            while !input.isRepeatable || reader.offset < Self.sampleBytes {
                guard let row = try reader.next() else {
                    try reader.finish()
                    return try write(importer, isNew: isNew) { (add) throws(QueryError) in
                        for row in held { try add(row) }
                    }
                }
                try importer.observe(row)
                held.append(row)
            }
            if try writeOnce(&importer, held, reader, isNew: isNew) { return }
            held = []
            while let row = try reader.next() { try importer.observe(row) }
            try reader.finish()
            try write(importer, isNew: isNew) { (add) throws(QueryError) in
                do {
                    try copy(schema, add)
                } catch {
                    throw error as? QueryError ?? QueryError(.store, "the file cannot be read again")
                }
            }
        }

        /// Looks at the file before the input is read.
        ///
        /// - Returns: true if it does not exist yet.
        /// - Throws: a `Failure` of status 73 if it has the table, or is a service's.
        private func checkPlace() throws -> Bool {
            if access(into, F_OK) != 0 { return true }
            do {
                let database = try DatabaseFile.open(into)
                try database.refuseService(into)
                let name = (table ?? "").lowercased()
                guard try database.tableNames().contains(where: { $0.lowercased() == name }) else { return false }
                throw QueryError(.store, "\(into) has a table \(table ?? "") already", hint: "give another --table")
            } catch let error as QueryError {
                throw error.sqliteCode != nil
                    ? told(error, isNew: false)
                    : Failure(status: .cannotCreate, message: error.message, hint: error.hint)
            }
        }

        /// Both passes in one; false if that fails, with nothing written: then two passes show why.
        private func writeOnce(
            _ importer: inout SQLiteImporter,
            _ held: [Document],
            _ reader: InputReader,
            isNew: Bool
        ) throws -> Bool {
            var failure: (any Error)?
            let count: Int?
            do {
                count = try importer.write(held, to: try openFile(isNew: isNew)) { () throws(QueryError) in
                    do {
                        return try reader.next()
                    } catch {
                        failure = error
                        throw QueryError(.store, "the input cannot be read")
                    }
                }
            } catch {
                if isNew { removeFile() }
                throw failure ?? error
            }
            guard let count else {
                if isNew { removeFile() }
                return false
            }
            UnfinishedFiles.forget()
            try reader.finish()
            tell(count, importer)
            return true
        }

        private func write(
            _ importer: SQLiteImporter,
            isNew: Bool,
            _ insert: ((Document) throws(QueryError) -> Void) throws(QueryError) -> Void
        ) throws {
            do {
                tell(try importer.write(to: try openFile(isNew: isNew), insert), importer)
                UnfinishedFiles.forget()
            } catch {
                if isNew { removeFile() }
                throw told(error, isNew: isNew)
            }
        }

        /// Opens the file for writing; one that is new is removed if a signal comes before the rows are in it.
        private func openFile(isNew: Bool) throws -> SQLiteDatabase {
            if isNew { UnfinishedFiles.watch(writtenFiles) }
            do {
                return try SQLiteDatabase(path: into, isReadOnly: false)
            } catch {
                throw Failure(
                    status: isNew ? .cannotCreate : .io,
                    message: "cannot open \(into): \(error.message)",
                    hint: error.hint
                )
            }
        }

        /// A file created for the import leaves nothing behind, not even the journal that would undo it.
        private func removeFile() {
            for name in writtenFiles { unlink(name) }
        }

        private var writtenFiles: [String] { ["", "-journal", "-wal", "-shm"].map { into + $0 } }

        private func tell(_ count: Int, _ importer: SQLiteImporter) {
            Diagnostics.note("\(count) \(count == 1 ? "row" : "rows") in \(table ?? "")")
            for found in importer.foundDates { Diagnostics.note(found.description) }
            for column in importer.columnsOfDateTexts {
                Diagnostics.note("\(column): dates were stored as ISO 8601 text because JSON has no dates")
            }
        }

        /// A store error with the current state of the file.
        private func told(_ error: any Error, isNew: Bool) -> any Error {
            guard var error = error as? QueryError, error.code == .store else { return error }
            let journal = into + "-journal"
            let state =
                if isNew {
                    "\(into) was not created"
                } else if access(journal, F_OK) == 0 {
                    "keep \(journal): the next program that opens \(into) uses it to undo the import"
                } else {
                    "\(into) is unchanged"
                }
            error.hint = [error.hint, state].compactMap(\.self).joined(separator: "; ")
            return error.ofTool
        }

        private func copy(_ schema: Schema?, _ add: (Document) throws(QueryError) -> Void) throws {
            let input = try RowInput(files, at: place.rows, schema: schema, skipsInvalid: skipInvalid)
            defer { input.close() }
            let reader = try InputReader(input, skipsInvalid: skipInvalid)
            while let row = try reader.next() { try add(row) }
        }
    }
#endif
