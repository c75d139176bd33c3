#if CLI && Server
    import ArgumentParser
    import Foundation
    import PredicateQL
    import PredicateQLServer
    import PredicateQLService
    import PredicateQLStore
    import QueryTree
    import QueryValues
    import StoreModel

    struct Admin: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show and change the settings and collections of a service.",
            discussion: """
                Without options it prints the settings as JSON, then the collections. A service that runs is named by its
                address and an app: changes hold from the next request on. A database is named by its file, and no service
                may run on it while it is changed. Grammar/service.md describes every setting.

                EXAMPLES
                  pql admin service.sqlite
                  pql admin service.sqlite --rights private --rights News=shared
                  pql admin service.sqlite --remove kid/Draft
                  PQL_MASTER=secret pql admin http://localhost:8080/kid --history-days 20
                """
        )

        @Argument(help: "The database of the service, or its address with an app.", completion: .file())
        var service: String

        @OptionGroup var settings: SettingOptions

        @Option(
            help: ArgumentHelp("Remove a collection with all its entities; may be repeated.", valueName: "app/name")
        )
        var remove: [String] = []

        @Option(
            help: ArgumentHelp(
                "A file that holds the app's master secret, for an address (PQL_MASTER).",
                valueName: "file"
            ),
            completion: .file()
        )
        var masterFile: String?

        func run() throws {
            let isAddress = service.hasPrefix("http://") || service.hasPrefix("https://")
            let found = try isAddress ? changeByAddress() : ServiceFile.naming(service, changeFile)
            let out = StandardOutput.shared
            try out.write(line: JSONWriter(isPretty: true).text(.object(found.settings.document)))
            for facts in found.collections {
                let history = facts.keepsHistory ? ", deltas" : ""
                let noun = facts.count == 1 ? "entity" : "entities"
                try out.write(
                    line: "\(facts.app)/\(facts.name): \(facts.count) \(noun), \(facts.rights.rawValue)\(history)"
                )
            }
            try out.flush()
        }

        private typealias Found = (settings: ServiceSettings, collections: [Service.CollectionFacts])

        /// The app and the name of each collection that is to be removed.
        private func removals() throws -> [(app: String, name: String)] {
            var seen: Set<String> = []
            return try remove.map { text in
                let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
                guard parts.count == 2 else { throw ValidationError("--remove takes app/name") }
                guard seen.insert(text).inserted else { throw ValidationError("--remove \(text) is given twice") }
                return (parts[0], parts[1])
            }
        }

        /// Refuses to remove what is not there, before anything is changed.
        private static func check(
            _ removals: [(app: String, name: String)],
            _ known: [Service.CollectionFacts]
        ) throws {
            for (app, name) in removals where !known.contains(where: { $0.app == app && $0.name == name }) {
                throw noCollection(app, name, known)
            }
        }

        private static func noCollection(
            _ app: String,
            _ name: String,
            _ known: [Service.CollectionFacts]
        ) -> Failure {
            let names = known.filter { $0.app == app }.map(\.name)
            let near = Suggestion.nearest(to: name, among: names).map { "did you mean \(app)/\($0)?" }
            return Failure(status: .usage, message: "there is no collection \(app)/\(name)", hint: near)
        }

        private func changeFile() throws -> Found {
            guard FileManager.default.fileExists(atPath: service) else {
                throw Failure(status: .noInput, message: "cannot open \(service): No such file or directory")
            }
            guard masterFile == nil else { throw ValidationError("--master-file is for the address of a service") }
            try ServiceFile.check(service)
            var kept = try Service.settings(path: service) ?? ServiceSettings()
            let removals = try removals()
            if !settings.isEmpty || !removals.isEmpty {
                let lock = try DatabaseLock(service)
                defer { withExtendedLifetime(lock) {} }
                if !removals.isEmpty { try Self.check(removals, try Service.collections(path: service)) }
                kept = try settings.kept(in: service)
                for (app, name) in removals where try !Service.removeCollection(name, of: app, path: service) {
                    throw Self.noCollection(app, name, try Service.collections(path: service))
                }
            }
            return (kept, try Service.collections(path: service))
        }

        private func changeByAddress() throws -> Found {
            let owner = try ServiceOwner(service, masterFile: masterFile)
            let removals = try removals()
            if let (app, name) = removals.first(where: { $0.app != owner.app }) {
                throw Failure(status: .usage, message: "\(app)/\(name) is not a collection of the app \(owner.app)")
            }
            let changes = !settings.isEmpty
            return try Waiting.run {
                var (found, tag) = try await owner.found()
                try Self.check(removals, found.collections)
                var done: [String] = []
                do {
                    if changes {
                        let settings = try settings.changed(found.settings)
                        if settings != found.settings {
                            try self.settings.demandLoosening(of: settings, from: found.settings)
                            found = try await owner.change(
                                settings.changes(from: found.settings),
                                tag,
                                self.settings.loosen
                            )
                            done.append("the settings were changed")
                        }
                        for line in SettingOptions.misspelled(settings, found.collections) { Diagnostics.note(line) }
                    }
                    if removals.isEmpty { return found }
                    for (app, name) in removals {
                        guard try await owner.remove(name) else {
                            throw Self.noCollection(app, name, found.collections)
                        }
                        done.append("\(app)/\(name) was removed")
                    }
                } catch var failure as Failure where !done.isEmpty {
                    failure.message += "; before that " + done.joined(separator: ", ")
                    throw failure
                }
                return try await owner.found().found
            }
        }

        /// An app's owner at a service that runs.
        private struct ServiceOwner: Sendable {
            let app: String
            private let transport: any Transport
            private let credentials: String

            init(_ given: String, masterFile: String?) throws {
                let address = given.hasSuffix("/") ? String(given.dropLast()) : given
                guard let slash = address.lastIndex(of: "/"), !address[..<slash].hasSuffix("/"),
                    slash < address.index(before: address.endIndex)
                else {
                    throw Failure(
                        status: .usage,
                        message: "the address names no app",
                        hint: "write http://localhost:8080/kid for the app kid"
                    )
                }
                app = String(address[address.index(after: slash)...])
                var secret = Variables["PQL_MASTER"]
                if let masterFile {
                    guard let text = try? String(contentsOfFile: masterFile, encoding: .utf8) else {
                        throw Failure(status: .noInput, message: "cannot read \(masterFile)")
                    }
                    secret = text.split(whereSeparator: \.isNewline).first.map(String.init)
                }
                guard let secret else {
                    throw Failure(
                        status: .usage,
                        message: "the master secret of \(app) is needed",
                        hint: "give it in the variable PQL_MASTER, or in a file with --master-file"
                    )
                }
                credentials = "Basic " + Data("\(app):\(secret)".utf8).base64EncodedString()
                do {
                    transport = try StoreClient.transport(to: String(address[..<slash]))
                } catch {
                    throw Failure(status: .usage, message: "\(address) is not the address of a service")
                }
            }

            /// The settings and collections, with a tag of the settings.
            func found() async throws -> (found: Found, tag: String?) {
                let answer = try await send("GET", "")
                return (try read(answer), answer.headers["ETag"])
            }

            func change(_ changes: Document, _ tag: String?, _ loosens: Bool) async throws -> Found {
                var request = request("PUT", "")
                if loosens { request.query = "loosen=true" }
                if let tag { request.headers["If-Match"] = tag }
                request.headers["Content-Type"] = "application/json"
                request.body = Array(QueryValue.object(changes).json.utf8)
                return try read(try await send(request))
            }

            /// False if there is no such collection.
            func remove(_ collection: String) async throws -> Bool {
                try await send(request("DELETE", "/" + PercentText.encode(collection)), allowing: 404).status != 404
            }

            private func request(_ method: String, _ path: String) -> WireRequest {
                var request = WireRequest(method, "/admin/\(app)" + path)
                request.headers["Authorization"] = credentials
                return request
            }

            private func send(_ method: String, _ path: String) async throws -> WireResponse {
                try await send(request(method, path))
            }

            private func send(_ request: WireRequest, allowing status: Int? = nil) async throws -> WireResponse {
                let answer: WireResponse
                do throws(TransportFault) {
                    answer = try await transport.send(request, timeout: .seconds(60))
                } catch .unreachable(let reason) {
                    throw Failure(status: .io, message: "cannot reach the service: \(reason)")
                } catch {
                    throw Failure(status: .io, message: "the service did not answer within a minute")
                }
                if (200...299).contains(answer.status) || answer.status == status { return answer }
                var message = "the service answered \(answer.status)"
                if case .object(let fault)? = try? QueryValue(json: answer.body),
                    case .string(let debug)? = fault["debug"]
                {
                    message += ": " + debug
                }
                throw Failure(status: .usage, message: message)
            }

            private func read(_ answer: WireResponse) throws -> Found {
                var settings = ServiceSettings()
                guard case .object(let told) = try QueryValue(json: answer.body),
                    case .object(let document)? = told["settings"], case .list(let collections)? = told["collections"]
                else { throw Failure(status: .data, message: "the response is not from a data service") }
                try settings.takeKept(document)
                let facts = collections.compactMap { collection -> Service.CollectionFacts? in
                    guard case .object(let collection) = collection, case .string(let name)? = collection["name"],
                        case .int(let count)? = collection["count"], case .string(let rights)? = collection["rights"],
                        let rights = CollectionRights(rawValue: rights)
                    else { return nil }
                    return .init(
                        app: app,
                        name: name,
                        count: Int(count),
                        rights: rights,
                        keepsHistory: collection["delta"] == true
                    )
                }
                return (settings, facts)
            }
        }
    }
#endif
