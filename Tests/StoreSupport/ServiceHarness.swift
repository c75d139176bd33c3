import Foundation
import PredicateQL
import PredicateQLService
import StoreModel
import QueryValues

/// A service in memory with a clock that tests move.
package final class ServiceHarness: Sendable {
    package static let key = "kid"
    package let service: Service

    package init(
        path: String = ":memory:",
        readers: Int = 0,
        _ configure: (inout ServiceConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = ServiceConfiguration(apps: [.init(key: Self.key, secret: "s", master: "m")])
        configuration.limits.requestsPerSecond = nil
        configuration.limits.logInsPerMinute = nil
        configure(&configuration)
        let clock = Clock()
        var environment = Self.environment(clock)
        environment.alarm = { isError, message in
            clock.alarms.withLock { $0.append((isError ? "error: " : "warning: ") + message) }
        }
        service = try Service(path: path, configuration, environment, readers: readers)
        time = clock
    }

    /// A clock that stands still, numbers that repeat, and no cryptography.
    package static func environment(_ clock: Clock = Clock()) -> ServiceEnvironment {
        ServiceEnvironment(
            now: { clock.now },
            random: { clock.random() },
            digest: ServiceEnvironment.insecure.digest,
            passwordHash: ServiceEnvironment.insecure.passwordHash
        )
    }

    package let time: Clock

    /// What the operator was told.
    package var alarms: [String] { time.alarms.withLock { $0 } }

    /// The time of day, and numbers that look random, in tests.
    package final class Clock: Sendable {
        package init(seed: UInt64 = 1) { state = Mutex((now: Int64(1_594_916_197_597), dice: Dice(seed))) }

        private let state: Mutex<(now: Int64, dice: Dice)>

        fileprivate let alarms = Mutex<[String]>([])

        package var now: Int64 { state.withLock { $0.now } }

        package func advance(_ milliseconds: Int64) { state.withLock { $0.now += milliseconds } }

        package func random() -> UInt64 { state.withLock { $0.dice.next() } }
    }

    package static let digest = ServiceEnvironment.insecure.digest

    /// An answer, its body as JSON text.
    package struct Answer {
        package var status: Int
        package var body: String
        package var headers: HeaderFields

        package var json: QueryValue? { try? QueryValue(json: body) }
    }

    package static func basic(_ secret: String) -> String {
        "Basic " + Data("\(key):\(secret)".utf8).base64EncodedString()
    }

    /// Sends a request; the path is relative to `/appdata/kid` unless it begins with a slash.
    package func send(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        as authorization: String = ServiceHarness.basic("m"),
        _ headers: [String: String] = [:]
    ) async -> Answer {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let full = parts[0].hasPrefix("/") ? parts[0] : "/appdata/\(Self.key)/" + parts[0]
        var fields: HeaderFields = [("Authorization", authorization)]
        if body != nil { fields["Content-Type"] = "application/json" }
        for (name, value) in headers { fields[name] = value }
        let request = WireRequest(
            method,
            full,
            query: parts.count == 2 ? Self.encode(parts[1]) : "",
            headers: fields,
            body: Array((body ?? "").utf8)
        )
        let response = await service.answer(request)
        return Answer(
            status: response.status,
            body: String(decoding: response.body, as: UTF8.self),
            headers: response.headers
        )
    }

    /// Escapes what a URL cannot hold, so that tests show filters as they are.
    package static func encode(_ query: String) -> String {
        query.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\""), UInt8(ascii: " "), 0x80...:
                "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            default: String(UnicodeScalar(byte))
            }
        }.joined()
    }

    /// Signs a user up; the id and the header of the session.
    package func signUp(_ name: String) async -> (id: String, session: String) {
        let answer = await send(
            "POST",
            "/user/\(Self.key)",
            #"{"username":"\#(name)","password":"p"}"#,
            as: Self.basic("s")
        )
        guard case .object(let user)? = answer.json, case .string(let id)? = user["_id"],
            case .object(let metadata)? = user["_kmd"], case .string(let token)? = metadata["authtoken"]
        else { return ("", "") }
        return (id, "Kinvey " + token)
    }
}
