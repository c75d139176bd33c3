#if CLI
    import ArgumentParser
    import PredicateQL
    import PredicateQLSQLite
    import QueryBatch
    #if Server
        import Logging
        import PredicateQLServer
    #endif

    struct Play: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open a page in the browser for trying queries on files.",
            discussion: """
                Serves the page to this machine only, until it is interrupted. Without a file, the rows are the largest
                cities of the United States. It needs the trait Server.

                EXAMPLES
                  pql play
                  pql play cities.ndjson cache.sqlite --port 8000
                """
        )

        @Argument(help: "NDJSON, a JSON list, CSV, TSV, these as gzip, or an SQLite file.", completion: .file())
        var files: [String] = []

        @Option(help: ArgumentHelp("The port of the page; 0 for one that is free.", valueName: "port"))
        var port: UInt16 = 8080

        #if Server
            /// Larger files are queried through SQLite, which need not hold them in memory.
            private static let mostBytes = 256 << 20

            func run() throws {
                let playground = files.isEmpty ? try Playground.ofCities() : Playground()
                for file in files { try Self.load(file, into: playground) }
                var options = HTTPServer.Options()
                options.bodyBytes = Playground.droppedBytes
                let logger = Logger(label: "pql") { _ in LineLogHandler(form: .off) }
                let site = PlaygroundSite(playground, hasService: false)
                try HTTPServer(nil, playground: site, options: options, logger: logger)
                    .serve(on: "127.0.0.1", Int(port)) { ["playground at \($0)/_play/"] }
            }

            private static func load(_ file: String, into playground: Playground) throws {
                let input = try RowInput([file])
                if input.format == .database {
                    input.close()
                    return try playground.add(file, DatabaseFile.open(file))
                }
                defer { input.close() }
                if let size = input.size, size > mostBytes {
                    throw Failure(
                        status: .usage,
                        message: "\(file) is larger than \(mostBytes >> 20) MiB",
                        hint: "pql import \(file) --into rows.sqlite --table rows, then pql play rows.sqlite"
                    )
                }
                var rows: [UInt8] = []
                let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
                defer { buffer.deallocate() }
                while case let count = try input.text.read(into: buffer), count > 0 { rows += buffer.prefix(count) }
                var isCSV = false
                if case .cells = input.format { isCSV = true }
                try playground.add(file, rows, isDropped: false, isCSV: isCSV)
            }
        #else
            func run() throws { throw Failure.needsServer("play") }
        #endif
    }

    #if Server
        extension Playground {
            /// A playground of the largest cities, which come with the tool.
            static func ofCities() throws(QueryError) -> Playground {
                let playground = Playground()
                try playground.add("cities.ndjson", PlaygroundSite.cities, isDropped: false)
                return playground
            }
        }
    #endif
#endif
