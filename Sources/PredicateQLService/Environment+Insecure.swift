#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ServiceEnvironment {
    /// The system's clock and randomness, with insecure digests, for tests and examples.
    ///
    ///     let configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
    ///     let service = try Service(path: ":memory:", configuration, .insecure)
    ///     await service.answer(WireRequest("GET", "/healthz")).status  // → 200
    public static let insecure = ServiceEnvironment(
        now: { Int64((Date.now.timeIntervalSince1970 * 1_000).rounded(.down)) },
        random: { .random(in: 0 ... .max) },
        digest: Self.mixed,
        passwordHash: { password, salt, cost in
            Self.mixed(password + salt + [UInt8(truncatingIfNeeded: cost.parallelism)])
        }
    )

    /// 32 bytes that are good enough to tell test data apart (FNV).
    private static func mixed(_ bytes: [UInt8]) -> [UInt8] {
        (0..<4).flatMap { part -> [UInt8] in
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325 &+ UInt64(part)
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return withUnsafeBytes(of: hash) { Array($0) }
        }
    }
}
