/// Whether the service is reachable, as the last requests showed it.
///
/// After a failure the cache answers at once for a while.
package struct Reachability: Hashable, Sendable {
    /// How long one failure counts, in milliseconds.
    package static let memory: Int64 = 5_000
    /// When the service stops counting as unreachable, in milliseconds since 1970.
    private var badUntil: Int64 = 0
    /// When the service wants requests again, in milliseconds since 1970.
    private var quietUntil: Int64 = 0

    package init() {}

    /// True while the service counts as unreachable.
    package func isBad(at now: Int64) -> Bool { now < badUntil }

    /// How long the service wants no requests, in milliseconds.
    package func quiet(at now: Int64) -> Int64 { max(0, quietUntil - now) }

    package mutating func failed(at now: Int64) { badUntil = now + Self.memory }

    /// Notes an answer.
    ///
    /// - Returns: true if the request before had none.
    package mutating func succeeded() -> Bool {
        defer { badUntil = 0 }
        return badUntil > 0
    }

    /// Notes the seconds for which the service wants no requests.
    package mutating func wait(_ seconds: Int, at now: Int64) {
        quietUntil = now + Int64(min(max(seconds, 0), 300)) * 1_000
    }
}
