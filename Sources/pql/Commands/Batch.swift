#if CLI
    import ArgumentParser
    import PredicateQL
    import PredicateQLSQLite
    import QueryBatch
    import QueryValues

    struct Batch: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer each request line of standard input with one line of JSON.",
            discussion: """
                A request: {"id":1,"format":"age > %@","arguments":[21],"documents":[{"age":30}]}
                Keys: id format mongo assume arguments variables schema order skip limit fields group nil guarded profile table
                storage primaryKey now documents policy functions outputs; Grammar/batch.md explains them. Mistakes are \
                answers, too; the stream continues. A blank line gets no answer.

                EXAMPLES
                  echo '{"id":1,"format":"age > 21","outputs":["mongo","sqlite"]}' | pql batch
                  pql batch --register cache.sqlite --table cities < requests.ndjson
                """
        )

        @Option(
            help: ArgumentHelp("Run each statement on this SQLite file and return its rows, too.", valueName: "file"),
            completion: .file()
        )
        var register: String?

        @Option(help: ArgumentHelp("The table of that file for requests that name none.", valueName: "table"))
        var table: String?

        @Option(help: ArgumentHelp("The longest request accepted; a longer line is an error.", valueName: "bytes"))
        var maxLine = Limits.default.rowBytes

        @OptionGroup var work: WorkOptions

        func validate() throws {
            guard maxLine > 0 else { throw ValidationError("--max-line takes a number of bytes, 1 or more.") }
            guard (register == nil) == (table == nil) else {
                throw ValidationError("--register and --table go together.")
            }
        }

        func run() throws {
            let batch = BatchProcessor(limits: work.limits, store: try store())
            var lines = NDJSONReader(ByteStream(fileDescriptor: 0), longest: maxLine)
            while let answer = try nextAnswer(batch, &lines) {
                try StandardOutput.shared.write(line: answer)
                try StandardOutput.shared.flush()
            }
        }

        private func nextAnswer(_ batch: BatchProcessor, _ lines: inout NDJSONReader) throws -> String? {
            do throws(QueryError) {
                return try lines.next { (line, _) throws(QueryError) in batch.answer(to: line) }
            } catch {
                if error.code == .limit { return batch.answer(to: error) }
                // Requests cannot fail, so this is standard input itself.
                throw Failure(status: .io, message: error.message)
            }
        }

        private func store() throws -> BatchStore? {
            guard let register, let table else { return nil }
            let database = try DatabaseFile.open(register)
            _ = try database.table(table)
            return BatchStore(database: database, table: table)
        }
    }
#endif
