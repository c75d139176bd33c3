#if CLI && Server
    import ArgumentParser
    import PredicateQL
    import PredicateQLServer
    import PredicateQLService
    import StoreModel

    /// The options of `pql serve`.
    struct ServeOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp("The database; created if it does not exist (PQL_DATA).", valueName: "file"),
            completion: .file()
        )
        var data = Variables["PQL_DATA"] ?? "service.sqlite"

        @Option(
            help: ArgumentHelp(
                "Where to listen; :8080 for every IPv4 address of the machine; port 0 picks a free one (PQL_LISTEN).",
                valueName: "host:port"
            )
        )
        var listen = Variables["PQL_LISTEN"] ?? "127.0.0.1:8080"

        @Option(
            help: ArgumentHelp(
                "An app and its secrets; may be repeated. They are stored in the database as digests, so later starts "
                    + "need not name them. Without any, the first start creates an app and prints its secrets.",
                valueName: "key:secret:master"
            )
        )
        var app: [String] = []

        @Option(
            help: ArgumentHelp("A file with one such app per line.", valueName: "file"),
            completion: .file()
        )
        var appFile: String?

        @OptionGroup var settings: SettingOptions

        @Option(
            help: "What survives a power cut: everything acknowledged (full), or all but the last moments (normal)."
        )
        var durability = Service.Durability.full

        @Option(help: ArgumentHelp("Number of reader threads.", valueName: "n"))
        var readers = 4

        @Option(help: "One line per request on standard error: text, json or off.")
        var log = LineLogHandler.Form.text

        @Option(
            help: ArgumentHelp(
                "Append these lines to a file instead; SIGHUP reopens it (PQL_LOG_FILE).",
                valueName: "file"
            ),
            completion: .file()
        )
        var logFile: String?

        @Flag(help: "Take the client's address from X-Forwarded-For, as set by a proxy.")
        var trustProxy = false

        @Flag(help: "Serve a page below /_play/ for trying queries; only on a loopback address.")
        var playground = false

        @Option(
            help: ArgumentHelp("Create the database from this backup first; it must not exist.", valueName: "file"),
            completion: .file()
        )
        var restore: String?

        func validate() throws {
            guard (1...64).contains(readers) else { throw ValidationError("--readers takes 1 to 64") }
            let host = try address().host
            guard !playground || ["127.0.0.1", "localhost", "::1"].contains(host) else {
                throw ValidationError("--playground requires --listen 127.0.0.1:PORT")
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
            // Arguments can be seen by every user of the machine, variables and files cannot.
            let named = [
                ("--app", app), ("PQL_APP", try Variables.list("PQL_APP")),
                (appFile ?? "", try appFile.map(Self.lines) ?? []),
            ]
            let apps = try named.flatMap { place, texts in try texts.map { try Self.app($0, of: place) } }
            var keys: Set<String> = []
            if let twice = apps.first(where: { !keys.insert($0.key).inserted }) {
                throw ValidationError("the app \(twice.key) is given twice: by --app, --app-file or PQL_APP")
            }
            var configuration = ServiceConfiguration(apps: apps)
            var news: [String] = []
            if apps.isEmpty, !Service.hasApps(path: data) {
                let made = ServiceConfiguration.App(
                    key: Self.secret(8),
                    secret: Self.secret(24),
                    master: Self.secret(24)
                )
                configuration.apps = [made]
                news = ["created an app; its secrets are shown only once", "key \(made.key)", "secret \(made.secret)"]
                news.append("master \(made.master)")
            }
            configuration.settings = try settings.kept(in: data)
            return (configuration, news)
        }

        private static func app(_ text: String, of place: String) throws -> ServiceConfiguration.App {
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
                throw ValidationError(
                    "\(place) takes key:secret:master; the key of letters, digits, - and _, two secrets"
                )
            }
            return ServiceConfiguration.App(key: parts[0], secret: parts[1], master: parts[2])
        }

        private static func lines(_ file: String) throws -> [String] {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                throw Failure(status: .noInput, message: "cannot read \(file)")
            }
            return text.split(whereSeparator: \.isNewline).map(String.init)
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
