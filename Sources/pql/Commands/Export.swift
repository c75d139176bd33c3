#if CLI && Server
    import ArgumentParser
    import Foundation
    import PredicateQLServer
    import PredicateQLService

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy an app out of a service's database into a folder, while the service goes on.",
            discussion: """
                The folder gets app.json with the settings, _users.ndjson, and NAME.ndjson of each collection with an
                entity a line. The users' file holds the hashes of their passwords, so that they can still log in: keep
                it as safe as the database. pql import reads the folder. Grammar/service.md describes the files.

                EXAMPLES
                  pql export service.sqlite --app kid --to kid
                  pql import kid --into new.sqlite --app kid
                """
        )

        @Argument(help: "The database of the service.", completion: .file())
        var file: String

        @Option(help: ArgumentHelp("The key of the app.", valueName: "key"))
        var app: String

        @Option(
            help: ArgumentHelp("The folder; it must not exist, or be empty.", valueName: "folder"),
            completion: .directory
        )
        var to: String

        func run() throws {
            guard FileManager.default.fileExists(atPath: file) else {
                throw Failure(status: .noInput, message: "cannot open \(file): No such file or directory")
            }
            try Service.exportApp(app, from: file, to: to).tell(to)
        }
    }

    /// The import of an app from a folder.
    enum AppImport {
        static func run(_ folder: String, as app: String, into path: String) throws {
            let lock = try DatabaseLock(path)
            defer { withExtendedLifetime(lock) {} }
            do {
                try Service.importApp(folder, as: app, into: path, .live).tell(path)
            } catch var error as QueryError {
                let state = "nothing was added to \(path)"
                error.hint = [error.hint, state].compactMap(\.self).joined(separator: "; ")
                throw error
            }
        }
    }

    extension MovedApp {
        /// Says what was moved.
        fileprivate func tell(_ place: String) {
            for (name, count) in collections.sorted(by: { $0.key < $1.key }) { Diagnostics.note("\(name): \(count)") }
            Diagnostics.note("\(entities) entities and \(users) users in \(place)")
        }
    }
#elseif CLI
    import ArgumentParser

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy an app out of a service's database (needs the trait Server)."
        )

        @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

        func run() throws { throw Failure.needsServer("export") }
    }

    /// The import of an app from a folder.
    enum AppImport {
        static func run(_ folder: String, as app: String, into path: String) throws {
            throw Failure.needsServer("import")
        }
    }
#endif
