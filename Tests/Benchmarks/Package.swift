// swift-tools-version: 6.1
import PackageDescription

/// The benchmarks, separate from the library so that nobody else builds them: `swift run -c release Benchmarks`.
let package = Package(
    name: "PredicateQLBenchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "PredicateQL", path: "../..", traits: ["PCRE2"]),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(name: "CAllocations"),
        .target(name: "CCallbacks", linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("pcre2-8")]),
        // The examples of public declarations, compiled with what is public: a package may not see more.
        .target(
            name: "PublicExamples",
            dependencies: [
                .product(name: "PredicateQL", package: "PredicateQL"),
                .product(name: "PredicateQLSQLite", package: "PredicateQL"),
                .product(name: "QueryBatch", package: "PredicateQL"),
            ]
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CAllocations", "CCallbacks", .product(name: "PredicateQL", package: "PredicateQL"),
                .product(name: "PredicateQLSQLite", package: "PredicateQL"),
                .product(name: "PredicateQLService", package: "PredicateQL"),
                .product(name: "PredicateQLStore", package: "PredicateQL"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
