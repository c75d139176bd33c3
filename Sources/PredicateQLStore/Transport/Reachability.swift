/// What the last requests say about the service: after a failure the cache answers at once for a while.
struct Reachability: Hashable, Sendable {
    /// How long one failure counts, milliseconds.
    static let memory: Int64 = 5_000
    /// Until when the service is taken for unreachable, milliseconds since 1970.
    private var badUntil: Int64 = 0
    /// Until when the service wants to be left alone.
    private var quietUntil: Int64 = 0

    /// Whether asking now is in vain.
    func isBad(at now: Int64) -> Bool { now < badUntil || now < quietUntil }

    /// How long the service wants to be left alone, milliseconds.
    func quiet(at now: Int64) -> Int64 { max(0, quietUntil - now) }

    mutating func failed(at now: Int64) { badUntil = now + Self.memory }

    /// The service answered.
    ///
    /// - Returns: whether the request before had no answer.
    mutating func succeeded() -> Bool {
        defer { badUntil = 0 }
        return badUntil > 0
    }

    /// The service named the seconds until which it wants no requests.
    mutating func wait(_ seconds: Int, at now: Int64) { quietUntil = now + Int64(min(max(seconds, 0), 300)) * 1_000 }
}
