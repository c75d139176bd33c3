import Foundation
import PredicateQL
import QueryValues
import StoreModel

extension Service {
    /// POST of a new user; the answer has the token of a session.
    func signUp(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        guard configuration.allowsSignUp || exchange.caller.identity == .master else {
            throw ServiceFault(.insufficientCredentials, debug: "only the owner of the app adds users")
        }
        let body = try exchange.userBody()
        let app = exchange.caller.app
        let isOwner = exchange.caller.identity == .master
        let given = try body.userID()
        guard isOwner || given == nil else {
            throw ServiceFault(.badRequest, debug: "only the app's owner gives a new user its _id")
        }
        let id =
            given
            ?? EntityID.make(at: exchange.now, random: environment.random(), environment.random())
        try body.demandOwnAccess(of: id)
        // The owner moves users in as they were.
        guard isOwner || body[Exchange.socialIdentity] == nil else {
            throw ServiceFault(
                .featureUnavailable,
                debug: "\(Exchange.socialIdentity): sign up with username and password"
            )
        }
        // Without a name or a password, a device makes a user of its own.
        let username = try body.name("username") ?? id
        let password = try body.name("password") ?? token()
        let salt = environment.randomBytes(16)
        let hash = try await passwords.hash(password, salt, from: exchange.request.address)
        let token = token()
        let digest = environment.digest(Array(token.utf8))
        let times = try isOwner ? body.times(until: .latest(at: exchange.now)) : (created: nil, changed: nil)
        let user = User.document(body, id: id, username: username, times, at: exchange.now)
        let json = try user.userJSON(configuration.limits)
        let made = try await storage.change { (group) throws(QueryError) in
            guard try group.connection.user(named: username, of: app) == nil,
                try group.connection.user(id, of: app) == nil
            else { return false }
            try group.connection.addUser([app, id, username, json], salt, hash.stored)
            try group.connection.addSession(digest, app, id, at: exchange.now)
            return true
        }
        guard made else { throw ServiceFault(.userAlreadyExists, debug: "the name or the id is taken") }
        return .json(.object(user.withToken(token)), status: 201)
    }

    /// POST of a name and a password; the answer has the token of a session.
    func logIn(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        let body = try exchange.object(of: ["username", "password"])
        let app = exchange.caller.app
        guard let username = try body.name("username"), let password = try body.name("password") else {
            throw ServiceFault(.badRequest, debug: "username and password are needed")
        }
        let found = try await user(named: username, exchange)
        // Who guesses one account's password from many addresses waits, too.
        let account = "u\(app)/\(username)"
        let guesses = configuration.limits.guessesPerMinute
        let rule = "wrong passwords of an account: \(guesses ?? 0) a minute"
        if let guesses {
            try rates.take(account, rule, perMinute: guesses, burst: guesses, now: exchange.now, count: 0)
        }
        // A name that does not exist takes as long as a wrong password.
        let address = exchange.request.address
        let hash = try await passwords.hash(
            password,
            found?.salt ?? Array(repeating: 0, count: 16),
            found?.password?.cost ?? .current,
            from: address
        )
        let wrong = ServiceFault(.invalidCredentials, debug: ServiceFault.wrongPassword)
        guard let found, found.password == hash else {
            if let guesses { try rates.take(account, rule, perMinute: guesses, burst: guesses, now: exchange.now) }
            throw wrong
        }
        // A hash of before becomes one of today's cost.
        let renewed = hash.cost == .current ? nil : try await passwords.hash(password, found.salt, from: address)
        let token = token()
        let digest = environment.digest(Array(token.utf8))
        let isThere = try await storage.change { (group) throws(QueryError) in
            // The account may have been closed, or have another password, since it was read.
            guard let present = try group.connection.user(found.id, of: app), present.hash == found.hash else {
                return false
            }
            if let renewed {
                try group.connection.run(
                    "UPDATE user SET hash = ? WHERE app = ? AND id = ?",
                    [.data(renewed.stored), .string(app), .string(found.id)]
                )
            }
            try group.connection.addSession(digest, app, found.id, at: exchange.now)
            return true
        }
        guard isThere else { throw wrong }
        return .json(.object(found.document.withToken(token)))
    }

    /// Ends the session of the request.
    func logOut(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        _ = try exchange.user()
        let header = exchange.request.headers["Authorization"] ?? ""
        let token = header.split(separator: " ").last.map(String.init) ?? ""
        let digest = environment.digest(Array(token.utf8))
        try await storage.change { (group) throws(QueryError) in
            try group.connection.run("DELETE FROM session WHERE tokenHash = ?", [.data(digest)])
        }
        credentials.forget { $1 == digest }
        return WireResponse(status: 204)
    }

    /// The user of the session.
    func me(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        try await .json(.object(user(exchange.user(), exchange).document))
    }

    /// A user, for the user and the app's owner.
    func getUser(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        try await .json(.object(user(exchange.ownUser(), exchange).document))
    }

    /// Ids and names of users.
    func lookUp(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        guard let username = try exchange.object(of: ["username"]).name("username") else {
            throw ServiceFault(.badRequest, debug: "users are found by username")
        }
        let found = try await user(named: username, exchange)
        let users = found.map { [QueryValue.object(["_id": .string($0.id), "username": .string(username)])] }
        return .json(.list(users ?? []))
    }

    /// Whether a name is taken.
    func checkUserName(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        guard let username = try exchange.object(of: ["username"]).name("username") else {
            throw ServiceFault(.badRequest, debug: "username is missing")
        }
        let found = try await user(named: username, exchange)
        return .json(.object(["usernameExists": .bool(found != nil)]))
    }

    /// PUT of a user: its fields, and a new name or password.
    func updateUser(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        let body = try exchange.userBody()
        let app = exchange.caller.app
        let id = try exchange.ownUser()
        try body.demandID(id)
        try body.demandOwnAccess(of: id)
        let present = try await user(id, exchange)
        let username = try body.name("username")
        let salt = environment.randomBytes(16)
        let password = try body.name("password")
        var hash: PasswordHash?
        if let password { hash = try await passwords.hash(password, salt, from: exchange.request.address) }
        // The name of now decides about the size, the one of the commit is kept.
        _ = try User.document(body, id: id, username: username ?? present.username, (nil, nil), at: exchange.now)
            .userJSON(configuration.limits)
        let isOwner = exchange.caller.identity == .master
        let newHash = hash
        let outcome = try await storage.change { (group) throws(QueryError) -> Update in
            // What another request changed since stays changed: a closed account closed, a password the new one.
            guard let user = try group.connection.user(id, of: app), isOwner || !user.hash.isEmpty else {
                return .isGone
            }
            let username = username ?? user.username
            let other = try group.connection.user(named: username, of: app)
            guard other == nil || other?.id == id else { return .nameIsTaken }
            let document = User.document(body, id: id, username: username, (user.created, nil), at: exchange.now)
            try group.connection.run(
                "UPDATE user SET username = ?, salt = ?, hash = ?, doc = ? WHERE app = ? AND id = ?",
                [
                    .string(username), .data(newHash == nil ? user.salt : salt), .data(newHash?.stored ?? user.hash),
                    .string(QueryValue.object(document).json), .string(app), .string(id),
                ]
            )
            if newHash != nil { try group.connection.endSessions(of: id, app) }
            return .isMade(document)
        }
        switch outcome {
        case .isGone: throw ServiceFault(.userNotFound, debug: id)
        case .nameIsTaken: throw ServiceFault(.userAlreadyExists, debug: "the name is taken")
        case .isMade(let document):
            if password != nil { credentials.forget { caller, _ in caller.app == app && caller.user == id } }
            return .json(.object(document))
        }
    }

    /// DELETE of a user: the account is closed, or gone for good.
    func removeUser(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        let app = exchange.caller.app
        let id = try exchange.ownUser()
        let isHard = try exchange.flag("hard")
        try exchange.refuse(Self.conditions, "a user")
        _ = try await user(id, exchange)
        try await storage.change { (group) throws(QueryError) in
            let sql =
                isHard
                ? "DELETE FROM user WHERE app = ? AND id = ?"
                : "UPDATE user SET hash = x'' WHERE app = ? AND id = ?"
            try group.connection.run(sql, [.string(app), .string(id)])
            try group.connection.endSessions(of: id, app)
        }
        credentials.forget { caller, _ in caller.app == app && caller.user == id }
        return WireResponse(status: 204)
    }

    private func user(named name: String, _ exchange: Exchange) async throws(ServiceFault) -> User? {
        let app = exchange.caller.app
        return try await storage.read(for: exchange.sender) { (connection) throws(ServiceFault) in
            try connection.faults { () throws(QueryError) in try connection.user(named: name, of: app) }
        }
    }

    private func user(_ id: String, _ exchange: Exchange) async throws(ServiceFault) -> User {
        let app = exchange.caller.app
        let found = try await storage.read(for: exchange.sender) { (connection) throws(ServiceFault) in
            try connection.faults { () throws(QueryError) in try connection.user(id, of: app) }
        }
        guard let found else { throw ServiceFault(.userNotFound, debug: id) }
        return found
    }

    /// 32 random bytes as text.
    private func token() -> String {
        Data(environment.randomBytes(32)).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// What became of a change of a user.
    private enum Update: Sendable {
        case isMade(Document)
        case isGone, nameIsTaken
    }
}

extension Document {
    /// A name in a body: a text of 1 to 1,024 bytes; nil if it is absent.
    fileprivate func name(_ key: String) throws(ServiceFault) -> String? {
        switch self[key] {
        case nil, .null?: return nil
        case .string(let text)? where (1...1_024).contains(text.utf8.count): return text
        default: throw ServiceFault(.badRequest, debug: "\(key) must be a text of 1 to 1,024 bytes")
        }
    }

    /// The id that the app's owner gives a new user; nil for none.
    fileprivate func userID() throws(ServiceFault) -> String? {
        switch self["_id"] {
        case nil, .null?: return nil
        case .string(let text)? where User.isID(text): return text
        case "login"?:
            throw ServiceFault(.invalidIdentifier, debug: "no user has the _id login: its path is that of log-ins")
        default: throw ServiceFault(.invalidIdentifier, debug: "the _id is not allowed: " + EntityID.rule)
        }
    }

    /// A user's document with the token of a new session.
    fileprivate func withToken(_ token: String) -> Document {
        var document = self
        if case .object(var metadata)? = document["_kmd"] {
            metadata["authtoken"] = .string(token)
            document["_kmd"] = .object(metadata)
        }
        return document
    }
}

extension Exchange {
    /// The body of a request that makes or changes a user.
    fileprivate func userBody() throws(ServiceFault) -> Document {
        try refuse(Service.conditions, "a user")
        let body = try object()
        _ = try body.ownMetadata()
        return body
    }

    /// The user of the session.
    fileprivate func user() throws(ServiceFault) -> String {
        guard let user = caller.user else {
            throw ServiceFault(.insufficientCredentials, debug: "a session of a user is needed")
        }
        return user
    }

    /// The user that the path names: the caller's own, or any for the app's owner.
    fileprivate func ownUser() throws(ServiceFault) -> String {
        let id = try id()
        guard caller.identity == .master || caller.user == id else {
            throw ServiceFault(.insufficientCredentials, debug: "only the user and the app's owner may do this")
        }
        return id
    }
}

/// Hashes passwords, few at once: each takes 16 MiB and tens of milliseconds.
final class Passwords: Sendable {
    static let mostWaiting = 32

    private let hashOf: @Sendable ([UInt8], [UInt8], PasswordCost) -> [UInt8]?
    private let threads: WorkThreads<Void>?
    private let waiting = Mutex(0)

    init(_ environment: ServiceEnvironment, threads: Int) {
        hashOf = environment.passwordHash
        self.threads = threads > 0 ? WorkThreads("passwords", states: Array(repeating: (), count: threads)) : nil
    }

    func stop() { threads?.stop() }

    /// The hash of a password that comes from an address.
    ///
    /// - Throws: `requestLimitExceeded` while too many wait, `serviceUnavailable` if it cannot be hashed.
    func hash(
        _ password: String,
        _ salt: [UInt8],
        _ cost: PasswordCost = .current,
        from address: String
    ) async throws(ServiceFault) -> PasswordHash {
        let bytes = Array(password.utf8)
        let hash: [UInt8]?
        if let threads {
            let isAdmitted = waiting.withLock { waiting in
                if waiting >= Self.mostWaiting { return false }
                waiting += 1
                return true
            }
            guard isAdmitted else {
                throw ServiceFault(.requestLimitExceeded, debug: "too many passwords are being hashed", retryAfter: 1)
            }
            defer { waiting.withLock { $0 -= 1 } }
            hash = await withCheckedContinuation { continuation in
                let admission = threads.run(for: address) { [hashOf] _ in
                    continuation.resume(returning: hashOf(bytes, salt, cost))
                }
                if admission != .waits { continuation.resume(returning: nil) }
            }
        } else {
            hash = hashOf(bytes, salt, cost)
        }
        guard let hash else {
            throw ServiceFault(.serviceUnavailable, debug: "the password cannot be hashed", retryAfter: 1)
        }
        return PasswordHash(cost: cost, bytes: hash)
    }
}
