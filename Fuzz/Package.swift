// swift-tools-version: 6.1
import PackageDescription

/// The fuzzers, apart from the library so that nobody else resolves or builds them: `./run.sh FuzzParse 60`.
let support: [Target.Dependency] = [
    "CFuzzer", "FuzzSupport", .product(name: "PredicateQL", package: "PredicateQL"),
]

let package = Package(
    name: "PredicateQLFuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "PredicateQL", path: "..", traits: ["PCRE2"])],
    targets: [
        .target(name: "CFuzzer"),
        .target(name: "FuzzSupport", dependencies: [.product(name: "PredicateQL", package: "PredicateQL")]),
        .executableTarget(name: "FuzzParse", dependencies: support),
        .executableTarget(name: "FuzzArguments", dependencies: support),
        .executableTarget(name: "FuzzRoundTrip", dependencies: support),
        .executableTarget(name: "FuzzLike", dependencies: support),
        .executableTarget(name: "FuzzMongoReader", dependencies: support),
        .executableTarget(
            name: "FuzzAgreement",
            dependencies: support + [.product(name: "PredicateQLSQLite", package: "PredicateQL")]
        ),
        .executableTarget(
            name: "FuzzBatch",
            dependencies: support + [.product(name: "QueryBatch", package: "PredicateQL")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
