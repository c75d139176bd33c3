// swift-tools-version: 6.1
import PackageDescription

/// The fuzzers, apart from the library so that nobody else resolves or builds them: `./run.sh FuzzParse 60`.
///
/// What they check is in `FuzzSupport`, which the library's own tests compile too, to replay seeds and regressions.
let fuzzers = [
    "FuzzParse", "FuzzArguments", "FuzzRoundTrip", "FuzzLike", "FuzzMongoReader", "FuzzSchema", "FuzzAgreement",
    "FuzzBatch", "FuzzService",
]

func library(_ name: String) -> Target.Dependency { .product(name: name, package: "PredicateQL") }

let package = Package(
    name: "PredicateQLFuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "PredicateQL", path: "..", traits: ["PCRE2"])],
    targets: [
        .target(name: "CFuzzer"),
        .target(name: "FuzzDriver", dependencies: ["CFuzzer"]),
        .target(
            name: "FuzzSupport",
            dependencies: [
                library("PredicateQL"), library("PredicateQLSQLite"), library("QueryBatch"),
                library("PredicateQLService"),
            ]
        ),
    ] + fuzzers.map { .executableTarget(name: $0, dependencies: ["FuzzDriver", "FuzzSupport"]) },
    swiftLanguageModes: [.v6]
)
