#if CLI
    import ArgumentParser
    import PredicateQL
    import QueryTree

    @main
    struct Pql: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pql",
            abstract: "Translate NSPredicate format strings to Mongo JSON and SQL, and run them on files.",
            discussion: """
                EXAMPLES
                  pql translate "state == 'MA' AND population >= 50000"
                  pql run cities.ndjson "name BEGINSWITH[cd] %@" --arg bos --sort -population --limit 5
                  pql run cities.ndjson TRUEPREDICATE --group-by state --compute count,sum:population
                  pql import cities.ndjson --into cache.sqlite --table cities
                  pql run cache.sqlite --table cities "population > 1e6" --output table

                EXIT STATUS
                  0 done   64 wrong usage   65 bad query or data   66 no such input   73 no such output
                  74 reading or writing failed
                """,
            version: Release.version,
            subcommands: [
                Translate.self, FromMongo.self, Run.self, Fields.self, Repl.self, Explain.self, Check.self,
                Operators.self,
                Catalogue.self, Import.self, Batch.self, Serve.self, Admin.self, Backup.self, Export.self,
                Play.self,
            ]
        )

        static func main() {
            BrokenPipe.ignoreSignal()
            do {
                if let position = malformedArgument() {
                    throw Failure(status: .data, message: "argument \(position) is not UTF-8 text")
                }
                try checkCommand(CommandLine.arguments.dropFirst().first)
                var command = try parseAsRoot(arranged(Array(CommandLine.arguments.dropFirst())))
                try command.run()
                try StandardOutput.shared.finish()
            } catch {
                Exit.end(with: error)
            }
        }

        /// Refuses a command that there is not.
        private static func checkCommand(_ name: String?) throws {
            guard let name, name.utf8.first != UInt8(ascii: "-"), name != "help", name != "---completion" else {
                return
            }
            let names = configuration.subcommands.map { $0._commandName }
            guard !names.contains(name) else { return }
            let near = Suggestion.nearest(to: name, among: names).map { "did you mean \($0)?" }
            throw Failure(
                status: .usage,
                message: "there is no command \(name)",
                hint: near ?? "pql --help lists the commands"
            )
        }

        /// Options whose next argument is their value, whatever it starts with.
        private static let takesAny = ["--sort", "--skip", "--limit", "--arg", "--var", "--having", "--output", "-o"]

        /// Moves a predicate such as "-balance > 0" after `--`, so that it is not taken for an option.
        static func arranged(_ arguments: [String]) -> [String] {
            if arguments.contains("--") { return arguments }
            var options: [String] = []
            var predicates: [String] = []
            for argument in arguments {
                if isPredicate(argument), !takesAny.contains(options.last ?? "") {
                    predicates.append(argument)
                } else {
                    options.append(argument)
                }
            }
            return predicates.isEmpty ? arguments : options + ["--"] + predicates
        }

        /// True for an argument that looks like an option but is not: pql's only short options are -h and -o.
        private static func isPredicate(_ argument: String) -> Bool {
            guard argument.hasPrefix("-"), !["-", "-h", "-o"].contains(argument) else { return false }
            guard argument.hasPrefix("--") else { return true }
            let name = argument.prefix { $0 != "=" }
            return name.contains { $0 == " " }
        }
    }
#else
    @main
    enum Main {
        static func main() {
            print("pql was built without its trait CLI; build it with: swift build --traits CLI,PCRE2")
        }
    }
#endif
