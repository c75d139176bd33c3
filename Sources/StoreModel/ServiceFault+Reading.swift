import QueryValues

extension WireResponse {
    /// The tick of the snapshot that an answer shows; nil without the header.
    package var tick: Int64? {
        headers["X-Kinvey-Request-Start"].flatMap { Tick($0)?.rawValue }
    }

    /// The error of an answer that is not the service's.
    package func foreign(_ expectation: String) -> ServiceFault {
        var fault = ServiceFault(
            .init(rawValue: "HTTP \(status)"),
            debug: expectation,
            status: status,
            retryAfter: headers["Retry-After"].flatMap { Int($0) }
        )
        let type = headers["Content-Type"].map { String($0.prefix(80)) } ?? "no content type"
        fault.description =
            "the answer is not the service's (status \(status), \(type)): a gateway or a network's log-in "
            + "page sent it"
        return fault
    }

    /// True if the body is declared as JSON; parameters may follow.
    package var isJSON: Bool {
        let type = (headers["Content-Type"] ?? "").prefix { $0 != ";" }
        return type.filter { $0 != " " && $0 != "\t" }.lowercased() == "application/json"
    }

    /// True if the body is an error of the protocol: by its name, or by its three texts if the name is unknown.
    package var isError: Bool {
        guard case .object(let document)? = try? QueryValue(json: body), case .string(let name)? = document["error"]
        else { return false }
        if ServiceFault.known[.init(rawValue: name)] != nil { return true }
        guard case .string? = document["description"], case .string? = document["debug"] else { return false }
        return true
    }
}

extension Document {
    /// The tick of `_kmd.lmt`.
    package var changed: Int64? {
        guard case .object(let metadata)? = self["_kmd"], case .string(let text)? = metadata["lmt"] else { return nil }
        return Tick(text)?.rawValue
    }
}

extension ServiceFault {
    /// An error's body; without one, its status decides.
    package init(_ response: WireResponse) {
        let value = try? QueryValue(json: response.body)
        self.init(value, status: response.status, retryAfter: response.headers["Retry-After"].flatMap { Int($0) })
    }

    /// The three texts of an error, and the entity that a condition failed on.
    package init(_ value: QueryValue?, status: Int, retryAfter: Int? = nil) {
        guard case .object(let document)? = value, case .string(let name)? = document["error"] else {
            self.init(Name(rawValue: "HTTP \(status)"), status: status, retryAfter: retryAfter)
            return
        }
        func text(_ key: String) -> String? {
            if case .string(let text)? = document[key] { text } else { nil }
        }
        self.init(Name(rawValue: name), debug: text("debug") ?? "", status: status, retryAfter: retryAfter)
        description = text("description") ?? description
        if let entity = document["entity"] {
            var json: [UInt8] = []
            JSONWriter().write(entity, to: &json)
            self.entity = json
        }
    }

    /// What the service says of an app's key and secret, and of a user's name and password.
    package static let wrongSecret = "the key or the secret is wrong"
    package static let wrongPassword = "the name or the password is wrong"

    /// What to do about credentials that the service rejects.
    package var remedy: String {
        switch debug {
        case Self.wrongSecret: "check the key and the secret of the app"
        case Self.wrongPassword: "check both"
        default: "log in again"
        }
    }

    /// The remedy of a refusal, where there is one.
    package var fix: String? {
        switch name {
        case .pathNotFound: "check the address of the service, what stands before /appdata"
        case .invalidQuerySyntax:
            "simplify the query, or pull a simpler one that finds more, and query the cache with readPolicy: .local, "
                + "which has none of the service's limits"
        default: nil
        }
    }

    /// The error for a response that does not follow the protocol.
    package static func unreadable(_ reason: String) -> ServiceFault {
        ServiceFault(Name(rawValue: "BadAnswer"), debug: reason, status: 502)
    }

    /// True if an `_id` is taken; the service has one name for that and for its own faults.
    package var isTakenID: Bool {
        name == .internalErrorRetry && debug == "An entity with that _id already exists in this collection"
    }
}
