import PredicateQL
import StoreModel

/// A user of the app.
///
///     try await client.signUp(username: "ann", password: "secret").username ?? ""  // → ann
public struct User: Hashable, Sendable {
    /// The id.
    public let id: String
    /// The name; nil for a device's user.
    public let username: String?
    /// The credentials of requests.
    let token: String

    init(id: String, username: String?, token: String) {
        (self.id, self.username, self.token) = (id, username, token)
    }

    /// Reads the user of an answer to a log-in.
    init?(_ response: WireResponse) {
        guard case .object(let user)? = try? QueryValue(json: response.body) else { return nil }
        self.init(user)
    }

    private init?(_ user: Document) {
        guard case .string(let id)? = user["_id"], case .object(let metadata)? = user["_kmd"],
            case .string(let token)? = metadata["authtoken"]
        else { return nil }
        if case .string(let name)? = user["username"] { username = name } else { username = nil }
        (self.id, self.token) = (id, token)
    }

    /// The text of a session's file.
    var stored: String {
        var user: Document = ["_id": .string(id), "_kmd": .object(["authtoken": .string(token)])]
        user["username"] = username.map(QueryValue.string)
        return JSONWriter().text(.object(user))
    }

    /// Reads the text of a session's file.
    init?(stored text: String) {
        guard case .object(let user)? = try? QueryValue(json: text) else { return nil }
        self.init(user)
    }
}

extension StoreClient {
    /// Creates a user and logs in.
    ///
    ///     try await client.signUp(username: "ann", password: "secret").username ?? ""  // → ann
    ///
    /// - Parameters:
    ///   - username: the name; nil for a user without a name, of this device.
    ///   - password: the password; nil for a user of this device.
    /// - Returns: the user.
    /// - Throws: `StoreError.service` with `userAlreadyExists`, and errors of a request.
    @discardableResult
    public func signUp(username: String? = nil, password: String? = nil) async throws(StoreError) -> User {
        try await enter("/user/\(PercentText.encode(app.key))", username, password)
    }

    /// Logs in.
    ///
    ///     try await client.signUp(username: "ann", password: "secret")
    ///     try await client.logIn(username: "ann", password: "secret").username ?? ""  // → ann
    ///
    /// - Parameters:
    ///   - username: the name.
    ///   - password: the password.
    /// - Returns: the user.
    /// - Throws: `StoreError.unauthorized` for a wrong name or password, and errors of a request.
    @discardableResult
    public func logIn(username: String, password: String) async throws(StoreError) -> User {
        try await enter("/user/\(PercentText.encode(app.key))/login", username, password)
    }

    /// Resumes the session of an earlier run, without contacting the service.
    ///
    ///     try await client.resume() == nil  // → true
    ///
    /// - Returns: the user; nil if there was no session.
    /// - Throws: `StoreError.cache`.
    @discardableResult
    public func resume() throws(StoreError) -> User? {
        guard let path = sessionPath, let text = StoreFiles.read(path), let user = User(stored: text) else {
            return nil
        }
        try take(user)
        return user
    }

    /// Ends the session here, and on the service if it can be reached.
    ///
    /// The user's cache stays, with its pending changes.
    ///
    ///     try await client.signUp(username: "ann", password: "secret")
    ///     try await client.logOut()
    ///     await client.activeUser == nil  // → true
    ///
    /// - Throws: `StoreError.cache`.
    public func logOut() async throws(StoreError) {
        guard seat.user != nil else { return }
        let request = Requests(app: app, seat: seat, options: options, id: environment.text(22))
        var end = try? request.plain("POST", "/user/\(PercentText.encode(app.key))/_logout")
        end?.body = Array("{}".utf8)
        if let path = sessionPath { try StoreFiles.remove(path) }
        try take(nil)
        if let end { _ = try? await send(end, for: .nothing, of: nil, options) }
    }

    private func enter(_ path: String, _ username: String?, _ password: String?) async throws(StoreError) -> User {
        var body = Document()
        body["username"] = username.map(QueryValue.string)
        body["password"] = password.map(QueryValue.string)
        var nobody = seat
        nobody.user = nil
        let requests = Requests(app: app, seat: nobody, options: options, id: environment.text(22))
        let response = try await send(requests.plain("POST", path, body: .object(body)), for: .user, of: nil, options)
        try response.check()
        guard let user = User(response) else { throw .badAnswer("a user with a token was expected") }
        if let path = sessionPath { try StoreFiles.write(user.stored, to: path) }
        try take(user)
        return user
    }
}
