#if CLI && Server
    import ArgumentParser
    import Foundation
    import PredicateQL
    import PredicateQLServer
    import PredicateQLService
    import QueryTree
    import QueryValues
    import StoreModel

    /// Options that stay with the data: each changes the settings of the database, for later starts too.
    struct SettingOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "A JSON file of settings, as pql admin prints them; options take precedence (PQL_CONFIG).",
                valueName: "file"
            ),
            completion: .file()
        )
        var config: String?

        @Option(
            help: ArgumentHelp("The collections with deltas: all, none, or names (PQL_DELTA).", valueName: "a,b")
        )
        var delta: String?

        @Option(
            help: ArgumentHelp("Days that histories for deltas are kept, 1 to 30 (PQL_HISTORY_DAYS).", valueName: "n")
        )
        var historyDays: Int?

        @Option(
            help: ArgumentHelp(
                "Who may do what: public, shared, private or closed; name=rights for one collection. May be repeated "
                    + "(PQL_RIGHTS, with commas).",
                valueName: "rights"
            )
        )
        var rights: [String] = []

        @Option(
            help: ArgumentHelp(
                "An index to keep, such as Book:author,-year; replaces earlier ones; may be repeated (PQL_INDEX, with ;).",
                valueName: "name:keys"
            )
        )
        var index: [String] = []

        @Flag(inversion: .prefixedNo, help: "Create indexes for slow queries automatically.")
        var autoIndex: Bool?

        @Option(help: ArgumentHelp("Requests per second and session, or off (PQL_RATE).", valueName: "n"))
        var rate: String?

        @Option(
            help: ArgumentHelp(
                "An origin whose pages may call the service, or *; replaces earlier ones; none: no page; may be repeated "
                    + "(PQL_ORIGIN, with commas).",
                valueName: "url"
            )
        )
        var origin: [String] = []

        @Flag(inversion: .prefixedNo, help: "Let anyone with the app's key sign up.")
        var signUp: Bool?

        @Flag(help: "Allow changes that open data to more people or delete histories.")
        var loosen = false

        /// The settings of a database with these changes, which are kept in it.
        ///
        /// - Parameter path: the database; made if it does not exist.
        /// - Returns: the settings.
        /// - Throws: `Failure` for what opens data or deletes histories without `--loosen`.
        func kept(in path: String) throws -> ServiceSettings {
            let before = try Service.settings(path: path)
            let settings = try changed(before ?? ServiceSettings())
            if let before { try demandLoosening(of: settings, from: before) }
            let indexes = try before == nil ? [] : Service.misspeltIndexes(of: settings, path: path)
            let facts = before == nil ? [] : (try? Service.collections(path: path)) ?? []
            for line in Self.misspelled(settings, facts) + indexes { Diagnostics.note(line) }
            if settings != before { try Service.keep(settings, path: path, .live) }
            return settings
        }

        /// Refuses settings that open data or delete histories without `--loosen`.
        func demandLoosening(of settings: ServiceSettings, from before: ServiceSettings) throws {
            let lines = settings.loosened(from: before)
            if loosen { for line in lines { Diagnostics.note("loosened: " + line) } }
            guard lines.isEmpty || loosen else {
                throw Failure(status: .usage, message: lines.joined(separator: "; "), hint: "--loosen allows it")
            }
        }

        /// Settings with these changes.
        func changed(_ settings: ServiceSettings) throws -> ServiceSettings {
            var settings = settings
            let options = try withVariables()
            try options.read(into: &settings)
            do {
                try options.change(&settings)
            } catch let error as QueryError {
                // It is an argument that is wrong, and no file.
                let place = error.path.map { $0 + ": " } ?? ""
                throw Failure(status: .usage, message: place + error.message, hint: error.hint)
            }
            return settings
        }

        /// With environment variables in the place of options that are not given.
        private func withVariables() throws -> SettingOptions {
            var options = self
            options.config = config ?? Variables["PQL_CONFIG"]
            options.delta = delta ?? Variables["PQL_DELTA"]
            options.historyDays = try historyDays ?? Variables.number("PQL_HISTORY_DAYS")
            if rights.isEmpty { options.rights = try Variables.list("PQL_RIGHTS") }
            if index.isEmpty { options.index = try Variables.list("PQL_INDEX", separator: ";") }
            options.rate = rate ?? Variables["PQL_RATE"]
            if origin.isEmpty { options.origin = try Variables.list("PQL_ORIGIN") }
            return options
        }

        /// True if an option changes something.
        var isEmpty: Bool {
            config == nil && delta == nil && historyDays == nil && rights.isEmpty && index.isEmpty && autoIndex == nil
                && rate == nil && origin.isEmpty && signUp == nil
        }

        /// Changes what the file of `--config` names.
        private func read(into settings: inout ServiceSettings) throws {
            guard let config else { return }
            guard let bytes = FileManager.default.contents(atPath: config) else {
                throw Failure(status: .noInput, message: "cannot read \(config)")
            }
            do {
                guard case .object(let document) = try QueryValue(json: Array(bytes)) else {
                    throw Failure(status: .data, message: "\(config) does not contain an object of settings")
                }
                try settings.change(document)
            } catch let error as QueryError {
                let place = [config, error.path].compactMap(\.self).joined(separator: ": ")
                throw Failure(status: .data, message: "\(place): \(error.message)", hint: error.hint)
            }
        }

        private func change(_ settings: inout ServiceSettings) throws {
            if let delta {
                let isWord = delta == "all" || delta == "none"
                let word = delta.lowercased()
                guard isWord || word != "all" && word != "none" else {
                    throw ValidationError("--delta takes all, none or names of collections; write \(word)")
                }
                let names = delta.split(separator: ",", omittingEmptySubsequences: false).map {
                    QueryValue.string(String($0))
                }
                try settings.change(["delta": isWord ? .string(delta) : .list(names)])
            }
            if let historyDays { try settings.change(["historyDays": .int(Int64(historyDays))]) }
            for text in rights {
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard let last = parts.last, let rights = CollectionRights(rawValue: last) else {
                    let names = CollectionRights.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ValidationError("--rights takes \(names), or name=rights")
                }
                if parts.count == 2 {
                    try settings.change(["rightsOfCollections": .object([parts[0]: .string(rights.rawValue)])])
                } else {
                    settings.rights = rights
                }
            }
            if !index.isEmpty { settings.indexes = [:] }
            var indexes: [String: [QueryValue]] = [:]
            for index in index {
                let parts = index.split(separator: ":", maxSplits: 1).map(String.init)
                guard parts.count == 2 else {
                    throw ValidationError("--index takes name:keys, for example Book:author,-year")
                }
                indexes[parts[0], default: []].append(.string(parts[1]))
            }
            for (name, keys) in indexes { try settings.change(["indexes": .object([name: .list(keys)])]) }
            if let autoIndex { settings.makesIndexes = autoIndex }
            if !origin.isEmpty {
                let named = origin == ["none"] ? [] : origin
                try settings.change(["origins": .list(named.map(QueryValue.string))])
            }
            if let rate { try settings.change(["rate": Int64(rate).map { .int($0) } ?? .string(rate)]) }
            if let signUp { settings.allowsSignUp = signUp }
        }

        /// A note for each name that is no collection, but nearly one.
        static func misspelled(_ settings: ServiceSettings, _ facts: [Service.CollectionFacts]) -> [String] {
            let known = Set(facts.map(\.name))
            var named = Set(settings.rightsOfCollections.keys).union(settings.indexes.keys)
            if case .named(let names) = settings.deltas { named.formUnion(names) }
            return named.subtracting(known).sorted().compactMap { name in
                Suggestion.nearest(to: name, among: known.sorted()).map {
                    "there is no collection \(name) yet; did you mean \($0)?"
                }
            }
        }
    }

    /// Environment variables; an empty one is one that is not set.
    enum Variables {
        static subscript(name: String) -> String? {
            let value = ProcessInfo.processInfo.environment[name]
            return value?.isEmpty == true ? nil : value
        }

        /// Those that commands read.
        private static let known = [
            "PQL_APP", "PQL_CONFIG", "PQL_DATA", "PQL_DELTA", "PQL_HISTORY_DAYS", "PQL_INDEX", "PQL_LISTEN",
            "PQL_LOG_FILE", "PQL_MASTER", "PQL_ORIGIN", "PQL_RATE", "PQL_RIGHTS",
        ]

        /// Warns of variables that nobody reads and that are nearly named as one.
        static func warnOfMisspelled() {
            for name in ProcessInfo.processInfo.environment.keys.sorted() where name.uppercased().hasPrefix("PQL_") {
                guard !known.contains(name), let near = Suggestion.nearest(to: name, among: known) else { continue }
                Diagnostics.note("the variable \(name) is not read; did you mean \(near)?")
            }
        }

        /// A whole number, as an option takes it.
        static func number(_ name: String) throws -> Int? {
            guard let text = Self[name] else { return nil }
            guard let number = Int(text) else { throw ValidationError("The value '\(text)' is invalid for '\(name)'") }
            return number
        }

        /// The parts of a variable that has several.
        static func list(_ name: String, separator: Character = ",") throws -> [String] {
            let parts = Self[name]?.split(separator: separator, omittingEmptySubsequences: false).map(String.init) ?? []
            guard !parts.contains("") else {
                throw ValidationError("\(name) has an empty part before, after or between '\(separator)'")
            }
            return parts
        }
    }
#endif
