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
                  0 done   64 wrong usage   65 bad query or data   66 no such input   73 cannot create output
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
                let arguments = arranged(Array(CommandLine.arguments.dropFirst()))
                var command = try parseAsRoot(joined(arguments))
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

        /// Options that take several items between commas, and as well one at a time.
        private static let lists = ["--sort", "--fields", "--group-by", "--compute"]

        /// The arguments with the items of a repeated option together.
        ///
        /// - Throws: a `Failure` of status 64 for a repeated option that takes one value.
        static func joined(_ arguments: [String]) throws -> [String] {
            var joined: [String] = []
            var places: [String: Int] = [:]
            var seen: Set<String> = []
            var position = 0
            while position < arguments.count, arguments[position] != "--" {
                let argument = arguments[position]
                let isValue = takesAny.contains(joined.last ?? "")
                position += 1
                guard argument.hasPrefix("--"), !isValue else {
                    joined.append(argument)
                    continue
                }
                let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = String(parts[0])
                if !lists.contains(name), !seen.insert(name).inserted, try takesOneValue(name, arguments[0]) {
                    throw Failure(status: .usage, message: "\(name) is given twice, and takes one value")
                }
                let isFollowed = position < arguments.count && !arguments[position].hasPrefix("--")
                guard lists.contains(name), parts.count == 2 || isFollowed else {
                    joined.append(argument)
                    continue
                }
                let value = parts.count == 2 ? String(parts[1]) : arguments[position]
                if parts.count == 1 { position += 1 }
                if let place = places[name] {
                    joined[place] += "," + value
                } else {
                    places[name] = joined.count
                    joined.append(name + "=" + value)
                }
            }
            return joined + arguments[position...]
        }

        /// True for an option of a command that takes one value; the parser itself would take the last one.
        ///
        /// Of a server the last value does hold, so that a script's options can be overruled.
        private static func takesOneValue(_ option: String, _ command: String) throws -> Bool {
            guard command != "serve", command != "play", case .object(let help) = try QueryValue(json: _dumpHelp()),
                case .object(let root)? = help["command"],
                case .list(let commands)? = root["subcommands"]
            else { return false }
            for case .object(let described) in commands where described["commandName"] == .string(command) {
                guard case .list(let arguments)? = described["arguments"] else { return false }
                return arguments.contains { argument in
                    guard case .object(let argument) = argument, case .object(let name)? = argument["preferredName"]
                    else {
                        return false
                    }
                    return name["name"] == .string(String(option.dropFirst(2))) && argument["kind"] == "option"
                        && argument["isRepeating"] == .bool(false)
                }
            }
            return false
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
