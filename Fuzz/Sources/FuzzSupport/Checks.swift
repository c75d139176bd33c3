/// What must hold for any bytes, one check for each fuzzer; a check that fails stops the process.
public enum Checks {
    /// Every check with the name of its fuzzer, which names its folders of seeds and regressions too.
    public static let all: [(name: String, check: @Sendable ([UInt8]) -> Void)] = [
        ("FuzzParse", { parse($0) }), ("FuzzArguments", { arguments($0) }), ("FuzzRoundTrip", { roundTrip($0) }),
        ("FuzzLike", { like($0) }), ("FuzzAgreement", { agreement($0) }), ("FuzzBatch", { batch($0) }),
        ("FuzzMongoReader", { mongoReader($0) }), ("FuzzSchema", { schema($0) }), ("FuzzService", { service($0) }),
    ]
}
