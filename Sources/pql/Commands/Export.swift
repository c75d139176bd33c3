#if CLI && Server
    import ArgumentParser
    import Foundation
    import PredicateQL
    import PredicateQLServer
    import PredicateQLService

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy an app from a service's database into a folder, while the service runs.",
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
            try FileText.checkCopy(of: file, to: to)
            try ServiceFile.check(file)
            try ServiceFile.naming(file) { try Service.exportApp(app, from: file, to: to) }.tell(to)
        }
    }

    extension FileText {
        /// Looks for the two ends of a copy before it begins.
        ///
        /// - Throws: a `Failure` of status 66 for a file that is not there, and 73 for a place that is taken.
        static func checkCopy(of path: String, to place: String) throws {
            close(try open(path))
            let files = FileManager.default
            guard !files.fileExists(atPath: place) || (try? files.contentsOfDirectory(atPath: place)) == [] else {
                throw Failure(status: .cannotCreate, message: "\(place) exists already; move it away first")
            }
        }
    }

    /// The import of an app from a folder.
    enum AppImport {
        static func run(_ folder: String, as app: String, into path: String) throws {
            let lock: DatabaseLock
            do {
                try ServiceFile.check(path)
                lock = try DatabaseLock(path)
            } catch var failure as Failure {
                failure.hint = [failure.hint, "nothing was added"].compactMap(\.self).joined(separator: "; ")
                throw failure
            }
            defer { withExtendedLifetime(lock) {} }
            let moved: MovedApp
            do throws(QueryError) {
                moved = try Service.importApp(folder, as: app, into: path, .live)
            } catch {
                var told = error
                told.hint = [error.hint, "nothing was added to \(path)"].compactMap(\.self).joined(separator: "; ")
                throw told.ofTool
            }
            moved.tell(path)
            if !Service.hasApps(path: path) {
                Diagnostics.note("give it secrets with pql serve --data \(path) --app \(app):SECRET:MASTER")
            }
        }
    }

    extension MovedApp {
        /// Says what was moved.
        fileprivate func tell(_ place: String) {
            for (name, count) in collections.sorted(by: { $0.key < $1.key }) { Diagnostics.note("\(name): \(count)") }
            let nouns = [entities == 1 ? "entity" : "entities", users == 1 ? "user" : "users"]
            Diagnostics.note("\(entities) \(nouns[0]) and \(users) \(nouns[1]) in \(place)")
            if later > 0 { Diagnostics.note("\(later) had an ect or lmt later than now, and have now instead") }
        }
    }
#elseif CLI
    import ArgumentParser

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy an app from a service's database (needs the trait Server)."
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
