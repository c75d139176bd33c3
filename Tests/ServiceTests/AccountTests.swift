import Foundation
import PredicateQL
import StoreModel
import StoreSupport
import Testing

@testable import PredicateQLService

/// Accounts: what happens between a password's hash and its commit, guesses, and what a hash costs.
@Suite struct AccountTests {
    private final class Flag: Sendable {
        let value = Mutex(false)
    }

    /// A service on a file, whose hash of the password "slow" waits until it is let go.
    private final class SlowService: Sendable {
        private let path =
            FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".sqlite").path
        private let gate = DispatchSemaphore(value: 0)
        private let waiting = Flag()
        let service: Service

        init() throws {
            var environment = ServiceHarness.environment()
            let hash = environment.passwordHash
            environment.passwordHash = { [gate, waiting] password, salt, cost in
                if password == Array("slow".utf8) {
                    waiting.value.withLock { $0 = true }
                    gate.wait()
                }
                return hash(password, salt, cost)
            }
            var configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
            configuration.limits.logInsPerMinute = nil
            service = try Service(path: path, configuration, environment, readers: 1)
        }

        deinit {
            service.close()
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }

        /// Sends a request whose password is slow, and another while it is hashed.
        func during(_ slow: WireRequest, _ other: WireRequest) async -> (slow: WireResponse, other: WireResponse) {
            async let answer = service.answer(slow)
            while !waiting.value.withLock({ $0 }) { await Task.yield() }
            waiting.value.withLock { $0 = false }
            // One address hashes one password at a time.
            var other = other
            other.address = "192.0.2.1"
            let between = await service.answer(other)
            gate.signal()
            return (await answer, between)
        }
    }

    private static func request(
        _ method: String,
        _ path: String,
        _ body: String = "{}",
        as authorization: String = ServiceHarness.basic("s")
    ) -> WireRequest {
        let headers: HeaderFields = [("Authorization", authorization), ("Content-Type", "application/json")]
        return WireRequest(method, path, query: "", headers: headers, body: Array(body.utf8))
    }

    private static func user(_ response: WireResponse) throws -> (id: String, session: String) {
        guard case .object(let user) = try QueryValue(json: response.body), case .string(let id)? = user["_id"],
            case .object(let metadata)? = user["_kmd"], case .string(let token)? = metadata["authtoken"]
        else { return ("", "") }
        return (id, "Kinvey " + token)
    }

    private static let logIn = request("POST", "/user/kid/login", #"{"username":"ann","password":"slow"}"#)

    /// A change that was under way does not bring a closed account back, nor a password that was changed.
    @Test func changesAreComparedWithinTheCommit() async throws {
        let slow = try SlowService()
        let made = await slow.service.answer(
            Self.request("POST", "/user/kid", #"{"username":"ann","password":"p"}"#)
        )
        let ann = try Self.user(made)
        let change = Self.request("PUT", "/user/kid/\(ann.id)", #"{"password":"slow"}"#, as: ann.session)
        let close = Self.request("DELETE", "/user/kid/\(ann.id)", as: ServiceHarness.basic("m"))
        let outcome = await slow.during(change, close)
        #expect(outcome.other.status == 204)
        #expect(outcome.slow.status == 404)
        for password in ["p", "other"] {
            let body = #"{"username":"ann","password":"\#(password)"}"#
            #expect(await slow.service.answer(Self.request("POST", "/user/kid/login", body)).status == 401)
        }
        // The owner may open it again.
        let open = Self.request("PUT", "/user/kid/\(ann.id)", #"{"password":"q"}"#, as: ServiceHarness.basic("m"))
        #expect(await slow.service.answer(open).status == 200)
        let body = #"{"username":"ann","password":"q"}"#
        #expect(await slow.service.answer(Self.request("POST", "/user/kid/login", body)).status == 200)
    }

    /// A log-in that was under way when the password changed begins no session.
    @Test func logInsAreComparedWithinTheCommit() async throws {
        for other in [#"{"password":"new"}"#, nil] {
            let slow = try SlowService()
            let signUp = Self.request("POST", "/user/kid", #"{"username":"ann","password":"slow"}"#)
            let made = await slow.during(signUp, Self.request("GET", "/healthz")).slow
            let ann = try Self.user(made)
            let path = "/user/kid/\(ann.id)"
            let change =
                other.map { Self.request("PUT", path, $0, as: ann.session) }
                ?? Self.request("DELETE", path, as: ServiceHarness.basic("m"))
            let outcome = await slow.during(Self.logIn, change)
            #expect(outcome.other.status < 300)
            #expect(outcome.slow.status == 401)
        }
    }

    /// A session that was read before its end is not remembered after it.
    @Test func endedSessionsAreNotRemembered() {
        let configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
        let credentials = Credentials([], ServiceHarness.environment(), configuration.limits)
        let caller = Caller(app: "kid", identity: .user("ann"))
        let before = credentials.forgotten
        credentials.forget { _, _ in false }
        credentials.remember(caller, token: [1], used: 0, since: before)
        #expect(credentials.caller(token: [1], now: 0) == nil)
        credentials.remember(caller, token: [1], used: 0, since: credentials.forgotten)
        #expect(credentials.caller(token: [1], now: 0)?.user == "ann")
    }

    /// Passwords of one account cannot be guessed from many addresses, nor secrets from one network.
    @Test func guessesAreCounted() async throws {
        let harness = try ServiceHarness { $0.limits.logInsPerMinute = nil }
        _ = await harness.signUp("ann")
        _ = await harness.signUp("bob")
        func logIn(_ name: String, _ password: String) async -> Int {
            let body = #"{"username":"\#(name)","password":"\#(password)"}"#
            return await harness.send("POST", "/user/kid/login", body, as: ServiceHarness.basic("s")).status
        }
        for _ in 0..<20 { #expect(await logIn("ann", "p") == 200) }
        for _ in 0..<10 { #expect(await logIn("ann", "wrong") == 401) }
        #expect(await logIn("ann", "wrong") == 429)
        #expect(await logIn("ann", "p") == 429)
        #expect(await logIn("bob", "p") == 200)
        harness.time.advance(60_000)
        #expect(await logIn("ann", "p") == 200)
        for _ in 0..<100 {
            #expect(await harness.send("GET", "Book", as: ServiceHarness.basic("x")).status == 401)
        }
        #expect(await harness.send("GET", "Book", as: ServiceHarness.basic("m")).status == 429)
        harness.time.advance(60_000)
        #expect(await harness.send("GET", "Book", as: ServiceHarness.basic("m")).status == 200)
    }

    @Test func networksOfAddresses() {
        #expect("192.0.2.7".network == "192.0.2.7")
        #expect("2001:db8:1:2:3:4:5:6".network == "2001:db8:1:2::1".network)
        #expect("2001:db8:1:2::1".network != "2001:db8:1:3::1".network)
        #expect("fe80::1%eth0".network == "fe80::2".network)
        #expect("::ffff:192.0.2.7".network != "::ffff:192.0.2.8".network)
        #expect("a:b".network == "a:b")
    }

    /// A hash that was kept without its cost is read at the cost of then, and becomes one of today.
    @Test func hashesOfBeforeAreRenewed() async throws {
        let harness = try ServiceHarness()
        let ann = await harness.signUp("ann")
        let old = ServiceHarness.environment().passwordHash(Array("p".utf8), Array(repeating: 7, count: 16), .unnamed)
        let hash = try #require(old)
        try await harness.service.storage.change { (group) throws(QueryError) in
            try group.connection.run(
                "UPDATE user SET salt = ?, hash = ? WHERE id = ?",
                [.data(Array(repeating: 7, count: 16)), .data(hash), .string(ann.id)]
            )
        }
        let body = #"{"username":"ann","password":"p"}"#
        for _ in 0..<2 {
            #expect(await harness.send("POST", "/user/kid/login", body, as: ServiceHarness.basic("s")).status == 200)
        }
        let kept = try await harness.service.storage.change { (group) throws(QueryError) in
            try group.connection.user(ann.id, of: "kid")?.password?.cost
        }
        #expect(kept == .current)
    }

    /// What only writes of entities act on is refused, not left out: a repeated or a conditional write would be neither.
    @Test func usersTakeNoConditions() async throws {
        let harness = try ServiceHarness()
        let ann = await harness.signUp("ann")
        let path = "/user/kid/\(ann.id)"
        for (method, path, body) in [
            ("POST", "/user/kid", #"{"username":"bob"}"#), ("PUT", path, #"{"n":1}"#), ("DELETE", path, nil),
            ("DELETE", "/admin/kid/Book", nil),
        ] as [(String, String, String?)] {
            for (header, value) in [("If-Match", "\"x\""), ("If-None-Match", "*"), ("Idempotency-Key", "x")] {
                let answer = await harness.send(method, path, body, [header: value])
                #expect(answer.status == 400 && answer.body.contains("takes no \(header)"), "\(answer.body)")
            }
        }
        for (body, said) in [
            (#"{"_acl":{"r":["bob"]}}"#, "_acl of a user takes no gr, gw, r and w"), (#"{"_acl":5}"#, "_acl must be"),
            (#"{"_acl":{"x":1}}"#, "_acl has no key x"), (#"{"_kmd":5}"#, "_kmd must be an object"),
            (#"{"_id":"bob"}"#, "not that of the path"),
            (#"{"_acl":{"creator":"bob"}}"#, "_acl.creator of a user is its own _id"),
        ] {
            let answer = await harness.send("PUT", path, body, as: ann.session)
            #expect(answer.status == 400 && answer.body.contains(said), "\(answer.body)")
        }
        #expect(await harness.send("POST", "/user/kid", #"{"_acl":{"gr":true}}"#).status == 400)
        // Who grants nothing, and names nobody else, is not refused.
        for body in [#"{"_id":null,"_acl":{"gr":false,"gw":false,"r":[]}}"#, #"{"_acl":{"creator":"\#(ann.id)"}}"#] {
            #expect(await harness.send("PUT", path, body, as: ann.session).status == 200)
        }
        let (app, owner) = (ServiceHarness.basic("s"), ServiceHarness.basic("m"))
        #expect(await harness.send("POST", "/user/kid", #"{"_id":null,"_acl":{"gr":false}}"#, as: app).status == 201)
        for (body, sender, said) in [
            (#"{"_id":"chosen"}"#, app, "only the app's owner gives a new user its _id"),
            (#"{"_acl":{"creator":"bob"}}"#, app, "_acl.creator of a user"),
            (#"{"_id":"c","_acl":{"creator":"bob"}}"#, owner, "_acl.creator of a user"),
            (#"{"_id":"login"}"#, owner, "its path is that of log-ins"),
        ] {
            let answer = await harness.send("POST", "/user/kid", body, as: sender)
            #expect(answer.status == 400 && answer.body.contains(said), "\(answer.body)")
        }
        let moved = #"{"_id":"moved","_acl":{"creator":"moved"}}"#
        #expect(await harness.send("POST", "/user/kid", moved).status == 201)
        #expect(
            await harness.send("DELETE", path + "?hard=yes", as: ann.session).body.contains("hard is true or false")
        )
        // What was read can be written back.
        let user = await harness.send("GET", path, as: ann.session)
        #expect(await harness.send("PUT", path, user.body, as: ann.session).status == 200)
        // The path of a log-in is nobody's.
        #expect(await harness.send("OPTIONS", "/user/kid/login").headers["Allow"] == "POST, OPTIONS")
        #expect(await harness.send("GET", "/user/kid/login").status == 405)
        #expect(await harness.send("PUT", "Book/login", "{}").status == 201)
    }

    @Test func usersHaveABound() async throws {
        let harness = try ServiceHarness { $0.limits.entityBytes = 1_000 }
        let long = #"{"username":"ann","password":"p","bio":"\#(String(repeating: "x", count: 1_000))"}"#
        #expect(await harness.send("POST", "/user/kid", long, as: ServiceHarness.basic("s")).status == 413)
        let ann = await harness.signUp("ann")
        #expect(await harness.send("PUT", "/user/kid/\(ann.id)", long, as: ann.session).status == 413)
    }
}
