import Foundation
import PredicateQL
import QueryValues
import StoreModel

/// The secrets of apps, and the sessions that were seen.
final class Credentials: Sendable {
    private struct Session: Sendable {
        var caller: Caller
        /// When the session was used last, as the database knows it.
        var used: Int64
    }

    private let apps: [String: AppDigests]
    private let environment: ServiceEnvironment
    private let lifetime: Int64
    private struct Sessions: Sendable {
        /// By the digest of their token.
        var known: [[UInt8]: Session] = [:]
        /// How often sessions were forgotten.
        var forgotten = 0
    }

    private let sessions = Mutex(Sessions())

    init(_ apps: [AppDigests], _ environment: ServiceEnvironment, _ limits: ServiceLimits) {
        self.environment = environment
        lifetime = Int64(limits.sessionDays) * CivilDate.millisecondsPerDay
        self.apps = Dictionary(apps.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    }

    func hasApp(_ key: String) -> Bool { apps[key] != nil }

    /// Whom a key and a secret are; nil for wrong ones.
    func caller(app: String, secret: String) -> Caller? {
        guard let secrets = apps[app] else { return nil }
        // Digests are compared, so the time says nothing about the secret.
        let digest = environment.digest(Array(secret.utf8))
        if digest == secrets.master { return Caller(app: app, identity: .master) }
        return digest == secrets.secret ? Caller(app: app, identity: .app) : nil
    }

    /// The caller of a session that was seen; nil if the database must be read.
    func caller(token: [UInt8], now: Int64) -> Caller? {
        sessions.withLock { sessions in
            guard let session = sessions.known[token] else { return nil }
            // A session in use is written once a day.
            if now - session.used < min(CivilDate.millisecondsPerDay, lifetime) { return session.caller }
            sessions.known[token] = nil
            return nil
        }
    }

    /// How often sessions were forgotten: what is read from now on is remembered only if that stays so.
    var forgotten: Int { sessions.withLock { $0.forgotten } }

    /// Keeps a session that the database had when so many sessions had been forgotten.
    func remember(_ caller: Caller, token: [UInt8], used: Int64, since forgotten: Int) {
        sessions.withLock { sessions in
            guard sessions.forgotten == forgotten else { return }
            if sessions.known.count >= 100_000 { sessions.known.removeAll() }
            sessions.known[token] = Session(caller: caller, used: used)
        }
    }

    func forget(_ isGone: (Caller, [UInt8]) -> Bool) {
        sessions.withLock { sessions in
            sessions.forgotten += 1
            sessions.known = sessions.known.filter { !isGone($0.value.caller, $0.key) }
        }
    }

    /// True if a session used then has ended.
    func isOver(_ used: Int64, now: Int64) -> Bool { now - used > lifetime }
}

extension Service {
    /// Who sends a request.
    ///
    /// - Throws: `appNotFound`, and `invalidCredentials` for none or wrong ones.
    func caller(of request: WireRequest, app: String, now: Int64) async throws(ServiceFault) -> Caller {
        guard credentials.hasApp(app) else { throw ServiceFault(.appNotFound, debug: "the path names no app") }
        let header = request.headers["Authorization"] ?? ""
        let parts = header.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2 else {
            throw ServiceFault(.invalidCredentials, debug: "Authorization must be Basic, Kinvey or Bearer")
        }
        switch parts[0].lowercased() {
        case "basic":
            guard let data = Data(base64Encoded: String(parts[1])),
                let text = String(validating: data, as: UTF8.self), let colon = text.firstIndex(of: ":"),
                text[..<colon] == app,
                text[text.index(after: colon)...].utf8.count <= 1_024
            else { throw ServiceFault(.invalidCredentials, debug: ServiceFault.wrongSecret) }
            let network = "s\(app)/" + request.address.network
            let most = configuration.limits.guessesPerMinute.map { $0 * 10 }
            let rule = "wrong secrets from an address: \(most ?? 0) a minute"
            if let most { try rates.take(network, rule, perMinute: most, burst: most, now: now, count: 0) }
            if let caller = credentials.caller(app: app, secret: String(text[text.index(after: colon)...])) {
                return caller
            }
            if let most { try rates.take(network, rule, perMinute: most, burst: most, now: now) }
            throw ServiceFault(.invalidCredentials, debug: ServiceFault.wrongSecret)
        case "kinvey", "bearer": return try await caller(token: String(parts[1]), app: app, request.address, now: now)
        default: throw ServiceFault(.invalidCredentials, debug: "Authorization must be Basic, Kinvey or Bearer")
        }
    }

    private func caller(token: String, app: String, _ address: String, now: Int64) async throws(ServiceFault) -> Caller
    {
        guard token.utf8.count <= 256 else { throw ServiceFault(.invalidCredentials, debug: "the session has ended") }
        let digest = environment.digest(Array(token.utf8))
        if let caller = credentials.caller(token: digest, now: now) {
            guard caller.app == app else { throw ServiceFault(.invalidCredentials, debug: "another app's session") }
            return caller
        }
        let forgotten = credentials.forgotten
        let session = try await storage.read(for: "a\(app)/\(address)", isShort: true) {
            (connection) throws(ServiceFault) in try connection.session(digest)
        }
        guard let session, session.app == app, !credentials.isOver(session.used, now: now) else {
            throw ServiceFault(.invalidCredentials, debug: "the session has ended")
        }
        let caller = Caller(app: app, identity: .user(session.user))
        if now - session.used >= CivilDate.millisecondsPerDay {
            try await storage.change { (group) throws(QueryError) in
                try group.connection.run("UPDATE session SET used = ? WHERE tokenHash = ?", [.int(now), .data(digest)])
            }
            credentials.remember(caller, token: digest, used: now, since: forgotten)
        } else {
            credentials.remember(caller, token: digest, used: session.used, since: forgotten)
        }
        return caller
    }

    /// Refuses requests that come too often.
    func admit(_ request: WireRequest, _ route: Route, _ caller: Caller, _ now: Int64) throws(ServiceFault) {
        let limits = configuration.limits
        switch route {
        case .signUp, .logIn:
            // The owner moves users in.
            guard let most = limits.logInsPerMinute, caller.identity != .master else { return }
            let rule = "log-ins and sign-ups from an address: \(most) a minute"
            try rates.take("a" + request.address.network, rule, perMinute: most, burst: most, now: now)
        default:
            guard let most = limits.requestsPerSecond, caller.identity != .master else { return }
            let rule = "requests of a session: \(most) a second"
            try rates.take(caller.sender(at: request.address), rule, perMinute: most * 60, burst: most * 2, now: now)
        }
    }
}

extension String {
    /// The part of an address that one customer of a provider has: an IPv4 address, the first 64 bits of an IPv6 one.
    package var network: String {
        guard utf8.contains(UInt8(ascii: ":")) else { return self }
        var address = in6_addr()
        let plain = String(prefix { $0 != "%" })
        guard inet_pton(AF_INET6, plain, &address) == 1 else { return self }
        return withUnsafeBytes(of: &address) { bytes in
            // IPv4 in IPv6's form is an address of its own.
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            return (isMapped ? bytes[...] : bytes.prefix(8)).map { String($0, radix: 16) }.joined(separator: ".")
        }
    }
}

/// Token buckets by name.
final class RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var filled: Int64
    }

    private let buckets = Mutex<[String: Bucket]>([:])

    /// Takes a token, or none, and refuses where a bucket is empty.
    ///
    /// - Parameters:
    ///   - name: whose bucket.
    ///   - rule: what is bounded, and how much of it is allowed.
    ///   - perMinute: tokens that come back in a minute.
    ///   - burst: the most tokens in a bucket.
    ///   - now: the time of day in milliseconds since 1970.
    ///   - tokens: 1, or 0 to take nothing.
    /// - Throws: `requestLimitExceeded` for an empty bucket, with the seconds to wait.
    func take(
        _ name: String,
        _ rule: String,
        perMinute: Int,
        burst: Int,
        now: Int64,
        count tokens: Double = 1
    ) throws(ServiceFault) {
        let perMillisecond = Double(max(1, perMinute)) / 60_000
        let wait = buckets.withLock { buckets -> Double? in
            // Full buckets need not be kept.
            if buckets.count >= 100_000 { buckets.removeAll() }
            if tokens == 0, buckets[name] == nil { return nil }
            var bucket = buckets[name] ?? Bucket(tokens: Double(burst), filled: now)
            let elapsed = Double(max(0, now - bucket.filled))
            bucket.tokens = min(Double(burst), bucket.tokens + elapsed * perMillisecond)
            bucket.filled = now
            let isAdmitted = bucket.tokens >= 1
            if isAdmitted { bucket.tokens -= tokens }
            buckets[name] = bucket
            return isAdmitted ? nil : (1 - bucket.tokens) / perMillisecond / 1_000
        }
        if let wait {
            let seconds = max(1, Int(wait.rounded(.up)))
            let when = seconds == 1 ? "a second" : "\(seconds) seconds"
            throw ServiceFault(.requestLimitExceeded, debug: "\(rule); send it again in \(when)", retryAfter: seconds)
        }
    }
}
