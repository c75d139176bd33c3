#if CLI && Server
    import ArgumentParser
    import Foundation
    import HummingbirdCore
    import Logging
    import PredicateQL
    import PredicateQLServer
    import PredicateQLService
    import PredicateQLSQLite
    import QueryBatch
    import StoreModel

    struct Serve: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Serve entities, users and groups over HTTP from one SQLite file.",
            discussion: """
                Makes what is missing, prints the address once it answers, and stops on SIGTERM when what was begun is
                committed. Grammar/service.md describes every option.

                EXAMPLES
                  pql serve --data service.sqlite --app kid:secret:master --delta all
                  pql serve --data service.sqlite --listen 0.0.0.0:80 --rights Book=public --index Book:author,-year
                """
        )

        @OptionGroup var options: ServeOptions

        func run() throws {
            SQLiteDatabase.dropMemoryCounters()
            Variables.warnOfMisspelled()
            try ServiceFile.check(options.data)
            try prepare()
            let lock = try DatabaseLock(options.data)
            var options = options
            options.data = lock.path
            let (configuration, news) = try ServiceFile.naming(options.data) { try options.configuration() }
            defer {
                LineLogHandler.flush()
                withExtendedLifetime(lock) {}
            }
            let form = options.log
            if let file = options.logFile ?? Variables["PQL_LOG_FILE"], !LineLogHandler.write(to: file) {
                throw Failure(status: .io, message: "cannot write \(file): " + String(cString: strerror(errno)))
            }
            let logger = Logger(label: "pql") { _ in LineLogHandler(form: form) }
            var environment = ServiceEnvironment.live
            environment.log = { logger.notice("\($0)") }
            environment.alarm = { logger.log(level: $0 ? .error : .warning, "\($1)") }
            let service = try ServiceFile.naming(options.data) {
                try Service(
                    path: options.data,
                    configuration,
                    environment,
                    durability: options.durability,
                    readers: options.readers
                )
            }
            defer { service.close() }
            for line in news { try StandardOutput.shared.write(line: line) }
            try StandardOutput.shared.flush()
            try serve(service, configuration, logger)
        }

        /// Restores a backup, and allows as many open files as connections need.
        private func prepare() throws {
            if let restore = options.restore {
                close(try FileText.open(restore))
                try ServiceFile.check(restore)
                try Service.restore(restore, to: options.data, .live)
            }
            var limit = rlimit()
            #if canImport(Glibc)
                let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            #else
                let kind = RLIMIT_NOFILE
            #endif
            if getrlimit(kind, &limit) == 0, limit.rlim_cur < 8_192 {
                limit.rlim_cur = min(8_192, limit.rlim_max)
                setrlimit(kind, &limit)
            }
        }

        private func serve(_ service: Service, _ configuration: ServiceConfiguration, _ logger: Logger) throws {
            var allowed = HTTPServer.Options()
            allowed.bodyBytes = configuration.limits.bodyBytes
            allowed.trustsProxy = options.trustProxy
            var playground: PlaygroundSite?
            if options.playground { playground = PlaygroundSite(try Playground.ofCities(), hasService: true) }
            let server = HTTPServer(service, playground: playground, options: allowed, logger: logger)
            let (host, port) = try options.address()
            try server.serve(on: host, port) { address in
                options.playground ? ["playground at \(address)/_play/"] : []
            }
        }
    }

    extension HTTPServer {
        /// Serves until the process is told to stop.
        ///
        /// - Parameters:
        ///   - host: where to listen.
        ///   - port: 0 for one that is free.
        ///   - news: lines to print with the address, once the server answers.
        /// - Throws: a `Failure` if it cannot listen there.
        func serve(on host: String, _ port: Int, news: @escaping @Sendable (String) -> [String]) throws {
            let shown = host.contains(":") ? "[\(host)]" : host
            try Waiting.run {
                do {
                    try await run(on: .hostname(host, port: port)) { address in
                        let place = "http://\(shown):\(address?.port ?? port)"
                        for line in news(place) + ["listening on \(place)"] {
                            try? StandardOutput.shared.write(line: line)
                        }
                        try? StandardOutput.shared.flush()
                    }
                } catch {
                    throw Failure(status: .io, message: Self.reason(error, at: "\(shown):\(port)"))
                }
            }
        }
    }

    /// Asynchronous work of a command, which waits for it.
    enum Waiting {
        /// Set before the semaphore is signalled, read after it.
        private final class Outcome<Value>: @unchecked Sendable {
            var result: Result<Value, any Error>?
        }

        static func run<Value>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
            let done = DispatchSemaphore(value: 0)
            let outcome = Outcome<Value>()
            Task {
                do { outcome.result = .success(try await body()) } catch { outcome.result = .failure(error) }
                done.signal()
            }
            done.wait()
            guard let result = outcome.result else { throw Failure(status: .io, message: "nothing was done") }
            return try result.get()
        }
    }

    struct Backup: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy the database of a service, which may be running.",
            discussion: """
                EXAMPLES
                  pql backup monday.sqlite --data service.sqlite
                  pql serve --data new.sqlite --restore monday.sqlite
                """
        )

        @Argument(help: "The new file.", completion: .file())
        var file: String

        @Option(help: ArgumentHelp("The database of the service.", valueName: "file"), completion: .file())
        var data = "service.sqlite"

        func run() throws {
            try FileText.checkCopy(of: data, to: file)
            try ServiceFile.check(data)
            try ServiceFile.checkFolder(of: file)
            try ServiceFile.naming(data) { try Service.backUp(path: data, to: file) }
        }
    }

    /// The database of a service, looked at before SQLite opens it.
    enum ServiceFile {
        /// Refuses what can be no database, and a new one in a folder that is missing or cannot be written.
        static func check(_ path: String) throws {
            if path == ":memory:" { return }
            guard access(path, F_OK) == 0 else { return try checkFolder(of: path) }
            let descriptor = try FileText.open(path)
            defer { close(descriptor) }
            let start = try FileText.chunk(descriptor, size: 16) ?? []
            guard start.isEmpty || start == Array("SQLite format 3\0".utf8) else {
                throw Failure(status: .data, message: "\(path) is not an SQLite database")
            }
        }

        /// Refuses a new file in a folder that is missing or cannot be written.
        static func checkFolder(of path: String) throws {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            guard access(folder, W_OK | X_OK) != 0 else { return }
            throw Failure(status: .cannotCreate, message: "cannot write \(path): " + String(cString: strerror(errno)))
        }

        /// Calls a closure that opens a database, whose errors then name the file.
        static func naming<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
            do { return try body() } catch var error as QueryError where error.code == .store {
                if !error.message.contains(path) { error.message = "\(path): " + error.message }
                throw error
            }
        }
    }

    /// Held while a service uses a database, so that no second one does, whatever name it gives the file.
    struct DatabaseLock {
        /// The file's one path, without links.
        let path: String
        private let descriptor: Int32

        /// - Throws: a failure if another service uses the database, it has further names, or its folder cannot be
        ///   written.
        init(_ given: String) throws {
            path = try Self.resolved(given)
            let file = path + "-lock"
            descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw Failure(status: .io, message: "cannot write \(file): " + String(cString: strerror(errno)))
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                throw Failure(status: .io, message: "another service uses \(given)", hint: "stop the service first")
            }
        }

        /// The path of a file without symbolic links; of one that does not exist yet, in its folder's.
        private static func resolved(_ given: String) throws -> String {
            if given == ":memory:" { return given }
            var facts = stat()
            if stat(given, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_nlink > 1 {
                throw Failure(
                    status: .io,
                    message: "\(given) has \(facts.st_nlink) hard links, through which two services could damage it",
                    hint: "remove the other links, or use a copy: pql backup copy.sqlite --data \(given)"
                )
            }
            if let path = realPath(given) { return path }
            guard lstat(given, &facts) != 0 else {
                let hint = "name the file that it leads to"
                throw Failure(status: .io, message: "\(given) is a link to a missing file", hint: hint)
            }
            let file = URL(fileURLWithPath: given)
            return realPath(file.deletingLastPathComponent().path).map { $0 + "/" + file.lastPathComponent } ?? given
        }

        private static func realPath(_ path: String) -> String? {
            guard let real = realpath(path, nil) else { return nil }
            defer { free(real) }
            return String(cString: real)
        }
    }
#elseif CLI
    import ArgumentParser

    struct Serve: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Serve entities over HTTP (needs the trait Server)."
        )

        @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

        func run() throws { throw Failure.needsServer("serve") }
    }

    struct Backup: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy the database of a service (needs the trait Server)."
        )

        @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

        func run() throws { throw Failure.needsServer("backup") }
    }

    struct Admin: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show and change the settings and collections of a service (needs the trait Server)."
        )

        @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

        func run() throws { throw Failure.needsServer("admin") }
    }

    extension Failure {
        /// For a command of the trait Server in a tool that was built without it.
        static func needsServer(_ command: String) -> Failure {
            Failure(
                status: .usage,
                message: "this pql was built without its trait Server",
                hint: "swift run --traits default,Server pql \(command)"
            )
        }
    }
#endif
