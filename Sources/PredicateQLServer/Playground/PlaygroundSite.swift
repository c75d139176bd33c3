#if Server
    import QueryBatch
    import QueryValues
    import StoreModel

    /// The page of `pql play` and `pql serve --playground`, with its requests, below `/_play/`.
    ///
    /// It is for this machine only: requests that name another host, as after DNS rebinding, and requests from other
    /// sites' pages are refused. Rows are read, never written; the page's two devices write separate files, which
    /// ``end()`` removes.
    public struct PlaygroundSite: Sendable {
        private let playground: Playground
        /// True if a service answers the other paths.
        private let hasService: Bool
        private let devices = DeviceSessions()

        /// A site.
        ///
        /// - Parameters:
        ///   - playground: the data.
        ///   - hasService: whether a service answers the other paths, and the page may ask for its collections.
        package init(_ playground: Playground, hasService: Bool) {
            self.playground = playground
            self.hasService = hasService
        }

        /// True if a path is the site's.
        func owns(_ path: String) -> Bool { path == "/_play" || path.hasPrefix("/_play/") }

        /// The answer to a request for one of the site's paths.
        func answer(_ request: WireRequest) async -> WireResponse {
            guard isLocal(request) else { return Self.refuse(403, "the playground is for pages of this machine only") }
            switch (request.method, request.path) {
            case ("GET", "/"), ("GET", "/_play"):
                return WireResponse(status: 302, headers: [("Location", "/_play/")])
            case ("GET", "/_play/"): return Self.file(PackageResources.page_html, "text/html; charset=utf-8")
            case ("GET", "/_play/page.css"): return Self.file(PackageResources.page_css, "text/css; charset=utf-8")
            case ("GET", "/_play/page.js"):
                return Self.file(PackageResources.page_js, "text/javascript; charset=utf-8")
            case ("GET", "/_play/data"): return Self.json(contents)
            case ("POST", "/_play/data"): return await load(request)
            case ("POST", "/_play/query"): return await query(request)
            case ("POST", "/_play/devices"): return await offLoop { await devices.answer(request.body) }
            default: return Self.refuse(404, "the playground has no such page")
            }
        }

        /// Removes what the page's devices wrote.
        func end() async { await devices.end() }

        /// True if a request names this machine, and comes from no other site's page.
        private func isLocal(_ request: WireRequest) -> Bool {
            guard let host = request.headers["Host"]?.lowercased() else { return false }
            let name = host.hasPrefix("[") ? host.prefix { $0 != "]" }.dropFirst() : host.prefix { $0 != ":" }
            guard ["localhost", "127.0.0.1", "::1"].contains(String(name)) else { return false }
            if let origin = request.headers["Origin"]?.lowercased(), origin != "http://" + host { return false }
            return request.method == "GET" || request.headers["Sec-Fetch-Site"].map { $0 == "same-origin" } ?? true
        }

        private var contents: QueryValue {
            guard case .object(var object) = playground.contents else { return .null }
            object["service"] = .bool(hasService)
            object["devices"] = .bool(true)
            return .object(object)
        }

        private func load(_ request: WireRequest) async -> WireResponse {
            let name = Self.parameter("name", of: request) ?? "rows.ndjson"
            guard request.body.count <= Playground.droppedBytes else {
                return Self.refuse(413, "a dropped file has at most \(Playground.droppedBytes >> 20) MiB")
            }
            return await offLoop { () -> WireResponse in
                do throws(QueryError) {
                    let sources = try playground.add(name, request.body, isDropped: true)
                    return Self.json(.object(["sources": .list(sources.map(\.answer))]))
                } catch {
                    return Self.refuse(422, error.message, hint: error.hint)
                }
            }
        }

        private func query(_ request: WireRequest) async -> WireResponse {
            guard request.body.count <= Playground.requestBytes else {
                return Self.refuse(413, "a request has at most \(Playground.requestBytes >> 20) MiB")
            }
            let shown = Self.parameter("shown", of: request).flatMap { Int($0) } ?? 100
            let source = Self.parameter("source", of: request)
            return await offLoop {
                Self.json(Array(playground.answer(request.body, source: source, shown: shown).utf8))
            }
        }

        /// Runs what may take long where no other connection waits for it.
        private func offLoop(_ body: @Sendable () async -> WireResponse) async -> WireResponse {
            await withTaskExecutorPreference(globalConcurrentExecutor) { await body() }
        }

        private static func parameter(_ name: String, of request: WireRequest) -> String? {
            PercentText.items(request.query)?.first { $0.name == name }?.value
        }
    }

    extension PlaygroundSite {
        /// Scripts and styles come from here alone, so that nothing in a row can be one.
        private static let policy =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

        private static let headers: HeaderFields = [
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ]

        private static func file(_ bytes: [UInt8], _ type: String) -> WireResponse {
            var headers = headers
            headers["Content-Type"] = type
            headers["Content-Security-Policy"] = policy
            return WireResponse(status: 200, headers: headers, body: bytes)
        }

        static func json(_ value: QueryValue, status: Int = 200) -> WireResponse {
            json(Array(value.json.utf8), status: status)
        }

        private static func json(_ bytes: [UInt8], status: Int = 200) -> WireResponse {
            var headers = headers
            headers["Content-Type"] = "application/json"
            return WireResponse(status: status, headers: headers, body: bytes)
        }

        /// `{"error":{"message","hint"}}`.
        static func refuse(_ status: Int, _ message: String, hint: String? = nil) -> WireResponse {
            let hint = hint.map(QueryValue.string) ?? .null
            return json(.object(["error": .object(["message": .string(message), "hint": hint])]), status: status)
        }
    }
#endif
