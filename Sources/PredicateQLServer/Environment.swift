#if Server
    import Crypto
    import CryptoExtras
    import Foundation
    import PredicateQLService

    extension ServiceEnvironment {
        /// The system's clock and randomness, SHA-256, and scrypt.
        public static let live = ServiceEnvironment(
            now: {
                var time = timespec()
                clock_gettime(CLOCK_REALTIME, &time)
                return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
            },
            random: {
                var generator = SystemRandomNumberGenerator()
                return generator.next()
            },
            digest: { bytes in Array(SHA256.hash(data: bytes)) },
            passwordHash: { password, salt, cost in
                let key = try? KDF.Scrypt.deriveKey(
                    from: password,
                    salt: salt,
                    outputByteCount: 32,
                    rounds: 1 << cost.logRounds,
                    blockSize: cost.blockSize,
                    parallelism: cost.parallelism
                )
                return key?.withUnsafeBytes { Array($0) }
            }
        )
    }
#endif
