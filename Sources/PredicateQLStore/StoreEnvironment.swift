#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import StoreModel

/// What a client needs from its environment: the clock, randomness, and sleeping.
///
/// Apps use ``system``; simulations pass their own.
///
///     let fixed = StoreEnvironment(now: { 0 }, random: { 7 })
///     fixed.now()  // → 0
public struct StoreEnvironment: Sendable {
    /// The current time, milliseconds since 1970.
    public var now: @Sendable () -> Int64
    /// 64 random bits.
    public var random: @Sendable () -> UInt64
    /// Sleeps, and returns early if the task is cancelled.
    public var sleep: @Sendable (Duration) async -> Void
    /// Called at points between a transaction and the next step; tests end the process there.
    package var reached: @Sendable (StorePoint) -> Void = { _ in }
    /// Rules that a simulation leaves out.
    package var switchedOff: Set<SyncRule> = []
    /// True once a simulated process has ended: it does nothing more.
    package var isEnded: @Sendable () -> Bool = { false }

    /// An environment.
    ///
    /// - Parameters:
    ///   - now: the current time, milliseconds since 1970.
    ///   - random: 64 bits, unpredictable where people use the client.
    ///   - sleep: sleeps, and returns early if the task is cancelled.
    public init(
        now: @escaping @Sendable () -> Int64,
        random: @escaping @Sendable () -> UInt64,
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        self.now = now
        self.random = random
        self.sleep = sleep
    }

    /// The system's clock and randomness.
    public static let system = StoreEnvironment(
        now: { Int64((Date.now.timeIntervalSince1970 * 1_000).rounded(.down)) },
        random: { .random(in: 0 ... .max) }
    )

    /// Random characters of base64url.
    func text(_ count: Int) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var bytes: [UInt8] = []
        var bits: UInt64 = 0
        for position in 0..<count {
            if position % 10 == 0 { bits = random() }
            bytes.append(alphabet[Int(bits & 63)])
            bits >>= 6
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A point at which a process may end and nothing acknowledged is lost.
package enum StorePoint: String, Sendable, CaseIterable {
    /// A local change is stored.
    case saved
    /// A request has its number and is about to be sent.
    case numbered
    /// A response arrived and is about to be stored.
    case answered
    /// A response is stored.
    case recorded
    /// A page of a pull is stored.
    case page
    /// The last page of a pull is stored; rows that it lacked are still there.
    case lastPage
}
