#if CLI && Server
    import ArgumentParser
    import PredicateQL
    import PredicateQLServer
    import PredicateQLService
    import StoreModel

    /// The options of `pql serve`.
    struct ServeOptions: ParsableArguments {
        @Option(help: ArgumentHelp("The database; made if it does not exist.", valueName: "file"), completion: .file())
        var data = "service.sqlite"

        @Option(help: ArgumentHelp("Where to listen; port 0 for one that is free.", valueName: "host:port"))
        var listen = "127.0.0.1:8080"

        @Option(
            help: ArgumentHelp(
                "An app and its secrets; may be repeated. They are kept in the database as digests, so later starts "
                    + "need not name them. Without any, the first start makes an app and prints its secrets.",
                valueName: "key:secret:master"
            )
        )
        var app: [String] = []

        @Option(help: ArgumentHelp("The collections that answer deltas: all, none, or names.", valueName: "a,b"))
        var delta = "none"

        @Option(
            help: ArgumentHelp(
                "Who may do what: public, shared, private or closed; name=rights for one collection. May be repeated.",
                valueName: "rights"
            )
        )
        var rights: [String] = []

        @Option(
            help: "What survives a power cut: everything acknowledged (full), or all but the last moments (normal)."
        )
        var durability = Service.Durability.full

        @Option(help: ArgumentHelp("An index to keep, as Book:author,-year; may be repeated.", valueName: "name:keys"))
        var index: [String] = []

        @Flag(help: "Make the indexes that slow queries would use.")
        var autoIndex = false

        @Option(help: ArgumentHelp("Requests a second of one session, or off.", valueName: "n"))
        var rate: String?

        @Option(help: ArgumentHelp("An origin whose pages may call, or *; may be repeated.", valueName: "url"))
        var origin: [String] = []

        @Option(help: ArgumentHelp("Threads that read.", valueName: "n"))
        var readers = 4

        @Option(help: "A line a request on standard error: text, json, or off.")
        var log = LineLogHandler.Form.text

        @Flag(help: "Take the client's address from X-Forwarded-For, as a proxy in front writes it.")
        var trustProxy = false

        @Flag(help: "Serve a page below /_play/ that tries queries; only where this machine alone can reach it.")
        var playground = false

        @Option(
            help: ArgumentHelp("Make the database from this backup first; it must not exist.", valueName: "file"),
            completion: .file()
        )
        var restore: String?

        func validate() throws {
            guard (1...64).contains(readers) else { throw ValidationError("--readers takes 1 to 64") }
            let host = try address().host
            guard !playground || ["127.0.0.1", "localhost", "::1"].contains(host) else {
                throw ValidationError("--playground goes with --listen 127.0.0.1:PORT")
            }
        }

        /// The host and the port of `--listen`.
        func address() throws -> (host: String, port: Int) {
            guard let colon = listen.lastIndex(of: ":"), let port = UInt16(listen[listen.index(after: colon)...]) else {
                throw ValidationError("--listen takes host:port, for example 127.0.0.1:8080")
            }
            let host = listen[..<colon].drop { $0 == "[" }.prefix { $0 != "]" }
            return (host.isEmpty ? "0.0.0.0" : String(host), Int(port))
        }

        /// What to offer, and lines to print about an app that was made.
        func configuration() throws -> (ServiceConfiguration, news: [String]) {
            var configuration = ServiceConfiguration(apps: try app.map(Self.app))
            var news: [String] = []
            if app.isEmpty, !Service.hasApps(path: data) {
                let made = ServiceConfiguration.App(
                    key: Self.secret(8),
                    secret: Self.secret(24),
                    master: Self.secret(24)
                )
                configuration.apps = [made]
                news = ["made an app; its secrets are shown only now", "key \(made.key)", "secret \(made.secret)"]
                news.append("master \(made.master)")
            }
            configuration.deltas =
                switch delta {
                case "all": .all
                case "none": .none
                default: .named(Set(delta.split(separator: ",").map(String.init)))
                }
            try setRights(&configuration)
            for index in index {
                let parts = index.split(separator: ":", maxSplits: 1).map(String.init)
                guard parts.count == 2 else {
                    throw ValidationError("--index takes name:keys, for example Book:author,-year")
                }
                configuration.indexes[parts[0], default: []].append(parts[1])
            }
            configuration.makesIndexes = autoIndex
            configuration.origins = origin
            try setRate(&configuration.limits)
            return (configuration, news)
        }

        private func setRights(_ configuration: inout ServiceConfiguration) throws {
            for text in rights {
                let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
                guard let last = parts.last, let rights = CollectionRights(rawValue: last) else {
                    let names = CollectionRights.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ValidationError("--rights takes \(names), or name=rights")
                }
                if parts.count == 2 {
                    configuration.rightsOfCollections[parts[0]] = rights
                } else {
                    configuration.rights = rights
                }
            }
        }

        private func setRate(_ limits: inout ServiceLimits) throws {
            guard let rate else { return }
            if rate == "off" {
                limits.requestsPerSecond = nil
                limits.logInsPerMinute = nil
            } else if let number = Int(rate), (1...1_000_000).contains(number) {
                limits.requestsPerSecond = number
            } else {
                throw ValidationError("--rate takes a number of requests a second, or off")
            }
        }

        private static func app(_ text: String) throws -> ServiceConfiguration.App {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            let isPlain = parts[0].utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            guard parts.count == 3, isPlain, parts.allSatisfy({ !$0.isEmpty }), parts[1] != parts[2] else {
                throw ValidationError("--app takes key:secret:master; the key of letters, digits, - and _, two secrets")
            }
            return ServiceConfiguration.App(key: parts[0], secret: parts[1], master: parts[2])
        }

        /// Random letters and digits.
        private static func secret(_ length: Int) -> String {
            let letters = Array("abcdefghijkmnopqrstuvwxyz23456789")
            return String((0..<length).map { _ in letters[Int.random(in: 0..<letters.count)] })
        }
    }

    extension Service.Durability: ExpressibleByArgument {}
    extension LineLogHandler.Form: ExpressibleByArgument {}
#endif
